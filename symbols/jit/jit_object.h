/* SPDX-License-Identifier: MIT */
/* Lookups in the JIT code of one process that has jitdumps, for the functions of symbols.h. */
#ifndef SYMBOLS_JIT_JIT_OBJECT_H
#define SYMBOLS_JIT_JIT_OBJECT_H

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/jit/jit_code.h"
#include "symbols/table/dso_desc.h"

struct jit_object {
	const struct jit_code *code; /* NULL: the object has no jitdumps */
	struct idmap by_func;        /* key: the function; value: its index in names */
	const char **names;          /* demangled names, stored at their first lookup */
	size_t nr, cap;
	struct arena strings;
};

void jit_object_fini(struct jit_object *o);

/* Finds the function at ip at this moment (symbols/jit/jit_code.h). Returns false if there was
 * none. One thread at a time may call it, because it stores names. */
bool jit_object_find(struct jit_object *o, const struct symbols_config *cfg, u64 ip, u64 moment,
		     struct sym_hit *ret);

/* Finds the source line at ip at this moment, false if it is unknown. Any thread may call it. */
bool jit_object_find_line(const struct jit_object *o, u64 ip, u64 moment, struct line_hit *ret);
/* Copies up to n bytes of the code at ip at this moment to buf and returns how many. *ret_is_64: it
 * is 64-bit code. Any thread may call it. */
size_t jit_object_read_code(const struct jit_object *o, u64 ip, u64 moment, void *buf, size_t n,
			    bool *ret_is_64);

#endif
