/* SPDX-License-Identifier: MIT */
/* Names and rows out of Go's table of functions, in every layout of it. */
#include "symbols/elf/go_table.h"

#include <elf.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"
#include "unwind/unwind_module.h"
#include "unwind/unwind.h"

#define TEXT 0x401000
#define TEXT_OFF 0x1000
#define NR 3
#define MAX_TABLE 512

enum { V1_2 = 0xfffffffb, V1_16 = 0xfffffffa, V1_18 = 0xfffffff0, V1_20 = 0xfffffff1 };

static const u32 magics[] = { V1_2, V1_16, V1_18, V1_20 };
static const u64 starts[NR + 1] = { 0x10, 0x40, 0x100, 0x140 };
static const char names[] = "main.main\0main.(*T).f\0runtime.goexit";
static const u32 name_at[NR] = { 0, 10, 22 };

/* 0 bytes up to 0x44, 24 up to 0xf0, 0 to the end; and 0x1000000 from the start on. */
static const u8 deltas[] = { 0, /* none is at 0 */
			     2, 4, 48, 0xac, 1, 47, 0x10, 0, 2 + 0x80, 0x80, 0x80, 0x10, 0x40, 0 };
static const u32 pcsp[NR] = { 0, 1, 9 };
static const u8 flags[NR] = { 4, 2, 1 }; /* assembly; moves its stack pointer; nobody calls it */
static const u8 call_rdi[] = { 0xff, 0xd7 };

static void put_word(struct bytes *b, u8 word, u64 v)
{
	if (word == 8)
		put_u64(b, v);
	else
		put_u32(b, (u32)v);
}

static struct bytes make_table(u32 magic, u8 word, bool big, u64 text)
{
	const bool small = magic == V1_18 || magic == V1_20;
	const u8 pair = small ? 4 : word;
	struct bytes b = bytes_new(big);
	u32 header = 8 + (magic == V1_2 ? 1 : magic == V1_16 ? 7 : 8) * word;
	u32 nr_starts = 2 * NR + 1;
	u32 to_flags = magic == V1_2 ? 0 : magic == V1_20 ? 20 : 16;
	u32 func_size = pair + 16 + (to_flags ? to_flags + 4 : 0);
	/* names, deltas, starts, functions; the oldest has its starts first */
	u32 starts_at = magic == V1_2 ? header : header + sizeof(names) + sizeof(deltas);
	u32 names_at = magic == V1_2 ? starts_at + nr_starts * pair : header;
	u32 deltas_at = names_at + (u32)sizeof(names);
	u32 funcs_at =
		magic == V1_2 ? deltas_at + (u32)sizeof(deltas) : starts_at + nr_starts * pair;

	put_u32(&b, magic);
	put_u16(&b, 0);
	put_u8(&b, 1);
	put_u8(&b, word);
	put_word(&b, word, NR);
	if (magic != V1_2) {
		put_word(&b, word, 1);
		if (small)
			put_word(&b, word, text);
		put_word(&b, word, names_at);
		put_word(&b, word, 0);
		put_word(&b, word, 0);
		put_word(&b, word, deltas_at);
		put_word(&b, word, starts_at);
		put_mem(&b, names, sizeof(names));
		put_mem(&b, deltas, sizeof(deltas));
	}
	for (u32 i = 0; i <= NR; i++) {
		put_word(&b, pair, small ? starts[i] : TEXT + starts[i]);
		if (i < NR)
			put_word(&b, pair,
				 funcs_at + i * func_size - (magic == V1_2 ? 0 : starts_at));
	}
	if (magic == V1_2) {
		put_mem(&b, names, sizeof(names));
		put_mem(&b, deltas, sizeof(deltas));
	}
	for (u32 i = 0; i < NR; i++) {
		put_word(&b, pair, small ? starts[i] : TEXT + starts[i]);
		put_u32(&b, name_at[i] + (magic == V1_2 ? names_at : 0));
		put_u32(&b, 0);
		put_u32(&b, 0);
		put_u32(&b, pcsp[i] ? pcsp[i] + (magic == V1_2 ? deltas_at : 0) : 0);
		if (to_flags) {
			put_fill(&b, 0xff, to_flags + 1);
			put_u8(&b, flags[i]);
			put_u16(&b, 0xffff);
		}
	}
	return b;
}

struct program {
	u8 *bytes;
	struct object *o;
};

static struct program make_program(const char *section, struct span table, u8 word, bool big)
{
	u16 machine = word == 8 ? EM_X86_64 : EM_386;
	u8 text[0x1000] = { 0 };
	struct mkelf *b = mkelf_new(word == 8, big, ET_EXEC, machine);
	struct program p;
	struct perr e;
	size_t n;

	memcpy(text + 0x50, call_rdi, sizeof(call_rdi));
	mkelf_load(b, TEXT, TEXT_OFF, 0x1000);
	mkelf_section(b, &(struct mkelf_part){ .name = ".text",
					       .type = SHT_PROGBITS,
					       .flags = SHF_ALLOC | SHF_EXECINSTR,
					       .addr = TEXT,
					       .off = TEXT_OFF,
					       .bytes = text,
					       .size = 0x1000 });
	mkelf_section(b, &(struct mkelf_part){ .name = section,
					       .type = SHT_PROGBITS,
					       .flags = SHF_ALLOC,
					       .addr = 0x500000,
					       .bytes = table.p,
					       .size = table.n });
	p.bytes = mkelf_end(b, &n);
	CHECK_EQ(object_open_mem("go", p.bytes, n, &p.o, &e), 0);
	return p;
}

static void free_program(struct program *p)
{
	object_close(p->o);
	free(p->bytes);
}

static void check_name(struct symtab *t, u64 off, const char *want)
{
	const struct sym *s = symtab_find(t, TEXT_OFF + off);

	CHECK_STR(s ? s->name : "", want);
}

TEST(names_of_all_layouts)
{
	for (size_t i = 0; i < ARRAY_SIZE(magics) * 8; i++) {
		u8 word = i & 1 ? 8 : 4;
		bool big = i & 2, dynamic = i & 4;
		struct bytes b = make_table(magics[i / 8], word, big, dynamic ? 0 : TEXT);
		struct program p = make_program(dynamic ? ".data.rel.ro.gopclntab" : ".gopclntab",
						bytes_span(&b), word, big);
		struct symtab t;

		symtab_init(&t);
		CHECK(go_table_add_symbols(p.o, &t));
		CHECK_EQ(t.nr, NR);
		check_name(&t, 0xf, "");
		check_name(&t, 0x10, "main.main");
		check_name(&t, 0x3f, "main.main");
		check_name(&t, 0x40, "main.(*T).f");
		check_name(&t, 0x13f, "runtime.goexit");
		check_name(&t, 0x140, "");
		symtab_fini(&t);
		free_program(&p);
		bytes_free(&b);
	}
}

static bool keep_text(void *ctx, u64 start, u64 end, u32 bytes)
{
	char **text = ctx, *old = *text;

	*text = xasprintf("%s%s%x-%x %u", old ? old : "", old ? ", " : "",
			  (unsigned int)(start - TEXT), (unsigned int)(end - TEXT), bytes);
	free(old);
	return true;
}

TEST(stack_pointers)
{
	static const char *const want[NR] = { NULL, "40-44 0, 44-f0 24, f0-100 0",
					      "100-140 16777216" };

	for (size_t i = 0; i < ARRAY_SIZE(magics) * 4; i++) {
		u8 word = i & 1 ? 8 : 4;
		struct bytes b = make_table(magics[i / 4], word, i & 2, TEXT);
		struct program p = make_program(".gopclntab", bytes_span(&b), word, i & 2);
		struct go_function f;
		struct go_table t;

		CHECK(go_table_open(p.o, &t));
		CHECK(go_table_function(&t, 1, &f));
		CHECK_EQ(f.moves_sp, magics[i / 4] != V1_2);
		CHECK(!f.is_top);
		CHECK_EQ(go_table_find(&t, TEXT + 0xf), GO_NO_FUNCTION);
		for (u32 k = 0; k < NR; k++) {
			char *text = NULL;

			CHECK_EQ(go_table_find(&t, TEXT + starts[k]), k);
			CHECK_EQ(go_table_find(&t, TEXT + starts[k + 1] - 1), k);
			CHECK(go_table_function(&t, k, &f));
			go_table_stack(&t, &f, keep_text, &text);
			if (want[k])
				CHECK_STR(text, want[k]);
			else
				CHECK(!text);
			free(text);
		}
		free_program(&p);
		bytes_free(&b);
	}
}

TEST(rules)
{
	struct bytes b = make_table(V1_20, 8, false, TEXT);
	struct program p = make_program(".gopclntab", bytes_span(&b), 8, false);
	struct unwind_module *m = unwind_module_new(p.o, p.o);
	const struct full_row *row;
	u64 function;
	u32 rule;

	CHECK(!unwind_module_rule(m, TEXT + 0xf, &rule, &function));
	function = 7;
	CHECK(!unwind_module_rule(m, TEXT + 0x10, &rule, &function)); /* nothing is said */
	CHECK_EQ(function, 7);
	CHECK(unwind_module_rule(m, TEXT + 0x43, &rule, &function));
	CHECK_EQ(rule, RULE_MAKE(RULE_SP, 1, 0));
	CHECK_EQ(function, TEXT + 0x40);
	CHECK(unwind_module_rule(m, TEXT + 0x44, &rule, &function));
	CHECK_EQ(rule, RULE_MAKE(RULE_SP, 4, 0));
	row = unwind_module_row(m, TEXT + 0x44);
	CHECK(row);
	CHECK_EQ(row->cfa.offset, 32);
	CHECK_EQ(row->ra_reg, 16);
	CHECK(!unwind_module_rule(m, TEXT + 0x140, &rule, &function));
	/* a call on another stack than its caller's, and what nobody has called */
	for (u64 at = 0x50; at <= 0x100; at += at == 0x52 ? 0xae : 1) {
		bool ends = at == 0x51 || at == 0x100;

		CHECK(unwind_module_rule(m, TEXT + at, &rule, &function));
		CHECK_EQ(rule_kind(rule) == RULE_END, ends);
		row = unwind_module_row(m, TEXT + at);
		CHECK_EQ(full_row_rule(row, 16)->how, ends ? CFI_UNDEFINED : CFI_OFFSET);
	}
	unwind_module_free(m);
	free_program(&p);
	bytes_free(&b);
}

/* Whatever is cut off or changed: no read goes astray, and what is left has sound names. */
TEST(damaged)
{
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++) {
		struct bytes b = make_table(magics[i], 8, false, TEXT);
		struct span whole = bytes_span(&b);
		u8 copy[MAX_TABLE];

		CHECK(whole.n <= MAX_TABLE);
		for (size_t at = 0; at < whole.n * 2; at++) {
			size_t n = at < whole.n ? at : whole.n;
			struct program p;
			struct go_table t;
			struct go_function f;
			struct symtab tab;

			memcpy(copy, whole.p, whole.n);
			if (at >= whole.n)
				copy[at - whole.n] ^= 0xff;
			p = make_program(".gopclntab", span_of(copy, n), 8, false);
			if (go_table_open(p.o, &t)) {
				CHECK(t.nr <= whole.n);
				for (u32 k = 0; k < t.nr; k++)
					if (go_table_function(&t, k, &f)) {
						char *text = NULL;

						CHECK(strlen(f.name) < whole.n);
						go_table_stack(&t, &f, keep_text, &text);
						free(text);
					}
			}
			symtab_init(&tab);
			CHECK(go_table_add_symbols(p.o, &tab) || !tab.nr);
			symtab_fini(&tab);
			free_program(&p);
		}
		bytes_free(&b);
	}
}
