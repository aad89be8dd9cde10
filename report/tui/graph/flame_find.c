/* SPDX-License-Identifier: MIT */
/* Search in a flame graph: matches are marked, all other boxes stay. */
#include <ctype.h>
#include <regex.h>

#include "base/mem.h"
#include "report/tui/graph/flame_view.h"

static bool has_capitals(const char *s)
{
	while (*s && !isupper((u8)*s))
		s++;
	return *s;
}

void flame_view_count_found(struct flame_view *v)
{
	const struct flame *f = flame_shown(v);

	v->nr_found = 0;
	v->found = 0;
	if (!v->matches)
		return;
	for (u32 n = 0; n < f->nr;) {
		if (!v->matches[f->name[n]]) {
			n++;
			continue;
		}
		v->nr_found++;
		v->found += f->total[v->side][n];
		n = f->end[n];
	}
}

/* Starts a search that has no matches yet. */
static void begin(struct flame_view *v, const char *pattern)
{
	char *text = pattern ? xstrdup(pattern) : NULL;

	free(v->pattern);
	free(v->matches);
	v->pattern = text;
	v->matches = pattern ? xcalloc(flame_shown(v)->nr_names, sizeof(*v->matches)) : NULL;
}

int flame_view_search(struct flame_view *v, const char *pattern, struct perr *e)
{
	const struct flame *f = flame_shown(v);
	regex_t regex;
	int err = 0;

	if (pattern)
		err = regcomp(&regex, pattern,
			      REG_EXTENDED | REG_NOSUB | (has_capitals(pattern) ? 0 : REG_ICASE));
	if (err) {
		char why[128];

		regerror(err, &regex, why, sizeof(why));
		return perr_set(e, PERR_USAGE, "%s: %s", pattern, why);
	}
	begin(v, pattern);
	for (size_t i = 1; pattern && i < f->nr_names; i++)
		v->matches[i] = !regexec(&regex, f->names[i].text, 0, NULL, 0);
	if (pattern)
		regfree(&regex);
	flame_view_count_found(v);
	return 0;
}

void flame_view_search_name(struct flame_view *v, u32 name)
{
	begin(v, flame_shown(v)->names[name].text);
	v->matches[name] = true;
	flame_view_count_found(v);
}

size_t flame_view_find(struct flame_view *v, int direction)
{
	const struct flame *f = flame_shown(v);
	u32 first = 0, before = 0, after = 0, last = 0, at;
	size_t number = 0;

	for (u32 n = 0; v->matches && n < f->nr;) {
		if (!v->matches[f->name[n]]) {
			n++;
			continue;
		}
		first = first ? first : n;
		last = n;
		before = n < v->state.selected ? n : before;
		after = !after && n > v->state.selected ? n : after;
		n = f->end[n];
	}
	if (!first)
		return 0;
	at = direction > 0 ? (after ? after : first) : before ? before : last;
	v->state.selected = at;
	/* out of a zoom that does not hold it */
	while (v->state.zoom && (at < v->state.zoom || at >= f->end[v->state.zoom]))
		v->state.zoom = flame_parent(f, v->state.zoom);
	for (u32 n = 0; n <= at;) {
		bool is = v->matches[f->name[n]];

		number += is;
		n = is ? f->end[n] : n + 1;
	}
	return number;
}
