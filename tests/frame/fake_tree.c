/* SPDX-License-Identifier: MIT */
#include "tests/frame/fake_tree.h"

#include <errno.h>
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

struct fake_tree fake_tree_new(void)
{
	struct fake_tree t;

	snprintf(t.root, sizeof(t.root), "/tmp/prec-test-XXXXXX");
	if (!mkdtemp(t.root))
		unit_fail(__FILE__, __LINE__, "mkdtemp %s: %s", t.root, strerror(errno));
	return t;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void fake_tree_free(struct fake_tree *t)
{
	nftw(t->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	t->root[0] = 0;
}

/* Makes the folders above the last part of path. */
static void make_parents(char *path)
{
	for (char *p = path + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = 0;
		if (mkdir(path, 0755) && errno != EEXIST)
			unit_fail(__FILE__, __LINE__, "mkdir %s: %s", path, strerror(errno));
		*p = '/';
	}
}

void fake_bytes(const struct fake_tree *t, const char *rest, const void *p, size_t n)
{
	char *path = xasprintf("%s/%s", t->root, rest);
	FILE *f;

	make_parents(path);
	f = fopen(path, "w");
	if (!f || fwrite(p, 1, n, f) != n || fclose(f))
		unit_fail(__FILE__, __LINE__, "write %s: %s", path, strerror(errno));
	free(path);
}

void fake_file(const struct fake_tree *t, const char *rest, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		unit_fail(__FILE__, __LINE__, "no memory");
	fake_bytes(t, rest, text, (size_t)n);
	free(text);
}

void fake_folder(const struct fake_tree *t, const char *rest)
{
	char *path = xasprintf("%s/%s/", t->root, rest);

	make_parents(path);
	free(path);
}
