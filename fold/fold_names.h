/* SPDX-License-Identifier: MIT */
/*
 * How functions are named in collapsed stacks. Names are made before stacks are counted, so frames
 * that are named alike are one frame.
 */
#ifndef FOLD_FOLD_NAMES_H
#define FOLD_FOLD_NAMES_H

#include "base/out.h"
#include "session/frames.h"

enum fold_names {
	FOLD_NAMES_NOARGS, /* parameter lists left out, as the collapsing scripts do */
	FOLD_NAMES_FULL,   /* as perf script prints them */
	FOLD_NAMES_SHORT,  /* as noargs, template arguments and what compilers add left out, too */
	FOLD_NAMES_RAW,    /* as the symbol table has them; the session must not demangle either */
};

struct fold_name_config {
	enum fold_names names;
	bool mark_kernel; /* _[k] behind functions of the kernel */
	bool mark_jit;    /* _[j] behind those of JIT maps */
	bool inlines;     /* a frame is the functions inlined at its place, too */
};

/*
 * Appends a function's name as `names` wants it. Never nothing: a name that would be empty stays
 * whole.
 *
 * noargs: `a::f<int>(int) const` is `a::f<int>`; left alone are parentheses within <>, {} and [],
 * `(anonymous namespace)` and Go's `.(*T)`; Rust's hash goes (`::h0123456789abcdef`), and of Java's
 * `Lcom/x/C;::f` what makes it a descriptor (`com/x/C:::f`).
 *
 * short: `std::map<int, X>::at(int const&) [clone .cold]` is `std::map<...>::at`,
 * `f(int)::{lambda(char)#1}::operator()(char) const` is `f::{lambda#1}::operator()`. Gone are also
 * `.cold`, `.part.0`, `.isra.0`, `.constprop.0`, `.llvm.123` and the like, `[abi:cxx11]`, and the
 * result types of C++ templates.
 */
void fold_name_put(struct out *o, const char *name, size_t n, enum fold_names names);

/*
 * Appends what a frame is in a line of collapsed stacks, escaped: the function, or the object in
 * brackets where no function is known ("[libc.so.6]", "[unknown]"), and the marks. JIT maps tell
 * functions inlined into each other as "outer->inner": each of them is a name of its own, the inner
 * ones with _[i], with ';' between them.
 */
void fold_name_frame(struct out *o, const struct frame *fr, const struct fold_name_config *cfg);

/* The same for the functions inlined at the frame's place: appends ";a;b". False when none are. */
bool fold_name_inlined(struct out *o, const struct frame *fr, const struct fold_name_config *cfg);

#endif
