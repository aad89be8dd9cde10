/* SPDX-License-Identifier: MIT */
#include "events/calls/pointees.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "events/calls/pointee_parts.h"
#include "events/calls/quoted_text.h"

#define MAX_TEXT 8192 /* bytes of one argument */
#define SET_BYTES 128 /* of an fd_set */

static u64 value_of(const struct pointee_job *j)
{
	return j->v->args[j->i];
}

static u64 next_value(const struct pointee_job *j)
{
	return j->i + 1 < j->v->nr_args ? j->v->args[j->i + 1] : 0;
}

static const struct struct_row *row_named(const char *name)
{
	return struct_row_find(name, strlen(name));
}

static bool put_ints(const struct pointee_job *j, u64 nr)
{
	out_char(j->o, '[');
	for (u64 i = 0; i < nr; i++) {
		s32 value;

		out_str(j->o, i ? ", " : "");
		if (i == POINTEE_ELEMS) {
			out_str(j->o, "...");
			break;
		}
		if (!pointee_int_at(j, value_of(j) + i * 4, &value))
			return false;
		out_printf(j->o, "%d", value);
	}
	out_char(j->o, ']');
	return true;
}

/* --- kinds of the call table
 * ----------------------------------------------------------------------------------------- */

static bool put_int(const struct pointee_job *j)
{
	return put_ints(j, 1);
}

static bool put_two_ints(const struct pointee_job *j)
{
	return put_ints(j, 2);
}

static bool put_groups(const struct pointee_job *j)
{
	if (j->is_end && !j->v->args[0])
		return false;
	return put_ints(j, j->is_end ? (u64)j->result : j->v->args[0]);
}

static bool put_offset(const struct pointee_job *j)
{
	u64 value;

	if (!pointee_u64_at(j, value_of(j), &value))
		return false;
	out_printf(j->o, "[%" PRId64 "]", (s64)value);
	return true;
}

static bool put_iovecs(const struct pointee_job *j)
{
	return pointee_iovecs_at(j, value_of(j), next_value(j),
				 j->is_end ? (u64)j->result : UINT64_MAX);
}

static bool put_two_timespecs(const struct pointee_job *j)
{
	return pointee_structs_at(j, row_named("tspec"), 2);
}

static bool put_two_timevals(const struct pointee_job *j)
{
	return pointee_structs_at(j, row_named("timeval"), 2);
}

static bool put_stat(const struct pointee_job *j)
{
	const struct struct_row *row = row_named("stat");
	size_t before = j->o->len;
	u8 buf[256];
	size_t n = struct_text_size(j->types, row);
	u64 mode;

	if (!n || n > sizeof(buf) || !value_of(j) ||
	    call_memory_read(j->memory, value_of(j), buf, n) != n ||
	    !struct_text_number(j->types, row, span_of(buf, n), "st_mode", &mode))
		return false;
	if ((mode & 0170000) == 0020000 || (mode & 0170000) == 0060000)
		row = row_named("statdev");
	return struct_text_put(j->types, row, span_of(buf, n), j->o) && j->o->len > before;
}

/* What a process that was cloned has: the number that the kernel wrote is behind an arrow. */
static bool put_clone(const struct pointee_job *j)
{
	const struct struct_row *row = row_named("clone");
	u8 buf[256] = { 0 };
	size_t whole = struct_text_size(j->types, row), n = whole;
	u64 flags, parent_tid;

	if (!whole || whole > sizeof(buf))
		return false;
	if (n > next_value(j))
		n = (size_t)next_value(j);
	if (call_memory_read(j->memory, value_of(j), buf, n) != n)
		return false;
	if (!j->is_end)
		return struct_text_put(j->types, row, span_of(buf, whole), j->o);
	if (!struct_text_number(j->types, row, span_of(buf, whole), "flags", &flags) ||
	    !struct_text_number(j->types, row, span_of(buf, whole), "parent_tid", &parent_tid) ||
	    !(flags & 0x100000) || !j->result) /* CLONE_PARENT_SETTID */
		return false;
	out_printf(j->o, "{parent_tid=[%" PRId64 "]}", j->result);
	return true;
}

static bool put_futex_waiters(const struct pointee_job *j)
{
	return pointee_structs_at(j, row_named("futexv"), (u32)next_value(j));
}

/* The time of futex(); other operations have a number there. */
static bool put_futex_time(const struct pointee_job *j)
{
	u64 op = j->v->args[1] & 0x7f;

	return (op == 0 || op == 6 || op == 9 || op == 11 || op == 13) &&
	       pointee_struct_at(j, row_named("tspec"), value_of(j), SIZE_MAX);
}

static bool put_cpus(const struct pointee_job *j)
{
	u64 n = j->is_end ? (u64)j->result : j->v->args[1];
	u8 buf[SET_BYTES];
	bool any = false;

	if (n > sizeof(buf) || !value_of(j) ||
	    call_memory_read(j->memory, value_of(j), buf, (size_t)n) != n)
		return false;
	out_char(j->o, '[');
	for (u64 cpu = 0; cpu < n * 8; cpu++) {
		if (!(buf[cpu / 8] >> cpu % 8 & 1))
			continue;
		out_printf(j->o, "%s%" PRIu64, any ? " " : "", cpu);
		any = true;
	}
	out_char(j->o, ']');
	return true;
}

/* How many entries of a folder getdents64() has written. */
static bool put_entries(const struct pointee_job *j)
{
	u64 at = 0, end = (u64)j->result;
	u32 nr = 0;
	u16 len;

	for (; at < end; nr++, at += len)
		if (call_memory_read(j->memory, value_of(j) + at + 16, &len, sizeof(len)) !=
			    sizeof(len) ||
		    len < 19)
			return false;
	struct_text_put_pointer(value_of(j), j->o);
	out_printf(j->o, " /* %" PRIu32 " entr%s */", nr, nr == 1 ? "y" : "ies");
	return true;
}

/* A text that the call has written, with its NUL. */
static bool put_written_text(const struct pointee_job *j)
{
	char buf[PATH_MAX];
	size_t n;

	if (!value_of(j) || !call_memory_read_text(j->memory, value_of(j), buf, sizeof(buf), &n))
		return false;
	quoted_text_put(span_of(buf, n), j->o);
	return true;
}

static bool put_ioctl(const struct pointee_job *j)
{
	static const struct {
		u32 cmd;
		bool at_end;
		const char *row; /* NULL: a number */
	} commands[] = {
		{ 0x5401, true, "termios" },  { 0x5402, false, "termios" },
		{ 0x5403, false, "termios" }, { 0x5404, false, "termios" },
		{ 0x540f, true, NULL },       { 0x5410, false, NULL },
		{ 0x5413, true, "winsize" },  { 0x5414, false, "winsize" },
		{ 0x541b, true, NULL },       { 0x5421, false, NULL },
		{ 0x5429, true, NULL },       { 0x5452, false, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (commands[i].cmd != (u32)j->v->args[1] || commands[i].at_end != j->is_end)
			continue;
		return commands[i].row ? pointee_struct_at(j, row_named(commands[i].row),
							   value_of(j), SIZE_MAX)
				       : put_int(j);
	}
	return false;
}

/* The lock that fcntl() sets or finds. */
static bool put_fcntl(const struct pointee_job *j)
{
	u32 cmd = (u32)j->v->args[1];
	bool is_get = cmd == 5 || cmd == 36,
	     is_set = cmd == 6 || cmd == 7 || cmd == 37 || cmd == 38;

	return (j->is_end ? is_get : is_set) &&
	       pointee_struct_at(j, row_named("flock"), value_of(j), SIZE_MAX);
}

/* The name of a thread. */
static bool put_prctl(const struct pointee_job *j)
{
	u64 option = j->v->args[0];

	return option == (j->is_end ? 16 : 15) && put_written_text(j);
}

static const struct {
	const char *name;
	bool (*put)(const struct pointee_job *j);
} kinds[] = {
	{ "clone", put_clone },
	{ "cpus", put_cpus },
	{ "cstr", put_written_text },
	{ "dents", put_entries },
	{ "epolls", pointee_epolls },
	{ "exec", pointee_exec },
	{ "fcntl", put_fcntl },
	{ "fdset", pointee_fdset },
	{ "futexts", put_futex_time },
	{ "futexvs", put_futex_waiters },
	{ "groups", put_groups },
	{ "int", put_int },
	{ "ints", put_two_ints },
	{ "ioctl", put_ioctl },
	{ "iovs", put_iovecs },
	{ "left", pointee_time_left },
	{ "loff", put_offset },
	{ "msghdr", pointee_msghdr },
	{ "pollfds", pointee_pollfds },
	{ "prctl", put_prctl },
	{ "sigaction", pointee_sigaction },
	{ "siginfo", pointee_siginfo },
	{ "sigs", pointee_sigset },
	{ "sockaddr", pointee_sockaddr },
	{ "sockopt", pointee_sockopt },
	{ "stat", put_stat },
	{ "status", pointee_wait_status },
	{ "timespecs", put_two_timespecs },
	{ "timevals", put_two_timevals },
};

/* Writes what the argument points to, by the name of its kind. False: it is not known. */
static bool put_kind(const struct pointee_job *j, struct span name)
{
	const struct struct_row *row;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (strlen(kinds[i].name) == name.n && !memcmp(kinds[i].name, name.p, name.n))
			return kinds[i].put(j);
	row = struct_row_find((const char *)name.p, name.n);
	return row && pointee_struct_at(j, row, value_of(j), SIZE_MAX);
}

/* --- all arguments of a call
 * ----------------------------------------------------------------------------------------- */

static bool put_name(const struct pointee_job *j)
{
	char buf[PATH_MAX];
	size_t n;

	if (!call_memory_read_text(j->memory, value_of(j), buf, sizeof(buf), &n))
		return false;
	quoted_text_put(span_of(buf, n), j->o);
	return true;
}

/* A value of an enum that is newer than the words that are known here. */
static bool put_newer_word(const struct pointee_job *j, const struct call_arg *a)
{
	const char *name = call_words_enum(a->words), *word = NULL;
	u64 value = value_of(j) & UINT32_MAX;

	if (name && !call_words_has(a->words, value))
		word = struct_text_enum_word(j->types, name, value);
	if (word)
		out_text(j->o, word, false);
	return word && *word;
}

static bool is_exec(const struct call_shape *shape)
{
	return !strcmp(shape->name, "execve") || !strcmp(shape->name, "execveat");
}

/* What there is of argument i now. */
static bool put_argument(const struct pointee_job *j)
{
	const struct call_arg *a = &j->v->shape->args[j->i];
	bool failed = j->is_end && j->result < 0;

	if (is_exec(j->v->shape)) {
		if (a->kind == ARG_PATH && failed)
			return put_name(j);
		return (a->kind == ARG_PATH || a->kind == ARG_POINTER) && pointee_exec(j);
	}
	switch (a->kind) {
	case ARG_WORDS: return !j->is_end && put_newer_word(j, a);
	case ARG_PATH: return !j->is_end && put_name(j);
	case ARG_BUFFER: return !j->is_end && pointee_bytes_at(j, value_of(j), next_value(j));
	case ARG_OUT:
		return j->is_end && !failed && pointee_bytes_at(j, value_of(j), (u64)j->result);
	default: break;
	}
	if (!a->pointee.n || failed)
		return false;
	return (j->is_end ? a->is_output : a->is_input) && put_kind(j, a->pointee);
}

static void keep_text(struct call_values *v, char **texts, u32 i, const struct out *o, bool is_late)
{
	size_t n = o->len < MAX_TEXT ? o->len : MAX_TEXT;

	free(texts[i]);
	texts[i] = xstrndup(o->buf, n);
	v->texts[i] = span_of(texts[i], n);
	v->ready |= (u8)(1u << i);
	if (is_late)
		v->late |= (u8)(1u << i);
}

/* Puts what a call wrote behind what was passed to it. inside: [128 => 16] of [128] and [16].
 * False: they are the same. */
static bool join_texts(const char *before, bool inside, struct out *o)
{
	struct out both;
	size_t n = strlen(before);

	if (o->len == n && !memcmp(o->buf, before, n))
		return false;
	out_init_mem(&both);
	if (inside && n > 1 && o->len > 1) {
		out_raw(&both, before, n - 1);
		out_str(&both, " => ");
		out_raw(&both, o->buf + 1, o->len - 1);
	} else {
		out_raw(&both, before, n);
		out_str(&both, " => ");
		out_raw(&both, o->buf, o->len);
	}
	o->len = 0;
	out_raw(o, both.buf, both.len);
	out_fini(&both);
	return true;
}

static bool is_kind(const struct call_arg *a, const char *name)
{
	return a->pointee.n == strlen(name) && !memcmp(a->pointee.p, name, a->pointee.n);
}

static void do_argument(struct pointee_job *j, struct call_values *v, char **texts)
{
	size_t before = j->note->len;
	bool was_late = j->memory->is_late, is_number = is_kind(&v->shape->args[j->i], "int");

	j->o->len = 0;
	j->memory->is_late = false;
	if (put_argument(j) && (!texts[j->i] || join_texts(texts[j->i], is_number, j->o)))
		keep_text(v, texts, j->i, j->o, j->memory->is_late);
	if (j->note->len > before && j->memory->is_late)
		was_late = true;
	j->memory->is_late = was_late;
}

static void do_arguments(struct pointee_job *j, struct call_values *v, char **texts)
{
	struct out o;

	out_init_mem(&o);
	j->o = &o;
	for (u32 i = 0; i < v->nr_args && i < v->shape->nr_args; i++) {
		const struct call_arg *a = &v->shape->args[i];

		if (!v->args[i] || (texts[i] && !(j->is_end && a->is_input && a->is_output)))
			continue;
		j->i = i;
		do_argument(j, v, texts);
	}
	out_fini(&o);
}

void pointees_begin(struct kernel_types *types, struct call_memory *memory, struct call_values *v,
		    char **texts)
{
	struct out note;
	struct pointee_job j = { .v = v, .memory = memory, .types = types, .note = &note };

	/* another program replaces the memory */
	if (is_exec(v->shape))
		return;
	out_init_mem(&note);
	do_arguments(&j, v, texts);
	out_fini(&note);
}

void pointees_end(struct kernel_types *types, struct call_memory *memory, struct call_values *v,
		  char **texts, s64 result, char **ret_note)
{
	struct out note;
	struct pointee_job j = { .v = v,
				 .memory = memory,
				 .types = types,
				 .is_end = true,
				 .result = result,
				 .note = &note };

	*ret_note = NULL;
	out_init_mem(&note);
	memory->is_late = false;
	do_arguments(&j, v, texts);
	if (note.len) {
		struct out text;

		out_init_mem(&text);
		out_str(&text, memory->is_late ? "~" : "");
		out_raw(&text, note.buf, note.len < MAX_TEXT ? note.len : MAX_TEXT);
		*ret_note = xstrndup(text.buf, text.len);
		out_fini(&text);
	}
	out_fini(&note);
}
