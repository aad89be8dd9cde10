/* SPDX-License-Identifier: MIT */
/* Finding the entries of call frame information: encodings, versions, tables, sections. */
#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/build_cfi.h"
#include "tests/frame/unit.h"
#include "unwind/cfi/cfi_priv.h"

/* One function at 0x1100 of 0x40 bytes that is found and has its one row. */
static void check_function(const char *file, int line, struct cfi_opened *t)
{
	struct cfi_fde fde = { 0 };
	char *text;

	if (t->err)
		unit_fail(file, line, "%s", t->e.text);
	unit_check_eq(file, line, "functions", cfi_nr_fdes(t->c), 1);
	CHECK(!cfi_find(t->c, CFI_TEXT + 0xff, &fde));
	CHECK(!cfi_find(t->c, CFI_TEXT + 0x140, &fde));
	CHECK(!cfi_find(t->c, 0, &fde));
	CHECK(!cfi_find(t->c, ~(u64)0, &fde));
	CHECK(cfi_find(t->c, CFI_TEXT + 0x13f, &fde));
	unit_check_eq(file, line, "end", fde.end, CFI_TEXT + 0x140);
	CHECK(cfi_find(t->c, CFI_TEXT + 0x100, &fde));
	unit_check_eq(file, line, "start", fde.start, CFI_TEXT + 0x100);
	text = cfi_rows_text(t->c, &fde);
	unit_check_str(file, line, "rows", text, "1100 r7+8 r16=c-8");
	free(text);
	cfi_opened_close(t);
}

static void one_function(const char *file, int line, bool is_64, bool big, bool debug_frame,
			 const struct mkcfi_cie *cie, bool wide, bool narrow_id)
{
	struct mkcfi m = mkcfi_new(is_64, big, debug_frame);
	struct cfi_opened t;

	m.wide = wide;
	m.narrow_id = narrow_id;
	mkcfi_fde(&m, mkcfi_cie(&m, cie), CFI_TEXT + 0x100, 0x40, NULL, 0);
	t = cfi_open_sections(EM_X86_64, debug_frame ? NULL : &m, NULL, debug_frame ? &m : NULL);
	check_function(file, line, &t);
}

#define ONE_FUNCTION(...) one_function(__FILE__, __LINE__, __VA_ARGS__)

TEST(pointer_encodings)
{
	static const u8 formats[] = { 0x0, 0x1, 0x2, 0x3, 0x4, 0x8, 0x9, 0xa, 0xb, 0xc };
	static const u8 bases[] = { 0x00, 0x10, 0x20, 0x30, 0x40 };

	for (unsigned int shape = 0; shape < 4; shape++)
		for (size_t f = 0; f < sizeof(formats); f++)
			for (size_t b = 0; b < sizeof(bases); b++) {
				bool is_64 = shape & 1;
				struct mkcfi_cie cie = mkcfi_plain_cie("zR", formats[f] | bases[b]);

				/* A difference below 0 wants a signed format, or one that wraps. */
				if ((bases[b] == 0x10 || bases[b] == 0x30) &&
				    (formats[f] == 0x2 || (is_64 && formats[f] == 0x3)))
					continue;
				ONE_FUNCTION(is_64, shape & 2, false, &cie, false, false);
			}
}

TEST(aligned_pointers)
{
	struct mkcfi_cie cie = mkcfi_plain_cie("zR", 0x50);
	struct mkcfi m = mkcfi_new(true, false, false);
	u64 at = mkcfi_cie(&m, &cie);
	struct cfi_opened t;

	mkcfi_fde(&m, at, CFI_TEXT + 0x100, 0x40, NULL, 0);
	t = cfi_open_sections(EM_X86_64, &m, NULL, NULL);
	check_function(__FILE__, __LINE__, &t);
}

TEST(indirect_pointers_are_read_from_the_file)
{
	for (unsigned int shape = 0; shape < 4; shape++) {
		struct mkcfi_cie cie = mkcfi_plain_cie("zR", 0x9b);
		struct mkcfi m = mkcfi_new(shape & 1, shape & 2, false);
		u64 at = mkcfi_cie(&m, &cie);
		struct cfi_opened t;

		/* The second word of .got is the start of the function. */
		mkcfi_fde(&m, at, CFI_GOT_ADDR + m.word, 0x40, NULL, 0);
		t = cfi_open_sections(EM_X86_64, &m, NULL, NULL);
		check_function(__FILE__, __LINE__, &t);
	}
}

TEST(unknown_encodings_are_refused)
{
	static const u8 encs[] = { 0x05, 0x0d, 0x60, 0xff, 0x51 };

	for (size_t i = 0; i < sizeof(encs); i++) {
		struct mkcfi_cie cie = mkcfi_plain_cie("zR", encs[i]);
		struct mkcfi m = mkcfi_new(true, false, false);
		struct cfi_opened t;

		mkcfi_fde(&m, mkcfi_cie(&m, &cie), CFI_TEXT + 0x100, 0x40, NULL, 0);
		t = cfi_open_sections(EM_X86_64, &m, NULL, NULL);
		CHECK_EQ(t.err, PERR_FORMAT);
		cfi_opened_close(&t);
	}
}

TEST(versions_and_lengths)
{
	for (unsigned int shape = 0; shape < 32; shape++) {
		bool is_64 = shape & 1, big = shape & 2, df = shape & 4, wide = shape & 8;
		bool narrow = shape & 16;
		struct mkcfi_cie cie = mkcfi_plain_cie("", 0);

		if (narrow && (df || !wide))
			continue;
		ONE_FUNCTION(is_64, big, df, &cie, wide, narrow);
		cie.version = 3;
		ONE_FUNCTION(is_64, big, df, &cie, wide, narrow);
		cie.version = 4;
		cie.word = is_64 ? 8 : 4;
		ONE_FUNCTION(is_64, big, df, &cie, wide, narrow);
		cie.segment = 2;
		ONE_FUNCTION(is_64, big, df, &cie, wide, narrow);
		cie.word = 4;
		ONE_FUNCTION(is_64, big, df, &cie, wide, narrow);
	}
}

TEST(other_versions_are_refused)
{
	for (u8 v = 0; v < 8; v++) {
		struct mkcfi_cie cie = mkcfi_plain_cie("", 0);
		struct mkcfi m = mkcfi_new(true, false, false);
		struct cfi_opened t;

		cie.version = v;
		cie.word = 8;
		mkcfi_fde(&m, mkcfi_cie(&m, &cie), CFI_TEXT + 0x100, 0x40, NULL, 0);
		t = cfi_open_sections(EM_X86_64, &m, NULL, NULL);
		CHECK_EQ(t.err, v == 1 || v == 3 || v == 4 ? 0 : PERR_FORMAT);
		cfi_opened_close(&t);
	}
}

static int augmented(const char *augmentation, const u8 *data, size_t n, u8 enc)
{
	struct mkcfi_cie cie = mkcfi_plain_cie(augmentation, enc);
	struct mkcfi m = mkcfi_new(true, false, false);
	struct cfi_opened t;
	int err;

	cie.data = data;
	cie.data_len = n;
	mkcfi_fde(&m, mkcfi_cie(&m, &cie), CFI_TEXT + 0x100, 0x40, NULL, 0);
	t = cfi_open_sections(EM_X86_64, &m, NULL, NULL);
	err = t.err;
	if (!err)
		check_function(__FILE__, __LINE__, &t);
	else
		cfi_opened_close(&t);
	return err;
}

#define DATA(...) (const u8[]){ __VA_ARGS__ }, sizeof((const u8[]){ __VA_ARGS__ })

TEST(augmentations)
{
	CHECK_EQ(augmented("", NULL, 0, 0), 0);
	CHECK_EQ(augmented("eh", NULL, 0, 0), 0);
	CHECK_EQ(augmented("armcc+", NULL, 0, 0), 0);
	CHECK_EQ(augmented("z", DATA(7, 7), 0), 0);
	CHECK_EQ(augmented("zR", DATA(0x1b), 0x1b), 0);
	CHECK_EQ(augmented("zRB", DATA(0x1b), 0x1b), 0);
	CHECK_EQ(augmented("zRBG", DATA(0x1b), 0x1b), 0);
	CHECK_EQ(augmented("zPLR", DATA(0x9b, 1, 2, 3, 4, 0x1b, 0x1b), 0x1b), 0);
	CHECK_EQ(augmented("zLPR", DATA(0x1b, 0x03, 1, 2, 3, 4, 0x1b), 0x1b), 0);
	CHECK_EQ(augmented("zPR", DATA(0xff, 0x1b), 0x1b), 0);
	/* Unknown ones are stepped over, unless an encoding hides behind them. */
	CHECK_EQ(augmented("zRX", DATA(0x1b, 1, 2, 3), 0x1b), 0);
	CHECK_EQ(augmented("zX", DATA(1, 2, 3), 0), 0);
	CHECK_EQ(augmented("zXR", DATA(1, 2, 3, 0x1b), 0x1b), PERR_FORMAT);
	CHECK_EQ(augmented("zPR", DATA(0x0d, 0x1b), 0x1b), PERR_FORMAT);
	CHECK_EQ(augmented("zPR", DATA(0x9b), 0x1b), PERR_FORMAT);
	CHECK_EQ(augmented("R", NULL, 0, 0), PERR_FORMAT);
	CHECK_EQ(augmented("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopq", NULL, 0, 0), PERR_FORMAT);
}

TEST(terminators_in_the_middle_and_functions_that_were_dropped)
{
	struct mkcfi m = mkcfi_new(true, false, false);
	struct mkcfi_cie plain = mkcfi_plain_cie("zR", 0x1b);
	u64 cie = mkcfi_cie(&m, &plain);
	struct cfi_opened t;

	mkcfi_fde(&m, cie, CFI_TEXT, 0x10, NULL, 0);
	mkcfi_int(&m, 0, 4);
	mkcfi_int(&m, 0, 4);
	cie = mkcfi_cie(&m, &plain);
	mkcfi_fde(&m, cie, 0, 0x100000, NULL, 0);                 /* by a linker */
	mkcfi_fde(&m, cie, CFI_TEXT + 0x20, 0, NULL, 0);          /* without code */
	mkcfi_fde(&m, cie, CFI_TEXT + 0x30, (u64)-0x40, NULL, 0); /* wraps */
	mkcfi_fde(&m, cie, CFI_TEXT + 0x40, 0x10, NULL, 0);
	t = cfi_open_sections(EM_X86_64, &m, NULL, NULL);
	CHECK_EQ(t.err, 0);
	CHECK_EQ(cfi_nr_fdes(t.c), 2);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0xf), CFI_TEXT);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x30), 0);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x4f), CFI_TEXT + 0x40);
	cfi_opened_close(&t);
}

TEST(functions_that_overlap)
{
	struct mkcfi m = mkcfi_new(true, false, false);
	struct mkcfi_cie plain = mkcfi_plain_cie("zR", 0x1b);
	u64 cie = mkcfi_cie(&m, &plain), first;
	struct cfi_fde fde;
	struct cfi_opened t;

	mkcfi_fde(&m, cie, CFI_TEXT + 0x20, 0x10, NULL, 0);
	mkcfi_fde(&m, cie, CFI_TEXT, 0x100, NULL, 0);
	first = mkcfi_fde(&m, cie, CFI_TEXT + 0x80, 0x10, NULL, 0);
	mkcfi_fde(&m, cie, CFI_TEXT + 0x80, 0x20, NULL, 0);
	t = cfi_open_sections(EM_X86_64, &m, NULL, NULL);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x10), CFI_TEXT);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x20), CFI_TEXT + 0x20);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x30), CFI_TEXT);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x95), CFI_TEXT + 0x80);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0xff), CFI_TEXT);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x100), 0);
	CHECK(cfi_find(t.c, CFI_TEXT + 0x85, &fde));
	CHECK_EQ(fde.offset, first);
	cfi_opened_close(&t);
}

TEST(table_and_own_index_agree)
{
	for (unsigned int shape = 0; shape < 4; shape++)
		for (unsigned int damage = 0; damage < 8; damage++) {
			u64 pairs[10][2];
			struct mkcfi m = mkcfi_ten_functions(shape & 1, shape & 2, pairs);
			struct mkcfi hdr = mkcfi_new(shape & 1, shape & 2, false);
			struct cfi_opened t;

			switch (damage) {
			case 1: pairs[4][0] = pairs[5][0]; break;
			case 2: pairs[9][1] = 0x10000; break;
			case 3: pairs[3][0] += 4; break;
			case 4: pairs[0][1] = pairs[1][1]; break;
			}
			mkcfi_hdr(&hdr, pairs, 10);
			switch (damage) {
			case 5: hdr.p[0] = 2; break;
			case 6: hdr.p[3] = 0xff; break;
			case 7: hdr.n -= 8; break;
			}
			t = cfi_open_sections(EM_X86_64, &m, &hdr, NULL);
			CHECK_EQ(t.c->table.n != 0, damage == 0);
			cfi_check_ten(__FILE__, __LINE__, &t);
		}
}

/* Tables around whole numbers of the stretches that a search begins with. */
TEST(tables_of_many_functions)
{
	static const u32 sizes[] = { 1,
				     CFI_MARK_STEP - 1,
				     CFI_MARK_STEP,
				     CFI_MARK_STEP + 1,
				     2 * CFI_MARK_STEP,
				     2 * CFI_MARK_STEP + 1 };
	const u64 step = 4, size = 3;

	for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
		struct mkcfi m = mkcfi_new(true, false, false), hdr = m;
		struct mkcfi_cie plain = mkcfi_plain_cie("zR", 0x1b);
		u64 cie = mkcfi_cie(&m, &plain), pairs[2 * CFI_MARK_STEP + 1][2];
		struct cfi_opened t;
		struct cfi_fde fde;

		for (u32 i = 0; i < sizes[k]; i++) {
			pairs[i][0] = CFI_TEXT + step * i;
			pairs[i][1] = mkcfi_fde(&m, cie, pairs[i][0], size, NULL, 0);
		}
		mkcfi_hdr(&hdr, (const u64(*)[2])pairs, sizes[k]);
		t = cfi_open_sections(EM_X86_64, &m, &hdr, NULL);
		CHECK_EQ(t.err, 0);
		CHECK(t.c->table.n);
		CHECK_EQ(cfi_nr_fdes(t.c), sizes[k]);
		CHECK(!cfi_find(t.c, CFI_TEXT - 1, &fde));
		CHECK_EQ(cfi_find_index(t.c, CFI_TEXT - 1), CFI_NO_INDEX);
		for (u32 i = 0; i < sizes[k]; i++) {
			for (u64 at = 0; at < size; at++) {
				CHECK(cfi_find(t.c, pairs[i][0] + at, &fde));
				CHECK_EQ(fde.index, i);
			}
			CHECK(!cfi_find(t.c, pairs[i][0] + size, &fde));
		}
		CHECK_EQ(cfi_find_index(t.c, CFI_TEXT + 0x10000), sizes[k] - 1);
		cfi_opened_close(&t);
	}
}

/* The same instructions cannot be had twice: a table whose entries lie in each other. */
TEST(table_with_entries_inside_an_entry)
{
	struct mkcfi inner = mkcfi_new(true, false, false), m = inner, hdr = inner;
	struct mkcfi_cie plain = mkcfi_plain_cie("zR", 0x1b);
	u64 pairs[2][2] = { { CFI_TEXT, 0 }, { CFI_TEXT + 0x20, 0 } };
	u64 cie = mkcfi_cie(&m, &plain), outer, at;
	struct cfi_opened t;

	/* An outer entry that looks sound, and in its instructions room for another. */
	at = mkcfi_begin(&m);
	outer = at;
	mkcfi_int(&m, m.n - cie, 4);
	mkcfi_address(&m, CFI_EH_ADDR, CFI_TEXT);
	mkcfi_int(&m, 0x10, 4);
	mkcfi_uleb(&m, 0);
	while (m.n % 4)
		mkcfi_int(&m, 0, 1);
	pairs[0][1] = outer;
	pairs[1][1] = mkcfi_fde(&m, cie, CFI_TEXT + 0x20, 0x10, NULL, 0);
	mkcfi_end(&m, at);
	mkcfi_hdr(&hdr, (const u64(*)[2])pairs, 2);
	t = cfi_open_sections(EM_X86_64, &m, &hdr, NULL);
	CHECK_EQ(t.err, 0);
	CHECK_EQ(t.c->table.n, 0);
	CHECK_EQ(cfi_nr_fdes(t.c), 1);
	CHECK_EQ(cfi_start_at(&t, CFI_TEXT + 0x20), 0);
	cfi_opened_close(&t);
}

static void walk_all(struct cfi_opened *t)
{
	struct cfi_fde fde;

	for (u64 a = CFI_TEXT - 1; t->c && a < CFI_TEXT + 0x400; a += 0x11)
		if (cfi_find(t->c, a, &fde))
			free(cfi_rows_text(t->c, &fde));
	for (u32 i = 0; t->c && i < cfi_nr_fdes(t->c); i++)
		if (cfi_get_fde(t->c, i, &fde))
			free(cfi_rows_text(t->c, &fde));
}

TEST(every_byte_may_be_damaged)
{
	u64 pairs[10][2];
	struct mkcfi m = mkcfi_ten_functions(true, false, pairs), df = mkcfi_new(true, false, true);
	struct mkcfi hdr = mkcfi_new(true, false, false);
	struct mkcfi *parts[] = { &m, &hdr, &df };
	struct mkcfi_cie cie = mkcfi_plain_cie("", 0);

	mkcfi_hdr(&hdr, pairs, 10);
	mkcfi_fde(&df, mkcfi_cie(&df, &cie), CFI_TEXT + 0x300, 0x10, NULL, 0);
	for (size_t k = 0; k < ARRAY_SIZE(parts); k++)
		for (size_t i = 0; i < parts[k]->n; i++) {
			static const u8 values[] = { 0x00, 0x01, 0x7f, 0x80, 0xff };
			u8 *at = &parts[k]->p[i], old = *at;

			for (size_t v = 0; v < sizeof(values); v++) {
				struct cfi_opened t;

				*at = values[v];
				t = cfi_open_sections(EM_X86_64, &m, &hdr, &df);
				walk_all(&t);
				cfi_opened_close(&t);
			}
			*at = old;
		}
}

TEST(every_length_may_be_short)
{
	u64 pairs[10][2];
	struct mkcfi m = mkcfi_ten_functions(false, true, pairs);
	struct mkcfi hdr = mkcfi_new(false, true, false);

	mkcfi_hdr(&hdr, pairs, 10);
	for (; m.n; m.n--) {
		struct cfi_opened t = cfi_open_sections(EM_X86_64, &m, m.n % 2 ? &hdr : NULL, NULL);

		walk_all(&t);
		cfi_opened_close(&t);
	}
}
