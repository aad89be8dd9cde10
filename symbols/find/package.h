/* SPDX-License-Identifier: MIT */
/*
 * Finds out where the debug symbols of a file of this machine can be got from: which package owns
 * it, and which debuginfod server has its distribution's files.
 */
#ifndef SYMBOLS_FIND_PACKAGE_H
#define SYMBOLS_FIND_PACKAGE_H

#include "base/types.h"

struct file_package {
	char *owner; /* package that the file belongs to; NULL: none, or it is not known */
	char *debug; /* package with its debug symbols that apt knows; NULL: none */
	bool is_rpm; /* the owner is an rpm package; then debug is NULL */
};

/*
 * Fills ret[i] for each of nr absolute paths by asking dpkg and apt-cache, or rpm, without network.
 * Returns false if none of them answered, true if a file without owner belongs to no package.
 * These programs run for limit_ms milliseconds at most, all together. Names of packages have
 * letters, digits and "+-._" only and begin with a letter or digit. The caller frees each ret[i]
 * with file_package_fini().
 */
bool file_packages_find(const char *const *paths, size_t nr, u64 limit_ms,
			struct file_package *ret);
void file_package_fini(struct file_package *p);

/*
 * The debuginfod servers for the files of this machine: the URLs in /etc/debuginfod/NAME.urls,
 * separated by blanks, else the public server of the distribution in /etc/os-release. Malloc'd;
 * NULL: neither is known. $DEBUGINFOD_URLS is not looked at.
 */
char *debuginfod_servers(void);

/* The same for files in another root directory, which tests make. */
char *debuginfod_servers_of(const char *root);

#endif
