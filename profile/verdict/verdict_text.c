/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_text.h"

#include "base/mem.h"
#include "profile/verdict/verdict_advice.h"

#define MAX_LINES 15 /* of one recording */
#define MAX_MODULES 10
/* A line is printed for shares from this many percent on. */
#define MATTERS 1
#define MATTERS_LONE 20 /* more, since some programs do run in their outermost function */

struct page {
	struct out *o;
	const char *prog;
	const char *input; /* NULL: lines do not name it */
	const struct verdict *v;
	struct verdict_advisor advisor;
	struct verdict_sums sums;
	u64 whole; /* 100 % of all shares */
	unsigned int nr_lines;
};

int verdict_form_parse(const char *text)
{
	static const char *const names[VERDICT_FORMS] = { "text", "json", "none" };

	for (int i = 0; i < VERDICT_FORMS; i++)
		if (!strcmp(text, names[i]))
			return i;
	return -1;
}

/* Control bytes are masked: names come from the recording, and a terminal would obey them. */
static void put_name(struct out *o, const char *name)
{
	for (; *name; name++)
		out_char(o, (unsigned char)*name < 32 || *name == 127 ? '?' : *name);
}

static void begin_line(struct page *p)
{
	out_str(p->o, p->prog);
	out_str(p->o, ": quality: ");
	if (p->input) {
		put_name(p->o, p->input);
		out_str(p->o, ": ");
	}
	p->nr_lines++;
}

static bool matters(u64 part, u64 whole, unsigned int percent)
{
	return part && (double)part * 100 >= (double)whole * percent;
}

/* Shares near 0 and 100 are printed as <0.1 % and >99.9 %, so that 0.0 and 100.0 are exact. */
static void put_share(struct out *o, u64 part, u64 whole)
{
	double share = whole ? 100.0 * (double)part / (double)whole : 0;

	if (part && share < 0.1)
		out_str(o, "<0.1 %");
	else if (part != whole && share > 99.9)
		out_str(o, ">99.9 %");
	else
		out_printf(o, "%.1f %%", share);
}

static u64 measure(const struct page *p, const struct verdict_weight *w)
{
	return verdict_measure(p->v, w);
}

static void print_summary(struct page *p)
{
	const struct verdict *v = p->v;

	begin_line(p);
	out_printf(p->o, "%llu samples", (unsigned long long)v->stats.nr_samples);
	if (v->nr_events && p->sums.counted != v->stats.nr_samples)
		out_printf(p->o, ", %llu counted", (unsigned long long)p->sums.counted);
	if (v->lost)
		out_printf(p->o, ", %llu lost", (unsigned long long)v->lost);
	else
		out_str(p->o, ", none lost");
	if (p->sums.filtered)
		out_printf(p->o, ", %llu filtered out", (unsigned long long)p->sums.filtered);
	if (!v->has_places || !p->whole) {
		out_char(p->o, '\n');
		return;
	}
	out_str(p->o, "; unresolved: ");
	put_share(p->o, measure(p, &p->sums.leaf_unnamed), p->whole);
	out_str(p->o, " of leaf frames; ");
	put_share(p->o, measure(p, &p->sums.any_unnamed), p->whole);
	out_printf(p->o, " of stacks contain at least one (by %s)\n",
		   v->of_branches  ? "branches"
		   : v->by_samples ? "samples"
				   : "period");
}

/* Appends what helps, and ends the line. Frees r. */
static void end_with_remedy(struct page *p, struct verdict_remedy *r)
{
	char *text = verdict_remedy_text(r);

	out_str(p->o, "; ");
	put_name(p->o, text);
	out_char(p->o, '\n');
	free(text);
	verdict_remedy_fini(r);
}

static void print_losses(struct page *p)
{
	const struct verdict *v = p->v;
	struct verdict_remedy r;

	if (v->lost) {
		begin_line(p);
		out_printf(p->o, "%llu samples lost, ", (unsigned long long)v->lost);
		put_share(p->o, v->lost, v->stats.nr_samples + v->lost);
		out_str(p->o, " of all: the kernel's rings were full");
		verdict_remedy_of_losses(&p->advisor, &r);
		end_with_remedy(p, &r);
	}
	if (v->stats.nr_throttled) {
		begin_line(p);
		out_printf(p->o,
			   "sampling was throttled %llu times: more samples than the kernel allows",
			   (unsigned long long)v->stats.nr_throttled);
		verdict_remedy_of_throttling(&p->advisor, &r);
		end_with_remedy(p, &r);
	}
}

/* Samples and records of the file that could not be used. */
static void print_skipped(struct page *p)
{
	const struct replay_stats *st = &p->v->stats;

	if (!st->nr_broken_samples && !st->nr_unknown_id && !p->v->nr_unknown_type)
		return;
	begin_line(p);
	out_printf(p->o,
		   "skipped: %llu damaged samples, %llu samples of events that the file does not "
		   "describe, %llu records of unknown types\n",
		   (unsigned long long)st->nr_broken_samples, (unsigned long long)st->nr_unknown_id,
		   (unsigned long long)p->v->nr_unknown_type);
}

/* What a command that prints samples as they come leaves out of a stream. */
static void print_stream(struct page *p)
{
	if (!p->v->losses_only || !p->v->is_stream)
		return;
	begin_line(p);
	out_str(p->o, "stacks and names were not checked");
	if (p->v->is_not_joined)
		out_str(p->o, ", and truncated stacks not extended");
	out_str(p->o, ": a stream can be read only once; save it to a file and read that\n");
}

/* --debuginfod was given, and no server answered. */
static void print_debuginfod(struct page *p)
{
	struct verdict_remedy r;

	if (!p->v->debuginfod_problem)
		return;
	begin_line(p);
	out_str(p->o, "--debuginfod: ");
	out_str(p->o, p->v->debuginfod_problem);
	if (verdict_remedy_of_debuginfod(&p->advisor, &r)) {
		end_with_remedy(p, &r);
		return;
	}
	out_char(p->o, '\n');
	verdict_remedy_fini(&r);
}

static bool has_chain(const struct verdict *v, enum verdict_chain chain)
{
	for (size_t i = 0; i < v->nr_events; i++)
		if (v->events[i].chain == chain && v->events[i].all.samples)
			return true;
	return false;
}

/* Stacks cut by --max-stack are not reported: the user asked for it. */
static bool do_cuts_matter(const struct page *p)
{
	return !p->v->cut_by_option &&
	       matters(measure(p, &p->sums.ends[VERDICT_END_TOO_DEEP]), p->whole, MATTERS);
}

static void put_end(struct page *p, enum verdict_end end, const char *what, const char **sep)
{
	u64 w = measure(p, &p->sums.ends[end]);

	if (!w)
		return;
	out_str(p->o, *sep);
	put_share(p->o, w, p->whole);
	out_str(p->o, what);
	*sep = ", ";
}

static void print_ends(struct page *p)
{
	const struct verdict *v = p->v;
	bool copies = has_chain(v, VERDICT_CHAIN_COPIES), lbr = has_chain(v, VERDICT_CHAIN_LBR);
	const char *sep = "stacks: ";

	begin_line(p);
	put_end(p, VERDICT_END_COMPLETE, " complete", &sep);
	put_end(p, VERDICT_END_TRUNCATED, " truncated", &sep);
	put_end(p, VERDICT_END_NO_INFO, " without unwind information", &sep);
	put_end(p, VERDICT_END_BROKEN, " broken", &sep);
	put_end(p, VERDICT_END_USER, " with user frames", &sep);
	put_end(p, VERDICT_END_KERNEL_ONLY, " kernel only", &sep);
	put_end(p, VERDICT_END_EMPTY, " empty", &sep);
	put_end(p, VERDICT_END_TOO_DEEP, " cut at the depth limit", &sep);
	put_end(p, VERDICT_END_NO_CHAIN, " without a call chain", &sep);
	if (copies && v->unwound.joined)
		out_printf(p->o,
			   "; %llu of %llu stacks were truncated and extended with callers from "
			   "neighbouring samples",
			   (unsigned long long)v->unwound.joined,
			   (unsigned long long)v->unwound.stacks);
	else if (lbr)
		out_str(p->o, "; LBR call stacks hold the innermost 8 to 32 calls");
	else if (!copies)
		out_str(p->o, "; frame-pointer chains may be incomplete, which cannot be detected");
	out_char(p->o, '\n');
}

static u64 astray_weight(const struct page *p)
{
	u64 most = 0, w;

	for (size_t i = 0; i < p->v->nr_modules; i++) {
		const struct verdict_module *m = &p->v->modules[i];

		w = measure(p, &m->any) - measure(p, &m->leaf);
		if ((m->reason == VERDICT_NO_MAP || m->reason == VERDICT_NOT_CODE) && w > most)
			most = w;
	}
	return most;
}

/* The last part of a path. */
static const char *base_name(const char *name)
{
	const char *slash = name[0] == '/' ? strrchr(name, '/') : NULL;

	return slash && slash[1] ? slash + 1 : name;
}

/* Names the object whose code has no callers. */
static void put_callerless(struct page *p)
{
	if (!p->v->callerless.name)
		return;
	out_str(p->o, " in ");
	put_name(p->o, base_name(p->v->callerless.name));
}

static void print_short_stacks(struct page *p)
{
	const struct verdict *v = p->v;
	u64 lone = measure(p, &p->sums.lone_user);
	u64 deep = measure(p, &p->sums.ends[VERDICT_END_TOO_DEEP]);
	u64 jit = measure(p, &p->sums.jit_ends);
	u64 truncated = measure(p, &p->sums.ends[VERDICT_END_TRUNCATED]);
	struct verdict_remedy r;

	if (matters(lone, p->whole, MATTERS_LONE) && !has_chain(v, VERDICT_CHAIN_COPIES)) {
		begin_line(p);
		put_share(p->o, lone, p->whole);
		out_str(p->o, " of stacks have one user frame only: probably code without frame "
			      "pointers");
		put_callerless(p);
		verdict_remedy_of_callers(&p->advisor, &r);
		end_with_remedy(p, &r);
	}
	if (matters(truncated, p->whole, MATTERS) && v->copy_size) {
		begin_line(p);
		put_share(p->o, truncated, p->whole);
		out_printf(p->o, " of stacks are truncated: copies of %u bytes were too short",
			   v->copy_size);
		verdict_remedy_of_copies(&p->advisor, &r);
		end_with_remedy(p, &r);
	}
	if (matters(jit, p->whole, MATTERS)) {
		begin_line(p);
		put_share(p->o, jit, p->whole);
		out_str(p->o, " of stacks end in JIT code: it has no unwind information");
		verdict_remedy_of_jit(&p->advisor, &r);
		end_with_remedy(p, &r);
	}
	/* wrong frame pointers make endless chains too, which a higher limit does not end */
	if (do_cuts_matter(p) && deep > astray_weight(p)) {
		begin_line(p);
		put_share(p->o, deep, p->whole);
		out_printf(p->o, " of stacks are cut at %u frames: deeper than the limit",
			   v->max_stack);
		verdict_remedy_of_depth(&r);
		end_with_remedy(p, &r);
	}
}

static bool do_ends_matter(const struct page *p)
{
	const struct verdict_sums *s = &p->sums;

	return has_chain(p->v, VERDICT_CHAIN_COPIES) ||
	       matters(measure(p, &s->ends[VERDICT_END_EMPTY]), p->whole, MATTERS) ||
	       do_cuts_matter(p) || matters(measure(p, &s->lone_user), p->whole, MATTERS_LONE);
}

static void print_module(struct page *p, const struct verdict_module *m, const char **last)
{
	struct verdict_remedy r;
	char *advice;

	verdict_remedy_of_module(&p->advisor, m, &r);
	advice = verdict_remedy_text(&r);
	verdict_remedy_fini(&r);
	begin_line(p);
	put_share(p->o, measure(p, &m->any), p->whole);
	out_str(p->o, " of stacks (");
	put_share(p->o, measure(p, &m->leaf), p->whole);
	out_str(p->o, " of leaf frames) unresolved in ");
	put_name(p->o, base_name(m->name));
	out_str(p->o, ": ");
	out_str(p->o, verdict_reason_text(m->reason));
	out_str(p->o, "; ");
	if (*last && !strcmp(*last, advice))
		out_str(p->o, "as above");
	else
		put_name(p->o, advice);
	out_char(p->o, '\n');
	free((char *)*last);
	*last = advice;
}

static void print_modules(struct page *p)
{
	const struct verdict *v = p->v;
	const char *last = NULL;
	size_t i, nr = 0, shown;

	while (nr < v->nr_modules && matters(measure(p, &v->modules[nr].any), p->whole, MATTERS))
		nr++;
	shown = nr < MAX_MODULES ? nr : MAX_MODULES;
	if (p->nr_lines + shown + (nr > shown) > MAX_LINES)
		shown = MAX_LINES - p->nr_lines - 1;
	for (i = 0; i < shown; i++)
		print_module(p, &v->modules[i], &last);
	free((char *)last);
	if (nr > shown) {
		begin_line(p);
		out_printf(p->o,
			   "%zu more objects have unresolved frames; --quality=json lists all\n",
			   nr - shown);
	}
}

void verdict_print_text(struct out *o, const char *prog, const struct verdict *v, bool with_input)
{
	struct page p = { .o = o, .prog = prog, .v = v, .input = with_input ? v->input : NULL };

	verdict_advisor_init(&p.advisor, v);
	verdict_sum(v, &p.sums);
	p.whole = verdict_measure(v, &p.sums.all);
	print_summary(&p);
	print_losses(&p);
	print_skipped(&p);
	print_stream(&p);
	print_debuginfod(&p);
	if (v->has_places && p.whole) {
		if (do_ends_matter(&p)) {
			print_ends(&p);
			print_short_stacks(&p);
		}
		print_modules(&p);
	}
	verdict_advisor_fini(&p.advisor);
}

void verdict_tell(FILE *f, const char *prog, enum verdict_form form,
		  const struct verdict *const *verdicts, size_t nr, struct diag *diag)
{
	struct out o;

	if (form != VERDICT_JSON)
		diag_print(diag, prog, f);
	out_init(&o, f);
	for (size_t i = 0; form == VERDICT_TEXT && i < nr; i++)
		verdict_print_text(&o, prog, verdicts[i], nr > 1);
	if (form == VERDICT_JSON) {
		verdict_print_json(&o, prog, verdicts, nr, diag);
		out_char(&o, '\n');
		diag_fini(diag);
	}
	(void)out_fini(&o); /* an error cannot be reported: it is standard error that failed */
}

int verdict_form_option(void *form, const char *arg, struct perr *e)
{
	int got = arg ? verdict_form_parse(arg) : VERDICT_NONE;

	if (got < 0)
		return perr_set(e, PERR_USAGE, "expected text, json or none, got '%s'", arg);
	*(enum verdict_form *)form = (enum verdict_form)got;
	return 0;
}
