/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include "base/mem.h"

u64 hash_bytes(const void *p, size_t n)
{
	const u64 k = 0x9e3779b97f4a7c15ull;
	u64 h[4] = { n, n + k, n ^ k, n - k }, v;
	const u8 *b = p;

	/*
	 * four independent sums, because with one each step would wait for the previous
	 * multiplication
	 */
	for (; n >= 32; b += 32, n -= 32) {
		for (int i = 0; i < 4; i++) {
			memcpy(&v, b + 8 * i, 8);
			h[i] = (h[i] ^ v) * k;
			h[i] ^= h[i] >> 32;
		}
	}
	for (int i = 0; n; b += 8, i++) {
		size_t part = n < 8 ? n : 8;

		v = 0;
		memcpy(&v, b, part);
		h[i] = (h[i] ^ v) * k;
		h[i] ^= h[i] >> 32;
		n -= part;
	}
	return hash_pair(hash_pair(h[0], h[1]), hash_pair(h[2], h[3]));
}

/* Returns the slot of key (a, b), or the free slot for it. */
static struct idmap_slot *idmap_find_slot(const struct idmap *m, u64 a, u64 b)
{
	size_t i = hash_pair(a, b) & m->mask;

	while (m->slots[i].used && (m->slots[i].a != a || m->slots[i].b != b))
		i = (i + 1) & m->mask;
	return &m->slots[i];
}

u32 idmap_get(const struct idmap *m, u64 a, u64 b)
{
	struct idmap_slot *s;

	if (!m->nr)
		return IDMAP_NONE;
	s = idmap_find_slot(m, a, b);
	return s->used ? s->val : IDMAP_NONE;
}

static void rehash(struct idmap *m, size_t nr_slots)
{
	struct idmap old = *m;
	size_t i;

	m->slots = xcalloc(nr_slots, sizeof(*m->slots));
	m->mask = nr_slots - 1;
	for (i = 0; old.slots && i <= old.mask; i++)
		if (old.slots[i].used)
			*idmap_find_slot(m, old.slots[i].a, old.slots[i].b) = old.slots[i];
	free(old.slots);
}

void idmap_put(struct idmap *m, u64 a, u64 b, u32 val)
{
	struct idmap_slot *s;

	if (!m->slots)
		rehash(m, 64);
	else if (m->nr * 3 >= m->mask * 2)
		rehash(m, (m->mask + 1) * 2);
	s = idmap_find_slot(m, a, b);
	if (!s->used) {
		*s = (struct idmap_slot){ .a = a, .b = b, .used = 1 };
		m->nr++;
	}
	s->val = val;
}

void idmap_clear(struct idmap *m)
{
	if (m->slots)
		memset(m->slots, 0, (m->mask + 1) * sizeof(*m->slots));
	m->nr = 0;
}

void idmap_fini(struct idmap *m)
{
	free(m->slots);
	*m = (struct idmap){ 0 };
}
