/* SPDX-License-Identifier: MIT */
/* What the rooms of record/before/synthesize share while one block of records is made. */
#ifndef RECORD_BEFORE_SYNTH_PRIV_H
#define RECORD_BEFORE_SYNTH_PRIV_H

#include "base/hash.h"
#include "fileformat/write/record_encode.h"
#include "record/model/rec_opts.h"

struct synth {
	struct wbuf *out;
	const struct rec_opts *o;
	u32 trailer; /* bytes of the zero trailer of each kernel record */
	int proc_fd; /* procfs, -1 when it cannot be opened */

	/* The one buffer, for small files and pieces of maps; its content outlives no call. */
	char *buf;
	size_t cap;

	char *huge_mount; /* where a hugetlbfs is mounted; NULL for nowhere */
	bool ask_kernel;  /* PROCMAP_QUERY has not been refused yet */
	/* Build-ids of mapped files by (device, inode): each is read once. */
	struct idmap id_of_file;
	struct pd_build_id *ids; /* size 0: the file has none, or cannot be read */
	size_t nr_ids, cap_ids;
};

void synth_init(struct synth *s, struct wbuf *out, const struct rec_opts *o, u32 trailer);
void synth_fini(struct synth *s);

/*
 * The start of a file below procfs ("12/status") in s->buf, NUL-terminated. Its length, or -1 when
 * it cannot be read.
 */
ssize_t synth_read_proc(struct synth *s, const char *rest);

/*
 * Finds the next line of *text and moves *text behind it; the line has no newline. False at the
 * end.
 */
bool synth_next_line(struct span *text, struct span *ret);

#endif
