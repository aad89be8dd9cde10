/* SPDX-License-Identifier: MIT */
#include "record/open/cgroup_target.h"

#include <fcntl.h>

#include "base/advice/advice_error.h"
#include "base/mem.h"

/* Replaces octal escapes such as \040, with which /proc/mounts is written, in place. */
static void unescape_octal(char *text)
{
	char *to = text;

	for (const char *s = text; *s;) {
		unsigned int c;

		if (*s == '\\' && sscanf(s, "\\%3o", &c) == 1 && c && c < 256 && strlen(s) >= 4) {
			*to++ = (char)c;
			s += 4;
		} else {
			*to++ = *s++;
		}
	}
	*to = 0;
}

/* Returns true if a comma-separated list of mount options contains a word. */
static bool has_word(const char *list, const char *word)
{
	size_t n;

	for (const char *s = list; *s; s += n + (s[n] == ',')) {
		n = strcspn(s, ",");
		if (n == strlen(word) && !strncmp(s, word, n))
			return true;
	}
	return false;
}

/* Returns the mount point of the cgroup hierarchy that perf events use, malloc'd, or NULL. */
static char *find_hierarchy(const char *procfs)
{
	char *path = rec_host_path(procfs, "mounts");
	FILE *f = fopen(path, "re");
	char dir[1024], type[64], options[1024];
	char *line = NULL, *v1 = NULL, *v2 = NULL;
	size_t cap = 0;

	free(path);
	if (!f)
		return NULL;
	while (getline(&line, &cap, f) > 0) {
		if (sscanf(line, "%*s %1023s %63s %1023s", dir, type, options) != 3)
			continue;
		unescape_octal(dir);
		if (!v1 && !strcmp(type, "cgroup") && has_word(options, "perf_event"))
			v1 = xstrdup(dir);
		else if (!v2 && !strcmp(type, "cgroup2"))
			v2 = xstrdup(dir);
	}
	free(line);
	fclose(f);
	/* if the perf_event controller is in a v1 hierarchy, it is not in v2 */
	if (v1) {
		free(v2);
		return v1;
	}
	return v2;
}

static int no_hierarchy(const char *name, struct perr *e)
{
	perr_set(e, PERR_NOTFOUND, "-G %.100s: no cgroup hierarchy for perf events is mounted",
		 name);
	perr_add_advice(e, ADVICE_CGROUP_MOUNT, NULL);
	return PERR_NOTFOUND;
}

int cgroup_open_all(struct rec_evlist *l, const struct rec_opts *o, struct perr *e)
{
	char *root = NULL;
	int rc = 0;

	for (size_t i = 0; !rc && i < l->nr; i++) {
		struct rec_event *ev = l->events[i];
		const char *name = ev->cgroup;
		char *path;

		if (!name || ev->cgroup_fd >= 0)
			continue;
		if (!root)
			root = find_hierarchy(o->host.procfs);
		if (!root)
			return no_hierarchy(name, e);
		path = xasprintf("%s/%s", root, name + strspn(name, "/"));
		ev->cgroup_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (ev->cgroup_fd < 0) {
			rc = perr_io(e, "-G %.100s: %.200s", name, path);
			if (e)
				e->code = PERR_NOTFOUND;
			rc = PERR_NOTFOUND;
		}
		free(path);
	}
	free(root);
	return rc;
}
