/* SPDX-License-Identifier: MIT */
#include "session/object_weights.h"

#include "base/mem.h"
#include "machine/mapset.h"
#include "machine/machine_stacks.h"
#include "symbols/debuginfod.h"

#define MAX_STACK 1024
#define WORTH_SHARE 100 /* of the period: 1 % */

void object_weights_init(struct object_weights *w, struct session *s)
{
	*w = (struct object_weights){ .s = s };
	if (pd_has_stack_copies(s->pd))
		w->chain.user = machine_stacks_new(s->machine, MAX_STACK);
}

void object_weights_fini(struct object_weights *w)
{
	machine_stacks_free(w->chain.user);
	chain_ips_fini(&w->chain);
	free(w->items);
}

static struct object_weight *item_of(struct object_weights *w, const struct dso *d)
{
	size_t i = dso_get_number(d);

	if (i >= w->nr) {
		size_t nr = 2 * i + 16;

		w->items = xrealloc(w->items, nr * sizeof(*w->items));
		memset(w->items + w->nr, 0, (nr - w->nr) * sizeof(*w->items));
		w->nr = nr;
	}
	return &w->items[i];
}

/* The object's item, with the sample counted once; NULL when ip is in no object. */
static struct object_weight *touch(struct object_weights *w, const struct task_view *task,
				   u8 cpumode, u64 ip, u64 period)
{
	struct mapset *maps = task_space(task, cpumode);
	const struct map *m = maps ? mapset_find(maps, ip) : NULL;
	struct object_weight *item;

	if (!m || !m->dso)
		return NULL;
	item = item_of(w, m->dso);
	if (item->last != w->samples) {
		item->last = w->samples;
		item->period += period;
	}
	return item;
}

void object_weights_add(struct object_weights *w, const struct replay_event *ev)
{
	const struct pd_sample *sample = &ev->sample;
	struct thread *th = machine_thread(w->s->machine, sample->pid, sample->tid);
	struct task_view task = machine_task(w->s->machine, th);
	struct object_weight *item;

	w->samples++;
	w->period += sample->period;
	item = touch(w, &task, sample->cpumode, sample->ip, sample->period);
	if (item)
		item->samples++;
	w->chain.user_maps = task.user_maps;
	chain_list(&w->chain, ev->ev, sample, MAX_STACK);
	for (size_t i = 0; i < w->chain.nr; i++) {
		item = touch(w, &task, w->chain.modes[i], w->chain.ips[i], sample->period);
		if (item)
			item->entries++;
	}
}

struct object_weight object_weights_get(const struct object_weights *w, const struct dso *d)
{
	size_t i = dso_get_number(d);

	return i < w->nr ? w->items[i] : (struct object_weight){ 0 };
}

static void tell(struct debuginfod *client, const struct object_weights *w)
{
	struct dso *const *dsos;
	size_t nr = symbols_get_dsos(w->s->machine->symbols, &dsos);

	/* no object is called so: where all are light, none is asked for */
	debuginfod_want(client, "");
	for (size_t i = 0; i < nr; i++)
		if (object_weights_get(w, dsos[i]).period > w->period / WORTH_SHARE)
			debuginfod_want(client, dso_get_desc(dsos[i])->name);
}

void object_weights_tell_debuginfod(struct session *s, const struct session_config *cfg)
{
	struct debuginfod *client = symbols_get_config(s->machine->symbols)->debuginfod_client;
	struct session_config offline = *cfg;
	struct object_weights w;
	struct replay_event ev;
	struct perfdata *again;
	struct session *look;
	struct replay *r;
	int got;

	if (!client || !s->pd->file_size || !strcmp(s->pd->path, "-") ||
	    pd_open(s->pd->path, NULL, &again, NULL))
		return;
	offline.symbols.debuginfod = NULL;
	offline.symbols.diag = NULL;
	offline.no_jitdumps = true;
	look = session_new(again, &offline, NULL);
	r = replay_new(look, true);
	object_weights_init(&w, look);
	while ((got = replay_next(r, &ev, NULL)) > 0)
		if (ev.is_sample)
			object_weights_add(&w, &ev);
	if (w.samples)
		tell(client, &w);
	object_weights_fini(&w);
	replay_free(r);
	session_free(look);
	pd_close(again);
}
