/* SPDX-License-Identifier: MIT */
#include "report/pscript/script_output.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/text/record_text.h"

/* The file of an event's samples beside the recording; '/' in the event's name becomes '_'. */
static char *event_path(const char *recording, const char *event)
{
	char *path = xasprintf("%s.%s.dump", recording, event);

	for (char *p = path + strlen(recording); *p; p++)
		if (*p == '/')
			*p = '_';
	return path;
}

/* The file's name is known in advance, so a link that someone has put there is not followed. */
static FILE *create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!f && fd >= 0)
		close(fd);
	return f;
}

int script_output_init(struct script_output *so, const struct perfdata *pd, bool per_event,
		       struct perr *e)
{
	struct event_file *ef;
	size_t i;

	*so = (struct script_output){ .pd = pd };
	out_init(&so->main, stdout);
	if (!per_event)
		return 0;
	so->files = xcalloc(pd->nr_events, sizeof(*so->files));
	for (i = 0; i < pd->nr_events; i++) {
		ef = &so->files[i];
		ef->path = event_path(pd->path, pd->events[i]->name);
		so->nr_files = i + 1;
		ef->f = create(ef->path);
		if (!ef->f)
			return perr_io(e, "cannot make %s", ef->path);
		out_init(&ef->out, ef->f);
	}
	return 0;
}

int script_output_fini(struct script_output *so)
{
	int ret = out_fini(&so->main);
	size_t i;

	for (i = 0; i < so->nr_files; i++) {
		struct event_file *ef = &so->files[i];

		if (!ef->f) {
			free(ef->path);
			continue;
		}
		if (out_fini(&ef->out))
			ret = -1;
		ef->bytes = (u64)ftell(ef->f);
		/* perf 6.1 asks for the size before the last piece of its buffer is written */
		if (so->pd->format == TEXT_PERF_6_1)
			ef->bytes &= ~4095ull;
		if (fclose(ef->f))
			ret = -1;
		printf("[ perf script: Wrote %.3f MB %s (%llu samples) ]\n",
		       (double)ef->bytes / 1024 / 1024, ef->path,
		       (unsigned long long)ef->nr_samples);
		free(ef->path);
	}
	stat_text_fini(&so->stat);
	free(so->files);
	so->files = NULL;
	so->nr_files = 0;
	return ret;
}

void script_output_flush(struct script_output *so)
{
	if (so->main.len)
		(void)out_flush(&so->main);
	for (size_t i = 0; i < so->nr_files; i++)
		(void)out_flush(&so->files[i].out);
}

struct out *script_output_of_event(struct script_output *so, const struct pd_event *ev)
{
	if (!so->files || ev->idx >= so->nr_files)
		return &so->main;
	so->files[ev->idx].nr_samples++;
	return &so->files[ev->idx].out;
}

static bool is_shown(const struct pscript_options *opt, u32 type)
{
	switch (type) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2: return opt->show_mmap;
	case PD_RECORD_COMM:
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: return opt->show_task;
	case PD_RECORD_SWITCH:
	case PD_RECORD_SWITCH_CPU_WIDE: return opt->show_switch;
	case PD_RECORD_NAMESPACES: return opt->show_namespace;
	case PD_RECORD_LOST: return opt->show_lost;
	case PD_RECORD_FINISHED_ROUND: return opt->show_round;
	case PD_RECORD_KSYMBOL:
	case PD_RECORD_BPF_EVENT: return opt->show_bpf;
	case PD_RECORD_CGROUP: return opt->show_cgroup;
	case PD_RECORD_TEXT_POKE: return opt->show_text_poke;
	case PD_RECORD_CALLCHAIN_DEFERRED: return opt->no_merge;
	default: return false;
	}
}

/* Task and map records name their task in the record; for others it is in sample_id. */
static void task_of(const struct replay_event *ev, bool swap, u32 *pid, u32 *tid)
{
	const u8 *p = ev->rec.data;

	*pid = ev->sample.pid;
	*tid = ev->sample.tid;
	switch (ev->rec.type) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2:
	case PD_RECORD_COMM:
	case PD_RECORD_NAMESPACES:
		if (ev->rec.size < 16)
			return;
		*pid = get_u32(p + 8, swap);
		*tid = get_u32(p + 12, swap);
		return;
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT:
		if (ev->rec.size < 20)
			return;
		*pid = get_u32(p + 8, swap);
		*tid = get_u32(p + 16, swap);
		return;
	}
}

void script_output_record(struct script_output *so, const struct pscript_options *opt,
			  struct sample_text *text, struct session *s,
			  const struct replay_event *ev)
{
	struct pd_sample sample = ev->sample;
	struct task_view task;
	bool has_task = false;
	const struct pd_event *e = ev->ev;
	u32 pid, tid;

	stat_text_record(&so->stat, &so->main, s->pd, &ev->rec);
	if (!is_shown(opt, ev->rec.type))
		return;
	if (ev->rec.type == PD_RECORD_FINISHED_ROUND) {
		record_text(&so->main, s->pd, &ev->rec, NULL);
		return;
	}
	task_of(ev, s->pd->swap, &pid, &tid);
	if (e && !pd_attr_has(&e->attr, PD_ATTR_SAMPLE_ID_ALL)) {
		sample.cpu = 0;
		sample.time = 0;
		if ((ev->rec.type == PD_RECORD_FORK || ev->rec.type == PD_RECORD_EXIT) &&
		    ev->rec.size >= 32)
			sample.time = get_u64(ev->rec.data + 24, s->pd->swap);
		sample.pid = pid;
		sample.tid = tid;
	}
	if (opt->filter.cpus.bits && !filter_wants_record(&opt->filter, &sample))
		return;
	if (tid != (u32)-1) {
		task = machine_task(s->machine, machine_thread(s->machine, pid, tid));
		has_task = true;
	}
	if (e)
		sample_text_start(text, &so->main, e, &sample, ev->rec.type,
				  has_task ? &task : NULL);
	record_text(&so->main, s->pd, &ev->rec, NULL);
}
