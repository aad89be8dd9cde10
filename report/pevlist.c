/* SPDX-License-Identifier: MIT */
/* pevlist: the events of a recording, as `perf evlist` of perf 7.2 lists them. */
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/option.h"
#include "base/out.h"
#include "base/pager.h"
#include "base/progress.h"
#include "base/screen/message.h"
#include "base/screen/screen_rows.h"
#include "fileformat/perfdata.h"
#include "fileformat/trace_field.h"
#include "report/text/attr_text.h"
#include "session/common_options.h"

#define PROG "pevlist"
#define STATUS_FAILED 1

struct pevlist {
	const char *input;
	bool force, freq, verbose, group, trace_fields;
	struct out screen; /* standard output */
	struct out out;    /* the lines that go there, in memory */
	struct pager pager;
	struct attr_text attr_text;
	bool any; /* details of the event being printed */
};

static void put_separator(struct pevlist *p)
{
	out_str(&p->out, p->any ? ", " : ": ");
	p->any = true;
}

static void put_trace_fields(struct pevlist *p, const struct pd_event *ev)
{
	struct pd_trace_field field;
	struct span format;
	bool any = false;
	size_t pos = 0;

	put_separator(p);
	if (ev->attr.type != PD_TYPE_TRACEPOINT) {
		out_str(&p->out, "(not a tracepoint)");
		return;
	}
	format = attr_text_format(&p->attr_text, ev->attr.config);
	while (pd_trace_field_next(format, &pos, &field)) {
		out_str(&p->out, any ? "," : "trace_fields: ");
		out_mem(&p->out, field.name.p, field.name.n);
		any = true;
	}
	if (!any)
		out_str(&p->out, "(no trace field)");
}

static void put_event(struct pevlist *p, const struct pd_event *ev)
{
	out_str(&p->out, ev->name);
	p->any = false;
	if (p->verbose) {
		out_char(&p->out, ':');
		attr_text_print(&p->attr_text, &p->out, &ev->attr, ev->name, ATTR_EVLIST);
		p->any = true;
	} else if (p->freq) {
		put_separator(p);
		out_printf(&p->out, "sample_%s=%" PRIu64,
			   pd_attr_has(&ev->attr, PD_ATTR_FREQ) ? "freq" : "period",
			   ev->attr.sample_period_or_freq);
	}
	if (p->trace_fields)
		put_trace_fields(p, ev);
	out_char(&p->out, '\n');
}

/* A group's one line; its members have none of their own. */
static void put_group(struct pevlist *p, const struct perfdata *pd, const struct pd_event *leader)
{
	u32 i;

	out_printf(&p->out, "%s{%s", leader->group_name ? leader->group_name : "", leader->name);
	for (i = 1; i < leader->nr_members; i++)
		out_printf(&p->out, ",%s", pd->events[leader->idx + i]->name);
	out_str(&p->out, "}\n");
}

static void put_events(struct pevlist *p, const struct perfdata *pd)
{
	bool tracepoint = false, group = false;
	size_t i;

	attr_text_init(&p->attr_text, pd);
	for (i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];

		tracepoint |= ev->attr.type == PD_TYPE_TRACEPOINT;
		group |= ev->nr_members > 1;
		if (!p->group || ev->nr_members == 1)
			put_event(p, ev);
		else if (ev->nr_members > 1)
			put_group(p, pd, ev);
	}
	if (tracepoint && !p->trace_fields)
		out_str(&p->out, "# Tip: use 'perf evlist --trace-fields' to show fields for "
				 "tracepoint events\n");
	if (group && !p->group)
		out_str(&p->out, "# Tip: use 'perf evlist -g' to show group information\n");
	attr_text_fini(&p->attr_text);
}

/* Writes the lines. On a terminal, those that are wider than it are broken between words. */
static void write_lines(struct pevlist *p)
{
	const char *s = p->out.buf, *end = s + p->out.len;
	struct screen_line l = { 0 };

	for (; p->screen.columns && s < end; s = l.text + l.n + 1) {
		const char *newline = memchr(s, '\n', (size_t)(end - s));

		l.text = s;
		l.n = (size_t)((newline ? newline : end) - s);
		screen_put_rows(&p->screen, &l, p->screen.columns, UINT_MAX);
		if (!l.n)
			out_char(&p->screen, '\n');
	}
	if (!p->screen.columns)
		out_long(&p->screen, s, p->out.len);
}

/* Names and units may come in any record of a stream. */
static int read_stream(struct perfdata *pd, struct progress *progress, struct perr *e)
{
	struct pd_record r;
	int got = 1;

	progress->total = pd->file_size;
	while (pd->kind == PD_PIPE && (got = pd_next(pd, &r, e)) > 0)
		progress_update(progress, r.off);
	progress_end(progress);
	return got < 0 ? got : 0;
}

static const char *default_input(void)
{
	struct stat st;

	return !fstat(0, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

static int list_fail(const char *path, const struct perr *e)
{
	perr_print(e, PROG, path, stderr);
	return STATUS_FAILED;
}

static int list_file(struct pevlist *p, struct diag *diag)
{
	const char *path = p->input ? p->input : default_input();
	struct perr e = { .off = -1 };
	struct progress progress;
	struct perfdata *pd;
	int err;

	progress_init_ahead(&progress, PROG, 0, stderr);
	err = pd_open_with(
		path, &(struct pd_open_options){ .progress = &progress, .only_trusted = !p->force },
		diag, &pd, &e);
	if (err) {
		progress_end(&progress);
		return list_fail(path, &e);
	}
	/* what a damaged stream says before the damage is listed all the same */
	err = read_stream(pd, &progress, &e);
	out_init_mem(&p->out);
	out_escape_like(&p->out, &p->screen);
	put_events(p, pd);
	write_lines(p);
	out_fini(&p->out);
	pd_warn_unfinished(pd);
	pd_close(pd);
	return err ? list_fail(path, &e) : 0;
}

#define AT(member) OPT_AT(struct pevlist, member)

/* clang-format off */
static const struct opt table[] = {
	COMMON_INPUT_OPTION(struct pevlist),
	COMMON_FORCE_OPTION(struct pevlist, force),
	{ OPT_FLAG, 'F', "freq", AT(freq), NULL, "show the sample frequency or period" },
	{ OPT_FLAG, 'v', "verbose", AT(verbose), NULL, "show all attributes" },
	{ OPT_FLAG, 'g', "group", AT(group), NULL, "show a group of events as one line" },
	{ OPT_FLAG, 0, "trace-fields", AT(trace_fields), NULL, "show the fields of tracepoints" },
	COMMON_PAGER_OPTION(struct pevlist),
	{ OPT_END },
};
/* clang-format on */

#undef AT

int main(int argc, char **argv)
{
	struct pevlist p = { 0 };
	const struct opt_parser parser = {
		.prog = PROG,
		.usage = PROG " [<options>]",
		.table = table,
		.values = &p,
	};
	struct diag diag;
	int nr_operands, ret, status;

	signal(SIGPIPE, SIG_DFL);
	ret = opt_parse(&parser, argc, argv, &nr_operands);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	if (nr_operands) {
		message(stderr, PROG ": unexpected argument '%s' (use -i %s)\n", argv[1], argv[1]);
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (p.group && (p.verbose || p.freq)) {
		fprintf(stderr, "  Error: --group option is not compatible with other options\n");
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	diag_init(&diag);
	out_init(&p.screen, stdout);
	out_page(&p.screen, &p.pager);
	status = list_file(&p, &diag);
	if (out_fini(&p.screen)) {
		fprintf(stderr, PROG ": cannot write to standard output\n");
		status = STATUS_FAILED;
	}
	diag_print(&diag, PROG, stderr);
	pager_end(&p.pager);
	diag_fini(&diag);
	return status;
}
