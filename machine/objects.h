/* SPDX-License-Identifier: MIT */
/* The objects (files, kernel, modules, JIT maps) that maps point into: one per name and identity.
 */
#ifndef MACHINE_OBJECTS_H
#define MACHINE_OBJECTS_H

#include "machine/machine.h"

struct machine_objects *objects_new(void);
void objects_free(struct machine_objects *o);

/* Remembers the BUILD_ID records of a file, to be given to objects of that name. */
void objects_note_build_id(struct machine *mc, bool kernel, const char *name,
			   const struct pd_build_id *id);

/*
 * Finds the entry that prec wrote for a mapped file without a build-id: the id under which the
 * build-id cache has a copy of it. Returns false if there is none.
 */
bool objects_kept_file(struct machine *mc, const struct pd_mmap *rec, const char *name,
		       struct dso_desc *ret);
/* Finds the entry that prec wrote for the JIT map of a process, as objects_kept_file. */
bool objects_kept_jit_map(struct machine *mc, u32 pid, struct dso_desc *ret);

/* Path under which a BUILD_ID record named module "[name]"; NULL when none did. */
const char *objects_noted_module(struct machine *mc, const char *module_name);

/*
 * The kernel's name by the BUILD_ID records: the path of a vmlinux where the recorder had symbols
 * from one. "[kernel.kallsyms]" where no record is about the kernel proper.
 */
const char *objects_kernel_name(struct machine *mc);

/*
 * The object of this kind, name and identity (build-id, else device and inode), made when new.
 * Zero identity: any of that name. Borrowed from the session's symbols.
 */
struct dso *objects_get(struct machine *mc, const struct dso_desc *desc, u64 ino_key);
/* A new object, which objects_get() does not find. */
struct dso *objects_add_hidden(struct machine *mc, const struct dso_desc *desc);

size_t objects_nr(const struct machine_objects *o);
/*
 * Removes the objects that are not in `used`, which has the key (number of the object, 0) for
 * those that are, and were not asked for since the last call; the kernel and its modules stay. The
 * names of the others are put into `names`, which becomes the machine's table file_names. Returns
 * true if machine_stacks_rest() is due for each user of the machine, before anything is unwound.
 */
bool objects_forget(struct machine *mc, const struct idmap *used, struct intern *names);

#endif
