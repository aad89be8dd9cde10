/* SPDX-License-Identifier: MIT */
#include "record/switch_hook.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "tests/frame/fake_tree.h"
#include "tests/frame/unit.h"

static char *text_of(const char *path)
{
	char text[4096];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	return xstrdup(text);
}

TEST(files_one_after_another)
{
	struct fake_tree t = fake_tree_new();
	char *seen = xasprintf("%s/seen", t.root), *text;
	char *command = xasprintf("printf '%%s;' \"$1\" >> %s; cat", seen);
	struct switch_hook *h = switch_hook_new(command);
	struct switch_hook_counts n;
	struct perr e;

	CHECK(h != NULL);
	switch_hook_put(h, "a");
	switch_hook_put(h, "b; exit 1");
	switch_hook_put(h, "-c $d");
	switch_hook_wait(h, 20000);
	n = switch_hook_end(h);
	CHECK(n.runs == 3 && n.failed == 0 && n.left == 0);
	text = text_of(seen);
	CHECK_STR(text, "a;b; exit 1;-c $d;");
	h = switch_hook_new("exit 0");
	CHECK(!switch_hook_failed(h, &e));
	switch_hook_wait(h, 20000);
	n = switch_hook_end(h);
	CHECK(n.runs == 0);
	n = switch_hook_end(NULL);
	CHECK(n.runs == 0);
	free(text);
	free(seen);
	free(command);
	fake_tree_free(&t);
}

static bool wait_for_failure(struct switch_hook *h, struct perr *e)
{
	for (int ms = 0; ms < 20000; ms += 2) {
		if (switch_hook_failed(h, e))
			return true;
		usleep(2000);
	}
	return false;
}

TEST(the_first_failure_is_returned_once)
{
	struct switch_hook *h =
		switch_hook_new("case $1 in ok) ;; die) kill -9 $$ ;; *) exit 7 ;; esac");
	struct switch_hook_counts n;
	struct perr e;

	switch_hook_put(h, "ok");
	switch_hook_put(h, "bad");
	CHECK(wait_for_failure(h, &e));
	CHECK_EQ(e.code, PERR_IO);
	CHECK(strstr(e.text, " for bad: exit status 7"));
	switch_hook_put(h, "die");
	switch_hook_put(h, "ok");
	usleep(20000);
	CHECK(!switch_hook_failed(h, &e));
	switch_hook_wait(h, 20000);
	n = switch_hook_end(h);
	CHECK(n.runs == 4 && n.failed == 2 && n.left == 0);
	h = switch_hook_new("case $1 in ok) ;; die) kill -9 $$ ;; esac");
	switch_hook_put(h, "die");
	CHECK(wait_for_failure(h, &e));
	CHECK(strstr(e.text, " for die: ended by signal 9"));
	(void)switch_hook_end(h);
}

TEST(a_command_that_hangs_holds_up_nobody)
{
	struct fake_tree t = fake_tree_new();
	char *gate = xasprintf("%s/gate", t.root);
	char *command = xasprintf("until [ -e %s ]; do sleep 0.01; done", gate);
	struct switch_hook *h = switch_hook_new(command);
	struct switch_hook_counts n;
	u64 start = now_ns();
	struct perr e;

	for (u32 i = 0; i < SWITCH_HOOK_MAX + 50; i++)
		switch_hook_put(h, "file");
	CHECK(now_ns() - start < 5000000000);
	CHECK(switch_hook_failed(h, &e));
	CHECK_EQ(e.code, PERR_LIMIT);
	switch_hook_wait(h, 50);
	n = switch_hook_end(h);
	CHECK_EQ(n.runs, 0);
	CHECK(n.failed >= 49 && n.failed <= 50);
	CHECK_EQ(n.left + n.failed, SWITCH_HOOK_MAX + 50);
	fake_file(&t, "gate", "open");
	usleep(50000);
	fake_tree_free(&t);
	free(gate);
	free(command);
}
