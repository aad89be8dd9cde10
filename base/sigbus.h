/* SPDX-License-Identifier: MIT */
#ifndef BASE_SIGBUS_H
#define BASE_SIGBUS_H

/*
 * A mapped file that another program cuts short ends its reader with SIGBUS. After this call the
 * end is a line that names the command and says so, then end(1), which is _exit. For main only;
 * prog must live as long as the process.
 */
void sigbus_explain(const char *prog, void (*end)(int status));

#endif
