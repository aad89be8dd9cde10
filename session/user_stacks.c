/* SPDX-License-Identifier: MIT */
#include "session/user_stacks.h"

#include "base/mem.h"
#include "session/session.h"
#include "session/user_regs.h"
#include "unwind/oracle_libunwind.h"

struct user_stacks {
	struct user_modules *modules;
	const char *arch;
	u32 max_frames;
	bool wants_functions;
	struct unwinder *unwinder;          /* made with the first stack; so is the next */
	struct oracle_libunwind *libunwind; /* NULL: the modules do not ask for it */
	struct unwind_frames frames;
};

struct user_stacks *user_stacks_new(struct user_modules *modules, const char *arch, u32 max_frames)
{
	struct user_stacks *u = xcalloc(1, sizeof(*u));

	u->modules = modules;
	u->arch = arch;
	u->max_frames = max_frames;
	return u;
}

struct user_stacks *session_user_stacks(struct session *s, u32 max_frames)
{
	return user_stacks_new(s->user_modules, s->arch, max_frames);
}

void user_stacks_free(struct user_stacks *u)
{
	if (!u)
		return;
	unwinder_free(u->unwinder);
	oracle_libunwind_free(u->libunwind);
	unwind_frames_fini(&u->frames);
	free(u);
}

void user_stacks_want_functions(struct user_stacks *u)
{
	u->wants_functions = true;
}

u32 user_stacks_max_frames(const struct user_stacks *u)
{
	return u->max_frames;
}

bool user_stacks_are_in(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.sample_type & PD_SAMPLE_STACK_USER)
			return true;
	return false;
}

bool user_stacks_wants(const struct pd_event *ev, const struct pd_sample *s)
{
	const u64 both = PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;

	return (ev->attr.sample_type & both) == both && s->user_regs.abi && s->user_stack_size;
}

/* Their caches are large: not for recordings without stack copies. */
static void make_unwinder(struct user_stacks *u)
{
	const struct unwinder_config cfg = { .find = user_modules_find,
					     .max_frames = u->max_frames };

	u->unwinder = unwinder_new(&cfg);
	if (user_modules_kind(u->modules) == UNWINDER_LIBUNWIND)
		u->libunwind = oracle_libunwind_new(&cfg);
}

/* What u unwinds by is there then. False: there is nothing to unwind. */
static bool make_job(struct user_stacks *u, const struct pd_sample *s,
		     const struct user_space *space, struct unwind_job *job)
{
	if (!u->unwinder)
		make_unwinder(u);
	u->frames.nr = 0;
	u->frames.guessed = 0;
	u->frames.end = UNWIND_NO_REGS;
	if (!user_regs_to_job(s, u->arch, job))
		return false;
	job->space = (struct unwind_space){ .id = space->maps ? space->maps->code_id : 0,
					    .maps = space };
	return true;
}

const struct unwind_frames *user_stacks_unwind(struct user_stacks *u, const struct pd_sample *s,
					       const struct mapset *maps)
{
	const struct user_space space = { u->modules, maps };
	struct unwind_job job;

	if (!make_job(u, s, &space, &job))
		return &u->frames;
	if (!u->libunwind)
		unwind_stack(u->unwinder, &job, &u->frames);
	else if (oracle_libunwind_stack(u->libunwind, &job, &u->frames))
		u->frames.end = UNWIND_NO_INFO;
	if (u->wants_functions)
		unwind_functions(u->unwinder, &job, &u->frames);
	return &u->frames;
}

const struct unwind_frames *user_stacks_explain(struct user_stacks *u, const struct pd_sample *s,
						const struct mapset *maps,
						void (*tell)(void *ctx, const char *line),
						void *ctx)
{
	const struct user_space space = { u->modules, maps };
	struct unwind_job job;

	if (user_modules_kind(u->modules) == UNWINDER_LIBUNWIND)
		return user_stacks_unwind(u, s, maps);
	if (make_job(u, s, &space, &job))
		unwind_explain(u->unwinder, &job, &u->frames, tell, ctx);
	return &u->frames;
}
