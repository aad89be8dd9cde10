/* SPDX-License-Identifier: MIT */
#include "report/table/hist_levels.h"

#include "base/mem.h"

static void add_stats(const struct hist *h, struct hist_stat *to, const struct hist_stat *from)
{
	to->period += from->period;
	to->samples += from->samples;
	to->acc_period += from->acc_period;
	if (h->stat_size != sizeof(*to))
		return;
	to->sys += from->sys;
	to->us += from->us;
	to->guest_sys += from->guest_sys;
	to->guest_us += from->guest_us;
	to->latency += from->latency;
	to->acc_latency += from->acc_latency;
	for (int i = 0; i < 3; i++)
		to->weights[i] += from->weights[i];
}

static u64 key_of(const struct hist_levels *y, u32 level, u32 entry)
{
	const struct hist_field *f = &y->h->layout->out[y->keys[level]];

	return hist_key_id(y->h, &y->h->entries[entry], f->key);
}

static u32 find_line(struct hist_levels *y, u32 parent, u32 level, u32 entry)
{
	size_t size = y->h->nr_events * y->h->stat_size;
	u64 tuple[3] = { parent, level, key_of(y, level, entry) };
	u32 at = tuple_table_id(&y->ids, tuple);

	if (at < y->nr)
		return at;
	vec_push(y->lines, y->nr, y->cap,
		 ((struct hist_level_line){ .parent = parent, .level = level, .entry = entry }));
	vec_reserve(y->stats, y->cap_stats, y->nr * size);
	return at;
}

double hist_levels_percent(const struct hist_levels *y, u32 line)
{
	u64 total = y->h->totals[0].period;

	return total ? 100.0 * (double)hist_levels_stats(y, line)->period / (double)total : 0;
}

static void add_entry(struct hist_levels *y, u32 entry)
{
	const struct hist *h = y->h;
	for (u32 level = 0; level < y->nr_levels; level++) {
		u32 line = y->line_of[entry * y->nr_levels + level];

		y->lines[line].nr++;
		for (size_t ev = 0; ev < h->nr_events; ev++)
			add_stats(h, hist_stat_at(h, hist_levels_stats(y, line), ev),
				  hist_stat_of(h, entry, ev));
	}
}

static void find_lines(struct hist_levels *y, u32 entry)
{
	u32 parent = 0, line;

	for (u32 level = 0; level < y->nr_levels; level++, parent = line + 1) {
		line = find_line(y, parent, level, entry);
		y->line_of[entry * y->nr_levels + level] = line;
	}
}

void hist_levels_count(struct hist_levels *y, const bool *counted)
{
	const struct hist *h = y->h;

	if (y->nr)
		memset(y->stats, 0, y->nr * h->nr_events * h->stat_size);
	for (u32 line = 0; line < y->nr; line++) {
		y->lines[line].nr = 0;
		y->lines[line].best_child = 0;
	}
	for (size_t i = 0; i < h->nr_lines; i++)
		if (!counted || counted[h->lines[i]])
			add_entry(y, h->lines[i]);
	for (u32 line = 0; line < y->nr; line++) {
		u32 parent = y->lines[line].parent;
		double percent = hist_levels_percent(y, line);

		if (parent && percent > y->lines[parent - 1].best_child)
			y->lines[parent - 1].best_child = percent;
	}
}

void hist_levels_init(struct hist_levels *y, struct hist *h)
{
	const struct hist_layout *l = h->layout;

	*y = (struct hist_levels){ .h = h };
	tuple_table_init(&y->ids, 3, 0);
	y->keys = xcalloc(l->nr_out + 1, sizeof(*y->keys));
	for (size_t i = 0; i < l->nr_out; i++)
		if (l->out[i].is_key && !l->out[i].elided)
			y->keys[y->nr_levels++] = i;
	y->line_of = xcalloc(h->nr * y->nr_levels + 1, sizeof(*y->line_of));
	for (size_t i = 0; i < h->nr_lines; i++)
		find_lines(y, h->lines[i]);
	hist_levels_count(y, NULL);
}

void hist_levels_fini(struct hist_levels *y)
{
	tuple_table_fini(&y->ids);
	free(y->keys);
	free(y->lines);
	free(y->line_of);
	free(y->stats);
}

int hist_levels_compare(const struct hist_levels *y, u32 a, u32 b)
{
	const struct hist_layout *l = y->h->layout;
	u32 level = y->lines[a].level;
	const struct key_inst *k = hist_field_key(l, &l->out[y->keys[level]]);
	u64 x = key_of(y, level, y->lines[a].entry), z = key_of(y, level, y->lines[b].entry);
	int cmp = 0;

	for (size_t i = 0; i < l->nr_sort && !cmp; i++)
		if (!l->sort[i].is_key)
			cmp = hist_compare_stats(y->h, hist_levels_stats(y, a),
						 hist_levels_stats(y, b), l->sort[i].number);
	if (!cmp)
		cmp = sort_key_sort(y->h->d, k, x, z);
	if (!cmp)
		cmp = sort_key_order(y->h->d, k, x, z);
	return cmp ? cmp : (a > b) - (a < b);
}
