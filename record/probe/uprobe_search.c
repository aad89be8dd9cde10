/* SPDX-License-Identifier: MIT */
#include "record/probe/uprobe_search.h"

#include <ctype.h>
#include <errno.h>

#include "base/mem.h"
#include "base/nearest_name.h"
#include "record/host/name_glob.h"

bool uprobe_search_has_no_return(const struct elf_function *f)
{
	return f->is_label || function_is_cold_part(f->name) || !strcmp(f->name, "_start");
}

/*
 * Splits "FUNC+0x10" or "FUNC+16" into name and offset. Without such an end all of it is the name.
 */
static void split_offset(struct uprobe_search *s)
{
	const char *plus = strrchr(s->func, '+');
	char *end;
	unsigned long long v;

	s->wanted = xstrdup(s->func);
	if (!plus || plus == s->func || !isdigit((unsigned char)plus[1]))
		return;
	errno = 0;
	v = strtoull(plus + 1, &end, 0);
	if (*end || errno)
		return;
	s->wanted[plus - s->func] = 0;
	s->add = v;
	s->has_offset = true;
}

/*
 * Returns true if a is the better of two names for one function: the better match, else the plainer
 * one.
 */
static bool is_better(const struct probe *a, const struct probe *b)
{
	size_t au = strspn(a->linker_name, "_"), bu = strspn(b->linker_name, "_");

	if (a->fit != b->fit)
		return a->fit > b->fit;
	if (au != bu)
		return au < bu;
	return strlen(a->linker_name) < strlen(b->linker_name);
}

static void add_probe(struct uprobe_search *s, const struct elf_function *f, enum function_fit fit)
{
	struct probe p = { .off = f->off, .linker_name = f->name, .fit = fit };

	if (!s->nr || s->probes[s->nr - 1].off != p.off)
		vec_push(s->probes, s->nr, s->cap, p);
	else if (is_better(&p, &s->probes[s->nr - 1]))
		s->probes[s->nr - 1] = p;
}

static void match_exactly(struct uprobe_search *s, const struct function_pattern *p)
{
	for (size_t i = 0; i < s->functions.nr; i++) {
		const struct elf_function *f = &s->functions.f[i];

		if (!function_pattern_is(p, f->name))
			continue;
		if (f->is_ifunc)
			s->saw_ifunc = true;
		else
			add_probe(s, f, FIT_EXACT);
	}
}

static void match_names(struct uprobe_search *s, const struct function_pattern *p)
{
	enum function_fit best = FIT_NONE;
	size_t nr = 0;

	for (size_t i = 0; i < s->functions.nr; i++) {
		const struct elf_function *f = &s->functions.f[i];
		enum function_fit fit;

		/* labels and cold parts match only by their own names */
		if (f->is_label || function_is_cold_part(f->name) ||
		    (s->kind != UPROBE_ENTRY && uprobe_search_has_no_return(f)))
			continue;
		fit = function_pattern_fit(p, f->name);
		if (fit == FIT_NONE)
			continue;
		if (f->at_ifunc) {
			s->saw_ifunc |= f->is_ifunc;
			continue;
		}
		add_probe(s, f, fit);
		if (fit > best)
			best = fit;
	}
	/* Copies are probed only if the function itself does not exist; a glob selects all. */
	for (size_t i = 0; i < s->nr; i++)
		if (p->is_glob || s->probes[i].fit == best)
			s->probes[nr++] = s->probes[i];
	s->nr = nr;
}

void uprobe_search_run(struct uprobe_search *s)
{
	struct function_pattern p;

	split_offset(s);
	function_pattern_init(&p, s->wanted, false);
	match_exactly(s, &p);
	if (!s->nr)
		match_names(s, &p);
	function_pattern_fini(&p);
	if (s->nr || !name_glob_has(s->wanted))
		return;
	function_pattern_init(&p, s->wanted, true);
	match_names(s, &p);
	function_pattern_fini(&p);
}

const struct elf_function *uprobe_search_at(const struct uprobe_search *s, u64 off)
{
	size_t lo = 0, hi = s->functions.nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->functions.f[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < s->functions.nr && s->functions.f[lo].off == off ? &s->functions.f[lo] : NULL;
}

void uprobe_search_fini(struct uprobe_search *s)
{
	for (size_t i = 0; i < s->nr; i++)
		free(s->probes[i].name);
	free(s->probes);
	free(s->wanted);
	elf_functions_fini(&s->functions);
}

/* Writes into help the names nearest to the one that was not found, as a user would type them. */
static void find_nearest(const struct uprobe_search *s, char *help, size_t help_size)
{
	struct function_pattern p;
	struct nearest_name near;
	bool with_params = strchr(s->wanted, '(');

	if (!help_size)
		return;
	function_pattern_init(&p, s->wanted, name_glob_has(s->wanted));
	if (p.is_glob && *p.word)
		nearest_init(&near, p.word, strlen(p.word));
	else
		nearest_init(&near, p.spaceless, strlen(p.spaceless));
	for (size_t i = 0; i < s->functions.nr; i++) {
		const struct elf_function *f = &s->functions.f[i];
		char *name;

		if (f->at_ifunc || f->is_label || function_is_cold_part(f->name))
			continue;
		name = with_params ? function_readable(f->name) : function_short(f->name);
		nearest_offer(&near, name);
		free(name);
	}
	nearest_text(&near, help, help_size);
	function_pattern_fini(&p);
}

int uprobe_search_not_found(const struct uprobe_search *s, char *help, size_t help_size,
			    struct perr *e)
{
	const struct elf_functions *l = &s->functions;
	char id[BUILD_ID_HEX];

	find_nearest(s, help, help_size);
	build_id_hex(l->build_id, l->build_id_size, id);
	if (!l->nr)
		return perr_set(
			e, PERR_NOTFOUND,
			"%s has no symbols: it is stripped: build it without -s, or install "
			"its debug package%s%s%s",
			s->path, *id ? " (build-id " : "", id, *id ? ")" : "");
	if (s->saw_ifunc)
		return perr_set(e, PERR_NOTFOUND,
				"%s in %s is one of several functions, chosen when the "
				"program starts (IFUNC): probe these functions, such as '*%s*'",
				s->wanted, s->base, s->wanted);
	if (l->stripped)
		return perr_set(
			e, PERR_NOTFOUND,
			"no function '%s' among the exported functions of %s, the only ones known: "
			"it is stripped: build it without -s, or install its debug "
			"package%s%s%s",
			s->wanted, s->path, *id ? " (build-id " : "", id, *id ? ")" : "");
	return perr_set(e, PERR_NOTFOUND, "no function '%s' in %s", s->wanted, s->path);
}
