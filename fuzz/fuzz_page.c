/* SPDX-License-Identifier: MIT */
/*
 * Pages of any tree, weights and samples, decoded again: the streams give what was put in. Input:
 * steps of a letter and its bytes, see take_step(); texts end with a NUL.
 */
#include "base/err.h"
#include "base/mem.h"
#include "picture/page_priv.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

#define MOST 64 /* columns, lanes and such: a page of thousands tells no more */

struct maker {
	const u8 *p;
	size_t left;
	struct page *page;
	u64 sums[MOST]; /* by column */
	size_t nr_names;
	bool counted; /* weights without a time */
};

static u64 take(struct maker *m, unsigned int bytes)
{
	u64 v = 0;

	for (; bytes && m->left; bytes--, m->left--)
		v = v << 8 | *m->p++;
	return v;
}

static char *take_text(struct maker *m)
{
	size_t n = strnlen((const char *)m->p, m->left);
	char *ret = xstrndup((const char *)m->p, n);

	n += n < m->left;
	m->p += n;
	m->left -= n;
	return ret;
}

/* Weights add up to less than 2^64. */
static void take_count(struct maker *m)
{
	u32 column = (u32)take(m, 1), node = (u32)take(m, 2);
	u64 weight = take(m, 6);

	if (!m->page->nr_columns || m->page->quantum)
		return;
	m->counted = true;
	column %= (u32)m->page->nr_columns;
	m->sums[column] += weight;
	page_count(m->page, column, node % (u32)m->page->nr_nodes, weight);
}

static void take_sample(struct maker *m)
{
	struct page_sample s = { .time = take(m, 6), .weight = take(m, 5) };

	s.lane = (u32)take(m, 1);
	s.node = (u32)take(m, 2);
	s.count = 1 + (u32)take(m, 1);
	if (!m->page->nr_lanes || !m->page->quantum || s.time < m->page->first)
		return;
	s.lane %= (u32)m->page->nr_lanes;
	s.node %= (u32)m->page->nr_nodes;
	page_sample(m->page, &s);
	for (u32 i = 0; i < m->page->nr_columns; i++) {
		const struct page_column *c = &m->page->columns[i];
		u64 weight = c->unit == PAGE_SAMPLES ? s.count : s.weight;

		if (c->event != m->page->lanes[s.lane].event)
			continue;
		m->sums[i] += weight;
		page_count(m->page, i, s.node, weight);
	}
}

static void take_lane(struct maker *m)
{
	char *comm = take_text(m);
	struct page *p = m->page;

	if (p->nr_events && p->nr_lanes < MOST)
		page_lane(p, page_thread(p, (u32)take(m, 2), (u32)take(m, 2), comm),
			  (u32)(take(m, 1) % p->nr_events));
	free(comm);
}

static void take_step(struct maker *m)
{
	struct page *p = m->page;
	char *text, *object;

	switch (take(m, 1)) {
	case 'n':
		text = take_text(m);
		object = take_text(m);
		(void)page_name(p, text, *object ? object : NULL,
				(enum page_kind)(take(m, 1) % (PAGE_PROCESS + 1)));
		m->nr_names++;
		free(text);
		free(object);
		break;
	case 'c':
		if (m->nr_names) {
			u32 node = (u32)(take(m, 2) % p->nr_nodes);

			(void)page_child(p, node, (u32)(take(m, 1) % m->nr_names));
		}
		break;
	case 'e':
		text = take_text(m);
		if (p->nr_events < MOST)
			(void)page_event(p, text);
		free(text);
		break;
	case 'k':
		if (p->nr_events && p->nr_columns < MOST)
			(void)page_column(p, (u32)(take(m, 1) % p->nr_events),
					  (unsigned int)take(m, 1) % PAGE_SIDES,
					  (enum page_unit)(take(m, 1) % (PAGE_NS + 1)));
		break;
	case 'w': take_count(m); break;
	case 't':
		if (!p->quantum && !m->counted)
			page_set_time(p, 1 + take(m, 3), take(m, 4));
		break;
	case 'l': take_lane(m); break;
	case 's': take_sample(m); break;
	case 'h':
		text = take_text(m);
		page_set_title(p, text);
		page_set_side(p, 0, text);
		page_about(p, text, text, strlen(text));
		free(text);
		break;
	default: break;
	}
}

/* --- the page again --------------------------------------------------------------------------- */

/* Adds up the numbers of a stream; nr: how many it must have. */
static u64 read_stream(const u8 *p, size_t length, size_t nr)
{
	const u8 *end = p + length;
	u64 sum = 0;

	while (nr--) {
		u64 v = 0;

		for (unsigned int shift = 0;; shift += 7) {
			if (p == end || shift > 63)
				BUG();
			v |= (u64)(*p & 127) << shift;
			if (*p++ < 128)
				break;
		}
		sum += v;
	}
	if (p != end)
		BUG();
	return sum;
}

static void check_names(const u8 *p, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((p[i] && p[i] < ' ') || p[i] == 0x7f)
			BUG();
}

static void check_streams(const struct maker *m)
{
	const struct page *p = m->page;
	const u8 *at = p->block.p;

	if (!at)
		return;

	for (size_t i = 0; i < p->nr_streams; i++) {
		const char *name = p->streams[i].name;
		size_t length = p->streams[i].length;
		unsigned int column;

		if (!strcmp(name, "depth") || !strcmp(name, "name")) {
			(void)read_stream(at, length, p->nr_nodes - 1);
		} else if (sscanf(name, "self%u", &column) == 1) {
			u64 sum = read_stream(at, length, p->nr_nodes);

			if (sum * p->columns[column].gcd != m->sums[column])
				BUG();
		} else if (!strcmp(name, "time") || !strcmp(name, "stack")) {
			if (!p->streams[i].planes)
				(void)read_stream(at, length, p->nr_samples);
			else if (length != p->streams[i].planes * p->nr_samples)
				BUG();
		} else if (!strcmp(name, "names")) {
			check_names(at, length);
		}
		at += length;
	}
	if (at != p->block.p + p->block.n)
		BUG();
}

/* How many elements begin or end. */
static size_t count_tags(const struct out *o)
{
	size_t nr = 0;

	for (size_t i = 0; i < o->len; i++)
		nr += o->buf[i] == '<';
	return nr;
}

static size_t tags_of_empty_page(void)
{
	static size_t nr;
	struct page *p;
	struct out o;

	if (nr)
		return nr;
	p = page_new();
	out_init_mem(&o);
	page_write(p, &o);
	nr = count_tags(&o);
	out_fini(&o);
	page_free(p);
	return nr;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct maker m = { .p = data, .left = size, .page = page_new() };
	struct out o;

	while (m.left)
		take_step(&m);
	out_init_mem(&o);
	page_write(m.page, &o);
	check_streams(&m);
	if (count_tags(&o) != tags_of_empty_page())
		BUG();
	out_fini(&o);
	page_free(m.page);
	return 0;
}
