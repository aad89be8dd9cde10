/* SPDX-License-Identifier: MIT */
/* BTF: types as the file describes them, also of damaged files. */
#include "symbols/kernel/btf.h"

#include <stdlib.h>

#include "tests/symbols/made_btf.h"
#include "tests/frame/mutate.h"
#include "tests/frame/unit.h"

TEST(types_members_and_words_are_found)
{
	struct bytes bytes = made_btf();
	struct btf_type t;
	struct btf_member m;
	struct btf *b;
	struct perr e;

	CHECK_EQ(btf_open_mem(bytes_span(&bytes), &b, &e), 0);
	CHECK_EQ(btf_find(b, BTF_STRUCT, "pollfd"), BUILT_POLLFD);
	CHECK_EQ(btf_find(b, BTF_STRUCT, "poll"), 0);
	CHECK_EQ(btf_find(b, BTF_ENUM, "pollfd"), 0);
	t = btf_type_of(b, BUILT_TIME); /* what the name stands for */
	CHECK_EQ(t.kind, BTF_INT);
	CHECK_EQ(t.size, 8);
	CHECK(!t.is_signed);
	CHECK(btf_type_of(b, BUILT_INT).is_signed);
	CHECK(btf_type_of(b, BUILT_CHAR).is_char);
	t = btf_type_of(b, BUILT_WORD);
	CHECK_STR(btf_enum_word(b, &t, 1), "ONE");
	CHECK(!btf_enum_word(b, &t, 2));
	t = btf_type_of(b, BUILT_TEXT);
	CHECK_EQ(t.kind, BTF_ARRAY);
	CHECK_EQ(t.nr, 4);
	CHECK_EQ(t.size, 4);
	t = btf_type_of(b, BUILT_MIXED);
	CHECK_EQ(t.size, 376);
	CHECK(btf_member_of(b, &t, 0, &m));
	CHECK_STR(m.name, "a");
	CHECK_EQ(m.bits, 3);
	CHECK(btf_member_of(b, &t, 3, &m));
	CHECK_STR(m.name, "d");
	CHECK_EQ(m.bit, 128);
	CHECK_EQ(m.bits, 0);
	CHECK(!btf_member_of(b, &t, 8, &m));
	CHECK_EQ(btf_type_of(b, 0).kind, BTF_VOID);
	CHECK_EQ(btf_type_of(b, 1000).kind, BTF_VOID);
	btf_free(b);
	bytes_free(&bytes);
}

/* Asks for all that there is. */
static void read_all(const struct btf *b)
{
	for (u32 id = 0; id < 2 * NR_BUILT_TYPES; id++) {
		struct btf_type t = btf_type_of(b, id);
		struct btf_member m;

		for (u32 i = 0; i < 20 && btf_member_of(b, &t, i, &m); i++)
			CHECK(strlen(m.name) < 100);
		(void)btf_enum_word(b, &t, 1);
	}
	(void)btf_find(b, BTF_STRUCT, "nothing");
}

TEST(damaged_files_have_fewer_types)
{
	struct bytes good = made_btf();
	int nr_read = 0;

	for (u64 k = 0; k < 3000; k++) {
		struct dice d = dice_of("btf", k);
		size_t n = good.n;
		u8 *p = malloc(n); /* of its own, so that reads behind it are found */
		struct btf *b;
		struct perr e;

		memcpy(p, good.p, n);
		/* behind the header; each fourth is cut */
		for (int i = 0; i < 3; i++)
			(void)mutate_once(p, n, 24, &d);
		if (k % 4 == 0)
			n = roll(&d, n);
		p = realloc(p, n + 1);
		if (!btf_open_mem(span_of(p, n), &b, &e)) {
			nr_read++;
			read_all(b);
			btf_free(b);
		} else {
			CHECK_EQ(e.code, PERR_FORMAT);
		}
		free(p);
	}
	CHECK(nr_read > 2000);
	bytes_free(&good);
}

TEST(types_that_lead_to_themselves_end)
{
	/* a typedef of itself, and an array of itself */
	static const u32 words[] = { 0, 8u << 24, 1, 0, 3u << 24, 0, 2, 2, 1u << 31 };
	struct bytes b = bytes_new(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	struct btf *btf;
	struct perr e;

	put_u16(&b, 0xeb9f);
	put_u16(&b, 1);
	put_u32(&b, 24);
	put_u32(&b, 0);
	put_u32(&b, sizeof(words));
	put_u32(&b, sizeof(words));
	put_u32(&b, 0);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		put_u32(&b, words[i]);
	CHECK_EQ(btf_open_mem(bytes_span(&b), &btf, &e), 0);
	CHECK_EQ(btf_type_of(btf, 1).kind, BTF_VOID);
	CHECK_EQ(btf_type_of(btf, 2).kind, BTF_VOID);
	btf_free(btf);
	bytes_free(&b);
}
