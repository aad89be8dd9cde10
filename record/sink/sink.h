/* SPDX-License-Identifier: MIT */
/*
 * Writes a recording to a file that is readable at any moment, to a pipe, or to one file after
 * another.
 *
 * Layout of a file: header, ids, attrs, payloads of the features known at the start, data, table of
 * the features, payloads known at the end. Each commit writes the table behind the data, and then
 * data.size in the header, so that the file of a killed recorder is complete:
 *	1. header: no features	2. data, then the table	  3. header: data.size and the features
 */
#ifndef RECORD_SINK_SINK_H
#define RECORD_SINK_SINK_H

#include "base/err.h"
#include "base/wbuf.h"
#include "fileformat/write/writer.h"

struct rec_sink_opts {
	const char *path; /* "-": standard output, in the format of pipes */
	int fd;           /* -1, or an open descriptor to use instead of path (for tests) */
	int compress;     /* zstd level; 0: none */
	/* most bytes that one COMPRESSED record expands to: COMPRESSED.mmap_len */
	u64 max_record_expand;
	bool own_thread; /* compress and write in a separate thread */
	u64 max_size;    /* bytes after which PERR_LIMIT is returned; 0: no limit */
	/* append the time to file names (--timestamp-filename, --switch-output) */
	bool append_timestamp;
	u32 keep_files; /* how many files to keep (--switch-max-files); 0: all */
};

struct rec_sink;

/*
 * Opens the output and writes `head`, the part before the data, which is copied; NULL: the file has
 * records alone, as the files data.N of a recording that is a directory. An existing file
 * is renamed to FILE.old. Under sudo a new file belongs to the caller of sudo (SUDO_UID, SUDO_GID).
 * Fails with PERR_IO, naming path and cause. The caller ends with sink_close. Use a sink from one
 * thread.
 */
int sink_open(const struct rec_sink_opts *o, const struct pd_head *head, struct rec_sink **ret,
	      struct perr *e) MUST_CHECK;

/*
 * Appends the records in b, which is empty afterwards: with a thread the sink takes the bytes over,
 * otherwise it writes them before it returns. raw: do not compress (synthesized records, round
 * marks). Waits while too many bytes are queued. Returns an error of the writing so far: PERR_IO
 * (such as a full disk, with the number of bytes that were kept), which all later calls return too,
 * or PERR_LIMIT, once, when max_size is reached; records are still written then.
 */
int sink_write(struct rec_sink *s, struct wbuf *b, bool raw, struct perr *e) MUST_CHECK;

/*
 * As sink_write, without a copy: writes nr parts of a ring, as ring_peek returns them, before it
 * returns. Only for a sink without a thread.
 */
int sink_write_parts(struct rec_sink *s, const struct span *parts, int nr,
		     struct perr *e) MUST_CHECK;

/*
 * Updates the header, so that all data written so far is readable. Call it once per sweep, even if
 * the sweep wrote nothing: it does nothing within 20 ms of the last update, and without a thread
 * that update is made up by a later call.
 */
int sink_commit(struct rec_sink *s, struct perr *e) MUST_CHECK;

/* Waits until all queued data is written. Errors are those of sink_write except PERR_LIMIT. */
int sink_drain(struct rec_sink *s, struct perr *e) MUST_CHECK;

/*
 * Completes the file with the features known now, which replace those of the same bit from the
 * start, closes it and frees the sink, also after an error. finished: false if the recording ended
 * with an error: readers then say that its end is missing. ret_path, if not NULL, gets the final
 * name, malloc'd. Errors are those of sink_write except PERR_LIMIT.
 */
int sink_close(struct rec_sink *s, const struct pd_feature_out *late, size_t nr_late, bool finished,
	       char **ret_path, struct perr *e) MUST_CHECK;

/*
 * Completes the file as sink_close does and starts the next one (--switch-output). Fails with
 * PERR_USAGE for a pipe.
 */
int sink_switch(struct rec_sink *s, const struct pd_feature_out *late, size_t nr_late,
		const struct pd_head *head, char **ret_path, struct perr *e) MUST_CHECK;

struct rec_sink_stat {
	u64 data_bytes;       /* bytes to the end of the data section, as perf counts them */
	u64 raw_bytes;        /* bytes before compression */
	u64 compressed_bytes; /* bytes after compression */
	u64 queued_max;       /* largest number of bytes that waited for the thread */
	u64 writes;
};
/* Returns the statistics. They are final only if nothing is queued: call sink_drain before. */
void sink_stat(struct rec_sink *s, struct rec_sink_stat *ret);
/* Adds the statistics of another sink. */
void rec_sink_stat_add(struct rec_sink_stat *to, const struct rec_sink_stat *s);

#endif
