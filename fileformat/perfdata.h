/* SPDX-License-Identifier: MIT */
/*
 * An open perf.data: its containers (regular file, pipe stream, directory, PERFFILE v1), its events
 * and ids, its feature sections, and its records in file order, compressed ones expanded.
 */
#ifndef FILEFORMAT_PERFDATA_H
#define FILEFORMAT_PERFDATA_H

#include "base/bytes.h"
#include "base/diag.h"
#include "base/err.h"
#include "base/progress.h"
#include "base/text_format.h"
#include "fileformat/events.h"

enum pd_kind { PD_REGULAR, PD_PIPE, PD_DIRECTORY };

/*
 * One record. data points at its 8-byte header and stays valid until the record after the next
 * pd_next() call, or as long as its block is held (pd_block_get/put).
 */
struct pd_block;
struct pd_record {
	u32 type;
	u16 misc;
	u32 size;     /* header included; of COMPRESSED2 and the like as on disk */
	u64 off;      /* file offset; for expanded records that of the compressed one */
	u32 file_idx; /* directory: which data file, 0 = `data` */
	const u8 *data;
	u64 payload_len;        /* bytes that follow outside the record (AUXTRACE, TRACING_DATA) */
	struct pd_block *block; /* NULL where data lies in the mapped file */
	bool compressed;        /* came out of a COMPRESSED record */
};

struct pd_counts {
	u64 nr_records;
	u64 nr_unknown_type; /* skipped: a type this reader has no name for */
	u64 nr_short;        /* skipped: smaller than its type needs */
	u64 bytes;
};

/* Read-only for users; owned by pd_open. */
struct perfdata {
	char *path; /* for messages; "-" for standard input */
	enum pd_kind kind;
	bool swap;   /* the file is of the other byte order */
	u32 version; /* 1 = PERFILE2, 0 = PERFFILE, as perf prints it */
	u64 header_size, attr_size;
	u64 attrs_off, attrs_size, data_off, data_size;
	u64 feat_off;    /* of the feature section table */
	u64 file_size;   /* 0 when unknown (pipes) */
	s64 mtime;       /* seconds since the epoch */
	bool unfinished; /* data.size was 0: the recorder was killed */
	bool truncated;  /* records were expected past the end of the file */
	u64 features[4]; /* bitmap as in the header, or of the pipe's HEADER_FEATUREs */
	struct pd_feature feat[PD_NR_FEATURES];
	struct pd_event **events;
	size_t nr_events, cap_events;
	enum text_format format;  /* pd_set_text_format() */
	struct span tracing_data; /* TRACING_DATA blob, see FORMAT.md 1.5 */
	struct pd_counts counts;
	struct diag *diag;
	struct pd_priv *priv;
};

/*
 * Opens a path: a file, a directory, or "-" for standard input. diag may be NULL. On failure
 * nothing stays open. The header, attrs, ids and feature sections are read here (of pipes: with
 * the first records).
 */
int pd_open(const char *path, struct diag *diag, struct perfdata **ret, struct perr *e) MUST_CHECK;
/*
 * As pd_open. A regular perf.data that comes through a pipe is copied first, which may take long:
 * progress (NULL allowed; its total is 0) shows the bytes copied so far.
 */
int pd_open_shown(const char *path, struct progress *progress, struct diag *diag,
		  struct perfdata **ret, struct perr *e) MUST_CHECK;
/* As pd_open for an open descriptor, which stays the caller's; seekable or a stream. */
int pd_open_fd(int fd, const char *name, struct diag *diag, struct perfdata **ret,
	       struct perr *e) MUST_CHECK;
/* As pd_open for bytes in memory, borrowed until pd_close. */
int pd_open_mem(struct span bytes, const char *name, struct diag *diag, struct perfdata **ret,
		struct perr *e) MUST_CHECK;
void pd_close(struct perfdata *pd);

/*
 * Next record in file order: 1, 0 at the end, or a negative code. Records that describe the file
 * itself (HEADER_ATTR, HEADER_FEATURE, EVENT_UPDATE, ...) have been applied to *pd when they are
 * returned. COMPRESSED records are returned too, before what came out of them. After an error no
 * more records come.
 */
int pd_next(struct perfdata *pd, struct pd_record *ret, struct perr *e) MUST_CHECK;

/*
 * Makes the next pd_next() deliver the first record again. Records that describe the file are not
 * applied a second time. Records and blocks that were delivered stay valid as before. pd->counts
 * starts at 0. PERR_UNSUPPORTED for a stream: see pd_can_rewind().
 */
int pd_rewind(struct perfdata *pd, struct perr *e) MUST_CHECK;
/* False for standard input and for streams. */
bool pd_can_rewind(const struct perfdata *pd);

struct pd_block *pd_block_get(struct pd_block *b);
void pd_block_put(struct pd_block *b);

/*
 * Drops mapped pages before file offset `off` of data file `file_idx`, except the bytes that
 * pd_keep_behind() keeps. Dropped pages stay readable, at the price of a fault each.
 */
void pd_forget_before(struct perfdata *pd, u32 file_idx, u64 off);
/*
 * Keeps this many bytes behind the newest mapped record, because worker threads may still read
 * them: a dropped page that is touched again is faulted back in and stays. At least, and without
 * this call, 14 MiB.
 */
void pd_keep_behind(struct perfdata *pd, u64 bytes);
/*
 * Drops every page of the recording from memory: the mapping's and the free blocks'. Call it when
 * no record will be looked at again.
 */
void pd_forget_all(struct perfdata *pd);

#endif
