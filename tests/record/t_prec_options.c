/* SPDX-License-Identifier: MIT */
/* The command line of prec: targets, output, what it refuses and its help. */
#include "tests/frame/unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/build_info.h"
#include "base/mem.h"
#include "tests/record/use_prec_options.h"

TEST(defaults)
{
	struct line p;

	line_good(&p, ARGS("true"));
	CHECK_EQ(p.l.nr, 0);
	CHECK(!p.o.has_freq && !p.o.has_period && !p.o.system_wide && !p.o.has_delay);
	CHECK_EQ(p.o.callgraph, REC_CG_NONE);
	CHECK_EQ(p.o.inherit, REC_UNSET);
	CHECK_EQ(p.o.compress, -1);
	CHECK(p.o.buildid_mmap);
	CHECK(p.o.output == NULL);
	line_fini(&p);
}

TEST(command_is_the_rest)
{
	struct line p;

	line_good(&p, ARGS("-g", "ls", "-l", "--all-cpus"));
	CHECK_STR(p.o.command[0], "ls");
	CHECK_STR(p.o.command[1], "-l");
	CHECK_STR(p.o.command[2], "--all-cpus");
	CHECK(p.o.command[3] == NULL);
	CHECK(!p.o.system_wide);
	/* the line as it was typed */
	CHECK_STR(p.argv[1], "-g");
	CHECK(p.o.command == p.argv + 2);
	line_fini(&p);

	line_good(&p, ARGS("-a", "--", "-odd", "-g"));
	CHECK_STR(p.o.command[0], "-odd");
	CHECK_STR(p.o.command[1], "-g");
	CHECK_EQ(p.o.callgraph, REC_CG_NONE);
	line_fini(&p);

	line_good(&p, ARGS("-a"));
	CHECK(p.o.command == NULL);
	line_fini(&p);

	line_good(&p, ARGS("-a", "--"));
	CHECK(p.o.command == NULL);
	line_fini(&p);
}

/* -i is --no-inherit, and what follows it a command, unless that is a recording. */
TEST(input_is_a_recording)
{
	static const char rec[] = "testdata/dwarf-7.2/perf.data";
	struct line p;

	line_good(&p, ARGS("-q", "-i", rec, "--call-graph", "unwind", "-o", "new"));
	CHECK_STR(p.o.input, rec);
	CHECK_STR(p.o.output, "new");
	CHECK(p.o.quiet);
	CHECK_EQ(p.o.callgraph, REC_CG_UNWIND);
	CHECK_EQ(p.o.inherit, REC_UNSET);
	CHECK(p.o.command == NULL);
	line_fini(&p);

	/* a directory, too */
	line_good(&p, ARGS("-i", "testdata/dir-7.2/perf.data", "--call-graph", "unwind"));
	CHECK_STR(p.o.input, "testdata/dir-7.2/perf.data");
	line_fini(&p);
	line_good(&p, ARGS("-i", "testdata/dir-7.2"));
	CHECK(p.o.input == NULL);
	line_fini(&p);

	line_good(&p, ARGS("--call-graph", "unwind", "-i", "-"));
	CHECK_STR(p.o.input, "-");
	line_fini(&p);
	line_good(&p, ARGS("--input", "anything", "--call-graph=unwind", "--symfs", "d"));
	CHECK_STR(p.o.input, "anything");
	CHECK_STR(p.o.symfs, "d");
	line_fini(&p);

	line_good(&p, ARGS("-i", "Makefile", rec));
	CHECK(p.o.input == NULL);
	CHECK_EQ(p.o.inherit, REC_OFF);
	CHECK_STR(p.o.command[0], "Makefile");
	line_fini(&p);
	line_good(&p, ARGS("-i", "--", rec));
	CHECK(p.o.input == NULL);
	CHECK_STR(p.o.command[0], rec);
	line_fini(&p);

	line_bad(ARGS("-i", rec), "needs --call-graph unwind");
	line_bad(ARGS("-i", rec, "--call-graph", "dwarf"), "needs --call-graph unwind");
	line_bad(ARGS("-i", rec, "--call-graph", "unwind", "ls"), "takes no command");
	line_bad(ARGS("-i", rec, "--call-graph", "unwind", "-a"), "takes no command");
	line_bad(ARGS("-i", rec, "--call-graph", "unwind", "-e", "cs"), "takes no command");
	line_bad(ARGS("-i", rec, "--call-graph", "unwind", "--max-size", "1M"), "--max-size");
	line_bad(ARGS("-i", rec, "--call-graph", "unwind,8192"), "how much of each stack");
	line_bad(ARGS("-i", rec, "--call-graph", "unwind", "--keep-stacks"), "for recording");
	line_bad(ARGS("--symfs", "d", "ls"), "needs --input");
}

TEST(short_options_cluster)
{
	struct line p;

	line_good(&p, ARGS("-agF99", "-vvoout", "true"));
	CHECK(p.o.system_wide);
	CHECK_EQ(p.o.callgraph, REC_CG_FP);
	CHECK(p.o.has_freq);
	CHECK_EQ(p.o.freq, 99);
	CHECK_EQ(p.o.verbose, 2);
	CHECK_STR(p.o.output, "out");
	line_fini(&p);
}

TEST(targets)
{
	struct line p;

	line_good(&p, ARGS("-p", "1,2", "-C", "0-1", "-u", "root", "-t", "7", "--per-thread"));
	CHECK_STR(p.o.pids, "1,2");
	CHECK_STR(p.o.cpus, "0-1");
	CHECK_STR(p.o.user, "root");
	CHECK_STR(p.o.tids, "7");
	CHECK(p.o.per_thread);
	line_fini(&p);
	line_good(&p, ARGS("-i", "true"));
	CHECK_EQ(p.o.inherit, REC_OFF);
	line_fini(&p);
	line_good(&p, ARGS("--inherit", "true"));
	CHECK_EQ(p.o.inherit, REC_ON);
	line_fini(&p);
}

TEST(rings)
{
	u64 page = (u64)sysconf(_SC_PAGESIZE);
	struct line p;

	line_good(&p, ARGS("-m", "16", "true"));
	CHECK_EQ(p.o.mmap_bytes, 16 * page);
	CHECK_EQ(p.diag.nr, 0);
	line_fini(&p);
	line_good(&p, ARGS("-m", "3,64", "true"));
	CHECK_EQ(p.o.mmap_bytes, 4 * page);
	CHECK_EQ(p.o.auxtrace_bytes, 64 * page);
	CHECK_EQ(p.diag.nr, 1);
	line_fini(&p);
	line_good(&p, ARGS("-m", "1M,", "true"));
	CHECK_EQ(p.o.mmap_bytes, 1 << 20);
	line_fini(&p);
	line_good(&p, ARGS("-m", ",2M", "true"));
	CHECK_EQ(p.o.mmap_bytes, 0);
	CHECK_EQ(p.o.auxtrace_bytes, 2 << 20);
	line_fini(&p);
	line_good(&p, ARGS("--mmap-flush", "64K", "--no-buffering", "-r", "5", "true"));
	CHECK_EQ(p.o.mmap_flush, 64 << 10);
	CHECK(p.o.no_buffering);
	CHECK_EQ(p.o.realtime_prio, 5);
	line_fini(&p);
	line_bad(ARGS("-m", "x", "true"), "'x'");
	line_bad(ARGS("-m", "4X", "true"), "'4X'");
	line_bad(ARGS("-m", "99999999999999999", "true"), "1024G");
	line_bad(ARGS("-m", "99999999999999999999999", "true"), "1024G");
	line_bad(ARGS("-m", "9999999999999999G", "true"), "1024G");
	line_bad(ARGS("-r", "100", "true"), "99");
	line_bad(ARGS("--mmap-flush", "-1", "true"), "'-1'");
}

TEST(output)
{
	struct line p;

	line_good(&p, ARGS("-z", "true"));
	CHECK_EQ(p.o.compress, 1);
	CHECK_STR(p.o.command[0], "true");
	line_fini(&p);
	line_good(&p, ARGS("-z22", "true"));
	CHECK_EQ(p.o.compress, 22);
	line_fini(&p);
	line_good(&p, ARGS("--compression-level=30", "true"));
	CHECK_EQ(p.o.compress, 22);
	line_fini(&p);
	line_good(&p, ARGS("-z0", "true"));
	CHECK_EQ(p.o.compress, 0);
	line_fini(&p);
	line_good(&p, ARGS("--switch-output", "--switch-max-files", "3", "true"));
	CHECK_EQ(p.o.switch_output, REC_SWITCH_SIGNAL);
	CHECK(p.o.timestamp_filename);
	CHECK_EQ(p.o.switch_max_files, 3);
	line_fini(&p);
	line_good(&p, ARGS("--switch-output=5M", "true"));
	CHECK_EQ(p.o.switch_output, REC_SWITCH_SIZE);
	CHECK_EQ(p.o.switch_bytes, 5 << 20);
	line_fini(&p);
	line_good(&p, ARGS("--switch-output=5m", "true"));
	CHECK_EQ(p.o.switch_output, REC_SWITCH_TIME);
	CHECK_EQ(p.o.switch_ms, 300000);
	line_fini(&p);
	line_good(&p, ARGS("--max-size", "10M", "--overwrite", "true"));
	CHECK_EQ(p.o.max_size, 10 << 20);
	CHECK(p.o.overwrite);
	/* the side-band is not overwritten: what was there before can stand in front */
	CHECK(!p.o.tail_synthesize);
	line_fini(&p);
	line_bad(ARGS("-zx", "true"), "'x'");
	line_bad(ARGS("--switch-output=5", "true"), "'5'");
	line_bad(ARGS("--switch-output=0s", "true"), "'0s'");
	line_bad(ARGS("--switch-output=5x", "true"), "'5x'");
	line_bad(ARGS("--switch-output=1s", "-o", "-", "true"), "needs files");
	line_bad(ARGS("--max-size", "ten", "true"), "'ten'");
}

TEST(build_ids)
{
	struct line p;

	line_good(&p, ARGS("-B", "-N", "--no-buildid-mmap", "true"));
	CHECK(p.o.no_buildid && p.o.no_buildid_cache && !p.o.buildid_mmap);
	line_fini(&p);
	/* the manual of perf has these two */
	line_good(&p, ARGS("-B", "-N", "--no-no-buildid", "--no-no-buildid-cache", "true"));
	CHECK(!p.o.no_buildid && !p.o.no_buildid_cache);
	line_fini(&p);
}

TEST(synthesis)
{
	struct line p;

	line_good(&p, ARGS("--synth", "task", "true"));
	CHECK(!p.o.synth_task_off && p.o.synth_mmap_off && p.o.synth_cgroup_off);
	line_fini(&p);
	line_good(&p, ARGS("--synth=mmap", "true"));
	CHECK(!p.o.synth_task_off && !p.o.synth_mmap_off && p.o.synth_cgroup_off);
	line_fini(&p);
	line_good(&p, ARGS("--synth=no", "true"));
	CHECK(p.o.synth_none && p.o.synth_task_off);
	line_fini(&p);
	line_good(&p, ARGS("--synth=all", "true"));
	CHECK(!p.o.synth_none && !p.o.synth_task_off && !p.o.synth_cgroup_off);
	line_fini(&p);
	line_bad(ARGS("--synth=some", "true"), "'some'");
	line_bad(ARGS("--proc-map-timeout", "soon", "true"), "'soon'");
}

TEST(control)
{
	struct line p;

	line_good(&p, ARGS("--control", "fd:3,4", "true"));
	CHECK_STR(p.o.control, "fd:3,4");
	line_fini(&p);
	line_bad(ARGS("--control", "socket:3", "true"), "'socket:3'");
}

TEST(options_that_prec_does_not_have)
{
	static const char *const refused[] = {
		"--kcore",
		"-S",
		"--snapshot",
		"--aux-sample",
		"--clang-opt=-O2",
		"--vmlinux=x",
		"--pfm-events=x",
		"--switch-output-event=x",
		"--setup-filter=pin",
		"--clang-path=x",
		"--off-cpu-thresh=5",
	};
	struct line p;

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		line_bad(ARGS(refused[i], "true"), "is not supported");
	line_good(&p, ARGS("--aio", "--affinity", "cpu", "--num-thread-synthesize=2",
			   "--debuginfod", "true"));
	CHECK_EQ(p.diag.nr, 4);
	CHECK_STR(p.o.command[0], "true");
	line_fini(&p);
}

TEST(latency_needs_the_switches_of_tasks)
{
	struct line p;

	line_good(&p, ARGS("--latency", "true"));
	CHECK(p.o.switch_events);
	line_fini(&p);
	line_bad(ARGS("--latency", "-a", "true"), "--latency is for tasks");
	line_bad(ARGS("--latency"), "--latency is for tasks");
}

TEST(misuse_is_short)
{
	line_bad(ARGS("--bogus", "true"), "unknown option `bogus'");
	line_bad(ARGS("-Y", "true"), "unknown switch `Y'");
	line_bad(ARGS("--switch", "true"), "ambiguous option `switch'");
	line_bad(ARGS("--all-user=1", "true"), "no value is taken");
	line_bad(ARGS("--period=1", "true"), "no value is taken");
	line_bad(ARGS("--json", "true"), "--list-events");
}

TEST(help_and_lists)
{
	struct line p;
	char *version;

	line_parse(&p, ARGS("-h"));
	CHECK_EQ(p.rc, 1);
	CHECK(strstr(p.said, "--call-graph <mode[,size]>") != NULL);
	CHECK(strstr(p.said, "--kcore") == NULL);
	line_fini(&p);
	line_parse(&p, ARGS("--version"));
	CHECK_EQ(p.rc, 1);
	version = xasprintf("prec version %s (commit %s)\n", build_version(), build_commit());
	CHECK_STR(p.said, version);
	free(version);
	line_fini(&p);
	line_parse(&p, ARGS("--build-options"));
	CHECK_EQ(p.rc, 1);
	CHECK(strstr(p.said, "zstd") != NULL);
	line_fini(&p);
	line_parse(&p, ARGS("--list-events", "cpu-clock"));
	CHECK_EQ(p.rc, 1);
	CHECK(strstr(p.said, "cpu-clock") != NULL);
	CHECK(strstr(p.said, "page-faults") == NULL);
	line_fini(&p);
}

TEST(duration_takes_units_and_fractions)
{
	static const struct {
		const char *arg;
		u64 ms;
	} good[] = {
		{ "--for=10", 10000 },
		{ "--for=10s", 10000 },
		{ "--for=0.5", 500 },
		{ "--for=.25s", 250 },
		{ "--duration=1.5h", 5400000 },
		{ "--for=24h", 86400000 },
		{ "--for=250ms", 250 },
		{ "--duration=0.0001s", 1 },
		{ "--for=2.m", 120000 },
		{ "--for=0.000000001d", 1 },
		{ "--for=100000d", 8640000000000 },
	};
	struct line p;

	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		line_good(&p, ARGS(good[i].arg, "-a"));
		CHECK_EQ(p.o.duration_ms, good[i].ms);
		line_fini(&p);
	}
	line_good(&p, ARGS("--for=3", "--no-for", "-a"));
	CHECK_EQ(p.o.duration_ms, 0);
	line_fini(&p);
}

TEST(threads_excludes_what_needs_one_reader)
{
	struct line p;

	line_good(&p, ARGS("--threads", "true"));
	CHECK(p.o.has_threads && !p.o.threads);
	line_fini(&p);
	line_good(&p,
		  ARGS("--threads=0/0:1/1", "--timestamp-filename", "--switch-output=1s", "-a"));
	CHECK_STR(p.o.threads, "0/0:1/1");
	CHECK(p.o.switch_output == REC_SWITCH_NONE && !p.o.timestamp_filename);
	CHECK_EQ(p.diag.nr, 2);
	line_fini(&p);
	line_bad(ARGS("--threads", "-o", "-", "-a"), "writes a folder");
	line_bad(ARGS("--threads", "--per-thread", "true"), "--per-thread");
	line_bad(ARGS("--threads", "--overwrite", "-a"), "a snapshot is taken of all rings");
	line_bad(ARGS("--threads", "--aio", "-a"), "exclude each other");
	line_bad(ARGS("--affinity=node", "--threads", "-a"), "exclude each other");
	line_bad(ARGS("--off-cpu", "--threads", "-a"), "--off-cpu");
	line_bad(ARGS("--off-cpu-min=1ms", "-a"), "--off-cpu-min needs --off-cpu");
	line_bad(ARGS("--off-cpu", "--off-cpu-min=1", "-a"), "expected a time such as 1ms");
	line_bad(ARGS("--input=x", "--threads", "--call-graph", "unwind"), "--threads");
}
