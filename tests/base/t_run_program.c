/* SPDX-License-Identifier: MIT */
/* Programs run without a shell: their output, their ends, and the time that they may take. */
#include "base/advice/run_program.h"

#include "base/clock.h"
#include "base/mem.h"
#include "tests/frame/unit.h"

TEST(output)
{
	const char *const hello[] = { "printf", "%s|", "a b", "$HOME;", NULL };
	const char *const fails[] = { "sh", "-c", "echo some; exit 3", NULL };
	const char *const none[] = { "/nowhere/no-such-program", NULL };
	const char *const quiet[] = { "sh", "-c", "cat; echo $LC_ALL; echo to-error >&2", NULL };
	char *text = run_program(hello, 5000, 100);

	CHECK_STR(text, "a b|$HOME;|");
	free(text);
	text = run_program(fails, 5000, 100);
	CHECK_STR(text, "some\n");
	free(text);
	CHECK(!run_program(none, 5000, 100));
	text = run_program(quiet, 5000, 100);
	CHECK_STR(text, "C\n");
	free(text);
}

TEST(output_is_cut)
{
	const char *const much[] = { "head", "-c", "1000000", "/dev/zero", NULL };
	const char *const yes[] = { "printf", "%s", "0123456789", NULL };
	char *text = run_program(much, 5000, 10);

	CHECK(text && !text[0]);
	free(text);
	text = run_program(yes, 5000, 4);
	CHECK_STR(text, "0123");
	free(text);
}

TEST(time_is_limited)
{
	const char *const sleeps[] = { "sh", "-c", "sleep 60; true", NULL };
	const char *const closed[] = { "sh", "-c", "exec >&-; sleep 60; true", NULL };
	u64 start = now_ms();

	CHECK(!run_program(sleeps, 50, 10));
	CHECK(!run_program(closed, 50, 10));
	CHECK(!run_program(sleeps, 0, 10));
	CHECK(now_ms() - start < 20000);
}
