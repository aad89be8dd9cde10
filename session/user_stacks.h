/* SPDX-License-Identifier: MIT */
/*
 * The user part of a call chain from a sample's registers and the copy of its stack
 * (PERF_SAMPLE_REGS_USER and STACK_USER). One for each thread of ours; the modules are shared.
 */
#ifndef SESSION_USER_STACKS_H
#define SESSION_USER_STACKS_H

#include "fileformat/sample.h"
#include "session/user_modules.h"

struct user_stacks;

/*
 * arch: of the recording, as uname -m has it; borrowed. max_frames: of the user part.
 */
struct user_stacks *user_stacks_new(struct user_modules *modules, const char *arch, u32 max_frames);
void user_stacks_free(struct user_stacks *u);
/* Gives its caches back, which are large, until it is used again; NULL allowed. */
void user_stacks_rest(struct user_stacks *u);
u32 user_stacks_max_frames(const struct user_stacks *u);

/* As user_stacks_new for a session's modules and architecture. */
struct session;
struct user_stacks *session_user_stacks(struct session *s, u32 max_frames);

/* Whether a recording has stack copies at all. */
bool user_stacks_are_in(const struct perfdata *pd);

/* Whether a sample carries what there is to unwind. */
bool user_stacks_wants(const struct pd_event *ev, const struct pd_sample *s);

/*
 * The user frames, leaf first. Borrowed until the next call; ->nr is 0 and ->end tells why where
 * there are none. maps: of the sample's process, as of then.
 */
const struct unwind_frames *user_stacks_unwind(struct user_stacks *u, const struct pd_sample *s,
					       const struct mapset *maps);

/*
 * Unwinds up to USER_STACKS_AHEAD stacks side by side, which takes less time than one by one: the
 * next calls of user_stacks_unwind with these samples, each once, give what was found. What is left
 * of an earlier call is forgotten, and no frames of one may still be in use.
 */
#define USER_STACKS_AHEAD 4
void user_stacks_unwind_ahead(struct user_stacks *u, const struct pd_sample *const *samples,
			      const struct mapset *const *maps, size_t n);

/* See struct unwind_tag; NULL as long as nothing was unwound. */
struct unwind_tag *user_stacks_tags(struct user_stacks *u);

/* As user_stacks_unwind, and tells each step as unwind_explain does. libunwind tells none. */
const struct unwind_frames *user_stacks_explain(struct user_stacks *u, const struct pd_sample *s,
						const struct mapset *maps,
						void (*tell)(void *ctx, const char *line),
						void *ctx);

#endif
