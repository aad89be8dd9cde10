/* SPDX-License-Identifier: MIT */
/* Which frames are one node in a call tree: those of one function, address or source line. */
#ifndef PROFILE_CHAIN_KEYS_H
#define PROFILE_CHAIN_KEYS_H

#include "base/hash.h"
#include "base/intern.h"
#include "profile/chain_tree.h"
#include "profile/object_order.h"

struct chain_keys {
	enum chain_key kind;
	bool full_path; /* of source lines */
	bool by_name;   /* functions with equal names are one */
	chain_frame_fn *frame;
	void *arg;
	const struct object_order *order;
	u32 *of_frame; /* by frame id; 0: not made yet */
	size_t nr_frames;
	u32 nr;                   /* keys given out, from 1 */
	struct idmap by_symbol;   /* (object, start of the symbol) -> key */
	struct idmap by_ip;       /* (object, ip) -> key */
	struct idmap by_text;     /* (id in texts, 0) -> key: source line, name of an inlined one */
	struct idmap plain_names; /* (id in texts, 0) -> key of the function not inlined */
	struct idmap lines;       /* (frame id, 0) -> id in texts */
	struct intern texts;
};

void chain_keys_init(struct chain_keys *k, enum chain_key kind, chain_frame_fn *frame, void *arg);
void chain_keys_fini(struct chain_keys *k);

/* Makes the key of a frame that has none yet. */
u32 chain_keys_make(struct chain_keys *k, u32 frame_id);

static inline u32 chain_keys_get(struct chain_keys *k, u32 frame_id)
{
	if (frame_id < k->nr_frames && k->of_frame[frame_id])
		return k->of_frame[frame_id];
	return chain_keys_make(k, frame_id);
}

/* Describes a frame, with its source line when the kind of key needs it. */
void chain_keys_describe(struct chain_keys *k, u32 frame_id, struct chain_frame *ret);

/* Compares two frames in the order of perf's trees: below, equal to or above 0. */
int chain_keys_compare(struct chain_keys *k, u32 a, u32 b);

#endif
