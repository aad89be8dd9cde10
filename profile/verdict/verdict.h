/* SPDX-License-Identifier: MIT */
/*
 * How far counted samples can be trusted: how many were lost, how their stacks ended, and which of
 * their frames have no name, by object and reason. It is computed from count rows and distinct
 * frames, never sample by sample.
 *
 *	counts_run(s, &cfg, &c, &e), counts_resolve(c)
 *	in = { .input = path, .session = s, .counts = c, .config = &cfg }
 *	v = verdict_new(&in)		outlives counts and session
 *	verdict_tell(stderr, "prep", form, &v, 1, diag)		(profile/verdict/verdict_text.h)
 */
#ifndef PROFILE_VERDICT_VERDICT_H
#define PROFILE_VERDICT_VERDICT_H

#include "count/counted.h"
#include "session/replay.h"

struct counts;
struct counts_config;
struct switch_gaps;

/* Why a frame has no name. */
enum verdict_reason {
	VERDICT_FILE_MISSING,
	VERDICT_OTHER_BUILD, /* files of that name were found, all with another build-id */
	VERDICT_STRIPPED,    /* the file has exported symbols only, or none */
	VERDICT_BROKEN,
	VERDICT_NO_SYMBOL, /* the object has symbols, none of them at that address */
	VERDICT_KERNEL_HIDDEN,
	VERDICT_KERNEL_FOREIGN,
	VERDICT_KERNEL_UNMAPPED, /* the recording has no kernel addresses */
	VERDICT_JIT_MAP_MISSING,
	VERDICT_JIT_MAP_GAP, /* the JIT's map has no symbol at that address */
	VERDICT_NOT_CODE,    /* heap, stack or other data: the call chain is wrong there */
	VERDICT_NO_MAP,      /* nothing was mapped at the address */
	VERDICT_REASONS
};

/* How the call chain of a row ended; each row has exactly one of these. */
enum verdict_end {
	VERDICT_END_NO_CHAIN,    /* the event records no call chains */
	VERDICT_END_EMPTY,       /* the event records chains, and this one has no frame */
	VERDICT_END_KERNEL_ONLY, /* kernel frames only */
	VERDICT_END_USER,        /* has user frames; whether any are missing is unknown */
	VERDICT_END_COMPLETE,    /* a stack copy, unwound to the start of the thread */
	VERDICT_END_TRUNCATED,   /* the copy was too short, and no other sample had its callers */
	VERDICT_END_NO_INFO,     /* no call frame information, or the file was not found */
	VERDICT_END_BROKEN,      /* the stack and its unwind information contradict each other */
	VERDICT_END_TOO_DEEP,    /* reached the limit of frames recorded or shown */
	VERDICT_ENDS
};

/* How an event's call chains were recorded. */
enum verdict_chain {
	VERDICT_CHAIN_NONE,
	VERDICT_CHAIN_FRAME_POINTERS,
	VERDICT_CHAIN_DEFERRED, /* frame pointers; user frames read at the return to user mode */
	VERDICT_CHAIN_LBR,
	VERDICT_CHAIN_COPIES, /* copies of user stacks, unwound by the reader */
};

struct verdict_weight {
	u64 samples; /* for branch rows: branches */
	u64 period;
};

/*
 * One event that was counted. The frames of a row are those of its stack, or its sampled address if
 * the stack is empty; for branch rows, both ends of the branch. The leaf is the first frame.
 */
struct verdict_event {
	char *name;
	enum verdict_chain chain;
	struct count_totals totals;
	struct verdict_weight all;          /* all rows */
	struct verdict_weight leaf_unnamed; /* rows with a leaf without a name */
	struct verdict_weight any_unnamed;  /* rows with any frame without a name */
	struct verdict_weight ends[VERDICT_ENDS];
	struct verdict_weight lone_user; /* part of END_USER: one user frame only */
	struct verdict_weight jit_ends;  /* part of END_NO_INFO: in JIT code without a jitdump */
	bool half_chains;                /* the recorder was to leave out kernel or user frames */
};

/* Which runtime compiled code while the program ran. */
enum verdict_runtime {
	VERDICT_RUNTIME_UNKNOWN,
	VERDICT_RUNTIME_JAVA,
	VERDICT_RUNTIME_NODE,
	VERDICT_RUNTIME_PYTHON,
	VERDICT_RUNTIME_DOTNET,
	VERDICT_RUNTIME_ERLANG,
};

/* The frames without a name in one object, or in no object. */
struct verdict_module {
	char *name;    /* of the object, as recorded; or "[unmapped]", "[unmapped kernel]" */
	char *file;    /* path of the mapped file as it was found here; NULL: it was not */
	char *jitdump; /* of JIT code: as recorded, of a jitdump that is not here; NULL: none */
	enum verdict_runtime runtime; /* of JIT code */
	u32 live_pid; /* of JIT code: of the process that made it, if that runs here now; else 0 */
	enum verdict_reason reason;
	bool kernel;
	u8 build_id[20];
	u8 build_id_size;           /* 0: not recorded */
	size_t frames;              /* distinct frame ids of the counts */
	struct verdict_weight leaf; /* rows with such a leaf; the modules' sum is leaf_unnamed */
	struct verdict_weight any;  /* rows with such a frame anywhere */
};

struct verdict {
	char *input;
	char *os_release;               /* the recorded kernel's release; NULL: not recorded */
	bool could_ask;                 /* --debuginfod was not given, so advice may name it */
	const char *debuginfod_problem; /* why --debuginfod got no answer; NULL: it did */
	u64 rate; /* the highest recorded rate, samples per second; 0: periods were given */
	enum verdict_runtime jit_runtime; /* of the code in jit_ends */
	/* the object with the most code whose callers are missing, or wrong in frame-pointer
	 * chains: as recorded, and its file here; NULL: there is none */
	struct {
		char *name, *file;
		enum verdict_runtime runtime;
	} callerless;
	/* samples with frame-pointer chains that were looked at; of these, those of whose code it
	 * is known whether it keeps frame pointers; those that lack callers; and lack the leaf's
	 * only */
	struct {
		u64 samples, known, lacking, one_only;
		char *object; /* with most of lacking, as recorded; NULL: there are none */
	} pointers;
	struct replay_stats stats;
	u64 lost;             /* samples; the larger of the two counts that the kernel records */
	u64 missing_switches; /* of threads, although nothing was reported lost; 0: not counted */
	char *missing_text;   /* a sentence about them; NULL: none */
	u64 nr_unknown_type;  /* records */
	u32 max_stack;        /* the most frames that a chain can have */
	u32 copy_size;        /* the most bytes of a stack copy; 0: no stack copies */
	bool has_unwound;     /* some were unwound by prec, so that only the chains are recorded */
	struct count_unwound unwound;
	bool cut_by_option; /* max_stack is --max-stack of the command, below the recorder's */
	bool has_places;    /* false: rows have no addresses, so no name can be missing */
	bool leaves_only;   /* rows have one address each: no stacks were wanted */
	bool names_unseen; /* the output has no names of functions, so missing ones do not matter */
	bool unfinished, truncated; /* as in struct perfdata */
	u64 last_time, last_write;  /* as in struct perfdata */
	bool losses_only;           /* from verdict_new_losses: events and modules are empty */
	bool is_stream;             /* the recording cannot be read a second time */
	bool is_not_joined; /* is_stream, with stack copies: truncated ones stay truncated */
	bool by_samples;  /* shares are of samples, since the periods of the events do not add up */
	bool of_branches; /* rows are branches */
	struct verdict_event *events; /* events with counted or filtered samples */
	size_t nr_events;
	struct verdict_module *modules; /* sorted by `any`, then `leaf`, heaviest first */
	size_t nr_modules;
};

struct verdict_input {
	const char *input; /* for messages, as the user named it; "-" for standard input */
	const struct session *session;
	const struct counts *counts;        /* resolved */
	const struct counts_config *config; /* as given to counts_run */
	const bool *wanted;      /* by pd_event.idx, nr_events of the counts; NULL: all events */
	const bool *wanted_rows; /* nr_rows of the counts, the others are filtered out; NULL: all */
	bool names_unseen;       /* the command's output has no names of functions */
	bool events_add_up;      /* the wanted events are the halves of a hybrid CPU's event */
};

/* Copies all it needs, so counts and session may be freed. Free the result with verdict_free. */
struct verdict *verdict_new(const struct verdict_input *in);

/*
 * The verdict of a recording that was read but not counted: losses only, nothing of names and
 * stacks. Of `in` it reads input and session only.
 */
struct verdict *verdict_new_losses(const struct verdict_input *in, const struct replay_stats *st);
/* Sets what v says of switches that are missing. */
void verdict_set_switches(struct verdict *v, const struct switch_gaps *gaps);
void verdict_free(struct verdict *v); /* NULL allowed */

/* The weights of all events added up. Compute shares from verdict_measure of each. */
struct verdict_sums {
	struct verdict_weight all, leaf_unnamed, any_unnamed, lone_user, jit_ends;
	struct verdict_weight ends[VERDICT_ENDS];
	struct verdict_weight empty_by_choice; /* part of END_EMPTY: of events with half_chains */
	u64 counted, filtered;                 /* samples */
};
void verdict_sum(const struct verdict *v, struct verdict_sums *ret);

/* The figure that shares are computed from: the period, or the samples if by_samples. */
static inline u64 verdict_measure(const struct verdict *v, const struct verdict_weight *w)
{
	return v->by_samples ? w->samples : w->period;
}

/* True if it is known of 9 in 10 frame-pointer chains whether their code keeps frame pointers. */
static inline bool verdict_chains_are_known(const struct verdict *v)
{
	return v->pointers.known && v->pointers.known * 10 >= v->pointers.samples * 9;
}

/* True if frame-pointer chains, 5 % of them or more, lack other callers than that of the leaf. */
static inline bool verdict_chains_are_cut(const struct verdict *v)
{
	u64 cut = v->pointers.lacking - v->pointers.one_only;

	return cut && (double)cut * 20 >= (double)v->pointers.samples;
}

#endif
