/* SPDX-License-Identifier: MIT */
/* Frames that no call frame information describes, by what their code does until it returns. */
#include "tests/unwind/unwind_world.h"
#include "unwind/unwind_code.h"

#define HERE 0x500 /* no rows hold here */
#define NONE RULE_MAKE(RULE_GUESS, 0, 0)

struct code {
	u8 bytes[40];
	u8 nr;
	u32 rule;
};

#define BYTES(...) { __VA_ARGS__ }, sizeof((u8[]){ __VA_ARGS__ })

static u32 rule_of(const struct code *c, bool called)
{
	struct world *w = world_new(UNWIND_X86_64, false);
	struct unwind_code *reader = unwind_code_new();
	u32 rule;

	usual_functions(w);
	memcpy(w->code + HERE, c->bytes, c->nr);
	open_world(w, 0);
	rule = unwind_code_rule(reader, w->module, CFI_TEXT + HERE, called);
	/* it is the same when it is asked again */
	CHECK_EQ(unwind_code_rule(reader, w->module, CFI_TEXT + HERE, called), rule);
	unwind_code_free(reader);
	world_free(w);
	return rule;
}

TEST(ways_to_the_return)
{
	static const struct code codes[] = {
		/* ret; rep ret; ret $16 */
		{ BYTES(0xc3), RULE_MAKE(RULE_SP, 1, 0) },
		{ BYTES(0xf3, 0xc3), RULE_MAKE(RULE_SP, 1, 0) },
		{ BYTES(0xc2, 0x10, 0), RULE_MAKE(RULE_SP, 1, 0) },
		/* add $24,%rsp; pop %rbx; pop %rbp; pop %r12; ret */
		{ BYTES(0x48, 0x83, 0xc4, 24, 0x5b, 0x5d, 0x41, 0x5c, 0xc3),
		  RULE_MAKE(RULE_SP, 7, -3) },
		/* add $0x1000,%rsp; pop %r13, whose number ends like %rbp's; ret */
		{ BYTES(0x48, 0x81, 0xc4, 0, 0x10, 0, 0, 0x41, 0x5d, 0xc3),
		  RULE_MAKE(RULE_SP, 514, 0) },
		/* the start of a function: push %rbp; mov %rsp,%rbp; sub $32,%rsp; leave; ret */
		{ BYTES(0x55, 0x48, 0x89, 0xe5, 0x48, 0x83, 0xec, 32, 0xc9, 0xc3),
		  RULE_MAKE(RULE_SP, 1, 0) },
		/* the middle of it: leave; ret */
		{ BYTES(0xc9, 0xc3), RULE_MAKE(RULE_FP, 2, -2) },
		/* lea -24(%rbp),%rsp; pop %rbx; pop %r12; pop %r13; pop %rbp; ret */
		{ BYTES(0x48, 0x8d, 0x65, 0xe8, 0x5b, 0x41, 0x5c, 0x41, 0x5d, 0x5d, 0xc3),
		  RULE_MAKE(RULE_FP, 2, -2) },
		/* mov %rbp,%rsp; pop %rbp; ret, where the stack was realigned: and $-32,%rsp */
		{ BYTES(0x48, 0x83, 0xe4, 0xe0, 0x48, 0x89, 0xec, 0x5d, 0xc3),
		  RULE_MAKE(RULE_FP, 2, -2) },
		/* as Go: mov 16(%rsp),%rbp; add $24,%rsp; ret */
		{ BYTES(0x48, 0x8b, 0x6c, 0x24, 16, 0x48, 0x83, 0xc4, 24, 0xc3),
		  RULE_MAKE(RULE_SP, 4, -2) },
		/* as V8 before it jumps on, where the stack is not seen to end: jne to mov
		   %rbp,%rsp; pop %rbp; ret, over mov (%rbp),%rbp; add $8,%rsp; ret */
		{ BYTES(0x75, 9, 0x48, 0x8b, 0x6d, 0, 0x48, 0x83, 0xc4, 8, 0xc3, 0x48, 0x89, 0xec,
			0x5d, 0xc3),
		  RULE_MAKE(RULE_FP, 2, -2) },
		/* from where it was set: push %rbp; mov %rsp,%rbp; mov (%rbp),%rbp; pop %rcx; ret
		 */
		{ BYTES(0x55, 0x48, 0x89, 0xe5, 0x48, 0x8b, 0x6d, 0, 0x59, 0xc3),
		  RULE_MAKE(RULE_SP, 1, 0) },
		/* lea 8(%rsp),%rsp; push %rax; pop %rdx; push $1; popf; ret */
		{ BYTES(0x48, 0x8d, 0x64, 0x24, 8, 0x50, 0x5a, 0x6a, 1, 0x9d, 0xc3),
		  RULE_MAKE(RULE_SP, 2, 0) },
		/* push %rbx; call *%rax; pop %rbx; jmp *slot(%rip) */
		{ BYTES(0x53, 0xff, 0xd0, 0x5b, 0xff, 0x25, 1, 2, 3, 4), RULE_MAKE(RULE_SP, 1, 0) },
		/* jne to pop %rcx; ret, over ud2 */
		{ BYTES(0x75, 2, 0x0f, 0x0b, 0x59, 0xc3), RULE_MAKE(RULE_SP, 2, 0) },
		/* the same by a long jump, over a call that does not return: nops follow it */
		{ BYTES(0x0f, 0x85, 7, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0x66, 0x90, 0x59, 0xc3),
		  RULE_MAKE(RULE_SP, 2, 0) },
		/* jmp to what follows int3; a switch, whose first case follows */
		{ BYTES(0xeb, 1, 0xcc, 0x58, 0xc3), RULE_MAKE(RULE_SP, 2, 0) },
		{ BYTES(0xff, 0xe7, 0x58, 0xc3), RULE_MAKE(RULE_SP, 2, 0) },
		/* 16 loops: each jumps back before it goes on */
		{ BYTES(0x75, 0xfe, 0x75, 0xfe, 0x75, 0xfc, 0x58, 0xc3), RULE_MAKE(RULE_SP, 2, 0) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		CHECK_EQ(rule_of(&codes[i], false), codes[i].rule);
}

TEST(code_that_does_not_tell)
{
	static const struct code codes[] = {
		/* jmp to itself; hlt; an endless loop of two */
		{ BYTES(0xeb, 0xfe), NONE },
		{ BYTES(0xf4), NONE },
		{ BYTES(0xff, 0xd0, 0xeb, 0xfc), NONE },
		/* the stack pointer from memory, by and, by add of a register, and by xchg */
		{ BYTES(0x48, 0x8b, 0x27, 0xc3), NONE },
		{ BYTES(0x48, 0x83, 0xe4, 0xf0, 0xc3), NONE },
		{ BYTES(0x48, 0x01, 0xc4, 0xc3), NONE },
		{ BYTES(0x48, 0x87, 0xe0, 0xc3), NONE },
		{ BYTES(0x5c, 0xc3), NONE },
		/* below the stack pointer, and no multiple of a word */
		{ BYTES(0x50, 0xc3), NONE },
		{ BYTES(0x48, 0x83, 0xc4, 4, 0xc3), NONE },
		/* the caller's frame pointer was lost: push %rax; pop %rbp */
		{ BYTES(0x50, 0x5d, 0xc3), NONE },
		/* mov %rax,%rbp; lea 8(%rax),%rbp; mov 8(%rbp),%rbp; each with ret */
		{ BYTES(0x48, 0x89, 0xc5, 0xc3), NONE },
		{ BYTES(0x48, 0x8d, 0x68, 8, 0xc3), NONE },
		{ BYTES(0x48, 0x8b, 0x6d, 8, 0xc3), NONE },
		/* leave, after the frame pointer was loaded */
		{ BYTES(0x48, 0x8b, 0x6c, 0x24, 16, 0xc9, 0xc3), NONE },
	};

	for (size_t i = 0; i < ARRAY_SIZE(codes); i++)
		CHECK_EQ(rule_of(&codes[i], false), codes[i].rule);
}

/* Behind a call may lie the next function. */
TEST(calls_that_do_not_return)
{
	static const struct code nop = { BYTES(0x90, 0x58, 0xc3), RULE_MAKE(RULE_SP, 2, 0) };
	static const struct code endbr = { BYTES(0xf3, 0x0f, 0x1e, 0xfa, 0xc3),
					   RULE_MAKE(RULE_SP, 1, 0) };

	CHECK_EQ(rule_of(&nop, false), nop.rule);
	CHECK_EQ(rule_of(&nop, true), NONE);
	CHECK_EQ(rule_of(&endbr, false), endbr.rule);
	CHECK_EQ(rule_of(&endbr, true), NONE);
}

/* All bytes the code may have: it ends, and reads nothing beyond the file. */
TEST(any_code)
{
	struct world *w = world_new(UNWIND_X86_64, false);
	struct unwind_code *reader = unwind_code_new();
	u32 seed = 1;

	usual_functions(w);
	for (size_t i = HERE; i < sizeof(w->code); i++) {
		seed = seed * 1664525 + 1013904223;
		w->code[i] = (u8)(seed >> 24);
	}
	open_world(w, 0);
	/* asked from the start, too */
	unwind_module_set_made(w->module);
	for (u64 at = HERE; at < sizeof(w->code); at++) {
		u32 rule = unwind_code_rule(reader, w->module, CFI_TEXT + at, at & 1);
		enum rule_kind kind = rule_kind(rule);

		CHECK(kind == RULE_SP || kind == RULE_FP || kind == RULE_GUESS);
	}
	CHECK_EQ(unwind_code_rule(reader, w->module, 1ull << 50, false), NONE);
	unwind_code_free(reader);
	world_free(w);
}

/* Steps of a stack: the return address must follow a call; one that was not copied cuts it off. */
TEST(steps)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	CODE(w, START, 0xe8, 0, 0, 0, 0, 0x90);
	CODE(w, HERE, 0x5b, 0x5d, 0x48, 0x83, 0xc4, 8, 0xc3);           /* CFA = sp + 32 */
	CODE(w, 0x600, 0xff, 0xd0, 0x48, 0x83, 0xc4, 0x10, 0x5d, 0xc3); /* the caller */
	w->job.pc = AT(HERE);
	w->job.regs[6] = 1;
	put(w, 0, AT(START + 5)); /* old, of another call */
	put(w, 1, 2);
	put(w, 3, AT(0x602));
	put(w, 7, AT(START + 5));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(HERE), AT(0x601), AT(START + 4));
	CHECK_EQ(w->f.guessed, 2);
	CHECK_EQ(w->f.sps[1], SP + 32);
	CHECK_EQ(w->f.sps[2], SP + 64);
	put(w, 3, AT(0x606)); /* behind no call */
	put(w, 0, 5);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(HERE));
	put(w, 3, AT(0x602));
	w->job.bytes.n = 7 * 8;
	unwind(w);
	CHECK_IPS(w, UNWIND_TRUNCATED, AT(HERE), AT(0x601));
	CHECK_EQ(w->f.last_cfa, SP + 64);
	world_free(w);
}

/* Rows that miss a push, as those of assembly do, lead to no code: the instructions tell. */
TEST(wrong_rows)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	FN(w, HERE, 16, DW_CFA_nop);
	FN(w, 0x600, 16, DW_CFA_nop);
	CODE(w, START, 0xe8, 0, 0, 0, 0, 0x90);
	CODE(w, HERE, 0x5b, 0xc3);                                /* CFA = sp + 16 */
	CODE(w, 0x600, 0xff, 0xd0, 0x48, 0x83, 0xc4, 0x10, 0xc3); /* CFA = sp + 24 */
	w->job.pc = AT(HERE);
	put(w, 0, 7);
	put(w, 1, AT(0x602));
	put(w, 2, 8);
	put(w, 4, AT(START + 5));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(HERE), AT(0x601), AT(START + 4));
	CHECK_EQ(w->f.guessed, 2);
	CHECK_EQ(w->f.sps[2], SP + 40);
	put(w, 0, 0x70000007);
	put(w, 1, AT(0x605)); /* behind no call: as the rows have it */
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_MAP, AT(HERE), 0x70000006);
	put(w, 0, AT(0x602)); /* rows that lead to code are right */
	put(w, 1, AT(START + 5));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(HERE), AT(0x601), AT(START + 4));
	CHECK_EQ(w->f.guessed, 0);
	world_free(w);
}

/* Where a goroutine's first function returns to: nop; call goexit1; nop. */
TEST(goroutines)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	CODE(w, HERE, 0x5d, 0xc3);
	CODE(w, 0x600, 0x90, 0xe8, 0, 0, 0, 0, 0x90, 0xc3);
	w->job.pc = AT(HERE);
	w->job.regs[6] = SP;
	put(w, 0, 0);
	put(w, 1, AT(0x601));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(HERE), AT(0x600));
	/* by the frame pointer of code that was made at run time */
	w->job.pc = JIT + 8;
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, JIT + 8, AT(0x600));
	world_free(w);
}

/* Where the code does not tell, a frame pointer is believed that a function in the chain has set.
 */
TEST(frame_pointers_in_silent_code)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	CODE(w, HERE, 0xeb, 0xfe);
	CODE(w, 0x600, 0xe8, 0x7b, 0, 0, 0, 0xeb, 0xfe); /* calls 0x680 */
	CODE(w, 0x640, 0xc9, 0xc3);
	CODE(w, 0x650, 0x48, 0x83, 0xc4, 16, 0x5d, 0xc3);
	CODE(w, 0x680, 0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5);
	CODE(w, 0x700, 0xe8, 0xfb, 0, 0, 0, 0xeb, 0xfe); /* calls 0x800 */
	CODE(w, 0x740, 0xff, 0xd0, 0xeb, 0xfe);          /* call *%rax */
	w->job.pc = AT(HERE);
	w->job.regs[6] = SP + 16;
	put(w, 2, 0);
	put(w, 3, AT(0x605));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(HERE), AT(0x604));
	put(w, 3, AT(0x705));
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(HERE));
	put(w, 3, AT(0x742)); /* whom that calls is not known */
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(HERE), AT(0x741));
	/* one that was saved where another led to: the function called may have jumped on */
	put(w, 2, SP + 48);
	put(w, 6, 0);
	put(w, 7, AT(0x705));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(HERE), AT(0x741), AT(0x704));
	/* the same led there by rows, and by code: leave; ret */
	w->job.pc = AT(G + 8);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(G + 8), AT(0x741), AT(0x704));
	w->job.pc = AT(0x640);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x640), AT(0x741), AT(0x704));
	/* which is not so where code finds the frame by the stack pointer */
	w->job.pc = AT(0x650);
	w->job.regs[6] = 1;
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(0x650), AT(0x741));
	world_free(w);
}
