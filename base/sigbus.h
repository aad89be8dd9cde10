/* SPDX-License-Identifier: MIT */
#ifndef BASE_SIGBUS_H
#define BASE_SIGBUS_H

/*
 * Makes the process explain a SIGBUS, which it gets when another program truncates a file that it
 * has mapped: it prints a line that names the command `prog` and the cause, and calls end(1)
 * (_exit, or a test's own). For main only. prog must stay valid as long as the process runs.
 */
void sigbus_explain(const char *prog, void (*end)(int status));

#endif
