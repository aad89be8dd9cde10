/* SPDX-License-Identifier: MIT */
/*
 * The events of an open perf.data, the ids by which records refer to them, and the file's feature
 * sections. The header, or in a pipe the describing records, fill them in; decoders look them up.
 */
#ifndef FILEFORMAT_EVENTS_H
#define FILEFORMAT_EVENTS_H

#include "base/bytes.h"
#include "base/text_format.h"
#include "fileformat/attr.h"

struct perfdata;
struct pd_record;

#define PD_NR_FEATURES 256

/* Sizes and offsets in an event's records, in bytes. pd_event_prepare() computes them once. */
struct pd_event_layout {
	u16 sample_fixed; /* the fields of fixed size at the start of a SAMPLE's body */
	u16 trailer;      /* the sample_id_all trailer; 0 without one */
	u16 tid_sample;   /* offset of pid and tid from a SAMPLE's start; 0 without them */
	u16 time_sample;  /* offset of the time from a SAMPLE's start; 0 without time */
	u16 time_trailer; /* offset of the time from another record's end; 0 without time */
	u16 nr_regs_user, nr_regs_intr; /* registers that a sample dumps */
	bool simple;                    /* in a SAMPLE nothing follows the call chain */
	bool ends_with_raw; /* in a SAMPLE nothing but fields of fixed size, call chain and RAW */
};

/* One event of the file: its attr, the ids its records carry, and its name. */
struct pd_event {
	struct pd_attr attr;
	u64 *ids;
	size_t nr_ids, cap_ids;
	char *name;       /* from EVENT_DESC or EVENT_UPDATE, else made from attr; never NULL */
	bool name_given;  /* the file names the event */
	char *unit;       /* from EVENT_UPDATE; NULL without one */
	double scale;     /* from EVENT_UPDATE, else 1 */
	u32 idx;          /* position among the file's events */
	u32 leader_idx;   /* idx of the group's leader (GROUP_DESC); idx without a group */
	u32 nr_members;   /* 1 + members that follow a leader; 1 without a group; 0 for a member */
	char *group_name; /* of a leader; NULL for an anonymous group */
	/*
	 * prec has made call chains of copies of user stacks, unwound_copy bytes long, which the
	 * samples had: bits of their misc say how the stacks ended
	 */
	bool is_unwound;
	u32 unwound_copy;
	struct pd_event_layout layout; /* pd_event_prepare() */
};

/* The payload of a feature section, or, in a pipe, of a HEADER_FEATURE record. */
struct pd_feature {
	bool present;
	u64 off;          /* file offset of the payload, 0 in pipes */
	struct span data; /* borrowed from the perfdata; empty for flag features */
};

/*
 * Computes ev->layout from ev->attr. pd_open() does this for the events of a file; call it for any
 * other event before it is passed to a decoder of sample.h.
 */
void pd_event_prepare(struct pd_event *ev);

/*
 * Selects the perf version whose naming rules are used for events that the file does not name, now
 * and when later records add events. Without this call it is TEXT_PERF_7_2. The choice is kept in
 * pd->format for other text about the file.
 */
void pd_set_text_format(struct perfdata *pd, enum text_format format);

/* Returns the feature section `bit` (enum pd_feature_bit), NULL if the file does not have it. */
const struct pd_feature *pd_feature_get(const struct perfdata *pd, unsigned int bit);

/*
 * Returns the event that a record belongs to, by the id in the record. If records carry no ids it
 * is the file's first event. NULL: no event has the record's id. Source: docs/FORMAT.md 2.3.
 */
struct pd_event *pd_event_of_record(const struct perfdata *pd, const struct pd_record *rec);
/* Ids that were looked up lately, of one thread. All zero: none yet. */
struct pd_event_cache {
	struct pd_recent_id {
		u64 id;
		struct pd_event *ev; /* NULL: free */
	} recent[64];
};
/*
 * As pd_event_of_record(), for several threads at once: each has a cache of its own. No thread may
 * read records of the file meanwhile that describe events.
 */
struct pd_event *pd_event_of_record_in(const struct perfdata *pd, struct pd_event_cache *c,
				       const struct pd_record *rec);
/* Returns the event that has this id, NULL if none has. */
struct pd_event *pd_event_by_id(const struct perfdata *pd, u64 id);

/* True if every event of the file has sample_id_all set, or the file has no event. */
bool pd_sample_id_all(const struct perfdata *pd);

/* True if some event samples the kernel: not each of them has exclude_kernel. */
bool pd_records_kernel(const struct perfdata *pd);

/* True if samples of some event contain copies of user stacks (PERF_SAMPLE_STACK_USER). */
bool pd_has_stack_copies(const struct perfdata *pd);
/* Whether the recorder says that it has compressed records. */
bool pd_is_compressed(const struct perfdata *pd);

/*
 * True if it is known how user stacks of some event ended: they are copies, which are unwound when
 * they are read, or were unwound by prec (pd_event.is_unwound).
 */
bool pd_has_stack_ends(const struct perfdata *pd);

/*
 * The event offcpu-time of `prec --off-cpu`: each sample is a time in which a thread was off the
 * CPU. Its period is this time in ns, its time is when the thread came back, its call chain is
 * where the thread left. The event has an id for each state of a thread (docs/FORMAT.md 2.13).
 */
#define PD_OFFCPU_NAME "offcpu-time"

/* Why a thread was off the CPU; the id of a sample is PD_OFFCPU_ID plus this. */
enum pd_offcpu {
	PD_OFFCPU_ASLEEP,    /* asleep, in a state that is not known */
	PD_OFFCPU_PREEMPTED, /* it could have run */
	PD_OFFCPU_S,
	PD_OFFCPU_D,
	PD_OFFCPU_STOPPED,
	PD_OFFCPU_TRACED,
	PD_OFFCPU_DEAD,
	PD_OFFCPU_ZOMBIE,
	PD_OFFCPU_PARKED,
	PD_OFFCPU_IDLE,
	PD_OFFCPU_QUEUED, /* new, and it had not run yet */
	PD_NR_OFFCPU,
};

/* Ids of the kernel count up from 1. */
#define PD_OFFCPU_ID 0x6f66666370750000ull

/* True for an event of this name, of any recorder. */
bool pd_is_offcpu_event(const struct pd_event *ev);

/* The state that a sample's id stands for: "S", "preempted"; "asleep" for an id of others. */
struct span pd_offcpu_state(const struct pd_event *ev, u64 id);

/* The frame that stands for a time off the CPU, at the inner end of its stack: "[off-CPU S]". */
const char *pd_offcpu_frame(enum pd_offcpu how);

/* The state for prev_state of sched_switch: bits as of Linux 4.14, 0x100 is preempted. */
enum pd_offcpu pd_offcpu_of(u64 prev_state);

#endif
