/* SPDX-License-Identifier: MIT */
#include "session/sample_sink.h"

#include "base/pages.h"
#include "machine/jit.h"
#include "session/filter_miss.h"

#define SHORTS_AT_ONCE 256
#define RECENT_THREADS 64
#define FILTER_FRAMES ((size_t)1 << 16) /* kept for filters on places, before a new epoch */

/* One pass that is under way. */
struct sink_run {
	struct session *s;
	const struct sample_query *q;
	struct sample_sink *k;
	const struct filter *filter; /* NULL: has no condition */
	struct frames frames;        /* of samples' own places, for the filter */
	struct filter_miss *miss;    /* until a sample passes the filter */
	bool needs_frame;
	bool discarding; /* until switch_on comes */
	/* of samples lately, by the low bits of their tids, as the samples have these */
	struct recent_thread {
		struct thread *thread;
		u32 pid, tid;
		u64 nr_others; /* it is of no use any more if this number has changed */
	} recent[RECENT_THREADS];
	u64 nr_others; /* 1 + records that were no samples */
	u64 next_tick; /* 0: not known before the first time */
	struct pd_sample to_shorten;
	const bool *wanted; /* of the query; NULL: also where other samples are left out anyway */
	int not_needed;     /* what shorten() returns: the time of a sample may be that of a tick */
};

enum verdict_of_filters { SAMPLE_WANTED, SAMPLE_FILTERED, SAMPLE_LEFT_OUT };

static bool is_switched_off(struct sink_run *r, const struct pd_event *ev)
{
	const struct sample_query *q = r->q;

	if (q->switch_on && r->discarding) {
		if (ev != q->switch_on)
			return true;
		r->discarding = false;
		return !q->show_switches;
	}
	if (r->discarding || !q->switch_off || ev != q->switch_off)
		return r->discarding;
	r->discarding = true;
	return !q->show_switches;
}

/* The sample's thread. Other records may end or change threads, also those of samples. */
static struct thread *thread_of(struct sink_run *r, u32 pid, u32 tid)
{
	struct recent_thread *recent = &r->recent[tid % RECENT_THREADS];

	if (recent->nr_others != r->nr_others || recent->pid != pid || recent->tid != tid)
		*recent = (struct recent_thread){ machine_thread(r->s->machine, pid, tid), pid, tid,
						  r->nr_others };
	return recent->thread;
}

struct thread *sink_thread(struct sample_sink *k, u32 pid, u32 tid, u64 time)
{
	struct machine *mc = k->run->s->machine;

	if (time >= mc->next_jit_time)
		machine_jit_advance(mc, time);
	return thread_of(k->run, pid, tid);
}

static bool is_of_guest(const struct pd_sample *s)
{
	return s->cpumode == PD_CPUMODE_GUEST_KERNEL || s->cpumode == PD_CPUMODE_GUEST_USER;
}

static bool place_is_wanted(struct sink_run *r, const struct sample_view *v)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct frame *fr;

	if (!r->needs_frame)
		return true;
	frames_make_room(&r->frames);
	fr = frames_resolve(&r->frames, frames_get(&r->frames, &v->task, s->cpumode, s->ip));
	filter_miss_frame(r->miss, fr);
	return filter_wants_frame(r->filter, fr);
}

/* Asks the filters in their order; a negative code is that of seen(). */
static int ask_filters(struct sink_run *r, struct sample_view *v, struct perr *e)
{
	const struct sample_query *q = r->q;
	const struct pd_sample *s = &v->ev->sample;
	int got;

	if (q->wanted_events && !q->wanted_events[v->ev->ev->idx])
		return SAMPLE_FILTERED;
	filter_miss_time(r->miss, s->time);
	if (r->filter && !filter_wants_record(r->filter, s))
		return SAMPLE_FILTERED;
	if (q->switch_before_filter && is_switched_off(r, v->ev->ev))
		return SAMPLE_FILTERED;
	if (r->k->flags & SINK_NO_TASKS && !r->filter)
		return SAMPLE_WANTED;
	v->thread = thread_of(r, s->pid, s->tid);
	if (!(r->k->flags & SINK_LATE_KERNEL))
		machine_settle_kernel(r->s->machine, s);
	got = r->k->seen ? r->k->seen(r->k, v, e) : 0;
	if (got)
		return got < 0 ? got : SAMPLE_LEFT_OUT;
	filter_miss_comm(r->miss, v->thread->comm, machine_comm(r->s->machine, v->thread));
	if (r->filter && !filter_wants_thread(r->filter, r->s, v->thread))
		return SAMPLE_FILTERED;
	if (r->k->flags & SINK_NO_GUESTS && is_of_guest(s))
		return SAMPLE_FILTERED;
	v->task = machine_task(r->s->machine, v->thread);
	if (!place_is_wanted(r, v))
		return SAMPLE_FILTERED;
	if (!q->switch_before_filter && is_switched_off(r, v->ev->ev))
		return SAMPLE_FILTERED;
	return SAMPLE_WANTED;
}

static int tick(struct sink_run *r, u64 now, struct perr *e)
{
	if (!r->k->tick || !r->q->interval_ns || now == UINT64_MAX)
		return 0;
	if (!r->next_tick)
		r->next_tick = now + r->q->interval_ns;
	if (now < r->next_tick)
		return 0;
	r->next_tick = now + r->q->interval_ns;
	return r->k->tick(r->k, now, e);
}

static int deliver(struct sink_run *r, struct replay_event *ev, u64 nr, struct perr *e)
{
	struct sample_view v = { .ev = ev, .nr = nr };
	int got = ask_filters(r, &v, e);

	if (got == SAMPLE_WANTED) {
		filter_miss_free(r->miss);
		r->miss = NULL;
		return r->k->sample(r->k, &v, e);
	}
	if (got == SAMPLE_FILTERED && r->k->filtered)
		return r->k->filtered(r->k, &v, e);
	return got < 0 ? got : 0;
}

static bool has_ticks(const struct sink_run *r)
{
	return r->k->tick && r->q->interval_ns;
}

/* Delivers short samples with the ticks between them. Those of no words are there for their times.
 */
static int deliver_with_ticks(struct sink_run *r, const struct pd_short *s, size_t nr,
			      struct perr *e)
{
	int err = 0;

	for (size_t i = 0, n; i < nr && !err; i += n) {
		n = 1;
		err = tick(r, s[i].time, e);
		if (err || !s[i].nr)
			continue;
		while (i + n < nr && s[i + n].nr && s[i + n].time < r->next_tick)
			n++;
		err = r->k->short_samples(r->k, s + i, n, e);
	}
	return err;
}

/* Delivers a short sample, and those that follow it at once. */
static int deliver_shorts(struct sink_run *r, struct replay *replay, const struct replay_event *ev,
			  u64 *nr, struct perr *e)
{
	struct pd_short s[SHORTS_AT_ONCE] = {
		{ .time = ev->time, .words = ev->rec.words, .ev = ev->ev, .nr = ev->rec.size / 8 }
	};
	size_t n = 1 + replay_next_shorts(replay, s + 1, ARRAY_SIZE(s) - 1);
	int err = 0;

	for (; n && !err; n = err ? 0 : replay_next_shorts(replay, s, ARRAY_SIZE(s))) {
		*nr += n;
		err = has_ticks(r) ? deliver_with_ticks(r, s, n, e)
				   : r->k->short_samples(r->k, s, n, e);
	}
	return err;
}

static int read_all(struct sink_run *r, struct replay *replay, struct perr *e)
{
	struct replay_event ev;
	u64 nr = 0;
	int got, err;

	while ((got = replay_next(replay, &ev, e)) == 1) {
		if (r->q->progress)
			progress_update(r->q->progress, ev.rec.off);
		if (r->k->raw)
			r->k->raw(r->k, &ev);
		err = tick(r, ev.time, e);
		if (err)
			return err;
		if (ev.is_sample && ev.is_short) {
			err = deliver_shorts(r, replay, &ev, &nr, e);
		} else if (ev.is_sample) {
			err = deliver(r, &ev, nr++, e);
		} else {
			r->nr_others++;
			if (machine_forget_maps(r->s->machine))
				pages_trim_heap();
			err = r->k->flags & SINK_RECORDS ? r->k->record(r->k, &ev, e) : 0;
		}
		if (err)
			return err < 0 ? err : 0;
	}
	return got;
}

/* A sample is read, and the sink has no use for more than a few words of it. */
static int shorten(void *ctx, const struct pd_event *ev, const struct pd_record *rec, u64 *words)
{
	struct sink_run *r = ctx;
	bool swap = r->s->pd->swap;
	int nr;

	if (r->wanted && !r->wanted[ev->idx])
		return r->k->filtered ? PD_SHORT_NOT : r->not_needed;
	if (!(r->k->flags & SINK_BRIEF && pd_read_sample_brief(ev, rec, swap, &r->to_shorten)) &&
	    (!ev->layout.ends_with_raw || pd_attr_has(&ev->attr, PD_ATTR_DEFER_CALLCHAIN) ||
	     pd_read_sample_again(ev, rec, swap, &r->to_shorten, NULL)))
		return PD_SHORT_NOT;
	nr = r->k->shorten(r->k, ev, &r->to_shorten, words);
	return nr ? nr : r->not_needed;
}

int session_run(struct session *s, const struct sample_query *q, struct sample_sink *k,
		struct perr *e)
{
	struct sink_run r = { .s = s, .q = q, .k = k, .nr_others = 1 };
	struct replay *replay;
	int err;

	err = q->pass ? session_begin_pass(s, q->pass, q->pass_flags, e) : 0;
	if (err)
		return err;
	r.filter = q->filter && filter_has_conditions(q->filter) ? q->filter : NULL;
	r.needs_frame = r.filter && filter_needs_frame(r.filter);
	r.discarding = q->switch_on;
	r.wanted = q->wanted_events;
	r.not_needed = has_ticks(&r) ? 0 : PD_SHORT_LEFT_OUT;
	r.miss = r.filter ? filter_miss_new(r.filter) : NULL;
	if (r.needs_frame) {
		frames_init(&r.frames, FILTER_FRAMES);
		frames_follow(&r.frames, s);
	}
	replay = replay_new(s, !(k->flags & SINK_DEFERRED_APART));
	if (k->flags & SINK_FILE_ORDER)
		replay_keep_file_order(replay);
	if (k->flags & SINK_HEADS)
		replay_heads_only(replay);
	if (k->shorten && !r.filter && !q->switch_on && !q->switch_off) {
		bool leaves_out = r.not_needed == PD_SHORT_LEFT_OUT && !k->filtered;

		replay_shorten(replay, shorten, &r, leaves_out ? q->wanted_events : NULL);
		if (leaves_out)
			r.wanted = NULL;
	}
	k->run = &r;
	err = read_all(&r, replay, e);
	k->run = NULL;
	k->stats = replay_get_stats(replay);
	replay_free(replay);
	filter_miss_tell(r.miss, s->diag);
	filter_miss_free(r.miss);
	if (r.needs_frame)
		frames_fini(&r.frames);
	return err;
}
