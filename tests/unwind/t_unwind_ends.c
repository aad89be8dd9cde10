/* SPDX-License-Identifier: MIT */
/* How stacks end, steps without call frame information, and hostile input. */
#include "tests/unwind/unwind_world.h"

TEST(ends)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	FN(w, 0x400, 32, DW_CFA_def_cfa_offset, 0);          /* return address below sp */
	FN(w, 0x440, 32, DW_CFA_def_cfa, 3, 0);              /* CFA by rbx */
	FN(w, 0x480, 32, DW_CFA_def_cfa_offset, 0x80, 0x20); /* 4 KiB */
	w->job.pc = AT(F);
	/* A return address that is none: given as a frame, as stock perf does, and the last. */
	put(w, 0, 0x1234567);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_MAP, AT(F), 0x1234566);
	put(w, 0, 0xffff800012345678);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_MAP, AT(F), 0xffff800012345677);
	put(w, 0, MISSING + 5);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_OBJECT, AT(F), MISSING + 4);
	put(w, 0, 0);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F));
	put(w, 0, AT(0x481));
	unwind(w);
	CHECK_IPS(w, UNWIND_TRUNCATED, AT(F), AT(0x480));
	put(w, 0, AT(0x401));
	unwind(w);
	CHECK_IPS(w, UNWIND_BAD_STACK, AT(F), AT(0x400));
	put(w, 0, AT(0x441));
	w->job.regs[3] = SP - 64;
	unwind(w);
	CHECK_IPS(w, UNWIND_BAD_STACK, AT(F), AT(0x440));
	w->job.regs[3] = SP + 8; /* within the stack, and no way up */
	unwind(w);
	CHECK_IPS(w, UNWIND_BAD_STACK, AT(F), AT(0x440));
	w->job.known &= ~(1ull << 3);
	unwind(w);
	CHECK_IPS(w, UNWIND_BAD_INFO, AT(F), AT(0x440));
	w->job.known = 0xffff & ~(1ull << 7);
	unwind(w);
	check_ips(w, NULL, 0, UNWIND_NO_REGS);
	w->job.known = 0xffff;
	w->job.pc = 0;
	unwind(w);
	check_ips(w, NULL, 0, UNWIND_NO_REGS);
	w->job.pc = AT(F);
	w->job.bytes.n = 0;
	unwind(w);
	CHECK_IPS(w, UNWIND_TRUNCATED, AT(F));
	w->job.bytes.n = 7;
	unwind(w);
	CHECK_IPS(w, UNWIND_TRUNCATED, AT(F));
	/* The last word of the copy is part of it. */
	w->job.bytes.n = 8;
	put(w, 0, 0);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F));
	world_free(w);
}

TEST(no_caller_and_no_frame)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	FN(w, 0x400, 32, DW_CFA_def_cfa, 0x60, 8, DW_CFA_undefined, 16); /* no such register */
	FN(w, 0x440, 32, DW_CFA_def_cfa, 0x60, 8);
	w->job.pc = AT(0x400);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x400));
	w->job.pc = AT(0x440);
	unwind(w);
	CHECK_IPS(w, UNWIND_BAD_INFO, AT(0x440));
	world_free(w);
}

TEST(no_more_frames_than_wanted)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	w->job.pc = AT(F);
	for (unsigned int i = 0; i < WORDS; i++)
		put(w, i, AT(F + 1 + i % 8));
	open_world(w, 10);
	unwind(w);
	CHECK_EQ(w->f.nr, 10);
	CHECK_EQ(w->f.end, UNWIND_DEPTH);
	world_free(w);
}

TEST(frame_pointers)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	w->job.pc = JIT + 8;
	w->job.regs[6] = SP + 16;
	put(w, 2, SP + 48);
	put(w, 3, JIT + 0x100);
	put(w, 6, 0);
	put(w, 7, JIT + 0x200);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, JIT + 8, JIT + 0xff, JIT + 0x1ff);
	CHECK_EQ(w->f.guessed, 2);
	CHECK_EQ(w->f.sps[2], SP + 64);
	/* Not aligned, below the stack pointer, no code where it leads, and beyond the copy. */
	put(w, 2, SP + 49);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, JIT + 8, JIT + 0xff);
	put(w, 2, SP + 24);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, JIT + 8, JIT + 0xff);
	put(w, 2, SP + 80);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, JIT + 8, JIT + 0xff);
	put(w, 11, 5);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, JIT + 8, JIT + 0xff);
	put(w, 2, SP + 8 * WORDS);
	unwind(w);
	CHECK_IPS(w, UNWIND_TRUNCATED, JIT + 8, JIT + 0xff);
	put(w, 2, SP + (1ull << 40));
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, JIT + 8, JIT + 0xff);
	world_free(w);
}

/* Assembly without rows: what lies at the stack pointer follows a call, so it is one's return. */
TEST(no_rows_and_no_frame)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	CODE(w, START, 0xe8, 0, 0, 0, 0, 0x90, 0xff, 0x54, 0x24, 8, 0x90, 0x41, 0xff, 0xd7);
	w->job.pc = AT(0x500);
	w->job.regs[6] = 1;
	put(w, 0, AT(START + 5));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x500), AT(START + 4));
	put(w, 0, AT(START + 10));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x500), AT(START + 9));
	put(w, 0, AT(START + 14));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x500), AT(START + 13));
	put(w, 0, AT(START + 6)); /* behind a nop */
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(0x500));
	world_free(w);
}

/* Without rows the frame pointer may be anything: 0 is the start where it was saved or cleared. */
TEST(no_frame_pointer_is_no_start)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	CODE(w, 0x600, 0xe8, 0, 0, 0, 0, 0x31, 0xed, 0xff, 0xd7);
	w->job.pc = AT(0x500);
	w->job.regs[6] = 0;
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(0x500));
	put(w, 0, AT(0x605));
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(0x500), AT(0x604));
	put(w, 0, AT(0x609)); /* behind xor %ebp,%ebp; call *%rdi */
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x500), AT(0x608));
	/* where it leads, lies a return address of 0 */
	put(w, 0, 1);
	w->job.regs[6] = SP + 16;
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(0x500));
	w->job.pc = JIT + 8;
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, JIT + 8);
	world_free(w);
}

TEST(expression_reads_the_file)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	/* CFA = sp + what the code at 0x600 holds, by an address relative to rip */
	FN(w, F, 16, DW_CFA_def_cfa_expression, 8, DW_OP_breg16, 0x80, 0x0a, DW_OP_deref_size, 4,
	   DW_OP_breg7, 0, DW_OP_plus);
	CODE(w, 0x600, 40, 0, 0, 0);
	w->job.regs[6] = 1;
	w->job.pc = AT(F);
	put(w, 4, 0);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F));
	put(w, 4, AT(0x700));
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(F), AT(0x6ff));
	world_free(w);
}

TEST(hostile)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	/* huge offsets both ways */
	FN(w, 0x400, 16, DW_CFA_def_cfa_offset, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	   0x7f);
	FN(w, 0x420, 16, DW_CFA_def_cfa_sf, 7, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
	   0x40);
	/* no end, no stack, too much stack, unknown operation, division by zero */
	FN(w, 0x440, 16, DW_CFA_def_cfa_expression, 3, DW_OP_skip, 0xfd, 0xff);
	FN(w, 0x460, 16, DW_CFA_def_cfa_expression, 1, DW_OP_plus);
	FN(w, 0x480, 16, DW_CFA_def_cfa_expression, 5, DW_OP_lit1, DW_OP_dup, DW_OP_skip, 0xfc,
	   0xff);
	FN(w, 0x4a0, 16, DW_CFA_def_cfa_expression, 1, 0xff);
	FN(w, 0x4c0, 16, DW_CFA_def_cfa_expression, 3, DW_OP_lit1, DW_OP_lit0, DW_OP_div);
	FN(w, 0x4e0, 16, DW_CFA_def_cfa_expression, 3, DW_OP_const8u, 1, 2);
	/* a chain of reads: sp leads to itself */
	FN(w, 0x500, 16, DW_CFA_def_cfa_expression, 12, DW_OP_breg7, 0, DW_OP_deref, DW_OP_deref,
	   DW_OP_deref, DW_OP_deref, DW_OP_deref, DW_OP_deref, DW_OP_deref, DW_OP_deref,
	   DW_OP_deref, DW_OP_deref);
	put(w, 0, SP);
	for (u64 at = 0x400; at <= 0x500; at += 0x20) {
		w->job.pc = AT(at);
		unwind(w);
		CHECK_EQ(w->f.nr, 1);
		CHECK_EQ(w->f.ips[0], AT(at));
		CHECK(w->f.end == UNWIND_BAD_STACK || w->f.end == UNWIND_BAD_INFO);
		/* and as a caller */
		w->job.pc = AT(F);
		put(w, 0, AT(at + 1));
		unwind(w);
		CHECK_EQ(w->f.nr, 2);
		put(w, 0, SP);
	}
	/* Stacks at the end of the address space, and copies that would reach around it. */
	for (u64 sp = -16ull; sp; sp += 4) {
		w->job.pc = AT(F);
		w->job.regs[7] = sp;
		w->job.regs[6] = sp;
		put(w, 0, AT(G + 1));
		unwind(w);
		CHECK(w->f.nr <= 2);
		w->job.pc = JIT;
		unwind(w);
		CHECK(w->f.nr <= 3);
	}
	world_free(w);
}

/* Above _start's frame lies the number of arguments, which looks like an address to rows. */
TEST(start_of_a_program)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	FN(w, 0x400, 32, DW_CFA_nop);
	w->job.pc = AT(F);
	put(w, 0, AT(0x405));
	put(w, 1, 3);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_MAP, AT(F), AT(0x404));
	put(w, 1, 0x10000);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_MAP, AT(F), AT(0x404));
	put(w, 1, 0x10001);
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_MAP, AT(F), AT(0x404), 0x10000);
	w->o->entry = CFI_TEXT + 0x400;
	put(w, 1, 3);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(0x404));
	w->job.bytes.n = 8;
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(0x404));
	world_free(w);
}

/* Precise events: the leaf's address is that of a call, the registers are those behind it. */
TEST(leaf_at_a_call_that_has_run)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	FN(w, 0x400, 32, DW_CFA_def_cfa_offset, 16);
	CODE(w, 0x404, 0xe8, 0, 0, 0, 0);
	w->job.pc = AT(0x404);
	w->job.regs[7] = SP + 8;
	w->job.bytes = span_of(w->stack + 8, sizeof(w->stack) - 8);
	put(w, 1, AT(0x409)); /* pushed by the call */
	put(w, 2, AT(F + 1)); /* what rows of the registers before it would take for the caller */
	put(w, 3, AT(START + 5));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x404), AT(START + 4));
	CHECK_EQ(w->f.sps[0], SP + 16);
	/* another word there, and a stack that is aligned as before a call */
	put(w, 1, AT(0x408));
	unwind(w);
	CHECK(w->f.nr > 1 && w->f.ips[1] == AT(F));
	put(w, 0, AT(0x409));
	put(w, 1, AT(F + 1));
	w->job.regs[7] = SP;
	w->job.bytes = span_of(w->stack, sizeof(w->stack));
	unwind(w);
	CHECK(w->f.nr > 1 && w->f.ips[1] == AT(F));
	world_free(w);
}
