/* SPDX-License-Identifier: MIT */
#include "machine/machine.h"

#include <sys/mman.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "fileformat/record_user.h"
#include "machine/jit.h"
#include "machine/objects.h"
#include "machine/machine_maps.h"
#include "machine/machine_modules.h"

void machine_note_build_id(struct machine *mc, bool kernel, const char *name,
			   const struct pd_build_id *id)
{
	objects_note_build_id(mc, kernel, name, id);
}

static char *arch_of_host(void)
{
	struct utsname host;

	return xstrdup(uname(&host) ? "" : host.machine);
}

/* A machine that has just been made or reset has one thread: the idle one. */
static void begin(struct machine *mc)
{
	struct thread *idle;

	threads_init(&mc->threads, &mc->strings, &mc->maker);
	mc->threads.keep_exited = mc->cfg.keep_exited;
	mc->threads.nameless = mc->cfg.only_unwinds;
	mc->kernel_maps = mapset_new(&mc->maker);
	mc->next_jit_time = UINT64_MAX;
	idle = threads_get(&mc->threads, 0, 0);
	idle->comm = intern_str(&mc->strings, "swapper");
	idle->comm_given = true;
	mc->nr_running = 1;
}

struct machine *machine_new(const struct machine_config *cfg)
{
	struct machine *mc = xcalloc(1, sizeof(*mc));

	mc->cfg = *cfg;
	mc->symbols = symbols_new(&cfg->symbols);
	intern_init(&mc->strings);
	intern_init(&mc->file_names);
	machine_maps_init(mc);
	mc->objects = objects_new();
	mc->os_release = cfg->os_release ? xstrdup(cfg->os_release) : NULL;
	mc->arch = cfg->arch ? xstrdup(cfg->arch) : arch_of_host();
	mc->modules = machine_modules_new(cfg->unwinder, cfg->symbols.opener);
	begin(mc);
	return mc;
}

/* Frees the state that records make. */
static void end(struct machine *mc)
{
	threads_fini(&mc->threads);
	mapset_put(mc->kernel_maps);
	mapset_put(mc->settled);
	mapset_put(mc->unsettled);
	idmap_fini(&mc->cgroups);
}

void machine_reset(struct machine *mc)
{
	end(mc);
	machine_jits_reset(mc->jits);
	mc->kernel_dso = mc->settled_dso = NULL;
	mc->kernel_map = NULL;
	mc->kernel_settled = false;
	mc->settled = mc->unsettled = NULL;
	mc->cgroups = (struct idmap){ 0 };
	begin(mc);
}

void machine_free(struct machine *mc)
{
	if (!mc)
		return;
	end(mc);
	map_maker_fini(&mc->maker);
	objects_free(mc->objects);
	machine_modules_free(mc->modules);
	symbols_free(mc->symbols);
	machine_jits_free(mc->jits);
	intern_fini(&mc->strings);
	intern_fini(&mc->file_names);
	arena_fini(&mc->arena);
	free(mc->os_release);
	free(mc->arch);
	free(mc);
}

struct thread *machine_thread(struct machine *mc, u32 pid, u32 tid)
{
	return threads_get(&mc->threads, pid, tid);
}

const struct map *machine_find_map(const struct machine *mc, const struct thread *th, u8 cpumode,
				   u64 ip)
{
	if (cpumode == PD_CPUMODE_KERNEL)
		return mapset_find(mc->kernel_maps, ip);
	if (cpumode == PD_CPUMODE_USER)
		return mapset_find(th->process->maps, ip);
	return NULL;
}

u32 machine_parallelism(const struct machine *mc)
{
	s64 most = mc->cfg.nr_cpus ? mc->cfg.nr_cpus : UINT32_MAX;

	if (mc->nr_running < 1)
		return 1;
	return (u32)(mc->nr_running < most ? mc->nr_running : most);
}

const char *machine_cgroup(const struct machine *mc, u64 id)
{
	u32 name = idmap_get(&mc->cgroups, id, 0);

	return name == IDMAP_NONE ? NULL : intern_text(&mc->strings, name);
}

static int apply_mmap(struct machine *mc, const struct pd_record *r, struct perr *e)
{
	u8 cpumode = r->misc & PD_MISC_CPUMODE_MASK;
	struct pd_mmap m;
	int err;

	err = pd_read_mmap(r, mc->cfg.swap, &m, e);
	if (err)
		return err;
	/* MMAP has no protection bits: all but data mappings are executable */
	if (!m.is_mmap2 && !(r->misc & PD_MISC_MMAP_DATA))
		m.prot = PROT_EXEC;
	if (cpumode == PD_CPUMODE_KERNEL)
		machine_kernel_mmap(mc, &m);
	else if (cpumode != PD_CPUMODE_GUEST_KERNEL && cpumode != PD_CPUMODE_GUEST_USER &&
		 !mc->cfg.no_user_maps)
		machine_user_mmap(mc, &m);
	return 0;
}

static int apply_comm(struct machine *mc, const struct pd_record *r, struct perr *e)
{
	struct pd_comm c;
	struct thread *th;
	int err;

	err = pd_read_comm(r, mc->cfg.swap, &c, e);
	if (err)
		return err;
	th = threads_get(&mc->threads, c.pid, c.tid);
	if (!mc->cfg.only_unwinds)
		threads_set_comm(&mc->threads, th,
				 intern_n(&mc->strings, (const char *)c.comm.p, c.comm.n));
	/* another program: what its JIT makes is in no dump of the one before */
	if (r->misc & PD_MISC_COMM_EXEC)
		th->process->jit = NULL;
	return 0;
}

static int apply_task(struct machine *mc, const struct pd_record *r, struct perr *e)
{
	struct pd_task t;
	int err;

	err = pd_read_task(r, mc->cfg.swap, &t, e);
	if (err)
		return err;
	if (r->type == PD_RECORD_FORK)
		threads_fork(&mc->threads, t.pid, t.tid, t.ppid, t.ptid,
			     !(r->misc & PD_MISC_FORK_EXEC));
	else if (mc->cfg.format != TEXT_PERF_6_1)
		threads_exit(&mc->threads, t.pid, t.tid);
	mc->nr_running -= r->type == PD_RECORD_EXIT;
	/* else its name stays for what is recorded of it later, until its number is used again */
	return 0;
}

static int apply_ksymbol(struct machine *mc, const struct pd_record *r, struct perr *e)
{
	struct pd_ksymbol k;
	int err;

	err = pd_read_ksymbol(r, mc->cfg.swap, &k, e);
	if (!err)
		machine_ksymbol(mc, &k);
	return err;
}

static int apply_cgroup(struct machine *mc, const struct pd_record *r, struct perr *e)
{
	struct pd_cgroup c;
	int err;

	err = pd_read_cgroup(r, mc->cfg.swap, &c, e);
	if (!err)
		idmap_put(&mc->cgroups, c.id, 0,
			  intern_n(&mc->strings, (const char *)c.path.p, c.path.n));
	return err;
}

/* In the order of the record: net, uts, ipc, pid, user, mnt, cgroup; a device and an inode each. */
static int apply_namespaces(struct machine *mc, const struct pd_record *r, struct perr *e)
{
	struct pd_namespaces n;
	struct thread *th;
	char text[60];
	int err;

	err = pd_read_namespaces(r, mc->cfg.swap, &n, e);
	if (err || n.links.n < 7 * 16)
		return err;
	snprintf(text, sizeof(text), "%llu/%#llx",
		 (unsigned long long)span_u64(n.links, 12, mc->cfg.swap),
		 (unsigned long long)span_u64(n.links, 13, mc->cfg.swap));
	th = machine_thread(mc, n.pid, n.tid);
	th->cgroup_ns = intern_str(&mc->strings, text);
	th->process->pid_ns = span_u64(n.links, 7, mc->cfg.swap);
	th->process->mount_ns = span_u64(n.links, 11, mc->cfg.swap);
	return 0;
}

static int apply_time_conv(struct machine *mc, const struct pd_record *r, struct perr *e)
{
	struct pd_time_conv t;
	int err;

	err = pd_read_time_conv(r, mc->cfg.swap, &t, e);
	if (!err)
		machine_jit_time_conv(mc, t.shift, t.mult, t.zero);
	return err;
}

static int apply_build_id(struct machine *mc, const struct pd_record *r, struct perr *e)
{
	struct pd_header_build_id b;
	u32 name;
	int err;

	err = pd_read_header_build_id(r, mc->cfg.swap, &b, e);
	if (err)
		return err;
	name = intern_n(&mc->strings, (const char *)b.filename.p, b.filename.n);
	objects_note_build_id(mc, (r->misc & PD_MISC_CPUMODE_MASK) == PD_CPUMODE_KERNEL,
			      intern_text(&mc->strings, name), &b.build_id);
	return 0;
}

/* Of the kernel's memory and of names nothing is needed for unwinding. */
static bool is_needed(const struct machine *mc, const struct pd_record *r)
{
	if (!mc->cfg.only_unwinds)
		return true;
	switch (r->type) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2: return (r->misc & PD_MISC_CPUMODE_MASK) == PD_CPUMODE_USER;
	case PD_RECORD_COMM:
	case PD_RECORD_FORK:
	case PD_RECORD_TIME_CONV: /* of jitdumps */
	case PD_RECORD_EXIT: return true;
	default: return false;
	}
}

void machine_apply(struct machine *mc, const struct pd_record *r)
{
	struct perr e;
	int err = 0;

	if (!is_needed(mc, r))
		return;
	switch (r->type) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2: err = apply_mmap(mc, r, &e); break;
	case PD_RECORD_COMM: err = apply_comm(mc, r, &e); break;
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: err = apply_task(mc, r, &e); break;
	case PD_RECORD_SWITCH:
	case PD_RECORD_SWITCH_CPU_WIDE:
		mc->nr_running += r->misc & PD_MISC_SWITCH_OUT ? -1 : 1;
		break;
	case PD_RECORD_KSYMBOL: err = apply_ksymbol(mc, r, &e); break;
	case PD_RECORD_CGROUP: err = apply_cgroup(mc, r, &e); break;
	case PD_RECORD_NAMESPACES: err = apply_namespaces(mc, r, &e); break;
	case PD_RECORD_TIME_CONV: err = apply_time_conv(mc, r, &e); break;
	case PD_RECORD_HEADER_BUILD_ID: err = apply_build_id(mc, r, &e); break;
	}
	if (err)
		diag_warn(mc->cfg.diag, "%s: %s: record skipped (offset %#llx)",
			  mc->cfg.path ? mc->cfg.path : "live recording", e.text,
			  (unsigned long long)r->off);
}
