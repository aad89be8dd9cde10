/* SPDX-License-Identifier: MIT */
/* The places (struct file_store_ops) in which debugfile.c searches for an object's files: those in
 * the file system, and debuginfod servers. docs/FORMAT.md 7.2 has their order. */
#ifndef SYMBOLS_FIND_FILE_PLACES_H
#define SYMBOLS_FIND_FILE_PLACES_H

#include "symbols/find/file_store.h"

extern const struct file_store_ops link_store;        /* the file that .gnu_debuglink names */
extern const struct file_store_ops cache_elf_store;   /* the object in the build-id cache */
extern const struct file_store_ops cache_debug_store; /* its debug file in the build-id cache */
extern const struct file_store_ops debug_path_store;  /* /usr/lib/debug/PATH.debug */
extern const struct file_store_ops debug_same_store;  /* /usr/lib/debug/PATH */
extern const struct file_store_ops debug_id_store;    /* /usr/lib/debug/.build-id/xx/rest.debug */
extern const struct file_store_ops debugdata_store;   /* .gnu_debugdata in the recorded file */
extern const struct file_store_ops process_store;     /* files of the process, if it still runs */
extern const struct file_store_ops recorded_store;    /* the file at the recorded path */
extern const struct file_store_ops dot_debug_store;   /* .debug beside the recorded file */
extern const struct file_store_ops debug_usr_store;   /* /usr/lib/debug/PATH without /usr */
extern const struct file_store_ops debuginfod_store;  /* debuginfod servers */

#endif
