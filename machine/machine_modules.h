/* SPDX-License-Identifier: MIT */
/*
 * The unwind information of a session's objects, by map: what unwind/ asks for when it meets an
 * address. Made when first needed, shared by threads.
 */
#ifndef MACHINE_MACHINE_MODULES_H
#define MACHINE_MACHINE_MODULES_H

#include "machine/mapset.h"
#include "unwind/unwind.h"

/* Which unwinder to use; the other two exist to check ours. */
enum unwinder_kind {
	UNWINDER_TABLE,
	UNWINDER_LIBDW,     /* ours, by rows that libdw made of the call frame information */
	UNWINDER_LIBUNWIND, /* libunwind's own, see unwind/oracle_libunwind.h */
};

/* "table", "libdw", "libunwind": as --unwinder takes them. */
const char *unwinder_kind_name(enum unwinder_kind kind);

struct machine_modules;
/* asks_again: an object's file that was not found is asked for again at the next need. */
struct machine_modules *machine_modules_new(enum unwinder_kind kind, bool asks_again);
enum unwinder_kind machine_modules_kind(const struct machine_modules *m);
/* The number of modules that were made and not forgotten. */
size_t machine_modules_nr(const struct machine_modules *m);
/*
 * An object is about to be removed: frees what is known of it. Returns true if there was anything:
 * then each thread's machine_stacks_rest() is due, before anything is unwound.
 */
bool machine_modules_forget(struct machine_modules *m, const struct dso *d);
/* Frees what is known of a JIT's code. Returns true as machine_modules_forget() does. */
bool machine_modules_forget_jit(struct machine_modules *m, const struct dso *code);
/* Gives back the memory of mapped files, which are read again where they are needed. */
void machine_modules_give_pages_back(struct machine_modules *m);
/* Before symbols_free: modules borrow the objects. */
void machine_modules_free(struct machine_modules *m);

/* Modules that a thread asked for, by the number of their object: others need the lock. */
#define MACHINE_MODULES_KNOWN 16

struct machine_modules_known {
	const struct dso *dso;
	const struct object *code;
	struct unwind_module *module;
};

/* The maps of one process as unwind/ is given them. Lives as long as the caller lets it. */
struct user_space {
	struct machine_modules *modules;
	const struct mapset *maps;
	struct machine_modules_known *known; /* MACHINE_MODULES_KNOWN of them, the thread's own */
};

/* For struct unwinder_config: space->maps is a struct user_space. May be called by any thread. */
bool machine_modules_find(const struct unwind_space *space, u64 ip, struct unwind_place *ret);

#endif
