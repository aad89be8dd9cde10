/* SPDX-License-Identifier: MIT */
/* record/live/lean_tasks: what is written of processes, and when. */
#include "record/live/lean_tasks.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "fileformat/record.h"
#include "fileformat/write/record_encode.h"
#include "tests/frame/unit.h"

#define TRAILER 8 /* the time alone */

struct fixture {
	struct lean_tasks *t;
	struct wbuf one, out;
};

static struct fixture begin(void)
{
	return (struct fixture){ .t = lean_tasks_new(TRAILER) };
}

static void end(struct fixture *x)
{
	lean_tasks_free(x->t);
	wb_fini(&x->one);
	wb_fini(&x->out);
}

static void note(struct fixture *x)
{
	CHECK(lean_tasks_wants(x->one.p, (u32)x->one.n));
	lean_tasks_note(x->t, x->one.p, (u32)x->one.n, &x->out);
	x->one.n = 0;
}

static void comm(struct fixture *x, u32 pid, u32 tid, const char *name, bool exec)
{
	pd_put_comm(&x->one, pid, tid, name, exec ? PD_MISC_COMM_EXEC : 0, TRAILER);
	note(x);
}

static void fork_one(struct fixture *x, u32 ppid, u32 ptid, u32 pid, u32 tid)
{
	pd_put_fork(&x->one, &(struct pd_task){ pid, ppid, tid, ptid, 0 }, 0, TRAILER);
	note(x);
}

static void leave(struct fixture *x, u32 pid, u32 tid)
{
	pd_put_fork(&x->one, &(struct pd_task){ pid, pid, tid, tid, 0 }, 0, TRAILER);
	wb_set_u32(&x->one, 0, PD_RECORD_EXIT);
	note(x);
}

static void map(struct fixture *x, u32 pid, u64 start, u64 len, const char *name)
{
	const struct pd_mmap m = { .is_mmap2 = true,
				   .pid = pid,
				   .tid = pid,
				   .start = start,
				   .len = len,
				   .pgoff = 0x10000,
				   .prot = PROT_READ | PROT_EXEC,
				   .filename = span_of(name, strlen(name)) };

	pd_put_mmap(&x->one, &m, PD_CPUMODE_USER, TRAILER);
	note(x);
}

/* What was written since the last call, a word for each record. */
static void check_written(struct fixture *x, const char *expected)
{
	char text[1000] = "";
	struct perr e;

	for (size_t at = 0; at < x->out.n;) {
		const u8 *p = x->out.p + at;
		const struct pd_record r = { .type = get_u32(p, false),
					     .misc = get_u16(p + 4, false),
					     .size = get_u16(p + 6, false),
					     .data = p };
		struct pd_comm c;
		struct pd_mmap m;
		size_t n = strlen(text);
		char *to = text + n;

		if (r.type == PD_RECORD_COMM && !pd_read_comm(&r, false, &c, &e))
			snprintf(to, sizeof(text) - n, "%s%.*s:%u/%u", r.misc ? "exec " : "",
				 (int)c.comm.n, c.comm.p, c.pid, c.tid);
		else if (r.type == PD_RECORD_EXIT)
			snprintf(to, sizeof(text) - n, "exit:%u", get_u32(p + 16, false));
		else if (!pd_read_mmap(&r, false, &m, &e))
			snprintf(to, sizeof(text) - n, "%.*s:%u:%llx-%llx@%llx", (int)m.filename.n,
				 m.filename.p, m.pid, (unsigned long long)m.start,
				 (unsigned long long)(m.start + m.len),
				 (unsigned long long)m.pgoff);
		n = strlen(text);
		snprintf(text + n, sizeof(text) - n, "@%llu ",
			 (unsigned long long)get_u64(p + r.size - TRAILER, false));
		at += r.size;
	}
	CHECK_STR(text, expected);
	x->out.n = 0;
}

static void need(struct fixture *x, u32 pid, u32 tid, u64 time, u64 ip)
{
	lean_tasks_need(x->t, pid, tid, time, &ip, 1, &x->out);
}

TEST(names_and_mappings_come_with_the_samples_that_need_them)
{
	struct fixture x = begin();

	comm(&x, 5, 5, "sh", true);
	map(&x, 5, 0x1000, 0x1000, "/bin/sh");
	map(&x, 5, 0x4000, 0x1000, "/lib/c");
	check_written(&x, "");
	need(&x, 5, 5, 100, 0x1800);
	check_written(&x, "sh:5/5@98 /bin/sh:5:1000-2000@10000@99 ");
	need(&x, 5, 5, 110, 0x1808);
	check_written(&x, "");
	lean_tasks_need(x.t, 5, 5, 120, NULL, 0, &x.out);
	check_written(&x, "/lib/c:5:4000-5000@10000@119 ");
	/* a thread has the name of the one that made it, until it gets another */
	fork_one(&x, 5, 5, 5, 6);
	need(&x, 5, 6, 130, 0);
	check_written(&x, "sh:5/6@129 ");
	comm(&x, 5, 6, "worker", false);
	check_written(&x, "worker:5/6@0 ");
	lean_tasks_begin_file(x.t);
	need(&x, 5, 6, 140, 0x4000);
	check_written(&x, "worker:5/6@138 /lib/c:5:4000-5000@10000@139 ");
	leave(&x, 5, 6);
	check_written(&x, "exit:6@0 ");
	/* the process was written, if not its first thread */
	leave(&x, 5, 5);
	check_written(&x, "exit:5@0 ");
	end(&x);
}

TEST(children_have_the_mappings_of_their_parents)
{
	struct fixture x = begin();

	comm(&x, 5, 5, "sh", true);
	map(&x, 5, 0x1000, 0x1000, "/bin/sh");
	fork_one(&x, 5, 5, 7, 7);
	fork_one(&x, 5, 5, 8, 8);
	leave(&x, 5, 5);
	check_written(&x, "");
	need(&x, 7, 7, 100, 0x1800);
	check_written(&x, "sh:7/7@98 /bin/sh:7:1000-2000@10000@99 ");
	/* what follows an exec is another program */
	comm(&x, 7, 7, "true", true);
	check_written(&x, "exec true:7/7@0 ");
	map(&x, 7, 0x1000, 0x2000, "/bin/true");
	comm(&x, 8, 8, "false", true);
	check_written(&x, "");
	need(&x, 7, 7, 200, 0x1800);
	check_written(&x, "/bin/true:7:1000-3000@10000@199 ");
	need(&x, 8, 8, 200, 0x1800);
	/* but for the exec itself */
	check_written(&x, "false:8/8@198 /bin/sh:8:1000-2000@10000@199 ");
	comm(&x, 8, 8, "other", true);
	lean_tasks_begin_file(x.t);
	need(&x, 8, 8, 300, 0x1800);
	check_written(&x, "exec other:8/8@0 other:8/8@299 ");
	end(&x);
}

TEST(mappings_over_others)
{
	struct fixture x = begin();

	comm(&x, 5, 5, "x", true);
	map(&x, 5, 0x1000, 0x9000, "/old");
	map(&x, 5, 0x3000, 0x1000, "/new");
	lean_tasks_need(x.t, 5, 5, 100, NULL, 0, &x.out);
	check_written(&x, "x:5/5@96 /old:5:1000-3000@10000@97 /old:5:4000-a000@13000@98 "
			  "/new:5:3000-4000@10000@99 ");
	map(&x, 5, 0, 0x8000, "/cover");
	lean_tasks_begin_file(x.t);
	lean_tasks_need(x.t, 5, 5, 100, NULL, 0, &x.out);
	check_written(&x, "x:5/5@97 /old:5:8000-a000@17000@98 /cover:5:0-8000@10000@99 ");
	end(&x);
}

/* Of lost records the others make the best. */
TEST(tasks_that_are_not_known)
{
	struct fixture x = begin();

	need(&x, 1, 2, 100, 0x1000);
	leave(&x, 3, 4);
	fork_one(&x, 9, 9, 10, 10);
	need(&x, 10, 10, 100, 0x1000);
	check_written(&x, "");
	/* a number that is used again without an end */
	comm(&x, 5, 5, "a", true);
	map(&x, 5, 0x1000, 0x1000, "/a");
	fork_one(&x, 10, 10, 5, 5);
	comm(&x, 5, 5, "b", false);
	need(&x, 5, 5, 100, 0x1000);
	check_written(&x, "b:5/5@99 ");
	end(&x);
}
