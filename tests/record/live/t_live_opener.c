/* SPDX-License-Identifier: MIT */
/* Files opened in other threads: found by one of several places, and only the wanted one. */
#include "record/live/live_opener.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

static struct open_place place(const char *path)
{
	return (struct open_place){ xstrdup(path), NULL };
}

static struct open_identity own_identity(void)
{
	struct object *o;
	struct perr e;
	struct open_identity id = { 0 };
	struct stat st;

	CHECK_EQ(object_open("/proc/self/exe", &o, &e), 0);
	CHECK_EQ(stat("/proc/self/exe", &st), 0);
	id.build_id_size = o->build_id_size;
	memcpy(id.build_id, o->build_id, sizeof(id.build_id));
	id.ino = st.st_ino;
	object_close(o);
	return id;
}

/* A machine with much to do may take longer than the opener waits. */
static enum open_state take(struct live_opener *l, u32 number, enum open_state state,
			    struct object **ret)
{
	for (int i = 0; state == OPEN_WAITS && i < 1000; i++) {
		usleep(10000);
		state = live_opener_take(l, number, ret);
	}
	return state;
}

TEST(the_place_that_has_the_file)
{
	const struct open_identity id = own_identity();
	struct open_place places[] = { place("/nowhere"), place("/proc/self/status"),
				       place("/proc/self/exe"), place("/bin/sh") };
	struct live_opener *l = live_opener_new();
	struct object *o;

	CHECK_EQ(live_opener_take(l, 7, &o), OPEN_UNKNOWN);
	CHECK_EQ(take(l, 7, live_opener_ask(l, 7, &id, places, ARRAY_SIZE(places), &o), &o),
		 OPEN_DONE);
	CHECK(o && o->eh_frame_hdr.size);
	object_close(o);
	CHECK_EQ(live_opener_take(l, 7, &o), OPEN_UNKNOWN);
	/* it was late only where the machine was that slow */
	(void)live_opener_has_news(l);
	CHECK(!live_opener_has_news(l));
	live_opener_free(l);
}

TEST(another_file)
{
	struct open_identity id = own_identity();
	struct open_place first[] = { place("/proc/self/exe") };
	struct open_place second[] = { place("/proc/self/exe") };
	struct live_opener *l = live_opener_new();
	struct object *o;

	id.build_id_size = 0;
	id.ino++;
	CHECK_EQ(take(l, 0, live_opener_ask(l, 0, &id, first, 1, &o), &o), OPEN_DONE);
	CHECK(!o);
	id.ino--;
	CHECK_EQ(take(l, 0, live_opener_ask(l, 0, &id, second, 1, &o), &o), OPEN_DONE);
	CHECK(o);
	object_close(o);
	live_opener_free(l);
}

static bool at_once(void *ctx)
{
	(void)ctx;
	return true;
}

/* Whether the first one is opened meanwhile, or takes longer than it is waited for. */
TEST(a_number_that_is_given_to_another_file)
{
	const struct open_identity id = own_identity();
	struct open_identity other = { .ino = id.ino + 1 };
	struct live_opener *l = live_opener_new();
	struct object *o;

	live_opener_set_hurry(l, (struct live_hurry){ at_once, NULL });
	for (u32 i = 0; i < 4; i++) {
		struct open_place self = place("/proc/self/exe"), many[4000];

		for (size_t k = 0; k < ARRAY_SIZE(many); k++)
			many[k] = place(i % 2 ? "/nowhere" : "/proc/self/status");
		if (live_opener_ask(l, 7, &other, many, ARRAY_SIZE(many), &o) == OPEN_DONE)
			CHECK(!o);
		live_opener_forget(l, 7);
		CHECK_EQ(live_opener_take(l, 7, &o), OPEN_UNKNOWN);
		CHECK_EQ(take(l, 7, live_opener_ask(l, 7, &id, &self, 1, &o), &o), OPEN_DONE);
		CHECK(o);
		object_close(o);
		live_opener_forget(l, 7);
	}
	live_opener_free(l);
}

TEST(results_that_nobody_takes)
{
	const struct open_identity id = own_identity();
	struct live_opener *l = live_opener_new();
	struct object *o;

	for (u32 i = 0; i < 40; i++) {
		struct open_place p = place("/proc/self/exe");

		if (live_opener_ask(l, i, &id, &p, 1, &o) == OPEN_DONE)
			object_close(o);
	}
	live_opener_free(l);
	live_opener_free(NULL);
}
