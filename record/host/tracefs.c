/* SPDX-License-Identifier: MIT */
#include "record/host/tracefs.h"

#include <errno.h>
#include <unistd.h>

#include "base/advice/advice_error.h"
#include "base/mem.h"
#include "base/option.h"

static bool has_events(const char *root)
{
	char *path = xasprintf("%s/events", root);
	bool ret = !access(path, F_OK);

	free(path);
	return ret;
}

/*
 * Returns the folder of tracefs for a line "DEVICE FOLDER TYPE OPTIONS" of /proc/mounts, malloc'd,
 * if it is of tracefs or debugfs, else NULL.
 */
static char *mount_of_line(char *line)
{
	char *save = NULL, *where, *type;

	if (!strtok_r(line, " ", &save))
		return NULL;
	where = strtok_r(NULL, " ", &save);
	type = strtok_r(NULL, " ", &save);
	if (!type)
		return NULL;
	if (!strcmp(type, "tracefs"))
		return xstrdup(where);
	if (!strcmp(type, "debugfs"))
		return xasprintf("%s/tracing", where);
	return NULL;
}

static char *find_in_mounts(const struct rec_host *host)
{
	char *path = rec_host_path(host->procfs, "mounts"), *line = NULL, *ret = NULL;
	FILE *f = fopen(path, "re");
	size_t cap = 0;

	free(path);
	while (f && !ret && getline(&line, &cap, f) > 0) {
		ret = mount_of_line(line);
		if (ret && !has_events(ret)) {
			free(ret);
			ret = NULL;
		}
	}
	free(line);
	if (f)
		fclose(f);
	return ret;
}

void tracefs_advise(const char *root, struct perr *e)
{
	char gid[24];
	const struct advice_fact facts[] = { { "gid", gid }, { "folder", root }, { NULL, NULL } };

	snprintf(gid, sizeof(gid), "%u", (unsigned int)getegid());
	perr_add_advice(e, ADVICE_TRACEFS_MODE, facts);
}

/* Checks that this user may list tracepoints; by default only root may. */
static int check_readable(const char *root, struct perr *e)
{
	char *path = xasprintf("%s/events", root);
	int err = 0;

	if (access(path, R_OK | X_OK)) {
		err = perr_io(e, "cannot list tracepoints in %s", path);
		tracefs_advise(root, e);
	}
	free(path);
	return err;
}

int tracefs_find(const struct rec_host *host, char **ret, struct perr *e)
{
	static const char *const usual[] = { "kernel/tracing", "kernel/debug/tracing" };
	char *root = NULL;
	bool denied = false;
	int err;

	if (host->tracefs) {
		if (has_events(host->tracefs))
			root = xstrdup(host->tracefs);
		else
			denied = errno == EACCES;
	}
	for (size_t i = 0; !host->tracefs && !root && i < ARRAY_SIZE(usual); i++) {
		root = rec_host_path(host->sysfs, "%s", usual[i]);
		errno = 0;
		if (has_events(root))
			break;
		denied |= errno == EACCES;
		free(root);
		root = NULL;
	}
	if (!root && !host->tracefs)
		root = find_in_mounts(host);
	if (!root && denied) {
		errno = EACCES;
		err = perr_io(e, "cannot list tracepoints");
		tracefs_advise("/sys/kernel/tracing", e);
		return err;
	}
	if (!root) {
		perr_set(e, PERR_NOTFOUND, "cannot list tracepoints: tracefs is not mounted");
		perr_add_advice(e, ADVICE_TRACEFS_MOUNT, NULL);
		return PERR_NOTFOUND;
	}
	err = check_readable(root, e);
	if (err)
		free(root);
	else
		*ret = root;
	return err;
}

int tracefs_systems(const char *root, struct name_list *ret, struct perr *e)
{
	char *path = xasprintf("%s/events", root);
	int err = folder_names(path, true, ret, e);

	free(path);
	return err;
}

int tracefs_events(const char *root, const char *system, struct name_list *ret, struct perr *e)
{
	char *path = xasprintf("%s/events/%s", root, system);
	int err = folder_names(path, true, ret, e);

	free(path);
	return err;
}

int tracefs_event_id(const char *root, const char *system, const char *name, u64 *ret,
		     struct perr *e)
{
	char *path = xasprintf("%s/events/%s/%s/id", root, system, name), *text = NULL;
	int err = text_file_read(path, 64, &text, e);

	if (!err && parse_u64(text, 10, 0, UINT32_MAX, ret))
		err = perr_set(e, PERR_FORMAT,
			       "%s: expected the number of a tracepoint, found '%s'", path, text);
	free(text);
	free(path);
	return err;
}

void tracefs_offer(const char *root, const char *system, const char *name, struct nearest_name *n)
{
	struct name_list systems, events;
	struct nearest_name near_systems;
	bool known = false;

	if (tracefs_systems(root, &systems, NULL))
		return;
	nearest_init(&near_systems, system, strlen(system));
	for (size_t i = 0; i < systems.nr; i++) {
		known |= !strcmp(systems.names[i], system);
		nearest_offer(&near_systems, systems.names[i]);
	}
	for (size_t i = 0; i < systems.nr; i++) {
		bool close = known ? !strcmp(systems.names[i], system) : !near_systems.nr;

		for (size_t k = 0; !known && k < near_systems.nr; k++)
			close |= !strcmp(near_systems.best[k].name, systems.names[i]);
		if (!close || tracefs_events(root, systems.names[i], &events, NULL))
			continue;
		for (size_t k = 0; k < events.nr; k++) {
			char *full = xasprintf("%s:%s", systems.names[i], events.names[k]);

			/* the right name in another system is the most likely match */
			if (near_systems.nr || known || !strcmp(events.names[k], name))
				nearest_offer(n, full);
			free(full);
		}
		name_list_fini(&events);
	}
	name_list_fini(&systems);
}
