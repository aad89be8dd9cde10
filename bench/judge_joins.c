/* SPDX-License-Identifier: MIT */
/*
 * How good joined stacks are: the same recording with large stack copies and cut to small ones.
 *
 *	judge_joins UNCUT CUT
 *
 * Prints how many stacks reach the thread's start without and with joins, and how many of the
 * joined frames are those of the uncut recording.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/option.h"
#include "session/frames.h"
#include "session/replay.h"
#include "machine/machine_stacks.h"
#include "unwind/join/join.h"
#include "machine/chain_ips.h"

#define MAX_FRAMES 1024

struct stack {
	u64 task, time;
	u64 *ips, *sps, last_cfa;
	struct unwind_tag *tags; /* by frame */
	size_t nr;
	enum unwind_end end;
};

struct stacks {
	struct stack *items;
	size_t nr, cap;
};

/* The functions of a stack's frames. */
static struct unwind_tag *tags_of(const struct unwind_tag *tags, const struct unwind_frames *u)
{
	struct unwind_tag *ret = xcalloc(u->nr + 1, sizeof(*ret));

	for (size_t i = 0; i < u->nr; i++)
		ret[i].function = tags[u->numbers[i]].function;
	return ret;
}

static u64 *copy_words(const u64 *p, size_t n)
{
	u64 *c = xmalloc(n * sizeof(*c));

	if (n)
		memcpy(c, p, n * sizeof(*c));
	return c;
}

static int read_stacks(const char *path, struct stacks *ret)
{
	struct session_config cfg = { 0 };
	struct perfdata *pd = NULL;
	struct machine_stacks *user;
	struct replay_event ev;
	struct perr e = { 0 };
	struct replay *r;
	struct session *s;
	int got;

	if (pd_open(path, NULL, &pd, &e)) {
		fprintf(stderr, "judge_joins: %s: %s\n", path, e.text);
		return -1;
	}
	s = session_new(pd, &cfg, NULL);
	r = replay_new(s, true);
	user = machine_stacks_new(s->machine, MAX_FRAMES);
	while ((got = replay_next(r, &ev, &e)) == 1) {
		const struct unwind_frames *u;

		if (!ev.is_sample || !machine_stacks_wants(ev.ev, &ev.sample))
			continue;
		u = machine_stacks_unwind(
			user, &ev.sample,
			machine_thread(s->machine, ev.sample.pid, ev.sample.tid)->process->maps);
		vec_push(ret->items, ret->nr, ret->cap,
			 ((struct stack){ .task = chain_join_task(&ev.sample),
					  .time = ev.sample.time,
					  .ips = copy_words(u->ips, u->nr),
					  .sps = copy_words(u->sps, u->nr),
					  .tags = tags_of(machine_stacks_tags(user), u),
					  .last_cfa = u->last_cfa,
					  .nr = u->nr,
					  .end = u->end }));
	}
	machine_stacks_free(user);
	replay_free(r);
	session_free(s);
	pd_close(pd);
	return got;
}

static void free_stacks(struct stacks *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		free(s->items[i].ips);
		free(s->items[i].sps);
		free(s->items[i].tags);
	}
	free(s->items);
}

static struct join_stack join_stack_of(const struct stack *s, u64 rank)
{
	static u32 numbers[MAX_FRAMES];

	for (u32 i = 0; i < MAX_FRAMES; i++)
		numbers[i] = i;
	return (struct join_stack){ .task = s->task,
				    .time = s->time,
				    .rank = rank,
				    .numbers = numbers,
				    .tags = s->tags,
				    .sps = s->sps,
				    .ips = s->ips,
				    .nr = s->nr,
				    .last_cfa = s->last_cfa,
				    .at_root = s->end == UNWIND_ROOT,
				    .asks = s->end == UNWIND_TRUNCATED && s->last_cfa };
}

static void judge(const struct stacks *whole, const struct stacks *cut)
{
	size_t at_root = 0, whole_at_root = 0, made_whole = 0, frames = 0, right = 0,
	       wrong_stacks = 0;
	struct join_model *m = join_model_new(false);
	struct join_batch *b = join_batch_new();
	u32 *questions = xcalloc(cut->nr, sizeof(*questions));
	struct join_path path = { 0 };
	struct join_table *t;

	for (size_t i = 0; i < cut->nr; i++) {
		const struct stack *s = &cut->items[i];

		at_root += s->end == UNWIND_ROOT;
		whole_at_root += whole->items[i].end == UNWIND_ROOT;
		if (s->nr) {
			const struct join_stack js = join_stack_of(s, i);
			questions[i] = join_batch_add(b, &js);
		}
	}
	join_model_add(m, b);
	join_batch_free(b);
	t = join_model_finish(m);
	for (size_t i = 0; i < cut->nr; i++) {
		const struct stack *s = &cut->items[i], *w = &whole->items[i];
		size_t good = 0;

		if (s->end != UNWIND_TRUNCATED || s->nr < 2 || !s->last_cfa)
			continue;
		join_path_of(t, join_answer(t, 0, questions[i], i), 1024, &path);
		for (size_t k = 0; k < path.nr && s->nr + k < w->nr; k++)
			good += path.ips[k] == w->ips[s->nr + k];
		made_whole += path.at_root;
		/* beyond the uncut stack's own end nothing is known */
		frames +=
			w->end == UNWIND_ROOT || s->nr + path.nr < w->nr ? path.nr : w->nr - s->nr;
		right += good;
		wrong_stacks += good < path.nr && w->end == UNWIND_ROOT;
	}
	printf("stacks %zu, reach the start: uncut %.2f %%, cut %.2f %%, joined %.2f %%\n", cut->nr,
	       100.0 * (double)whole_at_root / (double)cut->nr,
	       100.0 * (double)at_root / (double)cut->nr,
	       100.0 * (double)(at_root + made_whole) / (double)cut->nr);
	printf("joined frames %zu, as uncut %.3f %%; stacks with another frame %zu\n", frames,
	       frames ? 100.0 * (double)right / (double)frames : 100.0, wrong_stacks);
	join_table_free(t);
	free(questions);
	join_path_fini(&path);
}

int main(int argc, char **argv)
{
	struct stacks whole = { 0 }, cut = { 0 };
	int bad;

	if (argc != 3) {
		fputs("usage: judge_joins UNCUT CUT\n", stderr);
		return 2;
	}
	bad = read_stacks(argv[1], &whole) || read_stacks(argv[2], &cut);
	if (!bad && whole.nr != cut.nr) {
		fputs("judge_joins: not the same recording\n", stderr);
		bad = 1;
	}
	if (!bad)
		judge(&whole, &cut);
	free_stacks(&whole);
	free_stacks(&cut);
	return bad != 0;
}
