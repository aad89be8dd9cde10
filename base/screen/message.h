/* SPDX-License-Identifier: MIT */
/*
 * Messages: lines on standard error for people. What they quote (names of files, text from a
 * recording, arguments) is always escaped (base/screen/escape.h), into files as well, so that each
 * message stays one line.
 */
#ifndef BASE_SCREEN_MESSAGE_H
#define BASE_SCREEN_MESSAGE_H

#include <stdarg.h>
#include <stdio.h>

#include "base/out.h"

/* Starts output of messages to f, as out_init(). */
void message_out(struct out *o, FILE *f);

/* Prints to f as fprintf() does, with the texts of %s escaped. */
void message(FILE *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
void message_va(FILE *f, const char *fmt, va_list ap) __attribute__((format(printf, 2, 0)));

/* Prints a text of several lines, with all but its line ends escaped, and a line end. */
void message_lines(FILE *f, const char *text);

/*
 * For a message in parts: message_begin(), then the functions of base/out.h, then message_end(),
 * which writes it to f in one piece, so that the lines of several processes do not mix.
 */
void message_begin(struct out *o, FILE *f);
/* Appends a text of several lines, with all but its line ends escaped. */
void message_put_lines(struct out *o, const char *text);
void message_end(struct out *o, FILE *f);

/* As vsnprintf(), with the texts of %s escaped. */
void message_text(char *to, size_t size, const char *fmt, va_list ap)
	__attribute__((format(printf, 3, 0)));

#endif
