/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_html.h"

#include <errno.h>

#include "base/mem.h"
#include "base/parallel.h"
#include "count/counts_config.h"
#include "profile/event_choice.h"
#include "report/html/html_profile.h"
#include "report/prep/prep_data.h"
#include "report/prep/prep_diff.h"
#include "report/text/header_text.h"

/* One recording on its way into the page. */
struct html_input {
	const struct reader_command *rc;
	struct prep_options *opt;
	const char *path;
	struct perfdata *pd;
	struct session *session;
	struct profile_config cfg;
	struct profile *profile;
	struct progress progress;
	struct verdict *verdict;
	bool *wall; /* with --wall: see struct html_maker */
};

static u64 quantum_of(const struct html_input *in)
{
	return in->opt->diff || !prep_any_event(in->pd, PD_SAMPLE_TIME) ? 0 : in->opt->html_time;
}

static int set_config(struct html_input *in, struct perr *e)
{
	const struct prep_options *o = in->opt;
	const struct pd_event *on, *off = NULL;
	u32 columns = COUNT_BIT(COUNT_COMM);
	int err = common_find_event(in->pd, o->switch_on, &on, e);

	if (!err)
		err = common_find_event(in->pd, o->switch_off, &off, e);
	if (err)
		return err;
	if (quantum_of(in))
		columns |= COUNT_BIT(COUNT_TIME) | COUNT_BIT(COUNT_PID) | COUNT_BIT(COUNT_TID);
	if (o->wall)
		columns |= COUNT_BIT(COUNT_OFFCPU);
	if (pd_has_stack_ends(in->pd))
		columns |= COUNT_BIT(COUNT_END);
	in->cfg = (struct profile_config){
		.inlines = o->stacks.inlines,
		.names = o->names,
		.counts = { .columns = columns,
			    .threads = (unsigned int)o->nr_threads,
			    .max_mem = o->max_mem,
			    .max_stack = o->stacks.max_stack,
			    .max_user_stack = o->stacks.max_user_stack,
			    .no_join = !o->stacks.join,
			    .by_symbol = true,
			    .time_quantum_ns = quantum_of(in),
			    .switch_on = on ? on->idx + 1 : 0,
			    .switch_off = off ? off->idx + 1 : 0,
			    .show_switches = o->show_on_off,
			    .filter = &o->filter,
			    .progress = &in->progress },
	};
	return 0;
}

static void judge(struct html_input *in)
{
	struct counts_config cfg = in->cfg.counts;
	struct reader_command rc = *in->rc;
	const struct verdict_input judged = { .input = in->path,
					      .session = in->session,
					      .counts = profile_get_counts(in->profile),
					      .config = &cfg };

	cfg.columns |= COUNT_BIT(COUNT_STACK) | COUNT_BIT(COUNT_IP);
	/* the page has a verdict even if the user wants none on the terminal */
	rc.quality = VERDICT_TEXT;
	in->verdict = reader_judge(&rc, &judged);
}

/* --wall: the events that make up the wall clock. Without them there is no page. */
static int choose_wall(struct html_input *in, struct perr *e)
{
	int err;

	in->wall = xcalloc(in->pd->nr_events + 1, sizeof(*in->wall));
	err = event_choose_wall(in->pd, profile_get_counts(in->profile), in->wall, e);
	if (!err)
		return 0;
	profile_free(in->profile);
	in->profile = NULL;
	return err;
}

/* Opens, counts and names one recording. *ret: what could be read; NULL: nothing. */
static int read_input(struct html_input *in, const char *time, struct perr *e)
{
	const struct reader_config cfg = {
		.session = { .symbols = in->opt->symbols,
			     .keep_exited = true,
			     .unwinder = in->opt->stacks.unwinder },
		.filter = &in->opt->filter,
		.time = time,
	};
	struct perr other;
	int err = reader_open(in->rc, in->path, &in->pd, e), more = 0;

	if (!err)
		err = reader_start(in->rc, in->pd, &cfg, &in->session, e);
	if (!err)
		err = set_config(in, e);
	if (err)
		return err;
	progress_init_ahead(&in->progress, in->rc->prog, in->pd->file_size, in->rc->messages);
	err = profile_read(in->session, &in->cfg, &in->profile, e);
	progress_end(&in->progress);
	pd_warn_unfinished(in->pd);
	if (in->profile && in->opt->wall)
		more = choose_wall(in, err ? &other : e);
	if (in->profile)
		judge(in);
	return err ? err : more;
}

static void close_input(struct html_input *in)
{
	free(in->wall);
	profile_free(in->profile);
	session_free(in->session);
	pd_close(in->pd);
}

/* What the page says about a recording: verdict, header, objects. */
static void add_about(struct page *page, const struct html_input *in, bool several)
{
	const char *of = several ? in->path : "";
	const struct {
		const char *what;
		bool header;
	} parts[] = { { "Quality", false }, { "Recording", true } };
	char *title;

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		struct out o;

		out_init_mem(&o);
		if (parts[i].header)
			header_text_print(&o, in->pd, false);
		else if (in->verdict)
			verdict_print_facts(&o, in->rc->prog, in->verdict);
		title = xasprintf("%s %s", parts[i].what, of);
		if (o.len)
			page_about(page, title, o.buf, o.len);
		free(title);
		out_fini(&o);
	}
	title = xasprintf("Objects and build-ids %s", of);
	html_about_objects(page, in->profile, title);
	free(title);
}

static int write_page(const struct reader_command *rc, struct page *page, const char *path)
{
	bool to_stdout = !strcmp(path, "-");
	FILE *f = to_stdout ? rc->output : fopen(path, "we");
	struct perr e = { .off = -1 };
	struct out o;
	int err = 0;

	if (!f) {
		perr_io(&e, "cannot open");
		return reader_fail(rc, path, &e);
	}
	out_init(&o, f);
	page_write(page, &o);
	if (out_fini(&o))
		err = perr_io(&e, "cannot write");
	if (!to_stdout && fclose(f) && !err)
		err = perr_io(&e, "cannot write");
	return err ? reader_fail(rc, to_stdout ? "standard output" : path, &e) : 0;
}

static void set_titles(struct page *page, const struct prep_options *opt)
{
	char *title;

	if (!opt->diff) {
		page_set_title(page, opt->input);
		return;
	}
	title = xasprintf("%s, %s", opt->diff_of.files[0], opt->diff_of.files[1]);
	page_set_title(page, title);
	for (unsigned int i = 0; i < PAGE_SIDES; i++)
		page_set_side(page, i, opt->diff_of.files[i]);
	free(title);
}

int prep_html(const struct reader_command *rc, struct prep_options *opt)
{
	struct page *page = page_new();
	struct verdict *verdicts[PAGE_SIDES] = { NULL };
	unsigned int nr = opt->diff ? PAGE_SIDES : 1, i;
	struct html_maker maker;
	bool wanted = true;
	int status = 0;

	page_set_workers(page,
			 opt->nr_threads ? (unsigned int)opt->nr_threads : parallel_nr_cpus());
	html_init(&maker, page, opt->diff);
	set_titles(page, opt);
	for (i = 0; i < nr && wanted; i++) {
		struct html_input in = { .rc = rc, .opt = opt };
		char *time = opt->diff ? prep_diff_time_of(opt->time, i) : NULL;
		struct perr e = { .off = -1 };

		in.path = opt->diff ? opt->diff_of.files[i] : opt->input;
		if (read_input(&in, opt->diff ? time : opt->time, &e))
			status = reader_fail(rc, in.path, &e);
		wanted = in.profile;
		if (wanted) {
			maker.wall = in.wall;
			html_add(&maker, in.profile, i, quantum_of(&in));
			add_about(page, &in, nr > 1);
		}
		verdicts[i] = in.verdict;
		close_input(&in);
		free(time);
	}
	if (wanted && write_page(rc, page, opt->html))
		status = 1;
	html_fini(&maker);
	page_free(page);
	reader_finish(rc, verdicts, nr);
	return status;
}
