/* SPDX-License-Identifier: MIT */
/*
 * The instructions of call frame information. A function at 0x1000 of 0x100 bytes; its CIE says
 * CFA = r7 + 8, return address r16 at CFA - 8, factors 1 and -8 unless a case says otherwise.
 */
#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/build_cfi.h"
#include "tests/frame/unit.h"

#define CODE(...) (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ })

static void check_rows(const char *file, int line, u16 machine, const struct mkcfi *eh,
		       const char *want)
{
	struct cfi_opened t = cfi_open_sections(machine, eh, NULL, NULL);
	struct cfi_fde fde;
	char *got;

	if (t.err)
		unit_fail(file, line, "%s", t.e.text);
	CHECK(cfi_find(t.c, CFI_TEXT, &fde));
	got = cfi_rows_text(t.c, &fde);
	unit_check_str(file, line, "rows", got, want);
	free(got);
	cfi_opened_close(&t);
}

struct shape {
	u16 machine;
	bool is_64, big;
	u64 code_align;
	s64 data_align;
};

static const struct shape plain = { EM_X86_64, true, false, 1, -8 };

static struct mkcfi build(const struct shape *s, const u8 *code, size_t n)
{
	struct mkcfi eh = mkcfi_new(s->is_64, s->big, false);
	struct mkcfi_cie cie = mkcfi_plain_cie("zR", 0x1b);

	cie.code_align = s->code_align;
	cie.data_align = s->data_align;
	mkcfi_fde(&eh, mkcfi_cie(&eh, &cie), CFI_TEXT, 0x100, code, n);
	return eh;
}

static void shaped(const char *file, int line, const struct shape *s, const char *want,
		   const u8 *code, size_t n)
{
	struct mkcfi eh = build(s, code, n);

	check_rows(file, line, s->machine, &eh, want);
}

#define ROWS(want, ...) shaped(__FILE__, __LINE__, &plain, want, CODE(__VA_ARGS__))
#define ROWS_OF(shape, want, ...) shaped(__FILE__, __LINE__, shape, want, CODE(__VA_ARGS__))

TEST(initial_rules_hold_for_the_whole_function)
{
	struct mkcfi eh = build(&plain, NULL, 0);

	check_rows(__FILE__, __LINE__, EM_X86_64, &eh, "1000 r7+8 r16=c-8");
}

TEST(advances)
{
	ROWS("1000 r7+8 r16=c-8 | 1001 r7+16 r16=c-8", 0x41, 0x0e, 16);
	ROWS("1000 r7+8 r16=c-8 | 1080 r7+16 r16=c-8", 0x02, 0x80, 0x0e, 16);
	ROWS("1000 r7+8 r16=c-8 | 1090 r7+16 r16=c-8", 0x03, 0x90, 0, 0x0e, 16);
	ROWS("1000 r7+8 r16=c-8 | 1007 r7+16 r16=c-8", 0x04, 7, 0, 0, 0, 0x0e, 16);
	ROWS("1000 r7+8 r16=c-8 | 1009 r7+16 r16=c-8", 0x1d, 9, 0, 0, 0, 0, 0, 0, 0, 0x0e, 16);
	/* Nothing between: one row. */
	ROWS("1000 r7+16 r16=c-8", 0x40, 0x0e, 16);
}

TEST(advances_are_scaled_and_read_in_the_files_byte_order)
{
	const struct shape arm64 = { EM_AARCH64, true, false, 4, -8 };
	const struct shape big = { EM_PPC, false, true, 4, -8 };

	ROWS_OF(&arm64, "1000 r7+8 r16=c-8 | 1008 r7+16 r16=c-8", 0x42, 0x0e, 16);
	ROWS_OF(&big, "1000 r7+8 r16=c-8 | 1008 r7+16 r16=c-8", 0x03, 0, 2, 0x0e, 16);
	ROWS_OF(&big, "1000 r7+8 r16=c-8 | 100c r7+16 r16=c-8", 0x04, 0, 0, 0, 3, 0x0e, 16);
}

TEST(what_lies_behind_the_function_is_left_out)
{
	ROWS("1000 r7+8 r16=c-8", 0x03, 0, 1, 0x0e, 16);
	ROWS("1000 r7+8 r16=c-8", 0x04, 0xff, 0xff, 0xff, 0xff, 0x0e, 16);
	ROWS("1000 r7+8 r16=c-8", 0x1d, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0e, 16);
	/* Not even read: 0x3f is no instruction. */
	ROWS("1000 r7+8 r16=c-8", 0x03, 0, 1, 0x3f);
}

static bool keep_end(void *ctx, const struct cfi_row *row)
{
	u64 *end = ctx;

	if (row->end > *end)
		*end = row->end;
	return true;
}

static u64 last_end(const struct mkcfi *eh)
{
	struct cfi_opened t = cfi_open_sections(EM_X86_64, eh, NULL, NULL);
	struct cfi_fde fde;
	u64 end = 0;

	CHECK(cfi_find(t.c, CFI_TEXT, &fde));
	CHECK_EQ(cfi_rows(t.c, &fde, keep_end, &end, NULL), 0);
	cfi_opened_close(&t);
	return end;
}

TEST(set_loc_is_encoded_as_addresses_are)
{
	struct mkcfi eh = mkcfi_new(true, false, false);
	struct mkcfi_cie cie = mkcfi_plain_cie("", 0);

	mkcfi_fde(&eh, mkcfi_cie(&eh, &cie), CFI_TEXT, 0x100,
		  CODE(0x01, 0x20, 0x10, 0, 0, 0, 0, 0, 0, 0x0e, 16));
	check_rows(__FILE__, __LINE__, EM_X86_64, &eh, "1000 r7+8 r16=c-8 | 1020 r7+16 r16=c-8");
	/* Beyond the end. */
	eh.n = 0;
	mkcfi_fde(&eh, mkcfi_cie(&eh, &cie), CFI_TEXT, 0x100,
		  CODE(0x41, 0x01, 0x20, 0x20, 0, 0, 0, 0, 0, 0, 0x0e, 16));
	CHECK_EQ(last_end(&eh), CFI_TEXT + 0x100);
	/* Backwards makes no sense. */
	eh.n = 0;
	mkcfi_fde(&eh, mkcfi_cie(&eh, &cie), CFI_TEXT, 0x100,
		  CODE(0x44, 0x01, 0x02, 0x10, 0, 0, 0, 0, 0, 0, 0x0e, 16));
	check_rows(__FILE__, __LINE__, EM_X86_64, &eh, "1000 r7+8 r16=c-8 ! -2");
}

TEST(cfa_definitions)
{
	ROWS("1000 r6+16 r16=c-8", 0x0c, 6, 16);
	ROWS("1000 r6+8 r16=c-8", 0x0d, 6);
	ROWS("1000 r7+300 r16=c-8", 0x0e, 0xac, 0x02);
	ROWS("1000 r6-16 r16=c-8", 0x12, 6, 2);
	ROWS("1000 r6+16 r16=c-8", 0x12, 6, 0x7e);
	ROWS("1000 r7+24 r16=c-8", 0x13, 0x7d);
	ROWS("1000 exp:7708 r16=c-8", 0x0f, 2, 0x77, 8);
}

/* As in libgcrypt: the offset from before the expression counts again. */
TEST(cfa_offset_outlives_an_expression)
{
	ROWS("1000 r7+56 r16=c-8 | 1001 exp:7708 r16=c-8 | 1002 r7+56 r16=c-8", 0x0e, 56, 0x41,
	     0x0f, 2, 0x77, 8, 0x41, 0x0d, 7);
	ROWS("1000 exp:7708 r16=c-8 | 1001 r6+24 r16=c-8", 0x0f, 2, 0x77, 8, 0x0e, 24, 0x41, 0x0d,
	     6);
}

TEST(register_rules)
{
	ROWS("1000 r7+8 r6=c-16 r16=c-8", 0x86, 2);
	ROWS("1000 r7+8 r16=c-8 r200=c-16", 0x05, 0xc8, 0x01, 2);
	ROWS("1000 r7+8 r3=u r16=c-8", 0x07, 3);
	ROWS("1000 r7+8 r3=s r16=c-8", 0x08, 3);
	ROWS("1000 r7+8 r3=r12+0 r16=c-8", 0x09, 3, 12);
	ROWS("1000 r7+8 r3=exp:7610 r16=c-8", 0x10, 3, 2, 0x76, 0x10);
	ROWS("1000 r7+8 r3=c+16 r16=c-8", 0x11, 3, 0x7e);
	ROWS("1000 r7+8 r3=v-16 r16=c-8", 0x14, 3, 2);
	ROWS("1000 r7+8 r3=v+8 r16=c-8", 0x15, 3, 0x7f);
	ROWS("1000 r7+8 r3=vexp:7610 r16=c-8", 0x16, 3, 2, 0x76, 0x10);
	ROWS("1000 r7+8 r3=c+16 r16=c-8", 0x2f, 3, 2);
	/* No effect. */
	ROWS("1000 r7+8 r16=c-8", 0x2e, 32);
	/* Ascending, whatever the order of the instructions. */
	ROWS("1000 r7+8 r3=c-32 r6=c-16 r12=c-24 r16=c-8", 0x86, 2, 0x8c, 3, 0x83, 4);
}

TEST(restore_goes_back_to_the_cie)
{
	ROWS("1000 r7+8 r6=c-16 r16=s | 1001 r7+8 r16=c-8", 0x86, 2, 0x08, 16, 0x41, 0xc6, 0xd0);
	ROWS("1000 r7+8 r6=c-16 r16=c-8 | 1001 r7+8 r16=c-8", 0x86, 2, 0x41, 0x06, 6);
	ROWS("1000 r7+8 r16=c-8", 0xc3);
}

TEST(restore_state_brings_back_registers_and_cfa)
{
	ROWS("1000 r7+16 r6=c-16 r16=c-8 | 1001 r7+8 r3=u r16=c-8 | 1002 r7+16 r6=c-16 r16=c-8",
	     0x0e, 16, 0x86, 2, 0x0a, 0x41, 0x0e, 8, 0xc6, 0x07, 3, 0x41, 0x0b);
	/* Nested. */
	ROWS("1000 r7+24 r16=c-8 | 1001 r7+16 r16=c-8 | 1002 r7+8 r16=c-8", 0x0a, 0x0e, 16, 0x0a,
	     0x0e, 24, 0x41, 0x0b, 0x41, 0x0b);
	ROWS("1000 r7+8 r16=c-8 ! -2", 0x41, 0x0b);
}

TEST(remembered_states_are_limited)
{
	u8 code[400];
	size_t n = 0;

	for (u8 r = 20; r < 60; r++) {
		code[n++] = 0x07;
		code[n++] = r;
	}
	memset(code + n, 0x0a, 64);
	n += 64;
	memset(code + n, 0x0b, 64);
	n += 64;
	code[n++] = 0x41;
	code[n++] = 0x3f;
	{
		struct mkcfi eh = build(&plain, code, n);
		struct cfi_opened t = cfi_open_sections(EM_X86_64, &eh, NULL, NULL);
		struct cfi_fde fde;
		char *text;

		CHECK(cfi_find(t.c, CFI_TEXT, &fde));
		text = cfi_rows_text(t.c, &fde);
		CHECK(strstr(text, "r59=u ! -2") != NULL);
		free(text);
		cfi_opened_close(&t);
	}
	memset(code, 0x0a, 65);
	memset(code + 65, 0x41, 1);
	shaped(__FILE__, __LINE__, &plain, " ! -2", code, 66);
}

TEST(rules_are_limited)
{
	u8 code[3 * 200];
	size_t n = 0;

	for (unsigned int r = 0; r < 200; r++) {
		code[n++] = 0x07;
		code[n++] = (u8)(0x80 | (r & 0x7f));
		code[n++] = (u8)(r >> 7);
	}
	shaped(__FILE__, __LINE__, &plain, " ! -2", code, n);
}

TEST(return_address_signing_is_part_of_the_state)
{
	const struct shape arm64 = { EM_AARCH64, true, false, 4, -8 };

	ROWS_OF(&arm64, "1000 r7+8 r16=c-8 | 1004 r7+8 r16=c-8 signed | 1008 r7+8 r16=c-8", 0x41,
		0x2d, 0x41, 0x2d);
	ROWS_OF(&arm64, "1000 r7+8 r16=c-8 | 1004 r7+8 r16=c-8 signed", 0x41, 0x2c);
	ROWS_OF(&arm64, "1000 r7+8 r16=c-8 signed | 1004 r7+8 r16=c-8 | 1008 r7+8 r16=c-8 signed",
		0x2d, 0x0a, 0x41, 0x2d, 0x41, 0x0b);
	ROWS("1000 r7+8 r16=c-8 ! -2", 0x41, 0x2d);
}

TEST(window_save_of_sparc)
{
	const struct shape sparc = { EM_SPARCV9, true, true, 1, -8 };

	ROWS_OF(&sparc,
		"1000 r7+8 r8=r24+0 r9=r25+0 r10=r26+0 r11=r27+0 r12=r28+0 r13=r29+0 r14=r30+0 "
		"r15=r31+0 r16=c+0 r17=c+8 r18=c+16 r19=c+24 r20=c+32 r21=c+40 r22=c+48 r23=c+56 "
		"r24=c+64 r25=c+72 r26=c+80 r27=c+88 r28=c+96 r29=c+104 r30=c+112 r31=c+120",
		0x2d);
}

TEST(signal_frames)
{
	struct mkcfi_cie cie = mkcfi_plain_cie("zRS", 0x1b);
	struct mkcfi eh = mkcfi_new(true, false, false);

	mkcfi_fde(&eh, mkcfi_cie(&eh, &cie), CFI_TEXT, 0x10, NULL, 0);
	check_rows(__FILE__, __LINE__, EM_X86_64, &eh, "1000 r7+8 r16=c-8 signal");
}

TEST(damage_ends_the_rows)
{
	ROWS("1000 r7+8 r16=c-8 ! -2", 0x41, 0x0e, 16, 0x3f);
	/* Register numbers beyond any machine's. */
	ROWS(" ! -2", 0x07, 0x80, 0x80, 0x04);
	ROWS(" ! -2", 0x0c, 0x80, 0x80, 0x04, 0);
	ROWS(" ! -2", 0x09, 3, 0x80, 0x80, 0x04);
	/* A block that reaches beyond the entry. */
	ROWS(" ! -2", 0x0f, 100, 0x77, 8);
	ROWS(" ! -2", 0x10, 3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x77);
	/* A number without an end. */
	ROWS(" ! -2", 0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	     0xff, 0xff, 0xff, 0xff, 0xff, 1);
}

TEST(numbers_may_be_padded)
{
	ROWS("1000 r7+16 r16=c-8", 0x0e, 0x90, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	     0x80, 0x00);
	ROWS("1000 r7+24 r16=c-8", 0x13, 0xfd, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	     0xff, 0x7f);
}

TEST(cie_cannot_advance)
{
	struct mkcfi_cie cie = mkcfi_plain_cie("zR", 0x1b);
	struct mkcfi eh = mkcfi_new(true, false, false);

	cie.code = (const u8[]){ 0x41 };
	cie.code_len = 1;
	mkcfi_fde(&eh, mkcfi_cie(&eh, &cie), CFI_TEXT, 0x10, NULL, 0);
	check_rows(__FILE__, __LINE__, EM_X86_64, &eh, " ! -2");
}

static bool stop_at_second(void *ctx, const struct cfi_row *row)
{
	unsigned int *n = ctx;

	return row->nr_regs && ++*n < 2;
}

TEST(reader_may_stop)
{
	struct mkcfi eh = build(&plain, CODE(0x41, 0x0e, 16, 0x41, 0x0e, 24, 0x41, 0x3f));
	struct cfi_opened t = cfi_open_sections(EM_X86_64, &eh, NULL, NULL);
	struct cfi_fde fde;
	unsigned int n = 0;
	struct perr e;

	CHECK(cfi_find(t.c, CFI_TEXT, &fde));
	CHECK_EQ(cfi_rows(t.c, &fde, stop_at_second, &n, &e), 0);
	CHECK_EQ(n, 2);
	cfi_opened_close(&t);
}
