/* SPDX-License-Identifier: MIT */
#include "base/byte_runs.h"

#include "base/hash.h"
#include "base/mem.h"

#define FIRST_BLOCK ((size_t)64 << 10)
#define LARGEST_BLOCK ((size_t)2 << 20) /* half of the last one stays empty */
#define FIRST_SLOTS 1024
#define FIRST_RUNS 256

void byte_runs_init(struct byte_runs *t)
{
	*t = (struct byte_runs){ .mask = FIRST_SLOTS - 1, .nr = 1, .cap = FIRST_RUNS };
	t->slots = table_alloc(FIRST_SLOTS * sizeof(*t->slots));
	t->runs = table_alloc(FIRST_RUNS * sizeof(*t->runs));
	t->bytes = FIRST_SLOTS * sizeof(*t->slots) + FIRST_RUNS * sizeof(*t->runs);
}

void byte_runs_freeze(struct byte_runs *t)
{
	if (t->slots)
		table_free(t->slots, (t->mask + 1) * sizeof(*t->slots));
	t->slots = NULL;
}

void byte_runs_fini(struct byte_runs *t)
{
	for (size_t i = 0; i < t->nr_blocks; i++)
		table_free(t->blocks[i].p, t->blocks[i].size);
	free(t->blocks);
	table_free(t->runs, t->cap * sizeof(*t->runs));
	byte_runs_freeze(t);
	*t = (struct byte_runs){ 0 };
}

static u8 *add_block(struct byte_runs *t, size_t size)
{
	struct byte_runs_block b = { .p = table_alloc_any(size), .size = size };

	vec_push(t->blocks, t->nr_blocks, t->cap_blocks, b);
	t->bytes += size;
	return b.p;
}

static size_t next_block_size(const struct byte_runs *t)
{
	size_t size = FIRST_BLOCK << (t->nr_blocks < 16 ? t->nr_blocks : 16);

	return size < LARGEST_BLOCK ? size : LARGEST_BLOCK;
}

void *byte_runs_room(struct byte_runs *t, size_t n)
{
	u8 *p;

	n = (n + 7) & ~(size_t)7;
	if (n > t->left) {
		size_t size = next_block_size(t);

		/* a block for one long run: the one before has room left */
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

static size_t slot_after(const struct byte_runs *t, size_t i)
{
	return (i + 1) & t->mask;
}

static void grow(struct byte_runs *t)
{
	size_t nr_slots = (t->mask + 1) * 4;

	t->bytes += (nr_slots - t->mask - 1) * sizeof(*t->slots);
	table_free(t->slots, (t->mask + 1) * sizeof(*t->slots));
	t->slots = table_alloc(nr_slots * sizeof(*t->slots));
	t->mask = nr_slots - 1;
	for (size_t id = 1; id < t->nr; id++) {
		size_t i = t->runs[id].check & t->mask;

		while (t->slots[i].id)
			i = slot_after(t, i);
		t->slots[i] = (struct byte_runs_slot){ (u32)id, t->runs[id].check };
	}
}

/* The slot of this run: its own, or the free one where it belongs. */
static size_t find(const struct byte_runs *t, const void *p, size_t n, u32 check)
{
	size_t i = check & t->mask;

	for (; t->slots[i].id; i = slot_after(t, i)) {
		const struct byte_run *r = &t->runs[t->slots[i].id];

		if (t->slots[i].check == check && r->n == n && !memcmp(r->p, p, n))
			break;
	}
	return i;
}

static u32 add(struct byte_runs *t, size_t slot, const u8 *p, size_t n, u32 check)
{
	u32 id = (u32)t->nr;

	if (t->nr == t->cap) {
		t->runs = table_realloc(t->runs, t->cap * sizeof(*t->runs),
					t->cap * 2 * sizeof(*t->runs));
		t->bytes += t->cap * sizeof(*t->runs);
		t->cap *= 2;
	}
	t->runs[t->nr++] = (struct byte_run){ .p = p, .n = (u32)n, .check = check };
	t->slots[slot] = (struct byte_runs_slot){ id, check };
	if (t->nr * 2 > t->mask)
		grow(t);
	return id;
}

u32 byte_runs_put(struct byte_runs *t, const void *p, size_t n, u64 hash)
{
	u32 check = (u32)(hash >> 32);
	size_t i;
	u8 *copy;

	if (!n)
		return 0;
	i = find(t, p, n, check);
	if (t->slots[i].id)
		return t->slots[i].id;
	copy = byte_runs_room(t, n);
	memcpy(copy, p, n);
	return add(t, i, copy, n, check);
}

void byte_runs_prefetch(const struct byte_runs *t, u32 check)
{
	__builtin_prefetch(&t->slots[check & t->mask]);
}

u32 byte_runs_adopt(struct byte_runs *t, const struct byte_run *r)
{
	size_t i;

	if (!r->n)
		return 0;
	i = find(t, r->p, r->n, r->check);
	return t->slots[i].id ? t->slots[i].id : add(t, i, r->p, r->n, r->check);
}

void byte_runs_take_blocks(struct byte_runs *t, struct byte_runs *from)
{
	for (size_t i = 0; i < from->nr_blocks; i++)
		vec_push(t->blocks, t->nr_blocks, t->cap_blocks, from->blocks[i]);
	from->nr_blocks = 0;
	from->left = 0;
}

void byte_runs_renumber(struct byte_runs *t, const u32 *new_ids)
{
	struct byte_run *runs = table_alloc(t->cap * sizeof(*runs));

	for (size_t id = 0; id < t->nr; id++)
		runs[new_ids[id]] = t->runs[id];
	table_free(t->runs, t->cap * sizeof(*runs));
	t->runs = runs;
}
