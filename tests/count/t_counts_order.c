/* SPDX-License-Identifier: MIT */
/* Rows are in the order in which the file first has them, in whichever way samples are counted. */
#include "base/mem.h"
#include "count/counts.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define NR_SAMPLES 10

/* Samples of two events by turns; those of the second are taken apart before they are counted. */
static struct bytes two_events(void)
{
	static const u64 ids[] = { 101, 102 };
	struct pd_attr attrs[] = { attr_plain(), attr_plain() };
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct sample_parts p = { .misc = PD_CPUMODE_USER, .pid = 7, .period = 3 };
	u64 values[] = { 0, 102 };
	u32 i;

	attrs[1].sample_type |= PD_SAMPLE_READ;
	attrs[1].read_format = PD_FORMAT_ID;
	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &attrs[0], &ids[0], 1);
	file_add_event(&f, &attrs[1], &ids[1], 1);
	file_begin_data(&f);
	for (i = 0; i < NR_SAMPLES; i++) {
		p.tid = i;
		p.time = 1000 + i;
		p.id = ids[i % 2];
		values[0] += 5;
		p.read = values;
		p.nr_read = i % 2 ? ARRAY_SIZE(values) : 0;
		put_sample(&b, &attrs[i % 2], &p);
	}
	file_end(&f);
	return b;
}

TEST(two_ways_of_counting)
{
	const struct session_config hermetic = { .symbols = { .hermetic = true } };
	struct bytes b = two_events();
	unsigned int threads;
	size_t i;

	for (threads = 1; threads <= 3; threads++) {
		const struct counts_config cfg = { .columns = 1u << COUNT_TID, .threads = threads };
		struct perfdata *pd;
		struct session *s;
		struct counts *c;
		struct perr e;

		CHECK(!pd_open_mem(bytes_span(&b), "built", NULL, &pd, &e));
		s = session_new(pd, &hermetic, NULL);
		CHECK_EQ(counts_run(s, &cfg, &c, &e), 0);
		CHECK_EQ(c->nr_rows, NR_SAMPLES);
		for (i = 0; i < c->nr_rows; i++) {
			CHECK_EQ(c->rows[i].v[COUNT_TID], i);
			CHECK_EQ(c->rows[i].first, i);
			CHECK_EQ(c->rows[i].event, i % 2);
		}
		counts_free(c);
		session_free(s);
		pd_close(pd);
	}
	bytes_free(&b);
}
