/* SPDX-License-Identifier: MIT */
/* The pager on a terminal of our own: which one, when it starts, and what ends it. */
#include "base/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/out.h"
#include "tests/frame/unit.h"

struct terminal {
	char said[4096]; /* without the CRs that a terminal adds */
	int status;
};

/* Runs body in a child whose standard descriptors are a terminal, with these pagers (NULL: unset).
 */
static struct terminal on_terminal(void (*body)(void), const char *perf_pager, const char *pager)
{
	struct terminal t = { .status = -1 };
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	size_t used = 0;
	ssize_t n = 0;
	pid_t pid;
	char c;

	if (master < 0 || grantpt(master) || unlockpt(master))
		SKIP("no pseudo terminals here");
	fflush(NULL);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid) {
		int fd = open(ptsname(master), O_RDWR | O_NOCTTY);

		if (fd < 0 || setsid() < 0)
			_exit(99);
		for (int i = 0; i < 3; i++)
			dup2(fd, i);
		close(fd);
		unsetenv("PAGER");
		unsetenv("PERF_PAGER");
		if (perf_pager)
			setenv("PERF_PAGER", perf_pager, 1);
		if (pager)
			setenv("PAGER", pager, 1);
		signal(SIGPIPE, SIG_DFL);
		body();
		_exit(0);
	}
	/* EIO once nobody has the terminal any more; nothing at all before the child has opened it
	 */
	for (int tries = 0; tries < 2000; tries++) {
		n = read(master, &c, 1);
		if (n == 1 && c != '\r' && used < sizeof(t.said) - 1)
			t.said[used++] = c;
		if (n < 0 && errno != EIO)
			break;
		if (n == 1) {
			tries = 0;
			continue;
		}
		if (t.status >= 0)
			break;
		if (waitpid(pid, &t.status, WNOHANG) != pid)
			t.status = -1;
		usleep(5000);
	}
	close(master);
	CHECK(t.status >= 0);
	return t;
}

static void print_two_lines(struct pager *p)
{
	struct out o;

	out_init(&o, stdout);
	out_page(&o, p);
	out_str(&o, "one\ntwo\n");
	CHECK(!p->tried); /* it starts with the first text, not before */
	CHECK(!out_fini(&o));
}

static void page(void)
{
	struct pager p = { 0 };

	print_two_lines(&p);
	fprintf(stderr, "warning\n");
	pager_end(&p);
	fprintf(stderr, "after\n");
}

static void page_off(void)
{
	struct pager p = { .off = true };

	print_two_lines(&p);
	pager_end(&p);
}

static void page_stdout_only(void)
{
	dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
	page();
}

static void page_no_end(void)
{
	struct pager p = { 0 };
	struct out o;

	out_init(&o, stdout);
	out_page(&o, &p);
	for (;;) {
		out_fill(&o, 'x', 70);
		out_char(&o, '\n');
	}
}

static void page_interrupted(void)
{
	struct pager p = { 0 };

	print_two_lines(&p);
	raise(SIGINT);
}

/* Output and errors alike, and the terminal again at the end. */
TEST(both_go_through_the_pager)
{
	struct terminal t = on_terminal(page, "sed s/^/p:/", "sed s/^/q:/");

	CHECK_STR(t.said, "p:one\np:two\np:warning\nafter\n");
	CHECK_EQ(t.status, 0);
	t = on_terminal(page, NULL, "sed s/^/q:/");
	CHECK_STR(t.said, "q:one\nq:two\nq:warning\nafter\n");
	t = on_terminal(page_stdout_only, "sed s/^/p:/", NULL);
	CHECK_STR(t.said, "p:one\np:two\n");
}

TEST(no_pager_where_none_is_wanted)
{
	static const char plain[] = "one\ntwo\nwarning\nafter\n";
	struct terminal t;

	t = on_terminal(page_off, "sed s/^/p:/", NULL);
	CHECK_STR(t.said, "one\ntwo\n");
	t = on_terminal(page, "cat", "sed s/^/q:/");
	CHECK_STR(t.said, plain);
	t = on_terminal(page, "", NULL);
	CHECK_STR(t.said, plain);
	t = on_terminal(page, "/nonexistent/pager", NULL);
	CHECK_STR(t.said, plain);
	CHECK_EQ(t.status, 0);
	/* less would complain first */
	setenv("TERM", "dumb", 1);
	t = on_terminal(page, NULL, NULL);
	CHECK_STR(t.said, plain);
	unsetenv("TERM");
	t = on_terminal(page, NULL, NULL);
	CHECK_STR(t.said, plain);
}

TEST(no_pager_without_a_terminal)
{
	struct pager p = { 0 };
	int fd = open("/dev/null", O_WRONLY), old = dup(STDOUT_FILENO);

	setenv("PERF_PAGER", "sed s/^/p:/", 1);
	dup2(fd, STDOUT_FILENO);
	pager_start(&p);
	CHECK(p.tried);
	CHECK_EQ(p.pid, 0);
	CHECK(!pager_colors());
	pager_end(&p);
	dup2(old, STDOUT_FILENO);
	close(old);
	close(fd);
}

TEST(less_gets_its_options)
{
	struct terminal t;

	unsetenv("LESS");
	setenv("LV", "-x", 1);
	t = on_terminal(page, "echo \"$LESS $LV\"; cat >/dev/null", NULL);
	CHECK_STR(t.said, "FRSX -x\nafter\n");
	setenv("LESS", "R", 1);
	t = on_terminal(page, "echo \"$LESS $LV\"; cat >/dev/null", NULL);
	CHECK_STR(t.said, "R -x\nafter\n");
}

/* Left before the end: the command ends as in a pipe, without a word. */
TEST(a_pager_that_is_left)
{
	struct terminal t = on_terminal(page_no_end, "head -n 1 | cut -c-5", NULL);

	CHECK_STR(t.said, "xxxxx\n");
	CHECK(WIFSIGNALED(t.status));
	CHECK_EQ(WTERMSIG(t.status), SIGPIPE);
}

static void say_goodbye(void *word)
{
	fprintf(stderr, "%s\n", (const char *)word);
}

static void page_no_end_but_goodbye(void)
{
	struct pager p = { .on_leave = say_goodbye, .leave_ctx = (char *)"verdict" };
	struct out o;

	out_init(&o, stdout);
	out_page(&o, &p);
	for (;;) {
		out_fill(&o, 'x', 70);
		out_char(&o, '\n');
	}
}

/* ... or with the words that it has for this case, after the pager. */
TEST(a_pager_that_is_left_before_the_last_word)
{
	struct terminal t = on_terminal(page_no_end_but_goodbye,
					"head -n 1 | cut -c-5; sleep 0.1; echo p", NULL);

	CHECK_STR(t.said, "xxxxx\np\nverdict\n");
	CHECK(WIFSIGNALED(t.status));
	CHECK_EQ(WTERMSIG(t.status), SIGPIPE);
}

/* A Ctrl-C ends the command, but only after the pager: its text comes first. */
TEST(signals_wait_for_the_pager)
{
	struct terminal t = on_terminal(page_interrupted, "sleep 0.2; cat", NULL);

	CHECK_STR(t.said, "one\ntwo\n");
	CHECK(WIFSIGNALED(t.status));
	CHECK_EQ(WTERMSIG(t.status), SIGINT);
}

static void say_colors(void)
{
	static const char *const terms[] = { "xterm", "dumb", NULL };

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++) {
		if (terms[i])
			setenv("TERM", terms[i], 1);
		else
			unsetenv("TERM");
		for (int no = 0; no < 3; no++) {
			unsetenv("NO_COLOR");
			if (no)
				setenv("NO_COLOR", no == 1 ? "" : "1", 1);
			printf("%d", pager_colors());
		}
	}
	fflush(stdout);
}

TEST(colors_where_they_are_welcome)
{
	struct terminal t = on_terminal(say_colors, NULL, NULL);

	CHECK_STR(t.said, "110000000");
}
