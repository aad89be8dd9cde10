/* SPDX-License-Identifier: MIT */
#include "record/head_parts.h"

#include "base/mem.h"
#include "fileformat/events.h"

/*
 * How long the end of a recording may take to read build-ids that the kernel did not put into MMAP2
 * records.
 */
#define BUILD_ID_BUDGET_MS 400

void head_put_unwound(struct wbuf *b, const struct rec_evlist *l, const struct live_chains *live)
{
	struct pd_unwound *u = xcalloc(l->nr + 1, sizeof(*u));
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct rec_event *ev = l->events[i];
		struct chainer_counts n = { 0 };

		if (!ev->unwound)
			continue;
		if (live)
			n = live_chains_counts(live, (u32)i);
		u[nr++] = (struct pd_unwound){ .event = (u32)i,
					       .copy_size = ev->attr.sample_stack_user,
					       .stacks = n.stacks,
					       .frames = n.frames,
					       .guessed = n.guessed,
					       .joined = n.joined };
	}
	if (nr)
		pd_put_unwound(b, u, nr);
	free(u);
}

static void out_event_make(struct pd_out_event *out, const struct rec_event *ev, bool keep_stacks)
{
	out->attr = ev->unwound ? chained_attr(&ev->attr, keep_stacks) : ev->attr;
	out->name = ev->name;
	if (ev->is_made) {
		out->ids = xcalloc(PD_NR_OFFCPU, sizeof(*out->ids));
		for (u64 i = 0; i < PD_NR_OFFCPU; i++)
			out->ids[out->nr_ids++] = PD_OFFCPU_ID + i;
		return;
	}
	out->ids = xcalloc(ev->nr_fds ? ev->nr_fds : 1, sizeof(*out->ids));
	for (size_t i = 0; i < ev->nr_fds; i++)
		if (ev->fds[i] >= 0)
			out->ids[out->nr_ids++] = ev->ids[i];
}

int head_parts_make(struct head_parts *h, const struct rec_evlist *l, const struct rec_opts *o,
		    u64 expand, struct perr *e)
{
	size_t nr = 0;
	bool has_tracepoints = false;

	*h = (struct head_parts){ .nr_events = l->nr };
	h->events = xcalloc(l->nr, sizeof(*h->events));
	for (size_t i = 0; i < l->nr; i++) {
		out_event_make(&h->events[i], l->events[i], o->keep_stacks);
		h->events[i].attr.size = l->attr_size;
		if (l->events[i]->attr.type == PD_TYPE_TRACEPOINT)
			has_tracepoints = true;
	}
	if (has_tracepoints) {
		int rc = tracing_data_encode(&h->tracing_data, l, o, e);

		if (rc) {
			head_parts_fini(h);
			return rc;
		}
		h->features[nr++] =
			(struct pd_feature_out){ PD_FEAT_TRACING_DATA, wb_span(&h->tracing_data) };
	}
	host_features_read(&h->host, o, l, h->events, expand);
	for (size_t i = 0; i < h->host.nr_out; i++)
		h->features[nr++] = h->host.out[i];
	if (!o->keep_stacks)
		head_put_unwound(&h->unwound, l, NULL);
	if (h->unwound.n)
		h->features[nr++] =
			(struct pd_feature_out){ PD_FEAT_UNWOUND, wb_span(&h->unwound) };
	h->head = (struct pd_head){ .events = h->events,
				    .nr_events = h->nr_events,
				    .attr_size = l->attr_size,
				    .features = h->features,
				    .nr_features = nr };
	return 0;
}

void head_parts_fini(struct head_parts *h)
{
	for (size_t i = 0; i < h->nr_events; i++)
		free(h->events[i].ids);
	free(h->events);
	wb_fini(&h->tracing_data);
	wb_fini(&h->unwound);
	host_features_fini(&h->host);
	*h = (struct head_parts){ 0 };
}

static void late_parts_add(struct late_parts *p, u32 bit, const struct wbuf *b)
{
	p->features[p->nr++] = (struct pd_feature_out){ bit, wb_span(b) };
}

void late_parts_make(struct late_parts *p, struct rec_buildids *ids, const struct rec_opts *o,
		     const struct rec_counts *counts, const struct rec_sink_stat *stat, u64 expand)
{
	u64 missed = 0;

	*p = (struct late_parts){ 0 };
	if (ids) {
		buildids_encode(ids, BUILD_ID_BUDGET_MS, &p->build_id, &missed);
		if (p->build_id.n)
			late_parts_add(p, PD_FEAT_BUILD_ID, &p->build_id);
		if (missed)
			diag_warn(o->diag,
				  "build-ids of %llu mapped files could not be read within %u ms: "
				  "without them, readers cannot tell whether those files have "
				  "changed since",
				  (unsigned long long)missed, BUILD_ID_BUDGET_MS);
	}
	pd_put_sample_time(&p->sample_time, counts->first_time, counts->last_time);
	late_parts_add(p, PD_FEAT_SAMPLE_TIME, &p->sample_time);
	if (o->compress > 0) {
		u64 ratio = stat->compressed_bytes
				    ? (stat->raw_bytes + stat->compressed_bytes / 2) /
					      stat->compressed_bytes
				    : 0;
		struct pd_compressed c = { .type = 1,
					   .level = (u32)o->compress,
					   .ratio = (u32)ratio,
					   .mmap_len = (u32)expand };

		pd_put_compressed(&p->compressed, &c);
		late_parts_add(p, PD_FEAT_COMPRESSED, &p->compressed);
	}
}

void late_parts_add_unwound(struct late_parts *p, const struct rec_evlist *l,
			    const struct live_chains *live)
{
	head_put_unwound(&p->unwound, l, live);
	if (p->unwound.n)
		late_parts_add(p, PD_FEAT_UNWOUND, &p->unwound);
}

void late_parts_fini(struct late_parts *p)
{
	wb_fini(&p->build_id);
	wb_fini(&p->sample_time);
	wb_fini(&p->compressed);
	wb_fini(&p->unwound);
	p->nr = 0;
}
