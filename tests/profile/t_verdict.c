/* SPDX-License-Identifier: MIT */
#include "count/counts.h"
#include "profile/verdict/verdict.h"
#include "machine/chain_repeat.h"
#include "session/frames.h"

#include <glob.h>
#include <stdio.h>

#include "base/mem.h"
#include "count/stack_iter.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define PROG 0x1000
#define LIB 0x8000
#define STACK_AND_IP (1u << COUNT_STACK | 1u << COUNT_IP)

/* --- facts of recordings ---------------------------------------------------------------------- */

struct judged {
	struct diag diag;
	struct perfdata *pd;
	struct session *s;
	struct counts *c;
	struct counts_config cfg;
	struct verdict *v;
};

static bool judge(struct judged *j, const char *path, struct span mem, struct counts_config cfg)
{
	const struct session_config session_cfg = { .symbols = { .hermetic = true },
						    .arch = "x86_64" };
	struct verdict_input in = { .input = path ? path : "built", .config = &j->cfg };
	struct perr e;
	int err;

	*j = (struct judged){ .cfg = cfg };
	j->cfg.threads = 1;
	diag_init(&j->diag);
	err = path ? pd_open(path, &j->diag, &j->pd, &e)
		   : pd_open_mem(mem, "built", &j->diag, &j->pd, &e);
	if (err) {
		diag_fini(&j->diag);
		return false;
	}
	j->s = session_new(j->pd, &session_cfg, &j->diag);
	if (!counts_run(j->s, &j->cfg, &j->c, &e) || j->c) {
		counts_resolve(j->c);
		in.session = j->s;
		in.counts = j->c;
		j->v = verdict_new(&in);
	}
	return true;
}

static void judged_free(struct judged *j)
{
	verdict_free(j->v);
	counts_free(j->c);
	session_free(j->s);
	pd_close(j->pd);
	diag_fini(&j->diag);
}

static void add(struct verdict_weight *to, const struct verdict_weight *w)
{
	to->samples += w->samples;
	to->period += w->period;
}

static void check_weight(const struct verdict_weight *got, const struct verdict_weight *want)
{
	CHECK_EQ(got->samples, want->samples);
	CHECK_EQ(got->period, want->period);
}

static bool has_name(const struct counts *c, u64 id)
{
	const struct frame *f = counts_frame(c, (u32)id);

	return f->map && f->has_sym;
}

/* What has a name and what has not, of one event, found without the verdict's tables. */
static void sum_rows(const struct judged *j, u32 event, struct verdict_weight leaf[2],
		     struct verdict_weight any[2])
{
	struct stack_iter it;
	bool named;
	u32 id;

	for (size_t i = 0; i < j->c->nr_rows; i++) {
		const struct count_row *r = &j->c->rows[i];
		const struct verdict_weight w = { r->samples, r->period };

		if (r->event != event)
			continue;
		stack_iter_init(&it, j->c, count_value(r, COUNT_STACK));
		named = has_name(j->c, stack_iter_next(&it, &id) ? id : count_value(r, COUNT_IP));
		add(&leaf[named], &w);
		while (stack_iter_next(&it, &id))
			named = named && has_name(j->c, id);
		add(&any[named], &w);
	}
}

/* The verdict's events are those of the counts with samples, in their order. */
static void check_event(const struct judged *j, const struct verdict_event *ev, u32 idx)
{
	struct verdict_weight leaf[2] = { 0 }, any[2] = { 0 }, ends = { 0 }, all;

	all = (struct verdict_weight){ j->c->events[idx].samples, j->c->events[idx].period };
	check_weight(&ev->all, &all);
	for (int i = 0; i < VERDICT_ENDS; i++)
		add(&ends, &ev->ends[i]);
	check_weight(&ends, &all);
	if (!(j->cfg.columns & 1u << COUNT_IP) || !(j->cfg.columns & 1u << COUNT_STACK))
		return;
	sum_rows(j, idx, leaf, any);
	check_weight(&ev->leaf_unnamed, &leaf[0]);
	check_weight(&ev->any_unnamed, &any[0]);
	/* resolved + unresolved = total */
	add(&leaf[1], &ev->leaf_unnamed);
	check_weight(&leaf[1], &all);
	add(&any[1], &ev->any_unnamed);
	check_weight(&any[1], &all);
}

static void check_sums(const char *path, struct counts_config cfg)
{
	struct verdict_weight leaf = { 0 }, whole = { 0 };
	struct judged j;
	struct verdict_sums sums;
	size_t nr = 0;

	if (!judge(&j, path, (struct span){ 0 }, cfg))
		return;
	if (j.v) {
		verdict_sum(j.v, &sums);
		for (u32 i = 0; i < j.c->nr_events; i++)
			if (j.c->events[i].samples || j.c->events[i].filtered)
				check_event(&j, &j.v->events[nr++], i);
		CHECK_EQ(nr, j.v->nr_events);
		for (size_t i = 0; i < j.v->nr_modules; i++) {
			const struct verdict_module *m = &j.v->modules[i];

			CHECK(m->frames && m->any.samples && m->any.samples >= m->leaf.samples);
			CHECK(m->any.samples <= sums.any_unnamed.samples);
			CHECK(m->any.period <= sums.any_unnamed.period);
			add(&leaf, &m->leaf);
			add(&whole, &m->any);
		}
		check_weight(&leaf, &sums.leaf_unnamed);
		CHECK(whole.period >= sums.any_unnamed.period);
		CHECK(sums.any_unnamed.period >= sums.leaf_unnamed.period);
	}
	judged_free(&j);
}

static size_t check_all(const char *pattern)
{
	size_t nr = 0;
	glob_t g;

	if (glob(pattern, 0, NULL, &g))
		return 0;
	for (nr = 0; nr < g.gl_pathc; nr++) {
		check_sums(g.gl_pathv[nr], (struct counts_config){ .columns = STACK_AND_IP });
		check_sums(g.gl_pathv[nr], (struct counts_config){ .columns = 1u << COUNT_IP });
		check_sums(g.gl_pathv[nr],
			   (struct counts_config){ .columns = STACK_AND_IP | 1u << COUNT_COMM,
						   .by_symbol = true });
	}
	globfree(&g);
	return nr;
}

TEST(sums_of_own_recordings)
{
	CHECK(check_all("testdata/*/perf.data") > 10);
}

TEST(sums_of_public_recordings)
{
	if (!check_all("../shared/data/perfdata/*"))
		SKIP("no public recordings beside this checkout");
}

/* --- a built recording ------------------------------------------------------------------------ */

static const u64 ids[] = { 7 };

static void put_stack(struct bytes *b, const struct pd_attr *a, u64 period, size_t nr,
		      const u64 *ips)
{
	put_sample(b, a,
		   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .pid = 1,
					   .tid = 1,
					   .time = 5,
					   .ip = nr && ips[0] < PD_CONTEXT_MAX ? ips[0] : LIB + 1,
					   .period = period,
					   .id = 7,
					   .ips = ips,
					   .nr_ips = nr });
}

static u32 deep_frames = 130; /* of the longest chain */

/* A program and a library whose files are missing, some of everything. */
static void put_recording(struct bytes *b, struct file_builder *f, u64 branch_type)
{
	struct pd_attr a = attr_plain();
	u64 deep[200];
	size_t i;

	a.sample_type |= PD_SAMPLE_PERIOD | PD_SAMPLE_ID;
	a.branch_sample_type = branch_type;
	*b = bytes_new(false);
	*f = (struct file_builder){ .b = b };
	file_begin(f, BUILD_REGULAR);
	file_add_event(f, &a, ids, 1);
	file_begin_data(f);
	put_mmap2(b, 1, PROG, 0x1000, 0, "/none/prog", &a, NULL);
	put_mmap2(b, 1, LIB, 0x1000, 0, "/usr/lib/none/lib x.so", &a, NULL);
	/* twice in prog, once in nothing */
	put_stack(b, &a, 100, 4, (const u64[]){ PD_CONTEXT_USER, PROG + 1, PROG + 2, 0xdead0000 });
	put_stack(b, &a, 20, 3, (const u64[]){ PD_CONTEXT_USER, LIB + 1, PROG + 2 });
	put_stack(b, &a, 3, 2, (const u64[]){ PD_CONTEXT_USER, PROG + 1 });
	put_stack(b, &a, 4, 0, NULL);
	put_stack(b, &a, 1000, 4,
		  (const u64[]){ PD_CONTEXT_KERNEL, 0xffffffff81000001, PD_CONTEXT_USER, LIB + 2 });
	put_stack(b, &a, 2000, 3,
		  (const u64[]){ PD_CONTEXT_KERNEL, 0xffffffff81000001, 0xffffffff81000002 });
	for (i = 0; i < deep_frames; i++)
		deep[i] = PROG + i;
	put_stack(b, &a, 30000, deep_frames, deep);
	record_begin(b, PD_RECORD_LOST, 0);
	put_u64(b, 7);
	put_u64(b, 3);
	put_trailer(b, &a, &(struct sample_parts){ .time = 6 });
	record_end(b);
	record_begin(b, PD_RECORD_THROTTLE, 0);
	put_u64(b, 6);
	put_u64(b, 7);
	put_u64(b, 7);
	put_trailer(b, &a, &(struct sample_parts){ .time = 6 });
	record_end(b);
	file_end(f);
}

static const struct verdict_module *module(const struct verdict *v, const char *name)
{
	for (size_t i = 0; i < v->nr_modules; i++)
		if (!strcmp(v->modules[i].name, name))
			return &v->modules[i];
	CHECK(!"such a module");
	return NULL;
}

TEST(facts)
{
	const struct verdict_module *m;
	const struct verdict_event *ev;
	struct file_builder f;
	struct bytes b;
	struct judged j;

	put_recording(&b, &f, 0);
	CHECK(judge(&j, NULL, bytes_span(&b), (struct counts_config){ .columns = STACK_AND_IP }));
	CHECK(j.v);
	CHECK_EQ(j.v->lost, 3);
	CHECK_EQ(j.v->stats.nr_throttled, 1);
	CHECK_EQ(j.v->nr_events, 1);
	CHECK(!j.v->by_samples && !j.v->cut_by_option);
	CHECK_EQ(j.v->max_stack, 127);
	ev = &j.v->events[0];
	CHECK_EQ(ev->chain, VERDICT_CHAIN_FRAME_POINTERS);
	CHECK_EQ(ev->all.period, 33127);
	CHECK_EQ(ev->leaf_unnamed.period, 33127);
	CHECK_EQ(ev->ends[VERDICT_END_NO_CHAIN].period, 0);
	CHECK_EQ(ev->ends[VERDICT_END_EMPTY].period, 4);
	CHECK_EQ(ev->ends[VERDICT_END_KERNEL_ONLY].period, 2000);
	CHECK_EQ(ev->ends[VERDICT_END_USER].period, 100 + 20 + 3 + 1000);
	CHECK_EQ(ev->ends[VERDICT_END_TOO_DEEP].period, 30000);
	CHECK_EQ(ev->lone_user.period, 3 + 1000);
	/* the heaviest first, each row once */
	CHECK_STR(j.v->modules[0].name, "/none/prog");
	m = &j.v->modules[0];
	CHECK_EQ(m->reason, VERDICT_FILE_MISSING);
	CHECK_EQ(m->any.period, 100 + 20 + 3 + 30000);
	CHECK_EQ(m->any.samples, 4);
	CHECK_EQ(m->leaf.period, 100 + 3 + 30000);
	CHECK_EQ(m->frames, 127);
	m = module(j.v, "/usr/lib/none/lib x.so");
	CHECK_EQ(m->any.period, 20 + 4 + 1000);
	CHECK_EQ(m->leaf.period, 20 + 4);
	m = module(j.v, "[unmapped]");
	CHECK_EQ(m->reason, VERDICT_NO_MAP);
	CHECK_EQ(m->any.period, 100);
	CHECK_EQ(m->leaf.period, 0);
	m = module(j.v, "[unmapped kernel]");
	CHECK_EQ(m->reason, VERDICT_KERNEL_UNMAPPED);
	CHECK_EQ(m->leaf.period, 3000);
	CHECK_EQ(j.v->nr_modules, 4);
	judged_free(&j);
	bytes_free(&b);
}

/* An address of the upper half is no kernel's where only user space was recorded. */
TEST(no_kernel_in_recordings_of_user_space)
{
	struct file_builder f;
	struct bytes b;
	struct judged j;
	size_t flags;

	put_recording(&b, &f, 0);
	flags = get_u64(b.p + 24, false) + 40;
	set_u64(&b, flags, get_u64(b.p + flags, false) | 1ull << PD_ATTR_EXCLUDE_KERNEL);
	CHECK(judge(&j, NULL, bytes_span(&b), (struct counts_config){ .columns = STACK_AND_IP }));
	for (size_t i = 0; i < j.v->nr_modules; i++)
		CHECK(strcmp(j.v->modules[i].name, "[unmapped kernel]"));
	judged_free(&j);
	bytes_free(&b);
}

/* Frames of one object as one, repeated ones counted: the same weights. */
TEST(facts_by_symbol)
{
	const struct verdict_event *ev;
	struct file_builder f;
	struct bytes b;
	struct judged j;

	put_recording(&b, &f, 0);
	CHECK(judge(&j, NULL, bytes_span(&b),
		    (struct counts_config){ .columns = STACK_AND_IP, .by_symbol = true }));
	ev = &j.v->events[0];
	CHECK_EQ(ev->all.period, 33127);
	CHECK_EQ(ev->ends[VERDICT_END_EMPTY].period, 4);
	CHECK_EQ(ev->ends[VERDICT_END_USER].period, 100 + 20 + 3 + 1000);
	CHECK_EQ(ev->ends[VERDICT_END_TOO_DEEP].period, 30000);
	CHECK_EQ(module(j.v, "/none/prog")->any.period, 100 + 20 + 3 + 30000);
	CHECK_EQ(module(j.v, "/usr/lib/none/lib x.so")->leaf.period, 20 + 4);
	judged_free(&j);
	bytes_free(&b);
}

/*
 * Copies of stacks that end in a JIT's code, which has no unwind information, and in a file that is
 * missing.
 */
TEST(stacks_that_end_in_code_of_a_jit)
{
	const u64 stack[] = { 1, 2 };
	struct pd_attr a = attr_plain();
	const struct verdict_event *ev;
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct judged j;

	a.sample_type |= PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;
	a.sample_regs_user = 1 << 6 | 1 << 7 | 1 << 8; /* rbp, rsp, rip */
	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, NULL, 0);
	file_begin_data(&f);
	put_mmap2(&b, 1, PROG, 0x1000, 0, "/none/prog", &a, NULL);
	put_mmap2(&b, 1, LIB, 0x1000, 0, "//anon", &a, NULL);
	for (u64 i = 0; i < 3; i++) {
		const u64 ip = i ? LIB + i : PROG, regs[] = { 0, 0x70000000, ip };

		put_sample(&b, &a,
			   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
						   .pid = 1,
						   .tid = 1,
						   .time = 5,
						   .ip = ip,
						   .period = 10 + i,
						   .user_abi = 2,
						   .user_regs = regs,
						   .stack = stack,
						   .stack_size = sizeof(stack),
						   .stack_dyn_size = sizeof(stack) });
	}
	file_end(&f);
	CHECK(judge(&j, NULL, bytes_span(&b),
		    (struct counts_config){ .columns = STACK_AND_IP | 1u << COUNT_END }));
	ev = &j.v->events[0];
	CHECK_EQ(ev->ends[VERDICT_END_NO_INFO].period, 10 + 11 + 12);
	CHECK_EQ(ev->jit_ends.period, 11 + 12);
	CHECK_EQ(ev->jit_ends.samples, 2);
	judged_free(&j);
	bytes_free(&b);
}

/* More objects than a mark has numbers for: each weighs what its one sample and the long one do. */
TEST(many_modules)
{
	enum { NR = 300, LONG = 100 };
	struct pd_attr a = attr_plain();
	struct verdict_weight leaf = { 0 };
	struct file_builder f;
	struct judged j;
	struct bytes b = bytes_new(false);
	u64 all[LONG];
	char name[32];

	a.sample_type |= PD_SAMPLE_PERIOD | PD_SAMPLE_ID;
	f = (struct file_builder){ .b = &b };
	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids, 1);
	file_begin_data(&f);
	for (u64 i = 0; i < NR; i++) {
		snprintf(name, sizeof(name), "/none/%03u", (unsigned int)i);
		put_mmap2(&b, 1, PROG * (i + 1), PROG, 0, name, &a, NULL);
		put_stack(&b, &a, i + 1, 1, (const u64[]){ PROG * (i + 1) });
	}
	for (size_t i = 0; i < LONG; i++)
		all[i] = PROG * (NR - i) + 1;
	put_stack(&b, &a, 100000, LONG, all);
	file_end(&f);
	CHECK(judge(&j, NULL, bytes_span(&b), (struct counts_config){ .columns = STACK_AND_IP }));
	CHECK_EQ(j.v->nr_modules, NR);
	for (u32 i = 0; i < NR; i++) {
		const struct verdict_module *m = &j.v->modules[i];
		u64 own = NR - i;

		snprintf(name, sizeof(name), "/none/%03u", NR - 1 - i);
		CHECK_STR(m->name, name);
		CHECK_EQ(m->any.period, i < LONG ? 100000 + own : own);
		CHECK_EQ(m->any.samples, i < LONG ? 2 : 1);
		add(&leaf, &m->leaf);
	}
	CHECK_EQ(leaf.period, j.v->events[0].all.period);
	CHECK_EQ(j.v->modules[0].leaf.period, 100000 + NR);
	judged_free(&j);
	bytes_free(&b);
}

/* The attributes have no limit, as stock perf's; only a raised one permits such a chain. */
TEST(longer_chain_than_the_usual_limit)
{
	struct file_builder f;
	struct bytes b;
	struct judged j;

	deep_frames = 200;
	put_recording(&b, &f, 0);
	CHECK(judge(&j, NULL, bytes_span(&b),
		    (struct counts_config){ .columns = STACK_AND_IP, .max_stack = 1024 }));
	CHECK_EQ(j.v->events[0].ends[VERDICT_END_TOO_DEEP].period, 0);
	judged_free(&j);
	bytes_free(&b);
}

TEST(cut_by_the_command)
{
	struct file_builder f;
	struct bytes b;
	struct judged j;

	put_recording(&b, &f, PD_BRANCH_CALL_STACK);
	CHECK(judge(&j, NULL, bytes_span(&b),
		    (struct counts_config){ .columns = STACK_AND_IP, .max_stack = 2 }));
	CHECK(j.v->cut_by_option);
	CHECK_EQ(j.v->max_stack, 2);
	CHECK_EQ(j.v->events[0].chain, VERDICT_CHAIN_LBR);
	judged_free(&j);
	/* rows that do not say where they were */
	CHECK(judge(&j, NULL, bytes_span(&b), (struct counts_config){ 0 }));
	CHECK(!j.v->has_places);
	CHECK_EQ(j.v->nr_modules, 0);
	CHECK_EQ(j.v->events[0].all.period, 33127);
	judged_free(&j);
	bytes_free(&b);
}

TEST(losses_alone)
{
	const struct replay_stats st = { .nr_samples = 9,
					 .nr_lost_records = 2,
					 .nr_lost_samples = 5 };
	struct verdict_input in = { .input = "-" };
	struct file_builder f;
	struct bytes b;
	struct judged j;
	struct verdict *v;

	put_recording(&b, &f, 0);
	CHECK(judge(&j, NULL, bytes_span(&b), (struct counts_config){ 0 }));
	in.session = j.s;
	v = verdict_new_losses(&in, &st);
	CHECK_EQ(v->lost, 5);
	CHECK(!v->has_places);
	verdict_free(v);
	judged_free(&j);
	bytes_free(&b);
}
