/* SPDX-License-Identifier: MIT */
/*
 * What a user calls a function against what the linker calls it: C++, Rust and Go names, with or
 * without parameters, and globs.
 *
 * Readable names are compared in a form of their own ("spaceless"): spaces between two words are
 * '_', others are left out, so that "f(char const *, int)" and "f(char const*,int)" are one name
 * and an event can be named so.
 */
#ifndef RECORD_PROBE_FUNCTION_PATTERN_H
#define RECORD_PROBE_FUNCTION_PATTERN_H

#include "base/types.h"

enum function_fit {
	FIT_NONE,
	FIT_CLONE, /* a part or special copy that the compiler made of what is meant: f.part.0 */
	FIT_NAME,  /* the readable name, or the glob */
	FIT_EXACT, /* the linker's name, to the letter */
};

struct function_pattern {
	char *text;      /* as given */
	char *spaceless; /* of text */
	char *inner;     /* of "<a::T>::f" as Rust v0 has it: "a::T::f"; else NULL */
	char *word;      /* in every name that fits; "" when there is none */
	bool is_glob;    /* what is not matched letter by letter */
};

/* is_glob false: * ? [ are letters, as in "main.(*T).f" and "operator*". */
void function_pattern_init(struct function_pattern *p, const char *text, bool is_glob);
void function_pattern_fini(struct function_pattern *p);

/* Costs next to nothing: whether name is the pattern to the letter, up to its symbol version. */
bool function_pattern_is(const struct function_pattern *p, const char *linker_name);

/* Demangles where needed. */
enum function_fit function_pattern_fit(const struct function_pattern *p, const char *linker_name);

/*
 * malloc'd name for people, spaceless and printable: with parameters, without return type. The
 * linker's own where it is not mangled. Cut to a sane length.
 */
char *function_readable(const char *linker_name);

/* As function_readable without parameters: what a user would type. */
char *function_short(const char *linker_name);

/* The rarely run part of a function that was moved elsewhere: jumped to, never called. */
bool function_is_cold_part(const char *linker_name);

#endif
