/* SPDX-License-Identifier: MIT */
/*
 * Counted samples with names: what call trees, flame graphs and exports are made of.
 *
 *	struct profile_config cfg = { .inlines = true };
 *	profile_read(session, &cfg, &p, &e)
 *	for (i = 0; i < profile_nr_rows(p); i++) {
 *		struct profile_row row = profile_get_row(p, i);
 *		struct profile_stack_iter it = profile_stack(p, row.stack);
 *		while (profile_stack_next(&it, &id))
 *			use(profile_get_frame(p, id));
 *	}
 *	profile_free(p)
 *
 * A frame is a function at a place. A function that was inlined there is a frame of its own. A
 * profile never changes once it is made, so any thread may read it. All strings live as long as the
 * profile. It borrows the session, which must be freed after it.
 *
 * Ids of each kind are dense, from 0, and have a type of their own so that the compiler tells them
 * apart.
 */
#ifndef PROFILE_PROFILE_H
#define PROFILE_PROFILE_H

#include "base/err.h"
#include "count/counts_config.h"
#include "count/stack_iter.h"
#include "profile/function_name.h"

typedef struct {
	u32 n;
} frame_id;

typedef struct {
	u32 n;
} function_id;

typedef struct {
	u32 n;
} object_id;

typedef struct {
	u32 n;
} stack_id;

/* The n of a function_id or object_id that stands for none. */
#define PROFILE_NONE UINT32_MAX

struct profile_config {
	/*
	 * Which samples are counted, and what tells rows apart. COUNT_STACK and COUNT_IP are always
	 * added to its columns. With by_symbol all addresses of a function are one frame: smaller
	 * and faster, for outputs that show names only.
	 */
	struct counts_config counts;
	bool inlines;              /* functions inlined at a place are frames */
	bool lines;                /* frames have source lines; line tables are slow to read */
	enum function_names names; /* how the names of functions are written */
};

struct perfdata;
struct profile;
struct session;

/*
 * Counts the samples of a session's recording and names their frames. The caller frees *ret.
 * Errors are those of counts_run: after damage in the middle of the recording, *ret holds the
 * samples before it, and the code is returned as well; else *ret is NULL.
 */
int profile_read(struct session *s, const struct profile_config *cfg, struct profile **ret,
		 struct perr *e) MUST_CHECK;
void profile_free(struct profile *p); /* NULL allowed */

/* What it was made of, for verdict_new. */
const struct counts *profile_get_counts(const struct profile *p);
const struct perfdata *profile_get_recording(const struct profile *p);

/* A mapped file, the kernel, a module, or the code of a JIT. */
struct profile_object {
	const char *path; /* as recorded, or as perf names it: "[kernel.kallsyms]" */
	const u8 *build_id;
	u8 build_id_size; /* bytes; 0: not recorded */
	/* The mapping of its first frame: run-time addresses, and the file offset of start. */
	u64 start, end, pgoff;
};

size_t profile_nr_objects(const struct profile *p);
const struct profile_object *profile_get_object(const struct profile *p, object_id id);

struct profile_function {
	const char *name;      /* written as profile_config.names asks */
	const char *full_name; /* as the symbols have it */
	object_id object;
};

size_t profile_nr_functions(const struct profile *p);
const struct profile_function *profile_get_function(const struct profile *p, function_id id);

enum profile_frame_kind {
	PROFILE_USER,
	PROFILE_KERNEL,
	PROFILE_JIT,
	PROFILE_NOWHERE, /* in no mapping: it has no object and no function */
};

struct profile_frame {
	function_id function; /* PROFILE_NONE: not known */
	object_id object;     /* PROFILE_NONE: in no mapping */
	u64 ip;               /* run-time address; that of the place for inlined functions */
	u64 addr;             /* address in the object (see symbols/symbols.h) */
	const char *file;     /* with profile_config.lines; NULL: not known */
	u32 line;             /* that is executed, or calls what is inlined; 0: not known */
	bool inlined;         /* into the frame that follows it in a stack */
	enum profile_frame_kind kind;
};

size_t profile_nr_frames(const struct profile *p);
const struct profile_frame *profile_get_frame(const struct profile *p, frame_id id);

/*
 * Samples that agree in all columns that were counted; columns that were not counted are 0, comm is
 * "". Rows are in the order in which the recording has the first sample of each.
 */
struct profile_row {
	u32 event; /* pd_event.idx */
	const char *comm;
	u32 pid, tid, cpu;
	u64 time; /* ns */
	u64 samples, period;
	stack_id stack;
	u8 end;    /* how its stack ended: STACK_* of machine/chain_ips.h */
	u8 offcpu; /* 1 + enum pd_offcpu of a time off the CPU, with COUNT_OFFCPU; else 0 */
};

size_t profile_nr_rows(const struct profile *p);
struct profile_row profile_get_row(const struct profile *p, size_t i);

/* Ids of stacks are lower than this. Not every lower id is a stack of a row. */
size_t profile_nr_stacks(const struct profile *p);

/* The frames of a stack, inlined functions included, leaf first. */
struct profile_stack_iter {
	const struct profile *p;
	struct stack_iter places;
	const u32 *inlined; /* frames of the place at hand that are left */
	size_t nr_inlined;
	u32 only; /* the one place of a sample without a call chain; PROFILE_NONE: none is left */
};

/* A sample without a call chain has a stack of one place, its own. */
struct profile_stack_iter profile_stack(const struct profile *p, stack_id id);
/* False after the outermost frame. */
bool profile_stack_next(struct profile_stack_iter *it, frame_id *ret);

#endif
