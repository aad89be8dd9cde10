/* SPDX-License-Identifier: MIT */
/* Internals of struct perfdata, shared by the files that open and read one. For fileformat/ only.
 */
#ifndef FILEFORMAT_PERFDATA_PRIV_H
#define FILEFORMAT_PERFDATA_PRIV_H

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/block.h"
#include "fileformat/perfdata.h"
#include "fileformat/record.h"

/*
 * A file of records. It is mapped (or lies in memory), or read as a stream, or its header is read
 * from a mapping and its records are read in blocks. Positions are file offsets in bytes.
 */
struct pd_input {
	u64 pos;                 /* position of the next unread byte */
	u64 end;                 /* position of the end of the records; UINT64_MAX for a stream */
	u64 file_len;            /* of a mapped file */
	const u8 *map;           /* NULL for a stream */
	bool owns_map;           /* input_fini() unmaps it */
	bool in_blocks;          /* records are read in blocks, see input_read_blocks() */
	u64 forgotten;           /* mapped pages before this offset have been dropped from memory */
	u64 described;           /* describing records before this offset have been applied */
	int fd;                  /* of a stream, borrowed; with in_blocks a duplicate; else -1 */
	struct pd_block *blk;    /* the block that is being read */
	size_t blk_pos, blk_len; /* bytes [blk_pos, blk_len) of blk are not consumed yet */
	bool eof;
	void (*on_wait)(void *ctx); /* see pd_on_wait(); NULL: nobody asked */
	void *on_wait_ctx;
	struct pd_zstd *zstd; /* decompressor, NULL before the first COMPRESSED record */
};

/* Maps the whole file fd and returns 0, or returns -1 if it cannot be mapped (a pipe, say). */
int input_map(struct pd_input *in, int fd);
/* Reads from bytes in memory, which are borrowed until input_fini(). */
void input_mem(struct pd_input *in, struct span bytes);
/* Reads fd as a stream. */
void input_stream(struct pd_input *in, int fd);
/*
 * Makes a mapped input read its further records from fd into recycled blocks instead. If whole
 * records are read, this takes less time and memory than page faults, since the blocks stay in the
 * CPU's cache. Does nothing if fd cannot be duplicated.
 */
void input_read_blocks(struct pd_input *in, struct pd_block_pool *pool, int fd);
/* Records are not read in blocks any more where the file is mapped. */
void input_read_mapped(struct pd_input *in);
/* True if records lie in the mapping (or in memory) and not in blocks. */
static inline bool input_is_mapped(const struct pd_input *in)
{
	return in->map && !in->in_blocks;
}
/* Unmaps and closes what the input owns. It does not free in->zstd: call zstd_free() first. */
void input_fini(struct pd_input *in);

/*
 * Gives access to the next n bytes without consuming them. Returns 1 with *ret at n contiguous
 * bytes, 0 if the input ends earlier (the *ret_left bytes left are then at *ret), or a negative
 * code if reading fails.
 */
int input_peek(struct pd_input *in, struct pd_block_pool *pool, size_t n, const u8 **ret,
	       size_t *ret_left, struct perr *e) MUST_CHECK;
/* Moves n bytes on; input_peek() has shown that they exist. */
void input_consume(struct pd_input *in, size_t n);
/* Skips n bytes: returns 1, 0 if the input ends earlier, or a negative code if reading fails. */
int input_skip(struct pd_input *in, struct pd_block_pool *pool, u64 n, struct perr *e) MUST_CHECK;

/* Makes a decompressor for the COMPRESSED records of one data file. */
struct pd_zstd *zstd_new(void);
void zstd_free(struct pd_zstd *z);
/*
 * Adds the payload of the next COMPRESSED record, which begins at file offset `off` and may expand
 * to at most `limit` bytes. A reference to blk, the block that holds the payload (or NULL), is kept
 * until all of it is decompressed.
 */
void zstd_feed(struct pd_zstd *z, struct span payload, u64 off, struct pd_block *blk, u64 limit);
/* Returns 1 with the next decompressed record, 0 if zstd_feed() must be called first, or a negative
 * code if the data is damaged. */
int zstd_next(struct pd_zstd *z, struct pd_block_pool *pool, bool swap, struct pd_record *ret,
	      struct perr *e) MUST_CHECK;
/* Returns the expanded bytes that zstd_next() has not returned yet, and their block in *ret_block.
 */
struct span zstd_bytes(const struct pd_zstd *z, struct pd_block **ret_block, u64 *ret_off);
/* Moves n of them on. */
void zstd_consume(struct pd_zstd *z, size_t n);
/* Returns how many bytes of an incomplete record are left over after the last zstd_next(). */
size_t zstd_left(const struct pd_zstd *z);

struct pd_priv {
	struct pd_input *inputs; /* [0]: `data`; a directory has one more for each data.N */
	size_t nr_inputs, cap_inputs;
	u32 cur; /* the input that is being read */
	struct pd_block_pool pool;
	struct pd_block *last_block; /* of the record returned last, held until the next call */
	struct pd_record *primed;    /* records read by reader_prime(), to be returned first */
	size_t nr_primed, cap_primed, next_primed;
	bool ended;               /* pd_next() has reported the end or an error */
	bool counted_data;        /* pd->counts counts; false while reader_prime() reads ahead */
	struct idmap id_to_event; /* key: event id, 0; value: the event's idx */
	struct pd_event_cache recent; /* of the thread that reads */
	u64 zstd_limit;               /* bytes that one COMPRESSED record may expand to */
	/* Position of the event's id, in u64s: in a SAMPLE from the body's start, in other records
	 * from the end; -1 if records carry no id (docs/FORMAT.md 2.3). */
	int id_pos_sample, id_pos_trailer;
	void **owned; /* malloc'd payloads that perfdata_keep() made */
	size_t nr_owned, cap_owned;
	int tmp_fd;      /* of the copy that a regular file from a pipe is read from, else -1 */
	u64 kept_behind; /* bytes, see pd_keep_behind() */
};

/* Reads the header of a regular file (of 72 or 104 bytes), which is mapped in inputs[0]. */
int header_read_regular(struct perfdata *pd, struct perr *e) MUST_CHECK;
/* Returns the kind of header in the first n bytes of a file: 16 for a pipe, 72 or 104 for a regular
 * file, or a negative code. Sets pd->swap and pd->version. */
int header_probe(struct perfdata *pd, const u8 *p, size_t n, struct perr *e) MUST_CHECK;

/* Applies a record that describes the file (HEADER_ATTR, HEADER_FEATURE, ...) to *pd. payload: the
 * bytes that follow the record (pd_record.payload_len). */
int describe_apply(struct perfdata *pd, const struct pd_record *r, struct span payload,
		   struct perr *e) MUST_CHECK;
/* True if records of this type describe the file: describe_apply() takes them. */
bool describe_is(u32 type);

/* Reads the describing records at the start of a pipe ahead, so that its events are known when
 * pd_open() returns. pd_next() returns these records first. */
int reader_prime(struct perfdata *pd, struct perr *e) MUST_CHECK;

/* Bytes in memory that the next records of the file lie in; the last record may not be whole. */
struct reader_bytes {
	const u8 *p;
	size_t n;
	u64 off; /* file offset of p; with compressed: of the COMPRESSED record */
	u32 file_idx;
	struct pd_block *block; /* as of struct pd_record */
	bool compressed, is_mapped;
};
/*
 * Gives these bytes to a caller that goes through the records by itself, instead of calling
 * pd_next(): n is 0 where only pd_next() knows on. The caller takes kernel records only (types
 * below 64) and calls reader_skip() before anything else.
 */
void reader_peek_bytes(const struct perfdata *pd, struct reader_bytes *ret);
/* Moves on by nr records, which take n bytes. */
void reader_skip(struct perfdata *pd, u64 nr, size_t n);
/*
 * Prefetches the bytes of a mapped file 8 KiB after a record: going from header to header would
 * miss the cache each time. Prefetching past the end of the mapping is harmless.
 */
static inline void reader_fetch_ahead(const u8 *p, u32 size)
{
	const uintptr_t ahead = (uintptr_t)p + 8192, line = 64, most = 2048;

	__builtin_prefetch((const void *)ahead);
	__builtin_prefetch((const void *)(ahead + line));
	/* longer records contain copies of stacks and the like, of which little is read */
	for (uintptr_t at = 2 * line; at < size && size <= most; at += line)
		__builtin_prefetch((const void *)(ahead + at));
}

/* As pd_event_by_id(), without a call for ids that were asked for lately. */
static inline struct pd_event *recent_event(const struct perfdata *pd, u64 id)
{
	const struct pd_event_cache *c = &pd->priv->recent;
	const struct pd_recent_id *recent = &c->recent[id % ARRAY_SIZE(c->recent)];

	/* an id of 0 and the ids of files with one event are never kept there */
	return recent->ev && recent->id == id ? recent->ev : pd_event_by_id(pd, id);
}

/* Adds an event to pd and returns it. */
struct pd_event *perfdata_add_event(struct perfdata *pd, const struct pd_attr *attr);
/* Adds an id to an event of pd. */
void perfdata_add_id(struct perfdata *pd, struct pd_event *ev, u64 id);
/* Computes names of events and the positions of ids in records, after events were added. */
void perfdata_finish_events(struct perfdata *pd);
/* Copies payload and returns the copy, which is freed by pd_close(). */
struct span perfdata_keep(struct perfdata *pd, struct span payload);
/* Sets feature section `bit` of pd. `off` is its file offset, 0 in a pipe; data is borrowed. */
void perfdata_set_feature(struct perfdata *pd, unsigned int bit, u64 off, struct span data);

#endif
