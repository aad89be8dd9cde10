/* SPDX-License-Identifier: MIT */
#include "events/when/when_cond.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "events/expr/expr.h"
#include "events/time_option.h"

static int fail(const char *text, struct perr *e)
{
	return perr_set(e, PERR_USAGE,
			"expected a condition such as share(kernel) > 30%%, "
			"count(sched:sched_switch) == 0 or gap(cpu-clock) > 20ms, got '%s'",
			text);
}

static bool is_word(struct span s, const char *word)
{
	return s.n == strlen(word) && !memcmp(s.p, word, s.n);
}

/* "30%" in millionths. */
static int read_share(const char *text, u64 *ret)
{
	char *end;
	double v = *text >= '0' && *text <= '9' ? strtod(text, &end) : -1;

	if (!(v >= 0 && v <= 100) || strcmp(end, "%") != 0)
		return PERR_USAGE;
	*ret = (u64)(v * (WHEN_WHOLE / 100) + 0.5);
	return 0;
}

static int read_count(const char *text, u64 *ret)
{
	char *end;

	if (*text < '0' || *text > '9')
		return PERR_USAGE;
	*ret = strtoull(text, &end, 10);
	return *end ? PERR_USAGE : 0;
}

static bool read_op(const char **at, enum when_op *ret)
{
	static const struct {
		const char *text;
		enum when_op op;
	} ops[] = {
		{ ">=", WHEN_MORE_EQUAL }, { "<=", WHEN_LESS_EQUAL }, { "==", WHEN_EQUAL },
		{ ">", WHEN_MORE },        { "<", WHEN_LESS },
	};

	*at += strspn(*at, " ");
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (strncmp(*at, ops[i].text, strlen(ops[i].text)) != 0)
			continue;
		*at += strlen(ops[i].text);
		*at += strspn(*at, " ");
		*ret = ops[i].op;
		return true;
	}
	return false;
}

/* What the condition is about: "share(kernel)". Returns what follows; NULL: it is wrong. */
static const char *read_subject(const char *text, struct when_cond *ret)
{
	static const char *const kinds[] = { "share", "count", "gap" };
	static const char *const parts[] = { "all", "kernel", "user" };
	const char *open = strchr(text, '('), *close = strchr(text, ')');
	struct span word, arg;
	size_t kind = 0, part = 0;

	if (!open || !close || close < open)
		return NULL;
	word = span_of(text, (size_t)(open - text));
	arg = span_of(open + 1, (size_t)(close - open - 1));
	while (kind < ARRAY_SIZE(kinds) && !is_word(word, kinds[kind]))
		kind++;
	if (kind == ARRAY_SIZE(kinds) || !arg.n)
		return NULL;
	ret->kind = (enum when_kind)kind;
	ret->event = arg;
	if (ret->kind != WHEN_SHARE)
		return close + 1;
	while (part < ARRAY_SIZE(parts) && !is_word(arg, parts[part]))
		part++;
	ret->part = (enum when_part)part;
	return part < ARRAY_SIZE(parts) ? close + 1 : NULL;
}

int when_cond_parse(const char *text, struct when_cond *ret, struct perr *e)
{
	struct when_cond c = { .text = text };
	const char *at = read_subject(text, &c);
	struct perr why;
	int err = PERR_USAGE;

	if (!at || !read_op(&at, &c.op))
		return fail(text, e);
	switch (c.kind) {
	case WHEN_SHARE: err = read_share(at, &c.value); break;
	case WHEN_COUNT: err = read_count(at, &c.value); break;
	case WHEN_GAP: err = c.op <= WHEN_MORE_EQUAL ? time_option(&c.value, at, &why) : err; break;
	}
	if (err)
		return fail(text, e);
	*ret = c;
	return 0;
}

bool when_cond_holds(const struct when_cond *c, u64 value)
{
	switch (c->op) {
	case WHEN_MORE: return value > c->value;
	case WHEN_MORE_EQUAL: return value >= c->value;
	case WHEN_LESS: return value < c->value;
	case WHEN_LESS_EQUAL: return value <= c->value;
	case WHEN_EQUAL: return value == c->value;
	}
	return false;
}

bool when_cond_grows(const struct when_cond *c)
{
	return c->op == WHEN_MORE || c->op == WHEN_MORE_EQUAL;
}

bool when_cond_is_about(const struct when_cond *c, const struct pd_event *ev)
{
	const char *name = ev->name, *colon = strchr(name, ':');
	size_t n = strlen(name);

	/* PERF_COUNT_SW_CPU_CLOCK and PERF_COUNT_SW_TASK_CLOCK, whose periods are ns */
	if (c->kind == WHEN_SHARE)
		return ev->attr.type == PD_TYPE_SOFTWARE && ev->attr.config <= 1;
	if (expr_glob(c->event, span_of(name, n)))
		return true;
	/* without terms, modifiers, the system of a tracepoint */
	return expr_glob(c->event, span_of(name, strcspn(name, "/"))) ||
	       (colon && (expr_glob(c->event, span_of(name, (size_t)(colon - name))) ||
			  expr_glob(c->event, span_of(colon + 1, strlen(colon + 1)))));
}
