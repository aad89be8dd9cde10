/* SPDX-License-Identifier: MIT */
/* Lengths of instructions, checked against what an assembler made of the text beside them. */
#include "symbols/elf/insn_len.h"

#include "tests/frame/unit.h"

struct example {
	u8 bytes[X86_INSN_MAX];
	unsigned int len;
};

static const struct example code64[] = {
	{ { 0xc3 }, 1 },                                         /* ret */
	{ { 0x48, 0x89, 0xe5 }, 3 },                             /* mov %rsp,%rbp */
	{ { 0xf3, 0x0f, 0x1e, 0xfa }, 4 },                       /* endbr64 */
	{ { 0xe8, 1, 2, 3, 4 }, 5 },                             /* call */
	{ { 0x0f, 0x85, 1, 2, 3, 4 }, 6 },                       /* jne */
	{ { 0x66, 0xb8, 1, 2 }, 4 },                             /* mov $0x201,%ax */
	{ { 0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8 }, 10 },          /* movabs */
	{ { 0x48, 0x8b, 0x15, 1, 2, 3, 4 }, 7 },                 /* mov x(%rip),%rdx */
	{ { 0x48, 0x8d, 0x0c, 0xfd, 0, 0, 0, 0 }, 8 },           /* lea 0(,%rdi,8),%rcx */
	{ { 0x8b, 0x44, 0x24, 8 }, 4 },                          /* mov 8(%rsp),%eax */
	{ { 0xf7, 0xc7, 1, 2, 3, 4 }, 6 },                       /* test $,%edi */
	{ { 0xf7, 0xd7 }, 2 },                                   /* not %edi */
	{ { 0xf6, 0x45, 8, 1 }, 4 },                             /* testb $1,8(%rbp) */
	{ { 0xa1, 1, 2, 3, 4, 5, 6, 7, 8 }, 9 },                 /* movabs 0x..,%eax */
	{ { 0x0f, 0x38, 0xf0, 0x07 }, 4 },                       /* movbe (%rdi),%eax */
	{ { 0x66, 0x0f, 0x3a, 0x0f, 0xc1, 8 }, 6 },              /* palignr $8,%xmm1,%xmm0 */
	{ { 0xc5, 0xf8, 0x77 }, 3 },                             /* vzeroupper */
	{ { 0xc4, 0xe3, 0x75, 0x18, 0xc0, 1 }, 6 },              /* vinsertf128 $1,.. */
	{ { 0x62, 0xf1, 0x7f, 0x48, 0x6f, 0x46, 1 }, 7 },        /* vmovdqu8 64(%rsi),%zmm0 */
	{ { 0x62, 0xf3, 0x7d, 0x48, 0x3f, 0xc2, 0 }, 7 },        /* vpcmpeqb %zmm2,%zmm0,%k0 */
	{ { 0x8f, 0xe8, 0x78, 0xc2, 0xec, 14 }, 6 },             /* vprotd $14,%xmm4,%xmm5 */
	{ { 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 }, 10 }, /* cs nopw */
	{ { 0xc8, 1, 2, 3 }, 4 },                                /* enter */
};

static const struct example code32[] = {
	{ { 0x40 }, 1 },                   /* inc %eax */
	{ { 0xa1, 1, 2, 3, 4 }, 5 },       /* mov 0x..,%eax */
	{ { 0x67, 0x8b, 0x46, 8 }, 4 },    /* mov 8(%bp),%eax */
	{ { 0x67, 0x8b, 0x06, 1, 2 }, 5 }, /* mov 0x201,%eax */
	{ { 0xc5, 0x06 }, 2 },             /* lds (%esi),%eax */
	{ { 0xea, 1, 2, 3, 4, 5, 6 }, 7 }, /* ljmp */
	{ { 0x66, 0xe9, 1, 2 }, 4 },       /* jmpw */
};

static void check_all(const struct example *e, size_t n, bool is_64)
{
	size_t i, cut;

	for (i = 0; i < n; i++) {
		CHECK_EQ(x86_insn_len(e[i].bytes, X86_INSN_MAX, is_64), e[i].len);
		CHECK_EQ(x86_insn_len(e[i].bytes, e[i].len, is_64), e[i].len);
		for (cut = 0; cut < e[i].len; cut++)
			CHECK_EQ(x86_insn_len(e[i].bytes, cut, is_64), 0);
	}
}

TEST(lengths)
{
	check_all(code64, ARRAY_SIZE(code64), true);
	check_all(code32, ARRAY_SIZE(code32), false);
}

/* Whether the bytes behind it are there is nothing to an instruction. */
TEST(any_bytes)
{
	u8 bytes[X86_INSN_MAX];
	u32 seed = 1;

	for (int i = 0; i < 300000; i++) {
		unsigned int len;

		for (size_t k = 0; k < sizeof(bytes); k++) {
			seed = seed * 1664525 + 1013904223;
			bytes[k] = (u8)(seed >> 24);
		}
		if (i & 1)
			bytes[0] = 0x40 | (bytes[0] & 15);
		len = x86_insn_len(bytes, sizeof(bytes), true);
		if (len && len < sizeof(bytes))
			CHECK_EQ(x86_insn_len(bytes, sizeof(bytes) - 1, true), len);
		else
			CHECK_EQ(x86_insn_len(bytes, sizeof(bytes) - 1, true), 0);
	}
}

TEST(too_long)
{
	u8 prefixes[32];
	size_t i;

	for (i = 0; i < sizeof(prefixes); i++)
		prefixes[i] = 0x66;
	CHECK_EQ(x86_insn_len(prefixes, sizeof(prefixes), true), 0);
}

TEST(branches)
{
	const u8 jmp[] = { 0xeb, 0x10 }, jne[] = { 0x75, 0x10 }, indirect[] = { 0xff, 0xe0 };
	const u8 push[] = { 0xff, 0x30 }, syscall[] = { 0x0f, 0x05 };

	CHECK(x86_insn_is_uncond_branch(jmp, 2, true));
	CHECK(!x86_insn_is_uncond_branch(jmp, 1, true));
	CHECK(!x86_insn_is_uncond_branch(jne, 2, true));
	CHECK(x86_insn_is_uncond_branch(indirect, 2, true));
	CHECK(!x86_insn_is_uncond_branch(push, 2, true));
	CHECK(x86_insn_is_uncond_branch(syscall, 2, true));
}
