/* SPDX-License-Identifier: MIT */
/* The streams of samples by time. */
#include "picture/page_priv.h"

#define MOST_EXACT 9007199254740992.0 /* 2^53: whole numbers of a script are exact up to it */

static int compare_times(const void *a, const void *b)
{
	const struct page_sample *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Sorts by lane, then by time. Samples mostly come in the order of time. */
static struct page_sample *sort_samples(struct page *p)
{
	struct page_sample *sorted = xcalloc(p->nr_samples + 1, sizeof(*sorted));
	size_t *starts = xcalloc(p->nr_lanes + 2, sizeof(*starts));
	size_t first = 0;

	for (size_t i = 0; i < p->nr_samples; i++)
		p->lanes[p->samples[i].lane].nr++;
	for (size_t i = 0; i < p->nr_lanes; i++)
		starts[i + 1] = starts[i] + p->lanes[i].nr;
	for (size_t i = 0; i < p->nr_samples; i++)
		sorted[starts[p->samples[i].lane]++] = p->samples[i];
	for (size_t i = 0; i < p->nr_lanes; i++) {
		size_t end = first + p->lanes[i].nr;

		for (size_t k = first + 1; k < end; k++)
			if (sorted[k].time < sorted[k - 1].time) {
				qsort(sorted + first, end - first, sizeof(*sorted), compare_times);
				break;
			}
		first = end;
	}
	free(starts);
	return sorted;
}

struct leaf_use {
	u32 node, place;
	u32 samples;
	u32 command; /* place of the node below the top that it belongs to */
};

static int compare_leaves(const void *a, const void *b)
{
	const struct leaf_use *x = a, *y = b;

	if (x->command != y->command)
		return x->command < y->command ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Whether a reader of the page can count the uses by adding up the columns of samples. */
static bool are_columns(const struct page *p, const u32 *samples)
{
	u64 sum;

	/* the page's script sorts by one number for uses and place */
	if ((double)p->nr_samples * (double)p->nr_nodes >= MOST_EXACT)
		return false;
	for (size_t i = 0; i < p->nr_nodes; i++) {
		sum = 0;
		for (size_t k = 0; k < p->nr_columns; k++) {
			const struct page_column *c = &p->columns[k];

			if (c->unit == PAGE_SAMPLES && i < c->cap)
				sum += c->self[i];
		}
		if (sum != samples[i])
			return false;
	}
	return true;
}

/* The nodes that stacks of samples end in, in the order of the stream "leaf". */
static struct leaf_use *list_leaves(const struct page *p, const u32 *places, const u32 *samples,
				    size_t *ret_nr)
{
	u32 *commands = table_alloc_any(page_nodes_size(p));
	struct leaf_use *uses;
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_nodes; i++)
		nr += samples[i] != 0;
	uses = xcalloc(nr + 1, sizeof(*uses));
	nr = 0;
	/* parents have lower numbers than their children */
	for (u32 i = 0; i < p->nr_nodes; i++) {
		u32 parent = i ? p->nodes[i].parent : PAGE_TOP;

		commands[i] = parent == PAGE_TOP ? places[i] : commands[parent];
		if (samples[i])
			uses[nr++] = (struct leaf_use){ i, places[i], samples[i], commands[i] };
	}
	table_free(commands, page_nodes_size(p));
	qsort(uses, nr, sizeof(*uses), compare_leaves);
	*ret_nr = nr;
	return uses;
}

/* Where a stack is in the stream "leaf". */
struct leaf_place {
	u32 command; /* number of its list */
	u32 place;   /* in the list */
};

/* Writes the stream "leaf", unless the columns tell the same. Returns the places by node, in
 * a table. */
static struct leaf_place *encode_leaves(struct page *p, const u32 *places)
{
	u32 *samples = table_alloc(page_nodes_size(p));
	struct leaf_place *leaves = table_alloc(p->nr_nodes * sizeof(*leaves));
	size_t from = p->block.n, nr;
	struct leaf_place at = { 0 };
	struct leaf_use *uses;

	for (size_t i = 0; i < p->nr_samples; i++)
		samples[p->samples[i].node]++;
	p->leaves_known = are_columns(p, samples);
	uses = list_leaves(p, places, samples, &nr);
	for (size_t i = 0; i < nr; i++) {
		if (i && uses[i].command != uses[i - 1].command)
			at = (struct leaf_place){ .command = at.command + 1 };
		leaves[uses[i].node] = at;
		at.place++;
		if (!p->leaves_known)
			page_put_int(&p->block, uses[i].place);
	}
	p->nr_leaves = (u32)nr;
	if (!p->leaves_known)
		page_end_stream(p, "leaf", from);
	free(uses);
	table_free(samples, page_nodes_size(p));
	return leaves;
}

/* Writes the streams of which commands the samples of each lane have, and of their stacks. */
static void encode_stacks(struct page *p, const struct page_sample *sorted,
			  const struct leaf_place *leaves)
{
	u64 *stacks = xcalloc(p->nr_samples + 1, sizeof(*stacks));
	struct wbuf turns = { 0 };
	size_t from = p->block.n, at = 0;

	for (size_t i = 0; i < p->nr_lanes; i++) {
		u64 nr = 0;

		for (size_t end = at + p->lanes[i].nr; at < end;) {
			u32 command = leaves[sorted[at].node].command;
			size_t first = at;

			for (; at < end && leaves[sorted[at].node].command == command; at++)
				stacks[at] = leaves[sorted[at].node].place;
			page_put_int(&turns, command);
			page_put_int(&turns, at - first);
			nr++;
		}
		page_put_int(&p->block, nr);
	}
	page_end_stream(p, "turns", from);
	from = p->block.n;
	wb_mem(&p->block, turns.p, turns.n);
	page_end_stream(p, "turn", from);
	page_put_stream(p, "stack", stacks, p->nr_samples);
	wb_fini(&turns);
	free(stacks);
}

static void encode_times(struct page *p, const struct page_sample *sorted)
{
	u64 *steps = xcalloc(p->nr_samples + 1, sizeof(*steps));
	size_t at = 0;

	for (size_t i = 0; i < p->nr_lanes; i++) {
		u64 before = 0;

		for (size_t end = at + p->lanes[i].nr; at < end; at++) {
			u64 time = sorted[at].time > p->first ? sorted[at].time - p->first : 0;

			time /= p->quantum;
			steps[at] = time - before;
			before = time;
		}
		p->last = before > p->last ? before : p->last;
	}
	page_put_stream(p, "time", steps, p->nr_samples);
	free(steps);
}

static u64 gcd_of_event(const struct page *p, u32 event)
{
	for (size_t i = 0; i < p->nr_columns; i++)
		if (p->columns[i].event == event && p->columns[i].unit != PAGE_SAMPLES)
			return p->columns[i].gcd;
	return 1;
}

void page_find_sums(struct page *p)
{
	size_t size = p->nr_nodes * sizeof(u64);
	u64 *sums = p->quantum && p->weighted ? table_alloc_any(size) : NULL;

	for (u32 i = 0; sums && i < p->nr_columns; i++) {
		struct page_column *c = &p->columns[i];
		u64 gcd = gcd_of_event(p, c->event);

		c->summed = c->unit != PAGE_SAMPLES && c->gcd == gcd && c->like == UINT32_MAX;
		for (size_t k = 0; k < p->nr_columns; k++)
			c->summed &= p->columns[k].like != i;
		if (!c->summed)
			continue;
		memset(sums, 0, size);
		for (size_t k = 0; k < p->nr_samples; k++)
			if (p->lanes[p->samples[k].lane].event == c->event)
				sums[p->samples[k].node] += p->samples[k].weight / gcd;
		for (size_t k = 0; k < p->nr_nodes && c->summed; k++)
			c->summed = sums[k] == (k < c->cap && c->self[k] ? c->self[k] / gcd : 0);
	}
	table_free(sums, size);
}

static void encode_weights(struct page *p, const struct page_sample *sorted)
{
	u64 *weights = xcalloc(p->nr_samples + 1, sizeof(*weights));
	size_t from = p->block.n, at = 0;

	for (size_t i = 0; i < p->nr_samples; i++)
		p->counted |= sorted[i].count != 1;
	for (size_t i = 0; i < p->nr_samples && p->counted; i++)
		page_put_int(&p->block, sorted[i].count);
	if (p->counted)
		page_end_stream(p, "count", from);
	for (size_t i = 0; i < p->nr_lanes && p->weighted; i++) {
		u64 gcd = gcd_of_event(p, p->lanes[i].event);

		for (size_t end = at + p->lanes[i].nr; at < end; at++)
			weights[at] = sorted[at].weight / gcd;
	}
	if (p->weighted)
		page_put_stream(p, "weight", weights, p->nr_samples);
	free(weights);
}

void page_encode_samples(struct page *p, const u32 *places)
{
	struct page_sample *sorted = sort_samples(p);
	struct leaf_place *leaves = encode_leaves(p, places);

	encode_times(p, sorted);
	encode_stacks(p, sorted, leaves);
	encode_weights(p, sorted);
	free(sorted);
	table_free(leaves, p->nr_nodes * sizeof(*leaves));
}
