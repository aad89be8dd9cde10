/* SPDX-License-Identifier: MIT */
#include "events/calls/struct_table.h"

#include <string.h>

/* clang-format off */

static const struct struct_row rows[] = {
	{ "capdata", "__user_cap_data_struct", "effective:hex permitted:hex inheritable:hex" },
	{ "caphead", "__user_cap_header_struct", "version:hex pid" },
	{ "clone", "clone_args", "flags:CLONE pidfd:ptr? child_tid:ptr? parent_tid:ptr? "
	  "exit_signal:SIG stack:ptr stack_size:hex tls:ptr? set_tid:ptr? set_tid_size? cgroup?" },
	{ "epoll", "epoll_event", "events:EPOLLEV data:epoll" },
	{ "flock", "flock", "l_type:FLOCKT l_whence:WHENCE l_start l_len" },
	{ "futexv", "futex_waitv", "val uaddr:ptr flags:hex" },
	{ "itimerspec", "__kernel_itimerspec", NULL },
	{ "itimerval", "__kernel_old_itimerval", NULL },
	{ "openhow", "open_how", "flags:OPEN mode:perm? resolve:RESOLVE" },
	{ "perfattr", "perf_event_attr", "type:PERFTYPE size config:hex sample_period? "
	  "sample_type:hex? read_format:hex? disabled? inherit? pinned? exclusive? exclude_user? "
	  "exclude_kernel? exclude_hv? exclude_idle? mmap? comm? freq? inherit_stat? "
	  "enable_on_exec? task? watermark? precise_ip? mmap_data? sample_id_all? ..." },
	{ "pollfd", "pollfd", "fd events:POLL" },
	{ "pollrev", "pollfd", "fd revents:POLL" },
	{ "rlimit", "rlimit", "rlim_cur:rlim rlim_max:rlim" },
	{ "rlimit64", "rlimit64", "rlim_cur:rlim64 rlim_max:rlim64" },
	{ "rusage", "rusage", "ru_utime ru_stime ..." },
	{ "schedattr", "sched_attr", "size sched_policy:SCHED sched_flags:hex sched_nice "
	  "sched_priority sched_runtime sched_deadline sched_period" },
	{ "stack", "sigaltstack", "ss_sp:ptr ss_flags:SS ss_size" },
	{ "stat", "stat", "st_mode:mode st_size ..." },
	{ "statdev", "stat", "st_mode:mode st_rdev:dev ..." },
	{ "statfs", "statfs", "f_type:FSMAGIC f_bsize f_blocks f_bfree f_bavail f_files f_ffree "
	  "f_fsid:fsid f_namelen f_frsize f_flags:ST" },
	{ "statx", "statx", "stx_mask:STATX stx_attributes:hex stx_mode:mode stx_size ..." },
	{ "sysinfo", "sysinfo", "uptime loads totalram freeram sharedram bufferram totalswap "
	  "freeswap procs totalhigh freehigh mem_unit" },
	{ "termios", "termios", "c_iflag:hex c_oflag:hex c_cflag:hex c_lflag:hex ..." },
	{ "timeval", "__kernel_old_timeval", NULL },
	{ "timex", "__kernel_timex", NULL },
	{ "tms", "tms", NULL },
	{ "tspec", "__kernel_timespec", NULL },
	{ "uname", "new_utsname", "sysname nodename ..." },
	{ "uring", "io_uring_params", "sq_entries cq_entries flags:hex sq_thread_cpu "
	  "sq_thread_idle features:hex ..." },
	{ "winsize", "winsize", NULL },
};

/* clang-format on */

const struct struct_row *struct_row_find(const char *name, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (strlen(rows[i].name) == n && !memcmp(rows[i].name, name, n))
			return &rows[i];
	return NULL;
}
