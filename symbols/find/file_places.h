/* SPDX-License-Identifier: MIT */
/* The stores of a machine's own file system, and debuginfod. FORMAT.md 7.2 has their order. */
#ifndef SYMBOLS_FIND_FILE_PLACES_H
#define SYMBOLS_FIND_FILE_PLACES_H

#include "symbols/find/file_store.h"

extern const struct file_store_ops link_store;        /* where .gnu_debuglink leads */
extern const struct file_store_ops cache_elf_store;   /* the build-id cache: the object */
extern const struct file_store_ops cache_debug_store; /* the build-id cache: its debug file */
extern const struct file_store_ops debug_path_store;  /* /usr/lib/debug/PATH.debug */
extern const struct file_store_ops debug_same_store;  /* /usr/lib/debug/PATH */
extern const struct file_store_ops debug_id_store;    /* /usr/lib/debug/.build-id */
extern const struct file_store_ops debugdata_store;   /* inside the recorded file */
extern const struct file_store_ops recorded_store;    /* the recorded file */
extern const struct file_store_ops dot_debug_store;   /* .debug beside the recorded file */
extern const struct file_store_ops debug_usr_store;   /* /usr/lib/debug/PATH without /usr */
extern const struct file_store_ops debuginfod_store;  /* servers: files that no place above has */

#endif
