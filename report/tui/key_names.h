/* SPDX-License-Identifier: MIT */
/* Names of keys: in help, in the last line of the screen, and in prep --keys. */
#ifndef REPORT_TUI_KEY_NAMES_H
#define REPORT_TUI_KEY_NAMES_H

#include "base/err.h"
#include "base/out.h"

/* Appends a key's name: "Down", "^F", "F1", "a". */
void key_name_put(int key, struct out *o);

/*
 * Reads names of keys that blanks separate: "Down Enter / m a i n Enter ^F". A word that is no name
 * stands for its characters, one key each. The caller frees *ret. PERR_USAGE for a "^" without a
 * letter.
 */
int key_names_parse(const char *text, int **ret, size_t *ret_nr, struct perr *e) MUST_CHECK;

#endif
