/* SPDX-License-Identifier: MIT */
/* Folded text as an input of pfold, in place of a recording. */
#ifndef FOLD_FOLD_TEXT_H
#define FOLD_FOLD_TEXT_H

#include <stdio.h>

#include "base/diag.h"
#include "fold/folded.h"
#include "picture/folded_text.h"

/*
 * Opens an input, a path or "-" for standard input, if it is folded text by its first bytes.
 * Otherwise NULL, and nothing of standard input has been read.
 */
FILE *fold_text_open(const char *path);

/* Adds the lines of t->side to f and closes the file. Errors: those of folded_text_read. */
int fold_text_read(struct folded *f, struct folded_text *t, FILE *file, struct diag *diag,
		   struct perr *e) MUST_CHECK;

#endif
