/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/kallsyms.h"

#include <string.h>

#include "base/pages.h"

/* The average bytes of a line, to estimate the memory for all symbols. */
#define USUAL_LINE 44

/* Returns the index after the ascending sequence that starts at i. */
static size_t run_end(const struct kallsyms_sym *v, size_t nr, size_t i)
{
	for (i++; i < nr && v[i - 1].start <= v[i].start; i++)
		;
	return i;
}

static void merge_syms(const struct kallsyms_sym *a, size_t na, const struct kallsyms_sym *b,
		       size_t nb, struct kallsyms_sym *dst)
{
	while (na && nb) {
		if (b->start < a->start) {
			*dst++ = *b++;
			nb--;
		} else {
			*dst++ = *a++;
			na--;
		}
	}
	memcpy(dst, na ? a : b, (na + nb) * sizeof(*dst));
}

/*
 * Sorts by address, stably. The kernel writes its own symbols in order, followed by those of each
 * module, so merging the ascending sequences takes almost linear time.
 */
static void sort_syms(struct kallsyms *k)
{
	struct kallsyms_sym *spare = NULL, *from = k->syms, *to;
	size_t i, mid, end, runs;

	if (k->nr < 2 || run_end(from, k->nr, 0) == k->nr)
		return;
	spare = xmalloc(k->nr * sizeof(*spare));
	to = spare;
	do {
		for (i = 0, runs = 0; i < k->nr; i = end, runs++) {
			mid = run_end(from, k->nr, i);
			end = mid < k->nr ? run_end(from, k->nr, mid) : mid;
			merge_syms(from + i, mid - i, from + mid, end - mid, to + i);
		}
		k->syms = to;
		to = from;
		from = k->syms;
	} while (runs > 1);
	free(to);
	k->cap = k->nr;
}

/* Returns the offset in the text of a symbol's "[MODULE]". */
static size_t module_of(const struct kallsyms_sym *s)
{
	return (size_t)s->name + s->name_len + 1;
}

static bool same_module(const struct kallsyms *k, const struct kallsyms_sym *a,
			const struct kallsyms_sym *b)
{
	return a->module_len == b->module_len &&
	       (!a->module_len ||
		!memcmp(k->text.p + module_of(a), k->text.p + module_of(b), a->module_len));
}

static u64 round_up_page(u64 v)
{
	return (v + 4095) & ~(u64)4095;
}

/*
 * Returns the end of the last symbol of the kernel or of a module, one to two pages after its start
 * (docs/FORMAT.md 7.3). The text has no sizes, so all other symbols reach to the next one. Of
 * symbols at one address only the last is kept: the others are empty, and an empty symbol ranks
 * below any other (docs/FORMAT.md 7.6).
 */
static u64 end_of_last(u64 start)
{
	return round_up_page(start) + 4096;
}

/*
 * Returns end, or the largest address if rounding has wrapped it at the top of the address space.
 */
static u64 without_wrap(u64 start, u64 end)
{
	return end < start ? UINT64_MAX : end;
}

bool kallsyms_is_alone(const struct kallsyms_sym *s)
{
	return s->end % 4096 && s->end != UINT64_MAX;
}

static void mend_ends(struct kallsyms *k)
{
	size_t i, kept = 0;

	for (i = 0; i < k->nr; i++) {
		struct kallsyms_sym *s = &k->syms[i];
		u64 end;

		if (i + 1 == k->nr)
			end = end_of_last(s->start);
		else if (same_module(k, s, s + 1))
			end = s[1].start;
		else
			end = end_of_last(s->start);
		s->end = without_wrap(s->start, end);
		if (i + 1 < k->nr && s[1].start == s->start)
			continue;
		if (s->end > s->start)
			k->syms[kept++] = *s;
	}
	k->nr = kept;
}

static struct kallsyms_sym sym_of(const struct kallsyms *k, const struct kallsyms_line *l)
{
	return (struct kallsyms_sym){ .start = l->addr,
				      .name = (u32)(l->name.p - k->text.p),
				      .name_len = (u16)l->name.n,
				      .module_len = (u8)l->module.n,
				      .type = l->type };
}

static void read_all(struct kallsyms *k)
{
	struct kallsyms_lines ls = kallsyms_lines_of(k->text);
	struct kallsyms_line l;

	vec_reserve(k->syms, k->cap, k->text.n / USUAL_LINE);
	pages_will_fill(k->syms, k->cap * sizeof(*k->syms));
	while (kallsyms_next_line(&ls, &l))
		if (kallsyms_is_kept(&l))
			vec_push(k->syms, k->nr, k->cap, sym_of(k, &l));
	sort_syms(k);
	mend_ends(k);
}

void kallsyms_read(struct kallsyms *k)
{
	pthread_mutex_lock(&k->lock);
	if (!atomic_load_explicit(&k->is_read, memory_order_relaxed)) {
		read_all(k);
		atomic_store_explicit(&k->is_read, true, memory_order_release);
	}
	pthread_mutex_unlock(&k->lock);
}

void kallsyms_init(struct kallsyms *k, struct span text)
{
	memset(k, 0, sizeof(*k));
	pthread_mutex_init(&k->lock, NULL);
	if (text.n > UINT32_MAX)
		text.n = UINT32_MAX;
	k->text = text;
	if (kallsyms_sketch_make(&k->sketch, text))
		return;
	kallsyms_read(k);
	/*
	 * symbols are sorted and have distinct addresses: if the last address is 0, all were hidden
	 */
	k->hidden = k->nr && !k->syms[k->nr - 1].start;
}

void kallsyms_fini(struct kallsyms *k)
{
	free(k->syms);
	kallsyms_sketch_fini(&k->sketch);
	pthread_mutex_destroy(&k->lock);
	memset(k, 0, sizeof(*k));
}

bool kallsyms_is_empty(const struct kallsyms *k)
{
	return !k->sketch.own.n && !k->nr;
}

bool kallsyms_address(struct span text, const char *name, u64 *ret)
{
	struct kallsyms_lines ls = kallsyms_lines_of(text);
	size_t len = strlen(name);
	struct kallsyms_line l;

	while (kallsyms_next_line(&ls, &l)) {
		if (l.name.n != len || memcmp(l.name.p, name, len) || l.module.n)
			continue;
		if (l.type != 'T' && l.type != 't' && l.type != 'W' && l.type != 'w')
			continue;
		*ret = l.addr;
		return true;
	}
	return false;
}

u8 kallsyms_binding(char type)
{
	if (type == 'W')
		return SYM_WEAK;
	return type >= 'a' ? SYM_LOCAL : SYM_GLOBAL;
}

static bool is_of(const struct kallsyms *k, const struct kallsyms_sym *s, const char *module,
		  size_t len)
{
	return s->module_len == len && (!len || !memcmp(k->text.p + module_of(s), module, len));
}

bool kallsyms_is_data(const struct kallsyms_sym *s)
{
	switch (s->type) {
	case 'T':
	case 't':
	case 'W':
	case 'w': return false;
	}
	return true;
}

/* The largest size of a kernel symbol whose next symbol in the list is a module's. */
#define MAX_LAST 8192

static const struct kallsyms_sym *find_in_list(const struct kallsyms *k, u64 addr)
{
	size_t lo = 0, hi = k->nr, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (k->syms[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (size_t i = lo; i; i--) {
		const struct kallsyms_sym *s = &k->syms[i - 1];

		if (!s->module_len && addr < s->end)
			return s;
		if (addr - s->start >= MAX_LAST)
			break;
	}
	return NULL;
}

/* If two kernel symbols are further apart than this, a module may be between them. */
#define MAX_GAP ((u64)1 << 20)

/*
 * Finds the symbol for addr in the text, without parsing all of it. KALLSYMS_UNKNOWN: only the
 * whole list can tell.
 */
static enum kallsyms_answer find_in_text(const struct kallsyms *k, u64 addr,
					 struct kallsyms_sym *ret)
{
	struct kallsyms_place at;
	enum kallsyms_answer answer = kallsyms_sketch_find(&k->sketch, addr, &at);

	if (answer != KALLSYMS_FOUND)
		return answer;
	if (at.next && at.next - at.line.addr > MAX_GAP)
		return KALLSYMS_UNKNOWN;
	*ret = sym_of(k, &at.line);
	ret->end = at.next ? at.next : without_wrap(ret->start, end_of_last(ret->start));
	return addr < ret->end ? KALLSYMS_FOUND : KALLSYMS_NONE;
}

bool kallsyms_find(struct kallsyms *k, u64 addr, struct kallsyms_sym *ret)
{
	enum kallsyms_answer answer = KALLSYMS_UNKNOWN;
	const struct kallsyms_sym *s;

	if (!atomic_load_explicit(&k->is_read, memory_order_acquire))
		answer = find_in_text(k, addr, ret);
	if (answer != KALLSYMS_UNKNOWN)
		return answer == KALLSYMS_FOUND;
	kallsyms_read(k);
	s = find_in_list(k, addr);
	if (s)
		*ret = *s;
	return s != NULL;
}

bool kallsyms_range(struct kallsyms *k, u64 *ret_start, u64 *ret_end)
{
	size_t first = 0, last;
	u64 start;

	if (k->sketch.own.n && kallsyms_sketch_ends(&k->sketch, ret_start, &start)) {
		*ret_end = without_wrap(start, end_of_last(start));
		return true;
	}
	kallsyms_read(k);
	last = k->nr;
	while (first < last && k->syms[first].module_len)
		first++;
	while (last > first && k->syms[last - 1].module_len)
		last--;
	if (first == last)
		return false;
	*ret_start = k->syms[first].start;
	*ret_end = k->syms[last - 1].end;
	return true;
}

/*
 * Most names are not longer than this. Copying a fixed number of bytes needs no call of memcpy().
 */
#define NAME_AT_ONCE 32

/* Copies a symbol's name to a buffer of at least NAME_AT_ONCE bytes. */
static void copy_name(char *to, const struct kallsyms *k, const struct kallsyms_sym *s)
{
	const u8 *name = k->text.p + s->name;

	if (s->name_len <= NAME_AT_ONCE && k->text.n - s->name >= NAME_AT_ONCE)
		memcpy(to, name, NAME_AT_ONCE);
	else
		memcpy(to, name, s->name_len);
	to[s->name_len] = 0;
}

size_t kallsyms_fill(struct kallsyms *k, const char *module, u64 delta, struct symtab *tab)
{
	size_t nr = 0, bytes = 0, len;
	char *names;

	kallsyms_read(k);
	module = module ? module : "";
	len = strlen(module);
	for (size_t i = 0; i < k->nr; i++) {
		if (is_of(k, &k->syms[i], module, len)) {
			nr++;
			bytes += (size_t)k->syms[i].name_len + 1;
		}
	}
	if (!nr)
		return 0;
	symtab_reserve(tab, nr);
	names = arena_alloc(&tab->strings, bytes + NAME_AT_ONCE);
	for (size_t i = 0; i < k->nr; i++) {
		const struct kallsyms_sym *s = &k->syms[i];
		struct sym *sym;

		if (!is_of(k, s, module, len))
			continue;
		copy_name(names, k, s);
		sym = symtab_add_borrowed(tab, s->start + delta, s->end - s->start, names,
					  kallsyms_binding(s->type), false);
		sym->is_object = kallsyms_is_data(s);
		names += s->name_len + 1;
	}
	return nr;
}
