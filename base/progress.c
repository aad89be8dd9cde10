/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/screen/out_escape.h"

/* The clock is read only after this many calls or bytes, whichever comes first. */
#define CALLS_PER_LOOK 4096
#define BYTES_PER_LOOK ((u64)256 << 10)
#define FIRST_AFTER 2.0 /* seconds */
#define EVERY 0.25

#define LINE_MAX_COLUMNS 120
#define CTRL_C_COLUMNS 2 /* "^C", which the terminal itself writes behind the line */

static const int deadly[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* State for the signal handler, which has no argument for it: the descriptor and the columns of the
 * line on the terminal, and how many columns fit into one line. */
static volatile sig_atomic_t line_fd = -1, line_columns, line_room;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Erases the line with blanks, because some terminals know no escape sequences. Safe in a signal
 * handler. */
static void erase(int fd, size_t columns)
{
	char line[LINE_MAX_COLUMNS + CTRL_C_COLUMNS + 2];
	ssize_t n;

	line[0] = '\r';
	memset(line + 1, ' ', columns);
	line[columns + 1] = '\r';
	n = write(fd, line, columns + 2);
	(void)n; /* ignore errors: if the terminal is gone, nothing has to be erased */
}

static void end_without_line(int sig)
{
	int columns = line_columns + CTRL_C_COLUMNS;

	if (line_fd >= 0)
		erase(line_fd, (size_t)(columns < line_room ? columns : line_room));
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Replaces signal handler `from` by `to`. Handlers set by others (nohup, the pager) stay. */
static void exchange_handlers(void (*from)(int), void (*to)(int))
{
	struct sigaction old, sa = { .sa_handler = to };

	for (size_t i = 0; i < ARRAY_SIZE(deadly); i++)
		if (!sigaction(deadly[i], NULL, &old) && old.sa_handler == from)
			sigaction(deadly[i], &sa, NULL);
}

static bool in_background(int fd)
{
	pid_t group = tcgetpgrp(fd);

	return group >= 0 && group != getpgrp();
}

__attribute__((format(printf, 2, 3))) static void draw(struct progress *p, const char *fmt, ...)
{
	char line[LINE_MAX_COLUMNS + 1];
	size_t room = LINE_MAX_COLUMNS + CTRL_C_COLUMNS, fits, len, before = (size_t)line_columns;
	int fd = fileno(p->f);
	struct winsize w;
	struct out text;
	va_list ap;

	if (in_background(fd))
		return;
	/* read the size every time: the user may resize the window */
	if (!ioctl(fd, TIOCGWINSZ, &w) && w.ws_col && w.ws_col <= room)
		room = w.ws_col - 1;
	fits = room > CTRL_C_COLUMNS ? room - CTRL_C_COLUMNS : 0;
	out_init_mem(&text);
	text.escape = text.ascii = true;
	va_start(ap, fmt);
	out_put_format_escaped(&text, fmt, &ap);
	va_end(ap);
	len = text.len < fits ? text.len : fits;
	memcpy(line, text.buf, len);
	line[len] = '\0';
	out_fini(&text);
	/* if the previous line was longer, overwrite its end with blanks */
	if (before > room)
		before = room;
	line_columns = (sig_atomic_t)(len > before ? len : before);
	line_room = (sig_atomic_t)room;
	if (line_fd < 0) {
		line_fd = fd;
		exchange_handlers(SIG_DFL, end_without_line);
	}
	fprintf(p->f, "\r%s", line);
	if (before > len)
		fprintf(p->f, "%*s", (int)(before - len), "");
	fflush(p->f);
	p->shown = true;
}

void progress_init_ahead(struct progress *p, const char *prog, u64 total, FILE *f)
{
	*p = (struct progress){ .prog = prog, .f = f, .total = total };
	p->active = isatty(fileno(f));
	if (p->active)
		p->start = p->last = now();
}

void progress_init(struct progress *p, const char *prog, u64 total, FILE *f)
{
	progress_init_ahead(p, prog, total, f);
	p->active &= !isatty(STDOUT_FILENO);
}

static bool is_time(struct progress *p, double t)
{
	if (t - p->start < FIRST_AFTER || t - p->last < EVERY)
		return false;
	p->last = t;
	return true;
}

void progress_update(struct progress *p, u64 done)
{
	double t, rate;

	if (!p->active)
		return;
	/* read the clock after many calls or many bytes: a slow pipe gives few records, a file may
	 * give many small ones */
	if (++p->calls % CALLS_PER_LOOK && done < p->looked + BYTES_PER_LOOK)
		return;
	p->looked = done;
	t = now();
	if (!is_time(p, t))
		return;
	rate = (double)done / (t - p->start);
	if (p->total && done <= p->total && rate > 0)
		draw(p, "%s: %3.0f %% of %.0f MB, %.0f MB/s, %.0f s left", p->prog,
		     100.0 * (double)done / (double)p->total, (double)p->total / 1e6, rate / 1e6,
		     (double)(p->total - done) / rate);
	else
		draw(p, "%s: %.0f MB, %.0f MB/s", p->prog, (double)done / 1e6, rate / 1e6);
}

void progress_say(struct progress *p, const char *what, u64 bytes)
{
	if (!p->active || !is_time(p, now()))
		return;
	if (bytes)
		draw(p, "%s: %s: %.1f MB", p->prog, what, (double)bytes / 1e6);
	else
		draw(p, "%s: %s", p->prog, what);
}

void progress_end(struct progress *p)
{
	if (p->shown && line_fd >= 0) {
		erase(line_fd, (size_t)line_columns);
		line_fd = -1;
		line_columns = 0;
		exchange_handlers(end_without_line, SIG_DFL);
	}
	p->active = p->shown = false;
}
