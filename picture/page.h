/* SPDX-License-Identifier: MIT */
/*
 * A profile as one HTML page that needs nothing else: a tree of functions with weights, samples by
 * time if they are known, and the script that shows them.
 *
 *	p = page_new()
 *	name = page_name(p, "main", "/bin/x", PAGE_USER)
 *	node = page_child(p, PAGE_TOP, name)
 *	column = page_column(p, event, side, PAGE_SAMPLES)
 *	page_count(p, column, node, 3)
 *	page_write(p, o)
 *	page_free(p)
 *
 * What is in the page: a head, JSON in <script id="head">; and a block in <script id="data">,
 * streams of integers one after the other. The block is cut into parts, each deflated by itself, in
 * base64 and on a line of its own. The head has the names
 * and lengths of the streams, and their form: 0 is unsigned LEB128; N is N bytes a number, the
 * lowest byte of all numbers first, then the next one. What follows from other streams is left out.
 * Nodes are in pre-order, children by the bytes of their names. The streams:
 *
 * - depth, by node but the top: depth of the node before + 1 - its own depth;
 * - callees, for the top, then by name: how many names are called from it;
 * - callee: these names, those of most nodes first; names are numbered by how many nodes have them;
 * - name, by node but the top: its name's place among the callees of the node above;
 * - kind, by name: enum page_kind;
 * - object, by name: place in the head's list of objects;
 * - names: text, with a NUL between two;
 * - selfN, by node: its own weight in column N, divided by the column's gcd; not if the column is
 *   the sum of its event's stream weight;
 * - leaf: places of nodes in which stacks end, in a list for each node below the top (the command
 *   that they belong to), in each list those of most samples first, then by place; not if
 *   leavesKnown: the columns of samples, added up, tell how many samples end in a node;
 * - time, by sample: its time minus that of the one before in its lane, in quanta;
 * - turns, by lane: how often its samples change between commands, + 1;
 * - turn: for each of these the number of the command's list, and how many samples follow;
 * - stack, by sample: place in the list of its command;
 * - count, by sample: samples that it stands for; only if some stand for several;
 * - weight, by sample: period / gcd; only if the periods of an event differ.
 */
#ifndef PICTURE_PAGE_H
#define PICTURE_PAGE_H

#include "base/out.h"
#include "base/types.h"

enum page_kind {
	PAGE_USER,
	PAGE_KERNEL,
	PAGE_INLINED,
	PAGE_JIT,
	PAGE_UNKNOWN,
	PAGE_PROCESS, /* no function: the command that stacks belong to */
};

enum page_unit {
	PAGE_SAMPLES,
	PAGE_PERIOD, /* in what the event counts */
	PAGE_NS,
};

#define PAGE_TOP 0   /* the node above all stacks */
#define PAGE_SIDES 2 /* recordings in one page: before and after */

struct page;

struct page *page_new(void);
void page_free(struct page *p); /* NULL allowed */

/* All texts are copied, and may be hostile: what a terminal must not get is written as escapes. */

/* The page's title: the recording's path. */
void page_set_title(struct page *p, const char *title);
/* The view that the page begins with: flame, table, callers, time. Borrowed. */
void page_set_view(struct page *p, const char *view);
/* What a side is called; pages with sides compare them. */
void page_set_side(struct page *p, unsigned int side, const char *name);
/* A part of the panel "about": n bytes of text, lines. */
void page_about(struct page *p, const char *title, const char *text, size_t n);

/* Adds a name, which is a function of an object (NULL: not known); each name is added once. */
u32 page_name(struct page *p, const char *text, const char *object, enum page_kind kind);
/* The node of a name below another node, which is made when it is new. */
u32 page_child(struct page *p, u32 node, u32 name);

u32 page_event(struct page *p, const char *name);
/* Adds a column of weights: of an event, on a side (0 where nothing is compared), in a unit. */
u32 page_column(struct page *p, u32 event, unsigned int side, enum page_unit unit);
/* Adds to a node's own weight. */
void page_count(struct page *p, u32 column, u32 node, u64 weight);

/* Samples have times from now on, in steps of quantum_ns; first_ns is that of the first sample. */
void page_set_time(struct page *p, u64 quantum_ns, u64 first_ns);
u32 page_thread(struct page *p, u32 pid, u32 tid, const char *comm);
/* A lane: the samples of one event in one thread. */
u32 page_lane(struct page *p, u32 thread, u32 event);

struct page_sample {
	u64 time;   /* ns */
	u64 weight; /* its period */
	u32 lane, node;
	u32 count; /* samples that it stands for */
};

/* Adds a sample, which page_count has counted as well. */
void page_sample(struct page *p, const struct page_sample *s);

/* How many threads page_write() may use; 1 at first. Their number does not change the page. */
void page_set_workers(struct page *p, unsigned int nr);

/* Writes the page. It may be called once; afterwards only page_free may. */
void page_write(struct page *p, struct out *o);

#endif
