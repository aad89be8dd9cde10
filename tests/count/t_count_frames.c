/* SPDX-License-Identifier: MIT */
/* Ids of frames while maps come and go. */
#include "count/count_frames.h"

#include <sys/mman.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

#define CODE 0x10000ull
#define DATA 0x20000ull

struct world {
	struct map_maker maker;
	struct mapset *set, *kernel;
	struct map maps[8];
	u32 nr;
	struct count_frames f;
	u64 rank;
};

static struct map *copy(struct map_maker *mm, const struct map *m)
{
	struct world *w = (struct world *)mm;
	struct map *c = &w->maps[w->nr++];

	*c = *m;
	c->id = w->nr;
	return c;
}

static void insert(struct world *w, u64 start, u32 prot)
{
	const struct map m = { .start = start, .end = start + 0x1000, .prot = prot };

	mapset_insert(&w->set, &w->maker, copy(&w->maker, &m));
}

static void begin(struct world *w)
{
	*w = (struct world){ .maker = { .copy = copy, .next_set_id = 1 } };
	w->set = mapset_new(&w->maker);
	w->kernel = mapset_new(&w->maker);
	insert(w, CODE, PROT_READ | PROT_EXEC);
	count_frames_init(&w->f, false, false);
}

static void end(struct world *w)
{
	count_frames_fini(&w->f);
	mapset_put(w->set);
	mapset_put(w->kernel);
}

static u32 frame_at(struct world *w, u64 ip)
{
	const struct count_spaces spaces = { w->set, w->kernel };
	u8 mode = PD_CPUMODE_USER;
	u32 id;

	count_frames_get(&w->f, &spaces, &ip, &mode, 1, &w->rank, &id);
	return id;
}

TEST(code_is_known_for_all_sets_with_the_same_code)
{
	struct world w;
	u32 code, places;

	begin(&w);
	code = frame_at(&w, CODE + 8);
	CHECK(w.f.items[code].map == w.set->maps[0]);
	places = (u32)w.f.nr_places;
	insert(&w, DATA, PROT_READ | PROT_WRITE);
	CHECK(w.set->id != w.set->code_id);
	CHECK_EQ(frame_at(&w, CODE + 8), code);
	CHECK_EQ(w.f.nr_places, places);
	end(&w);
}

TEST(what_is_no_code_is_known_for_one_set)
{
	struct world w;
	u32 nowhere, data, more;

	begin(&w);
	/* the set has its own code_id, then no longer */
	nowhere = frame_at(&w, DATA + 8);
	CHECK(!w.f.items[nowhere].map);
	CHECK_EQ(frame_at(&w, DATA + 8), nowhere);
	insert(&w, DATA, PROT_READ | PROT_WRITE);
	data = frame_at(&w, DATA + 8);
	CHECK(data != nowhere);
	CHECK(w.f.items[data].map == w.set->maps[1]);
	CHECK_EQ(frame_at(&w, DATA + 8), data);
	/* other data in its place */
	insert(&w, DATA, PROT_READ | PROT_WRITE);
	more = frame_at(&w, DATA + 8);
	CHECK(w.f.items[more].map == w.set->maps[1]);
	CHECK(more != data);
	/* and code */
	insert(&w, DATA, PROT_READ | PROT_EXEC);
	CHECK(frame_at(&w, DATA + 8) != more);
	CHECK_EQ(frame_at(&w, DATA + 8), frame_at(&w, DATA + 8));
	end(&w);
}

/* Two processes map w_inline, which has inlined functions, at different addresses. */
TEST(by_symbol_an_address_of_a_file_is_one_frame_in_all_processes)
{
	const struct symbols_config cfg = { .hermetic = true, .symfs = "testdata/symfs" };
	const struct dso_desc desc = { .kind = DSO_USER, .name = "/tmp/w/w_inline" };
	struct symbols *symbols = symbols_new(&cfg);
	struct map m = { .dso = symbols_add_dso(symbols, &desc),
			 .dso_name = desc.name,
			 .pgoff = 0x1000,
			 .prot = PROT_READ | PROT_EXEC };
	const u64 step = 0x12;
	struct world w;
	u32 first;

	begin(&w);
	count_frames_fini(&w.f);
	count_frames_init(&w.f, false, true);
	w.f.keep_inlines = true;
	for (u64 start = 0x500000; start <= 0x700000; start += 0x100000) {
		m.start = start;
		m.end = start + 0x162;
		mapset_insert(&w.set, &w.maker, copy(&w.maker, &m));
	}
	first = frame_at(&w, 0x500000 + step);
	CHECK(w.f.items[first].map->dso == m.dso);
	CHECK_EQ(frame_at(&w, 0x600000 + step), first);
	CHECK_EQ(frame_at(&w, 0x700000 + step), first);
	/* the first one stands for the others */
	CHECK_EQ(w.f.items[first].ip, 0x500000 + step);
	CHECK(frame_at(&w, 0x600000 + step + 1) != first);
	CHECK_EQ(frame_at(&w, 0x600000 + step + 1), frame_at(&w, 0x500000 + step + 1));
	end(&w);
	symbols_free(symbols);
}
