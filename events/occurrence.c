/* SPDX-License-Identifier: MIT */
#include "events/occurrence.h"

#include "base/mem.h"

static struct kept_sample *keep_sample(const struct sample_view *v)
{
	struct kept_sample *k = xcalloc(1, sizeof(*k));

	k->rec = v->ev->rec;
	/* a block may be large: to hold it for one sample would take too much memory */
	if (k->rec.block) {
		k->copy = xmalloc(k->rec.size);
		memcpy(k->copy, k->rec.data, k->rec.size);
		k->rec.data = k->copy;
		k->rec.block = NULL;
	}
	k->user_maps = v->task.user_maps ? mapset_get(v->task.user_maps) : NULL;
	k->kernel_maps = v->task.kernel_maps ? mapset_get(v->task.kernel_maps) : NULL;
	return k;
}

void occurrence_init(struct occurrence *o, const struct sample_view *v, bool keep)
{
	const struct pd_sample *s = &v->ev->sample;

	*o = (struct occurrence){ .time = s->time,
				  .pid = s->pid,
				  .tid = s->tid,
				  .cpu = s->cpu,
				  .ev = v->ev->ev,
				  .comm = v->task.comm,
				  .kept = keep ? keep_sample(v) : NULL };
}

void kept_sample_free(struct kept_sample *k)
{
	if (!k)
		return;
	mapset_put(k->user_maps);
	mapset_put(k->kernel_maps);
	free(k->copy);
	free(k);
}

void occurrence_fini(struct occurrence *o)
{
	kept_sample_free(o->kept);
	o->kept = NULL;
}

size_t occurrence_bytes(const struct occurrence *o)
{
	return !o->kept ? 0 : sizeof(*o->kept) + (o->kept->copy ? o->kept->rec.size : 0);
}
