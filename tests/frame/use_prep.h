/* SPDX-License-Identifier: MIT */
/* Prints one recording as prep does, with other options each turn. See use_all.h. */
#ifndef TESTS_FRAME_USE_PREP_H
#define TESTS_FRAME_USE_PREP_H

#include <stdio.h>

#include "base/hash.h"
#include "profile/verdict/verdict_text.h"
#include "report/prep/prep_diff.h"
#include "report/prep/prep_report.h"
#include "report/prep/prep_stats.h"
#include "report/text/header_text.h"
#include "tests/frame/use_way.h"

/* Command lines without the name; blanks separate words. */
static const char *const use_prep_options[] = {
	"",
	"--keys=EjQuqH --screen=80x24",
	"--keys=e++dVFu/ --screen=20x5 -g caller",
	"--header -I -v",
	"--header-only",
	"--stats",
	"--tasks",
	"--mmaps",
	"-D",
	"--no-children",
	"--no-children -g graph,0,caller",
	"--no-children -g fractal,0,callee,address,period -G",
	"--no-children -g flat,0,callee,function,count --max-stack 2",
	"--no-children -g folded,0,caller,srcline,count -t ;",
	"--children -g fractal,0.1,caller,address,percent --percent-limit 0",
	"--children -g graph,0,4,callee,srcline,period -s dso,sym -n",
	"--children -g folded,0 -F +period --stdio-color always",
	"--no-children -H -g graph,0,caller",
	"-H -g none -s comm,dso,sym,cpu,pid --percent-limit 0.5 -n --show-total-period",
	"-H -s trace,comm -U",
	"-g none --group -n --show-cpu-utilization",
	"-g none --group --group-sort-idx 1 --no-skip-empty",
	"-g none --no-group -F overhead,overhead_sys,overhead_us,sample,period,comm,sym -w 8,4,0,9",
	"-g none -s pid,tgid,comm,comm_nodigit,cpu,socket,time,cgroup,cgroup_id --ns",
	"-g none -s dso,dso_size,symbol,symbol_size,symoff,addr,srcline,srcfile -v",
	"-g none -s local_weight,weight,transaction,simd,code_page_size,sym --time-quantum 1ms",
	"-g none -s ins_lat,local_ins_lat,p_stage_cyc,local_p_stage_cyc,retire_lat",
	"-g none -s local_retire_lat,comm -F +weight3",
	"-g none -F overhead,weight1,weight2,weight3,sample,sym",
	"-g none -s trace --raw-trace",
	"-g none -s trace_fields,comm -n",
	"-g none -s next_comm,prev_pid -F +sample",
	"-g graph,0,caller -p . -x -s parent,sym",
	"-g graph,0,callee --ignore-callees main|depth -s sym",
	"-g none --mem-mode",
	"-g none --mem-mode -s symbol_daddr,dso_daddr,symbol_iaddr,phys_daddr,data_page_size",
	"-g none --mem-mode -s blocked,sym",
	"-g none --mem-mode -s dcacheline,snoop,locked,tlb,mem,local_weight -n",
	"--no-branch-stack -g graph,0",
	"-b -s comm,dso_from,symbol_from,dso_to,symbol_to,mispredict,cycles",
	"-b -s srcline_from,srcline_to,addr_from,addr_to -n",
	"-b -s in_tx,abort,symbol_to,dso_to -n -U",
	"-s sym,ipc_null,comm",
	"-b -H -s symbol_from,symbol_to",
	"--comms prog,w_fork,w_simple --percentage relative",
	"--dsos [kernel.kallsyms],w_simple --time 0%-60% -g graph,0,caller",
	"-S main --symbol-filter e --pid 7,8 -q",
	"--tid 8 -C 0 --socket-filter 0 -U -T",
	"-C 0-3 --comms swapper,w_fork -s cpu,socket,comm",
	"--time 10%/3 -t , --max-mem 1",
	"--no-inline -g graph,0,caller",
	"--no-join -g graph,0,caller,function -s comm,sym",
	"--inline -g graph,0,caller,srcline -s comm,dso",
	"--no-inline --no-join -g folded,0,caller,address",
	"--max-stack 4 -g graph,0,callee -s sym,srcline",
	"--unwinder libdw -g graph,0,caller -s comm",
	"--unwinder libunwind -g graph,0,caller -s comm",
};

/* What was printed, as a number. */
static inline u64 use_prep_run(struct use_all *u, struct perfdata *pd, struct prep_options *opt,
			       struct diag *diag, struct out *o)
{
	const struct reader_command rc = { .prog = "prep",
					   .output = stdout,
					   .messages = stderr,
					   .pager = &opt->pager,
					   .diag = diag,
					   .quality = opt->quality };
	struct verdict *verdict = NULL;
	struct perr e;
	size_t head;
	u64 hash;
	int err;

	if (opt->header || opt->header_only) {
		header_text_print(o, pd, opt->show_info);
		if (pd->kind == PD_PIPE)
			header_text_print_features(o, pd, opt->show_info);
	}
	head = o->len; /* of pipes the header tells what time it is */
	if (opt->dump_raw)
		err = prep_dump_print(&rc, opt, pd, o, &e);
	else if (opt->stats)
		err = prep_stats_print(o, pd, opt->skip_empty, &e);
	else if (opt->tasks || opt->mmaps)
		err = prep_tasks_print(o, pd, &opt->symbols, opt->mmaps, diag, &e);
	else
		err = opt->header_only ? 0 : prep_report(&rc, opt, pd, o, &verdict, &e);
	if (err > 0)
		BUG();
	if (verdict)
		verdict_print_text(o, "test", verdict, false);
	verdict_free(verdict);
	hash = hash_pair((u64)err, o->len > head ? hash_bytes(o->buf + head, o->len - head) : 0);
	use_all_take(u, o, 0);
	return hash;
}

static inline u64 use_prep_once(struct use_all *u, struct diag *diag, u64 which,
				unsigned int threads)
{
	struct use_words words =
		use_words_of("prep", use_prep_options[which % USE_ARRAY_SIZE(use_prep_options)]);
	struct prep_options opt = { 0 };
	struct perfdata *pd;
	struct perr e;
	struct out o;
	u64 ret = 0;

	u->stage = "reporting as prep";
	if (prep_options_parse(&opt, diag, words.nr, words.argv) >= 0)
		BUG();
	opt.symbols = use_all_symbols(u, u->turn & 1, diag);
	opt.nr_threads = threads;
	if (!u->open(u->ctx, diag, &pd, &e)) {
		u->nr_opened++;
		out_init_mem(&o);
		ret = use_prep_run(u, pd, &opt, diag, &o);
		(void)out_fini(&o);
		pd_close(pd);
	}
	prep_options_fini(&opt);
	use_words_fini(&words);
	return ret;
}

/* prep opens the recordings that it compares itself. */
static inline void use_prep_diff(struct use_all *u, struct diag *diag)
{
	const char *files[] = { u->path, u->path, u->path };
	const size_t nr_files = 2 + (u->turn >> 4 & 1);
	struct prep_options opt = {
		.diff = true,
		.diff_of = { .rows = { .compute = { .method = u->turn / 4 % DIFF_NR_METHODS,
						    .base_weight = 1,
						    .new_weight = 2 },
				       .order = 1 },
			     .columns = { .formula = true, .period = true, .interval = true },
			     .files = files,
			     .nr_files = nr_files },
		.symbols = use_all_symbols(u, u->turn & 1, diag),
		.nr_threads = 1 + (u->turn & 1),
		.table = { .mode = TABLE_DIFF, .socket = -1, .filter = &opt.filter },
		.stacks = STACK_OPTIONS_DEFAULT,
		.chain = { .mode = CHAIN_GRAPH, .order_set = true, .asked = u->turn >> 5 & 1 },
	};
	const struct reader_command rc = { .prog = "prep",
					   .output = stdout,
					   .messages = stderr,
					   .pager = &opt.pager,
					   .diag = diag,
					   .quality = opt.quality };
	struct prep_diff diff = { .rc = &rc, .opt = &opt };
	struct perr e;
	struct out o;

	u->stage = "comparing as prep";
	out_init_mem(&o);
	(void)!prep_diff_print(&diff, &o, &e);
	for (size_t i = 0; i < nr_files; i++)
		verdict_free(diff.verdicts[i]);
	free(diff.verdicts);
	use_all_take(u, &o, 0);
	(void)out_fini(&o);
}

static inline void use_prep(struct use_all *u, struct diag *diag)
{
	u64 other = hash_u64(u->turn);

	if (use_prep_once(u, diag, u->turn, 1) != use_prep_once(u, diag, u->turn, 2))
		BUG();
	(void)use_prep_once(u, diag, other, 1 + (other >> 32 & 1));
	if (u->path && u->turn % 4 == 0)
		use_prep_diff(u, diag);
}

#endif
