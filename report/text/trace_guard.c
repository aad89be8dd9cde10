/* SPDX-License-Identifier: MIT */
#include "report/text/trace_guard.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ARG_DEPTH 2000

static bool field_is_bounded(const struct tep_format_field *f)
{
	if (f->offset < 0 || f->size < 0 || f->offset > TRACE_MAX_REACH ||
	    f->size > TRACE_MAX_REACH)
		return false;
	if (f->elementsize > TRACE_MAX_REACH)
		return false;
	return !(f->flags & TEP_FIELD_IS_DYNAMIC) || f->size == 4;
}

bool trace_fields_are_bounded(const struct tep_format_field *f)
{
	for (; f; f = f->next) {
		if (!field_is_bounded(f))
			return false;
	}
	return true;
}

size_t trace_fields_end(const struct tep_format_field *f)
{
	size_t end = 0;

	for (; f; f = f->next) {
		if ((size_t)f->offset + (size_t)f->size > end)
			end = (size_t)f->offset + (size_t)f->size;
	}
	return end;
}

struct payload {
	struct tep_handle *tep;
	struct tep_event *event;
	u8 *buf;
};

static const struct tep_format_field *arg_field(const struct payload *pl,
						const struct tep_print_arg *arg)
{
	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY || arg->type == TEP_PRINT_DYNAMIC_ARRAY_LEN)
		return arg->dynarray.field;
	if (arg->type != TEP_PRINT_FIELD)
		return NULL;
	return arg->field.field ? arg->field.field : tep_find_any_field(pl->event, arg->field.name);
}

static u64 read_field(const struct payload *pl, const struct tep_format_field *f)
{
	return tep_read_number(pl->tep, pl->buf + f->offset, f->size);
}

static const struct tep_print_arg *skip_casts(const struct tep_print_arg *arg)
{
	for (int i = 0; arg && arg->type == TEP_PRINT_TYPE && i < MAX_ARG_DEPTH; i++)
		arg = arg->typecast.item;
	return arg;
}

static bool eval_arg(const struct payload *pl, const struct tep_print_arg *arg, unsigned int depth,
		     u64 *ret);

static bool eval_op(const struct payload *pl, const struct tep_print_arg *arg, unsigned int depth,
		    u64 *ret)
{
	const char *op = arg->op.op;
	u64 l, r;

	if (!eval_arg(pl, arg->op.left, depth, &l) || !eval_arg(pl, arg->op.right, depth, &r))
		return false;
	if (!strcmp(op, "+"))
		*ret = l + r;
	else if (!strcmp(op, "-"))
		*ret = l - r;
	else if (!strcmp(op, "*"))
		*ret = l * r;
	else if (!strcmp(op, "&"))
		*ret = l & r;
	else if (!strcmp(op, "|"))
		*ret = l | r;
	else if (!strcmp(op, "/") && r && (s64)r != -1)
		*ret = l / r;
	else if (!strcmp(op, "<<") && r < 64)
		*ret = l << r;
	else if (!strcmp(op, ">>") && r < 64)
		*ret = l >> r;
	else
		return false;
	return true;
}

/* The value of an argument that is simple enough to compute here; else false. */
static bool eval_arg(const struct payload *pl, const struct tep_print_arg *arg, unsigned int depth,
		     u64 *ret)
{
	const struct tep_format_field *f;
	char *end;

	if (!arg || depth > MAX_ARG_DEPTH)
		return false;
	switch (arg->type) {
	case TEP_PRINT_ATOM: *ret = strtoull(arg->atom.atom, &end, 0); return end != arg->atom.atom;
	case TEP_PRINT_TYPE: return eval_arg(pl, arg->typecast.item, depth + 1, ret);
	case TEP_PRINT_OP: return eval_op(pl, arg, depth + 1, ret);
	case TEP_PRINT_FIELD:
		f = arg_field(pl, arg);
		if (!f)
			return false;
		*ret = read_field(pl, f);
		return true;
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		f = arg_field(pl, arg);
		if (!f)
			return false;
		*ret = read_field(pl, f) >> 16;
		return true;
	default: return false;
	}
}

/* A count of elements of el_size bytes, from the start of a field or dynamic array. */
static bool array_is_safe(const struct payload *pl, const struct tep_print_arg *array,
			  const struct tep_print_arg *count, const struct tep_print_arg *el_size,
			  unsigned int depth)
{
	u64 n, size = 1;

	if (!array || !arg_field(pl, array) || !eval_arg(pl, count, depth, &n))
		return false;
	if (el_size && !eval_arg(pl, el_size, depth, &size))
		return false;
	return n <= TRACE_MAX_REACH && size <= 8 && n * size <= TRACE_MAX_REACH;
}

static bool op_is_safe(const struct payload *pl, const struct tep_print_arg *arg)
{
	const char *op = arg->op.op;
	const struct tep_print_arg *array;
	const struct tep_format_field *f;
	u64 v;

	switch (op[0]) {
	case '[':
		array = skip_casts(arg->op.left);
		f = array ? arg_field(pl, array) : NULL;
		if (!eval_arg(pl, arg->op.right, 0, &v))
			return false;
		return v <= TRACE_MAX_REACH &&
		       (!f || v * (f->elementsize ? f->elementsize : 1) <= TRACE_MAX_REACH);
	case '/':
	case '%':
		/* -1 with the smallest number traps as 0 does */
		return eval_arg(pl, arg->op.right, 0, &v) && v != 0 && (s64)v != -1 &&
		       (u32)v != 0 && (u32)v != UINT32_MAX;
	default: return true;
	}
}

/* traceformat_is_tame() bounds the depth already; this check does not rely on it. */
static bool arg_is_safe(const struct payload *pl, const struct tep_print_arg *arg,
			unsigned int depth)
{
	u64 cond;

	if (!arg)
		return true;
	if (depth > MAX_ARG_DEPTH)
		return false;
	depth++;
	switch (arg->type) {
	case TEP_PRINT_FLAGS: return arg_is_safe(pl, arg->flags.field, depth);
	case TEP_PRINT_SYMBOL: return arg_is_safe(pl, arg->symbol.field, depth);
	case TEP_PRINT_TYPE: return arg_is_safe(pl, arg->typecast.item, depth);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return array_is_safe(pl, arg->hex.field, arg->hex.size, NULL, depth);
	case TEP_PRINT_INT_ARRAY:
		return array_is_safe(pl, arg->int_array.field, arg->int_array.count,
				     arg->int_array.el_size, depth);
	case TEP_PRINT_OP:
		if (!strcmp(arg->op.op, "?") && arg->op.right &&
		    arg->op.right->type == TEP_PRINT_OP && eval_arg(pl, arg->op.left, depth, &cond))
			return arg_is_safe(pl, arg->op.left, depth) &&
			       arg_is_safe(pl,
					   cond ? arg->op.right->op.left : arg->op.right->op.right,
					   depth);
		return op_is_safe(pl, arg) && arg_is_safe(pl, arg->op.left, depth) &&
		       arg_is_safe(pl, arg->op.right, depth);
	case TEP_PRINT_FUNC:
	case TEP_PRINT_BSTRING: return false;
	default: return true;
	}
}

/* True when the payload decides how far some argument reads. */
static bool arg_needs_guard(const struct tep_print_arg *arg, unsigned int depth)
{
	if (!arg)
		return false;
	if (depth > MAX_ARG_DEPTH)
		return true;
	depth++;
	switch (arg->type) {
	case TEP_PRINT_FLAGS: return arg_needs_guard(arg->flags.field, depth);
	case TEP_PRINT_SYMBOL: return arg_needs_guard(arg->symbol.field, depth);
	case TEP_PRINT_TYPE: return arg_needs_guard(arg->typecast.item, depth);
	case TEP_PRINT_OP:
		return strchr("[/%", arg->op.op[0]) || arg_needs_guard(arg->op.left, depth) ||
		       arg_needs_guard(arg->op.right, depth);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
	case TEP_PRINT_INT_ARRAY:
	case TEP_PRINT_FUNC:
	case TEP_PRINT_BSTRING: return true;
	default: return false;
	}
}

bool trace_payload_is_safe(struct tep_handle *tep, struct tep_event *event, u8 *buf)
{
	const struct payload pl = { tep, event, buf };

	for (const struct tep_print_arg *arg = event->print_fmt.args; arg; arg = arg->next) {
		if (!arg_is_safe(&pl, arg, 0))
			return false;
	}
	return true;
}

bool trace_event_needs_guard(const struct tep_event *event)
{
	for (const struct tep_print_arg *arg = event->print_fmt.args; arg; arg = arg->next) {
		if (arg_needs_guard(arg, 0))
			return true;
	}
	return false;
}
