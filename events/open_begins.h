/* SPDX-License-Identifier: MIT */
/*
 * The begins that wait for their ends, by key. Several begins of one key lie on each other, the
 * newest on top. All begins also form a list from the oldest to the newest, so that a table that is
 * full can drop the oldest.
 */
#ifndef EVENTS_OPEN_BEGINS_H
#define EVENTS_OPEN_BEGINS_H

#include "events/occurrence.h"

/* How many expressions a key and a row can have. */
#define MAX_PARTS 4

static inline bool keys_are_equal(const u64 a[MAX_PARTS], const u64 b[MAX_PARTS])
{
	u64 differ = 0;

	for (size_t i = 0; i < MAX_PARTS; i++)
		differ |= a[i] ^ b[i];
	return !differ;
}

/*
 * One begin. The numbers are places in the table's pool; NO_BEGIN: none. A begin that was removed
 * stays where it is as long as there is room: most often the next one has the same key.
 */
#define NO_BEGIN UINT32_MAX
#define SPENT_BEGIN (UINT32_MAX - 1) /* in place of `above` of a begin that was removed */
struct open_begin {
	u64 key[MAX_PARTS]; /* parts that are not used are 0 */
	u64 row[MAX_PARTS]; /* the parts of its row that are known at the begin */
	u64 epoch;          /* how many losses there were by then */
	struct occurrence at;
	u32 hash;
	u32 below, above; /* of the same key */
	u32 older, newer; /* newer is the next free one of a place that is free */
};

struct open_begins {
	size_t nr_parts; /* of the keys */
	struct open_begin *pool;
	size_t nr_pool, cap_pool;
	u32 free;   /* first free place */
	u32 *slots; /* place + 1; 0: free */
	size_t mask;
	/* where the key looked up last is or would be; SIZE_MAX: slots have moved since */
	size_t last_slot;
	u64 last_key[MAX_PARTS];
	u32 last_hash;
	size_t nr_keys; /* distinct keys, also of spent begins */
	size_t nr_spent;
	size_t nr; /* begins */
	u32 oldest, newest;
};

/* Keys have MAX_PARTS parts, unless the caller sets nr_parts before the first one is added. */
void open_begins_init(struct open_begins *t);
/* Frees the table, and with it the samples kept with the begins. */
void open_begins_fini(struct open_begins *t);

/* The newest begin of this key; NULL without one. Valid until the next call of open_begins_put().
 */
struct open_begin *open_begins_get(struct open_begins *t, const u64 *key);

/*
 * Adds a begin, on top of others of this key. Its key and links are set, all else is left
 * to the caller. Valid until the next one is added.
 */
struct open_begin *open_begins_put(struct open_begins *t, const u64 *key);

/* Removes a begin of the table, wherever it lies. The caller has taken what it kept. */
void open_begins_remove(struct open_begins *t, struct open_begin *b);

/* The begin that was added first; NULL in an empty table. */
struct open_begin *open_begins_oldest(const struct open_begins *t);

/* Bytes of memory of the table. */
size_t open_begins_bytes(const struct open_begins *t);

#endif
