/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_text.h"

#include "base/mem.h"
#include "profile/verdict/verdict_advice.h"
#include "profile/verdict/verdict_priv.h"

#define MAX_LINES 15 /* of one recording */
#define MAX_MODULES 10
/* A line is printed for shares from this many percent on. */
#define MATTERS 1
#define MATTERS_LONE 20 /* more, since some programs do run in their outermost function */
#define MATTERS_LACKING 5

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
	if (!v->has_places || v->names_unseen || !p->whole) {
		out_char(p->o, '\n');
		return;
	}
	out_str(p->o, "; unresolved: ");
	put_share(p->o, measure(p, &p->sums.leaf_unnamed), p->whole);
	out_str(p->o, " of leaf frames");
	if (!v->leaves_only) {
		out_str(p->o, "; ");
		put_share(p->o, measure(p, &p->sums.any_unnamed), p->whole);
		out_str(p->o, " of stacks contain at least one");
	}
	out_printf(p->o, " (by %s)\n",
		   v->of_branches  ? "branches"
		   : v->by_samples ? "samples"
				   : "period");
}

/* Appends what helps, and ends the line. Frees r. */
static void end_with_remedy(struct page *p, struct verdict_remedy *r)
{
	char *text;

	if (!p->facts_only && r->id != ADVICE_IDS) {
		text = verdict_remedy_text(r);
		out_str(p->o, "; ");
		out_str(p->o, text);
		free(text);
	}
	out_char(p->o, '\n');
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
	if (v->missing_text) {
		begin_line(p);
		out_text(p->o, v->missing_text, true);
		out_char(p->o, '\n');
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

static bool do_cuts_matter(const struct page *p)
{
	return matters(cut_stacks(p), p->whole, MATTERS);
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

/* Says what is known of the callers in frame-pointer chains. */
static void put_callers_known(struct page *p)
{
	const struct verdict *v = p->v;

	if (!verdict_chains_are_known(v)) {
		out_str(p->o, "; frame-pointer chains may be incomplete, which cannot be detected");
		return;
	}
	out_str(p->o, "; ");
	put_share(p->o, v->pointers.lacking, v->pointers.samples);
	out_printf(p->o, " of %llu frame-pointer chains looked at lack callers",
		   (unsigned long long)v->pointers.samples);
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
			   "; %llu of %llu stacks were truncated and extended with callers from %s",
			   (unsigned long long)v->unwound.joined,
			   (unsigned long long)v->unwound.stacks,
			   v->has_unwound ? "the memory of their processes or other samples"
					  : "neighbouring samples");
	else if (lbr)
		out_str(p->o, "; LBR call stacks hold the innermost 8 to 32 calls");
	else if (!copies)
		put_callers_known(p);
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
	out_str(p->o, base_name(p->v->callerless.name));
}

static void print_lone_frames(struct page *p, u64 weight)
{
	struct verdict_remedy r;

	begin_line(p);
	put_share(p->o, weight, p->whole);
	out_str(p->o, " of stacks have one user frame only: probably code without frame pointers");
	put_callerless(p);
	verdict_remedy_of_callers(&p->advisor, &r);
	end_with_remedy(p, &r);
}

static bool do_chains_lack(const struct verdict *v)
{
	return matters(v->pointers.lacking, v->pointers.samples, MATTERS_LACKING);
}

static void print_lacking(struct page *p, u64 weight)
{
	const struct verdict *v = p->v;
	bool leaf = !verdict_chains_are_cut(v);
	struct verdict_remedy r;

	(void)weight;
	begin_line(p);
	put_share(p->o, v->pointers.lacking, v->pointers.samples);
	out_str(p->o, " of the samples' chains lack ");
	out_str(p->o, leaf ? "the caller of their innermost function" : "callers");
	out_str(p->o, ", most of them in ");
	out_str(p->o, base_name(v->pointers.object));
	out_str(p->o, ": code without frame pointers");
	/* code of JITs is not known: what helps there is not what helps here */
	verdict_remedy_of_lacking(&p->advisor, &r, leaf || !verdict_chains_are_known(v));
	end_with_remedy(p, &r);
}

static void print_truncated(struct page *p, u64 weight)
{
	struct verdict_remedy r;

	begin_line(p);
	put_share(p->o, weight, p->whole);
	out_printf(p->o, " of stacks are truncated: copies of %u bytes were too short",
		   p->v->copy_size);
	if (p->v->has_unwound)
		out_str(p->o, ", and the memory beyond could not be read");
	verdict_remedy_of_copies(&p->advisor, &r);
	end_with_remedy(p, &r);
}

static void print_jit_ends(struct page *p, u64 weight)
{
	struct verdict_remedy r;

	begin_line(p);
	put_share(p->o, weight, p->whole);
	out_str(p->o, " of stacks end in JIT code: it has no unwind information");
	verdict_remedy_of_jit(&p->advisor, &r);
	end_with_remedy(p, &r);
}

static void print_depth(struct page *p, u64 weight)
{
	struct verdict_remedy r;

	begin_line(p);
	put_share(p->o, weight, p->whole);
	out_printf(p->o, " of stacks are cut at %u frames: deeper than the limit", p->v->max_stack);
	verdict_remedy_of_depth(&r);
	end_with_remedy(p, &r);
}

/* Prints why stacks lack callers, the heaviest cause first. */
static void print_short_stacks(struct page *p)
{
	const struct verdict *v = p->v;
	const struct verdict_sums *s = &p->sums;
	u64 lone = measure(p, &s->lone_user), deep = measure(p, &s->ends[VERDICT_END_TOO_DEEP]);
	u64 truncated = measure(p, &s->ends[VERDICT_END_TRUNCATED]), jit = measure(p, &s->jit_ends);
	struct {
		bool matters;
		u64 weight;
		void (*print)(struct page *p, u64 weight);
	} causes[] = {
		{ matters(lone, p->whole, MATTERS_LONE) && !has_chain(v, VERDICT_CHAIN_COPIES) &&
			  !verdict_chains_are_known(v),
		  lone, print_lone_frames },
		{ do_chains_lack(v),
		  v->pointers.samples ? (u64)((double)p->whole * (double)v->pointers.lacking /
					      (double)v->pointers.samples)
				      : 0,
		  print_lacking },
		{ matters(truncated, p->whole, MATTERS) && v->copy_size, truncated,
		  print_truncated },
		{ matters(jit, p->whole, MATTERS), jit, print_jit_ends },
		/* wrong frame pointers make endless chains too, which a higher limit does not end
		 */
		{ do_cuts_matter(p) && deep > astray_weight(p), deep, print_depth },
	};

	for (;;) {
		size_t next = ARRAY_SIZE(causes);

		for (size_t i = 0; i < ARRAY_SIZE(causes); i++)
			if (causes[i].matters &&
			    (next == ARRAY_SIZE(causes) || causes[i].weight > causes[next].weight))
				next = i;
		if (next == ARRAY_SIZE(causes))
			return;
		causes[next].matters = false;
		causes[next].print(p, causes[next].weight);
	}
}

static bool do_ends_matter(const struct page *p)
{
	const struct verdict_sums *s = &p->sums;

	if (p->v->leaves_only)
		return false;
	return has_chain(p->v, VERDICT_CHAIN_COPIES) ||
	       matters(empty_stacks(p), p->whole, MATTERS) || do_cuts_matter(p) ||
	       matters(measure(p, &s->lone_user), p->whole, MATTERS_LONE) || do_chains_lack(p->v);
}

static void print_module(struct page *p, const struct verdict_module *m, const char **last)
{
	struct verdict_remedy r;
	char *advice;

	begin_line(p);
	if (!p->v->leaves_only) {
		put_share(p->o, measure(p, &m->any), p->whole);
		out_str(p->o, " of stacks (");
	}
	put_share(p->o, measure(p, &m->leaf), p->whole);
	out_str(p->o, p->v->leaves_only ? " of leaf frames unresolved in "
					: " of leaf frames) unresolved in ");
	out_str(p->o, base_name(m->name));
	out_str(p->o, ": ");
	out_str(p->o, verdict_reason_text(m->reason));
	if (p->facts_only) {
		out_char(p->o, '\n');
		return;
	}
	verdict_remedy_of_module(&p->advisor, m, &r);
	advice = verdict_remedy_text(&r);
	verdict_remedy_fini(&r);
	out_str(p->o, "; ");
	if (*last && !strcmp(*last, advice))
		out_str(p->o, "as above");
	else
		out_str(p->o, advice);
	out_char(p->o, '\n');
	free((char *)*last);
	*last = advice;
}

/* How many modules have a line, if there is room for all. */
static size_t nr_modules_that_matter(const struct page *p)
{
	const struct verdict *v = p->v;
	size_t nr = 0;

	while (!v->names_unseen && nr < v->nr_modules &&
	       matters(measure(p, &v->modules[nr].any), p->whole, MATTERS))
		nr++;
	return nr;
}

static void print_modules(struct page *p)
{
	const struct verdict *v = p->v;
	const char *last = NULL;
	size_t i, nr = nr_modules_that_matter(p), shown;

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

static void begin_page(struct page *p, struct out *o, const char *prog, const struct verdict *v,
		       bool with_input)
{
	page_init(p, o, prog, v, with_input);
	verdict_advisor_init(&p->advisor, v);
}

static void print_text(struct out *o, const char *prog, const struct verdict *v, bool with_input,
		       bool facts_only)
{
	struct page p;

	begin_page(&p, o, prog, v, with_input);
	p.facts_only = facts_only;
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

/* True if a module hides more of the table's rows than stacks lack callers. */
static bool do_names_matter_more(const struct page *p, size_t nr_modules)
{
	const struct verdict_sums *s = &p->sums;
	u64 stacks = measure(p, &s->lone_user), w = measure(p, &s->jit_ends), leaf = 0;

	stacks = w > stacks ? w : stacks;
	w = measure(p, &s->ends[VERDICT_END_TRUNCATED]);
	stacks = w > stacks ? w : stacks;
	for (size_t i = 0; i < nr_modules; i++) {
		w = measure(p, &p->v->modules[i].leaf);
		leaf = w > leaf ? w : leaf;
	}
	return leaf > stacks;
}

void verdict_print_text(struct out *o, const char *prog, const struct verdict *v, bool with_input)
{
	print_text(o, prog, v, with_input, false);
}

void verdict_print_facts(struct out *o, const char *prog, const struct verdict *v)
{
	print_text(o, prog, v, false, true);
}

size_t verdict_print_worst(struct out *o, const char *prog, const struct verdict *v,
			   bool with_input, size_t nr_modules)
{
	const char *last = NULL;
	bool stacks = false, names_first;
	struct page p;
	size_t nr = 0;

	begin_page(&p, o, prog, v, with_input);
	print_losses(&p);
	print_skipped(&p);
	print_debuginfod(&p);
	if (v->has_places && p.whole) {
		nr = nr_modules_that_matter(&p);
		stacks = do_ends_matter(&p);
	}
	names_first = nr && do_names_matter_more(&p, nr);
	if (stacks && !names_first)
		print_short_stacks(&p);
	for (size_t i = 0; i < nr && i < nr_modules; i++)
		print_module(&p, &v->modules[i], &last);
	if (stacks && names_first)
		print_short_stacks(&p);
	free((char *)last);
	verdict_advisor_fini(&p.advisor);
	return nr > nr_modules ? nr - nr_modules : 0;
}
