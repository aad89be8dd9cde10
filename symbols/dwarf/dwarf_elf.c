/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/dwarf_elf.h"

#include <dwarf.h>
#include <gelf.h>
#include <string.h>

static int libdw_begin(const struct object *o, struct dwarf_elf *d, struct perr *e)
{
	u8 *p = d->image.p ? d->image.p : (u8 *)(uintptr_t)o->file.p;
	size_t n = d->image.p ? d->image.n : o->file.n;

	elf_version(EV_CURRENT);
	/* libelf does not write to an image that the caller passes in */
	d->elf = elf_memory((char *)p, n);
	if (!d->elf)
		return perr_set(e, PERR_FORMAT, "%s: %s", o->path, elf_errmsg(-1));
	d->dwarf = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
	if (!d->dwarf)
		return perr_set(e, PERR_NOTFOUND, "%s: %s", o->path, dwarf_errmsg(-1));
	return 0;
}

static void libdw_end(struct dwarf_elf *d)
{
	dwarf_end(d->dwarf);
	elf_end(d->elf);
	d->dwarf = NULL;
	d->elf = NULL;
}

/*
 * True if the file has skeleton units, which refer to split DWARF. Their addresses are in
 * .debug_addr, so without that section no unit needs to be read.
 */
static bool has_skeletons(const struct object *o, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	uint8_t type;

	if (!object_section(o, ".debug_addr") && !object_section(o, ".zdebug_addr"))
		return false;
	while (!dwarf_get_units(dwarf, cu, &cu, NULL, &type, NULL, NULL))
		if (type == DW_UT_skeleton)
			return true;
	return false;
}

int dwarf_elf_open(const struct object *o, struct dwarf_elf *ret, struct perr *e)
{
	struct dwarf_elf d = { 0 };
	int err = 0;

	if (dwarf_image_is_needed(o))
		err = dwarf_image_make(o, false, &d.image, e);
	if (!err)
		err = libdw_begin(o, &d, e);
	if (!err && has_skeletons(o, d.dwarf)) {
		libdw_end(&d);
		dwarf_image_fini(&d.image);
		err = dwarf_image_make(o, true, &d.image, e);
		if (!err)
			err = libdw_begin(o, &d, e);
	}
	if (err)
		dwarf_elf_close(&d);
	else
		*ret = d;
	return err;
}

void dwarf_elf_close(struct dwarf_elf *d)
{
	libdw_end(d);
	dwarf_image_fini(&d->image);
}

struct span dwarf_elf_section(const struct dwarf_elf *d, const char *name)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr h;
	Elf_Data *data;
	const char *s;
	size_t names;

	if (elf_getshdrstrndx(d->elf, &names))
		return span_of(NULL, 0);
	while ((scn = elf_nextscn(d->elf, scn))) {
		if (!gelf_getshdr(scn, &h) || h.sh_type == SHT_NOBITS)
			continue;
		s = elf_strptr(d->elf, names, h.sh_name);
		if (!s || strcmp(s, name))
			continue;
		data = elf_rawdata(scn, NULL);
		return data ? span_of(data->d_buf, data->d_size) : span_of(NULL, 0);
	}
	return span_of(NULL, 0);
}
