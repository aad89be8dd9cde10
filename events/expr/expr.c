/* SPDX-License-Identifier: MIT */
#include "events/expr/expr_priv.h"

#include "base/mem.h"

void expr_free(struct expr *x)
{
	if (!x)
		return;
	free(x->source);
	free(x->steps);
	free(x->tests);
	free(x);
}

bool expr_is_text(const struct expr *x)
{
	return x->is_text;
}

enum expr_show expr_show(const struct expr *x)
{
	return x->show;
}

bool expr_uses_fields(const struct expr *x)
{
	for (size_t i = 0; i < x->nr; i++)
		if (x->steps[i].field)
			return true;
	return false;
}

const struct pd_trace_field *expr_only_field(const struct expr *x)
{
	enum expr_op op = x->nr == 1 ? x->steps->op : OP_NUMBER;

	return op == OP_FIELD || op == OP_FIELD_TEXT ? x->steps->field : NULL;
}

enum sample_own expr_only_own(const struct expr *x)
{
	return x->nr == 1 && x->steps->op == OP_OWN ? (enum sample_own)x->steps->arg : OWN_NONE;
}

bool expr_uses_own(const struct expr *x, enum sample_own own)
{
	for (size_t i = 0; i < x->nr; i++) {
		const struct expr_step *s = &x->steps[i];

		if (s->op == OP_OWN && s->arg == own)
			return true;
		if (s->op == OP_OWN_COMM && own == OWN_COMM)
			return true;
	}
	return false;
}

bool expr_glob(struct span pattern, struct span text)
{
	size_t p = 0, t = 0, star = SIZE_MAX, again = 0;

	while (t < text.n) {
		if (p < pattern.n && pattern.p[p] == '*') {
			star = p++;
			again = t;
		} else if (p < pattern.n && (pattern.p[p] == '?' || pattern.p[p] == text.p[t])) {
			p++;
			t++;
		} else if (star != SIZE_MAX) {
			p = star + 1;
			t = ++again;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}

static u64 own_value(const struct pd_sample *s, enum sample_own own)
{
	switch (own) {
	case OWN_CPU: return s->cpu;
	case OWN_PID: return (u64)(s32)s->pid;
	case OWN_TID: return (u64)(s32)s->tid;
	case OWN_TIME: return s->time;
	case OWN_IP: return s->ip;
	case OWN_ADDR: return s->addr;
	case OWN_PERIOD: return s->period;
	default: return 0;
	}
}

static int text_order(struct span a, struct span b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int cmp = n ? memcmp(a.p, b.p, n) : 0;

	return cmp ? cmp : a.n < b.n ? -1 : a.n > b.n;
}

static bool holds_order(enum expr_op op, int cmp)
{
	switch (op) {
	case OP_EQ: return cmp == 0;
	case OP_NE: return cmp != 0;
	case OP_LT: return cmp < 0;
	case OP_LE: return cmp <= 0;
	case OP_GT: return cmp > 0;
	default: return cmp >= 0;
	}
}

static u64 divide(enum expr_op op, u64 a, u64 b)
{
	if (!b)
		return 0;
	switch (op) {
	case OP_DIV_UNSIGNED: return a / b;
	case OP_MOD_UNSIGNED: return a % b;
	/* the smallest number by -1 does not fit */
	case OP_DIV: return b == UINT64_MAX ? -a : (u64)((s64)a / (s64)b);
	default: return b == UINT64_MAX ? 0 : (u64)((s64)a % (s64)b);
	}
}

static u64 shift(enum expr_op op, u64 a, u64 b)
{
	if (op == OP_SHL)
		return b < 64 ? a << b : 0;
	if (op == OP_SHR_UNSIGNED)
		return b < 64 ? a >> b : 0;
	return (u64)((s64)a >> (b < 64 ? b : 63));
}

static u64 two_into_one(enum expr_op op, u64 a, u64 b)
{
	switch (op) {
	case OP_MUL: return a * b;
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_SHL:
	case OP_SHR:
	case OP_SHR_UNSIGNED: return shift(op, a, b);
	case OP_LT: return (s64)a < (s64)b;
	case OP_GT: return (s64)a > (s64)b;
	case OP_LE: return (s64)a <= (s64)b;
	case OP_GE: return (s64)a >= (s64)b;
	case OP_LT_UNSIGNED: return a < b;
	case OP_GT_UNSIGNED: return a > b;
	case OP_LE_UNSIGNED: return a <= b;
	case OP_GE_UNSIGNED: return a >= b;
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_BIT_AND: return a & b;
	case OP_XOR: return a ^ b;
	case OP_BIT_OR: return a | b;
	case OP_AND: return a && b;
	case OP_OR: return a || b;
	default: return divide(op, a, b);
	}
}

static void push(const struct expr_step *s, const struct expr_input *in, struct expr_value *v)
{
	switch (s->op) {
	case OP_NUMBER: v->n = s->arg; break;
	case OP_TEXT: v->text = s->text; break;
	case OP_FIELD: v->n = pd_trace_field_int(s->field, in->raw, in->swap); break;
	case OP_FIELD_TEXT: v->text = pd_trace_field_text(s->field, in->raw, in->swap); break;
	case OP_OWN_COMM: v->text = span_of(in->comm, in->comm ? strlen(in->comm) : 0); break;
	default: v->n = own_value(in->sample, (enum sample_own)s->arg); break;
	}
}

static void change(const struct expr_step *s, const struct expr_input *in, struct expr_value *v)
{
	switch (s->op) {
	case OP_ELEM: v->n = pd_trace_field_elem(s->field, in->raw, in->swap, v->n); break;
	case OP_NEGATE: v->n = -v->n; break;
	case OP_NOT: v->n = !v->n; break;
	case OP_COMPLEMENT: v->n = ~v->n; break;
	default: break;
	}
}

static void combine(const struct expr_step *s, struct expr_value *a, const struct expr_value *b)
{
	switch (s->op) {
	case OP_TEXT_ORDER:
		a->n = holds_order((enum expr_op)s->arg, text_order(a->text, b->text));
		break;
	case OP_GLOB: a->n = expr_glob(b->text, a->text); break;
	case OP_NO_GLOB: a->n = !expr_glob(b->text, a->text); break;
	default: a->n = two_into_one(s->op, a->n, b->n); break;
	}
}

static void run(const struct expr *x, const struct expr_input *in, struct expr_value *ret)
{
	struct expr_value stack[EXPR_MAX_STACK];
	size_t n = 0; /* values on the stack */

	for (size_t i = 0; i < x->nr; i++) {
		const struct expr_step *s = &x->steps[i];

		if (s->op < OP_ELEM) {
			push(s, in, &stack[n++]);
		} else if (s->op < OP_MUL) {
			change(s, in, &stack[n - 1]);
		} else if (s->op < OP_SELECT) {
			n--;
			combine(s, &stack[n - 1], &stack[n]);
		} else {
			n -= 2;
			stack[n - 1] = stack[n - 1].n ? stack[n] : stack[n + 1];
		}
	}
	*ret = stack[0];
}

/* A field, a number and what is done with both become one step. */
static void join_steps(struct expr *x)
{
	size_t nr = 0;

	for (size_t i = 0; i < x->nr; i++, nr++) {
		x->steps[nr] = x->steps[i];
		if (i + 2 >= x->nr || x->steps[i].op != OP_FIELD ||
		    x->steps[i + 1].op != OP_NUMBER || x->steps[i + 2].op < OP_MUL ||
		    x->steps[i + 2].op >= OP_SELECT)
			continue;
		x->steps[nr].op = OP_FIELD_AND_NUMBER;
		x->steps[nr].arg = x->steps[i + 1].arg;
		x->steps[nr].then = x->steps[i + 2].op;
		i += 2;
	}
	x->nr = nr;
}

/* Finds the left sides of && and ||. */
static void find_skips(struct expr *x)
{
	u32 starts[EXPR_MAX_STACK]; /* the first steps of the values on the stack */
	size_t n = 0;

	for (u32 i = 0; i < x->nr; i++) {
		enum expr_op op = x->steps[i].op;

		if (op < OP_ELEM)
			starts[n++] = i;
		else if (op >= OP_SELECT)
			n -= 2;
		else if (op >= OP_MUL)
			n--;
		if (op != OP_AND && op != OP_OR)
			continue;
		x->steps[starts[n] - 1].skip = op == OP_AND ? SKIP_IF_FALSE : SKIP_IF_TRUE;
		x->steps[starts[n] - 1].skip_to = i;
	}
}

static bool is_comparison(enum expr_op op)
{
	return op == OP_FIELD || op == OP_FIELD_AND_NUMBER;
}

/* Where a condition goes on after step i, whose value is `is_true`. What is left of && and || has
 * not decided them, so that their value is that of the right side. */
static u32 step_after(const struct expr *x, u32 i, bool is_true)
{
	for (;;) {
		while (x->steps[i].skip && is_true == (x->steps[i].skip == SKIP_IF_TRUE))
			i = x->steps[i].skip_to;
		if (++i == x->nr)
			return is_true ? CONDITION_TRUE : CONDITION_FALSE;
		if (is_comparison(x->steps[i].op))
			return i;
		is_true ^= x->steps[i].op == OP_NOT;
	}
}

static void find_condition(struct expr *x)
{
	x->is_condition = true;
	for (size_t i = 0; i < x->nr; i++) {
		enum expr_op op = x->steps[i].op;

		x->is_condition &= is_comparison(op) || op == OP_AND || op == OP_OR || op == OP_NOT;
	}
	for (u32 i = 0; x->is_condition && i < x->nr; i++) {
		if (!is_comparison(x->steps[i].op))
			continue;
		if (x->steps[i].op == OP_FIELD)
			x->steps[i].then = OP_NE;
		x->steps[i].next[false] = step_after(x, i, false);
		x->steps[i].next[true] = step_after(x, i, true);
	}
}

/* The test of a comparison with a field; false: there is none. */
static bool make_test(const struct expr_step *s, struct expr_test *ret)
{
	const struct pd_trace_field *f = s->field;
	bool is_bits = s->then == OP_BIT_AND;
	u64 other = is_bits ? 0 : s->arg, mask = is_bits ? s->arg : UINT64_MAX;
	u64 end = (u64)f->offset + f->size;
	unsigned int unused = 64 - f->size * 8; /* bits */

	if (s->then != OP_NE && s->then != OP_EQ && !is_bits)
		return false;
	if ((f->size != 4 && f->size != 8) || end < 8 || end > UINT32_MAX ||
	    __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
		return false;
	/* a field of 4 bytes is the upper half of what is read, and has no bits above that */
	if (unused && is_bits && f->is_signed && mask >> 32)
		return false;
	if (unused && !is_bits && other != (f->is_signed ? (u64)(s32)other : (u64)(u32)other))
		return false;
	*ret = (struct expr_test){ (u32)(end - 8), mask << unused, other << unused };
	return true;
}

/* Whether the condition is true where `found` has a bit for each comparison that differs. */
static bool is_true_for(const struct expr *x, const u8 *number_of, u32 found)
{
	u32 i = 0;

	while (i < CONDITION_FALSE) {
		bool differs = found >> number_of[i] & 1;

		i = x->steps[i].next[x->steps[i].then == OP_EQ ? !differs : differs];
	}
	return i == CONDITION_TRUE;
}

/* Sets x->tests where that is possible. */
static void find_tests(struct expr *x)
{
	/* also of no test at all, for expr_passes_tests() reads the bytes of one */
	struct expr_tests t = { .need = 8 };
	u8 number_of[EXPR_MAX_OPS] = { 0 };

	for (size_t i = 0; i < x->nr; i++) {
		struct expr_test *test = &t.all[t.nr];

		if (!is_comparison(x->steps[i].op))
			continue;
		if (t.nr == EXPR_MAX_TESTS || !make_test(&x->steps[i], test))
			return;
		if (test->at + 8 > t.need)
			t.need = test->at + 8;
		number_of[i] = (u8)t.nr++;
	}
	for (u32 found = 0; found < 1u << t.nr; found++)
		t.truth |= (u64)is_true_for(x, number_of, found) << found;
	x->tests = xmalloc(sizeof(t));
	*x->tests = t;
}

void expr_finish(struct expr *x)
{
	x->numbers_only = true;
	for (size_t i = 0; i < x->nr; i++) {
		enum expr_op op = x->steps[i].op;

		x->numbers_only &= op != OP_TEXT && op != OP_FIELD_TEXT && op != OP_OWN_COMM &&
				   op != OP_TEXT_ORDER && op != OP_GLOB && op != OP_NO_GLOB;
	}
	if (!x->numbers_only)
		return;
	join_steps(x);
	find_skips(x);
	find_condition(x);
	if (x->is_condition)
		find_tests(x);
}

static inline u64 field_and_number(const struct expr_step *s, const struct expr_input *in)
{
	u64 v = pd_trace_field_int(s->field, in->raw, in->swap);

	/* what most conditions are */
	if (s->then == OP_NE)
		return v != s->arg;
	if (s->then == OP_EQ)
		return v == s->arg;
	if (s->then == OP_BIT_AND)
		return v & s->arg;
	return two_into_one(s->then, v, s->arg);
}

static inline u64 number(const struct expr_step *s, const struct expr_input *in)
{
	switch (s->op) {
	case OP_NUMBER: return s->arg;
	case OP_FIELD: return pd_trace_field_int(s->field, in->raw, in->swap);
	case OP_FIELD_AND_NUMBER: return field_and_number(s, in);
	default: return own_value(in->sample, (enum sample_own)s->arg);
	}
}

static u64 changed(const struct expr_step *s, const struct expr_input *in, u64 v)
{
	switch (s->op) {
	case OP_ELEM: return pd_trace_field_elem(s->field, in->raw, in->swap, v);
	case OP_NEGATE: return -v;
	case OP_NOT: return !v;
	case OP_COMPLEMENT: return ~v;
	default: return v;
	}
}

/* As run(), of an expression without texts. */
static u64 run_numbers(const struct expr *x, const struct expr_input *in)
{
	u64 stack[EXPR_MAX_STACK];
	size_t n = 0; /* values on the stack */

	for (const struct expr_step *s = x->steps, *end = s + x->nr; s < end; s++) {
		if (s->op < OP_ELEM) {
			stack[n++] = number(s, in);
		} else if (s->op < OP_MUL) {
			stack[n - 1] = changed(s, in, stack[n - 1]);
		} else if (s->op == OP_AND || s->op == OP_OR) {
			/* the left side has not decided it */
			n--;
			stack[n - 1] = stack[n] != 0;
		} else if (s->op < OP_SELECT) {
			n--;
			stack[n - 1] = two_into_one(s->op, stack[n - 1], stack[n]);
		} else {
			n -= 2;
			stack[n - 1] = stack[n - 1] ? stack[n] : stack[n + 1];
		}
		/* the right side is not needed: as if && or || had been done */
		while (s->skip && (stack[n - 1] != 0) == (s->skip == SKIP_IF_TRUE)) {
			stack[n - 1] = s->skip == SKIP_IF_TRUE;
			s = x->steps + s->skip_to;
		}
	}
	return stack[0];
}

u64 expr_number(const struct expr *x, const struct expr_input *in)
{
	struct expr_value v;

	/* most expressions are one name */
	if (x->numbers_only)
		return x->nr == 1 ? number(x->steps, in) : run_numbers(x, in);
	run(x, in, &v);
	return v.n;
}

void expr_eval(const struct expr *x, const struct expr_input *in, struct expr_value *ret)
{
	if (x->numbers_only)
		ret->n = expr_number(x, in);
	else if (x->nr == 1)
		push(x->steps, in, ret);
	else
		run(x, in, ret);
}

const struct expr_tests *expr_tests(const struct expr *x)
{
	return x->tests;
}

bool expr_is_true(const struct expr *x, const struct expr_input *in)
{
	struct expr_value v;
	u32 i = 0;

	if (x->tests && !in->swap && in->raw.n >= x->tests->need)
		return expr_passes_tests(x->tests, in->raw.p);
	if (x->is_condition) {
		while (i < CONDITION_FALSE)
			i = x->steps[i].next[field_and_number(&x->steps[i], in) != 0];
		return i == CONDITION_TRUE;
	}
	if (x->numbers_only)
		return expr_number(x, in) != 0;
	expr_eval(x, in, &v);
	return x->is_text ? v.text.n > 0 : v.n != 0;
}
