/* SPDX-License-Identifier: MIT */
/* Source lines of frames (-F srcline) and their text (-F srccode). */
#ifndef PROFILE_LINE_TEXT_H
#define PROFILE_LINE_TEXT_H

#include "base/out.h"
#include "session/frames.h"

/*
 * Appends "FILE:LINE", or "OBJECT[ADDRESS]" where it is not known; nothing without a map. The
 * file's last part only, unless full_path.
 */
void line_text(struct out *o, const struct frame *fr, bool full_path);

/* "FILE:LINE" of a place that is known, "??:0" where file is NULL. */
void line_text_place(struct out *o, const char *file, u32 line, bool full_path);

/* Source files read so far, and the line shown last of each thread. */
struct line_source;

struct line_source *line_source_new(void);
void line_source_free(struct line_source *s);

/* Line (from 1) of that file, without its newline, valid until line_source_free; NULL: none. */
const char *line_source_get(struct line_source *s, const char *file, u32 line, size_t *ret_len);

/*
 * Appends "|LINE  CODE\n" of the frame's place, unless that was shown last for this thread. Nothing
 * where the line or its file is not to be had.
 */
void line_source_text(struct line_source *s, struct out *o, const struct frame *fr, u32 tid);

#endif
