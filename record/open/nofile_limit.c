/* SPDX-License-Identifier: MIT */
#include "record/open/nofile_limit.h"

#include <sys/resource.h>

#define OTHER_FDS 64

u64 nofile_wanted(u64 events)
{
	return events + OTHER_FDS;
}

bool nofile_raise(u64 events)
{
	u64 wanted = nofile_wanted(events);
	struct rlimit lim, more = { .rlim_cur = wanted, .rlim_max = wanted };

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == RLIM_INFINITY)
		return false;
	if (lim.rlim_max != RLIM_INFINITY && lim.rlim_max < wanted &&
	    !setrlimit(RLIMIT_NOFILE, &more))
		return true;
	if (lim.rlim_cur >= lim.rlim_max)
		return false;
	lim.rlim_cur = lim.rlim_max;
	return !setrlimit(RLIMIT_NOFILE, &lim);
}

void nofile_provide(u64 events)
{
	struct rlimit lim;

	if (!getrlimit(RLIMIT_NOFILE, &lim) && lim.rlim_cur < nofile_wanted(events))
		nofile_raise(events);
}

u64 nofile_spare(u64 events, u64 wanted)
{
	u64 used = nofile_wanted(events);
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim))
		return 0;
	if (lim.rlim_cur < used + wanted && lim.rlim_cur < lim.rlim_max) {
		rlim_t enough = used + wanted;

		lim.rlim_cur = enough < lim.rlim_max ? enough : lim.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &lim))
			return 0;
	}
	if (lim.rlim_cur <= used)
		return 0;
	return lim.rlim_cur - used < wanted ? lim.rlim_cur - used : wanted;
}
