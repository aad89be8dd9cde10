/* SPDX-License-Identifier: MIT */
/*
 * Byte strings stored once each: equal strings get the same id, whoever puts them. Ids are dense
 * and given in the order of first sight; id 0 is the empty string. Call chains (as arrays of frame
 * ids) and raw payloads of samples are kept in such tables.
 */
#ifndef BASE_BLOBS_H
#define BASE_BLOBS_H

#include "base/bytes.h"

struct blob {
	const u8 *p; /* aligned to 8 bytes */
	u32 n;       /* bytes */
	u32 check; /* upper half of its hash: gives its slot, and differs for most unequal blobs */
};

struct blobs_slot {
	u32 id; /* 0: free */
	u32 check;
};

struct blobs_block {
	u8 *p;
	size_t size;
};

struct blobs {
	struct blob *items; /* by id */
	size_t nr, cap;
	struct blobs_slot *slots; /* open addressing; NULL once frozen */
	size_t mask;
	struct blobs_block *blocks; /* memory that the bytes lie in */
	size_t nr_blocks, cap_blocks;
	u8 *free_at; /* `left` bytes of the last block are free from here on */
	size_t left;
	size_t bytes; /* allocated for all of the above */
};

void blobs_init(struct blobs *t);
void blobs_fini(struct blobs *t);

/*
 * The id of the n bytes at p, n below 4 GiB; they are copied when the table does not have them yet.
 * hash: any function that gives equal values for equal bytes, such as hash_bytes().
 */
u32 blobs_put(struct blobs *t, const void *p, size_t n, u64 hash);

/*
 * Uninitialised room for n bytes, aligned to 8, that lives as long as t. The caller fills it and
 * hands it to blobs_adopt(), which then copies nothing.
 */
void *blobs_room(struct blobs *t, size_t n);

/*
 * As blobs_put(), but keeps a pointer to r's bytes instead of a copy. They lie in t's own room or
 * in another table, whose blocks t takes over; r->check comes from the same hash function as t's.
 */
u32 blobs_adopt(struct blobs *t, const struct blob *r);
/* Fetches the slot that a blob with this check is looked up in. */
void blobs_prefetch(const struct blobs *t, u32 check);
/* Moves the memory of all blobs of `from` into t. from can still be read, as long as t lives. */
void blobs_take_blocks(struct blobs *t, struct blobs *from);

/* Frees what is needed to add blobs. From now on the table can only be read and renumbered. */
void blobs_freeze(struct blobs *t);

/* Gives each blob the id new_ids[old id]; a permutation, with new_ids[0] = 0. Of a frozen table. */
void blobs_renumber(struct blobs *t, const u32 *new_ids);

/* The bytes of an id, borrowed until blobs_fini(); empty for an id that the table does not have. */
static inline struct span blobs_get(const struct blobs *t, u64 id)
{
	return id < t->nr ? span_of(t->items[id].p, t->items[id].n) : span_of(NULL, 0);
}

#endif
