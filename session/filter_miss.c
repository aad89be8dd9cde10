/* SPDX-License-Identifier: MIT */
#include "session/filter_miss.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/nearest_name.h"

#define MAX_SHOWN NEAREST_MAX
#define MAX_NAME_SHOWN 60 /* bytes */

/* What was seen where one list of the filter chooses. */
struct missed_list {
	const struct name_list *wanted;
	const char *option, *what;
	struct nearest_name *nearest; /* one for each wanted name */
	char *seen[MAX_SHOWN];        /* the first names, for when none is similar */
	size_t nr_seen;
	bool asked;   /* samples were compared with the list */
	bool matched; /* some sample passes it */
};

struct filter_miss {
	const struct filter *filter;
	struct missed_list comms, dsos, symbols;
	struct idmap seen_comms, seen_frames;
	u64 first, last; /* times of samples, ns */
	u64 nr_samples;
};

static struct missed_list missed_list(const struct name_list *l, const char *option,
				      const char *what)
{
	struct missed_list m = { .wanted = l, .option = option, .what = what };

	m.nearest = xcalloc(l->nr + 1, sizeof(*m.nearest));
	for (size_t i = 0; i < l->nr; i++)
		nearest_init(&m.nearest[i], l->names[i], strlen(l->names[i]));
	return m;
}

static void missed_list_fini(struct missed_list *l)
{
	for (size_t i = 0; i < l->nr_seen; i++)
		free(l->seen[i]);
	free(l->nearest);
}

struct filter_miss *filter_miss_new(const struct filter *f)
{
	struct filter_miss *m = xcalloc(1, sizeof(*m));

	m->filter = f;
	m->first = UINT64_MAX;
	m->comms = missed_list(&f->comms, "--comms", "comm");
	m->dsos = missed_list(&f->dsos, "--dsos", "object");
	m->symbols = missed_list(&f->symbols, "--symbols", "symbol");
	return m;
}

void filter_miss_free(struct filter_miss *m)
{
	if (!m)
		return;
	missed_list_fini(&m->comms);
	missed_list_fini(&m->dsos);
	missed_list_fini(&m->symbols);
	idmap_fini(&m->seen_comms);
	idmap_fini(&m->seen_frames);
	free(m);
}

static bool was_seen(const struct missed_list *l, const char *name)
{
	for (size_t i = 0; i < l->nr_seen; i++)
		if (!strcmp(l->seen[i], name))
			return true;
	return false;
}

static void offer(struct missed_list *l, const char *name)
{
	for (size_t i = 0; i < l->wanted->nr; i++)
		nearest_offer(&l->nearest[i], name);
	if (l->nr_seen < MAX_SHOWN && !was_seen(l, name))
		l->seen[l->nr_seen++] = xstrdup(name);
}

void filter_miss_time(struct filter_miss *m, u64 time)
{
	if (!m)
		return;
	m->nr_samples++;
	if (time < m->first)
		m->first = time;
	if (time > m->last)
		m->last = time;
}

void filter_miss_comm(struct filter_miss *m, u32 comm_id, const char *comm)
{
	if (!m || !m->filter->comms.nr || idmap_get(&m->seen_comms, comm_id, 0) != IDMAP_NONE)
		return;
	idmap_put(&m->seen_comms, comm_id, 0, 0);
	m->comms.asked = true;
	m->comms.matched |= name_list_has(&m->filter->comms, comm);
	offer(&m->comms, comm);
}

void filter_miss_frame(struct filter_miss *m, const struct frame *fr)
{
	const char *slash;
	u64 map = fr->map ? fr->map->id : 0;

	if (!m || idmap_get(&m->seen_frames, fr->ip, map) != IDMAP_NONE)
		return;
	idmap_put(&m->seen_frames, fr->ip, map, 0);
	m->dsos.asked = m->symbols.asked = true;
	m->dsos.matched |= filter_wants_dso(m->filter, fr);
	m->symbols.matched |= filter_wants_symbol(m->filter, fr);
	if (fr->map) {
		slash = strrchr(fr->map->dso_name, '/');
		offer(&m->dsos, slash ? slash + 1 : fr->map->dso_name);
	}
	if (fr->has_sym)
		offer(&m->symbols, fr->sym->name);
}

/* Appends a name to a text of `size` bytes that has `len`; long ones are cut. Returns its length.
 */
static size_t put_name(char *text, size_t len, size_t size, const char *name, bool first)
{
	int n = snprintf(text + len, size - len, "%s%.*s%s", first ? "" : ", ", MAX_NAME_SHOWN,
			 name, strlen(name) > MAX_NAME_SHOWN ? "..." : "");

	return n < 0 || (size_t)n >= size - len ? len : len + (size_t)n;
}

/* The end of a warning about wanted name number i: names that there are instead. */
static void put_hint(const struct missed_list *l, size_t i, char *ret, size_t size)
{
	const struct nearest_name *near = &l->nearest[i];
	size_t nr = near->nr ? near->nr : l->nr_seen, len;

	len = (size_t)snprintf(ret, size, "%s",
			       near->nr ? " (nearest: "
			       : nr     ? " (there are: "
					: " (their places have no names");
	for (size_t j = 0; j < nr; j++)
		len = put_name(ret, len, size, near->nr ? near->best[j].name : l->seen[j], !j);
	snprintf(ret + len, size - len, !near->nr && nr == MAX_SHOWN ? ", ...)" : ")");
}

/* Returns whether a warning was given: samples were looked at, and none passes the list. */
static bool tell_list(const struct missed_list *l, struct diag *diag)
{
	char hint[MAX_SHOWN * (MAX_NAME_SHOWN + 8) + 64];

	if (!l->wanted->nr || !l->asked || l->matched)
		return false;
	for (size_t i = 0; i < l->wanted->nr; i++) {
		put_hint(l, i, hint, sizeof(hint));
		diag_warn(diag, "%s %s: no sample has this %s%s", l->option, l->wanted->names[i],
			  l->what, hint);
	}
	return true;
}

void filter_miss_tell(const struct filter_miss *m, struct diag *diag)
{
	bool told;

	if (!m || !m->nr_samples)
		return;
	told = tell_list(&m->comms, diag);
	told |= tell_list(&m->dsos, diag);
	told |= tell_list(&m->symbols, diag);
	if (told)
		return;
	if (m->filter->nr_times && m->last)
		diag_warn(diag,
			  "--time: no sample is in this range (the samples are from %.6f to %.6f, "
			  "%.3f s)",
			  (double)m->first / 1e9, (double)m->last / 1e9,
			  (double)(m->last - m->first) / 1e9);
	else
		diag_warn(diag, "no sample passes all filters together");
}
