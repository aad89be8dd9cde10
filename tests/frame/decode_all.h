/* SPDX-License-Identifier: MIT */
/*
 * Decodes every record of an open file with the decoder of its type and reads every byte that comes
 * out, so that a sanitizer sees spans that are too long. For fuzz targets and tests over whole
 * files; all in this header because the two are linked differently.
 */
#ifndef TESTS_FRAME_DECODE_ALL_H
#define TESTS_FRAME_DECODE_ALL_H

#include "fileformat/order.h"
#include "fileformat/record_minor.h"
#include "fileformat/record_user.h"

struct decoded {
	u64 nr_records, nr_samples, nr_bad;
	u64 nr_by_type[PD_RECORD_MAX];
	u64 sum; /* of all that was read */
	struct perr first_bad;
};

static inline void touch(struct decoded *d, struct span s)
{
	size_t i;

	for (i = 0; i < s.n; i++)
		d->sum += s.p[i];
}

static inline void touch_read(struct decoded *d, const struct pd_read *rd, bool swap)
{
	u64 i;

	for (i = 0; i <= rd->nr; i++) {
		struct pd_read_value v = pd_read_get(rd, i, swap);

		d->sum += v.value + v.id + v.lost;
	}
}

static inline void touch_sample(struct decoded *d, const struct pd_sample *s)
{
	size_t i;

	d->nr_samples++;
	d->sum += s->ip + s->time + s->pid + s->tid + s->cpu + s->period + s->weight;
	touch_read(d, &s->read, s->swap);
	touch(d, s->callchain);
	touch(d, s->raw);
	touch(d, s->branches);
	touch(d, s->branch_counters);
	touch(d, s->user_regs.values);
	touch(d, s->intr_regs.values);
	touch(d, s->user_stack);
	touch(d, s->aux);
	for (i = 0; i + 24 <= s->branches.n; i += 24)
		d->sum += pd_branch_flags(get_u64(s->branches.p + i + 16, s->swap), s->swap);
}

static inline void touch_cpu_map(struct decoded *d, const struct pd_cpu_map *m, bool swap)
{
	u32 pos = 0;
	s32 cpu;

	while (pd_cpu_map_next(m, &pos, swap, &cpu))
		d->sum += (u64)(s64)cpu;
}

static inline int decode_kernel_record(const struct pd_record *r, bool swap, struct decoded *d,
				       struct perr *e)
{
	union {
		struct pd_mmap mmap;
		struct pd_comm comm;
		struct pd_task task;
		struct pd_namespaces ns;
		struct pd_ksymbol ksymbol;
		struct pd_bpf_event bpf;
		struct pd_cgroup cgroup;
		struct pd_text_poke poke;
		struct pd_callchain_deferred deferred;
		struct pd_lost lost;
		struct pd_lost_samples lost_samples;
		struct pd_throttle throttle;
		struct pd_aux aux;
		struct pd_itrace_start itrace;
		struct pd_switch_cpu_wide sw;
		struct pd_aux_output_hw_id hw_id;
	} u;
	int err = 0;

	switch (r->type) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2:
		err = pd_read_mmap(r, swap, &u.mmap, e);
		if (!err)
			touch(d, u.mmap.filename);
		break;
	case PD_RECORD_COMM:
		err = pd_read_comm(r, swap, &u.comm, e);
		if (!err)
			touch(d, u.comm.comm);
		break;
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: err = pd_read_task(r, swap, &u.task, e); break;
	case PD_RECORD_NAMESPACES:
		err = pd_read_namespaces(r, swap, &u.ns, e);
		if (!err)
			touch(d, u.ns.links);
		break;
	case PD_RECORD_KSYMBOL:
		err = pd_read_ksymbol(r, swap, &u.ksymbol, e);
		if (!err)
			touch(d, u.ksymbol.name);
		break;
	case PD_RECORD_BPF_EVENT: err = pd_read_bpf_event(r, swap, &u.bpf, e); break;
	case PD_RECORD_CGROUP:
		err = pd_read_cgroup(r, swap, &u.cgroup, e);
		if (!err)
			touch(d, u.cgroup.path);
		break;
	case PD_RECORD_TEXT_POKE:
		err = pd_read_text_poke(r, swap, &u.poke, e);
		if (!err) {
			touch(d, u.poke.old_bytes);
			touch(d, u.poke.new_bytes);
		}
		break;
	case PD_RECORD_CALLCHAIN_DEFERRED:
		err = pd_read_callchain_deferred(r, swap, &u.deferred, e);
		if (!err)
			touch(d, u.deferred.ips);
		break;
	case PD_RECORD_LOST: err = pd_read_lost(r, swap, &u.lost, e); break;
	case PD_RECORD_LOST_SAMPLES: err = pd_read_lost_samples(r, swap, &u.lost_samples, e); break;
	case PD_RECORD_THROTTLE:
	case PD_RECORD_UNTHROTTLE: err = pd_read_throttle(r, swap, &u.throttle, e); break;
	case PD_RECORD_AUX: err = pd_read_aux(r, swap, &u.aux, e); break;
	case PD_RECORD_ITRACE_START: err = pd_read_itrace_start(r, swap, &u.itrace, e); break;
	case PD_RECORD_SWITCH_CPU_WIDE: err = pd_read_switch_cpu_wide(r, swap, &u.sw, e); break;
	case PD_RECORD_AUX_OUTPUT_HW_ID:
		err = pd_read_aux_output_hw_id(r, swap, &u.hw_id, e);
		break;
	default: break;
	}
	return err;
}

static inline int decode_user_tables(const struct pd_record *r, bool swap, struct decoded *d,
				     struct perr *e)
{
	union {
		struct pd_id_index index;
		struct pd_thread_map threads;
		struct pd_stat_config config;
		struct pd_bpf_metadata bpf;
	} u;
	int err = 0;
	u64 i;

	switch (r->type) {
	case PD_RECORD_ID_INDEX:
		err = pd_read_id_index(r, swap, &u.index, e);
		for (i = 0; !err && i <= u.index.nr; i++)
			d->sum += pd_id_index_get(&u.index, i, swap).vcpu;
		break;
	case PD_RECORD_THREAD_MAP:
		err = pd_read_thread_map(r, swap, &u.threads, e);
		for (i = 0; !err && i <= u.threads.nr; i++)
			touch(d, pd_thread_map_get(&u.threads, i, swap).comm);
		break;
	case PD_RECORD_STAT_CONFIG:
		err = pd_read_stat_config(r, swap, &u.config, e);
		if (!err)
			touch(d, u.config.entries);
		break;
	case PD_RECORD_BPF_METADATA:
		err = pd_read_bpf_metadata(r, swap, &u.bpf, e);
		if (!err)
			touch(d, u.bpf.prog_name);
		for (i = 0; !err && i <= u.bpf.nr; i++)
			touch(d, pd_bpf_metadata_get(&u.bpf, i).value);
		break;
	default: break;
	}
	return err;
}

static inline int decode_user_record(const struct pd_record *r, bool swap, struct decoded *d,
				     struct perr *e)
{
	union {
		struct pd_header_build_id build_id;
		struct pd_auxtrace_info info;
		struct pd_auxtrace_record auxtrace;
		struct pd_auxtrace_error error;
		struct pd_cpu_map cpus;
		struct pd_stat stat;
		struct pd_stat_round round;
		struct pd_event_update update;
		struct pd_time_conv conv;
		struct pd_header_feature feature;
		struct pd_schedstat_cpu cpu;
		struct pd_schedstat_domain domain;
	} u;
	int err;

	switch (r->type) {
	case PD_RECORD_HEADER_BUILD_ID:
		err = pd_read_header_build_id(r, swap, &u.build_id, e);
		if (!err)
			touch(d, u.build_id.filename);
		return err;
	case PD_RECORD_AUXTRACE_INFO:
		err = pd_read_auxtrace_info(r, swap, &u.info, e);
		if (!err)
			touch(d, u.info.priv);
		return err;
	case PD_RECORD_AUXTRACE: return pd_read_auxtrace(r, swap, &u.auxtrace, e);
	case PD_RECORD_AUXTRACE_ERROR:
		err = pd_read_auxtrace_error(r, swap, &u.error, e);
		if (!err)
			touch(d, u.error.msg);
		return err;
	case PD_RECORD_CPU_MAP:
		err = pd_read_cpu_map(r, swap, &u.cpus, e);
		if (!err)
			touch_cpu_map(d, &u.cpus, swap);
		return err;
	case PD_RECORD_STAT: return pd_read_stat(r, swap, &u.stat, e);
	case PD_RECORD_STAT_ROUND: return pd_read_stat_round(r, swap, &u.round, e);
	case PD_RECORD_EVENT_UPDATE:
		err = pd_read_event_update(r, swap, &u.update, e);
		if (!err) {
			touch(d, u.update.text);
			if (u.update.type == PD_UPDATE_CPUS)
				touch_cpu_map(d, &u.update.cpus, swap);
		}
		return err;
	case PD_RECORD_TIME_CONV: return pd_read_time_conv(r, swap, &u.conv, e);
	case PD_RECORD_HEADER_FEATURE:
		err = pd_read_header_feature(r, swap, &u.feature, e);
		if (!err)
			touch(d, u.feature.data);
		return err;
	case PD_RECORD_SCHEDSTAT_CPU: return pd_read_schedstat_cpu(r, swap, &u.cpu, e);
	case PD_RECORD_SCHEDSTAT_DOMAIN:
		err = pd_read_schedstat_domain(r, swap, &u.domain, e);
		if (!err)
			touch(d, u.domain.counters);
		return err;
	default: return decode_user_tables(r, swap, d, e);
	}
}

static inline int decode_with_event(const struct perfdata *pd, const struct pd_record *r,
				    struct decoded *d, struct perr *e)
{
	const struct pd_event *ev = pd_event_of_record(pd, r);
	struct pd_read_record read;
	struct pd_sample s;
	int err;

	if (!ev)
		return 0;
	if (r->type == PD_RECORD_SAMPLE) {
		err = pd_read_sample(ev, r, pd->swap, &s, e);
		if (!err)
			touch_sample(d, &s);
		return err;
	}
	if (r->type == PD_RECORD_READ) {
		err = pd_read_read(ev, r, pd->swap, &read, e);
		if (err)
			return err;
		touch_read(d, &read.read, pd->swap);
	}
	err = pd_read_sample_id(ev, r, pd->swap, &s, e);
	if (!err)
		d->sum += s.time + s.pid + s.tid + s.cpu + s.id + s.stream_id;
	return err;
}

static inline void decode_record(const struct perfdata *pd, const struct pd_record *r,
				 struct decoded *d)
{
	struct perr e = { 0 };
	int err;

	d->nr_records++;
	if (r->type < PD_RECORD_MAX)
		d->nr_by_type[r->type]++;
	touch(d, pd_record_body(r));
	d->sum += pd_record_time(pd, r);
	if (r->type >= PD_RECORD_HEADER_ATTR) {
		err = decode_user_record(r, pd->swap, d, &e);
	} else {
		err = decode_kernel_record(r, pd->swap, d, &e);
		if (!err)
			err = decode_with_event(pd, r, d, &e);
	}
	if (err && !d->nr_bad++)
		d->first_bad = e;
}

/* All that is left of pd, in file order or in time order. Result of the last pd_next. */
static inline int decode_all(struct perfdata *pd, bool in_time_order, struct decoded *d,
			     struct perr *e)
{
	struct pd_record r;
	int got;

	*d = (struct decoded){ 0 };
	if (in_time_order) {
		struct pd_order *o = pd_order_new(pd);
		u64 time;

		while ((got = pd_order_next(o, &r, &time, e)) == 1) {
			d->sum += time;
			decode_record(pd, &r, d);
		}
		pd_order_free(o);
		return got;
	}
	while ((got = pd_next(pd, &r, e)) == 1)
		decode_record(pd, &r, d);
	return got;
}

#endif
