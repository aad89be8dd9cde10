/* SPDX-License-Identifier: MIT */
/*
 * Prints one recording as pfold does, with other options each turn, and its difference with itself;
 * printed lines have to sum up. See use_all.h.
 */
#ifndef TESTS_FRAME_USE_FOLD_H
#define TESTS_FRAME_USE_FOLD_H

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "count/counts.h"
#include "fold/fold_diff.h"
#include "profile/event_choice.h"
#include "session/session.h"
#include "tests/frame/use_way.h"

static inline void use_fold_print(struct use_all *u, struct folded *f)
{
	struct perr e;
	struct out o;
	int err;

	if (folded_total(f, 0) != folded_total(f, 1))
		BUG();
	out_init_mem(&o);
	/* these tell of lines that do not sum up */
	err = folded_print(f, &o, &e);
	use_all_take(u, &o, 0);
	err |= fold_diff_print(f, u->turn & 2, &o, &e);
	use_all_take(u, &o, 0);
	if (err)
		BUG();
	(void)out_fini(&o);
}

/* A recording and itself. */
static inline void use_fold_add(struct use_all *u, struct perfdata *pd, struct diag *diag,
				const struct folded_config *cfg)
{
	struct session_config session = { .symbols = use_all_symbols(u, u->turn & 1, diag),
					  .unwinder = use_all_unwinder(u) };
	struct counts_config config = { .threads = cfg->threads, .no_join = u->turn & 2 };
	struct counts *c = NULL;
	struct session *s;
	bool *wanted;
	char *choices = NULL;
	struct folded *f;
	struct perr e;

	session.symbols.no_demangle = cfg->names.names == FUNCTION_NAMES_RAW;
	folded_want(cfg, pd, &config);
	s = session_new(pd, &session, diag);
	(void)!counts_run(s, &config, &c, &e);
	if (c) {
		counts_resolve(c);
		wanted = xcalloc(c->nr_events + 1, sizeof(*wanted));
		if (event_choose_one(pd, c, u->turn & 1 ? "cycles" : NULL, wanted, &choices, &e))
			memset(wanted, true, c->nr_events);
		f = folded_new(cfg);
		folded_name_frames(f, c);
		folded_add(f, s, c, wanted, 0);
		folded_add(f, s, c, wanted, 1);
		counts_free(c);
		use_fold_print(u, f);
		folded_free(f);
		free(wanted);
		free(choices);
	}
	session_free(s);
}

static inline void use_fold(struct use_all *u, struct diag *diag)
{
	u64 turn = hash_u64(u->turn + 1);
	const struct folded_config cfg = {
		.names = { .names = (enum function_names)(turn % 4),
			   .mark_kernel = turn / 4 & 1,
			   .mark_jit = turn / 8 & 1,
			   .inlines = turn / 256 & 1 },
		.marks = turn / 512 & 1,
		.root = (enum fold_root)(turn / 16 % 4),
		.weight = turn / 64 & 1 ? FOLD_WEIGHT_SAMPLES : FOLD_WEIGHT_PERIOD,
		.threads = 1 + (unsigned int)(turn / 128 & 1),
	};
	struct perfdata *pd;
	struct perr e;

	u->stage = "folding";
	if (u->open(u->ctx, diag, &pd, &e))
		return;
	u->nr_opened++;
	use_fold_add(u, pd, diag, &cfg);
	pd_close(pd);
}

#endif
