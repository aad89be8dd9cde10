/* SPDX-License-Identifier: MIT */
#include "events/series/series.h"

#include "base/mem.h"
#include "events/role_values.h"
#include "events/text_list.h"

/* ---- names and keys ---- */

/* The names of the events in a list, without conditions. */
static char *list_names(const char **lists, size_t nr)
{
	char *all = xstrdup("");

	for (size_t i = 0; i < nr; i++) {
		struct span rest = span_of(lists[i], strlen(lists[i])), item;

		while (text_list_next(&rest, ',', true, &item)) {
			const u8 *slash = item.n ? memchr(item.p, '/', item.n) : NULL;
			size_t n = slash ? (size_t)(slash - item.p) : item.n;
			size_t skip = n && item.p[0] == '?';
			char *before = all;

			all = xasprintf("%s%s%.*s", before, *before ? "," : "", (int)(n - skip),
					(const char *)item.p + skip);
			free(before);
		}
	}
	return all;
}

static void set_names(struct series *c)
{
	for (size_t i = 0; i < c->nr_legs; i++) {
		struct series_leg *l = &c->legs[i];
		char *from = list_names(l->begins, l->nr_begins);
		char *to = list_names(l->ends, l->nr_ends);

		l->name = l->nr_begins ? xasprintf("%s -> %s", from, to) : xstrdup(to);
		for (size_t k = 0; k < i; k++) {
			char *same = l->name;

			if (strcmp(c->legs[k].name, same) != 0)
				continue;
			l->name = xasprintf("%s (leg %zu)", same, i + 1);
			free(same);
		}
		free(from);
		free(to);
	}
}

/* "A,B=C,D=E,F" in as many parts as it has. PERR_USAGE: more than the series has events. */
static int split_key(const char *text, size_t nr_events, char **ret, size_t *ret_nr, struct perr *e)
{
	struct span rest = span_of(text, strlen(text));

	for (*ret_nr = 0;; ++*ret_nr) {
		size_t at = text_list_equals(rest);

		if (*ret_nr == nr_events)
			return perr_set(e, PERR_USAGE, "--key '%s': the series has %zu events",
					text, nr_events);
		ret[*ret_nr] = xstrndup((const char *)rest.p, at == SIZE_MAX ? rest.n : at);
		if (at == SIZE_MAX)
			break;
		rest = span_of(rest.p + at + 1, rest.n - at - 1);
	}
	++*ret_nr;
	return 0;
}

/* The key of each leg. The last part of --key is that of all events that follow. */
static int set_keys(struct series *c, const char *text, bool cycle, struct perr *e)
{
	char *parts[SERIES_MAX_LEGS + 1] = { NULL };
	size_t nr = 0, nr_events = c->nr_legs + !cycle;
	int err = text ? split_key(text, nr_events, parts, &nr, e) : 0;

	for (size_t i = 0; i < c->nr_legs && text && !err; i++) {
		size_t from = i < nr ? i : nr - 1, to = (i + 1) % nr_events;

		to = to < nr ? to : nr - 1;
		c->legs[i].key =
			nr == 1 ? xstrdup(text) : xasprintf("%s=%s", parts[from], parts[to]);
	}
	if (text && !err)
		c->whole.key = nr == 1 ? xstrdup(text)
				       : xasprintf("%s=%s", parts[0],
						   parts[cycle             ? 0
							 : c->nr_legs < nr ? c->nr_legs
									   : nr - 1]);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		free(parts[i]);
	return err;
}

/* ---- begin and end ---- */

static void init_leg(struct series_leg *l, const struct pairs_config *cfg)
{
	struct pairs_config own = *cfg;

	own.texts.begins = l->begins;
	own.texts.nr_begins = l->nr_begins;
	own.texts.ends = l->ends;
	own.texts.nr_ends = l->nr_ends;
	own.texts.key = l->key;
	pairs_init(&l->pairs, &own);
}

/* Which events are at both ends of each leg. */
static void set_legs(struct series *c, const struct role_texts *t)
{
	for (size_t i = 0; i < c->nr_legs; i++) {
		struct series_leg *l = &c->legs[i];
		bool closes = i == t->nr_ends;

		l->begins = i ? &t->ends[i - 1] : t->begins;
		l->nr_begins = i ? 1 : t->nr_begins;
		l->ends = closes ? t->begins : &t->ends[i];
		l->nr_ends = closes ? t->nr_begins : 1;
	}
}

int series_init(struct series *c, const struct pairs_config *cfg, bool cycle, struct perr *e)
{
	const struct role_texts *t = &cfg->texts;
	struct pairs_config of_leg = *cfg;
	size_t last = t->nr_begins ? t->nr_ends + cycle : 1;
	int err = 0;

	*c = (struct series){ .nr_legs = last };
	if (c->nr_legs > SERIES_MAX_LEGS) {
		c->nr_legs = 0;
		return perr_set(e, PERR_USAGE, "-e: at most %d events follow each other",
				SERIES_MAX_LEGS);
	}
	c->legs = xcalloc(c->nr_legs, sizeof(*c->legs));
	if (c->nr_legs == 1) {
		c->legs[0] = (struct series_leg){ .begins = t->begins,
						  .nr_begins = t->nr_begins,
						  .ends = t->ends,
						  .nr_ends = t->nr_ends,
						  .key = t->key ? xstrdup(t->key) : NULL };
		set_names(c);
		init_leg(&c->legs[0], cfg);
		return 0;
	}
	set_legs(c, t);
	set_names(c);
	c->whole = (struct series_leg){ .begins = t->begins,
					.nr_begins = t->nr_begins,
					.ends = c->legs[last - 1].ends,
					.nr_ends = c->legs[last - 1].nr_ends,
					.name = xstrdup("(whole)") };
	err = set_keys(c, t->key, cycle, e);
	of_leg.keep_samples = false;
	of_leg.than = 0;
	of_leg.nr_longest = 0;
	of_leg.each = NULL;
	of_leg.stack_of = NULL;
	for (size_t i = 0; i < c->nr_legs; i++)
		init_leg(&c->legs[i], &of_leg);
	init_leg(&c->whole, cfg);
	c->carried = xcalloc(c->nr_legs, sizeof(*c->carried));
	for (size_t i = 0; i < c->nr_legs; i++)
		open_begins_init(&c->carried[i]);
	return err;
}

static void leg_fini(struct series_leg *l)
{
	pairs_fini(&l->pairs);
	free(l->name);
	free(l->key);
}

void series_fini(struct series *c)
{
	for (size_t i = 0; i < c->nr_legs; i++) {
		leg_fini(&c->legs[i]);
		if (c->carried)
			open_begins_fini(&c->carried[i]);
	}
	if (c->nr_legs > 1)
		leg_fini(&c->whole);
	free(c->carried);
	free(c->legs);
	*c = (struct series){ 0 };
}

/* The rows of all legs are printed in one table. */
static int check_rows(const struct series *c, struct perr *e)
{
	const struct roles *whole = &c->whole.pairs.roles;

	if (whole->nr_row == MAX_PARTS)
		return perr_set(e, PERR_USAGE, "--by: at most %d expressions for a series",
				MAX_PARTS - 1);
	for (size_t i = 0; i < c->nr_legs; i++)
		for (size_t k = 0; k < whole->nr_row; k++)
			if ((c->legs[i].pairs.roles.row_shows[k] == EXPR_SHOW_TEXT) !=
			    (whole->row_shows[k] == EXPR_SHOW_TEXT))
				return perr_set(e, PERR_USAGE,
						"--by '%s': a text of some events of the series, a "
						"number of others",
						whole->row_titles[k]);
	return 0;
}

int series_start(struct series *c, const struct perfdata *pd, struct perr *e)
{
	int err = 0;

	for (size_t i = 0; i < c->nr_legs && !err; i++)
		err = pairs_start(&c->legs[i].pairs, pd, e);
	if (c->nr_legs == 1 || err)
		return err;
	err = pairs_start(&c->whole.pairs, pd, e);
	return err ? err : check_rows(c, e);
}

bool series_need_tasks(const struct series *c)
{
	bool need = c->nr_legs > 1 && pairs_need_tasks(&c->whole.pairs);

	for (size_t i = 0; i < c->nr_legs; i++)
		need |= pairs_need_tasks(&c->legs[i].pairs);
	return need;
}

bool *series_events(const struct series *c)
{
	bool *used = xcalloc(c->legs[0].pairs.roles.nr_events + 1, sizeof(*used));

	for (size_t i = 0; i < c->nr_legs; i++) {
		const struct roles *r = &c->legs[i].pairs.roles;

		for (size_t k = 0; k < r->nr_events; k++)
			used[k] |= r->first[k] != r->first[k + 1];
	}
	return used;
}

/* ---- series under way ---- */

/* A series that has come to one of its events. */
struct under_way {
	bool is_one; /* false: the event before it was not found */
	u64 row[MAX_PARTS], epoch;
	struct occurrence first;
};

static u64 epoch_of(const struct series *c, u32 cpu)
{
	const struct pairs *p = &c->whole.pairs;

	return losses_epoch(&p->losses, p->roles.key_has_cpu, cpu);
}

/* Takes the newest series of a key out of a table. */
static struct under_way take_out(struct series *c, size_t leg, const u64 key[MAX_PARTS])
{
	struct open_begin *b = open_begins_get(&c->carried[leg], key);
	struct under_way w = { .is_one = b != NULL };

	if (!b)
		return w;
	memcpy(w.row, b->row, sizeof(w.row));
	w.epoch = b->epoch;
	w.first = b->at;
	c->whole.pairs.kept_bytes -= occurrence_bytes(&b->at);
	open_begins_remove(&c->carried[leg], b);
	return w;
}

/* Drops the series that began first. */
static void drop_oldest(struct series *c)
{
	struct open_begin *oldest = NULL;
	struct pairs *p = &c->whole.pairs;
	struct occurrence at;
	size_t leg = 0;

	for (size_t i = 0; i < c->nr_legs; i++) {
		struct open_begin *b = open_begins_oldest(&c->carried[i]);

		if (!b || (oldest && oldest->at.time <= b->at.time))
			continue;
		oldest = b;
		leg = i;
	}
	if (!oldest)
		return;
	at = oldest->at;
	p->nr_dropped++;
	if (at.time > p->dropped_time)
		p->dropped_time = at.time;
	p->kept_bytes -= occurrence_bytes(&at);
	open_begins_remove(&c->carried[leg], oldest);
	occurrence_fini(&at);
}

static void make_room(struct series *c)
{
	struct pairs *p = &c->whole.pairs;
	size_t nr = 0, bytes = rows_bytes(&p->rows) + p->kept_bytes;

	for (size_t i = 0; i < c->nr_legs; i++) {
		nr += c->carried[i].nr;
		bytes += open_begins_bytes(&c->carried[i]);
	}
	if (nr >= p->cfg.max_keys || bytes >= p->cfg.max_mem)
		drop_oldest(c);
}

/* Lets a series wait for the end of a leg. */
static void put_in(struct series *c, size_t leg, const u64 key[MAX_PARTS], struct under_way *w)
{
	struct pairs *p = &c->whole.pairs;
	struct open_begin *b;

	if (!p->cfg.nest) {
		struct under_way old = take_out(c, leg, key);

		p->nr_replaced += old.is_one;
		occurrence_fini(&old.first);
	}
	if (!w->is_one)
		return;
	make_room(c);
	b = open_begins_put(&c->carried[leg], key);
	memcpy(b->row, w->row, sizeof(b->row));
	b->epoch = w->epoch;
	b->at = w->first;
	p->kept_bytes += occurrence_bytes(&b->at);
	w->first.kept = NULL;
}

static struct under_way begin_series(struct series *c, const struct role *role,
				     const struct sample_view *v, const struct expr_input *in)
{
	struct pairs *p = &c->whole.pairs;
	struct under_way w = { .is_one = true, .epoch = epoch_of(c, v->ev->sample.cpu) };

	p->nr_begins++;
	pairs_occurrence(p, v, &w.first);
	role_values(role->row, p->roles.nr_row, in, &p->rows, w.row);
	return w;
}

/* A series has come to its last event. */
static int end_series(struct series *c, const struct role *role, const u64 key[MAX_PARTS],
		      struct under_way *w, const struct sample_view *v, const struct expr_input *in,
		      struct perr *e)
{
	struct pairs *p = &c->whole.pairs;
	u64 time = v->ev->sample.time;
	struct pair pair = { .begin = w->first };

	p->nr_ends++;
	if (!w->is_one) {
		p->nr_without_begin++;
		p->nr_before_start += time - p->first_time < PAIRS_START_NS;
		return 0;
	}
	if (time < w->first.time) {
		p->nr_negative++;
		if (w->first.time - time > p->negative_max)
			p->negative_max = w->first.time - time;
		return 0;
	}
	pair.ns = time - w->first.time;
	if (w->epoch != epoch_of(c, v->ev->sample.cpu)) {
		p->nr_broken++;
		if (pair.ns > p->broken_max)
			p->broken_max = pair.ns;
		if (!p->cfg.keep_broken)
			return 0;
	}
	memcpy(pair.key, key, sizeof(pair.key));
	memcpy(pair.row, w->row, sizeof(pair.row));
	role_values(role->row, p->roles.nr_row, in, &p->rows, pair.row);
	w->first.kept = NULL;
	return pairs_add(p, &pair, &(struct pair_end){ .v = v }, e);
}

/* The event is number `at` of the series: the end of the leg before it, the begin of the next one.
 */
static int take_place(struct series *c, size_t at, const struct role *role,
		      const struct sample_view *v, const struct expr_input *in, struct perr *e)
{
	struct pairs *p = &c->whole.pairs;
	u64 key[MAX_PARTS] = { 0 };
	struct under_way w;
	int err = 0;

	role_values(role->key, p->roles.nr_key, in, &p->rows, key);
	w = at ? take_out(c, at - 1, key) : begin_series(c, role, v, in);
	if (at == c->nr_legs)
		err = end_series(c, role, key, &w, v, in, e);
	else
		put_in(c, at, key, &w);
	occurrence_fini(&w.first);
	return err;
}

/* From the last event to the first, so that an event that is several of them takes one step. */
static int take_whole(struct series *c, const struct sample_view *v, struct perr *e)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct expr_input in = { s->raw, s->swap, s, v->task.comm };
	u32 event = v->ev->ev->idx;
	struct pairs *p = &c->whole.pairs;
	int err = 0;

	if (!p->first_time)
		p->first_time = s->time;
	for (size_t at = c->nr_legs + 1; at-- && !err;) {
		bool is_end = at == c->nr_legs;
		const struct roles *r = at && !is_end ? &c->legs[at].pairs.roles : &p->roles;

		for (u32 i = r->first[event]; i < r->first[event + 1] && !err; i++) {
			const struct role *role = &r->all[i];

			if ((role->kind == ROLE_END) != is_end ||
			    (role->condition && !expr_is_true(role->condition, &in)))
				continue;
			err = take_place(c, at, role, v, &in, e);
		}
	}
	p->nr_advanced = 0;
	for (size_t i = 0; i < c->nr_legs; i++)
		p->nr_advanced += c->carried[i].nr;
	return err;
}

int series_take(struct series *c, const struct sample_view *v, struct perr *e)
{
	int err = 0;

	if (c->nr_legs == 1)
		return pairs_take(&c->legs[0].pairs, v, e);
	for (size_t i = 0; i < c->nr_legs && !err; i++)
		err = pairs_take(&c->legs[i].pairs, v, e);
	if (!err && v->ev->ev->idx < c->whole.pairs.roles.nr_events)
		err = take_whole(c, v, e);
	return err;
}

void series_take_record(struct series *c, const struct replay_event *ev, bool swap)
{
	for (size_t i = 0; i < c->nr_legs; i++)
		pairs_take_record(&c->legs[i].pairs, ev, swap);
	if (c->nr_legs > 1)
		pairs_take_record(&c->whole.pairs, ev, swap);
}

void series_restart(struct series *c)
{
	u64 advanced = c->whole.pairs.nr_advanced;

	for (size_t i = 0; i < c->nr_legs; i++)
		pairs_restart(&c->legs[i].pairs);
	if (c->nr_legs == 1)
		return;
	pairs_restart(&c->whole.pairs);
	c->whole.pairs.nr_advanced = advanced;
}
