/* SPDX-License-Identifier: MIT */
/* The command line of prec: perf record's options, what they set, and what is refused. */
#include "record/prec_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/build_info.h"
#include "base/mem.h"
#include "fileformat/attr.h"
#include "record/model/amount_option.h"
#include "record/model/branch_option.h"
#include "record/model/callgraph_option.h"
#include "record/model/regs_option.h"
#include "tests/frame/unit.h"

struct line {
	struct rec_opts o;
	struct rec_evlist l;
	struct diag diag;
	char *argv[40];
	int argc, rc;
	char said[8192]; /* on stdout and stderr */
};

#define ARGS(...)                         \
	(const char *const[])             \
	{                                 \
		"prec", __VA_ARGS__, NULL \
	}

/* Descriptor fd goes to f from now on; returns what it was. */
static int divert(int fd, FILE *f)
{
	int old = dup(fd);

	CHECK(old >= 0 && dup2(fileno(f), fd) == fd);
	return old;
}

static void parse(struct line *p, const char *const *args)
{
	FILE *f = tmpfile();
	int out, err;
	size_t n;

	CHECK(f != NULL);
	memset(p, 0, sizeof(*p));
	rec_opts_init(&p->o);
	evlist_init(&p->l);
	diag_init(&p->diag);
	p->o.diag = &p->diag;
	p->o.host.tracefs = "testdata/record_attrs/host/tracing";
	for (; args[p->argc]; p->argc++) {
		CHECK(p->argc < (int)ARRAY_SIZE(p->argv) - 1);
		p->argv[p->argc] = xstrdup(args[p->argc]);
	}
	fflush(stdout);
	out = divert(STDOUT_FILENO, f);
	err = divert(STDERR_FILENO, f);
	p->rc = prec_options_parse(p->argc, p->argv, &p->o, &p->l);
	fflush(stdout);
	fflush(stderr);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	rewind(f);
	n = fread(p->said, 1, sizeof(p->said) - 1, f);
	p->said[n] = 0;
	fclose(f);
}

static void fini(struct line *p)
{
	evlist_fini(&p->l);
	rec_opts_fini(&p->o);
	diag_fini(&p->diag);
	for (int i = 0; i < p->argc; i++)
		free(p->argv[i]);
}

static void good(struct line *p, const char *const *args)
{
	parse(p, args);
	if (p->rc)
		unit_fail(__FILE__, __LINE__, "%s ...: %d: %s", args[1], p->rc, p->said);
}

/* Refused, in a text that has `part` in it; and in few lines. */
static void bad(const char *const *args, const char *part)
{
	struct line p;
	size_t nr = 0;

	parse(&p, args);
	if (p.rc != -1 || !strstr(p.said, part))
		unit_fail(__FILE__, __LINE__, "%s %s: %d, '%s' has no '%s'", args[1],
			  args[2] ? args[2] : "", p.rc, p.said, part);
	for (const char *s = p.said; *s; s++)
		nr += *s == '\n';
	CHECK(nr <= 8);
	fini(&p);
}

TEST(defaults)
{
	struct line p;

	good(&p, ARGS("true"));
	CHECK_EQ(p.l.nr, 0);
	CHECK(!p.o.has_freq && !p.o.has_period && !p.o.system_wide && !p.o.has_delay);
	CHECK_EQ(p.o.callgraph, REC_CG_NONE);
	CHECK_EQ(p.o.inherit, REC_UNSET);
	CHECK_EQ(p.o.compress, -1);
	CHECK(p.o.buildid_mmap);
	CHECK(p.o.output == NULL);
	fini(&p);
}

TEST(command_is_the_rest)
{
	struct line p;

	good(&p, ARGS("-g", "ls", "-l", "--all-cpus"));
	CHECK_STR(p.o.command[0], "ls");
	CHECK_STR(p.o.command[1], "-l");
	CHECK_STR(p.o.command[2], "--all-cpus");
	CHECK(p.o.command[3] == NULL);
	CHECK(!p.o.system_wide);
	/* the line as it was typed */
	CHECK_STR(p.argv[1], "-g");
	CHECK(p.o.command == p.argv + 2);
	fini(&p);

	good(&p, ARGS("-a", "--", "-odd", "-g"));
	CHECK_STR(p.o.command[0], "-odd");
	CHECK_STR(p.o.command[1], "-g");
	CHECK_EQ(p.o.callgraph, REC_CG_NONE);
	fini(&p);

	good(&p, ARGS("-a"));
	CHECK(p.o.command == NULL);
	fini(&p);

	good(&p, ARGS("-a", "--"));
	CHECK(p.o.command == NULL);
	fini(&p);
}

TEST(short_options_cluster)
{
	struct line p;

	good(&p, ARGS("-agF99", "-vvoout", "true"));
	CHECK(p.o.system_wide);
	CHECK_EQ(p.o.callgraph, REC_CG_FP);
	CHECK(p.o.has_freq);
	CHECK_EQ(p.o.freq, 99);
	CHECK_EQ(p.o.verbose, 2);
	CHECK_STR(p.o.output, "out");
	fini(&p);
}

TEST(targets)
{
	struct line p;

	good(&p, ARGS("-p", "1,2", "-C", "0-1", "-u", "root", "-t", "7", "--per-thread"));
	CHECK_STR(p.o.pids, "1,2");
	CHECK_STR(p.o.cpus, "0-1");
	CHECK_STR(p.o.user, "root");
	CHECK_STR(p.o.tids, "7");
	CHECK(p.o.per_thread);
	fini(&p);
	good(&p, ARGS("-i", "true"));
	CHECK_EQ(p.o.inherit, REC_OFF);
	fini(&p);
	good(&p, ARGS("--inherit", "true"));
	CHECK_EQ(p.o.inherit, REC_ON);
	fini(&p);
}

TEST(rates)
{
	struct line p;

	good(&p, ARGS("-F", "max", "true"));
	CHECK(p.o.has_freq && p.o.freq_max);
	fini(&p);
	good(&p, ARGS("-c", "1000", "true"));
	CHECK(p.o.has_period);
	CHECK_EQ(p.o.period, 1000);
	fini(&p);
	good(&p, ARGS("-c", "0", "true"));
	CHECK(!p.o.has_period);
	fini(&p);
	bad(ARGS("-F", "99", "-c", "7", "true"), "-F (rate) and -c (period)");
	bad(ARGS("-F", "0", "true"), "a rate of 0");
	bad(ARGS("-F", "10k", "true"), "'10k'");
	bad(ARGS("-c", "10k", "true"), "'10k'");
	bad(ARGS("-F"), "a value is required");
}

TEST(callgraphs)
{
	struct line p;

	good(&p, ARGS("--call-graph", "dwarf", "true"));
	CHECK_EQ(p.o.callgraph, REC_CG_DWARF);
	CHECK(!p.o.stack_size_given);
	fini(&p);
	good(&p, ARGS("--call-graph=dwarf,4097", "true"));
	CHECK_EQ(p.o.stack_size, 4104);
	CHECK(p.o.stack_size_given);
	fini(&p);
	good(&p, ARGS("--call-graph=dwarf,65521", "true"));
	CHECK_EQ(p.o.stack_size, 65528);
	fini(&p);
	good(&p, ARGS("--call-graph", "lbr", "-g", "true"));
	CHECK_EQ(p.o.callgraph, REC_CG_LBR);
	fini(&p);
	good(&p, ARGS("--call-graph", "fp,32", "true"));
	CHECK_EQ(p.o.callgraph, REC_CG_FP);
	CHECK_EQ(p.o.max_stack, 32);
	fini(&p);
	good(&p, ARGS("-g", "--no-call-graph", "true"));
	CHECK_EQ(p.o.callgraph, REC_CG_NONE);
	fini(&p);
	bad(ARGS("--call-graph", "dwarf,65529", "true"), "65528");
	bad(ARGS("--call-graph", "dwarf,0", "true"), "65528");
	bad(ARGS("--call-graph", "dwarf,", "true"), "65528");
	bad(ARGS("--call-graph", "dwarf,12k", "true"), "got 12k");
	bad(ARGS("--call-graph", "dwarfs", "true"), "'dwarfs'");
	bad(ARGS("--call-graph", "lbr,3", "true"), "no size");
	bad(ARGS("--call-graph", "fp,65536", "true"), "65535");
}

TEST(branches)
{
	struct line p;

	good(&p, ARGS("-b", "true"));
	CHECK_EQ(p.o.branch_sample_type, PD_BRANCH_ANY);
	fini(&p);
	good(&p, ARGS("-j", "any_call,u,save_type", "true"));
	CHECK_EQ(p.o.branch_sample_type, 1 << 4 | 1 << 0 | 1 << 16);
	fini(&p);
	good(&p, ARGS("-j", "u", "true"));
	CHECK_EQ(p.o.branch_sample_type, PD_BRANCH_ANY | 1);
	fini(&p);
	bad(ARGS("-b", "-j", "any", "true"), "-b and -j exclude each other");
	bad(ARGS("-j", "any,foo", "true"), "'foo'");
	bad(ARGS("-j", "", "true"), "''");
	CHECK_STR(branch_bit_name(3), "ANY");
	CHECK(branch_bit_name(64) == NULL);
}

TEST(registers)
{
	struct line p;

	good(&p, ARGS("-I", "--user-regs=ax,IP", "true"));
	CHECK_EQ(p.o.intr_regs & regs_option_all(false), regs_option_all(false));
#ifdef __x86_64__
	CHECK_EQ(p.o.user_regs, 0x101);
	CHECK_EQ(regs_option_all(false), 0xff0fff);
#endif
	CHECK_STR(p.o.command[0], "true");
	fini(&p);
	bad(ARGS("-Ifoo", "true"), "'foo'");
	bad(ARGS("--user-regs=xmm0", "true"), "'xmm0'");
	parse(&p, ARGS("--user-regs=?"));
	CHECK_EQ(p.rc, 1);
	CHECK(strstr(p.said, "available registers: ") == p.said);
	fini(&p);
	parse(&p, ARGS("-I?"));
	CHECK_EQ(p.rc, 1);
	fini(&p);
}

TEST(delays)
{
	struct line p;

	good(&p, ARGS("-D", "500", "true"));
	CHECK(p.o.has_delay);
	CHECK_EQ(p.o.delay_ms, 500);
	fini(&p);
	good(&p, ARGS("-D", "-1", "true"));
	CHECK(p.o.has_delay);
	CHECK_EQ(p.o.delay_ms, (u64)-1);
	fini(&p);
	good(&p, ARGS("-D", "0", "true"));
	CHECK(!p.o.has_delay);
	fini(&p);
	good(&p, ARGS("-D", "5", "-D", "10-20,30-40", "true"));
	CHECK_EQ(p.o.nr_ranges, 2);
	CHECK_EQ(p.o.ranges[1].start_ms, 30);
	CHECK_EQ(p.o.ranges[1].end_ms, 40);
	CHECK_EQ(p.o.delay_ms, 10);
	fini(&p);
	bad(ARGS("-D", "10-5", "true"), "'10-5'");
	bad(ARGS("-D", "10-20,15-30", "true"), "ascending ranges");
	bad(ARGS("-D", "10-20,", "true"), "ascending ranges");
	bad(ARGS("-D", "-5", "true"), "'-5'");
	bad(ARGS("-D", "x", "true"), "'x'");
	bad(ARGS("-D", "10-99999999999999999999", "true"), "ascending ranges");
}

TEST(rings)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	struct line p;

	good(&p, ARGS("-m", "16", "true"));
	CHECK_EQ(p.o.mmap_bytes, 16 * page);
	CHECK_EQ(p.diag.nr, 0);
	fini(&p);
	good(&p, ARGS("-m", "3,64", "true"));
	CHECK_EQ(p.o.mmap_bytes, 4 * page);
	CHECK_EQ(p.o.auxtrace_bytes, 64 * page);
	CHECK_EQ(p.diag.nr, 1);
	fini(&p);
	good(&p, ARGS("-m", "1M,", "true"));
	CHECK_EQ(p.o.mmap_bytes, 1 << 20);
	fini(&p);
	good(&p, ARGS("-m", ",2M", "true"));
	CHECK_EQ(p.o.mmap_bytes, 0);
	CHECK_EQ(p.o.auxtrace_bytes, 2 << 20);
	fini(&p);
	good(&p, ARGS("--mmap-flush", "64K", "--no-buffering", "-r", "5", "true"));
	CHECK_EQ(p.o.mmap_flush, 64 << 10);
	CHECK(p.o.no_buffering);
	CHECK_EQ(p.o.realtime_prio, 5);
	fini(&p);
	bad(ARGS("-m", "x", "true"), "'x'");
	bad(ARGS("-m", "4X", "true"), "'4X'");
	bad(ARGS("-m", "99999999999999999", "true"), "1024G");
	bad(ARGS("-m", "99999999999999999999999", "true"), "1024G");
	bad(ARGS("-m", "9999999999999999G", "true"), "1024G");
	bad(ARGS("-r", "100", "true"), "99");
	bad(ARGS("--mmap-flush", "-1", "true"), "'-1'");
}

TEST(output)
{
	struct line p;

	good(&p, ARGS("-z", "true"));
	CHECK_EQ(p.o.compress, 1);
	CHECK_STR(p.o.command[0], "true");
	fini(&p);
	good(&p, ARGS("-z22", "true"));
	CHECK_EQ(p.o.compress, 22);
	fini(&p);
	good(&p, ARGS("--compression-level=30", "true"));
	CHECK_EQ(p.o.compress, 22);
	fini(&p);
	good(&p, ARGS("-z0", "true"));
	CHECK_EQ(p.o.compress, 0);
	fini(&p);
	good(&p, ARGS("--switch-output", "--switch-max-files", "3", "true"));
	CHECK_EQ(p.o.switch_output, REC_SWITCH_SIGNAL);
	CHECK(p.o.timestamp_filename);
	CHECK_EQ(p.o.switch_max_files, 3);
	fini(&p);
	good(&p, ARGS("--switch-output=5M", "true"));
	CHECK_EQ(p.o.switch_output, REC_SWITCH_SIZE);
	CHECK_EQ(p.o.switch_bytes, 5 << 20);
	fini(&p);
	good(&p, ARGS("--switch-output=5m", "true"));
	CHECK_EQ(p.o.switch_output, REC_SWITCH_TIME);
	CHECK_EQ(p.o.switch_ms, 300000);
	fini(&p);
	good(&p, ARGS("--max-size", "10M", "--overwrite", "true"));
	CHECK_EQ(p.o.max_size, 10 << 20);
	CHECK(p.o.overwrite);
	/* the side-band is not overwritten: what was there before can stand in front */
	CHECK(!p.o.tail_synthesize);
	fini(&p);
	bad(ARGS("-zx", "true"), "'x'");
	bad(ARGS("--switch-output=5", "true"), "'5'");
	bad(ARGS("--switch-output=0s", "true"), "'0s'");
	bad(ARGS("--switch-output=5x", "true"), "'5x'");
	bad(ARGS("--switch-output=1s", "-o", "-", "true"), "needs files");
	bad(ARGS("--max-size", "ten", "true"), "'ten'");
}

TEST(build_ids)
{
	struct line p;

	good(&p, ARGS("-B", "-N", "--no-buildid-mmap", "true"));
	CHECK(p.o.no_buildid && p.o.no_buildid_cache && !p.o.buildid_mmap);
	fini(&p);
	/* the manual of perf has these two */
	good(&p, ARGS("-B", "-N", "--no-no-buildid", "--no-no-buildid-cache", "true"));
	CHECK(!p.o.no_buildid && !p.o.no_buildid_cache);
	fini(&p);
}

TEST(clocks)
{
	static const struct {
		const char *text;
		s32 id;
	} clocks[] = {
		{ "mono", CLOCK_MONOTONIC },    { "CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW }, { "boot", CLOCK_BOOTTIME },
		{ "Tai", CLOCK_TAI },           { "realtime", CLOCK_REALTIME },
		{ "7", CLOCK_BOOTTIME },
	};
	struct line p;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		good(&p, ARGS("-k", clocks[i].text, "true"));
		CHECK(p.o.use_clockid);
		CHECK_EQ(p.o.clockid, clocks[i].id);
		fini(&p);
	}
	bad(ARGS("-k", "sundial", "true"), "'sundial'");
}

TEST(synthesis)
{
	struct line p;

	good(&p, ARGS("--synth", "task", "true"));
	CHECK(!p.o.synth_task_off && p.o.synth_mmap_off && p.o.synth_cgroup_off);
	fini(&p);
	good(&p, ARGS("--synth=mmap", "true"));
	CHECK(!p.o.synth_task_off && !p.o.synth_mmap_off && p.o.synth_cgroup_off);
	fini(&p);
	good(&p, ARGS("--synth=no", "true"));
	CHECK(p.o.synth_none && p.o.synth_task_off);
	fini(&p);
	good(&p, ARGS("--synth=all", "true"));
	CHECK(!p.o.synth_none && !p.o.synth_task_off && !p.o.synth_cgroup_off);
	fini(&p);
	bad(ARGS("--synth=some", "true"), "'some'");
	bad(ARGS("--proc-map-timeout", "soon", "true"), "'soon'");
}

TEST(sample_switches)
{
	struct line p;

	good(&p,
	     ARGS("-dWTPRns", "--phys-data", "--data-page-size", "--code-page-size", "--sample-cpu",
		  "--sample-identifier", "--transaction", "--running-time", "true"));
	CHECK(p.o.sample_address && p.o.sample_weight && p.o.sample_time && p.o.sample_period_on);
	CHECK(p.o.raw_samples && p.o.no_samples && p.o.inherit_stat && p.o.sample_phys_data);
	CHECK(p.o.data_page_size && p.o.code_page_size && p.o.sample_cpu);
	CHECK(p.o.sample_identifier && p.o.sample_transaction && p.o.running_time);
	fini(&p);
	good(&p, ARGS("--no-timestamp", "--no-period", "--no-bpf-event", "--no-data-mmap", "true"));
	CHECK(p.o.sample_time_off && p.o.sample_period_off && !p.o.sample_period_on);
	CHECK_EQ(p.o.bpf_event, REC_OFF);
	CHECK_EQ(p.o.data_mmap, REC_OFF);
	fini(&p);
	bad(ARGS("--all-user", "--all-kernel", "true"), "exclude each other");
}

TEST(events)
{
	struct line p;

	good(&p, ARGS("-e", "cpu-clock,page-faults", "--event=task-clock", "true"));
	CHECK_EQ(p.l.nr, 3);
	fini(&p);
	good(&p, ARGS("--group", "-e", "cpu-clock", "-e", "page-faults", "true"));
	CHECK_EQ(p.l.events[0]->nr_members, 2);
	CHECK_EQ(p.l.events[1]->leader_idx, 0);
	CHECK_EQ(p.l.events[1]->nr_members, 0);
	fini(&p);
}

/* The place of an error: the caret stands under the byte. */
TEST(event_errors)
{
	struct line p;
	const char *text, *caret;

	parse(&p, ARGS("-e", "cpu-clock,nosuch-event", "true"));
	CHECK_EQ(p.rc, -1);
	text = strstr(p.said, "event syntax error: 'cpu-clock,nosuch-event'\n");
	CHECK(text == p.said);
	text = strchr(p.said, '\n') + 1;
	caret = strstr(text, "\\___ ");
	CHECK(caret != NULL);
	CHECK_EQ(caret - text, strlen("event syntax error: 'cpu-clock,"));
	fini(&p);
}

TEST(filters)
{
	struct line p;

	good(&p, ARGS("-e", "sched:sched_switch", "--filter", "prev_pid==1", "true"));
	CHECK_STR(p.l.events[0]->filter, "prev_pid==1");
	fini(&p);
	good(&p, ARGS("-e", "cpu-clock", "-e", "sched:sched_switch", "--exclude-perf", "true"));
	CHECK(!p.l.events[0]->exclude_perf && p.l.events[1]->exclude_perf);
	fini(&p);
	bad(ARGS("--exclude-perf", "-e", "sched:sched_switch", "true"), "-e of a tracepoint");
	bad(ARGS("-e", "cpu-clock", "--exclude-perf", "true"), "-e of a tracepoint");
	bad(ARGS("--filter", "x==1", "-e", "sched:sched_switch", "true"), "--filter");
	bad(ARGS("-e", "cpu-clock", "--filter", "x==1", "true"), "--filter");
}

TEST(cgroups)
{
	struct line p;

	good(&p, ARGS("-a", "-e", "cpu-clock,page-faults", "-G", "a", "true"));
	CHECK_STR(p.l.events[0]->cgroup, "a");
	CHECK_STR(p.l.events[1]->cgroup, "a");
	fini(&p);
	good(&p, ARGS("-a", "-e", "cpu-clock,page-faults,task-clock", "-G", "a,,b/c", "true"));
	CHECK_STR(p.l.events[0]->cgroup, "a");
	CHECK(p.l.events[1]->cgroup == NULL);
	CHECK_STR(p.l.events[2]->cgroup, "b/c");
	fini(&p);
	good(&p, ARGS("-a", "-e", "cpu-clock", "-G", "a", "-e", "page-faults", "-G", "b"));
	CHECK_STR(p.l.events[0]->cgroup, "a");
	CHECK_STR(p.l.events[1]->cgroup, "b");
	fini(&p);
	bad(ARGS("-a", "-G", "a", "-e", "cpu-clock", "true"), "put -e EVENT before -G");
	bad(ARGS("-a", "-e", "cpu-clock", "-G", "a,b", "true"), "more cgroups");
	bad(ARGS("-e", "cpu-clock", "-G", "a", "true"), "-a or -C");
	bad(ARGS("-p", "1", "-e", "cpu-clock", "-G", "a"), "-a or -C");
}

TEST(control)
{
	struct line p;

	good(&p, ARGS("--control", "fd:3,4", "true"));
	CHECK_STR(p.o.control, "fd:3,4");
	fini(&p);
	bad(ARGS("--control", "socket:3", "true"), "'socket:3'");
}

TEST(options_that_prec_does_not_have)
{
	static const char *const refused[] = {
		"--threads",
		"--threads=cpu",
		"--kcore",
		"--off-cpu",
		"-S",
		"--snapshot",
		"--aux-sample",
		"--clang-opt=-O2",
		"--vmlinux=x",
		"--latency",
		"--pfm-events=x",
		"--switch-output-event=x",
		"--setup-filter=pin",
		"--clang-path=x",
		"--off-cpu-thresh=5",
	};
	struct line p;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		bad(ARGS(refused[i], "true"), "is not supported");
	good(&p, ARGS("--aio", "--affinity", "cpu", "--num-thread-synthesize=2", "--debuginfod",
		      "true"));
	CHECK_EQ(p.diag.nr, 4);
	CHECK_STR(p.o.command[0], "true");
	fini(&p);
}

TEST(misuse_is_short)
{
	bad(ARGS("--bogus", "true"), "unknown option `bogus'");
	bad(ARGS("-Y", "true"), "unknown switch `Y'");
	bad(ARGS("--switch", "true"), "ambiguous option `switch'");
	bad(ARGS("--all-user=1", "true"), "no value is taken");
	bad(ARGS("--period=1", "true"), "no value is taken");
	bad(ARGS("--json", "true"), "--list-events");
}

TEST(help_and_lists)
{
	struct line p;
	char *version;

	parse(&p, ARGS("-h"));
	CHECK_EQ(p.rc, 1);
	CHECK(strstr(p.said, "--call-graph <mode[,size]>") != NULL);
	CHECK(strstr(p.said, "--kcore") == NULL);
	fini(&p);
	parse(&p, ARGS("--version"));
	CHECK_EQ(p.rc, 1);
	version = xasprintf("prec version %s (commit %s)\n", build_version(), build_commit());
	CHECK_STR(p.said, version);
	free(version);
	fini(&p);
	parse(&p, ARGS("--build-options"));
	CHECK_EQ(p.rc, 1);
	CHECK(strstr(p.said, "zstd") != NULL);
	fini(&p);
	parse(&p, ARGS("--list-events", "cpu-clock"));
	CHECK_EQ(p.rc, 1);
	CHECK(strstr(p.said, "cpu-clock") != NULL);
	CHECK(strstr(p.said, "page-faults") == NULL);
	fini(&p);
}
