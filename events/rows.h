/* SPDX-License-Identifier: MIT */
/*
 * The rows of a table: one for each distinct combination of up to MAX_PARTS values, with the
 * distribution of what was measured there. Texts are values, too: by the number that the table
 * gives each of them.
 */
#ifndef EVENTS_ROWS_H
#define EVENTS_ROWS_H

#include "base/intern.h"
#include "base/tuple_table.h"
#include "events/distribution.h"
#include "events/open_begins.h"

#define ROWS_RECENT 32

static inline size_t rows_recent_place(const u64 key[MAX_PARTS])
{
	return (key[0] + key[1] * 7 + key[2] * 13) % ROWS_RECENT;
}

struct rows {
	struct tuple_table keys; /* MAX_PARTS words: a row's values */
	struct distribution *items;
	size_t nr, cap;
	struct distribution other; /* what came when there was no memory for more rows */
	struct distribution all;
	struct intern texts;
	/* short texts asked for lately, by their bytes and length; id_plus_1 0: free */
	struct recent_text {
		u64 words[2], n, id_plus_1;
	} recent[64];
	/* rows added to lately; item is the row's number + 1, 0: free */
	struct recent_row {
		u64 key[MAX_PARTS];
		u32 item_plus_1;
	} recent_rows[ROWS_RECENT];
	size_t bytes; /* of the distributions */
};

void rows_init(struct rows *r);
void rows_fini(struct rows *r);

/* Removes all rows. Texts keep their numbers. */
void rows_clear(struct rows *r);

/* The number of a text. */
u64 rows_text_id(struct rows *r, struct span text);
static inline const char *rows_text(const struct rows *r, u64 id)
{
	return intern_text(&r->texts, (u32)id);
}

/*
 * Adds a value to a row. may_grow: a new row may be made, else the value goes to `other`. Where the
 * row holds nothing but counts, value is 0.
 */
void rows_add(struct rows *r, const u64 key[MAX_PARTS], u64 value, bool may_grow);

/* The row of a key, where it was added to lately; NULL: rows_add() finds it. Valid until the next
 * row is made. */
static inline struct distribution *rows_recent(struct rows *r, const u64 key[MAX_PARTS])
{
	const struct recent_row *recent = &r->recent_rows[rows_recent_place(key)];

	if (!recent->item_plus_1 || !keys_are_equal(recent->key, key))
		return NULL;
	return &r->items[recent->item_plus_1 - 1];
}

/* As rows_add(), to this row. */
static inline void rows_add_to(struct rows *r, struct distribution *d, u64 value)
{
	(void)distribution_add(&r->all, value);
	r->bytes += distribution_add(d, value);
}

/* The values of row i. */
const u64 *rows_key(const struct rows *r, size_t i);

/* Bytes of memory of all rows and texts. */
size_t rows_bytes(const struct rows *r);

#endif
