/* SPDX-License-Identifier: MIT */
#include "events/calls/call_text.h"

#include <inttypes.h>
#include <string.h>

#include "events/calls/call_strace.h"
#include "events/calls/quoted_text.h"

#define AT_CWD (-100)
#define MAX_ERROR 4095
#define MAP_ANON 0x20
#define FCNTL_GETFD 1
#define FCNTL_GETFL 3
#define O_CREATES 0x400040 /* O_CREAT, or what O_TMPFILE adds */

/* Errors that only the kernel sees; the call is begun again, or ends with EINTR. */
static const char *inner_error(u32 err)
{
	switch (err) {
	case 512: return "ERESTARTSYS";
	case 513: return "ERESTARTNOINTR";
	case 514: return "ERESTARTNOHAND";
	case 516: return "ERESTART_RESTARTBLOCK";
	default: return NULL;
	}
}

static u64 arg_named(const struct call_values *v, const char *name)
{
	for (u32 i = 0; i < v->nr_args && i < v->shape->nr_args; i++)
		if (v->shape->args[i].name.n == strlen(name) &&
		    !memcmp(v->shape->args[i].name.p, name, strlen(name)))
			return v->args[i];
	return 0;
}

/* --- what an argument is, given those before it
 * ------------------------------------------------------------------------------- */

static bool is_any_of(u64 value, const u64 *set, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (value == set[i])
			return true;
	return false;
}

/* What fcntl()'s last argument is. */
static struct call_arg fcntl_arg(const struct call_values *v, struct call_arg a)
{
	static const u64 pointers[] = { 5,  6,  7,  12, 13,   14,   15,   16,
					17, 36, 37, 38, 1035, 1036, 1037, 1038 };
	u64 cmd = v->args[1] & UINT32_MAX;

	a.kind = ARG_INT;
	a.perf_zero = cmd == 2;
	if (cmd == 2) {
		a.kind = ARG_WORDS;
		a.words = call_words_find(span_of("FDFLAG", 6));
	} else if (cmd == 4) {
		a.kind = ARG_OPEN;
		a.words = call_words_find(span_of("OPEN", 4));
	} else if (cmd == 8) {
		a.kind = ARG_PID;
	} else if (is_any_of(cmd, pointers, ARRAY_SIZE(pointers))) {
		a.kind = ARG_POINTER;
	}
	return a;
}

static bool fcntl_has_arg(u64 cmd)
{
	static const u64 without[] = { 1, 3, 9, 11, 1025, 1032, 1034 };

	return !is_any_of(cmd & UINT32_MAX, without, ARRAY_SIZE(without));
}

static const char *protocol_word(u64 family, u64 protocol)
{
	static const struct {
		u32 nr;
		const char *word;
	} words[] = { { 1, "ICMP" },    { 2, "IGMP" },      { 4, "IPIP" },   { 6, "TCP" },
		      { 8, "EGP" },     { 12, "PUP" },      { 17, "UDP" },   { 22, "IDP" },
		      { 29, "TP" },     { 33, "DCCP" },     { 41, "IPV6" },  { 46, "RSVP" },
		      { 47, "GRE" },    { 50, "ESP" },      { 51, "AH" },    { 92, "MTP" },
		      { 94, "BEETPH" }, { 98, "ENCAP" },    { 103, "PIM" },  { 108, "COMP" },
		      { 132, "SCTP" },  { 136, "UDPLITE" }, { 137, "MPLS" }, { 255, "RAW" } };

	if (family != 2 && family != 10)
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i].nr == protocol)
			return words[i].word;
	return NULL;
}

/* Arguments of futex() that its operation does not read. */
static bool futex_reads(const struct call_values *v, u32 i)
{
	/* by operation: bits of the arguments 2 (val), 3 (utime), 4 (uaddr2), 5 (val3) */
	static const u8 reads[] = { 0x3, 0x1, 0x1, 0xd, 0xd, 0xf, 0x2,
				    0x0, 0x0, 0xb, 0x9, 0xf, 0xd, 0x2 };
	u64 op = v->args[1] & 0x7f;

	return i < 2 || op >= ARRAY_SIZE(reads) || reads[op] >> (i - 2) & 1;
}

/* Whether the call reads argument i, given those before it. */
static bool is_read(const struct call_values *v, u32 i)
{
	const char *name = v->shape->name;
	enum call_arg_kind kind = v->shape->args[i].kind;

	if (kind == ARG_FCNTL)
		return fcntl_has_arg(v->args[1]);
	if (kind == ARG_PERM &&
	    (!strcmp(name, "open") || !strcmp(name, "openat") || !strcmp(name, "mq_open")))
		return (v->args[i - 1] & O_CREATES) != 0;
	if (!strcmp(name, "futex"))
		return futex_reads(v, i);
	if (!strcmp(name, "ioctl") && i == 2) /* FIONCLEX, FIOCLEX */
		return v->args[1] != 0x5450 && v->args[1] != 0x5451;
	if (!strcmp(name, "mremap") && i == 4) /* MREMAP_FIXED, MREMAP_DONTUNMAP */
		return v->args[3] & 6;
	if (!strcmp(name, "clone") && i >= 2) {
		static const u64 flags[] = { [2] = 0x108000, [3] = 0x1200000, [4] = 0x80000 };

		return i < 5 && (v->args[0] & flags[i]) != 0;
	}
	return true;
}

/* --- text
 * ----------------------------------------------------------------------------------------- */

static void put_pid(u64 value, enum call_style style, const struct call_namer *namer, struct out *o)
{
	const char *comm = style == CALL_AS_PERF && (s32)value >= 0
				   ? namer->comm_of(namer->ctx, (u32)value)
				   : NULL;

	out_printf(o, "%" PRId32, (s32)value);
	if (comm) {
		out_str(o, " (");
		out_text(o, comm, false);
		out_char(o, ')');
	}
}

static void put_hex(u64 value, struct out *o)
{
	out_str(o, "0x");
	out_hex(o, value, 0);
}

static void put_ioctl(u64 value, bool with_prefix, struct out *o)
{
	static const char *const directions[] = { "NONE", "WRITE", "READ", "READ|WRITE" };
	static const char *const own[] = { "_IOC_NONE", "_IOC_WRITE", "_IOC_READ",
					   "_IOC_READ|_IOC_WRITE" };
	u32 cmd = (u32)value, type = cmd >> 8 & 0xff, nr = cmd & 0xff, size = cmd >> 16 & 0x3fff,
	    dir = cmd >> 30;
	const struct call_words *tty = call_words_find(span_of("TTY", 3));

	if (cmd >> 8 == 0x54 && call_words_has(tty, nr)) {
		call_words_put(tty, nr, true, o);
		return;
	}
	out_str(o, with_prefix ? "_IOC(" : "(");
	if (with_prefix || dir || size)
		out_printf(o, "%s, ", with_prefix ? own[dir] : directions[dir]);
	out_printf(o, "%#x, %#x, %#x)", type, nr, size);
}

static void put_open(u64 value, enum call_style style, struct out *o)
{
	if (style == CALL_AS_PERF && !(value & 3))
		out_str(o, (u32)value ? "RDONLY|" : "RDONLY");
	call_words_put(
		call_words_find(style == CALL_AS_PERF ? span_of("OPENP", 5) : span_of("OPEN", 4)),
		value & UINT32_MAX, true, o);
}

/* Numbers: perf trace writes 64 bits with a sign, whatever the argument is. */
static void put_number(enum call_arg_kind kind, u64 value, enum call_style style, struct out *o)
{
	if (kind == ARG_LONG || (style == CALL_AS_PERF && (kind == ARG_INT || kind == ARG_UINT ||
							   kind == ARG_SIZE || kind == ARG_MAP_FD)))
		out_printf(o, "%" PRId64, (s64)value);
	else if (kind == ARG_UINT)
		out_dec(o, (u32)value, 0);
	else if (kind == ARG_SIZE)
		out_dec(o, value, 0);
	else
		out_printf(o, "%" PRId32, (s32)value);
}

static void put_pointer(u64 value, enum call_style style, struct out *o)
{
	if (!value && style == CALL_AS_STRACE)
		out_str(o, "NULL");
	else
		put_hex(value, o);
}

static void put_words(const struct call_arg *a, u64 value, enum call_style style, struct out *o)
{
	size_t before = o->len;

	call_words_put(a->words, value & UINT32_MAX, style == CALL_AS_STRACE, o);
	if (o->len == before)
		out_char(o, '0');
}

static void put_perm(const struct call_arg *a, u64 value, enum call_style style, struct out *o)
{
	if (style == CALL_AS_STRACE)
		out_printf(o, "0%03o", (u32)value);
	else
		put_words(a, value, style, o);
}

static void put_fd_flags(u64 value, enum call_style style, struct out *o)
{
	const struct call_arg a = { .words = call_words_find(span_of("FDFLAG", 6)) };

	put_words(&a, value, style, o);
}

static void put_access(const struct call_arg *a, u64 value, enum call_style style, struct out *o)
{
	if (style == CALL_AS_STRACE) {
		put_words(a, value, style, o);
		return;
	}
	for (u32 i = 0; i < 3; i++)
		if (value & 4u >> i)
			out_char(o, "RWX"[i]);
	if (value & UINT32_MAX & ~(u64)7) {
		out_char(o, '|');
		put_hex(value & UINT32_MAX & ~(u64)7, o);
	}
}

static void put_clone(const struct call_arg *a, u64 value, enum call_style style, struct out *o)
{
	const struct call_words *signals = call_words_find(span_of("SIG", 3));

	/* the signal's byte has no flags */
	if (value & ~(u64)0xff)
		call_words_put(a->words, value & 0xffffff00, style == CALL_AS_STRACE, o);
	if (!(value & 0xff))
		return;
	if (value & 0xffffff00)
		out_char(o, '|');
	call_words_put(signals, value & 0xff, true, o);
}

static void put_protocol(const struct call_values *v, u64 value, enum call_style style,
			 struct out *o)
{
	const char *word = protocol_word(v->args[0], value);

	if (!word) {
		put_number(ARG_INT, value, style, o);
		return;
	}
	out_str(o, style == CALL_AS_STRACE ? "IPPROTO_" : "");
	out_text(o, word, true);
}

static void put_special(const struct call_values *v, const struct call_arg *a, u64 value,
			enum call_style style, struct out *o)
{
	switch (a->kind) {
	case ARG_WORDS: put_words(a, value, style, o); break;
	case ARG_OPEN: put_open(value, style, o); break;
	case ARG_PERM: put_perm(a, value, style, o); break;
	case ARG_ACCESS: put_access(a, value, style, o); break;
	case ARG_CLONE: put_clone(a, value, style, o); break;
	case ARG_PROTOCOL: put_protocol(v, value, style, o); break;
	case ARG_IOCTL: put_ioctl(value, style == CALL_AS_STRACE, o); break;
	case ARG_FUTEX_3:
		if (value == UINT32_MAX || value == UINT64_MAX)
			out_str(o,
				style == CALL_AS_STRACE ? "FUTEX_BITSET_MATCH_ANY" : "MATCH_ANY");
		else
			put_hex(value & UINT32_MAX, o);
		break;
	default: put_number(a->kind, value, style, o); break;
	}
}

static void put_arg(const struct call_values *v, u32 i, const struct call_arg *a,
		    enum call_style style, const struct call_namer *namer, struct out *o)
{
	u64 value = v->args[i];

	if (v->texts[i].p) {
		if (v->late >> i & 1)
			out_char(o, '~');
		if (v->ready >> i & 1)
			out_mem(o, v->texts[i].p, v->texts[i].n);
		else
			quoted_text_put(v->texts[i], o);
		return;
	}
	if (style == CALL_AS_STRACE && call_strace_put_arg(v, i, a, o))
		return;
	if (style == CALL_AS_PERF && a->perf_number) {
		put_number(ARG_LONG, value, style, o);
		return;
	}
	switch (a->kind) {
	case ARG_POINTER:
	case ARG_ADDRESS:
	case ARG_PATH:
	case ARG_BUFFER:
	case ARG_OUT: put_pointer(value, style, o); break;
	case ARG_UNKNOWN:
	case ARG_HEX: put_hex(value, o); break;
	case ARG_AT:
		if ((s32)value == AT_CWD)
			out_str(o, style == CALL_AS_STRACE ? "AT_FDCWD" : "CWD");
		else
			put_number(ARG_FD, value, style, o);
		break;
	case ARG_PID: put_pid(value, style, namer, o); break;
	default: put_special(v, a, value, style, o); break;
	}
}

/* The argument as it is with the others of this call. */
static struct call_arg arg_of(const struct call_values *v, u32 i)
{
	struct call_arg a = v->shape->args[i];

	if (a.kind == ARG_FCNTL)
		return fcntl_arg(v, a);
	if (a.kind == ARG_PRCTL) /* PR_SET_NAME, PR_GET_NAME */
		a.kind = v->args[0] == 15 || v->args[0] == 16 ? ARG_POINTER : ARG_LONG;
	return a;
}

/* perf trace leaves out values of 0, and the arguments that the call does not read. */
static bool is_written(const struct call_values *v, u32 i, const struct call_arg *a,
		       enum call_style style)
{
	if (style == CALL_AS_STRACE)
		return is_read(v, i);
	if (a->kind == ARG_MAP_FD && (arg_named(v, "flags") & MAP_ANON))
		return false;
	if (!v->args[i])
		return a->perf_zero;
	return (!strcmp(v->shape->name, "futex") && !v->args[1]) || is_read(v, i);
}

static void put_known(const struct call_values *v, enum call_style style,
		      const struct call_namer *namer, struct out *o)
{
	bool any = false;

	if (style == CALL_AS_STRACE && !strcmp(v->shape->name, "clone") && v->nr_args >= 5) {
		call_strace_put_clone(v, o);
		return;
	}
	for (u32 i = 0; i < v->shape->nr_args && i < v->nr_args; i++) {
		struct call_arg a = arg_of(v, i);

		if (!is_written(v, i, &a, style))
			continue;
		if (any)
			out_str(o, ", ");
		any = true;
		if (style == CALL_AS_PERF) {
			out_raw(o, a.name.p, a.name.n);
			out_str(o, ": ");
		}
		put_arg(v, i, &a, style, namer, o);
	}
}

void call_text_put(const struct call_values *v, enum call_style style,
		   const struct call_namer *namer, struct out *o)
{
	out_text(o, v->shape->name, false);
	out_char(o, '(');
	if (v->shape->is_known) {
		put_known(v, style, namer, o);
		return;
	}
	for (u32 i = 0; i < v->nr_args; i++) {
		if (i)
			out_str(o, ", ");
		put_hex(v->args[i], o);
	}
}

static void put_error(u32 err, enum call_style style, struct out *o)
{
	const char *inner = inner_error(err), *name = strerrorname_np((int)err);

	if (inner) {
		out_printf(o, "%s %s (%s)", style == CALL_AS_STRACE ? "?" : "-1", inner,
			   err == 513 ? "To be restarted" : "To be restarted if SA_RESTART is set");
		return;
	}
	out_printf(o, "-1 %s (%s)", name ? name : "(unknown)",
		   name ? strerrordesc_np((int)err) : "unknown error");
}

void call_text_put_result(const struct call_shape *shape, const u64 *args, s64 result,
			  enum call_style style, const struct call_namer *namer, struct out *o)
{
	if (result < 0 && result >= -MAX_ERROR) {
		put_error((u32)-result, style, o);
	} else if (style == CALL_AS_STRACE && args && !strcmp(shape->name, "fcntl") &&
		   (args[1] == FCNTL_GETFL || args[1] == FCNTL_GETFD)) {
		call_strace_put_fcntl(args[1] == FCNTL_GETFL, (u64)result, o);
	} else if (args && !strcmp(shape->name, "fcntl") && args[1] == FCNTL_GETFL) {
		put_open((u64)result, style, o);
	} else if (args && !strcmp(shape->name, "fcntl") && args[1] == FCNTL_GETFD) {
		put_fd_flags((u64)result, style, o);
	} else if (shape->result == RESULT_HEX) {
		put_hex((u64)result, o);
	} else if (shape->result == RESULT_WAIT && !result) {
		out_str(o, "0 (Timeout)");
	} else if (shape->result == RESULT_PID) {
		put_pid((u64)result, style, namer, o);
	} else {
		out_printf(o, "%" PRId64, result);
	}
}
