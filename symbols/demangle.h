/* SPDX-License-Identifier: MIT */
/* Demangling: Rust (v0 and legacy), C++, D, OCaml, Java; Go and C names are as they are. */
#ifndef SYMBOLS_DEMANGLE_H
#define SYMBOLS_DEMANGLE_H

/*
 * Readable form of a linker name, malloc'd and the caller's; NULL when the name is not mangled.
 * C++ parameters are shown, as perf 7.2 does; no_params leaves the outer ones out (as perf 6.1).
 */
char *demangle(const char *name, int no_params);

#endif
