/* SPDX-License-Identifier: MIT */
#include "events/calls/live_texts.h"

#include <limits.h>
#include <string.h>
#include <sys/uio.h>

#include "base/mem.h"

#define PAGE 4096u
#define SHOWN 32 /* bytes of what is read and written, as strace shows them */

/* Reads n bytes at addr, which do not cross a page. */
static bool read_memory(u32 tid, u64 addr, void *to, size_t n)
{
	struct iovec local = { to, n }, remote = { (void *)(uintptr_t)addr, n };

	return process_vm_readv((pid_t)tid, &local, 1, &remote, 1, 0) == (ssize_t)n;
}

static void set_text(struct call_values *v, char **texts, u32 i, const char *p, size_t n)
{
	texts[i] = xmalloc(n + 1);
	memcpy(texts[i], p, n);
	texts[i][n] = '\0';
	v->texts[i] = span_of(texts[i], n);
	v->late |= 1u << i;
}

/* A text that ends with a 0. */
static void read_path(u32 tid, struct call_values *v, char **texts, u32 i)
{
	char buf[PATH_MAX];
	size_t n = 0;

	while (n < sizeof(buf)) {
		u64 addr = v->args[i] + n;
		size_t part = PAGE - addr % PAGE;
		const char *end;

		if (part > sizeof(buf) - n)
			part = sizeof(buf) - n;
		if (!read_memory(tid, addr, buf + n, part))
			return;
		end = memchr(buf + n, '\0', part);
		if (end) {
			set_text(v, texts, i, buf, (size_t)(end - buf));
			return;
		}
		n += part;
	}
}

static void read_bytes(u32 tid, struct call_values *v, char **texts, u32 i, u64 n)
{
	char buf[SHOWN];
	size_t shown = n < SHOWN ? (size_t)n : SHOWN, first = PAGE - v->args[i] % PAGE;

	if (first > shown)
		first = shown;
	if (!read_memory(tid, v->args[i], buf, first) ||
	    (shown > first && !read_memory(tid, v->args[i] + first, buf + first, shown - first)))
		return;
	set_text(v, texts, i, buf, shown);
	if (n > shown)
		v->cut |= 1u << i;
}

void live_texts_enter(u32 tid, struct call_values *v, char **texts)
{
	/* another program has replaced the memory */
	if (!strcmp(v->shape->name, "execve") || !strcmp(v->shape->name, "execveat"))
		return;
	for (u32 i = 0; i < v->nr_args && i < v->shape->nr_args; i++) {
		if (texts[i] || !v->args[i])
			continue;
		if (v->shape->args[i].kind == ARG_PATH)
			read_path(tid, v, texts, i);
		else if (v->shape->args[i].kind == ARG_BUFFER && i + 1 < v->nr_args)
			read_bytes(tid, v, texts, i, v->args[i + 1]);
	}
}

void live_texts_leave(u32 tid, struct call_values *v, char **texts, s64 result)
{
	if (result < 0)
		return;
	for (u32 i = 0; i < v->nr_args && i < v->shape->nr_args; i++)
		if (v->shape->args[i].kind == ARG_OUT && !texts[i] && v->args[i])
			read_bytes(tid, v, texts, i, (u64)result);
}
