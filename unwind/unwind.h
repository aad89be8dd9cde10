/* SPDX-License-Identifier: MIT */
/*
 * The door of unwind/: registers and a copy of the stack's bytes become the addresses of the
 * frames. Knows ELF objects and their call frame information, never perf.data.
 *
 *	m = unwind_module_new(code, debug)	one per object, shared by threads
 *	u = unwinder_new(&config)		one per thread
 *	unwind_stack(u, &job, &stack)		one stack; unwind_four: up to four at once
 *
 * Address spaces: pc, sp and ips are run-time addresses of the sampled process, modules have
 * vaddrs. find is asked about return addresses minus one; it decides what is code.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "base/bytes.h"
#include "symbols/elf/object.h"

enum unwind_arch { UNWIND_X86_64, UNWIND_I386, UNWIND_AARCH64, UNWIND_ARM, UNWIND_NR_ARCHS };

/* Registers by DWARF number: x86_64 0-15 (7 is rsp), i386 0-7, aarch64 0-31, arm 0-15. */
#define UNWIND_MAX_REGS 33

/* The DWARF number of an architecture's stack pointer. */
unsigned int unwind_sp_reg(enum unwind_arch arch);

/* How a stack ended. */
enum unwind_end {
	UNWIND_ROOT,      /* the start of the thread: no return address, or the ABI's last frame */
	UNWIND_TRUNCATED, /* the next frame lies beyond the bytes that were copied */
	UNWIND_NO_INFO,   /* no call frame information for a pc, and no frame pointer helped */
	UNWIND_NO_OBJECT, /* a pc, the last frame's, in a map whose file was not found */
	UNWIND_NO_MAP,    /* a pc in no code: the last frame, given as stock perf gives it */
	UNWIND_BAD_INFO,  /* call frame information that contradicts itself or the registers */
	UNWIND_BAD_STACK, /* the stack pointer did not advance, or left the stack */
	UNWIND_DEPTH,     /* max_frames */
	UNWIND_NO_REGS,   /* pc or stack pointer were not sampled, or the thread has no user part */
	UNWIND_NR_ENDS
};

/* One object's unwind information; functions are compiled when first met. Any thread may use it. */
struct unwind_module;

/*
 * code: the mapped file; debug: what has its .debug_frame, NULL for none. Both stay the caller's
 * and must outlive the module. Never fails: an object without information unwinds by frame
 * pointers.
 */
struct unwind_module *unwind_module_new(const struct object *code, const struct object *debug);
void unwind_module_free(struct unwind_module *m);

/* What is mapped at an ip. */
struct unwind_place {
	struct unwind_module *module; /* NULL: a map without a file (JIT), or it is missing */
	u64 start, end;               /* of the map, run time */
	u64 bias;                     /* ip - bias is the module's vaddr */
	bool may_have_frames;         /* without a module: follow frame pointers, as in JIT code */
	bool vdso; /* without a module: the kernel's code, whose file is missing */
};

/* An address space at one moment. Equal ids have equal maps for good. */
struct unwind_space {
	u32 id;
	const void *maps; /* for find */
};

struct unwinder_config {
	/* False when no executable map holds ip. */
	bool (*find)(const struct unwind_space *space, u64 ip, struct unwind_place *ret);
	u32 max_frames; /* 0: 1024 */
};

struct unwinder; /* caches of one thread */
struct unwinder *unwinder_new(const struct unwinder_config *cfg);
void unwinder_free(struct unwinder *u);

/* One stack to be unwound. */
struct unwind_job {
	enum unwind_arch arch;
	struct unwind_space space;
	u64 pc;
	u64 regs[UNWIND_MAX_REGS]; /* by DWARF number, the stack pointer among them */
	u64 known;                 /* bit n: regs[n] was sampled */
	struct span bytes;         /* the copy: bytes.p[0] lies at the stack pointer */
	bool swap;                 /* the copy has the other byte order */
};

/* Result: frames, leaf first. Arrays grow as needed; unwind_stack_fini frees them. */
struct unwind_frames {
	/*
	 * What to look a frame up by: the pc itself for the leaf, for frames that a signal
	 * interrupted and for the trampoline that a handler returns to; the return address minus
	 * one for all others.
	 */
	u64 *ips;
	u64 *sps; /* the stack pointer in that frame, once its callee has returned */
	size_t nr, cap;
	enum unwind_end end;
	size_t guessed; /* frames that were found without call frame information */
	u64 last_cfa;   /* the last frame's canonical frame address; 0: not known */
	u32 *numbers;   /* of its ip in unwind_tags */
};
void unwind_frames_fini(struct unwind_frames *f);

/* Fills the numbers of frames of job that another unwinder found. */
void unwind_look_up(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *f);

/*
 * An ip in an address space: where its function begins (run time; ip where that is not known), and
 * what the caller keeps of it, zero at first. By number, for the frames of the last unwind_stack or
 * unwind_four.
 */
struct unwind_tag {
	u64 function;
	u32 key, value;
};
struct unwind_tag *unwind_tags(struct unwinder *u);

void unwind_stack(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *ret);

/* n (1 to 4) stacks, their memory accesses overlapped. Each result is that of unwind_stack. */
void unwind_four(struct unwinder *u, const struct unwind_job *const *jobs,
		 struct unwind_frames *const *rets, size_t n);

/*
 * As unwind_stack, and calls tell with a line of text for every step: rule, addresses read, why it
 * ended. Slow; for `--debug-unwind`.
 */
void unwind_explain(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *ret,
		    void (*tell)(void *ctx, const char *line), void *ctx);

/* "truncated: the copy of the stack is too short" ..., for verdicts and explanations. */
const char *unwind_end_text(enum unwind_end end);

#endif
