/* SPDX-License-Identifier: MIT */
#include "report/tui/tui.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/screen/screen_rows.h"
#include "report/tui/key_names.h"

#define LEAST_ROW 20           /* columns: messages are not broken into rows of a narrower screen */
#define TWICE_NS 1000000000ull /* a second Esc within this time leaves */

static struct tui_view *shown(const struct tui *t)
{
	return t->views[t->nr - 1];
}

/* ---- the last line */

static void draw_keys(struct tui *t, int row)
{
	const struct tui_view_ops *ops = shown(t)->ops;
	struct screen *s = t->screen;
	int col = 0;

	screen_line(s, row, STYLE_BAR, "", 0);
	for (size_t i = 0; i < ops->nr_keys; i++) {
		const struct tui_key *k = &ops->keys[i];
		int width;
		struct out o;

		if (!k->word)
			continue;
		tui_out(t, &o);
		key_name_put(k->key, &o);
		width = (int)(o.len + strlen(k->word)) + 2;
		if (col + width <= s->cols) {
			screen_put(s, row, col, STYLE_KEY, o.buf, o.len);
			screen_say(s, row, col + (int)o.len + 1, STYLE_BAR, k->word);
		}
		out_fini(&o);
		col += width + 1;
	}
}

/* A message that is wider than the screen also takes lines above the last one. */
static void draw_message(struct tui *t, struct out *escaped)
{
	const struct screen *s = t->screen;
	const struct screen_line l = { .text = escaped->buf, .n = escaped->len };
	unsigned int nr = s->cols < LEAST_ROW ? 1 : screen_rows(&l, (size_t)s->cols);
	struct out o;
	char *at;

	if (nr <= 1) {
		tui_line(t, s->rows - 1, t->warns ? STYLE_ERROR : STYLE_BAR, escaped);
		return;
	}
	if (nr > (unsigned int)s->rows)
		nr = (unsigned int)s->rows;
	out_init_mem(&o);
	screen_put_rows(&o, &l, (size_t)s->cols, nr);
	out_char(&o, '\0');
	at = o.buf;
	for (unsigned int i = 0; i < nr; i++) {
		size_t n = strcspn(at, "\n");

		screen_line(t->screen, s->rows - (int)(nr - i), t->warns ? STYLE_ERROR : STYLE_BAR,
			    at, n);
		at += n + (at[n] == '\n');
	}
	out_fini(&o);
}

static void draw_last_line(struct tui *t)
{
	int row = t->screen->rows - 1;
	struct out o;

	tui_out(t, &o);
	if (t->question >= 0) {
		out_printf(&o, "%s: ", t->asks);
		out_str(&o, (const char *)t->answer);
		out_char(&o, '_');
		tui_line(t, row, STYLE_BAR, &o);
	} else if (*t->message) {
		out_str(&o, (const char *)t->message);
		draw_message(t, &o);
	} else {
		draw_keys(t, row);
	}
	out_fini(&o);
}

static void draw(struct tui *t)
{
	t->screen->ops->clear(t->screen);
	if (t->screen->rows > 1)
		shown(t)->ops->draw(shown(t), t);
	draw_last_line(t);
	t->screen->ops->flush(t->screen);
}

/* ---- keys */

/* Appends a character to the answer as UTF-8. */
static void add_to_answer(struct tui *t, u32 c)
{
	size_t len = strlen(t->answer);
	char *to = t->answer + len;

	if (len + 5 > sizeof(t->answer))
		return;
	if (c < 0x80) {
		*to++ = (char)c;
	} else if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 63));
		*to++ = (char)(0x80 | (c >> 6 & 63));
		*to++ = (char)(0x80 | (c & 63));
	}
	*to = '\0';
}

static void tell_typed(struct tui *t, int question, const char *text)
{
	if (shown(t)->ops->typed)
		shown(t)->ops->typed(shown(t), t, question, text);
}

static void take_answer_key(struct tui *t, int key)
{
	size_t len = strlen(t->answer);
	int question = t->question;
	char text[TUI_TEXT_MAX];

	switch (key) {
	case TKEY_RETURN:
		t->question = -1;
		memcpy(text, t->answer, sizeof(text));
		shown(t)->ops->answer(shown(t), t, question, text);
		return;
	case TKEY_ESCAPE:
	case TKEY_CTRL('C'):
		t->question = -1;
		tell_typed(t, question, NULL);
		return;
	case TKEY_ERASE:
		while (len && ((u8)t->answer[len - 1] & 0xc0) == 0x80)
			len--;
		t->answer[len ? len - 1 : 0] = '\0';
		break;
	case TKEY_CTRL('U'): *t->answer = '\0'; break;
	default:
		if (key < ' ' || key >= 0x110000)
			return;
		add_to_answer(t, (u32)key);
	}
	tell_typed(t, question, t->answer);
}

/* Esc where the view has no use for it: back to the view below, twice leaves. */
static void leave(struct tui *t)
{
	u64 now = now_ns();

	if (t->nr > 1) {
		tui_pop(t);
		return;
	}
	if (t->escaped_at && now - t->escaped_at < TWICE_NS) {
		t->quit = true;
		return;
	}
	t->escaped_at = now;
	tui_say(t, "Esc again, or q, leaves");
}

static void take_key(struct tui *t, int key)
{
	if (key == TKEY_GONE) {
		t->quit = true;
		return;
	}
	if (key == TKEY_NONE || key == TKEY_RESIZED)
		return;
	if (t->question >= 0) {
		take_answer_key(t, key);
		return;
	}
	*t->message = '\0';
	if (key == TKEY_CTRL('C')) {
		t->quit = true;
		return;
	}
	if (shown(t)->ops->key(shown(t), t, key))
		return;
	switch (key) {
	case 'q':
		if (t->nr > 1)
			tui_pop(t);
		else
			t->quit = true;
		break;
	case TKEY_ESCAPE: leave(t); break;
	case TKEY_ARROW_LEFT:
		if (t->nr > 1)
			tui_pop(t);
		break;
	case TKEY_FUNCTION_1:
	case 'h':
	case '?': tui_push(t, view_help_new(shown(t)->ops)); break;
	case TKEY_CTRL('L'):
	case TKEY_CLICK:
	case TKEY_DOUBLE_CLICK:
	case TKEY_DRAG:
	case TKEY_WHEEL_UP:
	case TKEY_WHEEL_DOWN: break;
	default: {
		struct out o;

		tui_out(t, &o);
		key_name_put(key, &o);
		out_char(&o, '\0');
		tui_warn(t, "%s does nothing here; h shows the keys", o.buf);
		out_fini(&o);
	}
	}
}

/* ---- what views do while no key is pressed, and what keys wait for */

/* Does a piece of the work of the first view from the top that has any. */
static bool do_idle_work(struct tui *t)
{
	for (size_t i = t->nr; i--;)
		if (t->views[i]->ops->idle && t->views[i]->ops->idle(t->views[i]))
			return true;
	return false;
}

static int next_key(struct tui *t)
{
	struct screen *s = t->screen;
	int key = TKEY_NONE;

	if (t->nr_ahead) {
		key = t->ahead[0];
		memmove(t->ahead, t->ahead + 1, --t->nr_ahead * sizeof(*t->ahead));
		return key;
	}
	while (key == TKEY_NONE) {
		key = s->ops->key(s, 0);
		if (key == TKEY_NONE && !do_idle_work(t))
			break;
	}
	return key == TKEY_NONE ? s->ops->key(s, -1) : key;
}

static struct tui_view *find_waiting(const struct tui *t, int key)
{
	for (size_t i = t->nr; i--;)
		if (t->views[i]->ops->waits && t->views[i]->ops->waits(t->views[i], t, key))
			return t->views[i];
	return NULL;
}

/* The rest of the screen stays as it is. */
static void say_waiting(struct tui *t, const struct tui_view *v)
{
	struct out o;

	tui_out(t, &o);
	out_printf(&o, "%s ...", v->ops->preparing);
	tui_line(t, t->screen->rows - 1, STYLE_BAR, &o);
	out_fini(&o);
	t->screen->ops->flush(t->screen);
}

/* Keys that come meanwhile are acted on later, but for those that leave at once. */
static void read_ahead(struct tui *t)
{
	int key = t->nr_ahead < TUI_KEYS_AHEAD ? t->screen->ops->key(t->screen, 0) : TKEY_NONE;

	if (key == TKEY_CTRL('C') || key == TKEY_GONE)
		t->quit = true;
	else if (key != TKEY_NONE)
		t->ahead[t->nr_ahead++] = key;
}

/* Lets views do what a key has to wait for. The screen says so at once. */
static void prepare(struct tui *t, int key)
{
	struct tui_view *v = find_waiting(t, key);

	if (v)
		say_waiting(t, v);
	while (v && !t->quit && v->ops->idle(v)) {
		read_ahead(t);
		v = find_waiting(t, key);
	}
}

void tui_run(struct tui *t, struct screen *s, struct tui_view *first)
{
	*t = (struct tui){ .screen = s, .question = -1 };
	tui_push(t, first);
	while (!t->quit) {
		int key;

		prepare(t, TKEY_NONE);
		draw(t);
		key = next_key(t);
		prepare(t, key);
		if (!t->quit)
			take_key(t, key);
	}
	while (t->nr)
		tui_pop(t);
	free(t->views);
}
