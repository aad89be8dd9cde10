/* SPDX-License-Identifier: MIT */
/*
 * What an unwinder has learned of code addresses: one entry per (address space, pc) it has met. In
 * front lies a table of 16-byte entries that answers nearly every question with one access: the two
 * entries that a key may be in lie in one cache line. Behind it are all of them.
 */
#ifndef UNWIND_PC_CACHE_H
#define UNWIND_PC_CACHE_H

#include "base/hash.h"
#include "unwind/unwind_module.h"

/* 2^15 entries are 512 KiB, half of a small L2 cache; clang has 12,000 hot pcs. */
#define PC_FRONT_BITS 15

struct pc_info {
	u64 pc;
	u32 space; /* local number, see pc_cache_space */
	u32 rule;
	bool has_row;               /* there is call frame information */
	bool vdso;                  /* of unwind_place */
	u32 by_code;                /* unwind_code_rule's answer; 0: not asked for yet */
	const struct full_row *row; /* NULL: not asked for yet, see unwind_walk.c */
	struct unwind_module *module;
	u64 bias;
	const struct unwind_sigframe *sigframe; /* code of a signal trampoline without a row */
	u8 end;                                 /* RULE_OUT: enum unwind_end */
};

struct pc_front {
	u64 key; /* pc with the space in its upper 16 bits; 0: empty */
	u32 rule, info;
};

struct pc_cache {
	struct pc_front *front;
	struct pc_info *infos;
	/* by number of an info: */
	struct unwind_tag *tags;
	size_t nr_infos, cap_infos;
	u32 *slots; /* open addressing: index in infos + 1 */
	size_t mask;
	struct idmap *spaces; /* (id, arch) -> local number */
	u32 nr_spaces;
	u64 last_id; /* id and arch of the space asked for last */
	u32 last_space;
};

void pc_cache_init(struct pc_cache *c);
void pc_cache_fini(struct pc_cache *c);

/* Before up to four stacks: forgets all entries when they are too many. */
void pc_cache_begin(struct pc_cache *c);

/* The number of a space, from 1 to 65535. */
u32 pc_cache_space(struct pc_cache *c, u32 id, enum unwind_arch arch);

/*
 * NULL when it is not known. Infos are valid until the next pc_cache_add.
 */
const struct pc_info *pc_cache_find(struct pc_cache *c, u32 space, u64 pc);
const struct pc_info *pc_cache_add(struct pc_cache *c, const struct pc_info *info, u64 function);

/* An info stays under its number until the next pc_cache_begin. */
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

/* The first of the two entries that a key may be in. */
static inline size_t pc_front_set(u64 key)
{
	return (size_t)((key * 0x9e3779b97f4a7c15ull) >> (65 - PC_FRONT_BITS)) * 2;
}

#endif
