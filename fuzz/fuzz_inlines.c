/* SPDX-License-Identifier: MIT */
/*
 * The DWARF of an ELF file: source lines and inline frames at addresses spread over the segments
 * that hold code. Input: the file.
 */
#include <stdlib.h>

#include "symbols/dwarf/debuginfo.h"
#include "symbols/dwarf/inlines.h"
#include "symbols/dwarf/lines.h"

#define INPUT_MAX (256u << 10)
#define MAX_SEARCHES 512

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void search(struct debuginfo *d, const struct object *o)
{
	struct lines *l = lines_new(d);
	struct inlines *in = inlines_new(d, &(struct name_style){ .demangle = true });
	const struct inline_frame *frames;
	const char *file;
	u64 step, vaddr;
	size_t i, k;
	u32 line;

	for (i = 0; i < o->nr_loads && i < 4; i++) {
		step = o->loads[i].memsz / MAX_SEARCHES + 1;
		vaddr = o->loads[i].vaddr;
		for (k = 0; k < MAX_SEARCHES; k++, vaddr += step) {
			(void)inlines_find(in, vaddr, NULL, INLINES_LINES, &frames);
			(void)lines_find(l, vaddr, &file, &line);
		}
	}
	inlines_free(in);
	lines_free(l);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const struct symbols_config hermetic = { .hermetic = true, .buildid_dir = "" };
	struct debuginfo *d;
	struct object *o;

	if (size > INPUT_MAX || object_open_mem("fuzz", data, size, &o, NULL))
		return 0;
	if (!debuginfo_open(&hermetic, o, NULL, &d, NULL)) {
		search(d, o);
		debuginfo_close(d);
	}
	object_close(o);
	return 0;
}
