/* SPDX-License-Identifier: MIT */
#include "events/calls/call_shapes.h"

#include <string.h>

#include "events/calls/call_table.h"

static const struct {
	const char *token;
	enum call_arg_kind kind;
} arg_kinds[] = {
	{ "d", ARG_INT },          { "u", ARG_UINT },         { "l", ARG_LONG },
	{ "z", ARG_SIZE },         { "p", ARG_POINTER },      { "x", ARG_HEX },
	{ "a", ARG_ADDRESS },      { "fd", ARG_FD },          { "at", ARG_AT },
	{ "path", ARG_PATH },      { "buf", ARG_BUFFER },     { "pid", ARG_PID },
	{ "mapfd", ARG_MAP_FD },   { "val3", ARG_FUTEX_3 },   { "fcntlarg", ARG_FCNTL },
	{ "prctlarg", ARG_PRCTL }, { "proto", ARG_PROTOCOL }, { "ioctl", ARG_IOCTL },
	{ "out", ARG_OUT },
};

/* Of the call's name, in front of = or a blank. */
static size_t name_len(const char *line)
{
	return strcspn(line, "= ");
}

static int compare_call(const char *line, const char *name)
{
	size_t a = name_len(line), b = strlen(name);
	int c = memcmp(line, name, a < b ? a : b);

	return c ? c : (a > b) - (a < b);
}

static const char *line_of(const char *name)
{
	size_t lo = 0, hi = nr_call_table;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		int c = compare_call(call_table[mid], name);

		if (!c)
			return call_table[mid];
		if (c < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return NULL;
}

static bool is_text(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

/* token: ">stat", "<stat" or "=stat": a pointer to what the call reads, writes, or both. */
static bool put_pointee(struct call_arg *a, struct span token)
{
	if (!memchr("<=>", token.p[0], 3))
		return false;
	a->kind = ARG_POINTER;
	a->is_input = token.p[0] != '<';
	a->is_output = token.p[0] != '>';
	a->pointee = span_of(token.p + 1, token.n - 1);
	return true;
}

/*
 * token: "fd", or "OPEN" and other words, or what put_pointee() takes. +: perf trace writes 0, too.
 * ~: it writes a number.
 */
static void put_kind(struct call_arg *a, struct span token)
{
	char last = (char)token.p[token.n - 1];

	if (put_pointee(a, token))
		return;
	a->perf_zero = last == '+';
	a->perf_number = last == '~';
	if (a->perf_zero || a->perf_number)
		token.n--;
	for (size_t i = 0; i < ARRAY_SIZE(arg_kinds); i++)
		if (is_text(token, arg_kinds[i].token))
			a->kind = arg_kinds[i].kind;
	if (is_text(token, "perm")) {
		a->kind = ARG_PERM;
		token = span_of("PERM", 4);
	}
	a->words = call_words_find(token);
	if (!a->words)
		return;
	if (a->kind != ARG_PERM)
		a->kind = ARG_WORDS;
	if (is_text(token, "OPEN"))
		a->kind = ARG_OPEN;
	if (is_text(token, "ACC"))
		a->kind = ARG_ACCESS;
	if (is_text(token, "CLONE"))
		a->kind = ARG_CLONE;
}

static enum call_result result_of(const char *line)
{
	const char *p = line + name_len(line);

	if (*p != '=')
		return RESULT_INT;
	switch (p[1]) {
	case 'x': return RESULT_HEX;
	case 'p': return RESULT_PID;
	default: return RESULT_WAIT;
	}
}

bool call_arg_is_pointer(const struct call_arg *a)
{
	return a->pointee.n || call_words_enum(a->words) || a->kind == ARG_PATH ||
	       a->kind == ARG_BUFFER || a->kind == ARG_OUT;
}

/* Calls whose second or third argument is a pointer if the one before it says so. */
static void put_pointee_by_command(struct call_shape *s)
{
	static const struct {
		const char *name;
		u32 i;
	} calls[] = { { "fcntl", 2 }, { "ioctl", 2 }, { "prctl", 1 } };

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct call_arg *a = &s->args[calls[i].i];

		if (strcmp(s->name, calls[i].name) != 0)
			continue;
		a->pointee = span_of(calls[i].name, strlen(calls[i].name));
		a->is_input = a->is_output = true;
		s->has_pointers = true;
	}
}

struct call_shape call_shape_find(const char *name)
{
	struct call_shape s = { .name = name };
	const char *line = line_of(name), *p;

	if (!line)
		return s;
	s.is_known = true;
	s.result = result_of(line);
	s.never_returns = !strcmp(name, "exit") || !strcmp(name, "exit_group");
	p = line + strcspn(line, " ");
	while (*p == ' ' && s.nr_args < MAX_CALL_ARGS) {
		struct call_arg *a = &s.args[s.nr_args++];
		size_t name_n = strcspn(p + 1, ":"), kind_n = strcspn(p + name_n + 2, " ");

		*a = (struct call_arg){ .name = span_of(p + 1, name_n) };
		put_kind(a, span_of(p + name_n + 2, kind_n));
		s.has_pointers |= call_arg_is_pointer(a);
		p += name_n + 2 + kind_n;
	}
	put_pointee_by_command(&s);
	return s;
}
