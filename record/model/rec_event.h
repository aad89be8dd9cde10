/* SPDX-License-Identifier: MIT */
/*
 * The events of a recording, from the text of -e to the open descriptors. record/events/event_parse
 * fills names, attrs and terms; record/open/event_config completes the attrs from the options;
 * record/open/event_open opens them.
 */
#ifndef RECORD_MODEL_REC_EVENT_H
#define RECORD_MODEL_REC_EVENT_H

#include "base/err.h"
#include "fileformat/attr.h"

/* A switch that may be left to its default. */
enum rec_switch { REC_UNSET = -1, REC_OFF = 0, REC_ON = 1 };

enum rec_callgraph { REC_CG_UNSET = -1, REC_CG_NONE, REC_CG_FP, REC_CG_DWARF, REC_CG_LBR };

/* What the terms of one event (cpu/.../, tracepoint/.../) say over the command's options. */
struct rec_terms {
	bool has_period, has_freq, has_max_stack, has_branch;
	u64 period, freq;
	s8 time, inherit, overwrite; /* enum rec_switch */
	s8 callgraph;                /* enum rec_callgraph */
	u32 stack_size;              /* bytes, of callgraph dwarf; 0 unset */
	u16 max_stack;
	u64 branch_sample_type;
	u32 aux_sample_size;
	bool aux_output, percore;
};

/* A sorted list of CPU numbers. */
struct cpu_list {
	u32 *cpus;
	size_t nr, cap;
};

struct rec_event {
	char *name; /* as the file will name it; never NULL */
	struct pd_attr attr;
	struct rec_terms terms;

	/* groups: a leader's idx is its own; members follow their leader directly */
	u32 idx, leader_idx;
	u32 nr_members;   /* of a leader: members with itself; 1 outside groups, 0 for a member */
	char *group_name; /* of a leader of {..} that was named; may be NULL */
	bool in_group;    /* a leader or member of {..} */

	/* modifiers that are no attr bits */
	bool sample_read;  /* S: the leader samples, the members are read */
	bool weak_group;   /* W: may be broken up where the PMU cannot count it together */
	bool precise_max;  /* P: as precise as the PMU can */
	bool levels_given; /* u, k or h was given: --all-user and the like find them there */

	bool is_default;  /* no -e was given: perf's default event */
	bool is_tracking; /* carries mmap, comm, task */
	bool is_dummy;    /* added for that only */

	char *tp_system, *tp_name; /* of a tracepoint, else NULL */
	char *filter;              /* --filter, tracepoints; NULL for none */
	bool exclude_perf;         /* --exclude-perf */
	char *uprobe_path;         /* the uprobe PMU: attr.config1 points here when it is opened */
	bool whole_system;         /* of a target of tasks, but opened on CPUs, for all that runs
				    * there: the copier drops what is not the target's */
	char *unit;                /* of a PMU alias; NULL for none */
	double scale;              /* of a PMU alias, else 1 */
	struct cpu_list *pmu_cpus; /* the PMU's cpumask or cpus; NULL: any CPU */
	char *cgroup;              /* -G: path below the cgroup mount; NULL for none */
	int cgroup_fd;             /* opened by event_open, -1 */

	/*
	 * event_open: nr_cpus x nr_threads of the target, fd at [cpu * nr_threads + thread], -1;
	 * of whole_system events in the places of thread 0
	 */
	int *fds;
	u64 *ids; /* in the same places, 0 where there is no fd */
	size_t nr_fds;
	bool supported; /* false: left out, with a note */
	u64 nr_lost;    /* LOST_SAMPLES of all its fds, ring LOST records included */
};

struct rec_evlist {
	struct rec_event **events;
	size_t nr, cap;
	u32 attr_size;    /* of every attr in the file; set by event_config */
	size_t last_from; /* first event of the last -e, for --filter; set by event_parse */
};

void evlist_init(struct rec_evlist *l);
void evlist_fini(struct rec_evlist *l);

/* A new event at the end, outside groups, attr zero but for type and config. name is copied. */
struct rec_event *evlist_add(struct rec_evlist *l, const char *name, u32 type, u64 config);

/* Removes and frees event i; adjusts idx, leader_idx and nr_members of the others. */
void evlist_remove(struct rec_evlist *l, size_t i);

void rec_event_set_name(struct rec_event *ev, const char *name);

/* "0-3,8" or "0,1" to a list. PERR_USAGE for other text. */
int cpu_list_parse(const char *text, struct cpu_list *ret, struct perr *e) MUST_CHECK;
void cpu_list_fini(struct cpu_list *l);
bool cpu_list_has(const struct cpu_list *l, u32 cpu);

#endif
