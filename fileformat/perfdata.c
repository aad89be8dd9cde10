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
#include "fileformat/feature.h"
#include "fileformat/sample.h"

#define FEAT_TRACING_DATA 1
#define FEAT_COMPRESSED 27

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
		p->id_pos_sample = __builtin_popcountll(
			t & (PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ADDR));
		p->id_pos_trailer =
			1 + __builtin_popcountll(t & (PD_SAMPLE_CPU | PD_SAMPLE_STREAM_ID));
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

bool pd_has_stack_copies(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.sample_type & PD_SAMPLE_STACK_USER)
			return true;
	return false;
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

static struct perfdata *perfdata_new(const char *path, struct diag *diag)
{
	struct perfdata *pd = xcalloc(1, sizeof(*pd));

	pd->path = xstrdup(path);
	pd->diag = diag;
	pd->priv = xcalloc(1, sizeof(*pd->priv));
	pd->priv->tmp_fd = -1;
	block_pool_init(&pd->priv->pool);
	pd_keep_behind(pd, 0);
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
	block_pool_clear(&p->pool);
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
static int spill(struct perfdata *pd, struct pd_input *in, struct progress *progress,
		 struct perr *e)
{
	struct pd_priv *priv = pd->priv;
	FILE *tmp = tmpfile();
	u64 done = 0;
	size_t left;
	const u8 *p;
	int got;

	if (!tmp)
		return perr_io(e, "cannot make a temporary file for a regular perf.data on a pipe");
	while ((got = input_peek(in, &priv->pool, 1, &p, &left, e)) == 1) {
		if (fwrite(p, 1, left, tmp) != left)
			break;
		input_consume(in, left);
		done += left;
		if (progress)
			progress_update(progress, done);
	}
	if (got < 0 || fflush(tmp)) {
		if (got >= 0)
			got = perr_io(e,
				      "cannot write the temporary copy of a perf.data on a pipe");
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
static int open_input(struct perfdata *pd, struct progress *progress, struct perr *e)
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
		ret = reader_prime(pd, e);
	} else {
		pd->kind = PD_REGULAR;
		if (!in->map) {
			ret = spill(pd, in, progress, e);
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
			  "%s: data size is 0 in the header: the recorder did not finish; reading "
			  "the records up to the end of the file",
			  pd->path);
	else if (pd->truncated && pd->kind != PD_PIPE) /* whose header promises nothing */
		diag_warn(
			pd->diag,
			"%s: the header promises %llu bytes of data at offset %#llx, the file has "
			"%llu: its end is missing",
			pd->path, (unsigned long long)pd->data_size,
			(unsigned long long)pd->data_off,
			(unsigned long long)(pd->file_size - pd->data_off));
	return 0;
}

static int finish_open(struct perfdata *pd, struct progress *progress, struct perfdata **ret,
		       struct perr *e)
{
	int err = open_input(pd, progress, e);

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
	return finish_open(pd, NULL, ret, e);
}

/* Whether records are looked at as a whole: of copies of stacks a part is, of AUX data nothing. */
static bool reads_all(const struct perfdata *pd)
{
	if (pd->kind != PD_REGULAR || !pd->priv->inputs[0].owns_map ||
	    pd_feature_get(pd, PD_FEAT_COMPRESSED) || pd_feature_get(pd, PD_FEAT_AUXTRACE))
		return false;
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.sample_type & PD_SAMPLE_STACK_USER)
			return false;
	return true;
}

static int open_fd(int fd, const char *name, struct progress *progress, struct diag *diag,
		   struct perfdata **ret, struct perr *e)
{
	struct perfdata *pd = perfdata_new(name, diag);
	struct stat st;
	int err;

	if (!fstat(fd, &st))
		pd->mtime = st.st_mtime;
	if (input_map(&pd->priv->inputs[0], fd))
		input_stream(&pd->priv->inputs[0], fd);
	err = finish_open(pd, progress, ret, e);
	if (!err && reads_all(pd))
		input_read_blocks(&pd->priv->inputs[0], &pd->priv->pool,
				  pd->priv->tmp_fd >= 0 ? pd->priv->tmp_fd : fd);
	return err;
}

int pd_open_fd(int fd, const char *name, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	return open_fd(fd, name, NULL, diag, ret, e);
}

static int add_dir_file(struct perfdata *pd, const char *dir, const char *name, struct perr *e)
{
	struct pd_input in = { .fd = -1 };
	char *path = xasprintf("%s/%s", dir, name);
	struct stat st;
	int fd, ret = 0;

	/* O_NONBLOCK: a fifo of that name is passed over, not waited for */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
	if (err) {
		perr_prefix(e, "its file 'data'");
		return err;
	}
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

/* Whoever names no file may not have recorded anything yet. */
static int cannot_open(const char *path, struct perr *e)
{
	bool none_yet = errno == ENOENT && !strcmp(path, "perf.data");
	int code = perr_io(e, "cannot open");
	size_t len;

	if (none_yet && e) {
		len = strlen(e->text);
		snprintf(e->text + len, sizeof(e->text) - len,
			 " (prec makes one, -i names another)");
	}
	return code;
}

int pd_open_shown(const char *path, struct progress *progress, struct diag *diag,
		  struct perfdata **ret, struct perr *e)
{
	struct stat st;
	int fd, err;

	if (!strcmp(path, "-")) {
		if (isatty(STDIN_FILENO))
			return perr_set(e, PERR_USAGE,
					"standard input is a terminal, not a recording");
		return open_fd(STDIN_FILENO, path, progress, diag, ret, e);
	}
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return cannot_open(path, e);
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode)) {
		close(fd);
		return open_dir(path, diag, ret, e);
	}
	err = open_fd(fd, path, progress, diag, ret, e);
	/* a stream (fifo, process substitution) is read on: it stays open with the file */
	if (!err && !(*ret)->priv->inputs[0].map && (*ret)->priv->tmp_fd < 0)
		(*ret)->priv->tmp_fd = fd;
	else
		close(fd);
	return err;
}

int pd_open(const char *path, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	return pd_open_shown(path, NULL, diag, ret, e);
}
