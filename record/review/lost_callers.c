/* SPDX-License-Identifier: MIT */
#include "record/review/lost_callers.h"

#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/chain_entries.h"
#include "fileformat/order.h"
#include "machine/frame_pointers.h"
#include "session/session.h"

#define STACKS_WANTED 1000
#define MAX_BYTES ((u64)8 << 20) /* of records that are read */
#define MAX_FRAMES 1024

struct object_count {
	const struct dso *dso;
	u64 stacks;
};

struct review {
	struct lost_callers *ret;
	struct session *s;
	struct machine_modules_known known[MACHINE_MODULES_KNOWN];
	struct idmap by_dso; /* index in objects */
	struct object_count *objects;
	size_t nr_objects, cap_objects;
	u64 ips[MAX_FRAMES]; /* user frames of the chain, leaf first */
	size_t nr_ips;
	struct frame_kept frames[MAX_FRAMES];
};

static bool is_walked_by_frame_pointers(const struct pd_event *ev)
{
	const struct pd_attr *a = &ev->attr;

	return a->sample_type & PD_SAMPLE_CALLCHAIN && !(a->sample_type & PD_SAMPLE_STACK_USER) &&
	       !(a->branch_sample_type & PD_BRANCH_CALL_STACK) && !ev->is_unwound &&
	       !pd_attr_has(a, PD_ATTR_EXCLUDE_CALLCHAIN_USER);
}

static void list_user_frames(struct review *r, const struct pd_sample *s)
{
	struct chain_entries it = chain_entries_of(s->callchain, s->swap, PD_CPUMODE_KERNEL);
	u64 ip;

	r->nr_ips = 0;
	while (r->nr_ips < MAX_FRAMES && chain_entry_next(&it, &ip) > 0)
		if (it.mode == PD_CPUMODE_USER)
			r->ips[r->nr_ips++] = ip;
}

/* The last part of an object's recorded path; the whole name if it ends with a slash. */
static const char *base_name(const struct dso *d)
{
	const char *name = dso_get_desc(d)->name, *slash = strrchr(name, '/');

	return slash && slash[1] ? slash + 1 : name;
}

/*
 * Returns the object of the first frame whose caller the chain lacks; NULL if none does.
 * *ret_others: other frames lack callers, too, or none follows.
 */
static const struct dso *find_lacking(struct review *r, const struct mapset *maps, bool *ret_others)
{
	const struct user_space us = { r->s->machine->modules, maps, r->known };
	const struct unwind_space space = { .maps = &us };
	size_t nr = 0;

	while (nr < r->nr_ips) {
		u64 ip = r->ips[nr] - (nr ? 1 : 0);
		struct frame_kept f = { .kept = frame_pointer_at(&space, ip) };

		if (f.kept == FRAME_POINTER_NONE)
			f.dso = mapset_find(maps, ip)->dso;
		r->frames[nr++] = f;
		if (f.kept == FRAME_POINTER_START)
			break;
	}
	return frame_pointers_lacking(r->frames, nr, ret_others);
}

static void count_object(struct review *r, const struct dso *d)
{
	u32 nr = idmap_get(&r->by_dso, (u64)(uintptr_t)d, 0);

	if (nr == IDMAP_NONE) {
		nr = (u32)r->nr_objects;
		idmap_put(&r->by_dso, (u64)(uintptr_t)d, 0, nr);
		vec_push(r->objects, r->nr_objects, r->cap_objects,
			 (struct object_count){ .dso = d });
	}
	r->objects[nr].stacks++;
}

static void look_at(struct review *r, const struct pd_event *ev, const struct pd_record *rec)
{
	struct machine *mc = r->s->machine;
	const struct dso *lacking;
	struct pd_sample s;
	struct perr e;
	bool others;

	if (pd_read_sample(ev, rec, false, &s, &e))
		return;
	list_user_frames(r, &s);
	if (!r->nr_ips)
		return;
	r->ret->stacks++;
	lacking = find_lacking(r, machine_task(mc, machine_thread(mc, s.pid, s.tid)).user_maps,
			       &others);
	if (!lacking)
		return;
	r->ret->lacking++;
	r->ret->one_only += !others;
	count_object(r, lacking);
}

static int look_at_records(struct review *r, u64 every, struct perr *e)
{
	struct perfdata *pd = r->s->pd;
	struct pd_order *order = pd_order_new(pd);
	u64 nr_samples = 0, bytes = 0, time;
	struct pd_record rec;
	int got = 0;

	while (bytes < MAX_BYTES && (got = pd_order_next(order, &rec, &time, e)) == 1) {
		const struct pd_event *ev;

		bytes += rec.size;
		if (rec.type != PD_RECORD_SAMPLE) {
			machine_apply(r->s->machine, &rec);
			continue;
		}
		if (nr_samples++ % every)
			continue;
		ev = pd_event_of_record(pd, &rec);
		if (ev && is_walked_by_frame_pointers(ev))
			look_at(r, ev, &rec);
	}
	pd_order_free(order);
	return got < 0 ? got : 0;
}

static void name_object(const struct review *r)
{
	const struct object_count *most = NULL;

	for (size_t i = 0; i < r->nr_objects; i++)
		if (!most || r->objects[i].stacks > most->stacks)
			most = &r->objects[i];
	if (most)
		r->ret->object = xstrdup(base_name(most->dso));
}

/* One of how many samples to look at, for STACKS_WANTED of those that are read. */
static u64 spread(u64 nr_samples, u64 nr_bytes)
{
	u64 read = nr_samples;

	if (nr_bytes > MAX_BYTES)
		read = (u64)((double)nr_samples * (double)MAX_BYTES / (double)nr_bytes);
	return read > STACKS_WANTED ? read / STACKS_WANTED : 1;
}

int lost_callers_find(const char *path, u64 nr_samples, u64 nr_bytes, struct lost_callers *ret,
		      struct perr *e)
{
	const struct session_config cfg = { .no_jitdumps = true };
	struct review *r = xcalloc(1, sizeof(*r));
	struct perfdata *pd;
	int err = pd_open(path, NULL, &pd, e);

	*ret = (struct lost_callers){ 0 };
	r->ret = ret;
	if (!err) {
		r->s = session_new(pd, &cfg, NULL);
		err = session_begin_pass(r->s, "looking for lost callers", SESSION_QUIET, e);
		if (!err)
			err = look_at_records(r, spread(nr_samples, nr_bytes), e);
		if (!err)
			name_object(r);
		session_free(r->s);
		pd_close(pd);
	}
	idmap_fini(&r->by_dso);
	free(r->objects);
	free(r);
	return err;
}

void lost_callers_fini(struct lost_callers *c)
{
	free(c->object);
	*c = (struct lost_callers){ 0 };
}
