/* SPDX-License-Identifier: MIT */
#include "report/prep/hist_hierarchy.h"

#include "base/mem.h"
#include "report/prep/hist_chains.h"
#include "report/prep/hist_print.h"
#include "report/table/hist_levels.h"

#define STEP 3       /* columns of indentation per level */
#define MAX_DOTS 207 /* perf draws no longer line under the titles of the levels */

struct hierarchy {
	struct out *o;
	const struct hist_text *t;
	struct hist_levels levels;
	int numbers_width; /* characters of all figures and the gaps between them */
};

static int compare_entries(const void *a, const void *b, void *ctx)
{
	const struct hist_levels *y = ctx;
	const u32 *x = &y->line_of[*(const u32 *)a * y->nr_levels];
	const u32 *z = &y->line_of[*(const u32 *)b * y->nr_levels];

	for (size_t level = 0; level < y->nr_levels; level++)
		if (x[level] != z[level])
			return hist_levels_compare(y, x[level], z[level]);
	return 0;
}

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
	const struct hist_layout *l = y->t->h->layout;
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
	const struct hist_layout *l = y->t->h->layout;
	bool plain = !y->t->opt->separator, first = true;
	int indent = plain ? (int)(y->levels.nr_levels - 1) * STEP : 0, width = 0, len;
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
	for (i = 0; i < y->levels.nr_levels; i++) {
		const char *title = hist_field_title(l, &l->out[y->levels.keys[i]]);

		title += strspn(title, " ");
		out_printf(y->o, "%s%s", i ? " / " : "", title);
		width += (int)strlen(title) + (i ? 3 : 0);
	}
	for (i = 0; i < y->levels.nr_levels; i++) {
		len = y->t->widths[y->levels.keys[i]] + (int)i * STEP;
		width = len > width ? len : width;
	}
	print_dots(y, indent, width);
}

static void print_node(struct hierarchy *y, u32 node, size_t level)
{
	const struct hist_layout *l = y->t->h->layout;
	bool plain = !y->t->opt->separator, first = true;
	size_t start;

	out_fill(y->o, ' ', level * STEP);
	for (size_t i = 0; i < l->nr_out; i++) {
		if (l->out[i].is_key)
			continue;
		if (plain || !first)
			out_str(y->o, gap(y));
		first = false;
		hist_print_numbers(y->o, y->t, i, hist_levels_stats(&y->levels, node), true);
	}
	if (plain)
		out_fill(y->o, ' ', (y->levels.nr_levels - 1) * STEP);
	out_str(y->o, gap(y));
	start = y->o->len;
	hist_print_cell(y->o, y->t, y->levels.keys[level], y->levels.lines[node].entry, false);
	trim_cell(y->o, start);
	out_char(y->o, '\n');
}

static void print_entry(struct hierarchy *y, const u32 *nodes, size_t from)
{
	double min_percent = y->t->opt->percent_limit;

	for (size_t level = from; level < y->levels.nr_levels; level++) {
		const struct hist_level_line *n = &y->levels.lines[nodes[level]];

		if (hist_levels_percent(&y->levels, nodes[level]) < min_percent)
			return;
		print_node(y, nodes[level], level);
		if (level + 1 == y->levels.nr_levels) {
			if (y->t->tree)
				hist_print_chains(y->o, y->t, n->entry);
		} else if (n->best_child < min_percent) {
			if (!y->t->opt->separator)
				out_fill(y->o, ' ', (y->levels.nr_levels + level) * STEP);
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

	for (size_t i = 0; i < y->t->h->nr_lines; i++) {
		const u32 *nodes = &y->levels.line_of[y->t->h->lines[i] * y->levels.nr_levels];
		size_t from = 0;

		while (last && from + 1 < y->levels.nr_levels && nodes[from] == last[from])
			from++;
		/* skip entries below a line that is under --percent-limit */
		if (!from || hist_levels_percent(&y->levels, nodes[from - 1]) >= min_percent)
			print_entry(y, nodes, from);
		flush_to(o, y->o);
		last = nodes;
	}
}

static int numbers_width(const struct hist_text *t)
{
	const struct hist_layout *l = t->h->layout;
	int width = 0;

	for (size_t i = 0; i < l->nr_out; i++)
		if (!l->out[i].is_key)
			width += t->widths[i] + (width ? 2 : 0);
	return width;
}

void hist_print_hierarchy(struct out *o, struct hist_text *t, bool titles)
{
	struct hist *h = t->h;
	struct out lines;
	struct hierarchy y = { .o = &lines, .t = t, .numbers_width = numbers_width(t) };

	out_init_mem(&lines);
	out_escape_like(&lines, o);
	hist_levels_init(&y.levels, h);
	if (y.levels.nr_levels) {
		qsort_r(h->lines, h->nr_lines, sizeof(*h->lines), compare_entries, &y.levels);
		if (titles)
			print_titles(&y);
		print_all(&y, o);
	}
	flush_to(o, &lines);
	out_fini(&lines);
	hist_levels_fini(&y.levels);
}
