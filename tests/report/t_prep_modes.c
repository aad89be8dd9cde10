/* SPDX-License-Identifier: MIT */
/* prep's tables of branches, of memory accesses, of threads and of chosen stretches of time. */
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "report/table/key_text.h"
#include "report/prep/prep_report.h"
#include "report/table/sort_key.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define MAX_EVENTS 2

struct recording {
	struct bytes b;
	struct file_builder f;
	struct pd_attr attrs[MAX_EVENTS];
	u64 ids[MAX_EVENTS];
	size_t nr;
};

/* feature: PD_FEAT_* of an empty section, 0: none. */
static void begin_with(struct recording *r, u64 sample_type, size_t nr_events, unsigned int feature)
{
	static const char *const names[] = { "cpu-clock", "page-faults" };

	*r = (struct recording){ .b = bytes_new(false) };
	r->f.b = &r->b;
	file_begin(&r->f, BUILD_REGULAR);
	for (size_t i = 0; i < nr_events; i++) {
		r->attrs[i] = attr_plain();
		r->attrs[i].config = i ? 2 : 0;
		r->attrs[i].sample_type = sample_type | PD_SAMPLE_IDENTIFIER;
		r->attrs[i].branch_sample_type = sample_type & PD_SAMPLE_BRANCH_STACK ? 1 : 0;
		r->ids[i] = 10 + i;
		file_add_event(&r->f, &r->attrs[i], &r->ids[i], 1);
	}
	file_event_desc(&r->f, names);
	if (feature)
		file_feature(&r->f, feature);
	file_begin_data(&r->f);
	put_comm(&r->b, 1, 1, "one", &r->attrs[0], NULL);
	put_comm(&r->b, 2, 2, "two", &r->attrs[0], NULL);
}

static void begin(struct recording *r, u64 sample_type, size_t nr_events)
{
	begin_with(r, sample_type, nr_events,
		   sample_type & PD_SAMPLE_BRANCH_STACK ? PD_FEAT_BRANCH_STACK : 0);
}

static void put(struct recording *r, size_t event, struct sample_parts s)
{
	s.id = r->ids[event];
	put_sample(&r->b, &r->attrs[event], &s);
}

/* What prep prints of it; the recording is over. */
static void check_text(struct recording *r, const char *const *args, int err, const char *want)
{
	char path[] = "/tmp/t_prep_modes.XXXXXX";
	int fd = mkstemp(path), argc = 0;
	struct prep_options opt = { 0 };
	struct perfdata *pd = NULL;
	struct verdict *verdict;
	struct diag diag;
	struct reader_command rc = { .prog = "prep",
				     .output = stdout,
				     .messages = stderr,
				     .pager = &opt.pager,
				     .diag = &diag };
	struct perr e = { 0 };
	struct out o;

	file_end(&r->f);
	CHECK(fd >= 0 && write(fd, r->b.p, r->b.n) == (ssize_t)r->b.n);
	close(fd);
	diag_init(&diag);
	CHECK(!pd_open(path, &diag, &pd, &e));
	while (args[argc])
		argc++;
	CHECK_EQ(prep_options_parse(&opt, &diag, argc, (char **)args), -1);
	rc.quality = opt.quality;
	opt.symbols.hermetic = true;
	out_init_mem(&o);
	CHECK_EQ(prep_report(&rc, &opt, pd, &o, &verdict, &e), err);
	verdict_free(verdict);
	out_char(&o, '\0');
	CHECK_STR(o.buf, want);
	out_fini(&o);
	prep_options_fini(&opt);
	pd_close(pd);
	diag_fini(&diag);
	bytes_free(&r->b);
	unlink(path);
}

#define ARGS(...) ((const char *const[]){ "prep", "-q", __VA_ARGS__ NULL })

#define MISPREDICTED 1
#define PREDICTED 2
#define ABORT (8 | PREDICTED)
#define CYCLES(n) ((u64)(n) << 4)

#define BRANCHES (PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_PERIOD | PD_SAMPLE_BRANCH_STACK)

static const u64 branches[] = {
	0x10, 0x20, PREDICTED,    /* */
	0x10, 0x20, MISPREDICTED, /* */
	0x10, 0x20, PREDICTED,    /* */
	0x30, 0x40, ABORT | CYCLES(7),
};

static void begin_branches(struct recording *r)
{
	begin(r, BRANCHES, 1);
	put_mmap(&r->b, 1, 0x1000, 0x1000, 0, "/no/such/file", &r->attrs[0], NULL);
	put(r, 0,
	    (struct sample_parts){ .misc = PD_CPUMODE_USER,
				   .pid = 1,
				   .tid = 1,
				   .period = 100,
				   .branches = branches,
				   .nr_branches = 4 });
	/* a sample without branches is none */
	put(r, 0,
	    (struct sample_parts){ .misc = PD_CPUMODE_USER, .pid = 2, .tid = 2, .period = 100 });
}

/* Every row stands once, though its flags say no more than that they differ. */
TEST(branches_are_rows)
{
	struct recording r;

	begin_branches(&r);
	check_text(&r, ARGS("-s", "comm,addr_from,addr_to,mispredict,abort,cycles", ), 0,
		   "    50.00%  one      [.] 0x0000000000000010  [.] 0x0000000000000020  N"
		   "                    .                  -                 \n"
		   "    25.00%  one      [.] 0x0000000000000010  [.] 0x0000000000000020  Y"
		   "                    .                  -                 \n"
		   "    25.00%  one      [.] 0x0000000000000030  [.] 0x0000000000000040  N"
		   "                    A                  7                 \n\n\n");
}

#define FEATURE_ARGS ARGS("--quality=none", "-s", "comm", )

TEST(feature_decides_for_branches)
{
	struct recording r;

	begin_with(&r, BRANCHES, 1, 0);
	put(&r, 0,
	    (struct sample_parts){
		    .pid = 1, .tid = 1, .period = 100, .branches = branches, .nr_branches = 4 });
	put(&r, 0, (struct sample_parts){ .pid = 2, .tid = 2, .period = 100 });
	check_text(&r, FEATURE_ARGS, 0, "    50.00%  one    \n    50.00%  two    \n\n\n");
}

TEST(feature_without_branches)
{
	struct recording r;

	begin_with(&r, PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_PERIOD, 1, PD_FEAT_BRANCH_STACK);
	put(&r, 0, (struct sample_parts){ .pid = 1, .tid = 1, .period = 100 });
	check_text(&r, FEATURE_ARGS, 0, "   100.00%  one    \n\n\n");
}

TEST(branches_weigh_their_cycles)
{
	struct recording r;

	begin_branches(&r);
	check_text(&r, ARGS("-s", "local_weight,weight", ), 0,
		   "    75.00%  1             3           \n"
		   "    25.00%  7             7           \n\n\n");
}

/* "symbol" brings a column of what annotation would know; filters count branches, not periods. */
TEST(branches_of_one_comm)
{
	struct recording r;

	begin_branches(&r);
	put(&r, 0,
	    (struct sample_parts){ .misc = PD_CPUMODE_USER,
				   .pid = 2,
				   .tid = 2,
				   .period = 100,
				   .branches = branches,
				   .nr_branches = 1 });
	check_text(&r, ARGS("-s", "symbol_from,cycles", "--comms", "two", ), 0,
		   "    20.00%  [H] 0x0000000000000010  -                   "
		   "-                   \n\n\n");
}

/* The place of a branch is where it leads to. */
TEST(branch_targets_are_addresses)
{
	static const u64 to_file[] = { 0x10, 0x1010, PREDICTED };
	struct recording r;

	begin(&r, BRANCHES, 1);
	put_mmap(&r.b, 1, 0x1000, 0x1000, 0x4000, "/no/such/file", &r.attrs[0], NULL);
	put(&r, 0,
	    (struct sample_parts){ .misc = PD_CPUMODE_USER,
				   .pid = 1,
				   .tid = 1,
				   .period = 1,
				   .branches = to_file,
				   .nr_branches = 1 });
	check_text(&r, ARGS("-s", "addr,sym,symbol_to", ), 0,
		   "   100.00%  0x1010              [.] 0x0000000000001010  [.] 0x0000000000004010"
		   "  -                   \n\n\n");
}

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
	struct frame fr = { .has_sym = true,
			    .sym = { .name = "table", .start = 0x100, .addr = 0x108 } };
	struct out o;

	fr.sym.is_object = true;
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
