/* SPDX-License-Identifier: MIT */
#include "record/offcpu/late_look.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "record/host/host_file.h"
#include "record/open/offcpu_config.h"

#define ABI_32 1
#define ABI_64 2

/* Where a thread is, and how often it has been switched. */
struct place {
	u64 sp, pc;
	u64 switches;
};

static char *read_text(const struct late_look *k, u32 pid, u32 tid, const char *name)
{
	char path[128], *text = NULL;
	struct perr e;

	snprintf(path, sizeof(path), "%s/%u/task/%u/%s", k->procfs, pid, tid, name);
	return text_file_read(path, 1 << 14, &text, &e) ? NULL : text;
}

/*
 * "NR ARG... SP PC" of a system call, "-1 SP PC" of a thread that is off the CPU for another
 * reason, "running".
 */
static bool parse_syscall(const char *text, struct place *ret)
{
	const char *pc = strrchr(text, ' '), *sp = pc;
	char *end;

	while (sp > text && sp[-1] != ' ')
		sp--;
	if (!pc || sp == text)
		return false;
	ret->sp = strtoull(sp, &end, 16);
	if (end != pc)
		return false;
	ret->pc = strtoull(pc + 1, &end, 16);
	return !*end && ret->sp && ret->pc;
}

static u64 number_of(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static bool find_place(const struct late_look *k, u32 pid, u32 tid, struct place *ret)
{
	char *call = read_text(k, pid, tid, "syscall");
	char *status = call ? read_text(k, pid, tid, "status") : NULL;
	bool found = status && parse_syscall(call, ret);

	if (found)
		ret->switches = number_of(status, "\nvoluntary_ctxt_switches:") +
				number_of(status, "\nnonvoluntary_ctxt_switches:");
	free(call);
	free(status);
	return found;
}

bool late_look_take(const struct late_look *k, u32 pid, u32 tid, struct late_stack *ret)
{
	struct late_stack s = { .from = k->now(k->ctx) };
	struct place before, after;
	size_t n;

	if (!find_place(k, pid, tid, &before))
		return false;
	s.sp = before.sp;
	s.pc = before.pc;
	s.abi = s.sp >> 32 || s.pc >> 32 ? ABI_64 : ABI_32;
	s.bytes = xmalloc(OFFCPU_STACK_MAX);
	n = k->read(k->ctx, pid, s.sp, s.bytes, OFFCPU_STACK_MAX);
	s.n = (u32)(n & ~(size_t)7);
	if (!find_place(k, pid, tid, &after) || memcmp(&before, &after, sizeof(before)) != 0) {
		free(s.bytes);
		return false;
	}
	s.to = k->now(k->ctx);
	if (!s.n) {
		free(s.bytes);
		s.bytes = NULL;
	}
	*ret = s;
	return true;
}
