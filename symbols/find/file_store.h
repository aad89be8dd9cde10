/* SPDX-License-Identifier: MIT */
/*
 * The seam between the search for a recorded object's files (debugfile.c) and the places where they
 * may lie. A store names files, or opens them; debugfile.c checks each, takes it for what is still
 * missing and notes the answer for --why. A new place is a struct file_store_ops and a line in
 * debugfile.c's list; what it has open is reached through the symbols_config, as debuginfod's
 * client is.
 */
#ifndef SYMBOLS_FIND_FILE_STORE_H
#define SYMBOLS_FIND_FILE_STORE_H

#include "symbols/find/debuglink.h"
#include "symbols/table/dso_desc.h"

/* The object whose files are wanted, and how far the search for them is. */
struct file_query {
	const struct symbols_config *cfg;
	const struct dso_desc *desc;
	char *self; /* the recorded path, below symfs; NULL: deleted, or must not be looked at */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size;                      /* 0: neither recorded nor in the file at self */
	bool has_symbols, has_code, has_dwarf; /* found so far */
	bool store_has_file; /* an earlier answer of the same store named a file that exists */
	/* The file at self, which several stores read: see file_query_self. */
	struct object *self_object;
	bool self_tried;
};

enum file_answer {
	FILE_NO_MORE, /* the store names no more files */
	FILE_SKIPPED, /* none this time, perhaps the next */
	FILE_AT,      /* it may be at ret->path */
	FILE_OPENED,  /* it is ret->object, which is the caller's */
	FILE_REFUSED, /* the store itself says why not: ret->why */
};

struct file_found {
	char *path;            /* malloc'd, the caller's; set with the last three answers */
	struct object *object; /* FILE_OPENED: the file; FILE_REFUSED: has its build-id, borrowed */
	const char *why;       /* a constant text */
	struct debuglink link; /* with is_linked: of the file that names this one */
	bool is_linked;
};

struct file_store_ops {
	char letter; /* how perf calls the place, FORMAT.md 7.8; 'i': debuginfod */
	/* The store's answer number `turn`, from 0 on. Never called when nothing is missing. */
	enum file_answer (*find)(struct file_query *q, unsigned int turn, struct file_found *ret);
};

/* path below --symfs, malloc'd; NULL when a hermetic search must not look there. */
char *file_query_on_machine(const struct file_query *q, const char *path);

/* The file at q->self, opened once and q's; NULL when it is missing or no readable ELF file. */
struct object *file_query_self(struct file_query *q);

/* As file_query_self, but the caller's; a later file_query_self gives NULL. */
struct object *file_query_take_self(struct file_query *q);

/* Closes and frees what q owns. */
void file_query_fini(struct file_query *q);

#endif
