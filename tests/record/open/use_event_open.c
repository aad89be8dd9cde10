/* SPDX-License-Identifier: MIT */
#include "tests/record/open/use_event_open.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

static int fake_open(void *ctx, const void *attr, size_t size, s32 pid, s32 cpu, int group_fd,
		     unsigned long flags)
{
	struct fake_kernel *k = ctx;
	struct call *c = &k->calls[k->nr];
	struct cursor cur = cursor_of(span_of(attr, size), false);
	struct perr e;
	int err;

	CHECK(k->nr < MAX_CALLS);
	CHECK(!pd_attr_decode(&cur, &c->attr, &e));
	CHECK_EQ(c->attr.size, size);
	c->raw_config1 = c->attr.config1;
	c->pid = pid;
	c->cpu = cpu;
	c->group_fd = group_fd;
	c->flags = flags;
	err = k->refuse ? k->refuse(k, c) : 0;
	c->result = err ? -err : eventfd(0, EFD_CLOEXEC);
	k->nr++;
	return c->result;
}

static int fake_ioctl(void *ctx, int fd, unsigned long request, u64 arg)
{
	struct fake_kernel *k = ctx;

	CHECK(fd > 2);
	if (request == PERF_EVENT_IOC_ID) {
		u64 id = 1000 + ++k->last_id;

		memcpy((void *)(uintptr_t)arg, &id, sizeof(id));
	} else if (request == PERF_EVENT_IOC_SET_FILTER) {
		snprintf(k->filter, sizeof(k->filter), "%s", (const char *)(uintptr_t)arg);
		k->nr_filters++;
		return -k->filter_errno;
	} else if (request == PERF_EVENT_IOC_ENABLE) {
		k->nr_on++;
	} else if (request == PERF_EVENT_IOC_DISABLE) {
		k->nr_off++;
	}
	return 0;
}

void rig_init(struct rig *r, size_t nr_cpus, size_t nr_threads)
{
	memset(r, 0, sizeof(*r));
	r->proc = fake_tree_new();
	fake_file(&r->proc, "sys/kernel/perf_event_paranoid", "2\n");
	fake_file(&r->proc, "sys/kernel/perf_event_max_sample_rate", "100000\n");
	fake_file(&r->proc, "sys/kernel/pid_max", "32768\n");
	fake_file(&r->proc, "self/status", "Tgid:\t9\nUid:\t1000\t1000\t1000\t1000\nCapEff:\t0\n");
	r->k = xcalloc(1, sizeof(*r->k));
	r->sys = (struct rec_sys){ fake_open, fake_ioctl, r->k };
	evlist_init(&r->l);
	r->l.attr_size = 128;
	rec_opts_init(&r->o);
	r->o.on_terminal = true;
	r->o.host.procfs = r->proc.root;
	diag_init(&r->diag);
	r->o.diag = &r->diag;
	r->t.kind = nr_threads ? REC_TARGET_TIDS : REC_TARGET_SYSTEM;
	for (u32 i = 0; i < nr_cpus; i++)
		vec_push(r->t.cpus.cpus, r->t.cpus.nr, r->t.cpus.cap, i);
	r->t.any_cpu = !nr_cpus;
	for (s32 i = 0; i < (s32)nr_threads; i++)
		vec_push(r->t.threads, r->t.nr_threads, r->t.cap_threads,
			 ((struct rec_thread){ .pid = 100, .tid = 100 + i, .comm = "busy" }));
	if (!nr_threads)
		vec_push(r->t.threads, r->t.nr_threads, r->t.cap_threads,
			 ((struct rec_thread){ .pid = -1, .tid = -1 }));
}

void rig_fini(struct rig *r)
{
	event_close_all(&r->l, &r->sys);
	evlist_fini(&r->l);
	target_fini(&r->t);
	diag_fini(&r->diag);
	fake_tree_free(&r->proc);
	free(r->k);
}

struct rec_event *rig_add(struct rig *r, const char *name, u32 type, u64 config)
{
	struct rec_event *ev = evlist_add(&r->l, name, type, config);

	ev->attr.flags = FLAG(DISABLED) | FLAG(INHERIT) | FLAG(SAMPLE_ID_ALL) | FLAG(FREQ);
	ev->attr.sample_period_or_freq = 4000;
	ev->attr.sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME;
	ev->attr.read_format = PD_FORMAT_ID | PD_FORMAT_LOST;
	if (r->l.nr == 1) {
		ev->is_tracking = true;
		ev->attr.flags |= FLAG(MMAP) | FLAG(MMAP2) | FLAG(COMM) | FLAG(TASK);
	}
	return ev;
}

struct rec_event *rig_add_cycles(struct rig *r)
{
	struct rec_event *ev = rig_add(r, "cycles", PD_TYPE_HARDWARE, 0);

	ev->is_default = ev->precise_max = true;
	ev->attr.flags |= 3ull << PD_ATTR_PRECISE_IP;
	return ev;
}

void rig_make_group(struct rig *r, u32 first, u32 nr)
{
	for (u32 i = first; i < first + nr; i++) {
		struct rec_event *ev = r->l.events[i];

		ev->in_group = true;
		ev->leader_idx = first;
		ev->nr_members = i == first ? nr : 0;
		if (i != first)
			ev->attr.flags &= ~FLAG(DISABLED);
	}
}

int rig_open(struct rig *r)
{
	return event_open_all(&r->l, &r->t, &r->o, &r->sys, &r->e);
}

const char *rig_only_note(struct rig *r)
{
	CHECK_EQ(r->diag.nr, 1);
	return r->diag.entries[0].text;
}

void check_has_part(const char *text, const char *part)
{
	if (!strstr(text, part))
		unit_fail(__FILE__, __LINE__, "no '%s' in '%s'", part, text);
}

int no_hardware(struct fake_kernel *k, const struct call *c)
{
	(void)k;
	return c->attr.type == PD_TYPE_HARDWARE ? ENOENT : 0;
}
