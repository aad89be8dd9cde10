/* SPDX-License-Identifier: MIT */
/* The code of a process as its jitdumps tell of it, and the maps that have it. */
#include <elf.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "machine/jit_priv.h"
#include "machine/machine_maps.h"
#include "machine/objects.h"
#include "machine/recorded_at.h"
#include "symbols/jit/jitdump_tail.h"

/*
 * A reuse makes the frames in this much of memory around it new ones. Smaller: more maps in the
 * set; larger: more frames are looked up again.
 */
#define REUSE_BLOCK ((u64)32 << 10)

static struct machine_jits *jits(struct machine *mc)
{
	if (!mc->jits)
		mc->jits = xcalloc(1, sizeof(*mc->jits));
	return mc->jits;
}

void jit_add_process(struct machine *mc, struct process *p, const char *name)
{
	struct machine_jits *all = jits(mc);

	p->jit = xcalloc(1, sizeof(*p->jit));
	p->jit->process = process_get(p);
	p->jit->name = name;
	vec_push(all->items, all->nr, all->cap, p->jit);
}

void jit_free_process(struct machine_jit *j)
{
	process_put(j->process);
	for (size_t i = 0; j->followed && i < j->nr_dumps; i++)
		jitdump_copy_free(j->dumps[i]);
	jit_code_free(j->code);
	free(j->followed);
	free(j->dumps);
	free(j);
}

void machine_jits_reset(struct machine_jits *j)
{
	if (!j)
		return;
	for (size_t i = 0; i < j->nr; i++)
		jit_free_process(j->items[i]);
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

size_t machine_jits_nr(const struct machine_jits *j)
{
	return j ? j->nr : 0;
}

struct mapset *machine_jits_maps(const struct machine_jits *j, size_t i)
{
	return j->items[i]->process->maps;
}

static const char *move_name(struct intern *names, const char *name)
{
	return intern_text(names, intern_str(names, name));
}

void machine_jits_keep(struct machine_jits *j, struct idmap *used, struct intern *names)
{
	for (size_t i = 0; i < machine_jits_nr(j); i++) {
		struct machine_jit *one = j->items[i];

		idmap_put(used, dso_get_number(one->dso), 0, 1);
		idmap_put(used, dso_get_number(dso_get_desc(one->dso)->jit_map), 0, 1);
		one->name = move_name(names, one->name);
		for (size_t k = 0; one->followed && k < one->nr_dumps; k++)
			one->followed[k].name = move_name(names, one->followed[k].name);
	}
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

/* CPython leaves the field empty. */
static void set_machine(const struct machine *mc, struct jitdump *d)
{
	static const struct {
		const char *arch;
		u32 machine;
	} known[] = { { "x86_64", EM_X86_64 }, { "aarch64", EM_AARCH64 }, { "arm", EM_ARM } };

	for (size_t i = 0; d->machine == EM_NONE && i < ARRAY_SIZE(known); i++)
		if (!strncmp(mc->arch, known[i].arch, strlen(known[i].arch)))
			d->machine = known[i].machine;
}

bool jit_fit_dump(struct machine *mc, struct jitdump *d)
{
	set_machine(mc, d);
	if (!d->arch_times || d->converted)
		return d->converted || mc->cfg.clock_is_monotonic;
	if (!mc->jits->has_conv)
		return false;
	for (size_t i = 0; i < d->nr; i++)
		d->funcs[i].time = time_of_cycles(mc->jits, d->funcs[i].time);
	return d->converted = true;
}

void jit_set_next_time(struct machine *mc)
{
	mc->next_jit_time = UINT64_MAX;
	for (size_t i = 0; i < mc->jits->nr; i++) {
		const struct machine_jit *j = mc->jits->items[i];

		if (j->moment < j->nr_reuses && j->reuses[j->moment].time < mc->next_jit_time)
			mc->next_jit_time = j->reuses[j->moment].time;
	}
}

void jit_make_object(struct machine *mc, struct machine_jit *j)
{
	struct machine_jits *all = jits(mc);
	struct dso_desc desc = { .kind = DSO_JIT, .name = j->name };
	bool timed = true;

	for (size_t i = 0; i < j->nr_dumps; i++)
		timed &= jit_fit_dump(mc, j->dumps[i]);
	desc.jit = jit_code_new(j->dumps, j->nr_dumps, timed);
	if (j->followed)
		j->code = (struct jit_code *)desc.jit;
	else
		vec_push(all->codes, all->nr_codes, all->cap_codes, (struct jit_code *)desc.jit);
	if (jit_code_is_ambiguous(desc.jit))
		diag_warn(mc->cfg.diag,
			  "%s: memory of JIT code was used again, and the recording's clock does "
			  "not tell when (prec -k mono): the last code is shown",
			  j->name);
	desc.recorded = recorded_process(mc, j->process);
	desc.ns_pid = j->process->ns_pid;
	desc.jit_map = machine_jit_map(mc, j->process);
	j->dso = objects_add_hidden(mc, &desc);
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

void jit_take_older_maps(struct machine *mc, struct process *p)
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
	if (!mc->jits) /* the time is the largest one, as next_jit_time is */
		return;
	for (size_t i = 0; i < mc->jits->nr; i++) {
		struct machine_jit *j = mc->jits->items[i];
		size_t k = j->moment;

		while (j->moment < j->nr_reuses && j->reuses[j->moment].time <= time)
			j->moment++;
		for (; k < j->moment; k++)
			touch(mc, j, &j->reuses[k]);
	}
	jit_set_next_time(mc);
}
