/* SPDX-License-Identifier: MIT */
#include "session/parts/part_scan.h"

#include "base/mem.h"

void part_piece_free(struct part_piece *p)
{
	if (!p)
		return;
	free(p->at_once);
	free(p->timed);
	free(p->sections);
	free(p);
}

void part_scanner_fini(struct part_scanner *s)
{
	free(s->tmp);
	free(s->runs);
	*s = (struct part_scanner){ 0 };
}

static void merge_two(struct part_record *dst, const struct part_record *a, size_t na,
		      const struct part_record *b, size_t nb)
{
	while (na && nb) {
		if (b->time < a->time) {
			*dst++ = *b++;
			nb--;
		} else {
			*dst++ = *a++;
			na--;
		}
	}
	memcpy(dst, a, na * sizeof(*a));
	memcpy(dst + na, b, nb * sizeof(*b));
}

void part_merge(struct part_record *v, size_t n, size_t *runs, size_t nr_runs,
		struct part_record *tmp)
{
	struct part_record *from = v, *to = tmp, *swapped;
	size_t i, out, a, b, end;

	while (nr_runs > 1) {
		for (i = out = 0; i < nr_runs; i += 2) {
			a = runs[i];
			b = i + 1 < nr_runs ? runs[i + 1] : n;
			end = i + 2 < nr_runs ? runs[i + 2] : n;
			merge_two(to + a, from + a, b - a, from + b, end - b);
			runs[out++] = a;
		}
		nr_runs = out;
		swapped = from;
		from = to;
		to = swapped;
	}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

/* Sorts the records of the section that ends here, and begins the next one. */
static void end_section(struct part_scanner *s, struct part_piece *p, struct part_section *sec,
			bool ends_round)
{
	if (!sec->nr_at_once && !sec->nr)
		return;
	if (s->nr_runs > 1) {
		vec_reserve(s->tmp, s->cap_tmp, sec->nr);
		part_merge(p->timed + p->nr_timed - sec->nr, sec->nr, s->runs, s->nr_runs, s->tmp);
	}
	sec->ends_round = ends_round;
	vec_push(p->sections, p->nr_sections, p->cap_sections, *sec);
	*sec = (struct part_section){ 0 };
	s->nr_runs = 0;
}

static void add_timed(struct part_scanner *s, struct part_piece *p, struct part_section *sec,
		      const struct part_record *r)
{
	if (!sec->nr || p->timed[p->nr_timed - 1].time > r->time)
		vec_push(s->runs, s->nr_runs, s->cap_runs, sec->nr);
	vec_push(p->timed, p->nr_timed, p->cap_timed, *r);
	sec->nr++;
	if (r->time > sec->max_time)
		sec->max_time = r->time;
}

void part_scan(struct part_scanner *s, const struct perfdata *pd, struct part_piece *p)
{
	struct part_section sec = { 0 };
	const u8 *end = p->run.n ? p->run.p + p->run.n : p->run.p, *at;
	const struct pd_event *ev;
	struct pd_record rec;

	p->nr_at_once = p->nr_timed = p->nr_sections = 0;
	s->nr_runs = 0;
	for (at = p->run.p; at < end; at += rec.size) {
		struct part_record r = { .data = at };
		bool is_kernel;

		rec = pd_record_in_run(pd, &p->run, at);
		is_kernel = rec.type < PD_RECORD_HEADER_ATTR;
		ev = is_kernel ? pd_event_of_record_in(pd, &s->events, &rec) : NULL;
		r.event = ev ? ev->idx : PART_NO_EVENT;
		r.time = ev ? pd_record_time_of(ev, &rec, pd->swap) : UINT64_MAX;
		if (is_kernel && r.time && r.time != UINT64_MAX) {
			add_timed(s, p, &sec, &r);
			continue;
		}
		vec_push(p->at_once, p->nr_at_once, p->cap_at_once, r);
		sec.nr_at_once++;
		if (rec.type == PD_RECORD_FINISHED_ROUND)
			end_section(s, p, &sec, true);
	}
	end_section(s, p, &sec, false);
}
