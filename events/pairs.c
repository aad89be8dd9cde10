/* SPDX-License-Identifier: MIT */
#include "events/pairs.h"

#include "base/mem.h"
#include "events/pairs_priv.h"
#include "events/role_values.h"
#include "fileformat/perfdata.h"

/* So long after its end, nothing comes of a thread any more: its last switch comes later. */
#define ENDED_THREAD_NS 1000000000ull

void pairs_init(struct pairs *p, const struct pairs_config *cfg)
{
	*p = (struct pairs){ .cfg = *cfg };
	open_begins_init(&p->open);
	rows_init(&p->rows);
	p->rows.max_text_bytes = (size_t)cfg->max_mem / 2;
	p->longest = xcalloc(cfg->nr_longest + 1, sizeof(*p->longest));
}

static void pair_fini(struct pair *pair)
{
	occurrence_fini(&pair->begin);
	occurrence_fini(&pair->end);
}

void pairs_fini(struct pairs *p)
{
	for (size_t i = 0; i < p->nr_longest; i++)
		pair_fini(&p->longest[i]);
	free(p->longest);
	open_begins_fini(&p->open);
	free(p->ended.all);
	rows_fini(&p->rows);
	losses_fini(&p->losses);
	switch_gaps_fini(&p->gaps);
	free(p->switches);
	roles_fini(&p->roles);
}

void pairs_restart(struct pairs *p)
{
	const struct pairs old = *p;

	for (size_t i = 0; i < p->nr_longest; i++)
		pair_fini(&p->longest[i]);
	rows_clear(&p->rows);
	*p = (struct pairs){ .cfg = old.cfg,
			     .roles = old.roles,
			     .ready = old.ready,
			     .can_shorten = old.can_shorten,
			     .key_is_thread = old.key_is_thread,
			     .ended = old.ended,
			     .open = old.open,
			     .rows = p->rows,
			     .losses = old.losses,
			     .gaps = old.gaps,
			     .switches = old.switches,
			     .longest = old.longest,
			     .kept_bytes = old.kept_bytes,
			     .first_time = old.first_time,
			     .last_time = old.last_time };
	switch_gaps_restart(&p->gaps);
}

static bool uses_own(const struct roles *r, enum sample_own own)
{
	for (size_t i = 0; i < r->nr; i++) {
		const struct role *role = &r->all[i];
		bool uses = (role->condition && expr_uses_own(role->condition, own)) ||
			    (role->value && expr_uses_own(role->value, own));

		for (size_t k = 0; k < MAX_PARTS; k++) {
			uses |= role->key[k] && expr_uses_own(role->key[k], own);
			uses |= role->row[k] && expr_uses_own(role->row[k], own);
		}
		if (uses)
			return true;
	}
	return false;
}

bool pairs_need_tasks(const struct pairs *p)
{
	return p->cfg.keep_samples || p->cfg.stack_of || uses_own(&p->roles, OWN_COMM);
}

bool pairs_are_brief(const struct pairs *p)
{
	return !uses_own(&p->roles, OWN_IP) && !uses_own(&p->roles, OWN_ADDR) &&
	       !uses_own(&p->roles, OWN_PERIOD);
}

/* Finds the switches among the events of pairs. Each of them must have been recorded. */
static void find_switches(struct pairs *p, const struct perfdata *pd)
{
	struct pair_switch *all = xcalloc(pd->nr_events + 1, sizeof(*all));
	bool found = false;

	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];
		const struct event_fields *f = &p->roles.fields[i];
		struct pair_switch *sw = &all[ev->idx];

		if (!pairs_has_role(p, ev->idx) || !ev->name ||
		    strcmp(ev->name, "sched:sched_switch") || ev->attr.sample_period_or_freq != 1 ||
		    !(ev->attr.sample_type & PD_SAMPLE_RAW) ||
		    !(ev->attr.sample_type & PD_SAMPLE_CPU))
			continue;
		*sw = (struct pair_switch){ event_fields_find(f, span_of("prev_pid", 8)),
					    event_fields_find(f, span_of("next_pid", 8)),
					    event_fields_find(f, span_of("prev_comm", 9)) };
		if (sw->prev && sw->next)
			found = true;
		else
			sw->prev = NULL;
	}
	if (found)
		p->switches = all;
	else
		free(all);
}

void pairs_note_threads(struct pairs *p, const struct pair_switch *sw, u32 prev, struct span raw,
			bool swap)
{
	struct span text = sw->comm ? pd_trace_field_text(sw->comm, raw, swap) : span_of("", 0);
	char comm[16] = "";

	snprintf(comm, sizeof(comm), "%.*s", (int)(text.n < 15 ? text.n : 15),
		 (const char *)text.p);
	switch_gaps_note(&p->gaps, prev, comm);
}

u64 pairs_threads_of_switch(struct pairs *p, u32 event, const struct pd_sample *s)
{
	const struct pair_switch *sw = &p->switches[event];
	u32 prev = pd_trace_field_u32(sw->prev, s->raw, s->swap);

	if (!p->gaps.all_threads)
		pairs_note_threads(p, sw, prev, s->raw, s->swap);
	return prev | (u64)pd_trace_field_u32(sw->next, s->raw, s->swap) << 32;
}

/* True if the key is the thread that has the event: at begins as well as at ends. */
static bool key_is_thread(const struct roles *r)
{
	bool is = r->has_begins && r->nr_key == 1;

	for (size_t i = 0; i < r->nr && is; i++) {
		const struct expr *x = r->all[i].key[0];
		const struct event_fields *fields = &r->fields[r->all[i].event];

		is = expr_only_own(x) == OWN_TID ||
		     (expr_only_field(x) &&
		      expr_only_field(x) == event_fields_find(fields, span_of("common_pid", 10)));
	}
	return is;
}

int pairs_start(struct pairs *p, const struct perfdata *pd, struct perr *e)
{
	int err;

	p->ready = true;
	err = roles_init(&p->roles, pd, &p->cfg.texts, e);
	if (!err && p->roles.has_begins && !p->cfg.some_samples)
		find_switches(p, pd);
	p->can_shorten = !err && !p->cfg.than && !p->cfg.nr_longest && !p->cfg.keep_samples &&
			 !uses_own(&p->roles, OWN_COMM) && (!p->cfg.stack_of || p->cfg.keep_place);
	if (!err && p->roles.nr_key)
		p->open.nr_parts = p->roles.nr_key;
	p->key_is_thread = !err && key_is_thread(&p->roles);
	return err;
}

void pairs_forget_begin(struct pairs *p, struct open_begin *b)
{
	struct kept_sample *kept = b->at.kept;

	pairs_remove_begin(p, b);
	kept_sample_free(kept);
}

/* Takes out a thread that ended long before `now`. Returns false if there is none. */
static bool next_ended(struct ended_threads *t, u64 now, struct ended_thread *ret)
{
	if (t->first == t->nr || now < t->all[t->first].time ||
	    now - t->all[t->first].time < ENDED_THREAD_NS)
		return false;
	*ret = t->all[t->first++];
	return true;
}

static void add_ended(struct ended_threads *t, u32 tid, u64 time)
{
	if (t->first > t->nr / 2) {
		t->nr -= t->first;
		memmove(t->all, t->all + t->first, t->nr * sizeof(*t->all));
		t->first = 0;
	}
	vec_push(t->all, t->nr, t->cap, ((struct ended_thread){ tid, time }));
}

void pairs_end_thread(struct pairs *p, const struct replay_event *ev, bool swap)
{
	struct ended_thread th;
	struct pd_task task;
	struct perr e;

	if (!ev->time || ev->time == UINT64_MAX || pd_read_task(&ev->rec, swap, &task, &e))
		return;
	add_ended(&p->ended, task.tid, ev->time);
	while (next_ended(&p->ended, ev->time, &th)) {
		const u64 key[MAX_PARTS] = { (u64)(s32)th.tid };
		struct open_begin *b;

		/* later ones are of another thread, which has the id now */
		while ((b = open_begins_get(&p->open, key)) && b->at.time <= th.time) {
			pairs_forget_begin(p, b);
			p->nr_of_ended++;
		}
	}
}

void pairs_drop_oldest(struct pairs *p)
{
	struct open_begin *b = open_begins_oldest(&p->open);

	p->nr_dropped++;
	if (b->at.time > p->dropped_time)
		p->dropped_time = b->at.time;
	pairs_forget_begin(p, b);
}

/* An event in one of its roles, with all values that count there. */
struct taken {
	u64 time;
	u32 cpu;
	const struct sample_view *v;
	const u64 *key;     /* of roles.nr_key parts */
	u64 row[MAX_PARTS]; /* those that are known there, and zeros */
	u64 value;
};

/* Takes the values of role->parts apart. */
static inline void set_values(const struct pairs *p, const struct role *role, const u64 *values,
			      struct taken *t)
{
	if (p->roles.has_begins) {
		t->key = values;
		values += p->roles.nr_key;
	} else if (role->value) {
		t->value = *values++;
	}
	for (size_t k = 0; k < p->roles.nr_row; k++)
		if (role->row[k])
			t->row[k] = *values++;
}

void pairs_occurrence(const struct pairs *p, const struct sample_view *v, struct occurrence *ret)
{
	occurrence_init(ret, v, p->cfg.keep_samples);
	if (p->cfg.stack_of)
		ret->stack = p->cfg.stack_of(p->cfg.ctx, v);
}

static void take_begin(struct pairs *p, const struct taken *t)
{
	struct open_begin *b = pairs_put_begin(p, t->key, t->cpu);

	pairs_occurrence(p, t->v, &b->at);
	if (b->at.kept)
		p->kept_bytes += occurrence_bytes(&b->at);
	memcpy(b->row, t->row, sizeof(b->row));
}

/* Puts a pair among the longest, where it is among these. The earlier of equal ones stays first. */
static void keep_longest(struct pairs *p, struct pair *pair)
{
	size_t i = p->nr_longest;

	if (i == p->cfg.nr_longest)
		pair_fini(&p->longest[--i]);
	else
		p->nr_longest++;
	for (; i && p->longest[i - 1].ns < pair->ns; i--)
		p->longest[i] = p->longest[i - 1];
	p->longest[i] = *pair;
}

static bool is_among_longest(const struct pairs *p, u64 ns)
{
	if (p->nr_longest < p->cfg.nr_longest)
		return true;
	return p->nr_longest && ns > p->longest[p->nr_longest - 1].ns;
}

int pairs_add(struct pairs *p, struct pair *pair, const struct pair_end *end, struct perr *e)
{
	bool slow = p->cfg.than && pair->ns > p->cfg.than;
	bool longest = is_among_longest(p, pair->ns);
	int err = 0;

	p->nr_pairs++;
	pairs_add_to_row(p, pair->row, pair->ns);
	if (p->cfg.each)
		p->cfg.each(p->cfg.ctx, pair, end);
	if (slow || longest)
		occurrence_init(&pair->end, end->v, p->cfg.keep_samples);
	if (slow)
		err = p->cfg.found(p->cfg.ctx, pair, e);
	if (longest)
		keep_longest(p, pair);
	else
		pair_fini(pair);
	return err;
}

bool pairs_is_broken(struct pairs *p, u64 ns)
{
	p->nr_broken++;
	if (ns > p->broken_max)
		p->broken_max = ns;
	return !p->cfg.keep_broken;
}

void pairs_end_before_begin(struct pairs *p, struct open_begin *b, u64 ns)
{
	p->nr_negative++;
	if (ns > p->negative_max)
		p->negative_max = ns;
	pairs_forget_begin(p, b);
}

/* True if there is more to do with a pair than to count it. */
static bool is_looked_at(const struct pairs *p, u64 ns)
{
	return p->cfg.each || p->cfg.keep_samples || (p->cfg.than && ns > p->cfg.than) ||
	       is_among_longest(p, ns);
}

static int take_pair(struct pairs *p, const struct role *role, const struct taken *t,
		     struct open_begin *b, struct perr *e)
{
	u64 ns = t->time - b->at.time, row[MAX_PARTS];
	struct pair pair;

	for (size_t k = 0; k < MAX_PARTS; k++)
		row[k] = role->row[k] ? t->row[k] : b->row[k];
	if (!is_looked_at(p, ns)) {
		pairs_remove_begin(p, b);
		p->nr_pairs++;
		pairs_add_to_row(p, row, ns);
		return 0;
	}
	pair = (struct pair){ .ns = ns, .begin = b->at };
	memcpy(pair.key, b->key, sizeof(pair.key));
	memcpy(pair.row, row, sizeof(pair.row));
	pairs_remove_begin(p, b);
	return pairs_add(p, &pair, &(struct pair_end){ .v = t->v }, e);
}

static int take_end(struct pairs *p, const struct role *role, const struct taken *t, struct perr *e)
{
	struct open_begin *b = pairs_find_begin(p, t->key, t->time, t->cpu);

	return b ? take_pair(p, role, t, b, e) : 0;
}

static int take_role(struct pairs *p, const struct role *role, const struct taken *t,
		     struct perr *e)
{
	if (!p->roles.has_begins)
		pairs_count_event(p, role, t->row, t->value);
	else if (role->kind == ROLE_END)
		return take_end(p, role, t, e);
	else
		take_begin(p, t);
	return 0;
}

int pairs_take(struct pairs *p, const struct sample_view *v, struct perr *e)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct expr_input in = { s->raw, s->swap, s, v->task.comm };
	u32 event = v->ev->ev->idx, i;
	int err = 0;

	if (!pairs_has_role(p, event))
		return 0;
	pairs_note_events(p, 1, s->time, s->time);
	if (pairs_is_switch(p, event))
		pairs_take_switch(p, s->cpu, pairs_threads_of_switch(p, event, s));
	for (i = p->roles.first[event]; i < p->roles.first[event + 1] && !err; i++) {
		const struct role *role = &p->roles.all[i];
		struct taken t = { .time = s->time, .cpu = s->cpu, .v = v };
		u64 values[2 * MAX_PARTS];

		if (!role_counts(role, &in))
			continue;
		for (u32 k = 0; k < role->nr_parts; k++)
			values[k] = role_part_value(&role->parts[k], &in, &p->rows);
		set_values(p, role, values, &t);
		err = take_role(p, role, &t, e);
	}
	return err;
}
