/* SPDX-License-Identifier: MIT */
/* Parses events that start with a name: of the kernel, of PMUs, and tracepoints. */
#include "record/events/event_parse_priv.h"

#include <ctype.h>

#include "base/mem.h"
#include "record/events/event_names_table.h"
#include "record/events/pmu_event.h"
#include "record/host/tracefs.h"

/* Parses "r1a8". Returns 0, 1 for other text, or PERR_USAGE for more than 64 bits. */
static int raw_number(struct event_scan *s, size_t pos, size_t len, u64 *ret)
{
	const char *t = s->text + pos + 1;
	size_t i = 0;
	u64 v = 0;

	if (s->text[pos] != 'r' || len < 2)
		return 1;
	len--;
	if (len > 2 && t[0] == '0' && t[1] == 'x')
		i = 2;
	for (size_t k = i; k < len; k++)
		if (!isxdigit((unsigned char)t[k]))
			return 1;
	for (; i < len; i++) {
		int c = tolower((unsigned char)t[i]);

		if (v >> 60)
			return scan_fail(s, pos, PERR_USAGE, "a raw event has at most 64 bits");
		v = v << 4 | (u64)(isdigit(c) ? c - '0' : c - 'a' + 10);
	}
	*ret = v;
	return 0;
}

/*
 * Appends one event, or one for each PMU on a machine with several kinds of CPU cores. Generic
 * events keep their type and have the PMU's type in the upper half of config; raw events have the
 * PMU's type.
 */
static void add_cpu_event(struct event_scan *s, const char *name, u32 type, u64 config)
{
	const struct pmu_list *l;

	if (type == PD_TYPE_SOFTWARE || !pmu_list_is_hybrid(scan_pmus(s))) {
		scan_add(s, name, type, config);
		return;
	}
	l = scan_pmus(s);
	for (size_t i = 0; i < l->nr; i++) {
		const struct pmu *p = l->pmus[i];
		struct rec_event *ev;

		if (!p->is_core)
			continue;
		if (type == PD_TYPE_RAW)
			ev = scan_add(s, name, p->type, config);
		else
			ev = scan_add(s, name, type, config | (u64)p->type << 32);
		pmu_event_set_cpus(ev, p);
	}
}

/* Appends an event that can be named without a PMU. Returns 1 if the name is not one of these. */
static int add_known(struct event_scan *s, size_t pos, size_t len, const char *name)
{
	const struct event_symbol *sym = event_symbol_find(s->text + pos, len);
	u64 config;
	int err;

	if (sym) {
		add_cpu_event(s, name, sym->type, sym->config);
		return 0;
	}
	switch (event_cache_find(s->text + pos, len, &config)) {
	case EVENT_CACHE_OK: add_cpu_event(s, name, PD_TYPE_HW_CACHE, config); return 0;
	case EVENT_CACHE_NO_OP:
		return scan_fail(s, pos, PERR_USAGE,
				 "'%.*s': this cache does not have this operation", (int)len,
				 s->text + pos);
	default: break;
	}
	err = raw_number(s, pos, len, &config);
	if (!err)
		add_cpu_event(s, name, PD_TYPE_RAW, config);
	return err;
}

/*
 * Returns true if this is the name of an event, so that modifiers, and not the name of a
 * tracepoint, follow its ':'.
 */
static bool is_event_name(struct event_scan *s, size_t pos, size_t len)
{
	const struct pmu_list *l;
	u64 config;

	if (event_symbol_find(s->text + pos, len) ||
	    event_cache_find(s->text + pos, len, &config) != EVENT_CACHE_UNKNOWN ||
	    raw_number(s, pos, len, &config) <= 0)
		return true;
	l = scan_pmus(s);
	for (size_t i = 0; i < l->nr; i++)
		if (pmu_alias_find(l->pmus[i], s->text + pos, len))
			return true;
	return false;
}

static int fail_unknown(struct event_scan *s, size_t pos, size_t len, bool is_pmu)
{
	const struct pmu_list *l = scan_pmus(s);
	struct nearest_name near;
	char *word = xstrndup(s->text + pos, len), *root = NULL;
	char names[300];

	nearest_init(&near, word, len);
	for (size_t i = 0; i < l->nr; i++) {
		nearest_offer(&near, l->pmus[i]->name);
		for (size_t k = 0; !is_pmu && k < l->pmus[i]->nr_aliases; k++)
			nearest_offer(&near, l->pmus[i]->aliases[k].name);
	}
	if (!is_pmu) {
		event_names_offer(&near);
		/* the name of a tracepoint without its system */
		if (s->tracefs || !tracefs_find(&s->o->host, &root, NULL))
			tracefs_offer(s->tracefs ? s->tracefs : root, "", word, &near);
	}
	if (nearest_text(&near, names, sizeof(names)))
		snprintf(s->where->help, sizeof(s->where->help), "nearest: %s", names);
	free(root);
	scan_fail(s, pos, PERR_NOTFOUND,
		  is_pmu ? "this machine has no PMU '%s'" : "no event has the name '%s'", word);
	free(word);
	return PERR_NOTFOUND;
}

/*
 * Appends, for a name such as "mem-loads", an event for each PMU that has a named event of it.
 * Returns 1 if none has.
 */
static int add_alias(struct event_scan *s, size_t pos, size_t len, const struct event_terms *terms,
		     const char *name)
{
	struct event_terms all = { 0 };
	const struct pmu_list *l = scan_pmus(s);
	struct event_term self = {
		.name = s->text + pos,
		.name_len = len,
		.pos = pos,
	};
	int err = 1;

	vec_push(all.terms, all.nr, all.cap, self);
	for (size_t i = 0; i < terms->nr; i++)
		vec_push(all.terms, all.nr, all.cap, terms->terms[i]);
	for (size_t i = 0; i < l->nr && err >= 0; i++)
		if (pmu_alias_find(l->pmus[i], s->text + pos, len))
			err = pmu_event_add(s, l->pmus[i], &all, name);
	event_terms_fini(&all);
	return err;
}

/*
 * Appends events for pmu/terms/: for the PMU of this name, or else for all PMUs that the name
 * selects. Returns 1 if there is none.
 */
static int add_pmu(struct event_scan *s, size_t pos, size_t len, const struct event_terms *terms,
		   const char *name)
{
	const struct pmu_list *l = scan_pmus(s);
	const struct pmu *exact = pmu_list_find(l, s->text + pos, len);
	int err = 1;

	if (exact)
		return pmu_event_add(s, exact, terms, name);
	for (size_t i = 0; i < l->nr && err >= 0; i++)
		if (pmu_is_meant(l->pmus[i], s->text + pos, len))
			err = pmu_event_add(s, l->pmus[i], terms, name);
	return err;
}

/*
 * Reads system:name at s->pos. Something like "cyclse:u" looks like a tracepoint as well, so if the
 * second word consists of modifiers, reports an unknown event instead.
 */
static int scan_two_words(struct event_scan *s, size_t len)
{
	size_t pos = s->pos, n = scan_word(s->text + pos + len + 1);
	char *system = xstrndup(s->text + pos, len);
	char *name = xstrndup(s->text + pos + len + 1, n);
	int err = scan_tracepoint(s, pos, system, name);

	if (err && strspn(name, EVENT_MODIFIERS) == n) {
		s->where->help[0] = '\0';
		err = fail_unknown(s, pos, len, false);
	}
	free(system);
	free(name);
	s->pos = pos + len + 1 + n;
	return err;
}

static int add_word(struct event_scan *s, size_t pos, size_t len, bool has_slash,
		    const struct event_terms *terms)
{
	char *typed = xstrndup(s->text + pos, s->pos - pos);
	size_t first = s->l->nr;
	int err = add_known(s, pos, len, typed);

	for (size_t i = first; !err && i < s->l->nr; i++)
		err = event_terms_apply(s, terms, s->l->events[i]);
	if (err == 1 && has_slash)
		err = add_pmu(s, pos, len, terms, typed);
	if (err == 1)
		err = add_alias(s, pos, len, terms, typed);
	if (err == 1)
		err = fail_unknown(s, pos, len, has_slash);
	free(typed);
	return err;
}

int scan_named(struct event_scan *s)
{
	size_t pos = s->pos, len = scan_word(s->text + pos), first = s->l->nr, mods_at;
	bool is_tracepoint, has_slash;
	struct event_terms terms = { 0 };
	struct event_modifiers mods;
	int err = 0;

	if (!len)
		return scan_fail(s, pos, PERR_USAGE,
				 s->text[pos] ? "expected an event here"
					      : "expected an event at the end");
	is_tracepoint = s->text[pos + len] == ':' && !is_event_name(s, pos, len);
	if (is_tracepoint)
		err = scan_two_words(s, len);
	else
		s->pos = pos + len;
	has_slash = s->text[s->pos] == '/';
	if (!err && has_slash)
		err = event_terms_scan(s, &terms);
	mods_at = s->pos;
	if (!err)
		err = scan_modifiers(s, &mods);
	if (!err && !is_tracepoint)
		err = add_word(s, pos, len, has_slash, &terms);
	for (size_t i = first; !err && is_tracepoint && i < s->l->nr; i++)
		err = event_terms_apply(s, &terms, s->l->events[i]);
	if (!err)
		err = scan_apply(s, first, &mods, false, mods_at);
	event_terms_fini(&terms);
	return err;
}
