/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "count/counts.h"
#include "profile/verdict/verdict.h"
#include "profile/verdict/verdict_text.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define NR_OBJECTS 200 /* the numbers of some are too large for a mark */
#define NR_STACKS 30000
#define FIRST 0x10000
#define SIZE 0x1000

static const u64 ids[] = { 7 };

/* Stacks in many objects whose files are missing, some of them in none. */
static void put_recording(struct bytes *b)
{
	struct file_builder f = { .b = b };
	struct pd_attr a = attr_plain();
	u64 ips[6] = { PD_CONTEXT_USER };
	u32 seed = 3;
	char name[32];

	a.sample_type |= PD_SAMPLE_PERIOD | PD_SAMPLE_ID;
	*b = bytes_new(false);
	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids, 1);
	file_begin_data(&f);
	for (u64 i = 0; i < NR_OBJECTS; i++) {
		snprintf(name, sizeof(name), "/none/lib%d.so", (int)i);
		put_mmap2(b, 1, FIRST + i * SIZE, SIZE, 0, name, &a, NULL);
	}
	for (u64 i = 0; i < NR_STACKS; i++) {
		for (int k = 1; k < 6; k++) {
			seed = seed * 1103515245 + 12345;
			ips[k] = FIRST + (seed >> 12) % ((NR_OBJECTS + 8) * SIZE);
		}
		put_sample(b, &a,
			   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
						   .pid = 1,
						   .tid = 1,
						   .time = 5,
						   .ip = ips[1],
						   .period = i,
						   .id = 7,
						   .ips = ips,
						   .nr_ips = 2 + (seed >> 9) % 5 });
	}
	file_end(&f);
}

static void print_verdict(struct perfdata *pd, unsigned int threads, struct diag *diag,
			  struct out *o)
{
	const struct session_config session_cfg = { .symbols = { .hermetic = true },
						    .arch = "x86_64" };
	const struct counts_config cfg = { .columns = 1u << COUNT_STACK | 1u << COUNT_IP,
					   .threads = threads };
	struct verdict_input in = { .input = "built", .config = &cfg };
	struct session *s = session_new(pd, &session_cfg, diag);
	struct verdict *v;
	struct counts *c;
	struct perr e;

	CHECK(!counts_run(s, &cfg, &c, &e));
	counts_resolve(c);
	in.session = s;
	in.counts = c;
	v = verdict_new(&in);
	CHECK(c->nr_rows > 20000 && v->nr_modules > NR_OBJECTS);
	verdict_print_json(o, "t", &(const struct verdict *){ v }, 1, NULL);
	verdict_free(v);
	counts_free(c);
	session_free(s);
}

/* Many rows, so that there are several pieces. */
TEST(threads_change_nothing)
{
	struct out one, several;
	struct diag diag;
	struct perfdata *pd;
	struct bytes b;
	struct perr e;

	put_recording(&b);
	out_init_mem(&one);
	for (unsigned int threads = 1; threads <= 5; threads += 2) {
		diag_init(&diag);
		CHECK(!pd_open_mem(bytes_span(&b), "built", &diag, &pd, &e));
		out_init_mem(&several);
		print_verdict(pd, threads, &diag, threads == 1 ? &one : &several);
		if (threads > 1) {
			CHECK_EQ(several.len, one.len);
			CHECK_MEM(several.buf, one.buf, one.len);
		}
		out_fini(&several);
		pd_close(pd);
		diag_fini(&diag);
	}
	CHECK(one.len > 1000);
	out_fini(&one);
	bytes_free(&b);
}
