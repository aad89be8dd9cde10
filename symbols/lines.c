/* SPDX-License-Identifier: MIT */
#include "symbols/lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/*
 * Ranges kept per byte of the file. An honest range list spends 2 bytes or more on each, but units
 * of a damaged file may all point at one long list.
 */
#define BYTES_PER_RANGE 2

/* Units that overlap at one address, as linkers leave them where they merged functions. */
#define MAX_OVERLAPS 64

struct unit {
	Dwarf_Off die;
	Dwarf_Lines *rows; /* NULL: none, or not read yet */
	size_t nr_rows;
	bool read;
};

struct unit_range {
	u64 start, end;
	u64 reach; /* largest end up to this one in the order of start */
	u32 unit;
};

struct lines {
	int fd;
	Elf *elf;
	Dwarf *dwarf;
	struct unit *units;
	size_t nr_units, cap_units;
	struct unit_range *ranges;
	size_t nr_ranges, cap_ranges, max_ranges;
};

/* dwarf_ranges and the line program need nothing but these; a file without them has no lines. */
static bool has_line_section(Elf *elf)
{
	size_t names;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	const char *name;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, sh.sh_name);
		if (name && (!strcmp(name, ".debug_line") || !strcmp(name, ".zdebug_line")))
			return true;
	}
	return false;
}

static void add_unit(struct lines *l, Dwarf_Die *die)
{
	u32 unit = (u32)l->nr_units;
	Dwarf_Addr base, start, end;
	ptrdiff_t off = 0, before;

	vec_push(l->units, l->nr_units, l->cap_units,
		 ((struct unit){ .die = dwarf_dieoffset(die) }));
	while (l->nr_ranges < l->max_ranges) {
		before = off;
		off = dwarf_ranges(die, off, &base, &start, &end);
		if (off <= 0 || off == before)
			break;
		/* Code that the linker dropped is left at 0 or next to it. */
		if (start >= end || start < 2)
			continue;
		vec_push(l->ranges, l->nr_ranges, l->cap_ranges,
			 ((struct unit_range){ .start = start, .end = end, .unit = unit }));
	}
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

static void read_units(struct lines *l)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	uint8_t type;
	u64 reach = 0;

	while (!dwarf_get_units(l->dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			add_unit(l, &die);
	}
	if (l->nr_ranges)
		qsort(l->ranges, l->nr_ranges, sizeof(*l->ranges), by_start);
	for (size_t i = 0; i < l->nr_ranges; i++) {
		if (l->ranges[i].end > reach)
			reach = l->ranges[i].end;
		l->ranges[i].reach = reach;
	}
}

int lines_open(const char *path, struct lines **ret, struct perr *e)
{
	struct lines *l = xcalloc(1, sizeof(*l));
	off_t size;
	int err;

	elf_version(EV_CURRENT);
	l->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (l->fd < 0) {
		err = perr_io(e, "cannot open %s", path);
		goto out;
	}
	l->elf = elf_begin(l->fd, ELF_C_READ_MMAP, NULL);
	if (!l->elf || elf_kind(l->elf) != ELF_K_ELF) {
		err = perr_set(e, PERR_FORMAT, "%s: not an ELF file", path);
		goto out;
	}
	if (!has_line_section(l->elf)) {
		err = perr_set(e, PERR_NOTFOUND, "%s: no line tables", path);
		goto out;
	}
	l->dwarf = dwarf_begin_elf(l->elf, DWARF_C_READ, NULL);
	if (!l->dwarf) {
		err = perr_set(e, PERR_FORMAT, "%s: %s", path, dwarf_errmsg(-1));
		goto out;
	}
	size = lseek(l->fd, 0, SEEK_END);
	l->max_ranges = size > 0 ? (size_t)size / BYTES_PER_RANGE : 0;
	read_units(l);
	*ret = l;
	return 0;
out:
	lines_close(l);
	return err;
}

void lines_close(struct lines *l)
{
	if (!l)
		return;
	dwarf_end(l->dwarf);
	elf_end(l->elf);
	if (l->fd >= 0)
		close(l->fd);
	free(l->units);
	free(l->ranges);
	free(l);
}

static void read_rows(struct lines *l, struct unit *u)
{
	Dwarf_Die die;

	u->read = true;
	if (!dwarf_offdie(l->dwarf, u->die, &die) ||
	    dwarf_getsrclines(&die, &u->rows, &u->nr_rows))
		u->rows = NULL;
}

/* The last row at or before vaddr: of equal ones the last, as debuggers and perf take it. */
static Dwarf_Line *find_row(const struct unit *u, u64 vaddr)
{
	size_t lo = 0, hi = u->nr_rows, mid;
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

static bool find_in_unit(struct lines *l, struct unit *u, u64 vaddr, const char **ret_file,
			 u32 *ret_line)
{
	const char *file;
	Dwarf_Line *row;
	bool is_end;
	int line;

	if (!u->read)
		read_rows(l, u);
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
	size_t lo = 0, hi = l->nr_ranges, mid, i;
	unsigned int tried = 0;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (l->ranges[mid].start <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (i = lo; i-- && l->ranges[i].reach > vaddr && tried < MAX_OVERLAPS; tried++)
		if (l->ranges[i].end > vaddr &&
		    find_in_unit(l, &l->units[l->ranges[i].unit], vaddr, ret_file, ret_line))
			return true;
	return false;
}
