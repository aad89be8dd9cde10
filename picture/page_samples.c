/* SPDX-License-Identifier: MIT */
/* The streams of samples by time. */
#include "picture/page_priv.h"

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
	u32 node;
	u32 samples;
};

static int compare_leaves(const void *a, const void *b)
{
	const struct leaf_use *x = a, *y = b;

	if (x->samples != y->samples)
		return x->samples < y->samples ? 1 : -1;
	return (x->node > y->node) - (x->node < y->node);
}

/* Writes the stream "leaf". Returns, by node, its place there; the caller frees it. */
static u32 *encode_leaves(struct page *p, const u32 *places)
{
	struct leaf_use *uses = xcalloc(p->nr_nodes, sizeof(*uses));
	u32 *numbers = xcalloc(p->nr_nodes, sizeof(*numbers));
	size_t from = p->block.n;

	for (size_t i = 0; i < p->nr_nodes; i++)
		uses[i].node = (u32)i;
	for (size_t i = 0; i < p->nr_samples; i++)
		uses[p->samples[i].node].samples++;
	qsort(uses, p->nr_nodes, sizeof(*uses), compare_leaves);
	for (; p->nr_leaves < p->nr_nodes && uses[p->nr_leaves].samples; p->nr_leaves++) {
		numbers[uses[p->nr_leaves].node] = p->nr_leaves;
		page_put_int(&p->block, places[uses[p->nr_leaves].node]);
	}
	page_end_stream(p, "leaf", from);
	free(uses);
	return numbers;
}

static void encode_times(struct page *p, const struct page_sample *sorted)
{
	size_t from = p->block.n, at = 0;

	for (size_t i = 0; i < p->nr_lanes; i++) {
		u64 before = 0;

		for (size_t end = at + p->lanes[i].nr; at < end; at++) {
			u64 time = sorted[at].time > p->first ? sorted[at].time - p->first : 0;

			time /= p->quantum;
			page_put_int(&p->block, time - before);
			before = time;
		}
		p->last = before > p->last ? before : p->last;
	}
	page_end_stream(p, "time", from);
}

static u64 gcd_of_event(const struct page *p, u32 event)
{
	for (size_t i = 0; i < p->nr_columns; i++)
		if (p->columns[i].event == event && p->columns[i].unit != PAGE_SAMPLES)
			return p->columns[i].gcd;
	return 1;
}

static void encode_weights(struct page *p, const struct page_sample *sorted)
{
	size_t from = p->block.n, at = 0;

	for (size_t i = 0; i < p->nr_samples; i++)
		p->counted |= sorted[i].count != 1;
	for (size_t i = 0; i < p->nr_samples && p->counted; i++)
		page_put_int(&p->block, sorted[i].count);
	if (p->counted)
		page_end_stream(p, "count", from);
	if (!p->weighted)
		return;
	from = p->block.n;
	for (size_t i = 0; i < p->nr_lanes; i++) {
		u64 gcd = gcd_of_event(p, p->lanes[i].event);

		for (size_t end = at + p->lanes[i].nr; at < end; at++)
			page_put_int(&p->block, sorted[at].weight / gcd);
	}
	page_end_stream(p, "weight", from);
}

void page_encode_samples(struct page *p, const u32 *places)
{
	struct page_sample *sorted = sort_samples(p);
	u32 *numbers = encode_leaves(p, places);
	size_t from;

	encode_times(p, sorted);
	from = p->block.n;
	for (size_t i = 0; i < p->nr_samples; i++)
		page_put_int(&p->block, numbers[sorted[i].node]);
	page_end_stream(p, "stack", from);
	encode_weights(p, sorted);
	free(sorted);
	free(numbers);
}
