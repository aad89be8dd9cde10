/* SPDX-License-Identifier: MIT */
/* prep's tables of memory accesses, of threads and of chosen stretches of time. */
#include "tests/report/prep_recording.h"

#include "report/table/key_text.h"
#include "report/table/sort_key.h"

static void put_access(struct recording *r, u16 mode, u64 addr, u64 weight)
{
	u64 ip = mode == PD_CPUMODE_KERNEL ? 0xffffffff81000000 : 0x10;

	put(r, 0,
	    (struct sample_parts){ .misc = mode,
				   .pid = 1,
				   .tid = 1,
				   .ip = ip,
				   .period = 1,
				   .addr = addr,
				   .weight = weight });
}

#define ACCESSES \
	(PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_PERIOD | PD_SAMPLE_ADDR | PD_SAMPLE_WEIGHT)

/* Weights count, and accesses by either mode to one line are two rows. */
TEST(cache_lines)
{
	struct recording r;

	begin(&r, ACCESSES, 1);
	put_access(&r, PD_CPUMODE_USER, 0x1008, 30);
	put_access(&r, PD_CPUMODE_USER, 0x1030, 30);
	put_access(&r, PD_CPUMODE_KERNEL, 0x1010, 30);
	put_access(&r, PD_CPUMODE_USER, 0x1040, 10);
	check_text(&r, ARGS("--mem-mode", "-s", "dcacheline", ), 0,
		   "    60.00%  [X] 0x0000000000001000\n"
		   "    30.00%  [X] 0x0000000000001000\n"
		   "    10.00%  [X] 0x0000000000001040\n\n\n");
}

TEST(data_addresses)
{
	struct recording r;

	begin(&r, ACCESSES, 1);
	put_access(&r, PD_CPUMODE_USER, 0x1008, 1);
	put_access(&r, PD_CPUMODE_KERNEL, 0xffff888000000008, 9);
	check_text(&r, ARGS("--mem-mode", "-F", "overhead,symbol_daddr,dso_daddr", ), 0,
		   "    90.00%  [k] 0xffff888000000008  [unknown]       \n"
		   "    10.00%  [.] 0x0000000000001008  [unknown]       \n\n\n");
}

/* Names of data are followed by where in it the address is. */
TEST(names_of_data_have_offsets)
{
	struct sym_hit sym = { .name = "table", .start = 0x100, .addr = 0x108, .is_object = true };
	struct frame fr = { .has_sym = true, .sym = &sym };
	struct out o;

	out_init_mem(&o);
	key_print_symbol(&o, &fr, 0x7f0000000108, '.', 30);
	out_char(&o, '\0');
	CHECK_STR(o.buf, "[.] table+0x8");
	out_fini(&o);
}

static void put_read(struct recording *r, u32 tid, size_t event, u64 time, u64 value)
{
	struct sample_parts t = { .id = r->ids[event], .pid = 1, .tid = tid, .time = time };

	record_begin(&r->b, PD_RECORD_READ, 0);
	put_u32(&r->b, 1);
	put_u32(&r->b, tid);
	put_u64(&r->b, value);
	put_u64(&r->b, r->ids[event]);
	put_trailer(&r->b, &r->attrs[event], &t);
	record_end(&r->b);
}

/* In the order in which they ended, with the sums of what all CPUs' counters said. */
static void begin_threads(struct recording *r)
{
	begin(r, PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME, 2);
	put(r, 0, (struct sample_parts){ .misc = PD_CPUMODE_USER, .pid = 1, .tid = 1, .time = 5 });
	put_read(r, 12345, 0, 20, 1000000000);
	put_read(r, 12345, 0, 21, 234567890);
	put_read(r, 12345, 1, 22, 3);
	put_read(r, 1, 0, 10, 7);
}

TEST(counts_of_threads)
{
	struct recording r;

	begin_threads(&r);
	check_text(&r, ARGS("-T", "-s", "comm", ), 0,
		   "   100.00%  one    \n\n\n"
		   "# PID    TID   cpu-clock  page-faults\n"
		   "    1      1           7            0\n"
		   "    1  12345  1234567890            3\n");
}

TEST(counts_of_threads_line_by_line)
{
	struct recording r;

	begin_threads(&r);
	check_text(&r, ARGS("-T", "--pretty=raw", "-s", "comm", ), 0,
		   "   100.00%  one    \n\n\n"
		   "# PID    TID         Name  Raw       Count\n"
		   "    1      1    cpu-clock    0           7\n"
		   "    1      1  page-faults    1           0\n"
		   "    1  12345    cpu-clock    0  1234567890\n"
		   "    1  12345  page-faults    1           3\n");
}

static void put_times(struct recording *r)
{
	for (u64 i = 0; i < 8; i++)
		put(r, i == 3,
		    (struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .pid = 1 + (i > 3),
					   .tid = 1 + (i > 3),
					   .time = 1000000000 * (i + 1),
					   .period = 10 });
}

#define TIMES (PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_PERIOD)

TEST(switched_off)
{
	struct recording r;

	begin(&r, TIMES, 2);
	put_times(&r);
	check_text(&r, ARGS("--switch-off", "page-faults", "-s", "comm", "-n", ), 0,
		   "   100.00%             3  one    \n\n\n");
	begin(&r, TIMES, 2);
	put_times(&r);
	check_text(&r, ARGS("--switch-on", "page-faults", "-s", "comm", "-n", ), 0,
		   "   100.00%             4  two    \n\n\n");
}

/* The file says nothing of its first and last time. */
TEST(time_in_percent)
{
	struct recording r;

	begin(&r, TIMES, 2);
	put_times(&r);
	check_text(&r, ARGS("--time", "0%-50%", "-s", "comm", "-n", ), 0,
		   "   100.00%             3  one    \n\n\n"
		   "   100.00%             1  one    \n\n\n");
}

/* A sample counts once for the slice of time that it is in, as caller and leaf. */
TEST(times_of_callers)
{
	static const u64 ips[] = { PD_CONTEXT_USER, 0x20, 0x10 };
	struct recording r;

	begin(&r, TIMES | PD_SAMPLE_CALLCHAIN, 1);
	for (u64 i = 0; i < 4; i++)
		put(&r, 0,
		    (struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .pid = 1,
					   .tid = 1,
					   .ip = 0x20,
					   .time = 1000000000 * (1 + i / 3),
					   .period = 10,
					   .ips = ips,
					   .nr_ips = 3 });
	check_text(&r, ARGS("-g", "none", "-s", "time", ), 0,
		   "    75.00%    75.00%  1.000000\n"
		   "    25.00%    25.00%  2.000000\n\n\n");
}

/* ... and once for a line, though functions without lines are many. */
TEST(lines_of_callers)
{
	static const u64 ips[] = { PD_CONTEXT_USER, 0x30, 0x20, 0x10 };
	struct recording r;

	begin(&r, TIMES | PD_SAMPLE_CALLCHAIN, 1);
	put(&r, 0,
	    (struct sample_parts){ .misc = PD_CPUMODE_USER,
				   .pid = 1,
				   .tid = 1,
				   .ip = 0x30,
				   .period = 10,
				   .ips = ips,
				   .nr_ips = 4 });
	check_text(&r, ARGS("-g", "none", "-s", "srcline", ), 0,
		   "   100.00%   100.00%  ??:0\n\n\n");
}

TEST(offsets_of_callers)
{
	/* leaf, called by middle, of testdata's w_simple */
	static const u64 ips[] = { PD_CONTEXT_USER, 0x401160, 0x401190 };
	struct recording r;

	begin(&r, TIMES | PD_SAMPLE_CALLCHAIN, 1);
	put_mmap(&r.b, 1, 0x401000, 0x1000, 0x1000, "/tmp/w/w_simple", &r.attrs[0], NULL);
	put(&r, 0,
	    (struct sample_parts){ .misc = PD_CPUMODE_USER,
				   .pid = 1,
				   .tid = 1,
				   .ip = 0x401160,
				   .period = 10,
				   .ips = ips,
				   .nr_ips = 3 });
	check_text(&r,
		   ARGS("-g", "none", "-s", "symoff", "--group-sort-idx", "1", "--symfs",
			"testdata/symfs", ),
		   0,
		   "   100.00%   100.00%  [.] leaf+0x7\n"
		   "   100.00%     0.00%  [.] middle+0x6\n\n\n");
}

/* A chain with a context that is none is not believed, nor is the parent that stands in it. */
TEST(parents_of_damaged_chains)
{
	/* leaf, called by middle, of testdata's w_simple */
	static const u64 good[] = { PD_CONTEXT_USER, 0x1160, 0x1190 };
	static const u64 bad[] = { PD_CONTEXT_USER, 0x1160, 0x1190, (u64)-200 };
	struct recording r;

	begin(&r, TIMES | PD_SAMPLE_CALLCHAIN, 1);
	put_mmap(&r.b, 1, 0x1000, 0x1000, 0x1000, "/tmp/w/w_simple", &r.attrs[0], NULL);
	for (int i = 0; i < 4; i++)
		put(&r, 0,
		    (struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .pid = 1,
					   .tid = 1,
					   .ip = 0x1160,
					   .period = 10,
					   .ips = i ? good : bad,
					   .nr_ips = i ? 3 : 4 });
	check_text(&r,
		   ARGS("-g", "none", "--no-children", "-s", "parent", "-p", "middle", "--symfs",
			"testdata/symfs", ),
		   0,
		   "    75.00%  middle       \n"
		   "    25.00%  [other]      \n\n\n");
}

/* Of all events alike. */
TEST(symbol_filter_is_for_all_events)
{
	struct recording r;

	begin(&r, TIMES, 2);
	put_times(&r);
	check_text(&r, ARGS("--symbol-filter", "x", "-s", "sym", ), 0, "\n\n\n\n");
}

TEST(files_of_a_group)
{
	struct recording r;

	begin(&r, TIMES, 2);
	put_times(&r);
	check_text(&r, ARGS("--group", "-s", "srcfile,comm", ), 0,
		   "    57.14%   0.00%               two    \n"
		   "    42.86% 100.00%               one    \n\n\n");
}
