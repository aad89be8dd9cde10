/* SPDX-License-Identifier: MIT */
/* What a page is made of, for the files that encode and write it, and their tests. */
#ifndef PICTURE_PAGE_PRIV_H
#define PICTURE_PAGE_PRIV_H

#include "base/intern.h"
#include "base/wbuf.h"
#include "picture/page.h"

struct page_name {
	u32 text;   /* in struct page.texts, escaped */
	u32 object; /* in struct page.objects */
	enum page_kind kind;
};

struct page_node {
	u32 parent, name;
	u32 first; /* its child that was made first; 0: it has none */
};

struct page_column {
	u32 event;
	unsigned int side;
	enum page_unit unit;
	u64 *self; /* by node; grows with the nodes that are counted */
	size_t cap;
	u64 gcd;     /* of all its weights; page_encode() sets the rest */
	u64 total;   /* sum / gcd */
	u32 like;    /* an earlier column with the same values; UINT32_MAX: none */
	bool summed; /* its values are sums of the samples' weights, so the page has no stream of it
		      */
};

struct page_thread {
	u32 pid, tid, comm; /* comm in struct page.texts */
};

struct page_lane {
	u32 thread, event;
	u64 nr;
};

struct page_part {
	char *title, *text; /* escaped; the text has lines */
};

struct page_stream {
	char name[16];
	size_t length;       /* bytes */
	unsigned int planes; /* bytes of each number; 0: they are LEB128 */
};

struct page {
	struct intern texts, objects;
	u32 title, sides[PAGE_SIDES]; /* in texts; sides: 0 is none */
	const char *view;
	unsigned int nr_workers;
	struct page_part *parts;
	size_t nr_parts, cap_parts;
	struct page_name *names;
	size_t nr_names, cap_names;
	struct page_node *nodes;
	size_t nr_nodes, cap_nodes;
	u32 *slots; /* hash table of nodes by parent and name, but for first children; 0: free */
	size_t mask, nr_slots;
	u32 *events; /* in texts */
	size_t nr_events, cap_events;
	struct page_column *columns;
	size_t nr_columns, cap_columns;
	struct page_thread *threads;
	size_t nr_threads, cap_threads;
	struct page_lane *lanes;
	size_t nr_lanes, cap_lanes;
	struct page_sample *samples;
	size_t nr_samples, cap_samples;
	u64 quantum, first; /* ns; quantum 0: no times */
	/* page_encode() */
	u64 last; /* time of the last sample, in quanta since the first */
	u32 nr_leaves, deepest;
	bool counted, weighted; /* the page has the streams count, weight */
	bool leaves_known;      /* they follow from the columns of samples: no stream leaf */
	struct page_stream *streams;
	size_t nr_streams, cap_streams;
	struct wbuf block;
};

/* Makes the block and what the head says of it. */
void page_encode(struct page *p);

/* Bytes of a table with a u32 for each node. */
static inline size_t page_nodes_size(const struct page *p)
{
	return p->nr_nodes * sizeof(u32);
}
/*
 * The order of the nodes: ret[i] is the node at place i of the pre-order. The caller frees it by
 * table_free() of page_nodes_size().
 */
u32 *page_order(const struct page *p);
/* By node: the nodes above it. To be freed like page_order(). */
u32 *page_depths(const struct page *p);

/* Ends a stream, which began at `from` of the block. */
void page_end_stream(struct page *p, const char *name, size_t from);
/* Appends a number as unsigned LEB128. */
void page_put_int(struct wbuf *b, u64 v);
/*
 * Writes a stream of numbers as LEB128, or as planes where that is packed smaller: the lowest bytes
 * of all numbers, then the next ones. Numbers of which each is as likely as any other pack better
 * so.
 */
void page_put_stream(struct page *p, const char *name, const u64 *numbers, size_t nr);

/* Writes the streams of the nodes' names; numbers: by name, its number in the page. */
void page_encode_callees(struct page *p, const u32 *order, const u32 *numbers);

/* Sets page_column.summed. */
void page_find_sums(struct page *p);
/* Sorts samples by lane and time, and writes their streams; places: by node, in pre-order. */
void page_encode_samples(struct page *p, const u32 *places);

/* What all pages hold: the build puts the files in. n: bytes. */
struct page_text {
	const char *p;
	size_t n;
};
struct page_texts {
	struct page_text script, style, body, script_hash, style_hash;
};
struct page_texts page_texts(void);

#endif
