/* SPDX-License-Identifier: MIT */
/*
 * The symbols of an ELF file. Input: u8 options, then the file. Bit 0: a vmlinux, bit 1: a kernel
 * module, bit 2: aliases are chosen by their demangled names, bit 3: the second half of the file is
 * the runtime file of the first. Searches some addresses and demangles what is found.
 */
#include <stdlib.h>

#include "symbols/table/demangle.h"
#include "symbols/elf/elf_symtab.h"
#include "symbols/elf/gnu_debugdata.h"
#include "symbols/elf/go_table.h"

#define INPUT_MAX (256u << 10)
#define MAX_SEARCHES 256

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void search(struct symtab *t)
{
	size_t step = t->nr / MAX_SEARCHES + 1;

	for (size_t i = 0; i < t->nr; i += step) {
		const struct sym *s = symtab_find(t, t->syms[i].start);

		/* A symbol that wraps or is hidden holds not even its own start. */
		if (s)
			free(demangle(s->name, 0));
	}
	for (u64 addr = 0; addr < 64; addr++)
		symtab_find(t, addr << addr);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct object *src = NULL, *runtime = NULL, *inner = NULL;
	unsigned int flags = 0;
	size_t half;
	struct symtab t;

	if (size < 1 || size > INPUT_MAX)
		return 0;
	flags |= data[0] & 1 ? ELF_SYMBOLS_KERNEL : 0;
	flags |= data[0] & 2 ? ELF_SYMBOLS_MODULE : 0;
	flags |= data[0] & 4 ? ELF_SYMBOLS_DEMANGLED : 0;
	half = data[0] & 8 ? (size - 1) / 2 : 0;
	if (object_open_mem("fuzz", data + 1, half ? half : size - 1, &src, NULL))
		return 0;
	if (half && object_open_mem("fuzz", data + 1 + half, size - 1 - half, &runtime, NULL))
		goto out;
	symtab_init(&t);
	if (!elf_load_symbols(src, runtime ? runtime : src, flags, &t, NULL))
		search(&t);
	symtab_fini(&t);
	symtab_init(&t);
	if (go_table_add_symbols(src, &t))
		search(&t);
	symtab_fini(&t);
	if (!gnu_debugdata_open(src, &inner, NULL))
		object_close(inner);
out:
	object_close(runtime);
	object_close(src);
	return 0;
}
