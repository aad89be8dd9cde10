/* SPDX-License-Identifier: MIT */
#include "record/probe/dynamic_event.h"

#include "base/mem.h"
#include "record/host/host_file.h"

#define LIST_MAX ((size_t)16 << 20)

/* Parses a line "p:GROUP/NAME PLACE ARGS...", or "r:..." or "r8:..." for a return. */
static void add_line(struct dynamic_events *l, char *line, const char *kind)
{
	struct dynamic_event d;
	char *colon = strchr(line, ':'), *slash, *place;

	if (!colon || (line[0] != 'p' && line[0] != 'r'))
		return;
	slash = strchr(colon, '/');
	place = strchr(colon, ' ');
	if (!slash || !place || slash > place)
		return;
	*slash = *place++ = 0;
	d.system = xstrdup(colon + 1);
	d.name = xstrdup(slash + 1);
	d.text = xasprintf("%s%s at %.*s", kind, line[0] == 'r' ? " of a return" : "",
			   (int)strcspn(place, " "), place);
	vec_push(l->v, l->nr, l->cap, d);
}

static void read_list(const char *root, const char *file, const char *kind,
		      struct dynamic_events *l)
{
	char *path = xasprintf("%s/%s", root, file), *text = NULL;

	if (!text_file_read(path, LIST_MAX, &text, NULL)) {
		for (char *line = text; line && *line;) {
			char *end = strchr(line, '\n');

			if (end)
				*end++ = 0;
			add_line(l, line, kind);
			line = end;
		}
	}
	free(text);
	free(path);
}

void dynamic_events_read(const char *root, struct dynamic_events *ret)
{
	*ret = (struct dynamic_events){ 0 };
	read_list(root, "uprobe_events", "uprobe", ret);
	read_list(root, "kprobe_events", "kprobe", ret);
}

void dynamic_events_fini(struct dynamic_events *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		free(l->v[i].system);
		free(l->v[i].name);
		free(l->v[i].text);
	}
	free(l->v);
	*l = (struct dynamic_events){ 0 };
}

const char *dynamic_event_find(const struct dynamic_events *l, const char *system, const char *name)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->v[i].system, system) && !strcmp(l->v[i].name, name))
			return l->v[i].text;
	return NULL;
}
