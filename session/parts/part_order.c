/* SPDX-License-Identifier: MIT */
#include "session/parts/part_order.h"

#include "base/mem.h"

struct part_order {
	size_t part_records;
	struct part_slice *waiting; /* for a flush, as they lie in the file */
	size_t nr_waiting, cap_waiting;
	u64 max_time;      /* largest time so far */
	u64 round_limit;   /* the next FINISHED_ROUND flushes records up to this time */
	struct part *open; /* takes more records; NULL: none */
	struct part *done, **last_done;
	u64 nr_parts, nr_groups;
};

struct part_order *part_order_new(size_t records)
{
	struct part_order *o = xcalloc(1, sizeof(*o));

	o->part_records = records;
	o->last_done = &o->done;
	return o;
}

void part_free(struct part *p)
{
	if (!p)
		return;
	free(p->slices);
	free(p->records);
	free(p);
}

void part_order_free(struct part_order *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->nr_waiting; i++)
		o->waiting[i].piece->refs--;
	for (size_t i = 0; o->open && i < o->open->nr_slices; i++)
		o->open->slices[i].piece->refs--;
	free(o->waiting);
	part_free(o->open);
	free(o);
}

u64 part_order_last_time(const struct part_order *o)
{
	return o->max_time;
}

static void close_part(struct part_order *o)
{
	struct part *p = o->open;

	if (!p)
		return;
	p->number = o->nr_parts++;
	*o->last_done = p;
	o->last_done = &p->next;
	o->open = NULL;
}

static void put_slice(struct part_order *o, const struct part_slice *s)
{
	struct part *p = o->open;

	if (!p)
		p = o->open = xcalloc(1, sizeof(*p));
	s->piece->refs++;
	p->nr += s->nr;
	p->off = s->piece->run.off;
	vec_push(p->slices, p->nr_slices, p->cap_slices, *s);
}

/* How many of the slice's first records have times up to limit. */
static size_t nr_until(const struct part_slice *s, u64 limit)
{
	size_t lo = 0, hi = s->nr, mid;

	if (!hi || s->v[0].time > limit)
		return 0;
	if (s->v[hi - 1].time <= limit)
		return hi;
	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->v[mid].time <= limit)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Moves the waiting records up to limit into the open part, as one group; how many they are. */
static size_t take_until(struct part_order *o, u64 limit)
{
	size_t kept = 0, taken = 0;

	o->nr_groups++;
	for (size_t i = 0; i < o->nr_waiting; i++) {
		struct part_slice s = o->waiting[i];
		size_t n = nr_until(&s, limit);

		if (n) {
			struct part_slice due = s;

			due.nr = n;
			due.group = o->nr_groups;
			put_slice(o, &due);
			taken += n;
		}
		s.v += n;
		s.nr -= n;
		if (s.nr)
			o->waiting[kept++] = s;
		else
			s.piece->refs--;
	}
	o->nr_waiting = kept;
	return taken;
}

static const struct part_slice *longest_waiting(const struct part_order *o, u64 limit)
{
	const struct part_slice *longest = NULL;
	size_t most = 0;

	for (size_t i = 0; i < o->nr_waiting; i++) {
		size_t n = nr_until(&o->waiting[i], limit);

		if (n > most) {
			most = n;
			longest = &o->waiting[i];
		}
	}
	return longest;
}

static size_t nr_due(const struct part_order *o, u64 limit)
{
	size_t n = 0;

	for (size_t i = 0; i < o->nr_waiting; i++)
		n += nr_until(&o->waiting[i], limit);
	return n;
}

/*
 * Makes all waiting records due whose time is at most `limit`. Many of them become several parts,
 * which are cut at times: records of equal time stay together.
 */
static void flush(struct part_order *o, u64 limit)
{
	size_t left = nr_due(o, limit), step;
	const struct part_slice *s;
	u64 cut;

	while (left > 2 * o->part_records) {
		s = longest_waiting(o, limit);
		/* as far into the longest slice as a part is into all that is due */
		step = nr_until(s, limit) * o->part_records / left;
		cut = s->v[step].time;
		if (cut >= limit)
			break;
		left -= take_until(o, cut);
		if (o->open->nr >= o->part_records)
			close_part(o);
	}
	if (left)
		take_until(o, limit);
	if (o->open && o->open->nr >= o->part_records)
		close_part(o);
}

static void put_at_once(struct part_order *o, struct part_piece *p, const struct part_record *v,
			size_t nr)
{
	while (nr) {
		size_t n = nr < o->part_records ? nr : o->part_records;
		struct part_slice s = { .piece = p, .v = v, .nr = n, .group = ++o->nr_groups };

		put_slice(o, &s);
		if (o->open->nr >= o->part_records)
			close_part(o);
		v += n;
		nr -= n;
	}
}

static void add_section(struct part_order *o, struct part_piece *p, const struct part_section *sec,
			const struct part_record *at_once, const struct part_record *timed)
{
	struct part_slice s = { .piece = p, .v = timed, .nr = sec->nr };

	put_at_once(o, p, at_once, sec->nr_at_once);
	if (sec->max_time > o->max_time)
		o->max_time = sec->max_time;
	if (s.nr) {
		p->refs++;
		vec_push(o->waiting, o->nr_waiting, o->cap_waiting, s);
	}
	if (!sec->ends_round)
		return;
	flush(o, o->round_limit);
	o->round_limit = o->max_time;
}

struct part *part_order_add(struct part_order *o, struct part_piece *p)
{
	const struct part_record *at_once = p->at_once, *timed = p->timed;
	struct part *done;

	for (size_t i = 0; i < p->nr_sections; i++) {
		const struct part_section *sec = &p->sections[i];

		add_section(o, p, sec, at_once, timed);
		at_once += sec->nr_at_once;
		timed += sec->nr;
	}
	if (p->is_end) {
		flush(o, UINT64_MAX);
		close_part(o);
	}
	p->refs--;
	done = o->done;
	o->done = NULL;
	o->last_done = &o->done;
	return done;
}

void part_bring_together(struct part *p, struct part_scanner *s)
{
	size_t at = 0, i, k, begin;

	vec_reserve(p->records, p->cap_records, p->nr);
	for (i = 0; i < p->nr_slices; i = k) {
		begin = at;
		s->nr_runs = 0;
		for (k = i; k < p->nr_slices && p->slices[k].group == p->slices[i].group; k++) {
			vec_push(s->runs, s->nr_runs, s->cap_runs, at - begin);
			memcpy(p->records + at, p->slices[k].v,
			       p->slices[k].nr * sizeof(*p->records));
			at += p->slices[k].nr;
		}
		if (s->nr_runs == 1)
			continue;
		vec_reserve(s->tmp, s->cap_tmp, at - begin);
		part_merge(p->records + begin, at - begin, s->runs, s->nr_runs, s->tmp);
	}
}

const struct part_piece *part_piece_of(const struct part *p, const u8 *data)
{
	for (size_t i = 0; i < p->nr_slices; i++) {
		const struct pd_run *run = &p->slices[i].piece->run;

		if ((uintptr_t)data - (uintptr_t)run->p < run->n)
			return p->slices[i].piece;
	}
	return NULL;
}
