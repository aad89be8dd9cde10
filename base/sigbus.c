/* SPDX-License-Identifier: MIT */
#include "base/sigbus.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static const char *prog_name;
static void (*end_process)(int status);

static void explain(int sig)
{
	static const char text[] =
		": a file became shorter while it was read; run the command again\n";
	ssize_t n;

	(void)sig;
	n = write(STDERR_FILENO, prog_name, strlen(prog_name));
	n = write(STDERR_FILENO, text, sizeof(text) - 1);
	(void)n;
	end_process(1);
}

void sigbus_explain(const char *prog, void (*end)(int status))
{
	struct sigaction sa = { .sa_handler = explain };

	prog_name = prog;
	end_process = end;
	sigaction(SIGBUS, &sa, NULL);
}
