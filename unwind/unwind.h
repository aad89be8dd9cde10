/* SPDX-License-Identifier: MIT */
/*
 * The interface of unwind/: finds the frames of a stack from a thread's registers and a copy of the
 * stack's bytes, by the call frame information of ELF files. It does not depend on perf.data.
 *
 *	m = unwind_module_new(code, debug)	one per object, shared by threads
 *	u = unwinder_new(&config)		one per thread
 *	unwind_stack(u, &job, &frames)		one stack; unwind_four(): up to four at once
 *
 * Address spaces: pc, sp and ips are run-time addresses of the sampled process; in a module,
 * addresses are vaddrs of its ELF file. unwinder_config.find maps the one to the other.
 */
#ifndef UNWIND_UNWIND_H
#define UNWIND_UNWIND_H

#include "base/bytes.h"
#include "symbols/elf/object.h"

enum unwind_arch { UNWIND_X86_64, UNWIND_I386, UNWIND_AARCH64, UNWIND_ARM, UNWIND_NR_ARCHS };

/* Registers by DWARF number: x86_64 0-15 (7 is rsp), i386 0-7, aarch64 0-31, arm 0-15. */
#define UNWIND_MAX_REGS 33

/* Returns the DWARF number of an architecture's stack pointer. */
unsigned int unwind_sp_reg(enum unwind_arch arch);

/* Why unwinding stopped. */
/* Frames of a stack unless the user wants fewer: more do not fit into a record of 64 KiB. */
#define UNWIND_MAX_FRAMES 8000u

enum unwind_end {
	UNWIND_ROOT,      /* at the start of the thread: the last frame has no caller */
	UNWIND_TRUNCATED, /* the next frame is above the copied bytes */
	UNWIND_NO_INFO,   /* the last pc has no call frame information, and no frame pointer */
	UNWIND_NO_OBJECT, /* the last pc is in a map whose file was not found */
	UNWIND_NO_MAP,    /* the caller's pc is not in executable code; it is the last frame, as in
			   * perf,    unless nothing can be mapped there */
	UNWIND_BAD_INFO,  /* call frame information contradicts itself or the registers */
	UNWIND_BAD_STACK, /* the stack pointer did not advance, or left the stack */
	UNWIND_DEPTH,     /* max_frames was reached */
	UNWIND_NO_REGS,   /* pc or stack pointer were not sampled, or it is a kernel thread */
	UNWIND_NR_ENDS
};

/* The unwind information of one ELF file. A function's rules are compiled when they are first
 * needed. Any number of threads may share it. */
struct unwind_module;

/*
 * Makes the module of an ELF file. code: the mapped file; debug: the file with its .debug_frame, or
 * NULL. Both are borrowed until unwind_module_free(). Never returns NULL: code without call frame
 * information is unwound by frame pointers.
 */
struct unwind_module *unwind_module_new(const struct object *code, const struct object *debug);
void unwind_module_free(struct unwind_module *m);

/* The map that contains an ip. */
struct unwind_place {
	struct unwind_module *module; /* NULL: JIT code, or the map's file was not found */
	u64 start, end;               /* of the map, run-time addresses */
	u64 bias;                     /* ip - bias is the module's vaddr */
	bool may_have_frames;         /* without a module: follow frame pointers, as in JIT code */
	bool vdso;                    /* without a module: the map is the kernel's [vdso] */
};

/* An address space at one moment. Spaces with the same id always have the same maps. */
struct unwind_space {
	u32 id;
	const void *maps; /* for unwinder_config.find */
};

struct unwinder_config {
	/* Finds the executable map that contains ip; false if none does. For a caller's frame, ip
	 * is the return address minus one. Called in the unwinder's thread. */
	bool (*find)(const struct unwind_space *space, u64 ip, struct unwind_place *ret);
	u32 max_frames; /* of a stack; 0 for UNWIND_MAX_FRAMES */
};

/* An unwinder and its caches, for one thread. */
struct unwinder;
struct unwinder *unwinder_new(const struct unwinder_config *cfg);
void unwinder_free(struct unwinder *u);
/* Changes unwinder_config.max_frames for the next stacks. */
void unwinder_set_max_frames(struct unwinder *u, u32 max_frames);

/* A stack to unwind. */
struct unwind_job {
	enum unwind_arch arch;
	struct unwind_space space;
	u64 pc;
	u64 regs[UNWIND_MAX_REGS]; /* by DWARF number, the stack pointer among them */
	u64 known;                 /* bit n: regs[n] was sampled */
	struct span bytes;         /* the copied stack; bytes.p[0] is at the stack pointer */
	bool swap;                 /* the copy has the other byte order than this machine */
};

/* The frames of a stack, leaf first. The arrays grow as needed and can be reused;
 * unwind_frames_fini() frees them. All zero is a valid empty one. */
struct unwind_frames {
	/*
	 * The address for looking up a frame's symbol: its pc for the leaf, for a frame that a
	 * signal interrupted, and for the trampoline to which a signal handler returns; for all
	 * other frames its return address minus one.
	 */
	u64 *ips;
	u64 *sps; /* the stack pointer in the frame after its callee has returned */
	size_t nr, cap;
	enum unwind_end end;
	size_t guessed; /* frames that were found without call frame information */
	u64 last_cfa;   /* canonical frame address (CFA) of the last frame; 0: unknown */
	u32 *numbers;   /* by frame: the index in unwind_tags() */
};
void unwind_frames_fini(struct unwind_frames *f);

/* Sets f->numbers for frames of job that another unwinder found. */
void unwind_look_up(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *f);

/* Facts about an ip in an address space. */
struct unwind_tag {
	u64 function;   /* run-time start of its function; the ip itself if that is unknown */
	u32 key, value; /* for the caller's use, zero at first */
};
/* Returns the tags of all ips that u has in its cache, indexed by unwind_frames.numbers. They are
 * valid until the next call of unwind_stack(), unwind_four() or unwind_look_up(). */
struct unwind_tag *unwind_tags(struct unwinder *u);

/* Unwinds one stack into *ret, which is emptied first. ret->end says why unwinding stopped. */
void unwind_stack(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *ret);

/* Unwinds n (1 to 4) stacks in turns, a frame of each, so that their memory accesses overlap. The
 * results are those of unwind_stack(). */
void unwind_four(struct unwinder *u, const struct unwind_job *const *jobs,
		 struct unwind_frames *const *rets, size_t n);

/*
 * Unwinds one stack like unwind_stack() and calls tell(ctx, line) for every step with a line of
 * text: the rule, the addresses read, why unwinding stopped. It is slow; `--debug-unwind` uses it.
 */
void unwind_explain(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *ret,
		    void (*tell)(void *ctx, const char *line), void *ctx);

/* Returns a text such as "truncated: the copy of the stack is too short", for messages. */
const char *unwind_end_text(enum unwind_end end);

#endif
