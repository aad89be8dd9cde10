/* SPDX-License-Identifier: MIT */
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/sink/urgency.h"
#include "tests/frame/unit.h"

static bool is_ordinary(void)
{
	return !(sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) && getpriority(PRIO_PROCESS, 0) >= 0;
}

TEST(a_raised_thread_has_ordinary_children)
{
	static const enum urgency how[] = { URGENCY_WORKER, URGENCY_READER };
	int i, status;

	if (!is_ordinary())
		SKIP("this process itself is not of the ordinary class");
	for (i = 0; i < 2; i++) {
		pid_t pid;

		if (!urgency_raise(how[i]))
			SKIP("this user may not raise a thread");
		CHECK(!is_ordinary());
		pid = fork();
		if (!pid)
			_exit(is_ordinary() ? 0 : 1);
		CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
		CHECK_EQ(WEXITSTATUS(status), 0);
	}
}

TEST(a_user_without_the_right_goes_on_as_before)
{
	struct rlimit none = { 0, 0 };

	if (geteuid() || setrlimit(RLIMIT_RTPRIO, &none) || setrlimit(RLIMIT_NICE, &none) ||
	    setresuid(65534, 65534, 65534))
		SKIP("needs root to become another user");
	CHECK(!urgency_raise(URGENCY_READER));
	CHECK(!urgency_raise(URGENCY_WORKER));
}
