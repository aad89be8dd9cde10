/* SPDX-License-Identifier: MIT */
#include "machine/mapset.h"

#include "base/mem.h"

/* Room for more maps in a copied set: programs map several objects one after the other. */
#define NEW_MAPS 8

#define CODE_WORDS 7     /* what a change of executable maps is made of */
#define CODES_MAX 65536u /* changes that are remembered; after later ones no sets are alike */

void map_maker_forget_codes(struct map_maker *mm)
{
	if (mm->codes.stride)
		tuple_table_fini(&mm->codes);
}

void map_maker_fini(struct map_maker *mm)
{
	map_maker_forget_codes(mm);
	/* they may be dropped later */
	for (struct mapset *s = mm->sets; s; s = s->next)
		s->list = NULL;
}

static void list_set(struct map_maker *mm, struct mapset *s)
{
	s->list = &mm->sets;
	s->next = mm->sets;
	if (s->next)
		s->next->before = s;
	mm->sets = s;
}

static void unlist_set(struct mapset *s)
{
	*(s->before ? &s->before->next : s->list) = s->next;
	if (s->next)
		s->next->before = s->before;
}

struct mapset *mapset_new(struct map_maker *mm)
{
	struct mapset *s = xcalloc(1, sizeof(*s));

	atomic_init(&s->refs, 1);
	s->id = mm->next_set_id++;
	s->code_id = s->id;
	if (mm->lists_sets)
		list_set(mm, s);
	return s;
}

struct mapset *mapset_get(struct mapset *s)
{
	atomic_fetch_add_explicit(&s->refs, 1, memory_order_relaxed);
	return s;
}

void mapset_put(struct mapset *s)
{
	/* a thread that sees no other reference sees that nobody reads the set any more */
	if (!s || atomic_fetch_sub_explicit(&s->refs, 1, memory_order_acq_rel) != 1)
		return;
	if (s->list)
		unlist_set(s);
	free(s->maps);
	free(s);
}

/* Index of the first map that ends behind ip. */
static size_t lower(const struct mapset *s, u64 ip)
{
	size_t lo = 0, hi = s->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->maps[mid]->end <= ip)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

const struct map *mapset_find(const struct mapset *s, u64 ip)
{
	size_t i = lower(s, ip);

	return i < s->nr && s->maps[i]->start <= ip ? s->maps[i] : NULL;
}

const struct map *mapset_find_next(const struct mapset *s, u64 ip)
{
	size_t i = lower(s, ip);

	return i < s->nr ? s->maps[i] : NULL;
}

/* A version of *s that only the caller has, under a new id. */
static struct mapset *own(struct mapset **s, struct map_maker *mm)
{
	struct mapset *old = *s, *n;

	if (atomic_load_explicit(&old->refs, memory_order_acquire) == 1) {
		old->id = mm->next_set_id++;
		return old;
	}
	n = mapset_new(mm);
	vec_reserve(n->maps, n->cap, old->nr + NEW_MAPS);
	if (old->nr)
		memcpy(n->maps, old->maps, old->nr * sizeof(*old->maps));
	n->nr = old->nr;
	n->code_id = old->code_id;
	mapset_put(old);
	*s = n;
	return n;
}

static bool has_code(const struct mapset *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (map_is_code(s->maps[i]))
			return true;
	return false;
}

/* True if what is at an address of the map does not depend on the process that has it. */
static bool is_same_for_all(const struct map *m)
{
	enum dso_kind kind;

	if (!m->dso || m->identity || m->timed || m->kernel)
		return false;
	kind = dso_get_desc(m->dso)->kind;
	return kind == DSO_USER || kind == DSO_VDSO;
}

/*
 * The code_id of s when m is put into it: that of another set if the same was done there. Processes
 * without address space randomisation share what is known of their code in this way.
 */
static u32 code_id_after(struct map_maker *mm, const struct mapset *s, const struct map *m)
{
	const u64 change[CODE_WORDS] = { has_code(s) ? s->code_id : 0,
					 m->start,
					 m->end,
					 m->pgoff,
					 (uintptr_t)m->dso,
					 (uintptr_t)m->dso_name,
					 (u64)m->prot << 32 | m->flags };
	u64 *known;

	if (map_is_code(m) && !is_same_for_all(m))
		return s->id;
	if (!mm->codes.stride)
		tuple_table_init(&mm->codes, CODE_WORDS, 1);
	if (mm->codes.nr >= CODES_MAX && tuple_table_find(&mm->codes, change) == UINT32_MAX)
		return s->id;
	known = tuple_table_entry(&mm->codes, tuple_table_id(&mm->codes, change)) + CODE_WORDS;
	if (!*known)
		*known = s->id;
	return (u32)*known;
}

/*
 * True if s has an equal map of the same part of a file. A program that a process executes again
 * without address space randomisation maps its files where they are already.
 */
static bool has_equal(const struct mapset *s, const struct map *m)
{
	const struct map *had = mapset_find(s, m->start);

	return had && m->dso && had->dso == m->dso && had->dso_name == m->dso_name &&
	       had->start == m->start && had->end == m->end && had->pgoff == m->pgoff &&
	       had->prot == m->prot && had->flags == m->flags && is_same_for_all(m) &&
	       is_same_for_all(had);
}

void mapset_insert(struct mapset **sp, struct map_maker *mm, const struct map *m)
{
	struct mapset *s;
	const struct map *pieces[3];
	size_t first, last, nr = 0;
	bool code = map_is_code(m);
	struct map *cut;

	if (m->end <= m->start || has_equal(*sp, m))
		return;
	s = own(sp, mm);
	first = lower(s, m->start);
	for (last = first; last < s->nr && s->maps[last]->start < m->end; last++)
		code |= map_is_code(s->maps[last]);
	if (code)
		s->code_id = code_id_after(mm, s, m);
	if (first < last && s->maps[first]->start < m->start) {
		cut = mm->copy(mm, s->maps[first]);
		cut->end = m->start;
		pieces[nr++] = cut;
	}
	pieces[nr++] = m;
	if (first < last && s->maps[last - 1]->end > m->end) {
		cut = mm->copy(mm, s->maps[last - 1]);
		if (!cut->timed)
			cut->pgoff += m->end - cut->start;
		cut->start = m->end;
		pieces[nr++] = cut;
	}
	vec_reserve(s->maps, s->cap, s->nr + 3);
	memmove(s->maps + first + nr, s->maps + last, (s->nr - last) * sizeof(*s->maps));
	memcpy(s->maps + first, pieces, nr * sizeof(*pieces));
	s->nr += nr - (last - first);
}

void mapset_remove(struct mapset **sp, struct map_maker *mm, const struct map *m)
{
	struct mapset *s;
	size_t i = lower(*sp, m->start);

	if (i >= (*sp)->nr || (*sp)->maps[i] != m)
		return;
	s = own(sp, mm);
	if (map_is_code(m))
		s->code_id = s->id;
	memmove(s->maps + i, s->maps + i + 1, (s->nr - i - 1) * sizeof(*s->maps));
	s->nr--;
}

void mapset_renew_code(struct mapset **sp, struct map_maker *mm)
{
	struct mapset *s = own(sp, mm);

	s->code_id = s->id;
}
