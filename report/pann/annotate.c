/* SPDX-License-Identifier: MIT */
#include "report/pann/annotate_priv.h"

#include <ctype.h>

#include "base/screen/escape.h"
#include "base/screen/fit.h"
#include "base/screen/message.h"
#include "base/mem.h"
#include "count/counts.h"
#include "profile/function_name.h"
#include "report/annotate/branch_blocks.h"
#include "report/pann/annotate_print.h"

#define LEAST_NAME 12 /* columns; a line is cut elsewhere rather than its name to less */

static int annotate_count(struct annotate_run *r, struct verdict **ret_verdict, struct perr *e)
{
	struct pann_options *o = r->opt;
	struct counts_config cfg = {
		.columns = 1u << COUNT_IP | 1u << COUNT_CPUMODE,
		.threads = (unsigned int)o->nr_threads,
		.max_mem = o->max_mem,
		.no_unwind = true,
		.filter = &o->filter,
	};
	struct verdict_input in = { .input = o->input, .session = r->session, .config = &cfg };
	int err;

	err = reader_count(r->rc, r->session, &cfg, &r->counts, e);
	if (!r->counts)
		return err;
	counts_resolve(r->counts);
	in.counts = r->counts;
	*ret_verdict = reader_judge(r->rc, &in);
	return err;
}

static bool is_empty_event(const void *run, u32 event)
{
	const struct annotate_run *r = run;

	return event >= r->samples.nr_events || !r->samples.totals[event].samples;
}

/* malloc'd */
static char *event_text(const struct annotate_run *r)
{
	struct out text;
	char *s;

	out_init_mem(&text);
	event_table_put_name(&r->tables, r->events, r->nr_events, &text);
	s = xstrndup(text.buf ? text.buf : "", text.len);
	out_fini(&text);
	return s;
}

static void tell_missing(struct annotate_run *r, const struct annot_func *f, const struct perr *e)
{
	u32 dso = dso_get_number(f->map->dso);

	r->nr_missing++;
	if (r->opt->skip_missing || (dso < r->nr_dsos && r->told[dso]))
		return;
	if (dso < r->nr_dsos)
		r->told[dso] = true;
	message(r->rc->messages, "pann: cannot annotate %s: %s\n", f->name, e->text);
}

/* The length of the name behind an address, "1130 <f<int>(int)+0x20>", that ends a line; 0: none.
 */
static size_t last_name(const char *s, size_t n, size_t *ret_start)
{
	static const char end_of_color[] = "\033[m";
	size_t end = n, len = strlen(end_of_color);

	if (end > len && !memcmp(s + end - len, end_of_color, len))
		end -= len;
	if (end && s[end - 1] == ':')
		end--;
	for (size_t i = 2; i + 1 < end && s[end - 1] == '>'; i++)
		if (s[i] == '<' && s[i - 1] == ' ' && isxdigit((unsigned char)s[i - 2])) {
			*ret_start = i + 1;
			return end - 1 - (i + 1);
		}
	return 0;
}

/* Takes columns out of the name at the end of a line of code: template arguments first. */
static void shorten_name(struct out *line, size_t excess)
{
	size_t start, len = line->len ? last_name(line->buf, line->len, &start) : 0, columns;
	char *name, *rest;

	if (!len || memchr(line->buf + start, '\033', len))
		return;
	columns = escape_columns(line->buf + start, len);
	if (columns < excess + LEAST_NAME)
		return;
	name = xstrndup(line->buf + start, len);
	rest = xstrndup(line->buf + start + len, line->len - start - len);
	line->len = start;
	function_name_fit(line, name, len, columns - excess);
	out_raw(line, rest, strlen(rest));
	free(name);
	free(rest);
}

static void print_view(struct annotate_run *r, const struct annot_view *view)
{
	struct out page;

	out_init_mem(&page);
	out_escape_like(&page, r->o);
	if (r->opt->style.lines)
		annot_print_summary(&page, view);
	if (r->opt->stdio2)
		annot_print_stdio2(&page, view);
	else
		annot_print_stdio(&page, view);
	fit_lines(r->o, page.buf, page.len, shorten_name);
	out_fini(&page);
}

static bool print_func(struct annotate_run *r, const struct annot_func *f, char *event_name)
{
	const struct annot_code_config cfg = { .intel = r->opt->intel,
					       .arch = r->session->machine->arch,
					       .symbols = symbols_get_config(
						       r->session->machine->symbols) };
	struct annot_code code;
	struct code_cycles cycles = { 0 };
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
		.blocks = r->blocks,
		.cycles = ok && code_cycles_init(&cycles, r->cycles, &code) ? &cycles : NULL,
	};

	if (ok) {
		print_view(r, &view);
	} else {
		tell_missing(r, f, &e);
	}
	code_cycles_fini(&cycles);
	annot_code_fini(&code);
	return ok;
}

/* Whether a function has enough samples of the table's events to be printed. */
static bool is_wanted(const struct annotate_run *r, const struct annot_func *f)
{
	const struct annot_sum *total = &r->samples.totals[r->events[0]];
	bool any = false;

	for (size_t i = 0; i < r->nr_events; i++)
		any |= f->sums[r->events[i]].samples != 0;
	return any &&
	       (!r->opt->percent_limit || 100.0 * (double)f->sums[r->events[0]].period >=
						  r->opt->percent_limit * (double)total->period);
}

static void print_page(struct annotate_run *r)
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

static void choose_tables(struct annotate_run *r)
{
	r->tables = (struct event_tables){ .pd = r->pd,
					   .group = r->opt->group,
					   .skip_empty = r->opt->skip_empty,
					   .nr_events = r->samples.nr_events,
					   .is_empty = is_empty_event,
					   .arg = r };
	r->lines = line_source_new();
}

static void print_pages(struct annotate_run *r)
{
	struct dso *const *dsos;

	r->nr_dsos = symbols_get_dsos(r->session->machine->symbols, &dsos);
	r->told = xcalloc(r->nr_dsos + 1, sizeof(*r->told));
	r->events = xcalloc(r->pd->nr_events + 1, sizeof(*r->events));
	for (size_t i = 0; i < r->pd->nr_events; i++) {
		r->nr_events = event_table(&r->tables, i, r->events);
		if (r->nr_events)
			print_page(r);
	}
	free(r->events);
	free(r->told);
}

/* Says why nothing was printed. */
static int explain_nothing(const struct annotate_run *r, struct perr *e)
{
	const char *name = r->opt->symbol;

	if (r->nr_printed)
		return 0;
	if (r->nr_missing)
		return perr_set(e, PERR_NOTFOUND, "no function could be annotated");
	if (name)
		return annotate_no_function(r, name, e);
	return perr_set(e, PERR_NOTFOUND,
			r->samples.nr ? "no function has that share" : "no samples in functions");
}

/* damaged: the error that ended the counting, which the caller says; 0: none did. */
static int show_or_explain(struct annotate_run *r, const struct verdict *verdict, int damaged,
			   struct perr *e)
{
	struct perr ignored;
	int err = annotate_show(r, verdict, damaged ? &ignored : e);

	return damaged ? damaged : err;
}

int annotate_print(const struct reader_command *rc, struct pann_options *opt, struct perfdata *pd,
		   struct out *o, struct verdict **ret_verdict, struct perr *e)
{
	const struct reader_config cfg = {
		.session = { .symbols = opt->symbols, .keep_exited = true },
		.filter = &opt->filter,
		.time = opt->time,
	};
	struct annotate_run r = { .rc = rc, .opt = opt, .pd = pd, .o = o };
	struct perr damage = { .off = -1 };
	int err;

	*ret_verdict = NULL;
	err = reader_start(rc, pd, &cfg, &r.session, e);
	if (err)
		return err;
	if (!opt->stdio2 && !opt->ui.shown)
		r.blocks = branch_blocks_new(r.session, &opt->filter, opt->symbol);
	else
		r.cycles = branch_cycles_new(r.session, &opt->filter);
	err = annotate_count(&r, ret_verdict, &damage);
	if (r.counts) {
		annot_samples_init(&r.samples, r.counts, opt->ui.shown ? NULL : opt->symbol, NULL);
		choose_tables(&r);
		if (opt->ui.shown)
			err = show_or_explain(&r, *ret_verdict, err, &damage);
		else
			print_pages(&r);
		if (!err && !opt->ui.shown)
			err = explain_nothing(&r, &damage);
		line_source_free(r.lines);
		annot_samples_fini(&r.samples);
	}
	if (err)
		*e = damage;
	branch_blocks_free(r.blocks);
	branch_cycles_free(r.cycles);
	counts_free(r.counts);
	session_free(r.session);
	return err;
}
