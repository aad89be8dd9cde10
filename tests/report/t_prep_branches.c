/* SPDX-License-Identifier: MIT */
/* prep's tables of branches, and call stacks made of them. */
#include "tests/report/prep_recording.h"

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

static void begin_branches_of_two(struct recording *r)
{
	begin_branches(r);
	put(r, 0,
	    (struct sample_parts){ .misc = PD_CPUMODE_USER,
				   .pid = 2,
				   .tid = 2,
				   .period = 100,
				   .branches = branches,
				   .nr_branches = 1 });
}

/* "symbol" brings a column of what annotation would know; filters count branches, not periods. */
TEST(branches_of_one_comm)
{
	struct recording r;

	begin_branches_of_two(&r);
	check_text(&r, ARGS("-s", "symbol_from,cycles", "--comms", "two", ), 0,
		   "    20.00%  [H] 0x0000000000000010  -                   "
		   "-                   \n\n\n");
}

/* Filters are for branches: the samples that have branches count whole, those of "one" too. */
TEST(samples_of_filtered_branches)
{
	struct recording r;

	begin_branches_of_two(&r);
	check_text(&r, NO_Q("-s", "comm", "--comms", "two", "--percentage", "relative", ), 0,
		   "# To display the perf.data header info, please use --header/--header-only "
		   "options.\n"
		   "#\n# comm: two\n#\n# Total Lost Samples: 0\n#\n"
		   "# Samples: 2  of event 'cpu-clock'\n"
		   "# Event count (approx.): 1\n#\n# Overhead  Command\n# ........  .......\n#\n"
		   "   100.00%  two    \n\n\n");
}

/* Of a stack without entries only the sampled address is known of the user part. */
TEST(empty_stack_of_branches)
{
	static const u64 ips[] = { PD_CONTEXT_KERNEL, 0xffffffff81000010, PD_CONTEXT_USER, 0x10 };
	struct recording r;

	begin_with(&r, BRANCHES | PD_SAMPLE_CALLCHAIN, 1, 0);
	put(&r, 0, (struct sample_parts){ .ip = 0x20, .period = 1, .ips = ips, .nr_ips = 4 });
	check_text(&r, ARGS("-s", "period", "-g", "caller", ), 0,
		   "   100.00%   100.00%             1\n            |\n            ---0x20\n"
		   "               0xffffffff81000010\n\n\n\n");
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
