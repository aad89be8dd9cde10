/* SPDX-License-Identifier: MIT */
/*
 * Recipes as text. A line is a word and what belongs to it; blanks at both ends do not count, #
 * begins a comment line.
 *
 *	recipe NAME "what it shows"
 *	    begin EVENT [key EXPR,...] [if CONDITION]     more such lines: any of them begins
 *	    then EVENT [key ...] [if ...]                 what comes next, in their order
 *	    end EVENT [key ...] [if ...]                  any of them ends it
 *	    count EVENT [if CONDITION]                    in place of begin and end
 *	    by EXPR,...
 *	    value EXPR                                    with count: what is measured
 *	    nest
 *	    cycle
 *	    whole-system                                  the events of other threads are needed
 *	    record -a -e EVENT ...                        options of prec
 */
#ifndef EVENTS_RECIPES_RECIPE_TEXT_H
#define EVENTS_RECIPES_RECIPE_TEXT_H

#include "base/bytes.h"
#include "base/err.h"
#include "events/recipes/recipes.h"

/*
 * Adds the recipes of a text. file: its name, for messages, copied; NULL: it is plat's own, which
 * may hold names of analyses that have options of their own. PERR_FORMAT with file and line;
 * recipes in front of the mistake have been added.
 */
int recipe_text_parse(struct recipes *r, const char *file, struct span text,
		      struct perr *e) MUST_CHECK;

#endif
