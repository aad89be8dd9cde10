/* SPDX-License-Identifier: MIT */
/*
 * A cache of unwind rules and other facts about code addresses, with an entry for each pair of
 * address space and pc that an unwinder has met. A small table of 16-byte entries is searched
 * first; it answers nearly every lookup with one memory access, because the two entries that may
 * hold a key share a cache line. A hash table holds all entries. Used by one thread.
 */
#ifndef UNWIND_PC_CACHE_H
#define UNWIND_PC_CACHE_H

#include "base/hash.h"
#include "unwind/unwind_module.h"

/* 2^15 entries are 512 KiB, half of a small L2 cache; clang has 12,000 hot pcs. */
#define PC_FRONT_BITS 15

struct pc_info {
	u64 pc;
	u32 space;                    /* its number, see pc_cache_space() */
	u32 rule;                     /* unwind rule, see unwind_rule.h */
	bool has_row;                 /* the pc has call frame information */
	bool vdso;                    /* see struct unwind_place */
	u32 by_code;                  /* result of unwind_code_rule(); 0: not called yet */
	const struct full_row *row;   /* NULL: not looked up yet */
	struct unwind_module *module; /* of the file mapped at pc; NULL without one */
	u64 bias;                     /* pc - bias is a vaddr of module */
	const struct unwind_sigframe *sigframe; /* pc is in a signal trampoline without call frame
						 * information; else NULL */
	u8 end;                                 /* with RULE_OUT: enum unwind_end */
};

/* An entry of the small table. */
struct pc_front {
	u64 key;        /* the pc, with the space in its upper 16 bits; 0: empty */
	u32 rule, info; /* the unwind rule; index in pc_cache.infos */
};

struct pc_cache {
	struct pc_front *front;
	struct pc_info *infos;
	struct unwind_tag *tags; /* by index in infos */
	size_t nr_infos, cap_infos;
	u32 *slots; /* of the hash table: index in infos + 1, 0: free */
	size_t mask;
	struct idmap *spaces; /* key: id and arch of an address space; value: its number */
	u32 nr_spaces;
	u64 last_id; /* id and arch of the last pc_cache_space() call */
	u32 last_space;
};

void pc_cache_init(struct pc_cache *c);
void pc_cache_fini(struct pc_cache *c);

/* Removes all entries if they are too many. Called before each unwind_stack() or unwind_four(). */
void pc_cache_begin(struct pc_cache *c);

/* Returns the cache's number, 1 to 65535, of the address space with this id and architecture. */
u32 pc_cache_space(struct pc_cache *c, u32 id, enum unwind_arch arch);

/* Returns the entry of a pc, NULL if the cache does not have it. It is valid until the next
 * pc_cache_add(). */
const struct pc_info *pc_cache_find(struct pc_cache *c, u32 space, u64 pc);
/* Adds a copy of *info, for a pc that the cache does not have, and returns it. function: run-time
 * start of the function, for the entry's tag. */
const struct pc_info *pc_cache_add(struct pc_cache *c, const struct pc_info *info, u64 function);

/* Returns the number of an entry, which does not change until the next pc_cache_begin(). */
static inline u32 pc_cache_number(const struct pc_cache *c, const struct pc_info *info)
{
	return (u32)(info - c->infos);
}

static inline u64 pc_key(u32 space, u64 pc)
{
	return pc | (u64)space << 48;
}

static inline bool pc_has_key(u64 pc)
{
	return !(pc >> 48);
}

/* Returns the index of the first of the two entries in the small table that may hold a key. */
static inline size_t pc_front_set(u64 key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15ull) >> (65 - PC_FRONT_BITS)) * 2;
}

#endif
