/* SPDX-License-Identifier: MIT */
/*
 * Frames by id. A frame is an ip in a map of one address space; equal frames have one id, so what
 * is costly (symbol lookup, formatting) is done once per distinct frame. The table is bounded: when
 * it is full it starts anew under a new epoch, and ids of older epochs are void.
 */
#ifndef SESSION_FRAMES_H
#define SESSION_FRAMES_H

#include "session/session.h"

struct frame {
	u64 ip;
	const struct map *map; /* NULL: no map holds ip */
	const struct sym_hit
		*sym; /* valid with has_sym; the table's own, as most frames have none */
	bool looked_up;
	bool has_sym;
};

struct frames {
	struct frame *items;
	struct arena syms;
	size_t nr, cap, max;
	u32 epoch;
	struct idmap by_place;          /* (map id, ip) -> id */
	struct frame_cache_line *cache; /* (mapset id, ip) -> id, direct mapped */
	const u32 *nr_forgotten;        /* of frames_follow(), or NULL */
	u32 seen_forgotten;
};

/* max: distinct frames kept before a new epoch (~200 bytes each with a user's text of it). */
void frames_init(struct frames *f, size_t max);
void frames_fini(struct frames *f);

/* The maps of frames are those of a session that forgets_maps: a new epoch starts when it has. */
void frames_follow(struct frames *f, const struct session *s);

/* Call between samples: makes room by starting a new epoch when the table is full. */
void frames_make_room(struct frames *f);

/* Id of the frame at ip, in the task's user space or the kernel as cpumode says. */
u32 frames_get(struct frames *f, const struct task_view *task, u8 cpumode, u64 ip);

/* The frame, its symbol looked up. Borrowed until the next frames_get or frames_make_room. */
const struct frame *frames_resolve(struct frames *f, u32 id);

/*
 * The functions that were inlined at a resolved frame's place and the frame's own, innermost first:
 * the last one is the frame as it is without them (dso_find_inlines has the details). Returns how
 * many; 0 when that is not known or the frame has no symbol: it stands for itself then. *ret lives
 * as long as the session. Looked up once per place, but not free: keep what is made of it.
 */
size_t frame_inlines(const struct frame *fr, const struct inline_frame **ret);
size_t frame_inlines_with_lines(const struct frame *fr, const struct inline_frame **ret);

#endif
