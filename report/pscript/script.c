/* SPDX-License-Identifier: MIT */
#include "report/pscript/script.h"

#include <unistd.h>

#include "fileformat/feature/feature.h"
#include "session/common_options.h"
#include "unwind/join/join.h"
#include "count/session_joins.h"

static const char *resolve_kernel_symbol(void *ctx, u64 addr, u64 *ret_start,
					 const char **ret_module)
{
	struct session *s = ctx;
	const struct map *m = mapset_find(s->machine->kernel_maps, addr);
	struct sym_hit hit;

	if (!m || !dso_find(m->dso, addr, m->start, m->pgoff, &hit))
		return NULL;
	*ret_start = addr - (hit.addr - hit.start);
	*ret_module = m == s->machine->kernel_map ? NULL : m->dso_name;
	return hit.name;
}

/* Checks that the file has the events and the clock that the options need. */
static int check_data(struct script *p, struct perr *e)
{
	int type, err;

	err = common_find_event(p->pd, p->opt->switch_on, &p->switch_on, e);
	if (!err)
		err = common_find_event(p->pd, p->opt->switch_off, &p->switch_off, e);
	if (err)
		return err;
	for (type = 0; type < NR_FIELD_TYPES; type++)
		if (p->opt->fields.type[type].fields & FIELD_BIT(TOD) && p->pd->kind != PD_PIPE &&
		    !pd_feature_get(p->pd, PD_FEAT_CLOCK_DATA))
			return perr_set(e, PERR_USAGE,
					"the time of day is unknown: record with -k (--clockid), "
					"which stores it");
	return 0;
}

int script_prepare(struct script *p, const struct reader_command *rc, struct pscript_options *opt,
		   struct perfdata *pd, struct perr *e)
{
	const struct reader_config cfg = {
		.session = { .symbols = opt->symbols, .unwinder = opt->unwinder },
	};
	int err;

	*p = (struct script){ .rc = rc, .opt = opt, .pd = pd };
	err = common_fit_filter(&opt->filter, opt->time, pd, e);
	if (err)
		return err;
	err = fields_fit(&p->opt->fields, p->pd, !p->opt->text.hide_call_graph, e);
	if (err)
		return err;
	err = check_data(p, e);
	if (err)
		return err;
	err = reader_start(rc, p->pd, &cfg, &p->session, e);
	if (err)
		return err;
	p->trace = tracetext_new(p->pd);
	tracetext_set_resolver(p->trace, resolve_kernel_symbol, p->session);
	/* another pass over the file: only where chains are shown */
	if (opt->text.max_user_stack && !opt->no_join &&
	    (!opt->text.hide_call_graph || opt->debug_unwind.given))
		joins_of_session(p->session, (unsigned int)opt->nr_threads,
				 opt->text.max_user_stack, &p->joins);
	opt->text.joins = p->joins;
	if (!session_can_repeat(p->session) && !opt->no_join)
		opt->text.left_truncated = &p->left_truncated;
	p->text = sample_text_new(p->session, p->trace, &p->opt->text, 1);
	if (p->opt->dump_raw)
		rawdump_init(&p->dump, p->pd, RAWDUMP_SCRIPT);
	return 0;
}

void script_fini(struct script *p)
{
	script_switches_fini(&p->switches);
	rawdump_fini(&p->dump);
	sample_text_free(p->text);
	tracetext_free(p->trace);
	join_table_free(p->joins);
	session_free(p->session);
}

void script_warn_of_stream(const struct script *p, struct diag *diag)
{
	enum verdict_form form = p->opt->quality;

	/* the verdict says it in full, and a complete stream is no reason to interrupt a pipeline
	 */
	if (form == VERDICT_TEXT || (form == VERDICT_BRIEF && !isatty(fileno(p->rc->messages))))
		return;
	if (p->left_truncated)
		diag_warn(diag,
			  "%s: truncated stacks are not completed from other samples: a stream can "
			  "be read only once; save it to a file and read that",
			  p->opt->input);
}
