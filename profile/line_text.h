/* SPDX-License-Identifier: MIT */
/* Source lines of frames (-F srcline) and their text (-F srccode). */
#ifndef PROFILE_LINE_TEXT_H
#define PROFILE_LINE_TEXT_H

#include "base/out.h"
#include "session/frames.h"

/*
 * Appends "FILE:LINE" of a frame, or "OBJECT[ADDRESS]" when its line is not known. Appends nothing
 * for a frame without a map. full_path: FILE with its folders.
 */
void line_text(struct out *o, const struct frame *fr, bool full_path);

/* Appends "FILE:LINE" of a known line; "??" for the file when file is NULL. */
void line_text_place(struct out *o, const char *file, u32 line, bool full_path);

/* The source files read so far, and for each thread the line that was shown last. */
struct line_source;

struct line_source *line_source_new(void);
void line_source_free(struct line_source *s);

/*
 * A line of a source file, counted from 1, without its newline. Valid until line_source_free. NULL
 * when the file cannot be read or has no such line.
 */
const char *line_source_get(struct line_source *s, const char *file, u32 line, size_t *ret_len);

/*
 * Appends "|LINE  CODE\n" of a frame, unless that line was the last one shown for this thread.
 * Appends nothing when the line is not known or its file cannot be read.
 */
void line_source_text(struct line_source *s, struct out *o, const struct frame *fr, u32 tid);

#endif
