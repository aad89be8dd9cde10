/* SPDX-License-Identifier: MIT */
#include "tests/tools/wide/wide_count.h"

#include "base/mem.h"

/* What one sample adds to one row: an entry of a list to be sorted. */
struct part {
	u64 key;
	u64 own, all; /* periods */
	u64 samples;
};

struct parts {
	struct part *v;
	size_t nr, cap;
};

#define AS_CALLER (1ull << 31)

/*
 * A row's comm and function. Where functions have no names, each place is a row. As perf does it,
 * such a place in an object is shown by its address in the file where samples hit it, and as a
 * caller by its address in memory: two rows.
 */
static u64 key_of(const struct wide_world *w, u32 thread, struct wide_place at, bool caller)
{
	enum wide_kind kind = wide_kind_of(&w->p, at.function);
	u64 comm = thread % w->p.comms;

	if (wide_has_name(&w->p, at.function))
		return comm << 32 | (u64)at.function << 6;
	return comm << 32 | (caller && kind == WIDE_IN_OBJECT ? AS_CALLER : 0) |
	       (u64)at.function << 6 | at.off;
}

static int compare_parts(const void *pa, const void *pb)
{
	const struct part *a = pa, *b = pb;

	return a->key < b->key ? -1 : a->key > b->key;
}

static void add_sample(const struct wide_world *w, const struct wide_sample *s, bool callers,
		       struct parts *parts)
{
	const struct wide_stack *st = &w->stacks[s->stack];
	size_t first = parts->nr, to = first;

	vec_push(parts->v, parts->nr, parts->cap,
		 ((struct part){ .key = key_of(w, s->thread, st->places[0], false),
				 .own = s->period,
				 .all = s->period,
				 .samples = 1 }));
	for (u32 i = 0; callers && i < st->nr; i++)
		vec_push(parts->v, parts->nr, parts->cap,
			 ((struct part){ .key = key_of(w, s->thread, st->places[i], true),
					 .all = s->period }));
	qsort(parts->v + first, parts->nr - first, sizeof(*parts->v), compare_parts);
	/* a function that is several times in a stack counts once */
	for (size_t i = first; i < parts->nr; i++) {
		if (to == first || parts->v[i].key != parts->v[to - 1].key) {
			parts->v[to++] = parts->v[i];
			continue;
		}
		parts->v[to - 1].own += parts->v[i].own;
		parts->v[to - 1].samples += parts->v[i].samples;
	}
	parts->nr = to;
}

static void print_in_object(const struct wide_world *w, const struct part *row,
			    struct wide_place at, FILE *to)
{
	u32 object = wide_object_of(&w->p, at.function);
	u64 address = wide_ip(&w->p, at);

	fprintf(to, "o%u|", object);
	if (wide_has_name(&w->p, at.function)) {
		fprintf(to, "g%u\n", wide_index_of(&w->p, at.function));
		return;
	}
	if (!(row->key & AS_CALLER))
		address += WIDE_OBJECT_PGOFF - wide_object_start(object);
	fprintf(to, "0x%016llx\n", (unsigned long long)address);
}

static void print_row(const struct wide_world *w, u32 event, const struct part *row, u64 total,
		      bool callers, FILE *to)
{
	struct wide_place at = { (u32)(row->key & (AS_CALLER - 1)) >> 6, (u32)row->key & 63 };
	u32 index = wide_index_of(&w->p, at.function);

	fprintf(to, "e%u|", event);
	if (callers)
		fprintf(to, "%.2f%%|", 100.0 * (double)row->all / (double)total);
	fprintf(to, "%llu|%llu|c%llu|", (unsigned long long)row->samples,
		(unsigned long long)row->own, (unsigned long long)(row->key >> 32));
	switch (wide_kind_of(&w->p, at.function)) {
	case WIDE_IN_KERNEL: fprintf(to, "[kernel.kallsyms]|f%u\n", index); break;
	case WIDE_IN_NO_MAP:
		fprintf(to, "[unknown]|0x%016llx\n", (unsigned long long)wide_ip(&w->p, at));
		break;
	case WIDE_IN_OBJECT: print_in_object(w, row, at, to); break;
	}
}

static void print_table(const struct wide_world *w, u32 event, bool callers, struct parts *parts,
			FILE *to)
{
	u64 total = 0;

	if (!parts->nr)
		return;
	qsort(parts->v, parts->nr, sizeof(*parts->v), compare_parts);
	for (size_t i = 0; i < parts->nr; i++)
		total += parts->v[i].own;
	for (size_t i = 0, next; i < parts->nr; i = next) {
		struct part row = parts->v[i];

		for (next = i + 1; next < parts->nr && parts->v[next].key == row.key; next++) {
			row.own += parts->v[next].own;
			row.all += parts->v[next].all;
			row.samples += parts->v[next].samples;
		}
		print_row(w, event, &row, total, callers, to);
	}
}

void wide_count_table(const struct wide_world *w, bool callers, FILE *to)
{
	struct parts parts = { 0 };

	for (u32 event = 0; event < w->p.events; event++) {
		parts.nr = 0;
		for (u64 i = 0; i < w->p.samples; i++)
			if (w->samples[i].event == event)
				add_sample(w, &w->samples[i], callers, &parts);
		print_table(w, event, callers, &parts, to);
	}
	free(parts.v);
}

/* --- folded stacks ---------------------------------------------------------------------------- */

struct line {
	char *text;
	u64 period;
};

static int frame_text(const struct wide_world *w, u32 function, char *to, size_t size)
{
	bool kernel = wide_kind_of(&w->p, function) == WIDE_IN_KERNEL;

	if (wide_has_name(&w->p, function))
		return snprintf(to, size, ";%c%u", kernel ? 'f' : 'g',
				wide_index_of(&w->p, function));
	if (wide_kind_of(&w->p, function) == WIDE_IN_NO_MAP)
		return snprintf(to, size, ";[unknown]");
	return snprintf(to, size, ";[o%u]", wide_object_of(&w->p, function));
}

static char *stack_text(const struct wide_world *w, const struct wide_sample *s)
{
	const struct wide_stack *st = &w->stacks[s->stack];
	size_t size = 32 + (size_t)st->nr * 24, n;
	char *text = xmalloc(size);

	n = (size_t)snprintf(text, size, "c%llu", (unsigned long long)(s->thread % w->p.comms));
	for (u32 i = st->nr; i-- > 0;)
		n += (size_t)frame_text(w, st->places[i].function, text + n, size - n);
	return text;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

void wide_count_folded(const struct wide_world *w, u32 event, FILE *to)
{
	struct line *lines = xcalloc(w->p.samples, sizeof(*lines));
	size_t nr = 0, i, next;

	for (i = 0; i < w->p.samples; i++) {
		const struct wide_sample *s = &w->samples[i];

		if (s->event == event)
			lines[nr++] = (struct line){ stack_text(w, s), s->period };
	}
	if (nr)
		qsort(lines, nr, sizeof(*lines), compare_lines);
	for (i = 0; i < nr; i = next) {
		u64 period = 0;

		for (next = i; next < nr && !strcmp(lines[next].text, lines[i].text); next++)
			period += lines[next].period;
		fprintf(to, "%s %llu\n", lines[i].text, (unsigned long long)period);
	}
	for (i = 0; i < nr; i++)
		free(lines[i].text);
	free(lines);
}

/* --- samples ---------------------------------------------------------------------------------- */

void wide_count_samples(const struct wide_world *w, FILE *to)
{
	for (u64 i = 0; i < w->p.samples; i++) {
		const struct wide_sample *s = &w->samples[i];
		const struct wide_stack *st = &w->stacks[s->stack];

		fprintf(to, "c%llu %u [%03u] %llu.%06llu: %llu e%u:\n",
			(unsigned long long)(s->thread % w->p.comms), wide_tid(s->thread), s->cpu,
			(unsigned long long)(s->time / 1000000000),
			(unsigned long long)(s->time / 1000 % 1000000),
			(unsigned long long)s->period, s->event);
		for (u32 k = 0; k < st->nr; k++) {
			char name[32] = ";[unknown]";

			if (wide_has_name(&w->p, st->places[k].function))
				(void)frame_text(w, st->places[k].function, name, sizeof(name));
			fprintf(to, " %llx %s\n", (unsigned long long)wide_ip(&w->p, st->places[k]),
				name + 1);
		}
		fprintf(to, "\n");
	}
}
