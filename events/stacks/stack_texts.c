/* SPDX-License-Identifier: MIT */
#include "events/stacks/stack_texts.h"

#include "base/mem.h"
#include "machine/machine_stacks.h"

#define MAX_FRAMES ((size_t)1 << 16)
#define MAX_CHAIN_BYTES ((size_t)8 << 20)
/* So many stacks are named, then the pages of symbol files that they needed are given back. */
#define STACKS_FOR_PAGES 1024
/* Texts are looked through for stacks to forget when there are so many bytes more than twice those
 * that were needed the last time. */
#define FORGET_BYTES ((size_t)2 << 20)

void stack_texts_init(struct stack_texts *t, struct session *s, u32 max_stack, u32 max_user)
{
	*t = (struct stack_texts){ .s = s, .max_stack = max_stack };
	frames_init(&t->frames, MAX_FRAMES);
	frames_follow(&t->frames, s);
	intern_init(&t->texts);
	chain_texts_init(&t->chains, MAX_CHAIN_BYTES);
	t->chain.list.user = machine_stacks_new(s->machine, max_user);
	out_init_mem(&t->text);
}

void stack_texts_fini(struct stack_texts *t)
{
	if (!t->s)
		return;
	machine_stacks_free(t->chain.list.user);
	chain_fini(&t->chain);
	frames_fini(&t->frames);
	intern_fini(&t->texts);
	idmap_fini(&t->known);
	chain_texts_fini(&t->chains);
	(void)out_fini(&t->text);
	t->s = NULL;
}

/* Writes n bytes, those that are `from` as `to`. */
static void put_replaced(struct out *o, const char *text, size_t n, char from, char to)
{
	const char *found;

	while ((found = memchr(text, from, n))) {
		out_mem(o, text, (size_t)(found - text));
		out_char(o, to);
		n -= (size_t)(found + 1 - text);
		text = found + 1;
	}
	out_mem(o, text, n);
}

static void put_name(struct out *o, const char *name)
{
	/* a line break in a name would make two functions of it */
	put_replaced(o, name, strlen(name), '\n', ' ');
	out_char(o, '\n');
}

static void put_frame(struct out *o, const struct frame *fr)
{
	const struct inline_frame *in;
	size_t n = fr->has_sym ? frame_inlines(fr, &in) : 0;
	char unknown[32];

	for (size_t i = 0; i + 1 < n; i++)
		if (in[i].is_inlined)
			put_name(o, in[i].name);
	if (fr->has_sym) {
		put_name(o, fr->sym->name);
	} else if (fr->map) {
		const char *base = strrchr(fr->map->dso_name, '/');

		out_char(o, '[');
		for (base = base ? base + 1 : fr->map->dso_name; *base; base++)
			out_char(o, *base == '\n' ? ' ' : *base);
		out_raw(o, "]\n", 2);
	} else {
		snprintf(unknown, sizeof(unknown), "[unknown]");
		put_name(o, unknown);
	}
}

static u32 find_text(struct stack_texts *t, const struct pd_event *ev, const struct pd_sample *s,
		     const struct task_view *task)
{
	bool full = t->max_bytes && stack_texts_bytes(t) >= t->max_bytes;
	u32 id;
	u64 hash, check;

	frames_make_room(&t->frames);
	if (t->frames.epoch != t->epoch) {
		idmap_clear(&t->known);
		machine_stacks_rest(t->chain.list.user);
		t->epoch = t->frames.epoch;
	}
	chain_resolve(&t->chain, &t->frames, ev, s, task, t->max_stack);
	if (!t->chain.nr)
		return 0;
	hash = hash_bytes(t->chain.ids, t->chain.nr * sizeof(*t->chain.ids));
	/* a second hash of the same frames, so that two stacks are taken for one in 2^-128 cases */
	check = t->chain.nr;
	for (size_t i = 0; i < t->chain.nr; i++)
		check = hash_pair(check, t->chain.ids[i]);
	id = idmap_get(&t->known, hash, check);
	if (id != IDMAP_NONE)
		return id;
	t->text.len = 0;
	for (size_t i = 0; i < t->chain.nr; i++)
		put_frame(&t->text, frames_resolve(&t->frames, t->chain.ids[i]));
	if (full && !intern_has(&t->texts, t->text.buf, t->text.len))
		return intern_str(&t->texts, "[other stacks]\n");
	id = intern_n(&t->texts, t->text.buf, t->text.len);
	if (!full)
		idmap_put(&t->known, hash, check, id);
	if (++t->nr_named % STACKS_FOR_PAGES == 0)
		symbols_give_pages_back(t->s->machine->symbols);
	return id;
}

/* True if the stack is the recorded chain, and nothing else. */
static bool is_recorded(const struct pd_sample *s)
{
	return s->callchain.n && !s->deferred.n && !s->user_stack_size && !s->branches.n;
}

/* Names the maps that a task's chains lie in. */
static u64 name_of_maps(const struct mapset *user, const struct mapset *kernel)
{
	return (u64)(kernel ? kernel->id + 1 : 0) << 32 | (user ? user->id + 1 : 0);
}

u32 stack_texts_of(struct stack_texts *t, const struct sample_view *v)
{
	const struct pd_sample *s = &v->ev->sample;
	u32 chain = is_recorded(s) ? chain_texts_put(&t->chains, s->callchain) : CHAIN_NONE, text;
	u64 maps;

	if (chain == CHAIN_NONE)
		return find_text(t, v->ev->ev, s, &v->task);
	maps = name_of_maps(v->task.user_maps, v->task.kernel_maps);
	text = chain_texts_find(&t->chains, chain, maps);
	if (text == IDMAP_NONE) {
		text = find_text(t, v->ev->ev, s, &v->task);
		chain_texts_set(&t->chains, chain, maps, text);
	}
	return text;
}

u32 stack_texts_hold(struct stack_texts *t, const struct pd_event *ev, const struct pd_sample *s)
{
	u32 chain;

	/* of an LBR call stack the branches belong to it, of others the rest of the sample */
	if (ev->attr.branch_sample_type & PD_BRANCH_CALL_STACK || !ev->layout.ends_with_raw)
		return CHAIN_NONE;
	chain = chain_texts_put(&t->chains, s->callchain);
	if (chain != CHAIN_NONE)
		chain_texts_hold(&t->chains, chain);
	return chain;
}

/* As stack_texts_of_held(), of a chain without a text in these maps. */
static u32 find_held(struct stack_texts *t, u32 chain, const struct pd_event *ev,
		     const struct thread *th)
{
	struct pd_sample s = { .swap = t->s->pd->swap,
			       .callchain = chain_texts_get(&t->chains, chain) };
	struct task_view task;
	u32 text;

	if (!s.callchain.n)
		return 0;
	machine_settle_kernel(t->s->machine, &s);
	task = machine_task(t->s->machine, th);
	text = find_text(t, ev, &s, &task);
	chain_texts_set(&t->chains, chain, name_of_maps(task.user_maps, task.kernel_maps), text);
	return text;
}

u32 stack_texts_of_held(struct stack_texts *t, u32 chain, const struct pd_event *ev,
			const struct thread *th)
{
	u64 maps = name_of_maps(th->process->maps, t->s->machine->kernel_maps);
	u32 text = chain_texts_find(&t->chains, chain, maps);

	return text != IDMAP_NONE ? text : find_held(t, chain, ev, th);
}

void stack_texts_put(const struct stack_texts *t, struct out *o, u32 stack, int indent)
{
	const char *line = intern_text(&t->texts, stack), *end;

	for (; (end = strchr(line, '\n')); line = end + 1) {
		out_fill(o, ' ', (size_t)indent);
		out_mem(o, line, (size_t)(end - line));
		out_char(o, '\n');
	}
}

void stack_texts_put_folded(const struct stack_texts *t, struct out *o, u32 stack)
{
	const char *text = intern_text(&t->texts, stack), *end = text + strlen(text);

	while (end > text) {
		const char *line = end - 1;

		while (line > text && line[-1] != '\n')
			line--;
		put_replaced(o, line, (size_t)(end - 1 - line), ';', ':');
		if (line > text)
			out_char(o, ';');
		end = line;
	}
}

void stack_texts_put_top(const struct stack_texts *t, struct out *o, u32 stack)
{
	const char *text = intern_text(&t->texts, stack), *end = strchr(text, '\n');

	if (end)
		out_mem(o, text, (size_t)(end - text));
	else
		out_str(o, "[no stack]");
}

bool stack_texts_are_many(const struct stack_texts *t)
{
	return t->texts.arena.total >= 2 * t->left_bytes + FORGET_BYTES;
}

void stack_texts_begin_forget(struct stack_texts *t)
{
	t->old = t->texts;
	intern_init(&t->texts);
}

u32 stack_texts_keep(struct stack_texts *t, u32 stack)
{
	return intern_str(&t->texts, intern_text(&t->old, stack));
}

void stack_texts_end_forget(struct stack_texts *t)
{
	intern_fini(&t->old);
	idmap_fini(&t->known);
	chain_texts_forget(&t->chains);
	t->left_bytes = t->texts.arena.total;
}

size_t stack_texts_bytes(const struct stack_texts *t)
{
	return t->texts.arena.total + t->texts.cap * sizeof(char *) + t->texts.mask * sizeof(u32) +
	       idmap_bytes(&t->known) + chain_texts_bytes(&t->chains);
}
