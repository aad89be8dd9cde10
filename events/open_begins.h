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
	/* of more than one part: where the key looked up last is or would be; SIZE_MAX: slots have
	 * moved since */
	size_t last_slot;
	u64 last_key[MAX_PARTS];
	size_t nr_keys; /* distinct keys, also of spent begins */
	size_t nr_spent;
	size_t nr; /* begins */
	u32 oldest, newest;
};

static inline bool open_begins_same_key(const struct open_begins *t, const u64 *a, const u64 *b)
{
	u64 differ = a[0] ^ b[0];

	for (size_t i = 1; i < t->nr_parts; i++)
		differ |= a[i] ^ b[i];
	return !differ;
}

static inline u32 open_begins_hash_of_one(u64 sum)
{
	sum ^= sum >> 32;
	return (u32)(sum * 0x9e3779b97f4a7c15ull >> 32);
}

static inline u32 open_begins_hash(const struct open_begins *t, const u64 *key)
{
	u64 sum = key[0];

	for (size_t i = 1; i < t->nr_parts; i++)
		sum = sum * 0x632be59bd9b4e019ull + key[i];
	return open_begins_hash_of_one(sum);
}

/*
 * As open_begins_slot(), of more than one part. Two or three times in a row the same key is asked
 * for, so what is found is remembered.
 */
static inline size_t open_begins_slot_of_parts(struct open_begins *t, const u64 *key)
{
	u32 hash;
	size_t i;

	if (t->last_slot != SIZE_MAX && open_begins_same_key(t, t->last_key, key))
		return t->last_slot;
	hash = open_begins_hash(t, key);
	for (i = hash & t->mask; t->slots[i]; i = (i + 1) & t->mask) {
		const struct open_begin *b = &t->pool[t->slots[i] - 1];

		if (b->hash == hash && open_begins_same_key(t, b->key, key))
			break;
	}
	for (size_t k = 0; k < t->nr_parts; k++)
		t->last_key[k] = key[k];
	t->last_slot = i;
	return i;
}

/* Finds the slot of a key, or the free one where it would be. There are slots. */
static inline size_t open_begins_slot(struct open_begins *t, const u64 *key)
{
	size_t i;

	if (t->nr_parts > 1)
		return open_begins_slot_of_parts(t, key);
	for (i = open_begins_hash_of_one(key[0]) & t->mask; t->slots[i]; i = (i + 1) & t->mask)
		if (t->pool[t->slots[i] - 1].key[0] == key[0])
			break;
	return i;
}

/* Keys have MAX_PARTS parts, unless the caller sets nr_parts before the first one is added. */
void open_begins_init(struct open_begins *t);
/* Frees the table, and with it the samples kept with the begins. */
void open_begins_fini(struct open_begins *t);

/* The place of the newest begin of this key, which may be a spent one; NO_BEGIN without one. */
static inline u32 open_begins_find(struct open_begins *t, const u64 *key)
{
	/* places are stored + 1 */
	return t->mask ? t->slots[open_begins_slot(t, key)] - 1 : NO_BEGIN;
}

/* The begin at a place of open_begins_find(); NULL: there is none, or it is a spent one. Valid
 * until the next one is added. */
static inline struct open_begin *open_begins_at(const struct open_begins *t, u32 place)
{
	struct open_begin *b = place != NO_BEGIN ? &t->pool[place] : NULL;

	return b && b->above != SPENT_BEGIN ? b : NULL;
}

/* The newest begin of this key; NULL without one. Valid until the next one is added. */
static inline struct open_begin *open_begins_get(struct open_begins *t, const u64 *key)
{
	return open_begins_at(t, open_begins_find(t, key));
}

/* As open_begins_put(), where the last begin of the key was not removed, or its place was given
 * away. Returns the place. */
u32 open_begins_put_anew(struct open_begins *t, const u64 *key);

/*
 * Adds a begin, on top of others of this key. place: what open_begins_find() has found, where no
 * begin was added or removed since, but that one. Its key and links are set, all else is left to
 * the caller. Valid until the next one is added.
 */
static inline struct open_begin *open_begins_put_at(struct open_begins *t, u32 place,
						    const u64 *key)
{
	struct open_begin *b;

	if (place != NO_BEGIN && t->pool[place].above == SPENT_BEGIN) {
		t->nr_spent--;
		t->pool[place].below = t->pool[place].above = NO_BEGIN;
	} else {
		place = open_begins_put_anew(t, key);
	}
	b = &t->pool[place];
	b->older = t->newest;
	b->newer = NO_BEGIN;
	*(t->newest != NO_BEGIN ? &t->pool[t->newest].newer : &t->oldest) = place;
	t->newest = place;
	t->nr++;
	return b;
}

/* The same of a key that was not looked up. */
static inline struct open_begin *open_begins_put(struct open_begins *t, const u64 *key)
{
	return open_begins_put_at(t, open_begins_find(t, key), key);
}

/* As open_begins_remove(), of a begin that was one of several of its key. */
void open_begins_unstack(struct open_begins *t, struct open_begin *b);

/* Removes a begin of the table, wherever it lies. The caller has taken what it kept. */
static inline void open_begins_remove(struct open_begins *t, struct open_begin *b)
{
	*(b->older != NO_BEGIN ? &t->pool[b->older].newer : &t->oldest) = b->newer;
	*(b->newer != NO_BEGIN ? &t->pool[b->newer].older : &t->newest) = b->older;
	t->nr--;
	if (b->above != NO_BEGIN || b->below != NO_BEGIN) {
		open_begins_unstack(t, b);
		return;
	}
	b->above = SPENT_BEGIN;
	t->nr_spent++;
}

/* The begin that was added first; NULL in an empty table. */
struct open_begin *open_begins_oldest(const struct open_begins *t);

/* Bytes of memory of the table. */
static inline size_t open_begins_bytes(const struct open_begins *t)
{
	return t->cap_pool * sizeof(*t->pool) + (t->mask ? (t->mask + 1) * sizeof(*t->slots) : 0);
}

#endif
