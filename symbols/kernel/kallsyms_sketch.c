/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/kallsyms_sketch.h"

#include <string.h>

#include "base/mem.h"

#define STRETCH 1024       /* bytes, about 25 lines */
#define LEAST_STRETCHES 64 /* with fewer, reading all lines is as fast */

/* Returns the offset of the first line that begins at or after off; text.n if there is none. */
static size_t line_from(struct span text, size_t off)
{
	const u8 *nl =
		off && off < text.n ? memchr(text.p + off - 1, '\n', text.n - off + 1) : NULL;

	if (!off)
		return 0;
	return nl ? (size_t)(nl + 1 - text.p) : text.n;
}

static bool has_module(struct span text, size_t line)
{
	size_t left = text.n - line;
	const u8 *p = text.p + line, *nl = memchr(p, '\n', left);

	return memchr(p, '\t', nl ? (size_t)(nl - p) : left);
}

/*
 * Returns the lines before the first line of a module. Assumes that only modules' lines follow it.
 */
static struct span own_lines(struct span text)
{
	size_t lo = 0, hi = text.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2, line = line_from(text, mid);

		if (line < text.n && !has_module(text, line))
			lo = mid + 1;
		else
			hi = mid;
	}
	return span_of(text.p, line_from(text, lo));
}

/*
 * Parses the line at off. Returns false if it has not the usual form with an address of 16 digits.
 */
static bool line_at(struct span own, size_t off, struct kallsyms_line *ret)
{
	size_t left = own.n - off;
	struct kallsyms_lines ls =
		kallsyms_lines_of(span_of(own.p + off, left < STRETCH ? left : STRETCH));

	return kallsyms_next_line(&ls, ret) && ret->name.p == own.p + off + 19;
}

bool kallsyms_sketch_make(struct kallsyms_sketch *s, struct span text)
{
	struct kallsyms_line l;
	u64 last = 0;

	*s = (struct kallsyms_sketch){ .own = own_lines(text) };
	vec_reserve(s->stretches, s->cap, s->own.n / STRETCH + 1);
	for (size_t off = 0; off < s->own.n; off = line_from(s->own, off + STRETCH)) {
		if (!line_at(s->own, off, &l) || l.module.n || l.addr < last)
			goto none;
		last = l.addr;
		vec_push(s->stretches, s->nr, s->cap,
			 ((struct kallsyms_stretch){ .first = l.addr, .off = (u32)off }));
	}
	/* if the kernel hides addresses, all are 0 */
	if (s->nr >= LEAST_STRETCHES && last)
		return true;
none:
	kallsyms_sketch_fini(s);
	return false;
}

void kallsyms_sketch_fini(struct kallsyms_sketch *s)
{
	free(s->stretches);
	*s = (struct kallsyms_sketch){ 0 };
}

static struct span stretch(const struct kallsyms_sketch *s, size_t i)
{
	size_t off = s->stretches[i].off;

	return span_of(s->own.p + off, (i + 1 < s->nr ? s->stretches[i + 1].off : s->own.n) - off);
}

/* Returns the number of stretches that begin at or before addr. */
static size_t nr_before(const struct kallsyms_sketch *s, u64 addr)
{
	size_t lo = 0, hi = s->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->stretches[mid].first <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * Reads lines until the first usable symbol above addr. Returns false if the lines are not in order
 * or contain a module's.
 */
static bool look(struct span lines, u64 addr, struct kallsyms_place *ret, bool *ret_found)
{
	struct kallsyms_lines ls = kallsyms_lines_of(lines);
	struct kallsyms_line l;
	u64 last = 0;

	while (!ret->next && kallsyms_next_line(&ls, &l)) {
		if (l.addr < last || l.module.n)
			return false;
		last = l.addr;
		if (!kallsyms_is_kept(&l))
			continue;
		if (l.addr > addr) {
			ret->next = l.addr;
		} else {
			ret->line = l;
			*ret_found = true;
		}
	}
	return true;
}

enum kallsyms_answer kallsyms_sketch_find(const struct kallsyms_sketch *s, u64 addr,
					  struct kallsyms_place *ret)
{
	size_t first = nr_before(s, addr), i;
	bool found = false;

	ret->next = 0;
	for (i = first ? first - 1 : 0; i < s->nr && !ret->next; i++)
		if (!look(stretch(s, i), addr, ret, &found))
			return KALLSYMS_UNKNOWN;
	/* a stretch may contain no usable symbol, so the stretches before it are searched, too */
	for (i = first ? first - 1 : 0; i && !found; i--) {
		u64 next = ret->next;

		ret->next = 0;
		if (!look(stretch(s, i - 1), addr, ret, &found))
			return KALLSYMS_UNKNOWN;
		ret->next = next;
	}
	return found ? KALLSYMS_FOUND : KALLSYMS_NONE;
}

bool kallsyms_sketch_ends(const struct kallsyms_sketch *s, u64 *ret_first, u64 *ret_last)
{
	struct kallsyms_lines ls = kallsyms_lines_of(s->own);
	struct kallsyms_place last;
	struct kallsyms_line l;

	do {
		if (!kallsyms_next_line(&ls, &l))
			return false;
	} while (!kallsyms_is_kept(&l));
	*ret_first = l.addr;
	if (kallsyms_sketch_find(s, UINT64_MAX, &last) != KALLSYMS_FOUND)
		return false;
	*ret_last = last.line.addr;
	return true;
}
