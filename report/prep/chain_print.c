/* SPDX-License-Identifier: MIT */
#include "report/prep/chain_print.h"

#include "base/mem.h"
#include "base/screen/escape.h"
#include "profile/chain_tree_priv.h"
#include "profile/function_name.h"

#define MARGIN "            " /* left of every line of a drawn tree */
#define BAR_COLUMNS 11        /* of a bar and the blanks after it */
#define LEAST_NAME 24         /* columns that are kept for names on a terminal */

struct level {
	u32 node; /* the parent of this level's nodes */
	u32 next, end;
	u32 mask;     /* bit d: draw a bar at depth d */
	u32 new_mask; /* the same for the lines below the present child */
	u32 printed;
	u64 total, remaining, samples;
};

struct printer {
	struct out *o;
	struct chain_tree *t;
	const struct chain_text *text;
	const struct chain_option *opt;
	const struct chain_children *children;
	u64 least;
	size_t margin; /* blanks after MARGIN */
	struct level *levels;
	size_t nr, cap;
};

bool chain_skips_own(const char *sort_keys, const char *fields)
{
	return !fields && sort_keys && !strncmp(sort_keys, "sym", 3);
}

/* perf shifts an int, which x86 does by depth modulo 32: deeper trees share bars. */
static u32 bar(u32 depth)
{
	return 1u << (depth & 31);
}

static bool is_wanted(void *arg, const struct chain_node *n, const struct chain_node *parent)
{
	const struct printer *p = arg;

	/* perf rounds up here, which changes nothing for whole numbers */
	if (p->opt->mode == CHAIN_FRACTAL)
		return (double)chain_node_total(n) >=
		       (double)parent->below * (p->opt->min_percent / 100);
	/* no part of a chain weighs more than its first node, so one limit fits all levels */
	return chain_node_total(n) >= p->least;
}

/* Appends text of prep itself, which is not escaped. */
static void put_own(struct out *o, const char *s)
{
	out_raw(o, s, strlen(s));
}

static void put_percent(struct printer *p, double percent)
{
	const char *color = percent >= 5.0 ? "\033[31m" : percent > 0.5 ? "\033[32m" : NULL;

	if (!p->text->color)
		color = NULL;
	if (color)
		put_own(p->o, color);
	out_printf(p->o, "%.2f%%", percent);
	if (color)
		out_str(p->o, "\033[m");
}

static void put_value(struct printer *p, u64 period, u64 samples, u64 total)
{
	switch (p->opt->value) {
	case CHAIN_COUNT: out_dec(p->o, samples, 0); break;
	case CHAIN_PERIOD: out_dec(p->o, period, 0); break;
	case CHAIN_PERCENT:
		put_percent(p, total ? (double)period * 100.0 / (double)total : 0.0);
		break;
	}
}

static void put_limited(struct out *o, const char *s, size_t *room)
{
	size_t n = strnlen(s, *room);

	out_mem(o, s, n);
	*room -= n;
}

static void put_frame(struct printer *p, u32 id)
{
	struct chain_frame f;
	size_t room = CHAIN_NAME_MAX;

	chain_tree_describe(p->t, id, &f);
	if (!f.name) {
		if (f.ip)
			out_str(p->o, "0x");
		out_hex(p->o, f.ip, 0);
		return;
	}
	put_limited(p->o, f.name, &room);
	if (f.srcline && p->opt->key != CHAIN_KEY_FUNCTION) {
		put_limited(p->o, " ", &room);
		put_limited(p->o, f.srcline, &room);
	}
	if (f.inlined)
		put_limited(p->o, " (inlined)", &room);
}

/* Columns of the line so far. Colours take none. */
static unsigned int columns_of_line(const struct out *o)
{
	unsigned int columns = 0;
	size_t i = o->len;

	while (i && o->buf[i - 1] != '\n')
		i--;
	for (; i < o->len; i++) {
		if (o->buf[i] == '\033')
			while (i < o->len && o->buf[i] != 'm')
				i++;
		else
			columns++;
	}
	return columns;
}

/* Shortens the name that begins at `start` and ends the line so that the line fits. */
static void fit_name(struct printer *p, size_t start, unsigned int before)
{
	unsigned int room = p->text->columns - 1;
	size_t n = p->o->len - start;
	char *name;

	room = room > before + LEAST_NAME ? room - before : LEAST_NAME;
	if (escape_columns(p->o->buf + start, n) <= room)
		return;
	name = xstrndup(p->o->buf + start, n);
	p->o->len = start;
	function_name_fit(p->o, name, n, room);
	free(name);
}

static void put_node_frame(struct printer *p, const struct chain_node *n, u32 i)
{
	bool fits = !p->text->columns || p->opt->mode == CHAIN_FOLDED;
	unsigned int before = fits ? 0 : columns_of_line(p->o);
	size_t start = p->o->len;

	put_frame(p, chain_tree_frame_id(p->t, n, i));
	if (!fits)
		fit_name(p, start, before);
}

static void put_margin(struct printer *p)
{
	out_str(p->o, MARGIN);
	out_fill(p->o, ' ', p->margin);
}

/*
 * How many of the bars of this depth are left out, so that names have room on the terminal. The
 * margin shows the number instead.
 */
static u32 hidden_bars(const struct printer *p, u32 depth)
{
	size_t used = strlen(MARGIN) + p->margin + LEAST_NAME;
	u32 fit;

	if (!p->text->columns)
		return 0;
	fit = p->text->columns > used ? (u32)(p->text->columns - used) / BAR_COLUMNS : 0;
	fit = fit ? fit : 1;
	return depth > fit ? depth - fit : 0;
}

static void put_bars(struct printer *p, u32 depth, u32 hidden, u32 mask)
{
	if (hidden)
		out_printf(p->o, "  +%-*u", (int)(strlen(MARGIN) + p->margin) - 3, hidden);
	else
		put_margin(p);
	for (u32 d = hidden; d < depth; d++)
		out_str(p->o, mask & bar(d) ? "|          " : "           ");
}

/* Appends the start of a node's first line: bars, and the share after the last bar. */
static void put_fork(struct printer *p, u32 depth, u32 mask, u64 period, u64 samples, u64 total)
{
	put_bars(p, depth - 1, hidden_bars(p, depth), mask);
	out_char(p->o, mask & bar(depth - 1) ? '|' : ' ');
	out_str(p->o, "--");
	put_value(p, period, samples, total);
	out_str(p->o, "--");
}

static void put_run(struct printer *p, const struct chain_node *n, u32 depth, const struct level *l)
{
	put_bars(p, depth, hidden_bars(p, depth), l->mask);
	out_char(p->o, '\n');
	put_fork(p, depth, l->new_mask, chain_node_total(n), n->samples + n->samples_below,
		 l->total);
	for (u32 i = 0; i < n->nr; i++) {
		if (i)
			put_bars(p, depth, hidden_bars(p, depth), l->new_mask);
		put_node_frame(p, n, i);
		out_char(p->o, '\n');
	}
}

/* The wanted children of a node, by weight for a graph. */
static void push_level(struct printer *p, u32 node, u64 total, u32 mask, bool by_total)
{
	const struct chain_children *c = p->children;
	struct level l = {
		.node = node,
		.next = c->start[node],
		.end = c->start[node + 1],
		.mask = mask,
		.new_mask = mask,
		.total = total,
		.remaining = total,
	};

	chain_tree_sort(p->t, c->ids + l.next, l.end - l.next, by_total);
	vec_push(p->levels, p->nr, p->cap, l);
}

/* Appends the line for the children that a level of a fractal graph leaves out. */
static void put_rest(struct printer *p, struct level *l, u32 depth)
{
	u64 samples = 0;

	if (p->opt->mode != CHAIN_FRACTAL || !l->remaining || l->remaining == l->total)
		return;
	if (p->opt->value == CHAIN_COUNT) {
		samples = chain_tree_node(p->t, l->node)->samples_below - l->samples;
		if ((s64)samples <= 0)
			return;
	}
	put_fork(p, depth, l->new_mask & ~bar(depth - 1), l->remaining, samples, l->total);
	out_str(p->o, "[...]\n");
}

static void put_levels(struct printer *p)
{
	while (p->nr) {
		u32 depth = (u32)p->nr;
		struct level *l = &p->levels[p->nr - 1];
		const struct chain_node *n;
		u32 child;

		if (l->next == l->end ||
		    (p->opt->print_limit && l->printed == p->opt->print_limit)) {
			put_rest(p, l, depth);
			p->nr--;
			continue;
		}
		child = p->children->ids[l->next++];
		n = chain_tree_node(p->t, child);
		l->printed++;
		l->remaining -= chain_node_total(n);
		l->samples += n->samples + n->samples_below;
		/* the last child ends the bar unless a line for the rest follows */
		if (l->next == l->end && (p->opt->mode != CHAIN_FRACTAL || !l->remaining))
			l->new_mask &= ~bar(depth - 1);
		put_run(p, n, depth, l);
		push_level(p, child, p->opt->mode == CHAIN_FRACTAL ? n->below : l->total,
			   l->new_mask | bar(depth), true);
	}
}

/* True for a lone root that holds the whole entry: its share would repeat the entry's. */
static bool put_lone_root(struct printer *p, const struct chain_node *n)
{
	u32 printed = 0;

	for (u32 i = p->text->skip_own; i < n->nr; i++) {
		put_margin(p);
		if (!printed) {
			out_str(p->o, "|\n");
			put_margin(p);
			out_str(p->o, "---");
			p->margin = 3;
		}
		put_node_frame(p, n, i);
		out_char(p->o, '\n');
		if (++printed == p->opt->print_limit)
			break;
	}
	return printed;
}

static void put_graph(struct printer *p)
{
	const struct chain_children *c = p->children;
	u32 top = CHAIN_ROOT;
	bool printed = false;

	if (c->start[CHAIN_ROOT + 1] - c->start[CHAIN_ROOT] == 1) {
		u32 root = c->ids[c->start[CHAIN_ROOT]];
		const struct chain_node *n = chain_tree_node(p->t, root);

		if (chain_node_total(n) == p->text->entry_period) {
			printed = put_lone_root(p, n);
			top = root;
		}
	}
	printed |= c->start[top + 1] != c->start[top];
	push_level(p, top, p->opt->mode == CHAIN_FRACTAL ? p->text->entry_period : p->text->total,
		   bar(0), true);
	put_levels(p);
	if (printed)
		out_char(p->o, '\n');
}

struct chain_end {
	u64 hit;
	u32 node;
	u32 rank; /* in the order found: larger hits first, but equal ones stay as they were */
};

static int by_hit(const void *a, const void *b)
{
	const struct chain_end *x = a, *y = b;

	if (x->hit != y->hit)
		return x->hit > y->hit ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

/* Collects the nodes where chains end and that reach the limit, children before parents. */
static struct chain_end *find_ends(struct printer *p, size_t *ret_nr)
{
	struct chain_end *ends = NULL;
	size_t nr = 0, cap = 0;
	const struct chain_node *n;
	struct level *l;

	push_level(p, CHAIN_ROOT, 0, 0, false);
	while (p->nr) {
		l = &p->levels[p->nr - 1];
		if (l->next < l->end) {
			push_level(p, p->children->ids[l->next++], 0, 0, false);
			continue;
		}
		n = chain_tree_node(p->t, l->node);
		if (n->hit && n->hit >= p->least) {
			struct chain_end end = { n->hit, l->node, (u32)nr };

			vec_push(ends, nr, cap, end);
		}
		p->nr--;
	}
	if (nr)
		qsort(ends, nr, sizeof(*ends), by_hit);
	*ret_nr = nr;
	return ends;
}

/* Stores the nodes from the root to this one in levels. */
static void find_path(struct printer *p, u32 node)
{
	struct level l = { 0 };
	size_t i;

	for (p->nr = 0; node != CHAIN_ROOT; node = chain_tree_node(p->t, node)->parent) {
		l.node = node;
		vec_push(p->levels, p->nr, p->cap, l);
	}
	for (i = 0; i < p->nr / 2; i++) {
		l = p->levels[i];
		p->levels[i] = p->levels[p->nr - 1 - i];
		p->levels[p->nr - 1 - i] = l;
	}
}

static void put_path(struct printer *p, const char *before, const char *between, const char *after)
{
	bool first = true;

	for (size_t i = 0; i < p->nr; i++) {
		const struct chain_node *n = chain_tree_node(p->t, p->levels[i].node);

		for (u32 k = 0; k < n->nr; k++) {
			put_own(p->o, first ? before : between);
			first = false;
			put_node_frame(p, n, k);
		}
	}
	put_own(p->o, after);
	p->nr = 0;
}

/* Prints whole chains, the heaviest first: flat with a line per frame, or folded on one line. */
static void put_chains(struct printer *p)
{
	bool folded = p->opt->mode == CHAIN_FOLDED;
	const char *sep = p->text->separator ? p->text->separator : ";";
	size_t nr, i;
	struct chain_end *ends = find_ends(p, &nr);

	if (p->opt->print_limit && nr > p->opt->print_limit)
		nr = p->opt->print_limit;
	for (i = 0; i < nr; i++) {
		const struct chain_node *n = chain_tree_node(p->t, ends[i].node);

		if (folded) {
			put_value(p, n->hit, n->samples, p->text->total);
		} else {
			out_str(p->o, "           ");
			put_value(p, chain_node_total(n), n->samples + n->samples_below,
				  p->text->total);
			out_char(p->o, '\n');
		}
		find_path(p, ends[i].node);
		if (folded)
			put_path(p, " ", sep, "\n");
		else
			put_path(p, "                ", "\n                ", "\n\n");
	}
	free(ends);
}

void chain_print(struct out *o, struct chain_tree *t, const struct chain_text *text)
{
	struct printer p = { .o = o, .t = t, .text = text, .opt = chain_tree_option(t) };

	if (p.opt->mode == CHAIN_NONE || !chain_tree_nr_rows(t))
		return;
	p.least = chain_option_least(p.opt, text->limit_total);
	p.children = chain_tree_index(t, is_wanted, &p);
	if (p.opt->mode == CHAIN_FLAT || p.opt->mode == CHAIN_FOLDED)
		put_chains(&p);
	else
		put_graph(&p);
	free(p.levels);
}
