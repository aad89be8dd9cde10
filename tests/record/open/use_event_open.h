/* SPDX-License-Identifier: MIT */
/* A kernel made of callbacks, and all that a case of opening events needs. */
#ifndef TESTS_RECORD_OPEN_USE_EVENT_OPEN_H
#define TESTS_RECORD_OPEN_USE_EVENT_OPEN_H

#include "base/mem.h"
#include "record/open/event_open.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

#define FLAG(name) (1ull << PD_ATTR_##name)
#define MAX_CALLS 512

/* One attempt to open an event. */
struct call {
	struct pd_attr attr;
	u64 raw_config1;
	s32 pid, cpu;
	int group_fd;
	unsigned long flags;
	int result;
};

/* The kernel of a test: refuse() says the errno for an attempt, 0 to open. */
struct fake_kernel {
	struct call calls[MAX_CALLS];
	size_t nr;
	int (*refuse)(struct fake_kernel *k, const struct call *c);
	u64 last_id;
	int nr_open;
	u32 seen; /* for refuse() */
	char filter[128];
	size_t nr_filters, nr_on, nr_off;
	int filter_errno;
};

/* All that one case needs. */
struct rig {
	struct fake_tree proc;
	struct fake_kernel *k;
	struct rec_sys sys;
	struct rec_evlist l;
	struct rec_target t;
	struct rec_opts o;
	struct diag diag;
	struct perr e;
};

/* A fake kernel that opens everything; no threads means the whole system, no CPUs any CPU. */
void rig_init(struct rig *r, size_t nr_cpus, size_t nr_threads);
/* Closes all events and frees what rig_init() made. */
void rig_fini(struct rig *r);
/* Adds an event as prec makes it: at 4000 Hz, inherited; the first one carries the side-band. */
struct rec_event *rig_add(struct rig *r, const char *name, u32 type, u64 config);
/* Adds the default event: cycles with the highest precision. */
struct rec_event *rig_add_cycles(struct rig *r);
/* Makes events first.. of the list one group. */
void rig_make_group(struct rig *r, u32 first, u32 nr);
/* Opens all events; returns what event_open_all() returns. */
int rig_open(struct rig *r);
/* The only message that was given. */
const char *rig_only_note(struct rig *r);
/* The text has to contain this part. */
void check_has_part(const char *text, const char *part);
/* refuse() of a kernel without a PMU for hardware events. */
int no_hardware(struct fake_kernel *k, const struct call *c);

#endif
