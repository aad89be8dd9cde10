/* SPDX-License-Identifier: MIT */
/*
 * The records of a recording on their way into another one, in the order of the file. Most are
 * written as they are; a few wait until they are known, which happens in another order. Memory
 * grows with the records behind the oldest that waits.
 */
#ifndef RECORD_CONVERT_FILE_QUEUE_H
#define RECORD_CONVERT_FILE_QUEUE_H

#include "base/hash.h"
#include "base/wbuf.h"
#include "fileformat/perfdata.h"

/* A record that is not written yet. */
struct queued {
	struct pd_record rec; /* its block is held */
	u8 *bytes;            /* what is written in its place; NULL: the record itself */
	u32 nr_bytes;
	bool waits;
};

struct file_queue {
	struct queued *q; /* a ring of cap entries, a power of two, from `first` on */
	size_t cap;
	u64 first, end;       /* numbers of the oldest record and of the next */
	struct idmap waiting; /* address of a record's bytes -> low bits of its number */
	u32 nr_put;           /* in it, some of which wait no more */
	u32 nr_waiting;
};

/* Adds the next record of the file, which is written as it is, or after file_queue_replace(). */
void file_queue_add(struct file_queue *f, const struct pd_record *r, bool waits);

/* A record that waits is written as these bytes; n is 0: not at all. */
void file_queue_replace(struct file_queue *f, const struct pd_record *r, struct span bytes);

/* Nothing waits any more: what still did is left out. Returns how many records. */
size_t file_queue_give_up(struct file_queue *f);

/* Appends to b the records that can be written now, about `most` bytes. False: there are none. */
bool file_queue_take(struct file_queue *f, struct wbuf *b, size_t most);

void file_queue_fini(struct file_queue *f);

#endif
