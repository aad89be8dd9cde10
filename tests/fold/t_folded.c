/* SPDX-License-Identifier: MIT */
#include "count/counts.h"
#include "fold/folded.h"

#include "fold/fold_diff.h"
#include "profile/event_choice.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

/* --- recordings ------------------------------------------------------------------------------- */

#define TASK 100 /* pid of "my prog"; its threads are 100 and 101 */

/* A recording that is being made, and its counts. */
struct recording {
	struct bytes b;
	struct file_builder f;
	struct pd_attr attrs[3];
	struct diag diag;
	struct perfdata *pd;
	struct session *s;
	struct counts *c;
	bool wanted[3];
};

static const u64 ids[3][1] = { { 11 }, { 12 }, { 13 } };

static void recording_begin(struct recording *r, const char *const *names, size_t nr)
{
	size_t i;

	*r = (struct recording){ .b = bytes_new(false) };
	r->f.b = &r->b;
	file_begin(&r->f, BUILD_REGULAR);
	for (i = 0; i < nr; i++) {
		r->attrs[i] = attr_plain();
		r->attrs[i].sample_type |= PD_SAMPLE_PERIOD | PD_SAMPLE_IDENTIFIER;
		file_add_event(&r->f, &r->attrs[i], ids[i], 1);
	}
	file_event_desc(&r->f, names);
	file_begin_data(&r->f);
	put_comm(&r->b, TASK, TASK, "my prog", r->attrs, NULL);
	put_task(&r->b, PD_RECORD_FORK, TASK, TASK, TASK + 1, TASK, 0, r->attrs, NULL);
	put_mmap2(&r->b, TASK, 0x1000, 0x1000, 0, "/none/prog", r->attrs, NULL);
	put_mmap2(&r->b, TASK, 0x8000, 0x1000, 0, "/none/lib x.so", r->attrs, NULL);
	put_comm(&r->b, 7, 7, "a;b", r->attrs, NULL);
}

static void put_stack(struct recording *r, size_t event, u32 pid, u32 tid, u64 period, size_t nr,
		      const u64 *ips)
{
	put_sample(&r->b, &r->attrs[event],
		   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
					   .pid = pid,
					   .tid = tid,
					   .time = 5,
					   .ip = nr ? ips[0] : 0x1010,
					   .period = period,
					   .id = ids[event][0],
					   .ips = ips,
					   .nr_ips = nr });
}

static void recording_count(struct recording *r)
{
	const struct session_config cfg = { .symbols = { .hermetic = true } };
	struct folded_config folded = { .root = FOLD_ROOT_TID };
	struct counts_config count = { .threads = 1 };
	struct perr e;

	file_end(&r->f);
	diag_init(&r->diag);
	CHECK(!pd_open_mem(bytes_span(&r->b), "built", &r->diag, &r->pd, &e));
	r->s = session_new(r->pd, &cfg, &r->diag);
	folded_want(&folded, r->pd, &count);
	CHECK(!counts_run(r->s, &count, &r->c, &e));
	counts_resolve(r->c);
	memset(r->wanted, 1, sizeof(r->wanted));
}

static void recording_end(struct recording *r)
{
	counts_free(r->c);
	session_free(r->s);
	pd_close(r->pd);
	diag_fini(&r->diag);
	bytes_free(&r->b);
}

static const char *const cycles[] = { "cycles" };

/* Frames of [prog] at 0x1xxx, [lib x.so] at 0x8xxx. */
static void small_recording(struct recording *r, u64 scale)
{
	recording_begin(r, cycles, 1);
	put_stack(r, 0, TASK, TASK, 10 * scale, 3, (const u64[]){ 0x1001, 0x1002, 0x8003 });
	/* other addresses, the same names */
	put_stack(r, 0, TASK, TASK, 5 * scale, 3, (const u64[]){ 0x1004, 0x1005, 0x8006 });
	put_stack(r, 0, TASK, TASK + 1, 1 * scale, 1, (const u64[]){ 0x1001 });
	put_stack(r, 0, 7, 7, 2 * scale, 1, (const u64[]){ 0x1001 });
	/* no call chain */
	put_stack(r, 0, TASK, TASK, 3 * scale, 0, NULL);
	recording_count(r);
}

static void check_lines(struct recording *r, struct folded_config cfg, const char *want)
{
	struct folded *f = folded_new(&cfg);
	struct perr e;
	struct out o;

	out_init_mem(&o);
	folded_name_frames(f, r->c);
	folded_add(f, r->s, r->c, r->wanted, 0);
	CHECK(!folded_print(f, &o, &e));
	out_char(&o, 0);
	CHECK_STR(o.buf, want);
	out_fini(&o);
	folded_free(f);
}

TEST(frames_named_alike_are_one)
{
	struct recording r;

	small_recording(&r, 1);
	check_lines(&r, (struct folded_config){ .threads = 1 },
		    "a%3Bb;[unknown] 2\n"
		    "my_prog;[lib x.so];[prog];[prog] 15\n"
		    "my_prog;[prog] 4\n");
	recording_end(&r);
}

TEST(roots)
{
	struct recording r;

	small_recording(&r, 1);
	check_lines(&r, (struct folded_config){ .root = FOLD_ROOT_PID },
		    "a%3Bb-7;[unknown] 2\n"
		    "my_prog-100;[lib x.so];[prog];[prog] 15\n"
		    "my_prog-100;[prog] 4\n");
	check_lines(&r, (struct folded_config){ .root = FOLD_ROOT_TID },
		    "a%3Bb-7/7;[unknown] 2\n"
		    "my_prog-100/100;[lib x.so];[prog];[prog] 15\n"
		    "my_prog-100/100;[prog] 3\n"
		    "my_prog-100/101;[prog] 1\n");
	check_lines(&r, (struct folded_config){ .root = FOLD_ROOT_NONE },
		    "[lib x.so];[prog];[prog] 15\n"
		    "[prog] 4\n"
		    "[unknown] 2\n");
	recording_end(&r);
}

TEST(samples_instead_of_periods)
{
	struct recording r;

	small_recording(&r, 1000);
	check_lines(&r, (struct folded_config){ .weight = FOLD_WEIGHT_SAMPLES },
		    "a%3Bb;[unknown] 1\n"
		    "my_prog;[lib x.so];[prog];[prog] 2\n"
		    "my_prog;[prog] 2\n");
	recording_end(&r);
}

/* Many rows, so that there are several pieces. */
TEST(threads_change_nothing)
{
	struct folded_config cfg = { .root = FOLD_ROOT_TID };
	struct recording r;
	struct out one;
	struct perr e;
	u64 ips[12];
	u32 seed = 3;
	int i, k;

	recording_begin(&r, cycles, 1);
	for (i = 0; i < 20000; i++) {
		for (k = 0; k < 12; k++) {
			seed = seed * 1103515245 + 12345;
			ips[k] = (seed >> 30 ? 0x1000 : 0x8000) + (seed >> 16) % 256;
		}
		put_stack(&r, 0, TASK, TASK + (u32)i % 2, (u64)i, 1 + (seed >> 8) % 12, ips);
	}
	recording_count(&r);
	out_init_mem(&one);
	for (cfg.threads = 1; cfg.threads <= 5; cfg.threads++) {
		struct folded *f = folded_new(&cfg);
		struct out o;

		out_init_mem(&o);
		folded_name_frames(f, r.c);
		folded_add(f, r.s, r.c, r.wanted, 0);
		CHECK_EQ(folded_total(f, 0), 20000 * 19999 / 2);
		CHECK(!folded_print(f, cfg.threads == 1 ? &one : &o, &e));
		if (cfg.threads > 1) {
			CHECK_EQ(o.len, one.len);
			CHECK_MEM(o.buf, one.buf, o.len);
		}
		out_fini(&o);
		folded_free(f);
	}
	CHECK(one.len > 1000);
	out_fini(&one);
	recording_end(&r);
}

/* --- events ----------------------------------------------------------------------------------- */

static void one_sample_each(struct recording *r, const char *const *names, size_t nr)
{
	size_t i;

	recording_begin(r, names, nr);
	for (i = 0; i < nr; i++)
		put_stack(r, i, TASK, TASK, 1ull << (8 * i), 1, (const u64[]){ 0x1001 });
	recording_count(r);
}

static int choose(struct recording *r, const char *want, char **ret_choices)
{
	struct perr e;

	*ret_choices = NULL;
	return event_choose_one(r->pd, r->c, want, r->wanted, ret_choices, &e);
}

TEST(several_events_are_not_added)
{
	static const char *const names[] = { "cycles", "page-faults" };
	struct recording r;
	char *choices;

	one_sample_each(&r, names, 2);
	CHECK_EQ(choose(&r, NULL, &choices), PERR_USAGE);
	CHECK_STR(choices, "  -e 'cycles'\t1 samples\n  -e 'page-faults'\t1 samples\n");
	free(choices);
	CHECK_EQ(choose(&r, "page-faults", &choices), 0);
	check_lines(&r, (struct folded_config){ 0 }, "my_prog;[prog] 256\n");
	CHECK_EQ(choose(&r, "page", &choices), PERR_USAGE);
	free(choices);
	recording_end(&r);
}

TEST(hybrid_pairs_are_added)
{
	static const char *const names[] = { "cpu_core/cycles/u", "cpu_atom/cycles/u",
					     "cpu_core/instructions/u" };
	struct recording r;
	char *choices;

	one_sample_each(&r, names, 2);
	CHECK_EQ(choose(&r, NULL, &choices), 0);
	check_lines(&r, (struct folded_config){ 0 }, "my_prog;[prog] 257\n");
	recording_end(&r);
	one_sample_each(&r, names, 3);
	CHECK_EQ(choose(&r, NULL, &choices), PERR_USAGE);
	free(choices);
	CHECK_EQ(choose(&r, "cycles/u", &choices), 0);
	check_lines(&r, (struct folded_config){ 0 }, "my_prog;[prog] 257\n");
	CHECK_EQ(choose(&r, "cpu_atom/cycles/u", &choices), 0);
	check_lines(&r, (struct folded_config){ 0 }, "my_prog;[prog] 256\n");
	recording_end(&r);
}

TEST(what_pairs_have_in_common)
{
	static const char *const names[][2] = {
		{ "cpu_core/cycles/", "cycles" },
		{ "cpu_core/cycles/u", "cycles/u" },
		{ "cpu_atom/event=1/P", "event=1/P" },
		{ "cycles", "cycles" },
		{ "cpu/cycles/", "cpu/cycles/" },
		{ "cpu_core", "cpu_core" },
		{ "cpu_core/x", "cpu_core/x" },
		{ "cpu_core//", "" },
		{ "", "" },
	};
	struct span base;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		base = event_base_name(names[i][0]);
		CHECK_EQ(base.n, strlen(names[i][1]));
		CHECK_MEM(base.p, names[i][1], base.n);
	}
}

/* An event that was recorded and never seen is no choice. */
TEST(events_without_samples_do_not_count)
{
	static const char *const names[] = { "dummy", "cycles" };
	struct recording r;
	char *choices;

	recording_begin(&r, names, 2);
	put_stack(&r, 1, TASK, TASK, 4, 1, (const u64[]){ 0x1001 });
	recording_count(&r);
	CHECK_EQ(choose(&r, NULL, &choices), 0);
	check_lines(&r, (struct folded_config){ 0 }, "my_prog;[prog] 4\n");
	recording_end(&r);
}

/* --- two recordings --------------------------------------------------------------------------- */

static void check_diff(struct recording *a, struct recording *b, bool normalize, const char *want)
{
	const struct folded_config cfg = { .root = FOLD_ROOT_NONE };
	struct folded *f = folded_new(&cfg);
	struct perr e;
	struct out o;

	out_init_mem(&o);
	folded_name_frames(f, a->c);
	folded_add(f, a->s, a->c, a->wanted, 0);
	folded_name_frames(f, b->c);
	folded_add(f, b->s, b->c, b->wanted, 1);
	CHECK(!fold_diff_print(f, normalize, &o, &e));
	out_char(&o, 0);
	CHECK_STR(o.buf, want);
	out_fini(&o);
	folded_free(f);
}

TEST(diff)
{
	struct recording a, b;

	small_recording(&a, 1); /* 21 in all */
	recording_begin(&b, cycles, 1);
	put_stack(&b, 0, TASK, TASK, 80, 1, (const u64[]){ 0x1001 });
	put_stack(&b, 0, TASK, TASK, 20, 2, (const u64[]){ 0x1001, 0x1002 });
	recording_count(&b);
	check_diff(&a, &b, false,
		   "[lib x.so];[prog];[prog] 15 0\n"
		   "[prog] 4 80\n"
		   "[prog];[prog] 0 20\n"
		   "[unknown] 2 0\n");
	/* times 100 / 21, rounded down */
	check_diff(&a, &b, true,
		   "[lib x.so];[prog];[prog] 71 0\n"
		   "[prog] 19 80\n"
		   "[prog];[prog] 0 20\n"
		   "[unknown] 9 0\n");
	recording_end(&a);
	recording_end(&b);
}

TEST(diff_with_an_empty_recording)
{
	struct recording a, b;

	small_recording(&a, 1ull << 40);
	recording_begin(&b, cycles, 1);
	recording_count(&b);
	check_diff(&a, &b, true,
		   "[lib x.so];[prog];[prog] 16492674416640 0\n"
		   "[prog] 4398046511104 0\n"
		   "[unknown] 2199023255552 0\n");
	check_diff(&a, &a, true,
		   "[lib x.so];[prog];[prog] 16492674416640 16492674416640\n"
		   "[prog] 4398046511104 4398046511104\n"
		   "[unknown] 2199023255552 2199023255552\n");
	recording_end(&a);
	recording_end(&b);
}
