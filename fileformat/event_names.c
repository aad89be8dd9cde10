/* SPDX-License-Identifier: MIT */
#include "fileformat/event_names.h"

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "fileformat/tracing_data.h"

/*
 * Returns the length of a name as precision for %.*s. tracefs names are short; the text of a longer
 * one is damaged and cut.
 */
static int name_len(struct span s)
{
	return s.n < 255 ? (int)s.n : 255;
}

static void name_tracepoints(struct perfdata *pd)
{
	/* key (id, 0): an event without a name; key (id, 1): index in found */
	struct idmap wanted = { 0 };
	struct pd_tracepoint tp, *found = NULL;
	size_t i, nr = 0, cap = 0;
	struct pd_tracing t;

	if (!pd->tracing_data.n || pd_tracing_open(pd->tracing_data, &t, NULL))
		return;
	for (i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.type == PD_TYPE_TRACEPOINT && !pd->events[i]->name_given)
			idmap_put(&wanted, pd->events[i]->attr.config, 0, 0);
	while (wanted.nr && pd_tracing_next(&t, &tp, NULL) > 0) {
		if (idmap_get(&wanted, tp.id, 0) == IDMAP_NONE ||
		    idmap_get(&wanted, tp.id, 1) != IDMAP_NONE)
			continue;
		idmap_put(&wanted, tp.id, 1, (u32)nr);
		vec_push(found, nr, cap, tp);
	}
	for (i = 0; nr && i < pd->nr_events; i++) {
		struct pd_event *ev = pd->events[i];
		u32 at = idmap_get(&wanted, ev->attr.config, 1);

		if (ev->attr.type != PD_TYPE_TRACEPOINT || ev->name_given || at == IDMAP_NONE)
			continue;
		free(ev->name);
		ev->name = xasprintf("%.*s:%.*s", name_len(found[at].system), found[at].system.p,
				     name_len(found[at].name), found[at].name.p);
		ev->name_given = true;
	}
	free(found);
	idmap_fini(&wanted);
}

/* --- simpleperf ------------------------------------------------------------------------------- */

#define ANY_CONFIG UINT64_MAX

/* Reads a string up to its NUL or the end, and skips the NUL. */
static struct span cur_cstring(struct cursor *c)
{
	struct span rest = span_of(c->p, cur_left(c));
	size_t n = span_strlen(rest);

	cur_skip(c, n < rest.n ? n + 1 : n);
	return span_of(rest.p, n);
}

static bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

/* Returns the value of a key in META_INFO, a sequence of {key NUL, value NUL}. */
static struct span meta_value(struct span meta, const char *key)
{
	struct cursor c = cursor_of(meta, false);

	while (cur_left(&c)) {
		struct span k = cur_cstring(&c), v = cur_cstring(&c);

		if (span_is(k, key))
			return v;
	}
	return span_of(NULL, 0);
}

/* Reads a decimal number at the start of *s, and skips it and the character after it. */
static u64 take_number(struct span *s)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < s->n && s->p[i] >= '0' && s->p[i] <= '9'; i++)
		v = v * 10 + (s->p[i] - '0');
	if (i < s->n)
		i++;
	*s = span_of(s->p + i, s->n - i);
	return v;
}

/*
 * Names events by the lines "name,type,config" in META_INFO, if the attr's type does not show the
 * name.
 */
static void name_simpleperf(struct perfdata *pd, struct span meta)
{
	struct span lines = meta_value(meta, "event_type_info"), name;
	/* keys (type, config) and (type, ANY_CONFIG) -> index in names */
	struct idmap found = { 0 };
	struct span *names = NULL;
	size_t i, nr = 0, cap = 0;

	while (lines.n) {
		const u8 *comma = memchr(lines.p, ',', lines.n);
		u64 type, config;

		if (!comma)
			break;
		name = span_of(lines.p, (size_t)(comma - lines.p));
		lines = span_of(comma + 1, lines.n - name.n - 1);
		type = take_number(&lines);
		config = take_number(&lines);
		idmap_put(&found, type, config, (u32)nr);
		idmap_put(&found, type, ANY_CONFIG, (u32)nr);
		vec_push(names, nr, cap, name);
	}
	for (i = 0; nr && i < pd->nr_events; i++) {
		struct pd_event *ev = pd->events[i];
		bool pmu = ev->attr.type > PD_TYPE_BREAKPOINT;
		u32 at;

		if (ev->name_given || (!pmu && ev->attr.type != PD_TYPE_TRACEPOINT))
			continue;
		at = idmap_get(&found, ev->attr.type, ev->attr.config);
		/* simpleperf completes the config of a PMU such as cs-etm after writing the list */
		if (at == IDMAP_NONE && pmu)
			at = idmap_get(&found, ev->attr.type, ANY_CONFIG);
		if (at == IDMAP_NONE || !names[at].n)
			continue;
		free(ev->name);
		ev->name = xstrndup((const char *)names[at].p, (size_t)name_len(names[at]));
		ev->name_given = true;
	}
	free(names);
	idmap_fini(&found);
}

void event_names_apply(struct perfdata *pd)
{
	const struct pd_feature *meta = pd_feature_get(pd, PD_FEAT_SIMPLEPERF_META_INFO);

	name_tracepoints(pd);
	if (meta)
		name_simpleperf(pd, meta->data);
}
