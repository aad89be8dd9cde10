/* SPDX-License-Identifier: MIT */
#include "record/events/pmu_event.h"

#include <ctype.h>

#include "base/mem.h"
#include "record/events/event_names_table.h"

static bool term_is(const struct event_term *t, const char *name)
{
	return strlen(name) == t->name_len && !memcmp(name, t->name, t->name_len);
}

static void or_config(struct pd_attr *a, unsigned int word, u64 bits)
{
	switch (word) {
	case 0: a->config |= bits; break;
	case 1: a->config1 |= bits; break;
	case 2: a->config2 |= bits; break;
	default: a->config3 |= bits; break;
	}
}

/*
 * Applies a field of the PMU's format. Bits of several terms for one field are or-ed, as in perf.
 */
static int apply_field(struct event_scan *s, const struct event_term *t, const struct pmu_format *f,
		       struct rec_event *ev)
{
	u64 v;
	int err = event_term_number(s, t, UINT64_MAX, &v);

	if (err)
		return err;
	if (v > pmu_format_max(f)) {
		err = scan_fail(s, t->value_pos, PERR_USAGE,
				"%.*s is too large for '%s' (0 to %llu)", (int)t->value_len,
				t->value, f->name, (unsigned long long)pmu_format_max(f));
		snprintf(s->where->help, sizeof(s->where->help), "'%s' has %d bits: 0 to 0x%llx",
			 f->name, __builtin_popcountll(f->bits),
			 (unsigned long long)pmu_format_max(f));
		return err;
	}
	or_config(&ev->attr, f->word, pmu_format_spread(f, v));
	return 0;
}

/*
 * Returns true if the user gave a value for a term like "chip=?" of a named event, with a term
 * chip=3 of its own.
 */
static bool has_term(const struct event_terms *l, const struct event_term *wanted)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->terms[i].value && l->terms[i].name_len == wanted->name_len &&
		    !memcmp(l->terms[i].name, wanted->name, wanted->name_len))
			return true;
	return false;
}

static int apply_alias(struct event_scan *s, const struct pmu *pmu, const struct pmu_alias *alias,
		       const struct event_terms *all, size_t pos, struct rec_event *ev)
{
	struct event_terms l;
	int err = event_terms_of_alias(s, alias->terms, pos, &l);

	for (size_t i = 0; !err && i < l.nr; i++) {
		const struct event_term *t = &l.terms[i];
		const struct pmu_format *f = pmu_format_find(pmu, t->name, t->name_len);

		if (t->value_len == 1 && t->value[0] == '?') {
			if (!has_term(all, t))
				err = scan_fail(s, pos, PERR_USAGE,
						"event '%s' needs a value: %s/%s,%.*s=.../",
						alias->name, pmu->name, alias->name,
						(int)t->name_len, t->name);
			continue;
		}
		err = f ? apply_field(s, t, f, ev) : event_term_general(s, t, ev);
		if (err == 1)
			err = scan_fail(s, pos, PERR_FORMAT,
					"event '%s' of PMU '%s' has a term '%.*s' in sysfs that "
					"is not a field of the PMU",
					alias->name, pmu->name, (int)t->name_len, t->name);
	}
	if (!err && alias->unit && !ev->unit)
		ev->unit = xstrdup(alias->unit);
	if (!err && alias->scale != 1)
		ev->scale = alias->scale;
	event_terms_fini(&l);
	return err;
}

/* Parses "r1a8", a term that sets the whole config. */
static bool raw_config(const struct event_term *t, u64 *ret)
{
	*ret = 0;
	if (t->value || t->name_len < 2 || t->name_len > 17 || t->name[0] != 'r')
		return false;
	for (size_t i = 1; i < t->name_len; i++) {
		int c = tolower((unsigned char)t->name[i]);

		if (!isxdigit(c))
			return false;
		*ret = *ret << 4 | (u64)(isdigit(c) ? c - '0' : c - 'a' + 10);
	}
	return true;
}

/*
 * Applies the name of an event that sysfs does not list: of a PMU of CPU cores or of the software
 * PMU.
 */
static bool apply_known_name(struct event_scan *s, const struct pmu *pmu,
			     const struct event_term *t, struct rec_event *ev)
{
	const struct event_symbol *sym = event_symbol_find(t->name, t->name_len);
	u64 config, high = 0;

	if (t->value)
		return false;
	if (pmu->type == PD_TYPE_SOFTWARE && sym && sym->type == PD_TYPE_SOFTWARE) {
		ev->attr.config = sym->config;
		return true;
	}
	if (!pmu->is_core)
		return raw_config(t, &config) ? ev->attr.config |= config, true : false;
	if (pmu_list_is_hybrid(scan_pmus(s)))
		high = (u64)pmu->type << 32;
	if (sym && sym->type == PD_TYPE_HARDWARE) {
		ev->attr.type = PD_TYPE_HARDWARE;
		ev->attr.config = sym->config | high;
		return true;
	}
	if (event_cache_find(t->name, t->name_len, &config) == EVENT_CACHE_OK) {
		ev->attr.type = PD_TYPE_HW_CACHE;
		ev->attr.config = config | high;
		return true;
	}
	if (raw_config(t, &config)) {
		ev->attr.config |= config;
		return true;
	}
	return false;
}

static int fail_term(struct event_scan *s, const struct pmu *pmu, const struct event_term *t,
		     const struct rec_event *ev)
{
	struct nearest_name near;
	char names[200];
	size_t used = 0;

	nearest_init(&near, t->name, t->name_len);
	for (size_t i = 0; i < pmu->nr_aliases; i++)
		nearest_offer(&near, pmu->aliases[i].name);
	for (size_t i = 0; i < pmu->nr_formats; i++)
		nearest_offer(&near, pmu->formats[i].name);
	if (nearest_text(&near, names, sizeof(names)))
		used = (size_t)snprintf(s->where->help, sizeof(s->where->help), "nearest: %s\n",
					names);
	event_terms_help(ev, pmu, s->where->help + used, sizeof(s->where->help) - used);
	s->where->pos = t->pos;
	return perr_set(s->e, PERR_NOTFOUND, "PMU '%s' has no term or event '%.*s'", pmu->name,
			(int)t->name_len, t->name);
}

static int apply_pmu_term(struct event_scan *s, const struct pmu *pmu, const struct event_terms *l,
			  const struct event_term *t, struct rec_event *ev)
{
	const struct pmu_format *f = pmu_format_find(pmu, t->name, t->name_len);
	const struct pmu_alias *alias = NULL;

	/* event=mem-loads and mem-loads=1 mean the same as mem-loads */
	if (t->value && term_is(t, "event"))
		alias = pmu_alias_find(pmu, t->value, t->value_len);
	else if (!f && (!t->value || (t->value_len == 1 && t->value[0] == '1')))
		alias = pmu_alias_find(pmu, t->name, t->name_len);
	if (alias)
		return apply_alias(s, pmu, alias, l, t->pos, ev);
	if (f)
		return apply_field(s, t, f, ev);
	if (apply_known_name(s, pmu, t, ev))
		return 0;
	return fail_term(s, pmu, t, ev);
}

void pmu_event_set_cpus(struct rec_event *ev, const struct pmu *pmu)
{
	if (!pmu->cpus)
		return;
	ev->pmu_cpus = xcalloc(1, sizeof(*ev->pmu_cpus));
	for (size_t i = 0; i < pmu->cpus->nr; i++)
		vec_push(ev->pmu_cpus->cpus, ev->pmu_cpus->nr, ev->pmu_cpus->cap,
			 pmu->cpus->cpus[i]);
}

int pmu_event_add(struct event_scan *s, const struct pmu *pmu, const struct event_terms *t,
		  const char *name)
{
	struct rec_event *ev = scan_add(s, name, pmu->type, 0);
	struct event_terms general = { 0 };
	int err;

	pmu_event_set_cpus(ev, pmu);
	/*
	 * apply config= before the fields, since it sets a whole word that the fields are or-ed to
	 */
	for (size_t i = 0; i < t->nr; i++)
		if (!pmu_format_find(pmu, t->terms[i].name, t->terms[i].name_len) &&
		    event_term_is_general(&t->terms[i]))
			vec_push(general.terms, general.nr, general.cap, t->terms[i]);
	err = event_terms_apply(s, &general, ev);
	for (size_t i = 0; !err && i < t->nr; i++)
		if (pmu_format_find(pmu, t->terms[i].name, t->terms[i].name_len) ||
		    !event_term_is_general(&t->terms[i]))
			err = apply_pmu_term(s, pmu, t, &t->terms[i], ev);
	event_terms_fini(&general);
	return err;
}
