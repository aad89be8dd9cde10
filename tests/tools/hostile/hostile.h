/* SPDX-License-Identifier: MIT */
/* The strings of hostile_recording, and the object that its recording names. */
#ifndef TESTS_TOOLS_HOSTILE_HOSTILE_H
#define TESTS_TOOLS_HOSTILE_HOSTILE_H

#include <stdbool.h>
#include <stddef.h>

/* a colour; the window's title; C1's CSI as UTF-8; direction of writing; bytes that are no UTF-8 */
#define HOSTILE_WORD \
	"A\033[31mRED\033]0;TITLE\007\302\23331m\342\200\256BIDI\342\201\246\377\233\200"
/* ... and what breaks lines */
#define HOSTILE HOSTILE_WORD "\nNEWLINE\tTAB\rRETURN\033[2J\033[H"

#define OBJECT "/object " HOSTILE
#define SOURCE_DIR "source folder " HOSTILE
#define SOURCE "source " HOSTILE ".c"

bool write_file(const char *dir, const char *name, const void *p, size_t n);
/*
 * Writes DIR/OBJECT: code at 0x1000, with a function that is called HOSTILE, another of long_name,
 * and DWARF that names SOURCE_DIR/SOURCE.
 */
bool write_object(const char *dir, const char *long_name);
/* Writes that source file below DIR. */
bool write_source(const char *dir);

#endif
