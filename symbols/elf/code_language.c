/* SPDX-License-Identifier: MIT */
#include "symbols/elf/code_language.h"

#include <string.h>

#include "symbols/elf/go_table.h"

static bool section_has(const struct object *o, const char *section, const char *text)
{
	struct span bytes = object_bytes(o, object_section(o, section));

	return bytes.n && memmem(bytes.p, bytes.n, text, strlen(text));
}

enum code_language code_language_of(const struct object *o)
{
	if (object_section(o, ".note.go.buildid") || go_table_section(o))
		return CODE_GO;
	if (section_has(o, ".comment", "rustc version") ||
	    section_has(o, ".strtab", "rust_eh_personality") ||
	    section_has(o, ".dynstr", "rust_eh_personality"))
		return CODE_RUST;
	if (section_has(o, ".comment", "GCC: (") || section_has(o, ".comment", "clang version"))
		return CODE_C;
	return CODE_UNKNOWN;
}
