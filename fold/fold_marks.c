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

const char *fold_mark_of_wait(enum pd_offcpu how)
{
	static const char *const names[PD_NR_OFFCPU] = {
		[PD_OFFCPU_ASLEEP] = "[off-CPU]",    [PD_OFFCPU_PREEMPTED] = "[preempted]",
		[PD_OFFCPU_S] = "[off-CPU S]",       [PD_OFFCPU_D] = "[off-CPU D]",
		[PD_OFFCPU_STOPPED] = "[off-CPU T]", [PD_OFFCPU_TRACED] = "[off-CPU t]",
		[PD_OFFCPU_DEAD] = "[off-CPU X]",    [PD_OFFCPU_ZOMBIE] = "[off-CPU Z]",
		[PD_OFFCPU_PARKED] = "[off-CPU P]",  [PD_OFFCPU_IDLE] = "[off-CPU I]",
		[PD_OFFCPU_QUEUED] = "[run queue]",
	};

	return names[how];
}
