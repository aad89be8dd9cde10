/* SPDX-License-Identifier: MIT */
/* One recording as pann annotates it, with other options each turn. See use_all.h. */
#ifndef TESTS_FRAME_USE_PANN_H
#define TESTS_FRAME_USE_PANN_H

#include <stdio.h>

#include "base/mem.h"
#include "report/pann/annotate.h"
#include "profile/verdict/verdict_text.h"
#include "tests/frame/use_way.h"

/* Command lines without the name; blanks separate words. */
static const char *const use_pann_options[] = {
	"",
	"--stdio2",
	"--stdio2 --stdio-color always -n --show-total-period --asm-raw",
	"--stdio-color always -M intel --asm-raw -P -l",
	"--inline -l --no-source -n",
	"--percent-type global-period --no-group --no-skip-empty",
	"--percent-type local-hits --group --max-symbols 3 --percent-limit 10",
	"--percent-type global-hits --time 0%-60% -C 0-3 --skip-missing -q",
	"-s main --percent-limit 0",
	"--comms w_simple,w_inline,prog --dsos w_simple,w_inline,w_cpp -M intel --stdio2",
};

/* What was printed, as a number. */
static inline u64 use_pann_run(struct use_all *u, struct diag *diag, struct pann_options *opt,
			       FILE *talk)
{
	const struct reader_command rc = { .prog = "pann",
					   .output = stdout,
					   .messages = talk,
					   .pager = &opt->pager,
					   .diag = diag,
					   .quality = opt->quality };
	struct verdict *verdict = NULL;
	struct perfdata *pd;
	struct perr e;
	struct out o;
	u64 ret;
	int err;

	if (u->open(u->ctx, diag, &pd, &e))
		return 0;
	u->nr_opened++;
	out_init_mem(&o);
	err = annotate_print(&rc, opt, pd, &o, &verdict, &e);
	ret = hash_pair((u64)err, o.len ? hash_bytes(o.buf, o.len) : 0);
	use_all_take(u, &o, 0);
	if (verdict)
		verdict_print_text(&o, "test", verdict, false);
	verdict_free(verdict);
	use_all_take(u, &o, 0);
	(void)out_fini(&o);
	pd_close(pd);
	return ret;
}

static inline void use_pann(struct use_all *u, struct diag *diag)
{
	u64 turn = hash_u64(u->turn + 4);
	size_t which = turn % (sizeof(use_pann_options) / sizeof(*use_pann_options));
	struct use_words words = use_words_of("pann", use_pann_options[which]);
	struct pann_options opt = { 0 };
	FILE *talk = fopen("/dev/null", "we");
	u64 first;

	u->stage = "annotating as pann";
	if (!talk || pann_options_parse(&opt, diag, words.nr, words.argv) >= 0)
		BUG();
	opt.symbols = use_all_symbols(u, turn >> 32 & 1, diag);
	opt.nr_threads = 1;
	first = use_pann_run(u, diag, &opt, talk);
	opt.nr_threads = 2;
	if (turn >> 33 & 1 && use_pann_run(u, diag, &opt, talk) != first)
		BUG();
	pann_options_fini(&opt);
	fclose(talk);
	use_words_fini(&words);
}

#endif
