/* SPDX-License-Identifier: MIT */
/*
 * Small text files of sysfs and procfs. What is missing, unreadable, larger than asked for or of
 * another form is told by the result alone: the host's description goes on without it.
 */
#ifndef RECORD_HEADER_HOST_TEXT_H
#define RECORD_HEADER_HOST_TEXT_H

#include "record/host/host_file.h"
#include "record/model/rec_event.h"

#define HOST_TEXT_MAX 65536

/* The whole of root/..., at most `max` bytes, and a NUL; malloc'd. ret_len may be NULL. */
char *host_whole(size_t max, size_t *ret_len, const char *root, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* The first line of root/... without blanks around it; malloc'd. NULL also for an empty one. */
char *host_line(const char *root, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A decimal number at the start of root/...: false when there is none. */
bool host_u32(u32 *ret, const char *root, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* A list such as "0-3,8" in root/...: false (and an empty *ret) when there is none. */
bool host_cpu_list(struct cpu_list *ret, const char *root, const char *fmt, ...) PRINTF_LIKE(3, 4);

/*
 * Value of the first line "key : value" of `text`, blanks around it taken off and runs of blanks
 * inside made one; malloc'd, NULL when there is no such line.
 */
char *host_value(const char *text, const char *key);

/* Names in the folder root/..., those of memory2 before memory10; none when it cannot be read. */
void host_names(struct name_list *ret, const char *root, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* The number N of a name "stemN" (node0, memory31): false for other names. */
bool host_numbered(const char *name, const char *stem, u32 *ret);

#endif
