/* SPDX-License-Identifier: MIT */
#include "report/prep/hist_hierarchy.h"

#include "base/mem.h"
#include "report/prep/hist_chains.h"
#include "report/prep/hist_print.h"

#define STEP 3       /* columns of indentation per level */
#define MAX_DOTS 207 /* perf draws no longer line under the titles of the levels */

/* A line of the hierarchy: a value of one key below the values of the keys before it. */
struct node {
	u32 parent;        /* node + 1, 0: none */
	u32 entry;         /* the first entry below this line */
	double best_child; /* largest share among its children */
};

struct hierarchy {
	struct out *o;
	const struct hist_text *t;
	struct hist *h; /* t->h */
	size_t *keys;   /* by level: index in layout.out */
	size_t nr_levels;
	struct tuple_table ids; /* {parent + 1, level, key's id} -> node */
	struct node *nodes;
	size_t nr, cap;
	u8 *stats; /* by node: the figures of all events, laid out as hist.stats */
	size_t cap_stats;
	u32 *node_of;      /* entry * nr_levels + level */
	int numbers_width; /* characters of all figures and the gaps between them */
};

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

static struct hist_stat *stats_of(const struct hierarchy *y, u32 node)
{
	return hist_stat_at(y->h, y->stats, node * y->h->nr_events);
}

static u32 find_node(struct hierarchy *y, u32 parent, size_t level, u32 entry)
{
	size_t size = y->h->nr_events * y->h->stat_size;
	const struct hist_field *f = &y->h->layout->out[y->keys[level]];
	u64 tuple[3] = { parent, level, hist_key_id(y->h, &y->h->entries[entry], f->key) };
	u32 at = tuple_table_id(&y->ids, tuple);

	if (at < y->nr)
		return at;
	vec_push(y->nodes, y->nr, y->cap, ((struct node){ .parent = parent, .entry = entry }));
	vec_reserve(y->stats, y->cap_stats, y->nr * size);
	memset(stats_of(y, at), 0, size);
	return at;
}

static double share_of(const struct hierarchy *y, u32 node)
{
	u64 total = y->h->totals[0].period;

	return total ? 100.0 * (double)stats_of(y, node)->period / (double)total : 0;
}

static void build(struct hierarchy *y)
{
	struct hist *h = y->h;
	size_t level, ev;
	u32 node = 0;

	y->node_of = xcalloc(h->nr * y->nr_levels + 1, sizeof(*y->node_of));
	for (size_t i = 0; i < h->nr_lines; i++) {
		u32 entry = h->lines[i], parent = 0;

		for (level = 0; level < y->nr_levels; level++, parent = node + 1) {
			node = find_node(y, parent, level, entry);
			y->node_of[entry * y->nr_levels + level] = node;
			for (ev = 0; ev < h->nr_events; ev++)
				add_stats(h, hist_stat_at(h, stats_of(y, node), ev),
					  hist_stat_of(h, entry, ev));
		}
	}
	for (node = 0; node < y->nr; node++) {
		u32 parent = y->nodes[node].parent;

		if (parent && share_of(y, node) > y->nodes[parent - 1].best_child)
			y->nodes[parent - 1].best_child = share_of(y, node);
	}
}

static int compare_nodes(const struct hierarchy *y, size_t level, u32 a, u32 b)
{
	const struct hist_layout *l = y->h->layout;
	const struct hist_field *key = &l->out[y->keys[level]];
	const struct key_inst *k = hist_field_key(l, key);
	u64 x = hist_key_id(y->h, &y->h->entries[y->nodes[a].entry], key->key);
	u64 z = hist_key_id(y->h, &y->h->entries[y->nodes[b].entry], key->key);
	int cmp = 0;

	for (size_t i = 0; i < l->nr_sort && !cmp; i++)
		if (!l->sort[i].is_key)
			cmp = hist_compare_stats(y->h, stats_of(y, a), stats_of(y, b),
						 l->sort[i].number);
	if (!cmp)
		cmp = sort_key_sort(y->h->d, k, x, z);
	if (!cmp)
		cmp = sort_key_order(y->h->d, k, x, z);
	return cmp ? cmp : a < b ? -1 : 1;
}

static int compare_entries(const void *a, const void *b, void *ctx)
{
	const struct hierarchy *y = ctx;
	const u32 *x = &y->node_of[*(const u32 *)a * y->nr_levels];
	const u32 *z = &y->node_of[*(const u32 *)b * y->nr_levels];

	for (size_t level = 0; level < y->nr_levels; level++)
		if (x[level] != z[level])
			return compare_nodes(y, level, x[level], z[level]);
	return 0;
}

/* ---- text */

static const char *gap(const struct hierarchy *y)
{
	return y->t->opt->separator ? y->t->opt->separator : "  ";
}

/* As in perf, the levels' texts begin at one column: the cell that begins at `start` is trimmed. */
static void trim_cell(struct out *o, size_t start)
{
	size_t blanks = 0, len = o->len - start;

	while (blanks < len && o->buf[start + blanks] == ' ')
		blanks++;
	memmove(o->buf + start, o->buf + start + blanks, len - blanks);
	o->len -= blanks;
}

/* The line under the titles: one run of dots for all numbers, or with a separator one for each. */
static void print_dots(struct hierarchy *y, int indent, int width)
{
	const struct hist_layout *l = y->h->layout;
	bool first = true;

	out_str(y->o, "\n# ");
	out_fill(y->o, '.', (size_t)indent);
	for (size_t i = 0; i < l->nr_out; i++) {
		if (l->out[i].is_key)
			continue;
		if (!first)
			out_str(y->o, y->t->opt->separator ? y->t->opt->separator : "..");
		out_fill(y->o, '.', (size_t)y->t->widths[i]);
		first = false;
	}
	out_str(y->o, gap(y));
	out_fill(y->o, '.', (size_t)(width < MAX_DOTS ? width : MAX_DOTS));
	out_str(y->o, "\n#\n");
}

static void print_titles(struct hierarchy *y)
{
	const struct hist_layout *l = y->h->layout;
	bool plain = !y->t->opt->separator, first = true;
	int indent = plain ? (int)(y->nr_levels - 1) * STEP : 0, width = 0, len;
	size_t i;

	out_str(y->o, "# ");
	out_fill(y->o, ' ', (size_t)indent);
	for (i = 0; i < l->nr_out; i++) {
		const char *title = hist_field_title(l, &l->out[i]);

		if (l->out[i].is_key)
			continue;
		if (!first)
			out_str(y->o, gap(y));
		out_str_width(y->o, title, y->t->widths[i]);
		first = false;
	}
	out_str(y->o, gap(y));
	for (i = 0; i < y->nr_levels; i++) {
		const char *title = hist_field_title(l, &l->out[y->keys[i]]);

		title += strspn(title, " ");
		out_printf(y->o, "%s%s", i ? " / " : "", title);
		width += (int)strlen(title) + (i ? 3 : 0);
	}
	for (i = 0; i < y->nr_levels; i++) {
		len = y->t->widths[y->keys[i]] + (int)i * STEP;
		width = len > width ? len : width;
	}
	print_dots(y, indent, width);
}

static void print_node(struct hierarchy *y, u32 node, size_t level)
{
	const struct hist_layout *l = y->h->layout;
	bool plain = !y->t->opt->separator, first = true;
	size_t start;

	out_fill(y->o, ' ', level * STEP);
	for (size_t i = 0; i < l->nr_out; i++) {
		if (l->out[i].is_key)
			continue;
		if (plain || !first)
			out_str(y->o, gap(y));
		first = false;
		hist_print_numbers(y->o, y->t, i, stats_of(y, node), true);
	}
	if (plain)
		out_fill(y->o, ' ', (y->nr_levels - 1) * STEP);
	out_str(y->o, gap(y));
	start = y->o->len;
	hist_print_cell(y->o, y->t, y->keys[level], y->nodes[node].entry, false);
	trim_cell(y->o, start);
	out_char(y->o, '\n');
}

static void print_entry(struct hierarchy *y, const u32 *nodes, size_t from)
{
	double min_percent = y->t->opt->percent_limit;

	for (size_t level = from; level < y->nr_levels; level++) {
		const struct node *n = &y->nodes[nodes[level]];

		if (share_of(y, nodes[level]) < min_percent)
			return;
		print_node(y, nodes[level], level);
		if (level + 1 == y->nr_levels) {
			if (y->t->tree)
				hist_print_chains(y->o, y->t, n->entry);
		} else if (n->best_child < min_percent) {
			if (!y->t->opt->separator)
				out_fill(y->o, ' ', (y->nr_levels + level) * STEP);
			out_fill(y->o, ' ', (size_t)y->numbers_width + 4);
			out_printf(y->o, "no entry >= %.2f%%\n", min_percent);
		}
	}
}

static void flush_to(struct out *o, struct out *lines)
{
	if (lines->len)
		out_long(o, lines->buf, lines->len);
	lines->len = 0;
}

/* Prints the entries in order: of each, the levels that differ from the entry before. */
static void print_all(struct hierarchy *y, struct out *o)
{
	double min_percent = y->t->opt->percent_limit;
	const u32 *last = NULL;

	for (size_t i = 0; i < y->h->nr_lines; i++) {
		const u32 *nodes = &y->node_of[y->h->lines[i] * y->nr_levels];
		size_t from = 0;

		while (last && from + 1 < y->nr_levels && nodes[from] == last[from])
			from++;
		/* skip entries below a line that is under --percent-limit */
		if (!from || share_of(y, nodes[from - 1]) >= min_percent)
			print_entry(y, nodes, from);
		flush_to(o, y->o);
		last = nodes;
	}
}

static void find_columns(struct hierarchy *y)
{
	const struct hist_layout *l = y->h->layout;
	bool first = true;

	y->keys = xcalloc(l->nr_out + 1, sizeof(*y->keys));
	for (size_t i = 0; i < l->nr_out; i++) {
		if (l->out[i].is_key) {
			if (!l->out[i].elided)
				y->keys[y->nr_levels++] = i;
			continue;
		}
		y->numbers_width += y->t->widths[i] + (first ? 0 : 2);
		first = false;
	}
}

void hist_print_hierarchy(struct out *o, struct hist_text *t, bool titles)
{
	struct hist *h = t->h;
	struct out lines;
	struct hierarchy y = { .o = &lines, .t = t, .h = h };

	out_init_mem(&lines);
	out_escape_like(&lines, o);
	tuple_table_init(&y.ids, 3, 0);
	find_columns(&y);
	if (y.nr_levels) {
		build(&y);
		qsort_r(h->lines, h->nr_lines, sizeof(*h->lines), compare_entries, &y);
		if (titles)
			print_titles(&y);
		print_all(&y, o);
	}
	flush_to(o, &lines);
	out_fini(&lines);
	tuple_table_fini(&y.ids);
	free(y.keys);
	free(y.nodes);
	free(y.stats);
	free(y.node_of);
}
