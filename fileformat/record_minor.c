/* SPDX-License-Identifier: MIT */
#include "fileformat/record_minor.h"

#include "fileformat/record_priv.h"

int pd_read_lost(const struct pd_record *r, bool swap, struct pd_lost *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u64 id = cur_u64(&c), lost = cur_u64(&c);

	if (c.bad)
		return record_too_small(r, e);
	*ret = (struct pd_lost){ .id = id, .lost = lost };
	return 0;
}

int pd_read_lost_samples(const struct pd_record *r, bool swap, struct pd_lost_samples *ret,
			 struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u64 lost = cur_u64(&c);

	if (c.bad)
		return record_too_small(r, e);
	ret->lost = lost;
	return 0;
}

int pd_read_throttle(const struct pd_record *r, bool swap, struct pd_throttle *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u64 time = cur_u64(&c), id = cur_u64(&c), stream_id = cur_u64(&c);

	if (c.bad)
		return record_too_small(r, e);
	*ret = (struct pd_throttle){ .time = time, .id = id, .stream_id = stream_id };
	return 0;
}

int pd_read_aux(const struct pd_record *r, bool swap, struct pd_aux *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u64 offset = cur_u64(&c), size = cur_u64(&c), flags = cur_u64(&c);

	if (c.bad)
		return record_too_small(r, e);
	*ret = (struct pd_aux){ .offset = offset, .size = size, .flags = flags };
	return 0;
}

/* Reads a record whose body is only a pid and a tid. */
static int read_pid_tid(const struct pd_record *r, bool swap, u32 *ret_pid, u32 *ret_tid,
			struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u32 pid = cur_u32(&c), tid = cur_u32(&c);

	if (c.bad)
		return record_too_small(r, e);
	*ret_pid = pid;
	*ret_tid = tid;
	return 0;
}

int pd_read_itrace_start(const struct pd_record *r, bool swap, struct pd_itrace_start *ret,
			 struct perr *e)
{
	return read_pid_tid(r, swap, &ret->pid, &ret->tid, e);
}

int pd_read_switch_cpu_wide(const struct pd_record *r, bool swap, struct pd_switch_cpu_wide *ret,
			    struct perr *e)
{
	return read_pid_tid(r, swap, &ret->pid, &ret->tid, e);
}

int pd_read_aux_output_hw_id(const struct pd_record *r, bool swap, struct pd_aux_output_hw_id *ret,
			     struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u64 hw_id = cur_u64(&c);

	if (c.bad)
		return record_too_small(r, e);
	ret->hw_id = hw_id;
	return 0;
}

int pd_read_read(const struct pd_event *ev, const struct pd_record *r, bool swap,
		 struct pd_read_record *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_read_record rr;

	rr.pid = cur_u32(&c);
	rr.tid = cur_u32(&c);
	pd_read_decode(&c, ev->attr.read_format, &rr.read);
	if (c.bad)
		return record_too_small(r, e);
	*ret = rr;
	return 0;
}
