/* SPDX-License-Identifier: MIT */
#include "record/host/host_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "symbols/elf/readfile.h"

void name_list_fini(struct name_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		free(l->names[i]);
	free(l->names);
	*l = (struct name_list){ 0 };
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static bool is_folder(int dir, const struct dirent *ent)
{
	struct stat st;

	if (ent->d_type != DT_UNKNOWN && ent->d_type != DT_LNK)
		return ent->d_type == DT_DIR;
	return !fstatat(dir, ent->d_name, &st, 0) && S_ISDIR(st.st_mode);
}

int folder_names(const char *path, bool only_folders, struct name_list *ret, struct perr *e)
{
	struct name_list l = { 0 };
	struct dirent *ent;
	DIR *dir = opendir(path);

	if (!dir)
		return perr_io(e, "%s", path);
	while ((ent = readdir(dir)) != NULL) {
		if (ent->d_name[0] == '.' || (only_folders && !is_folder(dirfd(dir), ent)))
			continue;
		vec_push(l.names, l.nr, l.cap, xstrdup(ent->d_name));
	}
	closedir(dir);
	if (l.nr)
		qsort(l.names, l.nr, sizeof(*l.names), compare_names);
	*ret = l;
	return 0;
}

int text_file_read(const char *path, size_t limit, char **ret, struct perr *e)
{
	void *bytes;
	size_t n;
	int err = read_kernel_file(path, limit, &bytes, &n, e);

	if (err)
		return err;
	n = strnlen(bytes, n);
	while (n && isspace(((unsigned char *)bytes)[n - 1]))
		n--;
	*ret = xstrndup(bytes, n);
	free(bytes);
	return 0;
}
