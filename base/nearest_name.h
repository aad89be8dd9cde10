/* SPDX-License-Identifier: MIT */
/* The names that look most like one that was not found, for "did you mean". */
#ifndef BASE_NEAREST_NAME_H
#define BASE_NEAREST_NAME_H

#include "base/types.h"

#define NEAREST_MAX 5
#define NEAREST_NAME_LEN 128 /* longer names are compared by their start */

struct nearest_name {
	char wanted[NEAREST_NAME_LEN];
	struct {
		char name[NEAREST_NAME_LEN];
		unsigned int distance;
	} best[NEAREST_MAX];
	size_t nr;
};

void nearest_init(struct nearest_name *n, const char *wanted, size_t len);

/*
 * A name that exists. It is kept when it is among the nearest and near at all: at most a third of
 * its letters differ, or one contains the other. Upper and lower case are the same.
 */
void nearest_offer(struct nearest_name *n, const char *name);

/* Writes "a, b, c", nearest first, NUL-terminated; "" when none is near. Returns how many. */
size_t nearest_text(const struct nearest_name *n, char *ret, size_t size);

/* The same for the end of a message: " (nearest: a, b, c)", or "". */
void nearest_hint(const struct nearest_name *n, char *ret, size_t size);

/*
 * Letters to insert, remove, exchange, or swap with their neighbour, to make b of a; stops above
 * `limit` and returns limit + 1 then.
 */
unsigned int edit_distance(const char *a, const char *b, unsigned int limit);

#endif
