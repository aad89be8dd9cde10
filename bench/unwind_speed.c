/* SPDX-License-Identifier: MIT */
/*
 * How many stacks of 25 frames one core unwinds in a second, out of 8 KiB copies that lie in
 * memory and not in a cache: 12,000 call sites in one object, half of the frames with a frame
 * pointer's slot, one in eight with a CFA from it.
 *
 *	unwind_speed [SAMPLES]	(default 24000: 200 MB)
 *
 * Prints plain and four lanes, with the least processor time of five turns.
 */
#include <stdio.h>
#include <time.h>

#include "base/mem.h"
#include "unwind/unwind.h"

#define NR_FNS 12000
#define FN_SIZE 64
#define CODE 0x100000ull
#define BIAS 0x7f0000000000ull
#define COPY 8192
#define FRAMES 25

static u64 seed = 12345;

static u32 chance(u32 n)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % n;
}

/* A function: bytes of its frame beside the return address, and how it finds its CFA. */
struct fn {
	u32 words;
	bool saves_fp, by_fp;
};

struct eh {
	u8 *p;
	size_t n, cap;
};

static void put(struct eh *e, const void *p, size_t n)
{
	vec_reserve(e->p, e->cap, e->n + n);
	memcpy(e->p + e->n, p, n);
	e->n += n;
}

static void put_u32(struct eh *e, u32 v)
{
	put(e, &v, 4);
}

static void put_uleb(struct eh *e, u32 v)
{
	do {
		u8 b = (u8)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));

		put(e, &b, 1);
		v >>= 7;
	} while (v);
}

/* Length of the entry that starts at `at`, once it is whole. */
static void end_entry(struct eh *e, size_t at)
{
	u32 n;

	while ((e->n - at) % 8 != 4)
		put(e, "", 1);
	n = (u32)(e->n - at - 4);
	memcpy(e->p + at, &n, 4);
}

static void build_eh_frame(struct eh *e, const struct fn *fns)
{
	static const u8 cie[] = { 1,    'z', 'R', 0,    1, 0x78, 16, 1, 0x04 /* udata8 */,
				  0x0c, 7,   8,   0x90, 1 };

	put_u32(e, 0);
	put_u32(e, 0);
	put(e, cie, sizeof(cie));
	end_entry(e, 0);
	for (u32 i = 0; i < NR_FNS; i++) {
		size_t at = e->n;
		u64 start = CODE + (u64)i * FN_SIZE, len = FN_SIZE;

		put_u32(e, 0);
		put_u32(e, (u32)(e->n));
		put(e, &start, 8);
		put(e, &len, 8);
		put(e, "\0\x41", 2); /* no augmentation; from byte 1 on */
		if (fns[i].by_fp) {
			put(e, "\x0c\x06\x10\x86\x02", 5);
		} else {
			put(e, "\x0e", 1);
			put_uleb(e, (fns[i].words + 1) * 8);
			if (fns[i].saves_fp)
				put(e, "\x86\x02", 2);
		}
		end_entry(e, at);
	}
	put_u32(e, 0);
}

/* Outermost function: no return address. */
static void build_stack(u8 *p, u64 base, const struct fn *fns, struct unwind_job *job)
{
	u64 at[FRAMES], sp = base, ra;
	u32 which[FRAMES];

	for (u32 i = 0; i < FRAMES; i++) {
		which[i] = chance(NR_FNS);
		sp += (u64)fns[which[i]].words * 8;
		at[i] = sp; /* of the return address */
		sp += 8;
	}
	for (u32 i = 0; i < FRAMES; i++) {
		u64 fp = base + 8; /* whoever needs it has it */

		ra = i + 1 < FRAMES ? BIAS + CODE + (u64)which[i + 1] * FN_SIZE + 20 : 0;
		memcpy(p + (at[i] - base), &ra, 8);
		for (u32 j = i + 1; j < FRAMES; j++) {
			if (fns[which[j]].by_fp) {
				fp = at[j] - 8;
				break;
			}
			if (fns[which[j]].saves_fp)
				break;
		}
		if (fns[which[i]].saves_fp)
			memcpy(p + (at[i] - 8 - base), &fp, 8);
		else if (!i)
			job->regs[6] = fp;
	}
	if (fns[which[0]].by_fp)
		job->regs[6] = at[0] - 8;
	job->pc = BIAS + CODE + (u64)which[0] * FN_SIZE + 30;
}

static bool find(const struct unwind_space *space, u64 ip, struct unwind_place *ret)
{
	*ret = (struct unwind_place){ .module = (struct unwind_module *)(uintptr_t)space->maps,
				      .start = BIAS + CODE,
				      .end = BIAS + CODE + (u64)NR_FNS * FN_SIZE,
				      .bias = BIAS };
	return ip >= ret->start && ip < ret->end;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Unwinds all jobs once, one or four at a time; returns the frames, *ret_whole the whole stacks. */
static u64 unwind_all(struct unwinder *u, const struct unwind_job *jobs, size_t nr,
		      struct unwind_frames *f, bool four, u64 *ret_whole)
{
	struct unwind_frames *rets[4] = { &f[0], &f[1], &f[2], &f[3] };
	u64 frames = 0;

	*ret_whole = 0;
	for (size_t i = 0; i < nr;) {
		const struct unwind_job *js[4];
		size_t n = four && nr - i >= 4 ? 4 : 1;

		for (size_t k = 0; k < n; k++)
			js[k] = &jobs[i + k];
		if (four)
			unwind_four(u, js, rets, n);
		else
			unwind_stack(u, js[0], rets[0]);
		for (size_t k = 0; k < n; k++) {
			frames += f[k].nr;
			*ret_whole += f[k].end == UNWIND_ROOT;
		}
		i += n;
	}
	return frames;
}

/* Prints the speed of the best of five turns. */
static void measure(struct unwinder *u, const struct unwind_job *jobs, size_t nr,
		    struct unwind_frames *f, bool four)
{
	double best = 1e9;
	u64 frames = 0, whole = 0;

	for (int turn = 0; turn < 5; turn++) {
		double from = now();

		frames = unwind_all(u, jobs, nr, f, four, &whole);
		if (now() - from < best)
			best = now() - from;
	}
	printf("%s: %.0f samples/s, %.1f frames each, %.1f%% whole, %.1f ns a frame\n",
	       four ? "four lanes" : "plain", (double)nr / best, (double)frames / (double)nr,
	       100.0 * (double)whole / (double)nr, best * 1e9 / (double)frames);
}

int main(int argc, char **argv)
{
	size_t nr = argc > 1 ? strtoul(argv[1], NULL, 0) : 24000;
	struct fn *fns = xcalloc(NR_FNS, sizeof(*fns));
	struct obj_section sections[2] = { 0 };
	struct obj_load load = { .flags = 5 };
	struct object o = { .path = (char *)"bench", .is_64 = true, .type = 3, .machine = 62 };
	struct unwinder_config cfg = { .find = find };
	struct unwind_frames f[4] = { 0 };
	struct unwind_module *m;
	struct unwind_job *jobs = xcalloc(nr, sizeof(*jobs));
	struct unwinder *u;
	struct eh eh = { 0 };
	u8 *copies = table_alloc(nr * COPY);

	for (u32 i = 0; i < NR_FNS; i++) {
		fns[i].by_fp = !chance(8);
		fns[i].saves_fp = fns[i].by_fp || chance(2);
		fns[i].words = 1 + chance(12);
	}
	build_eh_frame(&eh, fns);
	sections[1] =
		(struct obj_section){ .name = ".eh_frame", .type = 1, .flags = 2, .size = eh.n };
	sections[0].name = "";
	load.filesz = load.memsz = CODE + NR_FNS * FN_SIZE;
	o.file = span_of(eh.p, eh.n);
	o.loads = &load;
	o.nr_loads = 1;
	o.sections = sections;
	o.nr_sections = 2;
	m = unwind_module_new(&o, NULL);
	u = unwinder_new(&cfg);
	for (size_t i = 0; i < nr; i++) {
		struct unwind_job *j = &jobs[i];

		j->known = 0xffff;
		j->regs[7] = 0x7ffd00000000ull;
		j->bytes = span_of(copies + i * COPY, COPY);
		j->space = (struct unwind_space){ 1, m };
		build_stack(copies + i * COPY, j->regs[7], fns, j);
	}
	measure(u, jobs, nr, f, false);
	measure(u, jobs, nr, f, true);
	for (int i = 0; i < 4; i++)
		unwind_frames_fini(&f[i]);
	unwinder_free(u);
	unwind_module_free(m);
	table_free(copies, nr * COPY);
	free(jobs);
	free(fns);
	free(eh.p);
	return 0;
}
