/* SPDX-License-Identifier: MIT */
#include "base/screen/screen_rows.h"

#include <limits.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/screen/escape.h"
#include "base/screen/message.h"
#include "base/screen/out_escape.h"

#define COLUMNS_UNKNOWN 80
#define LEAST_COLUMNS 8u /* that a row has for text, on however narrow a terminal */

/* Length of the text before the last "; " in its first `fits` bytes, the semicolon included. */
static size_t before_advice(const char *text, size_t fits)
{
	for (size_t i = fits; i > 1; i--)
		if (text[i - 1] == ';' && text[i] == ' ')
			return i;
	return 0;
}

static size_t before_blank(const char *text, size_t fits)
{
	for (size_t i = fits; i > 0; i--)
		if (text[i] == ' ')
			return i;
	return fits;
}

static size_t indent_of_row(const struct screen_line *l, bool is_first)
{
	return is_first ? l->indent : SCREEN_INDENT;
}

/* Columns that a row has for text. The last one stays free: some terminals wrap after it. */
static size_t columns_of_row(size_t columns, const struct screen_line *l, bool is_first)
{
	size_t taken = 1 + indent_of_row(l, is_first);

	return columns > taken + LEAST_COLUMNS ? columns - taken : LEAST_COLUMNS;
}

/*
 * Length of the next row of a line. A line that needs several rows is broken in front of the
 * advice, if that fits, so that a command is in one row if possible.
 */
static size_t row_length(size_t columns, const struct screen_line *l, bool is_first)
{
	size_t fits = escape_fits(l->text, l->n, columns_of_row(columns, l, is_first)), len;

	if (fits == l->n)
		return l->n;
	len = is_first ? before_advice(l->text, fits) : 0;
	return len ? len : before_blank(l->text, fits);
}

/* Goes on to the text after a row of len bytes, without the blank in between. */
static void skip_row(struct screen_line *l, size_t len)
{
	len += len < l->n && l->text[len] == ' ';
	l->text += len;
	l->n -= len;
}

unsigned int screen_rows(const struct screen_line *l, size_t columns)
{
	struct screen_line left = *l;
	unsigned int nr = 0;

	for (; left.n; nr++)
		skip_row(&left, row_length(columns, &left, !nr));
	return nr;
}

void screen_put_rows(struct out *o, const struct screen_line *l, size_t columns, unsigned int rows)
{
	struct screen_line left = *l;

	for (unsigned int row = 0; left.n && row < rows; row++) {
		size_t len = row_length(columns, &left, !row);
		bool is_cut = row + 1 == rows && len < left.n;

		if (is_cut)
			len = before_blank(left.text,
					   escape_fits(left.text, left.n,
						       columns_of_row(columns, &left, !row) - 4));
		out_fill(o, ' ', indent_of_row(&left, !row));
		out_raw(o, left.text, len);
		if (is_cut)
			out_str(o, " ...");
		out_char(o, '\n');
		skip_row(&left, len);
	}
}

void screen_message(FILE *f, const char *fmt, ...)
{
	unsigned int columns = screen_columns(f);
	struct screen_line l = { 0 };
	struct out text, o;
	va_list ap;

	message_begin(&text, f);
	va_start(ap, fmt);
	out_put_format_escaped(&text, fmt, &ap);
	va_end(ap);
	l.text = text.buf;
	l.n = text.len;
	message_begin(&o, f);
	if (columns) {
		screen_put_rows(&o, &l, columns, UINT_MAX);
	} else {
		out_raw(&o, l.text, l.n);
		out_char(&o, '\n');
	}
	message_end(&o, f);
	out_fini(&text);
}

unsigned int screen_columns(FILE *f)
{
	int fd = fileno(f);
	struct winsize w;

	if (!isatty(fd))
		return 0;
	return !ioctl(fd, TIOCGWINSZ, &w) && w.ws_col ? w.ws_col : COLUMNS_UNKNOWN;
}
