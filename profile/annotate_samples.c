/* SPDX-License-Identifier: MIT */
#include "profile/annotate_samples.h"

#include "base/mem.h"
#include "count/counts.h"
#include "machine/mapset.h"
#include "session/frames.h"
#include "symbols/symbols.h"

/* A row that lies in a function. */
struct place {
	const struct frame *fr;
	struct annot_hit hit;
};

bool annot_name_matches(const char *name, const char *wanted, bool loosely)
{
	size_t n = strlen(wanted);
	const char *at;

	if (!strcmp(name, wanted))
		return true;
	if (!loosely || !n)
		return false;
	for (at = strstr(name, wanted); at; at = strstr(at + 1, wanted))
		if ((at[n] == '(' || !at[n]) &&
		    (at == name || (at - name >= 2 && at[-1] == ':' && at[-2] == ':')))
			return true;
	return false;
}

static int compare_u64(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

/* Tells functions apart by object, range and name; in a JIT's memory, also by their time. */
static int compare_functions(const struct frame *a, const struct frame *b)
{
	int c = compare_u64(dso_get_number(a->map->dso), dso_get_number(b->map->dso));

	c = c ? c : compare_u64(a->sym->start, b->sym->start);
	c = c ? c : compare_u64(a->sym->end, b->sym->end);
	if (!c && (a->map->timed || b->map->timed))
		c = compare_u64(a->map->pgoff, b->map->pgoff);
	return c ? c : strcmp(a->sym->name, b->sym->name);
}

static int compare_places(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;
	int c = compare_functions(a->fr, b->fr);

	c = c ? c : compare_u64(a->hit.event, b->hit.event);
	c = c ? c : compare_u64(a->hit.addr, b->hit.addr);
	return c ? c : compare_u64(a->fr->map->id, b->fr->map->id);
}

static void add_to_sum(struct annot_sum *s, u64 samples, u64 period)
{
	s->samples += samples;
	s->period += period;
}

static size_t list_places(struct annot_samples *s, const struct counts *c, const char *name,
			  bool loosely, const bool *rows, struct place *places)
{
	size_t nr = 0;

	memset(s->totals, 0, s->nr_events * sizeof(*s->totals));
	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct count_row *r = &c->rows[i];
		const struct frame *fr = counts_frame(c, (u32)count_value(r, COUNT_IP));
		bool named = fr->map && fr->has_sym;

		if ((rows && !rows[i]) || r->event >= s->nr_events)
			continue;
		if (name && !(named && annot_name_matches(fr->sym->name, name, loosely)))
			continue;
		add_to_sum(&s->totals[r->event], r->samples, r->period);
		if (!named || fr->sym->addr < fr->sym->start || fr->sym->addr >= fr->sym->end)
			continue;
		places[nr++] =
			(struct place){ fr, { fr->sym->addr, r->event, r->samples, r->period } };
	}
	return nr;
}

/* places are sorted: equal places become one hit, and the places of one function follow each other.
 */
static void make_funcs(struct annot_samples *s, const struct place *places, size_t nr)
{
	struct annot_func *f = NULL;
	size_t nr_hits = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct place *p = &places[i];
		bool is_new = !i || compare_functions(places[i - 1].fr, p->fr);

		if (is_new) {
			f = &s->funcs[s->nr];
			*f = (struct annot_func){ .name = p->fr->sym->name,
						  .map = p->fr->map,
						  .ip = p->fr->ip,
						  .start = p->fr->sym->start,
						  .end = p->fr->sym->end,
						  .hits = s->hits + nr_hits,
						  .sums = s->sums + s->nr * s->nr_events };
			s->nr++;
		}
		if (f->nr_hits && f->hits[f->nr_hits - 1].event == p->hit.event &&
		    f->hits[f->nr_hits - 1].addr == p->hit.addr) {
			s->hits[nr_hits - 1].samples += p->hit.samples;
			s->hits[nr_hits - 1].period += p->hit.period;
		} else {
			s->hits[nr_hits++] = p->hit;
			f->nr_hits++;
		}
		add_to_sum(&f->sums[p->hit.event], p->hit.samples, p->hit.period);
	}
}

static size_t count_functions(const struct place *places, size_t nr)
{
	size_t n = nr ? 1 : 0;

	for (size_t i = 1; i < nr; i++)
		n += compare_functions(places[i - 1].fr, places[i].fr) != 0;
	return n;
}

void annot_samples_init(struct annot_samples *s, const struct counts *c, const char *name,
			const bool *rows)
{
	struct place *places = xcalloc(c->nr_rows + 1, sizeof(*places));
	size_t nr, nr_funcs;

	*s = (struct annot_samples){ .nr_events = c->nr_events };
	s->totals = xcalloc(s->nr_events + 1, sizeof(*s->totals));
	nr = list_places(s, c, name, false, rows, places);
	if (!nr && name)
		nr = list_places(s, c, name, true, rows, places);
	if (nr)
		qsort(places, nr, sizeof(*places), compare_places);
	nr_funcs = count_functions(places, nr);
	s->hits = xcalloc(nr + 1, sizeof(*s->hits));
	s->funcs = xcalloc(nr_funcs + 1, sizeof(*s->funcs));
	s->sums = xcalloc(nr_funcs * s->nr_events + 1, sizeof(*s->sums));
	make_funcs(s, places, nr);
	free(places);
}

void annot_samples_fini(struct annot_samples *s)
{
	free(s->funcs);
	free(s->totals);
	free(s->hits);
	free(s->sums);
}

static const char *short_name(const char *path)
{
	const char *slash = *path == '[' ? NULL : strrchr(path, '/');

	return slash ? slash + 1 : path;
}

struct order {
	const u32 *events;
	size_t nr;
};

static int compare_costs(const void *pa, const void *pb, void *ctx)
{
	const struct annot_func *a = pa, *b = pb;
	const struct order *o = ctx;
	int c = 0;

	for (size_t i = 0; i < o->nr && !c; i++)
		c = compare_u64(b->sums[o->events[i]].period, a->sums[o->events[i]].period);
	c = c ? c : strcmp(short_name(a->map->dso_name), short_name(b->map->dso_name));
	c = c ? c : strcmp(a->name, b->name);
	c = c ? c : strcmp(a->map->dso_name, b->map->dso_name);
	return c ? c : compare_u64(a->start, b->start);
}

void annot_samples_sort(struct annot_samples *s, const u32 *events, size_t nr)
{
	struct order o = { events, nr };

	if (s->nr)
		qsort_r(s->funcs, s->nr, sizeof(*s->funcs), compare_costs, &o);
}

/* The first hit that is not before (event, addr). */
static size_t first_hit(const struct annot_func *f, u32 event, u64 addr)
{
	size_t lo = 0, hi = f->nr_hits;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct annot_hit *h = &f->hits[mid];

		if (h->event < event || (h->event == event && h->addr < addr))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct annot_sum annot_func_sum(const struct annot_func *f, u32 event, u64 from, u64 to)
{
	struct annot_sum sum = { 0 };

	for (size_t i = first_hit(f, event, from);
	     i < f->nr_hits && f->hits[i].event == event && f->hits[i].addr < to; i++)
		add_to_sum(&sum, f->hits[i].samples, f->hits[i].period);
	return sum;
}
