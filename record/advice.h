/* SPDX-License-Identifier: MIT */
/*
 * What a refused system call means here and now, and what mends it. Every text says what failed, on
 * what, the value that stands in the way, and the command to run.
 */
#ifndef RECORD_ADVICE_H
#define RECORD_ADVICE_H

#include "record/rec_opts.h"
#include "record/target.h"

/* Facts that decide between causes of the same errno; tests make their own. */
struct rec_rights {
	bool is_root; /* effective uid 0 */
	bool cap_perfmon, cap_sys_admin, cap_ipc_lock, cap_sys_ptrace, cap_syslog; /* effective */
	bool no_new_privs;
	int seccomp;       /* Seccomp: of /proc/self/status: 0 off, 1 strict, 2 filter */
	bool in_container; /* /proc/1 is not the host's init, as far as can be seen */
	s64 paranoid;      /* kernel.perf_event_paranoid; -100 when not readable */
	s64 mlock_kb, max_sample_rate, max_stack, kptr_restrict;
	u64 memlock_limit; /* bytes; U64_MAX unlimited */
	u64 nofile_soft, nofile_hard;
	bool has_hw_pmu; /* a cpu PMU is in sysfs */
	bool tracefs_mounted;
};
void rec_rights_read(struct rec_rights *r, const struct rec_host *host);

/* errno of perf_event_open for `ev` on a thread or CPU; fds_wanted of all events together. */
void advice_open(const struct rec_event *ev, const struct rec_target *t, s32 pid, s32 cpu,
		 int sys_errno, u64 fds_wanted, const struct rec_rights *r, struct perr *ret);

/* errno of mapping a ring of `bytes` (data) for one of nr_rings. */
void advice_mmap(int sys_errno, u64 bytes, size_t nr_rings, const struct rec_rights *r,
		 struct perr *ret);

#endif
