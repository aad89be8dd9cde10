/* SPDX-License-Identifier: MIT */
/* symbols/find/perf_config, and where symbols/find/build_id_cache looks for its folder */
#include "symbols/find/perf_config.h"

#include <stdlib.h>

#include "symbols/find/build_id_cache.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

static void value_is(const char *text, const char *want)
{
	char *got = perf_config_find(span_of(text, strlen(text)), "buildid", "dir");

	if (want)
		CHECK_STR(got, want);
	else
		CHECK(!got);
	free(got);
}

TEST(forms_of_lines)
{
	value_is("", NULL);
	value_is("dir = /a\n", NULL);
	value_is("[buildid]\n\tdir = /a\n", "/a");
	value_is("[buildid]\r\ndir=/a\r\n", "/a");
	value_is("[ BuildID ]\nDIR = /a", "/a");
	value_is("[other]\ndir = /x\n[buildid]\ndir = /a\n[last]\ndir = /y\n", "/a");
	value_is("[buildid]\ndir = /a\ndir = /b\n", "/b");
	value_is("[buildid]\ndir = /a # comment\n", "/a");
	value_is("[buildid]\ndir = \"/a # b\"\n", "/a # b");
	value_is("[buildid]\n# dir = /a\n", NULL);
	value_is("[buildid]\ndir\ndirs = /a\n=\n[\n[]\n[x\n", NULL);
	value_is("[buildid]\ndir =", "");
	value_is("[buildid]\ndir = \"/open", "/open");
}

TEST(folder_of_the_cache)
{
	struct fake_tree t = fake_tree_new();
	struct symbols_config cfg = { 0 };
	char path[200], want[200], *got;

	setenv("HOME", t.root, 1);
	unsetenv("PERF_CONFIG");
	unsetenv("PERF_BUILDID_DIR");
	snprintf(want, sizeof(want), "%s/.debug", t.root);
	got = build_id_cache_dir(&cfg);
	CHECK_STR(got, want);
	free(got);
	fake_file(&t, ".perfconfig", "[buildid]\ndir = /of/the/home\n");
	got = build_id_cache_dir(&cfg);
	CHECK_STR(got, "/of/the/home");
	free(got);
	fake_file(&t, "named", "[buildid]\ndir = /of/the/variable\n");
	snprintf(path, sizeof(path), "%s/named", t.root);
	setenv("PERF_CONFIG", path, 1);
	got = build_id_cache_dir(&cfg);
	CHECK_STR(got, "/of/the/variable");
	free(got);
	setenv("PERF_BUILDID_DIR", "/direct", 1);
	got = build_id_cache_dir(&cfg);
	CHECK_STR(got, "/direct");
	free(got);
	cfg.hermetic = true;
	CHECK(!build_id_cache_dir(&cfg));
	fake_tree_free(&t);
}
