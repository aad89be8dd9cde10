/* SPDX-License-Identifier: MIT */
/* Packages of files, by package managers that are scripts; servers, by files of an own root. */
#include "symbols/find/package.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

/* Makes the programs of the tree's folder bin the only ones. */
static void use_programs(const struct fake_tree *t)
{
	char *path = xasprintf("%s/bin:/bin:/usr/bin", t->root);

	setenv("PATH", path, 1);
	free(path);
}

static void program(struct fake_tree *t, const char *name, const char *text)
{
	char *path = xasprintf("bin/%s", name), *whole;

	fake_file(t, path, "#!/bin/sh\n%s\n", text);
	whole = xasprintf("%s/%s", t->root, path);
	chmod(whole, 0755);
	free(whole);
	free(path);
}

TEST(debian)
{
	struct fake_tree t = fake_tree_new();
	const char *const paths[] = { "/usr/lib/x/libz.so.1.2", "/lib/libc.so.6", "/opt/own" };
	struct file_package p[3];

	program(&t, "dpkg",
		"[ \"$1\" = -S ] || exit 2\n"
		"echo 'diversion by dash from: /lib/libc.so.6'\n"
		"echo 'zlib1g:amd64: /lib/x/libz.so.1.2'\n"
		"echo 'other: /usr/lib/x/libz.so.1.2.3'\n"
		"echo 'libc6:amd64, libc6:i386: /usr/lib/libc.so.6'\n"
		"echo '-evil: /opt/own'\n"
		"exit 1");
	program(&t, "apt-cache",
		"for a; do case $a in zlib1g-dbgsym) echo \"Package: $a\";; "
		"libc6-dbg) echo \"Package: libc6-dbgx\"; echo \"Package: $a\";; esac; done");
	use_programs(&t);
	file_packages_find(paths, 3, 20000, p);
	CHECK_STR(p[0].owner, "zlib1g");
	CHECK_STR(p[0].debug, "zlib1g-dbgsym");
	CHECK_STR(p[1].owner, "libc6");
	CHECK_STR(p[1].debug, "libc6-dbg");
	CHECK(!p[2].owner && !p[2].debug && !p[2].is_rpm);
	for (int i = 0; i < 3; i++)
		file_package_fini(&p[i]);
	/* a package manager that hangs */
	program(&t, "apt-cache", "sleep 60");
	file_packages_find(paths, 1, 300, p);
	CHECK_STR(p[0].owner ? p[0].owner : "zlib1g", "zlib1g");
	CHECK(!p[0].debug);
	file_package_fini(&p[0]);
	fake_tree_free(&t);
}

TEST(rpm)
{
	struct fake_tree t = fake_tree_new();
	const char *const paths[] = { "/usr/lib64/libz.so.1", "/usr/lib64/none" };
	struct file_package p[2];

	program(&t, "dpkg", "exit 1");
	program(&t, "rpm",
		"[ \"$1 $2\" = '-qf --queryformat' ] || exit 2\n"
		"case $4 in *libz*) echo zlib-ng;; *) echo \"file $4 is not "
		"owned\"; exit 1;; esac");
	use_programs(&t);
	file_packages_find(paths, 2, 20000, p);
	CHECK_STR(p[0].owner, "zlib-ng");
	CHECK(p[0].is_rpm && !p[0].debug);
	CHECK(!p[1].owner && !p[1].is_rpm);
	file_package_fini(&p[0]);
	file_package_fini(&p[1]);
	fake_tree_free(&t);
}

static void check_servers(const struct fake_tree *t, const char *want)
{
	char *got = debuginfod_servers_of(t->root);

	CHECK_STR(got ? got : "none", want);
	free(got);
}

TEST(servers)
{
	struct fake_tree t = fake_tree_new();

	check_servers(&t, "none");
	fake_file(&t, "etc/os-release", "NAME=x\nID=nothing\n");
	check_servers(&t, "none");
	fake_file(&t, "etc/os-release", "ID=mint\nID_LIKE=\"ubuntu debian\"\n");
	check_servers(&t, "https://debuginfod.ubuntu.com");
	fake_file(&t, "etc/os-release", "VERSION_ID=\"12\"\nID=debian\n");
	check_servers(&t, "https://debuginfod.debian.net");
	fake_file(&t, "etc/debuginfod/own.urls",
		  "https://one.example/ ftp://no\nhttp://two.example\n");
	check_servers(&t, "https://one.example/ http://two.example");
	fake_tree_free(&t);
}
