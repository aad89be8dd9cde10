/* SPDX-License-Identifier: MIT */
#include "symbols/table/symtab.h"

#include <string.h>

#include "base/pages.h"
#include "symbols/table/demangle.h"
#include "symbols/table/symtab_order.h"

#define PAGE 4096ull
#define NO_OUTER UINT32_MAX

/* The most enclosing symbols that one search visits. Only in damaged files more are nested. */
#define MAX_NESTING 4096

/* The most aliases of one address whose names are compared. Further ones are dropped. */
#define MAX_RIVALS 1024

void symtab_init(struct symtab *t)
{
	*t = (struct symtab){ 0 };
}

void symtab_fini(struct symtab *t)
{
	for (size_t i = 0; i < t->nr_kept; i++)
		t->kept[i].release(t->kept[i].p);
	free(t->kept);
	free(t->outers);
	free(t->marks);
	free(t->syms);
	arena_fini(&t->strings);
	*t = (struct symtab){ 0 };
}

void symtab_keep(struct symtab *t, void *p, void (*release)(void *p))
{
	vec_push(t->kept, t->nr_kept, t->cap_kept,
		 ((struct symtab_kept){ .p = p, .release = release }));
}

void symtab_reserve(struct symtab *t, size_t nr)
{
	size_t old = t->cap;

	vec_reserve(t->syms, t->cap, t->nr + nr);
	if (t->cap > old)
		pages_will_fill(t->syms + t->nr, (t->cap - t->nr) * sizeof(*t->syms));
}

static u64 add_capped(u64 a, u64 b)
{
	u64 sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

struct sym *symtab_add_borrowed(struct symtab *t, u64 start, u64 size, const char *name, u8 binding,
				bool untyped)
{
	vec_push(t->syms, t->nr, t->cap,
		 ((struct sym){ .start = start,
				.end = add_capped(start, size),
				.name = name,
				.binding = binding,
				.untyped = untyped }));
	t->finished = false;
	return &t->syms[t->nr - 1];
}

void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, u8 binding, bool untyped)
{
	symtab_add_borrowed(t, start, size, arena_strdup(&t->strings, name), binding, untyped);
}

static void drop_marks(struct symtab *t)
{
	free(t->marks);
	t->marks = NULL;
}

static bool has_overlaps(const struct symtab *t)
{
	u64 end = 0;

	for (size_t i = 0; i < t->nr; i++) {
		if (t->syms[i].start < end)
			return true;
		end = t->syms[i].end;
	}
	return false;
}

static void find_outers(struct symtab *t)
{
	free(t->outers);
	t->outers = NULL;
	if (!has_overlaps(t))
		return;
	t->outers = xmalloc(t->nr * sizeof(*t->outers));
	for (size_t i = 0; i < t->nr; i++) {
		u32 j = i ? (u32)i - 1 : NO_OUTER;

		while (j != NO_OUTER && t->syms[j].end <= t->syms[i].start)
			j = t->outers[j];
		t->outers[i] = j;
	}
}

void symtab_sort(struct symtab *t)
{
	drop_marks(t);
	symtab_order(t);
	find_outers(t);
	t->finished = true;
}

static u64 page_after(u64 addr)
{
	u64 up = add_capped(addr, PAGE - 1);

	return up == UINT64_MAX ? up : up & -PAGE;
}

/* Returns the module in a name of kallsyms, "name\t[module]"; NULL for the kernel's own symbols. */
static const char *module_of(const struct sym *s)
{
	return strchr(s->name, '[');
}

static bool same_module(const struct sym *a, const struct sym *b)
{
	const char *x = module_of(a), *y = module_of(b);

	return x && y ? !strcmp(x, y) : !x && !y;
}

static void mend_ends(struct symtab *t, bool kernel)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct sym *s = &t->syms[i], *next = s + 1;

		if (s->end != s->start)
			continue;
		s->open_end = true;
		if (i + 1 == t->nr)
			s->end = add_capped(page_after(s->start), PAGE);
		else if (kernel && !same_module(s, next))
			s->end = page_after(add_capped(s->start, PAGE));
		else
			s->end = next->start;
	}
}

static size_t nr_underscores(const char *name)
{
	return strspn(name, "_");
}

static bool is_syscall_alias(const char *name)
{
	return !strncmp(name, "SyS", 3) || !strncmp(name, "compat_SyS", 10);
}

/*
 * True for mangled names that differ only in the digit of a constructor or destructor (C1, C2, D0
 * ...). They are equal when demangled, so this saves demangling them.
 */
static bool are_twins(const char *a, const char *b)
{
	size_t same = 0;

	while (a[same] && a[same] == b[same])
		same++;
	return a[same] >= '0' && a[same] <= '2' && b[same] >= '0' && b[same] <= '2' && same &&
	       a[same - 1] == b[same - 1] && (a[same - 1] == 'C' || a[same - 1] == 'D') &&
	       !strcmp(a + same + 1, b + same + 1);
}

static bool has_better_text(const char *a, const char *b)
{
	size_t x = nr_underscores(a), y = nr_underscores(b);

	if (x != y)
		return y < x;
	x = strlen(a);
	y = strlen(b);
	if (x != y)
		return y > x;
	return is_syscall_alias(a);
}

static bool has_better_name(const struct symtab *t, const char *a, const char *b)
{
	char *x, *y;
	bool ret;

	if (!t->by_readable)
		return has_better_text(a, b);
	if (are_twins(a, b))
		return false;
	x = demangle(a, t->format);
	y = demangle(b, t->format);
	ret = has_better_text(x ? x : a, y ? y : b);
	free(x);
	free(y);
	return ret;
}

/*
 * Returns how good a symbol is among aliases by rules 1 to 4 of docs/FORMAT.md 7.6, which do not
 * need its name. Larger is better.
 */
static unsigned int rank(const struct sym *s)
{
	return (s->end != s->start) << 3 | !s->untyped << 2 | (s->binding != SYM_WEAK) << 1 |
	       (s->binding == SYM_GLOBAL);
}

/*
 * Keeps, of symbols with equal starts, those of the highest rank, which is mostly one. Choosing
 * between several means reading and demangling their names. They stay as rivals until their address
 * is looked up, as most addresses never are.
 */
static void drop_aliases(struct symtab *t)
{
	size_t nr = 0, group = 0;

	for (size_t i = 0; i < t->nr; i++) {
		struct sym *s = &t->syms[i], *best;

		s->is_rival = false;
		if (!nr || t->syms[group].start != s->start) {
			group = nr;
			t->syms[nr++] = *s;
			continue;
		}
		best = &t->syms[group];
		s->is_ifunc |= best->is_ifunc;
		best->is_ifunc = s->is_ifunc;
		if (rank(s) > rank(best)) {
			*best = *s;
			nr = group + 1;
		} else if (rank(s) == rank(best) && s->name != best->name &&
			   nr - group < MAX_RIVALS) {
			best->is_rival = s->is_rival = true;
			t->syms[nr++] = *s;
		}
	}
	t->nr = t->nr_sorted = nr;
}

/*
 * Copies a rival, except for its start: that is equal anyway, and searches in other threads may be
 * reading it.
 */
static void copy_rival(struct sym *to, const struct sym *from)
{
	to->end = from->end;
	to->name = from->name;
	to->cut = from->cut;
	to->binding = from->binding;
	to->untyped = from->untyped;
	to->is_ifunc = from->is_ifunc;
	to->is_object = from->is_object;
	to->is_plt = from->is_plt;
	to->open_end = from->open_end;
}

/*
 * Chooses the best of the rivals around symbol i and makes all of them copies of it, so that a
 * search may find any of them.
 */
static void judge_rivals(struct symtab *t, u32 i)
{
	size_t first = i, last = i, best;
	struct sym settled;

	while (first && t->syms[first - 1].start == t->syms[i].start)
		first--;
	while (last + 1 < t->nr && t->syms[last + 1].start == t->syms[i].start)
		last++;
	best = first;
	for (size_t j = first + 1; j <= last; j++)
		if (has_better_name(t, t->syms[best].name, t->syms[j].name))
			best = j;
	settled = t->syms[best];
	/* The first of the rivals also has the flag of aliases that were dropped. */
	settled.is_ifunc |= t->syms[first].is_ifunc;
	for (size_t j = first; j <= last; j++)
		copy_rival(&t->syms[j], &settled);
	for (size_t j = first; j <= last; j++)
		__atomic_store_n(&t->syms[j].is_rival, 0, __ATOMIC_RELEASE);
}

void symtab_finish(struct symtab *t, bool kernel)
{
	drop_marks(t);
	symtab_order(t);
	mend_ends(t, kernel);
	drop_aliases(t);
	find_outers(t);
	t->finished = true;
}

/*
 * Marks divide the range of all starts into equal parts; each is the number of symbols that start
 * before its part. A search begins with two marks, which leave few symbols between them: each
 * symbol visited may be a cache miss.
 */
#define SYMS_PER_MARK 4
#define FEW_SYMS 64

static void make_marks(struct symtab *t)
{
	u64 first = t->syms[0].start, range = t->syms[t->nr - 1].start - first;
	size_t want = t->nr / SYMS_PER_MARK, nr, part = 0;

	t->mark_shift = 0;
	while (range >> t->mark_shift >= want)
		t->mark_shift++;
	nr = (size_t)(range >> t->mark_shift) + 2;
	t->marks = xmalloc(nr * sizeof(*t->marks));
	for (size_t i = 0; i < t->nr; i++)
		while (part <= (t->syms[i].start - first) >> t->mark_shift)
			t->marks[part++] = (u32)i;
	while (part < nr)
		t->marks[part++] = (u32)t->nr;
}

static bool wants_marks(const struct symtab *t)
{
	return t->nr > FEW_SYMS && !t->marks;
}

/*
 * Returns the number of symbols that start at or before addr. The marks must have been made if
 * wants_marks() is true.
 */
static size_t nr_before(const struct symtab *t, u64 addr)
{
	size_t lo = 0, hi = t->nr;

	if (hi > FEW_SYMS) {
		u64 first = t->syms[0].start;

		if (addr < first)
			return 0;
		if (addr >= t->syms[t->nr - 1].start)
			return t->nr;
		lo = t->marks[(addr - first) >> t->mark_shift];
		hi = t->marks[((addr - first) >> t->mark_shift) + 1];
	}
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (t->syms[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool is_rival(const struct sym *s)
{
	return __atomic_load_n(&s->is_rival, __ATOMIC_ACQUIRE);
}

/*
 * Sets *ret to the symbol of known size that contains both addr and symbol i, which has an unknown
 * size: a label in a function does not end the function. Leaves *ret unchanged if there is none.
 * Stock perf takes whichever of the two is nearer to the root of its tree. Returns false like
 * find_among().
 */
static bool find_sized_around(const struct symtab *t, u32 i, u64 addr, const struct sym **ret,
			      u32 *ret_rivals)
{
	u32 j = t->outers ? t->outers[i] : NO_OUTER;

	for (int n = 0; j != NO_OUTER && n < MAX_NESTING; n++) {
		*ret_rivals = j;
		if (is_rival(&t->syms[j]))
			return false;
		if (addr < t->syms[j].end && !t->syms[j].open_end) {
			*ret = &t->syms[j];
			return true;
		}
		j = t->outers[j];
	}
	return true;
}

/*
 * Finds the symbol for addr; *ret is NULL if there is none. Returns false if it meets rivals,
 * around symbol *ret_rivals, that judge_rivals() must settle first.
 */
static bool find_among(const struct symtab *t, u64 addr, const struct sym **ret, u32 *ret_rivals)
{
	size_t nr = nr_before(t, addr);
	u32 i = nr ? (u32)nr - 1 : NO_OUTER;

	*ret = NULL;
	for (int n = 0; i != NO_OUTER && n < MAX_NESTING; n++) {
		*ret_rivals = i;
		if (is_rival(&t->syms[i]))
			return false;
		if (addr < t->syms[i].end) {
			*ret = &t->syms[i];
			return !(*ret)->open_end || find_sized_around(t, i, addr, ret, ret_rivals);
		}
		i = t->outers ? t->outers[i] : NO_OUTER;
	}
	return true;
}

const struct sym *symtab_find(struct symtab *t, u64 addr)
{
	const struct sym *s;
	u32 rivals;

	if (wants_marks(t))
		make_marks(t);
	while (!find_among(t, addr, &s, &rivals))
		judge_rivals(t, rivals);
	return s;
}

void symtab_settle(struct symtab *t)
{
	if (wants_marks(t))
		make_marks(t);
}

bool symtab_find_settled(const struct symtab *t, u64 addr, const struct sym **ret)
{
	u32 rivals;

	return find_among(t, addr, ret, &rivals);
}
