/* SPDX-License-Identifier: MIT */
/*
 * Runs everything that reads a feature's payload over arbitrary bytes: the decoder of its bit, what
 * is applied to events, and the printed header. For the fuzz target and for tests; all in this
 * header because the two are linked differently.
 */
#ifndef TESTS_FRAME_FEATURE_ALL_H
#define TESTS_FRAME_FEATURE_ALL_H

#include "base/mem.h"
#include "fileformat/event_desc.h"
#include "fileformat/event_name.h"
#include "fileformat/event_names.h"
#include "fileformat/feature_build_id.h"
#include "fileformat/trace_field.h"
#include "fileformat/tracing_data.h"
#include "report/text/header_text.h"

#define FEATURE_ALL_EVENTS 4

/* An open file as far as features are concerned: four tracepoints with the ids 100, 101, ... */
struct feature_file {
	struct perfdata pd;
	struct pd_event events[FEATURE_ALL_EVENTS], *list[FEATURE_ALL_EVENTS];
	u64 ids[FEATURE_ALL_EVENTS];
};

static inline void feature_file_init(struct feature_file *f, bool swap)
{
	u32 i;

	memset(f, 0, sizeof(*f));
	f->pd.swap = swap;
	f->pd.kind = PD_REGULAR;
	f->pd.version = 1;
	f->pd.events = f->list;
	f->pd.nr_events = FEATURE_ALL_EVENTS;
	for (i = 0; i < FEATURE_ALL_EVENTS; i++) {
		struct pd_event *ev = &f->events[i];

		f->list[i] = ev;
		f->ids[i] = 100 + i;
		ev->ids = &f->ids[i];
		ev->nr_ids = 1;
		ev->attr.type = PD_TYPE_TRACEPOINT;
		ev->attr.config = i;
		ev->idx = ev->leader_idx = i;
		ev->nr_members = 1;
		ev->name = pd_attr_name(&ev->attr, TEXT_PERF_7_2);
	}
}

static inline void feature_file_set(struct feature_file *f, unsigned int bit, struct span d)
{
	f->pd.feat[bit] = (struct pd_feature){ .present = true, .data = d };
	if (bit == PD_FEAT_TRACING_DATA)
		f->pd.tracing_data = d;
}

static inline void feature_file_fini(struct feature_file *f)
{
	u32 i;

	for (i = 0; i < FEATURE_ALL_EVENTS; i++) {
		free(f->events[i].name);
		free(f->events[i].group_name);
	}
}

/* The header as text, malloc'd. */
static inline char *feature_file_text(const struct feature_file *f, bool full_topology)
{
	struct out o;
	char *text;

	out_init_mem(&o);
	header_text_print(&o, &f->pd, full_topology);
	text = xstrndup(o.buf, o.len);
	out_fini(&o);
	return text;
}

/* Returns a sum of the bytes that came out, so that none of the reads is dropped. */
static inline u64 touch_bytes(struct span s)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < s.n; i++)
		sum += s.p[i];
	return sum;
}

static inline u64 touch_tracing(struct span d)
{
	struct pd_tracepoint tp;
	struct pd_trace_field field;
	struct pd_tracing t;
	u64 sum = 0;

	if (pd_tracing_open(d, &t, NULL))
		return 0;
	while (pd_tracing_next(&t, &tp, NULL) > 0) {
		size_t pos = 0;

		sum += tp.id + touch_bytes(tp.system) + touch_bytes(tp.name);
		while (pd_trace_field_next(tp.format, &pos, &field))
			sum += touch_bytes(field.name);
	}
	return sum;
}

static inline u64 touch_build_ids(struct span d, bool swap)
{
	struct pd_build_ids b = pd_build_ids_open(d, swap);
	struct pd_build_id_entry v;
	u64 sum = 0;

	while (pd_build_ids_next(&b, &v, NULL) > 0)
		sum += (u64)v.pid + touch_bytes(v.filename) +
		       touch_bytes(span_of(v.build_id.data, v.build_id.size));
	return sum;
}

/* d as the payload of `bit`, with `other` as that of BPF_BTF (names for BPF_PROG_INFO). */
static inline u64 feature_touch_all(unsigned int bit, struct span d, struct span other, bool swap)
{
	struct feature_file f;
	struct pd_auxtrace aux;
	struct pd_list l;
	struct perr e;
	u64 sum = 0;
	char *text;
	int full;
	/* NRCPUS: what topologies are counted by */
	u8 cpus[8] = { 0 };

	cpus[swap ? 3 : 0] = cpus[swap ? 7 : 4] = 4;
	feature_file_init(&f, swap);
	feature_file_set(&f, PD_FEAT_NRCPUS, span_of(cpus, sizeof(cpus)));
	if (other.n)
		feature_file_set(&f, PD_FEAT_BPF_BTF, other);
	feature_file_set(&f, bit, d);
	sum += touch_tracing(d) + touch_build_ids(d, swap);
	if (!pd_auxtrace_open(d, swap, &l, &e))
		while (pd_auxtrace_next(&l, &aux, &e) > 0)
			sum += aux.off;
	if (event_desc_apply(&f.pd, d, &e) < 0)
		sum++;
	if (group_desc_apply(&f.pd, d, &e) < 0)
		sum++;
	event_names_apply(&f.pd);
	for (full = 0; full < 2; full++) {
		text = feature_file_text(&f, full);
		sum += strlen(text);
		free(text);
	}
	feature_file_fini(&f);
	return sum;
}

#endif
