/* SPDX-License-Identifier: MIT */
#include "record/before/synthesize.h"

#include "record/before/synth_bpf.h"
#include "record/before/synth_cgroups.h"
#include "record/before/synth_events.h"
#include "record/before/synth_kernel.h"
#include "record/before/synth_tasks.h"

static bool is_user_only(const struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (!pd_attr_has(&l->events[i]->attr, PD_ATTR_EXCLUDE_KERNEL))
			return false;
	return true;
}

static void put_tasks(struct synth *s, const struct rec_target *t)
{
	bool wanted = !s->o->synth_none && !s->o->synth_task_off;

	switch (t->kind) {
	case REC_TARGET_WORKLOAD:
		/* The kernel writes the maps of the command when it executes. */
		if (t->nr_threads)
			synth_workload(s, t->threads[0].tid);
		break;
	case REC_TARGET_PIDS:
	case REC_TARGET_TIDS:
		if (wanted)
			synth_target_tasks(s, t);
		break;
	case REC_TARGET_SYSTEM:
		if (wanted)
			synth_all_tasks(s);
		break;
	}
}

void synthesize_all(struct wbuf *out, const struct rec_evlist *l, const struct rec_target *t,
		    const struct rec_opts *o, const void *time_page)
{
	struct synth s;
	bool is_pipe = o->output && !strcmp(o->output, "-");

	synth_init(&s, out, o, l->nr ? pd_trailer_size(&l->events[0]->attr) : 0);
	synth_time_conv(out, time_page);
	synth_id_index(out, l, t);
	if (!is_user_only(l))
		synth_kernel(&s, "/lib/modules");
	synth_event_updates(out, l, is_pipe);
	synth_thread_map(out, t);
	synth_cpu_map(out, t);
	if (o->bpf_event != REC_OFF)
		synth_bpf(&s);
	if (o->all_cgroups && !o->synth_none && !o->synth_cgroup_off)
		synth_cgroups(&s);
	put_tasks(&s, t);
	pd_put_finished_init(out);
	synth_fini(&s);
}
