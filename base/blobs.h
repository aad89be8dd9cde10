/* SPDX-License-Identifier: MIT */
/*
 * A table of byte strings (blobs), each of which is stored once: equal strings have the same id.
 * Ids are numbers from 0 in the order in which strings are first added; id 0 is the empty string.
 * Call chains (as arrays of frame ids) and raw payloads of samples are kept in such tables. Not
 * thread safe.
 */
#ifndef BASE_BLOBS_H
#define BASE_BLOBS_H

#include "base/bytes.h"

struct blob {
	const u8 *p; /* aligned to 8 bytes */
	u32 n;       /* length in bytes */
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
	size_t bytes; /* memory that the table has allocated */
};

void blobs_init(struct blobs *t);
/* As blobs_init(), with room for n strings: more may be added as well. */
void blobs_init_for(struct blobs *t, size_t n);
void blobs_fini(struct blobs *t);

/*
 * Returns the id of the n bytes at p, which are copied if the table does not have them yet. n must
 * be below 4 GiB. hash: a hash of the bytes, such as that of hash_bytes(); all callers for one
 * table must use the same function.
 */
u32 blobs_put(struct blobs *t, const void *p, size_t n, u64 hash);

/*
 * Returns uninitialised room for n bytes, aligned to 8 and freed with t. The caller can build a
 * string there and add it with blobs_adopt(), which does not copy it.
 */
void *blobs_room(struct blobs *t, size_t n);

/*
 * Returns the id of a byte string like blobs_put(), but stores a new one without copying it, so its
 * bytes must live as long as t: they are in room from blobs_room(), or in another table whose
 * blocks t takes over (blobs_take_blocks()). r->check must come from the same hash function.
 */
u32 blobs_adopt(struct blobs *t, const struct blob *r);
/* Prefetches the slot in which a blob with this check is searched. */
void blobs_prefetch(const struct blobs *t, u32 check);
/* The blob itself, if there seems to be one. Call it once the slot has arrived. */
void blobs_prefetch_blob(const struct blobs *t, u32 check);
/* Its bytes. Call it once the blob has arrived. */
void blobs_prefetch_bytes(const struct blobs *t, u32 check);
/*
 * Gives n bytes in room from blobs_room() an id, whether or not the table has them already: also
 * after blobs_freeze().
 */
u32 blobs_append(struct blobs *t, const void *p, size_t n);
/* Moves the memory of all blobs of `from` into t. from can still be read, as long as t lives. */
void blobs_take_blocks(struct blobs *t, struct blobs *from);

/* Frees the hash table of t. From now on t can only be read and numbered anew. */
void blobs_freeze(struct blobs *t);

/*
 * Puts the blobs of nr frozen tables in place of those of t, which is frozen and keeps its memory.
 * Blob `id` of tables[k] becomes new_ids[id * nr + k]; these are distinct, and from 1 on without a
 * gap.
 */
void blobs_number(struct blobs *t, const struct blobs *const *tables, size_t nr,
		  const u32 *new_ids);

/*
 * Returns the bytes of an id, borrowed until blobs_fini(); empty if the table does not have the id.
 */
static inline struct span blobs_get(const struct blobs *t, u64 id)
{
	return id < t->nr ? span_of(t->items[id].p, t->items[id].n) : span_of(NULL, 0);
}

#endif
