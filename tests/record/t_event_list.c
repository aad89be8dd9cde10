/* SPDX-License-Identifier: MIT */
#include "record/events/event_list.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/attr.h"
#include "record/probe/dynamic_event.h"
#include "record/events/event_list_priv.h"
#include "tests/frame/unit.h"

/* A host of its own: a CPU with two named events, an uncore unit, two tracepoints and a probe. */
struct bench {
	char root[40];
	struct rec_opts o;
	struct diag diag;
	char *text;
	size_t text_size, nr;
};

static void put_file(const char *root, const char *rest, const char *text)
{
	char *path = xasprintf("%s/%s", root, rest);
	FILE *f;

	for (char *s = path + strlen(root) + 1; (s = strchr(s, '/')); s++) {
		*s = 0;
		CHECK(!mkdir(path, 0755) || errno == EEXIST);
		*s = '/';
	}
	f = fopen(path, "w");
	CHECK(f);
	CHECK(fputs(text, f) >= 0);
	CHECK_EQ(fclose(f), 0);
	free(path);
}

static void bench_init(struct bench *b)
{
	static const char *const files[][2] = {
		{ "sys/bus/event_source/devices/cpu/type", "4\n" },
		{ "sys/bus/event_source/devices/cpu/format/event", "config:0-7\n" },
		{ "sys/bus/event_source/devices/cpu/events/mem-loads", "event=0xcd,umask=1\n" },
		{ "sys/bus/event_source/devices/cpu/events/mem-some", "event=0xcd,ldlat=?\n" },
		{ "sys/bus/event_source/devices/power/type", "20\n" },
		{ "sys/bus/event_source/devices/power/events/energy-pkg", "event=0x02\n" },
		{ "sys/bus/event_source/devices/power/events/energy-pkg.unit", "Joules\n" },
		{ "sys/bus/event_source/devices/power/events/energy-pkg.scale", "0.5\n" },
		{ "sys/bus/event_source/devices/uprobe/type", "9\n" },
		{ "trace/events/sched/sched_switch/id", "314\n" },
		{ "trace/events/sched/sched_wakeup/id", "5\n" },
		{ "trace/events/sched/enable", "0\n" },
		{ "trace/events/ftrace/no_number/format", "name: x\n" },
		{ "trace/events/probe_app/main/id", "2000\n" },
		{ "trace/uprobe_events", "p:probe_app/main /bin/app:0x1130 x=%di\n"
					 "r:probe_app/main__return /bin/app:0x1130\n" },
	};

	*b = (struct bench){ .root = "/tmp/t_event_list.XXXXXX" };
	if (!mkdtemp(b->root))
		SKIP("no folder can be made in /tmp");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		put_file(b->root, files[i][0], files[i][1]);
	rec_opts_init(&b->o);
	diag_init(&b->diag);
	b->o.diag = &b->diag;
	b->o.host.sysfs = xasprintf("%s/sys", b->root);
	b->o.host.tracefs = xasprintf("%s/trace", b->root);
}

static void bench_fini(struct bench *b)
{
	char *cmd = xasprintf("rm -rf %s", b->root);

	CHECK_EQ(system(cmd), 0);
	free(cmd);
	free((char *)b->o.host.sysfs);
	free((char *)b->o.host.tracefs);
	free(b->text);
	rec_opts_fini(&b->o);
	diag_fini(&b->diag);
}

/* A machine that counts cycles, two cache events and all that is software. */
static bool supports(void *ctx, u32 type, u64 config)
{
	(void)ctx;
	if (type == PD_TYPE_HW_CACHE)
		return config == 0 || config == 0x10000;
	return type == PD_TYPE_SOFTWARE ? config < 4 : config == 0;
}

static bool supports_nothing(void *ctx, u32 type, u64 config)
{
	(void)ctx;
	(void)type;
	(void)config;
	return false;
}

static const char *list_with(struct bench *b, const char *a, const char *c, bool json,
			     event_supported_fn *fn)
{
	char *globs[] = { (char *)a, (char *)c };
	FILE *f;

	free(b->text);
	b->text = NULL;
	f = open_memstream(&b->text, &b->text_size);
	CHECK(f);
	b->nr = event_list_print_with(&b->o, globs, a ? c ? 2 : 1 : 0, json, f, fn, NULL);
	CHECK_EQ(fclose(f), 0);
	return b->text;
}

static const char *list(struct bench *b, const char *a, const char *c)
{
	return list_with(b, a, c, false, supports);
}

#define LINE(name, type) "  " name " [" type "]\n"
#define CYCLES LINE("cpu-cycles OR cycles                              ", "Hardware event")
#define SWITCHES LINE("context-switches OR cs                            ", "Software event")
#define CLOCK LINE("cpu-clock                                         ", "Software event")
#define FAULTS LINE("page-faults OR faults                             ", "Software event")
#define TASK LINE("task-clock                                        ", "Software event")
#define L1_MISSES LINE("L1-dcache-load-misses                             ", "Hardware cache event")
#define L1_LOADS LINE("L1-dcache-loads                                   ", "Hardware cache event")
#define MEM_LOADS LINE("mem-loads OR cpu/mem-loads/                       ", "Kernel PMU event")
#define MEM_SOME LINE("mem-some OR cpu/mem-some,ldlat=?/                 ", "Kernel PMU event")
#define ENERGY LINE("power/energy-pkg/                                 ", "Kernel PMU event")
#define RAW \
	LINE("rNNN                                              ", "Raw hardware event descriptor")
#define RAW_CPU \
	LINE("cpu/t1=v1[,t2=v2,t3 ...]/modifier                 ", "Raw hardware event descriptor")
#define MEM LINE("mem:<addr>[/len][:access]                         ", "Hardware breakpoint")
#define UPROBE LINE("uprobe:PATH:FUNC                                  ", "Uprobe by symbol")
#define URETPROBE LINE("uretprobe:PATH:FUNC                               ", "Uprobe by symbol")
#define URET LINE("uret:PATH:FUNC                                    ", "Uprobe by symbol")
#define USDT LINE("usdt:PATH:PROVIDER:NAME                           ", "Static probe of a program")
#define PROBE LINE("probe_app:main                                    ", "Tracepoint event")
#define SWITCH LINE("sched:sched_switch                                ", "Tracepoint event")
#define WAKEUP LINE("sched:sched_wakeup                                ", "Tracepoint event")

TEST(everything)
{
	struct bench b;

	bench_init(&b);
	CHECK_STR(list(&b, NULL, NULL),
		  CYCLES SWITCHES CLOCK FAULTS TASK L1_MISSES L1_LOADS MEM_LOADS MEM_SOME ENERGY RAW
			  RAW_CPU MEM UPROBE URETPROBE URET USDT PROBE SWITCH WAKEUP);
	CHECK_EQ(b.nr, 20);
	CHECK_EQ(b.diag.nr, 0);
	bench_fini(&b);
}

TEST(kinds)
{
	struct bench b;

	bench_init(&b);
	CHECK_STR(list(&b, "hw", NULL), CYCLES);
	CHECK_STR(list(&b, "hardware", NULL), CYCLES);
	CHECK_STR(list(&b, "sw", NULL), SWITCHES CLOCK FAULTS TASK);
	CHECK_STR(list(&b, "cache", NULL), L1_MISSES L1_LOADS);
	CHECK_STR(list(&b, "hwcache", "hw"), CYCLES L1_MISSES L1_LOADS);
	CHECK_STR(list(&b, "pmu", NULL), MEM_LOADS MEM_SOME ENERGY);
	CHECK_STR(list(&b, "tracepoint", NULL), PROBE SWITCH WAKEUP);
	CHECK_STR(list(&b, "uprobe", NULL), UPROBE URETPROBE URET USDT PROBE);
	CHECK_STR(list(&b, "sdt", "metric"), "");
	CHECK_EQ(b.nr, 0);
	CHECK_STR(list_with(&b, "hw", "sw", false, supports_nothing), "");
	bench_fini(&b);
}

TEST(names_and_globs)
{
	struct bench b;

	bench_init(&b);
	CHECK_STR(list(&b, "sched:*", NULL), SWITCH WAKEUP);
	CHECK_STR(list(&b, "*:*wak*", NULL), WAKEUP);
	CHECK_STR(list(&b, "sched", NULL), SWITCH WAKEUP);
	CHECK_STR(list(&b, "switch", NULL), SWITCHES SWITCH);
	CHECK_STR(list(&b, "SCHED_W", NULL), WAKEUP);
	CHECK_STR(list(&b, "cs", NULL), SWITCHES);
	CHECK_STR(list(&b, "c?", NULL), SWITCHES);
	CHECK_STR(list(&b, "cycles", "energy"), CYCLES ENERGY);
	CHECK_STR(list(&b, "cpu/mem-l*", NULL), MEM_LOADS);
	CHECK_STR(list(&b, "no_number", NULL), "");
	CHECK_STR(list(&b, "nothing-like-that", NULL), "");
	bench_fini(&b);
}

TEST(json)
{
	struct bench b;

	bench_init(&b);
	CHECK_STR(list_with(&b, "cycles", "energy", true, supports),
		  "[\n"
		  "{\n"
		  "\t\"Unit\": \"cpu\",\n"
		  "\t\"Topic\": \"legacy hardware\",\n"
		  "\t\"EventName\": \"cpu-cycles\",\n"
		  "\t\"EventAlias\": \"cycles\",\n"
		  "\t\"EventType\": \"Hardware event\",\n"
		  "\t\"Encoding\": \"cpu/config=0/\"\n"
		  "},\n"
		  "{\n"
		  "\t\"Unit\": \"power\",\n"
		  "\t\"EventName\": \"power/energy-pkg/\",\n"
		  "\t\"ScaleUnit\": \"0.5Joules\",\n"
		  "\t\"EventType\": \"Kernel PMU event\",\n"
		  "\t\"Encoding\": \"power/event=0x02/\"\n"
		  "}\n"
		  "]\n");
	CHECK_STR(list_with(&b, "probe_app:*", NULL, true, supports),
		  "[\n"
		  "{\n"
		  "\t\"Unit\": \"tracepoint\",\n"
		  "\t\"EventName\": \"probe_app:main\",\n"
		  "\t\"EventType\": \"Tracepoint event\",\n"
		  "\t\"BriefDescription\": \"uprobe at /bin/app:0x1130\",\n"
		  "\t\"Encoding\": \"tracepoint/config=0x7d0/\"\n"
		  "}\n"
		  "]\n");
	CHECK_STR(list_with(&b, "nothing-like-that", NULL, true, supports), "[\n]\n");
	bench_fini(&b);
}

TEST(json_of_odd_names)
{
	struct bench b;

	bench_init(&b);
	put_file(b.root, "trace/events/odd/a\"b\\c\td\x01/id", "7\n");
	CHECK(strstr(list_with(&b, "odd:*", NULL, true, supports),
		     "\"EventName\": \"odd:a\\\"b\\\\c\\td\\u0001\","));
	bench_fini(&b);
}

TEST(host_without_tracefs)
{
	struct bench b;

	bench_init(&b);
	free((char *)b.o.host.tracefs);
	b.o.host.tracefs = xasprintf("%s/none", b.root);
	CHECK_STR(list(&b, "hw", NULL), CYCLES);
	CHECK_EQ(b.diag.nr, 0);
	CHECK_STR(list(&b, "hw", "tracepoint"), CYCLES);
	CHECK_EQ(b.diag.nr, 1);
	CHECK(strstr(b.diag.entries[0].text, "mount"));
	bench_fini(&b);
}

TEST(probes_that_users_made)
{
	struct bench b;
	struct dynamic_events d;

	bench_init(&b);
	put_file(b.root, "trace/uprobe_events",
		 "p:a/one /bin/x:0x10 v=%di\n"
		 "r:a/two /bin/x:0x10\n"
		 "p\np:\np:a\np:a/\np: a/b\n-:a/gone\nx:a/other /bin/x\np:a/last /bin/y:0x0");
	put_file(b.root, "trace/kprobe_events", "r16:k/three do_exit\n");
	dynamic_events_read(b.o.host.tracefs, &d);
	CHECK_STR(dynamic_event_find(&d, "a", "one"), "uprobe at /bin/x:0x10");
	CHECK_STR(dynamic_event_find(&d, "a", "two"), "uprobe of a return at /bin/x:0x10");
	CHECK_STR(dynamic_event_find(&d, "a", "last"), "uprobe at /bin/y:0x0");
	CHECK_STR(dynamic_event_find(&d, "k", "three"), "kprobe of a return at do_exit");
	CHECK(!dynamic_event_find(&d, "a", "other"));
	CHECK_EQ(d.nr, 4);
	dynamic_events_fini(&d);
	dynamic_events_read("/no/such/folder", &d);
	CHECK_EQ(d.nr, 0);
	bench_fini(&b);
}

/* The lines of stock perf's list that are of our kinds, sorted; NULL when it cannot be had. */
static char *read_command(const char *command)
{
	FILE *f = popen(command, "r");
	size_t size, n;
	char *text = NULL, buf[4096];
	FILE *out;

	CHECK(f);
	out = open_memstream(&text, &size);
	CHECK(out);
	while ((n = fread(buf, 1, sizeof(buf), f)))
		CHECK_EQ(fwrite(buf, 1, n, out), n);
	CHECK_EQ(fclose(out), 0);
	pclose(f);
	return text;
}

#define OUR_KINDS                                                                           \
	"grep -E '\\[(Hardware|Software|Hardware cache|Kernel PMU|Tracepoint) event\\]' | " \
	"LC_ALL=C sort"

TEST(same_names_as_stock_perf)
{
	struct rec_opts o;
	char path[] = "/tmp/t_event_list.XXXXXX", *version, *theirs, *ours, *command;
	int fd;
	FILE *f;

	version = read_command("perf --version 2>/dev/null");
	if (strncmp(version, "perf version 6.1", 16))
		SKIP("no perf 6.1 here, whose list has this form");
	if (access("/sys/kernel/tracing/events/sched", R_OK))
		SKIP("tracefs cannot be read");
	theirs = read_command("perf list 2>/dev/null | " OUR_KINDS);
	fd = mkstemp(path);
	CHECK(fd >= 0);
	f = fdopen(fd, "w");
	CHECK(f);
	rec_opts_init(&o);
	CHECK(event_list_print(&o, NULL, 0, false, f) > 100);
	CHECK_EQ(fclose(f), 0);
	command = xasprintf("cat %s | " OUR_KINDS, path);
	ours = read_command(command);
	CHECK_STR(ours, theirs);
	unlink(path);
	free(version);
	free(theirs);
	free(ours);
	free(command);
	rec_opts_fini(&o);
}
