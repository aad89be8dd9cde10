/* SPDX-License-Identifier: MIT */
/*
 * The compiler of expressions. Operators wait on a stack until one that binds less tightly comes
 * (shunting yard), so that no text makes it recurse. A second stack follows the types of the values
 * that the program will have on its own.
 */
#include "events/expr/expr_priv.h"

#include <errno.h>
#include <stdio.h>

#include "base/mem.h"

#define MAX_SOURCE 4096

/* What waits on the operators' stack. */
enum waiting {
	WAIT_OPEN,  /* ( */
	WAIT_CALL,  /* NAME( */
	WAIT_INDEX, /* NAME[ */
	WAIT_QUESTION,
	WAIT_UNARY,
	WAIT_BINARY,
	WAIT_COLON, /* ?: whose last operand is being read */
};

struct waiting_op {
	enum waiting kind;
	enum expr_op op;
	int binds; /* higher: tighter */
	u64 arg;
	const struct pd_trace_field *field;
	size_t at;
};

struct type {
	bool is_text, is_unsigned;
	enum expr_show show; /* of hex() and others, which nothing may follow */
};

struct parser {
	struct expr *x;
	const struct event_fields *ef;
	const char *s;   /* the source */
	size_t at, word; /* where the scanner is; where the last word began */
	struct waiting_op ops[EXPR_MAX_STACK * 2];
	size_t nr_ops;
	struct type types[EXPR_MAX_STACK];
	size_t nr_types;
	struct perr *e;
};

static int fail(struct parser *p, size_t at, const char *what)
{
	return perr_set(p->e, PERR_USAGE, "expression '%.80s': %s, at '%.20s'", p->x->source, what,
			p->s[at] ? p->s + at : "its end");
}

/* ---- the program ---- */

static int push_type(struct parser *p, struct type t)
{
	if (p->nr_types == EXPR_MAX_STACK || p->x->nr >= EXPR_MAX_OPS)
		return fail(p, p->word, "it is too long");
	p->types[p->nr_types++] = t;
	return 0;
}

static int add_value(struct parser *p, const struct expr_step *s, struct type t)
{
	int err = push_type(p, t);

	if (err)
		return err;
	vec_push(p->x->steps, p->x->nr, p->x->cap, *s);
	return 0;
}

static bool is_comparison(enum expr_op op)
{
	return op == OP_LT || op == OP_GT || op == OP_LE || op == OP_GE || op == OP_EQ ||
	       op == OP_NE;
}

/* The form of an operation for unsigned operands, which is the next one in the enum. */
static enum expr_op unsigned_form(enum expr_op op)
{
	switch (op) {
	case OP_DIV:
	case OP_MOD:
	case OP_SHR:
	case OP_LT:
	case OP_GT:
	case OP_LE:
	case OP_GE: return op + 1;
	default: return op;
	}
}

static bool keeps_unsigned(enum expr_op op)
{
	return op < OP_LT || op == OP_BIT_AND || op == OP_XOR || op == OP_BIT_OR;
}

static int check_shows(struct parser *p, const struct waiting_op *w, size_t nr)
{
	for (size_t i = p->nr_types - nr; i < p->nr_types; i++)
		if (p->types[i].show)
			return fail(p, w->at,
				    "nothing can be computed from what sym(), hex(), "
				    "state(), dev() and syscall() give");
	return 0;
}

static int add_binary(struct parser *p, const struct waiting_op *w)
{
	struct type *a = &p->types[p->nr_types - 2], *b = a + 1;
	struct expr_step s = { .op = w->op };
	bool is_unsigned = a->is_unsigned || b->is_unsigned;

	if (w->op == OP_GLOB || w->op == OP_NO_GLOB) {
		if (!a->is_text || !b->is_text)
			return fail(p, w->at, "~ matches a text with a text");
		is_unsigned = false;
	} else if (a->is_text || b->is_text) {
		if (!a->is_text || !b->is_text)
			return fail(p, w->at, "a text and a number do not go together");
		if (!is_comparison(w->op))
			return fail(p, w->at, "texts can only be compared and matched");
		s.arg = w->op;
		s.op = OP_TEXT_ORDER;
		is_unsigned = false;
	} else if (w->op == OP_SHR || w->op == OP_SHL ? a->is_unsigned : is_unsigned) {
		s.op = unsigned_form(w->op);
	}
	p->nr_types--;
	*a = (struct type){ .is_unsigned = is_unsigned && keeps_unsigned(w->op) };
	vec_push(p->x->steps, p->x->nr, p->x->cap, s);
	return 0;
}

static int add_select(struct parser *p, const struct waiting_op *w)
{
	struct type *c = &p->types[p->nr_types - 3];

	if (c->is_text || c[1].is_text != c[2].is_text)
		return fail(p, w->at, "?: has a number in front, and two texts or two numbers");
	*c = (struct type){ .is_text = c[1].is_text,
			    .is_unsigned = c[1].is_unsigned || c[2].is_unsigned };
	p->nr_types -= 2;
	vec_push(p->x->steps, p->x->nr, p->x->cap, ((struct expr_step){ .op = OP_SELECT }));
	return 0;
}

static int add_unary(struct parser *p, const struct waiting_op *w)
{
	struct expr_step s = { .op = w->op, .arg = w->arg, .field = w->field };
	struct type *t = &p->types[p->nr_types - 1];

	if (t->is_text)
		return fail(p, w->at, "this takes a number, not a text");
	*t = (struct type){ .is_unsigned = t->is_unsigned && w->op == OP_COMPLEMENT };
	if (w->op == OP_SHOW)
		t->show = (enum expr_show)w->arg;
	if (w->op == OP_ELEM)
		t->is_unsigned = w->field->elem_size == 8 && !w->field->is_signed;
	vec_push(p->x->steps, p->x->nr, p->x->cap, s);
	return 0;
}

/* Appends the operation that waited longest on top. Its operands are complete. */
static int finish_top(struct parser *p)
{
	struct waiting_op w = p->ops[--p->nr_ops];
	size_t nr = w.kind == WAIT_COLON ? 3 : w.kind == WAIT_BINARY ? 2 : 1;
	int err;

	if (p->x->nr >= EXPR_MAX_OPS)
		return fail(p, w.at, "it is too long");
	err = check_shows(p, &w, nr);
	if (err)
		return err;
	return nr == 3 ? add_select(p, &w) : nr == 2 ? add_binary(p, &w) : add_unary(p, &w);
}

static bool is_operation(const struct waiting_op *w)
{
	return w->kind >= WAIT_UNARY;
}

/* Finishes the operations on top that bind at least as tightly. */
static int finish_tighter(struct parser *p, int binds)
{
	int err = 0;

	while (!err && p->nr_ops && is_operation(&p->ops[p->nr_ops - 1]) &&
	       p->ops[p->nr_ops - 1].binds >= binds)
		err = finish_top(p);
	return err;
}

static int wait(struct parser *p, struct waiting_op w)
{
	if (p->nr_ops == ARRAY_SIZE(p->ops))
		return fail(p, p->word, "it nests too deep");
	w.at = p->word;
	p->ops[p->nr_ops++] = w;
	return 0;
}

/* ---- operands ---- */

static bool is_name_start(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static struct span scan_name(struct parser *p)
{
	size_t from = p->at;

	while (is_name_start(p->s[p->at]) || is_digit(p->s[p->at]))
		p->at++;
	return span_of(p->s + from, p->at - from);
}

static int take_number(struct parser *p)
{
	struct expr_step s = { .op = OP_NUMBER };
	char *end;

	errno = 0;
	s.arg = strtoull(p->s + p->at, &end, 0);
	if (errno || is_name_start(*end) || is_digit(*end))
		return fail(p, p->at, "this is no number of 64 bits");
	p->at = (size_t)(end - p->s);
	return add_value(p, &s, (struct type){ .is_unsigned = s.arg > INT64_MAX });
}

static int take_text(struct parser *p)
{
	const char *from = p->s + p->at + 1, *end = strchr(from, p->s[p->at]);
	struct expr_step s = { .op = OP_TEXT };

	if (!end)
		return fail(p, p->at, "a text without its closing quote");
	s.text = span_of(from, (size_t)(end - from));
	p->at = (size_t)(end + 1 - p->s);
	return add_value(p, &s, (struct type){ .is_text = true });
}

static int take_call(struct parser *p, struct span name)
{
	static const struct {
		const char *name;
		enum expr_show show;
	} calls[] = {
		{ "hex", EXPR_SHOW_HEX },         { "sym", EXPR_SHOW_SYM },
		{ "state", EXPR_SHOW_STATE },     { "dev", EXPR_SHOW_DEV },
		{ "syscall", EXPR_SHOW_SYSCALL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		if (name.n != strlen(calls[i].name) || memcmp(name.p, calls[i].name, name.n))
			continue;
		p->at++;
		return wait(p, (struct waiting_op){
				       .kind = WAIT_CALL, .op = OP_SHOW, .arg = calls[i].show });
	}
	return fail(p, p->word, "the functions are hex(), sym(), state(), dev() and syscall()");
}

static int take_field(struct parser *p, const struct pd_trace_field *f)
{
	struct expr_step s = { .op = OP_FIELD, .field = f };
	struct type t = { .is_unsigned = f->size == 8 && !f->is_signed };

	if (f->kind == PD_FIELD_ARRAY) {
		if (p->s[p->at] != '[')
			return fail(p, p->word, "this is an array: write NAME[0]");
		p->at++;
		return wait(p,
			    (struct waiting_op){ .kind = WAIT_INDEX, .op = OP_ELEM, .field = f });
	}
	if (f->kind == PD_FIELD_BYTES)
		return fail(p, p->word, "this field is neither a number nor a text");
	if (f->kind == PD_FIELD_TEXT) {
		s.op = OP_FIELD_TEXT;
		t = (struct type){ .is_text = true };
	}
	return add_value(p, &s, t);
}

static int take_own(struct parser *p, struct span name)
{
	enum sample_own own = sample_own_find(name);
	struct expr_step s = { .op = own == OWN_COMM ? OP_OWN_COMM : OP_OWN, .arg = own };
	char known[400];

	if (p->ef->event && name.n == 5 && !memcmp(name.p, "event", 5)) {
		s = (struct expr_step){ .op = OP_TEXT,
					.text = span_of(p->ef->event, strlen(p->ef->event)) };
		return add_value(p, &s, (struct type){ .is_text = true });
	}
	if (own == OWN_NONE) {
		event_fields_list(p->ef, known, sizeof(known));
		return perr_set(p->e, PERR_NOTFOUND,
				"expression '%.80s': '%.*s' is no field of the event; it has %s%s"
				"cpu, pid, tid, comm, time, ip, addr, period, event",
				p->x->source, (int)(name.n < 60 ? name.n : 60),
				(const char *)name.p, known, *known ? ", " : "");
	}
	return add_value(p, &s,
			 (struct type){ .is_text = own == OWN_COMM,
					.is_unsigned = own == OWN_TIME || own == OWN_IP ||
						       own == OWN_ADDR || own == OWN_PERIOD });
}

static int take_name(struct parser *p, bool *ret_complete)
{
	bool own = p->s[p->at] == '$';
	const struct pd_trace_field *f;
	struct span name;
	size_t nr = p->nr_ops;
	int err;

	p->at += own;
	name = scan_name(p);
	if (!name.n)
		return fail(p, p->word, "a name follows $");
	if (p->s[p->at] == '(' && !own) {
		*ret_complete = false;
		return take_call(p, name);
	}
	f = own ? NULL : event_fields_find(p->ef, name);
	err = f ? take_field(p, f) : take_own(p, name);
	*ret_complete = p->nr_ops == nr;
	return err;
}

/* ---- the scanner ---- */

/* Reads what may stand where an operand is expected. *ret_complete: an operand is complete. */
static int take_operand(struct parser *p, bool *ret_complete)
{
	char c = p->s[p->at];

	*ret_complete = true;
	if (is_digit(c))
		return take_number(p);
	if (c == '\'' || c == '"')
		return take_text(p);
	if (is_name_start(c) || c == '$')
		return take_name(p, ret_complete);
	*ret_complete = false;
	p->at++;
	switch (c) {
	case '(': return wait(p, (struct waiting_op){ .kind = WAIT_OPEN });
	case '-': return wait(p, (struct waiting_op){ WAIT_UNARY, .op = OP_NEGATE, .binds = 20 });
	case '!': return wait(p, (struct waiting_op){ WAIT_UNARY, .op = OP_NOT, .binds = 20 });
	case '~':
		return wait(p, (struct waiting_op){ WAIT_UNARY, .op = OP_COMPLEMENT, .binds = 20 });
	default: return fail(p, p->word, "a name, a number or a text is expected");
	}
}

static const struct {
	const char *text;
	enum expr_op op;
	int binds;
} binaries[] = {
	/* longer ones first */
	{ "||", OP_OR, 3 },      { "&&", OP_AND, 4 },  { "==", OP_EQ, 8 },     { "!=", OP_NE, 8 },
	{ "!~", OP_NO_GLOB, 8 }, { "<<", OP_SHL, 11 }, { ">>", OP_SHR, 11 },   { "<=", OP_LE, 9 },
	{ ">=", OP_GE, 9 },      { "<", OP_LT, 9 },    { ">", OP_GT, 9 },      { "~", OP_GLOB, 8 },
	{ "|", OP_BIT_OR, 5 },   { "^", OP_XOR, 6 },   { "&", OP_BIT_AND, 7 }, { "+", OP_ADD, 12 },
	{ "-", OP_SUB, 12 },     { "*", OP_MUL, 13 },  { "/", OP_DIV, 13 },    { "%", OP_MOD, 13 },
};

/* ) and ] end what their partner began. */
static int take_closing(struct parser *p, bool *ret_complete)
{
	bool bracket = p->s[p->at] == ']';
	struct waiting_op *w;
	int err = finish_tighter(p, 0);

	if (err)
		return err;
	w = p->nr_ops ? &p->ops[p->nr_ops - 1] : NULL;
	if (!w || w->kind == WAIT_QUESTION || bracket != (w->kind == WAIT_INDEX))
		return fail(p, p->at, "nothing was opened that this closes");
	p->at++;
	*ret_complete = true;
	if (w->kind != WAIT_OPEN)
		return finish_top(p);
	p->nr_ops--;
	return 0;
}

/* ? and : are one operation of three operands, which binds to the right. */
static int take_choice(struct parser *p)
{
	struct waiting_op *w;
	int err;

	if (p->s[p->at] == '?') {
		err = finish_tighter(p, 3);
		p->at++;
		return err ? err
			   : wait(p, (struct waiting_op){ .kind = WAIT_QUESTION, .binds = 2 });
	}
	err = finish_tighter(p, 0);
	if (err)
		return err;
	w = p->nr_ops ? &p->ops[p->nr_ops - 1] : NULL;
	if (!w || w->kind != WAIT_QUESTION)
		return fail(p, p->at, "there is no ? before this :");
	w->kind = WAIT_COLON;
	p->at++;
	return 0;
}

/* Reads what may follow an operand. *ret_complete: it has not become incomplete by that. */
static int take_operator(struct parser *p, bool *ret_complete)
{
	char c = p->s[p->at];

	*ret_complete = false;
	if (c == ')' || c == ']')
		return take_closing(p, ret_complete);
	if (c == '?' || c == ':')
		return take_choice(p);
	for (size_t i = 0; i < ARRAY_SIZE(binaries); i++) {
		size_t n = strlen(binaries[i].text);
		int err;

		if (strncmp(p->s + p->at, binaries[i].text, n) != 0)
			continue;
		err = finish_tighter(p, binaries[i].binds);
		p->at += n;
		return err ? err
			   : wait(p, (struct waiting_op){ .kind = WAIT_BINARY,
							  .op = binaries[i].op,
							  .binds = binaries[i].binds });
	}
	return fail(p, p->at, "an operator is expected");
}

static int parse(struct parser *p)
{
	bool complete = false;
	int err = 0;

	for (;;) {
		while (p->s[p->at] == ' ' || p->s[p->at] == '\t')
			p->at++;
		p->word = p->at;
		if (!p->s[p->at] && complete)
			break;
		err = complete ? take_operator(p, &complete) : take_operand(p, &complete);
		if (err)
			return err;
	}
	err = finish_tighter(p, 0);
	if (!err && p->nr_ops)
		return fail(p, p->ops[p->nr_ops - 1].at, "something opened here is not closed");
	return err;
}

int expr_compile(const char *text, const struct event_fields *ef, struct expr **ret, struct perr *e)
{
	struct parser p = { .ef = ef, .e = e };
	struct type *t = p.types;
	int err;

	if (strlen(text) > MAX_SOURCE)
		return perr_set(e, PERR_USAGE, "an expression has at most %d characters",
				MAX_SOURCE);
	p.x = xcalloc(1, sizeof(*p.x));
	p.s = p.x->source = xstrdup(text);
	err = parse(&p);
	if (err) {
		expr_free(p.x);
		return err;
	}
	p.x->is_text = t->is_text;
	p.x->is_unsigned = t->is_unsigned;
	p.x->show = t->show          ? t->show
		    : t->is_text     ? EXPR_SHOW_TEXT
		    : t->is_unsigned ? EXPR_SHOW_UNSIGNED
				     : EXPR_SHOW_DEC;
	expr_finish(p.x);
	*ret = p.x;
	return 0;
}
