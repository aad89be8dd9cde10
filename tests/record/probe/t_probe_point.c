/* SPDX-License-Identifier: MIT */
/* Where probes of functions lie: the first emulated instruction, unless a jump leads there. */
#include "tests/frame/unit.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "record/probe/probe_point.h"
#include "tests/record/probe/use_uprobe_event.h"

/* The skip of instructions given in hexadecimal. */
static u32 skip_of(const char *hex)
{
	u8 bytes[64];

	return probe_point_skip(bytes, put_code(bytes, hex));
}

TEST(first_emulated_instruction)
{
	CHECK_EQ(skip_of("55 c3"), 0);                  /* push: it is emulated itself */
	CHECK_EQ(skip_of("f30f1efa 55 c3"), 4);         /* endbr64; push %rbp */
	CHECK_EQ(skip_of("f30f1efa 4154 c3"), 4);       /* endbr64; push %r12 */
	CHECK_EQ(skip_of("f30f1efa 0f1f4000 c3"), 4);   /* endbr64; nopl */
	CHECK_EQ(skip_of("f30f1efa 85ff 7401 c3"), 6);  /* endbr64; test; je */
	CHECK_EQ(skip_of("4885ff 0f8400000000"), 3);    /* test; je */
	CHECK_EQ(skip_of("83ff05 7e00"), 3);            /* cmp $5, %edi; jle */
	CHECK_EQ(skip_of("4889f8 4839f7 7500"), 6);     /* mov %rdi, %rax; cmp; jne */
	CHECK_EQ(skip_of("31c0 eb00"), 2);              /* xor %eax, %eax; jmp */
	CHECK_EQ(skip_of("b801000000 53"), 5);          /* mov $1, %eax; push */
	CHECK_EQ(skip_of("f30f1efa 4883ec08 55"), 0);   /* sub: the stack pointer */
	CHECK_EQ(skip_of("f30f1efa 89fe 7400"), 0);     /* mov to an argument */
	CHECK_EQ(skip_of("4989f8 7400"), 0);            /* mov to r8 */
	CHECK_EQ(skip_of("41b801000000 55"), 0);        /* mov $, %r8d */
	CHECK_EQ(skip_of("83c701 7e00"), 0);            /* add to an argument */
	CHECK_EQ(skip_of("890600 55"), 0);              /* mov to memory */
	CHECK_EQ(skip_of("f30f1efa c3"), 0);            /* nothing emulated */
	CHECK_EQ(skip_of("31c0 31c0 31c0 31c0 55"), 8); /* at most four in front */
	CHECK_EQ(skip_of("31c0 31c0 31c0 31c0 31c0 55"), 0);
	CHECK_EQ(skip_of("f30f1e"), 0); /* cut */
	CHECK_EQ(skip_of(""), 0);
}

#define F 0x10 /* the function of the cases below: endbr64; push; ...; ret */
#define G 0x40 /* another one */

/* Where a probe of the function lies, from its start, with this code at an offset of the section.
 */
static u64 placed(u32 at, const char *hex, const char *func)
{
	u8 text[0x80];
	struct bench b;
	const struct code_symbol functions[] = { { "f", F, 0x20 }, { "g", G, 0x20 } };
	size_t n;
	u8 *bytes;
	u64 off;

	memset(text, 0xc3, sizeof(text));
	memcpy(text + F, "\xf3\x0f\x1e\xfa\x55\x5d", 6);
	put_code(text + at, hex);
	bytes = code_elf(EM_X86_64, text, sizeof(text), functions, ARRAY_SIZE(functions), &n);
	bench_init(&b, true);
	bench_put_file(b.root, "app", bytes, n);
	CHECK_EQ(bench_add(&b, func, false), 0);
	CHECK_STR(b.l.events[0]->name, "uprobe:app:f");
	off = b.l.events[0]->attr.config2 - TEXT_OFF - F;
	bench_fini(&b);
	free(bytes);
	return off;
}

TEST(jumps_that_rule_it_out)
{
	CHECK_EQ(placed(0, "", "f"), 4);
	CHECK_EQ(placed(F + 6, "ebfd", "f"), 4);       /* jmp back to f+5: not there */
	CHECK_EQ(placed(F + 6, "75fc", "f"), 0);       /* jne back to f+4 */
	CHECK_EQ(placed(F + 6, "e9f9ffffff", "f"), 0); /* jmp back to f+4, far */
	CHECK_EQ(placed(F + 6, "0f85f8ffffff", "f"), 0);
	CHECK_EQ(placed(F + 6, "e2fc", "f"), 0);       /* loop */
	CHECK_EQ(placed(F + 6, "ebf8", "f"), 4);       /* to f itself: a call of its own */
	CHECK_EQ(placed(F + 6, "e8f9ffffff", "f"), 4); /* call f+4 is a call */
	CHECK_EQ(placed(F + 6, "ffe0", "f"), 0);       /* jmp *%rax: anywhere */
	CHECK_EQ(placed(F + 6, "3effe0", "f"), 0);     /* notrack jmp *%rax */
	CHECK_EQ(placed(F + 6, "ff24c500000000", "f"), 0);
	CHECK_EQ(placed(F + 6, "ffd0", "f"), 4); /* call *%rax */
	CHECK_EQ(placed(G, "ffe0", "f"), 4);     /* in another function */
	CHECK_EQ(placed(G, "ebd2", "f"), 0);     /* from another function to f+4 */
}

/* The event of an offset is called by it. */
TEST(an_offset_of_0_is_the_start)
{
	struct bench b;
	u8 text[0x40] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0xc3 };
	const struct code_symbol f = { "f", 0, 0x20 };
	size_t n;
	u8 *bytes;

	bytes = code_elf(EM_X86_64, text, sizeof(text), &f, 1, &n);
	bench_init(&b, true);
	bench_put_file(b.root, "app", bytes, n);
	CHECK_EQ(bench_add(&b, "f+0", false), 0);
	CHECK_EQ(bench_add(&b, "f", true), 0);
	CHECK_EQ(b.l.events[0]->attr.config2, TEXT_OFF);
	CHECK_EQ(b.l.events[1]->attr.config2, TEXT_OFF + 4);
	CHECK_STR(b.l.events[1]->name, "uretprobe:app:f");
	bench_fini(&b);
	free(bytes);
}
