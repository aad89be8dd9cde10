/* SPDX-License-Identifier: MIT */
/* The test frame itself: what fails, crashes or is skipped is told, and only that. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/frame/unit.h"

/* Runs fn in a process of its own and tells how that ended, as waitpid has it. */
static int outcome(void (*fn)(void))
{
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		fn();
		_exit(0);
	}
	CHECK(pid > 0);
	CHECK(waitpid(pid, &status, 0) == pid);
	return status;
}

static void holds(void)
{
	CHECK(1 + 1 == 2);
	CHECK_EQ(-1, UINT64_MAX);
	CHECK_STR("a", "a");
	CHECK_STR(NULL, NULL);
	CHECK_MEM("abc", "abd", 2);
}

static void wrong_number(void)
{
	CHECK_EQ(1, 2);
}

static void wrong_text(void)
{
	CHECK_STR(NULL, "");
}

static void wrong_byte(void)
{
	CHECK_MEM("abc", "abd", 3);
}

static void skips(void)
{
	SKIP("because of %d", 1);
}

static void stops(void)
{
	raise(SIGKILL);
}

TEST(checks_that_hold_say_nothing)
{
	CHECK_EQ(outcome(holds), 0);
}

TEST(checks_that_fail_end_the_case)
{
	CHECK(WEXITSTATUS(outcome(wrong_number)) == 1);
	CHECK(WEXITSTATUS(outcome(wrong_text)) == 1);
	CHECK(WEXITSTATUS(outcome(wrong_byte)) == 1);
}

TEST(a_skip_is_no_failure)
{
	CHECK(WEXITSTATUS(outcome(skips)) == 77);
}

TEST(a_signal_is_seen)
{
	CHECK(WIFSIGNALED(outcome(stops)));
}
