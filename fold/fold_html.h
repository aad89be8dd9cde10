/* SPDX-License-Identifier: MIT */
/* Folded stacks as an HTML page. */
#ifndef FOLD_FOLD_HTML_H
#define FOLD_FOLD_HTML_H

#include "fold/folded.h"

/*
 * Writes a page of all lines of f, without times. nr_sides: 2 for a comparison. inputs: the files,
 * by side; of folded text with two counts, the first one only. unit: of the weights: "ns",
 * "samples", or an event. The number of threads does not change the page.
 */
void fold_html_write(struct folded *f, unsigned int nr_sides, const char *const *inputs,
		     const char *unit, unsigned int nr_threads, struct out *o);

#endif
