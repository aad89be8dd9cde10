/* SPDX-License-Identifier: MIT */
#include "tests/report/table_world.h"

#include "base/mem.h"
#include "count/counts.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

static void build_recording(struct table_world *w, const struct world_row *rows, size_t nr)
{
	struct bytes *b = &w->bytes;
	struct file_builder f = { .b = b };
	struct pd_attr a = attr_plain();
	struct perr e = { 0 };

	*b = bytes_new(false);
	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, NULL, 0);
	file_begin_data(&f);
	put_comm(b, 1, 1, "one", &a, NULL);
	put_comm(b, 2, 2, "two", &a, NULL);
	for (size_t i = 0; i < nr; i++) {
		u64 ips[WORLD_MAX_IPS + 1] = { PD_CONTEXT_USER };
		struct sample_parts s = { .misc = PD_CPUMODE_USER,
					  .ip = rows[i].ips[0],
					  .pid = rows[i].tid,
					  .tid = rows[i].tid,
					  .time = 1000 + i,
					  .period = rows[i].period,
					  .ips = ips,
					  .nr_ips = rows[i].nr + 1 };

		memcpy(ips + 1, rows[i].ips, rows[i].nr * sizeof(u64));
		put_sample(b, &a, &s);
	}
	file_end(&f);
	diag_init(&w->diag);
	CHECK(!pd_open_mem(bytes_span(b), "built", &w->diag, &w->pd, &e));
}

static void count_samples(struct table_world *w)
{
	struct session_config session_cfg = { .symbols.hermetic = true };
	struct counts_config cfg = {
		.columns = w->layout.columns | COUNT_BIT(COUNT_COMM) | COUNT_BIT(COUNT_PID) |
			   COUNT_BIT(COUNT_TID) | COUNT_BIT(COUNT_CPUMODE) |
			   COUNT_BIT(COUNT_STACK) | COUNT_BIT(COUNT_IP),
		.threads = 1,
		.max_stack = w->cfg.max_stack,
		.resolve = true,
		.filter = &w->filter,
	};
	struct perr e = { 0 };

	w->session = session_new(w->pd, &session_cfg, &w->diag);
	CHECK(!counts_run(w->session, &cfg, &w->counts, &e));
	hist_data_init(&w->data, &w->cfg, w->pd, w->session, w->counts, cfg.columns, NULL);
	w->data.dso_is_key = w->layout.flags & KEY_DSO;
	w->data.symbol_is_key = w->layout.flags & KEY_SYMBOL;
}

void table_world_list(struct table_world *w)
{
	struct perr e = { 0 };

	if (!w->stacks)
		w->stacks = hist_stacks_new(&w->data, &w->layout, w->chain.order, &e);
	w->hist = (struct hist){ .d = &w->data,
				 .layout = &w->layout,
				 .chain = &w->chain,
				 .order = w->chain.order,
				 .stacks = w->stacks,
				 .events = w->events,
				 .nr_events = 1,
				 .children = w->layout.children };
	hist_list(&w->hist, 1);
}

struct table_world *table_world_new(const struct world_row *rows, size_t nr, const char *keys,
				    bool children)
{
	struct table_world *w = xcalloc(1, sizeof(*w));
	struct hist_input in = { .cfg = &w->cfg, .children = children };
	struct perr e = { 0 };

	build_recording(w, rows, nr);
	w->cfg = (struct table_config){ .sort = keys,
					.filter = &w->filter,
					.socket = -1,
					.max_stack = 127,
					.group_sort_idx = -1,
					.show_samples = true,
					.show_period = true };
	in.pd = w->pd;
	CHECK(!hist_layout_init(&w->layout, &in, &e));
	count_samples(w);
	chain_option_init(&w->chain);
	w->chain.order = CHAIN_CALLEE;
	chain_option_settle(&w->chain, false, false);
	w->tree = chain_tree_new(&w->chain, chain_frame_of_frames, &w->data.frames);
	table_world_list(w);
	w->table = hist_table_new(&w->hist, w->tree, 1);
	return w;
}

void table_world_free(struct table_world *w)
{
	w->table->ops->free(w->table);
	hist_fini(&w->hist);
	hist_stacks_free(w->stacks);
	chain_tree_free(w->tree);
	hist_data_fini(&w->data);
	hist_layout_fini(&w->layout);
	counts_free(w->counts);
	session_free(w->session);
	pd_close(w->pd);
	diag_fini(&w->diag);
	bytes_free(&w->bytes);
	free(w);
}
