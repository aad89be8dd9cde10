/* SPDX-License-Identifier: MIT */
/*
 * Expressions over one event: `prev_pid`, `prev_state & 0x100 || !prev_state`, `next_comm ~
 *'kworker*'`, `args[0] + 8`, `sym(call_site)`. Values are 64-bit integers or texts; there are no
 * loops and no side effects. An expression is compiled once for each event into a short program
 * without jumps, which runs on the bytes of a sample.
 *
 *	?:   ||   &&   |   ^   &   == != ~ !~   < <= > >=   << >>   + -   * / %   - ! ~ (in front)
 *
 * bind as in C; ~ between two operands matches a text with a pattern of * and ?. A name is a field
 * of the event or, where it has no such field, what every sample has: cpu, pid, tid, comm, time,
 * ip, addr, period; $pid is always the sample's. A quotient by 0 is 0.
 */
#ifndef EVENTS_EXPR_EXPR_H
#define EVENTS_EXPR_EXPR_H

#include "events/expr/event_fields.h"

/* How a result is printed: an expression may be hex(), sym(), state(), dev() or syscall()
 * of another. */
enum expr_show {
	EXPR_SHOW_DEC,
	EXPR_SHOW_UNSIGNED,
	EXPR_SHOW_TEXT,
	EXPR_SHOW_HEX,
	EXPR_SHOW_SYM,     /* the kernel's function at this address */
	EXPR_SHOW_STATE,   /* prev_state of sched_switch, as letters */
	EXPR_SHOW_DEV,     /* a device of the kernel: "254,0" */
	EXPR_SHOW_SYSCALL, /* the name of the system call of this number */
};

struct expr;

/* The value of an integer or text expression; expr_is_text() says which member counts. */
struct expr_value {
	u64 n;
	struct span text; /* borrowed from the expression or from what it ran on */
};

/* What an expression runs on. All borrowed. */
struct expr_input {
	struct span raw; /* the payload */
	bool swap;       /* its byte order is the other one */
	const struct pd_sample *sample;
	const char *comm; /* NULL is as "" */
};

/*
 * Compiles a text for an event with these fields, which are borrowed until expr_free(). Returns 0
 * with *ret for expr_free(). PERR_USAGE: the text is no expression; the message says what and
 * where. PERR_NOTFOUND: the event has no field of a name.
 */
int expr_compile(const char *text, const struct event_fields *ef, struct expr **ret,
		 struct perr *e) MUST_CHECK;
/* NULL allowed. */
void expr_free(struct expr *x);

bool expr_is_text(const struct expr *x);
enum expr_show expr_show(const struct expr *x);
/* True if it uses a field of the payload. */
bool expr_uses_fields(const struct expr *x);
/* The field whose value, an integer or a text, is that of the expression; NULL: it is something
 * else.
 */
const struct pd_trace_field *expr_only_field(const struct expr *x);
/* The value of every sample that is that of the expression; OWN_NONE: it is something else. */
enum sample_own expr_only_own(const struct expr *x);
/* True if it uses this value of every sample. */
bool expr_uses_own(const struct expr *x, enum sample_own own);

/* The value of an expression that is no text. */
u64 expr_number(const struct expr *x, const struct expr_input *in);
/* The value of an expression. */
void expr_eval(const struct expr *x, const struct expr_input *in, struct expr_value *ret);
/* True if the value is not 0, or a text that is not empty. */
bool expr_is_true(const struct expr *x, const struct expr_input *in);

/*
 * A condition in a form that runs fast, of payloads in this machine's byte order with at least
 * `need` bytes. Each test: whether the 8 bytes at `at`, of which only the bits of mask count,
 * differ from `other`. All tests are made, and bit i of a number says what test i found: the
 * condition is that bit of `truth`.
 */
#define EXPR_MAX_TESTS 6
struct expr_tests {
	u32 nr, need;
	u64 truth;
	struct expr_test {
		u32 at;
		u64 mask, other;
	} all[EXPR_MAX_TESTS];
};

/* The tests of a condition that consists of such ones, as long as it lives; NULL: it does not. */
const struct expr_tests *expr_tests(const struct expr *x);

static inline u32 expr_test(const struct expr_tests *t, u32 i, const u8 *raw)
{
	return (u32)((get_u64(raw + t->all[i].at, false) & t->all[i].mask) != t->all[i].other) << i;
}

static inline bool expr_passes_tests(const struct expr_tests *t, const u8 *raw)
{
	u32 found = expr_test(t, 0, raw);

	/* most conditions have one test, or three */
	if (t->nr > 1)
		found |= expr_test(t, 1, raw);
	if (t->nr > 2)
		found |= expr_test(t, 2, raw);
	for (u32 i = 3; i < t->nr; i++)
		found |= expr_test(t, i, raw);
	return t->truth >> found & 1;
}

/* Whether the text matches a pattern of * (any characters) and ? (one character). */
bool expr_glob(struct span pattern, struct span text);

#endif
