/* SPDX-License-Identifier: MIT */
#include "fileformat/perfdata_priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fileformat/event_name.h"
#include "fileformat/event_names.h"
#include "fileformat/sample.h"

#define FEAT_TRACING_DATA 1
#define FEAT_COMPRESSED 27
#define PRIME_MAX 4096 /* records read ahead at open: a pipe's describing records come first */

struct pd_event *perfdata_add_event(struct perfdata *pd, const struct pd_attr *attr)
{
	struct pd_event *ev = xcalloc(1, sizeof(*ev));

	ev->attr = *attr;
	ev->idx = ev->leader_idx = (u32)pd->nr_events;
	ev->scale = 1;
	ev->nr_members = 1;
	pd_event_prepare(ev);
	vec_push(pd->events, pd->nr_events, pd->cap_events, ev);
	return ev;
}

void perfdata_add_id(struct perfdata *pd, struct pd_event *ev, u64 id)
{
	vec_push(ev->ids, ev->nr_ids, ev->cap_ids, id);
	if (idmap_get(&pd->priv->id_to_event, id, 0) == IDMAP_NONE)
		idmap_put(&pd->priv->id_to_event, id, 0, ev->idx);
}

void pd_set_text_format(struct perfdata *pd, enum text_format format)
{
	size_t i;

	pd->format = format;
	for (i = 0; i < pd->nr_events; i++) {
		struct pd_event *ev = pd->events[i];

		if (ev->name_given)
			continue;
		free(ev->name);
		ev->name = pd_attr_name(&ev->attr, format);
	}
}

void perfdata_finish_events(struct perfdata *pd)
{
	struct pd_priv *p = pd->priv;
	size_t i;
	u64 t;

	for (i = 0; i < pd->nr_events; i++)
		if (!pd->events[i]->name)
			pd->events[i]->name = pd_attr_name(&pd->events[i]->attr, pd->format);
	p->id_pos_sample = p->id_pos_trailer = -1;
	if (!pd->nr_events)
		return;
	t = pd->events[0]->attr.sample_type;
	if (t & PD_SAMPLE_IDENTIFIER) {
		p->id_pos_sample = 0;
		p->id_pos_trailer = 1;
	} else if (t & PD_SAMPLE_ID) {
		p->id_pos_sample = __builtin_popcountll(t & (PD_SAMPLE_IP | PD_SAMPLE_TID |
							     PD_SAMPLE_TIME | PD_SAMPLE_ADDR));
		p->id_pos_trailer = 1 + __builtin_popcountll(t & (PD_SAMPLE_CPU |
								  PD_SAMPLE_STREAM_ID));
	}
}

struct span perfdata_keep(struct perfdata *pd, struct span payload)
{
	u8 *copy = xmalloc(payload.n);

	if (payload.n)
		memcpy(copy, payload.p, payload.n);
	vec_push(pd->priv->owned, pd->priv->nr_owned, pd->priv->cap_owned, copy);
	return span_of(copy, payload.n);
}

void perfdata_set_feature(struct perfdata *pd, unsigned int bit, u64 off, struct span data)
{
	pd->feat[bit] = (struct pd_feature){ .present = true, .off = off, .data = data };
	if (bit == FEAT_TRACING_DATA)
		pd->tracing_data = data;
	/* u32 version, type, level, ratio, mmap_len */
	if (bit == FEAT_COMPRESSED && data.n >= 20) {
		u64 len = get_u32(data.p + 16, pd->swap);

		if (len > pd->priv->zstd_limit)
			pd->priv->zstd_limit = len;
	}
}

const struct pd_feature *pd_feature_get(const struct perfdata *pd, unsigned int bit)
{
	return bit < PD_NR_FEATURES && pd->feat[bit].present ? &pd->feat[bit] : NULL;
}

bool pd_sample_id_all(const struct perfdata *pd)
{
	return !pd->nr_events || pd_attr_has(&pd->events[0]->attr, PD_ATTR_SAMPLE_ID_ALL);
}

struct pd_event *pd_event_by_id(const struct perfdata *pd, u64 id)
{
	u32 idx;

	if (!pd->nr_events)
		return NULL;
	if (pd->nr_events == 1 || !id)
		return pd->events[0];
	idx = idmap_get(&pd->priv->id_to_event, id, 0);
	if (idx != IDMAP_NONE)
		return pd->events[idx];
	return pd_sample_id_all(pd) ? NULL : pd->events[0];
}

struct pd_event *pd_event_of_record(const struct perfdata *pd, const struct pd_record *rec)
{
	const struct pd_priv *p = pd->priv;
	size_t n = (rec->size - 8) / 8, pos;

	if (pd->nr_events <= 1)
		return pd->nr_events ? pd->events[0] : NULL;
	if (rec->type == PD_RECORD_SAMPLE) {
		if (p->id_pos_sample < 0)
			return pd->events[0];
		pos = (size_t)p->id_pos_sample;
		if (pos >= n)
			return NULL;
	} else {
		if (p->id_pos_trailer < 0 || !pd_sample_id_all(pd))
			return pd->events[0];
		if ((size_t)p->id_pos_trailer > n)
			return NULL;
		pos = n - (size_t)p->id_pos_trailer;
	}
	return pd_event_by_id(pd, get_u64(rec->data + 8 + pos * 8, pd->swap));
}

/* --- records ---------------------------------------------------------------------------------- */

static struct pd_input *cur_input(struct perfdata *pd)
{
	return &pd->priv->inputs[pd->priv->cur];
}

/* Text behind a pipe stream: a program's own output that went into the same pipe. */
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

/* The bytes at the input's position are no record: ends it, as damage or as an expected tail. */
static int end_of_records(struct perfdata *pd, struct pd_input *in, const u8 *p, size_t left,
			  u32 size, struct perr *e)
{
	u64 off = in->pos;

	if (pd->kind == PD_PIPE && pd->counts.nr_records && is_text(p, left)) {
		diag_warn(pd->diag,
			  "%s: text follows the last record at offset %#llx: not read (output of the recorded program in the same pipe?)",
			  pd->path, (unsigned long long)off);
		return 0;
	}
	if (pd->unfinished && all_zero(p, left < 4096 ? left : 4096))
		return 0;
	if (left >= 8 && size < 8)
		return perr_at(e, PERR_FORMAT, off,
			       "record size %u is smaller than the record header of 8 bytes", size);
	pd->truncated = true;
	diag_warn(pd->diag,
		  "%s: the file ends inside the record at offset %#llx (%u bytes, %zu are there): all whole records before it were used",
		  pd->path, (unsigned long long)off, left >= 8 ? size : 8, left);
	return 0;
}

/* Payload length outside a record's header.size. */
static u64 payload_len(const struct perfdata *pd, const struct pd_record *r)
{
	if (r->type == PD_RECORD_AUXTRACE && r->size >= 16)
		return get_u64(r->data + 8, pd->swap);
	if (r->type == PD_RECORD_HEADER_TRACING_DATA && r->size >= 12) {
		u32 len = get_u32(r->data + 8, pd->swap);

		/* simpleperf puts the blob into the record */
		return len > r->size - 12 ? len : 0;
	}
	return 0;
}

/* A blob that lies in its TRACING_DATA record; empty for records of other types. */
static struct span payload_inside(const struct perfdata *pd, const struct pd_record *r)
{
	if (r->type != PD_RECORD_HEADER_TRACING_DATA || r->size < 12)
		return span_of(NULL, 0);
	return span_of(r->data + 12, get_u32(r->data + 8, pd->swap));
}

/* The TRACING_DATA blob that follows its record; kept by describe_apply. */
static int read_tracing_data(struct perfdata *pd, struct pd_input *in, struct pd_record *r,
			     struct perr *e)
{
	size_t left, step = 1 << 20;
	const u8 *p;
	int ret;

	/* the record is at `p` no longer once more bytes are asked for */
	pd_block_get(r->block);
	/* a length that lies must not cost more memory than twice the bytes that come */
	do {
		if (step > r->payload_len)
			step = r->payload_len;
		ret = input_peek(in, &pd->priv->pool, step, &p, &left, e);
	} while (ret == 1 && step < r->payload_len && (step *= 2));
	if (ret >= 0) {
		ret = ret ? describe_apply(pd, r, span_of(p, r->payload_len), e) : 0;
		if (!ret)
			input_consume(in, left < r->payload_len ? left : r->payload_len);
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
	if (left >= 8 && size >= 8) {
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
		.block = in->map ? NULL : in->blk,
	};
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
	if (describe_is(ret->type)) {
		got = describe_apply(pd, ret, payload_inside(pd, ret), e);
		if (got)
			return got;
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
			return perr_at(e, PERR_FORMAT, r->off,
				       "COMPRESSED2 record of %u bytes says it holds %llu", r->size,
				       (unsigned long long)n);
		body = span_of(body.p + 8, (size_t)n);
	}
	if (!in->zstd)
		in->zstd = zstd_new();
	zstd_feed(in->zstd, body, r->off, r->block, pd->priv->zstd_limit);
	return 0;
}

/* Next record of the input being read: 1, 0 at its end, negative on damage. */
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
	if (got == 1 &&
	    (ret->type == PD_RECORD_COMPRESSED || ret->type == PD_RECORD_COMPRESSED2)) {
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
		if (got < 0)
			priv->ended = true;
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
		/* hands its reference over to last_block, as next_raw does */
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

/* Reads a pipe's describing records now, so that its events are known when it is open. */
static int prime(struct perfdata *pd, struct perr *e)
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

/* --- opening ---------------------------------------------------------------------------------- */

static struct perfdata *perfdata_new(const char *path, struct diag *diag)
{
	struct perfdata *pd = xcalloc(1, sizeof(*pd));

	pd->path = xstrdup(path);
	pd->diag = diag;
	pd->priv = xcalloc(1, sizeof(*pd->priv));
	pd->priv->tmp_fd = -1;
	vec_push(pd->priv->inputs, pd->priv->nr_inputs, pd->priv->cap_inputs,
		 ((struct pd_input){ .fd = -1 }));
	return pd;
}

void pd_close(struct perfdata *pd)
{
	struct pd_priv *p;
	size_t i;

	if (!pd)
		return;
	p = pd->priv;
	for (; p->next_primed < p->nr_primed; p->next_primed++)
		pd_block_put(p->primed[p->next_primed].block);
	free(p->primed);
	pd_block_put(p->last_block);
	for (i = 0; i < p->nr_inputs; i++)
		input_fini(&p->inputs[i]);
	free(p->inputs);
	block_pool_fini(&p->pool);
	for (i = 0; i < p->nr_owned; i++)
		free(p->owned[i]);
	free(p->owned);
	idmap_fini(&p->id_to_event);
	if (p->tmp_fd >= 0)
		close(p->tmp_fd);
	free(p);
	for (i = 0; i < pd->nr_events; i++) {
		free(pd->events[i]->ids);
		free(pd->events[i]->name);
		free(pd->events[i]->unit);
		free(pd->events[i]->group_name);
		free(pd->events[i]);
	}
	free(pd->events);
	free(pd->path);
	free(pd);
}

/* A regular file that comes through a stream: its features lie at the end, so it is kept first. */
static int spill(struct perfdata *pd, struct pd_input *in, struct perr *e)
{
	struct pd_priv *priv = pd->priv;
	FILE *tmp = tmpfile();
	size_t left;
	const u8 *p;
	int got;

	if (!tmp)
		return perr_io(e, "cannot make a temporary file for a regular perf.data on a pipe");
	while ((got = input_peek(in, &priv->pool, 1, &p, &left, e)) == 1) {
		if (fwrite(p, 1, left, tmp) != left)
			break;
		input_consume(in, left);
	}
	if (got < 0 || fflush(tmp)) {
		if (got >= 0)
			got = perr_io(e, "cannot write the temporary copy of a perf.data on a pipe");
		fclose(tmp);
		return got;
	}
	priv->tmp_fd = dup(fileno(tmp));
	fclose(tmp);
	input_fini(in);
	if (priv->tmp_fd < 0 || input_map(in, priv->tmp_fd))
		return perr_io(e, "cannot map the temporary copy of a perf.data on a pipe");
	return 0;
}

/* inputs[0] is set up; finds out what it is and reads what describes it. */
static int open_input(struct perfdata *pd, struct perr *e)
{
	struct pd_priv *priv = pd->priv;
	struct pd_input *in = &priv->inputs[0];
	size_t left;
	const u8 *p;
	int ret;

	ret = input_peek(in, &priv->pool, 104, &p, &left, e);
	if (ret < 0)
		return ret;
	ret = header_probe(pd, p, left, e);
	if (ret < 0)
		return ret;
	if (ret == 16) {
		pd->kind = PD_PIPE;
		pd->file_size = in->map ? in->file_len : 0;
		pd->data_off = 16;
		priv->zstd_limit = 64ull << 20;
		perfdata_finish_events(pd);
		input_consume(in, 16);
		ret = prime(pd, e);
	} else {
		pd->kind = PD_REGULAR;
		if (!in->map) {
			ret = spill(pd, in, e);
			if (ret)
				return ret;
		}
		ret = header_read_regular(pd, e);
	}
	if (ret)
		return ret;
	event_names_apply(pd);
	perfdata_finish_events(pd);
	if (pd->unfinished)
		diag_warn(pd->diag,
			  "%s: data size is 0 in the header: the recorder did not finish; reading the records up to the end of the file",
			  pd->path);
	else if (pd->truncated)
		diag_warn(pd->diag,
			  "%s: the header promises %llu bytes of data at offset %#llx, the file has %llu: its end is missing",
			  pd->path, (unsigned long long)pd->data_size,
			  (unsigned long long)pd->data_off,
			  (unsigned long long)(pd->file_size - pd->data_off));
	return 0;
}

static int finish_open(struct perfdata *pd, struct perfdata **ret, struct perr *e)
{
	int err = open_input(pd, e);

	if (err) {
		pd_close(pd);
		return err;
	}
	*ret = pd;
	return 0;
}

int pd_open_mem(struct span bytes, const char *name, struct diag *diag, struct perfdata **ret,
		struct perr *e)
{
	struct perfdata *pd = perfdata_new(name, diag);

	input_mem(&pd->priv->inputs[0], bytes);
	return finish_open(pd, ret, e);
}

int pd_open_fd(int fd, const char *name, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	struct perfdata *pd = perfdata_new(name, diag);
	struct stat st;

	if (!fstat(fd, &st))
		pd->mtime = st.st_mtime;
	if (input_map(&pd->priv->inputs[0], fd))
		input_stream(&pd->priv->inputs[0], fd);
	return finish_open(pd, ret, e);
}

static int add_dir_file(struct perfdata *pd, const char *dir, const char *name, struct perr *e)
{
	struct pd_input in = { .fd = -1 };
	char *path = xasprintf("%s/%s", dir, name);
	struct stat st;
	int fd, ret = 0;

	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		ret = perr_io(e, "cannot open %s", path);
		goto out;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		goto out;
	if (input_map(&in, fd)) {
		ret = perr_io(e, "cannot map %s", path);
		goto out;
	}
	vec_push(pd->priv->inputs, pd->priv->nr_inputs, pd->priv->cap_inputs, in);
out:
	if (fd >= 0)
		close(fd);
	free(path);
	return ret;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strverscmp((*a)->d_name, (*b)->d_name);
}

static int is_data_file(const struct dirent *d)
{
	return !strncmp(d->d_name, "data.", 5);
}

/* perf.data/: `data` has the header, data.N are raw record streams (FORMAT.md 1.10). */
static int open_dir(const char *path, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	char *data = xasprintf("%s/data", path);
	struct dirent **names = NULL;
	struct perfdata *pd = NULL;
	int n, i, err;

	err = pd_open(data, diag, &pd, e);
	free(data);
	if (err)
		return err;
	free(pd->path);
	pd->path = xstrdup(path);
	if (pd->kind == PD_REGULAR)
		pd->kind = PD_DIRECTORY;
	n = scandir(path, &names, is_data_file, by_name);
	if (n < 0)
		err = perr_io(e, "cannot list the directory");
	for (i = 0; i < n; i++) {
		if (!err)
			err = add_dir_file(pd, path, names[i]->d_name, e);
		free(names[i]);
	}
	free(names);
	if (err) {
		pd_close(pd);
		return err;
	}
	*ret = pd;
	return 0;
}

int pd_open(const char *path, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	struct stat st;
	int fd, err;

	if (!strcmp(path, "-"))
		return pd_open_fd(0, path, diag, ret, e);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return perr_io(e, "cannot open");
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		close(fd);
		return open_dir(path, diag, ret, e);
	}
	err = pd_open_fd(fd, path, diag, ret, e);
	/* a stream (fifo, process substitution) is read on: it stays open with the file */
	if (!err && !(*ret)->priv->inputs[0].map && (*ret)->priv->tmp_fd < 0)
		(*ret)->priv->tmp_fd = fd;
	else
		close(fd);
	return err;
}
