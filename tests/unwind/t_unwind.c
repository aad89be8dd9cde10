/* SPDX-License-Identifier: MIT */
/* Unwinding by rows, expressions and known code, on functions and stacks made for each case. */
#include "tests/unwind/unwind_world.h"

TEST(stack_and_frame_pointer)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	w->job.pc = AT(F + 1);
	w->job.regs[6] = SP + 24;
	put(w, 0, AT(G + 9));
	put(w, 3, SP + 48); /* saved rbp of the outer g */
	put(w, 4, AT(G + 12));
	put(w, 6, 0);
	put(w, 7, AT(START + 5));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F + 1), AT(G + 8), AT(G + 11), AT(START + 4));
	CHECK_EQ(w->f.sps[0], SP);
	CHECK_EQ(w->f.sps[1], SP + 8);
	CHECK_EQ(w->f.sps[2], SP + 40);
	CHECK_EQ(w->f.sps[3], SP + 64);
	CHECK_EQ(w->f.guessed, 0);
	world_free(w);
}

/* A call that does not return may be the last instruction: the next function is not meant. */
TEST(return_address_is_looked_up_minus_one)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	FN(w, F, 16, DW_CFA_def_cfa_offset, 16);
	FN(w, F + 16, 16, DW_CFA_def_cfa_offset, 64);
	w->job.pc = AT(F + 16); /* itself: the second function */
	put(w, 7, AT(F + 16));  /* as a return address: the first */
	put(w, 9, 0);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F + 16), AT(F + 15));
	CHECK_EQ(w->f.sps[1], SP + 64);
	world_free(w);
}

TEST(registers_of_a_middle_frame)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	/* f keeps rbx where it finds it, g's CFA is by rbx, h's too, which g has saved. */
	FN(w, F, 16, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2);
	FN(w, G, 16, DW_CFA_def_cfa, 3, 32, DW_CFA_offset | 3, 3);
	w->job.pc = AT(F);
	w->job.regs[3] = 77;
	put(w, 0, SP + 8);
	put(w, 1, AT(G + 1));
	put(w, 2, SP + 40);
	put(w, 4, AT(G + 2)); /* CFA of the first g: SP + 40 */
	put(w, 8, 0);         /* CFA of the second: SP + 72 */
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(G), AT(G + 1));
	CHECK_EQ(w->f.sps[2], SP + 40);
	world_free(w);
}

TEST(return_address_in_a_register)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	/* vfork: popped to rdi */
	FN(w, F, 16, DW_CFA_def_cfa_offset, 0, DW_CFA_register, 16, 5);
	FN(w, START, 32, DW_CFA_undefined, 16);
	w->job.pc = AT(F);
	w->job.regs[5] = AT(START + 1);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(START));
	CHECK_EQ(w->f.sps[1], SP);
	w->job.known &= ~(1ull << 5);
	unwind(w);
	CHECK_IPS(w, UNWIND_BAD_INFO, AT(F));
	world_free(w);
}

/* and $-16,%rsp with the arguments' address in r10: CFA = *(rbp - 8), rbp at its own place. */
TEST(realigned)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	FN(w, F, 16, DW_CFA_def_cfa_expression, 3, DW_OP_breg6, 0x78, DW_OP_deref,
	   DW_CFA_expression, 6, 2, DW_OP_breg6, 0);
	FN(w, G, 16, DW_CFA_def_cfa, 10, 0); /* while r10 has it */
	w->job.pc = AT(F);
	w->job.regs[6] = SP + 32;
	put(w, 3, SP + 80);
	put(w, 4, 4711);
	put(w, 9, AT(START));
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(F), AT(START - 1));
	CHECK_EQ(w->f.sps[1], SP + 80);
	w->job.pc = AT(G);
	w->job.regs[10] = SP + 80;
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(G), AT(START - 1));
	world_free(w);
}

TEST(values_and_expressions_of_registers)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	/* rbx = CFA - 24 (not saved there), rbp = *(CFA) + 8, r12 in rdx */
	FN(w, F, 16, DW_CFA_def_cfa_offset, 16, DW_CFA_val_offset, 3, 3, DW_CFA_val_expression, 6,
	   3, DW_OP_deref, DW_OP_plus_uconst, 8, DW_CFA_register, 12, 1);
	FN(w, G, 16, DW_CFA_def_cfa_expression, 6, DW_OP_breg3, 0, DW_OP_breg12, 0, DW_OP_plus,
	   DW_OP_nop);
	FN(w, START, 16, DW_CFA_def_cfa, 6, 8);
	w->job.pc = AT(F);
	w->job.regs[1] = 48; /* rdx */
	put(w, 1, AT(G + 1));
	put(w, 2, SP + 100 * 8 - 8 - 712 - 24); /* + 8: SP + 64 */
	put(w, 4, AT(START + 1));               /* CFA of g: rbx + r12 = SP - 8 + 48 */
	put(w, 8, 0);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(G), AT(START));
	CHECK_EQ(w->f.sps[2], SP + 40);
	world_free(w);
}

/* breg7 8; (rip & 15) >= 11, times 8: two words lie there from the second push on. */
TEST(plt_by_expression_and_by_code)
{
	struct world *w = world_new(UNWIND_X86_64, false);
	static const u8 slot[] = { 0xff, 0x25, 1, 2, 3, 4, 0x68, 1, 0, 0, 0, 0xe9, 0, 0, 0, 0 };

	FN(w, F, 64, DW_CFA_def_cfa_expression, 11, DW_OP_breg7, 8, DW_OP_breg16, 0, DW_OP_lit15,
	   DW_OP_and, DW_OP_lit11, DW_OP_ge, DW_OP_lit3, DW_OP_shl, DW_OP_plus);
	FN(w, START, 32, DW_CFA_undefined, 16);
	memcpy(w->code + 0x400, slot, sizeof(slot));
	CODE(w, 0x420, 0xf3, 0x0f, 0x1e, 0xfa, 0xf2, 0xff, 0x25, 0, 0, 0, 0);
	CODE(w, START, 0xe8, 0, 0, 0, 0);
	put(w, 0, AT(START + 5));
	put(w, 1, AT(START + 10));
	for (u64 at = F + 16; at < F + 32; at++) {
		w->job.pc = AT(at);
		unwind(w);
		CHECK_IPS(w, UNWIND_ROOT, AT(at), AT(START + (at % 16 >= 11 ? 9 : 4)));
	}
	w->job.pc = AT(0x400);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x400), AT(START + 4));
	CHECK_EQ(w->f.guessed, 1);
	w->job.pc = AT(0x406);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x406), AT(START + 4));
	w->job.pc = AT(0x40b);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x40b), AT(START + 9));
	w->job.pc = AT(0x420);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x420), AT(START + 4));
	world_free(w);
}

/*
 * A handler was called in the middle of f: the trampoline's rows are found by its address minus
 * one, its address is given as it is, and so is f's.
 */
TEST(signal_frame_by_its_rows)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	SIGNAL_FN(w, 0x3ff, 16, DW_CFA_def_cfa_expression, 4, DW_OP_breg7, 0xd0, 0, DW_OP_deref,
		  DW_CFA_expression, 6, 2, DW_OP_breg7, 40, DW_CFA_expression, 7, 3, DW_OP_breg7,
		  0xd0, 0, DW_CFA_expression, 16, 2, DW_OP_breg7, 48);
	w->job.pc = AT(F + 1);
	put(w, 0, AT(0x400)); /* where the handler returns to: CFA SP + 8 */
	put(w, 6, SP + 128);  /* rbp, at 40 from there */
	put(w, 7, AT(G));     /* rip: just entered, exact */
	put(w, 11, SP + 120); /* rsp */
	put(w, 16, 0);
	put(w, 17, AT(START + 1));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F + 1), AT(0x400), AT(G), AT(START));
	CHECK_EQ(w->f.sps[2], SP + 120);
	CHECK_EQ(w->f.guessed, 0);
	world_free(w);
}

TEST(signal_frame_by_its_code)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	CODE(w, 0x400, 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05);
	w->job.pc = AT(F + 1);
	put(w, 0, AT(0x400));
	put(w, 1 + 5 + 10, SP + 320); /* rbp */
	put(w, 1 + 5 + 15, SP + 312); /* rsp */
	put(w, 1 + 5 + 16, AT(G + 4));
	put(w, 41, AT(START + 1));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F + 1), AT(0x400), AT(G + 4), AT(START));
	CHECK_EQ(w->f.sps[2], SP + 312);
	/* Sampled in the trampoline itself, before and behind its system call. */
	for (u64 at = 0x400; at <= 0x409; at += 9) {
		w->job.pc = AT(at);
		put(w, 5 + 10, SP + 320);
		put(w, 5 + 15, SP + 312);
		put(w, 5 + 16, AT(G + 4));
		unwind(w);
		CHECK_IPS(w, UNWIND_ROOT, AT(at), AT(G + 4), AT(START));
	}
	world_free(w);
}

TEST(epilogue_keeps_what_is_popped)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	/* The row says that rbp lies at CFA - 16, and the stack pointer is past that. */
	FN(w, F, 16, DW_CFA_offset | 6, 2, DW_CFA_offset | 3, 3);
	FN(w, G, 16, DW_CFA_def_cfa, 6, 16);
	FN(w, START, 16, DW_CFA_def_cfa, 3, 16);
	w->job.pc = AT(F);
	w->job.regs[6] = SP + 16;
	w->job.regs[3] = SP + 32;
	put(w, 0, AT(G + 1));
	put(w, 3, AT(START + 1));
	put(w, 5, 0);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(G), AT(START));
	world_free(w);
}
