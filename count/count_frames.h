/* SPDX-License-Identifier: MIT */
/*
 * Frames while samples are counted: an ip in a map, each once, with the rank of its first sight.
 * A table belongs to one thread. Kernel ips can be left without a map until the kernel's symbols,
 * which say how far its maps reach, are loaded: they are then kept by (set of kernel maps, ip).
 *
 * By symbol, ips of one function are one frame, those of no map are two (of the lower and the upper
 * half of the addresses), and the ip of a frame is the first that was seen. Kernel ips that wait
 * are kept by ip all the same.
 */
#ifndef COUNT_COUNT_FRAMES_H
#define COUNT_COUNT_FRAMES_H

#include "session/session.h"

struct count_frame {
	u64 ip;
	const struct map *map; /* NULL: no map holds ip */
	const void *sym;       /* by symbol: it and map->dso are the frame; NULL: ip and map are */
	u64 first;
	u32 late_set; /* id of the set of kernel maps to look ip up in, 0: map is known */
	u32 hash;
};

/*
 * (set of maps, ip) -> id: a cache that is emptied when it outgrows the frames. What lies in code
 * is the same for all sets with the same code: data is mapped and unmapped all the time.
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
	bool late_kernel; /* leave kernel ips without a map */
	bool by_symbol;
	bool keep_inlines; /* inlined functions will be asked for; by symbol: objects that tell of
			      them have their frames apart */
	const struct map *last_map; /* of a frame that was new */
};

/* By symbol: ids of the frames that are in no map; from all others a table may choose. */
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
 * Ids of n addresses, each in the space of its cpumode. New ones are first seen at *rank, which is
 * then stepped on.
 */
void count_frames_get(struct count_frames *f, const struct count_spaces *s, const u64 *ips,
		      const u8 *modes, size_t n, u64 *rank, u32 *ret_ids);

/*
 * A place at once, for tables by symbol: room for it has been made. *ret_key is COUNT_ANY_SET when
 * the id is good for all sets with the same code, else the number of the set alone. NULL allowed.
 */
#define COUNT_ANY_SET UINT32_MAX
u32 count_frames_get_named(struct count_frames *f, const struct count_spaces *s, u64 ip, u8 mode,
			   u64 *rank, u32 *ret_key);

/*
 * As count_frames_get_named of an ip in user space, for who keeps the id by ip: its place is not
 * looked for and needs no room.
 */
u32 count_frames_name(struct count_frames *f, const struct count_spaces *s, u64 ip, u64 *rank,
		      u32 *ret_key);
/* Makes room for n more places. */
void count_frames_make_room(struct count_frames *f, size_t n);

/* What is the same for a frame in every table, and stays when its map gets known. */
static inline u32 count_frame_mark(const struct count_frame *fr)
{
	return fr->sym ? fr->hash : (u32)((fr->ip * 0x9e3779b97f4a7c15ull) >> 32);
}

/* Fetches from memory what count_frames_get will look at. */
void count_frames_prefetch_places(const struct count_frames *f, const struct count_spaces *s,
				  const u64 *ips, const u8 *modes, size_t n);

/* The id of a frame of another table, added when new; of the ranks the lower one stays. */
u32 count_frames_adopt(struct count_frames *f, const struct count_frame *other);
void count_frames_prefetch(const struct count_frames *f, const struct count_frame *other);

/* No more count_frames_get; count_frames_adopt still is. */
void count_frames_forget_places(struct count_frames *f);
/* From now on it can only be read. */
void count_frames_freeze(struct count_frames *f);

/*
 * The map of a frame that waited is known. Its table can only be read afterwards, or brought into
 * another.
 */
void count_frame_known(struct count_frame *fr);

size_t count_frames_bytes(const struct count_frames *f);

#endif
