/* SPDX-License-Identifier: MIT */
/*
 * Reads records that describe the file itself. Pipes have their attrs, features and names in such
 * records (FORMAT.md 1.9); EVENT_UPDATE also occurs in regular files.
 */
#include "fileformat/event_desc.h"
#include "fileformat/feature/feature.h"
#include "fileformat/perfdata_priv.h"
#include "fileformat/record_user.h"

bool describe_is(u32 type)
{
	switch (type) {
	case PD_RECORD_HEADER_ATTR:
	case PD_RECORD_HEADER_EVENT_TYPE:
	case PD_RECORD_HEADER_TRACING_DATA:
	case PD_RECORD_EVENT_UPDATE:
	case PD_RECORD_HEADER_FEATURE: return true;
	default: return false;
	}
}

static int apply_attr(struct perfdata *pd, const struct pd_record *r, struct perr *e)
{
	struct cursor c = cursor_of(pd_record_body(r), pd->swap);
	struct pd_event *ev;
	struct pd_attr attr;
	int err;

	err = pd_attr_decode(&c, &attr, e);
	if (err) {
		if (e)
			e->off = (s64)r->off;
		return err;
	}
	ev = perfdata_add_event(pd, &attr);
	while (cur_left(&c) >= 8)
		perfdata_add_id(pd, ev, cur_u64(&c));
	perfdata_finish_events(pd);
	return 0;
}

static void apply_event_type(struct perfdata *pd, const struct pd_record *r)
{
	struct span body = pd_record_body(r), name;
	size_t i;

	if (body.n < 9)
		return;
	name = span_of(body.p + 8, body.n - 8 < 64 ? body.n - 8 : 64);
	for (i = 0; i < pd->nr_events; i++) {
		struct pd_event *ev = pd->events[i];

		if (ev->attr.config != get_u64(body.p, pd->swap) || ev->name_given ||
		    ev->attr.type != PD_TYPE_TRACEPOINT)
			continue;
		free(ev->name);
		ev->name = xstrndup((const char *)name.p, span_strlen(name));
		ev->name_given = true;
	}
}

static void apply_update(struct perfdata *pd, const struct pd_record *r)
{
	struct cursor c = cursor_of(pd_record_body(r), pd->swap);
	u64 kind = cur_u64(&c), id = cur_u64(&c), bits;
	struct span rest = span_of(c.p, cur_left(&c));
	struct pd_event *ev;
	char *text;

	if (c.bad)
		return;
	if (kind == PD_UPDATE_STREAM && pd->kind == PD_PIPE && rest.n >= 8)
		pd->unfinished = get_u64(rest.p, pd->swap) != PD_STREAM_ENDED;
	ev = pd_event_by_id(pd, id);
	if (!ev)
		return;
	if (kind == PD_UPDATE_UNWOUND && pd->kind == PD_PIPE && rest.n >= 8) {
		ev->is_unwound = true;
		ev->unwound_copy = (u32)get_u64(rest.p, pd->swap);
	}
	if (kind == PD_UPDATE_SCALE && rest.n >= 8) {
		bits = get_u64(rest.p, pd->swap);
		memcpy(&ev->scale, &bits, sizeof(ev->scale));
	}
	if (kind != PD_UPDATE_UNIT && kind != PD_UPDATE_NAME)
		return;
	text = xstrndup((const char *)rest.p, span_strlen(rest));
	if (kind == PD_UPDATE_UNIT) {
		free(ev->unit);
		ev->unit = text;
	} else {
		free(ev->name);
		ev->name = text;
		ev->name_given = true;
	}
}

static int apply_feature(struct perfdata *pd, const struct pd_record *r, struct perr *e)
{
	struct span body = pd_record_body(r), data;
	u64 bit;

	if (body.n < 8)
		return perr_at(e, PERR_FORMAT, r->off,
			       "HEADER_FEATURE record of %u bytes has no id", r->size);
	bit = get_u64(body.p, pd->swap);
	/*
	 * an empty record ends the list; its number is the first bit that its writer does not know
	 */
	if (bit >= PD_NR_FEATURES || (body.n == 8 && bit > 31))
		return 0;
	data = perfdata_keep(pd, span_of(body.p + 8, body.n - 8));
	perfdata_set_feature(pd, (unsigned int)bit, 0, data);
	pd->features[bit / 64] |= 1ull << (bit % 64);
	if (bit == PD_FEAT_EVENT_DESC)
		return event_desc_apply(pd, data, e);
	if (bit == PD_FEAT_GROUP_DESC)
		return group_desc_apply(pd, data, e);
	return 0;
}

int describe_apply(struct perfdata *pd, const struct pd_record *r, struct span payload,
		   struct perr *e)
{
	int err;

	switch (r->type) {
	case PD_RECORD_HEADER_ATTR:
		/* a regular file has its attrs in the header; some writers repeat them here */
		return pd->kind == PD_PIPE ? apply_attr(pd, r, e) : 0;
	case PD_RECORD_HEADER_EVENT_TYPE: apply_event_type(pd, r); return 0;
	case PD_RECORD_EVENT_UPDATE: apply_update(pd, r); return 0;
	case PD_RECORD_HEADER_TRACING_DATA:
		perfdata_set_feature(pd, PD_FEAT_TRACING_DATA, 0, perfdata_keep(pd, payload));
		return 0;
	case PD_RECORD_HEADER_FEATURE:
		err = apply_feature(pd, r, e);
		if (!err)
			return 0;
		/* a damaged feature is no reason to give up the records */
		diag_warn(pd->diag, "%s: the feature record at offset %#llx is ignored: %s",
			  pd->path, (unsigned long long)r->off, e ? e->text : "broken");
		return 0;
	default: return 0;
	}
}
