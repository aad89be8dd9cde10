/* SPDX-License-Identifier: MIT */
/* The language of a file's code, by what compilers leave in it. */
#include "symbols/elf/code_language.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

/* The language of a file with one section of this text. */
static enum code_language language_of(const char *section, const char *text)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	enum code_language ret;
	struct object *o;
	struct perr e;
	size_t n;
	u8 *p;

	mkelf_load(b, 0, 0, 0x100);
	mkelf_section(b, &(struct mkelf_part){ .name = section,
					       .type = SHT_PROGBITS,
					       .bytes = text,
					       .size = strlen(text) + 1 });
	p = mkelf_end(b, &n);
	if (object_open_take("built", p, n, &o, &e)) {
		unit_fail(__FILE__, __LINE__, "%s", e.text);
		return CODE_UNKNOWN;
	}
	ret = code_language_of(o);
	object_close(o);
	return ret;
}

TEST(languages)
{
	CHECK_EQ(language_of(".comment", "GCC: (Debian 12.2.0-14) 12.2.0"), CODE_C);
	CHECK_EQ(language_of(".comment", "Debian clang version 14.0.6"), CODE_C);
	/* the start code of a Rust program is of gcc */
	CHECK_EQ(language_of(".comment", "GCC: (Debian 12) 12\nrustc version 1.80.0 (0511 2024)"),
		 CODE_RUST);
	CHECK_EQ(language_of(".dynstr", "main rust_eh_personality"), CODE_RUST);
	CHECK_EQ(language_of(".note.go.buildid", "Go"), CODE_GO);
	CHECK_EQ(language_of(".gopclntab", "xxxx"), CODE_GO);
	/* no guess */
	CHECK_EQ(language_of(".comment", "GHC 9.0.2"), CODE_UNKNOWN);
	CHECK_EQ(language_of(".text", "GCC: (Debian 12.2.0-14) 12.2.0"), CODE_UNKNOWN);
}
