/* SPDX-License-Identifier: MIT */
#include "session/replay.h"

#include "base/mem.h"
#include "machine/jit.h"
#include "session/counter_values.h"

/* A sample that waits for its user callchain, or one whose turn has come. */
struct held {
	struct pd_record rec;
	u64 time;
	u32 tid;
	u64 cookie;
	struct pd_block *deferred_block; /* keeps `deferred` readable */
	struct span deferred;
	bool merged;
};

void replay_stats_note(struct replay_stats *st, const struct pd_record *rec, bool swap)
{
	struct span body = pd_record_body(rec);

	if (rec->type == PD_RECORD_LOST && body.n >= 16)
		st->nr_lost_records += get_u64(body.p + 8, swap);
	else if (rec->type == PD_RECORD_LOST_SAMPLES && body.n >= 8)
		st->nr_lost_samples += get_u64(body.p, swap);
	else if (rec->type == PD_RECORD_THROTTLE)
		st->nr_throttled++;
}

void replay_warn_skipped(const struct session *s, const struct pd_record *rec, const struct perr *e)
{
	diag_warn(s->diag, "%s: %s: sample skipped (offset %#llx)", s->pd->path, e->text,
		  (unsigned long long)rec->off);
}

bool replay_is_plain(const struct pd_event *ev)
{
	if (ev->attr.sample_type & PD_SAMPLE_READ && ev->attr.read_format & PD_FORMAT_ID)
		return false;
	return !pd_attr_has(&ev->attr, PD_ATTR_DEFER_CALLCHAIN);
}

struct replay {
	struct session *s;
	struct pd_order *order;
	bool merge_deferred, heads_only;
	struct replay_stats stats;
	struct pd_record pending_exit;
	bool has_pending_exit;
	/* the group read being handed out member by member */
	struct replay_event group;
	u64 group_next;
	bool in_group;
	struct counter_values counters;
	struct held *waiting, *due;
	size_t nr_waiting, cap_waiting, nr_due, cap_due, next_due;
	struct held current; /* the due one being delivered */
	/*
	 * the caller's event whose sample has nothing behind RAW, so that the next one of this kind
	 * is decoded over it; NULL: none
	 */
	const struct replay_event *plain;
	bool ended;
};

struct replay *replay_new(struct session *s, bool merge_deferred)
{
	struct replay *r = xcalloc(1, sizeof(*r));

	r->s = s;
	r->order = pd_order_new(s->pd);
	r->merge_deferred = merge_deferred;
	return r;
}

void replay_keep_file_order(struct replay *r)
{
	pd_order_keep_file_order(r->order);
}

void replay_heads_only(struct replay *r)
{
	r->heads_only = true;
}

void replay_shorten(struct replay *r, pd_shorten_fn *shorten, void *ctx, const bool *wanted)
{
	pd_order_shorten(r->order, shorten, ctx, wanted);
}

static void held_fini(struct held *h)
{
	pd_block_put(h->rec.block);
	pd_block_put(h->deferred_block);
	*h = (struct held){ 0 };
}

void replay_free(struct replay *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->nr_waiting; i++)
		held_fini(&r->waiting[i]);
	for (i = r->next_due; i < r->nr_due; i++)
		held_fini(&r->due[i]);
	held_fini(&r->current);
	free(r->waiting);
	free(r->due);
	counter_values_fini(&r->counters);
	pd_order_free(r->order);
	free(r);
}

struct replay_stats replay_get_stats(const struct replay *r)
{
	struct replay_stats ret = r->stats;

	ret.nr_samples += pd_order_left_out(r->order);
	return ret;
}

/* One member of a group read (or the value of a single one) as a sample of its own event. */
static bool next_member(struct replay *r, struct replay_event *ret)
{
	struct replay_event *g = &r->group;
	struct pd_read_value v;
	struct pd_event *ev;
	u64 period;

	while (r->group_next < g->sample.read.nr) {
		v = pd_read_get(&g->sample.read, r->group_next++, r->s->pd->swap);
		ev = pd_event_by_id(r->s->pd, v.id);
		if (!ev) {
			r->stats.nr_unknown_id++;
			continue;
		}
		period = counter_values_advance(&r->counters, ev, v.id, g->sample.tid, v.value);
		if (!period)
			continue;
		*ret = *g;
		ret->ev = ev;
		ret->sample.id = v.id;
		ret->sample.period = period;
		return true;
	}
	r->in_group = false;
	return false;
}

/* Puts a sample aside when its user part is still to come. */
static bool hold_deferred(struct replay *r, const struct replay_event *ev)
{
	struct span ips = ev->sample.callchain;
	size_t n = ips.n / 8;
	struct held h = { .rec = ev->rec, .time = ev->time, .tid = ev->sample.tid };

	if (!r->merge_deferred || n < 2 ||
	    span_u64(ips, n - 2, r->s->pd->swap) != PD_CONTEXT_USER_DEFERRED)
		return false;
	h.cookie = span_u64(ips, n - 1, r->s->pd->swap);
	h.rec.ev = NULL; /* events may be described until it is decoded again */
	pd_block_get(h.rec.block);
	vec_push(r->waiting, r->nr_waiting, r->cap_waiting, h);
	return true;
}

static void make_due(struct replay *r, struct held *h)
{
	if (r->next_due == r->nr_due)
		r->next_due = r->nr_due = 0;
	vec_push(r->due, r->nr_due, r->cap_due, *h);
}

/* A thread's user callchain came: its waiting samples are due, joined where the cookie is theirs.
 */
static void release_deferred(struct replay *r, const struct replay_event *ev)
{
	struct pd_callchain_deferred d;
	struct perr e;
	size_t i, kept = 0;

	if (pd_read_callchain_deferred(&ev->rec, r->s->pd->swap, &d, &e)) {
		replay_warn_skipped(r->s, &ev->rec, &e);
		return;
	}
	for (i = 0; i < r->nr_waiting; i++) {
		struct held *h = &r->waiting[i];

		if (h->tid != ev->sample.tid) {
			r->waiting[kept++] = *h;
			continue;
		}
		if (h->cookie == d.cookie) {
			h->merged = true;
			h->deferred = d.ips;
			h->deferred_block = pd_block_get(ev->rec.block);
		}
		make_due(r, h);
	}
	r->nr_waiting = kept;
}

static int read_sample(struct replay *r, struct replay_event *ev, struct perr *e)
{
	bool is_plain = ev->ev->layout.ends_with_raw, swap = r->s->pd->swap;
	int err;

	if (is_plain && r->plain == ev)
		return pd_read_sample_again(ev->ev, &ev->rec, swap, &ev->sample, e);
	err = pd_read_sample(ev->ev, &ev->rec, swap, &ev->sample, e);
	r->plain = is_plain && !err ? ev : NULL;
	return err;
}

static void decode(struct replay *r, struct replay_event *ev, struct perr *e, int *err)
{
	struct perfdata *pd = r->s->pd;

	ev->is_sample = ev->rec.type == PD_RECORD_SAMPLE;
	ev->is_short = false;
	ev->ev = ev->rec.ev;
	if (!ev->ev && ev->rec.type < PD_RECORD_HEADER_ATTR)
		ev->ev = pd_event_of_record(pd, &ev->rec);
	ev->deferred_pending = ev->head_only = false;
	*err = 0;
	if (!ev->ev) {
		if (ev->is_sample) {
			r->stats.nr_unknown_id++;
			*err = perr_at(e, PERR_NOTFOUND, ev->rec.off, "id of no event");
		}
		ev->sample.pid = ev->sample.tid = ev->sample.cpu = (u32)-1;
		ev->sample.cpumode = ev->rec.misc & PD_MISC_CPUMODE_MASK;
		ev->sample.time = UINT64_MAX;
		return;
	}
	ev->head_only = ev->is_sample && r->heads_only && replay_is_plain(ev->ev);
	if (ev->head_only) {
		*err = pd_read_sample_head(ev->ev, &ev->rec, pd->swap, &ev->sample, e);
		if (*err) {
			r->stats.nr_broken_samples++;
			replay_warn_skipped(r->s, &ev->rec, e);
		}
		return;
	}
	if (ev->is_sample) {
		*err = read_sample(r, ev, e);
		if (*err) {
			r->stats.nr_broken_samples++;
			replay_warn_skipped(r->s, &ev->rec, e);
		}
		return;
	}
	*err = pd_read_sample_id(ev->ev, &ev->rec, pd->swap, &ev->sample, e);
	if (*err)
		replay_warn_skipped(r->s, &ev->rec, e);
}

/* A held-back sample whose turn has come. */
static bool next_due(struct replay *r, struct replay_event *ret)
{
	struct perr e;
	int err;

	while (r->next_due < r->nr_due) {
		held_fini(&r->current);
		r->current = r->due[r->next_due++];
		ret->rec = r->current.rec;
		ret->time = r->current.time;
		decode(r, ret, &e, &err);
		if (err)
			continue;
		if (r->current.merged) {
			ret->sample.callchain.n -= 8; /* the cookie */
			ret->sample.deferred = r->current.deferred;
			r->plain = NULL;
		} else {
			ret->deferred_pending = true;
		}
		return true;
	}
	return false;
}

/* What a step towards the next record has found. */
enum step { STEP_NONE, STEP_RECORD, STEP_SAMPLE };

/* A decoded sample: STEP_NONE when it is a group read of which no member counted. */
static enum step take_sample(struct replay *r, struct replay_event *ret)
{
	if (ret->ev->attr.sample_type & PD_SAMPLE_READ && ret->sample.read.nr &&
	    ret->sample.read.format & PD_FORMAT_ID) {
		r->group = *ret;
		r->group_next = 0;
		r->in_group = true;
		return next_member(r, ret) ? STEP_SAMPLE : STEP_NONE;
	}
	return STEP_SAMPLE;
}

/* A record that is no sample changes the machine; EXIT does so with the next call. */
static enum step take_record(struct replay *r, struct replay_event *ret)
{
	replay_stats_note(&r->stats, &ret->rec, r->s->pd->swap);
	if (ret->rec.type == PD_RECORD_CALLCHAIN_DEFERRED && r->merge_deferred) {
		release_deferred(r, ret);
		return STEP_NONE;
	}
	if (ret->rec.type == PD_RECORD_EXIT) {
		r->pending_exit = ret->rec;
		r->has_pending_exit = true;
	} else {
		machine_apply(r->s->machine, &ret->rec);
	}
	return STEP_RECORD;
}

/* One record of the file, by time. STEP_NONE when it is held back, skipped, or used up here. */
static enum step take_ordered(struct replay *r, struct replay_event *ret)
{
	struct machine *mc = r->s->machine;
	struct perr skipped;
	int err;

	if (ret->time >= mc->next_jit_time && ret->time != UINT64_MAX)
		machine_jit_advance(mc, ret->time);
	decode(r, ret, &skipped, &err);
	if (!ret->is_sample)
		return take_record(r, ret);
	if (err)
		return STEP_NONE;
	if (ret->head_only)
		return STEP_SAMPLE;
	return hold_deferred(r, ret) ? STEP_NONE : take_sample(r, ret);
}

/* At the end of the file, samples still wait for user call chains that were not recorded. */
static void end_of_file(struct replay *r)
{
	r->ended = true;
	for (size_t i = 0; i < r->nr_waiting; i++)
		make_due(r, &r->waiting[i]);
	r->nr_waiting = 0;
}

/* The next step: of the group read at hand, of a sample that waited, or of the file. */
static int next_step(struct replay *r, struct replay_event *ret, enum step *ret_step,
		     struct perr *e)
{
	int got;

	*ret_step = STEP_NONE;
	if (r->in_group && next_member(r, ret)) {
		*ret_step = STEP_SAMPLE;
		return 1;
	}
	if (next_due(r, ret)) {
		*ret_step = take_sample(r, ret);
		return 1;
	}
	if (r->ended)
		return 0;
	got = pd_order_next(r->order, &ret->rec, &ret->time, e);
	if (got > 0 && ret->rec.words) {
		ret->ev = ret->rec.ev;
		ret->is_sample = ret->is_short = true;
		*ret_step = STEP_SAMPLE;
	} else if (got > 0)
		*ret_step = take_ordered(r, ret);
	else if (!got)
		end_of_file(r);
	return got < 0 ? got : 1;
}

int replay_next(struct replay *r, struct replay_event *ret, struct perr *e)
{
	enum step step = STEP_NONE;
	int got;

	if (r->has_pending_exit) {
		r->has_pending_exit = false;
		machine_apply(r->s->machine, &r->pending_exit);
	}
	do {
		got = next_step(r, ret, &step, e);
	} while (got > 0 && step == STEP_NONE);
	if (got > 0 && step == STEP_SAMPLE)
		r->stats.nr_samples++;
	return got;
}

size_t replay_next_shorts(struct replay *r, struct pd_short *ret, size_t most)
{
	size_t nr;

	/* nothing else waits for its turn behind a short sample */
	if (r->in_group || r->next_due < r->nr_due)
		return 0;
	nr = pd_order_next_shorts(r->order, ret, most);
	r->stats.nr_samples += nr;
	return nr;
}
