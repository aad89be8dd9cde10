/* SPDX-License-Identifier: MIT */
#include "events/pairs.h"

#include "base/mem.h"
#include "events/role_values.h"
#include "fileformat/perfdata.h"

/* The fields of an event that is a switch of threads; NULL: it is none. */
struct pair_switch {
	const struct pd_trace_field *prev, *next, *comm;
};

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

static bool has_role(const struct pairs *p, u32 event)
{
	return event < p->roles.nr_events && p->roles.first[event] != p->roles.first[event + 1];
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

		if (!has_role(p, ev->idx) || !ev->name || strcmp(ev->name, "sched:sched_switch") ||
		    ev->attr.sample_period_or_freq != 1 ||
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

static inline bool is_switch(const struct pairs *p, u32 event)
{
	return p->switches && p->switches[event].prev;
}

/* The threads of a switch: the one that leaves, and above it the one that comes. */
static u64 threads_of_switch(struct pairs *p, u32 event, const struct pd_sample *s)
{
	const struct pair_switch *sw = &p->switches[event];
	u32 prev = pd_trace_field_u32(sw->prev, s->raw, s->swap);
	char comm[16] = "";

	if (!p->gaps.all_threads) {
		struct span text =
			sw->comm ? pd_trace_field_text(sw->comm, s->raw, s->swap) : span_of("", 0);

		snprintf(comm, sizeof(comm), "%.*s", (int)(text.n < 15 ? text.n : 15),
			 (const char *)text.p);
		switch_gaps_note(&p->gaps, prev, comm);
	}
	return prev | (u64)pd_trace_field_u32(sw->next, s->raw, s->swap) << 32;
}

static void take_switch(struct pairs *p, u32 cpu, u64 threads)
{
	switch_gaps_take(&p->gaps, cpu, (u32)threads, NULL, (u32)(threads >> 32));
}

int pairs_start(struct pairs *p, const struct perfdata *pd, struct perr *e)
{
	int err;

	p->ready = true;
	err = roles_init(&p->roles, pd, &p->cfg.texts, e);
	if (!err && p->roles.has_begins && !p->cfg.some_samples)
		find_switches(p, pd);
	p->can_shorten = !err && !p->cfg.each && !pairs_need_tasks(p);
	if (!err && p->roles.nr_key)
		p->open.nr_parts = p->roles.nr_key;
	return err;
}

static inline bool may_grow(const struct pairs *p)
{
	return rows_bytes(&p->rows) + open_begins_bytes(&p->open) + p->kept_bytes < p->cfg.max_mem;
}

static void add_to_row(struct pairs *p, const u64 row[MAX_PARTS], u64 value)
{
	struct distribution *d = rows_recent(&p->rows, row);

	if (d)
		rows_add_to(&p->rows, d, value);
	else
		rows_add(&p->rows, row, value, may_grow(p));
}

/* Removes a begin, whose sample the caller has taken or drops here. */
static inline void remove_begin(struct pairs *p, struct open_begin *b)
{
	if (b->at.kept)
		p->kept_bytes -= occurrence_bytes(&b->at);
	open_begins_remove(&p->open, b);
}

static void forget_begin(struct pairs *p, struct open_begin *b)
{
	struct kept_sample *kept = b->at.kept;

	remove_begin(p, b);
	kept_sample_free(kept);
}

static void drop_oldest(struct pairs *p)
{
	struct open_begin *b = open_begins_oldest(&p->open);

	p->nr_dropped++;
	if (b->at.time > p->dropped_time)
		p->dropped_time = b->at.time;
	forget_begin(p, b);
}

/* Makes room for one more begin. The table does not shrink, so that memory only limits its growth.
 */
static void make_room(struct pairs *p)
{
	if (p->open.nr && (p->open.nr >= p->cfg.max_keys || !may_grow(p)))
		drop_oldest(p);
}

static u64 epoch_of(const struct pairs *p, u32 cpu)
{
	return losses_epoch(&p->losses, p->roles.key_has_cpu, cpu);
}

/* An event in one of its roles, with all values that count there. */
struct taken {
	u64 time;
	u32 cpu;
	const struct sample_view *v; /* NULL: of a sample that came short */
	const u64 *key;              /* of roles.nr_key parts */
	u64 row[MAX_PARTS];          /* those that are known there, and zeros */
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
	struct open_begin *b;

	p->nr_begins++;
	b = p->cfg.nest ? NULL : open_begins_get(&p->open, t->key);
	if (b) {
		p->nr_replaced++;
		forget_begin(p, b);
	}
	make_room(p);
	b = open_begins_put(&p->open, t->key);
	if (t->v)
		pairs_occurrence(p, t->v, &b->at);
	else
		b->at = (struct occurrence){ .time = t->time, .cpu = t->cpu };
	if (b->at.kept)
		p->kept_bytes += occurrence_bytes(&b->at);
	b->epoch = epoch_of(p, t->cpu);
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

int pairs_add(struct pairs *p, struct pair *pair, const struct sample_view *v, struct perr *e)
{
	bool slow = p->cfg.than && pair->ns > p->cfg.than;
	bool longest = is_among_longest(p, pair->ns);
	int err = 0;

	p->nr_pairs++;
	add_to_row(p, pair->row, pair->ns);
	if (p->cfg.each)
		p->cfg.each(p->cfg.ctx, pair, v);
	if (slow || longest)
		occurrence_init(&pair->end, v, p->cfg.keep_samples);
	if (slow)
		err = p->cfg.found(p->cfg.ctx, pair, e);
	if (longest)
		keep_longest(p, pair);
	else
		pair_fini(pair);
	return err;
}

/* True if records between begin and end are missing, so that they may not belong together. */
static bool is_broken(struct pairs *p, const struct open_begin *b, u32 cpu, u64 ns)
{
	if (b->epoch == epoch_of(p, cpu))
		return false;
	p->nr_broken++;
	if (ns > p->broken_max)
		p->broken_max = ns;
	return !p->cfg.keep_broken;
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
		remove_begin(p, b);
		p->nr_pairs++;
		add_to_row(p, row, ns);
		return 0;
	}
	pair = (struct pair){ .ns = ns, .begin = b->at };
	memcpy(pair.key, b->key, sizeof(pair.key));
	memcpy(pair.row, row, sizeof(pair.row));
	remove_begin(p, b);
	return pairs_add(p, &pair, t->v, e);
}

static int take_end(struct pairs *p, const struct role *role, const struct taken *t, struct perr *e)
{
	struct open_begin *b;

	p->nr_ends++;
	b = open_begins_get(&p->open, t->key);
	if (!b) {
		p->nr_without_begin++;
		p->nr_before_start += t->time - p->first_time < PAIRS_START_NS;
		return 0;
	}
	if (t->time < b->at.time) {
		p->nr_negative++;
		if (b->at.time - t->time > p->negative_max)
			p->negative_max = b->at.time - t->time;
		forget_begin(p, b);
		return 0;
	}
	if (is_broken(p, b, t->cpu, t->time - b->at.time)) {
		forget_begin(p, b);
		return 0;
	}
	return take_pair(p, role, t, b, e);
}

/* An event where there are no begins: counted, or measured. */
static void count_event(struct pairs *p, const struct role *role, const struct taken *t)
{
	p->nr_ends++;
	if (role->value && expr_show(role->value) == EXPR_SHOW_DEC && (s64)t->value < 0) {
		p->nr_negative_values++;
		return;
	}
	add_to_row(p, t->row, t->value);
}

static int take_role(struct pairs *p, const struct role *role, const struct taken *t,
		     struct perr *e)
{
	if (!p->roles.has_begins)
		count_event(p, role, t);
	else if (role->kind == ROLE_END)
		return take_end(p, role, t, e);
	else
		take_begin(p, t);
	return 0;
}

static void note_event(struct pairs *p, u64 time)
{
	p->nr_events++;
	if (!p->first_time)
		p->first_time = time;
	p->last_time = time;
}

int pairs_take(struct pairs *p, const struct sample_view *v, struct perr *e)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct expr_input in = { s->raw, s->swap, s, v->task.comm };
	u32 event = v->ev->ev->idx, i;
	int err = 0;

	if (!has_role(p, event))
		return 0;
	note_event(p, s->time);
	if (is_switch(p, event))
		take_switch(p, s->cpu, threads_of_switch(p, event, s));
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

/* The words of a short sample: {u32 cpu, u32 bits of the roles that it has}, of a switch its
 * threads, and of each role the values of its parts. */
int pairs_shorten(struct pairs *p, const struct pd_event *ev, const struct pd_sample *s, u64 *words)
{
	const struct expr_input in = { s->raw, s->swap, s, NULL };
	const struct role *role, *end;
	u32 roles = 0, bit = 1, n = 1;

	if (!has_role(p, ev->idx))
		return 0;
	role = p->roles.all + p->roles.first[ev->idx];
	end = p->roles.all + p->roles.first[ev->idx + 1];
	if (end - role > 32)
		return PD_SHORT_NOT;
	if (is_switch(p, ev->idx))
		words[n++] = threads_of_switch(p, ev->idx, s);
	for (; role < end; role++, bit <<= 1) {
		if (!role_counts(role, &in))
			continue;
		if (n + role->nr_parts > PD_SHORT_WORDS)
			return PD_SHORT_NOT;
		for (u32 k = 0; k < role->nr_parts; k++)
			words[n++] = role_part_value(&role->parts[k], &in, &p->rows);
		roles |= bit;
	}
	words[0] = s->cpu | (u64)roles << 32;
	return (int)n;
}

static inline int take_short(struct pairs *p, const struct pd_short *s, struct perr *e)
{
	const u64 *w = s->words + 1;
	u32 cpu = (u32)*s->words, roles = (u32)(*s->words >> 32);
	const struct role *role = &p->roles.all[p->roles.first[s->ev->idx]];
	int err = 0;

	note_event(p, s->time);
	if (is_switch(p, s->ev->idx))
		take_switch(p, cpu, *w++);
	for (; roles && !err; role++, roles >>= 1) {
		struct taken t = { .time = s->time, .cpu = cpu };

		if (!(roles & 1))
			continue;
		set_values(p, role, w, &t);
		w += role->nr_parts;
		err = take_role(p, role, &t, e);
	}
	return err;
}

int pairs_take_shorts(struct pairs *p, const struct pd_short *s, size_t nr, struct perr *e)
{
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++)
		err = take_short(p, &s[i], e);
	return err;
}
