/* SPDX-License-Identifier: MIT */
/* The JIT code of one process as an object: what symbols.h asks of objects, from jitdumps. */
#ifndef SYMBOLS_JIT_JIT_OBJECT_H
#define SYMBOLS_JIT_JIT_OBJECT_H

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/jit/jit_code.h"
#include "symbols/table/dso_desc.h"

struct jit_object {
	const struct jit_code *code; /* NULL: the object is none of these */
	struct idmap by_func;        /* -> index in names */
	const char **names;          /* as they are printed */
	size_t nr, cap;
	struct arena strings;
};

void jit_object_fini(struct jit_object *o);

/* moment: as in jit_code.h. One caller at a time. */
bool jit_object_find(struct jit_object *o, const struct symbols_config *cfg, u64 ip, u64 moment,
		     struct sym_hit *ret);

/* What follows reads only. */
bool jit_object_find_line(const struct jit_object *o, u64 ip, u64 moment, struct line_hit *ret);
size_t jit_object_read_code(const struct jit_object *o, u64 ip, u64 moment, void *buf, size_t n,
			    bool *ret_is_64);

#endif
