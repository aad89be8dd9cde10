/* SPDX-License-Identifier: MIT */
/*
 * A stack over the call frame information of an ELF file that is mapped at its own addresses.
 * Input: u8 architecture, bit 2: the stack has the other byte order, bit 3: code outside of the
 * file may have frames, bit 4: the file's code was made at run time; u8 words of stack; u32
 * registers that are known; pc and 32 registers of 8 bytes each; the stack; the file. All ways
 * through it must give the same frames.
 */
#include "tests/frame/use_unwind.h"
#include "unwind/unwind_module.h"

#define INPUT_MAX (256u << 10)

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct world {
	struct unwind_module *module;
	const struct object *o;
	bool may_have_frames;
};

static bool find(const struct unwind_space *space, u64 ip, struct unwind_place *ret)
{
	const struct world *w = space->maps;

	*ret = (struct unwind_place){ .start = 0, .end = UINT64_MAX };
	if (object_load_at(w->o, ip))
		ret->module = w->module;
	else
		ret->may_have_frames = w->may_have_frames && ip < 1u << 20;
	return ret->module || ret->may_have_frames || ip % 16 == 3;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct unwinder_config cfg = { .find = find, .max_frames = 200 };
	struct cursor c = cursor_of(span_of(data, size), false);
	struct unwind_frames f[USE_UNWIND_WAYS] = { 0 };
	struct unwind_job job = { 0 };
	struct world w = { 0 };
	struct object *o = NULL;
	struct unwinder *u;
	size_t words;
	u8 options = cur_u8(&c);

	if (size > INPUT_MAX)
		return 0;
	words = cur_u8(&c);
	job.known = cur_u32(&c);
	job.pc = cur_u64(&c);
	for (int i = 0; i < 32; i++)
		job.regs[i] = cur_u64(&c);
	job.bytes = cur_bytes(&c, words * 8);
	if (c.bad || object_open_mem("fuzz", c.p, cur_left(&c), &o, NULL))
		return 0;
	job.arch = (enum unwind_arch)(options & 3);
	job.swap = options & 4;
	w.may_have_frames = options & 8;
	w.o = o;
	w.module = unwind_module_new(o, o);
	if (options & 16 && o->nr_loads)
		unwind_module_set_made(w.module);
	job.space = (struct unwind_space){ 1, &w };
	u = unwinder_new(&cfg);
	use_unwind(u, &job, f);
	for (int i = 0; i < USE_UNWIND_WAYS; i++)
		unwind_frames_fini(&f[i]);
	unwinder_free(u);
	unwind_module_free(w.module);
	object_close(o);
	return 0;
}
