/* SPDX-License-Identifier: MIT */
/* A sink that writes numbered records, and the reader of what it wrote. */
#ifndef TESTS_RECORD_SINK_USE_SINK_H
#define TESTS_RECORD_SINK_USE_SINK_H

#include "base/mem.h"
#include "fileformat/write/record_encode.h"
#include "record/sink/sink.h"
#include "tests/frame/unit.h"

#define EXPAND 65536u

/* A folder for the files of a sink, and the options and features that it starts with. */
struct setup {
	char dir[64], path[96];
	struct wbuf desc, comp;
	struct pd_feature_out features[2];
	struct pd_head head;
	struct rec_sink_opts o;
};

/* Makes the folder; compress is a level of zstd, 0 for none; thread: the sink writes from its own.
 */
void setup_init(struct setup *s, int compress, bool thread);
/* Removes the folder with its files. */
void setup_fini(struct setup *s);

/* What a file holds: records, round marks, whether they are in order, whether the event has its
 * name, whether the recorder finished it, and the wall clock of its last write in ns. */
struct seen {
	u32 comms, rounds;
	bool in_order, named, unfinished;
	u64 last_write;
};

/* Reads a file that a sink wrote; fails the case when it cannot be read. */
struct seen sink_look(const char *path);
/* Ten numbered records and a round mark, as a sweep does it. */
int sink_sweep(struct rec_sink *s, u32 *n, struct perr *e);

#endif
