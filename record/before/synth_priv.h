/* SPDX-License-Identifier: MIT */
/* State shared by the files of record/before while one block of records is made. */
#ifndef RECORD_BEFORE_SYNTH_PRIV_H
#define RECORD_BEFORE_SYNTH_PRIV_H

#include "base/hash.h"
#include "fileformat/write/record_encode.h"
#include "record/model/rec_opts.h"

struct synth {
	struct wbuf *out;
	const struct rec_opts *o;
	u32 trailer; /* bytes of the trailer of each kernel record, filled with zeros */
	int proc_fd; /* open folder of procfs; -1: cannot be opened */

	/*
	 * Buffer for small files and pieces of maps files. Any call that reads a file overwrites
	 * it.
	 */
	char *buf;
	size_t cap;

	char *huge_mount; /* mount point of a hugetlbfs; NULL: none */
	bool ask_kernel;  /* false once the kernel has rejected PROCMAP_QUERY */
	/* Build-ids of mapped files by (device, inode), so that each file is read once. */
	struct idmap id_of_file;
	/* by index in id_of_file; size 0: no build-id, or not readable */
	struct pd_build_id *ids;
	size_t nr_ids, cap_ids;
};

/*
 * Prepares s to append records to *out. out and o must outlive s; synth_fini frees s. trailer:
 * bytes that each kernel record ends with, from pd_trailer_size.
 */
void synth_init(struct synth *s, struct wbuf *out, const struct rec_opts *o, u32 trailer);
void synth_fini(struct synth *s);

/*
 * Reads a file below procfs, such as "12/status", into s->buf and adds a NUL. Returns its length in
 * bytes (of at most 16 MiB), or -1 if it cannot be read.
 */
ssize_t synth_read_proc(struct synth *s, const char *rest);

/*
 * Returns the next line of *text in *ret, without its newline, and moves *text to the line after
 * it. Returns false at the end of the text.
 */
bool synth_next_line(struct span *text, struct span *ret);

#endif
