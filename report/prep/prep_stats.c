/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_stats.h"

#include "base/progress.h"
#include "report/prep/prep_report.h"
#include "report/text/dump_pass.h"
#include "report/text/record_stats.h"

int prep_dump_print(const struct reader_command *rc, const struct prep_options *opt,
		    struct perfdata *pd, struct out *o, struct perr *e)
{
	const struct reader_config cfg = {
		.session = { .symbols = opt->symbols, .keep_exited = true },
	};
	struct session *s;
	int err;

	if (!opt->quiet && !opt->header)
		out_str(o, PREP_HEADER_HINT);
	err = reader_start(rc, pd, &cfg, &s, e);
	if (err)
		return err;
	err = dump_pass_print(s, o, RAWDUMP_REPORT, opt->skip_empty, e);
	session_free(s);
	return err;
}

int prep_stats_print(struct out *o, struct perfdata *pd, bool skip_empty, struct perr *e)
{
	struct record_stats s = { 0 };
	struct progress progress;
	struct pd_record r;
	int got;

	progress_init_ahead(&progress, "prep", pd->file_size, stderr);
	while ((got = pd_next(pd, &r, e)) == 1) {
		progress_update(&progress, r.off);
		record_stats_count(&s, pd, &r);
	}
	progress_end(&progress);
	record_stats_print(&s, o, pd, skip_empty);
	record_stats_fini(&s);
	return got;
}
