/* SPDX-License-Identifier: MIT */
/*
 * The table of distinct frames of a counter: each (ip, map) gets an id and the rank of its first
 * sample. A table belongs to one thread. Kernel ips can wait for their map until the kernel's
 * symbols are loaded, which say how far the kernel's maps reach; until then a kernel frame is
 * distinguished by (set of kernel maps, ip).
 *
 * By file, an address of a mapped file that has a symbol is one frame, wherever processes map the
 * file; its ip is the first one seen.
 *
 * By symbol, all ips of one function are one frame, and its ip is the first one seen. With
 * keep_inlines, where functions may be inlined, one address of a file is one frame instead,
 * wherever processes map it. All ips outside of any map are two frames, one for each half of the
 * address space. Waiting kernel ips are one frame each.
 */
#ifndef COUNT_TABLES_COUNT_FRAMES_H
#define COUNT_TABLES_COUNT_FRAMES_H

#include "count/tables/count_seen.h"
#include "session/session.h"

struct count_frame {
	u64 ip;
	const struct map *map; /* NULL: no map holds ip */
	/* by symbol or file: it and map->dso are the frame; NULL: ip and map are */
	const void *sym;
	u64 first;
	u32 late_set; /* id of the set of kernel maps to look ip up in, 0: map is known */
	u32 hash;
};

/*
 * An entry of the cache (set of maps, ip) -> frame id, which is emptied when it outgrows the table.
 * Sets that differ only in data maps share the entries of code, as data is mapped and unmapped all
 * the time.
 */
struct count_place {
	u64 ip;
	u32 set; /* 0: free */
	u32 frame;
};

struct count_frames_slot {
	u32 id; /* + 1, 0: free */
	u32 hash;
};

struct count_frames {
	struct count_frame *items;
	u32 *marks; /* by id, see count_frame_mark */
	size_t nr, cap;
	struct count_frames_slot *slots;
	size_t mask;
	struct count_place *places;
	size_t nr_places, place_mask;
	unsigned int place_shift;
	struct count_seen *seen; /* by symbol: COUNT_NR_SEEN entries behind the places */
	bool late_kernel;        /* kernel ips wait for their map */
	bool by_symbol;
	bool by_file; /* an address of a file that has a symbol is one frame in all processes */
	bool keep_inlines; /* by symbol: ips in objects with inlined functions are one frame each */
	const struct map *last_map; /* of the frame that was added last */
};

/* By symbol: ids of the two frames outside of any map. All other ids are given in order. */
enum { COUNT_FRAME_LOW, COUNT_FRAME_HIGH };

static inline u32 count_frame_nowhere(u64 ip)
{
	return (s64)ip < 0 ? COUNT_FRAME_HIGH : COUNT_FRAME_LOW;
}

/* The maps that a sample's addresses are looked up in. */
struct count_spaces {
	const struct mapset *user, *kernel;
};

static inline const struct mapset *count_space(const struct count_spaces *s, u8 cpumode)
{
	if (cpumode == PD_CPUMODE_KERNEL)
		return s->kernel;
	return cpumode == PD_CPUMODE_USER ? s->user : NULL;
}

void count_frames_init(struct count_frames *f, bool late_kernel, bool by_symbol);
void count_frames_fini(struct count_frames *f);

/*
 * Gives the ids of n addresses, each looked up in the maps of its cpumode. A new frame gets *rank
 * as its first rank, and *rank is increased by one.
 */
void count_frames_get(struct count_frames *f, const struct count_spaces *s, const u64 *ips,
		      const u8 *modes, size_t n, u64 *rank, u32 *ret_ids);

/*
 * The same without making room, for which count_frames_make_room() is called first, and in a table
 * by symbol. An entry whose mode is no cpumode, 8 or more, is left alone: its id is not set.
 */
void count_frames_get_chain(struct count_frames *f, const struct count_spaces *s, const u64 *ips,
			    const u8 *modes, size_t n, u64 *rank, u32 *ret_ids);

/*
 * Likewise the id of one ip in user space. *ret_key becomes COUNT_ANY_SET when the id holds for all
 * sets with the same code, else the id of the one set that it holds for.
 */
#define COUNT_ANY_SET UINT32_MAX
u32 count_frames_get_named(struct count_frames *f, const struct count_spaces *s, u64 ip, u64 *rank,
			   u32 *ret_key);

/*
 * As count_frames_get_named(), but past the cache: for callers that
 * remember the id of an ip themselves. No room is needed.
 */
u32 count_frames_name(struct count_frames *f, const struct count_spaces *s, u64 ip, u64 *rank,
		      u32 *ret_key);
/* Makes room in the cache for n more addresses. */
void count_frames_make_room(struct count_frames *f, size_t n);

/* A hash of the frame that is equal in all tables and does not change when its map becomes known.
 */
static inline u32 count_frame_mark(const struct count_frame *fr)
{
	if (fr->sym || (fr->map && !fr->map->kernel))
		return fr->hash;
	return (u32)((fr->ip * 0x9e3779b97f4a7c15ull) >> 32);
}

/* Prefetches the cache entries that count_frames_get() will read. */
void count_frames_prefetch_places(const struct count_frames *f, const struct count_spaces *s,
				  const u64 *ips, const u8 *modes, size_t n);

/* Prefetches the slots of those whose places, which have arrived, do not have them. */
void count_frames_prefetch_missing(const struct count_frames *f, const struct count_spaces *s,
				   const u64 *ips, const u8 *modes, size_t n);

/* The id of another table's frame, added when new. The lower of the two first ranks stays. */
u32 count_frames_adopt(struct count_frames *f, const struct count_frame *other);
/* Prefetches its slot, and then, when that has arrived, the frame that seems to be equal. */
void count_frames_prefetch(const struct count_frames *f, const struct count_frame *other);
void count_frames_prefetch_equal(const struct count_frames *f, const struct count_frame *other);

/* Frees the cache: count_frames_get() may not be called any more, count_frames_adopt() may. */
void count_frames_forget_places(struct count_frames *f);
/* Frees what is needed to add frames: the table can only be read from now on. */
void count_frames_freeze(struct count_frames *f);

/*
 * Updates the hash of a waiting frame whose map has been set. Its table can then only be read, or
 * merged into another one: its own slots do not find the frame.
 */
void count_frame_known(struct count_frame *fr);

size_t count_frames_bytes(const struct count_frames *f);

#endif
