/* SPDX-License-Identifier: MIT */
#include "machine/machine_stacks.h"

#include <string.h>

#include "base/mem.h"
#include "machine/machine.h"
#include "machine/machine_regs.h"
#include "unwind/oracle_libunwind.h"

/* A stack and what was found. */
struct unwound {
	const struct pd_sample *sample; /* of one that was unwound ahead, until it is asked for */
	struct user_space space;
	struct unwind_job job;
	struct unwind_frames frames;
};

struct machine_stacks {
	struct machine_modules *modules;
	const char *arch;
	u32 max_frames;
	struct unwinder *unwinder;          /* made with the first stack; so is the next */
	struct oracle_libunwind *libunwind; /* NULL: the modules do not ask for it */
	struct unwound ahead[MACHINE_STACKS_AHEAD];
	struct unwound own; /* of others */
	struct machine_modules_known known[MACHINE_MODULES_KNOWN];
	struct machine_regs_layout layout;
};

struct machine_stacks *machine_stacks_new_of(struct machine_modules *modules, const char *arch,
					     u32 max_frames)
{
	struct machine_stacks *u = xcalloc(1, sizeof(*u));

	u->modules = modules;
	u->arch = arch;
	u->max_frames = max_frames;
	return u;
}

struct machine_stacks *machine_stacks_new(struct machine *mc, u32 max_frames)
{
	return machine_stacks_new_of(mc->modules, mc->arch, max_frames);
}

void machine_stacks_free(struct machine_stacks *u)
{
	if (!u)
		return;
	unwinder_free(u->unwinder);
	oracle_libunwind_free(u->libunwind);
	for (size_t i = 0; i < MACHINE_STACKS_AHEAD; i++)
		unwind_frames_fini(&u->ahead[i].frames);
	unwind_frames_fini(&u->own.frames);
	free(u);
}

void machine_stacks_rest(struct machine_stacks *u)
{
	if (!u)
		return;
	unwinder_free(u->unwinder);
	oracle_libunwind_free(u->libunwind);
	u->unwinder = NULL;
	u->libunwind = NULL;
	memset(u->known, 0, sizeof(u->known));
}

u32 machine_stacks_max_frames(const struct machine_stacks *u)
{
	return u->max_frames;
}

void machine_stacks_set_max_frames(struct machine_stacks *u, u32 max_frames)
{
	u->max_frames = max_frames;
	if (u->unwinder)
		unwinder_set_max_frames(u->unwinder, max_frames);
}

bool machine_stacks_wants(const struct pd_event *ev, const struct pd_sample *s)
{
	const u64 both = PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;

	return (ev->attr.sample_type & both) == both && s->user_regs.abi && s->user_stack.n;
}

/* Their caches are large: not for recordings without stack copies. */
static void make_unwinder(struct machine_stacks *u)
{
	const struct unwinder_config cfg = { .find = machine_modules_find,
					     .max_frames = u->max_frames };

	u->unwinder = unwinder_new(&cfg);
	if (machine_modules_kind(u->modules) == UNWINDER_LIBUNWIND)
		u->libunwind = oracle_libunwind_new(&cfg);
}

/* What u unwinds by is there then. False: there is nothing to unwind. */
static bool make_job(struct machine_stacks *u, const struct pd_sample *s, const struct mapset *maps,
		     struct unwound *w)
{
	if (!u->unwinder)
		make_unwinder(u);
	w->space = (struct user_space){ u->modules, maps, u->known };
	w->frames.nr = 0;
	w->frames.guessed = 0;
	w->frames.end = UNWIND_NO_REGS;
	if (!machine_regs_to_job(s, u->arch, &u->layout, &w->job))
		return false;
	w->job.space = (struct unwind_space){ .id = maps ? maps->code_id : 0, .maps = &w->space };
	return true;
}

const struct unwind_frames *machine_stacks_unwind(struct machine_stacks *u,
						  const struct pd_sample *s,
						  const struct mapset *maps)
{
	struct unwound *w = &u->own;

	for (size_t i = 0; i < MACHINE_STACKS_AHEAD; i++) {
		if (u->ahead[i].sample != s)
			continue;
		u->ahead[i].sample = NULL;
		return &u->ahead[i].frames;
	}
	if (!make_job(u, s, maps, w))
		return &w->frames;
	if (!u->libunwind) {
		unwind_stack(u->unwinder, &w->job, &w->frames);
		return &w->frames;
	}
	if (oracle_libunwind_stack(u->libunwind, &w->job, &w->frames))
		w->frames.end = UNWIND_NO_INFO;
	unwind_look_up(u->unwinder, &w->job, &w->frames);
	return &w->frames;
}

void machine_stacks_unwind_ahead(struct machine_stacks *u, const struct pd_sample *const *samples,
				 const struct mapset *const *maps, size_t n)
{
	const struct unwind_job *jobs[MACHINE_STACKS_AHEAD];
	struct unwind_frames *frames[MACHINE_STACKS_AHEAD];
	size_t nr = 0;

	for (size_t i = 0; i < MACHINE_STACKS_AHEAD; i++)
		u->ahead[i].sample = NULL;
	if (machine_modules_kind(u->modules) == UNWINDER_LIBUNWIND)
		return;
	for (size_t i = 0; i < n; i++) {
		struct unwound *w = &u->ahead[i];

		w->sample = samples[i];
		if (!make_job(u, samples[i], maps[i], w))
			continue;
		jobs[nr] = &w->job;
		frames[nr++] = &w->frames;
	}
	if (nr)
		unwind_four(u->unwinder, jobs, frames, nr);
}

struct unwind_tag *machine_stacks_tags(struct machine_stacks *u)
{
	return u->unwinder ? unwind_tags(u->unwinder) : NULL;
}

const struct unwind_frames *machine_stacks_explain(struct machine_stacks *u,
						   const struct pd_sample *s,
						   const struct mapset *maps,
						   void (*tell)(void *ctx, const char *line),
						   void *ctx)
{
	struct unwound *w = &u->own;

	if (machine_modules_kind(u->modules) == UNWINDER_LIBUNWIND)
		return machine_stacks_unwind(u, s, maps);
	if (make_job(u, s, maps, w))
		unwind_explain(u->unwinder, &w->job, &w->frames, tell, ctx);
	return &w->frames;
}
