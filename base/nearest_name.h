/* SPDX-License-Identifier: MIT */
/* Finds the known names that are most similar to an unknown one, for hints in error messages. */
#ifndef BASE_NEAREST_NAME_H
#define BASE_NEAREST_NAME_H

#include "base/types.h"

#define NEAREST_MAX 5
#define NEAREST_NAME_LEN 128 /* of longer names only the first 127 bytes are compared */

struct nearest_name {
	char wanted[NEAREST_NAME_LEN];
	struct {
		char name[NEAREST_NAME_LEN];
		unsigned int distance;
	} best[NEAREST_MAX];
	size_t nr;
};

/* Starts a search for names similar to the `len` bytes at `wanted`, which are copied. */
void nearest_init(struct nearest_name *n, const char *wanted, size_t len);

/*
 * Compares a known name with the wanted one and keeps it if it is among the NEAREST_MAX most
 * similar. Names are similar if at most a third of their letters differ (edit_distance()) or one
 * contains the other. Case is ignored.
 */
void nearest_offer(struct nearest_name *n, const char *name);

/* Writes the names kept as "a, b, c" to ret, most similar first, and returns how many were written.
 * With no similar name ret is "". */
size_t nearest_text(const struct nearest_name *n, char *ret, size_t size);

/* Writes " (nearest: a, b, c)" to ret, for the end of an error message; "" with no similar name. */
void nearest_hint(const struct nearest_name *n, char *ret, size_t size);

/*
 * Returns the number of edits that turn text a into b: inserting, deleting or replacing a letter,
 * or swapping two neighbours. Case is ignored. Above `limit` it stops and returns limit + 1.
 */
unsigned int edit_distance(const char *a, const char *b, unsigned int limit);

#endif
