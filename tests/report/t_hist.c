/* SPDX-License-Identifier: MIT */
/* prep's tables of built recordings: what counts where, and in which order it is printed. */
#include "report/prep/prep_report.h"

#include "base/mem.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define MAX_IPS 32

/* Chains are leaf first, without markers: all is user space, and nothing is mapped. */
struct row {
	u32 tid;
	u64 period;
	u64 ips[MAX_IPS];
	size_t nr;
};

/* Arguments after "prep -q"; the whole text is returned, malloc'd. */
static char *report_of(const struct row *rows, size_t nr, const char *const *args)
{
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct prep_options opt = { 0 };
	struct verdict *verdict;
	struct perfdata *pd;
	struct diag diag;
	struct reader_command rc = { .prog = "prep",
				     .output = stdout,
				     .messages = stderr,
				     .pager = &opt.pager,
				     .diag = &diag };
	struct perr e = { 0 };
	struct out o;
	char *text;
	int argc = 0;

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, NULL, 0);
	file_begin_data(&f);
	put_comm(&b, 1, 1, "one", &a, NULL);
	put_comm(&b, 2, 2, "two", &a, NULL);
	for (size_t i = 0; i < nr; i++) {
		u64 ips[MAX_IPS + 1] = { PD_CONTEXT_USER };
		struct sample_parts s = { .misc = PD_CPUMODE_USER,
					  .ip = rows[i].ips[0],
					  .pid = rows[i].tid,
					  .tid = rows[i].tid,
					  .time = 1000 + i,
					  .period = rows[i].period,
					  .ips = ips,
					  .nr_ips = rows[i].nr + 1 };

		memcpy(ips + 1, rows[i].ips, rows[i].nr * sizeof(u64));
		put_sample(&b, &a, &s);
	}
	file_end(&f);
	diag_init(&diag);
	CHECK(!pd_open_mem(bytes_span(&b), "built", &diag, &pd, &e));
	while (args[argc])
		argc++;
	CHECK_EQ(prep_options_parse(&opt, &diag, argc, (char **)args), -1);
	rc.quality = opt.quality;
	opt.symbols.hermetic = true;
	out_init_mem(&o);
	CHECK_EQ(prep_report(&rc, &opt, pd, &o, &verdict, &e), 0);
	verdict_free(verdict);
	text = xstrndup(o.buf, o.len);
	out_fini(&o);
	prep_options_fini(&opt);
	pd_close(pd);
	diag_fini(&diag);
	bytes_free(&b);
	return text;
}

#define ARGS(...) ((const char *const[]){ "prep", "-q", "-g", "none", __VA_ARGS__ NULL })

static void check_report(const struct row *rows, size_t nr, const char *const *args,
			 const char *want)
{
	char *got = report_of(rows, nr, args);

	CHECK_STR(got, want);
	free(got);
}

/* main 0x10 calls f 0x20 calls g 0x30; f calls itself */
static const struct row calls[] = {
	{ 1, 10, { 0x30, 0x20, 0x10 }, 3 },
	{ 1, 20, { 0x20, 0x20, 0x10 }, 3 },
	{ 1, 30, { 0x10 }, 1 },
	{ 2, 40, { 0x20, 0x10 }, 2 },
};

TEST(self_counts_leaves)
{
	check_report(calls, 4, ARGS("--no-children", "-s", "comm,sym", ),
		     "    40.00%  two      [.] 0x0000000000000020\n"
		     "    30.00%  one      [.] 0x0000000000000010\n"
		     "    20.00%  one      [.] 0x0000000000000020\n"
		     "    10.00%  one      [.] 0x0000000000000030\n\n\n");
}

/* A caller counts once for a sample, however often it is in its chain. */
TEST(children_count_callers_once)
{
	check_report(calls, 4, ARGS("-s", "comm,sym", ),
		     "    60.00%    30.00%  one      [.] 0x0000000000000010\n"
		     "    40.00%    40.00%  two      [.] 0x0000000000000020\n"
		     "    40.00%     0.00%  two      [.] 0x0000000000000010\n"
		     "    30.00%    20.00%  one      [.] 0x0000000000000020\n"
		     "    10.00%    10.00%  one      [.] 0x0000000000000030\n\n\n");
}

TEST(keys_that_all_samples_share_give_one_row)
{
	check_report(calls, 4, ARGS("-s", "dso", "-n", "--show-total-period", ),
		     "   100.00%   100.00%             4           100  [unknown]       \n\n\n");
}

/* The first column decides, as -F has them. */
TEST(fields_decide_order)
{
	check_report(calls, 4, ARGS("--no-children", "-F", "comm,period", ),
		     "  one                60\n"
		     "  two                40\n\n\n");
}

TEST(filters_keep_the_total)
{
	check_report(calls, 4, ARGS("--no-children", "-s", "comm,sym", "--comms", "two", ),
		     "    40.00%  [.] 0x0000000000000020\n\n\n");
	check_report(calls, 4,
		     ARGS("--no-children", "-s", "comm,sym", "--comms", "two", "--percentage",
			  "relative", ),
		     "   100.00%  [.] 0x0000000000000020\n\n\n");
}

TEST(percent_limit_cuts_rows)
{
	check_report(calls, 4, ARGS("--no-children", "-s", "sym", "--percent-limit", "20", ),
		     "    60.00%  [.] 0x0000000000000020\n"
		     "    30.00%  [.] 0x0000000000000010\n\n\n");
}

TEST(hierarchy_adds_up)
{
	check_report(calls, 4, ARGS("--no-children", "-s", "comm,sym", "--hierarchy", ),
		     "    60.00%     one    \n"
		     "       30.00%     [.] 0x0000000000000010\n"
		     "       20.00%     [.] 0x0000000000000020\n"
		     "       10.00%     [.] 0x0000000000000030\n"
		     "    40.00%     two    \n"
		     "       40.00%     [.] 0x0000000000000020\n\n\n");
}

TEST(separator_takes_the_place_of_blanks)
{
	check_report(calls, 4,
		     ARGS("--no-children", "-s", "comm,sym", "-t", ",", "--comms", "two,x", ),
		     " 40.00% ,two    ,[.] 0x0000000000000020\n\n\n");
}

/* Addresses are compared by the sign of their difference, which wraps around. */
TEST(addresses_go_round)
{
	static const struct row far[] = {
		{ 1, 1, { 0x10 }, 1 },
		{ 1, 1, { 0xffffff0000000010 }, 1 },
		{ 1, 1, { 0x20 }, 1 },
	};

	check_report(far, 3, ARGS("--no-children", "-s", "sym", ),
		     "    33.33%  [.] 0xffffff0000000010\n"
		     "    33.33%  [.] 0x0000000000000010\n"
		     "    33.33%  [.] 0x0000000000000020\n\n\n");
}

/* perf's trees find such rows again or not, as the comparison is no order. */
TEST(addresses_half_the_space_apart)
{
	static const struct row far[] = {
		{ 1, 1, { 0x8000000000000000 }, 1 },
		{ 1, 1, { 0 }, 1 },
		{ 1, 1, { 0x10 }, 1 },
		{ 1, 1, { 0x20 }, 1 },
		{ 1, 1, { 0x30 }, 1 },
		{ 1, 1, { 0x40 }, 1 },
		{ 1, 1, { 0xc000000000000000 }, 1 },
		{ 1, 3, { 0x8000000000000000 }, 1 },
	};
	char *got = report_of(far, 8, ARGS("--no-children", "-s", "sym", ));

	CHECK(strstr(got, "40.00%  [.] 0x8000000000000000"));
	CHECK(strstr(got, "10.00%  [.] 0xc000000000000000"));
	free(got);
}

/* A stack that ends in a circle, which is kept as such, is shown with all its turns. */
TEST(circles)
{
	static struct row round = { 1, 1, { 0x30, 0x20, 0x10 }, 31 };
	struct out want;
	char *got;

	for (size_t i = 3; i < round.nr; i++)
		round.ips[i] = round.ips[i - 2];
	check_report(&round, 1, ARGS("-s", "sym", ),
		     "   100.00%   100.00%  [.] 0x0000000000000030\n"
		     "   100.00%     0.00%  [.] 0x0000000000000010\n"
		     "   100.00%     0.00%  [.] 0x0000000000000020\n\n\n");
	got = report_of(&round, 1, ARGS("-g", "folded,0,callee", "--no-children", "-s", "sym", ));
	out_init_mem(&want);
	out_str(&want, "   100.00%  [.] 0x0000000000000030\n100.00% 0x30");
	for (size_t i = 1; i < round.nr; i++)
		out_str(&want, i % 2 ? ";0x20" : ";0x10");
	out_str(&want, "\n\n\n");
	CHECK_EQ(strlen(got), want.len);
	CHECK(!memcmp(got, want.buf, want.len));
	out_fini(&want);
	free(got);
}

TEST(max_stack_leaves_samples_alone)
{
	check_report(calls, 4, ARGS("--no-children", "-s", "sym", "--max-stack", "1", ),
		     "    60.00%  [.] 0x0000000000000020\n"
		     "    30.00%  [.] 0x0000000000000010\n"
		     "    10.00%  [.] 0x0000000000000030\n\n\n");
}
