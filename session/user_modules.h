/* SPDX-License-Identifier: MIT */
/*
 * The unwind information of a session's objects, by map: what unwind/ asks for when it meets an
 * address. Made when first needed, shared by threads.
 */
#ifndef SESSION_USER_MODULES_H
#define SESSION_USER_MODULES_H

#include "session/mapset.h"
#include "unwind/unwind.h"

struct user_modules;
struct user_modules *user_modules_new(void);
/* Before symbols_free: modules borrow the objects. */
void user_modules_free(struct user_modules *m);

/* The maps of one process as unwind/ is given them. Lives as long as the caller lets it. */
struct user_space {
	struct user_modules *modules;
	const struct mapset *maps;
};

/* For struct unwinder_config: space->maps is a struct user_space. May be called by any thread. */
bool user_modules_find(const struct unwind_space *space, u64 ip, struct unwind_place *ret);

#endif
