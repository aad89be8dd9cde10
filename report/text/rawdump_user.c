/* SPDX-License-Identifier: MIT */
/* Records that perf itself writes (types from 64 up) in a raw dump: what follows their name. */
#include "report/text/rawdump.h"

#include <inttypes.h>

#include "fileformat/record_user.h"
#include "report/text/header_text.h"
#include "report/text/record_text.h"

static void put_attr(struct rawdump *d, struct out *o, const struct pd_record *r)
{
	struct cursor c = cursor_of(pd_record_body(r), d->pd->swap);
	struct pd_attr attr;

	if (d->pd->format != TEXT_PERF_6_1 && !pd_attr_decode(&c, &attr, NULL)) {
		const char *name =
			d->nr_attrs < d->pd->nr_events ? d->pd->events[d->nr_attrs]->name : NULL;

		attr_text_print(&d->attrs, o, &attr, name, ATTR_HEADER);
	}
	d->nr_attrs++;
}

static void put_feature(struct rawdump *d, struct out *o, const struct pd_record *r)
{
	struct pd_header_feature f;

	/* The empty one that ends a pipe's features has no text; for perf 6.1 none has. */
	if (d->pd->format == TEXT_PERF_6_1 || pd_read_header_feature(r, d->pd->swap, &f, NULL) ||
	    !f.data.n)
		return;
	out_str(o, ", ");
	header_text_feature(o, d->pd, f.feat_id, f.data);
}

static void put_id_index(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_id_index x;

	if (pd_read_id_index(r, swap, &x, NULL))
		return;
	out_printf(o, " nr: %" PRIu64 "\n", x.nr);
	for (u64 i = 0; i < x.nr; i++) {
		struct pd_id_index_entry e = pd_id_index_get(&x, i, swap);

		out_printf(o,
			   " ... id: %" PRIu64 "  idx: %" PRIu64 "  cpu: %" PRId64
			   "  tid: %" PRId64,
			   e.id, e.idx, (s64)e.cpu, (s64)e.tid);
		if (x.machines.n)
			out_printf(o, "  machine_pid: %" PRId64 "  vcpu: %" PRId64,
				   (s64)e.machine_pid, (s64)e.vcpu);
		out_char(o, '\n');
	}
}

static void put_auxtrace_info(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_auxtrace_info x;

	if (!pd_read_auxtrace_info(r, swap, &x, NULL))
		out_printf(o, " type: %u\n", x.type);
}

static void put_auxtrace(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_auxtrace_record x;

	if (!pd_read_auxtrace(r, swap, &x, NULL))
		out_printf(o,
			   " size: %#" PRIx64 "  offset: %#" PRIx64 "  ref: %#" PRIx64
			   "  idx: %u  tid: %d  cpu: %d\n",
			   x.size, x.offset, x.reference, x.idx, (s32)x.tid, (s32)x.cpu);
}

static void put_thread_map(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_thread_map m;

	if (pd_read_thread_map(r, swap, &m, NULL))
		return;
	out_printf(o, " nr: %" PRIu64 " thread%s: ", m.nr, m.nr > 1 ? "s" : "");
	for (u64 i = 0; i < m.nr; i++)
		out_printf(o, "%s%d", i ? ", " : "", (s32)pd_thread_map_get(&m, i, swap).pid);
	out_char(o, '\n');
}

/* "0-1,5": runs of CPUs as they follow each other in the file. */
static void put_cpus(struct out *o, const struct pd_cpu_map *m, bool swap)
{
	s32 cpu, first = 0, last = 0;
	bool any = false;
	u32 pos = 0;

	while (pd_cpu_map_next(m, &pos, swap, &cpu)) {
		if (any && cpu == last + 1) {
			last = cpu;
			continue;
		}
		if (any)
			out_printf(o, first == last ? "%d," : "%d-%d,", first, last);
		first = last = cpu;
		any = true;
	}
	if (any)
		out_printf(o, first == last ? "%d\n" : "%d-%d\n", first, last);
	else
		out_str(o, "failed to get cpumap from event\n");
}

static void put_cpu_map(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_cpu_map m;

	if (pd_read_cpu_map(r, swap, &m, NULL))
		return;
	out_str(o, ": ");
	put_cpus(o, &m, swap);
}

static void put_event_update(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_event_update u;

	if (pd_read_event_update(r, swap, &u, NULL)) {
		/* A kind of a newer perf has its id at the same place. */
		struct cursor c = cursor_of(pd_record_body(r), swap);

		cur_skip(&c, 8);
		out_printf(o, "\n... id:    %" PRIu64 "\n... unknown type\n", cur_u64(&c));
		return;
	}
	out_printf(o, "\n... id:    %" PRIu64 "\n... ", u.id);
	switch (u.type) {
	case PD_UPDATE_UNIT:
	case PD_UPDATE_NAME:
		out_printf(o, "%s  %.*s\n",
			   u.type == PD_UPDATE_UNIT ? "unit:" : "name:", (int)span_strlen(u.text),
			   (const char *)u.text.p);
		return;
	case PD_UPDATE_SCALE: out_printf(o, "scale: %f\n", u.scale); return;
	case PD_UPDATE_CPUS: put_cpus(o, &u.cpus, swap); return;
	default: out_str(o, "unknown type\n"); return;
	}
}

static void put_time_conv(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_time_conv t;

	if (pd_read_time_conv(r, swap, &t, NULL))
		return;
	out_printf(o,
		   "\n... Time Shift      %" PRIu64 "\n... Time Multiplier %" PRIu64
		   "\n... Time Zero       %" PRIu64 "\n",
		   t.shift, t.mult, t.zero);
	if (t.has_cycles)
		out_printf(o,
			   "... Time Cycles     %" PRIu64 "\n... Time Mask       %#" PRIx64
			   "\n... Cap Time Zero   %u\n... Cap Time Short  %u\n",
			   t.cycles, t.mask, t.cap_user_time_zero, t.cap_user_time_short);
	out_str(o, RAWDUMP_UNHANDLED);
}

#define SCHEDSTAT_OLDEST 15
#define SCHEDSTAT_NEWEST 17

static bool schedstat_is_known(struct out *o, u16 version)
{
	if (version >= SCHEDSTAT_OLDEST && version <= SCHEDSTAT_NEWEST)
		return true;
	out_printf(o, "Unsupported /proc/schedstat version %u.\n" RAWDUMP_UNHANDLED, version);
	return false;
}

static void put_schedstat_cpu(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_schedstat_cpu s;

	if (pd_read_schedstat_cpu(r, swap, &s, NULL))
		return;
	out_printf(o, "\ncpu%u ", s.cpu);
	if (schedstat_is_known(o, s.version))
		out_printf(o,
			   "%u %u %u %u %u %u %" PRIu64 " %" PRIu64 " %" PRIu64
			   " " RAWDUMP_UNHANDLED,
			   s.yld_count, s.array_exp, s.sched_count, s.sched_goidle, s.ttwu_count,
			   s.ttwu_local, s.rq_cpu_time, s.run_delay, s.pcount);
}

static void put_schedstat_domain(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_schedstat_domain s;
	size_t nr;

	if (pd_read_schedstat_domain(r, swap, &s, NULL))
		return;
	out_printf(o, "\ndomain%u ", s.domain);
	if (!schedstat_is_known(o, s.version))
		return;
	/* Version 17 has four imbalance counters for each one before. */
	nr = s.version == SCHEDSTAT_NEWEST ? 45 : 36;
	for (size_t i = 0; i < nr && i < s.counters.n / 4; i++)
		out_printf(o, "%u ", get_u32(s.counters.p + i * 4, swap));
	out_str(o, RAWDUMP_UNHANDLED);
}

static void put_stat_config(struct out *o, const struct pd_record *r, bool swap)
{
	u64 values[PD_STAT_AGGR_LEVEL + 1] = { 0 };
	struct pd_stat_config c;

	if (pd_read_stat_config(r, swap, &c, NULL))
		return;
	for (u64 i = 0; i < c.nr; i++) {
		u64 tag = span_u64(c.entries, i * 2, swap);

		if (tag < ARRAY_SIZE(values))
			values[tag] = span_u64(c.entries, i * 2 + 1, swap);
	}
	out_printf(o,
		   "\n... aggr_mode %" PRIu64 "\n... scale     %" PRIu64 "\n... interval  %" PRIu64,
		   values[PD_STAT_AGGR_MODE], values[PD_STAT_SCALE], values[PD_STAT_INTERVAL]);
}

static void put_stat(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_stat s;

	if (!pd_read_stat(r, swap, &s, NULL))
		out_printf(o,
			   "\n... id %" PRIu64 ", cpu %d, thread %d\n... value %" PRIu64
			   ", enabled %" PRIu64 ", running %" PRIu64,
			   s.id, (s32)s.cpu, (s32)s.thread, s.val, s.ena, s.run);
}

#define STAT_ROUND_FINAL 1

static void put_stat_round(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_stat_round s;

	if (!pd_read_stat_round(r, swap, &s, NULL))
		out_printf(o, "\n... time %" PRIu64 ", type %s", s.time,
			   s.type == STAT_ROUND_FINAL ? "FINAL" : "INTERVAL");
}

/*
 * Records of perf stat record. perf script prints counters by them (stat_text.h); the other
 * commands have no functions for them.
 */
static void put_counters(struct rawdump *d, struct out *o, const struct pd_record *r)
{
	bool swap = d->pd->swap, handled = d->command == RAWDUMP_SCRIPT;

	if (r->type == PD_RECORD_THREAD_MAP)
		put_thread_map(o, r, swap);
	else if (r->type == PD_RECORD_CPU_MAP)
		put_cpu_map(o, r, swap);
	if (handled)
		return;
	if (r->type == PD_RECORD_STAT_CONFIG)
		put_stat_config(o, r, swap);
	else if (r->type == PD_RECORD_STAT)
		put_stat(o, r, swap);
	else if (r->type == PD_RECORD_STAT_ROUND)
		put_stat_round(o, r, swap);
	if (r->type >= PD_RECORD_STAT_CONFIG)
		out_char(o, '\n');
	out_str(o, RAWDUMP_UNHANDLED);
}

void rawdump_user_record(struct rawdump *d, struct out *o, const struct pd_record *r)
{
	bool swap = d->pd->swap;

	switch (r->type) {
	case PD_RECORD_HEADER_ATTR: put_attr(d, o, r); return;
	case PD_RECORD_HEADER_FEATURE: put_feature(d, o, r); return;
	case PD_RECORD_FINISHED_ROUND: out_char(o, '\n'); return;
	case PD_RECORD_FINISHED_INIT: out_str(o, RAWDUMP_UNHANDLED); return;
	case PD_RECORD_ID_INDEX: put_id_index(o, r, swap); return;
	case PD_RECORD_AUXTRACE_INFO: put_auxtrace_info(o, r, swap); return;
	case PD_RECORD_AUXTRACE: put_auxtrace(o, r, swap); return;
	case PD_RECORD_AUXTRACE_ERROR: (void)record_text_body(o, d->pd, r, NULL); return;
	case PD_RECORD_THREAD_MAP:
	case PD_RECORD_CPU_MAP:
	case PD_RECORD_STAT_CONFIG:
	case PD_RECORD_STAT:
	case PD_RECORD_STAT_ROUND: put_counters(d, o, r); return;
	case PD_RECORD_EVENT_UPDATE:
		put_event_update(o, r, swap);
		if (d->command == RAWDUMP_ANNOTATE)
			out_str(o, RAWDUMP_UNHANDLED);
		return;
	case PD_RECORD_TIME_CONV: put_time_conv(o, r, swap); return;
	case PD_RECORD_BPF_METADATA:
		if (record_text_body(o, d->pd, r, NULL))
			out_str(o, RAWDUMP_UNHANDLED);
		return;
	case PD_RECORD_SCHEDSTAT_CPU: put_schedstat_cpu(o, r, swap); return;
	case PD_RECORD_SCHEDSTAT_DOMAIN: put_schedstat_domain(o, r, swap); return;
	default:
		/* HEADER_BUILD_ID, TRACING_DATA, STAT...: the name alone, without a line end. */
		return;
	}
}
