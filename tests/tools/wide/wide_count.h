/* SPDX-License-Identifier: MIT */
/*
 * What the commands must print of a made-up machine's samples, added up in the plainest way: lists
 * of what each sample counts for, which are sorted. It uses neither the recording nor any of the
 * code that counts.
 */
#ifndef TESTS_TOOLS_WIDE_WIDE_COUNT_H
#define TESTS_TOOLS_WIDE_WIDE_COUNT_H

#include <stdio.h>

#include "tests/tools/wide/wide_world.h"

/*
 * "EVENT|CHILDREN%|SAMPLES|PERIOD|COMM|OBJECT|SYMBOL" of each row that `prep -s comm,dso,sym` has,
 * in any order; without callers only the rows where samples are, without CHILDREN%.
 */
void wide_count_table(const struct wide_world *w, bool callers, FILE *to);
/*
 * What `pscript -F comm,tid,cpu,time,period,event,ip,sym` prints, with one blank wherever that has
 * several.
 */
void wide_count_samples(const struct wide_world *w, FILE *to);
/* "COMM;OUTER;...;INNER PERIOD" of an event, in the order of their bytes. */
void wide_count_folded(const struct wide_world *w, u32 event, FILE *to);

#endif
