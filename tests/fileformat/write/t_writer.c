/* SPDX-License-Identifier: MIT */
/* Whole files and pipes, written and read back. */
#include "fileformat/write/writer.h"

#include "fileformat/write/feature_encode.h"
#include "fileformat/write/record_encode.h"
#include "tests/frame/unit.h"

#define NR_EVENTS 2

static u64 ids_a[] = { 101, 102, 103 }, ids_b[] = { 201 };

struct sample_file {
	struct pd_out_event events[NR_EVENTS];
	struct wbuf desc, host;
	struct pd_feature_out features[4];
	struct pd_head head;
	struct pd_out_layout layout;
	struct wbuf b;
};

static char name_a[] = "cpu-clock:u", name_b[] = "task-clock";

static void make_head(struct sample_file *f)
{
	struct pd_attr a = { .type = PD_TYPE_SOFTWARE,
			     .size = 64,
			     .sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
					    PD_SAMPLE_IDENTIFIER,
			     .flags = 1ull << PD_ATTR_SAMPLE_ID_ALL };

	*f = (struct sample_file){ 0 };
	f->events[0] =
		(struct pd_out_event){ .attr = a, .name = name_a, .ids = ids_a, .nr_ids = 3 };
	a.config = 1;
	f->events[1] =
		(struct pd_out_event){ .attr = a, .name = name_b, .ids = ids_b, .nr_ids = 1 };
	pd_put_event_desc(&f->desc, f->events, NR_EVENTS, 64);
	pd_put_string(&f->host, "here");
	f->features[0] = (struct pd_feature_out){ PD_FEAT_HOSTNAME, wb_span(&f->host) };
	f->features[1] = (struct pd_feature_out){ PD_FEAT_EVENT_DESC, wb_span(&f->desc) };
	f->features[2] = (struct pd_feature_out){ PD_FEAT_BRANCH_STACK, { NULL, 0 } };
	f->head = (struct pd_head){ .events = f->events,
				    .nr_events = NR_EVENTS,
				    .attr_size = 64,
				    .features = f->features,
				    .nr_features = 3 };
}

static void free_head(struct sample_file *f)
{
	wb_fini(&f->desc);
	wb_fini(&f->host);
	wb_fini(&f->b);
}

/* A COMM between two rounds; returns their bytes. */
static u64 put_data(struct sample_file *f)
{
	size_t at = f->b.n;

	pd_put_finished_round(&f->b);
	pd_put_comm(&f->b, 7, 8, "worker", PD_MISC_COMM_EXEC, pd_trailer_size(&f->events[0].attr));
	pd_put_finished_round(&f->b);
	return f->b.n - at;
}

static void rewrite_header(struct sample_file *f, u64 data_size, const u64 *bits)
{
	struct wbuf h = { 0 };

	pd_put_header(&h, &f->layout, 64, data_size, bits, 0);
	CHECK_EQ(h.n, 104);
	memcpy(f->b.p, h.p, h.n);
	wb_fini(&h);
}

static struct perfdata *open_with(const struct sample_file *f, size_t nr_warnings)
{
	struct perfdata *pd;
	struct diag diag;
	struct perr e;

	diag_init(&diag);
	CHECK(!pd_open_mem(wb_span(&f->b), "mem", &diag, &pd, &e));
	CHECK_EQ(diag.nr, nr_warnings);
	pd->diag = NULL;
	diag_fini(&diag);
	return pd;
}

static struct perfdata *open_file(const struct sample_file *f)
{
	return open_with(f, 0);
}

static void check_events(const struct perfdata *pd)
{
	CHECK_EQ(pd->nr_events, NR_EVENTS);
	CHECK_STR(pd->events[0]->name, name_a);
	CHECK_EQ(pd->events[0]->nr_ids, 3);
	CHECK_MEM(pd->events[0]->ids, ids_a, sizeof(ids_a));
	CHECK_STR(pd->events[1]->name, name_b);
	CHECK_EQ(pd->events[1]->nr_ids, 1);
	CHECK_EQ(pd->events[1]->ids[0], 201);
	CHECK_EQ(pd->events[1]->attr.config, 1);
	CHECK_EQ(pd->events[1]->attr.size, pd->kind == PD_PIPE ? 128 : 64);
}

static void check_data(struct perfdata *pd)
{
	static const u32 types[] = { PD_RECORD_FINISHED_ROUND, PD_RECORD_COMM,
				     PD_RECORD_FINISHED_ROUND };
	struct pd_record r;
	struct perr e;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++) {
		CHECK_EQ(pd_next(pd, &r, &e), 1);
		CHECK_EQ(r.type, types[i]);
	}
	CHECK_EQ(pd_next(pd, &r, &e), 0);
	CHECK(!pd->truncated);
}

TEST(file_comes_back)
{
	struct sample_file f;
	struct perfdata *pd;
	struct span text;
	u64 bits[4], size;
	struct perr e;

	make_head(&f);
	pd_put_head(&f.b, &f.head, &f.layout);
	CHECK_EQ(f.b.n, f.layout.data_off);
	CHECK_EQ(f.b.n % 8, 0);
	size = put_data(&f);
	pd_put_feature_table(&f.b, &f.layout, f.b.n, NULL, 0, bits);
	CHECK_EQ(bits[0], 1ull << PD_FEAT_HOSTNAME | 1ull << PD_FEAT_EVENT_DESC |
				  1ull << PD_FEAT_BRANCH_STACK);
	CHECK_EQ(f.b.n, f.layout.data_off + size + 3 * 16);
	rewrite_header(&f, size, bits);
	pd = open_file(&f);
	CHECK_EQ(pd->kind, PD_REGULAR);
	CHECK_EQ(pd->attr_size, 80);
	CHECK_EQ(pd->attrs_off, 104 + 8 * 4);
	CHECK_EQ(pd->attrs_size, 2 * 80);
	CHECK(!pd->unfinished);
	check_events(pd);
	check_data(pd);
	CHECK(pd_feature_get(pd, PD_FEAT_BRANCH_STACK));
	CHECK_EQ(pd_feature_get(pd, PD_FEAT_BRANCH_STACK)->data.n, 0);
	CHECK(pd_feature_get(pd, PD_FEAT_HOSTNAME)->off < pd->data_off);
	CHECK(!pd_feature_text(pd_feature_get(pd, PD_FEAT_HOSTNAME)->data, false, &text, &e));
	CHECK_EQ(text.n, 4);
	CHECK_MEM(text.p, "here", 4);
	CHECK(!pd_feature_get(pd, PD_FEAT_NRCPUS));
	pd_close(pd);
	free_head(&f);
}

/* A file as it stands from the first write on: no features, and no data or some. */
TEST(file_without_features_is_whole)
{
	static const u64 none[4];
	struct sample_file f;
	struct perfdata *pd;
	u64 size;

	make_head(&f);
	pd_put_head(&f.b, &f.head, &f.layout);
	pd = open_file(&f);
	CHECK(pd->unfinished && pd->no_size);
	CHECK_EQ(pd->nr_events, NR_EVENTS);
	pd_close(pd);
	size = put_data(&f);
	rewrite_header(&f, size, none);
	pd = open_file(&f);
	CHECK(!pd->unfinished);
	CHECK_EQ(pd->features[0], 0);
	CHECK_EQ(pd->events[0]->nr_ids, 3);
	check_data(pd);
	pd_close(pd);
	free_head(&f);
}

/* Features known at the end: one new, one in place of an early one, one of a high bit, one empty.
 */
TEST(late_features_stand_in_for_early_ones)
{
	struct wbuf host = { 0 }, version = { 0 };
	struct pd_feature_out late[4];
	struct sample_file f;
	struct perfdata *pd;
	u64 bits[4], size;

	make_head(&f);
	pd_put_string(&host, "elsewhere");
	wb_zero(&version, 13); /* no multiple of 8 */
	late[0] = (struct pd_feature_out){ PD_FEAT_HOSTNAME, wb_span(&host) };
	late[1] = (struct pd_feature_out){ PD_FEAT_VERSION, wb_span(&version) };
	late[2] = (struct pd_feature_out){ 201, span_of("simpleperf", 10) };
	late[3] = (struct pd_feature_out){ PD_FEAT_STAT, span_of(NULL, 0) };
	pd_put_head(&f.b, &f.head, &f.layout);
	size = put_data(&f);
	pd_put_feature_table(&f.b, &f.layout, f.b.n, late, 4, bits);
	CHECK_EQ(bits[3], 1ull << (201 - 192));
	rewrite_header(&f, size, bits);
	pd = open_file(&f);
	check_events(pd);
	check_data(pd);
	CHECK_EQ(pd_feature_get(pd, PD_FEAT_HOSTNAME)->data.n, host.n);
	CHECK_MEM(pd_feature_get(pd, PD_FEAT_HOSTNAME)->data.p, host.p, host.n);
	CHECK(pd_feature_get(pd, PD_FEAT_HOSTNAME)->off > pd->feat_off);
	CHECK_EQ(pd_feature_get(pd, PD_FEAT_VERSION)->data.n, 13);
	CHECK_EQ(pd_feature_get(pd, 201)->data.n, 10);
	CHECK_MEM(pd_feature_get(pd, 201)->data.p, "simpleperf", 10);
	CHECK_EQ(pd_feature_get(pd, 201)->off % 8, 0);
	CHECK(pd_feature_get(pd, PD_FEAT_STAT)->present);
	CHECK_EQ(pd_feature_get(pd, PD_FEAT_STAT)->data.n, 0);
	pd_close(pd);
	wb_fini(&host);
	wb_fini(&version);
	free_head(&f);
}

/* The data's end need not be a multiple of 8. */
TEST(table_behind_an_odd_end)
{
	struct wbuf host = { 0 };
	struct pd_feature_out late;
	struct sample_file f;
	struct perfdata *pd;
	u64 bits[4], size;

	make_head(&f);
	pd_put_string(&host, "elsewhere");
	late = (struct pd_feature_out){ PD_FEAT_HOSTNAME, wb_span(&host) };
	pd_put_head(&f.b, &f.head, &f.layout);
	size = put_data(&f);
	/* HEADER_FEATURE is a record of any length */
	pd_put_header_feature(&f.b, PD_FEAT_ARCH, span_of("xyz", 3));
	size = f.b.n - f.layout.data_off;
	CHECK(size % 8);
	pd_put_feature_table(&f.b, &f.layout, f.b.n, &late, 1, bits);
	rewrite_header(&f, size, bits);
	pd = open_file(&f);
	check_events(pd);
	CHECK_EQ(pd_feature_get(pd, PD_FEAT_HOSTNAME)->off % 8, 0);
	CHECK_MEM(pd_feature_get(pd, PD_FEAT_HOSTNAME)->data.p, host.p, host.n);
	pd_close(pd);
	wb_fini(&host);
	free_head(&f);
}

TEST(pipe_comes_back)
{
	struct wbuf blob = { 0 };
	struct sample_file f;
	struct perfdata *pd;
	struct pd_record r;
	struct perr e;
	u32 nr_comm = 0;
	int got;

	make_head(&f);
	wb_zero(&blob, 70000);
	f.features[2] = (struct pd_feature_out){ PD_FEAT_PMU_MAPPINGS, wb_span(&blob) };
	f.features[3] = (struct pd_feature_out){ PD_FEAT_CLN_SIZE, span_of("abcd", 4) };
	f.head.nr_features = 4;
	pd_put_pipe_head(&f.b, &f.head);
	put_data(&f);
	pd = open_file(&f);
	CHECK_EQ(pd->kind, PD_PIPE);
	check_events(pd);
	CHECK(pd_feature_get(pd, PD_FEAT_HOSTNAME));
	/* too long for a record, and too new for older readers */
	CHECK(!pd_feature_get(pd, PD_FEAT_PMU_MAPPINGS));
	CHECK(!pd_feature_get(pd, PD_FEAT_CLN_SIZE));
	while ((got = pd_next(pd, &r, &e)) > 0)
		nr_comm += r.type == PD_RECORD_COMM;
	CHECK_EQ(got, 0);
	CHECK_EQ(nr_comm, 1);
	CHECK(!pd->truncated);
	pd_close(pd);
	wb_fini(&blob);
	free_head(&f);
}

/* Stock readers copy an attr at the size of their own struct: see the writer. */
TEST(attrs_in_pipes_are_large)
{
	struct sample_file f;
	struct perfdata *pd;
	size_t i;

	make_head(&f);
	f.events[0].nr_ids = 0;
	pd_put_pipe_head(&f.b, &f.head);
	put_data(&f);
	pd = open_file(&f);
	for (i = 0; i < NR_EVENTS; i++)
		CHECK_EQ(pd->events[i]->attr.size, 128);
	CHECK_EQ(pd->events[0]->nr_ids, 0);
	CHECK_EQ(pd->events[1]->ids[0], 201);
	pd_close(pd);
	f.head.attr_size = 144;
	f.b.n = 0;
	pd_put_pipe_head(&f.b, &f.head);
	put_data(&f);
	pd = open_file(&f);
	CHECK_EQ(pd->events[0]->attr.size, 144);
	pd_close(pd);
	free_head(&f);
}

TEST(pipe_with_tracing_data)
{
	struct sample_file f;
	struct perfdata *pd;
	struct pd_record r;
	struct perr e;
	u32 nr = 0;
	int got;

	make_head(&f);
	f.features[2] = f.features[1];
	f.features[1] = f.features[0];
	f.features[0] =
		(struct pd_feature_out){ PD_FEAT_TRACING_DATA, span_of("tracing texts", 13) };
	pd_put_pipe_head(&f.b, &f.head);
	put_data(&f);
	pd = open_file(&f);
	while ((got = pd_next(pd, &r, &e)) > 0)
		nr += r.type == PD_RECORD_HEADER_TRACING_DATA || r.type == PD_RECORD_COMM;
	CHECK_EQ(got, 0);
	CHECK_EQ(nr, 2);
	CHECK_EQ(pd->tracing_data.n, 16);
	CHECK_MEM(pd->tracing_data.p, "tracing texts\0\0", 16);
	pd_close(pd);
	free_head(&f);
}

TEST(flag_features_stay_out_of_pipes)
{
	struct sample_file f;
	struct perfdata *pd;

	make_head(&f);
	pd_put_pipe_head(&f.b, &f.head);
	put_data(&f);
	pd = open_file(&f);
	CHECK(!pd_feature_get(pd, PD_FEAT_BRANCH_STACK));
	pd_close(pd);
	free_head(&f);
}
