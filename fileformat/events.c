/* SPDX-License-Identifier: MIT */
#include "fileformat/events.h"

#include "fileformat/event_name.h"
#include "fileformat/feature/feature.h"
#include "fileformat/perfdata_priv.h"

/* The fields of 8 bytes that a SAMPLE begins with. READ, CALLCHAIN and the others follow. */
#define FIXED_FIELDS                                                                             \
	(PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ADDR | \
	 PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD)
#define TRAILER_FIELDS                                                                         \
	(PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU | \
	 PD_SAMPLE_IDENTIFIER)

static u16 bytes_of(u64 fields)
{
	return (u16)(8 * __builtin_popcountll(fields));
}

void pd_event_prepare(struct pd_event *ev)
{
	const struct pd_attr *a = &ev->attr;
	u64 type = a->sample_type;
	struct pd_event_layout l = { 0 };

	l.sample_fixed = bytes_of(type & FIXED_FIELDS);
	if (pd_attr_has(a, PD_ATTR_SAMPLE_ID_ALL))
		l.trailer = bytes_of(type & TRAILER_FIELDS);
	if (type & PD_SAMPLE_TID)
		l.tid_sample = 8 + bytes_of(type & (PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP));
	if (type & PD_SAMPLE_TIME) {
		l.time_sample =
			8 + bytes_of(type & (PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID));
		if (l.trailer)
			l.time_trailer =
				8 + bytes_of(type & (PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID |
						     PD_SAMPLE_CPU | PD_SAMPLE_IDENTIFIER));
	}
	l.nr_regs_user = (u16)__builtin_popcountll(a->sample_regs_user);
	l.nr_regs_intr = (u16)__builtin_popcountll(a->sample_regs_intr);
	l.simple = !(type & ~(u64)(FIXED_FIELDS | PD_SAMPLE_CALLCHAIN));
	l.ends_with_raw = !(type & ~(u64)(FIXED_FIELDS | PD_SAMPLE_CALLCHAIN | PD_SAMPLE_RAW));
	ev->layout = l;
}

struct pd_event *perfdata_add_event(struct perfdata *pd, const struct pd_attr *attr)
{
	struct pd_event *ev = xcalloc(1, sizeof(*ev));

	ev->attr = *attr;
	ev->idx = ev->leader_idx = (u32)pd->nr_events;
	ev->scale = 1;
	ev->nr_members = 1;
	pd_event_prepare(ev);
	vec_push(pd->events, pd->nr_events, pd->cap_events, ev);
	return ev;
}

void perfdata_add_id(struct perfdata *pd, struct pd_event *ev, u64 id)
{
	vec_push(ev->ids, ev->nr_ids, ev->cap_ids, id);
	if (idmap_get(&pd->priv->id_to_event, id, 0) == IDMAP_NONE)
		idmap_put(&pd->priv->id_to_event, id, 0, ev->idx);
}

void pd_set_text_format(struct perfdata *pd, enum text_format format)
{
	size_t i;

	pd->format = format;
	for (i = 0; i < pd->nr_events; i++) {
		struct pd_event *ev = pd->events[i];

		if (ev->name_given)
			continue;
		free(ev->name);
		ev->name = pd_attr_name(&ev->attr, format);
	}
}

void perfdata_finish_events(struct perfdata *pd)
{
	struct pd_priv *p = pd->priv;
	size_t i;
	u64 t;

	for (i = 0; i < pd->nr_events; i++)
		if (!pd->events[i]->name)
			pd->events[i]->name = pd_attr_name(&pd->events[i]->attr, pd->format);
	p->id_pos_sample = p->id_pos_trailer = -1;
	if (!pd->nr_events)
		return;
	t = pd->events[0]->attr.sample_type;
	if (t & PD_SAMPLE_IDENTIFIER) {
		p->id_pos_sample = 0;
		p->id_pos_trailer = 1;
	} else if (t & PD_SAMPLE_ID) {
		p->id_pos_sample = __builtin_popcountll(
			t & (PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ADDR));
		p->id_pos_trailer =
			1 + __builtin_popcountll(t & (PD_SAMPLE_CPU | PD_SAMPLE_STREAM_ID));
	}
}

struct span perfdata_keep(struct perfdata *pd, struct span payload)
{
	u8 *copy = xmalloc(payload.n);

	if (payload.n)
		memcpy(copy, payload.p, payload.n);
	vec_push(pd->priv->owned, pd->priv->nr_owned, pd->priv->cap_owned, copy);
	return span_of(copy, payload.n);
}

void perfdata_set_feature(struct perfdata *pd, unsigned int bit, u64 off, struct span data)
{
	pd->feat[bit] = (struct pd_feature){ .present = true, .off = off, .data = data };
	if (bit == PD_FEAT_TRACING_DATA)
		pd->tracing_data = data;
	/* u32 version, type, level, ratio, mmap_len */
	if (bit == PD_FEAT_COMPRESSED && data.n >= 20) {
		u64 len = get_u32(data.p + 16, pd->swap);

		if (len > pd->priv->zstd_limit)
			pd->priv->zstd_limit = len;
	}
}

const struct pd_feature *pd_feature_get(const struct perfdata *pd, unsigned int bit)
{
	return bit < PD_NR_FEATURES && pd->feat[bit].present ? &pd->feat[bit] : NULL;
}

bool pd_sample_id_all(const struct perfdata *pd)
{
	return !pd->nr_events || pd_attr_has(&pd->events[0]->attr, PD_ATTR_SAMPLE_ID_ALL);
}

static struct pd_event *event_by_id(const struct perfdata *pd, struct pd_event_cache *c, u64 id)
{
	size_t at = id % ARRAY_SIZE(c->recent);
	u32 idx;

	if (!pd->nr_events)
		return NULL;
	if (pd->nr_events == 1 || !id)
		return pd->events[0];
	if (c->recent[at].ev && c->recent[at].id == id)
		return c->recent[at].ev;
	idx = idmap_get(&pd->priv->id_to_event, id, 0);
	if (idx != IDMAP_NONE) {
		c->recent[at].id = id;
		c->recent[at].ev = pd->events[idx];
		return pd->events[idx];
	}
	return pd_sample_id_all(pd) ? NULL : pd->events[0];
}

struct pd_event *pd_event_by_id(const struct perfdata *pd, u64 id)
{
	return event_by_id(pd, &pd->priv->recent, id);
}

struct pd_event *pd_event_of_record_in(const struct perfdata *pd, struct pd_event_cache *c,
				       const struct pd_record *rec)
{
	const struct pd_priv *p = pd->priv;
	size_t n = (rec->size - 8) / 8, pos;

	if (pd->nr_events <= 1)
		return pd->nr_events ? pd->events[0] : NULL;
	if (rec->type == PD_RECORD_SAMPLE) {
		if (p->id_pos_sample < 0)
			return pd->events[0];
		pos = (size_t)p->id_pos_sample;
		if (pos >= n)
			return NULL;
	} else {
		if (p->id_pos_trailer < 0 || !pd_sample_id_all(pd))
			return pd->events[0];
		if ((size_t)p->id_pos_trailer > n)
			return NULL;
		pos = n - (size_t)p->id_pos_trailer;
	}
	return event_by_id(pd, c, get_u64(rec->data + 8 + pos * 8, pd->swap));
}

struct pd_event *pd_event_of_record(const struct perfdata *pd, const struct pd_record *rec)
{
	/* a perfdata for single records has no priv */
	if (pd->nr_events <= 1)
		return pd->nr_events ? pd->events[0] : NULL;
	return pd_event_of_record_in(pd, &pd->priv->recent, rec);
}

bool pd_records_kernel(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (!pd_attr_has(&pd->events[i]->attr, PD_ATTR_EXCLUDE_KERNEL))
			return true;
	return false;
}

bool pd_has_stack_copies(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.sample_type & PD_SAMPLE_STACK_USER)
			return true;
	return false;
}

bool pd_is_compressed(const struct perfdata *pd)
{
	return pd->features[PD_FEAT_COMPRESSED / 64] >> PD_FEAT_COMPRESSED % 64 & 1;
}

bool pd_has_stack_ends(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->is_unwound)
			return true;
	return pd_has_stack_copies(pd);
}

static const char *const offcpu_names[PD_NR_OFFCPU] = {
	[PD_OFFCPU_ASLEEP] = "asleep",
	[PD_OFFCPU_PREEMPTED] = "preempted",
	[PD_OFFCPU_S] = "S",
	[PD_OFFCPU_D] = "D",
	[PD_OFFCPU_STOPPED] = "T",
	[PD_OFFCPU_TRACED] = "t",
	[PD_OFFCPU_DEAD] = "X",
	[PD_OFFCPU_ZOMBIE] = "Z",
	[PD_OFFCPU_PARKED] = "P",
	[PD_OFFCPU_IDLE] = "I",
	[PD_OFFCPU_QUEUED] = "run queue",
};

bool pd_is_offcpu_event(const struct pd_event *ev)
{
	return ev->attr.type == PD_TYPE_SOFTWARE && !strcmp(ev->name, PD_OFFCPU_NAME);
}

struct span pd_offcpu_state(const struct pd_event *ev, u64 id)
{
	u64 state = id - PD_OFFCPU_ID;
	const char *name =
		offcpu_names[state < PD_NR_OFFCPU && ev->nr_ids > 1 ? state : PD_OFFCPU_ASLEEP];

	return span_of(name, strlen(name));
}

enum pd_offcpu pd_offcpu_of(u64 prev_state)
{
	if (prev_state & 0x100 || !prev_state)
		return PD_OFFCPU_PREEMPTED;
	for (unsigned int i = 0; i < 8; i++)
		if (prev_state & 1ull << i)
			return (enum pd_offcpu)(PD_OFFCPU_S + i);
	return PD_OFFCPU_ASLEEP;
}

const char *pd_offcpu_frame(enum pd_offcpu how)
{
	static const char *const names[PD_NR_OFFCPU] = {
		[PD_OFFCPU_ASLEEP] = "[off-CPU]",    [PD_OFFCPU_PREEMPTED] = "[preempted]",
		[PD_OFFCPU_S] = "[off-CPU S]",       [PD_OFFCPU_D] = "[off-CPU D]",
		[PD_OFFCPU_STOPPED] = "[off-CPU T]", [PD_OFFCPU_TRACED] = "[off-CPU t]",
		[PD_OFFCPU_DEAD] = "[off-CPU X]",    [PD_OFFCPU_ZOMBIE] = "[off-CPU Z]",
		[PD_OFFCPU_PARKED] = "[off-CPU P]",  [PD_OFFCPU_IDLE] = "[off-CPU I]",
		[PD_OFFCPU_QUEUED] = "[run queue]",
	};

	return names[how];
}
