/* SPDX-License-Identifier: MIT */
#include "count/batch_order.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

enum { NR_BATCHES = 200, NR_THREADS = 4, STACKS = 5 };

/*
 * Stacks of one thread whose copies end in function 2; what calls it changes with each batch, and
 * only the first stack of a batch reaches it.
 */
static void fill(struct join_batch *b, u32 number, u32 *questions)
{
	const u64 whole[] = { 1, 2, 1000 + number, 4 }, whole_sps[] = { 10, 20, 30, 40 };
	const u64 deep[] = { 7, 8, 2 }, deep_sps[] = { 4, 8, 20 };
	static const u32 numbers[] = { 0, 1, 2, 3 };

	for (u32 i = 0; i < STACKS; i++) {
		const u64 *ips = i ? deep : whole;
		struct unwind_tag tags[4] = { 0 };
		const struct join_stack s = {
			.task = 9,
			.rank = number * STACKS + i,
			.numbers = numbers,
			.tags = tags,
			.ips = ips,
			.sps = i ? deep_sps : whole_sps,
			.nr = i ? 3 : 4,
			.last_cfa = i ? 30 : 0,
			.at_root = !i,
			.asks = i,
		};

		for (size_t k = 0; k < s.nr; k++)
			tags[k].function = ips[k];
		questions[i] = join_batch_add(b, &s);
	}
}

struct work {
	struct batch_order *order;
	u32 numbers[NR_BATCHES];
	u32 questions[NR_BATCHES][STACKS];
	atomic_uint next;
};

static void *end_batches(void *arg)
{
	struct work *w = arg;
	unsigned int i;

	while ((i = atomic_fetch_add(&w->next, 1)) < NR_BATCHES) {
		/* two and two in the wrong order */
		u32 k = i ^ 1;
		struct join_batch *b = batch_order_begin(w->order);

		fill(b, k, w->questions[k]);
		batch_order_end(w->order, w->numbers[k], b);
	}
	return NULL;
}

TEST(whoever_ends_them_first_they_stay_in_order)
{
	struct work w = { .order = batch_order_new(false) };
	pthread_t threads[NR_THREADS];
	struct join_path path = { 0 };
	struct join_table *t;

	for (u32 i = 0; i < NR_BATCHES; i++)
		w.numbers[i] = batch_order_number(w.order);
	for (size_t i = 0; i < NR_THREADS; i++)
		CHECK(!pthread_create(&threads[i], NULL, end_batches, &w));
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	CHECK(batch_order_bytes(w.order) > 0);
	t = batch_order_finish(w.order);
	for (u32 i = 0; i < NR_BATCHES; i++) {
		for (u32 k = 1; k < STACKS; k++) {
			u32 run = join_answer(t, i, w.questions[i][k], i * STACKS + k);

			join_path_of(t, run, 100, &path);
			CHECK_EQ(path.nr, 2);
			CHECK_EQ(path.ips[0], 1000 + i);
			CHECK_EQ(path.ips[1], 4);
			CHECK(path.at_root);
			CHECK(run < join_nr_calls(t));
		}
	}
	join_path_fini(&path);
	join_table_free(t);
	batch_order_free(w.order);
}

TEST(what_was_not_finished_is_freed)
{
	struct batch_order *o = batch_order_new(true);
	u32 first = batch_order_number(o), second = batch_order_number(o), questions[STACKS];
	struct join_batch *b = batch_order_begin(o);

	fill(b, second, questions);
	batch_order_end(o, second, b);
	/* waits for the first, which never comes */
	CHECK_EQ(first, 0);
	CHECK_EQ(batch_order_bytes(o), 0);
	batch_order_free(o);
}
