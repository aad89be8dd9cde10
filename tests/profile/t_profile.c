/* SPDX-License-Identifier: MIT */
/* Profiles of built recordings, some of them with the code of testdata's w_inline. */
#include "profile/profile.h"

#include "count/counts.h"
#include "fileformat/perfdata.h"
#include "profile/profile_tree.h"
#include "session/session.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define PID 100
#define TEXT 0x401000   /* where w_inline is mapped, and where its file has this code */
#define STEP 0x2a       /* wheel::step, inlined in turn, in twice, in wheel::spin */
#define TWICE 0xac      /* spin_twice, inlined in nested: a call of spin */
#define NESTED 0xca     /* nested: a call of itself */
#define PROG 0x10000000 /* no file of it exists, so its frames have no function */
#define LIB 0x20000000

static const u64 ids[2][1] = { { 11 }, { 12 } };

struct recording {
	struct bytes b;
	struct file_builder f;
	struct pd_attr attrs[2];
	struct diag diag;
	struct perfdata *pd;
	struct session *s;
	struct profile *p;
};

static void recording_begin(struct recording *r, size_t nr_events)
{
	static const char *const names[] = { "cycles", "faults" };

	*r = (struct recording){ .b = bytes_new(false) };
	r->f.b = &r->b;
	file_begin(&r->f, BUILD_REGULAR);
	for (size_t i = 0; i < nr_events; i++) {
		r->attrs[i] = attr_plain();
		r->attrs[i].sample_type |= PD_SAMPLE_PERIOD | PD_SAMPLE_IDENTIFIER;
		file_add_event(&r->f, &r->attrs[i], ids[i], 1);
	}
	file_event_desc(&r->f, names);
	file_begin_data(&r->f);
	put_comm(&r->b, PID, PID, "w", r->attrs, NULL);
	put_mmap(&r->b, PID, TEXT, 0x1000, 0x1000, "/tmp/w/w_inline", r->attrs, NULL);
	put_mmap(&r->b, PID, PROG, 0x1000, 0, "/none/prog", r->attrs, NULL);
	put_mmap(&r->b, PID, LIB, 0x1000, 0, "/none/lib.so", r->attrs, NULL);
}

/* A sample of event number `event`; without addresses it has no call chain and lies in prog. */
static void put_stack(struct recording *r, size_t event, u64 period, size_t nr, const u64 *ips)
{
	u64 chain[64] = { PD_CONTEXT_USER };

	if (nr)
		memcpy(chain + 1, ips, nr * sizeof(*ips));
	put_sample(&r->b, &r->attrs[event],
		   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .pid = PID,
					   .tid = PID,
					   .time = 5,
					   .ip = nr ? ips[0] : PROG + 8,
					   .period = period,
					   .id = ids[event][0],
					   .ips = chain,
					   .nr_ips = nr ? nr + 1 : 0 });
}

static int recording_read(struct recording *r, const struct profile_config *cfg)
{
	const struct session_config session = {
		.symbols = { .hermetic = true, .symfs = "testdata/symfs" },
	};
	struct perr e;

	file_end(&r->f);
	diag_init(&r->diag);
	CHECK(!pd_open_mem(bytes_span(&r->b), "built", &r->diag, &r->pd, &e));
	r->s = session_new(r->pd, &session, &r->diag);
	return profile_read(r->s, cfg, &r->p, &e);
}

static void recording_end(struct recording *r)
{
	profile_free(r->p);
	session_free(r->s);
	pd_close(r->pd);
	diag_fini(&r->diag);
	bytes_free(&r->b);
}

/* Appends a frame's name, and what lines and inlining the profile knows of it. */
static void put_frame(struct out *o, const struct profile *p, frame_id id)
{
	const struct profile_frame *fr = profile_get_frame(p, id);
	const char *file = fr->file ? strrchr(fr->file, '/') : NULL;

	if (fr->function.n != PROFILE_NONE)
		out_str(o, profile_get_function(p, fr->function)->name);
	else if (fr->object.n != PROFILE_NONE)
		out_str(o, profile_get_object(p, fr->object)->path);
	else
		out_str(o, "nowhere");
	if (fr->file)
		out_printf(o, " %s:%u", file ? file + 1 : fr->file, fr->line);
	if (fr->inlined)
		out_str(o, " (inlined)");
}

static void check_stack(const struct profile *p, stack_id stack, const char *want)
{
	struct profile_stack_iter it = profile_stack(p, stack);
	struct out o;
	frame_id id;

	out_init_mem(&o);
	while (profile_stack_next(&it, &id)) {
		if (o.len)
			out_char(&o, ';');
		put_frame(&o, p, id);
	}
	out_char(&o, 0);
	CHECK_STR(o.buf, want);
	out_fini(&o);
}

/* --- rows, frames and stacks ------------------------------------------------------------------ */

static void inlined_recording(struct recording *r)
{
	recording_begin(r, 1);
	put_stack(r, 0, 10, 3, (const u64[]){ TEXT + STEP, TEXT + TWICE, TEXT + NESTED });
}

TEST(inlined_functions_are_frames)
{
	const struct profile_config cfg = { .inlines = true };
	struct recording r;

	inlined_recording(&r);
	CHECK_EQ(recording_read(&r, &cfg), 0);
	CHECK_EQ(profile_nr_rows(r.p), 1);
	check_stack(r.p, profile_get_row(r.p, 0).stack,
		    "wheel::step (inlined);wheel::turn (inlined);"
		    "unsigned long twice<unsigned long> (inlined);wheel::spin;"
		    "spin_twice (inlined);nested;nested");
	/* counted places, and the four functions that were inlined there */
	CHECK_EQ(profile_nr_frames(r.p), 3 + 4);
	CHECK_EQ(profile_nr_objects(r.p), 1);
	recording_end(&r);
}

TEST(lines_on_request)
{
	const struct profile_config cfg = { .inlines = true,
					    .lines = true,
					    .names = FUNCTION_NAMES_SHORT };
	struct recording r;

	inlined_recording(&r);
	CHECK_EQ(recording_read(&r, &cfg), 0);
	check_stack(r.p, profile_get_row(r.p, 0).stack,
		    "wheel::step w_inline.cc:12 (inlined);wheel::turn w_inline.cc:16 (inlined);"
		    "twice<...> w_inline.cc:23 (inlined);wheel::spin w_inline.cc:30;"
		    "spin_twice w_inline.cc:37 (inlined);nested w_inline.cc:47;"
		    "nested w_inline.cc:48");
	recording_end(&r);
}

TEST(without_inlined_functions)
{
	const struct profile_config cfg = { .names = FUNCTION_NAMES_FULL };
	const struct profile_function *f;
	const struct profile_frame *fr;
	const struct profile_object *o;
	struct recording r;

	inlined_recording(&r);
	CHECK_EQ(recording_read(&r, &cfg), 0);
	check_stack(r.p, profile_get_row(r.p, 0).stack,
		    "wheel::spin(unsigned long);nested(wheel&, unsigned long);"
		    "nested(wheel&, unsigned long)");
	CHECK_EQ(profile_nr_frames(r.p), 3);
	CHECK_EQ(profile_nr_functions(r.p), 2);
	fr = profile_get_frame(r.p, (frame_id){ 0 });
	CHECK_EQ(fr->ip, TEXT + STEP);
	CHECK_EQ(fr->addr, 0x1000 + STEP);
	CHECK_EQ(fr->kind, PROFILE_USER);
	CHECK(!fr->file && !fr->line);
	f = profile_get_function(r.p, fr->function);
	CHECK_STR(f->full_name, "wheel::spin(unsigned long)");
	CHECK_EQ(f->object.n, fr->object.n);
	o = profile_get_object(r.p, fr->object);
	CHECK_STR(o->path, "/tmp/w/w_inline");
	CHECK_EQ(o->start, TEXT);
	CHECK_EQ(o->pgoff, 0x1000);
	recording_end(&r);
}

TEST(empty_recording)
{
	const struct profile_tree_config tree = { 0 };
	const struct profile_config cfg = { .inlines = true, .lines = true };
	struct profile_tree *t;
	struct recording r;

	recording_begin(&r, 1);
	CHECK_EQ(recording_read(&r, &cfg), 0);
	CHECK_EQ(profile_nr_rows(r.p), 0);
	CHECK_EQ(profile_nr_frames(r.p), 0);
	CHECK_EQ(profile_nr_functions(r.p), 0);
	CHECK_EQ(profile_nr_objects(r.p), 0);
	t = profile_tree_new(r.p, &tree);
	CHECK_EQ(profile_tree_nr_nodes(t), 1);
	CHECK_EQ(profile_tree_get(t, PROFILE_TREE_TOP)->total.samples, 0);
	CHECK_EQ(profile_tree_get(t, PROFILE_TREE_TOP)->nr_children, 0);
	profile_tree_free(t);
	recording_end(&r);
}

/* A sample without a call chain is a stack of its own place. */
TEST(one_sample_without_a_chain)
{
	const struct profile_config cfg = {
		.inlines = true,
		.counts = { .columns = 1u << COUNT_COMM | 1u << COUNT_PID | 1u << COUNT_TID },
	};
	struct profile_row row;
	struct recording r;

	recording_begin(&r, 1);
	put_stack(&r, 0, 7, 0, NULL);
	CHECK_EQ(recording_read(&r, &cfg), 0);
	CHECK_EQ(profile_nr_rows(r.p), 1);
	row = profile_get_row(r.p, 0);
	CHECK_STR(row.comm, "w");
	CHECK_EQ(row.pid, PID);
	CHECK_EQ(row.tid, PID);
	CHECK_EQ(row.samples, 1);
	CHECK_EQ(row.period, 7);
	CHECK_EQ(row.time, 0); /* was not asked for */
	CHECK(row.stack.n < profile_nr_stacks(r.p));
	check_stack(r.p, row.stack, "/none/prog");
	CHECK_EQ(profile_get_counts(r.p)->nr_rows, 1);
	CHECK_EQ(profile_get_recording(r.p)->nr_events, 1);
	recording_end(&r);
}

TEST(addresses_in_no_mapping)
{
	const struct profile_config cfg = { .inlines = true, .lines = true };
	const struct profile_frame *fr;
	struct recording r;

	recording_begin(&r, 1);
	put_stack(&r, 0, 1, 1, (const u64[]){ 0x99999000 });
	CHECK_EQ(recording_read(&r, &cfg), 0);
	check_stack(r.p, profile_get_row(r.p, 0).stack, "nowhere");
	fr = profile_get_frame(r.p, (frame_id){ 0 });
	CHECK_EQ(fr->kind, PROFILE_NOWHERE);
	CHECK_EQ(fr->object.n, PROFILE_NONE);
	CHECK_EQ(fr->function.n, PROFILE_NONE);
	CHECK_EQ(fr->ip, 0x99999000);
	recording_end(&r);
}

/* What was counted before the damage is kept, and the error is returned as well. */
TEST(damaged_recording)
{
	const struct profile_config cfg = { .inlines = true };
	struct recording r;

	inlined_recording(&r);
	put_u32(&r.b, PD_RECORD_SAMPLE);
	put_u16(&r.b, 0);
	put_u16(&r.b, 4); /* a record is never shorter than its header of 8 bytes */
	CHECK_EQ(recording_read(&r, &cfg), PERR_FORMAT);
	CHECK(r.p != NULL);
	CHECK_EQ(profile_nr_rows(r.p), 1);
	CHECK_EQ(profile_get_row(r.p, 0).period, 10);
	recording_end(&r);
}

/* --- trees ------------------------------------------------------------------------------------ */

/* Appends "name total/self" of each node, indented by its depth. */
static void put_tree(struct out *o, const struct profile *p, const struct profile_tree *t, u32 node,
		     int depth)
{
	const struct profile_node *n = profile_tree_get(t, node);

	out_fill(o, ' ', (size_t)depth);
	if (node == PROFILE_TREE_TOP)
		out_str(o, "all");
	else
		put_frame(o, p, n->frame);
	out_printf(o, " %llu/%llu\n", (unsigned long long)n->total.period,
		   (unsigned long long)n->self.period);
	for (u32 i = 0; i < n->nr_children; i++)
		put_tree(o, p, t, n->first_child + i, depth + 1);
}

static void check_tree(const struct profile *p, const struct profile_tree_config *cfg,
		       const char *want)
{
	struct profile_tree *t = profile_tree_new(p, cfg);
	struct out o;

	out_init_mem(&o);
	put_tree(&o, p, t, PROFILE_TREE_TOP, 0);
	out_char(&o, 0);
	CHECK_STR(o.buf, want);
	out_fini(&o);
	profile_tree_free(t);
}

static void two_events(struct recording *r)
{
	recording_begin(r, 2);
	put_stack(r, 0, 10, 2, (const u64[]){ LIB + 1, PROG + 1 });
	put_stack(r, 0, 20, 2, (const u64[]){ LIB + 2, PROG + 2 });
	put_stack(r, 0, 5, 1, (const u64[]){ PROG + 3 });
	put_stack(r, 0, 40, 1, (const u64[]){ TEXT + NESTED });
	put_stack(r, 1, 3, 2, (const u64[]){ PROG + 4, LIB + 3 });
}

TEST(trees_of_events)
{
	static const bool cycles[] = { true, false }, faults[] = { false, true };
	const struct profile_tree_config from_root = { .wanted = cycles };
	const struct profile_tree_config from_leaf = { .root = PROFILE_TREE_FROM_LEAF,
						       .wanted = cycles };
	const struct profile_tree_config other = { .wanted = faults };
	const struct profile_tree_config all = { .by_samples = true };
	const struct profile_config cfg = { 0 };
	struct recording r;

	two_events(&r);
	CHECK_EQ(recording_read(&r, &cfg), 0);
	check_tree(r.p, &from_root,
		   "all 75/0\n"
		   " nested 40/40\n"
		   " /none/prog 35/5\n"
		   "  /none/lib.so 30/30\n");
	check_tree(r.p, &from_leaf,
		   "all 75/0\n"
		   " nested 40/40\n"
		   " /none/lib.so 30/0\n"
		   "  /none/prog 30/30\n"
		   " /none/prog 5/5\n");
	check_tree(r.p, &other,
		   "all 3/0\n"
		   " /none/lib.so 3/0\n"
		   "  /none/prog 3/3\n");
	/* three samples of prog come before a heavier one of nested */
	check_tree(r.p, &all,
		   "all 78/0\n"
		   " /none/prog 35/5\n"
		   "  /none/lib.so 30/30\n"
		   " nested 40/40\n"
		   " /none/lib.so 3/0\n"
		   "  /none/prog 3/3\n");
	recording_end(&r);
}

TEST(each_place_a_node)
{
	static const bool cycles[] = { true, false };
	const struct profile_tree_config by_frame = { .key = PROFILE_TREE_BY_FRAME,
						      .wanted = cycles };
	const struct profile_config cfg = { 0 };
	struct recording r;

	two_events(&r);
	CHECK_EQ(recording_read(&r, &cfg), 0);
	check_tree(r.p, &by_frame,
		   "all 75/0\n"
		   " nested 40/40\n"
		   " /none/prog 20/0\n"
		   "  /none/lib.so 20/20\n"
		   " /none/prog 10/0\n"
		   "  /none/lib.so 10/10\n"
		   " /none/prog 5/5\n");
	recording_end(&r);
}

/* Random stacks with recursion and inlined functions. */
static void many_stacks(struct recording *r)
{
	static const u64 places[] = { TEXT + STEP, TEXT + TWICE, TEXT + NESTED,
				      PROG + 1,    PROG + 2,     LIB + 1 };
	u64 ips[40];
	u32 seed = 5;

	recording_begin(r, 1);
	for (int i = 0; i < 3000; i++) {
		size_t nr = 0;

		while (nr < 40) {
			seed = seed * 1103515245 + 12345;
			if ((seed >> 20) % 12 == 0)
				break;
			/* one in three frames calls itself */
			ips[nr] = nr && (seed >> 25) % 3 == 0 ? ips[nr - 1]
							      : places[(seed >> 16) % 6];
			nr++;
		}
		put_stack(r, 0, 1 + (seed >> 28), nr, ips);
	}
}

/* Each node's total is its own weight and that of its children, which come by weight. */
static void check_sums(const struct profile *p, const struct profile_tree_config *cfg)
{
	struct profile_tree *t = profile_tree_new(p, cfg);
	u64 self = 0, rows = 0;

	for (u32 i = 0; i < profile_tree_nr_nodes(t); i++) {
		const struct profile_node *n = profile_tree_get(t, i), *c = NULL, *last;
		struct profile_weight sum = n->self;

		for (u32 k = 0; k < n->nr_children; k++) {
			last = c;
			c = profile_tree_get(t, n->first_child + k);
			CHECK(n->first_child + k > i);
			CHECK_EQ(c->parent, i);
			CHECK(!last || last->total.period >= c->total.period);
			sum.samples += c->total.samples;
			sum.period += c->total.period;
		}
		CHECK_EQ(sum.samples, n->total.samples);
		CHECK_EQ(sum.period, n->total.period);
		self += n->self.period;
	}
	for (size_t i = 0; i < profile_nr_rows(p); i++)
		rows += profile_get_row(p, i).period;
	CHECK_EQ(self, rows);
	CHECK_EQ(profile_tree_get(t, PROFILE_TREE_TOP)->total.period, rows);
	CHECK_EQ(profile_tree_get(t, PROFILE_TREE_TOP)->total.samples, 3000);
	profile_tree_free(t);
}

TEST(sums_of_trees)
{
	const struct profile_config cfg = { .inlines = true };
	struct recording r;

	many_stacks(&r);
	CHECK_EQ(recording_read(&r, &cfg), 0);
	for (int i = 0; i < 4; i++) {
		const struct profile_tree_config tree = {
			.root = i & 1 ? PROFILE_TREE_FROM_LEAF : PROFILE_TREE_FROM_ROOT,
			.key = i & 2 ? PROFILE_TREE_BY_FRAME : PROFILE_TREE_BY_FUNCTION,
		};

		check_sums(r.p, &tree);
	}
	recording_end(&r);
}

static char *tree_text(const struct profile_config *cfg)
{
	const struct profile_tree_config tree = { 0 };
	struct profile_tree *t;
	struct recording r;
	struct out o;

	many_stacks(&r);
	CHECK_EQ(recording_read(&r, cfg), 0);
	t = profile_tree_new(r.p, &tree);
	out_init_mem(&o);
	put_tree(&o, r.p, t, PROFILE_TREE_TOP, 0);
	out_char(&o, 0);
	profile_tree_free(t);
	recording_end(&r);
	return o.buf;
}

/* The tree by function is the same for any number of threads, and for frames counted by symbol. */
TEST(threads_and_frames_by_symbol_change_nothing)
{
	const struct profile_config one = { .counts = { .threads = 1 } };
	const struct profile_config three = { .counts = { .threads = 3 } };
	const struct profile_config named = { .counts = { .threads = 1, .by_symbol = true } };
	char *a = tree_text(&one), *b = tree_text(&three), *c = tree_text(&named);

	CHECK(strlen(a) > 1000);
	CHECK_STR(b, a);
	CHECK_STR(c, a);
	free(a);
	free(b);
	free(c);
}
