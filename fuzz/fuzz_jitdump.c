/* SPDX-License-Identifier: MIT */
/* The whole input is a jitdump file. */
#include <stdlib.h>
#include <string.h>

#include "symbols/jit/jit_code.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void look_at(const struct jit_code *c, const struct jitdump_func *f, u64 moment)
{
	const struct jitdump *d;
	const struct jitdump_func *at = jit_code_find(c, f->start, moment, &d);
	const char *file;
	u32 line;

	if (!at)
		return;
	if (f->start - at->start >= at->size || strlen(at->name) > d->file.n)
		__builtin_trap();
	if (jitdump_find_line(d, at, f->start, &file, &line) && strlen(file) > d->file.n)
		__builtin_trap();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct jit_reuse *reuses;
	struct jitdump d, *dumps[] = { &d };
	struct jit_code *c;
	struct perr e;

	if (!jitdump_parse(span_of(data, size), &d, &e)) {
		for (int timed = 0; timed < 2; timed++) {
			c = jit_code_new(dumps, 1, timed);
			for (size_t i = 0; i < d.nr; i++) {
				look_at(c, &d.funcs[i], 0);
				look_at(c, &d.funcs[i], i);
				look_at(c, &d.funcs[i], jit_code_reuses(c, &reuses));
			}
			jit_code_free(c);
		}
	}
	jitdump_fini(&d);
	return 0;
}
