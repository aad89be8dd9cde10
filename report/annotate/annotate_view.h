/* SPDX-License-Identifier: MIT */
/* What the layouts of an annotated function, as text and on the terminal, have in common. */
#ifndef REPORT_ANNOTATE_ANNOTATE_VIEW_H
#define REPORT_ANNOTATE_ANNOTATE_VIEW_H

#include "report/annotate/annotate_code.h"
#include "report/annotate/annotate_source.h"
#include "report/annotate/branch_cycles.h"

/* What percentages are shares of: the function (local) or all samples (global). */
enum annot_percent {
	ANNOT_LOCAL_PERIOD,
	ANNOT_LOCAL_HITS,
	ANNOT_GLOBAL_PERIOD,
	ANNOT_GLOBAL_HITS,
};

/* What the columns of events show. */
enum annot_value { ANNOT_PERCENT, ANNOT_SAMPLES, ANNOT_PERIOD };

/* Options of the layout. */
struct annot_style {
	enum annot_percent percent;
	enum annot_value value;
	bool color;
	bool lines;      /* -l: a summary by source line, and the source line of instructions */
	bool full_paths; /* -P: source files with their directories */
	bool raw;        /* show the bytes of instructions */
	bool source;     /* show source lines between instructions */
	bool inlines;    /* show chains of inlined functions */
	bool min_max;    /* cycles of branches: least and most beside the average */
};

/* One function to be printed, with the events that have columns. Pointers are borrowed. */
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
	struct branch_blocks *blocks;     /* comments on branches; NULL: none */
	const struct code_cycles *cycles; /* of the function; NULL: no columns of cycles */
};

/*
 * Returns the percentage of an event's sum in the function's or in all samples' sum, as v->style
 * says; 0 if that is 0.
 */
double annot_share(const struct annot_view *v, u32 event, const struct annot_sum *sum);

/* Returns the name that titles show: "local period". */
const char *annot_percent_text(enum annot_percent p);
/* Returns the enum annot_percent of "local-period" or "period-local", -1 for other texts. */
int annot_percent_parse(const char *text);

/* Returns the terminal colour of a percentage: red from 5, green above 0.5, else NULL. */
const char *annot_color(const struct annot_style *s, double percent);
/* Appends text with blanks for its tabs, which go to columns of eight; the text begins in `column`.
 */
void annot_expand_tabs(struct out *o, const char *s, size_t n, size_t column);

/* Begins a colour; NULL begins none. */
void annot_start_color(struct out *o, const char *color);
/* Appends text in a colour, without if color is NULL. */
void annot_colored(struct out *o, const char *color, const char *text);

#define ANNOT_RED "\033[31m"
#define ANNOT_GREEN "\033[32m"
#define ANNOT_BLUE "\033[34m"
#define ANNOT_MAGENTA "\033[35m"
#define ANNOT_PLAIN "\033[m"

/* With -l an instruction of at least this percentage shows its source line. */
#define ANNOT_PATH_MIN 0.5

/* Returns one event's cost of the code in [vaddr, vaddr + len): an instruction, or part of one. */
struct annot_sum annot_insn_sum(const struct annot_view *v, u64 vaddr, u32 len, u32 event);
/* Returns the highest annot_share() of this code among the events of v. */
double annot_insn_share(const struct annot_view *v, u64 vaddr, u32 len);

/* Appends "Samples: 18  of event 'cycles', 4000 Hz, Event count (approx.): 123". */
void annot_put_event(struct out *o, const struct annot_view *v);
/*
 * Appends the columns of code in [vaddr, vaddr + len), in the layout of --stdio2. Code without
 * samples has blanks; head: the title of the columns in their place. Returns whether it has
 * samples.
 */
bool annot_put_columns(struct out *o, const struct annot_view *v, u64 vaddr, u32 len, bool head);
/* How many characters annot_put_columns() appends to code without samples. */
int annot_columns_width(const struct annot_view *v);

/*
 * Appends the columns of the cycles up to an instruction, in the layout of --stdio2: blanks if it
 * is no branch with cycles. insn: index in v->code->insns; v->code->nr: a line that is no
 * instruction. head: the titles of the columns in place of blanks. Nothing without v->cycles.
 */
void annot_put_cycles(struct out *o, const struct annot_view *v, size_t insn, bool head);
/* How many characters annot_put_cycles() appends. */
int annot_cycles_width(const struct annot_view *v);

/* Appends an instruction's text with the name of its target, as --stdio shows it. */
void annot_insn_text(const struct annot_code *c, const struct annot_insn *in, struct out *o);
/* Appends the name of an instruction's target: "name", "name+0x10", or "name@got". */
void annot_target_text(const struct annot_insn *in, struct out *o);

/* Appends the source line of an instruction: "w.c:7". */
void annot_place_text(const struct annot_view *v, u64 vaddr, struct out *o);

#endif
