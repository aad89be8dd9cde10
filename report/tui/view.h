/* SPDX-License-Identifier: MIT */
/*
 * Views of the terminal and what they stand on. A view draws itself and takes keys; views lie on
 * top of each other, the top one is shown. The last line of the screen is not theirs: it shows a
 * message, a question, or the view's keys.
 */
#ifndef REPORT_TUI_VIEW_H
#define REPORT_TUI_VIEW_H

#include "base/out.h"
#include "report/tui/screen.h"

struct tui;
struct tui_view;

/* A key of a view, for the last line and for help. */
struct tui_key {
	int key;
	const char *word; /* for the last line; NULL: only help shows the key */
	const char *help;
};

struct tui_view_ops {
	const char *name; /* the title of its help */
	const struct tui_key *keys;
	size_t nr_keys;
	/* Draws lines [0, screen.rows - 1). */
	void (*draw)(struct tui_view *v, struct tui *t);
	/* Acts on a key. False: the key means nothing here. */
	bool (*key)(struct tui_view *v, struct tui *t, int key);
	/* Takes the answer to tui_ask(). NULL: the view asks nothing. */
	void (*answer)(struct tui_view *v, struct tui *t, int question, const char *text);
	/*
	 * Acts on an answer that is being typed; NULL text: the question was given up. NULL: only
	 * whole answers matter.
	 */
	void (*typed)(struct tui_view *v, struct tui *t, int question, const char *text);
	/*
	 * Prepares a little of what keys will need, while none is pressed; false: all is ready.
	 * NULL: there is nothing to prepare.
	 */
	bool (*idle)(struct tui_view *v);
	/*
	 * Whether idle() has to do more before a key is acted on, which this view or one on top of
	 * it gets; TKEY_NONE: before it is drawn. NULL: it never has to.
	 */
	bool (*waits)(const struct tui_view *v, const struct tui *t, int key);
	const char *preparing; /* what idle() does, for the last line while a key waits */
	void (*close)(struct tui_view *v);
};

/* The first member of every view. */
struct tui_view {
	const struct tui_view_ops *ops;
};

#define TUI_TEXT_MAX 512
#define TUI_KEYS_AHEAD 32 /* keys that are read while one waits */

struct tui {
	struct screen *screen;
	struct tui_view **views; /* the last one is shown */
	size_t nr, cap;
	bool quit;
	char message[TUI_TEXT_MAX]; /* "": none; the next key removes it */
	bool warns;                 /* the message is about something that cannot be done */
	int question;               /* of the view that is shown; -1: none */
	const char *asks;           /* the text of the question */
	char answer[TUI_TEXT_MAX];
	u64 escaped_at; /* ns, when Esc asked for another Esc; 0: it did not */
	int ahead[TUI_KEYS_AHEAD];
	size_t nr_ahead;
};

/* Lays a view on top; it is closed by tui_pop(). */
void tui_push(struct tui *t, struct tui_view *v);
void tui_pop(struct tui *t);

/* Shows a message in the last line; %s is from outside. */
void tui_say(struct tui *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void tui_warn(struct tui *t, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Asks for a line of text, which answer() of the shown view gets. text and first are borrowed. */
void tui_ask(struct tui *t, int question, const char *text, const char *first);

/* Starts text that is escaped for the screen. */
void tui_out(struct tui *t, struct out *o);
/* Draws the text of o as the line and empties o. */
void tui_line(struct tui *t, int row, enum screen_style style, struct out *o);

/*
 * Draws a title, "Samples: 11K of event 'cycles', ...", and behind it what steps did, which stays
 * readable where both are too long. Empties title.
 */
void tui_title(struct tui *t, int row, struct out *title, struct out *steps);

/* How many lines a view has between a first line (or `above` lines) and the last line. */
int tui_page(const struct tui *t, int above);

/* Draws a bar at the right edge, from a line on, that shows where line `at` of nr is. */
void tui_scroll_bar(struct tui *t, int first, int page, size_t at, size_t nr);

/* ---- views that other views open */

/* A line of a menu. */
struct tui_item {
	char *text; /* escaped when it is drawn */
	int id;
	int key; /* that does the same; 0: none */
};

/* Acts on the choice of an item. */
typedef void tui_choice_fn(void *ctx, struct tui *t, int id);

/*
 * A menu that calls chosen() with ctx and the item's id, after it has closed itself unless it
 * stays. title is borrowed; items and their texts are taken over.
 */
struct tui_view *view_menu_new(const char *title, struct tui_item *items, size_t nr, bool stays,
			       tui_choice_fn *chosen, void *ctx);

/* A text to read; `text` is taken over, its lines are escaped when drawn. */
struct tui_view *view_text_new(const char *title, struct out *text);

/* The same for sentences: a line that is too wide goes on in the next one. */
struct tui_view *view_prose_new(const char *title, struct out *text);

/* The keys of a view. */
struct tui_view *view_help_new(const struct tui_view_ops *ops);

#endif
