/* SPDX-License-Identifier: MIT */
/* Rows are in the order in which the file first has them, in whichever way samples are counted. */
#include "base/mem.h"
#include "count/counts.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define NR_SAMPLES 10
#define MANY_SAMPLES 20000

/* Samples of two events by turns; those of the second are taken apart before they are counted. */
static struct bytes two_events(u32 nr)
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
	for (i = 0; i < nr; i++) {
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

static struct counts *count(struct span file, const struct counts_config *cfg,
			    struct session **ret_session)
{
	const struct session_config hermetic = { .symbols = { .hermetic = true } };
	struct perfdata *pd;
	struct counts *c;
	struct perr e;

	CHECK(!pd_open_mem(file, "built", NULL, &pd, &e));
	*ret_session = session_new(pd, &hermetic, NULL);
	CHECK_EQ(counts_run(*ret_session, cfg, &c, &e), 0);
	return c;
}

static void close_counts(struct counts *c, struct session *s)
{
	struct perfdata *pd = s->pd;

	counts_free(c);
	session_free(s);
	pd_close(pd);
}

TEST(two_ways_of_counting)
{
	struct bytes b = two_events(NR_SAMPLES);

	for (unsigned int threads = 1; threads <= 3; threads++) {
		const struct counts_config cfg = { .columns = 1u << COUNT_TID, .threads = threads };
		struct session *s;
		struct counts *c = count(bytes_span(&b), &cfg, &s);

		CHECK_EQ(c->nr_rows, NR_SAMPLES);
		for (size_t i = 0; i < c->nr_rows; i++) {
			CHECK_EQ(count_value(&c->rows[i], COUNT_TID), i);
			CHECK_EQ(c->rows[i].first, i);
			CHECK_EQ(c->rows[i].event, i % 2);
		}
		close_counts(c, s);
	}
	bytes_free(&b);
}

/* Each sample has a thread of its own; what was counted first may be merged last. */
TEST(a_column_of_the_first_sample_tells_no_rows_apart)
{
	struct bytes b = two_events(MANY_SAMPLES);

	for (unsigned int threads = 1; threads <= 8; threads++) {
		const struct counts_config cfg = { .columns = 1u << COUNT_TID | 1u << COUNT_CPUMODE,
						   .first_only =
							   1u << COUNT_TID | 1u << COUNT_CPUMODE,
						   .threads = threads };
		struct session *s;
		struct counts *c = count(bytes_span(&b), &cfg, &s);

		CHECK_EQ(c->nr_rows, 2);
		for (size_t i = 0; i < c->nr_rows; i++) {
			CHECK_EQ(count_value(&c->rows[i], COUNT_TID), i);
			CHECK_EQ(count_value(&c->rows[i], COUNT_CPUMODE), PD_CPUMODE_USER);
			CHECK_EQ(c->rows[i].samples, MANY_SAMPLES / 2);
		}
		close_counts(c, s);
	}
	bytes_free(&b);
}
