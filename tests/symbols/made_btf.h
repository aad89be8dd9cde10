/* SPDX-License-Identifier: MIT */
/* A small BTF of this byte order, as a kernel would have it. */
#ifndef TESTS_SYMBOLS_MADE_BTF_H
#define TESTS_SYMBOLS_MADE_BTF_H

#include "tests/frame/build_bytes.h"

/* Ids of the first types of made_btf(). */
enum {
	BUILT_INT = 1, /* int, 4 bytes with a sign */
	BUILT_ULONG,   /* unsigned long, 8 bytes */
	BUILT_CHAR,
	BUILT_SHORT,
	BUILT_PTR,
	BUILT_WORD,     /* enum word { ZERO, ONE } */
	BUILT_TEXT,     /* char[4] */
	BUILT_TIME,     /* typedef unsigned long */
	BUILT_TIMESPEC, /* struct __kernel_timespec */
	BUILT_STAT,     /* struct stat: st_mode, st_size, st_rdev */
	BUILT_POLLFD,   /* struct pollfd */
	BUILT_EPOLL,    /* struct epoll_event */
	BUILT_CLONE,    /* struct clone_args: flags, parent_tid, exit_signal, stack, stack_size */
	BUILT_MIXED, /* struct winsize: int a:3, :5; word b; char c[4]; struct timespec d; union {
		      * int e; unsigned long f; }; unsigned long g[40]; _hidden; itself h[2] */
	BUILT_NEWER, /* enum bpf_cmd { BPF_NEWER = 1000 } */
	NR_BUILT_TYPES,
};

struct bytes made_btf(void);

#endif
