/* SPDX-License-Identifier: MIT */
#include "record/max_cpu_option.h"

#include <stdlib.h>
#include <string.h>

int prec_on_max_cpu(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;
	char *end = NULL;
	double v = 0;

	o->max_cpu_percent = 0;
	if (unset)
		return 0;
	if (arg[strspn(arg, "0123456789.")] == '\0' || strchr(arg, '%'))
		v = strtod(arg, &end);
	if (!end || end == arg || strspn(arg, "0123456789.") != (size_t)(end - arg) ||
	    (*end && strcmp(end, "%") != 0) || v <= 0 || v > 100)
		return prec_refuse(
			"--max-cpu: expected a percentage of all CPUs, such as 0.5 or 2, "
			"above 0 and at most 100, got '%s'",
			arg);
	o->max_cpu_percent = v;
	return 0;
}

int prec_settle_max_cpu(struct prec_parse *p)
{
	struct rec_opts *o = p->o;

	if (o->max_cpu_percent <= 0)
		return 0;
	if (o->pids || o->tids || o->user || !(o->system_wide || o->cpus || !o->command))
		return prec_refuse("--max-cpu needs the whole system or CPUs as target (-a, -C): "
				   "copies of events that new tasks inherit keep their rate");
	if (o->no_samples || o->overwrite)
		return prec_refuse("--max-cpu has no effect with %s: leave one of the two out",
				   o->no_samples ? "-n" : "--overwrite");
	if (o->has_threads)
		return prec_refuse("--max-cpu cannot be used with --threads: one thread sets the "
				   "periods of all samples");
	/* samples of different rates weigh what their periods say */
	o->sample_period_on = true;
	o->sample_period_off = false;
	return 0;
}
