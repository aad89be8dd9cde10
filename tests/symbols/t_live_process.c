/* SPDX-License-Identifier: MIT */
/* symbols/find/live_process, and what symbols/jit/perfmap makes of it */
#include "symbols/find/live_process.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "symbols/jit/perfmap.h"
#include "tests/frame/unit.h"

TEST(only_the_recorded_process_will_do)
{
	struct recorded_process p = { .pid = (u32)getpid() };
	struct stat st;
	u32 ns_pid = 0;

	CHECK(live_process_is(&p));
	p.before = (s64)time(NULL);
	CHECK(live_process_is(&p));
	p.before -= 1000; /* it is younger than the recording */
	CHECK(!live_process_is(&p));
	p.before = 0;
	CHECK(!stat("/proc/self/ns/pid", &st));
	p.pid_ns = st.st_ino;
	CHECK(live_process_is(&p));
	p.pid_ns++;
	CHECK(!live_process_is(&p));
	p.pid_ns = 0;
	p.mount_ns = 1;
	CHECK(!live_process_is(&p));
	p = (struct recorded_process){ .pid = 0 };
	CHECK(!live_process_is(&p));
	CHECK(live_process_ns_pid((u32)getpid(), &ns_pid));
	CHECK_EQ(ns_pid, getpid());
	CHECK(!live_process_has_other_files((u32)getpid()));
}

/* A process with a /tmp of its own, in which its number is 1; writes to `ready` once it is set. */
static _Noreturn void contained(int ready)
{
	FILE *f;

	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("none", "/tmp", "tmpfs", 0, NULL))
		_exit(1);
	f = fopen("/tmp/perf-1.map", "w");
	if (!f || fputs("1000 10 inside\n", f) < 0 || fclose(f) || write(ready, "x", 1) != 1)
		_exit(1);
	pause();
	_exit(0);
}

/* Tells the number of such a process by `ready`, and waits for its end. */
static _Noreturn void start_container(int ready)
{
	int inner[2];
	pid_t pid;
	char c;

	if (pipe(inner) || unshare(CLONE_NEWPID))
		_exit(1);
	pid = fork();
	if (!pid) {
		close(inner[0]);
		contained(inner[1]);
	}
	close(inner[1]);
	if (pid < 0 || read(inner[0], &c, 1) != 1 || write(ready, &pid, sizeof(pid)) < 0)
		_exit(1);
	waitpid(pid, NULL, 0);
	_exit(0);
}

TEST(map_of_a_process_in_a_container)
{
	struct symbols_config cfg = { 0 };
	struct dso_desc desc = { .kind = DSO_JIT, .name = "/tmp/perf-2147483646.map" };
	struct sym_origin o;
	struct perr e = { 0 };
	struct symtab t;
	int ready[2], err;
	pid_t pid, helper;

	CHECK(!pipe(ready));
	helper = fork();
	CHECK(helper >= 0);
	if (!helper) {
		close(ready[0]);
		start_container(ready[1]);
	}
	close(ready[1]);
	if (read(ready[0], &pid, sizeof(pid)) != sizeof(pid)) {
		waitpid(helper, NULL, 0);
		SKIP("no new namespaces may be made");
	}
	desc.recorded.pid = (u32)pid;
	symtab_init(&t);
	err = perfmap_load(&cfg, &desc, &t, &o, &e);
	kill(pid, SIGKILL);
	waitpid(helper, NULL, 0);
	CHECK_EQ(err, 0);
	CHECK_STR(symtab_find(&t, 0x1008)->name, "inside");
	free(o.path);
	symtab_fini(&t);
}

/* A map that was put beside the recording, as when both were copied from elsewhere. */
TEST(map_beside_the_recording)
{
	struct symbols_config cfg = { .hermetic = true };
	struct dso_desc desc = { .kind = DSO_JIT, .name = "/tmp/perf-2147483646.map" };
	char path[] = "/tmp/t_live_process.XXXXXX";
	struct sym_origin o;
	struct perr e = { 0 };
	struct symtab t;
	int fd = mkstemp(path);

	CHECK(fd >= 0 && write(fd, "1000 10 beside\n", 15) == 15 && !close(fd));
	desc.beside = path;
	symtab_init(&t);
	CHECK_EQ(perfmap_load(&cfg, &desc, &t, &o, &e), 0);
	unlink(path);
	CHECK_STR(symtab_find(&t, 0x1008)->name, "beside");
	CHECK_STR(o.path, path);
	free(o.path);
	symtab_fini(&t);
}
