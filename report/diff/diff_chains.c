/* SPDX-License-Identifier: MIT */
#include "report/diff/diff_chains.h"

#include "base/mem.h"
#include "count/counts.h"
#include "report/diff/diff_order.h"

#define NONE UINT32_MAX
#define ROOT 0

/* A function in the tree. The cells of node i begin at diff_chains.first_cell + i * sides. */
struct node {
	u32 name;   /* text id of diff_table.texts */
	u32 parent; /* ROOT's is NONE */
};

/* A node to be printed. */
struct pending {
	u32 node, depth;
};

struct diff_chains {
	struct diff_table *t;
	const struct chain_option *opt;
	u32 **first;       /* by side and row (its number of keys): the first counted row; NONE */
	u32 **next;        /* by side and counted row: the next one of the same row; NONE */
	size_t first_cell; /* in t->cells: cells behind this belong to nodes */
	struct tuple_table ids; /* {parent, name} -> node - 1 */
	struct node *nodes;
	size_t nr_nodes, cap_nodes;
	struct diff_row *sorted; /* scratch: children of a node */
	struct pending *stack;   /* nodes that are still to be printed, the next one last */
	size_t nr_stack, cap_stack;
	struct diff_chain_line *lines;
	size_t nr_lines, cap_lines;
};

/* ---- which counted rows belong to a row */

static void link_rows(struct diff_chains *c, size_t side, u32 nr_rows)
{
	struct hist *h = &c->t->hists[side];
	size_t nr = h->d->counts->nr_rows;

	c->first[side] = xmalloc(((size_t)nr_rows + 1) * sizeof(u32));
	c->next[side] = xmalloc((nr + 1) * sizeof(u32));
	for (u32 i = 0; i < nr_rows; i++)
		c->first[side][i] = NONE;
	for (size_t i = nr; i--;) { /* backwards: lists are in the order of the recording */
		u32 row = diff_row_of_counted(c->t, side, (u32)i);

		if (row == DIFF_ABSENT)
			continue;
		c->next[side][i] = c->first[side][row];
		c->first[side][row] = (u32)i;
	}
}

struct diff_chains *diff_chains_new(struct diff_table *t, const struct chain_option *opt)
{
	struct diff_chains *c = xcalloc(1, sizeof(*c));

	c->t = t;
	c->opt = opt;
	c->first_cell = t->nr_cells;
	c->first = xcalloc(t->nr_sides, sizeof(*c->first));
	c->next = xcalloc(t->nr_sides, sizeof(*c->next));
	tuple_table_init(&c->ids, 2, 0);
	for (size_t i = 0; i < t->nr_sides; i++)
		if (diff_side_has_event(t, i))
			link_rows(c, i, (u32)t->keys.nr);
	return c;
}

void diff_chains_free(struct diff_chains *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->t->nr_sides; i++) {
		free(c->first[i]);
		free(c->next[i]);
	}
	free(c->first);
	free(c->next);
	tuple_table_fini(&c->ids);
	free(c->nodes);
	free(c->sorted);
	free(c->stack);
	free(c->lines);
	free(c);
}

/* ---- the tree */

static u32 add_node(struct diff_chains *c, u32 parent, u32 name)
{
	const struct diff_cell absent = { .entry = DIFF_ABSENT };

	vec_push(c->nodes, c->nr_nodes, c->cap_nodes, ((struct node){ name, parent }));
	for (size_t i = 0; i < c->t->nr_sides; i++)
		vec_push(c->t->cells, c->t->nr_cells, c->t->cap_cells, absent);
	return (u32)c->nr_nodes - 1;
}

static u32 child_of(struct diff_chains *c, u32 parent, u32 name)
{
	const u64 tuple[2] = { parent, name };
	u32 id = tuple_table_id(&c->ids, tuple);

	return id + 1 < c->nr_nodes ? id + 1 : add_node(c, parent, name);
}

static struct diff_cell *cell_of(const struct diff_chains *c, u32 node, size_t side)
{
	return &c->t->cells[c->first_cell + node * c->t->nr_sides + side];
}

static u32 frame_name(struct diff_chains *c, size_t side, u32 frame)
{
	struct hist_data *d = c->t->hists[side].d;
	const struct frame *fr = hist_frame(d, frame);
	const char *object = fr->map ? hist_text(d, hist_data_dso(d, fr->map)) : "[unknown]";
	char *text;
	u32 id;

	if (fr->has_sym)
		return intern_str(&c->t->texts, fr->sym->name);
	if (*object == '[')
		return intern_str(&c->t->texts, object);
	text = xasprintf("[%s]", object);
	id = intern_str(&c->t->texts, text);
	free(text);
	return id;
}

/* Returns frame number i of a stack with all its repetitions, leaf 0. */
static u32 frame_at(const struct hist_stack *st, u32 i)
{
	return st->ids[i < st->nr ? i : st->nr - st->turn + (i - st->nr) % st->turn];
}

/* Adds a counted row's stack, in the order of display, without the function that the row names. */
static void add_stack(struct diff_chains *c, size_t side, u32 counted)
{
	struct hist *h = &c->t->hists[side];
	const struct count_row *r = &h->d->counts->rows[counted];
	struct hist_stack st = hist_stack_of(h->stacks, counted);
	u32 nr = st.nr + st.more, skip = 0, node = ROOT;

	if (h->layout->flags & KEY_SYMBOL && nr)
		skip = frame_name(c, side, st.ids[0]) == frame_name(c, side, st.own);
	for (u32 i = skip; i < nr; i++) {
		u32 at = c->opt->order == CHAIN_CALLER ? nr - 1 - i + skip : i;
		struct diff_cell *cell;

		node = child_of(c, node, frame_name(c, side, frame_at(&st, at)));
		cell = cell_of(c, node, side);
		cell->entry = 0;
		cell->period += r->period;
		cell->samples += r->samples;
		cell->squares += diff_squares_of(r);
	}
}

static void make_tree(struct diff_chains *c, const struct diff_row *r)
{
	c->nr_nodes = 0;
	c->t->nr_cells = c->first_cell;
	tuple_table_fini(&c->ids);
	tuple_table_init(&c->ids, 2, 0);
	add_node(c, NONE, 0);
	for (size_t side = 0; side < c->t->nr_sides; side++) {
		u32 i = c->first[side] ? c->first[side][r->keys] : NONE;

		for (; i != NONE; i = c->next[side][i])
			add_stack(c, side, i);
	}
	free(c->sorted);
	c->sorted = xcalloc(c->nr_nodes + 1, sizeof(*c->sorted));
}

/* ---- its lines */

static struct diff_row row_of(const struct diff_chains *c, u32 node)
{
	return (struct diff_row){ .cells = (u32)(c->first_cell + node * c->t->nr_sides),
				  .keys = node };
}

/* Adds the children of a node that are shown to the stack of nodes to be printed. */
static void push_children(struct diff_chains *c, const u32 *start, const u32 *children, u32 node,
			  u32 depth)
{
	u32 nr = 0, limit = c->opt->print_limit;

	for (u32 i = start[node]; i < start[node + 1]; i++) {
		struct diff_row r = row_of(c, children[i]);

		if (diff_row_reaches(c->t, &r, c->opt->min_percent))
			c->sorted[nr++] = r;
	}
	diff_order_chain_rows(c->t, c->sorted, nr);
	if (limit && nr > limit)
		nr = limit;
	for (u32 i = nr; i--;)
		vec_push(c->stack, c->nr_stack, c->cap_stack,
			 ((struct pending){ c->sorted[i].keys, depth + (nr > 1) }));
}

/* Sorts nodes by parent: the children of node n are ret[start[n]] up to ret[start[n + 1]]. */
static u32 *children_by_parent(const struct diff_chains *c, u32 *start)
{
	u32 *ret = xcalloc(c->nr_nodes + 1, sizeof(*ret)), i;

	for (i = 1; i < c->nr_nodes; i++)
		start[c->nodes[i].parent + 2]++;
	for (i = 2; i < c->nr_nodes + 2; i++)
		start[i] += start[i - 1];
	for (i = 1; i < c->nr_nodes; i++)
		ret[start[c->nodes[i].parent + 1]++] = i;
	return ret;
}

const struct diff_chain_line *diff_chains_of(struct diff_chains *c, const struct diff_row *r,
					     size_t *ret_nr)
{
	u32 *start, *children;

	make_tree(c, r);
	start = xcalloc(c->nr_nodes + 2, sizeof(*start));
	children = children_by_parent(c, start);
	c->nr_lines = c->nr_stack = 0;
	push_children(c, start, children, ROOT, 0);
	while (c->nr_stack) {
		struct pending p = c->stack[--c->nr_stack];
		struct diff_chain_line line = { row_of(c, p.node),
						intern_text(&c->t->texts, c->nodes[p.node].name),
						p.depth };

		vec_push(c->lines, c->nr_lines, c->cap_lines, line);
		push_children(c, start, children, p.node, p.depth);
	}
	free(start);
	free(children);
	*ret_nr = c->nr_lines;
	return c->lines;
}
