/* SPDX-License-Identifier: MIT */
/*
 * How far counted samples can be trusted: what was lost, how their stacks ended, and which of their
 * frames have no name, by object and reason. Made of rows and distinct frames; nothing is done per
 * sample.
 *
 *	counts_run(s, &cfg, &c, &e), counts_resolve(c)
 *	in = { .input = path, .session = s, .counts = c, .config = &cfg }
 *	v = verdict_new(&in)		facts, which outlive counts and session
 *	verdict_tell(stderr, "prep", form, &v, 1, diag)		(profile/verdict/verdict_text.h)
 */
#ifndef PROFILE_VERDICT_VERDICT_H
#define PROFILE_VERDICT_VERDICT_H

#include "count/counted.h"
#include "session/replay.h"

struct counts;
struct counts_config;

/* Why a frame has no name. */
enum verdict_reason {
	VERDICT_FILE_MISSING,
	VERDICT_OTHER_BUILD, /* there are files of that name, with another build-id */
	VERDICT_STRIPPED,
	VERDICT_BROKEN,
	VERDICT_NO_SYMBOL, /* the object's symbols leave that address out */
	VERDICT_KERNEL_HIDDEN,
	VERDICT_KERNEL_FOREIGN,
	VERDICT_KERNEL_UNMAPPED, /* the recording does not tell where the kernel lay */
	VERDICT_JIT_MAP_MISSING,
	VERDICT_JIT_MAP_GAP, /* the JIT's map leaves that address out */
	VERDICT_NOT_CODE,    /* heap, stack or the like: the call chain went astray */
	VERDICT_NO_MAP,
	VERDICT_REASONS
};

/* What is known of where the call chain of a row ended; each row has one of these. */
enum verdict_end {
	VERDICT_END_NO_CHAIN,    /* its event records none */
	VERDICT_END_EMPTY,       /* it should have had one */
	VERDICT_END_KERNEL_ONLY, /* kernel frames, no user part */
	VERDICT_END_USER,        /* has a user part; whether that is whole cannot be told */
	VERDICT_END_COMPLETE,    /* of a stack copy: the start of the thread */
	VERDICT_END_TRUNCATED,   /* the copy was too short, and no other stack went on from there */
	VERDICT_END_NO_INFO,     /* no call frame information, or the file was not found */
	VERDICT_END_BROKEN,      /* information or stack that cannot be followed */
	VERDICT_END_TOO_DEEP,    /* as many frames as are recorded, or shown, at most */
	VERDICT_ENDS
};

/* How an event's call chains were recorded. */
enum verdict_chain {
	VERDICT_CHAIN_NONE,
	VERDICT_CHAIN_FRAME_POINTERS,
	VERDICT_CHAIN_DEFERRED, /* frame pointers, the user part at the return to user mode */
	VERDICT_CHAIN_LBR,
	VERDICT_CHAIN_COPIES, /* user stacks are copies */
};

struct verdict_weight {
	u64 samples; /* of branch rows: branches */
	u64 period;
};

/*
 * One event that was counted. The frames of a row are its stack, or its own place where that is
 * empty; of branch rows, both ends of the branch. The leaf is the first of them.
 */
struct verdict_event {
	char *name;
	enum verdict_chain chain;
	struct count_totals totals;
	struct verdict_weight all;          /* of its rows */
	struct verdict_weight leaf_unnamed; /* rows whose leaf has no name */
	struct verdict_weight any_unnamed;  /* rows with any frame that has none */
	struct verdict_weight ends[VERDICT_ENDS];
	struct verdict_weight lone_user; /* of END_USER: the user part is one frame */
	struct verdict_weight jit_ends;  /* of END_NO_INFO: in code of a JIT without a jitdump */
};

/* The frames without a name that lie in one object, or in none. */
struct verdict_module {
	char *name; /* as recorded; "[unmapped]" and "[unmapped kernel]" are no objects */
	enum verdict_reason reason;
	bool kernel;
	u8 build_id[20];
	u8 build_id_size;           /* 0: not recorded */
	size_t frames;              /* distinct ones, as the counts tell them apart */
	struct verdict_weight leaf; /* rows whose leaf is such a frame: sums up to leaf_unnamed */
	struct verdict_weight any;  /* rows that have such a frame */
};

struct verdict {
	char *input;
	char *os_release; /* of the recording; NULL: not recorded */
	bool could_ask;   /* --debuginfod was not given */
	struct replay_stats stats;
	u64 lost;            /* samples; the same losses are often told twice */
	u64 nr_unknown_type; /* records */
	u32 max_stack;       /* frames that a chain may have had */
	u32 copy_size;       /* bytes of a stack copy at most; 0: there are none */
	struct count_unwound unwound;
	bool cut_by_option; /* max_stack is that of the command, below the recorder's */
	bool has_places;    /* false: rows do not say where they were, so no name is missing */
	bool unfinished, truncated; /* as of struct perfdata */
	bool by_samples;  /* periods of different events do not add up: shares are of samples */
	bool of_branches; /* rows are branches */
	struct verdict_event *events; /* those with rows */
	size_t nr_events;
	struct verdict_module *modules; /* by any, then leaf, the heaviest first */
	size_t nr_modules;
};

struct verdict_input {
	const char *input; /* for messages, as the user named it; "-" for standard input */
	const struct session *session;
	const struct counts *counts;        /* resolved */
	const struct counts_config *config; /* as given to counts_run */
	const bool *wanted;      /* by pd_event.idx, nr_events of the counts; NULL: all events */
	const bool *wanted_rows; /* nr_rows of the counts, the others are filtered out; NULL: all */
	bool events_add_up;      /* those wanted are one kind: halves of a hybrid CPU's event */
};

/* Takes what it needs: counts and session may go. Free with verdict_free. */
struct verdict *verdict_new(const struct verdict_input *in);

/*
 * As verdict_new of what was only replayed: losses, and no word of names and stacks. counts,
 * config and wanted are not looked at.
 */
struct verdict *verdict_new_losses(const struct verdict_input *in, const struct replay_stats *st);
void verdict_free(struct verdict *v); /* NULL allowed */

/* Weights of all events together; shares of them are of verdict_measure. */
struct verdict_sums {
	struct verdict_weight all, leaf_unnamed, any_unnamed, lone_user, jit_ends;
	struct verdict_weight ends[VERDICT_ENDS];
	u64 counted, filtered; /* samples */
};
void verdict_sum(const struct verdict *v, struct verdict_sums *ret);

/* What shares are of: the period, or the samples where periods cannot serve. */
static inline u64 verdict_measure(const struct verdict *v, const struct verdict_weight *w)
{
	return v->by_samples ? w->samples : w->period;
}

#endif
