/* SPDX-License-Identifier: MIT */
/* Call chains of rows: parents are found, unwanted frames left out, inlined functions added. */
#include "report/table/hist_stacks.h"

#include <regex.h>

#include "base/mem.h"
#include "base/pages.h"
#include "count/counts.h"
#include "count/stack_iter.h"
#include "machine/chain_ips.h"

#define USUAL_PARENTS "^sys_|^do_page_fault"

/* Ids that are allocated at once for expanded stacks: many recordings have few of these. */
#define FIRST_IDS ((size_t)64 << 10)
#define ID_BLOCK ((size_t)1 << 20)

#define CACHE_LINE 64
#define FETCH_ROWS 4
#define FETCH_BYTES 512 /* of a stack; the processor prefetches the rest of a long one itself */

/* Which regexes match a frame's name; NAME_ASKED: the others of these bits are valid. */
enum { NAME_ASKED = 1, NAME_PARENT = 2, NAME_IGNORED = 4 };

/* A stack with its inlined functions; members are those of struct hist_stack. */
struct expanded {
	const u32 *ids;
	u32 nr, turn, more;
};

#define AS_COUNTED UINT32_MAX /* in expanded_at: the stack has no inlined functions */

struct id_block {
	struct id_block *next;
	u32 ids[];
};

struct hist_stacks {
	struct hist_data *d;
	enum chain_order order;
	u32 max_stack;
	bool has_copies; /* some stacks are stack copies, whose user part was cut when it was
			    counted */
	bool has_parent, find_parent, find_ignored, hide;
	regex_t parent, ignored;
	u8 *names;        /* per frame of counts; NULL: there is no regex */
	u32 *expanded_at; /* by place_of(): index in expanded + 1, AS_COUNTED, 0 before; or NULL */
	struct expanded *expanded;
	size_t nr_expanded, cap_expanded;
	const u32 **whole; /* by place_of(): stacks with all repetitions; NULL until needed */
	struct id_block *blocks;
	u32 *free_ids; /* of the first block */
	size_t nr_free;
	struct arena arena;  /* changed stacks */
	struct idmap by_row; /* row -> changed */
	struct hist_stack *changed;
	size_t nr, cap;
	u32 *ids; /* of a stack being changed */
	size_t cap_ids;
};

static int compile_regex(regex_t *re, const char *text, struct perr *e)
{
	int err = regcomp(re, text, REG_EXTENDED);
	char what[200];

	if (!err)
		return 0;
	regerror(err, re, what, sizeof(what));
	return perr_set(e, PERR_USAGE, "'%s' is not a regular expression: %s", text, what);
}

/* With stack copies each stack has two places: recorded stacks and copies are cut differently. */
static size_t nr_places(const struct hist_stacks *s)
{
	return (s->has_copies ? 2 : 1) * (counts_nr_stacks(s->d->counts) + 1);
}

struct hist_stacks *hist_stacks_new(struct hist_data *d, const struct hist_layout *l,
				    enum chain_order order, struct perr *e)
{
	const struct table_config *o = d->cfg;
	struct hist_stacks *s = xcalloc(1, sizeof(*s));

	*s = (struct hist_stacks){
		.d = d, .order = order, .hide = o->hide_unresolved, .max_stack = o->max_stack
	};
	if (l->flags & KEY_PARENT || o->exclude_other) {
		if (compile_regex(&s->parent, o->parent ? o->parent : USUAL_PARENTS, e))
			goto bad;
		s->has_parent = true;
		s->find_parent = l->flags & KEY_PARENT;
	}
	if (o->ignore_callees) {
		if (compile_regex(&s->ignored, o->ignore_callees, e))
			goto bad;
		s->find_ignored = true;
	}
	if (s->has_parent || s->find_ignored)
		s->names = xcalloc(counts_nr_frames(d->counts) + 1, 1);
	s->has_copies = d->columns >> COUNT_END & 1;
	if (d->frames.places)
		s->expanded_at = xcalloc(nr_places(s), sizeof(*s->expanded_at));
	return s;
bad:
	hist_stacks_free(s);
	return NULL;
}

void hist_stacks_free(struct hist_stacks *s)
{
	if (!s)
		return;
	if (s->has_parent)
		regfree(&s->parent);
	if (s->find_ignored)
		regfree(&s->ignored);
	free(s->names);
	free(s->expanded_at);
	free(s->expanded);
	free(s->whole);
	while (s->blocks) {
		struct id_block *next = s->blocks->next;

		free(s->blocks);
		s->blocks = next;
	}
	arena_fini(&s->arena);
	idmap_fini(&s->by_row);
	free(s->changed);
	free(s->ids);
	free(s);
}

static u8 names_of(struct hist_stacks *s, u32 id)
{
	const struct frame *fr;

	if (!s->names)
		return 0;
	if (s->names[id])
		return s->names[id];
	s->names[id] = NAME_ASKED;
	fr = counts_frame(s->d->counts, id);
	if (!fr->has_sym)
		return NAME_ASKED;
	if (s->find_parent && !regexec(&s->parent, fr->sym->name, 0, NULL, 0))
		s->names[id] |= NAME_PARENT;
	if (s->find_ignored && !regexec(&s->ignored, fr->sym->name, 0, NULL, 0))
		s->names[id] |= NAME_IGNORED;
	return s->names[id];
}

static char level_of(const struct hist_stacks *s, u32 id)
{
	const struct map *m = counts_frame(s->d->counts, id)->map;

	return m && m->kernel ? 'k' : '.';
}

/*
 * Goes through the frames in the order of display, as perf does. The first frame that matches the
 * parent regex becomes the parent. A frame that matches --ignore-callees drops all frames before
 * it and becomes the sample's own frame.
 */
static void filter_frames(struct hist_stacks *s, struct hist_stack *st, const u32 *ids, u32 nr)
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

/* Returns room for n more ids; take_room() claims it. */
static u32 *make_room(struct hist_stacks *s, size_t n)
{
	size_t block = s->blocks ? ID_BLOCK : FIRST_IDS, nr = n > block ? n : block;
	size_t size = sizeof(struct id_block) + nr * sizeof(u32);
	struct id_block *b;

	if (s->nr_free < n) {
		b = xmalloc(size);
		pages_will_fill(b, size);
		b->next = s->blocks;
		s->blocks = b;
		s->free_ids = b->ids;
		s->nr_free = nr;
	}
	return s->free_ids;
}

static void take_room(struct hist_stacks *s, size_t n)
{
	s->free_ids += n;
	s->nr_free -= n;
}

/* Replaces the repeated sequence at the stack's end by all its repetitions. */
static void unroll_turns(struct hist_stacks *s, struct hist_stack *st, size_t place)
{
	u32 nr = st->nr + st->more, *ids, i;

	if (!st->turn)
		return;
	if (!s->whole)
		s->whole = xcalloc(nr_places(s), sizeof(*s->whole));
	if (!s->whole[place]) {
		s->whole[place] = ids = make_room(s, nr);
		take_room(s, nr);
		memcpy(ids, st->ids, st->nr * sizeof(*ids));
		for (i = st->nr; i < nr; i++)
			ids[i] = ids[i - st->turn];
	}
	st->ids = s->whole[place];
	st->nr = nr;
	st->turn = st->more = 0;
}

/*
 * Cuts a stack to --max-stack. perf takes frames in the order of display until it has enough, so
 * with callers first it keeps the root's end. The user part of a stack copy is an exception: its
 * leaf's end is kept in either order.
 */
static void cut_stack(struct hist_stacks *s, struct hist_stack *st, size_t place)
{
	bool of_copy = s->has_copies && place & 1;
	u32 nr, drop;

	if (st->nr + st->more <= s->max_stack)
		return;
	unroll_turns(s, st, place);
	nr = st->nr;
	if (of_copy)
		for (nr = 0; nr < st->nr && level_of(s, st->ids[nr]) == 'k'; nr++)
			;
	drop = nr > s->max_stack ? nr - s->max_stack : 0;
	if (s->order == CHAIN_CALLER)
		st->ids += drop;
	else if (of_copy)
		drop = 0; /* counting has cut the stack already */
	st->nr -= drop;
}

static bool is_inlined_in_circle(const struct hist_stacks *s, const struct hist_stack *st)
{
	for (u32 i = st->nr - st->turn; i < st->nr; i++)
		if (s->d->frames.places[st->ids[i]])
			return true;
	return false;
}

/* Inserts inlined functions; returns false if the stack has none. */
static bool expand_inlines(struct hist_stacks *s, struct hist_stack *st, size_t place)
{
	u32 *ids;
	size_t nr;

	if (!s->d->frames.places)
		return false;
	if (is_inlined_in_circle(s, st))
		unroll_turns(s, st, place);
	ids = make_room(s, CHAIN_FRAMES_MAX);
	nr = chain_frames_expand(&s->d->frames, st->ids, st->nr, ids);
	if (!nr || nr + st->more > CHAIN_FRAMES_MAX)
		return false;
	take_room(s, nr);
	st->ids = ids;
	st->nr = (u32)nr;
	return true;
}

/* As expand_inlines(), but only the first call for a place does the work. */
static void expand_inlines_once(struct hist_stacks *s, struct hist_stack *st, size_t place)
{
	const struct expanded *e;
	u32 *at;

	if (!s->expanded_at)
		return;
	at = &s->expanded_at[place];
	if (!*at) {
		*at = AS_COUNTED;
		if (expand_inlines(s, st, place)) {
			vec_push(s->expanded, s->nr_expanded, s->cap_expanded,
				 ((struct expanded){ st->ids, st->nr, st->turn, st->more }));
			*at = (u32)s->nr_expanded;
		}
	} else if (*at != AS_COUNTED) {
		e = &s->expanded[*at - 1];
		st->ids = e->ids;
		st->nr = e->nr;
		st->turn = e->turn;
		st->more = e->more;
	}
}

/* The index of a row's stack in expanded_at and whole; with stack copies, theirs are odd. */
static size_t place_of(const struct hist_stacks *s, const struct count_row *r)
{
	u64 stack = hist_value(s->d, r, COUNT_STACK);

	if (!s->has_copies)
		return stack;
	return 2 * stack + (count_value(r, COUNT_END) != STACK_RECORDED);
}

static struct hist_stack changed_stack(struct hist_stacks *s, struct hist_stack st, u32 row,
				       size_t place)
{
	u32 at = idmap_get(&s->by_row, row, 0);

	if (at != IDMAP_NONE)
		return s->changed[at];
	unroll_turns(s, &st, place);
	filter_frames(s, &st, st.ids, st.nr);
	st.hidden = s->hide && !counts_frame(s->d->counts, st.own)->has_sym;
	expand_inlines(s, &st, place);
	idmap_put(&s->by_row, row, 0, (u32)s->nr);
	vec_push(s->changed, s->nr, s->cap, st);
	return st;
}

/* The members of a row's stack that need no frames. */
static struct hist_stack stack_of_row(const struct hist_stacks *s, const struct count_row *r)
{
	bool branches = s->d->cfg->mode == TABLE_BRANCH;

	return (struct hist_stack){
		.own = (u32)hist_value(s->d, r, branches ? COUNT_BRANCH_TO : COUNT_IP),
		.level = hist_level(hist_value(s->d, r, COUNT_CPUMODE)),
	};
}

static bool changes_stacks(const struct hist_stacks *s)
{
	return s->find_parent || s->find_ignored || s->hide;
}

struct hist_stack hist_stack_own(struct hist_stacks *s, u32 row)
{
	return changes_stacks(s) ? hist_stack_of(s, row)
				 : stack_of_row(s, &s->d->counts->rows[row]);
}

struct hist_stack hist_stack_of(struct hist_stacks *s, u32 row)
{
	const struct count_row *r = &s->d->counts->rows[row];
	size_t place = place_of(s, r);
	struct hist_stack st = stack_of_row(s, r);
	struct stack_ids counted = stack_ids_of(s->d->counts, hist_value(s->d, r, COUNT_STACK));

	st.ids = counted.ids;
	st.nr = counted.nr;
	st.turn = counted.turn;
	st.more = counted.more;
	cut_stack(s, &st, place);
	if (changes_stacks(s))
		return changed_stack(s, st, row, place);
	expand_inlines_once(s, &st, place);
	return st;
}

void hist_stacks_fetch_place(const struct hist_stacks *s, u32 row)
{
	const struct count_row *r = &s->d->counts->rows[row];

	if (s->expanded_at)
		__builtin_prefetch(&s->expanded_at[place_of(s, r)]);
}

void hist_stacks_fetch(const struct hist_stacks *s, u32 row)
{
	const struct counts *c = s->d->counts;
	const struct expanded *e;
	const struct count_row *r;
	struct span ids;
	u32 at = 0;

	if (row + FETCH_ROWS >= c->nr_rows)
		return;
	r = &c->rows[row + FETCH_ROWS];
	if (s->expanded_at)
		at = s->expanded_at[place_of(s, r)];
	if (at && at != AS_COUNTED) {
		e = &s->expanded[at - 1];
		ids = span_of(e->ids, e->nr * sizeof(*e->ids));
	} else {
		ids = stack_iter_memory(c, hist_value(s->d, r, COUNT_STACK));
	}
	for (size_t i = 0; i < ids.n && i < FETCH_BYTES; i += CACHE_LINE)
		__builtin_prefetch(s->order == CHAIN_CALLER ? ids.p + ids.n - 1 - i : ids.p + i);
}
