/* SPDX-License-Identifier: MIT */
/* Demangling: Rust (v0 and legacy), C++, D, OCaml, Java; Go and C names are as they are. */
#ifndef SYMBOLS_TABLE_DEMANGLE_H
#define SYMBOLS_TABLE_DEMANGLE_H

#include "base/text_format.h"

/*
 * Readable form of a linker name, malloc'd and the caller's; NULL when the name is not mangled.
 * perf 7.2 shows C++ parameters, return types and ".cold" and the like; perf 6.1 leaves them out of
 * C++ and Rust names and does not know D.
 */
char *demangle(const char *name, enum text_format format);

#endif
