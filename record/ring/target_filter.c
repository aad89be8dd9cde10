/* SPDX-License-Identifier: MIT */
#include "record/ring/target_filter.h"

#include "fileformat/record.h"

#include <string.h>

void target_filter_fini(struct target_filter *f)
{
	idmap_fini(&f->pids);
	idmap_fini(&f->tids);
	wb_fini(&f->held);
}

void target_filter_follow(struct target_filter *f, u32 pid, u32 tid)
{
	if (tid)
		f->by_thread = true;
	else
		f->by_process = true;
	idmap_put(tid ? &f->tids : &f->pids, tid ? tid : pid, 0, 1);
}

void target_filter_follow_command(struct target_filter *f, u32 pid)
{
	f->by_process = true;
	f->command = pid;
	f->command_runs = false;
}

static bool is_in(const struct idmap *m, u32 id)
{
	return idmap_get(m, id, 0) == 1;
}

/*
 * Notes that the command runs since `time`. Rings are read in any order, so the earliest record
 * counts.
 */
static void command_runs(struct target_filter *f, u64 time)
{
	if (!f->command_runs || time < f->command_since)
		f->command_since = time;
	f->command_runs = true;
	idmap_put(&f->pids, f->command, 0, 1);
}

void target_filter_note(struct target_filter *f, u32 pid, u32 tid, u64 time)
{
	if (!pid || pid == UINT32_MAX)
		return;
	if (pid == f->command)
		command_runs(f, time);
	else if (f->by_process && !is_in(&f->pids, pid))
		idmap_put(&f->pids, pid, 0, 1);
	if (f->by_thread && tid && !is_in(&f->tids, tid))
		idmap_put(&f->tids, tid, 0, 1);
}

bool target_filter_has(const struct target_filter *f, u32 pid, u32 tid, u64 time)
{
	if (is_in(&f->tids, tid))
		return true;
	if (!is_in(&f->pids, pid))
		return false;
	return pid != f->command || !time || time >= f->command_since;
}

static u32 size_at(const struct target_filter *f, size_t at)
{
	return get_u16(f->held.p + at + 6, false);
}

u8 *target_filter_hold(struct target_filter *f, u32 size)
{
	while (f->held.n - f->gone + size > TARGET_FILTER_HOLD && f->gone < f->held.n) {
		f->gone += size_at(f, f->gone);
		f->nr_given_up++;
	}
	/*
	 * move the rest to the front only when that frees half of the buffer, so each byte moves
	 * about once
	 */
	if (f->gone > TARGET_FILTER_HOLD) {
		memmove(f->held.p, f->held.p + f->gone, f->held.n - f->gone);
		f->held.n -= f->gone;
		f->seen = f->seen > f->gone ? f->seen - f->gone : 0;
		f->gone = 0;
	}
	return wb_add(&f->held, size);
}

void target_filter_settle(struct target_filter *f, bool last,
			  bool (*judge)(void *ctx, const u8 *record, u32 size), void *ctx)
{
	size_t kept = 0;

	for (size_t at = f->gone, size; at < f->held.n; at += size) {
		size = size_at(f, at);
		if (judge(ctx, f->held.p + at, (u32)size))
			continue;
		if (last || at < f->seen) {
			f->nr_foreign++;
			continue;
		}
		memmove(f->held.p + kept, f->held.p + at, size);
		kept += size;
	}
	f->held.n = f->seen = kept;
	f->gone = 0;
}

void target_filter_note_record(struct target_filter *f, const struct sample_layout *l,
			       const struct ring_view *v, u32 type)
{
	u64 first, second, time = 0;

	if (v->size < (type == PD_RECORD_FORK ? 32u : 16u))
		return;
	first = ring_view_u64(v, 8);
	if (type == PD_RECORD_FORK) { /* {pid, ppid, tid, ptid, time} */
		second = ring_view_u64(v, 16);
		time = ring_view_u64(v, 24);
		target_filter_note(f, (u32)first, (u32)second, time);
		target_filter_note(f, (u32)(first >> 32), (u32)(second >> 32), time);
	} else { /* {pid, tid, ..} */
		if (l->time_from_end && v->size >= 16 + l->time_from_end)
			time = ring_view_u64(v, v->size - l->time_from_end);
		target_filter_note(f, (u32)first, (u32)(first >> 32), time);
	}
}
