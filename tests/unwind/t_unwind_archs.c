/* SPDX-License-Identifier: MIT */
/* Unwinding on the other architectures, and on stacks of random words. */
#include "tests/unwind/unwind_world.h"

#include <pthread.h>

TEST(i386)
{
	struct world *w = world_new(UNWIND_I386, false);

	FN(w, F, 16, DW_CFA_nop);
	FN(w, G, 16, DW_CFA_def_cfa, 5, 8, DW_CFA_offset | 5, 2);
	FN(w, START, 16, DW_CFA_undefined, 8);
	CODE(w, 0x400, 0x58, 0xb8, 0x77, 0, 0, 0, 0xcd, 0x80);
	w->job.pc = AT(F);
	w->job.regs[5] = SP + 12;
	put(w, 0, AT(G + 1));
	put(w, 3, SP + 24);
	put(w, 4, AT(G + 2));
	put(w, 6, 0);
	put(w, 7, AT(START + 1));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(G), AT(G + 1), AT(START));
	CHECK_EQ(w->f.sps[3], SP + 32);
	/* Signal: sigcontext one word above; ebp, esp and eip are its 6th, 7th and 14th. */
	put(w, 0, AT(0x400));
	put(w, 2 + 6, SP + 100);
	put(w, 2 + 7, SP + 96);
	put(w, 2 + 14, AT(F + 3));
	put(w, 24, AT(START + 1));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(0x400), AT(F + 3), AT(START));
	world_free(w);
}

/* Its system calls go through the vDSO, its signal handlers return there; the file is missing. */
TEST(i386_without_its_vdso)
{
	struct world *w = world_new(UNWIND_I386, false);

	FN(w, F, 16, DW_CFA_nop);
	FN(w, G, 16, DW_CFA_def_cfa, 5, 8, DW_CFA_offset | 5, 2);
	FN(w, START, 16, DW_CFA_undefined, 8);
	CODE(w, G - 7, 0x65, 0xff, 0x15, 0x10, 0, 0, 0); /* call *%gs:0x10 */
	CODE(w, START - 4, 0xe8, 0, 0, 0, 0, 0xe8, 0, 0, 0, 0);
	for (u32 saved = 0; saved <= 3; saved++) {
		w->job.pc = VDSO + 5;
		w->job.regs[5] = SP + 40;
		for (u32 i = 0; i < saved; i++)
			put(w, i, i ? 1 : SP + 24);
		put(w, saved, AT(G));
		put(w, saved + 1, AT(G)); /* old */
		put(w, 6, 0);
		put(w, 7, AT(START + 1));
		put(w, 10, 0);
		put(w, 11, AT(START + 6));
		unwind(w);
		/* where all three are saved, the caller's frame pointer is one of them */
		CHECK_IPS(w, UNWIND_ROOT, VDSO + 5, AT(G - 1), AT(START + (saved < 3 ? 5 : 0)));
	}
	put(w, 3, AT(F)); /* behind no such call */
	put(w, 4, 0);
	w->job.regs[5] = 1;
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, VDSO + 5);
	w->job.pc = AT(F);
	put(w, 0, VDSO + 0x30);
	put(w, 2 + 6, SP + 100);
	put(w, 2 + 7, SP + 96);
	put(w, 2 + 14, AT(F + 3));
	put(w, 2 + 15, 0x23);
	put(w, 24, AT(START + 1));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), VDSO + 0x30, AT(F + 3), AT(START));
	put(w, 2 + 15, 0x24); /* no code segment */
	unwind(w);
	CHECK_IPS(w, UNWIND_NO_INFO, AT(F), VDSO + 0x2f);
	/* of a handler with a siginfo */
	put(w, 1 + 44 + 3, SP + 240);
	put(w, 1 + 44 + 10, AT(F + 4));
	put(w, 1 + 44 + 11, 0x73);
	put(w, 60, AT(START + 1));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), VDSO + 0x30, AT(F + 4), AT(START));
	world_free(w);
}

TEST(aarch64_without_its_vdso)
{
	struct world *w = world_new(UNWIND_AARCH64, false);

	FN(w, F, 16, DW_CFA_nop); /* leaf */
	FN(w, START, 16, DW_CFA_undefined, 30);
	w->job.pc = AT(F);
	w->job.regs[30] = VDSO + 0x40;
	put(w, 39 + 30, AT(START + 4));
	put(w, 39 + 31, SP + 8);
	put(w, 39 + 32, AT(F + 8));
	put(w, 39 + 33, 0x80000000); /* N */
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), VDSO + 0x40, AT(F + 8), AT(START + 3));
	put(w, 39 + 33, 5); /* the kernel's */
	unwind(w);
	CHECK_EQ(w->f.nr, 2);
	world_free(w);
}

TEST(aarch64)
{
	struct world *w = world_new(UNWIND_AARCH64, false);
	const u64 code = 0x00a5000000000000; /* pointer authentication */

	FN(w, F, 16, DW_CFA_nop); /* leaf */
	FN(w, G, 16, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4, DW_CFA_offset | 30, 3,
	   DW_CFA_AARCH64_negate_ra_state);
	FN(w, 0x240, 16, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 30, 2);
	FN(w, START, 16, DW_CFA_undefined, 30);
	CODE(w, 0x400, 0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4);
	w->job.pc = AT(F);
	w->job.regs[30] = AT(G + 4);
	w->job.regs[29] = 5;
	put(w, 0, SP + 48);
	put(w, 1, AT(0x244) | code);
	put(w, 4, AT(START + 4));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(G + 3), AT(0x243), AT(START + 3));
	CHECK_EQ(w->f.sps[1], SP);
	CHECK_EQ(w->f.sps[3], SP + 48);
	/* A leaf's rows where the caller must have saved its register: the outermost function. */
	put(w, 4, AT(F + 4));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F), AT(G + 3), AT(0x243), AT(F + 3));
	/* No rows: link register, then frame pointers. */
	w->job.pc = AT(0x500);
	w->job.regs[30] = JIT + 4;
	w->job.regs[29] = SP + 16;
	put(w, 2, SP + 32);
	put(w, 3, JIT + 8);
	put(w, 4, 0);
	put(w, 5, 0);
	CODE(w, 0x4f8, 0, 0, 0, 0x94);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(0x500), JIT + 3, JIT + 7);
	CHECK_EQ(w->f.guessed, 2);
	/* Behind a signal. */
	w->job.pc = AT(F);
	w->job.regs[30] = AT(0x400);
	w->job.bytes.n = 64 * 8;
	unwind(w);
	CHECK_IPS(w, UNWIND_TRUNCATED, AT(F), AT(0x400));
	world_free(w);
}

TEST(aarch64_of_the_other_byte_order)
{
	struct world *w = world_new(UNWIND_AARCH64, true);

	FN(w, G, 16, DW_CFA_def_cfa_offset, 32, DW_CFA_offset | 29, 4, DW_CFA_offset | 30, 3);
	FN(w, START, 16, DW_CFA_undefined, 30);
	w->job.pc = AT(G);
	put(w, 0, 0);
	put(w, 1, AT(START + 4));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(G), AT(START + 3));
	world_free(w);
}

TEST(arm)
{
	struct world *w = world_new(UNWIND_ARM, false);

	/* push {r7, lr} and push {r11, lr}, in thumb code and not */
	FN(w, F, 16, DW_CFA_def_cfa_offset, 8, DW_CFA_offset | 7, 2, DW_CFA_offset | 14, 1);
	FN(w, G, 16, DW_CFA_def_cfa_offset, 8, DW_CFA_offset | 11, 2, DW_CFA_offset | 14, 1);
	FN(w, START, 16, DW_CFA_undefined, 14);
	w->job.pc = AT(F + 2);
	put(w, 0, 1);
	put(w, 1, AT(G + 4) | 1);
	put(w, 2, 2);
	put(w, 3, AT(START + 4));
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, AT(F + 2), AT(G + 3), AT(START + 3));
	/* gcc's frame pointers, without rows */
	w->job.pc = JIT;
	w->job.regs[14] = 0;
	w->job.regs[11] = SP + 12;
	put(w, 2, 0);
	put(w, 3, JIT + 0x20);
	unwind(w);
	CHECK_IPS(w, UNWIND_ROOT, JIT, JIT + 0x1f);
	world_free(w);
}

static u64 seed = 1;

static u32 chance(u32 n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % n;
}

/* Stacks of return addresses, addresses in themselves and anything else, over all sorts of rows. */
/* A row of tables for every 16 bytes of code, or none: frames of every kind, good and senseless. */
static void put_random_functions(struct world *w, u8 fp, u8 ra)
{
	for (u32 i = 0; i < 0x800; i += 16) {
		u8 n = (u8)chance(5);

		switch (chance(12)) {
		case 0: FN(w, i, 16, DW_CFA_undefined, ra); break;
		case 1: break;
		case 2:
			FN(w, i, 16, DW_CFA_def_cfa, fp, 2 * w->word, DW_CFA_offset | fp, 2,
			   DW_CFA_offset | ra, 1);
			break;
		case 3: FN(w, i, 16, DW_CFA_def_cfa, 3, n * w->word); break;
		case 4: FN(w, i, 16, DW_CFA_register, ra, n); break;
		case 5:
			SIGNAL_FN(w, i, 16, DW_CFA_def_cfa_offset, 3 * w->word, DW_CFA_offset | fp,
				  2, DW_CFA_offset | ra, 1);
			break;
		case 6:
			FN(w, i, 16, DW_CFA_def_cfa_expression, 3, DW_OP_breg0 + fp, 0x78,
			   DW_OP_deref, DW_CFA_expression, fp, 2, DW_OP_breg0 + fp, 0);
			break;
		case 7: FN(w, i, 16, DW_CFA_offset | 3, 2, DW_CFA_val_offset, fp, 1); break;
		case 8: FN(w, i, 16, DW_CFA_undefined, fp); break;
		default:
			FN(w, i, 16, DW_CFA_def_cfa_offset, (u8)(n * w->word), DW_CFA_offset | fp,
			   2 + n, DW_CFA_offset | ra, 1 + n);
		}
	}
}

/* Words that are addresses of code, of the stack, of code without tables, or numbers. */
static void put_random_stack(struct world *w)
{
	for (unsigned int i = 0; i < WORDS; i++) {
		u64 v = AT(chance(0x800)) | (chance(9) ? 0 : 0xa5ull << 48);

		switch (chance(16)) {
		case 0: v = JIT + chance(0x1000); break;
		case 1:
		case 2:
		case 3: v = SP + (u64)chance(WORDS + 4) * w->word; break;
		case 4: v = chance(3); break;
		case 5: v = seed; break;
		}
		put(w, i, v);
	}
}

/* A job with a copy of the world's stack, sometimes cut, and random registers. */
static void make_random_job(struct world *w, enum unwind_arch arch, u8 *stack,
			    struct unwind_job *ret)
{
	memcpy(stack, w->stack, WORDS * 8);
	*ret = w->job;
	ret->pc = AT(chance(0x800));
	ret->bytes.p = stack;
	if (!chance(4))
		ret->bytes.n = chance(WORDS * w->word);
	if (!chance(10))
		ret->known &= seed;
	for (int r = 0; r < 32; r++)
		if (r != (int)unwind_sp_reg(arch))
			ret->regs[r] = chance(2) ? SP + 8 * chance(WORDS) : AT(chance(0x800));
}

/* unwind_stack() and unwind_explain() have to give the frames that unwind_four() gave. */
static void check_other_ways(struct world *w, const struct unwind_job *job,
			     const struct unwind_frames *four)
{
	struct unwind_frames plain = { 0 }, told = { 0 };
	size_t said = 0;

	unwind_stack(w->u, job, &plain);
	check_same_frames(&plain, four);
	unwind_explain(w->u, job, &told, count_said, &said);
	check_same_frames(&told, &plain);
	unwind_frames_fini(&plain);
	unwind_frames_fini(&told);
}

TEST(all_ways_agree_on_random_stacks)
{
	static const u8 regs_of[] = { 6, 5, 29, 11 }, ra_of[] = { 16, 8, 30, 14 };

	for (u32 round = 0; round < 200; round++) {
		enum unwind_arch arch = (enum unwind_arch)(round % UNWIND_NR_ARCHS);
		struct world *w = world_new(arch, arch == UNWIND_AARCH64 && chance(4) == 0);
		struct unwind_frames four[4] = { 0 };
		struct unwind_frames *rets[4] = { &four[0], &four[1], &four[2], &four[3] };
		struct unwind_job jobs[4];
		const struct unwind_job *pj[4] = { &jobs[0], &jobs[1], &jobs[2], &jobs[3] };
		u8 stacks[4][WORDS * 8];

		put_random_functions(w, regs_of[arch], ra_of[arch]);
		open_world(w, chance(8) ? 0 : 1 + chance(20));
		for (u32 turn = 0; turn < 50; turn++) {
			for (int k = 0; k < 4; k++) {
				put_random_stack(w);
				make_random_job(w, arch, stacks[k], &jobs[k]);
			}
			unwind_four(w->u, pj, rets, 1 + chance(4));
			unwind_four(w->u, pj, rets, 4);
			for (int k = 0; k < 4; k++)
				check_other_ways(w, pj[k], &four[k]);
		}
		for (int k = 0; k < 4; k++)
			unwind_frames_fini(&four[k]);
		world_free(w);
	}
}

/* More address spaces than fit into a key, and more pcs than are kept. */
TEST(many_spaces)
{
	struct world *w = world_new(UNWIND_X86_64, false);

	usual_functions(w);
	w->job.pc = AT(F);
	put(w, 0, AT(START + 1));
	open_world(w, 0);
	for (u32 i = 0; i < 70000; i++) {
		w->job.space.id = i;
		unwind_stack(w->u, &w->job, &w->f);
		CHECK_EQ(w->f.nr, 2);
		CHECK_EQ(w->f.end, UNWIND_ROOT);
	}
	world_free(w);
}

static void *unwind_often(void *arg)
{
	struct world *w = arg;
	struct unwinder_config cfg = w->cfg;
	struct unwinder *u = unwinder_new(&cfg);
	struct unwind_frames f = { 0 };
	struct unwind_job job = w->job;

	for (u32 i = 0; i < 64; i++) {
		job.pc = AT(F + i % 32);
		unwind_stack(u, &job, &f);
		CHECK_EQ(f.nr, 2);
		job.pc = AT(0x400 + i * 8);
		unwind_stack(u, &job, &f);
	}
	unwinder_free(u);
	unwind_frames_fini(&f);
	return NULL;
}

/* Whoever comes first compiles a function; for SAN=thread. */
TEST(module_shared_by_threads)
{
	struct world *w = world_new(UNWIND_X86_64, false);
	pthread_t threads[4];

	usual_functions(w);
	for (u32 i = 0; i < 64; i++)
		FN(w, 0x400 + i * 8, 8, DW_CFA_def_cfa_offset, 16, DW_CFA_offset | 3, 2);
	put(w, 0, AT(START + 1));
	open_world(w, 0);
	for (int i = 0; i < 4; i++)
		CHECK_EQ(pthread_create(&threads[i], NULL, unwind_often, w), 0);
	for (int i = 0; i < 4; i++) {
		CHECK_EQ(pthread_join(threads[i], NULL), 0);
	}
	world_free(w);
}
