/* SPDX-License-Identifier: MIT */
#include "report/tui/graph/flame_boxes.h"

#include <math.h>

/* ---- the tree */

u32 flame_ancestor(const struct flame *f, u32 node, u32 depth)
{
	u32 n = 0;

	while (f->depth[n] < depth) {
		n++;
		while (f->end[n] <= node)
			n = f->end[n];
	}
	return n;
}

u32 flame_parent(const struct flame *f, u32 node)
{
	return node ? flame_ancestor(f, node, f->depth[node] - 1) : 0;
}

u32 flame_heaviest(const struct flame *f, u32 node, unsigned side)
{
	u32 best = 0;

	for (u32 n = node + 1; n < f->end[node]; n = f->end[n])
		if (!best || f->total[side][n] > f->total[side][best])
			best = n;
	return best;
}

u32 flame_deepest(const struct flame *f, u32 node)
{
	u32 depth = f->depth[node];

	for (u32 n = node + 1; n < f->end[node]; n++)
		if (f->depth[n] > depth)
			depth = f->depth[n];
	return depth;
}

/* ---- cells */

/* The first cell whose middle is not before a place. */
static int cell_of(double place)
{
	return (int)ceil(place - 0.5);
}

static void add_box(struct flame_boxes *b, u32 node, u32 line, double from, double to)
{
	struct flame_box box = {
		.node = node, .line = line, .from = cell_of(from), .to = cell_of(to), .end = to
	};

	vec_push(b->items, b->nr, b->cap, box);
}

static void add_ancestors(struct flame_boxes *b, const struct flame *f,
			  const struct flame_part *part)
{
	u32 depth = f->depth[part->zoom], line;

	for (line = part->first; line < depth && line - part->first < part->nr; line++)
		add_box(b, flame_ancestor(f, part->zoom, line), line, 0, part->cols);
}

void flame_boxes_lay(struct flame_boxes *b, const struct flame *f, const struct flame_part *part)
{
	const u64 *total = f->total[part->side];
	u32 base = f->depth[part->zoom], last = part->first + part->nr;
	double scale = total[part->zoom] ? part->cols / (double)total[part->zoom] : 0;

	b->nr = 0;
	add_ancestors(b, f, part);
	vec_reserve(b->starts, b->cap_starts, (size_t)(last > base ? last - base : 0) + 2);
	b->starts[0] = 0;
	for (u32 n = part->zoom; n < f->end[part->zoom];) {
		u32 depth = f->depth[n] - base;
		u64 start = b->starts[depth], end = start + total[n];
		double from = (double)start * scale, to = (double)end * scale;

		b->starts[depth] = end;
		if (f->depth[n] >= last || cell_of(from) >= cell_of(to)) {
			n = f->end[n];
			continue;
		}
		if (f->depth[n] >= part->first)
			add_box(b, n, f->depth[n], from, to);
		b->starts[depth + 1] = start;
		n++;
	}
}

void flame_boxes_fini(struct flame_boxes *b)
{
	free(b->items);
	free(b->starts);
	*b = (struct flame_boxes){ 0 };
}

const struct flame_box *flame_boxes_at(const struct flame_boxes *b, u32 line, int col)
{
	for (size_t i = 0; i < b->nr; i++)
		if (b->items[i].line == line && b->items[i].from <= col && col < b->items[i].to)
			return &b->items[i];
	return NULL;
}

const struct flame_box *flame_boxes_of(const struct flame_boxes *b, u32 node)
{
	for (size_t i = 0; i < b->nr; i++)
		if (b->items[i].node == node)
			return &b->items[i];
	return NULL;
}
