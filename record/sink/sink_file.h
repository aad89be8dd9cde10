/* SPDX-License-Identifier: MIT */
/*
 * Writes one file of a recording (or a stream) and keeps it readable while it grows.
 *
 *	header ids attrs features | data ....... E | table ...
 *
 * Data written after a commit belongs where the table is that the header points to. Its first bytes
 * are therefore kept in memory until the next commit, and only the bytes behind the table are
 * written at once. A commit is four small writes. Between the second and the fourth the file lacks
 * its features; it never lacks data that was committed before:
 *	1. the new table, behind the new data	2. header: as before, but without features
 *	3. the bytes from memory, over the old table	4. header: new data size, features
 *
 * Behind each table but the last is the mark of a recorder that runs, to which the header points.
 * A file without it was finished.
 */
#ifndef RECORD_SINK_SINK_FILE_H
#define RECORD_SINK_SINK_FILE_H

#include "base/err.h"
#include "fileformat/write/writer.h"

struct sink_file {
	int fd;
	bool is_stream;   /* can only be written front to back: no commits */
	const char *path; /* for messages; owned by the caller */
	struct pd_out_layout layout;
	u32 attr_size;
	u64 pos;              /* file offset of the next data */
	u64 end;              /* file offset of the end of the committed data */
	u64 table_bytes;      /* bytes of the table behind `end`; 0 before the first commit */
	struct wbuf end_mark; /* of a stream, written at its end */
	u64 mark_off;         /* file offset of the mark that the recorder runs; 0: not written */
	struct wbuf held;     /* data from `end` on, at most table_bytes */
	struct wbuf table;
	u64 writes;
};

/*
 * Writes the part before the data; with head NULL there is none. fd and path stay the caller's.
 * Fails with PERR_IO.
 */
int sink_file_start(struct sink_file *f, int fd, bool is_stream, const char *path,
		    const struct pd_head *head, struct perr *e) MUST_CHECK;
void sink_file_fini(struct sink_file *f);

/* Appends complete records. On an error f is unchanged; PERR_IO, the text has path and cause. */
int sink_file_write(struct sink_file *f, const struct span *parts, int nr,
		    struct perr *e) MUST_CHECK;

/* Makes all data written so far readable, in a file that is marked as not finished. */
int sink_file_commit(struct sink_file *f, struct perr *e) MUST_CHECK;

/*
 * Writes the header and table for the last time. late: features, as for pd_put_feature_table.
 * finished: nothing that was to be recorded is missing, so the mark goes.
 */
int sink_file_end(struct sink_file *f, const struct pd_feature_out *late, size_t nr_late,
		  bool finished, struct perr *e) MUST_CHECK;

/*
 * Returns the bytes of data so far, as in the header's data.size; for a stream all bytes behind its
 * head.
 */
u64 sink_file_data_bytes(const struct sink_file *f);

#endif
