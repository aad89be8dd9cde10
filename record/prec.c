/* SPDX-License-Identifier: MIT */
/* The prec command: records samples into a perf.data file, as perf record does. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/screen/message.h"
#include "record/convert/convert.h"
#include "record/events/event_parse.h"
#include "record/prec_options.h"
#include "record/recorder.h"

#define STATUS_FAILED 255

static const char prog[] = "prec";

static bool goes_to_pipe(const struct rec_opts *o)
{
	struct stat st;

	if (o->output)
		return false;
	return !fstat(STDOUT_FILENO, &st) && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

/*
 * Ends this process with the signal that ended the recording, so that the shell sees how it ended.
 */
static void end_by(int sig)
{
	signal(sig, SIG_DFL);
	kill(getpid(), sig);
}

/* Returns the path of this program, which perf record puts first into the CMDLINE feature. */
static const char *own_path(char *buf, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", buf, size - 1);

	if (n <= 0)
		return prog;
	buf[n] = '\0';
	return buf;
}

static int convert_input(const struct rec_opts *o, struct perr *e)
{
	const struct convert_config cfg = { .output = o->output ? o->output : "perf.data",
					    .output_fd = -1,
					    .compress = o->compress > 0 ? o->compress : 0,
					    .symbols = { .symfs = o->symfs, .diag = o->diag },
					    .diag = o->diag,
					    .talk = o->talk };

	return convert_file(&cfg, o->input, e);
}

int main(int argc, char **argv)
{
	struct rec_evlist events;
	struct rec_opts o;
	struct recorder_end end = { 0 };
	struct diag diag;
	struct perr e;
	char self[PATH_MAX];
	int rc;

	rec_opts_init(&o);
	evlist_init(&events);
	diag_init(&diag);
	o.diag = &diag;
	/* copied, because parsing reorders argv */
	o.cmdline = xcalloc((size_t)argc + 1, sizeof(*o.cmdline));
	memcpy(o.cmdline, argv, (size_t)argc * sizeof(*argv));
	o.cmdline0 = own_path(self, sizeof(self));
	rc = prec_options_parse(argc, argv, &o, &events);
	if (rc) {
		diag_print(&diag, prog, stderr);
		rc = rc < 0 ? OPT_STATUS_USAGE : 0;
		goto out;
	}
	o.talk = o.quiet ? NULL : stderr;
	o.on_terminal = isatty(STDERR_FILENO);
	o.notes = o.quiet ? NULL : stderr;
	o.log = o.verbose > 0 ? stderr : NULL;
	if (!events.nr && !o.input)
		event_parse_defaults(&events, &o);
	if (goes_to_pipe(&o)) {
		if (o.has_threads) {
			fprintf(stderr,
				"%s: --threads writes a folder, not a pipe: add -o FOLDER\n", prog);
			rc = STATUS_FAILED;
			goto out;
		}
		o.output = "-";
	}
	if (o.output && !strcmp(o.output, "-") && isatty(STDOUT_FILENO)) {
		fprintf(stderr,
			"%s: cannot write a recording to a terminal: use -o FILE or a pipe\n",
			prog);
		rc = STATUS_FAILED;
		goto out;
	}

	if (o.dry_run)
		rc = 0;
	else if (o.input)
		rc = convert_input(&o, &e);
	else
		rc = recorder_run(&o, &events, &end, &e);
	diag_print(&diag, prog, stderr);
	if (rc && end.status) { /* print perf's message unchanged: scripts look for it */
		message_lines(stderr, e.text);
		rc = end.status;
	} else if (rc) {
		fprintf(stderr, "%s: ", prog);
		message_lines(stderr, e.text);
		rc = STATUS_FAILED;
	} else if (end.signal) {
		end_by(end.signal);
	} else {
		rc = end.status;
	}
out:
	evlist_fini(&events);
	free(o.cmdline);
	rec_opts_fini(&o);
	diag_fini(&diag);
	return rc;
}
