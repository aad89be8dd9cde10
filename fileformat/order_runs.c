/* SPDX-License-Identifier: MIT */
#include "fileformat/order_runs.h"

#include <stdlib.h>

void order_runs_fini(struct order_runs *q)
{
	for (int i = 0; i < 2; i++) {
		free(q->batches[i].e);
		free(q->batches[i].words);
	}
	free(q->runs);
	free(q->heads);
	*q = (struct order_runs){ 0 };
}

/* No more entries are added to the last run. */
static void end_run(struct order_runs *q)
{
	if (!q->is_open)
		return;
	q->is_open = false;
	q->runs[q->nr_runs - 1].end = q->batches[q->filling].nr;
	if (q->open_time > q->max_time)
		q->max_time = q->open_time;
}

void order_runs_begin(struct order_runs *q, u32 file_idx)
{
	size_t at = q->batches[q->filling].nr;

	end_run(q);
	vec_push(q->runs, q->nr_runs, q->cap_runs,
		 ((struct order_run){ q->filling, file_idx, at, at }));
	q->is_open = true;
	q->open_file = file_idx;
	q->open_time = 0;
}

void order_runs_make_due(struct order_runs *q, u64 limit)
{
	end_run(q);
	q->due_limit = limit;
	q->is_due = true;
	vec_reserve(q->heads, q->cap_heads, q->nr_runs);
	for (q->nr_heads = 0; q->nr_heads < q->nr_runs; q->nr_heads++) {
		const struct order_run *run = &q->runs[q->nr_heads];

		q->heads[q->nr_heads] = (struct order_head){
			.time = q->batches[run->batch].e[run->next].time,
			.run = (u32)q->nr_heads,
		};
	}
	for (size_t i = q->nr_heads / 2; i-- > 0;)
		order_sift_down(q, i);
}

void order_runs_end_due(struct order_runs *q)
{
	size_t nr = 0, nr_of[2] = { 0 };

	q->is_due = false;
	for (size_t i = 0; i < q->nr_runs; i++) {
		const struct order_run *run = &q->runs[i];

		if (run->next == run->end)
			continue;
		nr_of[run->batch]++;
		q->runs[nr++] = *run;
	}
	q->nr_runs = nr;
	for (u32 i = 0; i < 2; i++)
		if (!nr_of[i])
			q->batches[i].nr = q->batches[i].nr_words = 0;
	if (!nr_of[!q->filling])
		q->filling = !q->filling;
}
