/* SPDX-License-Identifier: MIT */
#include "session/session.h"

#include <time.h>

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "fileformat/feature_build_id.h"

/* Gives the machine the build-ids that the recorder wrote at its end. */
static void note_build_ids(struct session *s)
{
	const struct pd_feature *f = pd_feature_get(s->pd, PD_FEAT_BUILD_ID);
	struct pd_build_id_entry b;
	struct pd_build_ids it;
	struct perr e;
	int got;

	if (!f)
		return;
	it = pd_build_ids_open(f->data, s->pd->swap);
	while ((got = pd_build_ids_next(&it, &b, &e)) == 1) {
		char *name = xstrndup((const char *)b.filename.p, b.filename.n);

		if (b.cpumode == PD_CPUMODE_KERNEL || b.cpumode == PD_CPUMODE_USER)
			machine_note_build_id(s->machine, b.cpumode == PD_CPUMODE_KERNEL, name,
					      &b.build_id);
		free(name);
	}
	if (got < 0)
		diag_warn(s->diag, "%s: BUILD_ID section: %s", s->pd->path, e.text);
}

/* A feature that is one string, malloc'd; NULL when the file has none. */
static char *text_of_feature(const struct perfdata *pd, unsigned int bit)
{
	const struct pd_feature *f = pd_feature_get(pd, bit);
	struct span text;
	struct perr e;

	if (!f || pd_feature_text(f->data, pd->swap, &text, &e))
		return NULL;
	return xstrndup((const char *)text.p, text.n);
}

static u32 nr_cpus_of(const struct perfdata *pd)
{
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_NRCPUS);
	struct pd_nrcpus n;

	return f && !pd_feature_nrcpus(f->data, pd->swap, &n, NULL) ? n.avail : 0;
}

static bool samples_are_monotonic(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_attr *a = &pd->events[i]->attr;

		if (!pd_attr_has(a, PD_ATTR_USE_CLOCKID) || a->clockid != CLOCK_MONOTONIC)
			return false;
	}
	return true;
}

struct session *session_new(struct perfdata *pd, const struct session_config *cfg,
			    struct diag *diag)
{
	struct session *s = xcalloc(1, sizeof(*s));
	struct machine_config machine = {
		.symbols = cfg->symbols,
		.path = pd->path,
		.mtime = pd->mtime,
		.swap = pd->swap,
		.format = pd->format,
		.clock_is_monotonic = samples_are_monotonic(pd),
		.keep_exited = cfg->keep_exited,
		.no_jitdumps = cfg->no_jitdumps,
		.no_user_maps = cfg->no_user_maps,
		.forgets_maps = cfg->forgets_maps && !pd_can_rewind(pd),
		.unwinder = cfg->unwinder,
		.nr_cpus = nr_cpus_of(pd),
		.diag = diag,
	};

	s->pd = pd;
	s->diag = s->diag_of_all = diag;
	s->diag_of_pd = pd->diag;
	s->arch = text_of_feature(pd, PD_FEAT_ARCH);
	s->os_release = text_of_feature(pd, PD_FEAT_OSRELEASE);
	machine.arch = cfg->arch ? cfg->arch : s->arch;
	machine.os_release = s->os_release;
	s->machine = machine_new(&machine);
	note_build_ids(s);
	return s;
}

bool session_can_repeat(const struct session *s)
{
	return pd_can_rewind(s->pd);
}

void session_end_pass(struct session *s)
{
	if (s->main_machine) {
		machine_free(s->machine);
		s->machine = s->main_machine;
		s->main_machine = NULL;
	}
	s->pd->diag = s->diag_of_pd;
	s->diag = s->machine->cfg.diag = s->diag_of_all;
}

static void use_offline_machine(struct session *s)
{
	struct machine_config cfg = s->machine->cfg;

	cfg.symbols.debuginfod = NULL;
	cfg.symbols.diag = NULL;
	cfg.no_jitdumps = true;
	cfg.arch = s->machine->arch;
	cfg.os_release = s->os_release;
	s->main_machine = s->machine;
	s->machine = machine_new(&cfg);
	note_build_ids(s);
}

int session_begin_pass(struct session *s, const char *name, u32 flags, struct perr *e)
{
	int err;

	session_end_pass(s);
	if (s->nr_passes) {
		err = pd_rewind(s->pd, e);
		if (err) {
			perr_prefix(e, name);
			return err;
		}
		machine_reset(s->machine);
	}
	s->nr_passes++;
	if (flags & SESSION_QUIET)
		s->diag = s->pd->diag = s->machine->cfg.diag = NULL;
	if (flags & SESSION_OFFLINE)
		use_offline_machine(s);
	return 0;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	session_end_pass(s);
	machine_free(s->machine);
	free(s->arch);
	free(s->os_release);
	free(s);
}
