/* SPDX-License-Identifier: MIT */
/* The whole input is the text of a JIT map. */
#include "symbols/jit/perfmap.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct symtab tab;

	symtab_init(&tab);
	perfmap_parse(span_of(data, size), &tab);
	for (size_t i = 0; i < tab.nr; i++) {
		const struct sym *s = &tab.syms[i];

		if (s->end <= s->start || (i && s->start < s[-1].end))
			__builtin_trap();
		if (symtab_find(&tab, s->start) != s || symtab_find(&tab, s->end - 1) != s)
			__builtin_trap();
	}
	symtab_fini(&tab);
	return 0;
}
