/* SPDX-License-Identifier: MIT */
/* Jitdumps that are read while they are written. */
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "machine/jit_priv.h"
#include "symbols/jit/jitdump_tail.h"

/* Code is put in order again at most in this part of the time. */
#define MAKE_SHARE 10u

void jit_follow(struct machine *mc, struct process *p, const struct map *m, u32 dump_pid)
{
	const struct dso_desc *desc = dso_get_desc(m->dso);
	const struct jit_source *source = mc->cfg.jit_source;
	const struct jit_mapping mapping = { .pid = p->pid,
					     .dump_pid = dump_pid,
					     .start = m->start,
					     .end = m->end,
					     .name = m->dso_name,
					     .ino = desc->ino,
					     .dev_maj = desc->dev_maj,
					     .dev_min = desc->dev_min };
	struct machine_jit *j;
	bool is_new = !p->jit;
	size_t nr;

	if (is_new)
		jit_add_process(mc, p, m->dso_name);
	j = p->jit;
	nr = j->nr_dumps;
	for (size_t i = 0; i < nr; i++)
		if (j->followed[i].name == m->dso_name)
			return;
	vec_push(j->dumps, j->nr_dumps, j->cap_dumps, NULL);
	vec_push(j->followed, nr, j->cap_followed,
		 ((struct jit_followed){ m->dso_name, source->open(source->ctx, &mapping) }));
	if (is_new) {
		j->nr_dumps = 0; /* nothing is known of it */
		jit_make_object(mc, j);
		j->nr_dumps = nr;
		jit_take_older_maps(mc, p);
	}
}

/* All maps of j's code show it as of its moment. */
static void show_moment(struct machine *mc, struct machine_jit *j)
{
	struct process *p = j->process;
	const struct map *m;
	u64 at = 0;

	while ((m = mapset_find_next(p->maps, at))) {
		at = m->end;
		if (m->dso == j->dso && m->pgoff != j->moment) {
			struct map *n = mc->maker.copy(&mc->maker, m);

			n->pgoff = j->moment;
			mapset_insert(&p->maps, &mc->maker, n);
		}
	}
}

/* Puts the code in order with what was read of its dumps now. */
static void make_again(struct machine *mc, struct machine_jit *j, u64 time)
{
	struct jit_code *old = j->code;
	const struct jit_reuse *reuses;
	struct jitdump **there = xcalloc(j->nr_dumps, sizeof(*there));
	size_t nr_there = 0, nr;
	bool timed = true, same;

	for (size_t i = 0; i < j->nr_dumps; i++) {
		if (!j->dumps[i])
			continue;
		timed &= jit_fit_dump(mc, j->dumps[i]);
		there[nr_there++] = j->dumps[i];
	}
	j->code = jit_code_new(there, nr_there, timed);
	nr = jit_code_reuses(j->code, &reuses);
	/* mostly, code was only added */
	same = j->moment <= nr &&
	       (!j->moment || !memcmp(reuses, j->reuses, j->moment * sizeof(*reuses)));
	j->reuses = reuses;
	j->nr_reuses = nr;
	dso_set_jit(j->dso, j->code);
	jit_code_free(old);
	free(there);
	mapset_renew_code(&j->process->maps, &mc->maker);
	if (same)
		return;
	for (j->moment = 0; j->moment < nr && reuses[j->moment].time <= time;)
		j->moment++;
	show_moment(mc, j);
}

/* Takes what was added to the dumps of j; copies that were replaced are freed behind the code. */
static void renew(struct machine *mc, struct machine_jit *j, u64 time)
{
	const struct jit_source *source = mc->cfg.jit_source;
	struct jitdump **replaced;
	u64 begin = now_ns();
	bool any = false;

	if (begin < j->next_make)
		return;
	replaced = xcalloc(j->nr_dumps, sizeof(*replaced));
	for (size_t i = 0; i < j->nr_dumps; i++) {
		struct jitdump *d = source->take(source->ctx, j->followed[i].number);

		if (!d)
			continue;
		replaced[i] = j->dumps[i];
		j->dumps[i] = d;
		any = true;
	}
	if (any) {
		u64 end;

		make_again(mc, j, time);
		end = now_ns();
		j->next_make = end + (end - begin) * (MAKE_SHARE - 1);
	}
	for (size_t i = 0; i < j->nr_dumps; i++)
		jitdump_copy_free(replaced[i]);
	free(replaced);
}

/* The process has ended, or runs another program. */
static bool is_over(const struct machine_jit *j)
{
	return j->process->refs == 1 || j->process->jit != j;
}

bool machine_jits_renew(struct machine *mc, u64 time)
{
	const struct jit_source *source = mc->cfg.jit_source;
	struct machine_jits *all = mc->jits;
	bool rest = false;
	size_t nr = 0;

	if (!all || !source)
		return false;
	for (size_t i = 0; i < all->nr; i++) {
		struct machine_jit *j = all->items[i];

		if (!is_over(j)) {
			all->items[nr++] = j;
			renew(mc, j, time);
			continue;
		}
		rest |= machine_modules_forget_jit(mc->modules, j->dso);
		dso_set_jit(j->dso, NULL);
		for (size_t k = 0; k < j->nr_dumps; k++)
			source->close(source->ctx, j->followed[k].number);
		jit_free_process(j);
	}
	all->nr = nr;
	jit_set_next_time(mc);
	return rest;
}
