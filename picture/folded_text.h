/* SPDX-License-Identifier: MIT */
/*
 * Folded text: lines "frame;frame;frame COUNT", as pfold and other tools write them. With two
 * counts on each line it compares two recordings, as that of pfold --diff and difffolded.pl.
 */
#ifndef PICTURE_FOLDED_TEXT_H
#define PICTURE_FOLDED_TEXT_H

#include <stdio.h>

#include "base/err.h"
#include "picture/flame.h"
#include "picture/fold_tree.h"

/* Longest line that is read, in bytes. */
#define FOLDED_TEXT_LINE (16u << 20)

/* What a text is read into; the caller sets the members that are not results. */
struct folded_text {
	struct fold_tree *tree;
	unsigned int side; /* of the tree, for texts with one count on a line */
	/* Not NULL: a tree in the order of the lines, from flame_init. Its names are ids of
	 * tree->names; a name of the kind FLAME_GAP stands for a stack's own weight. */
	struct flame *chart;

	/* results */
	bool two_counts;            /* decided by the first line */
	u64 totals[FOLD_SIDES];     /* by side of the tree */
	u64 nr_lines, nr_fractions; /* counts with a fraction, which were rounded */
};

/*
 * Reads all lines of file. Empty lines are skipped. PERR_FORMAT for a line without a count, with
 * its number, PERR_LIMIT for a line that is too long, PERR_IO. Lines before the fault have been
 * added.
 */
int folded_text_read(struct folded_text *t, FILE *file, struct perr *e) MUST_CHECK;

/* Whether the first bytes of a file can be those of folded text: no NUL, no control first. */
bool folded_text_begins(const void *bytes, size_t n);

/*
 * Adds the names of a tree of folded lines to f, which has been initialised: as they were before
 * fold_escape, and without the suffixes _[k], _[i], _[j] and _[w], which give their kinds. The id
 * of each name is its id in `names`.
 */
void folded_names(struct flame *f, const struct intern *names);

/* A stretch of time in which one line's stack ran. */
struct folded_stretch {
	u32 node; /* of the tree: where the line ends */
	u64 weight;
};

/*
 * Makes *ret, a finished tree which the caller frees, of stretches in the order in which they lie
 * beside each other. Stacks are merged only with their neighbours. Adds a name to t.
 */
void flame_of_stretches(struct fold_tree *t, const struct folded_stretch *stretches, size_t nr,
			struct flame *ret);

/* Makes *ret, a finished tree which the caller frees, of folded lines. */
void flame_of_folded(const struct fold_tree *t, unsigned int nr_sides, enum flame_order order,
		     struct flame *ret);

#endif
