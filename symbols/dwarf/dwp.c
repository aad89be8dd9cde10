/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/dwp.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "base/wbuf.h"

/*
 * .debug_cu_index, in the file's byte order:
 *	u32 version (5: u16 version, u16 padding), u32 columns, u32 units, u32 slots
 *	u64 id[slots], u32 row[slots]	a hash table; row 0: the slot is empty
 *	u32 section[columns]		DW_SECT_* of each column
 *	u32 offset[units][columns], u32 size[units][columns]	row r is units[r - 1]
 */
#define HEADER_SIZE 16
#define MAX_COLUMNS 16

/*
 * Sections of a package, as DW_SECT_*. Number 2 and the numbers from 5 on differ between versions.
 */
enum part { PART_INFO, PART_ABBREV, PART_LINE, PART_STR_OFFSETS, PART_RNGLISTS, PARTS };

static const struct {
	const char *name;
	u32 sect_v2, sect_v5;
} part_kinds[PARTS] = {
	[PART_INFO] = { ".debug_info.dwo", 1, 1 },
	[PART_ABBREV] = { ".debug_abbrev.dwo", 3, 3 },
	[PART_LINE] = { ".debug_line.dwo", 4, 4 },
	[PART_STR_OFFSETS] = { ".debug_str_offsets.dwo", 6, 6 },
	[PART_RNGLISTS] = { ".debug_rnglists.dwo", UINT32_MAX, 8 },
};

struct dwp {
	const struct object *o;
	u16 version;
	u32 nr_columns, nr_units, nr_slots;
	struct span ids, rows, offsets, sizes;
	int columns[PARTS]; /* -1: the package has none */
	struct span sections[PARTS], str;
};

static struct span section(const struct object *o, const char *name)
{
	return object_bytes(o, object_section(o, name));
}

static int read_index(struct dwp *d, struct span in, struct perr *e)
{
	struct cursor c = cursor_of(in, d->o->swap);
	u32 version = cur_u32(&c);
	struct span columns;
	u64 cells;

	/* in version 5 the number has 16 bits and is followed by two zero bytes */
	d->version = version == 2 ? 2 : get_u16(in.p, d->o->swap);
	d->nr_columns = cur_u32(&c);
	d->nr_units = cur_u32(&c);
	d->nr_slots = cur_u32(&c);
	if (d->version != 2 && d->version != 5)
		return perr_set(e, PERR_UNSUPPORTED,
				"%s: its unit index has the unknown version %u", d->o->path,
				d->version);
	cells = (u64)d->nr_units * d->nr_columns;
	if (d->nr_columns > MAX_COLUMNS || (d->nr_slots & (d->nr_slots - 1)) ||
	    d->nr_slots > cur_left(&c) / 12 || cells > cur_left(&c) / 8)
		return perr_set(
			e, PERR_FORMAT,
			"%s: its unit index is damaged: %u slots, %u units, %u columns, %zu bytes",
			d->o->path, d->nr_slots, d->nr_units, d->nr_columns, in.n);
	d->ids = cur_bytes(&c, (size_t)d->nr_slots * 8);
	d->rows = cur_bytes(&c, (size_t)d->nr_slots * 4);
	columns = cur_bytes(&c, (size_t)d->nr_columns * 4);
	d->offsets = cur_bytes(&c, cells * 4);
	d->sizes = cur_bytes(&c, cells * 4);
	if (c.bad)
		return perr_set(e, PERR_FORMAT, "%s: its unit index ends too early", d->o->path);
	for (int part = 0; part < PARTS; part++) {
		u32 want = d->version == 5 ? part_kinds[part].sect_v5 : part_kinds[part].sect_v2;

		d->columns[part] = -1;
		for (u32 i = 0; i < d->nr_columns; i++)
			if (get_u32(columns.p + (size_t)i * 4, d->o->swap) == want)
				d->columns[part] = (int)i;
	}
	return 0;
}

int dwp_open(const struct object *o, struct dwp **ret, struct perr *e)
{
	struct span in = section(o, ".debug_cu_index");
	struct dwp *d;
	int err;

	if (in.n < HEADER_SIZE)
		return perr_set(e, PERR_NOTFOUND,
				"%s: not a DWARF package: it has no index of units", o->path);
	d = xcalloc(1, sizeof(*d));
	d->o = o;
	err = read_index(d, in, e);
	if (err) {
		dwp_close(d);
		return err;
	}
	for (int part = 0; part < PARTS; part++)
		d->sections[part] = section(o, part_kinds[part].name);
	d->str = section(o, ".debug_str.dwo");
	*ret = d;
	return 0;
}

void dwp_close(struct dwp *d)
{
	free(d);
}

/*
 * Returns the row, from 0, of the unit in the tables of offsets and sizes; UINT32_MAX if the
 * package does not have the unit.
 */
static u32 find_row(const struct dwp *d, u64 id)
{
	u32 mask = d->nr_slots - 1, slot, step, row;

	if (!d->nr_slots)
		return UINT32_MAX;
	slot = (u32)id & mask;
	step = ((u32)(id >> 32) & mask) | 1;
	for (u32 i = 0; i < d->nr_slots; i++) {
		row = get_u32(d->rows.p + (size_t)slot * 4, d->o->swap);
		if (!row)
			break;
		if (get_u64(d->ids.p + (size_t)slot * 8, d->o->swap) == id)
			return row <= d->nr_units ? row - 1 : UINT32_MAX;
		slot = (slot + step) & mask;
	}
	return UINT32_MAX;
}

/*
 * Sets *ret to a unit's part of a section; empty: it has none. Returns false if the part is not
 * inside the section.
 */
static bool part_of(const struct dwp *d, u32 row, int part, struct span *ret)
{
	size_t cell;
	u32 off, size;

	*ret = span_of(NULL, 0);
	if (d->columns[part] < 0)
		return true;
	cell = ((size_t)row * d->nr_columns + (size_t)d->columns[part]) * 4;
	off = get_u32(d->offsets.p + cell, d->o->swap);
	size = get_u32(d->sizes.p + cell, d->o->swap);
	if (off > d->sections[part].n || size > d->sections[part].n - off)
		return false;
	if (size)
		*ret = span_of(d->sections[part].p + off, size);
	return true;
}

/*
 * Copies the strings of one unit to strings, since those of a whole package may take a hundred
 * megabytes. Changes offsets, which is a copy of the unit's part `in` of .debug_str_offsets, to
 * refer to the copies. Returns false if the unit repeats strings so often that all strings of the
 * package would be smaller.
 */
static bool gather_strings(const struct dwp *d, struct span in, u8 *offsets, struct wbuf *strings)
{
	bool swap = d->o->swap, wide = in.n >= 4 && get_u32(in.p, swap) == UINT32_MAX;
	size_t at = d->version == 5 ? (wide ? 16 : 8) : 0, size = wide && at ? 8 : 4;

	for (; at < in.n && in.n - at >= size; at += size) {
		u64 off = size == 8 ? get_u64(in.p + at, swap) : get_u32(in.p + at, swap);
		const char *text = object_string(d->str, off);
		u64 to = strings->n;
		u32 to32 = swap ? bswap_32((u32)to) : (u32)to;

		if (!text)
			text = "";
		wb_text(strings, text, 1);
		if (strings->n >= d->str.n)
			return false;
		to = swap ? bswap_64(to) : to;
		memcpy(offsets + at, size == 8 ? (void *)&to : (void *)&to32, size);
	}
	return true;
}

static u16 swab16(u16 v, bool swap)
{
	return swap ? bswap_16(v) : v;
}

static u32 swab32(u32 v, bool swap)
{
	return swap ? bswap_32(v) : v;
}

static u64 swab64(u64 v, bool swap)
{
	return swap ? bswap_64(v) : v;
}

/* Appends a section: its bytes to b, its header to headers, its name to names. */
static void put_section(struct wbuf *b, struct wbuf *headers, struct wbuf *names, const char *name,
			struct span bytes, u32 type, bool swap)
{
	Elf64_Shdr sh = { .sh_name = swab32((u32)names->n, swap),
			  .sh_type = swab32(type, swap),
			  .sh_offset = swab64(b->n, swap),
			  .sh_size = swab64(bytes.n, swap),
			  .sh_addralign = swab64(1, swap) };

	wb_text(names, name, 1);
	wb_mem(headers, &sh, sizeof(sh));
	wb_mem(b, bytes.p, bytes.n);
}

/*
 * Writes a relocatable ELF file with the sections of one unit to b, in the package's byte order. It
 * is a 64-bit file even if the package is not, because a unit itself contains the size of its
 * addresses.
 */
static void put_file(const struct dwp *d, const struct span parts[PARTS], struct span str,
		     struct wbuf *b)
{
	struct wbuf headers = { 0 }, names = { 0 };
	bool swap = d->o->swap;
	Elf64_Ehdr eh = { .e_type = swab16(ET_REL, swap),
			  .e_machine = swab16(d->o->machine, swap),
			  .e_version = swab32(EV_CURRENT, swap),
			  .e_ehsize = swab16(sizeof(Elf64_Ehdr), swap),
			  .e_shentsize = swab16(sizeof(Elf64_Shdr), swap) };
	struct span all_names;
	u16 nr;

	memcpy(eh.e_ident, d->o->file.p, EI_NIDENT);
	eh.e_ident[EI_CLASS] = ELFCLASS64;
	wb_zero(b, sizeof(eh));
	wb_zero(&headers, sizeof(Elf64_Shdr));
	wb_text(&names, "", 1);
	for (int part = 0; part < PARTS; part++)
		if (parts[part].n)
			put_section(b, &headers, &names, part_kinds[part].name, parts[part],
				    SHT_PROGBITS, swap);
	put_section(b, &headers, &names, ".debug_str.dwo", str, SHT_PROGBITS, swap);
	/* the names of all sections, including this one */
	wb_reserve(&names, 16);
	all_names = span_of(names.p, names.n + sizeof(".names"));
	put_section(b, &headers, &names, ".names", all_names, SHT_STRTAB, swap);
	wb_zero(b, -b->n & 7);
	nr = (u16)(headers.n / sizeof(Elf64_Shdr));
	eh.e_shoff = swab64(b->n, swap);
	eh.e_shnum = swab16(nr, swap);
	eh.e_shstrndx = swab16((u16)(nr - 1), swap);
	wb_mem(b, headers.p, headers.n);
	memcpy(b->p, &eh, sizeof(eh));
	wb_fini(&headers);
	wb_fini(&names);
}

int dwp_unit(const struct dwp *d, u64 dwo_id, u8 **ret, size_t *ret_n, struct perr *e)
{
	u32 row = find_row(d, dwo_id);
	struct wbuf strings = { 0 }, file = { 0 };
	struct span parts[PARTS], str = d->str;
	u8 *offsets = NULL;

	if (row == UINT32_MAX)
		return perr_set(e, PERR_NOTFOUND, "%s: it does not contain unit %016llx",
				d->o->path, (unsigned long long)dwo_id);
	for (int part = 0; part < PARTS; part++)
		if (!part_of(d, row, part, &parts[part]))
			return perr_set(e, PERR_FORMAT,
					"%s: unit %016llx reaches beyond section %s", d->o->path,
					(unsigned long long)dwo_id, part_kinds[part].name);
	if (parts[PART_STR_OFFSETS].n) {
		struct span in = parts[PART_STR_OFFSETS];

		offsets = xmalloc(in.n);
		memcpy(offsets, in.p, in.n);
		if (gather_strings(d, in, offsets, &strings)) {
			parts[PART_STR_OFFSETS] = span_of(offsets, in.n);
			str = wb_span(&strings);
		}
	}
	put_file(d, parts, str, &file);
	free(offsets);
	wb_fini(&strings);
	*ret = file.p;
	*ret_n = file.n;
	return 0;
}
