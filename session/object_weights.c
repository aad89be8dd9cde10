/* SPDX-License-Identifier: MIT */
#include "session/object_weights.h"

#include "base/mem.h"
#include "machine/mapset.h"
#include "machine/machine_stacks.h"
#include "symbols/find/debuginfod.h"

#define MAX_STACK UNWIND_MAX_FRAMES
#define WORTH_SHARE 100 /* of the period: 1 % */

void object_weights_init(struct object_weights *w, struct session *s)
{
	*w = (struct object_weights){ .s = s };
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

void object_weights_add(struct object_weights *w, const struct sample_view *v)
{
	const struct pd_sample *sample = &v->ev->sample;
	struct object_weight *item;

	w->samples++;
	w->period += sample->period;
	item = touch(w, &v->task, sample->cpumode, sample->ip, sample->period);
	if (item)
		item->samples++;
	w->chain.user_maps = v->task.user_maps;
	chain_list(&w->chain, v->ev->ev, sample, MAX_STACK);
	for (size_t i = 0; i < w->chain.nr; i++) {
		item = touch(w, &v->task, w->chain.modes[i], w->chain.ips[i], sample->period);
		if (item)
			item->entries++;
	}
}

struct object_weight object_weights_get(const struct object_weights *w, const struct dso *d)
{
	size_t i = dso_get_number(d);

	return i < w->nr ? w->items[i] : (struct object_weight){ 0 };
}

static int weigh_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	(void)e;
	object_weights_add(CONTAINER_OF(k, struct object_weights, sink), v);
	return 0;
}

int object_weights_run(struct object_weights *w, const char *pass, u32 pass_flags, struct perr *e)
{
	const struct sample_query q = { .pass = NULL };
	int err = session_begin_pass(w->s, pass, pass_flags, e);

	if (err)
		return err;
	if (pd_has_stack_copies(w->s->pd))
		w->chain.user = machine_stacks_new(w->s->machine, MAX_STACK);
	w->sink = (struct sample_sink){ .flags = SINK_LATE_KERNEL, .sample = weigh_sample };
	return session_run(w->s, &q, &w->sink, e);
}

/* Names the objects that are worth a request to the client. */
static void name_wanted(struct debuginfod *client, const struct object_weights *w)
{
	struct dso *const *dsos;
	size_t nr = symbols_get_dsos(w->s->machine->symbols, &dsos);

	/* with an empty list the client would ask for every object: no object has this name */
	debuginfod_want(client, "");
	for (size_t i = 0; i < nr; i++)
		if (object_weights_get(w, dsos[i]).period > w->period / WORTH_SHARE)
			debuginfod_want(client, dso_get_desc(dsos[i])->name);
}

void object_weights_tell_debuginfod(struct session *s)
{
	struct debuginfod *client = symbols_get_config(s->machine->symbols)->debuginfod_client;
	struct object_weights w;

	if (!client)
		return;
	if (!session_can_repeat(s)) {
		diag_warn(s->diag,
			  "%s: debuginfod is asked for every missing file, not only for those of "
			  "frequent objects: a stream can be read only once",
			  s->pd->path);
		return;
	}
	object_weights_init(&w, s);
	/* what is wrong with the recording is reported by the pass that prints it */
	if (object_weights_run(&w, "weighing objects for debuginfod",
			       SESSION_QUIET | SESSION_OFFLINE, NULL) != PERR_UNSUPPORTED &&
	    w.samples)
		name_wanted(client, &w);
	object_weights_fini(&w);
	session_end_pass(s);
}
