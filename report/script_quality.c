/* SPDX-License-Identifier: MIT */
#include "report/script_quality.h"

#include "session/counts.h"
#include "session/object_weights.h"

/* NULL when the recording cannot be read a second time. */
static struct verdict *judge(const struct pscript_options *opt)
{
	/* what is wrong was told in the first pass */
	struct session_config session_cfg = { .symbols = opt->symbols, .unwinder = opt->unwinder };
	struct counts_config cfg = {
		.columns = 1u << COUNT_STACK | 1u << COUNT_IP,
		.threads = (unsigned int)opt->nr_threads,
		.max_stack = opt->text.max_stack,
		.filter = &opt->filter,
		.by_symbol = true,
		.keep_deferred_apart = opt->no_merge,
	};
	struct verdict_input in = { .input = opt->input, .config = &cfg };
	struct verdict *v = NULL;
	struct counts *c = NULL;
	struct perfdata *pd;
	struct session *s;
	struct perr e;

	session_cfg.symbols.diag = NULL;
	if (!strcmp(opt->input, "-") || pd_open(opt->input, NULL, &pd, &e))
		return NULL;
	pd_set_text_format(pd, opt->text.format);
	s = session_new(pd, &session_cfg, NULL);
	object_weights_tell_debuginfod(s, &session_cfg);
	/* of a damaged recording what comes before the damage is judged */
	if (!counts_run(s, &cfg, &c, &e) || c) {
		counts_resolve(c);
		in.session = s;
		in.counts = c;
		v = verdict_new(&in);
	}
	counts_free(c);
	session_free(s);
	pd_close(pd);
	return v;
}

void script_quality_tell(const struct script *p, bool complete, struct diag *diag)
{
	const struct verdict_input in = { .input = p->opt->input, .session = p->session };
	struct verdict *v;

	if (!p->opt->wants_quality) {
		if (complete)
			script_tell_losses(p);
		return;
	}
	v = p->opt->quality == VERDICT_NONE ? NULL : judge(p->opt);
	if (!v)
		v = verdict_new_losses(&in, replay_get_stats(p->replay));
	verdict_tell(stderr, "pscript", p->opt->quality, (const struct verdict *const *)&v, 1,
		     diag);
	verdict_free(v);
}
