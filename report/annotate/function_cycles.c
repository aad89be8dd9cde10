/* SPDX-License-Identifier: MIT */
#include "report/annotate/function_cycles.h"

#include "report/annotate/branch_cycles.h"
#include "report/annotate/code_lines.h"
#include "session/frames.h"

/* The figures of one function; those of a frame, if its function was looked at. */
static void read_function(struct function_cycles *f, u32 frame, struct branch_cycles *b,
			  const struct annot_func *func, const struct annot_code_config *cfg)
{
	struct annot_code code;
	struct code_cycles cycles;
	struct perr ignored;

	if (!annot_code_read(&code, func, cfg, &ignored) && code_cycles_init(&cycles, b, &code)) {
		f->ipc[frame] = cycles.ipc;
		f->coverage[frame] = cycles.with_ipc;
		code_cycles_fini(&cycles);
	}
	annot_code_fini(&code);
}

/* seen: (object, start of a function) -> the first frame in it. */
static void fill_frame(struct function_cycles *f, u32 frame, struct branch_cycles *b,
		       const struct frame *fr, const struct annot_code_config *cfg,
		       struct idmap *seen)
{
	const struct annot_samples none = { 0 };
	struct annot_sum no_sums = { 0 };
	struct annot_func func;
	u32 first;

	if (!fr->map || !fr->has_sym || !annot_func_at(&none, fr->map, fr->ip, &no_sums, &func))
		return;
	first = idmap_get(seen, (u64)(uintptr_t)fr->map->dso, func.start);
	if (first != IDMAP_NONE) {
		f->ipc[frame] = f->ipc[first];
		f->coverage[frame] = f->coverage[first];
		return;
	}
	idmap_put(seen, (u64)(uintptr_t)fr->map->dso, func.start, frame);
	read_function(f, frame, b, &func, cfg);
}

void function_cycles_init(struct function_cycles *ret, struct session *s, const struct counts *c,
			  const struct filter *filter, const struct annot_code_config *cfg)
{
	size_t nr = counts_nr_frames(c);
	struct branch_cycles *b = branch_cycles_new(s, filter);
	bool *done;
	struct idmap seen = { 0 };

	*ret = (struct function_cycles){ 0 };
	if (!b)
		return;
	ret->ipc = xcalloc(nr + 1, sizeof(*ret->ipc));
	ret->coverage = xcalloc(nr + 1, sizeof(*ret->coverage));
	done = xcalloc(nr + 1, sizeof(*done));
	for (size_t i = 0; i < c->nr_rows; i++) {
		u32 frame = (u32)count_value(&c->rows[i], COUNT_BRANCH_TO);

		if (frame < nr && !done[frame])
			fill_frame(ret, frame, b, counts_frame(c, frame), cfg, &seen);
		if (frame < nr)
			done[frame] = true;
	}
	free(done);
	idmap_fini(&seen);
	branch_cycles_free(b);
}

void function_cycles_fini(struct function_cycles *f)
{
	free(f->ipc);
	free(f->coverage);
}
