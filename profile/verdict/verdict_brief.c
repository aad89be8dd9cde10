/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_brief.h"

#include "base/mem.h"
#include "base/screen/screen_rows.h"
#include "profile/verdict/verdict_priv.h"
#include "profile/verdict/verdict_text.h"

#define ALARM 5  /* verdict_print_alarm reports larger shares, in percent */
#define INDENT 2 /* columns, of the first row of a problem */

/* Rows of a terminal. */
struct screen {
	struct out *o;
	size_t columns;
	unsigned int rows_left;
};

static void put_line(struct screen *s, const struct screen_line *l, unsigned int rows)
{
	screen_put_rows(s->o, l, s->columns, rows);
	s->rows_left -= rows;
}

/* The number of lines in text. */
static size_t count_lines(const struct out *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++)
		n += text->buf[i] == '\n';
	return n;
}

static void put_more(struct screen *s, size_t nr)
{
	char *text =
		xasprintf("%zu more problem%s; --quality=text lists all", nr, nr == 1 ? "" : "s");

	put_line(s, &(struct screen_line){ text, strlen(text), INDENT }, 1);
	free(text);
}

/*
 * Prints the lines of `text`, as many as there is room for and without the first `prefix` bytes of
 * each, and how many problems are left out; `more` have no line in the text.
 */
static void put_problems(struct screen *s, const struct out *text, size_t prefix, size_t more)
{
	size_t left = count_lines(text), nr = left;
	const char *at = text->buf, *end;

	for (; left; left--, at = end + 1) {
		/* a row for the number of those left out */
		unsigned int reserved = left > 1 || more, rows;
		struct screen_line l = { .text = at + prefix, .indent = INDENT };

		end = memchr(at, '\n', text->len - (size_t)(at - text->buf));
		l.n = (size_t)(end - l.text);
		rows = screen_rows(&l, s->columns);
		if (rows + reserved > s->rows_left) {
			/* the first problem is cut rather than left out */
			if (left < nr || s->rows_left <= reserved)
				break;
			rows = s->rows_left - reserved;
		}
		put_line(s, &l, rows);
	}
	if (left + more && s->rows_left)
		put_more(s, left + more);
}

/* The weight of stacks that are known to lack frames. */
static u64 bad_stacks(const struct page *p)
{
	const struct verdict_weight *ends = p->sums.ends;

	return measure(p, &ends[VERDICT_END_TRUNCATED]) + measure(p, &ends[VERDICT_END_NO_INFO]) +
	       measure(p, &ends[VERDICT_END_BROKEN]) + cut_stacks(p) + empty_stacks(p);
}

static void put_stacks(const struct page *p)
{
	u64 bad = bad_stacks(p);

	if (bad) {
		out_str(p->o, ", ");
		put_share(p->o, bad, p->whole);
		out_str(p->o, " of stacks incomplete");
	} else if (has_chain(p->v, VERDICT_CHAIN_COPIES)) {
		/* of other chains it is not known whether they are complete */
		out_str(p->o, ", all stacks complete");
	}
}

static void put_names(const struct page *p)
{
	u64 leaves = measure(p, &p->sums.leaf_unnamed), any = measure(p, &p->sums.any_unnamed);

	if (!any) {
		out_str(p->o, ", all names found");
		return;
	}
	out_str(p->o, ", ");
	put_share(p->o, leaves ? leaves : any, p->whole);
	out_str(p->o, leaves ? " of leaf names missing" : " of stacks lack a name");
}

/* Prints the first line: what was read, and what of it is whole. */
static void put_state(struct page *p)
{
	const struct verdict *v = p->v;

	begin_line(p);
	out_printf(p->o, "%llu samples", (unsigned long long)v->stats.nr_samples);
	if (v->nr_events && p->sums.counted != v->stats.nr_samples)
		out_printf(p->o, ", %llu counted", (unsigned long long)p->sums.counted);
	if (v->lost) {
		out_printf(p->o, ", %llu lost (", (unsigned long long)v->lost);
		put_share(p->o, v->lost, v->stats.nr_samples + v->lost);
		out_char(p->o, ')');
	} else {
		out_str(p->o, ", none lost");
	}
	if (p->sums.filtered)
		out_printf(p->o, ", %llu filtered out", (unsigned long long)p->sums.filtered);
	if (v->has_places && p->whole) {
		if (!v->leaves_only)
			put_stacks(p);
		if (!v->names_unseen)
			put_names(p);
	}
	out_char(p->o, '\n');
}

void verdict_print_brief(struct out *o, const char *prog, const struct verdict *v, bool with_input,
			 unsigned int columns, unsigned int rows)
{
	struct screen s = { .o = o, .columns = columns, .rows_left = rows };
	size_t prefix = strlen(prog) + strlen(": quality: "), more;
	struct screen_line state = { 0 };
	struct page p;
	struct out text;

	out_init_mem(&text);
	out_escape_like(&text, o);
	text.escape = true; /* a line end in a name ends no line */
	page_init(&p, &text, prog, v, with_input);
	put_state(&p);
	state.text = text.buf;
	state.n = text.len - 1;
	rows = screen_rows(&state, columns);
	put_line(&s, &state, rows < s.rows_left ? rows : s.rows_left);
	text.len = 0;
	more = verdict_print_worst(&text, prog, v, with_input, s.rows_left);
	put_problems(&s, &text, prefix, more);
	(void)out_fini(&text);
}

/* Begins the line of alarms or continues it. */
static void begin_alarm(struct page *p)
{
	if (p->nr_lines)
		out_str(p->o, "; ");
	else
		begin_line(p);
}

void verdict_print_alarm(struct out *o, const char *prog, const struct verdict *v, bool with_input)
{
	const struct replay_stats *st = &v->stats;
	u64 skipped = st->nr_broken_samples + st->nr_unknown_id, leaves, stacks;
	struct page p;

	page_init(&p, o, prog, v, with_input);
	leaves = measure(&p, &p.sums.leaf_unnamed);
	stacks = bad_stacks(&p);
	if (v->lost) {
		begin_alarm(&p);
		out_printf(o, "%llu of %llu samples lost (", (unsigned long long)v->lost,
			   (unsigned long long)(v->stats.nr_samples + v->lost));
		put_share(o, v->lost, v->stats.nr_samples + v->lost);
		out_char(o, ')');
	}
	if (v->missing_text) {
		begin_alarm(&p);
		out_text(o, v->missing_text, true);
	}
	if (skipped) {
		begin_alarm(&p);
		out_printf(o, "%llu samples skipped as damaged or of unknown events",
			   (unsigned long long)skipped);
	}
	if (v->nr_unknown_type) {
		begin_alarm(&p);
		out_printf(o, "%llu records of unknown types skipped",
			   (unsigned long long)v->nr_unknown_type);
	}
	if (v->debuginfod_problem) {
		begin_alarm(&p);
		out_str(o, "--debuginfod: ");
		out_str(o, v->debuginfod_problem);
	}
	if (!v->leaves_only && matters(stacks, p.whole, ALARM)) {
		begin_alarm(&p);
		put_share(o, stacks, p.whole);
		out_str(o, " of stacks incomplete");
	}
	if (v->has_places && !v->names_unseen && matters(leaves, p.whole, ALARM)) {
		begin_alarm(&p);
		put_share(o, leaves, p.whole);
		out_str(o, " of leaf frames without a name");
	}
	if (p.nr_lines)
		out_str(o, "; --quality=text lists causes and what helps\n");
}
