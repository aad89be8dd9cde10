/* SPDX-License-Identifier: MIT */
#include "record/host/rights.h"

#include <dirent.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/host/proc_threads.h"

/* Bits of CapEff, from include/uapi/linux/capability.h. */
enum {
	CAP_BIT_IPC_LOCK = 14,
	CAP_BIT_SYS_PTRACE = 19,
	CAP_BIT_SYS_ADMIN = 21,
	CAP_BIT_SYSLOG = 34,
	CAP_BIT_PERFMON = 38, /* Linux 5.8 */
};

static s64 sysctl_value(const char *procfs, const char *name, s64 otherwise)
{
	char *rest = xasprintf("sys/kernel/%s", name);
	s64 v;

	if (rec_host_number(procfs, rest, &v))
		v = otherwise;
	free(rest);
	return v;
}

static u64 limit_of(const struct rlimit *l, bool hard)
{
	rlim_t v = hard ? l->rlim_max : l->rlim_cur;

	return v == RLIM_INFINITY ? UINT64_MAX : v;
}

/*
 * Returns true if sysfs has a PMU of CPU cores. Their names are cpu, cpu_core, cpum_cf,
 * armv8_pmuv3_0, riscv_pmu and the like.
 */
static bool has_cpu_pmu(const char *sysfs)
{
	static const char *const starts[] = { "cpu", "armv", "riscv", "loongarch", "mips" };
	char *path = rec_host_path(sysfs, "bus/event_source/devices");
	DIR *d = opendir(path);
	struct dirent *entry;
	bool found = false;

	free(path);
	if (!d)
		return false;
	while (!found && (entry = readdir(d)))
		for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
			if (!strncmp(entry->d_name, starts[i], strlen(starts[i])))
				found = true;
	closedir(d);
	return found;
}

/*
 * Returns true if there is a file that docker, podman or systemd-nspawn puts into a container's
 * root.
 */
static bool container_marks(const char *procfs)
{
	static const char *const marks[] = { "self/root/.dockerenv", "self/root/run/.containerenv",
					     "self/root/run/systemd/container" };
	bool found = false;

	for (size_t i = 0; !found && i < ARRAY_SIZE(marks); i++) {
		char *path = rec_host_path(procfs, "%s", marks[i]);

		found = !access(path, F_OK);
		free(path);
	}
	return found;
}

static bool tracefs_is_mounted(const struct rec_host *host)
{
	static const char *const places[] = { "kernel/tracing/events",
					      "kernel/debug/tracing/events" };
	bool found = false;

	if (host->tracefs) {
		char *path = rec_host_path(host->tracefs, "events");

		found = !access(path, F_OK);
		free(path);
		return found;
	}
	for (size_t i = 0; !found && i < ARRAY_SIZE(places); i++) {
		char *path = rec_host_path(host->sysfs, "%s", places[i]);

		found = !access(path, F_OK);
		free(path);
	}
	return found;
}

void rec_rights_read(struct rec_rights *r, const struct rec_host *host)
{
	struct rlimit memlock = { 0 }, nofile = { 0 };
	struct proc_status st;

	*r = (struct rec_rights){ 0 };
	if (proc_status_read(host->procfs, "self", &st)) {
		r->is_root = st.euid == 0;
		r->cap_perfmon = st.cap_eff >> CAP_BIT_PERFMON & 1;
		r->cap_sys_admin = st.cap_eff >> CAP_BIT_SYS_ADMIN & 1;
		r->cap_ipc_lock = st.cap_eff >> CAP_BIT_IPC_LOCK & 1;
		r->cap_sys_ptrace = st.cap_eff >> CAP_BIT_SYS_PTRACE & 1;
		r->cap_syslog = st.cap_eff >> CAP_BIT_SYSLOG & 1;
		r->no_new_privs = st.no_new_privs;
		r->seccomp = st.seccomp;
	} else {
		r->is_root = geteuid() == 0;
	}
	r->in_container = container_marks(host->procfs);

	r->paranoid = sysctl_value(host->procfs, "perf_event_paranoid", -100);
	r->mlock_kb = sysctl_value(host->procfs, "perf_event_mlock_kb", 516);
	r->max_sample_rate = sysctl_value(host->procfs, "perf_event_max_sample_rate", 100000);
	r->max_stack = sysctl_value(host->procfs, "perf_event_max_stack", 127);
	if (rec_host_number(host->procfs, "sys/fs/file-max", &r->file_max))
		r->file_max = 0;
	r->kptr_restrict = sysctl_value(host->procfs, "kptr_restrict", 0);

	getrlimit(RLIMIT_MEMLOCK, &memlock);
	getrlimit(RLIMIT_NOFILE, &nofile);
	r->memlock_limit = limit_of(&memlock, false);
	r->nofile_soft = limit_of(&nofile, false);
	r->nofile_hard = limit_of(&nofile, true);
	r->has_hw_pmu = has_cpu_pmu(host->sysfs);
	r->tracefs_mounted = tracefs_is_mounted(host);
}
