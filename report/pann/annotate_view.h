/* SPDX-License-Identifier: MIT */
/* What is shown of a function and how: shared by the two forms of text, --stdio and --stdio2. */
#ifndef REPORT_PANN_ANNOTATE_VIEW_H
#define REPORT_PANN_ANNOTATE_VIEW_H

#include "report/pann/annotate_code.h"
#include "report/pann/annotate_source.h"

enum annot_percent {
	ANNOT_LOCAL_PERIOD,
	ANNOT_LOCAL_HITS,
	ANNOT_GLOBAL_PERIOD,
	ANNOT_GLOBAL_HITS,
};

enum annot_value { ANNOT_PERCENT, ANNOT_SAMPLES, ANNOT_PERIOD };

struct annot_style {
	enum annot_percent percent;
	enum annot_value value; /* what the columns show */
	bool color;
	bool lines;      /* -l: a summary by source line, and lines behind instructions */
	bool full_paths; /* -P */
	bool raw;        /* bytes of instructions */
	bool source;     /* source lines */
	bool inlines;    /* chains of inlined functions */
};

/* One function and the events that have columns. */
struct annot_view {
	const struct annot_style *style;
	const struct annot_samples *samples;
	const struct annot_func *func;
	const struct annot_code *code;
	const u32 *events; /* pd_event.idx */
	size_t nr_events;
	const struct pd_event *leader;
	char *event_name; /* "cycles", "anon group { a, b }" */
	struct line_source *lines;
};

/* Part of 100 that a sum is, of the function or of all, as the style says; 0 of nothing. */
double annot_share(const struct annot_view *v, u32 event, const struct annot_sum *sum);

/* "local period" */
const char *annot_percent_text(enum annot_percent p);
/* By perf's words, "local-period" or "period-local": -1: none of them. */
int annot_percent_parse(const char *text);

/* Colours as perf uses them: red from 5, green above 0.5 percent; NULL: none. */
const char *annot_color(const struct annot_style *s, double percent);
void annot_colored(struct out *o, const char *color, const char *text);

#define ANNOT_RED "\033[31m"
#define ANNOT_GREEN "\033[32m"
#define ANNOT_BLUE "\033[34m"
#define ANNOT_MAGENTA "\033[35m"
#define ANNOT_PLAIN "\033[m"

#define ANNOT_PATH_MIN 0.5 /* percent from which on -l tells the line of an instruction */

/* Costs of an instruction (or of bytes [from, from+len) of one), of one event. */
struct annot_sum annot_insn_sum(const struct annot_view *v, u64 vaddr, u32 len, u32 event);
/* The greatest share among the events. */
double annot_insn_share(const struct annot_view *v, u64 vaddr, u32 len);

/* The instruction's text with the names of what it refers to; stdio's form. */
void annot_insn_text(const struct annot_code *c, const struct annot_insn *in, struct out *o);
/* "name" or "name+0x10" */
void annot_target_text(const struct annot_insn *in, struct out *o);

/* " w.c:7" of an instruction. */
void annot_place_text(const struct annot_view *v, u64 vaddr, struct out *o);

/* What one function looks like. The view's parts must all be set. */
void annot_print_stdio(struct out *o, const struct annot_view *v);
void annot_print_stdio2(struct out *o, const struct annot_view *v);
/* -l: lines of source by their share. */
void annot_print_summary(struct out *o, const struct annot_view *v);

#endif
