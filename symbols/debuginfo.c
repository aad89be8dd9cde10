/* SPDX-License-Identifier: MIT */
#include "symbols/debuginfo.h"

#include <dwarf.h>
#include <time.h>

#include "base/mem.h"

/* Ranges read per byte of the file, for units and again for functions and what is inlined. */
#define RANGES_PER_BYTE 1

#define MAX_LISTS_NS 5000000000ull

/* Units that overlap at one address, as linkers leave them where they merged functions. */
#define MAX_OVERLAPS 64

struct unit {
	Dwarf_Off die;
	bool has_ranges;
};

struct unit_range {
	u64 start, end;
	u64 reach; /* largest end up to this one in the order of start */
	u32 unit;
};

struct debuginfo {
	struct dwarf_source *source;
	Dwarf *dwarf;
	bool is_swapped;
	struct unit *units; /* ascending by die */
	size_t nr_units, cap_units;
	struct unit_range *ranges;
	size_t nr_ranges, cap_ranges;
	size_t ranges_left;
	u64 lists_ns; /* spent in libdw's reading of range lists */
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

	/* in steps of some milliseconds, which does for a sum, and costs next to nothing */
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
	/* Code that the linker dropped is left at 0 or next to it. */
	if (start >= end || start < 2)
		return;
	d->units[unit].has_ranges = true;
	vec_push(d->ranges, d->nr_ranges, d->cap_ranges,
		 ((struct unit_range){ .start = start, .end = end, .unit = (u32)unit }));
}

static void add_unit(struct debuginfo *d, Dwarf_Die *die)
{
	size_t unit = d->nr_units;
	Dwarf_Addr base, start, end;
	ptrdiff_t off = 0, before;

	vec_push(d->units, d->nr_units, d->cap_units,
		 ((struct unit){ .die = dwarf_dieoffset(die) }));
	while (debuginfo_spend_ranges(d, 1)) {
		before = off;
		off = debuginfo_next_range(d, die, off, &base, &start, &end);
		if (off <= 0 || off == before)
			break;
		add_range(d, unit, start, end);
	}
}

static size_t unit_by_die(const struct debuginfo *d, Dwarf_Off die)
{
	size_t lo = 0, hi = d->nr_units, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (d->units[mid].die < die)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < d->nr_units && d->units[lo].die == die ? lo : SIZE_MAX;
}

/* .debug_aranges, for the units in `bare` alone: others say more exactly themselves. */
static void add_aranges(struct debuginfo *d, const u8 *bare)
{
	Dwarf_Aranges *aranges;
	Dwarf_Addr start;
	Dwarf_Word len;
	Dwarf_Off die;
	size_t nr, i, unit;

	if (dwarf_getaranges(d->dwarf, &aranges, &nr))
		return;
	for (i = 0; i < nr && debuginfo_spend_ranges(d, 1); i++) {
		if (dwarf_getarangeinfo(dwarf_onearange(aranges, i), &start, &len, &die))
			continue;
		unit = unit_by_die(d, die);
		if (unit != SIZE_MAX && bare[unit] && start + len > start)
			add_range(d, unit, start, start + len);
	}
}

/* The sequences of a unit's line table, which assemblers write where they write nothing else. */
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

/* Units that do not tell their ranges: partly made by hand, or by old tools. */
static void add_bare_units(struct debuginfo *d)
{
	u8 *bare = xcalloc(d->nr_units + 1, 1);
	bool any = false;
	size_t i;

	for (i = 0; i < d->nr_units; i++)
		any |= bare[i] = !d->units[i].has_ranges;
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
	/* The wider first, so that the narrower is met first on the way back. */
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return (x->unit < y->unit) - (x->unit > y->unit);
}

static void read_units(struct debuginfo *d)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	u64 reach = 0;

	while (!dwarf_get_units(d->dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_unit(d, &die);
	}
	add_bare_units(d);
	if (d->nr_ranges)
		qsort(d->ranges, d->nr_ranges, sizeof(*d->ranges), by_start);
	for (size_t i = 0; i < d->nr_ranges; i++) {
		if (d->ranges[i].end > reach)
			reach = d->ranges[i].end;
		d->ranges[i].reach = reach;
	}
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
	read_units(d);
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

void unit_search_init(struct unit_search *s, const struct debuginfo *d, u64 vaddr)
{
	size_t lo = 0, hi = d->nr_ranges, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (d->ranges[mid].start <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	*s = (struct unit_search){ .vaddr = vaddr, .next = lo };
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
