/* SPDX-License-Identifier: MIT */
/* Call trees without what hides the rest: functions, recursion, the commands that stacks begin
 * with. */
#ifndef REPORT_TUI_GRAPH_FLAME_CHANGE_H
#define REPORT_TUI_GRAPH_FLAME_CHANGE_H

#include "picture/flame.h"

enum flame_change_kind {
	FLAME_DROP,  /* the stacks through a function are left out */
	FLAME_MERGE, /* the function is left out of stacks: its own weight is that of its caller */
};

struct flame_change {
	u32 name;
	enum flame_change_kind kind;
};

struct flame_changes {
	const struct flame_change *items; /* those of functions; a later one of a name counts */
	size_t nr;
	bool no_recursion; /* a function that calls itself is one box */
	bool no_commands;  /* nodes right below the top are left out, as with FLAME_MERGE */
};

/*
 * Makes *ret, a finished tree which the caller frees, and leaves f as it is. Names keep their ids,
 * and the heaviest children come first.
 */
void flame_changed(const struct flame *f, const struct flame_changes *c, struct flame *ret);

#endif
