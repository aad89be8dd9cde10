/* SPDX-License-Identifier: MIT */
#include "record/ring/clock_periods.h"

#include <string.h>

#include "fileformat/record.h"
#include "record/ring/sample_layout.h"

static bool has_id(const struct rec_event *ev, u64 id)
{
	for (size_t k = 0; ev->ids && k < ev->nr_fds; k++)
		if (ev->ids[k] == id)
			return true;
	return false;
}

/* Returns the event of a sample: that of its id, or without ids the first. */
static const struct rec_event *event_of(const struct rec_evlist *l, const u8 *record, size_t room)
{
	u64 type = l->events[0]->attr.sample_type;
	size_t at = 8;

	if (!(type & PD_SAMPLE_IDENTIFIER)) {
		if (!(type & PD_SAMPLE_ID))
			return l->events[0];
		at += sample_bytes_of(
			type & (PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_ADDR));
	}
	for (size_t i = 0; at + 8 <= room && i < l->nr; i++)
		if (has_id(l->events[i], get_u64(record + at, false)))
			return l->events[i];
	return NULL;
}

static void set_period(const struct rec_evlist *l, u8 *record, size_t size)
{
	const struct rec_event *ev = event_of(l, record, size);
	size_t at;

	if (!ev || !ev->period_now || !(ev->attr.sample_type & PD_SAMPLE_PERIOD))
		return;
	at = 8 +
	     sample_bytes_of(ev->attr.sample_type &
			     (PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
			      PD_SAMPLE_ADDR | PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU));
	if (at + 8 <= size)
		memcpy(record + at, &ev->period_now, 8);
}

void clock_periods_set(const struct rec_evlist *l, u8 *records, size_t n)
{
	bool any = false;
	size_t size;

	for (size_t i = 0; i < l->nr; i++)
		any |= l->events[i]->period_now != 0;
	for (size_t at = 0; any && at + 8 <= n; at += size) {
		size = get_u16(records + at + 6, false);
		if (size < 8 || size > n - at)
			BUG(); /* copier_pass passes whole records on */
		if (get_u32(records + at, false) == PD_RECORD_SAMPLE)
			set_period(l, records + at, size);
	}
}
