/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/lines.h"

#include "base/mem.h"
#include "symbols/dwarf/debuginfo.h"

struct unit_rows {
	Dwarf_Lines *rows; /* NULL: none, or not read yet */
	size_t nr;
	bool read;
};

struct lines {
	struct debuginfo *d;
	struct unit_rows *units; /* by the unit's number in the debuginfo */
};

struct lines *lines_new(struct debuginfo *d)
{
	struct lines *l = xcalloc(1, sizeof(*l));

	l->d = d;
	l->units = xcalloc(debuginfo_nr_units(d) + 1, sizeof(*l->units));
	return l;
}

void lines_free(struct lines *l)
{
	if (!l)
		return;
	free(l->units);
	free(l);
}

static void read_rows(struct lines *l, size_t unit)
{
	struct unit_rows *u = &l->units[unit];
	Dwarf_Die die;

	u->read = true;
	debuginfo_need_lines(l->d);
	if (!debuginfo_unit(l->d, unit, &die) || dwarf_getsrclines(&die, &u->rows, &u->nr))
		u->rows = NULL;
}

/*
 * Returns the last row at or before vaddr. Of rows with equal addresses the last one counts, as in
 * debuggers and perf.
 */
static Dwarf_Line *find_row(const struct unit_rows *u, u64 vaddr)
{
	size_t lo = 0, hi = u->nr, mid;
	Dwarf_Line *row, *found = NULL;
	Dwarf_Addr addr;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		row = dwarf_onesrcline(u->rows, mid);
		if (!row || dwarf_lineaddr(row, &addr))
			return NULL;
		if (addr <= vaddr) {
			found = row;
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return found;
}

static bool find_in_unit(struct lines *l, size_t unit, u64 vaddr, const char **ret_file,
			 u32 *ret_line)
{
	const struct unit_rows *u = &l->units[unit];
	const char *file;
	Dwarf_Line *row;
	bool is_end;
	int line;

	if (!u->read)
		read_rows(l, unit);
	if (!u->rows)
		return false;
	row = find_row(u, vaddr);
	if (!row || dwarf_lineendsequence(row, &is_end) || is_end || dwarf_lineno(row, &line))
		return false;
	file = dwarf_linesrc(row, NULL, NULL);
	if (!file)
		return false;
	*ret_file = file;
	*ret_line = (u32)line;
	return true;
}

bool lines_find(struct lines *l, u64 vaddr, const char **ret_file, u32 *ret_line)
{
	struct unit_search s;
	size_t unit;

	unit_search_init(&s, l->d, vaddr);
	while (unit_search_next(&s, l->d, &unit))
		if (find_in_unit(l, unit, vaddr, ret_file, ret_line))
			return true;
	return false;
}
