/* SPDX-License-Identifier: MIT */
/* prep's tables and call graphs where functions were inlined, of testdata's w_inline. */
#include <string.h>

#include "base/mem.h"
#include "report/table/hist_data.h"
#include "report/prep/prep_report.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define TEXT 0x401000 /* where w_inline lies, and where its file has it */
#define MOVED 0x7f0000000000
#define STEP 0x2a   /* wheel::step in turn in twice in wheel::spin */
#define TWICE 0xac  /* spin_twice in nested: a call of spin */
#define NESTED 0xca /* nested: a call of itself */

#define SPIN_NAME "wheel::spin(unsigned long)"
#define STEP_NAME "wheel::step(unsigned long)"
#define TURN_NAME "wheel::turn(unsigned long)"
#define TWICE_NAME "unsigned long twice<unsigned long>(wheel&, unsigned long)"
#define CALLS_NAME "spin_twice(wheel&, unsigned long)"
#define NESTED_NAME "nested(wheel&, unsigned long)"

struct stack {
	u64 ips[4]; /* leaf first, from the start of the program's code */
	size_t nr;
};

static const struct stack once[] = { { { STEP, TWICE, NESTED }, 3 } };
/* step was inlined at another place of turn as well */
static const struct stack two_leaves[] = { { { STEP, TWICE, NESTED }, 3 }, { { 0x53, TWICE }, 2 } };

static void put_stack(struct bytes *b, const struct pd_attr *a, u32 pid, u64 text,
		      const struct stack *st)
{
	u64 ips[5] = { PD_CONTEXT_USER };
	struct sample_parts s = { .misc = PD_CPUMODE_USER,
				  .ip = text + st->ips[0],
				  .pid = pid,
				  .tid = pid,
				  .period = 10,
				  .ips = ips,
				  .nr_ips = st->nr + 1 };

	for (size_t i = 0; i < st->nr; i++)
		ips[i + 1] = text + st->ips[i];
	put_sample(b, a, &s);
}

/* All stacks of one process; `processes`: of a second one, too, that has the program elsewhere. */
static void check_text(const struct stack *stacks, size_t nr, u32 processes,
		       const char *const *args, const char *want)
{
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct prep_options opt = { 0 };
	struct verdict *verdict;
	struct perfdata *pd;
	struct diag diag;
	struct reader_command rc = { .prog = "prep",
				     .output = stdout,
				     .messages = stderr,
				     .pager = &opt.pager,
				     .diag = &diag };
	struct perr e = { 0 };
	struct out o;
	int argc = 0;

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, NULL, 0);
	file_begin_data(&f);
	for (u32 pid = 1; pid <= processes; pid++) {
		u64 text = pid == 1 ? TEXT : MOVED;

		put_comm(&b, pid, pid, "w", &a, NULL);
		put_mmap(&b, pid, text, 0x1000, 0x1000, "/tmp/w/w_inline", &a, NULL);
		for (size_t i = 0; i < nr; i++)
			put_stack(&b, &a, pid, text, &stacks[i]);
	}
	file_end(&f);
	diag_init(&diag);
	CHECK(!pd_open_mem(bytes_span(&b), "built", &diag, &pd, &e));
	while (args[argc])
		argc++;
	CHECK_EQ(prep_options_parse(&opt, &diag, argc, (char **)args), -1);
	rc.quality = opt.quality;
	opt.symbols.hermetic = true;
	out_init_mem(&o);
	CHECK_EQ(prep_report(&rc, &opt, pd, &o, &verdict, &e), 0);
	verdict_free(verdict);
	out_char(&o, '\0');
	CHECK_STR(o.buf, want);
	out_fini(&o);
	prep_options_fini(&opt);
	pd_close(pd);
	diag_fini(&diag);
	bytes_free(&b);
}

#define ARGS(...) \
	((const char *const[]){ "prep", "-q", "--symfs", "testdata/symfs", __VA_ARGS__ NULL })

/* As callers they have rows of their own; the sample is the function's that has the symbol. */
TEST(inlined_functions_are_callers)
{
	check_text(once, 1, 1, ARGS("-g", "none", "-F", "overhead_children,overhead,sym", ),
		   "   100.00%   100.00%  [.] " SPIN_NAME "\n"
		   "   100.00%     0.00%  [.] " NESTED_NAME "\n"
		   "   100.00%     0.00%  [.] " CALLS_NAME " (inlined)\n"
		   "   100.00%     0.00%  [.] " TWICE_NAME " (inlined)\n"
		   "   100.00%     0.00%  [.] " STEP_NAME " (inlined)\n"
		   "   100.00%     0.00%  [.] " TURN_NAME " (inlined)\n\n\n");
}

TEST(graph_of_inlined_functions)
{
	check_text(two_leaves, 2, 1, ARGS("--no-children", "-g", "callee", "-s", "comm", ),
		   "   100.00%  w      \n"
		   "            |\n"
		   "            ---" STEP_NAME " (inlined)\n"
		   "               " TURN_NAME " (inlined)\n"
		   "               " TWICE_NAME " (inlined)\n"
		   "               " SPIN_NAME "\n"
		   "               " CALLS_NAME " (inlined)\n"
		   "               " NESTED_NAME "\n"
		   "               |          \n"
		   "                --50.00%--" NESTED_NAME "\n\n\n\n");
}

TEST(without_inlined_functions)
{
	check_text(once, 1, 1,
		   ARGS("--no-inline", "--no-children", "-g", "folded,callee", "-s", "comm", ),
		   "   100.00%  w      \n"
		   "100.00% " SPIN_NAME ";" NESTED_NAME ";" NESTED_NAME "\n\n\n");
}

/* A call has the line that it is on; the innermost function the place's own. */
TEST(lines_of_inlined_functions)
{
	check_text(once, 1, 1, ARGS("--no-children", "-g", "folded,callee,srcline", "-s", "comm", ),
		   "   100.00%  w      \n"
		   "100.00% " STEP_NAME " w_inline.cc:12 (inlined);" TURN_NAME
		   " w_inline.cc:16 (inlined);" TWICE_NAME " w_inline.cc:23 (inlined);" SPIN_NAME
		   " w_inline.cc:30;" CALLS_NAME " w_inline.cc:37 (inlined);" NESTED_NAME
		   " w_inline.cc:47;" NESTED_NAME " w_inline.cc:48\n\n\n");
}

/* Rows by line: of a caller with inlined functions the line of what it calls. */
TEST(rows_of_lines)
{
	check_text(once, 1, 1, ARGS("-g", "none", "-s", "srcline", ),
		   "   100.00%   100.00%  w_inline.cc:12\n"
		   "   100.00%     0.00%  w_inline.cc:30\n"
		   "   100.00%     0.00%  w_inline.cc:47\n"
		   "   100.00%     0.00%  w_inline.cc:48\n\n\n");
	check_text(once, 1, 1, ARGS("-g", "none", "-s", "srcline,sym", "--symbol-filter", "w", ),
		   "   100.00%   100.00%  w_inline.cc:12  [.] " SPIN_NAME "\n"
		   "   100.00%     0.00%  w_inline.cc:12  [.] " STEP_NAME " (inlined)\n"
		   "   100.00%     0.00%  w_inline.cc:16  [.] " TURN_NAME " (inlined)\n"
		   "   100.00%     0.00%  w_inline.cc:23  [.] " TWICE_NAME " (inlined)\n"
		   "   100.00%     0.00%  w_inline.cc:30  [.] " SPIN_NAME "\n"
		   "   100.00%     0.00%  w_inline.cc:37  [.] " CALLS_NAME " (inlined)\n"
		   "   100.00%     0.00%  w_inline.cc:47  [.] " NESTED_NAME "\n"
		   "   100.00%     0.00%  w_inline.cc:48  [.] " NESTED_NAME "\n\n\n");
}

/* What is inlined at one address is one place. */
TEST(addresses_of_inlined_functions)
{
	check_text(once, 1, 1,
		   ARGS("--no-children", "-g", "folded,callee,address", "-s", "comm", "--max-stack",
			"1", ),
		   "   100.00%  w      \n"
		   "100.00% " STEP_NAME " w_inline.cc:12 (inlined);" TURN_NAME
		   " w_inline.cc:16 (inlined);" TWICE_NAME " w_inline.cc:23 (inlined);" SPIN_NAME
		   " w_inline.cc:30\n\n\n");
}

/* --max-stack is of frames, which inlined functions are none of. */
TEST(inlined_functions_do_not_use_up_the_stack)
{
	check_text(once, 1, 1,
		   ARGS("--no-children", "-g", "folded,callee", "-s", "comm", "--max-stack", "2", ),
		   "   100.00%  w      \n"
		   "100.00% " STEP_NAME " (inlined);" TURN_NAME " (inlined);" TWICE_NAME
		   " (inlined);" SPIN_NAME ";" CALLS_NAME " (inlined);" NESTED_NAME "\n\n\n");
	check_text(once, 1, 1,
		   ARGS("--no-children", "-g", "folded,caller", "-s", "comm", "--max-stack", "2", ),
		   "   100.00%  w      \n"
		   "100.00% " NESTED_NAME ";" NESTED_NAME ";" CALLS_NAME " (inlined)\n\n\n");
}

/* Callees that are ignored take what is inlined into them with them, but not the caller's. */
TEST(callees_with_inlined_functions_are_ignored)
{
	check_text(once, 1, 1,
		   ARGS("--no-children", "-g", "folded,callee", "-s", "sym", "--ignore-callees",
			"nested", ),
		   "   100.00%  [.] " NESTED_NAME "\n"
		   "100.00% " NESTED_NAME "\n\n\n");
	check_text(once, 1, 1, ARGS("-g", "none", "-s", "sym", "--symbol-filter", "twice", ),
		   "   100.00%     0.00%  [.] " CALLS_NAME " (inlined)\n"
		   "   100.00%     0.00%  [.] " TWICE_NAME " (inlined)\n\n\n");
}

/* A program that several processes have at several places. */
TEST(inlined_functions_of_several_processes)
{
	check_text(two_leaves, 2, 2, ARGS("-g", "none", "-s", "dso,sym", "--symbol-filter", "t", ),
		   "   100.00%     0.00%  w_inline       [.] " NESTED_NAME "\n"
		   "   100.00%     0.00%  w_inline       [.] " CALLS_NAME " (inlined)\n"
		   "   100.00%     0.00%  w_inline       [.] " TWICE_NAME " (inlined)\n"
		   "   100.00%     0.00%  w_inline       [.] " STEP_NAME " (inlined)\n"
		   "   100.00%     0.00%  w_inline       [.] " TURN_NAME " (inlined)\n\n\n");
}

/* A frame in a function of this name at [start, end). */
#define FRAME_IN(f, s, e)                 \
	((struct frame){ .has_sym = true, \
			 .sym = &(struct sym_hit){ .name = (f), .start = (s), .end = (e) } })

/* Rows of an inlined function: one for each symbol it is in, but for those side by side. */
TEST(symbols_that_touch)
{
	struct frame a = FRAME_IN("f", 0x10, 0x20), b = FRAME_IN("f", 0x20, 0x30),
		     far = FRAME_IN("f", 0x40, 0x50), other = FRAME_IN("g", 0x10, 0x20),
		     called = FRAME_IN("f", 0x30, 0x38), nowhere = FRAME_IN("f", 0x60, 0x70);
	static const struct table_config cfg = { .by_name = false };
	struct hist_data d = { .cfg = &cfg, .frames.nr_inlined = 1 };
	u32 id;

	intern_init(&d.texts);
	tuple_table_init(&d.symbol_ids, HIST_SYMBOL_KEY, HIST_SYMBOL_WORDS - HIST_SYMBOL_KEY);
	id = hist_data_inlined(&d, &a, false);
	CHECK_EQ(hist_data_inlined(&d, &b, false), id);
	CHECK_EQ(hist_data_inlined(&d, &a, false), id);
	CHECK(hist_data_inlined(&d, &far, false) != id);
	CHECK(hist_data_inlined(&d, &other, false) != id);
	/* the function itself beside a function that it was inlined into */
	CHECK_EQ(hist_data_symbol(&d, &called, 0, false), id);
	CHECK(hist_data_symbol(&d, &nowhere, 0, false) != id);
	tuple_table_fini(&d.symbol_ids);
	idmap_fini(&d.symbols_at[0]);
	idmap_fini(&d.symbols_at[1]);
	intern_fini(&d.texts);
}

/* --names=short: rows go by the name that is left, inlined or not. */
TEST(symbols_of_one_name)
{
	static const struct table_config cfg = { .by_name = true };
	struct frame a = FRAME_IN("f", 0x10, 0x20), far = FRAME_IN("f", 0x40, 0x50),
		     other = FRAME_IN("g", 0x10, 0x20), none = { .ip = 0x40 };
	struct hist_data d = { .cfg = &cfg };
	u32 id;

	intern_init(&d.texts);
	tuple_table_init(&d.symbol_ids, HIST_SYMBOL_KEY, HIST_SYMBOL_WORDS - HIST_SYMBOL_KEY);
	id = hist_data_symbol(&d, &a, 0, false);
	CHECK_EQ(hist_data_symbol(&d, &far, 0, false), id);
	CHECK_EQ(hist_data_symbol(&d, &far, 0, false), id);
	CHECK_EQ(hist_data_inlined(&d, &far, false), id);
	CHECK(hist_data_inlined(&d, &other, false) != id);
	CHECK(hist_data_symbol(&d, &none, 0x40, false) != id);
	CHECK(hist_data_symbol(&d, &none, 0x40, false) != hist_data_symbol(&d, &none, 0x41, false));
	tuple_table_fini(&d.symbol_ids);
	idmap_fini(&d.symbols_named);
	intern_fini(&d.texts);
}

TEST(short_names_of_inlined_functions)
{
	check_text(once, 1, 1,
		   ARGS("--names=short", "--no-children", "-g", "folded,callee", "-s", "sym", ),
		   "   100.00%  [.] wheel::spin\n"
		   "100.00% wheel::step (inlined);wheel::turn (inlined);twice<...> (inlined);"
		   "wheel::spin;spin_twice (inlined);nested;nested\n\n\n");
}
