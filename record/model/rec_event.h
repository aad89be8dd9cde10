/* SPDX-License-Identifier: MIT */
/*
 * The events of a recording, from the text of -e to the open descriptors. record/events/event_parse
 * creates them with names, attrs and terms; record/open/event_config completes the attrs from the
 * options; record/open/event_open opens them.
 */
#ifndef RECORD_MODEL_REC_EVENT_H
#define RECORD_MODEL_REC_EVENT_H

#include "base/err.h"
#include "fileformat/attr.h"

/* A switch of the command line: on, off, or not given. */
enum rec_switch { REC_UNSET = -1, REC_OFF = 0, REC_ON = 1 };

enum rec_callgraph {
	REC_CG_UNSET = -1,
	REC_CG_NONE,
	REC_CG_FP,
	REC_CG_DWARF,
	REC_CG_LBR,
	REC_CG_UNWIND
};

/* The terms of one event (cpu/.../ or tracepoint/.../), which override the command's options. */
struct rec_terms {
	bool has_period, has_freq, has_max_stack, has_branch;
	u64 period, freq;
	s8 time, inherit, overwrite; /* values are enum rec_switch */
	s8 callgraph;                /* value is enum rec_callgraph */
	u32 stack_size;              /* bytes, for callgraph dwarf; 0: unset */
	u16 max_stack;
	u64 branch_sample_type;
	u32 aux_sample_size;
	bool aux_output, percore;
};

/* A list of CPU numbers in ascending order, without duplicates. */
struct cpu_list {
	u32 *cpus;
	size_t nr, cap;
};

struct rec_event {
	char *name; /* name for the recording; never NULL */
	struct pd_attr attr;
	struct rec_terms terms;

	/*
	 * Index in the list, and index of the group's leader; equal for leaders and for events
	 * without a group. Members directly follow their leader.
	 */
	u32 idx, leader_idx;
	/* events of the group for a leader, itself included; 0 for a member; 1 without a group */
	u32 nr_members;
	char *group_name; /* name of the group, for its leader; may be NULL */
	bool in_group;    /* the event was in braces {..} */

	/* period in ns of a clock whose rate --max-cpu has changed; 0: as it was opened */
	u64 period_now;

	/* Modifiers for which attr has no bit. */
	bool sample_read;  /* S: the leader takes samples, which hold the members' counts */
	bool weak_group;   /* W: the group may be broken up if the PMU cannot count it as one */
	bool precise_max;  /* P: as precise as the PMU permits */
	bool levels_given; /* u, k or h was given */

	bool is_default;  /* perf's default event, because no -e was given */
	bool is_tracking; /* carries the side-band records (mmap, comm, task) */
	bool is_dummy;    /* a dummy event, added only to carry side-band records */

	/*
	 * Of --off-cpu: its samples say where threads leave the CPU; they become samples of the
	 * event that is_made, which prec writes itself and which is not opened.
	 */
	bool is_switch, is_made;
	/* of sched_switch: offset and bytes of prev_state in its payload; 0: not known */
	u32 prev_state_at, prev_state_size;

	char *tp_system, *tp_name; /* NULL unless the event is a tracepoint */
	char *filter;              /* value of --filter, for tracepoints; NULL: none */
	bool exclude_perf;         /* --exclude-perf was given for this event */
	/* file of a uprobe, to which attr.config1 points when it is opened */
	char *uprobe_path;
	/*
	 * Opened on CPUs for all tasks although the target is certain tasks; the copier drops the
	 * samples of other tasks.
	 */
	bool whole_system;
	/* the stack copies of its samples become call chains before they are written */
	bool unwound;
	char *unit;                /* unit of a PMU's named event; NULL: none */
	double scale;              /* scale of a PMU's named event, else 1 */
	struct cpu_list *pmu_cpus; /* CPUs on which the PMU's events are opened; NULL: any */
	char *cgroup;              /* cgroup of -G, a path below the cgroup mount; NULL: none */
	int cgroup_fd;             /* folder of cgroup, opened by event_open_all; -1: not open */

	/*
	 * Descriptors, set by event_open_all: the one for CPU number c and thread number t of the
	 * target is at [c * nr_threads + t]; -1: not open. whole_system events use t = 0.
	 */
	int *fds;
	u64 *ids; /* the kernel's ids of the descriptors, at the same indexes; 0: not open */
	size_t nr_fds;
	/* samples written, and lost ones of all its descriptors as far as the kernel tells by event
	 */
	u64 nr_samples, nr_lost;
};

struct rec_evlist {
	struct rec_event **events;
	size_t nr, cap;
	u32 attr_size; /* bytes of each attr in the file; set by event_config */
	/* index of the first event of the last -e, for --filter; set by event_parse */
	size_t last_from;
	/* called by evlist_fini with at_end_ctx: undoes what the events needed; NULL: nothing */
	void (*at_end)(void *ctx);
	void *at_end_ctx;
};

/*
 * evlist_init makes an empty list; evlist_fini frees its events but does not close their
 * descriptors.
 */
void evlist_init(struct rec_evlist *l);
void evlist_fini(struct rec_evlist *l);

/*
 * Appends an event without a group whose attr is zero except for type and config. name is copied.
 * The list owns the event; the pointer is valid until it is removed.
 */
struct rec_event *evlist_add(struct rec_evlist *l, const char *name, u32 type, u64 config);

/*
 * Removes and frees event i, and updates idx, leader_idx and nr_members of the other events. If i
 * leads a group, its first member becomes the leader.
 */
void evlist_remove(struct rec_evlist *l, size_t i);

/* Replaces the name of ev by a copy of `name`, which may be ev->name itself. */
void rec_event_set_name(struct rec_event *ev, const char *name);

/*
 * Parses a list of CPUs such as "0-3,8". The caller frees *ret with cpu_list_fini. Fails with
 * PERR_USAGE.
 */
int cpu_list_parse(const char *text, struct cpu_list *ret, struct perr *e) MUST_CHECK;
void cpu_list_fini(struct cpu_list *l);
bool cpu_list_has(const struct cpu_list *l, u32 cpu);

#endif
