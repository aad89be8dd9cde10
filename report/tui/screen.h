/* SPDX-License-Identifier: MIT */
/*
 * What views of the terminal draw into and read keys from: a terminal (screen_curses.h), or memory
 * in tests (screen_mem.h).
 *
 *	screen_clear(s)
 *	screen_put(s, row, col, STYLE_PLAIN, text, n)	escaped text only (base/screen/escape.h)
 *	s->ops->flush(s)
 *	key = s->ops->key(s, -1)
 *	s->ops->close(s)
 */
#ifndef REPORT_TUI_SCREEN_H
#define REPORT_TUI_SCREEN_H

#include "base/types.h"

/* How text is shown. The flame styles are the colours of frames; warm ones are of user space. */
enum screen_style {
	STYLE_PLAIN,
	STYLE_TITLE, /* the first line */
	STYLE_HEAD,  /* heads of columns */
	STYLE_HOT,
	STYLE_WARM,
	STYLE_DIM,
	STYLE_CURSOR, /* the line that keys act on */
	STYLE_MATCH,  /* what a search found */
	STYLE_BAR,    /* the last line */
	STYLE_KEY,    /* a key in the last line */
	STYLE_ERROR,
	STYLE_ARROW, /* from a jump to its target */
	STYLE_FLAME,
	STYLE_FLAME_LAST = STYLE_FLAME + 7,
	STYLE_FLAME_KERNEL, /* and the next three; so on */
	STYLE_FLAME_JIT = STYLE_FLAME_KERNEL + 4,
	STYLE_FLAME_OTHER = STYLE_FLAME_JIT + 4,
	STYLE_FLAME_END = STYLE_FLAME_OTHER + 2,
	STYLE_FLAME_REST = STYLE_FLAME_END, /* the same colours, on the background */
	STYLE_FLAME_CURSOR = STYLE_FLAME_REST + (STYLE_FLAME_END - STYLE_FLAME),
	NR_STYLES
};

/* Keys that are no characters. Characters are their code points, Ctrl-A is 1. */
enum screen_key {
	TKEY_NONE = -1,     /* no key within the timeout */
	TKEY_TABULATOR = 9, /* Tab */
	TKEY_RETURN = 13,   /* Enter */
	TKEY_ESCAPE = 27,   /* Esc */
	TKEY_ARROW_UP = 0x110000,
	TKEY_ARROW_DOWN,
	TKEY_ARROW_LEFT,
	TKEY_ARROW_RIGHT,
	TKEY_PAGE_UP,
	TKEY_PAGE_DOWN,
	TKEY_TO_START,
	TKEY_TO_END,
	TKEY_BACK_TAB,
	TKEY_ERASE,      /* backspace */
	TKEY_FUNCTION_1, /* and the next eleven */
	TKEY_FUNCTION_LAST = TKEY_FUNCTION_1 + 11,
	TKEY_CLICK, /* at screen.click_row and click_col, as the four below */
	TKEY_DRAG,  /* the button is released, elsewhere than it was pressed with TKEY_CLICK */
	TKEY_DOUBLE_CLICK,
	TKEY_WHEEL_UP,
	TKEY_WHEEL_DOWN,
	TKEY_RESIZED,
	TKEY_GONE, /* the terminal is gone, or a signal ends the command */
};

#define TKEY_CTRL(letter) ((letter)&31)

struct screen;

struct screen_ops {
	/* Makes every cell blank, and reads the size of the terminal again. */
	void (*clear)(struct screen *s);
	/* Writes n bytes of escaped text, which fit between the column and the right edge. */
	void (*put)(struct screen *s, int row, int col, enum screen_style style, const char *text,
		    size_t n);
	/* Shows what was put. */
	void (*flush)(struct screen *s);
	/* Waits for a key; timeout in milliseconds, negative: for ever. */
	int (*key)(struct screen *s, int timeout_ms);
	/* Puts a text into the clipboard of the terminal. */
	void (*copy)(struct screen *s, const char *text, size_t n);
	void (*close)(struct screen *s);
};

/* The first member of every screen. */
struct screen {
	const struct screen_ops *ops;
	int rows, cols;
	bool utf8;  /* it shows other characters than those of ASCII */
	bool color; /* it shows colours */
	int click_row, click_col;
};

/* Writes escaped text, cut at the right edge. Rows and columns outside the screen show nothing. */
void screen_put(struct screen *s, int row, int col, enum screen_style style, const char *text,
		size_t n);
/* Writes text of the program's own, a NUL at its end. */
void screen_say(struct screen *s, int row, int col, enum screen_style style, const char *text);
/* Writes escaped text and blanks up to the right edge. */
void screen_line(struct screen *s, int row, enum screen_style style, const char *text, size_t n);

#endif
