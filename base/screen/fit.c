/* SPDX-License-Identifier: MIT */
#include "base/screen/fit.h"

#include "base/screen/escape.h"

#define CONTINUED "#   "

const char *fit_mark(const struct out *o)
{
	return o->ascii ? ".." : "\342\200\246";
}

void fit_middle(struct out *o, const char *s, size_t n, size_t columns)
{
	const char *mark = fit_mark(o);
	size_t of_mark = escape_columns(mark, strlen(mark)), head;

	if (escape_columns(s, n) <= columns) {
		out_raw(o, s, n);
		return;
	}
	if (columns <= of_mark) {
		out_raw(o, s, escape_fits(s, n, columns));
		return;
	}
	columns -= of_mark;
	head = escape_fits(s, n, columns * 2 / 5);
	columns -= escape_columns(s, head);
	out_raw(o, s, head);
	out_raw(o, mark, strlen(mark));
	n -= head;
	s += head;
	head = escape_fits_at_end(s, n, columns);
	out_raw(o, s + n - head, head);
}

/* Bytes of the words of s that fit into a line, without the blanks after them; 0: not even one. */
static size_t words_that_fit(const char *s, size_t n, size_t columns)
{
	size_t fits = escape_fits(s, n, columns), end = fits;

	if (fits == n)
		return n;
	while (end && s[end] != ' ')
		end--;
	while (end && s[end - 1] == ' ')
		end--;
	return end;
}

/* Appends one line, without its newline, in as many lines as it takes. */
static void put_folded(struct out *o, const char *s, size_t n, size_t columns)
{
	size_t room = columns, len;

	for (;;) {
		len = words_that_fit(s, n, room);
		/* a lone "#" is no line */
		if (len < 2 && n > len) {
			const char *blank = n > 2 ? memchr(s + 2, ' ', n - 2) : NULL;

			len = blank ? (size_t)(blank - s) : n;
			fit_middle(o, s, len, room);
		} else {
			out_raw(o, s, len);
		}
		s += len;
		n -= len;
		while (n && *s == ' ') {
			s++;
			n--;
		}
		out_char(o, '\n');
		if (!n)
			return;
		out_str(o, CONTINUED);
		room = columns - strlen(CONTINUED);
	}
}

void fit_comments(struct out *o, const char *s, size_t n)
{
	/* the last column stays free, because some terminals begin a new line after writing to it
	 */
	size_t columns = o->columns > 20 ? o->columns - 1 : 20, len;
	const char *end;

	if (!o->columns) {
		out_raw(o, s, n);
		return;
	}
	for (; n; s += len, n -= len) {
		end = memchr(s, '\n', n);
		len = end ? (size_t)(end - s) : n;
		if (escape_columns(s, len) <= columns) {
			out_raw(o, s, len);
			out_char(o, '\n');
		} else {
			put_folded(o, s, len, columns);
		}
		len += end != NULL;
	}
}
