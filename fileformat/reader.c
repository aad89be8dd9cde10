/* SPDX-License-Identifier: MIT */
/*
 * Reads the records of an open file in file order: finds their limits, checks for damage and
 * expands compressed records. Sets the file back to its first record.
 */
#include "fileformat/perfdata_priv.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* The most records read when a pipe is opened: the records that describe it come first. */
#define PRIME_MAX 4096

static struct pd_input *cur_input(struct perfdata *pd)
{
	return &pd->priv->inputs[pd->priv->cur];
}

/*
 * True if the bytes are text. Text after a pipe's records is output of the recorded program that
 * went into the same pipe.
 */
static bool is_text(const u8 *p, size_t n)
{
	size_t i;

	if (n > 64)
		n = 64;
	for (i = 0; i < n; i++)
		if ((p[i] < 32 || p[i] > 126) && p[i] != '\n' && p[i] != '\t' && p[i] != '\r')
			return false;
	return n > 0;
}

static bool all_zero(const u8 *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && !p[i]; i++)
		;
	return i == n;
}

/*
 * Ends the input, since the bytes at its position are not a record. Returns an error if the file is
 * damaged, 0 if the end is an expected one.
 */
static int end_of_records(struct perfdata *pd, struct pd_input *in, const u8 *p, size_t left,
			  u32 size, struct perr *e)
{
	u64 off = in->pos;

	if (pd->kind == PD_PIPE && pd->counts.nr_records && is_text(p, left)) {
		diag_warn(pd->diag,
			  "%s: text after the last record, at offset %#llx, is ignored (output of "
			  "the recorded program in the same pipe?)",
			  pd->path, (unsigned long long)off);
		pd->unfinished = false; /* that its end is not seen has another reason */
		return 0;
	}
	if (pd->unfinished && all_zero(p, left < 4096 ? left : 4096))
		return 0;
	if (left >= 8 && size < 8)
		return perr_at(e, PERR_FORMAT, off,
			       "record size %u is smaller than the record header of 8 bytes", size);
	/* the warning about a cut file was given when it was opened, or comes at the end */
	if (pd->unfinished || (pd->truncated && !pd->priv->cur)) {
		pd->truncated = true;
		return 0;
	}
	pd->truncated = true;
	diag_warn(pd->diag,
		  "%s: the file ends inside the record at offset %#llx (after %zu of %u bytes): "
		  "all whole records before it were used",
		  pd->path, (unsigned long long)off, left, left >= 8 ? size : 8);
	return 0;
}

/* Returns the length of the payload that follows a record and is not part of header.size. */
static u64 payload_len(const struct perfdata *pd, const struct pd_record *r)
{
	if (r->type == PD_RECORD_AUXTRACE && r->size >= 16)
		return get_u64(r->data + 8, pd->swap);
	if (r->type == PD_RECORD_HEADER_TRACING_DATA && r->size >= 12) {
		u32 len = get_u32(r->data + 8, pd->swap);

		/* simpleperf puts the payload into the record */
		return len > r->size - 12 ? len : 0;
	}
	return 0;
}

/* Returns the payload inside a TRACING_DATA record; empty for records of other types. */
static struct span payload_inside(const struct perfdata *pd, const struct pd_record *r)
{
	if (r->type != PD_RECORD_HEADER_TRACING_DATA || r->size < 12)
		return span_of(NULL, 0);
	return span_of(r->data + 12, get_u32(r->data + 8, pd->swap));
}

/* Reads the payload that follows a TRACING_DATA record. describe_apply() keeps it. */
static int read_tracing_data(struct perfdata *pd, struct pd_input *in, struct pd_record *r,
			     struct perr *e)
{
	size_t left, step = 1 << 20;
	const u8 *p;
	int ret;

	/* reading more bytes may free the block that contains the record */
	pd_block_get(r->block);
	/*
	 * read in growing steps: a wrong length must not take more memory than twice the bytes that
	 * exist
	 */
	do {
		if (step > r->payload_len)
			step = r->payload_len;
		ret = input_peek(in, &pd->priv->pool, step, &p, &left, e);
	} while (ret == 1 && step < r->payload_len && (step *= 2));
	if (ret >= 0) {
		ret = ret && r->off >= in->described
			      ? describe_apply(pd, r, span_of(p, r->payload_len), e)
			      : 0;
		if (!ret)
			input_consume(in, left < r->payload_len ? left : r->payload_len);
		if (in->described < in->pos)
			in->described = in->pos;
		ret = ret < 0 ? ret : 1;
	}
	pd_block_put(pd->priv->last_block);
	pd->priv->last_block = r->block;
	return ret;
}

static int next_raw(struct perfdata *pd, struct pd_record *ret, struct perr *e)
{
	struct pd_priv *priv = pd->priv;
	struct pd_input *in = cur_input(pd);
	const u8 *p;
	size_t left;
	u32 size;
	int got;

	got = input_peek(in, &priv->pool, 8, &p, &left, e);
	if (got < 0)
		return got;
	if (!left)
		return 0;
	size = left >= 8 ? get_u16(p + 6, pd->swap) : 0;
	if (left >= 8 && size >= 8 && left < size) {
		got = input_peek(in, &priv->pool, size, &p, &left, e);
		if (got < 0)
			return got;
	}
	if (left < 8 || size < 8 || left < size)
		return end_of_records(pd, in, p, left, size, e);
	*ret = (struct pd_record){
		.type = get_u32(p, pd->swap),
		.misc = get_u16(p + 4, pd->swap),
		.size = size,
		.off = in->pos,
		.file_idx = priv->cur,
		.data = p,
		.block = input_is_mapped(in) ? NULL : in->blk,
	};
	if (input_is_mapped(in))
		reader_fetch_ahead(p, size);
	ret->payload_len = payload_len(pd, ret);
	input_consume(in, size);
	if (ret->type == PD_RECORD_HEADER_TRACING_DATA && ret->payload_len)
		return read_tracing_data(pd, in, ret, e);
	pd_block_get(ret->block);
	pd_block_put(priv->last_block);
	priv->last_block = ret->block;
	if (ret->payload_len) {
		got = input_skip(in, &priv->pool, ret->payload_len, e);
		if (got < 0)
			return got;
		if (!got) {
			pd->truncated = true;
			diag_warn(pd->diag, "%s: the AUX area data at offset %#llx is cut off",
				  pd->path, (unsigned long long)ret->off);
		}
	}
	if (describe_is(ret->type) && ret->off >= in->described) {
		got = describe_apply(pd, ret, payload_inside(pd, ret), e);
		if (got)
			return got;
		in->described = in->pos;
	}
	return 1;
}

static int feed_compressed(struct perfdata *pd, const struct pd_record *r, struct perr *e)
{
	struct pd_input *in = cur_input(pd);
	struct span body = pd_record_body(r);

	if (r->type == PD_RECORD_COMPRESSED2) {
		u64 n = body.n >= 8 ? get_u64(body.p, pd->swap) : 0;

		if (body.n < 8 || n > body.n - 8)
			return perr_at(
				e, PERR_FORMAT, r->off,
				"COMPRESSED2 record of %u bytes claims a payload of %llu bytes",
				r->size, (unsigned long long)n);
		body = span_of(body.p + 8, (size_t)n);
	}
	if (!in->zstd)
		in->zstd = zstd_new();
	zstd_feed(in->zstd, body, r->off, r->block, pd->priv->zstd_limit);
	return 0;
}

/*
 * Reads the next record of the current input. Returns 1, 0 at the end of the input, or a negative
 * error.
 */
static int next_of_input(struct perfdata *pd, struct pd_record *ret, struct perr *e)
{
	struct pd_input *in = cur_input(pd);
	int got;

	if (in->zstd) {
		got = zstd_next(in->zstd, &pd->priv->pool, pd->swap, ret, e);
		if (got) {
			ret->file_idx = pd->priv->cur;
			return got;
		}
	}
	got = next_raw(pd, ret, e);
	if (got == 1 && (ret->type == PD_RECORD_COMPRESSED || ret->type == PD_RECORD_COMPRESSED2)) {
		int err = feed_compressed(pd, ret, e);

		if (err)
			return err;
	}
	if (!got && zstd_left(in->zstd)) {
		pd->truncated = true;
		diag_warn(pd->diag, "%s: the compressed records end inside a record (%zu bytes)",
			  pd->path, zstd_left(in->zstd));
	}
	return got;
}

static int next_unprimed(struct perfdata *pd, struct pd_record *ret, struct perr *e)
{
	struct pd_priv *priv = pd->priv;
	int got;

	while (!priv->ended) {
		got = next_of_input(pd, ret, e);
		if (got < 0) {
			priv->ended = true;
			pd->unfinished &= pd->kind != PD_PIPE; /* its end was not read */
		}
		if (got)
			return got;
		if (priv->cur + 1 >= priv->nr_inputs)
			priv->ended = true;
		else
			priv->cur++;
	}
	return 0;
}

int pd_next(struct perfdata *pd, struct pd_record *ret, struct perr *e)
{
	struct pd_priv *priv = pd->priv;
	int got;

	if (priv->next_primed < priv->nr_primed) {
		*ret = priv->primed[priv->next_primed++];
		/* the record's reference to its block is moved to last_block, as in next_raw() */
		pd_block_put(priv->last_block);
		priv->last_block = ret->block;
		got = 1;
	} else {
		got = next_unprimed(pd, ret, e);
	}
	if (got == 1) {
		pd->counts.nr_records++;
		pd->counts.bytes += ret->size;
		if (!pd_record_name(ret->type))
			pd->counts.nr_unknown_type++;
	}
	return got;
}

bool pd_can_rewind(const struct perfdata *pd)
{
	return pd->file_size && pd->priv->inputs[0].map && strcmp(pd->path, "-");
}

static void rewind_input(struct pd_input *in, u64 first)
{
	zstd_free(in->zstd);
	in->zstd = NULL;
	pd_block_put(in->blk);
	in->blk = NULL;
	in->blk_pos = in->blk_len = 0;
	in->eof = false;
	in->forgotten = 0;
	in->pos = first;
}

int pd_rewind(struct perfdata *pd, struct perr *e)
{
	struct pd_priv *priv = pd->priv;

	if (!pd_can_rewind(pd))
		return perr_set(e, PERR_UNSUPPORTED, "a stream cannot be read a second time");
	for (; priv->next_primed < priv->nr_primed; priv->next_primed++)
		pd_block_put(priv->primed[priv->next_primed].block);
	pd_block_put(priv->last_block);
	priv->last_block = NULL;
	for (size_t i = 0; i < priv->nr_inputs; i++)
		rewind_input(&priv->inputs[i], i ? 0 : pd->data_off);
	priv->cur = 0;
	priv->ended = false;
	pd->counts = (struct pd_counts){ 0 };
	return 0;
}

void reader_peek_bytes(const struct perfdata *pd, struct reader_bytes *ret)
{
	const struct pd_priv *priv = pd->priv;
	const struct pd_input *in = &priv->inputs[priv->cur];

	*ret = (struct reader_bytes){ .file_idx = priv->cur };
	if (priv->ended || priv->next_primed < priv->nr_primed)
		return;
	if (in->zstd) {
		struct span s = zstd_bytes(in->zstd, &ret->block, &ret->off);

		ret->p = s.p;
		ret->n = s.n;
		ret->compressed = true;
		return;
	}
	ret->off = in->pos;
	ret->is_mapped = input_is_mapped(in);
	if (ret->is_mapped) {
		ret->p = in->map + in->pos;
		ret->n = in->pos < in->end ? (size_t)(in->end - in->pos) : 0;
	} else if (in->blk) {
		ret->p = in->blk->bytes + in->blk_pos;
		ret->n = in->blk_len - in->blk_pos;
		ret->block = in->blk;
	}
}

void reader_skip(struct perfdata *pd, u64 nr, size_t n)
{
	struct pd_input *in = cur_input(pd);

	if (in->zstd)
		zstd_consume(in->zstd, n);
	else
		input_consume(in, n);
	pd->counts.nr_records += nr;
	pd->counts.bytes += n;
}

/* Counts the records at p that can be in a run; *ret_bytes is their size. */
static ALWAYS_INLINE u64 run_at(const u8 *p, size_t left, size_t most, bool swap, size_t *ret_bytes,
				u64 *nr_unknown)
{
	const size_t ahead = 1024;
	size_t at = 0;
	u64 nr = 0;

	while (left - at >= 8 && at < most) {
		u32 type = get_u32(p + at, swap), size = get_u16(p + at + 6, swap);

		if (type >= PD_RECORD_HEADER_ATTR && type != PD_RECORD_FINISHED_ROUND)
			break;
		if (size < 8 || size > left - at)
			break;
		__builtin_prefetch((const void *)((uintptr_t)p + at + ahead));
		if (type > PD_RECORD_CALLCHAIN_DEFERRED || !type)
			*nr_unknown += !pd_record_name(type);
		at += size;
		nr++;
	}
	*ret_bytes = at;
	return nr;
}

bool pd_next_run(struct perfdata *pd, size_t most, struct pd_run *ret)
{
	u64 *nr_unknown = &pd->counts.nr_unknown_type;
	struct reader_bytes b;
	struct pd_run r;

	reader_peek_bytes(pd, &b);
	r = (struct pd_run){
		.p = b.p, .off = b.off, .file_idx = b.file_idx, .compressed = b.compressed
	};
	r.nr = pd->swap ? run_at(b.p, b.n, most, true, &r.n, nr_unknown)
			: run_at(b.p, b.n, most, false, &r.n, nr_unknown);
	if (!r.nr)
		return false;
	reader_skip(pd, r.nr, r.n);
	r.block = pd_block_get(b.block);
	*ret = r;
	return true;
}

struct pd_record pd_record_in_run(const struct perfdata *pd, const struct pd_run *run, const u8 *p)
{
	return (struct pd_record){
		.type = get_u32(p, pd->swap),
		.misc = get_u16(p + 4, pd->swap),
		.size = get_u16(p + 6, pd->swap),
		.off = run->compressed ? run->off : run->off + (u64)(p - run->p),
		.file_idx = run->file_idx,
		.data = p,
		.block = run->block,
		.compressed = run->compressed,
	};
}

/* Reads the records that describe a pipe, so that its events are known as soon as it is open. */
int reader_prime(struct perfdata *pd, struct perr *e)
{
	struct pd_priv *priv = pd->priv;
	struct pd_record r;
	int got;

	do {
		got = next_unprimed(pd, &r, e);
		if (got < 0)
			return got;
		if (!got)
			break;
		pd_block_get(r.block);
		vec_push(priv->primed, priv->nr_primed, priv->cap_primed, r);
	} while (r.type >= PD_RECORD_HEADER_ATTR && r.type != PD_RECORD_COMPRESSED &&
		 r.type != PD_RECORD_COMPRESSED2 && priv->nr_primed < PRIME_MAX);
	return 0;
}
