/* SPDX-License-Identifier: MIT */
/* Keys that wait for what a view prepares, and those that come meanwhile. */
#include "base/mem.h"
#include "report/tui/screen_mem.h"
#include "report/tui/tui.h"
#include "tests/frame/unit.h"

/* A view whose key 'w' waits until idle() was called some times. */
struct slow_view {
	struct tui_view view;
	struct screen *screen;
	int pieces_left;
	bool said; /* the screen has said that a key waits */
	char acted[16];
	size_t nr_acted;
};

static struct slow_view *slow_of(const struct tui_view *v)
{
	return (struct slow_view *)(uintptr_t)v;
}

static void slow_draw(struct tui_view *v, struct tui *t)
{
	screen_say(t->screen, 0, 0, STYLE_PLAIN, "rows");
	CHECK(v == t->views[0]);
}

static bool slow_key(struct tui_view *v, struct tui *t, int key)
{
	struct slow_view *s = slow_of(v);

	CHECK(key != 'w' || !s->pieces_left);
	s->acted[s->nr_acted++] = (char)key;
	t->quit = key == 'q';
	return true;
}

static bool is_said(const struct slow_view *s)
{
	struct out o;
	bool said;

	out_init_mem(&o);
	screen_mem_dump(s->screen, &o);
	out_char(&o, '\0');
	said = strstr(o.buf, "preparing rows ...");
	CHECK(!strncmp(o.buf, "rows", 4));
	out_fini(&o);
	return said;
}

static bool slow_idle(struct tui_view *v)
{
	struct slow_view *s = slow_of(v);

	if (!s->pieces_left)
		return false;
	s->said |= is_said(s);
	s->pieces_left--;
	return true;
}

static bool slow_waits(const struct tui_view *v, const struct tui *t, int key)
{
	(void)t;
	return key == 'w' && slow_of(v)->pieces_left;
}

static void slow_close(struct tui_view *v)
{
	(void)v;
}

static const struct tui_view_ops slow_ops = {
	.name = "slow",
	.draw = slow_draw,
	.key = slow_key,
	.idle = slow_idle,
	.waits = slow_waits,
	.preparing = "preparing rows",
	.close = slow_close,
};

static struct slow_view play(const char *text, int pieces)
{
	struct slow_view v = { .view = { &slow_ops }, .pieces_left = pieces };
	size_t nr = strlen(text);
	int *keys = xcalloc(nr + 1, sizeof(*keys));
	struct tui t;

	for (size_t i = 0; i < nr; i++)
		keys[i] = text[i];
	v.screen = screen_mem_new(5, 40, true, keys, nr);
	tui_run(&t, v.screen, &v.view);
	v.screen->ops->close(v.screen);
	free(keys);
	return v;
}

TEST(a_key_waits_for_what_it_needs)
{
	struct slow_view v = play("awbq", 2);

	CHECK_STR(v.acted, "awbq");
	CHECK_EQ(v.pieces_left, 0);
	/* nothing has to be done for other keys */
	v = play("abq", 3);
	CHECK(!v.said);
	CHECK_EQ(v.pieces_left, 3);
}

/* While a key waits, others are read, and acted on in their order; Ctrl-C leaves at once. */
TEST(a_wait_is_shown)
{
	struct slow_view v = play("awbcq", 3);

	CHECK(v.said);
	CHECK_STR(v.acted, "awbcq");
	v = play("aw\003bq", 3);
	CHECK(v.said);
	CHECK_STR(v.acted, "a");
}
