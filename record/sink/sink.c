/* SPDX-License-Identifier: MIT */
#include "record/sink/sink.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "fileformat/write/compress.h"
#include "record/sink/sink_file.h"
#include "record/sink/sink_path.h"
#include "record/sink/sink_thread.h"

/* The header is updated when the last update is this old. */
#define COMMIT_MS 20u
/* Limit of bytes that wait for the thread: about 100 ms of the heaviest sampling. */
#define MAX_QUEUED (64u << 20)

struct rec_sink {
	struct rec_sink_opts o; /* path is the sink's own copy */
	struct sink_file file;
	int fd;
	struct pd_packer *packer; /* NULL: no compression */
	struct wbuf packed;
	struct sink_thread *thread;
	u64 committed_ns;
	bool limit_returned;
	u64 last_stamp; /* time in the name of the last completed file */
	char **kept;    /* names of completed files, oldest first */
	size_t nr_kept, cap_kept;
	struct perr err; /* code 0: no error; otherwise nothing more is written */
	pthread_mutex_t stat_lock;
	struct rec_sink_stat stat;
};

static void sink_count_bytes(struct rec_sink *s, u64 raw, u64 packed)
{
	pthread_mutex_lock(&s->stat_lock);
	s->stat.raw_bytes += raw;
	s->stat.compressed_bytes += packed;
	s->stat.data_bytes = sink_file_data_bytes(&s->file);
	s->stat.writes = s->file.writes;
	pthread_mutex_unlock(&s->stat_lock);
}

static int sink_give_error(const struct rec_sink *s, struct perr *e)
{
	if (s->err.code && e)
		*e = s->err;
	return s->err.code;
}

/*
 * Handles a write error: makes what was written so far readable, as far as the disk permits, and
 * adds its size to the error. All later data is dropped.
 */
static int sink_give_up(struct rec_sink *s, const struct perr *why, struct perr *e)
{
	size_t len;

	s->err = *why;
	if (!s->file.is_stream) {
		(void)!sink_file_commit(&s->file, NULL);
		len = strlen(s->err.text);
		snprintf(s->err.text + len, sizeof(s->err.text) - len,
			 "; the first %llu bytes of the recording are kept and readable",
			 (unsigned long long)(s->file.end - s->file.layout.data_off));
	}
	return sink_give_error(s, e);
}

static int commit_when_due(struct rec_sink *s, bool at_once, struct perr *e)
{
	struct perr why;
	u64 now;

	if (s->file.is_stream)
		return 0;
	now = now_ns();
	if (!at_once && now - s->committed_ns < COMMIT_MS * 1000000ull)
		return 0;
	if (sink_file_commit(&s->file, &why))
		return sink_give_up(s, &why, e);
	s->committed_ns = now;
	sink_count_bytes(s, 0, 0);
	return 0;
}

static int write_parts(struct rec_sink *s, const struct span *parts, int nr, bool raw,
		       struct perr *e)
{
	struct perr why;
	u64 total = 0;
	int i, err = 0;

	for (i = 0; i < nr; i++)
		total += parts[i].n;
	if (!total)
		return 0;
	if (raw || !s->packer) {
		err = sink_file_write(&s->file, parts, nr, &why);
		sink_count_bytes(s, 0, 0);
	} else {
		struct span packed;

		s->packed.n = 0;
		for (i = 0; i < nr && !err; i++)
			err = pd_pack(s->packer, parts[i], &s->packed, &why);
		packed = wb_span(&s->packed);
		if (!err)
			err = sink_file_write(&s->file, &packed, 1, &why);
		sink_count_bytes(s, total, packed.n);
	}
	if (err)
		return sink_give_up(s, &why, e);
	if (!s->limit_returned && s->o.max_size &&
	    sink_file_data_bytes(&s->file) >= s->o.max_size) {
		s->limit_returned = true;
		return perr_set(e, PERR_LIMIT, "%s has reached the limit of --max-size, %llu KB",
				s->file.path, (unsigned long long)s->o.max_size >> 10);
	}
	return 0;
}

static int sink_do_job(void *ctx, struct sink_job *job, struct perr *e)
{
	struct rec_sink *s = ctx;
	struct span whole = wb_span(&job->b);

	if (s->err.code)
		return sink_give_error(s, e);
	switch (job->kind) {
	case SINK_JOB_RAW: return write_parts(s, &whole, 1, true, e);
	case SINK_JOB_PACK: return write_parts(s, &whole, 1, false, e);
	case SINK_JOB_COMMIT: return commit_when_due(s, false, e);
	case SINK_JOB_IDLE: return commit_when_due(s, true, e);
	}
	return 0;
}

/* Opens the output that s->o names and writes the part before the data. */
static int sink_start_file(struct rec_sink *s, const struct pd_head *head, struct perr *e)
{
	const char *name = s->o.path ? s->o.path : "output";
	bool stream = false;
	struct stat st;
	int err;

	if (s->o.fd >= 0 || !strcmp(name, "-")) {
		s->fd = s->o.fd >= 0 ? s->o.fd : STDOUT_FILENO;
		/* "-" gets the format of pipes even if it is redirected into a file */
		stream = s->o.fd < 0 || fstat(s->fd, &st) || !S_ISREG(st.st_mode);
	} else {
		err = sink_path_open(name, &s->fd, &stream, e);
		if (err)
			return err;
		stream |= !head;
	}
	if (s->o.compress)
		s->packer = pd_packer_new(s->o.compress, s->o.max_record_expand);
	err = sink_file_start(&s->file, s->fd, stream, name, head, e);
	s->committed_ns = 0;
	s->limit_returned = false;
	sink_count_bytes(s, 0, 0);
	return err;
}

static bool owns_fd(const struct rec_sink *s)
{
	return s->o.fd < 0 && s->fd > STDERR_FILENO;
}

static int close_fd(struct rec_sink *s, struct perr *e)
{
	int fd = s->fd;

	s->fd = -1;
	/* a network file system may report a full disk only at close */
	if (owns_fd(&(struct rec_sink){ .o = s->o, .fd = fd }) && close(fd) && errno != EINTR)
		return perr_io(e, "cannot write %s", s->file.path);
	return 0;
}

static void free_sink(struct rec_sink *s)
{
	size_t i;

	sink_thread_free(s->thread);
	pd_packer_free(s->packer);
	sink_file_fini(&s->file);
	wb_fini(&s->packed);
	for (i = 0; i < s->nr_kept; i++)
		free(s->kept[i]);
	free(s->kept);
	if (owns_fd(s))
		close(s->fd);
	pthread_mutex_destroy(&s->stat_lock);
	free((char *)s->o.path);
	free(s);
}

int sink_open(const struct rec_sink_opts *o, const struct pd_head *head, struct rec_sink **ret,
	      struct perr *e)
{
	struct rec_sink *s = xcalloc(1, sizeof(*s));
	int err;

	s->o = *o;
	s->o.path = o->path ? xstrdup(o->path) : NULL;
	s->fd = -1;
	pthread_mutex_init(&s->stat_lock, NULL);
	err = sink_start_file(s, head, e);
	if (err) {
		free_sink(s);
		return err;
	}
	/* if no thread can be created, the caller's thread does the work, which is slower */
	if (o->own_thread)
		s->thread = sink_thread_new(sink_do_job, s, MAX_QUEUED, COMMIT_MS);
	*ret = s;
	return 0;
}

int sink_write(struct rec_sink *s, struct wbuf *b, bool raw, struct perr *e)
{
	struct span whole = wb_span(b);
	int err;

	if (s->thread) {
		if (b->n)
			return sink_thread_put(s->thread, raw ? SINK_JOB_RAW : SINK_JOB_PACK, b, e);
		return 0;
	}
	err = s->err.code ? sink_give_error(s, e) : write_parts(s, &whole, 1, raw, e);
	b->n = 0;
	return err;
}

int sink_write_parts(struct rec_sink *s, const struct span *parts, int nr, struct perr *e)
{
	if (s->thread)
		BUG();
	return s->err.code ? sink_give_error(s, e) : write_parts(s, parts, nr, false, e);
}

int sink_commit(struct rec_sink *s, struct perr *e)
{
	if (s->thread)
		return s->file.is_stream ? 0 : sink_thread_put(s->thread, SINK_JOB_COMMIT, NULL, e);
	return s->err.code ? sink_give_error(s, e) : commit_when_due(s, false, e);
}

int sink_drain(struct rec_sink *s, struct perr *e)
{
	struct perr ignored;

	/* ignore PERR_LIMIT from the thread: reaching --max-size is not a write error */
	if (s->thread)
		(void)!sink_thread_drain(s->thread, &ignored);
	return sink_give_error(s, e);
}

static void sink_keep_at_most(struct rec_sink *s, const char *name)
{
	if (!s->o.keep_files)
		return;
	vec_push(s->kept, s->nr_kept, s->cap_kept, xstrdup(name));
	while (s->nr_kept > s->o.keep_files) {
		(void)!unlink(s->kept[0]);
		free(s->kept[0]);
		memmove(s->kept, s->kept + 1, --s->nr_kept * sizeof(*s->kept));
	}
}

/* Writes all queued data and the final header, closes the file and gives it its final name. */
static int sink_end_file(struct rec_sink *s, const struct pd_feature_out *late, size_t nr_late,
			 bool finished, char **ret_path, struct perr *e)
{
	char *name = xstrdup(s->file.path);
	struct perr why;
	int err = sink_drain(s, e);

	if (!err && sink_file_end(&s->file, late, nr_late, finished, &why))
		err = sink_give_up(s, &why, e);
	sink_count_bytes(s, 0, 0);
	if (close_fd(s, &why) && !err) {
		err = why.code;
		if (e)
			*e = why;
	}
	if (s->o.append_timestamp && !s->file.is_stream && s->o.path && s->o.fd < 0) {
		char *stamped;
		int err_name = sink_path_stamp(name, &s->last_stamp, &stamped, err ? NULL : e);

		if (!err_name) {
			free(name);
			name = stamped;
			sink_keep_at_most(s, name);
		} else if (!err) {
			err = err_name;
		}
	}
	if (ret_path)
		*ret_path = name;
	else
		free(name);
	return err;
}

int sink_close(struct rec_sink *s, const struct pd_feature_out *late, size_t nr_late, bool finished,
	       char **ret_path, struct perr *e)
{
	int err = sink_end_file(s, late, nr_late, finished, ret_path, e);

	free_sink(s);
	return err;
}

int sink_switch(struct rec_sink *s, const struct pd_feature_out *late, size_t nr_late,
		const struct pd_head *head, char **ret_path, struct perr *e)
{
	struct perr next;
	int err, err_next;

	if (s->file.is_stream)
		return perr_set(e, PERR_USAGE, "%s is a pipe: --switch-output needs a file",
				s->file.path);
	err = sink_end_file(s, late, nr_late, true, ret_path, e);
	pd_packer_free(s->packer);
	s->packer = NULL;
	sink_file_fini(&s->file);
	s->err = (struct perr){ 0 };
	err_next = sink_start_file(s, head, &next);
	if (err_next) {
		s->err = next;
		if (!err && e)
			*e = next;
	}
	return err ? err : err_next;
}

void rec_sink_stat_add(struct rec_sink_stat *to, const struct rec_sink_stat *s)
{
	to->data_bytes += s->data_bytes;
	to->raw_bytes += s->raw_bytes;
	to->compressed_bytes += s->compressed_bytes;
	to->writes += s->writes;
	if (s->queued_max > to->queued_max)
		to->queued_max = s->queued_max;
}

void sink_stat(struct rec_sink *s, struct rec_sink_stat *ret)
{
	pthread_mutex_lock(&s->stat_lock);
	*ret = s->stat;
	pthread_mutex_unlock(&s->stat_lock);
	if (s->thread)
		ret->queued_max = sink_thread_queued_max(s->thread);
}
