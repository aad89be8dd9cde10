/* SPDX-License-Identifier: MIT */
/* Puts advice into the texts of errors and warnings. */
#ifndef BASE_ADVICE_ADVICE_ERROR_H
#define BASE_ADVICE_ADVICE_ERROR_H

#include "base/advice/advice.h"
#include "base/err.h"

/* Appends advice_text() to the text of e, as a line of its own that begins with two blanks. e may
 * be NULL. */
void perr_add_advice(struct perr *e, enum advice_id id, const struct advice_fact *facts);

/* The same with one fact, a text (NULL: not known) or a number. */
void perr_add_advice_of(struct perr *e, enum advice_id id, const char *name, const char *value);
void perr_add_advice_number(struct perr *e, enum advice_id id, const char *name, s64 value);

/* advice_text() with a number as its one fact. Malloc'd. */
char *advice_text_number(enum advice_id id, const char *name, s64 value);

#endif
