/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/debuginfo.h"

#include <dwarf.h>
#include <time.h>

#include "base/mem.h"
#include "symbols/dwarf/aranges.h"

/*
 * The most ranges that are read in all, per byte of the file. In a damaged file, DIEs could share
 * range lists, and reading them over and over would take too long.
 */
#define RANGES_PER_BYTE 1

#define MAX_LISTS_NS 5000000000ull

/* The most units tried for one address. Units overlap where linkers merged equal functions. */
#define MAX_OVERLAPS 64

struct unit {
	Dwarf_Off start, die;
	bool has_ranges;
};

struct unit_range {
	u64 start, end;
	u64 reach; /* the largest end of the ranges up to this one */
	u32 unit;
};

struct debuginfo {
	struct dwarf_source *source;
	Dwarf *dwarf;
	bool is_swapped;
	struct unit *units; /* ascending by start */
	size_t nr_units, cap_units;
	bool all_read; /* the ranges come from the DIEs of all units, not only from .debug_aranges
			*/
	struct unit_range *ranges;
	size_t nr_ranges, cap_ranges;
	size_t ranges_left;
	u64 lists_ns; /* time that libdw has taken to read range lists */
};

bool debuginfo_spend_ranges(struct debuginfo *d, size_t n)
{
	if (n > d->ranges_left) {
		d->ranges_left = 0;
		return false;
	}
	d->ranges_left -= n;
	return true;
}

static u64 now_ns(void)
{
	struct timespec ts;

	/*
	 * the coarse clock has steps of some milliseconds, which is enough for a sum, and is cheap
	 */
	clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

ptrdiff_t debuginfo_next_range(struct debuginfo *d, Dwarf_Die *die, ptrdiff_t off, Dwarf_Addr *base,
			       Dwarf_Addr *start, Dwarf_Addr *end)
{
	u64 begin = now_ns();

	if (d->lists_ns > MAX_LISTS_NS)
		return -1;
	off = dwarf_ranges(die, off, base, start, end);
	d->lists_ns += now_ns() - begin;
	return off;
}

static void add_range(struct debuginfo *d, size_t unit, u64 start, u64 end)
{
	/* Functions that the linker dropped have addresses at or next to 0. */
	if (start >= end || start < 2)
		return;
	d->units[unit].has_ranges = true;
	vec_push(d->ranges, d->nr_ranges, d->cap_ranges,
		 ((struct unit_range){ .start = start, .end = end, .unit = (u32)unit }));
}

static void add_unit_ranges(struct debuginfo *d, size_t unit, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t off = 0, before;

	while (debuginfo_spend_ranges(d, 1)) {
		before = off;
		off = debuginfo_next_range(d, die, off, &base, &start, &end);
		if (off <= 0 || off == before)
			break;
		add_range(d, unit, start, end);
	}
}

static size_t unit_by_start(const struct debuginfo *d, u64 start)
{
	size_t lo = 0, hi = d->nr_units, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (d->units[mid].start < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < d->nr_units && d->units[lo].start == start ? lo : SIZE_MAX;
}

/* Adds the ranges in .debug_aranges; unless bare is NULL, only those of units marked in it. */
static void add_aranges(struct debuginfo *d, const u8 *bare)
{
	struct cursor c = cursor_of(dwarf_source_aranges(d->source), d->is_swapped);
	struct aranges_set set;
	u64 start, size;

	while (aranges_next_set(&c, &set)) {
		size_t unit = unit_by_start(d, set.unit);

		if (unit == SIZE_MAX || (bare && !bare[unit]))
			continue;
		while (aranges_next(&set, &start, &size) && debuginfo_spend_ranges(d, 1))
			if (start + size > start)
				add_range(d, unit, start, start + size);
	}
}

/*
 * Adds the ranges of the sequences in a unit's line table. Some assemblers write no other ranges.
 */
static void add_sequences(struct debuginfo *d, size_t unit)
{
	Dwarf_Lines *rows;
	Dwarf_Line *row;
	Dwarf_Addr addr, start = 0;
	Dwarf_Die die;
	size_t nr, i;
	bool in_sequence = false, is_end;

	if (!debuginfo_unit(d, unit, &die) || !dwarf_hasattr(&die, DW_AT_stmt_list) ||
	    dwarf_getsrclines(&die, &rows, &nr) || !debuginfo_spend_ranges(d, nr))
		return;
	for (i = 0; i < nr; i++) {
		row = dwarf_onesrcline(rows, i);
		if (!row || dwarf_lineaddr(row, &addr) || dwarf_lineendsequence(row, &is_end))
			return;
		if (!in_sequence)
			start = addr;
		in_sequence = !is_end;
		if (is_end)
			add_range(d, unit, start, addr);
	}
}

/*
 * Adds ranges for units whose DIEs have none, as of hand-written code or old tools: from
 * .debug_aranges, or else from the line table. Other units are left out, because their DIEs are
 * more exact.
 */
static void add_bare_units(struct debuginfo *d, const u8 *has_code)
{
	u8 *bare = xcalloc(d->nr_units + 1, 1);
	bool any = false;
	size_t i;

	for (i = 0; i < d->nr_units; i++)
		any |= bare[i] = has_code[i] && !d->units[i].has_ranges;
	if (any)
		add_aranges(d, bare);
	for (i = 0; i < d->nr_units; i++)
		if (bare[i] && !d->units[i].has_ranges)
			add_sequences(d, i);
	free(bare);
}

static int by_start(const void *a, const void *b)
{
	const struct unit_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/*
	 * The wider range first, because searches go backwards and must meet the narrower one
	 * first.
	 */
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (x->unit < y->unit) - (x->unit > y->unit);
}

static void sort_ranges(struct debuginfo *d)
{
	u64 reach = 0;

	if (d->nr_ranges)
		qsort(d->ranges, d->nr_ranges, sizeof(*d->ranges), by_start);
	for (size_t i = 0; i < d->nr_ranges; i++) {
		if (d->ranges[i].end > reach)
			reach = d->ranges[i].end;
		d->ranges[i].reach = reach;
	}
}

/*
 * Returns the number of bytes between a unit's length and its DIE; 0 if the unit cannot have code,
 * or its version is unknown.
 */
static size_t head_size(const u8 *p, size_t n, size_t off_size, bool swap, bool *ret_known)
{
	u16 version = n >= 4 ? get_u16(p, swap) : 0;

	*ret_known = version >= 2 && version <= 5;
	if (version != 5)
		return *ret_known ? 2 + off_size + 1 : 0;
	switch (p[2]) {
	case DW_UT_compile: return 4 + off_size;
	case DW_UT_skeleton: return 4 + off_size + 8;
	default: return 0;
	}
}

/*
 * Lists where the units begin. libdw could do so too, but reads the abbreviations of each unit,
 * which takes as long as finding all names of a usual recording.
 */
static void list_units(struct debuginfo *d)
{
	struct span info = dwarf_source_info(d->source);
	bool swap = d->is_swapped, known = true;
	size_t head, len_size, off_size;
	u64 len;

	for (size_t at = 0; info.n - at >= 12; at += len_size + len) {
		len = get_u32(info.p + at, swap);
		len_size = off_size = 4;
		if (len == UINT32_MAX) {
			len = get_u64(info.p + at + 4, swap);
			len_size = 12;
			off_size = 8;
		}
		if (len > info.n - at - len_size)
			return;
		head = head_size(info.p + at + len_size, len, off_size, swap, &known);
		if (!known)
			return;
		if (head && head < len)
			vec_push(d->units, d->nr_units, d->cap_units,
				 ((struct unit){ .start = at, .die = at + len_size + head }));
	}
}

/* Replaces the ranges from .debug_aranges by the ranges in the DIEs of all units. */
static void read_all(struct debuginfo *d)
{
	u8 *has_code = xcalloc(d->nr_units + 1, 1);
	Dwarf_Die die;
	uint8_t type;

	d->all_read = true;
	d->nr_ranges = 0;
	for (size_t i = 0; i < d->nr_units; i++) {
		d->units[i].has_ranges = false;
		if (!debuginfo_unit(d, i, &die) ||
		    dwarf_cu_info(die.cu, NULL, &type, NULL, NULL, NULL, NULL, NULL))
			continue;
		has_code[i] = type == DW_UT_compile || type == DW_UT_skeleton;
		if (has_code[i])
			add_unit_ranges(d, i, &die);
	}
	add_bare_units(d, has_code);
	free(has_code);
	sort_ranges(d);
}

int debuginfo_open(const struct symbols_config *cfg, const struct object *o, const char *code_path,
		   struct debuginfo **ret, struct perr *e)
{
	struct dwarf_source *source;
	struct debuginfo *d;
	int err = dwarf_source_open(cfg, o, code_path, &source, e);

	if (err)
		return err;
	d = xcalloc(1, sizeof(*d));
	d->source = source;
	d->dwarf = dwarf_source_dwarf(source);
	d->is_swapped = o->swap;
	d->ranges_left = o->file.n * RANGES_PER_BYTE;
	list_units(d);
	add_aranges(d, NULL);
	sort_ranges(d);
	*ret = d;
	return 0;
}

void debuginfo_close(struct debuginfo *d)
{
	if (!d)
		return;
	dwarf_source_close(d->source);
	free(d->units);
	free(d->ranges);
	free(d);
}

void debuginfo_need_lines(struct debuginfo *d)
{
	dwarf_source_need_lines(d->source);
}

bool debuginfo_is_swapped(const struct debuginfo *d)
{
	return d->is_swapped;
}

size_t debuginfo_nr_units(const struct debuginfo *d)
{
	return d->nr_units;
}

bool debuginfo_unit(const struct debuginfo *d, size_t unit, Dwarf_Die *ret)
{
	return dwarf_offdie(d->dwarf, d->units[unit].die, ret);
}

bool debuginfo_full_unit(struct debuginfo *d, size_t unit, Dwarf_Die *ret)
{
	uint8_t type;

	if (!debuginfo_unit(d, unit, ret) ||
	    dwarf_cu_info(ret->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL))
		return false;
	return type != DW_UT_skeleton || dwarf_source_split(d->source, ret, ret);
}

static struct unit_search search_from(const struct debuginfo *d, u64 vaddr)
{
	size_t lo = 0, hi = d->nr_ranges, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (d->ranges[mid].start <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return (struct unit_search){ .vaddr = vaddr, .next = lo };
}

void unit_search_init(struct unit_search *s, struct debuginfo *d, u64 vaddr)
{
	struct unit_search first;
	size_t unit;

	*s = first = search_from(d, vaddr);
	if (d->all_read || unit_search_next(&first, d, &unit))
		return;
	/*
	 * the address may still be in a unit: compilers may leave out .debug_aranges, or some units
	 * in it
	 */
	read_all(d);
	*s = search_from(d, vaddr);
}

bool unit_search_next(struct unit_search *s, const struct debuginfo *d, size_t *ret_unit)
{
	const struct unit_range *r;

	while (s->next && s->tried < MAX_OVERLAPS) {
		r = &d->ranges[s->next - 1];
		if (r->reach <= s->vaddr)
			return false;
		s->next--;
		s->tried++;
		if (r->end > s->vaddr) {
			*ret_unit = r->unit;
			return true;
		}
	}
	return false;
}
