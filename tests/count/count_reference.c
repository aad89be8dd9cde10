/* SPDX-License-Identifier: MIT */
#include "tests/count/count_reference.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "count/stack_iter.h"
#include "session/chain.h"
#include "session/filter.h"
#include "session/frames.h"
#include "tests/frame/unit.h"
#include "unwind/join/join.h"

/* A row by content: hashes of its words, then its sums. */
struct plain_row {
	u64 key;
	u64 samples, period, first;
};

struct plain {
	struct plain_row *rows;
	size_t nr, cap;
	u64 samples, period, filtered, filtered_period;
	struct replay_stats stats;
	struct idmap by_key;
	int err;
};

static const struct session_config hermetic = { .symbols = { .hermetic = true } };

bool counted_file_open(struct counted_file *o, const char *path, struct span mem)
{
	struct perr e;
	int err;

	diag_init(&o->diag);
	err = path ? pd_open(path, &o->diag, &o->pd, &e)
		   : pd_open_mem(mem, "built", &o->diag, &o->pd, &e);
	if (err) {
		diag_fini(&o->diag);
		return false;
	}
	o->s = session_new(o->pd, &hermetic, &o->diag);
	return true;
}

void counted_file_close(struct counted_file *o)
{
	session_free(o->s);
	pd_close(o->pd);
	diag_fini(&o->diag);
}

static u64 place_hash(u64 ip, const struct map *m)
{
	u64 h = hash_pair(ip, 1);

	if (!m)
		return h;
	h = hash_pair(h, m->start);
	h = hash_pair(h, m->pgoff);
	/* equal maps of two processes are two */
	h = hash_pair(h, m->id);
	return hash_pair(h, hash_bytes(m->dso_name, strlen(m->dso_name)));
}

static u64 space_hash(const struct task_view *t, u8 mode, u64 ip)
{
	const struct mapset *set = task_space(t, mode);

	return place_hash(ip, set ? mapset_find(set, ip) : NULL);
}

static u64 text_hash(const struct session *s, u64 id)
{
	const char *text = intern_text(&s->machine->strings, (u32)id);

	return hash_bytes(text, strlen(text));
}

static void add_plain(struct plain *p, u64 key, u64 period, u64 first)
{
	u32 i = idmap_get(&p->by_key, key, 0);

	if (i == IDMAP_NONE) {
		i = (u32)p->nr;
		idmap_put(&p->by_key, key, 0, i);
		vec_push(p->rows, p->nr, p->cap,
			 ((struct plain_row){ .key = key, .first = first }));
	}
	p->rows[i].samples++;
	p->rows[i].period += period;
}

static u64 stack_hash(struct chain *ch, struct frames *f, const struct replay_event *ev,
		      const struct task_view *t)
{
	u64 h = 0;

	chain_resolve(ch, f, ev->ev, &ev->sample, t, 127);
	for (size_t i = 0; i < ch->nr; i++)
		h = hash_pair(h, place_hash(f->items[ch->ids[i]].ip, f->items[ch->ids[i]].map));
	return h;
}

static u64 data_hash(const struct task_view *t, const struct pd_sample *s)
{
	const struct mapset *set = task_space(t, s->cpumode);

	if (set && mapset_find(set, s->addr))
		return space_hash(t, s->cpumode, s->addr);
	return space_hash(t, (s64)s->addr < 0 ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER, s->addr);
}

static u64 any_hash(const struct task_view *t, u64 ip)
{
	return space_hash(t, mapset_find(t->user_maps, ip) ? PD_CPUMODE_USER : PD_CPUMODE_KERNEL,
			  ip);
}

static u64 highest_five_bits(u64 v)
{
	u64 step = 1;

	while (v / step >= 32)
		step *= 2;
	return v - v % step;
}

static u64 key_hash(const struct session *s, struct chain *ch, struct frames *f,
		    const struct replay_event *ev, const struct thread *th,
		    const struct task_view *t, u32 columns)
{
	const struct pd_sample *p = &ev->sample;
	u64 v[COUNT_COLUMNS] = { 0 }, h = ev->ev->idx;

	v[COUNT_COMM] = text_hash(s, th->comm);
	v[COUNT_PID] = th->pid;
	v[COUNT_TID] = th->tid;
	v[COUNT_CPU] = p->cpu;
	v[COUNT_CPUMODE] = p->cpumode;
	v[COUNT_IP] = space_hash(t, p->cpumode, p->ip);
	v[COUNT_STACK] = stack_hash(ch, f, ev, t);
	v[COUNT_TIME] = p->time == UINT64_MAX ? 0 : p->time / 100000000 * 100000000;
	v[COUNT_CGROUP] = p->cgroup;
	v[COUNT_CGROUP_NS] = th->cgroup_ns;
	v[COUNT_WEIGHT] = p->weight;
	v[COUNT_INS_LAT] = p->ins_lat;
	v[COUNT_WEIGHT3] = p->weight3;
	v[COUNT_TRANSACTION] = p->transaction;
	v[COUNT_DATA_SRC] = p->data_src;
	v[COUNT_ADDR] = data_hash(t, p);
	v[COUNT_PHYS_ADDR] = p->phys_addr;
	v[COUNT_DATA_PAGE_SIZE] = p->data_page_size;
	v[COUNT_CODE_PAGE_SIZE] = p->code_page_size;
	v[COUNT_END] = columns >> COUNT_STACK & 1 ? ch->list.end : STACK_RECORDED;
	v[COUNT_PERIOD_STEP] = highest_five_bits(p->period);
	v[COUNT_PARALLELISM] = machine_parallelism(s->machine);
	v[COUNT_RAW] = p->raw.n ? hash_bytes(p->raw.p, p->raw.n) : 0;
	v[COUNT_OFFCPU] = p->id - PD_OFFCPU_ID < PD_NR_OFFCPU ? p->id - PD_OFFCPU_ID + 1 : 0;
	for (int i = 0; i < COUNT_BRANCH_FROM; i++)
		if (columns >> i & 1)
			h = hash_pair(h, v[i]);
	return h;
}

static bool plain_wants(const struct filter *f, const struct session *s,
			const struct replay_event *ev, const struct thread *th,
			const struct task_view *t)
{
	struct frame fr = { .ip = ev->sample.ip };
	const struct mapset *set = task_space(t, ev->sample.cpumode);

	if (!f)
		return true;
	fr.map = set ? mapset_find(set, fr.ip) : NULL;
	return filter_wants_record(f, &ev->sample) && filter_wants_thread(f, s, th) &&
	       (!filter_needs_frame(f) || filter_wants_frame(f, &fr));
}

/* joins: what truncated stacks go on with, NULL: nothing. */
static void run_plain(struct plain *p, struct counted_file *o, const struct counts_config *cfg,
		      const struct join_table *joins)
{
	struct replay *r = replay_new(o->s, !cfg->keep_deferred_apart);
	struct chain ch = { 0 };
	struct replay_event ev;
	struct frames f;
	struct perr e;
	u64 rank = 0;

	*p = (struct plain){ 0 };
	frames_init(&f, SIZE_MAX);
	ch.list.user = machine_stacks_new(o->s->machine, 1024);
	ch.joins = joins;
	while ((p->err = replay_next(r, &ev, &e)) == 1) {
		const struct thread *th;
		struct task_view t;
		u64 key;

		if (!ev.is_sample)
			continue;
		th = machine_thread(o->s->machine, ev.sample.pid, ev.sample.tid);
		t = machine_task(o->s->machine, th);
		if (!plain_wants(cfg->filter, o->s, &ev, th, &t)) {
			rank++;
			p->filtered++;
			p->filtered_period += ev.sample.period;
			continue;
		}
		p->samples++;
		p->period += ev.sample.period;
		key = key_hash(o->s, &ch, &f, &ev, th, &t, cfg->columns);
		if (!cfg->branch_rows)
			add_plain(p, key, ev.sample.period, rank);
		for (size_t i = 0; cfg->branch_rows && i < ev.sample.branches.n / 24; i++) {
			struct span b = ev.sample.branches;
			bool swap = ev.sample.swap;
			u64 k = hash_pair(key, any_hash(&t, span_u64(b, i * 3, swap)));

			k = hash_pair(k, any_hash(&t, span_u64(b, i * 3 + 1, swap)));
			k = hash_pair(k, pd_branch_flags(span_u64(b, i * 3 + 2, swap), swap));
			add_plain(p, k, 1, rank);
		}
		rank++;
	}
	p->stats = replay_get_stats(r);
	replay_free(r);
	frames_fini(&f);
	machine_stacks_free(ch.list.user);
	chain_fini(&ch);
}

static void plain_fini(struct plain *p)
{
	free(p->rows);
	idmap_fini(&p->by_key);
}

static u64 frame_hash(const struct counts *c, u64 id)
{
	const struct frame *f = counts_frame(c, (u32)id);

	return place_hash(f->ip, f->map);
}

/* Of a stack with all its frames. */
static u64 counted_hash(const struct counts *c, u64 stack)
{
	struct stack_iter it;
	u64 h = 0;
	u32 id;

	stack_iter_init(&it, c, stack);
	while (stack_iter_next(&it, &id))
		h = hash_pair(h, frame_hash(c, id));
	return h;
}

static u64 row_hash(const struct counts *c, const struct session *s, const struct count_row *row,
		    const struct counts_config *cfg)
{
	u64 h = row->event;

	for (int i = 0; i < COUNT_BRANCH_FROM; i++) {
		u64 v = count_value(row, i);

		if (!(cfg->columns >> i & 1))
			continue;
		if (i == COUNT_COMM) {
			v = text_hash(s, v);
		} else if (i == COUNT_IP || i == COUNT_ADDR) {
			v = frame_hash(c, v);
		} else if (i == COUNT_RAW && v) {
			v = hash_bytes(counts_blob(c, v).p, counts_blob(c, v).n);
		} else if (i == COUNT_STACK) {
			v = counted_hash(c, v);
		}
		h = hash_pair(h, v);
	}
	if (!cfg->branch_rows)
		return h;
	h = hash_pair(h, frame_hash(c, count_value(row, COUNT_BRANCH_FROM)));
	h = hash_pair(h, frame_hash(c, count_value(row, COUNT_BRANCH_TO)));
	return hash_pair(h, count_value(row, COUNT_BRANCH_FLAGS));
}

/* Everything that must not depend on the number of threads. */
static u64 whole_hash(const struct counts *c, u32 columns)
{
	u64 h = c->nr_rows;

	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct count_row *r = &c->rows[i];

		for (int col = 0; col < COUNT_COLUMNS; col++)
			if (columns >> col & 1)
				h = hash_pair(h, count_value(r, col));
		h = hash_pair(hash_pair(h, r->event), r->samples);
		h = hash_pair(hash_pair(h, r->period), r->first);
	}
	for (size_t i = 0; i < counts_nr_stacks(c); i++) {
		struct span ids = stack_iter_memory(c, i);

		h = hash_pair(h, ids.n ? hash_bytes(ids.p, ids.n) : 0);
	}
	for (size_t i = 0; i < counts_nr_frames(c); i++)
		h = hash_pair(h, frame_hash(c, i));
	if (c->nr_events)
		h = hash_pair(h, hash_bytes(c->events, c->nr_events * sizeof(*c->events)));
	h = hash_pair(h, hash_bytes(&c->stats, sizeof(c->stats)));
	return hash_pair(hash_pair(h, c->first_time), c->last_time);
}

static void check_totals(const struct plain *p, const struct counts *c,
			 const struct counts_config *cfg)
{
	u64 samples = 0, period = 0, row_samples = 0, row_period = 0, filtered = 0, fperiod = 0;

	for (size_t i = 0; i < c->nr_events; i++) {
		samples += c->events[i].samples;
		period += c->events[i].period;
		filtered += c->events[i].filtered;
		fperiod += c->events[i].filtered_period;
	}
	for (size_t i = 0; i < c->nr_rows; i++) {
		row_samples += c->rows[i].samples;
		row_period += c->rows[i].period;
	}
	/* where branches are counted, a sample without any is none */
	if (!cfg->branch_rows)
		CHECK_EQ(samples, p->samples);
	CHECK_EQ(period, p->period);
	CHECK_EQ(filtered, p->filtered);
	CHECK_EQ(fperiod, p->filtered_period);
	CHECK_EQ(c->stats.nr_samples, p->stats.nr_samples);
	CHECK_EQ(c->stats.nr_broken_samples, p->stats.nr_broken_samples);
	CHECK_EQ(c->stats.nr_lost_records, p->stats.nr_lost_records);
	CHECK_EQ(c->stats.nr_unknown_id, p->stats.nr_unknown_id);
	if (cfg->branch_rows)
		return;
	CHECK_EQ(row_samples, samples);
	CHECK_EQ(row_period, period);
}

struct counts *counted_file_count(struct counted_file *o, const struct counts_config *cfg, int want)
{
	struct counts *c = NULL;
	struct perr e;

	CHECK_EQ(counts_run(o->s, cfg, &c, &e), want);
	CHECK(c != NULL);
	return c;
}

static struct join_table *find_joins(struct counted_file *o, struct counts_config cfg)
{
	struct join_table *joins = NULL;
	struct counts *c = NULL;
	struct perr e;

	cfg.only_joins = true;
	if (counts_run(o->s, &cfg, &c, &e) && !c)
		return NULL;
	joins = counts_take_joins(c);
	counts_free(c);
	return joins;
}

void reference_check(const char *path, struct span mem, struct counts_config cfg)
{
	static const unsigned int threads[] = { 1, 2, 8 };
	struct counted_file o;
	struct plain p;
	struct join_table *joins;
	u64 first_hash = 0;

	CHECK(counted_file_open(&o, path, mem));
	joins = find_joins(&o, cfg);
	counted_file_close(&o);
	CHECK(counted_file_open(&o, path, mem));
	run_plain(&p, &o, &cfg, joins);
	counted_file_close(&o);
	join_table_free(joins);
	for (size_t t = 0; t < ARRAY_SIZE(threads); t++) {
		struct counts *c;

		CHECK(counted_file_open(&o, path, mem));
		cfg.threads = threads[t];
		c = counted_file_count(&o, &cfg, p.err);
		check_totals(&p, c, &cfg);
		CHECK_EQ(c->nr_rows, p.nr);
		for (size_t i = 0; i < p.nr; i++) {
			CHECK_EQ(row_hash(c, o.s, &c->rows[i], &cfg), p.rows[i].key);
			CHECK_EQ(c->rows[i].samples, p.rows[i].samples);
			CHECK_EQ(c->rows[i].period, p.rows[i].period);
			if (!c->stats.nr_broken_samples)
				CHECK_EQ(c->rows[i].first, p.rows[i].first);
		}
		if (!t)
			first_hash = whole_hash(c, cfg.columns);
		CHECK_EQ(whole_hash(c, cfg.columns), first_hash);
		counts_free(c);
		counted_file_close(&o);
	}
	plain_fini(&p);
}
