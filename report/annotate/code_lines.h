/* SPDX-License-Identifier: MIT */
/*
 * The lines of an annotated function for a viewer that walks them: instructions, source lines
 * between them, the instructions by their costs, and the functions that code refers to.
 */
#ifndef REPORT_ANNOTATE_CODE_LINES_H
#define REPORT_ANNOTATE_CODE_LINES_H

#include "report/annotate/annotate_view.h"

/* An instruction, or a source line above one. */
struct code_line {
	u32 insn;         /* index in annot_code.insns; of a source line: the next instruction */
	u32 number;       /* of the source line, from 1; 0: the line is the instruction */
	const char *file; /* of the source line */
};

struct code_lines {
	struct code_line *lines;
	size_t nr, cap;
	size_t nr_source; /* source lines among them */
	u32 *line_of;     /* by instruction: the index of its line */
	u32 *hot;         /* instructions with samples, the costliest first */
	size_t nr_hot, cap_hot;
};

/*
 * Makes the lines of v, with source lines if `source`, and ranks the instructions by the highest
 * share among v's events; of equal ones the later is first, as in perf. v is not kept.
 */
void code_lines_init(struct code_lines *l, const struct annot_view *v, bool source);
void code_lines_fini(struct code_lines *l);

/*
 * Finds the function at a run-time address in the object of a map: one of s, or else by its symbol
 * alone: then it has no samples, and its sums are `none`, s->nr_events zeros that the caller keeps.
 * False: no symbol of code covers the address, or it is a slot of a procedure linkage table.
 */
bool annot_func_at(const struct annot_samples *s, const struct map *map, u64 ip,
		   struct annot_sum *none, struct annot_func *ret);

/* Finds the function of s at an address of an object, by the object's recorded name. */
bool annot_func_in(const struct annot_samples *s, const char *object, u64 addr,
		   struct annot_func *ret);

/* Finds the function that an instruction calls or jumps to. False: it is not known. */
bool annot_func_called(const struct annot_samples *s, const struct annot_code *c,
		       const struct annot_insn *in, struct annot_sum *none, struct annot_func *ret);

#endif
