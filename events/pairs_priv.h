/* SPDX-License-Identifier: MIT */
/*
 * The steps of pairs.h that series/pair_shorts.h takes, too: how begins and ends are counted.
 */
#ifndef EVENTS_PAIRS_PRIV_H
#define EVENTS_PAIRS_PRIV_H

#include "events/pairs.h"

/* The fields of an event that is a switch of threads; prev NULL: it is none. */
struct pair_switch {
	const struct pd_trace_field *prev, *next, *comm;
};

static inline bool pairs_has_role(const struct pairs *p, u32 event)
{
	return event < p->roles.nr_events && p->roles.first[event] != p->roles.first[event + 1];
}

static inline bool pairs_is_switch(const struct pairs *p, u32 event)
{
	return p->switches && p->switches[event].prev;
}

/* What the name of the thread that leaves says about which threads were recorded. */
void pairs_note_threads(struct pairs *p, const struct pair_switch *sw, u32 prev, struct span raw,
			bool swap);
/* The threads of a switch: the one that leaves, and above it the one that comes. */
u64 pairs_threads_of_switch(struct pairs *p, u32 event, const struct pd_sample *s);

static inline void pairs_take_switch(struct pairs *p, u32 cpu, u64 threads)
{
	switch_gaps_take_tids(&p->gaps, cpu, (u32)threads, (u32)(threads >> 32));
}

/* nr samples that have roles, from the time of the first to that of the last. */
static inline void pairs_note_events(struct pairs *p, u64 nr, u64 first, u64 last)
{
	p->nr_events += nr;
	if (!p->first_time)
		p->first_time = first;
	p->last_time = last;
}

static inline bool pairs_may_grow(const struct pairs *p)
{
	return rows_bytes(&p->rows) + open_begins_bytes(&p->open) + p->kept_bytes < p->cfg.max_mem;
}

static inline void pairs_add_to_row(struct pairs *p, const u64 row[MAX_PARTS], u64 value)
{
	struct distribution *d = rows_recent(&p->rows, row);

	if (d)
		rows_add_to(&p->rows, d, value);
	else
		rows_add(&p->rows, row, value, pairs_may_grow(p));
}

/* Removes a begin, whose sample the caller has taken or drops here. */
static inline void pairs_remove_begin(struct pairs *p, struct open_begin *b)
{
	if (b->at.kept)
		p->kept_bytes -= occurrence_bytes(&b->at);
	open_begins_remove(&p->open, b);
}

void pairs_forget_begin(struct pairs *p, struct open_begin *b);
/* There is one. */
void pairs_drop_oldest(struct pairs *p);

static inline u64 pairs_epoch(const struct pairs *p, u32 cpu)
{
	return losses_epoch(&p->losses, p->roles.key_has_cpu, cpu);
}

/* Adds a begin, whose occurrence and row are left to the caller. */
static inline struct open_begin *pairs_put_begin(struct pairs *p, const u64 *key, u32 cpu)
{
	u32 place = open_begins_find(&p->open, key);
	struct open_begin *b = open_begins_at(&p->open, place);

	p->nr_begins++;
	if (b && !p->cfg.nest) {
		p->nr_replaced++;
		pairs_forget_begin(p, b);
	}
	/* makes room for one more; the table does not shrink: memory only limits its growth */
	if (p->open.nr && (p->open.nr >= p->cfg.max_keys || !pairs_may_grow(p))) {
		pairs_drop_oldest(p);
		place = open_begins_find(&p->open, key);
	}
	b = open_begins_put_at(&p->open, place, key);
	b->epoch = pairs_epoch(p, cpu);
	return b;
}

/* A pair of that length has a loss between its begin and its end, so that they may not belong
 * together. False: it counts all the same. */
bool pairs_is_broken(struct pairs *p, u64 ns);
/* A begin is later than its end. */
void pairs_end_before_begin(struct pairs *p, struct open_begin *b, u64 ns);

/* An end has come. Returns its begin, which is still in the table; NULL: they are no pair. */
static inline struct open_begin *pairs_find_begin(struct pairs *p, const u64 *key, u64 time,
						  u32 cpu)
{
	struct open_begin *b = open_begins_get(&p->open, key);

	p->nr_ends++;
	if (!b) {
		p->nr_without_begin++;
		p->nr_before_start += time - p->first_time < PAIRS_START_NS;
		return NULL;
	}
	if (time < b->at.time) {
		pairs_end_before_begin(p, b, b->at.time - time);
		return NULL;
	}
	if (b->epoch != pairs_epoch(p, cpu) && pairs_is_broken(p, time - b->at.time)) {
		pairs_forget_begin(p, b);
		return NULL;
	}
	return b;
}

/* An event where there are no begins: counted, or measured. */
static inline void pairs_count_event(struct pairs *p, const struct role *role,
				     const u64 row[MAX_PARTS], u64 value)
{
	p->nr_ends++;
	if (role->value && expr_show(role->value) == EXPR_SHOW_DEC && (s64)value < 0) {
		p->nr_negative_values++;
		return;
	}
	pairs_add_to_row(p, row, value);
}

#endif
