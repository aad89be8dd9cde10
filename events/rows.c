/* SPDX-License-Identifier: MIT */
#include "events/rows.h"

#include "base/hash.h"

/* To be called when a row or a text has been added, or all rows removed. */
static void count_bytes(struct rows *r)
{
	r->table_bytes = r->cap * sizeof(*r->items) + r->keys.cap * sizeof(u64) +
			 (r->keys.mask + 1) * sizeof(u64) + r->texts.arena.total +
			 r->texts.cap * sizeof(char *) + r->texts.mask * sizeof(u32);
}

void rows_init(struct rows *r)
{
	*r = (struct rows){ 0 };
	tuple_table_init(&r->keys, MAX_PARTS, 0);
	intern_init(&r->texts);
	count_bytes(r);
}

void rows_clear(struct rows *r)
{
	for (size_t i = 0; i < r->nr; i++)
		distribution_fini(&r->items[i]);
	distribution_fini(&r->other);
	distribution_fini(&r->all);
	r->nr = 0;
	r->bytes = 0;
	tuple_table_fini(&r->keys);
	tuple_table_init(&r->keys, MAX_PARTS, 0);
	memset(r->recent_rows, 0, sizeof(r->recent_rows));
	count_bytes(r);
}

void rows_fini(struct rows *r)
{
	rows_clear(r);
	free(r->items);
	tuple_table_fini(&r->keys);
	intern_fini(&r->texts);
	*r = (struct rows){ 0 };
}

/* The bytes of a text of n <= 16 bytes, then zeros. */
static inline void get_words(const u8 *p, size_t n, u64 ret[2])
{
	ret[0] = ret[1] = 0;
	if (n > 8) {
		ret[0] = rows_word(p);
		ret[1] = rows_word(p + n - 8) >> (128 - n * 8);
	} else {
		for (size_t i = 0; i < n; i++)
			ret[0] |= (u64)p[i] << (i * 8);
	}
}

static u64 text_id(struct rows *r, struct span text)
{
	const char *s = (const char *)text.p;
	u64 id;

	if (r->max_text_bytes && r->texts.arena.total >= r->max_text_bytes &&
	    !intern_has(&r->texts, s, text.n))
		return hash_bytes(s, strnlen(s, text.n)) | ROWS_TEXT_NOT_KEPT;
	id = intern_n(&r->texts, s, text.n);
	count_bytes(r);
	return id;
}

u64 rows_text_id(struct rows *r, struct span text)
{
	u64 words[2];
	struct recent_text *t;

	if (text.n > sizeof(words))
		return text_id(r, text);
	get_words(text.p, text.n, words);
	t = rows_recent_text(r, words);
	if (!t->id_plus_1 || t->words[0] != words[0] || t->words[1] != words[1])
		*t = (struct recent_text){
			{ words[0], words[1] },
			text_id(r, text) + 1,
		};
	return t->id_plus_1 - 1;
}

/* The row of a key, made if it is new. NULL: it is new, and may not be made. */
static struct distribution *find_row(struct rows *r, const u64 key[MAX_PARTS], bool may_grow)
{
	struct recent_row *recent = &r->recent_rows[rows_recent_place(key)];
	struct distribution *d = rows_recent(r, key);
	u32 id;

	if (d)
		return d;
	if (!may_grow && tuple_table_find(&r->keys, key) == UINT32_MAX)
		return NULL;
	id = tuple_table_id(&r->keys, key);
	if (id == r->nr) {
		vec_push(r->items, r->nr, r->cap, (struct distribution){ 0 });
		count_bytes(r);
	}
	memcpy(recent->key, key, sizeof(recent->key));
	recent->item_plus_1 = id + 1;
	return &r->items[id];
}

void rows_add(struct rows *r, const u64 key[MAX_PARTS], u64 value, bool may_grow)
{
	struct distribution *d = find_row(r, key, may_grow);

	if (d)
		rows_add_to(r, d, value);
	else
		(void)distribution_add(&r->other, value);
}

void rows_sum_up(struct rows *r)
{
	distribution_fini(&r->all);
	distribution_merge(&r->all, &r->other);
	for (size_t i = 0; i < r->nr; i++)
		distribution_merge(&r->all, &r->items[i]);
}

const u64 *rows_key(const struct rows *r, size_t i)
{
	return tuple_table_get(&r->keys, (u32)i);
}
