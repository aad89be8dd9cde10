/* SPDX-License-Identifier: MIT */
#include "report/pscript/debug_unwind.h"

#include "base/mem.h"
#include "base/option.h"
#include "report/pscript/frame_text.h"
#include "machine/machine_stacks.h"
#include "session/chain.h"

#define NS_PER_SEC 1000000000ull
#define MAX_SECONDS (UINT64_MAX / NS_PER_SEC - 1)

int debug_unwind_parse(void *addr, const char *arg, struct perr *e)
{
	struct debug_unwind *d = addr;
	u64 seconds = 0, part = 0, unit = NS_PER_SEC;
	const char *p = arg;

	*d = (struct debug_unwind){ 0 };
	if (!arg)
		return 0;
	for (; *p >= '0' && *p <= '9' && seconds <= MAX_SECONDS; p++)
		seconds = seconds * 10 + (u64)(*p - '0');
	if (p > arg && *p == '.')
		for (p++; *p >= '0' && *p <= '9' && unit > 1; p++) {
			unit /= 10;
			part += (u64)(*p - '0') * unit;
		}
	if (p == arg || *p || seconds > MAX_SECONDS)
		return perr_set(
			e, PERR_USAGE,
			"expected the time of a sample in seconds, as pscript prints it, got '%s'",
			arg);
	d->given = true;
	d->text = arg;
	d->from = seconds * NS_PER_SEC + part;
	d->to = d->from + unit;
	d->after = UINT64_MAX;
	return 0;
}

bool debug_unwind_is_at(struct debug_unwind *d, const struct pd_sample *s)
{
	if (s->time < d->from && s->time > d->before)
		d->before = s->time;
	if (s->time >= d->to && s->time < d->after)
		d->after = s->time;
	return s->time >= d->from && s->time < d->to;
}

static void time_text(char *buf, size_t n, u64 time)
{
	if (!time || time == UINT64_MAX)
		snprintf(buf, n, "none");
	else
		snprintf(buf, n, "%llu.%09llu", (unsigned long long)(time / NS_PER_SEC),
			 (unsigned long long)(time % NS_PER_SEC));
}

int debug_unwind_no_sample(const struct debug_unwind *d, struct perr *e)
{
	char before[32], after[32];

	time_text(before, sizeof(before), d->before);
	time_text(after, sizeof(after), d->after);
	return perr_set(e, PERR_NOTFOUND,
			"no wanted sample has the time %s; the one before: %s, the one after: %s",
			d->text, before, after);
}

/* The state of printing one sample's unwinding. */
struct step_printer {
	struct out *o;
	const struct sample_text_config *cfg;
	const struct task_view *task;
	struct frames frames;
	struct out lines; /* text of the steps, kept until their frames are known */
};

static void keep_line(void *ctx, const char *line)
{
	struct step_printer *t = ctx;

	out_str(&t->lines, line);
	out_char(&t->lines, '\n');
}

static void print_name(struct step_printer *t, u64 ip)
{
	const struct frame *fr =
		frames_resolve(&t->frames, frames_get(&t->frames, t->task, PD_CPUMODE_USER, ip));

	frame_text_place(t->o, fr, NULL, true);
	out_char(t->o, ' ');
	frame_text_dso(t->o, fr, t->cfg, false);
}

/* Prints the lines of the steps; a line that begins a frame is followed by the frame's name. */
static void print_steps(struct step_printer *t, const struct unwind_frames *u)
{
	const char *p = t->lines.buf, *end = p + t->lines.len;
	size_t nr = 0;

	while (p < end) {
		const char *nl = memchr(p, '\n', (size_t)(end - p));

		out_mem(t->o, p, (size_t)(nl - p));
		if (*p == '#' && nr < u->nr) {
			out_char(t->o, ' ');
			print_name(t, u->ips[nr++]);
		}
		out_char(t->o, '\n');
		p = nl + 1;
	}
}

static void print_joined(struct step_printer *t, struct machine_stacks *user,
			 const struct replay_event *ev)
{
	struct chain c = { .joins = t->cfg->joins, .list.user = user };
	size_t kernel = 0, first;

	chain_resolve(&c, &t->frames, ev->ev, &ev->sample, t->task, t->cfg->max_stack);
	while (kernel < c.list.nr && c.list.modes[kernel] != PD_CPUMODE_USER)
		kernel++;
	first = kernel + (c.list.unwound ? c.list.unwound->nr : 0);
	if (first < c.list.nr)
		out_printf(t->o,
			   "joined: callers of a stack that has the last frame in the same "
			   "place%s\n",
			   (c.list.end & ~STACK_JOINED) == STACK_ROOT ? ", up to the start" : "");
	for (size_t i = first; i < c.list.nr; i++) {
		out_printf(t->o, "#%zu ip 0x%llx ", i - kernel, (unsigned long long)c.list.ips[i]);
		print_name(t, c.list.ips[i]);
		out_char(t->o, '\n');
	}
	c.list.user = NULL;
	chain_fini(&c);
}

static void print_frame(struct step_printer *t, const struct unwind_frames *u, size_t i,
			const char *who)
{
	out_printf(t->o, "    %-9s ip 0x%llx sp 0x%llx ", who, (unsigned long long)u->ips[i],
		   (unsigned long long)u->sps[i]);
	print_name(t, u->ips[i]);
	out_char(t->o, '\n');
}

/* Prints the frames of the table and of the session's unwinder where they differ. */
static void print_other(struct step_printer *t, const struct unwind_frames *ours, struct session *s,
			const struct pd_sample *sample)
{
	struct machine_stacks *user = machine_stacks_new(s->machine, t->cfg->max_user_stack);
	const char *table = unwinder_kind_name(UNWINDER_TABLE);
	const char *who = unwinder_kind_name(machine_modules_kind(s->machine->modules));
	const struct unwind_frames *u = machine_stacks_unwind(user, sample, t->task->user_maps);
	size_t both = ours->nr < u->nr ? ours->nr : u->nr, nr_differ = 0;
	/* where libunwind guesses, its stack pointers mean nothing */
	bool sps = !ours->guessed && !u->guessed;

	for (size_t i = 0; i < both; i++) {
		if (ours->ips[i] == u->ips[i] && (!sps || ours->sps[i] == u->sps[i]))
			continue;
		if (!nr_differ++)
			out_printf(t->o, "%s finds other frames:\n", who);
		out_printf(t->o, "#%zu\n", i);
		print_frame(t, ours, i, table);
		print_frame(t, u, i, who);
	}
	if (!nr_differ)
		out_printf(t->o, "%s finds the same %s%zu frames\n", who,
			   ours->nr == u->nr ? "" : "first ", both);
	if (ours->nr != u->nr)
		out_printf(t->o, "%s ends after %zu frames, %s after %zu\n", table, ours->nr, who,
			   u->nr);
	for (size_t i = both; i < u->nr; i++)
		print_frame(t, u, i, who);
	out_printf(t->o, "%s: %s\n", who, unwind_end_text(u->end));
	machine_stacks_free(user);
}

void debug_unwind_print(struct out *o, struct session *s, const struct sample_text_config *cfg,
			const struct replay_event *ev, const struct task_view *task)
{
	struct step_printer t = { .o = o, .cfg = cfg, .task = task };
	const struct unwind_frames *ours;
	struct machine_modules *modules;
	struct machine_stacks *user;

	if (!machine_stacks_wants(ev->ev, &ev->sample)) {
		out_str(o, "the sample has no copy of a user stack\n");
		return;
	}
	modules = machine_modules_new(UNWINDER_TABLE, false);
	user = machine_stacks_new_of(modules, s->machine->arch, cfg->max_user_stack);
	frames_init(&t.frames, UINT32_MAX);
	out_init_mem(&t.lines);
	out_printf(o, "a copy of %zu bytes\n", ev->sample.user_stack.n);
	ours = machine_stacks_explain(user, &ev->sample, task->user_maps, keep_line, &t);
	print_steps(&t, ours);
	if (machine_modules_kind(s->machine->modules) != UNWINDER_TABLE)
		print_other(&t, ours, s, &ev->sample);
	print_joined(&t, user, ev);
	out_fini(&t.lines);
	frames_fini(&t.frames);
	machine_stacks_free(user);
	machine_modules_free(modules);
}
