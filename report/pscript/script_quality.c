/* SPDX-License-Identifier: MIT */
#include "report/pscript/script_quality.h"

#include "count/counts.h"

/* NULL when the recording cannot be read a second time. */
static struct verdict *judge_again(const struct script *p)
{
	const struct pscript_options *opt = p->opt;
	struct counts_config cfg = {
		.pass = "judging the quality of stacks and names",
		.pass_flags = SESSION_QUIET,
		.columns = 1u << COUNT_STACK | 1u << COUNT_IP,
		.threads = (unsigned int)opt->nr_threads,
		.max_stack = opt->text.max_stack,
		.filter = &opt->filter,
		.by_symbol = true,
		.keep_deferred_apart = opt->no_merge,
	};
	struct verdict_input in = { .input = opt->input, .config = &cfg, .session = p->session };
	struct verdict *v = NULL;
	struct counts *c = NULL;
	struct perr e;

	if (!session_can_repeat(p->session))
		return NULL;
	/* of a damaged recording, the records before the damage are judged */
	if (!counts_run(p->session, &cfg, &c, &e) || c) {
		counts_resolve(c);
		in.counts = c;
		v = reader_judge(p->rc, &in);
	}
	counts_free(c);
	session_end_pass(p->session);
	return v;
}

void script_quality_tell(const struct script *p, bool complete)
{
	const struct verdict_input in = { .input = p->opt->input, .session = p->session };
	enum verdict_form form = p->opt->quality;
	struct verdict *v = NULL;

	if (form == VERDICT_TEXT || form == VERDICT_JSON)
		v = judge_again(p);
	if (!v && (complete || form != VERDICT_BRIEF))
		v = verdict_new_losses(&in, &p->sink.stats);
	if (v)
		verdict_set_switches(v, &p->switches.gaps);
	reader_finish(p->rc, &v, 1);
}
