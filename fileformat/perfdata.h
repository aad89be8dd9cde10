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
#include "fileformat/attr.h"

enum pd_kind { PD_REGULAR, PD_PIPE, PD_DIRECTORY };

#define PD_NR_FEATURES 256

/* What decoding a record of an event needs to know of its attr, worked out once. */
struct pd_event_layout {
	u16 sample_fixed; /* bytes of the fields of fixed size that a SAMPLE starts with */
	u16 trailer;      /* bytes of the sample_id_all trailer, 0 without one */
	u16 time_sample;  /* of the time in a SAMPLE, from the record's start; 0 when untimed */
	u16 time_trailer; /* of the time in other records, from the record's end; 0 when untimed */
	u16 nr_regs_user, nr_regs_intr;
	bool simple; /* a SAMPLE holds nothing after its call chain */
};

/* One event of the file: its attr, the ids its records carry, and its name. */
struct pd_event {
	struct pd_attr attr;
	u64 *ids;
	size_t nr_ids, cap_ids;
	char *name;      /* never NULL: from EVENT_DESC, EVENT_UPDATE, else from the attr */
	bool name_given; /* the file names it */
	char *unit;      /* EVENT_UPDATE; NULL when none */
	double scale;
	u32 idx;        /* position among the file's events */
	u32 leader_idx; /* group leader's idx (GROUP_DESC), else idx */
	u32 nr_members; /* of a leader: members with itself; 0 for a member */
	char *group_name;
	struct pd_event_layout layout; /* pd_event_prepare() */
};

/* A feature section's payload. In pipes it comes with a HEADER_FEATURE record. */
struct pd_feature {
	bool present;
	u64 off;          /* file offset of the payload, 0 in pipes */
	struct span data; /* borrowed from the perfdata; empty for flag features */
};

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
 * progress (NULL allowed; its total is 0) is told of it.
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
 * Names the events that the file does not name as that perf does (TEXT_PERF_7_2 before), those that
 * are still to come as well. pd->format also decides other text about the file.
 */
void pd_set_text_format(struct perfdata *pd, enum text_format format);

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

/* Mapped pages before file offset `off` of data file `file_idx` are not needed soon. */
void pd_forget_before(struct perfdata *pd, u32 file_idx, u64 off);
/*
 * How far behind the record that was delivered last users may still look at others, which would
 * fault mapped pages in for good once they are given back. 14 MiB where nobody says more.
 */
void pd_keep_behind(struct perfdata *pd, u64 bytes);
/* No page of the recording that was mapped or read is. */
void pd_forget_all(struct perfdata *pd);

/* Payload of feature `bit`, NULL when the file has none. */
const struct pd_feature *pd_feature_get(const struct perfdata *pd, unsigned int bit);

/*
 * The event a record belongs to, by the id it carries; the first event where ids are not recorded;
 * NULL when the id is of no event. Source: FORMAT.md 2.3.
 */
struct pd_event *pd_event_of_record(const struct perfdata *pd, const struct pd_record *rec);
struct pd_event *pd_event_by_id(const struct perfdata *pd, u64 id);

/* True when every event asks for sample_id_all trailers (or the file has no event). */
bool pd_sample_id_all(const struct perfdata *pd);

/* True when some event's samples carry copies of user stacks (PERF_SAMPLE_STACK_USER). */
bool pd_has_stack_copies(const struct perfdata *pd);

#endif
