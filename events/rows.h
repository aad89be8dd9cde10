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
#define ROWS_RECENT_TEXTS 64

static inline size_t rows_recent_place(const u64 key[MAX_PARTS])
{
	return (key[0] + key[1] * 7 + key[2] * 13) % ROWS_RECENT;
}

struct rows {
	struct tuple_table keys; /* MAX_PARTS words: a row's values */
	struct distribution *items;
	size_t nr, cap;
	struct distribution other; /* what came when there was no memory for more rows */
	struct distribution all;   /* of rows_sum_up() */
	struct intern texts;
	size_t max_text_bytes; /* the caller's: with so many, new texts are not kept; 0: no limit */
	/* texts of up to 16 bytes asked for lately; id_plus_1 0: free */
	struct recent_text {
		u64 words[2]; /* the bytes, then zeros */
		u64 id_plus_1;
	} recent[ROWS_RECENT_TEXTS];
	/* rows added to lately; item is the row's number + 1, 0: free */
	struct recent_row {
		u64 key[MAX_PARTS];
		u32 item_plus_1;
	} recent_rows[ROWS_RECENT];
	size_t bytes;       /* of the distributions */
	size_t table_bytes; /* of all else */
};

void rows_init(struct rows *r);
void rows_fini(struct rows *r);

/* Removes all rows. Texts keep their numbers. */
void rows_clear(struct rows *r);

/* The number of a text. One that is not kept has a number too, which differs from all others but in
 * one of 2^63 cases; the text is "(other)" then. */
#define ROWS_TEXT_NOT_KEPT (1ull << 63)
u64 rows_text_id(struct rows *r, struct span text);

/* Where a text of these bytes is among the recent ones. */
static inline struct recent_text *rows_recent_text(struct rows *r, const u64 words[2])
{
	u64 mix = (words[0] ^ (words[1] << 21 | words[1] >> 43)) * 0x9e3779b97f4a7c15ull;

	return &r->recent[(mix >> 32) % ROWS_RECENT_TEXTS];
}

/* 8 bytes, the first one lowest. */
static inline u64 rows_word(const u8 *p)
{
	return get_u64(p, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

/* The bytes of a word up to its first NUL, then zeros. */
static inline u64 rows_word_to_nul(u64 w)
{
	const u64 ones = 0x0101010101010101ull;
	u64 nuls = (w - ones) & ~w & ones << 7; /* the lowest bit set is of the first NUL */

	/* the bits below that bit's byte; all without a NUL */
	return w & (((nuls & -nuls) >> 7) - 1);
}

/* The number of the text in 16 bytes, up to its first NUL. */
static inline u64 rows_text16_id(struct rows *r, const u8 p[16])
{
	u64 words[2] = { rows_word_to_nul(rows_word(p)), rows_word(p + 8) };
	const struct recent_text *t;

	words[1] = words[0] >> 56 ? rows_word_to_nul(words[1]) : 0;
	t = rows_recent_text(r, words);
	if (t->id_plus_1 && t->words[0] == words[0] && t->words[1] == words[1])
		return t->id_plus_1 - 1;
	return rows_text_id(r, span_of(p, strnlen((const char *)p, 16)));
}
static inline const char *rows_text(const struct rows *r, u64 id)
{
	return id & ROWS_TEXT_NOT_KEPT ? "(other)" : intern_text(&r->texts, (u32)id);
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

/* The same where a key has one value at most, the first one. */
static inline struct distribution *rows_recent_of_one(struct rows *r, u64 key)
{
	const u64 whole[MAX_PARTS] = { key };
	const struct recent_row *recent = &r->recent_rows[rows_recent_place(whole)];

	if (!recent->item_plus_1 || recent->key[0] != key)
		return NULL;
	return &r->items[recent->item_plus_1 - 1];
}

/* As rows_add(), to this row. */
static inline void rows_add_to(struct rows *r, struct distribution *d, u64 value)
{
	r->bytes += distribution_add(d, value);
}

/* Sets r->all to the distribution of what all rows have by now. */
void rows_sum_up(struct rows *r);

/* The values of row i. */
const u64 *rows_key(const struct rows *r, size_t i);

/* Bytes of memory of all rows and texts. */
static inline size_t rows_bytes(const struct rows *r)
{
	return r->bytes + r->table_bytes;
}

#endif
