/* SPDX-License-Identifier: MIT */
#include "tests/unwind/unwind_world.h"

#include <elf.h>

#include "base/mem.h"

static bool find(const struct unwind_space *space, u64 ip, struct unwind_place *ret)
{
	const struct world *w = space->maps;

	*ret = (struct unwind_place){ 0 };
	if (ip >= AT(0) && ip < AT(CFI_TEXT_SIZE)) {
		*ret = (struct unwind_place){ w->module, AT(0), AT(CFI_TEXT_SIZE), BIAS, false };
		return true;
	}
	ret->vdso = ip >= VDSO && ip < VDSO + 0x1000;
	ret->may_have_frames = ret->vdso || (ip >= JIT && ip < JIT + 0x1000);
	return ret->may_have_frames || (ip >= MISSING && ip < MISSING + 0x1000);
}

struct world *world_new(enum unwind_arch arch, bool big)
{
	static const u8 arm_code[] = { 0x0c, 13, 0 }, aarch64_code[] = { 0x0c, 31, 0 },
			i386_code[] = { 0x0c, 4, 4, 0x88, 1 };
	struct world *w = xcalloc(1, sizeof(*w));
	struct mkcfi_cie c = mkcfi_plain_cie("zR", 0x1b);

	w->arch = arch;
	w->big = big;
	w->word = arch == UNWIND_I386 || arch == UNWIND_ARM ? 4 : 8;
	w->m = mkcfi_new(w->word == 8, big, false);
	c.data_align = -(s64)w->word;
	if (arch == UNWIND_I386) {
		c.code = i386_code;
		c.code_len = sizeof(i386_code);
		c.ra = 8;
	} else if (arch != UNWIND_X86_64) {
		c.code = arch == UNWIND_ARM ? arm_code : aarch64_code;
		c.code_len = 3;
		c.ra = arch == UNWIND_ARM ? 14 : 30;
	}
	/* The last CIE says how later functions give their addresses: both the same. */
	c.augmentation = "zRS";
	w->signal_cie = mkcfi_cie(&w->m, &c);
	c.augmentation = "zR";
	w->cie = mkcfi_cie(&w->m, &c);
	w->job.arch = arch;
	w->job.swap = big;
	w->job.regs[unwind_sp_reg(arch)] = SP;
	w->job.known = arch == UNWIND_AARCH64 ? 0xffffffff : arch == UNWIND_I386 ? 0xff : 0xffff;
	w->job.bytes = span_of(w->stack, sizeof(w->stack) / 8 * w->word);
	w->job.space = (struct unwind_space){ 1, w };
	return w;
}

void put(struct world *w, unsigned int word, u64 v)
{
	CHECK(word < WORDS);
	for (unsigned int i = 0; i < w->word; i++)
		w->stack[word * w->word + i] = (u8)(v >> 8 * (w->big ? w->word - 1u - i : i));
}

void count_said(void *ctx, const char *line)
{
	size_t *n = ctx;

	*n += strlen(line);
}

void check_same_frames(const struct unwind_frames *a, const struct unwind_frames *b)
{
	CHECK_EQ(a->nr, b->nr);
	CHECK_EQ(a->end, b->end);
	CHECK_EQ(a->guessed, b->guessed);
	CHECK_MEM(a->ips, b->ips, a->nr * sizeof(*a->ips));
	CHECK_MEM(a->sps, b->sps, a->nr * sizeof(*a->sps));
}

void open_world(struct world *w, u32 max_frames)
{
	static const u16 machines[] = { EM_X86_64, EM_386, EM_AARCH64, EM_ARM };
	struct perr e;
	size_t n;

	w->bytes = mkcfi_elf(machines[w->arch], &w->m, NULL, NULL, &n);
	CHECK(n >= CFI_TEXT + CFI_TEXT_SIZE);
	memcpy(w->bytes + CFI_TEXT, w->code, CFI_TEXT_SIZE);
	CHECK_EQ(object_open_mem("test", w->bytes, n, &w->o, &e), 0);
	w->module = unwind_module_new(w->o, NULL);
	w->cfg = (struct unwinder_config){ .find = find, .max_frames = max_frames };
	w->u = unwinder_new(&w->cfg);
}

/* The stack by all three ways; their result is in w->f. */
void unwind(struct world *w)
{
	struct unwind_frames four[4] = { 0 }, told = { 0 };
	struct unwind_frames *rets[4] = { &four[0], &four[1], &four[2], &four[3] };
	const struct unwind_job *jobs[4] = { &w->job, &w->job, &w->job, &w->job };
	size_t said = 0;

	if (!w->u)
		open_world(w, 0);
	unwind_stack(w->u, &w->job, &w->f);
	unwind_four(w->u, jobs, rets, 4);
	for (int i = 0; i < 4; i++)
		check_same_frames(&w->f, &four[i]);
	unwind_four(w->u, jobs, rets, 1);
	check_same_frames(&w->f, &four[0]);
	unwind_explain(w->u, &w->job, &told, count_said, &said);
	check_same_frames(&w->f, &told);
	CHECK(said);
	for (int i = 0; i < 4; i++)
		unwind_frames_fini(&four[i]);
	unwind_frames_fini(&told);
}

void world_free(struct world *w)
{
	unwind_frames_fini(&w->f);
	unwinder_free(w->u);
	unwind_module_free(w->module);
	object_close(w->o);
	free(w->bytes);
	free(w);
}

void check_ips(const struct world *w, const u64 *ips, size_t n, enum unwind_end end)
{
	for (size_t i = 0; i < n && i < w->f.nr; i++)
		CHECK_EQ(w->f.ips[i], ips[i]);
	CHECK_EQ(w->f.nr, n);
	CHECK_STR(unwind_end_text(w->f.end), unwind_end_text(end));
}

void usual_functions(struct world *w)
{
	FN(w, F, 32, DW_CFA_nop);
	FN(w, G, 32, DW_CFA_def_cfa, 6, 16, DW_CFA_offset | 6, 2);
	FN(w, START, 32, DW_CFA_undefined, 16);
}
