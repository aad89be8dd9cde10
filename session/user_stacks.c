/* SPDX-License-Identifier: MIT */
#include "session/user_stacks.h"

#include "base/mem.h"
#include "session/session.h"
#include "session/user_regs.h"

struct user_stacks {
	struct user_modules *modules;
	const char *arch;
	u32 max_frames;
	struct unwinder *unwinder;
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
	unwind_frames_fini(&u->frames);
	free(u);
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

const struct unwind_frames *user_stacks_unwind(struct user_stacks *u, const struct pd_sample *s,
					       const struct mapset *maps)
{
	const struct user_space space = { u->modules, maps };
	struct unwind_job job;

	/* its caches are large: not for recordings without stack copies */
	if (!u->unwinder)
		u->unwinder = unwinder_new(&(struct unwinder_config){
			.find = user_modules_find, .max_frames = u->max_frames });
	u->frames.nr = 0;
	u->frames.end = UNWIND_NO_REGS;
	if (!user_regs_to_job(s, u->arch, &job))
		return &u->frames;
	job.space = (struct unwind_space){ .id = maps ? maps->code_id : 0, .maps = &space };
	unwind_stack(u->unwinder, &job, &u->frames);
	return &u->frames;
}
