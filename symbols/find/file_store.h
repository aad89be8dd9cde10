/* SPDX-License-Identifier: MIT */
/*
 * The interface between the search for a recorded object's files (debugfile.c) and the places where
 * they may lie. A store is such a place: it names candidate files or opens them. debugfile.c checks
 * each candidate, uses it for the roles that are still missing, and notes the result for --why. To
 * add a place, define a struct file_store_ops and add it to the list in debugfile.c. State of a
 * store belongs into struct symbols_config, like debuginfod's client.
 */
#ifndef SYMBOLS_FIND_FILE_STORE_H
#define SYMBOLS_FIND_FILE_STORE_H

#include "symbols/find/debuglink.h"
#include "symbols/table/dso_desc.h"

/* A search for the files of one object. */
struct file_query {
	const struct symbols_config *cfg;
	const struct dso_desc *desc;
	char *self; /* the recorded path, below symfs; NULL: deleted, or must not be used */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size; /* bytes; 0: neither recorded nor in the file at self */
	bool has_symbols, has_code, has_dwarf; /* roles for which a file has been found */
	bool store_has_file;                   /* the current store has named a file that exists */
	/* The file at self, opened by file_query_self() because several stores read it. */
	struct object *self_object;
	bool self_tried; /* file_query_self() has tried to open it */
};

enum file_answer {
	FILE_NO_MORE, /* the store names no more files */
	FILE_SKIPPED, /* no file this time; the next turn may have one */
	FILE_AT,      /* the file may be at ret->path */
	FILE_OPENED,  /* the file is open: ret->object, which the caller closes */
	FILE_REFUSED, /* the store has a reason not to use the file: ret->why */
};

struct file_found {
	char *path; /* malloc'd, freed by the caller; set with FILE_AT, _OPENED and _REFUSED */
	struct object *object; /* with FILE_OPENED: the file; with FILE_REFUSED: a borrowed object
				* with the build-id to report, or NULL */
	const char *why;       /* with FILE_REFUSED: a constant text */
	struct debuglink link; /* with is_linked: the .gnu_debuglink that names the file */
	bool is_linked;
	bool is_recorded_file; /* it is the recorded file, even if it has no build-id */
};

struct file_store_ops {
	char letter; /* perf's letter for the place, docs/FORMAT.md 7.8; 'i': debuginfod */
	/* Returns the store's candidate number `turn`, which counts from 0. It is called only while
	 * some role has no file yet. */
	enum file_answer (*find)(struct file_query *q, unsigned int turn, struct file_found *ret);
};

/* Returns `path` below --symfs, malloc'd; NULL if a hermetic search must not use that file. */
char *file_query_on_machine(const struct file_query *q, const char *path);

/* Returns the file at q->self, which is opened at the first call and closed by file_query_fini();
 * NULL if it does not exist or is no readable ELF file. */
struct object *file_query_self(struct file_query *q);

/* Returns the file at q->self like file_query_self(), but the caller closes it. Later calls of both
 * functions return NULL. */
struct object *file_query_take_self(struct file_query *q);

/* Closes and frees what q owns. */
void file_query_fini(struct file_query *q);

#endif
