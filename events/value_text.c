/* SPDX-License-Identifier: MIT */
#include "events/value_text.h"

#include <inttypes.h>

#include "events/syscall_names.h"
#include "machine/machine_stacks.h"

#define MAX_FRAMES ((size_t)1 << 16)
/* So many stacks are written, then the pages of symbol files that they needed are given back. */
#define STACKS_FOR_PAGES 64

/* Numbers from here on are addresses rather than amounts. */
#define FIRST_ADDRESS (1ull << 46)

void value_text_init(struct value_text *t, struct session *s, u32 max_stack, u32 max_user)
{
	*t = (struct value_text){ .s = s, .max_stack = max_stack };
	frames_init(&t->frames, MAX_FRAMES);
	frames_follow(&t->frames, s);
	t->chain.list.user = machine_stacks_new(s->machine, max_user);
}

void value_text_fini(struct value_text *t)
{
	machine_stacks_free(t->chain.list.user);
	chain_fini(&t->chain);
	frames_fini(&t->frames);
}

/* The task states of Linux from 4.14 on, by bit. */
static void put_state(struct out *o, u64 state)
{
	static const char letters[] = "SDTtXZPI";
	bool any = false;

	for (unsigned int i = 0; i < sizeof(letters) - 1; i++) {
		if (!(state & 1ull << i))
			continue;
		if (any)
			out_char(o, '|');
		out_char(o, letters[i]);
		any = true;
	}
	if (!any)
		out_char(o, 'R');
	if (state & 0x100)
		out_char(o, '+');
}

static void put_kernel_function(struct value_text *t, struct out *o, u64 ip)
{
	const struct frame *fr;
	struct task_view task = { 0 };

	machine_settle_kernel_now(t->s->machine);
	task.kernel_maps = t->s->machine->kernel_maps;
	frames_make_room(&t->frames);
	fr = frames_resolve(&t->frames, frames_get(&t->frames, &task, PD_CPUMODE_KERNEL, ip));
	if (fr->has_sym) {
		out_str(o, fr->sym->name);
		return;
	}
	out_str(o, "0x");
	out_hex(o, ip, 0);
}

static void put_syscall(const struct value_text *t, struct out *o, u64 id)
{
	const char *name = syscall_name(t->s->machine->arch, id);

	if (name)
		out_str(o, name);
	else
		out_printf(o, "%" PRId64, (s64)id);
}

void value_text_put(struct value_text *t, struct out *o, enum expr_show show, u64 v,
		    const struct rows *rows)
{
	switch (show) {
	case EXPR_SHOW_DEC: out_printf(o, "%" PRId64, (s64)v); break;
	case EXPR_SHOW_UNSIGNED:
		out_printf(o, v < FIRST_ADDRESS ? "%" PRIu64 : "%#" PRIx64, v);
		break;
	case EXPR_SHOW_TEXT: {
		const char *text = rows_text(rows, v);

		out_str(o, text);
		break;
	}
	case EXPR_SHOW_HEX: out_printf(o, "%#" PRIx64, v); break;
	case EXPR_SHOW_SYM: put_kernel_function(t, o, v); break;
	case EXPR_SHOW_STATE: put_state(o, v); break;
	case EXPR_SHOW_SYSCALL: put_syscall(t, o, v); break;
	case EXPR_SHOW_DEV: out_printf(o, "%u,%u", (u32)(v >> 20) & 0xfff, (u32)v & 0xfffff); break;
	}
}

static void put_number(struct out *o, const struct pd_trace_field *f, u64 v)
{
	if (f->is_signed)
		out_printf(o, "%" PRId64, (s64)v);
	else
		out_printf(o, v < FIRST_ADDRESS ? "%" PRIu64 : "%#" PRIx64, v);
}

static void put_field(struct out *o, const struct pd_trace_field *f, struct span raw, bool swap)
{
	struct span s;

	out_char(o, ' ');
	out_mem(o, f->name.p, f->name.n);
	out_char(o, '=');
	switch (f->kind) {
	case PD_FIELD_INT: put_number(o, f, pd_trace_field_int(f, raw, swap)); break;
	case PD_FIELD_TEXT:
		s = pd_trace_field_text(f, raw, swap);
		out_mem(o, s.p, s.n);
		break;
	case PD_FIELD_ARRAY:
		s = pd_trace_field_bytes(f, raw, swap);
		for (size_t i = 0; i < s.n / f->elem_size; i++) {
			out_char(o, i ? ',' : '[');
			put_number(o, f, pd_trace_field_elem(f, raw, swap, i));
		}
		out_char(o, ']');
		break;
	case PD_FIELD_BYTES: out_str(o, "..."); break;
	}
}

/* Decodes a kept sample again. */
static bool read_kept(const struct value_text *t, const struct occurrence *at,
		      struct pd_sample *ret)
{
	struct perr e;

	return at->kept && !pd_read_sample(at->ev, &at->kept->rec, t->s->pd->swap, ret, &e);
}

void value_text_put_fields(struct value_text *t, struct out *o, const struct occurrence *at,
			   const struct event_fields *ef)
{
	struct pd_sample s;

	if (!read_kept(t, at, &s))
		return;
	for (size_t i = 0; i < ef->nr; i++)
		put_field(o, &ef->fields[i], s.raw, s.swap);
}

static void put_frame_line(struct out *o, const struct frame *fr, const char *name, bool inlined,
			   int indent)
{
	const char *object = fr->map ? fr->map->dso_name : "[unknown]";

	out_fill(o, ' ', (size_t)indent);
	out_hex(o, fr->ip, 16);
	out_char(o, ' ');
	if (!name) {
		out_str(o, "[unknown]");
	} else {
		out_str(o, name);
		if (!inlined) {
			out_str(o, "+0x");
			out_hex(o,
				fr->sym->addr < fr->sym->end ? fr->sym->addr - fr->sym->start : 0,
				0);
		}
	}
	if (inlined) {
		out_str(o, " (inlined)");
	} else {
		out_str(o, " (");
		out_str(o, object);
		out_char(o, ')');
	}
	out_char(o, '\n');
}

static void put_frame(struct out *o, const struct frame *fr, int indent)
{
	const struct inline_frame *in;
	size_t n = fr->has_sym ? frame_inlines(fr, &in) : 0;

	for (size_t i = 0; i + 1 < n; i++)
		if (in[i].is_inlined)
			put_frame_line(o, fr, in[i].name, true, indent);
	put_frame_line(o, fr, fr->has_sym ? fr->sym->name : NULL, false, indent);
}

void value_text_put_stack(struct value_text *t, struct out *o, const struct occurrence *at,
			  int indent)
{
	struct task_view task = { .comm = at->comm };
	struct mapset *settled;
	struct pd_sample s;

	if (!read_kept(t, at, &s))
		return;
	machine_settle_kernel_now(t->s->machine);
	settled = machine_settled_maps(t->s->machine, at->kept->kernel_maps);
	task.kernel_maps = settled ? settled : at->kept->kernel_maps;
	task.user_maps = at->kept->user_maps;
	frames_make_room(&t->frames);
	if (t->frames.epoch != t->epoch)
		machine_stacks_rest(t->chain.list.user);
	t->epoch = t->frames.epoch;
	chain_resolve(&t->chain, &t->frames, at->ev, &s, &task, t->max_stack);
	for (size_t i = 0; i < t->chain.nr; i++)
		put_frame(o, frames_resolve(&t->frames, t->chain.ids[i]), indent);
	mapset_put(settled);
	if (++t->nr_stacks % STACKS_FOR_PAGES == 0)
		symbols_give_pages_back(t->s->machine->symbols);
}
