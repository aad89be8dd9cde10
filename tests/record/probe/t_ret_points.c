/* SPDX-License-Identifier: MIT */
/* Where calls end: ret instructions, and jumps to other functions. */
#include "tests/frame/unit.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "record/probe/probe_point.h"
#include "tests/record/probe/use_uprobe_event.h"

#define F 0x20    /* the function of the cases below, of 0x20 bytes */
#define COLD 0x60 /* its cold part, of 0x10 */
#define G 0x80    /* another function */

/*
 * The offsets from F at which f with this code, filled with int3, has probes: "4,7"; or the message
 * that says why it has none. machine: of the ELF file.
 */
static const char *rets_of(const char *code, const char *cold, u16 machine)
{
	static char said[400];
	u8 text[0x100];
	struct bench b;
	const struct code_symbol functions[] = { { "f", F, 0x20 },
						 { "f.cold", COLD, 0x10, .local = true },
						 { "g", G, 0x20 } };
	size_t n, len = 0;
	u8 *bytes;

	memset(text, 0xcc, sizeof(text));
	put_code(text + F, code);
	put_code(text + COLD, cold);
	bytes = code_elf(machine, text, sizeof(text), functions, ARRAY_SIZE(functions), &n);
	bench_init(&b, true);
	bench_put_file(b.root, "app", bytes, n);
	*said = 0;
	if (bench_add(&b, "f", UPROBE_RETS)) {
		CHECK_EQ(b.e.code, PERR_UNSUPPORTED);
		CHECK_EQ(b.l.nr, 0);
		snprintf(said, sizeof(said), "%s", strstr(b.e.text, "f "));
	}
	for (size_t i = 0; i < b.l.nr; i++) {
		u64 off = b.l.events[i]->attr.config2;
		char name[40];

		len += (size_t)snprintf(said + len, sizeof(said) - len, "%s%lld", i ? "," : "",
					(long long)(off - TEXT_OFF - F));
		snprintf(name, sizeof(name), "uret:app:f@0x%llx", (unsigned long long)off);
		CHECK_STR(b.l.events[i]->name, name);
		CHECK_EQ(b.l.events[i]->attr.config, 0);
	}
	bench_fini(&b);
	free(bytes);
	return said;
}

static const char *rets(const char *code)
{
	return rets_of(code, "", EM_X86_64);
}

TEST(instructions_that_return)
{
	CHECK_STR(rets("55 5d c3"), "2");
	CHECK_STR(rets("7401 c3 c20800"), "2,3");
	CHECK_STR(rets("f3c3 f2c3"), "0,2");
	CHECK_STR(rets("b8c3000000 c3"), "5");                        /* mov $0xc3, %eax */
	CHECK_STR(rets("e8fbffffff c3"), "5");                        /* a call of itself */
	CHECK_STR(rets("eb00 c3"), "2");                              /* a jump within it */
	CHECK_STR(rets("64833c251800000000 7401 f00fb117 c3"), "15"); /* behind a lock prefix */
}

TEST(jumps_out_of_it)
{
	CHECK_STR(rets("e95b000000"), "0");     /* jmp g */
	CHECK_STR(rets("eb5e"), "0");           /* jmp g, short */
	CHECK_STR(rets("7402 ebfc c3"), "2,4"); /* jmp to its start is a new call */
	CHECK_STR(rets("ffe0"), "0");           /* jmp *%rax */
	CHECK_STR(rets("ff6018"), "0");         /* jmp *0x18(%rax): a virtual function */
	CHECK_STR(rets("ff2500000000"), "0");   /* jmp *(%rip) */
	CHECK_STR(rets("488b4008 ffe0"), "4");  /* mov 8(%rax), %rax; jmp *%rax */
	CHECK_STR(rets("745e c3"), "f is left by a jump under a condition"); /* je g */
	CHECK_STR(rets("74fe c3"), "f is left by a jump under a condition to its start");
}

TEST(switches)
{
	CHECK_STR(rets("ff24c500000000 c3"), "7");       /* jmp *table(,%rax,8) */
	CHECK_STR(rets("3effe0 c3"), "3");               /* notrack jmp *%rax */
	CHECK_STR(rets("48630482 4801d0 ffe0 c3"), "9"); /* movslq; add; jmp *%rax */
	CHECK_STR(rets("49630c93 4c01d9 ffe1 c3"), "9"); /* the same, other registers */
	CHECK_STR(rets("4863048a 4801c8 3effe0 c3"), "10");
	CHECK_STR(rets("488b04c2 90 ffe0 c3"), "7");        /* mov (%rdx,%rax,8), %rax; jmp */
	CHECK_STR(rets("4d63249e 4d01f4 41ffe4 c3"), "10"); /* r12 */
	CHECK_STR(rets("4801d0 58 ffe0"), "4");             /* what was popped is no table's */
}

TEST(cold_parts)
{
	CHECK_STR(rets_of("743e c3", "90 c3", EM_X86_64), "2,65"); /* je f.cold; ret */
	CHECK_STR(rets_of("743e c3", "ebc0", EM_X86_64), "2");     /* which comes back */
	CHECK_STR(rets_of("743e c3", "eb1e", EM_X86_64), "2,64");  /* which jumps to g */
	CHECK_STR(rets_of("743f c3", "48c7c0 00000000", EM_X86_64),
		  "f has bytes that are no instructions");
}

TEST(what_is_refused)
{
	CHECK_STR(rets("0f0b"), "f does not return");
	CHECK_STR(rets("7401 b8c3000000 c3"), "f has bytes that are no instructions");
	CHECK_STR(rets("e9fbffffff"), "0"); /* calls itself for ever */
	CHECK_STR(rets("c3 9090909090909090909090909090 9090909090909090909090909090 9090 74"),
		  "f has bytes that are no instructions"); /* cut */
	CHECK_STR(rets("c3 9090909090909090909090909090 9090909090909090909090909090 9058 50"),
		  "f runs on into what follows it");
	CHECK_STR(rets_of("c3", "", EM_AARCH64),
		  "f is not x86-64 code, the only one whose ret instructions are found");
}

static u32 check_of(const char *hex)
{
	u8 bytes[40];

	return probe_point_go_check(bytes, put_code(bytes, hex));
}

TEST(stack_checks_of_go)
{
	CHECK_EQ(check_of("493b6610 7640 4883ec18"), 6);
	CHECK_EQ(check_of("493b6610 0f86a4000000 90"), 10);
	CHECK_EQ(check_of("4c8d6424f0 4d3b6610 0f86a4000000 90"), 15);
	CHECK_EQ(check_of("4c8da42478ffffff 4d3b6610 7640"), 14);
	CHECK_EQ(check_of("4c8da42478ffffff 4d3b6618 7640"), 0);
	CHECK_EQ(check_of("493b6610 7740"), 0);
	CHECK_EQ(check_of("493b6610 76"), 0);
	CHECK_EQ(check_of("493b66"), 0);
	CHECK_EQ(check_of(""), 0);
}
