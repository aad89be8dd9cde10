/* SPDX-License-Identifier: MIT */
#include "machine/jit_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "machine/recorded_at.h"
#include "symbols/find/build_id_cache.h"

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
	if (mc->cfg.jit_source) {
		jit_follow(mc, p, m, pid);
		return;
	}
	d = find_dump(mc, p, m);
	/* the mark of a child that inherited it, or of a second mapping */
	if (!d || has_dump(p->jit, d->path)) {
		jitdump_close(d);
		return;
	}
	if (!p->jit)
		jit_add_process(mc, p, name);
	all = mc->jits;
	vec_push(all->dumps, all->nr_dumps, all->cap_dumps, d);
	vec_push(p->jit->dumps, p->jit->nr_dumps, p->jit->cap_dumps, d);
	jit_make_object(mc, p->jit);
	jit_take_older_maps(mc, p);
	jit_set_next_time(mc);
}
