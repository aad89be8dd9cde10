/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/dwarf_source.h"

#include <dwarf.h>

#include "base/mem.h"
#include "symbols/dwarf/altlink.h"
#include "symbols/find/debuglink.h"
#include "symbols/dwarf/dwarf_elf.h"
#include "symbols/dwarf/split_dwarf.h"

struct dwarf_source {
	struct symbols_config cfg;
	struct dwarf_elf own, alt;
	struct object *alt_object;
	struct split_dwarf *split;
	struct debugfile_try *tries;
	size_t nr_tries, cap_tries;
};

static void open_alt(struct dwarf_source *s, const struct object *o)
{
	s->alt_object = altlink_find(&s->cfg, o, &s->tries, &s->nr_tries, &s->cap_tries);
	if (s->alt_object && dwarf_elf_open(s->alt_object, &s->alt, NULL)) {
		struct debugfile_try *t = &s->tries[s->nr_tries - 1];

		t->roles = 0;
		t->why = "it has no debug information";
	}
	dwarf_image_expand_lines(&s->alt.image);
	/*
	 * Set even if no alternate file was found: otherwise libdw searches for one itself, in
	 * other places.
	 */
	dwarf_setalt(s->own.dwarf, s->alt.dwarf);
}

int dwarf_source_open(const struct symbols_config *cfg, const struct object *o,
		      const char *code_path, struct dwarf_source **ret, struct perr *e)
{
	struct dwarf_source *s;
	int err;

	if (!object_has_dwarf(o))
		return perr_set(e, PERR_NOTFOUND, "%s: it has no debug information", o->path);
	s = xcalloc(1, sizeof(*s));
	s->cfg = *cfg;
	err = dwarf_elf_open(o, &s->own, e);
	if (err) {
		dwarf_source_close(s);
		return err;
	}
	open_alt(s, o);
	s->split = split_dwarf_new(&s->cfg, o, code_path, &s->own);
	*ret = s;
	return 0;
}

void dwarf_source_close(struct dwarf_source *s)
{
	if (!s)
		return;
	split_dwarf_free(s->split);
	dwarf_elf_close(&s->own);
	dwarf_elf_close(&s->alt);
	object_close(s->alt_object);
	debugfile_tries_free(s->tries, s->nr_tries);
	free(s);
}

Dwarf *dwarf_source_dwarf(const struct dwarf_source *s)
{
	return s->own.dwarf;
}

struct span dwarf_source_info(const struct dwarf_source *s)
{
	return dwarf_elf_section(&s->own, ".debug_info");
}

struct span dwarf_source_aranges(const struct dwarf_source *s)
{
	return dwarf_elf_section(&s->own, ".debug_aranges");
}

void dwarf_source_need_lines(struct dwarf_source *s)
{
	dwarf_image_expand_lines(&s->own.image);
}

bool dwarf_source_split(struct dwarf_source *s, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	return split_dwarf_find(s->split, skeleton, ret, &s->tries, &s->nr_tries, &s->cap_tries);
}

void dwarf_source_find_all(struct dwarf_source *s, size_t max)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	while (max && !dwarf_get_units(s->own.dwarf, cu, &cu, NULL, &type, &die, NULL)) {
		if (type != DW_UT_skeleton)
			continue;
		max--;
		(void)dwarf_source_split(s, &die, &split);
	}
}

size_t dwarf_source_tries(const struct dwarf_source *s, const struct debugfile_try **ret)
{
	*ret = s->tries;
	return s->nr_tries;
}
