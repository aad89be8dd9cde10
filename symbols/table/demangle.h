/* SPDX-License-Identifier: MIT */
/* Demangles symbol names of Rust (v0 and legacy), C++, D, OCaml and Java. */
#ifndef SYMBOLS_TABLE_DEMANGLE_H
#define SYMBOLS_TABLE_DEMANGLE_H

#include "base/out.h"
#include "base/text_format.h"

/*
 * Returns the source-level name of a symbol in malloc'd memory, which the caller frees; NULL if the
 * name is not mangled. format: with perf 7.2, C++ names have parameters, return types and suffixes
 * such as ".cold"; with perf 6.1, C++ and Rust names have none of them and D is not demangled.
 */
char *demangle(const char *name, enum text_format format);

/*
 * Appends the name of a function as a command shows it, for example without template arguments.
 * Threads call it at the same time.
 */
typedef void name_form_fn(struct out *o, const char *name, size_t n);

/* How the names in a file become the names that are shown. */
struct name_style {
	bool demangle;
	enum text_format format; /* as for demangle() */
	name_form_fn *form;      /* NULL: the whole name */
};

/* Returns a name as it is shown, in malloc'd memory, which the caller frees; NULL: unchanged. */
char *name_style_apply(const struct name_style *style, const char *name);

#endif
