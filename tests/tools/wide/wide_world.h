/* SPDX-License-Identifier: MIT */
/*
 * A made-up machine for recordings of many threads, functions, objects and stacks. Everything
 * follows from the parameters: the same ones give the same samples on every machine. The tool
 * wide_recording writes these samples to a perf.data file, and wide_count.h adds them up without
 * any code of the commands.
 */
#ifndef TESTS_TOOLS_WIDE_WIDE_WORLD_H
#define TESTS_TOOLS_WIDE_WIDE_WORLD_H

#include "base/bytes.h"

#define WIDE_KERNEL 0xffffffff81000000ull /* where kernel functions start */
#define WIDE_FUNCTION_SIZE 64             /* bytes */
#define WIDE_OBJECT_PGOFF 0x1000          /* of each object's map: where its file has the code */
#define WIDE_FIRST_PID 1000
#define WIDE_THREADS_OF_PROCESS 3

struct wide_params {
	u64 seed;
	u64 threads, comms;     /* thread t is called c(t % comms) */
	u64 functions, objects; /* of user space, beside the kernel and code that no map holds */
	u64 places;             /* addresses of a function, at most 62 */
	u64 depth;              /* frames of a stack at most, at most 127 */
	u64 exact;              /* 1: each stack has `depth` frames */
	u64 stacks, samples;
	u64 shallow;  /* so many first samples have one frame, each of a thread of its own */
	u64 each;     /* 1: stack i is one frame, in function i % functions */
	u64 events;   /* at most 8 */
	u64 group;    /* 1: the events are a group */
	u64 mem;      /* 1: samples have data addresses, weights, data sources */
	u64 branches; /* entries of a sample's branch stack at most */
};

/*
 * Takes "name=value" for a member; members that no word names get usual values. False: there is no
 * such member, or its value is no number that it can have.
 */
bool wide_params_set(struct wide_params *p, const char *word);
/* Sizes by chance, at most `max` samples: often next to a power of two, where tables grow. */
struct wide_params wide_params_random(u64 seed, u64 max);
void wide_params_print(const struct wide_params *p);

/* A place in code: the function's number and the byte in it. */
struct wide_place {
	u32 function, off;
};

enum wide_kind { WIDE_IN_KERNEL, WIDE_IN_NO_MAP, WIDE_IN_OBJECT };

#define WIDE_NAMED_OBJECT 0 /* the object whose functions have names: there is a file of it */

struct wide_stack {
	const struct wide_place *places; /* the innermost first; those of the kernel come first */
	u32 nr, nr_kernel;
};

struct wide_sample {
	u32 thread, stack, event, cpu;
	u64 time, period;
	u64 random; /* for what else a sample has */
};

struct wide_world {
	struct wide_params p;
	struct wide_stack *stacks; /* p.stacks */
	struct wide_sample *samples;
	struct wide_place *places; /* of all stacks */
};

/* Fills *w; wide_world_fini() frees what it holds. */
void wide_world_init(struct wide_world *w, const struct wide_params *p);
void wide_world_fini(struct wide_world *w);

enum wide_kind wide_kind_of(const struct wide_params *p, u32 function);
/* The number of the function's object, where it has one. */
u32 wide_object_of(const struct wide_params *p, u32 function);
/* The function's number among those of its kernel, object or no map. */
u32 wide_index_of(const struct wide_params *p, u32 function);
/* Whether its functions have names: f0, f1, ... in the kernel, g0, g1, ... in the named object. */
bool wide_has_name(const struct wide_params *p, u32 function);
/* Where object number k is mapped in each process, and how long that map is. */
u64 wide_object_start(u32 object);
u64 wide_object_len(const struct wide_params *p);
u64 wide_ip(const struct wide_params *p, struct wide_place at);
u32 wide_pid(u32 thread);
u32 wide_tid(u32 thread);

/* The next number of a sequence, which *state continues. */
u64 wide_random(u64 *state);

#endif
