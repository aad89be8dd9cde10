/* SPDX-License-Identifier: MIT */
#include "fold/fold_marks.h"

const char *fold_mark_of_end(enum unwind_end end)
{
	switch (end) {
	case UNWIND_ROOT:
	case UNWIND_NR_ENDS: break;
	case UNWIND_TRUNCATED: return "[truncated]";
	case UNWIND_NO_INFO: return "[no unwind info]";
	case UNWIND_NO_OBJECT: return "[file not found]";
	case UNWIND_NO_MAP: return "[not code]";
	case UNWIND_BAD_INFO: return "[bad unwind info]";
	case UNWIND_BAD_STACK: return "[bad stack]";
	case UNWIND_DEPTH: return "[max stack]";
	case UNWIND_NO_REGS: return "[no registers]";
	}
	return "";
}
