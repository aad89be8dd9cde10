/* SPDX-License-Identifier: MIT */
#include "count/tables/count_pack.h"

#include "base/hash.h"
#include "fileformat/chain_entries.h"
#include "machine/chain_repeat.h"

/* A chain that is being sieved. */
struct sieve_state {
	const struct map_sieve *sieve; /* NULL: everything passes */
	struct chain_ips *c;
	u64 nr_run; /* addresses of the run at hand */
	u32 half;   /* its frame */
	u32 left;   /* addresses that may still come */
	int mode;
};

static void push(struct sieve_state *g, u64 ip, u8 mode)
{
	g->c->ips[g->c->nr] = ip;
	g->c->modes[g->c->nr++] = mode;
}

static __attribute__((noinline)) void end_sieved_run(struct sieve_state *g)
{
	if (g->nr_run)
		push(g, g->nr_run << 1 | g->half, COUNT_MODE_NOWHERE);
	g->nr_run = 0;
}

static void add_to_run(struct sieve_state *g, u32 half, u64 nr)
{
	if (half != g->half)
		end_sieved_run(g);
	g->half = half;
	g->nr_run += nr;
	g->left -= (u32)nr;
}

/*
 * How many of the n addresses at p, from the first on, are in the lower half and in no map. Of
 * long chains nearly all: swap is a constant in each of the two instances.
 */
static inline __attribute__((always_inline)) size_t nr_nowhere(const struct map_sieve *sieve,
							       const u8 *p, size_t n, bool swap)
{
	size_t i;

	for (i = 0; i < n; i++) {
		u64 ip = get_u64(p + 8 * i, swap);

		if ((s64)ip < 0 || map_sieve_may_hold(sieve, ip))
			break;
	}
	return i;
}

/*
 * Entries of a recorded chain; false for a damaged one. swap is a constant in each of the two
 * instances.
 */
static inline __attribute__((always_inline)) bool sieve_entries_of(struct sieve_state *g,
								   struct span ips, bool swap)
{
	const struct map_sieve *sieve = g->sieve;
	struct chain_entries it = chain_entries_of(ips, swap, g->mode);
	int got = 0;
	u64 ip;

	while (g->left && (got = chain_entry_next(&it, &ip)) > 0) {
		if (it.mode == PD_CPUMODE_USER && sieve && !map_sieve_may_hold(sieve, ip)) {
			size_t most = it.nr - it.at, more = 0;

			if (most > g->left - 1)
				most = g->left - 1;
			if ((s64)ip >= 0)
				more = nr_nowhere(sieve, ips.p + 8 * it.at, most, swap);
			it.at += more;
			add_to_run(g, count_frame_nowhere(ip), 1 + more);
		} else {
			if (g->nr_run)
				end_sieved_run(g);
			push(g, ip, (u8)it.mode);
			g->left--;
		}
	}
	g->mode = it.mode;
	return got >= 0;
}

static bool sieve_entries(struct sieve_state *g, struct span ips, bool swap)
{
	return swap ? sieve_entries_of(g, ips, true) : sieve_entries_of(g, ips, false);
}

/* The unwinder has looked each ip up: its frame is kept there. */
static void name_unwound(const struct count_naming *n, struct chain_ips *c)
{
	const struct unwind_frames *u = c->unwound;
	struct unwind_tag *tags = machine_stacks_tags(c->user);
	u64 *ips;

	if (!u->nr)
		return;
	ips = c->ips + c->nr_kernel;
	for (size_t i = 0; i < u->nr; i++) {
		struct unwind_tag *t = &tags[u->numbers[i]];

		/* the unwinder knows sets with the same code as one space */
		if (t->key != COUNT_ANY_SET && t->key != n->spaces.user->id)
			t->value =
				count_frames_name(n->frames, &n->spaces, ips[i], n->rank, &t->key);
		ips[i] = t->value;
	}
	memset(c->modes + c->nr_kernel, COUNT_MODE_NAMED, u->nr);
}

void count_pack_list(struct map_sieves *sieves, const struct count_naming *n, struct chain_ips *c,
		     const struct pd_event *ev, const struct pd_sample *sample, u32 max_stack)
{
	struct sieve_state g = { .c = c, .left = max_stack, .mode = PD_CPUMODE_USER };

	if (ev->attr.branch_sample_type & PD_BRANCH_CALL_STACK ||
	    (c->user && machine_stacks_wants(ev, sample))) {
		chain_list(c, ev, sample, max_stack);
		if (c->unwound)
			name_unwound(n, c);
		return;
	}
	chain_ips_reserve(c, (sample->callchain.n + sample->deferred.n) / 8);
	g.sieve = map_sieves_get(sieves, n->spaces.user,
				 (sample->callchain.n + sample->deferred.n) / 8);
	c->nr = 0;
	c->end = chain_noted_end(ev, sample);
	c->unwound = NULL;
	if (sieve_entries(&g, sample->callchain, sample->swap) &&
	    (!sample->deferred.n || sieve_entries(&g, sample->deferred, sample->swap)))
		end_sieved_run(&g);
	else
		c->nr = 0;
}

void count_pack_prefetch(const struct count_frames *f, const struct count_spaces *s,
			 const struct chain_ips *c)
{
	/* what was unwound is named already */
	count_frames_prefetch_places(f, s, c->ips, c->modes, c->unwound ? c->nr_kernel : c->nr);
}

static u64 mix(u64 hash, u64 v)
{
	hash = (hash ^ v) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

/* A stack that is being written. */
struct packed {
	u32 *ids;
	size_t nr;
	u32 last;
	u64 nr_last;
	u64 hash;
};

/* Writes the frames at hand, which is at least one. */
static inline void put_run(struct packed *p, const struct count_frames *f)
{
	p->ids[p->nr++] = p->last;
	p->hash = mix(p->hash, f->marks[p->last]);
	if (p->nr_last == 1)
		return;
	p->ids[p->nr++] = chain_repeat_entry(1, (u32)(p->nr_last - 1));
	p->hash = mix(p->hash, p->ids[p->nr - 1]);
}

static void end_run(struct packed *p, const struct count_frames *f)
{
	if (p->nr_last)
		put_run(p, f);
}

static inline void add_run(struct packed *p, const struct count_frames *f, u32 id, u64 n)
{
	if (id == p->last) {
		p->nr_last += n;
		return;
	}
	end_run(p, f);
	p->last = id;
	p->nr_last = n;
}

size_t count_pack(struct count_frames *f, const struct count_spaces *s, const struct chain_ips *c,
		  u64 *rank, u32 *ret, u64 *ret_hash)
{
	/* the ids lie behind what is written of them: an entry becomes two words at most */
	u32 *ids = ret + c->nr;
	struct packed p = { .ids = ret };

	count_frames_make_room(f, c->unwound ? c->nr_kernel : c->nr);
	count_frames_get_chain(f, s, c->ips, c->modes, c->nr, rank, ids);
	for (size_t k = 0; k < c->nr; k++) {
		if (c->modes[k] == COUNT_MODE_NOWHERE)
			add_run(&p, f, c->ips[k] & 1, c->ips[k] >> 1);
		else if (c->modes[k] == COUNT_MODE_NAMED)
			add_run(&p, f, (u32)c->ips[k], 1);
		else
			add_run(&p, f, ids[k], 1);
	}
	end_run(&p, f);
	*ret_hash = hash_u64(p.hash);
	return p.nr;
}

size_t count_pack_more(const struct count_frames *f, const u32 *ids, size_t nr_ids, const u32 *more,
		       size_t n, u32 *ret, u64 *ret_hash)
{
	struct packed p = { .ids = ret };

	for (size_t k = 0; k < nr_ids; k++) {
		if (ids[k] & CHAIN_REPEAT)
			p.nr_last += chain_repeat_frames(ids[k]);
		else
			add_run(&p, f, ids[k], 1);
	}
	for (size_t k = 0; k < n; k++)
		add_run(&p, f, more[k], 1);
	end_run(&p, f);
	*ret_hash = hash_u64(p.hash);
	return p.nr;
}
