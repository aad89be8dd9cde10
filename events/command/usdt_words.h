/* SPDX-License-Identifier: MIT */
/* Static probes on the command line of plat usdt: FILE:PROVIDER:NAME. */
#ifndef EVENTS_COMMAND_USDT_WORDS_H
#define EVENTS_COMMAND_USDT_WORDS_H

#include <stddef.h>

#include "base/types.h"

struct usdt_words {
	bool asked;   /* the word usdt was there */
	char **names; /* "sdt_PROVIDER:NAME", as prec calls the events */
	size_t nr, cap;
	char **words; /* of prec: "-e", "usdt:FILE:PROVIDER:NAME" */
	size_t nr_words, cap_words;
};

/*
 * Takes the probes behind the word usdt at argv[1] and removes them and that word from the *nr
 * arguments. Returns false if that word is not there.
 */
bool usdt_words_take(struct usdt_words *u, int *nr, char **argv);
void usdt_words_fini(struct usdt_words *u);

#endif
