/* SPDX-License-Identifier: MIT */
#include "base/blobs.h"

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_BLOCK ((size_t)64 << 10)
/* Limited, since half of the last block stays empty on average. */
#define LARGEST_BLOCK ((size_t)2 << 20)
#define FIRST_SLOTS 1024
#define FIRST_ITEMS 256

void blobs_init_for(struct blobs *t, size_t n)
{
	size_t nr_slots = FIRST_SLOTS;

	while (nr_slots < 2 * n)
		nr_slots *= 2;
	*t = (struct blobs){ .mask = nr_slots - 1,
			     .nr = 1,
			     .cap = n < FIRST_ITEMS ? FIRST_ITEMS : n + 1 };
	t->slots = table_alloc(nr_slots * sizeof(*t->slots));
	t->items = table_alloc_any(t->cap * sizeof(*t->items));
	t->items[0] = (struct blob){ 0 };
	t->bytes = nr_slots * sizeof(*t->slots) + t->cap * sizeof(*t->items);
}

void blobs_init(struct blobs *t)
{
	blobs_init_for(t, 0);
}

void blobs_freeze(struct blobs *t)
{
	if (t->slots)
		table_free(t->slots, (t->mask + 1) * sizeof(*t->slots));
	t->slots = NULL;
}

void blobs_fini(struct blobs *t)
{
	for (size_t i = 0; i < t->nr_blocks; i++)
		table_free(t->blocks[i].p, t->blocks[i].size);
	free(t->blocks);
	table_free(t->items, t->cap * sizeof(*t->items));
	blobs_freeze(t);
	*t = (struct blobs){ 0 };
}

static u8 *add_block(struct blobs *t, size_t size)
{
	struct blobs_block b = { .p = table_alloc_any(size), .size = size };

	vec_push(t->blocks, t->nr_blocks, t->cap_blocks, b);
	t->bytes += size;
	return b.p;
}

static size_t next_block_size(const struct blobs *t)
{
	size_t size = FIRST_BLOCK << (t->nr_blocks < 16 ? t->nr_blocks : 16);

	return size < LARGEST_BLOCK ? size : LARGEST_BLOCK;
}

void *blobs_room(struct blobs *t, size_t n)
{
	u8 *p;

	n = (n + 7) & ~(size_t)7;
	if (n > t->left) {
		size_t size = next_block_size(t);

		/* a block for one long blob: keep filling the block before it, which has room left
		 */
		if (n > size / 8)
			return add_block(t, n);
		t->free_at = add_block(t, size);
		t->left = size;
	}
	p = t->free_at;
	t->free_at += n;
	t->left -= n;
	return p;
}

static size_t slot_after(const struct blobs *t, size_t i)
{
	return (i + 1) & t->mask;
}

static void grow_slots(struct blobs *t)
{
	size_t nr_slots = (t->mask + 1) * 4;

	t->bytes += (nr_slots - t->mask - 1) * sizeof(*t->slots);
	table_free(t->slots, (t->mask + 1) * sizeof(*t->slots));
	t->slots = table_alloc(nr_slots * sizeof(*t->slots));
	t->mask = nr_slots - 1;
	for (size_t id = 1; id < t->nr; id++) {
		size_t i = t->items[id].check & t->mask;

		while (t->slots[i].id)
			i = slot_after(t, i);
		t->slots[i] = (struct blobs_slot){ (u32)id, t->items[id].check };
	}
}

/* Returns the slot of this blob, or the free slot for it. */
static size_t find_slot(const struct blobs *t, const void *p, size_t n, u32 check)
{
	size_t i = check & t->mask;

	for (; t->slots[i].id; i = slot_after(t, i)) {
		const struct blob *r = &t->items[t->slots[i].id];

		if (t->slots[i].check == check && r->n == n && !memcmp(r->p, p, n))
			break;
	}
	return i;
}

static u32 add_item(struct blobs *t, const u8 *p, size_t n, u32 check)
{
	if (t->nr == t->cap) {
		size_t size = t->cap * sizeof(*t->items), cap = table_grown(t->cap, size);

		t->items = table_realloc(t->items, size, cap * sizeof(*t->items));
		t->bytes += cap * sizeof(*t->items) - size;
		t->cap = cap;
	}
	t->items[t->nr] = (struct blob){ .p = p, .n = (u32)n, .check = check };
	return (u32)t->nr++;
}

u32 blobs_append(struct blobs *t, const void *p, size_t n)
{
	return add_item(t, p, n, 0);
}

static u32 add_blob(struct blobs *t, size_t slot, const u8 *p, size_t n, u32 check)
{
	u32 id = add_item(t, p, n, check);

	t->slots[slot] = (struct blobs_slot){ id, check };
	if (t->nr * 2 > t->mask)
		grow_slots(t);
	return id;
}

u32 blobs_put(struct blobs *t, const void *p, size_t n, u64 hash)
{
	u32 check = (u32)(hash >> 32);
	size_t i;
	u8 *copy;

	if (!n)
		return 0;
	i = find_slot(t, p, n, check);
	if (t->slots[i].id)
		return t->slots[i].id;
	copy = blobs_room(t, n);
	memcpy(copy, p, n);
	return add_blob(t, i, copy, n, check);
}

void blobs_prefetch(const struct blobs *t, u32 check)
{
	__builtin_prefetch(&t->slots[check & t->mask]);
}

/* The id of the first blob with this check; 0: there is none. */
static u32 first_of(const struct blobs *t, u32 check)
{
	size_t i = check & t->mask;

	while (t->slots[i].id && t->slots[i].check != check)
		i = slot_after(t, i);
	return t->slots[i].id;
}

void blobs_prefetch_blob(const struct blobs *t, u32 check)
{
	u32 id = first_of(t, check);

	if (id)
		__builtin_prefetch(&t->items[id]);
}

void blobs_prefetch_bytes(const struct blobs *t, u32 check)
{
	u32 id = first_of(t, check);

	if (id)
		__builtin_prefetch(t->items[id].p);
}

u32 blobs_adopt(struct blobs *t, const struct blob *r)
{
	size_t i;

	if (!r->n)
		return 0;
	i = find_slot(t, r->p, r->n, r->check);
	return t->slots[i].id ? t->slots[i].id : add_blob(t, i, r->p, r->n, r->check);
}

void blobs_take_blocks(struct blobs *t, struct blobs *from)
{
	for (size_t i = 0; i < from->nr_blocks; i++)
		vec_push(t->blocks, t->nr_blocks, t->cap_blocks, from->blocks[i]);
	from->nr_blocks = 0;
	from->left = 0;
}

void blobs_number(struct blobs *t, const struct blobs *const *tables, size_t nr, const u32 *new_ids)
{
	struct blob *items;
	size_t nr_items = 1;

	for (size_t k = 0; k < nr; k++)
		nr_items += tables[k]->nr - 1;
	items = table_alloc_any(nr_items * sizeof(*items));
	items[0] = (struct blob){ 0 };
	for (size_t k = 0; k < nr; k++)
		for (size_t id = 1; id < tables[k]->nr; id++)
			items[new_ids[id * nr + k]] = tables[k]->items[id];
	table_free(t->items, t->cap * sizeof(*items));
	t->items = items;
	t->nr = t->cap = nr_items;
}
