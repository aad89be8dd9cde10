/* SPDX-License-Identifier: MIT */
/*
 * Where a recording goes: a file that is readable at any moment, a pipe, or one file after another.
 *
 * Layout of a file: header, ids, attrs, payloads of the features that are known at the start, data,
 * table of the features, payloads known at the end. The table is written behind the data with each
 * commit and the header's data.size after it, so that what a killed recorder leaves is whole:
 *	1. header: no features	2. data, then the table	  3. header: data.size and the features
 */
#ifndef RECORD_SINK_SINK_H
#define RECORD_SINK_SINK_H

#include "base/err.h"
#include "base/wbuf.h"
#include "fileformat/write/writer.h"

struct rec_sink_opts {
	const char *path;      /* "-": standard output, a pipe stream */
	int fd;                /* -1, or an open descriptor in place of path (tests) */
	int compress;          /* zstd level, 0 for none */
	u64 max_record_expand; /* data bytes of one ring: COMPRESSED.mmap_len */
	bool own_thread;       /* compress and write in a thread of their own */
	u64 max_size;          /* stop after so many bytes; 0 none */
	bool append_timestamp; /* --timestamp-filename, and --switch-output's names */
	u32 keep_files;        /* --switch-max-files; 0 all */
};

struct rec_sink;

/*
 * Opens the output: an existing file becomes FILE.old. head: what stands at the front (copied).
 * Through sudo a new file belongs to the caller (SUDO_UID, SUDO_GID). PERR_IO with path and cause.
 */
int sink_open(const struct rec_sink_opts *o, const struct pd_head *head, struct rec_sink **ret,
	      struct perr *e) MUST_CHECK;

/*
 * Appends records. raw: never compressed (synthesized records, round marks). The buffer's bytes are
 * taken over (b is empty afterwards) when the sink has a thread, else written before it returns.
 * Waits while more than a bound of bytes is queued (back-pressure). Errors are those of the writing
 * so far: PERR_IO (disk full, with the bytes that were kept), each time from then on; PERR_LIMIT
 * once when max_size is reached: everything is written all the same, and so is what still follows.
 */
int sink_write(struct rec_sink *s, struct wbuf *b, bool raw, struct perr *e) MUST_CHECK;

/*
 * As sink_write, without a copy: appends the bytes of nr parts of a ring, as of ring_peek, before
 * it returns. Only for a sink without a thread.
 */
int sink_write_parts(struct rec_sink *s, const struct span *parts, int nr,
		     struct perr *e) MUST_CHECK;

/*
 * Brings the header up to date: everything written so far is in the file. Once per sweep, also of
 * one that wrote nothing: within 20 ms of the last time it does nothing, and without a thread the
 * next call makes up for that.
 */
int sink_commit(struct rec_sink *s, struct perr *e) MUST_CHECK;

/* Waits until everything that was given to the sink is written. Errors as of sink_write. */
int sink_drain(struct rec_sink *s, struct perr *e) MUST_CHECK;

/*
 * Ends this file with the features known now, which stand in for those of the same bit given at the
 * start, and closes it. ret_path (malloc'd, NULL allowed): the name it has in the end.
 * The sink is freed. */
int sink_close(struct rec_sink *s, const struct pd_feature_out *late, size_t nr_late,
	       char **ret_path, struct perr *e) MUST_CHECK;

/* As sink_close, and starts the next file (--switch-output). */
int sink_switch(struct rec_sink *s, const struct pd_feature_out *late, size_t nr_late,
		const struct pd_head *head, char **ret_path, struct perr *e) MUST_CHECK;

struct rec_sink_stat {
	u64 data_bytes;       /* in the file, as perf counts them: to the end of the data section */
	u64 raw_bytes;        /* what the compressed ones were before */
	u64 compressed_bytes; /* and after */
	u64 queued_max;       /* most bytes that waited for the thread */
	u64 writes;
};
/* Settled only when nothing is queued: after sink_drain. */
void sink_stat(struct rec_sink *s, struct rec_sink_stat *ret);

#endif
