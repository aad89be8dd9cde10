/* SPDX-License-Identifier: MIT */
/*
 * Reads what this process may do with perf events, and the kernel's limits. Advice uses it to tell
 * apart the causes of an errno; ring sizes depend on it. Tests fill in a struct rec_rights of their
 * own.
 */
#ifndef RECORD_HOST_RIGHTS_H
#define RECORD_HOST_RIGHTS_H

#include "record/model/rec_opts.h"

struct rec_rights {
	bool is_root; /* the effective user id is 0 */
	/* the effective capabilities include these */
	bool cap_perfmon, cap_sys_admin, cap_ipc_lock, cap_sys_ptrace, cap_syslog;
	bool no_new_privs;
	int seccomp;       /* Seccomp mode of this process: 0 off, 1 strict, 2 filter */
	bool in_container; /* a file that docker, podman or systemd puts into containers exists */
	s64 paranoid;      /* kernel.perf_event_paranoid; -100: not readable */
	s64 mlock_kb, max_sample_rate, max_stack, kptr_restrict;
	s64 file_max;      /* fs.file-max; 0: not readable */
	u64 memlock_limit; /* RLIMIT_MEMLOCK in bytes; U64_MAX: unlimited */
	u64 nofile_soft, nofile_hard;
	bool has_hw_pmu; /* sysfs lists a PMU of CPU cores */
	bool tracefs_mounted;
};

/*
 * Fills *r from procfs, sysfs and getrlimit. A value that cannot be read gets the kernel's default.
 */
void rec_rights_read(struct rec_rights *r, const struct rec_host *host);

#endif
