/* SPDX-License-Identifier: MIT */
#include "events/recipes/recipe_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/files/regular_file.h"
#include "base/mem.h"
#include "events/recipes/recipe_text.h"

#define MAX_SIZE (1u << 20)

static int read_all(int fd, const char *path, char *buf, size_t *ret_n, struct perr *e)
{
	for (*ret_n = 0; *ret_n <= MAX_SIZE;) {
		ssize_t n = read(fd, buf + *ret_n, MAX_SIZE + 1 - *ret_n);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return perr_io(e, "%s", path);
		if (!n)
			return 0;
		*ret_n += (size_t)n;
	}
	return perr_set(e, PERR_LIMIT, "%s: recipes of more than 1 MiB", path);
}

int recipe_files_add(struct recipes *r, const char *path, struct perr *e)
{
	int fd, err;
	enum file_fault fault = regular_file_open(path, NULL, &fd);
	size_t n;
	char *buf;

	if (fault != FILE_FINE)
		return file_fault_set(fault, path, e);
	buf = xmalloc(MAX_SIZE + 1);
	err = read_all(fd, path, buf, &n, e);
	close(fd);
	if (!err)
		err = recipe_text_parse(r, path, span_of(buf, n), e);
	free(buf);
	return err;
}

static int is_recipe_file(const struct dirent *d)
{
	size_t n = strlen(d->d_name);

	return d->d_name[0] != '.' && n > 5 && !strcmp(d->d_name + n - 5, ".plat");
}

static void add_folder(struct recipes *r, const char *folder, struct diag *diag)
{
	struct dirent **names;
	int nr = scandir(folder, &names, is_recipe_file, alphasort);

	for (int i = 0; i < nr; i++) {
		char *path = xasprintf("%s/%s", folder, names[i]->d_name);
		struct perr e;

		if (recipe_files_add(r, path, &e))
			diag_warn(diag, "%s", e.text);
		free(path);
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
}

void recipe_files_search(struct recipes *r, struct diag *diag)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	char *folder = NULL;

	add_folder(r, "/etc/plat", diag);
	if (config && config[0] == '/')
		folder = xasprintf("%s/plat", config);
	else if (home && home[0] == '/')
		folder = xasprintf("%s/.config/plat", home);
	if (folder)
		add_folder(r, folder, diag);
	free(folder);
}
