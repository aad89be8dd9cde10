/* SPDX-License-Identifier: MIT */
#include "record/threads_option.h"

#include <string.h>

int prec_on_threads(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;

	o->has_threads = !unset;
	o->threads = unset ? NULL : arg;
	return 0;
}

/* Like perf, which warns and goes on. */
static void leave_out(const struct rec_opts *o, const char *option)
{
	diag_warn(o->diag, "%s has no effect with --threads, which writes one folder", option);
}

int prec_settle_threads(struct prec_parse *p)
{
	struct rec_opts *o = p->o;

	if (!o->has_threads)
		return 0;
	if (o->output && !strcmp(o->output, "-"))
		return prec_refuse("--threads writes a folder: it cannot be used with -o -");
	if (o->per_thread)
		return prec_refuse("--threads divides CPUs: it cannot be used with --per-thread");
	if (o->overwrite)
		return prec_refuse("--threads and --overwrite exclude each other: a snapshot is "
				   "taken of all rings at once");
	if (o->off_cpu != REC_OFF_CPU_NONE)
		return prec_refuse("--threads cannot be used with --off-cpu: it needs the records "
				   "of all rings in the order of time");
	if (p->aio || p->affinity)
		return prec_refuse("--threads and %s exclude each other",
				   p->aio ? "--aio" : "--affinity");
	if (o->switch_output != REC_SWITCH_NONE) {
		leave_out(o, "--switch-output");
		o->switch_output = REC_SWITCH_NONE;
	}
	if (o->timestamp_filename) {
		leave_out(o, "--timestamp-filename");
		o->timestamp_filename = false;
	}
	return 0;
}
