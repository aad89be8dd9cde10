/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"
#include "picture/page_priv.h"

#define SHORT_LIST 16 /* children that are faster sorted by moving them one by one */

struct text_rank {
	const char *text;
	u32 name;
};

static int compare_texts(const void *a, const void *b)
{
	const struct text_rank *x = a, *y = b;
	int c = strcmp(x->text, y->text);

	return c ? c : (x->name > y->name) - (x->name < y->name);
}

/* By name: its place in the order of the texts. */
static u32 *rank_names(const struct page *p)
{
	struct text_rank *sorted = xcalloc(p->nr_names + 1, sizeof(*sorted));
	u32 *ranks = xcalloc(p->nr_names + 1, sizeof(*ranks));

	for (size_t i = 0; i < p->nr_names; i++)
		sorted[i] = (struct text_rank){ intern_text(&p->texts, p->names[i].text), (u32)i };
	qsort(sorted, p->nr_names, sizeof(*sorted), compare_texts);
	for (size_t i = 0; i < p->nr_names; i++)
		ranks[sorted[i].name] = (u32)i;
	free(sorted);
	return ranks;
}

static int compare_keys(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

/* Children of a node in the order that they were made, with the ranks of their names above them. */
static void sort_children(u64 *keys, size_t nr)
{
	if (nr > SHORT_LIST) {
		qsort(keys, nr, sizeof(*keys), compare_keys);
		return;
	}
	for (size_t i = 1; i < nr; i++) {
		u64 key = keys[i];
		size_t k = i;

		for (; k && keys[k - 1] > key; k--)
			keys[k] = keys[k - 1];
		keys[k] = key;
	}
}

u32 *page_order(const struct page *p)
{
	size_t ends_size = (p->nr_nodes + 1) * sizeof(u32), keys_size = p->nr_nodes * sizeof(u64);
	u32 *ranks = rank_names(p), *order = table_alloc_any(page_nodes_size(p));
	u32 *ends = table_alloc(ends_size); /* of a node's children in keys */
	u64 *keys = table_alloc_any(keys_size);
	u32 *waiting = table_alloc_any(page_nodes_size(p));
	size_t at = 0, nr_waiting = 0;
	u32 node = 0;

	for (size_t i = 1; i < p->nr_nodes; i++)
		ends[p->nodes[i].parent + 1]++;
	for (size_t i = 1; i < p->nr_nodes; i++)
		ends[i] += ends[i - 1];
	for (size_t i = 1; i < p->nr_nodes; i++)
		keys[ends[p->nodes[i].parent]++] = (u64)ranks[p->nodes[i].name] << 32 | i;
	for (size_t i = 0; i < p->nr_nodes; i++)
		sort_children(keys + (i ? ends[i - 1] : 0), ends[i] - (i ? ends[i - 1] : 0));
	for (;;) {
		order[at++] = node;
		for (u32 k = ends[node], first = node ? ends[node - 1] : 0; k-- > first;)
			waiting[nr_waiting++] = (u32)keys[k];
		if (!nr_waiting)
			break;
		node = waiting[--nr_waiting];
	}
	free(ranks);
	table_free(ends, ends_size);
	table_free(keys, keys_size);
	table_free(waiting, page_nodes_size(p));
	return order;
}

u32 *page_depths(const struct page *p)
{
	u32 *depths = table_alloc_any(page_nodes_size(p));

	depths[0] = 0;
	/* parents have lower numbers than their children */
	for (size_t i = 1; i < p->nr_nodes; i++)
		depths[i] = depths[p->nodes[i].parent] + 1;
	return depths;
}

struct name_use {
	u32 name;
	u32 nodes;
};

static int compare_uses(const void *a, const void *b)
{
	const struct name_use *x = a, *y = b;

	if (x->nodes != y->nodes)
		return x->nodes < y->nodes ? 1 : -1;
	return (x->name > y->name) - (x->name < y->name);
}

static void encode_names(struct page *p, const struct name_use *uses)
{
	size_t from = p->block.n;

	for (size_t i = 0; i < p->nr_names; i++)
		page_put_int(&p->block, p->names[uses[i].name].kind);
	page_end_stream(p, "kind", from);
	from = p->block.n;
	for (size_t i = 0; i < p->nr_names; i++)
		page_put_int(&p->block, p->names[uses[i].name].object);
	page_end_stream(p, "object", from);
	from = p->block.n;
	for (size_t i = 0; i < p->nr_names; i++) {
		const char *text = intern_text(&p->texts, p->names[uses[i].name].text);

		wb_mem(&p->block, text, strlen(text));
		if (i + 1 < p->nr_names)
			wb_u8(&p->block, 0);
	}
	page_end_stream(p, "names", from);
}

/* Depths and names of the nodes; names get numbers by how often they are used. */
static void encode_nodes(struct page *p, const u32 *order)
{
	u32 *depths = page_depths(p), *numbers = xcalloc(p->nr_names + 1, sizeof(*numbers));
	struct name_use *uses = xcalloc(p->nr_names + 1, sizeof(*uses));
	size_t from = p->block.n;

	for (size_t i = 1; i < p->nr_nodes; i++) {
		page_put_int(&p->block, depths[order[i - 1]] + 1 - depths[order[i]]);
		p->deepest = depths[i] > p->deepest ? depths[i] : p->deepest;
	}
	page_end_stream(p, "depth", from);
	for (size_t i = 0; i < p->nr_names; i++)
		uses[i].name = (u32)i;
	for (size_t i = 1; i < p->nr_nodes; i++)
		uses[p->nodes[i].name].nodes++;
	qsort(uses, p->nr_names, sizeof(*uses), compare_uses);
	for (size_t i = 0; i < p->nr_names; i++)
		numbers[uses[i].name] = (u32)i;
	page_encode_callees(p, order, numbers);
	encode_names(p, uses);
	table_free(depths, page_nodes_size(p));
	free(numbers);
	free(uses);
}

static u64 gcd_of(u64 a, u64 b)
{
	while (b) {
		u64 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* A node's own weight divided by the column's gcd. Most are 0: a division takes longer than all
 * else. */
static u64 own_of(const struct page_column *c, size_t node)
{
	u64 self = node < c->cap ? c->self[node] : 0;

	return self ? self / c->gcd : 0;
}

/* The greatest divisor of a column's weights, and of the samples that they are sums of. */
static void find_gcd(struct page *p, struct page_column *c, u32 column)
{
	u64 each = 0;
	bool equal = true;

	c->like = UINT32_MAX;
	for (size_t i = 0; i < c->cap && i < p->nr_nodes && c->gcd != 1; i++)
		c->gcd = c->self[i] ? gcd_of(c->self[i], c->gcd) : c->gcd;
	if (c->unit == PAGE_SAMPLES || !c->gcd)
		c->gcd = 1;
	for (size_t i = 0; i < p->nr_samples && c->unit != PAGE_SAMPLES; i++) {
		const struct page_sample *s = &p->samples[i];

		if (p->lanes[s->lane].event != c->event)
			continue;
		each = each ? each : s->weight / s->count;
		equal &= s->weight == each * s->count;
		c->gcd = gcd_of(s->weight, c->gcd);
	}
	if (equal && each)
		c->gcd = each;
	p->weighted |= !equal;
	for (size_t i = 0; i < p->nr_nodes; i++)
		c->total += own_of(c, i);
	for (u32 i = 0; i < column && c->like == UINT32_MAX; i++) {
		const struct page_column *o = &p->columns[i];
		size_t k, nr = p->nr_nodes;

		if (o->event != c->event || o->side != c->side || o->total != c->total)
			continue;
		for (k = 0; k < nr && own_of(c, k) == own_of(o, k);)
			k++;
		if (k == nr)
			c->like = i;
	}
}

/* Columns that are compared with each other are divided by the same number. */
static void share_gcds(struct page *p)
{
	for (size_t i = 0; i < p->nr_columns; i++)
		for (size_t k = i + 1; k < p->nr_columns; k++) {
			struct page_column *a = &p->columns[i], *b = &p->columns[k];
			u64 gcd = gcd_of(a->gcd, b->gcd);

			if (a->event != b->event || a->unit != b->unit || a->gcd == b->gcd)
				continue;
			a->total *= a->gcd / gcd;
			b->total *= b->gcd / gcd;
			a->gcd = b->gcd = gcd;
			a->like = b->like = UINT32_MAX;
		}
}

static void encode_columns(struct page *p, const u32 *order)
{
	for (u32 i = 0; i < p->nr_columns; i++)
		find_gcd(p, &p->columns[i], i);
	share_gcds(p);
	page_find_sums(p);
	for (u32 i = 0; i < p->nr_columns; i++) {
		const struct page_column *c = &p->columns[i];
		size_t from = p->block.n;
		char name[16];

		if (c->like != UINT32_MAX || c->summed)
			continue;
		for (size_t k = 0; k < p->nr_nodes; k++)
			page_put_int(&p->block, own_of(c, order[k]));
		snprintf(name, sizeof(name), "self%u", i);
		page_end_stream(p, name, from);
	}
}

/* The streams of the tree, which are made while others are. */
struct tree_half {
	struct page page; /* a copy with a block of its own; all else is shared with the page */
	const u32 *order;
};

static void encode_tree(void *ctx)
{
	struct tree_half *half = ctx;

	encode_nodes(&half->page, half->order);
}

/* Puts the streams that were made first before those of p. */
static void put_before(struct page *p, struct page *first)
{
	wb_mem(&first->block, p->block.p, p->block.n);
	for (size_t i = 0; i < p->nr_streams; i++)
		vec_push(first->streams, first->nr_streams, first->cap_streams, p->streams[i]);
	wb_fini(&p->block);
	free(p->streams);
	p->block = first->block;
	p->streams = first->streams;
	p->nr_streams = first->nr_streams;
	p->cap_streams = first->cap_streams;
	p->deepest = first->deepest;
}

void page_encode(struct page *p)
{
	u32 *order = page_order(p), *places = table_alloc_any(page_nodes_size(p));
	struct tree_half half = { .page = *p, .order = order };
	struct parallel_task task = { 0 };

	parallel_task_start(&task, p->nr_workers, encode_tree, &half);
	encode_columns(p, order);
	for (size_t i = 0; i < p->nr_nodes; i++)
		places[order[i]] = (u32)i;
	if (p->quantum)
		page_encode_samples(p, places);
	parallel_task_join(&task);
	put_before(p, &half.page);
	table_free(order, page_nodes_size(p));
	table_free(places, page_nodes_size(p));
}
