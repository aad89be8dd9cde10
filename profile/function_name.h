/* SPDX-License-Identifier: MIT */
/* How much of a function's name is written. */
#ifndef PROFILE_FUNCTION_NAME_H
#define PROFILE_FUNCTION_NAME_H

#include "base/err.h"
#include "base/out.h"
#include "symbols/table/demangle.h"

enum function_names {
	FUNCTION_NAMES_NOARGS, /* without parameter lists, as flame graph scripts write them */
	FUNCTION_NAMES_FULL,   /* as perf script prints them */
	FUNCTION_NAMES_SHORT,  /* as noargs, and without template arguments and compilers' suffixes
				*/
	FUNCTION_NAMES_RAW,    /* as in the symbol table; the session must not demangle either */
};

/*
 * Appends a function's name. If nothing would be left of a name, it is written whole.
 *
 * noargs: `a::f<int>(int) const` becomes `a::f<int>`. Parentheses within <>, {} and [],
 * `(anonymous namespace)` and Go's `.(*T)` stay. Rust's hash (`::h0123456789abcdef`) is removed,
 * and Java's `Lcom/x/C;::f` becomes `com/x/C:::f`.
 *
 * short: `std::map<int, X>::at(int const&) [clone .cold]` becomes `std::map<...>::at`, and
 * `f(int)::{lambda(char)#1}::operator()(char) const` becomes `f::{lambda#1}::operator()`. Suffixes
 * such as `.cold`, `.part.0`, `.isra.0`, `.constprop.0` and `.llvm.123`, `[abi:cxx11]`, and the
 * result types of C++ templates are removed.
 */
void function_name_put(struct out *o, const char *name, size_t n, enum function_names names);

/*
 * The same for the names that a session looks up: the value of symbols_config.name_form. NULL for
 * full and raw.
 */
name_form_fn *function_name_form(enum function_names names);

/* Parses the value of --names; NULL is noargs. For an OPT_PARSE row of an enum function_names. */
int function_names_parse(void *names, const char *arg, struct perr *e);
/* The same, but NULL is full: for the commands that print perf's names by default. */
int function_names_parse_full(void *names, const char *arg, struct perr *e);

/*
 * Appends a text that holds a function's name in so many columns. What is left out first are
 * template arguments (`std::map<...>::at`), the longest first, then parameters, then the result
 * type, then the brackets, then the middle. "[k] " before the name and " (inlined)" after it stay.
 * The text is escaped already; the mark is that of base/screen/fit.h.
 */
void function_name_fit(struct out *o, const char *s, size_t n, size_t columns);

/*
 * True when function_name_put would append the first *ret bytes of name as they are, so that the
 * caller can use these. False: it may write something else.
 */
bool function_name_prefix(const char *name, size_t n, enum function_names names, size_t *ret);

#endif
