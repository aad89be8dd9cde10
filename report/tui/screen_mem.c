/* SPDX-License-Identifier: MIT */
#include "report/tui/screen_mem.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/screen/escape.h"

#define CELL_MAX 15 /* bytes of a character and what combines with it */

struct cell {
	char text[CELL_MAX];
	u8 len; /* 0: blank, or the second half of a wide character */
	u8 style;
	bool second;
};

struct screen_mem {
	struct screen screen;
	int rows, cols; /* at the next clear() */
	struct cell *cells;
	const int *keys;
	size_t nr_keys, next;
	char *copied;
	size_t nr_controls;
};

static struct screen_mem *mem_of(const struct screen *s)
{
	return (struct screen_mem *)(uintptr_t)s;
}

static void mem_clear(struct screen *s)
{
	struct screen_mem *m = mem_of(s);

	s->rows = m->rows;
	s->cols = m->cols;
	free(m->cells);
	m->cells = xcalloc((size_t)s->rows * (size_t)s->cols + 1, sizeof(*m->cells));
}

static size_t char_len(const char *s, size_t n)
{
	size_t len = 1;

	while (len < n && ((u8)s[len] & 0xc0) == 0x80)
		len++;
	return len;
}

static void mem_put(struct screen *s, int row, int col, enum screen_style style, const char *text,
		    size_t n)
{
	struct screen_mem *m = mem_of(s);
	struct cell *line = &m->cells[row * s->cols];

	m->nr_controls += escape_free(text, n, !s->utf8) != n;
	while (n) {
		size_t len = char_len(text, n), width = escape_columns(text, len);
		struct cell *c = &line[width ? col : col ? col - 1 : 0];

		if (width && col + (int)width > s->cols)
			BUG();
		if (width)
			*c = (struct cell){ .style = (u8)style };
		if (width == 2)
			c[1] = (struct cell){ .style = (u8)style, .second = true };
		if (c->len + len <= CELL_MAX) {
			memcpy(c->text + c->len, text, len);
			c->len = (u8)(c->len + len);
		}
		col += (int)width;
		text += len;
		n -= len;
	}
}

static void mem_flush(struct screen *s)
{
	(void)s;
}

static int mem_key(struct screen *s, int timeout_ms)
{
	struct screen_mem *m = mem_of(s);

	(void)timeout_ms;
	return m->next < m->nr_keys ? m->keys[m->next++] : TKEY_GONE;
}

static void mem_copy(struct screen *s, const char *text, size_t n)
{
	free(mem_of(s)->copied);
	mem_of(s)->copied = xstrndup(text, n);
}

static void mem_close(struct screen *s)
{
	free(mem_of(s)->cells);
	free(mem_of(s)->copied);
	free(mem_of(s));
}

static const struct screen_ops mem_ops = {
	.clear = mem_clear,
	.put = mem_put,
	.flush = mem_flush,
	.key = mem_key,
	.copy = mem_copy,
	.close = mem_close,
};

struct screen *screen_mem_new(int rows, int cols, bool utf8, const int *keys, size_t nr)
{
	struct screen_mem *m = xcalloc(1, sizeof(*m));

	*m = (struct screen_mem){ .screen = { .ops = &mem_ops, .utf8 = utf8 },
				  .rows = rows,
				  .cols = cols,
				  .keys = keys,
				  .nr_keys = nr };
	mem_clear(&m->screen);
	return &m->screen;
}

void screen_mem_resize(struct screen *s, int rows, int cols)
{
	mem_of(s)->rows = rows;
	mem_of(s)->cols = cols;
}

static void dump_line(const struct screen *s, int row, struct out *o)
{
	const struct cell *line = &mem_of(s)->cells[row * s->cols];
	int end = s->cols;

	while (end &&
	       (!line[end - 1].len || (line[end - 1].len == 1 && line[end - 1].text[0] == ' ')))
		end--;
	for (int i = 0; i < end; i++) {
		if (line[i].len)
			out_raw(o, line[i].text, line[i].len);
		else if (!line[i].second)
			out_char(o, ' ');
	}
	out_char(o, '\n');
}

static bool is_cursor(u8 style)
{
	return style == STYLE_CURSOR || style == STYLE_FLAME_CURSOR;
}

void screen_mem_dump(const struct screen *s, struct out *o)
{
	int cursor = -1;

	for (int row = 0; row < s->rows; row++) {
		dump_line(s, row, o);
		for (int i = 0; i < s->cols && cursor < 0; i++)
			if (is_cursor(mem_of(s)->cells[row * s->cols + i].style))
				cursor = row;
	}
	if (cursor >= 0)
		out_printf(o, "[line %d]\n", cursor + 1);
}

enum screen_style screen_mem_style(const struct screen *s, int row, int col)
{
	return mem_of(s)->cells[row * s->cols + col].style;
}

const char *screen_mem_copied(const struct screen *s)
{
	return mem_of(s)->copied ? mem_of(s)->copied : "";
}

size_t screen_mem_nr_controls(const struct screen *s)
{
	return mem_of(s)->nr_controls;
}
