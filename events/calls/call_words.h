/* SPDX-License-Identifier: MIT */
/* The words that stand for values of arguments: O_CREAT, PROT_READ, SIGINT. The values are those of
 * Linux on x86_64. */
#ifndef EVENTS_CALLS_CALL_WORDS_H
#define EVENTS_CALLS_CALL_WORDS_H

#include "base/bytes.h"
#include "base/out.h"

struct call_words;

/* The words of this name; NULL: there are none. */
const struct call_words *call_words_find(struct span name);

/*
 * Writes the words of a value, joined by |, what has no word as a number. with_prefix: O_CREAT, as
 * in the C library; else CREAT, as perf trace writes it. Nothing of a value 0 that has no word.
 */
void call_words_put(const struct call_words *w, u64 value, bool with_prefix, struct out *o);

/* Whether these are the words of this name; w may be NULL. */
bool call_words_are(const struct call_words *w, const char *name);

/* The name of the kernel's enum that has these words, for values that are newer than them; NULL:
 * there is none. */
const char *call_words_enum(const struct call_words *w);

/* Whether one of the choices of w is this value. */
bool call_words_has(const struct call_words *w, u64 choice);

#endif
