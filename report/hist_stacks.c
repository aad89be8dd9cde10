/* SPDX-License-Identifier: MIT */
/* Stacks of rows as they count: parents found, frames left out. */
#include <regex.h>

#include "base/mem.h"
#include "report/hist.h"

#define USUAL_PARENTS "^sys_|^do_page_fault"

/* What is known of a frame's name: whether the regexes hold for it. */
enum { NAME_ASKED = 1, NAME_PARENT = 2, NAME_IGNORED = 4 };

struct hist_stacks {
	struct hist_data *d;
	enum chain_order order;
	u32 max_stack;
	bool find_parent, find_ignored, hide;
	regex_t parent, ignored;
	u8 *names;           /* per frame */
	struct arena arena;  /* changed stacks */
	struct idmap by_row; /* row -> changed */
	struct hist_stack *changed;
	size_t nr, cap;
	u32 *ids; /* of a stack being changed */
	size_t cap_ids;
};

static int compile(regex_t *re, const char *text, struct perr *e)
{
	int err = regcomp(re, text, REG_EXTENDED);
	char what[200];

	if (!err)
		return 0;
	regerror(err, re, what, sizeof(what));
	return perr_set(e, PERR_USAGE, "'%s' is no regular expression: %s", text, what);
}

struct hist_stacks *hist_stacks_new(struct hist_data *d, const struct hist_layout *l,
				    enum chain_order order, struct perr *e)
{
	const struct prep_options *o = d->opt;
	struct hist_stacks *s = xcalloc(1, sizeof(*s));

	*s = (struct hist_stacks){
		.d = d, .order = order, .hide = o->hide_unresolved, .max_stack = (u32)o->max_stack
	};
	if (l->flags & KEY_PARENT || o->exclude_other) {
		if (compile(&s->parent, o->parent ? o->parent : USUAL_PARENTS, e))
			goto bad;
		s->find_parent = l->flags & KEY_PARENT;
	}
	if (o->ignore_callees) {
		if (compile(&s->ignored, o->ignore_callees, e))
			goto bad;
		s->find_ignored = true;
	}
	s->names = xcalloc(counts_nr_frames(d->counts) + 1, 1);
	return s;
bad:
	hist_stacks_free(s);
	return NULL;
}

void hist_stacks_free(struct hist_stacks *s)
{
	if (!s)
		return;
	if (s->find_parent)
		regfree(&s->parent);
	if (s->find_ignored)
		regfree(&s->ignored);
	free(s->names);
	arena_fini(&s->arena);
	idmap_fini(&s->by_row);
	free(s->changed);
	free(s->ids);
	free(s);
}

static u8 names_of(struct hist_stacks *s, u32 id)
{
	const struct frame *fr;

	if (s->names[id])
		return s->names[id];
	s->names[id] = NAME_ASKED;
	fr = counts_frame(s->d->counts, id);
	if (!fr->has_sym)
		return NAME_ASKED;
	if (s->find_parent && !regexec(&s->parent, fr->sym.name, 0, NULL, 0))
		s->names[id] |= NAME_PARENT;
	if (s->find_ignored && !regexec(&s->ignored, fr->sym.name, 0, NULL, 0))
		s->names[id] |= NAME_IGNORED;
	return s->names[id];
}

static char level_of(const struct hist_stacks *s, u32 id)
{
	const struct map *m = counts_frame(s->d->counts, id)->map;

	return m && m->kernel ? 'k' : '.';
}

/*
 * The frames one by one in the order of display, as perf collects them: the first that looks like a
 * parent is it; one whose callees are to be ignored starts the chain anew.
 */
static void walk(struct hist_stacks *s, struct hist_stack *st, const u32 *ids, u32 nr)
{
	u32 i, n = 0;

	vec_reserve(s->ids, s->cap_ids, nr);
	for (i = 0; i < nr; i++) {
		u32 id = ids[s->order == CHAIN_CALLER ? nr - 1 - i : i];
		u8 names = names_of(s, id);

		if (names & NAME_PARENT && !st->parent)
			st->parent = id + 1;
		if (names & NAME_IGNORED) {
			st->own = id;
			st->level = level_of(s, id);
			n = 0;
		}
		if (s->hide && !counts_frame(s->d->counts, id)->has_sym)
			continue;
		s->ids[n++] = id;
	}
	st->nr = n;
	st->ids = ids;
	if (n == nr)
		return;
	st->ids = arena_alloc(&s->arena, (n + 1) * sizeof(*ids));
	for (i = 0; i < n; i++)
		((u32 *)st->ids)[i] = s->ids[s->order == CHAIN_CALLER ? n - 1 - i : i];
}

struct hist_stack hist_stack_of(struct hist_stacks *s, u32 row)
{
	const struct count_row *r = &s->d->counts->rows[row];
	bool branches = s->d->opt->mode == PREP_BRANCH;
	struct hist_stack st = { 0 };
	const u32 *ids;
	u32 nr, at;

	nr = (u32)counts_stack(s->d->counts, hist_value(s->d, r, COUNT_STACK), &ids);
	st.own = (u32)hist_value(s->d, r, branches ? COUNT_BRANCH_TO : COUNT_IP);
	st.level = hist_level(hist_value(s->d, r, COUNT_CPUMODE));
	if (nr > s->max_stack) { /* perf collects a chain in the order of display */
		ids += s->order == CHAIN_CALLER ? nr - s->max_stack : 0;
		nr = s->max_stack;
	}
	st.ids = ids;
	st.nr = nr;
	if (s->find_parent || s->find_ignored || s->hide) {
		at = idmap_get(&s->by_row, row, 0);
		if (at != IDMAP_NONE)
			return s->changed[at];
		walk(s, &st, ids, nr);
		st.hidden = s->hide && !counts_frame(s->d->counts, st.own)->has_sym;
		idmap_put(&s->by_row, row, 0, (u32)s->nr);
		vec_push(s->changed, s->nr, s->cap, st);
	}
	return st;
}
