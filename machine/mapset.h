/* SPDX-License-Identifier: MIT */
/*
 * Maps of one address space. A mapset is a version: its id changes with every change of content, so
 * (mapset id, ip) names one place for good. Processes share a mapset until one of them changes it
 * (fork costs nothing). All addresses are run-time ones, ranges half-open [start, end).
 */
#ifndef MACHINE_MAPSET_H
#define MACHINE_MAPSET_H

#include <stdatomic.h>
#include <sys/mman.h>

#include "base/tuple_table.h"
#include "symbols/symbols.h"

/* One mapping. Immutable once it is in a set; lives as long as the session. */
struct map {
	u64 start, end;
	u64 pgoff;
	struct dso *dso;
	const char *dso_name; /* as printed: path, [kernel.kallsyms], [module], ... */
	u32 id;               /* unique in the session */
	u32 prot, flags;
	bool identity; /* dso address = ip: anonymous memory, JIT code */
	bool kernel;
	bool timed; /* of jitdumps: pgoff is not a place but a moment, see symbols/jit/jit_code.h */
};

/* Address of ip in m's object (see symbols/symbols.h). */
static inline u64 map_ip_to_addr(const struct map *m, u64 ip)
{
	return m->identity ? ip : ip - m->start + m->pgoff;
}

/* True if the map can be executed. prot is 0 for MMAP records, which do not contain it. */
static inline bool map_is_code(const struct map *m)
{
	return !m->prot || (m->prot & PROT_EXEC);
}

struct mapset {
	atomic_uint refs;
	u32 id;
	/*
	 * Like id, but changes only when executable maps change, and is the same in sets that got
	 * the same ones in the same order, if all of them are of files or the vDSO.
	 */
	u32 code_id;
	size_t nr, cap;
	const struct map **maps; /* ascending, disjoint */
	/* Of a maker that lists its sets, else NULL: the list, and the neighbours in it. */
	struct mapset **list, *next, *before;
};

/*
 * Copies a map, for the pieces that remain of a map when a newer one overlaps it. The copies are
 * owned by the machine.
 */
struct map_maker {
	struct map *(*copy)(struct map_maker *mm, const struct map *m);
	u32 next_set_id;
	bool lists_sets;     /* all sets are in `sets`; only one thread may take and drop them */
	struct mapset *sets; /* the newest first */
	struct tuple_table codes; /* changes of executable maps, with the code_id after each */
};

/* Frees what mapset_insert() keeps in mm, which is all zero but for the two first members at first.
 */
void map_maker_fini(struct map_maker *mm);
/* Forgets which changes of maps were made: sets of later changes are not like those of earlier
 * ones.
 */
void map_maker_forget_codes(struct map_maker *mm);

/*
 * The one thread that changes the machine makes sets and takes references; any thread may drop a
 * reference that it was given, beside it.
 */
struct mapset *mapset_new(struct map_maker *mm);
struct mapset *mapset_get(struct mapset *s);
/* NULL allowed. */
void mapset_put(struct mapset *s);

/*
 * Puts m into *s, cutting older maps that overlap it. *s is replaced where it is shared. The pieces
 * of a cut map keep its object; a piece behind m starts at the matching pgoff. A file that is
 * mapped again just as it was changes nothing.
 */
void mapset_insert(struct mapset **s, struct map_maker *mm, const struct map *m);
void mapset_remove(struct mapset **s, struct map_maker *mm, const struct map *m);

/* The same maps, but what lies in their code has changed: *s is a new version. */
void mapset_renew_code(struct mapset **s, struct map_maker *mm);

/* The first map that ends behind ip, NULL when none does. */
const struct map *mapset_find_next(const struct mapset *s, u64 ip);

/* The map that holds ip, NULL when none does. */
const struct map *mapset_find(const struct mapset *s, u64 ip);

#endif
