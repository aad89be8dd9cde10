/* SPDX-License-Identifier: MIT */
#include "tests/tools/wide/wide_world.h"

#include <stddef.h>
#include <stdio.h>

#include "base/mem.h"

#define OBJECTS 0x7f0000000000ull
#define OBJECT_ROOM 0x1000000ull
#define MAX_PLACES ((u64)40 << 20) /* of all stacks: memory */
#define MAX_MAPS 30000             /* of all processes, by chance */

static const struct member {
	const char *name;
	size_t offset;
	u64 usual, min, max;
} members[] = {
#define MEMBER(name, usual, min, max)                                      \
	{                                                                  \
#name, offsetof(struct wide_params, name), usual, min, max \
	}
	MEMBER(seed, 1, 0, UINT64_MAX),
	MEMBER(threads, 4, 1, 200000),
	MEMBER(comms, UINT32_MAX, 1, UINT32_MAX),
	MEMBER(functions, 100, 0, 1000000),
	MEMBER(objects, 2, 0, 100000),
	MEMBER(places, 2, 1, 62),
	MEMBER(depth, 10, 1, 127),
	MEMBER(exact, 0, 0, 1),
	MEMBER(stacks, 100, 1, 1000000),
	MEMBER(samples, 1000, 1, 10000000),
	MEMBER(shallow, 0, 0, 100000),
	MEMBER(each, 0, 0, 1),
	MEMBER(events, 1, 1, 8),
	MEMBER(group, 0, 0, 1),
	MEMBER(mem, 0, 0, 1),
	MEMBER(branches, 0, 0, 32),
};

static u64 *value_of(struct wide_params *p, const struct member *m)
{
	return (u64 *)(void *)((char *)p + m->offset);
}

bool wide_params_set(struct wide_params *p, const char *word)
{
	size_t len = strcspn(word, "=");

	if (!p->threads)
		for (size_t i = 0; i < ARRAY_SIZE(members); i++)
			*value_of(p, &members[i]) = members[i].usual;
	for (size_t i = 0; i < ARRAY_SIZE(members); i++) {
		const struct member *m = &members[i];
		char *end;
		u64 v;

		if (strlen(m->name) != len || strncmp(m->name, word, len) || !word[len])
			continue;
		v = strtoull(word + len + 1, &end, 10);
		if (*end || v < m->min || v > m->max)
			return false;
		*value_of(p, m) = v;
		return true;
	}
	return false;
}

void wide_params_print(const struct wide_params *p)
{
	struct wide_params copy = *p;

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		printf("%s%s=%llu", i ? " " : "", members[i].name,
		       (unsigned long long)*value_of(&copy, &members[i]));
	printf("\n");
}

u64 wide_random(u64 *state)
{
	u64 x = *state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
	x = (x ^ x >> 27) * 0x94d049bb133111ebull;
	return x ^ x >> 31;
}

static u64 below(u64 *state, u64 n)
{
	return wide_random(state) % n;
}

/* 1 to max, small numbers as often as large ones; half of them next to a power of two. */
static u64 random_size(u64 *state, u64 max)
{
	unsigned int bits = 64 - (unsigned int)__builtin_clzll(max);
	u64 n = 1ull << below(state, bits);

	if (below(state, 2))
		n += below(state, 3) - 1;
	else
		n += below(state, n);
	return n < 1 ? 1 : n > max ? max : n;
}

struct wide_params wide_params_random(u64 seed, u64 max)
{
	struct wide_params p = { 0 };
	u64 s = seed, most_objects;

	(void)wide_params_set(&p, "places=1");
	p.seed = seed;
	p.samples = random_size(&s, max);
	p.threads = random_size(&s, max / 4 + 1);
	p.comms = below(&s, 2) ? p.threads : random_size(&s, p.threads);
	p.functions = random_size(&s, max);
	most_objects = MAX_MAPS / (p.threads / WIDE_THREADS_OF_PROCESS + 1);
	p.objects =
		below(&s, 4) ? random_size(&s, most_objects < 5000 ? most_objects + 1 : 5000) : 0;
	p.places = random_size(&s, 8);
	p.depth = random_size(&s, 127);
	p.exact = below(&s, 4) == 0;
	p.stacks = random_size(&s, p.samples);
	p.events = below(&s, 3) ? 1 : 1 + below(&s, 4);
	p.group = below(&s, 2);
	p.mem = below(&s, 4) == 0;
	p.branches = below(&s, 3) ? 0 : 1 + below(&s, 32);
	return p;
}

/* --- code ------------------------------------------------------------------------------------- */

static u64 nr_kinds(const struct wide_params *p)
{
	return p->objects + 2;
}

enum wide_kind wide_kind_of(const struct wide_params *p, u32 function)
{
	u64 k = function % nr_kinds(p);

	return k == 0 ? WIDE_IN_KERNEL : k == 1 ? WIDE_IN_NO_MAP : WIDE_IN_OBJECT;
}

u32 wide_object_of(const struct wide_params *p, u32 function)
{
	return (u32)(function % nr_kinds(p) - 2);
}

u32 wide_index_of(const struct wide_params *p, u32 function)
{
	return (u32)(function / nr_kinds(p));
}

bool wide_has_name(const struct wide_params *p, u32 function)
{
	enum wide_kind kind = wide_kind_of(p, function);

	return kind == WIDE_IN_KERNEL ||
	       (kind == WIDE_IN_OBJECT && wide_object_of(p, function) == WIDE_NAMED_OBJECT);
}

u64 wide_object_start(u32 object)
{
	return OBJECTS + object * OBJECT_ROOM;
}

u64 wide_object_len(const struct wide_params *p)
{
	return (p->functions / nr_kinds(p) + 2) * WIDE_FUNCTION_SIZE;
}

u64 wide_ip(const struct wide_params *p, struct wide_place at)
{
	u64 in_kind = (u64)wide_index_of(p, at.function) * WIDE_FUNCTION_SIZE + at.off;

	switch (wide_kind_of(p, at.function)) {
	case WIDE_IN_KERNEL: return WIDE_KERNEL + in_kind;
	case WIDE_IN_NO_MAP: return 0x10000 + in_kind;
	case WIDE_IN_OBJECT: return wide_object_start(wide_object_of(p, at.function)) + in_kind;
	}
	return 0;
}

u32 wide_tid(u32 thread)
{
	return WIDE_FIRST_PID + thread;
}

u32 wide_pid(u32 thread)
{
	return WIDE_FIRST_PID + thread - thread % WIDE_THREADS_OF_PROCESS;
}

/* --- stacks and samples ----------------------------------------------------------------------- */

static struct wide_place random_place(const struct wide_params *p, u64 *state, bool kernel)
{
	u64 kinds = nr_kinds(p), per_kind = p->functions / kinds + 1;
	u64 kind = kernel ? 0 : 1 + below(state, kinds - 1);

	return (struct wide_place){ .function = (u32)(below(state, per_kind) * kinds + kind),
				    .off = 1 + (u32)below(state, p->places) };
}

/*
 * The outer end is often that of the stack before, and a frame is sometimes called by itself, as
 * in the stacks of programs.
 */
static void make_stack(const struct wide_params *p, u64 *state, const struct wide_stack *before,
		       struct wide_stack *st, struct wide_place *places)
{
	u32 user, shared = 0;

	st->places = places;
	st->nr = (u32)(p->exact ? p->depth : 1 + below(state, p->depth));
	st->nr_kernel = below(state, 3) ? 0 : (u32)below(state, st->nr + 1);
	user = st->nr - st->nr_kernel;
	if (before && below(state, 4)) {
		u32 had = before->nr - before->nr_kernel;

		shared = (u32)below(state, (user < had ? user : had) + 1);
	}
	for (u32 i = 0; i < st->nr; i++) {
		u32 from_root = st->nr - 1 - i;

		if (from_root < shared)
			places[i] = before->places[before->nr - 1 - from_root];
		else if (i && i != st->nr_kernel && !below(state, 16))
			places[i] = places[i - 1];
		else
			places[i] = random_place(p, state, i < st->nr_kernel);
	}
}

static void make_shallow(struct wide_stack *st, const struct wide_place *first)
{
	*st = (struct wide_stack){ .places = first, .nr = 1 };
}

static void make_each(const struct wide_params *p, u32 function, struct wide_stack *st,
		      struct wide_place *place)
{
	*place = (struct wide_place){ .function = function, .off = 1 };
	*st = (struct wide_stack){ .places = place,
				   .nr = 1,
				   .nr_kernel = wide_kind_of(p, function) == WIDE_IN_KERNEL };
}

static void make_sample(const struct wide_world *w, u64 *state, u64 i, struct wide_sample *s)
{
	const struct wide_params *p = &w->p;
	u64 threads_left = p->threads > p->shallow ? p->threads - p->shallow : 0;

	*s = (struct wide_sample){
		.thread = (u32)(i < p->threads ? i : below(state, p->threads)),
		.stack = (u32)(i < p->stacks ? i : below(state, p->stacks)),
		.event = (u32)below(state, p->events),
		.cpu = (u32)below(state, 8),
		.time = 1000000000 + 1000 * i,
		.period = 1 + below(state, 1000) * (below(state, 16) ? 1 : 1000),
		.random = wide_random(state),
	};
	/* only those have the shallow stacks, and their threads have no other ones */
	if (i >= p->shallow && i >= p->threads && threads_left)
		s->thread = (u32)(p->shallow + below(state, threads_left));
	if (p->shallow && i >= p->stacks && p->stacks > p->shallow)
		s->stack = (u32)(p->shallow + below(state, p->stacks - p->shallow));
}

void wide_world_init(struct wide_world *w, const struct wide_params *p)
{
	u64 state = p->seed, nr = 0;

	*w = (struct wide_world){ .p = *p };
	while (w->p.stacks * w->p.depth > MAX_PLACES)
		w->p.stacks /= 2;
	w->stacks = xcalloc(w->p.stacks, sizeof(*w->stacks));
	w->samples = xcalloc(w->p.samples, sizeof(*w->samples));
	w->places = xcalloc(w->p.stacks * w->p.depth + 1, sizeof(*w->places));
	w->places[nr++] = random_place(p, &state, false);
	for (u64 i = 0; i < w->p.stacks; i++) {
		if (i < p->shallow) {
			make_shallow(&w->stacks[i], w->places);
			continue;
		}
		if (p->each && p->functions)
			make_each(p, (u32)(i % p->functions), &w->stacks[i], w->places + nr);
		else
			make_stack(p, &state, i ? &w->stacks[i - 1] : NULL, &w->stacks[i],
				   w->places + nr);
		nr += w->stacks[i].nr;
	}
	for (u64 i = 0; i < p->samples; i++)
		make_sample(w, &state, i, &w->samples[i]);
}

void wide_world_fini(struct wide_world *w)
{
	free(w->stacks);
	free(w->samples);
	free(w->places);
	*w = (struct wide_world){ 0 };
}
