/* SPDX-License-Identifier: MIT */
/* Recordings built for tests of prep's tables, and the tables of their samples. */
#ifndef TESTS_REPORT_TABLE_WORLD_H
#define TESTS_REPORT_TABLE_WORLD_H

#include "base/diag.h"
#include "report/table/hist_table.h"
#include "tests/frame/build_bytes.h"

#define WORLD_MAX_IPS 8

/* Chains are leaf first, without markers: all is user space, and nothing is mapped. */
struct world_row {
	u32 tid;
	u64 period;
	u64 ips[WORLD_MAX_IPS];
	size_t nr;
};

/* A built recording and the table of its samples. */
struct table_world {
	struct bytes bytes;
	struct diag diag;
	struct perfdata *pd;
	struct session *session;
	struct counts *counts;
	struct filter filter;
	struct table_config cfg;
	struct chain_option chain;
	struct hist_layout layout;
	struct hist_data data;
	struct chain_tree *tree;
	struct hist hist;
	struct hist_stacks *stacks;
	u32 events[1];
	struct table *table;
};

/* A table by these keys; children: callers have entries, too. Call trees begin at the leaf. */
struct table_world *table_world_new(const struct world_row *rows, size_t nr, const char *keys,
				    bool children);
void table_world_free(struct table_world *w);

/* Lists the entries of the columns in w->layout again, after hist_fini(). */
void table_world_list(struct table_world *w);

#endif
