/* SPDX-License-Identifier: MIT */
#include "session/count_pending.h"

#include "base/hash.h"
#include "base/mem.h"

void count_pending_init(struct count_pending *p)
{
	*p = (struct count_pending){ 0 };
	byte_runs_init(&p->chains);
}

void count_pending_fini(struct count_pending *p)
{
	free(p->items);
	free(p->keys);
	byte_runs_fini(&p->chains);
	*p = (struct count_pending){ 0 };
}

size_t count_pending_bytes(const struct count_pending *p)
{
	return p->cap * sizeof(*p->items) + p->cap_keys * sizeof(*p->keys) + p->chains.bytes;
}

/* Size of an entry of a chain as it is kept. */
#define KEPT_ENTRY (sizeof(u64) + 1)

/* Memory that is moved is paid for twice: much at once, and twice as much each time. */
#define FIRST_ITEMS 4096

static void make_room(struct count_pending *p, size_t nr_keys)
{
	if (p->nr == p->cap)
		vec_reserve(p->items, p->cap, p->cap ? p->cap * 2 : FIRST_ITEMS);
	if (p->nr_keys + nr_keys > p->cap_keys)
		vec_reserve(p->keys, p->cap_keys, p->cap * nr_keys);
}

static void add(struct count_pending *p, const struct pending_sample *s, u32 chain, const u64 *key,
		size_t nr)
{
	struct pending_sample kept = *s;

	kept.chain = chain;
	make_room(p, nr);
	p->items[p->nr++] = kept;
	memcpy(p->keys + p->nr_keys, key, nr * sizeof(*key));
	p->nr_keys += nr;
}

void count_pending_add(struct count_pending *p, const struct pending_sample *s,
		       const struct chain_ips *chain, const u64 *key, size_t nr)
{
	size_t n = chain->nr * KEPT_ENTRY;
	u8 *bytes = xmalloc(n);

	memcpy(bytes, chain->ips, chain->nr * sizeof(*chain->ips));
	memcpy(bytes + chain->nr * sizeof(*chain->ips), chain->modes, chain->nr);
	add(p, s, byte_runs_put(&p->chains, bytes, n, hash_bytes(bytes, n)), key, nr);
	free(bytes);
}

void count_pending_add_packed(struct count_pending *p, const struct pending_sample *s,
			      const u32 *ids, size_t nr_ids, u64 hash, const u64 *key, size_t nr)
{
	add(p, s, byte_runs_put(&p->chains, ids, nr_ids * sizeof(*ids), hash), key, nr);
}

size_t count_pending_chain(const struct count_pending *p, size_t i, const struct join_path *path,
			   u32 max, struct chain_ips *ret)
{
	const struct pending_sample *s = &p->items[i];
	struct span bytes = byte_runs_get(&p->chains, s->chain);
	size_t nr = bytes.n / KEPT_ENTRY;

	chain_ips_reserve(ret, nr);
	memcpy(ret->ips, bytes.p, nr * sizeof(*ret->ips));
	memcpy(ret->modes, bytes.p + nr * sizeof(*ret->ips), nr);
	ret->nr = nr;
	ret->circle = 0;
	ret->end = STACK_END(UNWIND_TRUNCATED);
	chain_list_join(ret, path, max);
	return nr;
}
