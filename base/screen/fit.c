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
	n -= head;
	s += head;
	head = escape_fits_at_end(s, n, columns);
	/* a text that has been shortened before has marks already */
	if (head < strlen(mark) || memcmp(s + n - head, mark, strlen(mark)))
		out_raw(o, mark, strlen(mark));
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

/* Length of the sequence that begins or ends a colour; 0: s begins with text. */
static size_t color_length(const char *s, size_t n)
{
	size_t i = 2;

	if (n < 3 || s[0] != '\033' || s[1] != '[')
		return 0;
	while (i < n && ((s[i] >= '0' && s[i] <= '9') || s[i] == ';'))
		i++;
	return i < n && s[i] == 'm' ? i + 1 : 0;
}

/* Length of the text before the next colour. */
static size_t plain_length(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && s[i] != '\033')
		i++;
	return i;
}

static size_t colored_columns(const char *s, size_t n)
{
	size_t columns = 0, len;

	for (; n; s += len, n -= len) {
		len = color_length(s, n);
		if (len)
			continue;
		len = plain_length(s, n);
		columns += escape_columns(s, len);
	}
	return columns;
}

/* The columns of a line that are printed, then those that are left out. */
struct cut {
	size_t head, skip;
	bool marked;
};

/* Appends what the cut leaves of a text without colours. */
static void put_plain(struct out *o, struct cut *c, const char *s, size_t n)
{
	size_t len = escape_fits(s, n, c->head), columns;

	out_raw(o, s, len);
	c->head = len < n ? 0 : c->head - escape_columns(s, len);
	s += len;
	n -= len;
	if (!n)
		return;
	if (!c->marked)
		out_raw(o, fit_mark(o), strlen(fit_mark(o)));
	c->marked = true;
	len = escape_fits(s, n, c->skip);
	columns = escape_columns(s, len);
	if (len < n && columns < c->skip) /* a character of two columns is left out whole */
		len += escape_fits(s + len, n - len, 2);
	c->skip -= len < n ? c->skip : columns;
	s += len;
	n -= len;
	out_raw(o, s, n);
}

/* Appends a line without its newline, with blanks for its tabs. */
static void expand_tabs(struct out *o, const char *s, size_t n)
{
	size_t start = o->len, len;

	for (; n; s += len, n -= len) {
		const char *tab = memchr(s, '\t', n);

		len = tab ? (size_t)(tab - s) : n;
		out_raw(o, s, len);
		if (!tab)
			return;
		out_fill(o, ' ', 8 - colored_columns(o->buf + start, o->len - start) % 8);
		len++;
	}
}

/* True for a line of dashes. */
static bool is_rule(const char *s, size_t n)
{
	while (n && s[n - 1] == '-')
		n--;
	return !n;
}

static void put_cut_line(struct out *o, const char *s, size_t n, size_t columns)
{
	size_t len, mark = escape_columns(fit_mark(o), strlen(fit_mark(o)));
	struct cut c = { .head = columns / 2 };

	c.skip = colored_columns(s, n) - (columns - mark);
	if (is_rule(s, n)) {
		out_raw(o, s, columns);
		return;
	}
	for (; n; s += len, n -= len) {
		len = color_length(s, n);
		if (len) {
			out_raw(o, s, len);
			continue;
		}
		len = plain_length(s, n);
		put_plain(o, &c, s, len);
	}
}

void fit_lines(struct out *o, const char *s, size_t n, fit_shorten_fn *shorten)
{
	size_t columns = o->columns > 20 ? o->columns - 1 : 20, len, wide;
	struct out line;

	if (!o->columns) {
		out_long(o, s, n);
		return;
	}
	out_init_mem(&line);
	out_escape_like(&line, o);
	for (; n; s += len, n -= len) {
		const char *end = memchr(s, '\n', n);

		len = end ? (size_t)(end - s) : n;
		line.len = 0;
		expand_tabs(&line, s, len);
		wide = colored_columns(line.buf, line.len);
		if (wide > columns && shorten)
			shorten(&line, wide - columns);
		if (wide > columns && colored_columns(line.buf, line.len) > columns)
			put_cut_line(o, line.buf, line.len, columns);
		else
			out_raw(o, line.buf, line.len);
		if (end)
			out_char(o, '\n');
		len += end != NULL;
	}
	out_fini(&line);
}
