/* SPDX-License-Identifier: MIT */
/*
 * Reads small text files of sysfs and procfs. A file that is missing, unreadable, too large or in
 * another form is no error, but makes the functions return NULL, false or an empty list: the host
 * is then described without it. Paths are root, '/' and the formatted text.
 */
#ifndef RECORD_HEADER_HOST_TEXT_H
#define RECORD_HEADER_HOST_TEXT_H

#include "record/host/host_file.h"
#include "record/model/rec_event.h"

#define HOST_TEXT_MAX 65536

/*
 * Returns the file with a NUL added, malloc'd, or NULL if it has more than `max` bytes. ret_len, if
 * not NULL, gets its length without that NUL.
 */
char *host_whole(size_t max, size_t *ret_len, const char *root, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Returns the first line without blanks around it, malloc'd; NULL also for an empty line. */
char *host_line(const char *root, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Reads the decimal number in the first line of a file. Returns false if there is no such file or
 * it contains something else.
 */
bool host_u32(u32 *ret, const char *root, const char *fmt, ...) PRINTF_LIKE(3, 4);

/*
 * Reads a list of CPUs such as "0-3,8" from a file. Returns false, with an empty *ret, if there is
 * no such file or it contains something else. The caller frees *ret with cpu_list_fini().
 */
bool host_cpu_list(struct cpu_list *ret, const char *root, const char *fmt, ...) PRINTF_LIKE(3, 4);

/*
 * Returns the value of the first line "key : value" of `text`, malloc'd, or NULL. Blanks around the
 * value are removed and runs of blanks inside become one blank.
 */
char *host_value(const char *text, const char *key);

/*
 * Lists the names in a folder, memory2 before memory10; none if it cannot be read. The caller frees
 * *ret with name_list_fini.
 */
void host_names(struct name_list *ret, const char *root, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* Sets *ret to the number N of a name "stemN" (node0, memory31). Returns false for other names. */
bool host_numbered(const char *name, const char *stem, u32 *ret);

#endif
