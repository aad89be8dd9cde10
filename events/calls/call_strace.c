/* SPDX-License-Identifier: MIT */
#include "events/calls/call_strace.h"

#include <string.h>

#define FUTEX_PRIVATE 0x80
#define SIGNAL_RT 32 /* the first real-time signal of the kernel */
#define SIGNAL_MAX 64
#define CLONE_SETTLS 0x80000
#define CLONE_PIDFD_OR_PARENT 0x101000
#define CLONE_CHILD_TID 0x1200000
#define EPOLL_CLOEXEC 0x80000

static const struct call_words *words(const char *name)
{
	return call_words_find(span_of(name, strlen(name)));
}

/* 0 has no 0x in front. */
static void put_hex(u64 value, struct out *o)
{
	out_str(o, value ? "0x" : "");
	out_hex(o, value, 0);
}

static bool is_arg(const struct call_values *v, const struct call_arg *a, const char *call,
		   const char *name)
{
	return !strcmp(v->shape->name, call) && a->name.n == strlen(name) &&
	       !memcmp(a->name.p, name, a->name.n);
}

/* FUTEX_WAIT_BITSET_PRIVATE|FUTEX_CLOCK_REALTIME */
static void put_futex(const struct call_arg *a, u64 value, struct out *o)
{
	call_words_put(a->words, value & 0x7f, true, o);
	out_str(o, value & FUTEX_PRIVATE ? "_PRIVATE" : "");
	if (!(value & 0xffffff00))
		return;
	out_char(o, '|');
	/* what is left has no choice: FUTEX_WAIT is 0 */
	if (value & 0x100)
		out_str(o,
			value >> 9 & 0x7fffff ? "FUTEX_CLOCK_REALTIME|" : "FUTEX_CLOCK_REALTIME");
	if (value >> 9 & 0x7fffff)
		put_hex(value & 0xfffffe00, o);
}

/* The name of an option of a socket, if its level has names. */
static bool put_socket_option(u64 level, u64 option, struct out *o)
{
	static const struct {
		u32 level;
		const char *words;
	} levels[] = { { 0, "IPOPT" }, { 1, "SO" }, { 6, "TCP" }, { 41, "IP6OPT" } };

	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		if (levels[i].level != level || !call_words_has(words(levels[i].words), option))
			continue;
		call_words_put(words(levels[i].words), option, true, o);
		return true;
	}
	return false;
}

static bool put_signal(u64 value, struct out *o)
{
	if (value < SIGNAL_RT || value > SIGNAL_MAX)
		return false;
	if (value == SIGNAL_RT)
		out_str(o, "SIGRTMIN");
	else
		out_printf(o, "SIGRT_%u", (unsigned int)value - SIGNAL_RT);
	return true;
}

bool call_strace_put_arg(const struct call_values *v, u32 i, const struct call_arg *a,
			 struct out *o)
{
	u64 value = v->args[i];
	const char *word = NULL;

	if (a->kind == ARG_SIZE && a->name.n == 2 && !memcmp(a->name.p, "fd", 2)) {
		out_printf(o, "%d", (int)(u32)value); /* of writev() and the like */
		return true;
	}
	if (a->kind == ARG_HEX) {
		put_hex(value, o);
		return true;
	}
	if (call_words_are(a->words, "FUTEX")) {
		put_futex(a, value, o);
		return true;
	}
	if (is_arg(v, a, "pselect6", "sig")) { /* a pointer, whatever its name */
		out_text(o, value ? "0x" : "NULL", true);
		if (value)
			out_hex(o, value, 0);
		return true;
	}
	if (call_words_are(a->words, "SIG"))
		return put_signal(value & UINT32_MAX, o);
	if (call_words_are(a->words, "SCHED") && !(u32)value)
		word = "SCHED_OTHER";
	else if (call_words_are(a->words, "AF") && (u32)value == 1)
		word = "AF_UNIX";
	else if (a->kind == ARG_PROTOCOL && !(u32)value && (v->args[0] == 2 || v->args[0] == 10))
		word = "IPPROTO_IP";
	else if (is_arg(v, a, "epoll_create1", "flags") && value == EPOLL_CLOEXEC)
		word = "EPOLL_CLOEXEC";
	if (word) {
		out_str(o, word);
		return true;
	}
	if (is_arg(v, a, "setsockopt", "optname") || is_arg(v, a, "getsockopt", "optname"))
		return put_socket_option((u32)v->args[1], (u32)value, o);
	if (is_arg(v, a, "rseq", "rseq_len") || is_arg(v, a, "rseq", "sig")) {
		put_hex((u32)value, o);
		return true;
	}
	if (call_words_are(a->words, "OPEN2") && value & UINT32_MAX) {
		call_words_put(words("OPEN2S"), value & UINT32_MAX, true, o);
		return true;
	}
	if (is_arg(v, a, "statx", "flags")) {
		call_words_put(words("ATX"), value & UINT32_MAX, true, o);
		return true;
	}
	return false;
}

static void put_named(const char *name, u64 value, struct out *o)
{
	out_str(o, name);
	if (value) {
		out_str(o, "0x");
		out_hex(o, value, 0);
	} else {
		out_str(o, "NULL");
	}
}

void call_strace_put_clone(const struct call_values *v, struct out *o)
{
	u64 flags = v->args[0];

	put_named("child_stack=", v->args[1], o);
	out_str(o, ", flags=");
	if (flags & ~(u64)0xff)
		call_words_put(words("CLONE"), flags & 0xffffff00, true, o);
	if (flags & 0xff) {
		out_str(o, flags & 0xffffff00 ? "|" : "");
		if (!put_signal(flags & 0xff, o))
			call_words_put(words("SIG"), flags & 0xff, true, o);
	} else if (!(flags & 0xffffff00)) {
		out_char(o, '0');
	}
	if (flags & CLONE_PIDFD_OR_PARENT)
		put_named(", parent_tid=", v->args[2], o);
	if (flags & CLONE_SETTLS)
		put_named(", tls=", v->args[4], o);
	if (flags & CLONE_CHILD_TID)
		put_named(", child_tidptr=", v->args[3], o);
}

void call_strace_put_fcntl(bool are_open_flags, u64 result, struct out *o)
{
	put_hex(result, o);
	if (!result && !are_open_flags)
		return;
	out_str(o, " (flags ");
	call_words_put(words(are_open_flags ? "OPEN" : "FDFLAG"), result, true, o);
	out_char(o, ')');
}
