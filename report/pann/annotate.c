/* SPDX-License-Identifier: MIT */
#include "report/pann/annotate.h"

#include "base/mem.h"
#include "base/nearest_name.h"
#include "count/counts.h"
#include "session/common_options.h"
#include "session/object_weights.h"

struct run {
	struct pann_options *opt;
	struct perfdata *pd;
	struct session *session;
	struct counts *counts;
	struct annot_samples samples;
	struct line_source *lines;
	struct out *o;
	FILE *talk;
	u32 *events; /* of the page at hand */
	size_t nr_events;
	bool *told; /* by dso_get_number: its code is missing */
	size_t nr_dsos;
	size_t nr_printed, nr_missing;
};

static int count(struct run *r, struct verdict **ret_verdict, struct perr *e)
{
	struct pann_options *o = r->opt;
	struct progress progress;
	struct counts_config cfg = {
		.columns = 1u << COUNT_IP | 1u << COUNT_CPUMODE,
		.threads = (unsigned int)o->nr_threads,
		.max_mem = o->max_mem,
		.no_unwind = true,
		.filter = &o->filter,
		.progress = &progress,
	};
	struct verdict_input in = { .input = o->input, .session = r->session, .config = &cfg };
	int err;

	progress_init_ahead(&progress, "pann", r->pd->file_size, stderr);
	err = counts_run(r->session, &cfg, &r->counts, e);
	progress_end(&progress);
	if (!r->counts)
		return err;
	counts_resolve(r->counts);
	in.counts = r->counts;
	if (o->quality != VERDICT_NONE)
		*ret_verdict = verdict_new(&in);
	return err;
}

static bool has_samples(const struct run *r, u32 event)
{
	return event < r->samples.nr_events && r->samples.totals[event].samples;
}

/* The events that stand side by side from event i on; none when i has its place in another's page.
 */
static void take_events(struct run *r, size_t i)
{
	const struct pd_event *ev = r->pd->events[i];
	u32 members = 1;

	r->nr_events = 0;
	if (r->opt->group) {
		if (ev->leader_idx != ev->idx)
			return;
		members = ev->nr_members ? ev->nr_members : 1;
	}
	for (u32 m = 0; m < members && i + m < r->samples.nr_events; m++)
		if (!r->opt->skip_empty || has_samples(r, (u32)i + m))
			r->events[r->nr_events++] = (u32)i + m;
}

/* "cycles", or "anon group { cycles, instructions }"; malloc'd. */
static char *event_text(const struct run *r)
{
	const struct pd_event *leader = r->pd->events[r->events[0]];
	bool group = r->opt->group && leader->nr_members > 1;
	struct out text;
	char *s;

	out_init_mem(&text);
	if (group)
		out_printf(&text, "%s { ", leader->group_name ? leader->group_name : "anon group");
	for (size_t i = 0; i < r->nr_events; i++)
		out_printf(&text, "%s%s", i ? ", " : "", r->pd->events[r->events[i]]->name);
	if (group)
		out_str(&text, " }");
	s = xstrndup(text.buf ? text.buf : "", text.len);
	out_fini(&text);
	return s;
}

static void tell_missing(struct run *r, const struct annot_func *f, const struct perr *e)
{
	u32 dso = dso_get_number(f->map->dso);

	r->nr_missing++;
	if (r->opt->skip_missing || (dso < r->nr_dsos && r->told[dso]))
		return;
	if (dso < r->nr_dsos)
		r->told[dso] = true;
	fprintf(r->talk, "pann: cannot annotate %s: %s\n", f->name, e->text);
}

static bool print_func(struct run *r, const struct annot_func *f, char *event_name)
{
	const struct annot_code_config cfg = { .intel = r->opt->intel,
					       .arch = r->session->machine->arch,
					       .symbols = symbols_get_config(
						       r->session->machine->symbols) };
	struct annot_code code;
	struct perr e;
	bool ok = !annot_code_read(&code, f, &cfg, &e);
	const struct annot_view view = {
		.style = &r->opt->style,
		.samples = &r->samples,
		.func = f,
		.code = &code,
		.events = r->events,
		.nr_events = r->nr_events,
		.leader = r->pd->events[r->events[0]],
		.event_name = event_name,
		.lines = r->lines,
	};

	if (ok) {
		if (r->opt->style.lines)
			annot_print_summary(r->o, &view);
		if (r->opt->stdio2)
			annot_print_stdio2(r->o, &view);
		else
			annot_print_stdio(r->o, &view);
	} else {
		tell_missing(r, f, &e);
	}
	annot_code_fini(&code);
	return ok;
}

/* Whether a function has samples of the page's events, and enough of them. */
static bool is_wanted(const struct run *r, const struct annot_func *f)
{
	const struct annot_sum *total = &r->samples.totals[r->events[0]];
	bool any = false;

	for (size_t i = 0; i < r->nr_events; i++)
		any |= f->sums[r->events[i]].samples != 0;
	return any &&
	       (!r->opt->percent_limit || 100.0 * (double)f->sums[r->events[0]].period >=
						  r->opt->percent_limit * (double)total->period);
}

static void print_page(struct run *r)
{
	char *event_name = event_text(r);
	u64 printed = 0;

	annot_samples_sort(&r->samples, r->events, r->nr_events);
	for (size_t i = 0; i < r->samples.nr; i++) {
		if (r->opt->max_symbols && printed >= r->opt->max_symbols)
			break;
		if (is_wanted(r, &r->samples.funcs[i]))
			printed += print_func(r, &r->samples.funcs[i], event_name);
	}
	r->nr_printed += printed;
	free(event_name);
}

static void print_pages(struct run *r)
{
	struct dso *const *dsos;

	r->nr_dsos = symbols_get_dsos(r->session->machine->symbols, &dsos);
	r->told = xcalloc(r->nr_dsos + 1, sizeof(*r->told));
	r->events = xcalloc(r->pd->nr_events + 1, sizeof(*r->events));
	r->lines = line_source_new();
	for (size_t i = 0; i < r->pd->nr_events; i++) {
		take_events(r, i);
		if (r->nr_events)
			print_page(r);
	}
	line_source_free(r->lines);
	free(r->events);
	free(r->told);
}

/*
 * The name as one would type it: without parameters and, where none was typed either, without
 * classes, of both only what pann finds it by.
 */
static void offer_function(struct nearest_name *near, const char *name, bool with_classes)
{
	const char *begin = name, *at;
	char *word;

	for (at = name; *at && *at != '(' && *at != '<'; at++)
		if (!with_classes && at[0] == ':' && at[1] == ':')
			begin = at + 2;
	word = *at == '(' ? xstrndup(begin, (size_t)(at - begin)) : xstrdup(begin);
	if (annot_name_matches(name, word, true))
		nearest_offer(near, word);
	free(word);
}

static int no_such_function(const struct run *r, const char *name, struct perr *e)
{
	struct annot_samples all;
	struct nearest_name near;
	char hint[320];

	nearest_init(&near, name, strlen(name));
	annot_samples_init(&all, r->counts, NULL, NULL);
	for (size_t i = 0; i < all.nr; i++)
		offer_function(&near, all.funcs[i].name, strstr(name, "::") != NULL);
	annot_samples_fini(&all);
	nearest_hint(&near, hint, sizeof(hint));
	return perr_set(e, PERR_NOTFOUND, "no samples in a function '%s'%s", name, hint);
}

/* Why there is nothing to see. */
static int explain(const struct run *r, struct perr *e)
{
	const char *name = r->opt->symbol;

	if (r->nr_printed)
		return 0;
	if (r->nr_missing)
		return perr_set(e, PERR_NOTFOUND, "no function could be annotated");
	if (name)
		return no_such_function(r, name, e);
	return perr_set(e, PERR_NOTFOUND,
			r->samples.nr ? "no function has that share" : "no samples in functions");
}

int annotate_print(struct pann_options *opt, struct perfdata *pd, struct diag *diag, struct out *o,
		   FILE *talk, struct verdict **ret_verdict, struct perr *e)
{
	struct session_config cfg = { .symbols = opt->symbols, .keep_exited = true };
	struct run r = { .opt = opt, .pd = pd, .o = o, .talk = talk };
	struct perr damage = { .off = -1 };
	int err;

	*ret_verdict = NULL;
	err = common_fit_filter(&opt->filter, opt->time, pd, e);
	if (err)
		return err;
	r.session = session_new(pd, &cfg, diag);
	object_weights_tell_debuginfod(r.session);
	err = count(&r, ret_verdict, &damage);
	if (r.counts) {
		annot_samples_init(&r.samples, r.counts, opt->symbol, NULL);
		print_pages(&r);
		if (!err)
			err = explain(&r, &damage);
		annot_samples_fini(&r.samples);
	}
	if (err)
		*e = damage;
	counts_free(r.counts);
	session_free(r.session);
	return err;
}
