/* SPDX-License-Identifier: MIT */
/* Names of system calls by number. */
#ifndef EVENTS_SYSCALL_NAMES_H
#define EVENTS_SYSCALL_NAMES_H

#include "base/types.h"

/* The name of a system call of 64-bit programs; arch as uname -m prints it. NULL: not known. */
const char *syscall_name(const char *arch, u64 id);

#endif
