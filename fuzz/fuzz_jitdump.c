/* SPDX-License-Identifier: MIT */
/* The whole input is a jitdump file. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/jit/jit_code.h"
#include "symbols/jit/jitdump_tail.h"

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

/* As a dump that is read when half of it and when all of it is written. */
static void read_tail(const u8 *data, size_t size)
{
	int fd = memfd_create("dump", 0);
	u32 pid = size >= 24 ? get_u32(data + 20, get_u32(data, false) != 0x4A695444) : 0;
	struct jitdump_tail *t = jitdump_tail_new(fd, pid);
	struct jitdump *d;

	if (write(fd, data, size / 2) == (ssize_t)(size / 2))
		jitdump_tail_read(t, 1 << 16);
	if (write(fd, data + size / 2, size - size / 2) == (ssize_t)(size - size / 2))
		jitdump_tail_read(t, 1 << 16);
	d = jitdump_tail_copy(t);
	jit_code_free(jit_code_new(&d, 1, true));
	jitdump_copy_free(d);
	jitdump_tail_free(t);
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
	read_tail(data, size);
	return 0;
}
