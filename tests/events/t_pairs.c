/* SPDX-License-Identifier: MIT */
/* Pairs of made recordings: what is paired, and what becomes of all that is not. */
#include "events/pairs.h"

#include <stdio.h>

#include "fileformat/feature/feature.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

/* Events t:begin {int key; char name[8]} and t:end {int other; int ret}, in either byte order. */
struct fixture {
	struct bytes b;
	struct file_builder f;
	struct diag diag;
	struct perfdata *pd;
	struct session *s;
	struct sample_sink sink;
	struct pairs pairs;
	u64 found, found_ns;
	struct perr e;
};

static const u64 ids[2][1] = { { 11 }, { 12 } };

static struct pd_attr event_attr(u64 config)
{
	struct pd_attr a = attr_plain();

	a.type = PD_TYPE_TRACEPOINT;
	a.config = config;
	a.sample_type = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
			PD_SAMPLE_CPU | PD_SAMPLE_RAW;
	return a;
}

static void put_format(struct bytes *b, const char *name, u32 id, const char *fields)
{
	char text[400];
	int n = snprintf(text, sizeof(text),
			 "name: %s\nID: %u\nformat:\n"
			 "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n%s",
			 name, id, fields);

	put_u64(b, (u64)n);
	put_mem(b, text, (size_t)n);
}

static void put_descriptions(struct bytes *b)
{
	put_mem(b, "\x17\x08\x44tracing0.6", 14);
	put_u8(b, b->big);
	put_u8(b, 8);
	put_u32(b, 4096);
	put_mem(b, "header_page", 12);
	put_u64(b, 0);
	put_mem(b, "header_event", 13);
	put_u64(b, 0);
	put_u32(b, 0);
	put_u32(b, 1);
	put_mem(b, "t", 2);
	put_u32(b, 2);
	put_format(b, "begin", 1,
		   "\tfield:int key;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:char name[8];\toffset:12;\tsize:8;\tsigned:0;\n");
	put_format(b, "end", 2,
		   "\tfield:int other;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:int ret;\toffset:12;\tsize:4;\tsigned:1;\n");
	put_u32(b, 0);
	put_u32(b, 0);
	put_u64(b, 0);
}

static void fixture_begin(struct fixture *x, bool big)
{
	struct pd_attr a = event_attr(1), b = event_attr(2);

	*x = (struct fixture){ .b = bytes_new(big) };
	x->f.b = &x->b;
	file_begin(&x->f, BUILD_REGULAR);
	file_add_event(&x->f, &a, ids[0], 1);
	file_add_event(&x->f, &b, ids[1], 1);
	put_descriptions(file_feature(&x->f, PD_FEAT_TRACING_DATA));
	/* readers tell by it that the bitmap of features is right */
	put_string(file_feature(&x->f, PD_FEAT_HOSTNAME), "h");
	file_begin_data(&x->f);
}

/* A sample; is_end: of t:end. number: key or other; name: NULL for t:end, which has ret 5. */
static void event(struct fixture *x, bool is_end, u64 time, u32 cpu, u32 number, const char *name)
{
	struct bytes raw = bytes_new(x->b.big);
	struct pd_attr a = event_attr(is_end ? 2 : 1);
	char text[8] = "";

	snprintf(text, sizeof(text), "%s", name ? name : "");
	put_u64(&raw, 0);
	put_u32(&raw, number);
	if (is_end)
		put_u32(&raw, 5);
	else
		put_mem(&raw, text, 8);
	put_fill(&raw, 0, 28 - raw.n);
	put_sample(&x->b, &a,
		   &(struct sample_parts){ .id = is_end ? 12 : 11,
					   .pid = 3,
					   .tid = 4,
					   .time = time,
					   .cpu = cpu,
					   .raw = raw.p,
					   .raw_size = 28 });
	bytes_free(&raw);
}

static void begin(struct fixture *x, u64 time, u32 key)
{
	event(x, false, time, 0, key, "a");
}

static void end(struct fixture *x, u64 time, u32 key)
{
	event(x, true, time, 0, key, NULL);
}

static void lost(struct fixture *x, u64 time, u32 cpu, u64 n)
{
	struct pd_attr a = event_attr(1);

	record_begin(&x->b, PD_RECORD_LOST, 0);
	put_u64(&x->b, 11);
	put_u64(&x->b, n);
	put_trailer(&x->b, &a, &(struct sample_parts){ .id = 11, .time = time, .cpu = cpu });
	record_end(&x->b);
}

static struct fixture *fixture_of(struct sample_sink *k)
{
	return (struct fixture *)((char *)k - offsetof(struct fixture, sink));
}

static int take(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct fixture *x = fixture_of(k);
	int err = x->pairs.ready ? 0 : pairs_start(&x->pairs, x->pd, e);

	return err ? err : pairs_take(&x->pairs, v, e);
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	(void)e;
	pairs_take_record(&fixture_of(k)->pairs, ev, fixture_of(k)->pd->swap);
	return 0;
}

static int found(void *ctx, const struct pair *p, struct perr *e)
{
	struct fixture *x = ctx;

	(void)e;
	CHECK_EQ(p->end.time - p->begin.time, p->ns);
	CHECK(p->begin.kept && p->end.kept);
	x->found++;
	x->found_ns = p->ns;
	return 0;
}

/* Reads the file with texts that are NULL as usual ones. Returns the reader's code. */
static int run(struct fixture *x, struct pairs_config cfg)
{
	static const char *begins[] = { "t:begin" }, *ends[] = { "t:end" };
	const struct session_config session = { .symbols = { .hermetic = true } };
	const struct sample_query q = { .pass = "test" };
	int err;

	if (!cfg.texts.ends) {
		cfg.texts.begins = begins;
		cfg.texts.nr_begins = 1;
		cfg.texts.ends = ends;
		cfg.texts.nr_ends = 1;
	}
	if (!cfg.texts.key && cfg.texts.nr_begins)
		cfg.texts.key = "key=other";
	cfg.max_keys = cfg.max_keys ? cfg.max_keys : 1000;
	cfg.max_mem = cfg.max_mem ? cfg.max_mem : 1 << 20;
	cfg.found = found;
	cfg.ctx = x;
	file_end(&x->f);
	diag_init(&x->diag);
	CHECK(!pd_open_mem(bytes_span(&x->b), "built", &x->diag, &x->pd, &x->e));
	x->s = session_new(x->pd, &session, &x->diag);
	x->sink = (struct sample_sink){ .flags = SINK_RECORDS,
					.sample = take,
					.record = take_record };
	pairs_init(&x->pairs, &cfg);
	err = session_run(x->s, &q, &x->sink, &x->e);
	rows_sum_up(&x->pairs.rows);
	if (!err) {
		const struct pairs *p = &x->pairs;

		/* every begin and every end is accounted for */
		CHECK_EQ(p->nr_begins, p->nr_pairs + (cfg.keep_broken ? 0 : p->nr_broken) +
					       p->nr_negative + p->nr_replaced + p->nr_dropped +
					       p->nr_of_ended + p->open.nr);
		if (p->roles.has_begins)
			CHECK_EQ(p->nr_ends, p->nr_pairs + (cfg.keep_broken ? 0 : p->nr_broken) +
						     p->nr_negative + p->nr_without_begin);
	}
	return err;
}

static void fixture_end(struct fixture *x)
{
	pairs_fini(&x->pairs);
	session_free(x->s);
	pd_close(x->pd);
	diag_fini(&x->diag);
	bytes_free(&x->b);
}

static void check_pairing(bool big)
{
	struct fixture x;
	const struct pairs *p = &x.pairs;

	fixture_begin(&x, big);
	end(&x, 1000000, 9); /* began before the recording */
	event(&x, false, 1000000, 0, 1, "x");
	event(&x, false, 1001000, 1, 2, "y");
	event(&x, true, 1003000, 1, 1, NULL); /* 3000, of another CPU */
	event(&x, true, 1001000, 1, 2, NULL); /* at once */
	event(&x, false, 1004000, 0, 1, "x");
	event(&x, false, 1005000, 0, 1, "x"); /* replaces that */
	event(&x, true, 1010000, 0, 1, NULL); /* 5000 */
	event(&x, true, 1010001, 0, 1, NULL); /* its begin is gone */
	event(&x, false, 1020000, 0, 3, "z"); /* stays open */
	event(&x, true, 201000000, 0, 9, NULL);
	CHECK_EQ(run(&x, (struct pairs_config){ .texts.by = "name",
						.than = 3000,
						.keep_samples = true,
						.nr_longest = 2 }),
		 0);
	CHECK_EQ(p->nr_pairs, 3);
	CHECK_EQ(p->nr_replaced, 1);
	CHECK_EQ(p->open.nr, 1);
	CHECK_EQ(p->nr_without_begin, 3);
	CHECK_EQ(p->nr_before_start, 2);
	CHECK_EQ(p->rows.nr, 2);
	CHECK_STR(rows_text(&p->rows, rows_key(&p->rows, 0)[0]), "y");
	CHECK_STR(rows_text(&p->rows, rows_key(&p->rows, 1)[0]), "x");
	CHECK_EQ(p->rows.items[0].sum, 0);
	CHECK_EQ(p->rows.items[1].sum, 8000);
	CHECK_EQ(p->rows.items[1].max, 5000);
	CHECK_EQ(x.found, 1);
	CHECK_EQ(x.found_ns, 5000);
	CHECK_EQ(p->nr_longest, 2);
	CHECK_EQ(p->longest[0].ns, 5000);
	CHECK_EQ(p->longest[1].ns, 3000);
	fixture_end(&x);
}

TEST(pairs_little_endian)
{
	check_pairing(false);
}

TEST(pairs_big_endian)
{
	check_pairing(true);
}

TEST(nested_begins)
{
	struct fixture x;

	fixture_begin(&x, false);
	begin(&x, 100, 1);
	begin(&x, 200, 1);
	end(&x, 230, 1);
	begin(&x, 300, 1);
	end(&x, 305, 1);
	end(&x, 400, 1);
	end(&x, 500, 1);
	CHECK_EQ(run(&x, (struct pairs_config){ .nest = true }), 0);
	CHECK_EQ(x.pairs.nr_pairs, 3);
	CHECK_EQ(x.pairs.rows.all.sum, 30 + 5 + 300);
	CHECK_EQ(x.pairs.nr_without_begin, 1);
	CHECK_EQ(x.pairs.nr_replaced, 0);
	fixture_end(&x);
}

/* Two pairs, one on each CPU, with a loss on CPU 1 between begins and ends. */
static void check_loss(const char *key, bool keep, u64 want_pairs, u64 want_broken)
{
	struct fixture x;

	fixture_begin(&x, false);
	event(&x, false, 100, 0, 1, "");
	event(&x, false, 110, 1, 2, "");
	lost(&x, 200, 1, 77);
	event(&x, true, 300, 0, 1, NULL);
	event(&x, true, 320, 1, 2, NULL);
	event(&x, false, 400, 1, 3, "");
	event(&x, true, 500, 1, 3, NULL); /* behind the loss */
	CHECK_EQ(run(&x, (struct pairs_config){ .texts.key = key, .keep_broken = keep }), 0);
	CHECK_EQ(x.pairs.nr_pairs, want_pairs);
	CHECK_EQ(x.pairs.nr_broken, want_broken);
	CHECK_EQ(x.pairs.losses.events, 77);
	CHECK_EQ(x.pairs.losses.nr, 1);
	CHECK_EQ(x.pairs.losses.largest_time, 200);
	CHECK_EQ(x.pairs.broken_max, 210);
	fixture_end(&x);
}

TEST(losses_break_pairs)
{
	check_loss("key=other", false, 1, 2);
	check_loss("key=other", true, 3, 2);
	/* partners of one CPU: only a loss of that CPU is between them */
	check_loss("key,cpu=other,cpu", false, 2, 1);
	check_loss("cpu", false, 2, 1);
	check_loss("cpu + 1", false, 2, 1);
}

static void check_thread_key(const char *key, bool want)
{
	struct fixture x;

	fixture_begin(&x, false);
	begin(&x, 100, 1);
	CHECK_EQ(run(&x, (struct pairs_config){ .texts.key = key }), 0);
	CHECK_EQ(x.pairs.key_is_thread, want);
	fixture_end(&x);
}

TEST(keys_that_are_the_thread)
{
	check_thread_key("$tid", true);
	check_thread_key("key=other", false);
	check_thread_key("tid=other", false);
	check_thread_key("tid,cpu", false);
}

/* A round that ends too early delivers a record after later ones, as clocks that differ do. */
TEST(ends_before_their_begins)
{
	struct fixture x;

	fixture_begin(&x, false);
	begin(&x, 500, 1);
	put_round(&x.b);
	put_round(&x.b);
	begin(&x, 600, 2);
	put_round(&x.b);
	put_round(&x.b);
	end(&x, 460, 1);
	put_round(&x.b);
	put_round(&x.b);
	end(&x, 700, 2);
	CHECK_EQ(run(&x, (struct pairs_config){ 0 }), 0);
	CHECK_EQ(x.pairs.nr_pairs, 1);
	CHECK_EQ(x.pairs.nr_negative, 1);
	CHECK_EQ(x.pairs.negative_max, 40);
	CHECK_EQ(x.pairs.rows.all.max, 100);
	fixture_end(&x);
}

TEST(room_for_begins_ends)
{
	struct fixture x;

	fixture_begin(&x, false);
	for (u32 i = 0; i < 10; i++)
		begin(&x, 100 + i, i);
	for (u32 i = 0; i < 10; i++)
		end(&x, 200 + i, i);
	CHECK_EQ(run(&x, (struct pairs_config){ .max_keys = 4 }), 0);
	CHECK_EQ(x.pairs.nr_dropped, 6);
	CHECK_EQ(x.pairs.dropped_time, 105);
	CHECK_EQ(x.pairs.nr_pairs, 4);
	CHECK_EQ(x.pairs.nr_without_begin, 6);
	fixture_end(&x);
}

TEST(memory_is_bounded)
{
	struct fixture x;

	fixture_begin(&x, false);
	for (u32 i = 0; i < 3000; i++) {
		begin(&x, 1000 + i * 10, i);
		end(&x, 1005 + i * 10, i);
		begin(&x, 1006 + i * 10, 100000 + i);
	}
	CHECK_EQ(run(&x, (struct pairs_config){ .texts.by = "key", .max_mem = 100000 }), 0);
	CHECK_EQ(x.pairs.nr_pairs, 3000);
	CHECK(x.pairs.nr_dropped > 1000);
	CHECK(x.pairs.rows.nr < 200);
	CHECK_EQ(x.pairs.rows.other.n, 3000 - x.pairs.rows.nr);
	CHECK_EQ(x.pairs.rows.all.n, 3000);
	fixture_end(&x);
}

TEST(conditions_and_counts)
{
	static const char *ends[] = { "t:begin/name == 'b'/,end/ret == 5 && other > 2/" };
	struct fixture x;

	fixture_begin(&x, false);
	event(&x, false, 100, 0, 7, "a");
	event(&x, false, 100, 0, 8, "b");
	end(&x, 200, 2);
	end(&x, 200, 3);
	end(&x, 200, 3);
	CHECK_EQ(run(&x,
		     (struct pairs_config){ .texts = { .ends = ends, .nr_ends = 1, .by = "tid" } }),
		 0);
	CHECK_EQ(x.pairs.nr_ends, 3);
	CHECK_EQ(x.pairs.rows.nr, 1);
	CHECK_EQ(x.pairs.rows.items[0].n, 3);
	CHECK_EQ(rows_key(&x.pairs.rows, 0)[0], 4);
	fixture_end(&x);
}

TEST(values_are_measured)
{
	static const char *ends[] = { "t:end" };
	struct fixture x;

	fixture_begin(&x, false);
	end(&x, 100, 10);
	end(&x, 100, 30);
	end(&x, 100, (u32)-1);
	CHECK_EQ(run(&x,
		     (struct pairs_config){
			     .texts = { .ends = ends, .nr_ends = 1, .value = "other" } }),
		 0);
	CHECK_EQ(x.pairs.rows.all.sum, 40);
	CHECK_EQ(x.pairs.nr_negative_values, 1);
	fixture_end(&x);
}

/* Which event a row's value is of. */
static void check_side(const char *by, u64 want)
{
	struct fixture x;

	fixture_begin(&x, false);
	event(&x, false, 100, 1, 6, "a");
	event(&x, true, 200, 2, 6, NULL);
	CHECK_EQ(run(&x, (struct pairs_config){ .texts.by = by }), 0);
	CHECK_EQ(rows_key(&x.pairs.rows, 0)[0], want);
	fixture_end(&x);
}

TEST(rows_are_of_begin_or_end)
{
	check_side("key + 1", 7);
	check_side("ret", 5);
	check_side("cpu", 1);
	check_side("begin:cpu", 1);
	check_side("end:cpu", 2);
	check_side("end:other", 6);
}

static void check_refused(struct role_texts texts, int code, const char *words)
{
	struct fixture x;

	fixture_begin(&x, false);
	begin(&x, 100, 1);
	CHECK_EQ(run(&x, (struct pairs_config){ .texts = texts }), code);
	if (!strstr(x.e.text, words))
		unit_fail(__FILE__, __LINE__, "no '%s' in: %s", words, x.e.text);
	fixture_end(&x);
}

TEST(what_is_refused)
{
	static const char *begins[] = { "t:begin" }, *ends[] = { "t:end" }, *none[] = { "t:none" },
			  *open[] = { "t:end/ret" };
	struct role_texts t = { .begins = begins, .nr_begins = 1, .ends = ends, .nr_ends = 1 };

	t.key = "key=nothing";
	check_refused(t, PERR_NOTFOUND, "'nothing' is no field");
	t.key = "name=other";
	check_refused(t, PERR_USAGE, "never match");
	t.key = "key,cpu=other";
	check_refused(t, PERR_USAGE, "as many");
	t.key = "key=other";
	t.by = "key +";
	check_refused(t, PERR_USAGE, "expected");
	t.by = "1,2,3,4,5";
	check_refused(t, PERR_USAGE, "at most 4");
	t.by = NULL;
	t.ends = none;
	check_refused(t, PERR_NOTFOUND, "record it with prec -a -e t:none");
	t.ends = open;
	check_refused(t, PERR_USAGE, "ends with /");
}
