/* SPDX-License-Identifier: MIT */
/*
 * An ELF file whose units were split off, and the .dwp package that has them. Input: the number of
 * bytes of the ELF file (4 bytes, little endian), that file, the package.
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/dwarf/dwarf_source.h"

#define INPUT_MAX (256u << 10)
#define MAX_UNITS 16
#define MAX_DIES 200
#define MAX_RANGES 100

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* Some DIEs of a unit, and what they need of the skeleton's file: strings, addresses, ranges. */
static void walk(Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attr;
	Dwarf_Die die, next;
	ptrdiff_t off = 0;

	if (dwarf_child(unit, &die))
		return;
	for (int i = 0; i < MAX_DIES; i++) {
		(void)dwarf_formstring(dwarf_attr_integrate(&die, DW_AT_name, &attr));
		off = 0;
		for (int k = 0; k < MAX_RANGES; k++) {
			off = dwarf_ranges(&die, off, &base, &start, &end);
			if (off <= 0)
				break;
		}
		if (dwarf_child(&die, &next) && dwarf_siblingof(&die, &next))
			break;
		die = next;
	}
}

static void walk_units(struct dwarf_source *s)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die, split;
	uint8_t type;

	for (int i = 0; i < MAX_UNITS; i++) {
		if (dwarf_get_units(dwarf_source_dwarf(s), cu, &cu, NULL, &type, &die, NULL))
			break;
		/* the second time libdw has it */
		if (type == DW_UT_skeleton && dwarf_source_split(s, &die, &split) &&
		    dwarf_source_split(s, &die, &split))
			walk(&split);
	}
}

/* The package where split_dwarf looks for it: beside the program. */
static char *write_package(const u8 *p, size_t n)
{
	char *dir = xasprintf("/tmp/fuzz_split_dwarf.%d", (int)getpid());
	char *path = xasprintf("%s/prog.dwp", dir);
	FILE *f;

	(void)mkdir(dir, 0700);
	f = fopen(path, "wb");
	if (f) {
		(void)!fwrite(p, 1, n, f);
		fclose(f);
	}
	path[strlen(path) - strlen(".dwp")] = 0;
	free(dir);
	return path;
}

static void remove_package(char *code_path)
{
	char *path = xasprintf("%s.dwp", code_path), *slash = strrchr(code_path, '/');

	(void)unlink(path);
	*slash = 0;
	(void)rmdir(code_path);
	free(path);
	free(code_path);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct symbols_config hermetic = { .hermetic = true, .buildid_dir = "" };
	struct dwarf_source *s;
	struct object *o;
	char *code_path;
	size_t n;

	if (size < 4 || size > INPUT_MAX)
		return 0;
	n = (size_t)data[0] | (size_t)data[1] << 8 | (size_t)data[2] << 16;
	data += 4;
	size -= 4;
	if (n > size || object_open_mem("fuzz", data, n, &o, NULL))
		return 0;
	code_path = write_package(data + n, size - n);
	if (!dwarf_source_open(&hermetic, o, code_path, &s, NULL)) {
		walk_units(s);
		dwarf_source_close(s);
	}
	object_close(o);
	remove_package(code_path);
	return 0;
}
