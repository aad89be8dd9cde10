/* SPDX-License-Identifier: MIT */
#include "events/calls/pointee_parts.h"

#include <inttypes.h>
#include <string.h>

#include "events/calls/call_words.h"
#include "events/calls/quoted_text.h"

#define NR_SIGNALS 64
#define SIGNAL_RT 32
#define SA_RESTORER_BIT 0x4000000u
#define MANY_SIGNALS 42 /* of a set: what is not in it is written */
#define AUX_EXECFN 31
#define AUX_MAX 64
#define ENV_MAX 65536

static void put_words(const char *name, u64 value, struct out *o)
{
	size_t before = o->len;

	call_words_put(call_words_find(span_of(name, strlen(name))), value, true, o);
	if (o->len == before)
		out_char(o, '0');
}

/* [INT TERM], ~[KILL] */
static void put_set(u64 set, struct out *o)
{
	const struct call_words *names = call_words_find(span_of("SIG", 3));
	const char *between = "";

	if (__builtin_popcountll(set) >= MANY_SIGNALS) {
		out_char(o, '~');
		set = ~set;
	}
	out_char(o, '[');
	for (int nr = 1; nr <= NR_SIGNALS; nr++) {
		if (!(set >> (nr - 1) & 1))
			continue;
		out_text(o, between, true);
		between = " ";
		if (nr == SIGNAL_RT)
			out_str(o, "RTMIN");
		else if (nr > SIGNAL_RT)
			out_printf(o, "RT_%d", nr - SIGNAL_RT);
		else
			call_words_put(names, (u64)nr, false, o);
	}
	out_char(o, ']');
}

bool pointee_sigset(const struct pointee_job *j)
{
	u64 set;

	if (!pointee_u64_at(j, j->v->args[j->i], &set))
		return false;
	put_set(set, j->o);
	return true;
}

/* The kernel's struct sigaction: handler, flags, restorer, mask. */
bool pointee_sigaction(const struct pointee_job *j)
{
	u64 words[4], addr = j->v->args[j->i];

	if (!addr || call_memory_read(j->memory, addr, words, sizeof(words)) != sizeof(words))
		return false;
	out_str(j->o, "{sa_handler=");
	if (words[0] < 2)
		out_text(j->o, words[0] ? "SIG_IGN" : "SIG_DFL", true);
	else
		struct_text_put_pointer(words[0], j->o);
	out_str(j->o, ", sa_mask=");
	put_set(words[3], j->o);
	out_str(j->o, ", sa_flags=");
	put_words("SA", words[1], j->o);
	if (words[1] & SA_RESTORER_BIT) {
		out_str(j->o, ", sa_restorer=");
		struct_text_put_pointer(words[2], j->o);
	}
	out_char(j->o, '}');
	return true;
}

bool pointee_siginfo(const struct pointee_job *j)
{
	s32 w[8];             /* si_signo, si_errno, si_code, -, si_pid, si_uid, si_status, - */
	s64 times[2] = { 0 }; /* si_utime, si_stime */
	u64 addr = j->v->args[j->i];

	if (!addr || call_memory_read(j->memory, addr, w, sizeof(w)) != sizeof(w))
		return false;
	if (call_memory_read(j->memory, addr + sizeof(w), times, sizeof(times)) != sizeof(times))
		return false;
	if (!w[0]) {
		out_str(j->o, "{}");
		return true;
	}
	out_str(j->o, "{si_signo=");
	put_words("SIG", (u32)w[0], j->o);
	out_str(j->o, ", si_code=");
	if (w[0] == 17) /* SIGCHLD */
		put_words("CLD", (u32)w[2], j->o);
	else
		out_printf(j->o, "%d", w[2]);
	out_printf(j->o, ", si_pid=%d, si_uid=%d", w[4], w[5]);
	if (w[0] == 17)
		out_printf(j->o, ", si_status=%d, si_utime=%" PRId64 ", si_stime=%" PRId64, w[6],
			   times[0], times[1]);
	out_char(j->o, '}');
	return true;
}

/* [{WIFEXITED(s) && WEXITSTATUS(s) == 0}] */
bool pointee_wait_status(const struct pointee_job *j)
{
	s32 status;
	u32 s;

	if (!j->result || !pointee_int_at(j, j->v->args[j->i], &status))
		return false;
	s = (u32)status;
	out_str(j->o, "[{");
	if (!(s & 0x7f)) {
		out_printf(j->o, "WIFEXITED(s) && WEXITSTATUS(s) == %u", s >> 8 & 0xff);
	} else if (s == 0xffff) {
		out_str(j->o, "WIFCONTINUED(s)");
	} else if ((s & 0xff) == 0x7f) {
		out_str(j->o, "WIFSTOPPED(s) && WSTOPSIG(s) == ");
		put_words("SIG", s >> 8 & 0xff, j->o);
	} else {
		out_str(j->o, "WIFSIGNALED(s) && WTERMSIG(s) == ");
		put_words("SIG", s & 0x7f, j->o);
		out_str(j->o, s & 0x80 ? " && WCOREDUMP(s)" : "");
	}
	out_str(j->o, "}]");
	return true;
}

/* A text, of which QUOTED_MAX bytes are written. */
static bool put_text_at(const struct pointee_job *j, u64 addr)
{
	char buf[QUOTED_MAX + 1];
	size_t n;
	bool is_whole = call_memory_read_text(j->memory, addr, buf, sizeof(buf), &n);

	if (!addr || (!is_whole && n < sizeof(buf)))
		return false;
	quoted_text_put(span_of(buf, n < QUOTED_MAX ? n : QUOTED_MAX), j->o);
	out_str(j->o, is_whole ? "" : "...");
	return true;
}

/* Pointers up to a NULL at *addr, of which *addr is set behind; false: it does not end. */
static bool skip_pointers(const struct pointee_job *j, u64 *addr, u32 *ret_nr)
{
	u64 p;

	for (u32 nr = 0; nr < ENV_MAX; nr++) {
		if (!pointee_u64_at(j, *addr, &p))
			return false;
		*addr += 8;
		if (!p) {
			*ret_nr = nr;
			return true;
		}
	}
	return false;
}

/* ["cat", "x"]: pointers to texts, up to a NULL. */
static bool put_argv(const struct pointee_job *j, u64 addr)
{
	u64 p;

	if (!addr)
		return false;
	out_char(j->o, '[');
	for (u32 nr = 0; pointee_u64_at(j, addr, &p); nr++, addr += 8) {
		if (!p) {
			out_char(j->o, ']');
			return true;
		}
		out_str(j->o, nr ? ", " : "");
		if (nr == POINTEE_ELEMS) {
			out_str(j->o, "...]");
			return true;
		}
		if (!put_text_at(j, p))
			struct_text_put_pointer(p, j->o);
	}
	return false;
}

static bool put_envp(const struct pointee_job *j, u64 value, u64 list)
{
	u32 nr;

	if (!skip_pointers(j, &list, &nr))
		return false;
	struct_text_put_pointer(value, j->o);
	out_printf(j->o, " /* %u var%s */", nr, nr == 1 ? "" : "s");
	return true;
}

/* The name by which a program was begun, from the vector behind its environment. */
static bool put_program(const struct pointee_job *j, u64 addr)
{
	u64 pair[2];

	for (int i = 0; i < AUX_MAX; i++, addr += sizeof(pair)) {
		if (call_memory_read(j->memory, addr, pair, sizeof(pair)) != sizeof(pair) ||
		    !pair[0])
			return false;
		if (pair[0] == AUX_EXECFN) {
			char buf[4096];
			size_t n;

			if (!call_memory_read_text(j->memory, pair[1], buf, sizeof(buf), &n))
				return false;
			quoted_text_put(span_of(buf, n), j->o);
			return true;
		}
	}
	return false;
}

/*
 * A program begins with its stack pointer at the number of its arguments; behind it are pointers to
 * these and a NULL, those to its environment and a NULL, and the auxiliary vector.
 */
bool pointee_exec(const struct pointee_job *j)
{
	u32 first = strcmp(j->v->shape->name, "execveat") ? 0 : 1, nr;
	u64 argv = j->memory->sp + 8, envp = argv, aux;

	if (j->i < first)
		return false;
	if (j->is_end && j->result < 0) { /* the memory is the old one */
		if (j->i == first + 1)
			return put_argv(j, j->v->args[j->i]);
		return j->i == first + 2 && put_envp(j, j->v->args[j->i], j->v->args[j->i]);
	}
	if (!j->is_end || !j->memory->sp)
		return false;
	if (j->i == first + 1)
		return put_argv(j, argv);
	if (!skip_pointers(j, &envp, &nr))
		return false;
	if (j->i == first + 2)
		return put_envp(j, j->v->args[j->i], envp);
	aux = envp;
	return j->i == first && skip_pointers(j, &aux, &nr) && put_program(j, aux);
}
