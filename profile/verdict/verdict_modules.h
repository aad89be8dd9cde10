/* SPDX-License-Identifier: MIT */
/*
 * The objects that frames without a name lie in, for verdict.c: it adds each such frame once, then
 * weighs the modules row by row, then sorts them.
 */
#ifndef PROFILE_VERDICT_VERDICT_MODULES_H
#define PROFILE_VERDICT_VERDICT_MODULES_H

#include "base/hash.h"
#include "machine/machine.h"
#include "profile/verdict/verdict.h"
#include "session/frames.h"

/* Fills v->modules. Zero all but v and machine to begin with. */
struct verdict_modules {
	struct verdict *v;
	const struct machine *machine;
	size_t cap; /* of v->modules */
	struct idmap by_dso;
	const struct dso *last_dso;
	u32 last_module; /* of last_dso */
	u32 unmapped[2]; /* the modules of frames in no map, user and kernel; 0: none yet */
};

/*
 * Adds a frame without a name to the module of its object, or to one of the two modules of frames
 * that no map holds. Returns the module's number in v->modules, plus 1.
 */
u32 verdict_modules_add(struct verdict_modules *t, const struct frame *f, bool kernel);
/* Frees what m points to. */
void verdict_module_fini(struct verdict_module *m);
/* Frees all but v, whose modules stay. */
void verdict_modules_fini(struct verdict_modules *t);

/*
 * Sorts v->modules by verdict_measure of `any`, then of `leaf`, the heaviest first, and drops
 * modules of which no counted row has a frame. Numbers of modules are void after it.
 */
void verdict_sort_modules(struct verdict *v);

#endif
