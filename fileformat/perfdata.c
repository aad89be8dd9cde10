/* SPDX-License-Identifier: MIT */
#include "fileformat/perfdata_priv.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/regular_file.h"
#include "fileformat/event_names.h"
#include "fileformat/feature/feature.h"

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
	for (i = 0; i < p->nr_inputs; i++) {
		zstd_free(p->inputs[i].zstd);
		input_fini(&p->inputs[i]);
	}
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

/*
 * Copies a regular perf.data that comes through a stream to a temporary file, because its features
 * are at its end.
 */
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

/* Finds out what kind of recording inputs[0] is, and reads the descriptions of its events. */
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
	/* an unfinished file may be cut too, after a loss of power; a pipe's header has no size */
	if (pd->truncated && !pd->unfinished && pd->kind != PD_PIPE)
		diag_warn(
			pd->diag,
			"%s: the header promises %llu bytes of data at offset %#llx, the file has "
			"%llu: its end is missing, the whole records before it are used",
			pd->path, (unsigned long long)pd->data_size,
			(unsigned long long)pd->data_off,
			(unsigned long long)(pd->file_size - pd->data_off));
	return 0;
}

/* Writes what is known of the last write: " at 12.345678 (2026-11-23 16:55:01)". */
static void put_last_write(const struct perfdata *pd, char *text, size_t size)
{
	time_t seconds = (time_t)(pd->last_write / 1000000000);
	char wall[32] = "";
	struct tm tm;
	int n = 0;

	text[0] = '\0';
	if (pd->last_write && localtime_r(&seconds, &tm))
		(void)!strftime(wall, sizeof(wall), "%F %H:%M:%S", &tm);
	if (pd->last_time)
		n = snprintf(text, size, " at %llu.%06llu",
			     (unsigned long long)(pd->last_time / 1000000000),
			     (unsigned long long)(pd->last_time / 1000 % 1000000));
	if (wall[0])
		snprintf(text + n, size - (size_t)n, " (%s)", wall);
}

void pd_warn_unfinished(const struct perfdata *pd)
{
	char when[80];

	/* the mark at the end of a stream may be ahead */
	if (!pd->unfinished || (pd->kind == PD_PIPE && !pd->priv->ended))
		return;
	put_last_write(pd, when, sizeof(when));
	diag_warn(pd->diag,
		  "%s: the recorder did not finish: what follows its last write%s is missing",
		  pd->path, when);
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

/*
 * True if nearly all bytes of the file will be used: it is then read in blocks instead of mapped.
 * Of copies of stacks only parts are used, of AUX data nothing.
 */
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

/* Refuses a file of an untrusted owner unless the options permit it. */
static int check_owner(const struct stat *st, const struct pd_open_options *o, struct perr *e)
{
	if (!o->only_trusted || owner_is_trusted(st->st_uid))
		return 0;
	return perr_set(e, PERR_IO,
			"it belongs to another user (uid %u), neither to root nor to you: "
			"-f reads it anyway",
			(unsigned int)st->st_uid);
}

/* Adds dir/name as another input if it is a regular file that is not empty. */
static int add_dir_file(struct perfdata *pd, int dir, const char *name,
			const struct pd_open_options *o, struct perr *e)
{
	struct pd_input in = { .fd = -1 };
	struct stat st;
	int fd, ret = 0;

	/* O_NONBLOCK: a fifo of that name is ignored, and must not block */
	fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return perr_io(e, "cannot open %s/%s", pd->path, name);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		goto out;
	ret = check_owner(&st, o, e);
	if (ret) {
		perr_prefix(e, name);
		goto out;
	}
	if (input_map(&in, fd)) {
		ret = perr_io(e, "cannot map %s/%s", pd->path, name);
		goto out;
	}
	vec_push(pd->priv->inputs, pd->priv->nr_inputs, pd->priv->cap_inputs, in);
out:
	close(fd);
	return ret;
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the files data.N of the directory as inputs, in the order of their numbers. Closes dir. */
static int add_dir_files(struct perfdata *pd, int dir, const struct pd_open_options *o,
			 struct perr *e)
{
	DIR *d = fdopendir(dir);
	struct dirent *entry;
	char **names = NULL;
	size_t nr = 0, cap = 0, i;
	int err = 0;

	if (!d) {
		close(dir);
		return perr_io(e, "cannot list the directory");
	}
	while ((entry = readdir(d)))
		if (!strncmp(entry->d_name, "data.", 5))
			vec_push(names, nr, cap, xstrdup(entry->d_name));
	if (nr)
		qsort(names, nr, sizeof(*names), by_version);
	for (i = 0; i < nr; i++) {
		if (!err)
			err = add_dir_file(pd, dir, names[i], o, e);
		free(names[i]);
	}
	free(names);
	closedir(d);
	return err;
}

/*
 * Opens a directory perf.data/: its file `data` has the header, and files data.N are streams of
 * records (FORMAT.md 1.10). Closes dir.
 */
static int open_dir(int dir, const char *path, const struct pd_open_options *o, struct diag *diag,
		    struct perfdata **ret, struct perr *e)
{
	int fd = openat(dir, "data", O_RDONLY | O_CLOEXEC | O_NONBLOCK), err;
	struct perfdata *pd = NULL;
	struct stat st;

	if (fd < 0) {
		err = perr_io(e, "cannot open");
	} else if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		err = perr_set(e, PERR_FORMAT, "is not a regular file");
		close(fd);
	} else {
		err = check_owner(&st, o, e);
		if (!err)
			err = open_fd(fd, path, NULL, diag, &pd, e);
		close(fd);
	}
	if (err) {
		perr_prefix(e, "its file 'data'");
		close(dir);
		return err;
	}
	if (pd->kind == PD_REGULAR)
		pd->kind = PD_DIRECTORY;
	err = add_dir_files(pd, dir, o, e);
	if (err) {
		pd_close(pd);
		return err;
	}
	*ret = pd;
	return 0;
}

/*
 * Sets the error that path cannot be opened. If it is "perf.data", nothing was recorded yet, most
 * likely: the message then says how to.
 */
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

int pd_open_with(const char *path, const struct pd_open_options *o, struct diag *diag,
		 struct perfdata **ret, struct perr *e)
{
	struct stat st;
	int fd, err;

	if (!strcmp(path, "-")) {
		if (isatty(STDIN_FILENO))
			return perr_set(e, PERR_USAGE,
					"standard input is a terminal, not a recording");
		return open_fd(STDIN_FILENO, path, o->progress, diag, ret, e);
	}
	/* before the file is opened: another user's FIFO would make the command wait */
	if (!stat(path, &st) && check_owner(&st, o, e))
		return PERR_IO;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return cannot_open(path, e);
	if (fstat(fd, &st)) {
		err = perr_io(e, "cannot open");
		close(fd);
		return err;
	}
	if (S_ISDIR(st.st_mode))
		return open_dir(fd, path, o, diag, ret, e);
	err = check_owner(&st, o, e);
	if (!err)
		err = open_fd(fd, path, o->progress, diag, ret, e);
	/*
	 * a stream (fifo, process substitution) is still being read: it is closed with the
	 * recording
	 */
	if (!err && !(*ret)->priv->inputs[0].map && (*ret)->priv->tmp_fd < 0)
		(*ret)->priv->tmp_fd = fd;
	else
		close(fd);
	return err;
}

int pd_open(const char *path, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	return pd_open_with(path, &(struct pd_open_options){ 0 }, diag, ret, e);
}

bool pd_has_branches(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.sample_type & PD_SAMPLE_BRANCH_STACK &&
		    !(pd->events[i]->attr.branch_sample_type & PD_BRANCH_CALL_STACK))
			return true;
	return false;
}
