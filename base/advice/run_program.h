/* SPDX-License-Identifier: MIT */
/* Runs a program of the system, such as dpkg, and returns what it prints. */
#ifndef BASE_ADVICE_RUN_PROGRAM_H
#define BASE_ADVICE_RUN_PROGRAM_H

#include "base/types.h"

/*
 * Runs argv[0], which is searched in PATH, without a shell, and waits for it, but at most limit_ms
 * milliseconds; then it is killed. argv ends with NULL. Standard input and standard error are
 * /dev/null; its environment is this process's with LC_ALL=C.
 *
 * Returns the first `max` bytes of its standard output with a NUL behind them, malloc'd, whatever
 * its exit status is: dpkg and apt-cache fail when one of several names is unknown. NULL: it cannot
 * be started or was killed.
 */
char *run_program(const char *const *argv, u64 limit_ms, size_t max);

/*
 * Returns the path of another command of this toolchain: in the folder of this program, or the name
 * alone, which is searched in PATH, if it is not there. The caller frees it.
 */
char *program_beside(const char *name);

#endif
