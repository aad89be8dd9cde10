/* SPDX-License-Identifier: MIT */
/*
 * Reads a perf.data: a regular file, a pipe stream, a directory, or a file of the old PERFFILE
 * format. Gives its events and ids, its feature sections, and its records in file order, with
 * compressed records expanded. Not thread safe: one thread at a time uses a struct perfdata.
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
 * While prec records, the header's event_types section is this mark: {u64 PD_RUNNING_MARK, u64
 * wall clock in ns of the last write} (docs/FORMAT.md 1.7). Its size is that of no list of types.
 */
#define PD_RUNNING_MARK 0x534e555243455250ull /* "PRECRUNS" read as little endian */
#define PD_RUNNING_MARK_SIZE 16

/*
 * One record of a file. With block NULL, data lies in the mapped file and stays valid until
 * pd_close(). Otherwise data stays valid until the next pd_next() call; to keep it longer, take a
 * reference to the block with pd_block_get() and drop it with pd_block_put().
 */
struct pd_block;
struct pd_record {
	u32 type;
	u16 misc;
	u32 size;        /* bytes, with the 8 of the header, as the header says */
	u64 off;         /* file offset; of an expanded record: that of the COMPRESSED record */
	u32 file_idx;    /* of a directory: the number of its data file; 0: `data` */
	const u8 *data;  /* the record, header first */
	u64 payload_len; /* bytes that follow the record (AUXTRACE, TRACING_DATA) */
	struct pd_block *block; /* that holds data; NULL: data is in the mapped file */
	bool compressed;        /* expanded from a COMPRESSED record */
	/* pd_order_next() may have found it on its way; NULL: ask pd_event_of_record() */
	struct pd_event *ev;
	/* of a sample that pd_order_shorten() has made short: its words, size bytes, in place of
	 * data */
	const u64 *words;
};

/* What pd_next() has read since pd_open() or pd_rewind(). */
struct pd_counts {
	u64 nr_records;
	u64 nr_unknown_type; /* records of a type that pd_record_name() does not know */
	u64 nr_short;        /* records smaller than their type needs */
	u64 bytes;
};

/* An open perf.data, made by pd_open() and freed by pd_close(). Users only read the members. */
struct perfdata {
	char *path; /* for messages; "-" for standard input */
	enum pd_kind kind;
	bool swap;   /* the file has the other byte order than this machine */
	u32 version; /* 1: PERFILE2 format, 0: PERFFILE format, as perf prints it */
	u64 header_size, attr_size;
	u64 attrs_off, attrs_size, data_off, data_size; /* file offsets and sizes in bytes */
	u64 feat_off;    /* file offset of the feature section table */
	u64 file_size;   /* bytes; 0 for a pipe */
	s64 mtime;       /* of the file, seconds since the epoch */
	bool unfinished; /* the recorder did not finish: it was killed, or it still runs. Of a
			  * stream it is right when all records have been read */
	bool no_size;    /* the header's data size is 0, which stock perf leaves when killed */
	bool truncated;  /* the file ends before the end of its data section */
	u64 last_write;  /* unfinished: wall clock of the last write, ns; 0: not known */
	u64 last_time;   /* the largest time that pd_order_next() has seen, ns; 0: none */
	u64 features[4]; /* bitmap of feature sections; in a pipe, of HEADER_FEATURE records */
	struct pd_feature feat[PD_NR_FEATURES];
	struct pd_event **events;
	size_t nr_events, cap_events;
	enum text_format format;  /* pd_set_text_format() */
	struct span tracing_data; /* the TRACING_DATA blob (tracing_data.h); empty without one */
	struct pd_counts counts;
	struct diag *diag;
	struct pd_priv *priv;
};

/*
 * Opens a perf.data: path is a file, a directory, or "-" for standard input. Reads the header,
 * attrs, ids and feature sections; of a pipe stream, the describing records at its start. Warnings
 * go to diag, which may be NULL and is used until pd_close(). Returns 0 with *ret, which the caller
 * closes with pd_close(), or a negative code; nothing stays open then.
 */
int pd_open(const char *path, struct diag *diag, struct perfdata **ret, struct perr *e) MUST_CHECK;
/* How a recording is opened; all 0: as pd_open() does. */
struct pd_open_options {
	/*
	 * A regular perf.data that is read from a pipe is copied to a temporary file first, which
	 * may take long: progress, whose total is 0, shows the bytes copied so far. NULL: none.
	 */
	struct progress *progress;
	/* PERR_IO for files that belong neither to root nor to the user (owner_is_trusted()) */
	bool only_trusted;
};
/* Opens a perf.data like pd_open(), with options. */
int pd_open_with(const char *path, const struct pd_open_options *o, struct diag *diag,
		 struct perfdata **ret, struct perr *e) MUST_CHECK;
/* Opens a perf.data like pd_open(), from a descriptor of a file or stream. The caller closes fd
 * after pd_close(). `name` is used in messages. */
int pd_open_fd(int fd, const char *name, struct diag *diag, struct perfdata **ret,
	       struct perr *e) MUST_CHECK;
/* Opens a perf.data like pd_open(), from bytes in memory that stay valid until pd_close(). `name`
 * is used in messages. */
int pd_open_mem(struct span bytes, const char *name, struct diag *diag, struct perfdata **ret,
		struct perr *e) MUST_CHECK;
void pd_close(struct perfdata *pd);

/*
 * Warns in pd->diag if the recorder did not finish, and says from when on records are missing. Call
 * it once, when all records have been read.
 */
void pd_warn_unfinished(const struct perfdata *pd);

/*
 * Reads the next record in file order: returns 1 with *ret, 0 after the last record, or a negative
 * code, after which there are no more records. Records that describe the file (HEADER_ATTR,
 * HEADER_FEATURE, EVENT_UPDATE, ...) are applied to *pd before they are returned. A COMPRESSED
 * record is returned too, followed by the records in it.
 */
int pd_next(struct perfdata *pd, struct pd_record *ret, struct perr *e) MUST_CHECK;

/* Records that lie one behind the other, of types that the kernel writes, and FINISHED_ROUNDs. */
struct pd_run {
	const u8 *p;
	size_t n;               /* bytes */
	u64 nr;                 /* records; each is whole */
	u64 off;                /* as in struct pd_record; of the first record, if not compressed */
	u32 file_idx;           /* as in struct pd_record */
	bool compressed;        /* all of them were expanded, of one COMPRESSED record */
	struct pd_block *block; /* that holds them; NULL: they are in the mapped file */
};
/*
 * Reads the records that follow, up to the first that is no part of a run, or the one that reaches
 * `most` bytes. Returns true with *ret, whose block is the caller's to drop with pd_block_put().
 * False: the next record is none of a run, or there is none, or the file is read in blocks:
 * pd_next() says more. To be called in turns with pd_next(); much faster than that, as it looks
 * only at the sizes of records.
 */
bool pd_next_run(struct perfdata *pd, size_t most, struct pd_run *ret);
/* The record at p, which lies in a run. */
struct pd_record pd_record_in_run(const struct perfdata *pd, const struct pd_run *run, const u8 *p);
/*
 * Bytes of records in all data files, compressed ones as they lie there; of a file that was not
 * finished, those up to its end. 0 for a stream.
 */
u64 pd_data_bytes(const struct perfdata *pd);
/*
 * True if the whole recording lies in memory, mapped or given, after the call: records are then
 * read from there and no longer in blocks. False for a stream.
 */
bool pd_read_from_memory(struct perfdata *pd);

/*
 * Calls on_wait(ctx) each time pd_next() is about to wait for more bytes of a stream, and
 * every 100 ms while it waits: the time to
 * pass on output about the records so far. NULL ends that. Of a file nothing is called.
 */
void pd_on_wait(struct perfdata *pd, void (*on_wait)(void *ctx), void *ctx);

/*
 * Makes the next pd_next() return the first record again. Records that describe the file are not
 * applied a second time. Records and blocks returned before stay valid as documented at struct
 * pd_record. pd->counts restarts at 0. PERR_UNSUPPORTED: pd is a stream, see pd_can_rewind().
 */
int pd_rewind(struct perfdata *pd, struct perr *e) MUST_CHECK;
/* True if pd can be read from the start again: it is not a stream. */
bool pd_can_rewind(const struct perfdata *pd);

/* Returns true if samples of an event have branches that are not a call stack (LBR). */
bool pd_has_branches(const struct perfdata *pd);

/* Adds a reference to a block and returns b. b may be NULL. */
struct pd_block *pd_block_get(struct pd_block *b);
/* Drops a reference to a block; the last one frees or recycles it. b may be NULL. */
void pd_block_put(struct pd_block *b);

/*
 * Drops the mapped pages before file offset `off` of data file `file_idx` from this process's
 * memory, except the bytes that pd_keep_behind() keeps. Dropped pages stay readable: the next
 * access faults them in again.
 */
void pd_forget_before(struct perfdata *pd, u32 file_idx, u64 off);
/*
 * The same, where nothing reads the bytes before `off` any more: all go. One thread at a time may
 * call this, while others read records.
 */
void pd_forget_used(struct perfdata *pd, u32 file_idx, u64 off);
/*
 * Maps the pages of [off, off + n) of a mapped file into memory at once, which spares the thread
 * that reads them a fault for every few. Any thread may call it.
 */
void pd_fault_in(const struct perfdata *pd, u32 file_idx, u64 off, u64 n);
/*
 * Sets how many bytes before the newest record pd_forget_before() keeps in memory. Threads that
 * work on earlier records read them: a page that is dropped too early is faulted in again and then
 * stays in memory. The smallest value is 14 MiB, which is also the default.
 */
void pd_keep_behind(struct perfdata *pd, u64 bytes);
/*
 * Drops every page of the recording from this process's memory: those of the mapped file and of
 * unused blocks. Call it when no record will be read again.
 */
void pd_forget_all(struct perfdata *pd);

#endif
