/* SPDX-License-Identifier: MIT */
#include "record/ring/rec_counts.h"

static u64 earlier_time(u64 a, u64 b)
{
	return !a || (b && b < a) ? b : a;
}

void rec_counts_add(struct rec_counts *t, const struct rec_counts *f)
{
	t->samples += f->samples;
	t->records += f->records;
	t->lost_records += f->lost_records;
	t->lost_samples += f->lost_samples;
	t->throttled += f->throttled;
	t->bytes_in += f->bytes_in;
	t->bytes_out += f->bytes_out;
	t->first_time = earlier_time(t->first_time, f->first_time);
	t->last_time = t->last_time > f->last_time ? t->last_time : f->last_time;
	t->cut.bytes_asked += f->cut.bytes_asked;
	t->cut.bytes_valid += f->cut.bytes_valid;
	t->cut.stacks += f->cut.stacks;
	t->cut.full += f->cut.full;
	t->foreign += f->foreign;
	t->given_up += f->given_up;
}
