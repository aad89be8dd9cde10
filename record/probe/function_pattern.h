/* SPDX-License-Identifier: MIT */
/*
 * Matches the name that a user gives for a function against the names in symbol tables: C++, Rust
 * and Go names, with or without parameters, and globs.
 *
 * Readable names are compared in "spaceless" form: a space between two words becomes '_' and other
 * spaces are removed, so that "f(char const *, int)" and "f(char const*,int)" are equal. Event
 * names have this form as well.
 */
#ifndef RECORD_PROBE_FUNCTION_PATTERN_H
#define RECORD_PROBE_FUNCTION_PATTERN_H

#include "base/types.h"

enum function_fit {
	FIT_NONE,
	/* a part or specialised copy of the function, made by the compiler: f.part.0 */
	FIT_CLONE,
	FIT_NAME,  /* the readable name or the glob matches */
	FIT_EXACT, /* equal to the name in the symbol table */
};

struct function_pattern {
	char *text;      /* as given by the user */
	char *spaceless; /* spaceless form of text */
	/* "a::T::f" for text "<a::T>::f", as Rust's v0 names have it; else NULL */
	char *inner;
	char *word;   /* a word that every matching name contains; "": none */
	bool is_glob; /* text is a glob */
};

/*
 * Prepares a pattern; free it with function_pattern_fini. If is_glob is false, * ? [ have no
 * special meaning, as in "main.(*T).f" and "operator*".
 */
void function_pattern_init(struct function_pattern *p, const char *text, bool is_glob);
void function_pattern_fini(struct function_pattern *p);

/*
 * Returns true if linker_name equals the pattern's text except for a symbol version. Cheap: does
 * not demangle.
 */
bool function_pattern_is(const struct function_pattern *p, const char *linker_name);

/*
 * Returns how linker_name, a name in a symbol table, matches the pattern. Demangles it if needed.
 */
enum function_fit function_pattern_fit(const struct function_pattern *p, const char *linker_name);

/*
 * Returns a readable name, malloc'd, spaceless and printable: demangled if it is mangled, with
 * parameters but without the return type, of at most 256 bytes.
 */
char *function_readable(const char *linker_name);

/* As function_readable, without parameters: what a user would type. */
char *function_short(const char *linker_name);

/*
 * Returns true for the name of a rarely executed part of a function that the compiler has moved
 * elsewhere (".cold"). Such parts are jumped to and never called.
 */
bool function_is_cold_part(const char *linker_name);

#endif
