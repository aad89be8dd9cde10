/* SPDX-License-Identifier: MIT */
/* --threads on a machine of two packages, four NUMA nodes and sixteen CPUs, two of a core. */
#include "record/readers/reader_layout.h"

#include "base/mem.h"
#include "tests/frame/host_tree.h"
#include "tests/frame/unit.h"

/* CPU c is a thread of core c / 2, in package c / 8 and node c / 4. */
static void tree_init(struct host_tree *t)
{
	host_tree_init(t);
	fake_file(&t->tree, "sys/devices/system/cpu/online", "0-15");
	for (unsigned int c = 0; c < 16; c++) {
		char *folder = xasprintf("sys/devices/system/cpu/cpu%u/topology", c);
		char *core = xasprintf("%s/core_cpus_list", folder);
		/* older kernels have the second name only */
		char *package = xasprintf("%s/%s", folder,
					  c % 2 ? "core_siblings_list" : "package_cpus_list");

		fake_file(&t->tree, core, "%u-%u", c / 2 * 2, c / 2 * 2 + 1);
		fake_file(&t->tree, package, "%u-%u", c / 8 * 8, c / 8 * 8 + 7);
		free(folder);
		free(core);
		free(package);
	}
	for (unsigned int n = 0; n < 4; n++) {
		char *path = xasprintf("sys/devices/system/node/node%u/cpulist", n);

		fake_file(&t->tree, path, "%u-%u", n * 4, n * 4 + 3);
		free(path);
	}
}

static char *list_text(const struct cpu_list *l, char *text)
{
	for (size_t i = 0; i < l->nr; i++) {
		char *more = xasprintf("%s%s%u", text, i ? "," : "", l->cpus[i]);

		free(text);
		text = more;
	}
	return text;
}

/* "0,1/0,1:2/2": the CPUs of each place, as masks. */
static char *layout_text(const struct reader_layout *l)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < l->nr; i++) {
		char *part = list_text(&l->places[i].reads, xasprintf("%s%s", text, i ? ":" : ""));

		free(text);
		text = list_text(&l->places[i].runs_on, xasprintf("%s/", part));
		free(part);
	}
	return text;
}

/* Makes the layout of CPUs, such as "0-3"; want: its text, or the end of the error. */
static void check(const struct host_tree *t, const char *spec, const char *cpus, const char *want)
{
	struct reader_layout l;
	struct cpu_list list;
	struct perr e = { 0 };
	char *text;

	CHECK(!cpu_list_parse(cpus, &list, &e));
	if (reader_layout_make(&l, spec, &list, &t->host, &e)) {
		CHECK_EQ(e.code, PERR_USAGE);
		CHECK(!l.nr && !l.places);
		text = xstrdup(e.text);
	} else {
		text = layout_text(&l);
		reader_layout_fini(&l);
	}
	CHECK_STR(text, want);
	free(text);
	cpu_list_fini(&list);
}

TEST(groups_by_topology)
{
	struct host_tree t;

	tree_init(&t);
	check(&t, NULL, "3,5", "3/3:5/5");
	check(&t, "", "3,5", "3/3:5/5");
	check(&t, "cpu", "0-2", "0/0:1/1:2/2");
	check(&t, "core", "1-4", "1/0,1:2,3/2,3:4/4,5");
	check(&t, "package", "0-15",
	      "0,1,2,3,4,5,6,7/0,1,2,3,4,5,6,7:8,9,10,11,12,13,14,15/8,9,10,11,12,13,14,15");
	check(&t, "package", "9", "9/8,9,10,11,12,13,14,15");
	check(&t, "numa", "2-5,15", "2,3/0,1,2,3:4,5/4,5,6,7:15/12,13,14,15");
	/* CPUs without topology have a thread together */
	check(&t, "numa", "3,20,21", "3/0,1,2,3:20,21/20,21");
	check(&t, "core", "20,21", "20,21/20,21");
	host_tree_fini(&t);
}

TEST(masks)
{
	static const char expected[] =
		"--threads: expected cpu, core, package, numa or masks such as 0-1/0:2-3/2 (CPUs "
		"to read/CPUs to run on), got '";
	struct host_tree t;
	char *text;

	tree_init(&t);
	check(&t, "0,2-4/2-4:1,5-7/5-7", "0-7", "0,2,3,4/2,3,4:1,5,6,7/5,6,7");
	/* CPUs that are not recorded, or not online, are left out */
	check(&t, "0-99/0,99", "0-1", "0,1/0");
	check(&t, "7/7", "0-3", "--threads: no CPU of '7' is recorded");
	check(&t, "0/16", "0-3", "--threads: no CPU of '16' is online");
	check(&t, "0-1/0:1/1", "0-3",
	      "--threads: mask 2 '1/1' has a CPU of mask 1 on the same side of the slash");
	check(&t, "0/1:1/1", "0-3",
	      "--threads: mask 2 '1/1' has a CPU of mask 1 on the same side of the slash");
	check(&t, "0/0:", "0-3", (text = xasprintf("%s'", expected)));
	free(text);
	check(&t, "cores", "0-3", (text = xasprintf("%scores'", expected)));
	free(text);
	check(&t, ",/1", "0-3", "--threads: expected a list of CPUs such as 0-3,8, got ','");
	check(&t, "0/", "0-3", "--threads: expected a list of CPUs such as 0-3,8, got ''");
	host_tree_fini(&t);
}

TEST(places_of_cpus)
{
	struct cpu_list cpus, all;
	struct reader_layout l;
	struct host_tree t;
	struct perr e;
	char *text;

	tree_init(&t);
	CHECK(!cpu_list_parse("0-7", &cpus, &e));
	CHECK(!reader_layout_make(&l, "5,1/0:4/1", &cpus, &t.host, &e));
	CHECK_EQ(reader_layout_place_of(&l, 5), 0);
	CHECK_EQ(reader_layout_place_of(&l, 4), 1);
	CHECK_EQ(reader_layout_place_of(&l, 7), 0);
	all = reader_layout_cpus(&l);
	text = list_text(&all, xstrdup(""));
	CHECK_STR(text, "1,4,5");
	free(text);
	cpu_list_fini(&all);
	reader_layout_join(&l);
	text = layout_text(&l);
	CHECK_STR(text, "1,4,5/");
	free(text);
	reader_layout_fini(&l);
	cpu_list_fini(&cpus);
	host_tree_fini(&t);
}
