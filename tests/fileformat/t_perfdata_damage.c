/* SPDX-License-Identifier: MIT */
/* Recordings that are cut or have broken headers. */
#include "tests/fileformat/both_orders.h"

#include <unistd.h>

#include "base/mem.h"
#include "tests/fileformat/use_perfdata.h"
#include "tests/frame/build_file.h"
#include "tests/frame/decode_all.h"
#include "tests/frame/unit.h"

static bool diag_has(const struct diag *d, const char *text)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (strstr(d->entries[i].text, text))
			return true;
	return false;
}

/* Every shorter copy: either no file at all, or its whole records, and said to be cut. */
BOTH(every_cut_of_a_regular_file)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	size_t full, data_off;
	struct perfdata *pd;

	build_two_events(&b, BUILD_REGULAR, attrs);
	pd = perfdata_of_bytes(&b, NULL);
	data_off = pd->data_off;
	full = pd->data_off + pd->data_size;
	pd_close(pd);
	for (; b.n > 0; b.n--) {
		struct perr e = { 0 };
		struct decoded d;
		u8 *copy = xmalloc(b.n);

		memcpy(copy, b.p, b.n);
		if (pd_open_mem(span_of(copy, b.n), "cut", NULL, &pd, &e)) {
			CHECK(b.n < data_off);
			CHECK(e.text[0]);
		} else {
			CHECK(b.n >= data_off);
			CHECK_EQ(decode_all(pd, b.n & 1, &d, &e), 0);
			CHECK_EQ(d.nr_bad, 0);
			CHECK_EQ(pd->truncated, b.n < full);
			pd_close(pd);
		}
		free(copy);
	}
	bytes_free(&b);
}

BOTH(every_cut_of_a_pipe_stream)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];

	build_two_events(&b, BUILD_PIPE, attrs);
	for (; b.n > 0; b.n--) {
		struct perfdata *pd;
		struct decoded d;
		struct perr e;
		u8 *copy = xmalloc(b.n);

		memcpy(copy, b.p, b.n);
		if (pd_open_mem(span_of(copy, b.n), "cut", NULL, &pd, &e)) {
			CHECK(b.n < PIPE_HEADER_SIZE);
		} else {
			CHECK_EQ(decode_all(pd, b.n & 1, &d, &e), 0);
			CHECK_EQ(d.nr_bad, 0);
			pd_close(pd);
		}
		free(copy);
	}
	bytes_free(&b);
}

BOTH(unfinished_recording)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	struct perfdata *pd;
	struct decoded d;
	struct diag diag;
	struct perr e;

	build_two_events(&b, BUILD_REGULAR, attrs);
	pd = perfdata_of_bytes(&b, NULL);
	b.n = pd->data_off + pd->data_size;
	pd_close(pd);
	set_u64(&b, 48, 0); /* data size: what a killed recorder leaves */
	put_fill(&b, 0, 32);
	pd = perfdata_of_bytes(&b, &diag);
	CHECK(pd->unfinished);
	CHECK_EQ(pd_data_bytes(pd), b.n - pd->data_off);
	CHECK_EQ(decode_all(pd, true, &d, &e), 0);
	pd_warn_unfinished(pd);
	CHECK(diag_has(&diag, "did not finish"));
	CHECK_EQ(d.nr_records, 5);
	CHECK_EQ(d.nr_samples, 3);
	pd_close(pd);
	diag_fini(&diag);
	bytes_free(&b);
}

/* The mark that prec writes with each commit (FORMAT.md 1.7). */
BOTH(recording_with_the_mark_of_a_running_recorder)
{
	const u64 wall = 1700000000 * 1000000000ull;
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	struct perfdata *pd;
	struct diag diag;

	build_two_events(&b, BUILD_REGULAR, attrs);
	set_u64(&b, 56, b.n);
	set_u64(&b, 64, PD_RUNNING_MARK_SIZE);
	put_u64(&b, PD_RUNNING_MARK);
	put_u64(&b, wall);
	pd = perfdata_of_bytes(&b, &diag);
	CHECK(pd->unfinished && !pd->no_size && !pd->truncated);
	CHECK_EQ(pd->last_write, wall);
	CHECK(pd->features[0]);
	pd->last_time = 12345678901ull;
	setenv("TZ", "UTC", 1);
	pd_warn_unfinished(pd);
	CHECK(diag_has(&diag, "the recorder did not finish: what follows its last write at "
			      "12.345678 (2023-11-14 22:13:20) is missing"));
	pd_close(pd);
	diag_fini(&diag);
	/* between two writes of a commit the mark's place has other bytes */
	set_u64(&b, b.n - 16, 7);
	pd = perfdata_of_bytes(&b, &diag);
	CHECK(pd->unfinished && !pd->last_write);
	pd_warn_unfinished(pd);
	CHECK(diag_has(&diag, "last write is missing"));
	pd_close(pd);
	diag_fini(&diag);
	/* outside of the file, or no mark: a list of types */
	set_u64(&b, 56, ~(u64)7);
	pd = perfdata_of_bytes(&b, NULL);
	CHECK(pd->unfinished && !pd->last_write);
	pd_close(pd);
	set_u64(&b, 64, 72);
	pd = perfdata_of_bytes(&b, &diag);
	CHECK(!pd->unfinished);
	pd_warn_unfinished(pd);
	CHECK_EQ(diag.nr, 0);
	pd_close(pd);
	diag_fini(&diag);
	bytes_free(&b);
}

BOTH(record_size_below_8)
{
	struct bytes b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	u16 size;

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	put_comm(&b, 1, 1, "x", &a, NULL);
	record_begin(&b, PD_RECORD_COMM, 0);
	put_fill(&b, 0, 64);
	file_end(&f);
	for (size = 0; size < 8; size++) {
		struct perfdata *pd;
		struct pd_record r;
		struct perr e = { 0 };

		set_u16(&b, b.rec + 6, size);
		pd = perfdata_of_bytes(&b, NULL);
		perfdata_expect_record(pd, PD_RECORD_COMM);
		CHECK_EQ(pd_next(pd, &r, &e), PERR_FORMAT);
		CHECK_EQ(e.off, b.rec);
		pd_close(pd);
	}
	bytes_free(&b);
}

static void expect_refused(const struct bytes *b, int code, s64 off)
{
	struct perfdata *pd;
	struct perr e = { .off = -2 };

	CHECK_EQ(pd_open_mem(bytes_span(b), "bad", NULL, &pd, &e), code);
	CHECK_EQ(e.code, code);
	CHECK_EQ(e.off, off);
	CHECK(e.text[0]);
}

BOTH(broken_headers)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	struct perfdata *pd;
	u64 attrs_off, saved;

	build_two_events(&b, BUILD_REGULAR, attrs);
	pd = perfdata_of_bytes(&b, NULL);
	attrs_off = pd->attrs_off;
	pd_close(pd);

	b.p[3] ^= 1;
	expect_refused(&b, PERR_FORMAT, 0);
	b.p[3] ^= 1;

	set_u64(&b, 8, 105);
	expect_refused(&b, PERR_FORMAT, 8);
	set_u64(&b, 8, 104);

	saved = get_u64(b.p + 24, bytes_swapped(&b));
	set_u64(&b, 24, UINT64_MAX - 8); /* offset + size wraps */
	expect_refused(&b, PERR_FORMAT, 24);
	set_u64(&b, 24, saved);

	saved = get_u64(b.p + 40, bytes_swapped(&b));
	set_u64(&b, 40, b.n + 1);
	expect_refused(&b, PERR_FORMAT, 40);
	set_u64(&b, 40, saved);

	saved = get_u32(b.p + attrs_off + 4, bytes_swapped(&b));
	set_u32(&b, attrs_off + 4, 63);
	expect_refused(&b, PERR_FORMAT, (s64)attrs_off);
	set_u32(&b, attrs_off + 4, 1 << 30);
	expect_refused(&b, PERR_FORMAT, (s64)attrs_off);
	set_u32(&b, attrs_off + 4, (u32)saved);

	set_u64(&b, attrs_off + 128, UINT64_MAX - 4); /* the first event's ids */
	expect_refused(&b, PERR_FORMAT, (s64)attrs_off);
	bytes_free(&b);
}

/* Features that lie nowhere, or whose table does, cost themselves only. */
BOTH(broken_feature_table)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	struct perfdata *pd;
	struct decoded d;
	struct diag diag;
	struct perr e;
	u64 table;

	build_two_events(&b, BUILD_REGULAR, attrs);
	pd = perfdata_of_bytes(&b, NULL);
	table = pd->feat_off;
	CHECK(pd_feature_get(pd, 12));
	CHECK(!pd_feature_get(pd, 11));
	CHECK(!pd_feature_get(pd, 256));
	CHECK(!pd_feature_get(pd, UINT32_MAX));
	pd_close(pd);
	set_u64(&b, table + 16, UINT64_MAX - 8);
	pd = perfdata_of_bytes(&b, &diag);
	CHECK(pd_feature_get(pd, 3));
	CHECK(!pd_feature_get(pd, 12));
	CHECK(diag.nr > 0);
	CHECK_EQ(decode_all(pd, true, &d, &e), 0);
	CHECK_EQ(d.nr_records, 5);
	pd_close(pd);
	diag_fini(&diag);
	b.n = table + 31;
	pd = perfdata_of_bytes(&b, &diag);
	CHECK(!pd_feature_get(pd, 12));
	CHECK(diag.nr > 0);
	CHECK_EQ(decode_all(pd, true, &d, &e), 0);
	CHECK_EQ(d.nr_records, 5);
	pd_close(pd);
	diag_fini(&diag);
	bytes_free(&b);
}

TEST(no_bytes_at_all)
{
	struct perfdata *pd;
	struct perr e = { 0 };

	CHECK(pd_open_mem(span_of("", 0), "empty", NULL, &pd, &e) < 0);
	CHECK(e.text[0]);
	CHECK(pd_open("no/such/file", NULL, &pd, &e) < 0);
	CHECK_EQ(e.code, PERR_IO);
}

TEST(file_without_events)
{
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct perfdata *pd;
	struct pd_record r;

	file_begin(&f, BUILD_REGULAR);
	file_begin_data(&f);
	put_comm(&b, 1, 1, "x", &a, NULL);
	file_end(&f);
	pd = perfdata_of_bytes(&b, NULL);
	CHECK_EQ(pd->nr_events, 0);
	r = perfdata_expect_record(pd, PD_RECORD_COMM);
	CHECK(!pd_event_of_record(pd, &r));
	CHECK_EQ(pd_record_time(pd, &r), UINT64_MAX);
	perfdata_expect_end(pd);
	pd_close(pd);
	bytes_free(&b);
}

/* --- payloads outside the record ------------------------------------------------------------- */

/* A file that gets shorter while it is read ends there. */
TEST(file_that_is_cut_while_it_is_read)
{
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct perfdata *pd;
	struct pd_record r;
	struct perr e;
	u32 i;
	int fd;

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	perfdata_put_numbered(&b, 40, &a);
	file_end(&f);
	fd = perfdata_file_of(&b);
	CHECK_EQ(pd_open_fd(fd, "file", NULL, &pd, &e), 0);
	CHECK_EQ(ftruncate(fd, (off_t)b.n / 2), 0);
	for (i = 0; pd_next(pd, &r, &e) == 1; i++)
		perfdata_check_numbered(&r, i);
	CHECK(i > 10 && i < 40);
	CHECK(pd->truncated);
	pd_close(pd);
	close(fd);
	bytes_free(&b);
}
