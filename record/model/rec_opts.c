/* SPDX-License-Identifier: MIT */
#include "record/model/rec_opts.h"

#include <stdarg.h>

#include "base/mem.h"
#include "base/option.h"

void rec_opts_init(struct rec_opts *o)
{
	*o = (struct rec_opts){
		.host = { .sysfs = "/sys", .procfs = "/proc" },
		.inherit = REC_UNSET,
		.bpf_event = REC_UNSET,
		.data_mmap = REC_UNSET,
		.callgraph = REC_CG_NONE,
		.compress = -1,
		.buildid_mmap = true,
		.buildid_cache_limit = (u64)256 << 20,
		.proc_map_timeout_ms = 500,
		.command_stdout = 2,
	};
}

void rec_opts_fini(struct rec_opts *o)
{
	free(o->ranges);
	o->ranges = NULL;
	o->nr_ranges = 0;
}

bool rec_opts_to_pipe(const struct rec_opts *o)
{
	return o->output && !strcmp(o->output, "-");
}

char *rec_host_path(const char *root, const char *fmt, ...)
{
	char rest[4096], *path;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(rest, sizeof(rest), fmt, ap);
	va_end(ap);
	path = xasprintf("%s/%s", root, rest);
	return path;
}

int rec_host_number(const char *root, const char *rest, s64 *ret)
{
	char *path = rec_host_path(root, "%s", rest);
	FILE *f = fopen(path, "re");
	long long v;
	int rc = -1;

	free(path);
	if (!f)
		return PERR_IO;
	if (fscanf(f, "%lld", &v) == 1) {
		*ret = v;
		rc = 0;
	}
	fclose(f);
	return rc ? PERR_FORMAT : 0;
}
