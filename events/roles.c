/* SPDX-License-Identifier: MIT */
#include "events/roles.h"

#include <stdio.h>

#include "base/mem.h"
#include "events/event_item.h"
#include "events/role_values.h"
#include "events/rows.h"
#include "events/text_list.h"
#include "fileformat/perfdata.h"

#define MAX_LISTED 12

/* An expression as the user wrote it. */
struct part {
	char *name; /* the user's name for it; NULL: the text */
	char *text;
	enum { SIDE_ANY, SIDE_BEGIN, SIDE_END } side;
};

static void free_exprs(struct expr **x)
{
	for (size_t i = 0; i < MAX_PARTS; i++)
		expr_free(x[i]);
}

void roles_fini(struct roles *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		free(r->all[i].key_text);
		expr_free(r->all[i].condition);
		expr_free(r->all[i].value);
		free_exprs(r->all[i].key);
		free_exprs(r->all[i].row);
	}
	for (size_t i = 0; i < r->nr_events && r->fields; i++)
		event_fields_fini(&r->fields[i]);
	for (size_t i = 0; i < MAX_PARTS; i++)
		free(r->row_titles[i]);
	free(r->missing);
	free(r->all);
	free(r->fields);
	free(r->first);
	*r = (struct roles){ 0 };
}

/* ---- events ---- */

/* "sched:sched_switch" or a pattern; without a colon of the part behind the colon. */
static bool is_named(const struct pd_event *ev, struct span pattern)
{
	const char *name = ev->name, *colon = strchr(name, ':');

	if (colon && !memchr(pattern.p, ':', pattern.n))
		name = colon + 1;
	return expr_glob(pattern, span_of(name, strlen(name)));
}

static int fail_without_event(const struct perfdata *pd, struct span name, const char *record,
			      struct perr *e)
{
	char list[500] = "";
	size_t at = 0;

	for (size_t i = 0; i < pd->nr_events && i < MAX_LISTED && at < sizeof(list); i++)
		at += (size_t)snprintf(list + at, sizeof(list) - at, "%s%.60s", i ? ", " : "",
				       pd->events[i]->name);
	if (record)
		return perr_set(e, PERR_NOTFOUND,
				"it has no event '%.*s' (it has %s); record it with %s",
				(int)(name.n < 60 ? name.n : 60), (const char *)name.p,
				*list ? list : "none", record);
	return perr_set(e, PERR_NOTFOUND,
			"it has no event '%.*s' (it has %s); record it with prec -a -e %.*s",
			(int)(name.n < 60 ? name.n : 60), (const char *)name.p,
			*list ? list : "none", (int)(name.n < 60 ? name.n : 60),
			(const char *)name.p);
}

static int compile(struct roles *r, u32 event, struct span text, struct expr **ret, struct perr *e)
{
	char *s = xstrndup((const char *)text.p, text.n);
	int err = expr_compile(s, &r->fields[event], ret, e);

	free(s);
	return err;
}

static void add_missing(struct roles *r, struct span name)
{
	char *before = r->missing;

	r->missing = xasprintf("%s%s%.*s", before ? before : "", before ? ", " : "", (int)name.n,
			       (const char *)name.p);
	free(before);
}

/* Adds the roles of one "EVENT/CONDITION/key=KEY/". */
static int add_item(struct roles *r, const struct perfdata *pd, enum role_kind kind,
		    struct span text, const char *record, struct perr *e)
{
	struct event_item item;
	bool any = false;
	int err = event_item_split(text, &item, e);

	for (size_t i = 0; i < pd->nr_events && !err; i++) {
		struct role role = { .kind = kind, .event = pd->events[i]->idx };

		if (!is_named(pd->events[i], item.name))
			continue;
		if (item.condition.n)
			err = compile(r, role.event, item.condition, &role.condition, e);
		if (!err && item.key.n)
			role.key_text = xstrndup((const char *)item.key.p, item.key.n);
		if (!err)
			vec_push(r->all, r->nr, r->cap, role);
		any = true;
	}
	if (err || any)
		return err;
	if (!item.optional)
		return fail_without_event(pd, item.name, record, e);
	add_missing(r, item.name);
	return 0;
}

static int add_lists(struct roles *r, const struct perfdata *pd, enum role_kind kind,
		     const char **lists, size_t nr, const char *record, struct perr *e)
{
	for (size_t i = 0; i < nr; i++) {
		struct span rest = span_of(lists[i], strlen(lists[i])), item;

		while (text_list_next(&rest, ',', true, &item)) {
			int err = add_item(r, pd, kind, item, record, e);

			if (err)
				return err;
		}
	}
	return 0;
}

/* ---- keys ---- */

/* The key where none was given: what is certain about the events. */
static const char *usual_key(const struct roles *r, const struct perfdata *pd)
{
	bool of_thread = true, of_cpu = true;

	for (size_t i = 0; i < r->nr; i++) {
		const char *name = pd->events[r->all[i].event]->name;

		of_cpu &= !strncmp(name, "irq:", 4);
		of_thread &= !strncmp(name, "raw_syscalls:", 13) ||
			     !strncmp(name, "syscalls:", 9) || !strncmp(name, "probe", 5) ||
			     !strncmp(name, "uprobe:", 7) || !strncmp(name, "sdt_", 4);
	}
	return of_thread ? "$tid" : of_cpu ? "$cpu" : NULL;
}

static int split_parts(const char *what, struct span list, struct part ret[MAX_PARTS],
		       size_t *ret_nr, struct perr *e)
{
	static const struct {
		const char *prefix;
		int side;
	} sides[] = { { "begin:", SIDE_BEGIN }, { "end:", SIDE_END } };
	bool is_row = !strcmp(what, "--by");
	struct span item, name;

	for (*ret_nr = 0; text_list_next(&list, ',', false, &item); ++*ret_nr) {
		struct part *p = &ret[*ret_nr];

		if (*ret_nr == MAX_PARTS)
			return perr_set(e, PERR_USAGE, "%s: at most %d expressions", what,
					MAX_PARTS);
		p->side = SIDE_ANY;
		if (is_row && text_list_take_name(&item, &name, e))
			return PERR_USAGE;
		p->name = is_row && name.n ? xstrndup((const char *)name.p, name.n) : NULL;
		for (size_t i = 0; i < ARRAY_SIZE(sides); i++) {
			size_t n = strlen(sides[i].prefix);

			if (item.n > n && !memcmp(item.p, sides[i].prefix, n)) {
				p->side = sides[i].side;
				item = span_of(item.p + n, item.n - n);
			}
		}
		p->text = xstrndup((const char *)item.p, item.n);
	}
	return 0;
}

static void free_parts(struct part *p)
{
	for (size_t i = 0; i < MAX_PARTS; i++) {
		free(p[i].name);
		free(p[i].text);
	}
}

/* True if all expressions on both sides are just the CPU that the events were on. */
static bool is_cpu(const struct expr *x)
{
	return expr_uses_own(x, OWN_CPU) && !expr_uses_fields(x);
}

/* Compiles the key of one event: its own, or that of all on its side. */
static int compile_key(struct roles *r, struct role *role, const struct part *common,
		       size_t nr_common, struct perr *e)
{
	struct part own[MAX_PARTS] = { 0 };
	const struct part *parts = role->key_text ? own : common;
	size_t nr = nr_common;
	int err = 0;

	if (role->key_text)
		err = split_parts("key=", span_of(role->key_text, strlen(role->key_text)), own, &nr,
				  e);
	if (!err && !r->nr_key)
		r->nr_key = nr;
	if (!err && (!nr || nr != r->nr_key))
		err = perr_set(e, PERR_USAGE, "--key: as many expressions of each event");
	for (size_t k = 0; k < nr && !err; k++)
		err = compile(r, role->event, span_of(parts[k].text, strlen(parts[k].text)),
			      &role->key[k], e);
	free_parts(own);
	return err;
}

/* A key matches only where both sides have the same kind of value. */
static int check_key(struct roles *r, struct perr *e)
{
	for (size_t k = 0; k < r->nr_key; k++) {
		bool all_cpu = true;

		for (size_t i = 0; i < r->nr; i++) {
			all_cpu &= is_cpu(r->all[i].key[k]);
			if (expr_is_text(r->all[i].key[k]) == expr_is_text(r->all[0].key[k]))
				continue;
			return perr_set(e, PERR_USAGE,
					"--key: part %zu is a text in one event and a number in "
					"another; they never match",
					k + 1);
		}
		r->key_has_cpu |= all_cpu;
	}
	return 0;
}

/* The --key of all events that have none of their own. */
static int split_key(const char *text, struct part begin[MAX_PARTS], struct part end[MAX_PARTS],
		     size_t nr[2], struct perr *e)
{
	struct span b = span_of(text, strlen(text)), f = b;
	size_t at = text_list_equals(b);
	int err;

	if (at != SIZE_MAX) {
		f = span_of(b.p + at + 1, b.n - at - 1);
		b.n = at;
	}
	err = split_parts("--key", b, begin, &nr[0], e);
	if (!err)
		err = split_parts("--key", f, end, &nr[1], e);
	if (!err && (nr[0] != nr[1] || !nr[0]))
		err = perr_set(e, PERR_USAGE,
			       "--key '%s': as many expressions of the end as of the begin", text);
	return err;
}

static bool all_have_keys(const struct roles *r)
{
	for (size_t i = 0; i < r->nr; i++)
		if (!r->all[i].key_text)
			return false;
	return true;
}

static int add_keys(struct roles *r, const struct perfdata *pd, const char *text, struct perr *e)
{
	struct part begin[MAX_PARTS] = { 0 }, end[MAX_PARTS] = { 0 };
	size_t nr[2] = { 0 };
	int err = 0;

	text = text ? text : usual_key(r, pd);
	if (text)
		err = split_key(text, begin, end, nr, e);
	else if (!all_have_keys(r))
		err = perr_set(e, PERR_USAGE,
			       "--key is needed: which fields of a begin and an end make them a "
			       "pair (--key pid=next_pid)");
	for (size_t i = 0; i < r->nr && !err; i++) {
		bool is_end = r->all[i].kind == ROLE_END;

		err = compile_key(r, &r->all[i], is_end ? end : begin, nr[is_end], e);
	}
	free_parts(begin);
	free_parts(end);
	return err ? err : check_key(r, e);
}

/* ---- rows ---- */

/*
 * Compiles a part of the row for all events of a kind. *ret_own: some event has it of its sample,
 * not of its fields. On failure none has it.
 */
static int compile_row(struct roles *r, enum role_kind kind, size_t k, struct span text,
		       bool *ret_own, struct perr *e)
{
	int err = r->has_begins || kind == ROLE_END
			  ? 0
			  : perr_set(e, PERR_NOTFOUND, "there is no begin");

	*ret_own = false;
	for (size_t i = 0; i < r->nr && !err; i++) {
		struct role *role = &r->all[i];

		if (role->kind != kind)
			continue;
		err = compile(r, role->event, text, &role->row[k], e);
		*ret_own |= !err && !expr_uses_fields(role->row[k]);
	}
	for (size_t i = 0; i < r->nr && err; i++) {
		expr_free(r->all[i].row[k]);
		r->all[i].row[k] = NULL;
	}
	return err;
}

static void drop_row(struct roles *r, size_t k)
{
	for (size_t i = 0; i < r->nr; i++) {
		expr_free(r->all[i].row[k]);
		r->all[i].row[k] = NULL;
	}
}

/* The begin has a value if it has it in its fields, else the end, else the begin's sample. */
static int choose_side(struct roles *r, size_t k, const struct part *p, struct perr *e)
{
	struct span text = span_of(p->text, strlen(p->text));
	bool own;
	int err;

	if (p->side != SIDE_ANY)
		return compile_row(r, p->side == SIDE_BEGIN ? ROLE_BEGIN : ROLE_END, k, text, &own,
				   e);
	err = compile_row(r, ROLE_BEGIN, k, text, &own, e);
	if (!err && !own)
		return 0;
	drop_row(r, k);
	err = compile_row(r, ROLE_END, k, text, &own, e);
	if (!err && (!own || !r->has_begins))
		return 0;
	drop_row(r, k);
	return compile_row(r, r->has_begins ? ROLE_BEGIN : ROLE_END, k, text, &own, e);
}

static int check_row(struct roles *r, size_t k, const struct part *p, struct perr *e)
{
	bool any = false;

	for (size_t i = 0; i < r->nr; i++) {
		const struct expr *x = r->all[i].row[k];

		if (x && any && expr_show(x) != r->row_shows[k] &&
		    (expr_is_text(x) || r->row_shows[k] == EXPR_SHOW_TEXT))
			return perr_set(e, PERR_USAGE,
					"--by '%s': a text in one event, a number in another",
					p->text);
		if (x && !any)
			r->row_shows[k] = expr_show(x);
		any |= x != NULL;
	}
	return 0;
}

static int add_rows(struct roles *r, const char *text, struct perr *e)
{
	struct part parts[MAX_PARTS] = { 0 };
	int err = split_parts("--by", span_of(text, text ? strlen(text) : 0), parts, &r->nr_row, e);

	for (size_t k = 0; k < r->nr_row && !err; k++) {
		err = choose_side(r, k, &parts[k], e);
		if (!err)
			err = check_row(r, k, &parts[k], e);
		r->row_titles[k] = xstrdup(parts[k].name ? parts[k].name : parts[k].text);
	}
	free_parts(parts);
	return err;
}

static int add_values(struct roles *r, const char *text, struct perr *e)
{
	for (size_t i = 0; text && i < r->nr; i++) {
		struct role *role = &r->all[i];
		int err = compile(r, role->event, span_of(text, strlen(text)), &role->value, e);

		if (err)
			return err;
		if (expr_is_text(role->value))
			return perr_set(e, PERR_USAGE, "--value '%s' is a text, not a number",
					text);
	}
	return 0;
}

static int role_order(const void *x, const void *y)
{
	const struct role *a = x, *b = y;

	if (a->event != b->event)
		return a->event < b->event ? -1 : 1;
	return (int)b->kind - (int)a->kind;
}

static void sort_roles(struct roles *r)
{
	size_t at = 0;

	if (r->nr)
		qsort(r->all, r->nr, sizeof(*r->all), role_order);
	r->first = xcalloc(r->nr_events + 1, sizeof(*r->first));
	for (size_t i = 0; i <= r->nr_events; i++) {
		while (at < r->nr && r->all[at].event < i)
			at++;
		r->first[i] = (u32)at;
	}
}

/* What an analysis needs of the samples. */
static int check_samples(const struct roles *r, const struct perfdata *pd, struct perr *e)
{
	for (size_t i = 0; i < r->nr; i++) {
		const struct role *role = &r->all[i];
		const struct pd_event *ev = pd->events[role->event];
		bool fields = role->condition && expr_uses_fields(role->condition);

		for (size_t k = 0; k < MAX_PARTS; k++) {
			fields |= role->key[k] && expr_uses_fields(role->key[k]);
			fields |= role->row[k] && expr_uses_fields(role->row[k]);
		}
		if (!(ev->attr.sample_type & PD_SAMPLE_TIME))
			return perr_set(e, PERR_UNSUPPORTED, "samples of %s have no time",
					ev->name);
		if (fields && !(ev->attr.sample_type & PD_SAMPLE_RAW))
			return perr_set(e, PERR_UNSUPPORTED,
					"samples of %s have no fields; record it as root",
					ev->name);
	}
	return 0;
}

int roles_init(struct roles *r, const struct perfdata *pd, const struct role_texts *t,
	       struct perr *e)
{
	int err;

	*r = (struct roles){ .nr_events = pd->nr_events, .has_begins = t->nr_begins };
	r->fields = xcalloc(pd->nr_events + 1, sizeof(*r->fields));
	for (size_t i = 0; i < pd->nr_events; i++)
		event_fields_of(&r->fields[i], pd, pd->events[i]);
	err = add_lists(r, pd, ROLE_BEGIN, t->begins, t->nr_begins, t->record, e);
	if (!err)
		err = add_lists(r, pd, ROLE_END, t->ends, t->nr_ends, t->record, e);
	if (!err && r->has_begins)
		err = add_keys(r, pd, t->key, e);
	if (!err)
		err = add_rows(r, t->by, e);
	if (!err)
		err = add_values(r, t->value, e);
	if (!err)
		err = check_samples(r, pd, e);
	if (!err)
		roles_list_parts(r);
	sort_roles(r);
	return err;
}
