/* SPDX-License-Identifier: MIT */
#include "events/pairs.h"

#include "base/mem.h"
#include "fileformat/perfdata.h"

void pairs_init(struct pairs *p, const struct pairs_config *cfg)
{
	*p = (struct pairs){ .cfg = *cfg };
	open_begins_init(&p->open);
	rows_init(&p->rows);
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
			     .open = old.open,
			     .rows = p->rows,
			     .losses = old.losses,
			     .longest = old.longest,
			     .kept_bytes = old.kept_bytes,
			     .first_time = old.first_time,
			     .last_time = old.last_time };
}

int pairs_start(struct pairs *p, const struct perfdata *pd, struct perr *e)
{
	p->ready = true;
	return roles_init(&p->roles, pd, &p->cfg.texts, e);
}

/* True if the names of the samples' threads are among the values. */
static bool uses_comm(const struct roles *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		const struct role *role = &r->all[i];
		bool uses = (role->condition && expr_uses_own(role->condition, OWN_COMM)) ||
			    (role->value && expr_uses_own(role->value, OWN_COMM));

		for (size_t k = 0; k < MAX_PARTS; k++) {
			uses |= role->key[k] && expr_uses_own(role->key[k], OWN_COMM);
			uses |= role->row[k] && expr_uses_own(role->row[k], OWN_COMM);
		}
		if (uses)
			return true;
	}
	return false;
}

bool pairs_need_tasks(const struct pairs *p)
{
	return p->cfg.keep_samples || uses_comm(&p->roles);
}

static size_t bytes_in_use(const struct pairs *p)
{
	return rows_bytes(&p->rows) + open_begins_bytes(&p->open) + p->kept_bytes;
}

static bool may_grow(const struct pairs *p)
{
	return bytes_in_use(p) < p->cfg.max_mem;
}

/* Removes a begin, whose sample the caller has taken or drops here. */
static void remove_begin(struct pairs *p, struct open_begin *b)
{
	p->kept_bytes -= occurrence_bytes(&b->at);
	open_begins_remove(&p->open, b);
}

static void forget_begin(struct pairs *p, struct open_begin *b)
{
	struct occurrence at = b->at;

	remove_begin(p, b);
	occurrence_fini(&at);
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

static void take_begin(struct pairs *p, const struct role *role, const struct sample_view *v,
		       const struct expr_input *in)
{
	u64 key[MAX_PARTS] = { 0 };
	struct open_begin *b;

	p->nr_begins++;
	role_values(role->key, p->roles.nr_key, in, &p->rows, key);
	b = p->cfg.nest ? NULL : open_begins_get(&p->open, key);
	if (b) {
		p->nr_replaced++;
		forget_begin(p, b);
	}
	make_room(p);
	b = open_begins_put(&p->open, key);
	occurrence_init(&b->at, v, p->cfg.keep_samples);
	p->kept_bytes += occurrence_bytes(&b->at);
	b->epoch = epoch_of(p, b->at.cpu);
	role_values(role->row, p->roles.nr_row, in, &p->rows, b->row);
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
	rows_add(&p->rows, pair->row, pair->ns, may_grow(p));
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

static int take_end(struct pairs *p, const struct role *role, const struct sample_view *v,
		    const struct expr_input *in, struct perr *e)
{
	struct pair pair = { 0 };
	struct open_begin *b;
	u64 time = v->ev->sample.time;

	p->nr_ends++;
	role_values(role->key, p->roles.nr_key, in, &p->rows, pair.key);
	b = open_begins_get(&p->open, pair.key);
	if (!b) {
		p->nr_without_begin++;
		p->nr_before_start += time - p->first_time < PAIRS_START_NS;
		return 0;
	}
	if (time < b->at.time) {
		p->nr_negative++;
		if (b->at.time - time > p->negative_max)
			p->negative_max = b->at.time - time;
		forget_begin(p, b);
		return 0;
	}
	pair.ns = time - b->at.time;
	if (is_broken(p, b, v->ev->sample.cpu, pair.ns)) {
		forget_begin(p, b);
		return 0;
	}
	memcpy(pair.row, b->row, sizeof(pair.row));
	role_values(role->row, p->roles.nr_row, in, &p->rows, pair.row);
	pair.begin = b->at;
	remove_begin(p, b);
	return pairs_add(p, &pair, v, e);
}

/* An event where there are no begins: counted, or measured. */
static void count_event(struct pairs *p, const struct role *role, const struct expr_input *in)
{
	u64 row[MAX_PARTS] = { 0 };
	struct expr_value value = { 0 };

	p->nr_ends++;
	if (role->value)
		expr_eval(role->value, in, &value);
	if (role->value && expr_show(role->value) == EXPR_SHOW_DEC && (s64)value.n < 0) {
		p->nr_negative_values++;
		return;
	}
	role_values(role->row, p->roles.nr_row, in, &p->rows, row);
	rows_add(&p->rows, row, value.n, may_grow(p));
}

int pairs_take(struct pairs *p, const struct sample_view *v, struct perr *e)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct expr_input in = { s->raw, s->swap, s, v->task.comm };
	u32 event = v->ev->ev->idx, i;
	int err = 0;

	if (event >= p->roles.nr_events || p->roles.first[event] == p->roles.first[event + 1])
		return 0;
	p->nr_events++;
	if (!p->first_time)
		p->first_time = s->time;
	p->last_time = s->time;
	for (i = p->roles.first[event]; i < p->roles.first[event + 1] && !err; i++) {
		const struct role *role = &p->roles.all[i];

		if (role->condition && !expr_is_true(role->condition, &in))
			continue;
		if (!p->roles.has_begins)
			count_event(p, role, &in);
		else if (role->kind == ROLE_END)
			err = take_end(p, role, v, &in, e);
		else
			take_begin(p, role, v, &in);
	}
	return err;
}
