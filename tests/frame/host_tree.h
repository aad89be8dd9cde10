/* SPDX-License-Identifier: MIT */
/* A made-up machine: PMUs in its sysfs, tracepoints in its tracefs. */
#ifndef TESTS_FRAME_HOST_TREE_H
#define TESTS_FRAME_HOST_TREE_H

#include "record/model/rec_opts.h"
#include "tests/frame/fake_tree.h"

struct host_tree {
	struct fake_tree tree; /* has sys, proc and tracing; texts get a newline at their end */
	char *sysfs, *procfs, *tracefs;
	struct rec_host host; /* points at them */
};

void host_tree_init(struct host_tree *t);
void host_tree_fini(struct host_tree *t);

/* sys/bus/event_source/devices/PMU/rest */
void host_tree_pmu(struct host_tree *t, const char *pmu, const char *rest, const char *text);

/* A tracepoint with this id. */
void host_tree_tracepoint(struct host_tree *t, const char *system, const char *name, u32 id);

#endif
