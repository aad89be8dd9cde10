/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_say.h"
#include "unwind/unwind_walk.h"

const char *unwind_end_text(enum unwind_end end)
{
	switch (end) {
	case UNWIND_ROOT: return "complete: the start of the thread";
	case UNWIND_TRUNCATED: return "truncated: the copy of the stack is too short";
	case UNWIND_NO_INFO: return "broken: no call frame information, and no frame pointer";
	case UNWIND_NO_OBJECT: return "broken: the file of the code was not found";
	case UNWIND_NO_MAP: return "broken: the address is not in executable code";
	case UNWIND_BAD_INFO: return "broken: damaged call frame information";
	case UNWIND_BAD_STACK: return "broken: the stack pointer left the stack";
	case UNWIND_DEPTH: return "cut: the limit of frames was reached";
	case UNWIND_NO_REGS: return "none: no user registers were sampled";
	case UNWIND_NR_ENDS: break;
	}
	return "?";
}

void unwind_explain(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *ret,
		    void (*tell)(void *ctx, const char *line), void *ctx)
{
	struct walk_tell listener = { tell, ctx };
	struct walk w;

	pc_cache_begin(&u->cache);
	walk_start(&w, u, job);
	w.tell = &listener;
	walk_all(&w, ret);
	walk_say(&w, "%s", unwind_end_text(ret->end));
}
