/* SPDX-License-Identifier: MIT */
#include "machine/jit.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "machine/objects.h"
#include "machine/recorded_at.h"
#include "machine/machine_maps.h"
#include "symbols/find/build_id_cache.h"
#include "symbols/jit/jit_code.h"

/*
 * A reuse makes the frames in this much of memory around it new ones. Smaller: more maps in the
 * set; larger: more frames are looked up again.
 */
#define REUSE_BLOCK ((u64)32 << 10)

/* The code of one process, as its dumps tell of it. */
struct machine_jit {
	struct process *process; /* a reference */
	struct jitdump **dumps;  /* borrowed from machine_jits */
	size_t nr_dumps, cap_dumps;
	struct dso *dso;
	const char *name; /* of the first dump, as recorded */
	const struct jit_reuse *reuses;
	size_t nr_reuses;
	size_t moment; /* that many of them have happened */
};

struct machine_jits {
	struct machine_jit **items;
	size_t nr, cap;
	struct jitdump **dumps;
	size_t nr_dumps, cap_dumps;
	struct jit_code **codes; /* also those that a second dump of a process replaced */
	size_t nr_codes, cap_codes;
	bool has_conv;
	u64 shift, mult, zero;
};

static struct machine_jits *jits(struct machine *mc)
{
	if (!mc->jits)
		mc->jits = xcalloc(1, sizeof(*mc->jits));
	return mc->jits;
}

void machine_jits_reset(struct machine_jits *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->nr; i++) {
		process_put(j->items[i]->process);
		free(j->items[i]->dumps);
		free(j->items[i]);
	}
	j->nr = 0;
	j->has_conv = false;
}

void machine_jits_free(struct machine_jits *j)
{
	if (!j)
		return;
	machine_jits_reset(j);
	for (size_t i = 0; i < j->nr_codes; i++)
		jit_code_free(j->codes[i]);
	for (size_t i = 0; i < j->nr_dumps; i++)
		jitdump_close(j->dumps[i]);
	free(j->items);
	free(j->codes);
	free(j->dumps);
	free(j);
}

void machine_jit_time_conv(struct machine *mc, u64 shift, u64 mult, u64 zero)
{
	struct machine_jits *j = jits(mc);

	if (shift >= 64)
		return;
	j->has_conv = true;
	j->shift = shift;
	j->mult = mult;
	j->zero = zero;
}

/* As the kernel's perf_event_mmap_page has it. */
static u64 time_of_cycles(const struct machine_jits *j, u64 cycles)
{
	u64 rest = cycles & (((u64)1 << j->shift) - 1);

	return j->zero + (cycles >> j->shift) * j->mult + (rest * j->mult >> j->shift);
}

/* Brings the dump's times to those of samples; false when that cannot be done. */
static bool convert_times(struct machine *mc, struct jitdump *d)
{
	if (!d->arch_times)
		return mc->cfg.clock_is_monotonic;
	if (!jits(mc)->has_conv)
		return false;
	for (size_t i = 0; i < d->nr; i++)
		d->funcs[i].time = time_of_cycles(jits(mc), d->funcs[i].time);
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

/*
 * Takes path. True when it is the dump of that process, or nothing need be looked for any more.
 * Sets *ret_refused if there is a file that must not be read; a warning says so.
 */
static bool try_dump(struct machine *mc, char *path, u32 pid, struct jitdump **ret,
		     bool *ret_refused)
{
	const struct symbols_config *cfg = symbols_get_config(mc->symbols);
	const struct file_rules rules = symbols_jit_rules(cfg);
	struct jitdump *d = NULL;
	enum file_fault fault;
	struct perr e;
	int err;

	if (!path)
		return false;
	fault = regular_file_find(path, &rules);
	symbols_warn_refused(cfg, path, fault);
	if (file_fault_advice(fault)) {
		*ret_refused = true;
		free(path);
		return false;
	}
	err = jitdump_open(path, &rules, &d, &e);
	if (!err && d->pid != pid) {
		diag_warn(mc->cfg.diag, "%s: jitdump of another process (%" PRIu32 ")", path,
			  d->pid);
		jitdump_close(d);
		d = NULL;
	} else if (err && err != PERR_IO) {
		diag_warn(mc->cfg.diag, "%s", e.text);
	}
	if (d && d->damaged_at)
		diag_warn(mc->cfg.diag, "%s: no whole record at offset %#zx: used up to there",
			  path, d->damaged_at);
	free(path);
	*ret = d;
	return d;
}

static struct jitdump *find_dump(struct machine *mc, const struct process *p, const struct map *m)
{
	const char *name = m->dso_name;
	const struct dso_desc *desc = dso_get_desc(m->dso);
	const struct symbols_config *cfg = symbols_get_config(mc->symbols);
	struct recorded_process rec = recorded_process(mc, p);
	struct jitdump *d = NULL;
	bool refused = false;
	const char *base;
	u32 pid;

	if (!is_dump_name(name, &pid, &base))
		return NULL;
	if (recorded_path_check(name) != FILE_FINE) {
		symbols_warn_refused(cfg, name, recorded_path_check(name));
		return NULL;
	}
	if (cfg->symfs && *cfg->symfs &&
	    try_dump(mc, xasprintf("%s%s", cfg->symfs, name), pid, &d, &refused))
		return d;
	if (desc->id_is_cache_key &&
	    try_dump(mc, build_id_cache_path(cfg, desc->build_id, desc->build_id_size, "elf"), pid,
		     &d, &refused))
		return d;
	if (!cfg->hermetic && live_process_is(&rec) && live_process_has_other_files(p->pid) &&
	    try_dump(mc, xasprintf("/proc/%" PRIu32 "/root%s", p->pid, name), pid, &d, &refused))
		return d;
	if (!cfg->hermetic && try_dump(mc, xstrdup(name), pid, &d, &refused))
		return d;
	if (try_dump(mc, recorded_beside(mc, base), pid, &d, &refused))
		return d;
	if (!refused)
		diag_warn(mc->cfg.diag,
			  "%s: jitdump not found: code of the JIT stays without names", name);
	return NULL;
}

static void set_next_time(struct machine *mc)
{
	mc->next_jit_time = UINT64_MAX;
	for (size_t i = 0; i < mc->jits->nr; i++) {
		const struct machine_jit *j = mc->jits->items[i];

		if (j->moment < j->nr_reuses && j->reuses[j->moment].time < mc->next_jit_time)
			mc->next_jit_time = j->reuses[j->moment].time;
	}
}

/* What the code's object looks like with all dumps of j. */
static void make_object(struct machine *mc, struct machine_jit *j)
{
	struct machine_jits *all = jits(mc);
	struct dso_desc desc = { .kind = DSO_JIT, .name = j->name };
	bool timed = true;

	for (size_t i = 0; i < j->nr_dumps; i++)
		timed &= convert_times(mc, j->dumps[i]);
	desc.jit = jit_code_new(j->dumps, j->nr_dumps, timed);
	vec_push(all->codes, all->nr_codes, all->cap_codes, (struct jit_code *)desc.jit);
	if (jit_code_is_ambiguous(desc.jit))
		diag_warn(mc->cfg.diag,
			  "%s: memory of JIT code was used again, and the recording's clock does "
			  "not tell when (prec -k mono): the last code is shown",
			  j->name);
	desc.recorded = recorded_process(mc, j->process);
	desc.ns_pid = j->process->ns_pid;
	desc.jit_map = machine_jit_map(mc, j->process);
	j->dso = symbols_add_dso(mc->symbols, &desc);
	j->nr_reuses = jit_code_reuses(desc.jit, &j->reuses);
	j->moment = 0;
}

bool machine_jit_is_code(const struct process *p, const char *name)
{
	return p->jit && (!strncmp(name, "/memfd:", 7) || !strncmp(name, "[anon:", 6));
}

void machine_jit_take(struct machine *mc, struct process *p, struct map *m)
{
	(void)mc;
	m->dso = p->jit->dso;
	m->dso_name = p->jit->name;
	m->pgoff = p->jit->moment;
	m->identity = m->timed = true;
}

/* Memory mapped before the dump was. */
static void take_older_maps(struct machine *mc, struct process *p)
{
	const struct mapset *set = p->maps;
	const struct map **found = NULL;
	size_t nr = 0, cap = 0;

	for (size_t i = 0; i < set->nr; i++) {
		const struct map *m = set->maps[i];

		if (m->prot & PROT_EXEC &&
		    (dso_get_desc(m->dso)->kind == DSO_JIT || machine_jit_is_code(p, m->dso_name)))
			vec_push(found, nr, cap, m);
	}
	for (size_t i = 0; i < nr; i++) {
		struct map *m = mc->maker.copy(&mc->maker, found[i]);

		machine_jit_take(mc, p, m);
		mapset_insert(&p->maps, &mc->maker, m);
	}
	free(found);
}

static bool has_dump(const struct machine_jit *j, const char *path)
{
	for (size_t i = 0; j && i < j->nr_dumps; i++)
		if (!strcmp(j->dumps[i]->path, path))
			return true;
	return false;
}

void machine_jit_mark(struct machine *mc, struct process *p, const struct map *m)
{
	const char *name = m->dso_name;
	struct machine_jits *all;
	struct jitdump *d;
	const char *base;
	u32 pid;

	if (mc->cfg.no_jitdumps || !is_dump_name(name, &pid, &base))
		return;
	d = find_dump(mc, p, m);
	/* the mark of a child that inherited it, or of a second mapping */
	if (!d || has_dump(p->jit, d->path)) {
		jitdump_close(d);
		return;
	}
	all = jits(mc);
	vec_push(all->dumps, all->nr_dumps, all->cap_dumps, d);
	if (!p->jit) {
		p->jit = xcalloc(1, sizeof(*p->jit));
		p->jit->process = process_get(p);
		p->jit->name = name;
		vec_push(all->items, all->nr, all->cap, p->jit);
	}
	vec_push(p->jit->dumps, p->jit->nr_dumps, p->jit->cap_dumps, d);
	make_object(mc, p->jit);
	take_older_maps(mc, p);
	set_next_time(mc);
}

/* The maps around a reuse become those of the moment. */
static void touch(struct machine *mc, struct machine_jit *j, const struct jit_reuse *r)
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
		n = mc->maker.copy(&mc->maker, m);
		n->pgoff = j->moment;
		if (n->start < (r->start & ~(REUSE_BLOCK - 1)))
			n->start = r->start & ~(REUSE_BLOCK - 1);
		if (end >= r->end && n->end > end)
			n->end = end;
		mapset_insert(&p->maps, &mc->maker, n);
	}
}

void machine_jit_advance(struct machine *mc, u64 time)
{
	for (size_t i = 0; i < mc->jits->nr; i++) {
		struct machine_jit *j = mc->jits->items[i];
		size_t k = j->moment;

		while (j->moment < j->nr_reuses && j->reuses[j->moment].time <= time)
			j->moment++;
		for (; k < j->moment; k++)
			touch(mc, j, &j->reuses[k]);
	}
	set_next_time(mc);
}
