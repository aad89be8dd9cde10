/* SPDX-License-Identifier: MIT */
/* Shared by the files that open and read a perf.data; for fileformat/ only. */
#ifndef FILEFORMAT_PERFDATA_PRIV_H
#define FILEFORMAT_PERFDATA_PRIV_H

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/block.h"
#include "fileformat/perfdata.h"
#include "fileformat/record.h"

/*
 * One file of records: mapped (or in memory), a stream, or mapped for what describes it and read in
 * blocks for the rest. Positions are file offsets.
 */
struct pd_input {
	u64 pos;      /* of the next unread byte */
	u64 end;      /* where the records end; UINT64_MAX for a stream */
	u64 file_len; /* mapped: bytes that exist */
	const u8 *map;
	bool owns_map;
	bool in_blocks;       /* see input_read_blocks */
	u64 forgotten;        /* pages before this offset have been given back */
	u64 described;        /* records before this offset that describe the file were applied */
	int fd;               /* stream, -1 when mapped; with in_blocks its own */
	struct pd_block *blk; /* stream: bytes [blk_pos, blk_len) are read, not yet consumed */
	size_t blk_pos, blk_len;
	bool eof;
	struct pd_zstd *zstd;
};

/* Maps fd whole (0), or returns -1 where it cannot be mapped and must be streamed. */
int input_map(struct pd_input *in, int fd);
void input_mem(struct pd_input *in, struct span bytes);
void input_stream(struct pd_input *in, int fd);
/*
 * Reads the records of a mapped file from fd from now on, into blocks that stay in the cache. Where
 * records are read whole, this takes less time and memory than faulting in their pages. Does
 * nothing if fd cannot be duplicated.
 */
void input_read_blocks(struct pd_input *in, struct pd_block_pool *pool, int fd);
static inline bool input_is_mapped(const struct pd_input *in)
{
	return in->map && !in->in_blocks;
}
/* Leaves in->zstd alone: zstd_free() it first. */
void input_fini(struct pd_input *in);

/*
 * Makes n bytes at in->pos contiguous: 1 with *ret at them, 0 when the input ends before (what is
 * left is then at *ret, *ret_left bytes), negative on a read error. Does not consume.
 */
int input_peek(struct pd_input *in, struct pd_block_pool *pool, size_t n, const u8 **ret,
	       size_t *ret_left, struct perr *e) MUST_CHECK;
void input_consume(struct pd_input *in, size_t n);
/* Passes over n bytes: 1, 0 when the input ends before. */
int input_skip(struct pd_input *in, struct pd_block_pool *pool, u64 n, struct perr *e) MUST_CHECK;

/* Streaming decompression of one data file's COMPRESSED records. */
struct pd_zstd *zstd_new(void);
void zstd_free(struct pd_zstd *z);
/* Takes the next COMPRESSED record's payload; blk (or NULL) is held until it is used up. */
void zstd_feed(struct pd_zstd *z, struct span payload, u64 off, struct pd_block *blk, u64 limit);
/* Next record out of the fed bytes: 1, 0 when more must be fed, negative on damage. */
int zstd_next(struct pd_zstd *z, struct pd_block_pool *pool, bool swap, struct pd_record *ret,
	      struct perr *e) MUST_CHECK;
/* Bytes of an unfinished record that no later COMPRESSED record completed. */
size_t zstd_left(const struct pd_zstd *z);

struct pd_priv {
	struct pd_input *inputs; /* [0] = data; directories: one more per data.N */
	size_t nr_inputs, cap_inputs;
	u32 cur; /* input being read */
	struct pd_block_pool pool;
	struct pd_block *last_block; /* of the record returned last */
	struct pd_record *primed;    /* read ahead at open (pipes), to be returned first */
	size_t nr_primed, cap_primed, next_primed;
	bool ended;
	bool counted_data; /* record counters are for pd_next, not for priming */
	struct idmap id_to_event;
	u64 zstd_limit; /* most bytes one COMPRESSED record may expand to */
	/* positions of the id in records, in u64s; -1 where it is not recorded (FORMAT.md 2.3) */
	int id_pos_sample, id_pos_trailer;
	void **owned; /* malloc'd payloads of pipe features */
	size_t nr_owned, cap_owned;
	int tmp_fd;
	u64 kept_behind; /* see pd_keep_behind */
};

/* header.c: reads the header of a regular file (header size 72 or 104) mapped in inputs[0]. */
int header_read_regular(struct perfdata *pd, struct perr *e) MUST_CHECK;
/* The form of a header: 16 pipe, 72/104 regular, or negative. Sets swap and version. */
int header_probe(struct perfdata *pd, const u8 *p, size_t n, struct perr *e) MUST_CHECK;

/* describe.c: applies a record that describes the file (HEADER_ATTR, HEADER_FEATURE, ...). */
int describe_apply(struct perfdata *pd, const struct pd_record *r, struct span payload,
		   struct perr *e) MUST_CHECK;
bool describe_is(u32 type);

/* reader.c: reads a pipe's describing records ahead, so that its events are known when it is open.
 */
int reader_prime(struct perfdata *pd, struct perr *e) MUST_CHECK;

/* events.c: filling the store; lookups are in events.h. */
struct pd_event *perfdata_add_event(struct perfdata *pd, const struct pd_attr *attr);
void perfdata_add_id(struct perfdata *pd, struct pd_event *ev, u64 id);
/* After the last event is known: names, id positions. */
void perfdata_finish_events(struct perfdata *pd);
/* Keeps a copy of payload for the life of pd. */
struct span perfdata_keep(struct perfdata *pd, struct span payload);
void perfdata_set_feature(struct perfdata *pd, unsigned int bit, u64 off, struct span data);

#endif
