/* SPDX-License-Identifier: MIT */
/*
 * An object with functions made for one case, mapped somewhere, and a stack: what tests of unwind/
 * are made of.
 *
 *	struct world *w = world_new(UNWIND_X86_64, false);
 *
 *	FN(w, 0x100, 32, DW_CFA_nop);		functions, by their CFA programs
 *	w->job.pc = AT(0x100);
 *	put(w, 0, AT(0x301));			the word at the stack pointer
 *	unwind(w);
 *	CHECK_IPS(w, UNWIND_ROOT, AT(0x100), AT(0x300));
 */
#ifndef TESTS_UNWIND_UNWIND_WORLD_H
#define TESTS_UNWIND_UNWIND_WORLD_H

#include <dwarf.h>
#include <string.h>

#include "tests/frame/build_cfi.h"
#include "tests/frame/unit.h"
#include "unwind/unwind.h"

#define WORDS 96
#define SP 0x70001000ull

/* Where things are mapped: the object, code made at run time, code and a vDSO without a file. */
#define BIAS 0x40000000ull
#define AT(off) (BIAS + CFI_TEXT + (off))
#define JIT 0x50000000ull
#define MISSING 0x60000000ull
#define VDSO 0x61000000ull

struct world {
	enum unwind_arch arch;
	u8 word;
	bool big;
	struct mkcfi m;
	u64 cie, signal_cie;
	u8 code[CFI_TEXT_SIZE];
	u8 *bytes;
	struct object *o;
	struct unwind_module *module;
	struct unwinder_config cfg;
	struct unwinder *u;
	u8 stack[WORDS * 8];
	struct unwind_job job;
	struct unwind_frames f;
};

struct world *world_new(enum unwind_arch arch, bool big_endian);
void world_free(struct world *w);

/* Makes the object of the functions and the code so far; unwind does so by itself. */
void open_world(struct world *w, u32 max_frames);

/* The word at w->job's stack pointer plus `word` words. */
void put(struct world *w, unsigned int word, u64 v);

/* The stack by unwind_stack, unwind_four and unwind_explain, which must agree; result in w->f. */
void unwind(struct world *w);

void check_same_frames(const struct unwind_frames *a, const struct unwind_frames *b);
void check_ips(const struct world *w, const u64 *ips, size_t n, enum unwind_end end);
/* For unwind_explain: counts the bytes said in the size_t at ctx. */
void count_said(void *ctx, const char *line);

/* A function of `size` bytes at offset `off` in the code, by its CFA program. */
#define FN(w, off, size, ...)                                                                     \
	do {                                                                                      \
		const u8 program[] = { __VA_ARGS__ };                                             \
		mkcfi_fde(&(w)->m, (w)->cie, CFI_TEXT + (off), (size), program, sizeof(program)); \
	} while (0)

/* The same, of a signal frame. */
#define SIGNAL_FN(w, off, size, ...)                                                   \
	do {                                                                           \
		const u8 program[] = { __VA_ARGS__ };                                  \
		mkcfi_fde(&(w)->m, (w)->signal_cie, CFI_TEXT + (off), (size), program, \
			  sizeof(program));                                            \
	} while (0)

/* Code bytes, for what is known by them. */
#define CODE(w, off, ...)                                        \
	do {                                                     \
		const u8 insns[] = { __VA_ARGS__ };              \
		memcpy((w)->code + (off), insns, sizeof(insns)); \
	} while (0)

#define CHECK_IPS(w, end, ...)                                         \
	do {                                                           \
		const u64 want[] = { __VA_ARGS__ };                    \
		check_ips(w, want, sizeof(want) / sizeof(*want), end); \
	} while (0)

/* f: CFA = sp + 8; g: push %rbp; mov %rsp,%rbp; start: no return address. */
#define F 0x100
#define G 0x200
#define START 0x300

void usual_functions(struct world *w);

#endif
