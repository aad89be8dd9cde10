/* SPDX-License-Identifier: MIT */
/*
 * The user part of a call chain from a sample's registers and the copy of its stack
 * (PERF_SAMPLE_REGS_USER and STACK_USER). One for each thread of ours; the modules are shared.
 */
#ifndef MACHINE_MACHINE_STACKS_H
#define MACHINE_MACHINE_STACKS_H

#include "fileformat/sample.h"
#include "machine/machine_modules.h"

struct machine_stacks;

/*
 * arch: of the recording, as uname -m has it; borrowed. max_frames: of the user part.
 */
struct machine_stacks *machine_stacks_new_of(struct machine_modules *modules, const char *arch,
					     u32 max_frames);
void machine_stacks_free(struct machine_stacks *u);
/* Gives its caches back, which are large, until it is used again; NULL allowed. */
void machine_stacks_rest(struct machine_stacks *u);
u32 machine_stacks_max_frames(const struct machine_stacks *u);
/* Changes max_frames for the next stacks. */
void machine_stacks_set_max_frames(struct machine_stacks *u, u32 max_frames);

/* As machine_stacks_new_of for a session's modules and architecture. */
struct machine;
struct machine_stacks *machine_stacks_new(struct machine *mc, u32 max_frames);

/*
 * True if a sample has the registers and the copy of the stack that unwinding needs. A copy is
 * empty where the task had no stack: inside execve, after the old one is unmapped. perf prints no
 * user frames then.
 */
bool machine_stacks_wants(const struct pd_event *ev, const struct pd_sample *s);

/*
 * Unwinds the user stack of a sample. Returns its frames, leaf first, which are borrowed until the
 * next call; if there are none, nr is 0 and `end` is the reason. maps: those of the sample's
 * process at its time.
 */
const struct unwind_frames *machine_stacks_unwind(struct machine_stacks *u,
						  const struct pd_sample *s,
						  const struct mapset *maps);

/*
 * Unwinds up to MACHINE_STACKS_AHEAD stacks at the same time, which is faster than one after the
 * other. The next call of machine_stacks_unwind() for each of these samples returns the result.
 * Results of an earlier call are dropped, so their frames must not be in use any more.
 */
#define MACHINE_STACKS_AHEAD 4
void machine_stacks_unwind_ahead(struct machine_stacks *u, const struct pd_sample *const *samples,
				 const struct mapset *const *maps, size_t n);

/* Returns the tags of the unwinder (struct unwind_tag); NULL before the first stack was unwound. */
struct unwind_tag *machine_stacks_tags(struct machine_stacks *u);

/*
 * Like machine_stacks_unwind(), and passes a line about each step to tell(), as unwind_explain()
 * does. With libunwind there are no lines.
 */
const struct unwind_frames *machine_stacks_explain(struct machine_stacks *u,
						   const struct pd_sample *s,
						   const struct mapset *maps,
						   void (*tell)(void *ctx, const char *line),
						   void *ctx);

#endif
