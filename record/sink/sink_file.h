/* SPDX-License-Identifier: MIT */
/*
 * One file of a recording (or a pipe stream), kept readable while it grows.
 *
 *	header ids attrs features | data ....... E | table ...
 *
 * Data that comes after a commit has to lie where the table is that the header points at. So its
 * first bytes are held back in memory until the next commit, and only what lies beyond the table is
 * written at once. The commit then is four small writes, and only between the second and the fourth
 * does the file lack its features; it never lacks data that was committed before:
 *	1. the new table, behind the new data	2. header: as before, but without features
 *	3. the bytes held back, over the old table	4. header: new data size, features
 */
#ifndef RECORD_SINK_SINK_FILE_H
#define RECORD_SINK_SINK_FILE_H

#include "base/err.h"
#include "fileformat/write/writer.h"

struct sink_file {
	int fd;
	bool is_stream;   /* front to back only: no commits */
	const char *path; /* for messages; borrowed */
	struct pd_out_layout layout;
	u32 attr_size;
	u64 pos;          /* where the next data goes */
	u64 end;          /* of the data that the header knows */
	u64 table_bytes;  /* behind end; 0 before the first commit */
	struct wbuf held; /* data from end on, at most table_bytes */
	struct wbuf table;
	u64 writes;
};

/* Writes what stands in front of the data. fd stays the caller's. */
int sink_file_start(struct sink_file *f, int fd, bool is_stream, const char *path,
		    const struct pd_head *head, struct perr *e) MUST_CHECK;
void sink_file_fini(struct sink_file *f);

/*
 * Appends whole records. On an error f is as before the call; PERR_IO, the text has path and cause.
 */
int sink_file_write(struct sink_file *f, const struct span *parts, int nr,
		    struct perr *e) MUST_CHECK;

/* Brings the header up to all that was written. late: as of pd_put_feature_table. */
int sink_file_commit(struct sink_file *f, const struct pd_feature_out *late, size_t nr_late,
		     struct perr *e) MUST_CHECK;

/* Bytes of data so far, as the header's data.size has them; of a stream all but its head. */
u64 sink_file_data_bytes(const struct sink_file *f);

#endif
