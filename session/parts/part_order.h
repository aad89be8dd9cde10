/* SPDX-License-Identifier: MIT */
/*
 * The second step: which records of the pieces become due together, in parts that can be worked on
 * one apart from the other. All parts, one behind the other, have the records in the order of
 * pd_order, for files whose records all have times. It looks at few records only: those where a
 * piece is cut. One thread at a time.
 */
#ifndef SESSION_PARTS_PART_ORDER_H
#define SESSION_PARTS_PART_ORDER_H

#include "session/parts/part_scan.h"

/* Records of a piece, in their order. */
struct part_slice {
	struct part_piece *piece; /* a reference */
	const struct part_record *v;
	size_t nr;
	u64 group; /* slices of equal group, which are neighbours, are merged by time */
};

struct part {
	struct part *next;
	u64 number; /* parts count from 0, in time order */
	struct part_slice *slices;
	size_t nr_slices, cap_slices;
	size_t nr; /* records */
	u64 off;   /* file offset of about its last record, to show progress */

	/* The records in time order, from part_bring_together() on. */
	struct part_record *records;
	size_t cap_records;
};

struct part_order;

/* records: about how many a part has, at least 1; more where one time has more. */
struct part_order *part_order_new(size_t records);
/* NULL allowed. Drops the references to pieces that it still has. */
void part_order_free(struct part_order *o);
/*
 * Takes the next piece, scanned, with one reference. Returns the parts that are complete by it, the
 * caller's, oldest first; NULL: none.
 */
struct part *part_order_add(struct part_order *o, struct part_piece *p);
/* The largest time of the records so far, ns; 0 without any. */
u64 part_order_last_time(const struct part_order *o);

/* Merges the slices of a part into its records. May run in several threads, each with its own s. */
void part_bring_together(struct part *p, struct part_scanner *s);
/* The piece that a record of the part lies in. */
const struct part_piece *part_piece_of(const struct part *p, const u8 *data);
/* Frees a part; its references to pieces have been dropped. NULL allowed. */
void part_free(struct part *p);

#endif
