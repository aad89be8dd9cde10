/* SPDX-License-Identifier: MIT */
/*
 * Text from outside (names in a recording, paths, source lines) made harmless for a terminal.
 * Characters that a terminal obeys or that hide others are written as escapes:
 *
 *	control characters	\x1b, \n, \t, \r
 *	C1 controls as UTF-8	\u009b
 *	characters that change the direction of writing, or take no room	\u202e
 *	bytes that are no UTF-8	\xff
 *
 * All others stay as they are, backslashes too. The result therefore holds nothing to escape.
 */
#ifndef BASE_SCREEN_ESCAPE_H
#define BASE_SCREEN_ESCAPE_H

#include "base/types.h"

/* Bytes of the longest escape: that of a character above U+FFFF. */
#define ESCAPE_MAX 10

/*
 * Returns how many of the first bytes of s need no escape. ascii: the terminal's character set is
 * not UTF-8, so that all bytes from 0x80 up are escaped.
 */
size_t escape_free(const char *s, size_t n, bool ascii);

/*
 * Writes the escape of the character at s to `to`, without a NUL, and its length to *ret_len.
 * Returns how many bytes of s it stands for. n is not 0, and escape_free(s, n, ascii) is.
 */
size_t escape_char(const char *s, size_t n, bool ascii, char to[ESCAPE_MAX], size_t *ret_len);

/*
 * Returns the columns that escaped text takes on a terminal: 2 for East Asian wide characters and
 * emoji, 0 for combining ones.
 */
size_t escape_columns(const char *s, size_t n);

/* Returns how many of the first bytes of an escaped text fit into this many columns. */
size_t escape_fits(const char *s, size_t n, size_t columns);

/* Returns how many of the last bytes of an escaped text fit into this many columns. */
size_t escape_fits_at_end(const char *s, size_t n, size_t columns);

#endif
