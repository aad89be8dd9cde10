/* SPDX-License-Identifier: MIT */
#include "fold/fold_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 256

/* The first bytes of a pipe, which stay in it. */
static ssize_t look_into_pipe(int fd, char *bytes)
{
	ssize_t n = -1;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	if (tee(fd, ends[1], FIRST_BYTES, 0) > 0)
		n = read(ends[0], bytes, FIRST_BYTES);
	close(ends[0]);
	close(ends[1]);
	return n;
}

static bool is_text(int fd)
{
	char bytes[FIRST_BYTES];
	struct stat st;
	ssize_t n = -1;

	if (fstat(fd, &st))
		return false;
	if (S_ISREG(st.st_mode))
		n = pread(fd, bytes, sizeof(bytes), lseek(fd, 0, SEEK_CUR));
	else if (S_ISFIFO(st.st_mode))
		n = look_into_pipe(fd, bytes);
	return n > 0 && (n < 8 || memcmp(bytes, "PERF", 4) != 0) &&
	       folded_text_begins(bytes, (size_t)n);
}

FILE *fold_text_open(const char *path)
{
	FILE *file;
	struct stat st;
	int fd;

	if (!strcmp(path, "-"))
		return is_text(STDIN_FILENO) ? stdin : NULL;
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return NULL;
	file = is_text(fd) ? fdopen(fd, "r") : NULL;
	if (!file)
		close(fd);
	return file;
}

int fold_text_read(struct folded *f, struct folded_text *t, FILE *file, struct diag *diag,
		   struct perr *e)
{
	int err;

	t->tree = folded_tree(f);
	err = folded_text_read(t, file, e);
	if (err && t->nr_lines < 2)
		perr_prefix(e, "neither a perf.data nor folded text");
	if (t->nr_fractions)
		diag_warn(diag, "counts with fractions were rounded: multiply them before, for "
				"example by 1000");
	for (unsigned int side = 0; side < FOLD_SIDES; side++)
		folded_add_total(f, side, t->totals[side]);
	if (file != stdin)
		fclose(file);
	return err;
}
