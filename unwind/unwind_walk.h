/* SPDX-License-Identifier: MIT */
/*
 * The walk with all registers: every rule, every way to end. The fast lanes of unwinder.c start
 * over here for any stack that has more than they can do, so that this alone decides.
 */
#ifndef UNWIND_UNWIND_WALK_H
#define UNWIND_UNWIND_WALK_H

#include "base/mem.h"
#include "unwind/pc_cache.h"
#include "unwind/stack_copy.h"

struct unwinder {
	struct unwinder_config cfg;
	size_t max_frames;
	struct pc_cache cache;
	u32 prefetch;             /* bytes of a stack to be fetched ahead: what recent ones used */
	struct unwind_code *code; /* NULL: nothing was asked of code yet */
};

/* What a step without call frame information goes by and changes. */
struct walk_core {
	u64 pc, sp, fp;
	u64 lr;     /* of architectures with one, as sampled: for the leaf only */
	bool exact; /* pc is where the code was interrupted, not a return address */
	bool fp_known, lr_known;
	bool chained; /* the last step went by a frame pointer, and fp is what was saved there */
	u64 cfa;      /* of the frame, where its code tells it and no step can be made; else 0 */
};

struct walk_tell {
	void (*tell)(void *ctx, const char *line);
	void *ctx;
};

struct walk {
	struct unwinder *u;
	const struct unwind_job *job;
	const struct unwind_arch_info *a;
	struct stack_copy stack;
	u32 space;
	const struct walk_tell *tell; /* NULL: nobody listens */
};

/* Learns what is at pc; borrowed until the next call. */
const struct pc_info *walk_info(const struct walk *w, u64 pc);

/* Makes room for n frames. */
static inline void frames_reserve(struct unwind_frames *f, size_t n)
{
	if (n <= f->cap)
		return;
	f->cap = n + n / 2 + 64;
	f->ips = xrealloc(f->ips, f->cap * sizeof(*f->ips));
	f->sps = xrealloc(f->sps, f->cap * sizeof(*f->sps));
	f->numbers = xrealloc(f->numbers, f->cap * sizeof(*f->numbers));
}

/* Appends a frame; number: of its ip in the cache. */
static inline void frames_add(struct unwind_frames *f, u64 ip, u64 sp, u32 number)
{
	if (__builtin_expect(f->nr == f->cap, 0))
		frames_reserve(f, f->nr + 1);
	f->ips[f->nr] = ip;
	f->sps[f->nr] = sp;
	f->numbers[f->nr++] = number;
}

/* ret is emptied first. */
void walk_start(struct walk *w, struct unwinder *u, const struct unwind_job *job);
void walk_all(const struct walk *w, struct unwind_frames *ret);

/* Whether code is mapped at pc. */
bool walk_is_code(const struct walk *w, u64 pc);

/*
 * One step without call frame information. True: *c is the caller, whose other registers are not
 * known. False: there is no caller to be found, *ret_end says why.
 */
bool walk_guess(const struct walk *w, const struct pc_info *info, struct walk_core *c,
		enum unwind_end *ret_end);

/* The same by the instructions of the code alone. */
bool walk_by_code(const struct walk *w, const struct pc_info *info, struct walk_core *c);

/*
 * The vDSO, whose file is missing. The leaf in i386's entry of system calls: *c is the caller. Not
 * the leaf, sp its stack pointer: the signal frame that it is the trampoline of, NULL: none.
 */
bool walk_vsyscall(const struct walk *w, struct walk_core *c);
const struct unwind_sigframe *walk_vdso_sigframe(const struct walk *w, u64 sp);

/* aarch64: without the pointer authentication code; arm: without the thumb bit. */
u64 walk_clean_pc(const struct walk *w, u64 ra);

void walk_say(const struct walk *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
void walk_say_row(const struct walk *w, const struct pc_info *info);

#define SAY(w, ...)                                   \
	do {                                          \
		if (__builtin_expect(!!(w)->tell, 0)) \
			walk_say(w, __VA_ARGS__);     \
	} while (0)

#endif
