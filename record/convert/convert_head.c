/* SPDX-License-Identifier: MIT */
#include "record/convert/convert_head.h"

#include "base/mem.h"
#include "fileformat/write/record_encode.h"

static void make_events(struct convert_head *h, const struct perfdata *pd, u32 *ret_attr_size)
{
	u32 size = 64;

	h->nr_events = pd->nr_events;
	h->events = xcalloc(pd->nr_events ? pd->nr_events : 1, sizeof(*h->events));
	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];
		struct pd_attr a = chained_attr(&ev->attr, false);
		u32 needed = pd_attr_size_needed(&a);

		h->events[i] = (struct pd_out_event){
			.attr = a, .name = ev->name, .ids = ev->ids, .nr_ids = ev->nr_ids
		};
		/* the size that the recorder chose is one that its tools read */
		if (a.size > needed && a.size <= 144 && a.size % 8 == 0)
			needed = a.size;
		size = needed > size ? needed : size;
	}
	for (size_t i = 0; i < h->nr_events; i++)
		h->events[i].attr.size = size;
	*ret_attr_size = size;
}

/* Features that are made anew, or say where in the old file things lie. */
static bool is_replaced(unsigned int bit)
{
	switch (bit) {
	case PD_FEAT_EVENT_DESC:
	case PD_FEAT_AUXTRACE:
	case PD_FEAT_DIR_FORMAT:
	case PD_FEAT_COMPRESSED:
	case PD_FEAT_UNWOUND: return true;
	default: return false;
	}
}

void convert_head_put_unwound(struct wbuf *b, const struct perfdata *pd, size_t nr_events,
			      const struct chainer *chainer)
{
	struct pd_unwound *u = xcalloc(nr_events ? nr_events : 1, sizeof(*u));
	size_t nr = 0;

	for (size_t i = 0; i < nr_events; i++) {
		const struct pd_event *ev = pd->events[i];
		struct chainer_counts n = { 0 };

		if (chainer)
			n = chainer_counts_of(chainer, (u32)i);
		if (chained_attr_wanted(&ev->attr))
			u[nr++] = (struct pd_unwound){ .event = (u32)i,
						       .copy_size = ev->attr.sample_stack_user,
						       .stacks = n.stacks,
						       .frames = n.frames,
						       .guessed = n.guessed,
						       .joined = n.joined };
		else if (ev->is_unwound)
			u[nr++] = (struct pd_unwound){ .event = (u32)i,
						       .copy_size = ev->unwound_copy };
	}
	pd_put_unwound(b, u, nr);
	free(u);
}

void convert_head_make(struct convert_head *h, const struct perfdata *pd, int compress, u64 expand)
{
	size_t nr = 0;
	u32 attr_size;

	*h = (struct convert_head){ 0 };
	make_events(h, pd, &attr_size);
	if (pd_feature_get(pd, PD_FEAT_EVENT_DESC) || pd->kind == PD_PIPE)
		pd_put_event_desc(&h->event_desc, h->events, h->nr_events, attr_size);
	convert_head_put_unwound(&h->unwound, pd, pd->nr_events, NULL);
	if (compress > 0)
		pd_put_compressed(&h->compressed,
				  &(struct pd_compressed){ .type = 1,
							   .level = (u32)compress,
							   .mmap_len = (u32)expand });
	for (unsigned int bit = 0; bit < PD_NR_FEATURES; bit++) {
		const struct pd_feature *f = pd_feature_get(pd, bit);
		struct span data = f ? f->data : span_of(NULL, 0);
		bool has = f && !is_replaced(bit);

		if (bit == PD_FEAT_TRACING_DATA && pd->tracing_data.n) {
			data = pd->tracing_data;
			has = true;
		}
		if (bit == PD_FEAT_EVENT_DESC)
			has = (data = wb_span(&h->event_desc)).n;
		if (bit == PD_FEAT_COMPRESSED)
			has = (data = wb_span(&h->compressed)).n;
		if (bit == PD_FEAT_UNWOUND)
			has = (data = wb_span(&h->unwound)).n;
		if (has)
			h->features[nr++] = (struct pd_feature_out){ bit, data };
	}
	h->head = (struct pd_head){ .events = h->events,
				    .nr_events = h->nr_events,
				    .attr_size = attr_size,
				    .features = h->features,
				    .nr_features = nr };
}

void convert_head_fini(struct convert_head *h)
{
	free(h->events);
	wb_fini(&h->event_desc);
	wb_fini(&h->unwound);
	wb_fini(&h->compressed);
}

void convert_head_put_marks(struct wbuf *b, const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];

		if (!ev->nr_ids)
			continue;
		pd_put_event_name(b, ev->ids[0], ev->name);
		if (chained_attr_wanted(&ev->attr))
			pd_put_unwound_mark(b, ev->ids[0], ev->attr.sample_stack_user);
		else if (ev->is_unwound)
			pd_put_unwound_mark(b, ev->ids[0], ev->unwound_copy);
	}
}
