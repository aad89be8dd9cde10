/* SPDX-License-Identifier: MIT */
#include "count/tables/count_frames.h"

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_SLOTS 1024
#define FIRST_PLACE_BITS 12
#define PLACES_SPARE 65536 /* places of frames known under several sets, beyond one each */
#define NAMED_PLACES 98304 /* places of functions: each has many */
#define MOST_PLACES 131072 /* where one frame is known in many processes, most of which end */
#define LARGE_SLOTS ((size_t)1 << 16) /* from here on tables grow by less: memory costs more */
#define AT_ONCE 64                    /* addresses that are looked up together */
#define NR_MODES 8                    /* values that a cpumode can have */
#define NO_FRAME UINT32_MAX

/*
 * The set of a place in code is its code_id. A place outside is good for one set: where that has
 * its own code_id, the place is told by a bit of its frame, else it has a key of its own.
 */
#define NOT_CODE (1u << 31) /* in count_place.frame */
#define ONE_SET (1u << 31)  /* in count_place.set */

struct set_key {
	u32 code, one; /* equal where the set has its own code_id */
};

static inline struct set_key key_of(const struct mapset *set)
{
	if (!set)
		return (struct set_key){ UINT32_MAX, UINT32_MAX };
	return (struct set_key){ set->code_id,
				 set->code_id == set->id ? set->id : set->id | ONE_SET };
}

/* The symbols of what no map holds, and of frames that are an address of an object. */
static const char nowhere, address;

static void add_nowhere(struct count_frames *f, u64 ip)
{
	struct count_frame fr = { .ip = ip, .sym = &nowhere, .hash = (u32)hash_u64(ip) };

	count_frames_adopt(f, &fr);
}

void count_frames_init(struct count_frames *f, bool late_kernel, bool by_symbol)
{
	*f = (struct count_frames){ .mask = FIRST_SLOTS - 1,
				    .place_mask = ((size_t)1 << FIRST_PLACE_BITS) - 1,
				    .place_shift = 64 - FIRST_PLACE_BITS,
				    .late_kernel = late_kernel,
				    .by_symbol = by_symbol };
	f->slots = table_alloc(FIRST_SLOTS * sizeof(*f->slots));
	f->places = table_alloc((f->place_mask + 1) * sizeof(*f->places));
	if (!by_symbol)
		return;
	f->seen = table_alloc(COUNT_NR_SEEN * sizeof(*f->seen));
	add_nowhere(f, 0);          /* COUNT_FRAME_LOW */
	add_nowhere(f, UINT64_MAX); /* COUNT_FRAME_HIGH */
}

void count_frames_forget_places(struct count_frames *f)
{
	if (f->places)
		table_free(f->places, (f->place_mask + 1) * sizeof(*f->places));
	f->places = NULL;
	if (f->seen)
		table_free(f->seen, COUNT_NR_SEEN * sizeof(*f->seen));
	f->seen = NULL;
}

void count_frames_freeze(struct count_frames *f)
{
	count_frames_forget_places(f);
	if (f->slots)
		table_free(f->slots, (f->mask + 1) * sizeof(*f->slots));
	f->slots = NULL;
}

void count_frames_fini(struct count_frames *f)
{
	count_frames_freeze(f);
	table_free(f->items, f->cap * sizeof(*f->items));
	free(f->marks);
	*f = (struct count_frames){ 0 };
}

static size_t grown_mask(size_t mask)
{
	return mask + 1 < LARGE_SLOTS ? mask * 4 + 3 : mask * 2 + 1;
}

static size_t place_of(const struct count_frames *f, u32 set, u64 ip)
{
	return ((ip ^ (u64)set << 40) * 0x9e3779b97f4a7c15ull) >> f->place_shift;
}

static u32 hash_frame(const struct map *map, u32 late_set, u64 ip)
{
	return (u32)hash_pair(ip, late_set ? (u64)late_set << 32 : map ? map->id : 0);
}

static void grow_slots(struct count_frames *f)
{
	table_free(f->slots, (f->mask + 1) * sizeof(*f->slots));
	f->mask = grown_mask(f->mask);
	f->slots = table_alloc((f->mask + 1) * sizeof(*f->slots));
	for (size_t id = 0; id < f->nr; id++) {
		size_t i = f->items[id].hash & f->mask;

		while (f->slots[i].id)
			i = (i + 1) & f->mask;
		f->slots[i] = (struct count_frames_slot){ (u32)id + 1, f->items[id].hash };
	}
}

static bool is_same(const struct count_frame *a, const struct count_frame *b)
{
	if (a->sym != b->sym)
		return false;
	if (a->sym == &address)
		return a->map->dso == b->map->dso && a->map->dso_name == b->map->dso_name &&
		       map_ip_to_addr(a->map, a->ip) == map_ip_to_addr(b->map, b->ip);
	if (a->sym && a->map && b->map)
		return a->map == b->map || a->map->dso == b->map->dso;
	return a->ip == b->ip && a->map == b->map && a->late_set == b->late_set;
}

u32 count_frames_adopt(struct count_frames *f, const struct count_frame *other)
{
	size_t i = other->hash & f->mask;

	for (; f->slots[i].id; i = (i + 1) & f->mask) {
		struct count_frame *fr = &f->items[f->slots[i].id - 1];

		if (f->slots[i].hash != other->hash || !is_same(fr, other))
			continue;
		/* by symbol the first ip stands for the others */
		if (other->first < fr->first)
			*fr = *other;
		return f->slots[i].id - 1;
	}
	if (f->nr == f->cap) {
		size_t old = f->cap * sizeof(*f->items);

		f->cap = table_grown(f->cap, old);
		f->items = table_realloc(f->items, old, f->cap * sizeof(*f->items));
		f->marks = xrealloc(f->marks, f->cap * sizeof(*f->marks));
	}
	f->marks[f->nr] = count_frame_mark(other);
	f->items[f->nr++] = *other;
	f->slots[i] = (struct count_frames_slot){ (u32)f->nr, other->hash };
	if (f->nr * 2 > f->mask)
		grow_slots(f);
	return (u32)f->nr - 1;
}

void count_frames_prefetch(const struct count_frames *f, const struct count_frame *other)
{
	__builtin_prefetch(&f->slots[other->hash & f->mask]);
}

void count_frames_prefetch_equal(const struct count_frames *f, const struct count_frame *other)
{
	const struct count_frames_slot *slot = &f->slots[other->hash & f->mask];

	if (slot->id && slot->hash == other->hash)
		__builtin_prefetch(&f->items[slot->id - 1]);
}

static void put_place(struct count_frames *f, const struct count_place *p)
{
	size_t i = place_of(f, p->set, p->ip);

	while (f->places[i].set)
		i = (i + 1) & f->place_mask;
	f->places[i] = *p;
}

void count_frames_make_room(struct count_frames *f, size_t n)
{
	struct count_place *old = f->places;
	size_t nr_old = f->place_mask + 1;

	if ((f->nr_places + n) * 2 <= nr_old)
		return;
	/* every change of a process's maps makes a new set, whose places come on top */
	if (n * 2 <= nr_old &&
	    (f->nr_places > 2 * f->nr + (f->by_symbol ? NAMED_PLACES : PLACES_SPARE) ||
	     (f->nr_places >= MOST_PLACES - n && (f->by_symbol || f->by_file)))) {
		memset(f->places, 0, nr_old * sizeof(*f->places));
		f->nr_places = 0;
		return;
	}
	do {
		f->place_mask = grown_mask(f->place_mask);
		f->place_shift = (unsigned int)__builtin_clzll(f->place_mask);
	} while ((f->nr_places + n) * 2 > f->place_mask + 1);
	f->places = table_alloc((f->place_mask + 1) * sizeof(*f->places));
	for (size_t i = 0; i < nr_old; i++)
		if (old[i].set)
			put_place(f, &old[i]);
	table_free(old, nr_old * sizeof(*old));
}

/* The slot of a place: its own, or the free one where it belongs. */
static inline size_t find_place(const struct count_frames *f, u32 set, u64 ip)
{
	size_t i = place_of(f, set, ip);

	while (f->places[i].set && (f->places[i].ip != ip || f->places[i].set != set))
		i = (i + 1) & f->place_mask;
	return i;
}

/* NO_FRAME when it is not known. */
static inline u32 known_frame(const struct count_frames *f, struct set_key key, u64 ip)
{
	const struct count_place *p = &f->places[find_place(f, key.code, ip)];

	if (p->set && (key.code == key.one || !(p->frame & NOT_CODE)))
		return p->frame & ~NOT_CODE;
	if (key.code == key.one)
		return NO_FRAME;
	p = &f->places[find_place(f, key.one, ip)];
	return p->set ? p->frame : NO_FRAME;
}

/* Whether a known place holds for all sets with the same code. */
static bool is_in_code(const struct count_frames *f, struct set_key key, u64 ip)
{
	const struct count_place *p = &f->places[find_place(f, key.code, ip)];

	return p->set && !(p->frame & NOT_CODE);
}

/* The place of a frame in map, NULL for none, which is not known. */
static void put_known(struct count_frames *f, struct set_key key, u64 ip, const struct map *map,
		      u32 frame)
{
	bool code = map && map_is_code(map);
	u32 bit = !code && key.code == key.one ? NOT_CODE : 0;
	struct count_place p = { .ip = ip, .set = code ? key.code : key.one, .frame = frame | bit };

	f->places[find_place(f, p.set, ip)] = p;
	f->nr_places++;
}

/* A place that was not there when it was first looked for. */
static u32 add_place(struct count_frames *f, struct set_key key, const struct count_frame *fr,
		     u64 *rank)
{
	u32 id = known_frame(f, key, fr->ip);

	if (id != NO_FRAME)
		return id; /* it is twice in the chain */
	id = count_frames_adopt(f, fr);
	put_known(f, key, fr->ip, fr->map, id);
	++*rank;
	return id;
}

/* How far back the same address is in the chain, 1 or 2, as in the circles at its end; or else 0.
 */
static inline size_t repeats(const u64 *ips, const u8 *modes, size_t k)
{
	if (k >= 1 && ips[k] == ips[k - 1] && modes[k] == modes[k - 1])
		return 1;
	return k >= 2 && ips[k] == ips[k - 2] && modes[k] == modes[k - 2] ? 2 : 0;
}

/* Keys of the sets of maps by cpumode. */
static inline void keys_of(const struct count_spaces *s, struct set_key *keys)
{
	for (int i = 0; i < NR_MODES; i++)
		keys[i] = key_of(NULL);
	keys[PD_CPUMODE_KERNEL] = key_of(s->kernel);
	keys[PD_CPUMODE_USER] = key_of(s->user);
}

void count_frames_prefetch_places(const struct count_frames *f, const struct count_spaces *s,
				  const u64 *ips, const u8 *modes, size_t n)
{
	struct set_key keys[NR_MODES];

	keys_of(s, keys);
	for (size_t k = 0; k < n; k++) {
		struct set_key key = keys[modes[k] % NR_MODES];

		if (modes[k] >= NR_MODES || repeats(ips, modes, k))
			continue;
		__builtin_prefetch(&f->places[place_of(f, key.code, ips[k])]);
		/* an address outside of code is looked for in both places */
		if (key.one != key.code)
			__builtin_prefetch(&f->places[place_of(f, key.one, ips[k])]);
	}
}

/* Makes the frame that of an address of its file. */
static void set_address(struct count_frame *fr)
{
	fr->sym = &address;
	fr->hash = (u32)hash_pair(map_ip_to_addr(fr->map, fr->ip), (uintptr_t)fr->map->dso);
}

static struct count_frame new_frame(const struct count_frames *f, const struct count_spaces *s,
				    u64 ip, u8 mode)
{
	struct count_frame fr = { .ip = ip };
	const struct mapset *set;

	if (mode == PD_CPUMODE_KERNEL && f->late_kernel)
		fr.late_set = s->kernel->id;
	else if ((set = count_space(s, mode)))
		fr.map = mapset_find(set, ip);
	if (f->by_file && fr.map && count_map_has_function(fr.map, ip))
		set_address(&fr);
	else
		fr.hash = hash_frame(fr.map, fr.late_set, ip);
	return fr;
}

void count_frames_prefetch_missing(const struct count_frames *f, const struct count_spaces *s,
				   const u64 *ips, const u8 *modes, size_t n)
{
	struct set_key keys[NR_MODES];
	struct count_frame fr;

	keys_of(s, keys);
	for (size_t k = 0; k < n; k++) {
		if (repeats(ips, modes, k) ||
		    known_frame(f, keys[modes[k] & 7], ips[k]) != NO_FRAME)
			continue;
		fr = new_frame(f, s, ips[k], modes[k]);
		count_frames_prefetch(f, &fr);
	}
}

static void get_some(struct count_frames *f, const struct count_spaces *s, const u64 *ips,
		     const u8 *modes, size_t n, u64 *rank, u32 *ret_ids)
{
	struct count_frame missing[AT_ONCE];
	struct set_key keys[NR_MODES];
	u8 missing_at[AT_ONCE];
	size_t nr_missing = 0, i, k, back;

	keys_of(s, keys);
	for (k = 0; k < n; k++) {
		struct count_frame *fr = &missing[nr_missing];

		back = repeats(ips, modes, k);
		if (back && ret_ids[k - back] != NO_FRAME) {
			ret_ids[k] = ret_ids[k - back];
			continue;
		}
		ret_ids[k] = known_frame(f, keys[modes[k] & 7], ips[k]);
		if (ret_ids[k] != NO_FRAME)
			continue;
		*fr = new_frame(f, s, ips[k], modes[k]);
		if (f->keep_inlines && fr->map && fr->map != f->last_map) {
			f->last_map = fr->map;
			(void)dso_expect_inlines(fr->map->dso);
		}
		count_frames_prefetch(f, fr);
		missing_at[nr_missing++] = (u8)k;
	}
	for (i = 0; i < nr_missing; i++) {
		k = missing_at[i];
		missing[i].first = *rank;
		ret_ids[k] = add_place(f, keys[modes[k] & 7], &missing[i], rank);
	}
}

/*
 * By symbol: what the frame is, as symbol and hash. An address that may have inlined functions is
 * one frame in all processes that map its file.
 */
static void name_frame(const struct count_frames *f, struct count_frame *fr, struct sym_hit *ret)
{
	const struct map *m = fr->map;

	*ret = (struct sym_hit){ 0 };
	fr->sym = dso_find(m->dso, fr->ip, m->start, m->pgoff, ret) ? ret->name : m->dso_name;
	if (!ret->name || !f->keep_inlines || !dso_expect_inlines(m->dso)) {
		fr->hash = (u32)hash_pair((uintptr_t)fr->sym, (uintptr_t)m->dso);
		ret->name = NULL;
	} else if (count_map_is_file(m)) {
		set_address(fr);
	} else {
		fr->sym = NULL;
		fr->hash = hash_frame(m, 0, fr->ip);
	}
}

/* The frame of an address that is in no place. */
static u32 add_named(struct count_frames *f, const struct count_spaces *s, u64 ip, u8 mode,
		     u64 *rank, const struct map **ret_map)
{
	struct count_frame fr = { .ip = ip, .first = *rank };
	const struct mapset *set = count_space(s, mode);
	struct sym_hit inlines = { 0 }; /* name: functions may be inlined there */
	struct count_seen key, *seen = NULL;
	size_t nr = f->nr;
	u32 id;

	if (mode == PD_CPUMODE_KERNEL && f->late_kernel) {
		fr.late_set = s->kernel->id;
		fr.hash = hash_frame(NULL, fr.late_set, ip);
	} else {
		*ret_map = fr.map = set ? mapset_find(set, ip) : NULL;
		if (!fr.map)
			return count_frame_nowhere(ip);
		if (count_seen_key(fr.map, ip, &key)) {
			seen = count_seen_entry(f->seen, &key);
			if (count_seen_is(seen, &key))
				return seen->frame;
		}
		name_frame(f, &fr, &inlines);
	}
	++*rank;
	id = count_frames_adopt(f, &fr);
	if (seen) {
		*seen = key;
		seen->frame = id;
	}
	if (inlines.name && f->nr > nr)
		dso_will_find_inlines(fr.map->dso, ip, fr.map->start, fr.map->pgoff, &inlines);
	return id;
}

static u32 add_new(struct count_frames *f, const struct count_spaces *s, struct set_key key, u64 ip,
		   u8 mode, u64 *rank)
{
	const struct map *map = NULL;
	u32 id = add_named(f, s, ip, mode, rank, &map);

	put_known(f, key, ip, map, id);
	return id;
}

void count_frames_get_chain(struct count_frames *f, const struct count_spaces *s, const u64 *ips,
			    const u8 *modes, size_t n, u64 *rank, u32 *ret_ids)
{
	struct set_key keys[NR_MODES];

	keys_of(s, keys);
	for (size_t k = 0; k < n; k++) {
		struct set_key key = keys[modes[k] % NR_MODES];

		if (modes[k] >= NR_MODES)
			continue;
		ret_ids[k] = known_frame(f, key, ips[k]);
		if (ret_ids[k] == NO_FRAME)
			ret_ids[k] = add_new(f, s, key, ips[k], modes[k], rank);
	}
}

u32 count_frames_get_named(struct count_frames *f, const struct count_spaces *s, u64 ip, u64 *rank,
			   u32 *ret_key)
{
	const u8 mode = PD_CPUMODE_USER;
	u32 id;

	count_frames_get_chain(f, s, &ip, &mode, 1, rank, &id);
	*ret_key = is_in_code(f, key_of(s->user), ip) ? COUNT_ANY_SET : s->user->id;
	return id;
}

u32 count_frames_name(struct count_frames *f, const struct count_spaces *s, u64 ip, u64 *rank,
		      u32 *ret_key)
{
	const struct map *map = NULL;
	u32 id = add_named(f, s, ip, PD_CPUMODE_USER, rank, &map);

	*ret_key = map && map_is_code(map) ? COUNT_ANY_SET : s->user->id;
	return id;
}

void count_frames_get(struct count_frames *f, const struct count_spaces *s, const u64 *ips,
		      const u8 *modes, size_t n, u64 *rank, u32 *ret_ids)
{
	count_frames_make_room(f, n);
	if (f->by_symbol)
		count_frames_get_chain(f, s, ips, modes, n, rank, ret_ids);
	for (size_t k = 0; k < n && !f->by_symbol; k += AT_ONCE)
		get_some(f, s, ips + k, modes + k, n - k < AT_ONCE ? n - k : AT_ONCE, rank,
			 ret_ids + k);
}

void count_frame_known(struct count_frame *fr)
{
	fr->late_set = 0;
	fr->hash = hash_frame(fr->map, 0, fr->ip);
}

size_t count_frames_bytes(const struct count_frames *f)
{
	return f->cap * (sizeof(*f->items) + sizeof(*f->marks)) +
	       (f->mask + 1) * sizeof(*f->slots) + (f->place_mask + 1) * sizeof(*f->places);
}
