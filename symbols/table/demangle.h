/* SPDX-License-Identifier: MIT */
/* Demangles symbol names of Rust (v0 and legacy), C++, D, OCaml and Java. */
#ifndef SYMBOLS_TABLE_DEMANGLE_H
#define SYMBOLS_TABLE_DEMANGLE_H

#include "base/text_format.h"

/*
 * Returns the source-level name of a symbol in malloc'd memory, which the caller frees; NULL if the
 * name is not mangled. format: with perf 7.2, C++ names have parameters, return types and suffixes
 * such as ".cold"; with perf 6.1, C++ and Rust names have none of them and D is not demangled.
 */
char *demangle(const char *name, enum text_format format);

#endif
