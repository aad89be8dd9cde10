/* SPDX-License-Identifier: MIT */
/* Every record of the public recordings, in both byte orders. */
#include "tests/fileformat/both_orders.h"

#include <dirent.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/decode_all.h"
#include "tests/frame/unit.h"

#define PUBLIC "../shared/data"

static void decode_file(const char *path)
{
	int in_time_order;
	u64 nr[2], samples[2];

	for (in_time_order = 0; in_time_order < 2; in_time_order++) {
		struct perfdata *pd;
		struct decoded d;
		struct perr e;

		if (pd_open(path, NULL, &pd, &e))
			unit_fail(__FILE__, __LINE__, "%s: %s", path, e.text);
		if (decode_all(pd, in_time_order, &d, &e))
			unit_fail(__FILE__, __LINE__, "%s: %s", path, e.text);
		if (d.nr_bad)
			unit_fail(__FILE__, __LINE__, "%s: %s", path, d.first_bad.text);
		nr[in_time_order] = d.nr_records;
		samples[in_time_order] = d.nr_samples;
		CHECK(d.nr_records > 0);
		CHECK(pd->nr_events > 0);
		pd_close(pd);
	}
	CHECK_EQ(nr[0], nr[1]);
	CHECK_EQ(samples[0], samples[1]);
}

TEST(every_record_of_every_public_recording_decodes)
{
	DIR *dir = opendir(PUBLIC "/perfdata");
	struct dirent *de;
	size_t nr = 0;

	if (!dir)
		SKIP("public recordings are not here");
	while ((de = readdir(dir))) {
		char *path;

		if (de->d_name[0] == '.')
			continue;
		path = xasprintf(PUBLIC "/perfdata/%s", de->d_name);
		decode_file(path);
		free(path);
		nr++;
	}
	closedir(dir);
	CHECK(nr > 0);
}

/* The byte-swapped copy of a recording decodes to the same values, sample by sample. */
TEST(other_byte_order_of_a_public_recording)
{
	struct perfdata *le, *be;
	struct pd_record rl, rb;
	struct perr e;
	int got;

	if (access(PUBLIC "/derived/be__quipper.callgraph-3.8.data", R_OK))
		SKIP("public recordings are not here");
	CHECK_EQ(pd_open(PUBLIC "/perfdata/quipper__perf.data.callgraph-3.8", NULL, &le, &e), 0);
	CHECK_EQ(pd_open(PUBLIC "/derived/be__quipper.callgraph-3.8.data", NULL, &be, &e), 0);
	CHECK(le->swap != be->swap);
	CHECK_EQ(le->nr_events, be->nr_events);
	CHECK_EQ(le->events[0]->attr.flags, be->events[0]->attr.flags);
	CHECK_EQ(le->events[0]->attr.sample_type, be->events[0]->attr.sample_type);
	CHECK_STR(le->events[0]->name, be->events[0]->name);
	while ((got = pd_next(le, &rl, &e)) == 1) {
		struct pd_sample sl, sb;
		size_t i;

		CHECK_EQ(pd_next(be, &rb, &e), 1);
		CHECK_EQ(rl.type, rb.type);
		CHECK_EQ(rl.size, rb.size);
		CHECK_EQ(pd_record_time(le, &rl), pd_record_time(be, &rb));
		if (rl.type != PD_RECORD_SAMPLE)
			continue;
		CHECK_EQ(pd_read_sample(le->events[0], &rl, le->swap, &sl, &e), 0);
		CHECK_EQ(pd_read_sample(be->events[0], &rb, be->swap, &sb, &e), 0);
		CHECK_EQ(sl.ip, sb.ip);
		CHECK_EQ(sl.pid, sb.pid);
		CHECK_EQ(sl.tid, sb.tid);
		CHECK_EQ(sl.cpu, sb.cpu);
		CHECK_EQ(sl.period, sb.period);
		CHECK_EQ(sl.callchain.n, sb.callchain.n);
		for (i = 0; i < sl.callchain.n / 8; i++)
			CHECK_EQ(span_u64(sl.callchain, i, le->swap),
				 span_u64(sb.callchain, i, be->swap));
	}
	CHECK_EQ(got, 0);
	CHECK_EQ(pd_next(be, &rb, &e), 0);
	pd_close(le);
	pd_close(be);
}
