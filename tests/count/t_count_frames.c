/* SPDX-License-Identifier: MIT */
/* Ids of frames while maps come and go. */
#include "count/tables/count_frames.h"

#include <sys/mman.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

#define CODE 0x10000ull
#define DATA 0x20000ull

struct world {
	struct map_maker maker;
	struct mapset *set, *kernel;
	struct map maps[16];
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
	map_maker_fini(&w->maker);
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

/* Three processes map w_inline, of which each address has a symbol and may have inlined functions.
 */
struct inline_world {
	struct symbols *symbols;
	struct world w;
};

#define INLINE_AT(n) (0x500000ull + (n)*0x100000)

static void begin_inline(struct inline_world *i, bool by_symbol)
{
	static const struct symbols_config cfg = { .hermetic = true, .symfs = "testdata/symfs" };
	const struct dso_desc desc = { .kind = DSO_USER, .name = "/tmp/w/w_inline" };
	struct map m = { .dso_name = "/tmp/w/w_inline",
			 .pgoff = 0x1000,
			 .prot = PROT_READ | PROT_EXEC };
	struct world *w = &i->w;

	begin(w);
	i->symbols = symbols_new(&cfg);
	m.dso = symbols_add_dso(i->symbols, &desc);
	count_frames_fini(&w->f);
	count_frames_init(&w->f, false, by_symbol);
	w->f.keep_inlines = by_symbol;
	w->f.by_file = !by_symbol;
	for (size_t n = 0; n < 3; n++) {
		m.start = INLINE_AT(n);
		m.end = m.start + 0x1000;
		mapset_insert(&w->set, &w->maker, copy(&w->maker, &m));
	}
}

/* A process that maps w_inline at a place, and other memory there. */
static struct mapset *maps_of(struct inline_world *i, const struct map *m, u32 prot_of_memory)
{
	struct mapset *s = mapset_new(&i->w.maker);
	struct map memory = {
		.start = DATA, .end = DATA + 0x1000, .identity = true, .prot = prot_of_memory
	};

	mapset_insert(&s, &i->w.maker, m);
	if (prot_of_memory)
		mapset_insert(&s, &i->w.maker, copy(&i->w.maker, &memory));
	return s;
}

static void end_inline(struct inline_world *i)
{
	end(&i->w);
	symbols_free(i->symbols);
}

static void check_one_frame(struct world *w)
{
	u32 first = frame_at(w, INLINE_AT(0) + 0x2a);

	CHECK(w->f.items[first].map == mapset_find(w->set, INLINE_AT(0)));
	CHECK_EQ(frame_at(w, INLINE_AT(1) + 0x2a), first);
	CHECK_EQ(frame_at(w, INLINE_AT(2) + 0x2a), first);
	/* the first one stands for the others */
	CHECK_EQ(w->f.items[first].ip, INLINE_AT(0) + 0x2a);
	CHECK(frame_at(w, INLINE_AT(1) + 0x2b) != first);
	CHECK_EQ(frame_at(w, INLINE_AT(1) + 0x2b), frame_at(w, INLINE_AT(0) + 0x2b));
}

TEST(by_symbol_an_address_with_inlines_is_one_frame_in_all_processes)
{
	struct inline_world i;

	begin_inline(&i, true);
	check_one_frame(&i.w);
	end_inline(&i);
}

/* Where no symbol is known, the frame is the name that the file was mapped by. */
TEST(by_symbol_a_file_without_symbols_has_a_frame_for_each_of_its_names)
{
	struct inline_world i;
	u32 first, other;
	struct map m;

	begin_inline(&i, true);
	m = *mapset_find(i.w.set, INLINE_AT(0));
	m.start = INLINE_AT(3);
	m.end = m.start + 0x1000;
	m.dso_name = "/tmp/w/other";
	mapset_insert(&i.w.set, &i.w.maker, copy(&i.w.maker, &m));
	first = frame_at(&i.w, INLINE_AT(0) + 0xf00);
	other = frame_at(&i.w, INLINE_AT(3) + 0xf00);
	CHECK(first != other);
	CHECK_EQ(frame_at(&i.w, INLINE_AT(1) + 0xf00), first);
	CHECK_EQ(frame_at(&i.w, INLINE_AT(3) + 0xf00), other);
	CHECK_EQ(frame_at(&i.w, INLINE_AT(2) + 0xf00), first);
	end_inline(&i);
}

TEST(by_file_an_address_with_a_symbol_is_one_frame_in_all_processes)
{
	struct inline_world i;

	begin_inline(&i, false);
	check_one_frame(&i.w);
	/* behind the last symbol the run-time address is all there is to show */
	CHECK(frame_at(&i.w, INLINE_AT(0) + 0xf00) != frame_at(&i.w, INLINE_AT(1) + 0xf00));
	end_inline(&i);
}

/* The cache of a recording of many processes does not grow with their number. */
TEST(by_file_places_are_forgotten_and_found_again)
{
	const u32 nr = 300000;
	struct world w;

	begin(&w);
	w.f.by_file = true;
	for (u32 i = 0; i < nr; i++)
		CHECK_EQ(frame_at(&w, DATA + i), i);
	for (u32 i = 0; i < nr; i += 1000)
		CHECK_EQ(frame_at(&w, DATA + i), i);
	CHECK_EQ(w.f.nr, nr);
	CHECK(w.f.place_mask < 1u << 18);
	end(&w);
}

/* Without address space randomisation processes of one program map it at the same place. */
TEST(processes_with_the_same_code_know_it_together)
{
	struct inline_world i;
	struct mapset *same, *with_data, *with_code, *sets[4];
	const struct map *m;
	u32 frame, places;

	begin_inline(&i, false);
	m = i.w.set->maps[1];
	sets[0] = i.w.set;
	sets[1] = same = maps_of(&i, m, 0);
	sets[2] = with_data = maps_of(&i, m, PROT_READ | PROT_WRITE);
	sets[3] = with_code = maps_of(&i, m, PROT_READ | PROT_EXEC);
	CHECK(same->code_id != sets[0]->code_id);
	CHECK_EQ(same->code_id, with_data->code_id);
	CHECK(same->id != with_data->id && same->code_id != with_code->code_id);
	i.w.set = same;
	frame = frame_at(&i.w, m->start + 8);
	places = (u32)i.w.f.nr_places;
	i.w.set = with_data;
	CHECK_EQ(frame_at(&i.w, m->start + 8), frame);
	CHECK_EQ(i.w.f.nr_places, places);
	/* memory of one process is not taken for that of another */
	CHECK(i.w.f.items[frame_at(&i.w, DATA + 8)].map == with_data->maps[0]);
	i.w.set = same;
	CHECK(!i.w.f.items[frame_at(&i.w, DATA + 8)].map);
	i.w.set = with_code;
	CHECK(i.w.f.items[frame_at(&i.w, DATA + 8)].map == with_code->maps[0]);
	i.w.set = sets[0];
	for (size_t n = 1; n < 4; n++)
		mapset_put(sets[n]);
	end_inline(&i);
}

TEST(a_file_that_is_mapped_again_changes_nothing)
{
	struct inline_world i;
	struct map again;
	u32 id;

	begin_inline(&i, false);
	id = i.w.set->id;
	again = *i.w.set->maps[1];
	mapset_insert(&i.w.set, &i.w.maker, copy(&i.w.maker, &again));
	CHECK_EQ(i.w.set->id, id);
	again.pgoff += 0x1000;
	mapset_insert(&i.w.set, &i.w.maker, copy(&i.w.maker, &again));
	CHECK(i.w.set->id != id && i.w.set->code_id != id);
	CHECK_EQ(i.w.set->maps[1]->pgoff, again.pgoff);
	/* memory without a file may have other contents */
	again = (struct map){ .start = DATA, .end = DATA + 0x1000, .identity = true };
	mapset_insert(&i.w.set, &i.w.maker, copy(&i.w.maker, &again));
	id = i.w.set->id;
	mapset_insert(&i.w.set, &i.w.maker, copy(&i.w.maker, &again));
	CHECK(i.w.set->id != id);
	end_inline(&i);
}
