/* SPDX-License-Identifier: MIT */
/* The whole input is the text of a kallsyms list. */
#include "symbols/kernel/kallsyms.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* What mend_ends promises: in order, none empty, no two at one address. */
static void check_list(const struct kallsyms *k)
{
	for (size_t i = 0; i < k->nr; i++) {
		const struct kallsyms_sym *s = &k->syms[i];

		if (s->end <= s->start || (i && s->start <= s[-1].start))
			__builtin_trap();
		if (s->name > k->text.n || s->name_len > k->text.n - s->name)
			__builtin_trap();
	}
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const char *const modules[] = { NULL, "[ext4]" };
	struct span text = span_of(data, size);
	struct kallsyms k;
	struct kallsyms_sym sym;
	u64 addr = 0, start, end;

	kallsyms_init(&k, text);
	if (kallsyms_range(&k, &start, &end) && kallsyms_find(&k, start + size, &sym) &&
	    (start + size < sym.start || start + size >= sym.end))
		__builtin_trap();
	kallsyms_read(&k);
	check_list(&k);
	(void)kallsyms_address(text, "_text", &addr);
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++) {
		struct symtab tab;

		symtab_init(&tab);
		kallsyms_fill(&k, modules[i], addr, &tab);
		symtab_sort(&tab);
		(void)symtab_find(&tab, addr);
		symtab_fini(&tab);
	}
	kallsyms_fini(&k);
	return 0;
}
