/* SPDX-License-Identifier: MIT */
#include "tests/frame/unit.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* A case ends after so much processor time, or, where it waits or the machine is busy, so long. */
#define CASE_CPU_SECONDS 60
#define CASE_SECONDS 240
#define STATUS_FAIL 1
#define STATUS_SKIP 77

/* How the child tells why it ended; shared with the parent. */
struct verdict {
	char text[2048];
};

static struct unit_case *cases, **cases_tail = &cases;
static struct verdict *verdict;

void unit_register(struct unit_case *c)
{
	*cases_tail = c;
	cases_tail = &c->next;
}

/*
 * _exit and not exit: what a case holds when a check fails is no leak worth a second report.
 */
void unit_fail(const char *file, int line, const char *fmt, ...)
{
	int n = snprintf(verdict->text, sizeof(verdict->text), "%s:%d: ", file, line);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(verdict->text + n, sizeof(verdict->text) - (size_t)n, fmt, ap);
	va_end(ap);
	fflush(NULL);
	_exit(STATUS_FAIL);
}

void unit_skip(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(verdict->text, sizeof(verdict->text), fmt, ap);
	va_end(ap);
	fflush(NULL);
	_exit(STATUS_SKIP);
}

void unit_check_eq(const char *file, int line, const char *what, u64 got, u64 want)
{
	if (got == want)
		return;
	unit_fail(file, line, "%s: got %lld (%#llx), want %lld (%#llx)", what, (long long)got,
		  (unsigned long long)got, (long long)want, (unsigned long long)want);
}

void unit_check_str(const char *file, int line, const char *what, const char *got, const char *want)
{
	if (got == want || (got && want && !strcmp(got, want)))
		return;
	unit_fail(file, line, "%s:\n  got  %s%s%s\n  want %s%s%s", what, got ? "\"" : "",
		  got ? got : "NULL", got ? "\"" : "", want ? "\"" : "", want ? want : "NULL",
		  want ? "\"" : "");
}

void unit_check_mem(const char *file, int line, const char *what, const void *got, const void *want,
		    size_t n)
{
	const u8 *g = got, *w = want;

	for (size_t i = 0; i < n; i++) {
		if (g[i] != w[i])
			unit_fail(file, line, "%s: byte %zu of %zu: got 0x%02x, want 0x%02x", what,
				  i, n, g[i], w[i]);
	}
}

/* Verdict text as TAP diagnostics: every line of it behind "# ". */
static void print_diagnostics(const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		printf("# %.*s\n", (int)n, text);
		text += n + (text[n] == '\n');
	}
}

static _Noreturn void run_body(const struct unit_case *c)
{
	const struct itimerval cpu = { .it_value.tv_sec = CASE_CPU_SECONDS };

	setpgid(0, 0);
	setitimer(ITIMER_PROF, &cpu, NULL);
	alarm(CASE_SECONDS);
	c->body();
	/* exit, not _exit: leak checkers work there */
	exit(0);
}

/* Returns whether the case is to be counted as failed. */
static bool run_case(const struct unit_case *c, int number)
{
	int status;
	pid_t pid;

	verdict->text[0] = '\0';
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("fork");
		exit(STATUS_FAIL);
	}
	if (pid == 0)
		run_body(c);
	if (waitpid(pid, &status, 0) != pid) {
		perror("waitpid");
		exit(STATUS_FAIL);
	}
	kill(-pid, SIGKILL); /* children that the case left behind */

	if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		printf("ok %d - %s\n", number, c->name);
		return false;
	}
	if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_SKIP) {
		printf("ok %d - %s # SKIP %s\n", number, c->name, verdict->text);
		return false;
	}
	printf("not ok %d - %s\n", number, c->name);
	print_diagnostics(verdict->text);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		printf("# still running after %d s\n", CASE_SECONDS);
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
		printf("# not done after %d s of processor time\n", CASE_CPU_SECONDS);
	else if (WIFSIGNALED(status))
		printf("# killed by signal %d (%s)\n", WTERMSIG(status),
		       strsignal(WTERMSIG(status)));
	else if (!verdict->text[0])
		printf("# exit status %d\n", WEXITSTATUS(status));
	return true;
}

static bool is_wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strstr(name, argv[i]))
			return true;
	}
	return argc < 2;
}

/* Is the case in the file NAME.c of a program that was called as .../NAME? */
static bool is_in_file(const struct unit_case *c, const char *program)
{
	const char *file = strrchr(c->file, '/'), *name = strrchr(program, '/');
	size_t len;

	file = file ? file + 1 : c->file;
	name = name ? name + 1 : program;
	len = strlen(name);
	return !strncmp(file, name, len) && !strcmp(file + len, ".c");
}

/* Operands choose the cases whose names hold one of them. */
int main(int argc, char **argv)
{
	int nr = 0, nr_failed = 0;

	verdict = mmap(NULL, sizeof(*verdict), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	if (verdict == MAP_FAILED) {
		perror("mmap");
		return STATUS_FAIL;
	}
	for (const struct unit_case *c = cases; c; c = c->next) {
		if (is_in_file(c, argv[0]) && is_wanted(c->name, argc, argv))
			nr_failed += run_case(c, ++nr);
	}
	printf("1..%d\n", nr);
	munmap(verdict, sizeof(*verdict));
	if (argc < 2 && nr == 0) {
		fprintf(stderr, "%s: no test file of this name has cases\n", argv[0]);
		return STATUS_FAIL;
	}
	return nr_failed ? STATUS_FAIL : 0;
}
