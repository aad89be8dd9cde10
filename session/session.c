/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <sys/mman.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "fileformat/feature_build_id.h"
#include "fileformat/record_user.h"
#include "session/jit.h"
#include "session/object_weights.h"
#include "session/objects.h"
#include "session/sideband.h"
#include "session/user_modules.h"

static struct map *copy_map(struct map_maker *mm, const struct map *m)
{
	struct session *s = (struct session *)((char *)mm - offsetof(struct session, maker));
	struct map *n = arena_alloc(&s->arena, sizeof(*n));

	*n = *m;
	n->id = s->next_map_id++;
	return n;
}

struct map *session_new_map(struct session *s, u64 start, u64 end, u64 pgoff, struct dso *dso,
			    const char *dso_name)
{
	struct map m = {
		.start = start, .end = end, .pgoff = pgoff, .dso = dso, .dso_name = dso_name
	};

	return copy_map(&s->maker, &m);
}

/* Build ids that the recorder wrote at its end, for objects whose maps carry none. */
static void note_build_ids(struct session *s)
{
	const struct pd_feature *f = pd_feature_get(s->pd, PD_FEAT_BUILD_ID);
	struct pd_build_id_entry b;
	struct pd_build_ids it;
	struct perr e;
	int got;
	u32 name;

	if (!f)
		return;
	it = pd_build_ids_open(f->data, s->pd->swap);
	while ((got = pd_build_ids_next(&it, &b, &e)) == 1) {
		name = intern_n(&s->strings, (const char *)b.filename.p, b.filename.n);
		if (b.cpumode == PD_CPUMODE_KERNEL || b.cpumode == PD_CPUMODE_USER)
			objects_note_build_id(s, b.cpumode == PD_CPUMODE_KERNEL,
					      intern_text(&s->strings, name), &b.build_id);
	}
	if (got < 0)
		diag_warn(s->diag, "%s: BUILD_ID section: %s", s->pd->path, e.text);
}

static void note_os_release(struct session *s)
{
	const struct pd_feature *f = pd_feature_get(s->pd, PD_FEAT_OSRELEASE);
	struct span text;
	struct perr e;

	if (f && !pd_feature_text(f->data, s->pd->swap, &text, &e))
		s->os_release = xstrndup((const char *)text.p, text.n);
}

static void note_arch(struct session *s, const char *wanted)
{
	const struct pd_feature *f = pd_feature_get(s->pd, PD_FEAT_ARCH);
	struct span text = { 0 };
	struct utsname host;
	struct perr e;

	if (wanted)
		s->arch = xstrdup(wanted);
	else if (f && !pd_feature_text(f->data, s->pd->swap, &text, &e))
		s->arch = xstrndup((const char *)text.p, text.n);
	else
		s->arch = xstrdup(uname(&host) ? "" : host.machine);
}

struct session *session_new(struct perfdata *pd, const struct session_config *cfg,
			    struct diag *diag)
{
	struct session *s = xcalloc(1, sizeof(*s));
	struct thread *idle;

	s->pd = pd;
	s->diag = diag;
	s->symbols = symbols_new(&cfg->symbols);
	intern_init(&s->strings);
	s->maker.copy = copy_map;
	s->maker.next_set_id = 1;
	s->next_map_id = 1;
	s->next_jit_time = UINT64_MAX;
	s->no_jitdumps = cfg->no_jitdumps;
	threads_init(&s->threads, &s->strings, &s->maker);
	s->kernel_maps = mapset_new(&s->maker);
	s->objects = objects_new();
	note_build_ids(s);
	note_os_release(s);
	note_arch(s, cfg->arch);
	s->user_modules = user_modules_new(cfg->unwinder);
	idle = threads_get(&s->threads, 0, 0);
	idle->comm = intern_str(&s->strings, "swapper");
	idle->comm_given = true;
	if (cfg->symbols.debuginfod)
		object_weights_tell_debuginfod(s, cfg);
	return s;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	threads_fini(&s->threads);
	mapset_put(s->kernel_maps);
	mapset_put(s->settled);
	objects_free(s->objects);
	user_modules_free(s->user_modules);
	symbols_free(s->symbols);
	session_jits_free(s->jits);
	idmap_fini(&s->cgroups);
	intern_fini(&s->strings);
	arena_fini(&s->arena);
	free(s->os_release);
	free(s->arch);
	free(s);
}

struct thread *session_thread(struct session *s, u32 pid, u32 tid)
{
	return threads_get(&s->threads, pid, tid);
}

const struct map *session_find_map(const struct session *s, const struct thread *th, u8 cpumode,
				   u64 ip)
{
	if (cpumode == PD_CPUMODE_KERNEL)
		return mapset_find(s->kernel_maps, ip);
	if (cpumode == PD_CPUMODE_USER)
		return mapset_find(th->process->maps, ip);
	return NULL;
}

const char *session_cgroup(const struct session *s, u64 id)
{
	u32 name = idmap_get(&s->cgroups, id, 0);

	return name == IDMAP_NONE ? NULL : intern_text(&s->strings, name);
}

static int apply_mmap(struct session *s, const struct pd_record *r, struct perr *e)
{
	u8 cpumode = r->misc & PD_MISC_CPUMODE_MASK;
	struct pd_mmap m;
	int err;

	err = pd_read_mmap(r, s->pd->swap, &m, e);
	if (err)
		return err;
	/* MMAP has no protection bits: all but data mappings are executable */
	if (!m.is_mmap2 && !(r->misc & PD_MISC_MMAP_DATA))
		m.prot = PROT_EXEC;
	if (cpumode == PD_CPUMODE_KERNEL)
		sideband_kernel_mmap(s, &m);
	else if (cpumode != PD_CPUMODE_GUEST_KERNEL && cpumode != PD_CPUMODE_GUEST_USER)
		sideband_user_mmap(s, &m);
	return 0;
}

static int apply_comm(struct session *s, const struct pd_record *r, struct perr *e)
{
	struct pd_comm c;
	struct thread *th;
	int err;

	err = pd_read_comm(r, s->pd->swap, &c, e);
	if (err)
		return err;
	th = threads_get(&s->threads, c.pid, c.tid);
	th->comm = intern_n(&s->strings, (const char *)c.comm.p, c.comm.n);
	th->comm_given = true;
	/* another program: what its JIT makes is in no dump of the one before */
	if (r->misc & PD_MISC_COMM_EXEC)
		th->process->jit = NULL;
	return 0;
}

static int apply_task(struct session *s, const struct pd_record *r, struct perr *e)
{
	struct pd_task t;
	int err;

	err = pd_read_task(r, s->pd->swap, &t, e);
	if (err)
		return err;
	if (r->type == PD_RECORD_FORK)
		threads_fork(&s->threads, t.pid, t.tid, t.ppid, t.ptid,
			     !(r->misc & PD_MISC_FORK_EXEC));
	else if (s->pd->format != TEXT_PERF_6_1)
		threads_exit(&s->threads, t.pid, t.tid);
	/* else its name stays for what is recorded of it later, until its number is used again */
	return 0;
}

static int apply_ksymbol(struct session *s, const struct pd_record *r, struct perr *e)
{
	struct pd_ksymbol k;
	int err;

	err = pd_read_ksymbol(r, s->pd->swap, &k, e);
	if (!err)
		sideband_ksymbol(s, &k);
	return err;
}

static int apply_cgroup(struct session *s, const struct pd_record *r, struct perr *e)
{
	struct pd_cgroup c;
	int err;

	err = pd_read_cgroup(r, s->pd->swap, &c, e);
	if (!err)
		idmap_put(&s->cgroups, c.id, 0,
			  intern_n(&s->strings, (const char *)c.path.p, c.path.n));
	return err;
}

/* In the order of the record: net, uts, ipc, pid, user, mnt, cgroup; a device and an inode each. */
static int apply_namespaces(struct session *s, const struct pd_record *r, struct perr *e)
{
	struct pd_namespaces n;
	struct thread *th;
	char text[60];
	int err;

	err = pd_read_namespaces(r, s->pd->swap, &n, e);
	if (err || n.links.n < 7 * 16)
		return err;
	snprintf(text, sizeof(text), "%llu/%#llx",
		 (unsigned long long)span_u64(n.links, 12, s->pd->swap),
		 (unsigned long long)span_u64(n.links, 13, s->pd->swap));
	th = session_thread(s, n.pid, n.tid);
	th->cgroup_ns = intern_str(&s->strings, text);
	th->process->pid_ns = span_u64(n.links, 7, s->pd->swap);
	th->process->mount_ns = span_u64(n.links, 11, s->pd->swap);
	return 0;
}

static int apply_time_conv(struct session *s, const struct pd_record *r, struct perr *e)
{
	struct pd_time_conv t;
	int err;

	err = pd_read_time_conv(r, s->pd->swap, &t, e);
	if (!err)
		session_jit_time_conv(s, t.shift, t.mult, t.zero);
	return err;
}

static int apply_build_id(struct session *s, const struct pd_record *r, struct perr *e)
{
	struct pd_header_build_id b;
	u32 name;
	int err;

	err = pd_read_header_build_id(r, s->pd->swap, &b, e);
	if (err)
		return err;
	name = intern_n(&s->strings, (const char *)b.filename.p, b.filename.n);
	objects_note_build_id(s, (r->misc & PD_MISC_CPUMODE_MASK) == PD_CPUMODE_KERNEL,
			      intern_text(&s->strings, name), &b.build_id);
	return 0;
}

void session_apply(struct session *s, const struct pd_record *r)
{
	struct perr e;
	int err = 0;

	switch (r->type) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2: err = apply_mmap(s, r, &e); break;
	case PD_RECORD_COMM: err = apply_comm(s, r, &e); break;
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: err = apply_task(s, r, &e); break;
	case PD_RECORD_KSYMBOL: err = apply_ksymbol(s, r, &e); break;
	case PD_RECORD_CGROUP: err = apply_cgroup(s, r, &e); break;
	case PD_RECORD_NAMESPACES: err = apply_namespaces(s, r, &e); break;
	case PD_RECORD_TIME_CONV: err = apply_time_conv(s, r, &e); break;
	case PD_RECORD_HEADER_BUILD_ID: err = apply_build_id(s, r, &e); break;
	}
	if (err)
		diag_warn(s->diag, "%s: %s: record skipped (offset %#llx)", s->pd->path, e.text,
			  (unsigned long long)r->off);
}
