/* SPDX-License-Identifier: MIT */
#include "session/jit.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>

#include "base/mem.h"
#include "session/objects.h"
#include "session/recorded_at.h"
#include "session/sideband.h"
#include "symbols/jit_code.h"

/*
 * A reuse makes the frames in this much of memory around it new ones. Smaller: more maps in the
 * set; larger: more frames are looked up again.
 */
#define REUSE_BLOCK ((u64)32 << 10)

/* The code of one process, as its dumps tell of it. */
struct session_jit {
	struct process *process; /* a reference */
	struct jitdump **dumps;  /* borrowed from session_jits */
	size_t nr_dumps, cap_dumps;
	struct dso *dso;
	const char *name; /* of the first dump, as recorded */
	const struct jit_reuse *reuses;
	size_t nr_reuses;
	size_t moment; /* that many of them have happened */
};

struct session_jits {
	struct session_jit **items;
	size_t nr, cap;
	struct jitdump **dumps;
	size_t nr_dumps, cap_dumps;
	struct jit_code **codes; /* also those that a second dump of a process replaced */
	size_t nr_codes, cap_codes;
	bool has_conv;
	u64 shift, mult, zero;
};

static struct session_jits *jits(struct session *s)
{
	if (!s->jits)
		s->jits = xcalloc(1, sizeof(*s->jits));
	return s->jits;
}

void session_jits_free(struct session_jits *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->nr; i++) {
		process_put(j->items[i]->process);
		free(j->items[i]->dumps);
		free(j->items[i]);
	}
	for (size_t i = 0; i < j->nr_codes; i++)
		jit_code_free(j->codes[i]);
	for (size_t i = 0; i < j->nr_dumps; i++)
		jitdump_close(j->dumps[i]);
	free(j->items);
	free(j->codes);
	free(j->dumps);
	free(j);
}

void session_jit_time_conv(struct session *s, u64 shift, u64 mult, u64 zero)
{
	struct session_jits *j = jits(s);

	if (shift >= 64)
		return;
	j->has_conv = true;
	j->shift = shift;
	j->mult = mult;
	j->zero = zero;
}

/* As the kernel's perf_event_mmap_page has it. */
static u64 time_of_cycles(const struct session_jits *j, u64 cycles)
{
	u64 rest = cycles & (((u64)1 << j->shift) - 1);

	return j->zero + (cycles >> j->shift) * j->mult + (rest * j->mult >> j->shift);
}

static bool samples_are_monotonic(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_attr *a = &pd->events[i]->attr;

		if (!pd_attr_has(a, PD_ATTR_USE_CLOCKID) || a->clockid != CLOCK_MONOTONIC)
			return false;
	}
	return true;
}

/* Brings the dump's times to those of samples; false when that cannot be done. */
static bool convert_times(struct session *s, struct jitdump *d)
{
	if (!d->arch_times)
		return samples_are_monotonic(s->pd);
	if (!jits(s)->has_conv)
		return false;
	for (size_t i = 0; i < d->nr; i++)
		d->funcs[i].time = time_of_cycles(jits(s), d->funcs[i].time);
	d->arch_times = false;
	return true;
}

/* "PATH/jit-NUMBER.dump": the number, and where the file's own name begins; false: no such name. */
static bool is_dump_name(const char *name, u32 *ret_pid, const char **ret_base)
{
	const char *base = strrchr(name, '/');
	unsigned int pid;
	int end = 0;

	if (!base || sscanf(base, "/jit-%u.dump%n", &pid, &end) != 1 || !end || base[end])
		return false;
	*ret_pid = pid;
	*ret_base = base + 1;
	return true;
}

/* Takes path. True when it is the dump of that process, or nothing need be looked for any more. */
static bool try_dump(struct session *s, char *path, u32 pid, struct jitdump **ret)
{
	struct jitdump *d = NULL;
	struct perr e;
	int err;

	if (!path)
		return false;
	err = jitdump_open(path, &d, &e);
	if (!err && d->pid != pid) {
		diag_warn(s->diag, "%s: jitdump of another process (%" PRIu32 ")", path, d->pid);
		jitdump_close(d);
		d = NULL;
	} else if (err && err != PERR_IO) {
		diag_warn(s->diag, "%s", e.text);
	}
	if (d && d->damaged_at)
		diag_warn(s->diag, "%s: no whole record at offset %#zx: used up to there", path,
			  d->damaged_at);
	free(path);
	*ret = d;
	return d;
}

static struct jitdump *find_dump(struct session *s, const struct process *p, const char *name)
{
	const struct symbols_config *cfg = symbols_get_config(s->symbols);
	struct recorded_process rec = recorded_process(s, p);
	struct jitdump *d = NULL;
	const char *base;
	u32 pid;

	if (!is_dump_name(name, &pid, &base))
		return NULL;
	if (cfg->symfs && *cfg->symfs && try_dump(s, xasprintf("%s%s", cfg->symfs, name), pid, &d))
		return d;
	if (!cfg->hermetic && live_process_is(&rec) && live_process_has_other_files(p->pid) &&
	    try_dump(s, xasprintf("/proc/%" PRIu32 "/root%s", p->pid, name), pid, &d))
		return d;
	if (!cfg->hermetic && try_dump(s, xstrdup(name), pid, &d))
		return d;
	if (try_dump(s, recorded_beside(s, base), pid, &d))
		return d;
	diag_warn(s->diag, "%s: jitdump not found: code of the JIT stays without names", name);
	return NULL;
}

static void set_next_time(struct session *s)
{
	s->next_jit_time = UINT64_MAX;
	for (size_t i = 0; i < s->jits->nr; i++) {
		const struct session_jit *j = s->jits->items[i];

		if (j->moment < j->nr_reuses && j->reuses[j->moment].time < s->next_jit_time)
			s->next_jit_time = j->reuses[j->moment].time;
	}
}

/* What the code's object looks like with all dumps of j. */
static void make_object(struct session *s, struct session_jit *j)
{
	struct session_jits *all = jits(s);
	struct dso_desc desc = { .kind = DSO_JIT, .name = j->name };
	bool timed = true;

	for (size_t i = 0; i < j->nr_dumps; i++)
		timed &= convert_times(s, j->dumps[i]);
	desc.jit = jit_code_new(j->dumps, j->nr_dumps, timed);
	vec_push(all->codes, all->nr_codes, all->cap_codes, (struct jit_code *)desc.jit);
	if (jit_code_is_ambiguous(desc.jit))
		diag_warn(s->diag,
			  "%s: memory of JIT code was used again, and the recording's clock does "
			  "not tell when (prec -k mono): the last code is shown",
			  j->name);
	desc.recorded = recorded_process(s, j->process);
	desc.ns_pid = j->process->ns_pid;
	desc.jit_map = sideband_jit_map(s, j->process);
	j->dso = symbols_add_dso(s->symbols, &desc);
	j->nr_reuses = jit_code_reuses(desc.jit, &j->reuses);
	j->moment = 0;
}

bool session_jit_is_code(const struct process *p, const char *name)
{
	return p->jit && (!strncmp(name, "/memfd:", 7) || !strncmp(name, "[anon:", 6));
}

void session_jit_take(struct session *s, struct process *p, struct map *m)
{
	(void)s;
	m->dso = p->jit->dso;
	m->dso_name = p->jit->name;
	m->pgoff = p->jit->moment;
	m->identity = m->timed = true;
}

/* Memory mapped before the dump was. */
static void take_older_maps(struct session *s, struct process *p)
{
	const struct mapset *set = p->maps;
	const struct map **found = NULL;
	size_t nr = 0, cap = 0;

	for (size_t i = 0; i < set->nr; i++) {
		const struct map *m = set->maps[i];

		if (m->prot & PROT_EXEC &&
		    (dso_get_desc(m->dso)->kind == DSO_JIT || session_jit_is_code(p, m->dso_name)))
			vec_push(found, nr, cap, m);
	}
	for (size_t i = 0; i < nr; i++) {
		struct map *m = s->maker.copy(&s->maker, found[i]);

		session_jit_take(s, p, m);
		mapset_insert(&p->maps, &s->maker, m);
	}
	free(found);
}

static bool has_dump(const struct session_jit *j, const char *path)
{
	for (size_t i = 0; j && i < j->nr_dumps; i++)
		if (!strcmp(j->dumps[i]->path, path))
			return true;
	return false;
}

void session_jit_mark(struct session *s, struct process *p, const char *name)
{
	struct session_jits *all;
	struct jitdump *d;
	const char *base;
	u32 pid;

	if (s->no_jitdumps || !is_dump_name(name, &pid, &base))
		return;
	d = find_dump(s, p, name);
	/* the mark of a child that inherited it, or of a second mapping */
	if (!d || has_dump(p->jit, d->path)) {
		jitdump_close(d);
		return;
	}
	all = jits(s);
	vec_push(all->dumps, all->nr_dumps, all->cap_dumps, d);
	if (!p->jit) {
		p->jit = xcalloc(1, sizeof(*p->jit));
		p->jit->process = process_get(p);
		p->jit->name = name;
		vec_push(all->items, all->nr, all->cap, p->jit);
	}
	vec_push(p->jit->dumps, p->jit->nr_dumps, p->jit->cap_dumps, d);
	make_object(s, p->jit);
	take_older_maps(s, p);
	set_next_time(s);
}

/* The maps around a reuse become those of the moment. */
static void touch(struct session *s, struct session_jit *j, const struct jit_reuse *r)
{
	struct process *p = j->process;
	const struct map *m = mapset_find_next(p->maps, r->start);
	u64 next;

	for (; m && m->start < r->end; m = mapset_find_next(p->maps, next)) {
		u64 end = (r->end + REUSE_BLOCK - 1) & ~(REUSE_BLOCK - 1);
		struct map *n;

		next = m->end;
		if (m->dso != j->dso || m->pgoff == j->moment)
			continue;
		n = s->maker.copy(&s->maker, m);
		n->pgoff = j->moment;
		if (n->start < (r->start & ~(REUSE_BLOCK - 1)))
			n->start = r->start & ~(REUSE_BLOCK - 1);
		if (end >= r->end && n->end > end)
			n->end = end;
		mapset_insert(&p->maps, &s->maker, n);
	}
}

void session_jit_advance(struct session *s, u64 time)
{
	for (size_t i = 0; i < s->jits->nr; i++) {
		struct session_jit *j = s->jits->items[i];
		size_t k = j->moment;

		while (j->moment < j->nr_reuses && j->reuses[j->moment].time <= time)
			j->moment++;
		for (; k < j->moment; k++)
			touch(s, j, &j->reuses[k]);
	}
	set_next_time(s);
}
