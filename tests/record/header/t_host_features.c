/* SPDX-License-Identifier: MIT */
/* Feature sections that need no files of the host, TRACING_DATA, and those of this machine. */
#include "record/header/host_features.h"

#include <limits.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/build_info.h"
#include "base/mem.h"
#include "fileformat/event_desc.h"
#include "fileformat/feature/feature_topology.h"
#include "fileformat/perfdata.h"
#include "fileformat/tracing_data.h"
#include "tests/frame/unit.h"
#include "tests/record/header/use_host_features.h"

static struct rec_event *add_event(struct fixture *x, const char *name, u32 type)
{
	struct rec_event *ev = evlist_add(&x->l, name, type, x->l.nr);
	size_t i = x->l.nr - 1;

	ev->attr.size = 64;
	x->ids[i] = 100 + i;
	x->out[i] = (struct pd_out_event){
		.attr = ev->attr, .name = ev->name, .ids = &x->ids[i], .nr_ids = 1
	};
	return ev;
}

/* --- what needs no files --- */

TEST(empty_host_still_tells_the_system)
{
	static char arg0[] = "/usr/bin/prec", arg1[] = "-g", arg2[] = "--", arg3[] = "ls";
	char *argv[] = { arg0, arg1, arg2, arg3, NULL };
	static const char *const args[] = { "prec", "-g", "--", "ls" };
	struct pd_strings s;
	struct fixture x;
	struct utsname u;
	struct perr e;
	u32 bit, last = 0;
	char version[64];
	size_t i;

	fixture_init(&x);
	snprintf(version, sizeof(version), "prec %s", build_version());
	x.o.cmdline0 = "prec";
	x.o.cmdline = argv;
	fixture_run(&x);
	CHECK(!uname(&u));
	fixture_check_text(&x, PD_FEAT_HOSTNAME, u.nodename);
	fixture_check_text(&x, PD_FEAT_OSRELEASE, u.release);
	fixture_check_text(&x, PD_FEAT_ARCH, u.machine);
	fixture_check_text(&x, PD_FEAT_VERSION, version);
	CHECK(!pd_feature_cmdline(fixture_payload(&x, PD_FEAT_CMDLINE), false, &s, &e));
	fixture_check_strings(s, args, 4);
	for (bit = 0; bit < PD_FEAT_END; bit++)
		if (bit == PD_FEAT_CPUDESC || bit == PD_FEAT_CPUID || bit == PD_FEAT_TOTAL_MEM ||
		    bit == PD_FEAT_CPU_TOPOLOGY || bit == PD_FEAT_NUMA_TOPOLOGY ||
		    bit == PD_FEAT_PMU_MAPPINGS || bit == PD_FEAT_CACHE ||
		    bit == PD_FEAT_MEM_TOPOLOGY || bit == PD_FEAT_CLOCKID ||
		    bit == PD_FEAT_COMPRESSED || bit == PD_FEAT_CPU_PMU_CAPS ||
		    bit == PD_FEAT_CLOCK_DATA || bit == PD_FEAT_HYBRID_TOPOLOGY ||
		    bit == PD_FEAT_PMU_CAPS || bit == PD_FEAT_CPU_DOMAIN_INFO ||
		    bit == PD_FEAT_CLN_SIZE || bit == PD_FEAT_GROUP_DESC ||
		    bit == PD_FEAT_BRANCH_STACK)
			CHECK(!x.f.present[bit]);
	for (i = 0; i < x.f.nr_out; i++) {
		CHECK(x.f.out[i].bit > last);
		last = x.f.out[i].bit;
	}
	fixture_fini(&x);
}

TEST(events_and_groups)
{
	struct pd_event_descs d;
	struct pd_event_desc v;
	struct pd_group_desc g;
	struct rec_event *ev;
	struct fixture x;
	struct pd_list l;
	struct perr e;
	u32 i;

	fixture_init(&x);
	add_event(&x, "cpu-clock", PD_TYPE_SOFTWARE);
	for (i = 0; i < 2; i++) {
		ev = add_event(&x, i ? "task-clock" : "faults", PD_TYPE_SOFTWARE);
		ev->in_group = true;
		ev->leader_idx = 1;
		ev->nr_members = i ? 0 : 2;
	}
	fixture_run(&x);
	CHECK(!pd_event_desc_open(fixture_payload(&x, PD_FEAT_EVENT_DESC), false, &d, &e));
	CHECK_EQ(d.attr_size, 64);
	CHECK_EQ(d.list.nr, 3);
	for (i = 0; i < 3; i++) {
		CHECK_EQ(pd_event_desc_next(&d, &v, &e), 1);
		fixture_check_span(v.name, x.l.events[i]->name);
		CHECK_EQ(span_u64(v.ids, 0, false), 100 + i);
		CHECK_EQ(v.attr.config, i);
	}
	CHECK(!pd_list_open(fixture_payload(&x, PD_FEAT_GROUP_DESC), false, &l, &e));
	CHECK_EQ(l.nr, 1);
	CHECK_EQ(pd_group_desc_next(&l, &g, &e), 1);
	fixture_check_span(g.name, "{anon_group}");
	CHECK_EQ(g.leader_idx, 1);
	CHECK_EQ(g.nr_members, 2);
	fixture_fini(&x);
}

/* Branch stacks that stand for call chains are not what report shows as branches. */
TEST(branch_flag_for_branches_only)
{
	struct rec_event *ev;
	struct fixture x;

	fixture_init(&x);
	ev = add_event(&x, "cycles", PD_TYPE_HARDWARE);
	ev->attr.sample_type = PD_SAMPLE_BRANCH_STACK;
	fixture_run(&x);
	CHECK(!x.f.present[PD_FEAT_BRANCH_STACK]);
	host_features_fini(&x.f);
	x.o.branch_sample_type = PD_BRANCH_ANY;
	fixture_run(&x);
	CHECK_EQ(fixture_payload(&x, PD_FEAT_BRANCH_STACK).n, 0);
	fixture_fini(&x);
}

TEST(clocks_and_compression)
{
	struct pd_compressed c;
	struct pd_clock_data k;
	struct timespec now;
	struct fixture x;
	struct perr e;
	u64 res;

	fixture_init(&x);
	x.o.use_clockid = true;
	x.o.clockid = CLOCK_MONOTONIC;
	x.o.compress = 3;
	fixture_run(&x);
	CHECK(!clock_gettime(CLOCK_MONOTONIC, &now));
	CHECK(!pd_feature_u64(fixture_payload(&x, PD_FEAT_CLOCKID), false, &res, &e));
	CHECK(res >= 1 && res <= 20000000);
	CHECK(!pd_feature_clock_data(fixture_payload(&x, PD_FEAT_CLOCK_DATA), false, &k, &e));
	CHECK_EQ(k.clockid, CLOCK_MONOTONIC);
	CHECK(k.clock_ns <= (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec);
	CHECK(k.wall_ns > k.clock_ns);
	CHECK(!pd_feature_compressed(fixture_payload(&x, PD_FEAT_COMPRESSED), false, &c, &e));
	CHECK_EQ(c.version, 0);
	CHECK_EQ(c.type, 1);
	CHECK_EQ(c.level, 3);
	CHECK_EQ(c.mmap_len, 1 << 20);
	host_features_fini(&x.f);
	x.o.clockid = 9999;
	fixture_run(&x);
	CHECK(!x.f.present[PD_FEAT_CLOCKID]);
	CHECK(!x.f.present[PD_FEAT_CLOCK_DATA]);
	fixture_fini(&x);
}

/* --- TRACING_DATA --- */

static void add_tracepoint(struct fixture *x, const char *system, const char *name, u64 id)
{
	struct rec_event *ev = add_event(x, name, PD_TYPE_TRACEPOINT);
	char path[128], text[256];

	ev->attr.config = id;
	ev->tp_system = xstrdup(system);
	ev->tp_name = xstrdup(name);
	snprintf(path, sizeof(path), "tracing/events/%s/%s/format", system, name);
	snprintf(text, sizeof(text), "name: %s\nID: %u\nformat:\n", name, (u32)id);
	host_tree_put(path, text);
}

static void check_tracepoint(struct pd_tracing *t, const char *system, const char *name, u64 id)
{
	struct pd_tracepoint p;
	struct perr e;

	CHECK_EQ(pd_tracing_next(t, &p, &e), 1);
	fixture_check_span(p.system, system);
	fixture_check_span(p.name, name);
	CHECK_EQ(p.id, id);
}

TEST(tracing_data)
{
	static const char formats[] = "0xffffffff81000000 : \"text\"\n";
	struct pd_tracepoint p;
	struct wbuf b = { 0 };
	struct pd_tracing t;
	struct fixture x;
	struct cursor c;
	struct perr e;

	fixture_init(&x);
	host_tree_put("tracing/events/header_page", "\tfield: u64 timestamp;\n");
	host_tree_put("tracing/events/header_event", "# compressed entry header\n");
	host_tree_put("tracing/printk_formats", formats);
	add_event(&x, "cpu-clock", PD_TYPE_SOFTWARE);
	add_tracepoint(&x, "sched", "sched_wakeup", 7);
	add_tracepoint(&x, "block", "block_rq_issue", 9);
	add_tracepoint(&x, "sched", "sched_switch", 8);
	add_tracepoint(&x, "sched", "sched_wakeup", 7); /* -e twice */
	add_tracepoint(&x, "ftrace", "print", 5);
	CHECK(!tracing_data_encode(&b, &x.l, &x.o, &e));
	CHECK(!pd_tracing_open(wb_span(&b), &t, &e));
	CHECK_EQ(t.long_size, sizeof(long));
	CHECK_EQ(t.page_size, (u64)sysconf(_SC_PAGESIZE));
	check_tracepoint(&t, "ftrace", "print", 5);
	check_tracepoint(&t, "block", "block_rq_issue", 9);
	check_tracepoint(&t, "sched", "sched_switch", 8);
	check_tracepoint(&t, "sched", "sched_wakeup", 7);
	CHECK_EQ(pd_tracing_next(&t, &p, &e), 0);
	c = t.c;
	CHECK_EQ(cur_u32(&c), 0); /* kallsyms */
	CHECK_EQ(cur_u32(&c), sizeof(formats) - 1);
	fixture_check_span(cur_bytes(&c, sizeof(formats) - 1), formats);
	CHECK_EQ(cur_u64(&c), 0); /* saved_cmdlines */
	CHECK_EQ(cur_left(&c), 0);
	CHECK(!c.bad);
	wb_fini(&b);
	fixture_fini(&x);
}

TEST(tracing_data_without_the_format)
{
	struct wbuf b = { 0 };
	struct fixture x;
	struct perr e;

	fixture_init(&x);
	host_tree_put("tracing/events/header_page", "");
	host_tree_put("tracing/events/header_event", "");
	add_tracepoint(&x, "sched", "sched_switch", 8);
	free(x.l.events[0]->tp_name);
	x.l.events[0]->tp_name = xstrdup("gone");
	CHECK_EQ(tracing_data_encode(&b, &x.l, &x.o, &e), PERR_IO);
	CHECK(strstr(e.text, "sched/gone/format"));
	wb_fini(&b);
	fixture_fini(&x);
}

TEST(tracing_data_without_tracefs)
{
	struct wbuf b = { 0 };
	struct fixture x;
	struct perr e;

	fixture_init(&x);
	CHECK(tracing_data_encode(&b, &x.l, &x.o, &e) < 0);
	CHECK_EQ(b.n, 0);
	wb_fini(&b);
	fixture_fini(&x);
}

/* --- the machine this runs on --- */

TEST(this_machine)
{
	struct pd_cpu_topology t;
	struct pd_nrcpus n;
	struct fixture x;
	struct perr e;
	u64 kb;

	if (access("/sys/devices/system/cpu/online", R_OK) || access("/proc/meminfo", R_OK))
		SKIP("no sysfs or procfs");
	fixture_init(&x);
	x.o.host = (struct rec_host){ "/sys", "/proc", NULL };
	fixture_run(&x);
	CHECK(!pd_feature_nrcpus(fixture_payload(&x, PD_FEAT_NRCPUS), false, &n, &e));
	CHECK_EQ(n.online, (u64)sysconf(_SC_NPROCESSORS_ONLN));
	CHECK(n.avail >= n.online);
	CHECK(!pd_feature_u64(fixture_payload(&x, PD_FEAT_TOTAL_MEM), false, &kb, &e));
	CHECK(kb > 1024);
	if (x.f.present[PD_FEAT_CPU_TOPOLOGY])
		CHECK(!pd_feature_cpu_topology(fixture_payload(&x, PD_FEAT_CPU_TOPOLOGY), false,
					       n.avail, &t, &e));
	fixture_fini(&x);
}

/* Sections that must be those of the stock perf that they were modelled on, byte for byte. */
TEST(same_sections_as_stock_perf)
{
	static const u32 bits[] = { PD_FEAT_HOSTNAME,    PD_FEAT_OSRELEASE,    PD_FEAT_ARCH,
				    PD_FEAT_NRCPUS,      PD_FEAT_CPUDESC,      PD_FEAT_CPUID,
				    PD_FEAT_TOTAL_MEM,   PD_FEAT_CPU_TOPOLOGY, PD_FEAT_CACHE,
				    PD_FEAT_MEM_TOPOLOGY };
	char cmd[PATH_MAX + 128], path[PATH_MAX + 16];
	const struct pd_feature *f;
	struct perfdata *pd;
	struct span version;
	struct fixture x;
	struct perr e;
	size_t i;

	fixture_init(&x);
	x.o.host = (struct rec_host){ "/sys", "/proc", NULL };
	snprintf(path, sizeof(path), "%s/stock.data", host_tree);
	snprintf(cmd, sizeof(cmd), "perf record -q -e cpu-clock -o %s true >/dev/null 2>&1", path);
	if (system(cmd) || pd_open(path, NULL, &pd, &e))
		SKIP("no perf, or it cannot record here");
	f = pd_feature_get(pd, PD_FEAT_VERSION);
	if (!f || pd_feature_text(f->data, false, &version, &e) || version.n < 4 ||
	    memcmp(version.p, "6.1.", 4))
		SKIP("perf is not 6.1");
	fixture_run(&x);
	for (i = 0; i < ARRAY_SIZE(bits); i++) {
		f = pd_feature_get(pd, bits[i]);
		CHECK_EQ(x.f.present[bits[i]], f != NULL);
		if (!f)
			continue;
		CHECK_EQ(fixture_payload(&x, bits[i]).n, f->data.n);
		unit_check_mem(__FILE__, __LINE__, pd_feature_name(bits[i]),
			       fixture_payload(&x, bits[i]).p, f->data.p, f->data.n);
	}
	pd_close(pd);
	fixture_fini(&x);
}
