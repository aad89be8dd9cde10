/* SPDX-License-Identifier: MIT */
/* Notes of static probes: both word sizes and byte orders, moved sections, damage. */
#include "tests/frame/unit.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/elf/stap_notes.h"
#include "tests/frame/build_bytes.h"
#include "tests/frame/build_elf.h"

#define TEXT 0x12000
#define TEXT_OFF 0x2000
#define DATA 0x24000
#define DATA_OFF 0x4000
#define BASE 0x13000

struct note {
	u64 pc, base, semaphore;
	const char *texts; /* provider, name and arguments, each with its NUL */
	size_t n;
};

static void put_address(struct bytes *b, bool is_64, u64 v)
{
	if (is_64)
		put_u64(b, v);
	else
		put_u32(b, (u32)v);
}

static void put_note(struct bytes *b, bool is_64, u32 type, const struct note *n)
{
	put_u32(b, 8);
	put_u32(b, (u32)((is_64 ? 24 : 12) + n->n));
	put_u32(b, type);
	put_fill(b, 0, 8);
	memcpy(b->p + b->n - 8, "stapsdt", 7);
	put_address(b, is_64, n->pc);
	put_address(b, is_64, n->base);
	put_address(b, is_64, n->semaphore);
	for (size_t i = 0; i < n->n; i++)
		put_u8(b, (u8)n->texts[i]);
	while (b->n % 4)
		put_u8(b, 0);
}

/* An ELF file with these notes and a section .stapsdt.base at `base`. */
static u8 *make_file(bool is_64, bool big, const struct bytes *notes, u64 base, size_t *ret_n)
{
	struct mkelf *elf = mkelf_new(is_64, big, ET_DYN, is_64 ? EM_X86_64 : EM_386);

	mkelf_load(elf, TEXT, TEXT_OFF, 0x1000);
	mkelf_load(elf, DATA, DATA_OFF, 0x100);
	mkelf_section(elf, &(struct mkelf_part){ .name = ".text",
						 .type = SHT_PROGBITS,
						 .flags = SHF_ALLOC | SHF_EXECINSTR,
						 .addr = TEXT,
						 .off = TEXT_OFF,
						 .size = 0x1000 });
	mkelf_section(elf, &(struct mkelf_part){ .name = ".stapsdt.base",
						 .type = SHT_PROGBITS,
						 .flags = SHF_ALLOC,
						 .addr = base,
						 .size = 1 });
	mkelf_section(elf, &(struct mkelf_part){ .name = ".probes",
						 .type = SHT_PROGBITS,
						 .flags = SHF_ALLOC | SHF_WRITE,
						 .addr = DATA,
						 .off = DATA_OFF,
						 .size = 0x100 });
	mkelf_section(elf, &(struct mkelf_part){ .name = ".note.stapsdt",
						 .type = SHT_NOTE,
						 .bytes = notes->p,
						 .size = notes->n });
	return mkelf_end(elf, ret_n);
}

#define TEXTS(s) s, sizeof(s)

static const struct note good[] = {
	{ TEXT + 0x10, BASE, 0, TEXTS("app\0begin\0-4@%edi 8@%rsi") },
	{ TEXT + 0x20, BASE, DATA + 6, TEXTS("app\0end\0") },
};

/* "PROVIDER:NAME@OFFSET/SEMAPHORE(ARGS) ..." */
static void check_notes(const u8 *bytes, size_t n, const char *want)
{
	struct object *o = NULL;
	struct stap_notes notes;
	struct stap_note note;
	char text[400] = "";
	size_t at = 0;
	struct perr e;

	CHECK_EQ(object_open_mem("x", bytes, n, &o, &e), 0);
	stap_notes_begin(&notes, o);
	while (stap_notes_next(&notes, &note) && at < sizeof(text))
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s:%s@%llx/%llx(%s)",
				       at ? " " : "", note.provider, note.name,
				       (unsigned long long)note.off,
				       (unsigned long long)note.semaphore_off, note.args);
	CHECK_STR(text, want);
	object_close(o);
}

static void check_good(bool is_64, bool big, u64 base, const char *want)
{
	struct bytes notes = bytes_new(big);
	size_t n;
	u8 *bytes;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		put_note(&notes, is_64, 3, &good[i]);
	bytes = make_file(is_64, big, &notes, base, &n);
	check_notes(bytes, n, want);
	free(bytes);
	bytes_free(&notes);
}

TEST(notes_of_files)
{
	const char *want = "app:begin@2010/0(-4@%edi 8@%rsi) app:end@2020/4006()";

	check_good(true, false, BASE, want);
	check_good(false, false, BASE, want);
	check_good(true, true, BASE, want);
	check_good(false, true, BASE, want);
	/* prelink has moved the sections by 0x80 */
	check_good(true, false, BASE + 0x80,
		   "app:begin@2090/0(-4@%edi 8@%rsi) app:end@20a0/4086()");
}

TEST(notes_that_are_left_out)
{
	static const struct note bad[] = {
		{ 0x999999, BASE, 0, TEXTS("a\0outside\0") },
		{ TEXT, BASE, 0, "a\0no_end", 8 },
		{ TEXT, BASE, 0, TEXTS("\0no_provider\0") },
		{ TEXT, BASE, 0, TEXTS("a\0\0") },
		{ TEXT, BASE, 0, "", 0 },
	};
	struct bytes notes = bytes_new(false);
	size_t n;
	u8 *bytes;

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		put_note(&notes, true, 3, &bad[i]);
	put_note(&notes, true, 4, &good[0]); /* another type */
	put_note(&notes, true, 3, &good[1]);
	put_u32(&notes, 8); /* a note that reaches past the end */
	put_u32(&notes, 0xfffffff0);
	put_u32(&notes, 3);
	put_fill(&notes, 0, 8);
	bytes = make_file(true, false, &notes, BASE, &n);
	check_notes(bytes, n, "app:end@2020/4006()");
	free(bytes);
	bytes_free(&notes);
}

/* Each byte of the notes changed, and the section cut: no crash, and no more probes than notes. */
TEST(damage)
{
	struct bytes notes = bytes_new(false);

	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		put_note(&notes, true, 3, &good[i]);
	for (size_t i = 0; i < 3 * notes.n; i++) {
		struct bytes some = notes;
		u8 old = notes.p[i % notes.n];
		struct stap_notes it;
		struct stap_note note;
		struct object *o = NULL;
		struct perr e;
		size_t n, nr = 0;
		u8 *bytes;

		notes.p[i % notes.n] = (u8)(i * 37 + (i < notes.n ? 255 : 1));
		if (i >= 2 * notes.n)
			some.n = i % notes.n;
		bytes = make_file(true, false, &some, BASE, &n);
		notes.p[i % notes.n] = old;
		CHECK_EQ(object_open_mem("x", bytes, n, &o, &e), 0);
		stap_notes_begin(&it, o);
		while (stap_notes_next(&it, &note)) {
			nr++;
			CHECK(note.off < n && note.semaphore_off < n);
		}
		CHECK(nr <= 3);
		object_close(o);
		free(bytes);
	}
	bytes_free(&notes);
}
