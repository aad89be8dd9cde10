/* SPDX-License-Identifier: MIT */
#include "tests/frame/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/mem.h"
#include "tests/frame/build_file.h"
#include "tests/frame/decode_all.h"

#define BOTH(name)                  \
	static void name(bool big); \
	TEST(name)                  \
	{                           \
		name(false);        \
		name(true);         \
	}                           \
	static void name(bool big)

static const u64 ids_a[] = { 101, 102 }, ids_b[] = { 201 };

/* Two events that differ in sample_type beyond the id's position, three records of each sort. */
static void build_two_events(struct bytes *b, enum build_kind kind, struct pd_attr *ret_attrs)
{
	struct file_builder f = { .b = b };
	struct sample_parts s = { .pid = 7, .tid = 8, .ip = 0x1000, .period = 11 };
	struct pd_attr a = attr_plain(), c = attr_plain();

	c.config = 1;
	c.sample_type |= PD_SAMPLE_ADDR;
	ret_attrs[0] = a;
	ret_attrs[1] = c;
	file_begin(&f, kind);
	file_add_event(&f, &a, ids_a, 2);
	file_add_event(&f, &c, ids_b, 1);
	if (kind == BUILD_PIPE)
		file_event_desc(&f, (const char *const[]){ "first", "second" });
	file_begin_data(&f);
	put_comm(b, 7, 8, "prog", &a, NULL);
	s.id = 101;
	s.time = 1000;
	put_sample(b, &a, &s);
	s.id = 201;
	s.time = 1001;
	s.addr = 0xadd4;
	put_sample(b, &c, &s);
	s.id = 102;
	s.time = 1002;
	put_sample(b, &a, &s);
	s.time = 1003;
	put_task(b, PD_RECORD_EXIT, 7, 1, 8, 1, 1003, &a, &s);
	if (kind == BUILD_REGULAR) {
		/* without it a bitmap of the other byte order is not believed */
		put_string(file_feature(&f, 3), "host");
		file_event_desc(&f, (const char *const[]){ "first", "second" });
	}
	file_end(&f);
}

static struct perfdata *open_bytes(const struct bytes *b, struct diag *diag)
{
	struct perfdata *pd = NULL;
	struct perr e = { 0 };

	if (diag)
		diag_init(diag);
	if (pd_open_mem(bytes_span(b), "test", diag, &pd, &e))
		unit_fail(__FILE__, __LINE__, "open: %s", e.text);
	return pd;
}

static bool diag_has(const struct diag *d, const char *text)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		if (strstr(d->entries[i].text, text))
			return true;
	return false;
}

/* Next record must be of this type. */
static struct pd_record expect_record(struct perfdata *pd, u32 type)
{
	struct pd_record r = { 0 };
	struct perr e = { 0 };
	int got;

	do {
		got = pd_next(pd, &r, &e);
		if (got != 1)
			unit_fail(__FILE__, __LINE__, "no record of type %u: %d %s", type, got,
				  e.text);
	} while (r.type == PD_RECORD_HEADER_ATTR || r.type == PD_RECORD_HEADER_FEATURE);
	CHECK_EQ(r.type, type);
	return r;
}

static void expect_end(struct perfdata *pd)
{
	struct pd_record r;
	struct perr e;
	int got;

	while ((got = pd_next(pd, &r, &e)) == 1)
		CHECK_EQ(r.type, PD_RECORD_HEADER_FEATURE);
	CHECK_EQ(got, 0);
	CHECK_EQ(pd_next(pd, &r, &e), 0);
}

static void check_two_events(struct perfdata *pd)
{
	struct pd_event *ev;
	struct pd_record r;
	struct pd_sample s;
	struct perr e;

	CHECK_EQ(pd->nr_events, 2);
	CHECK_EQ(pd->events[0]->nr_ids, 2);
	CHECK_EQ(pd->events[1]->idx, 1);
	CHECK_STR(pd->events[0]->name, "first");
	CHECK_STR(pd->events[1]->name, "second");
	CHECK(pd->events[1]->name_given);
	CHECK(pd_sample_id_all(pd));
	CHECK(pd_event_by_id(pd, 102) == pd->events[0]);
	CHECK(pd_event_by_id(pd, 201) == pd->events[1]);
	CHECK(pd_event_by_id(pd, 0) == pd->events[0]);
	CHECK(!pd_event_by_id(pd, 999));

	r = expect_record(pd, PD_RECORD_COMM);
	CHECK(pd_event_of_record(pd, &r) == pd->events[0]);
	CHECK_EQ(pd_record_time(pd, &r), 0);
	r = expect_record(pd, PD_RECORD_SAMPLE);
	CHECK(pd_event_of_record(pd, &r) == pd->events[0]);
	r = expect_record(pd, PD_RECORD_SAMPLE);
	ev = pd_event_of_record(pd, &r);
	CHECK(ev == pd->events[1]);
	CHECK_EQ(pd_record_time(pd, &r), 1001);
	CHECK_EQ(pd_read_sample(ev, &r, pd->swap, &s, &e), 0);
	CHECK_EQ(s.addr, 0xadd4);
	CHECK_EQ(s.tid, 8);
	CHECK_EQ(s.period, 11);
	r = expect_record(pd, PD_RECORD_SAMPLE);
	CHECK(pd_event_of_record(pd, &r) == pd->events[0]);
	r = expect_record(pd, PD_RECORD_EXIT);
	CHECK(pd_event_of_record(pd, &r) == pd->events[0]);
	CHECK_EQ(pd_record_time(pd, &r), 1003);
	expect_end(pd);
}

BOTH(regular_file)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	struct perfdata *pd;

	build_two_events(&b, BUILD_REGULAR, attrs);
	pd = open_bytes(&b, NULL);
	CHECK_EQ(pd->kind, PD_REGULAR);
	CHECK_EQ(pd->swap, bytes_swapped(&b));
	CHECK_EQ(pd->version, 1);
	CHECK_EQ(pd->header_size, 104);
	CHECK_EQ(pd->attr_size, 144);
	CHECK(!pd->truncated);
	CHECK(!pd->unfinished);
	check_two_events(pd);
	CHECK_EQ(pd->counts.nr_records, 5);
	pd_close(pd);
	bytes_free(&b);
}

BOTH(pipe_stream_in_memory)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	struct perfdata *pd;

	build_two_events(&b, BUILD_PIPE, attrs);
	pd = open_bytes(&b, NULL);
	CHECK_EQ(pd->kind, PD_PIPE);
	check_two_events(pd);
	pd_close(pd);
	bytes_free(&b);
}

/* A real pipe, written in pieces by a thread: records lie across every boundary. */
struct feeder {
	int fd;
	const struct bytes *b;
	size_t step;
	pthread_t thread;
};

static void *feed(void *arg)
{
	struct feeder *f = arg;
	size_t at = 0, n;

	for (; at < f->b->n; at += n) {
		n = f->b->n - at < f->step ? f->b->n - at : f->step;
		if (write(f->fd, f->b->p + at, n) != (ssize_t)n)
			break;
	}
	close(f->fd);
	return NULL;
}

static int start_feeding(struct feeder *f, const struct bytes *b, size_t step)
{
	int fds[2];

	CHECK_EQ(pipe(fds), 0);
	*f = (struct feeder){ .fd = fds[1], .b = b, .step = step };
	CHECK_EQ(pthread_create(&f->thread, NULL, feed, f), 0);
	return fds[0];
}

BOTH(streams_in_pieces)
{
	static const size_t steps[] = { 1, 7, 64, 4096 };
	static const enum build_kind kinds[] = { BUILD_PIPE, BUILD_REGULAR };
	size_t i, k;

	for (i = 0; i < ARRAY_SIZE(steps); i++) {
		for (k = 0; k < ARRAY_SIZE(kinds); k++) {
			struct bytes b = bytes_new(big);
			struct pd_attr attrs[2];
			struct perfdata *pd;
			struct feeder f;
			struct perr e;
			int fd;

			build_two_events(&b, kinds[k], attrs);
			fd = start_feeding(&f, &b, steps[i]);
			CHECK_EQ(pd_open_fd(fd, "-", NULL, &pd, &e), 0);
			check_two_events(pd);
			pd_close(pd);
			pthread_join(f.thread, NULL);
			close(fd);
			bytes_free(&b);
		}
	}
}

/* A held record stays as it was while megabytes of the stream go by. */
TEST(blocks_keep_records_of_a_stream)
{
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct pd_record r, kept[8];
	struct perfdata *pd;
	struct feeder feeder;
	size_t i, nr_kept = 0;
	struct perr e;
	int fd, got;

	file_begin(&f, BUILD_PIPE);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	for (i = 0; i < 4000; i++) {
		record_begin(&b, PD_RECORD_COMM, 0);
		put_u32(&b, (u32)i);
		put_fill(&b, (u8)i, 1500);
		put_trailer(&b, &a, NULL);
		record_end(&b);
	}
	file_end(&f);
	fd = start_feeding(&feeder, &b, 65536);
	CHECK_EQ(pd_open_fd(fd, "-", NULL, &pd, &e), 0);
	for (i = 0; (got = pd_next(pd, &r, &e)) == 1;) {
		if (r.type != PD_RECORD_COMM)
			continue;
		if (i++ % 500 == 0) {
			pd_block_get(r.block);
			kept[nr_kept++] = r;
		}
	}
	CHECK_EQ(got, 0);
	CHECK_EQ(i, 4000);
	CHECK_EQ(nr_kept, 8);
	for (i = 0; i < nr_kept; i++) {
		size_t k;

		CHECK_EQ(get_u32(kept[i].data + 8, false), i * 500);
		for (k = 0; k < 1500; k++)
			CHECK_EQ(kept[i].data[12 + k], (u8)(i * 500));
		pd_block_put(kept[i].block);
	}
	pd_close(pd);
	pthread_join(feeder.thread, NULL);
	close(fd);
	bytes_free(&b);
}

BOTH(unknown_record_types_are_handed_over_and_counted)
{
	struct bytes b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct perfdata *pd;

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	record_begin(&b, 40, 0);
	put_fill(&b, 0xff, 16);
	record_end(&b);
	record_begin(&b, 0xfffffff0, 0);
	record_end(&b);
	put_comm(&b, 1, 1, "x", &a, NULL);
	file_end(&f);
	pd = open_bytes(&b, NULL);
	expect_record(pd, 40);
	expect_record(pd, 0xfffffff0);
	expect_record(pd, PD_RECORD_COMM);
	expect_end(pd);
	CHECK_EQ(pd->counts.nr_unknown_type, 2);
	pd_close(pd);
	bytes_free(&b);
}

/* Sizes that are no multiple of 8 leave what follows unaligned. */
BOTH(unaligned_records)
{
	struct bytes b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct sample_parts s = { .id = 101, .time = 5 };
	struct perfdata *pd;
	struct pd_record r;

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	record_begin(&b, 70, 0);
	put_fill(&b, 0, 3);
	record_end(&b);
	put_sample(&b, &a, &s);
	file_end(&f);
	pd = open_bytes(&b, NULL);
	expect_record(pd, 70);
	r = expect_record(pd, PD_RECORD_SAMPLE);
	CHECK_EQ(pd_record_time(pd, &r), 5);
	expect_end(pd);
	pd_close(pd);
	bytes_free(&b);
}

/* Every shorter copy: either no file at all, or its whole records, and said to be cut. */
BOTH(every_cut_of_a_regular_file)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	size_t full, data_off;
	struct perfdata *pd;

	build_two_events(&b, BUILD_REGULAR, attrs);
	pd = open_bytes(&b, NULL);
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
	pd = open_bytes(&b, NULL);
	b.n = pd->data_off + pd->data_size;
	pd_close(pd);
	set_u64(&b, 48, 0); /* data size: what a killed recorder leaves */
	put_fill(&b, 0, 32);
	pd = open_bytes(&b, &diag);
	CHECK(pd->unfinished);
	CHECK(diag_has(&diag, "did not finish"));
	CHECK_EQ(decode_all(pd, true, &d, &e), 0);
	CHECK_EQ(d.nr_records, 5);
	CHECK_EQ(d.nr_samples, 3);
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
		pd = open_bytes(&b, NULL);
		expect_record(pd, PD_RECORD_COMM);
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
	pd = open_bytes(&b, NULL);
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
	pd = open_bytes(&b, NULL);
	table = pd->feat_off;
	CHECK(pd_feature_get(pd, 12));
	CHECK(!pd_feature_get(pd, 11));
	CHECK(!pd_feature_get(pd, 256));
	CHECK(!pd_feature_get(pd, UINT32_MAX));
	pd_close(pd);
	set_u64(&b, table + 16, UINT64_MAX - 8);
	pd = open_bytes(&b, &diag);
	CHECK(pd_feature_get(pd, 3));
	CHECK(!pd_feature_get(pd, 12));
	CHECK(diag.nr > 0);
	CHECK_EQ(decode_all(pd, true, &d, &e), 0);
	CHECK_EQ(d.nr_records, 5);
	pd_close(pd);
	diag_fini(&diag);
	b.n = table + 31;
	pd = open_bytes(&b, &diag);
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
	pd = open_bytes(&b, NULL);
	CHECK_EQ(pd->nr_events, 0);
	r = expect_record(pd, PD_RECORD_COMM);
	CHECK(!pd_event_of_record(pd, &r));
	CHECK_EQ(pd_record_time(pd, &r), UINT64_MAX);
	expect_end(pd);
	pd_close(pd);
	bytes_free(&b);
}

/* --- payloads outside the record ------------------------------------------------------------- */

BOTH(auxtrace_payload_is_stepped_over)
{
	static const enum build_kind kinds[] = { BUILD_REGULAR, BUILD_PIPE };
	size_t k;

	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		struct bytes b = bytes_new(big);
		struct file_builder f = { .b = &b };
		struct pd_attr a = attr_plain();
		struct perfdata *pd;
		struct pd_record r;
		size_t aux;

		file_begin(&f, kinds[k]);
		file_add_event(&f, &a, ids_a, 1);
		file_begin_data(&f);
		record_begin(&b, PD_RECORD_AUXTRACE, 0);
		aux = b.rec;
		put_u64(&b, 256);
		put_fill(&b, 0, 32);
		record_end(&b);
		put_fill(&b, 0xff, 256); /* would be a broken record */
		put_comm(&b, 1, 1, "x", &a, NULL);
		file_end(&f);
		pd = open_bytes(&b, NULL);
		r = expect_record(pd, PD_RECORD_AUXTRACE);
		CHECK_EQ(r.size, 48);
		CHECK_EQ(r.payload_len, 256);
		expect_record(pd, PD_RECORD_COMM);
		expect_end(pd);
		pd_close(pd);
		/* a length beyond the end is a cut file, whatever it adds up to */
		set_u64(&b, aux + 8, UINT64_MAX - 16);
		pd = open_bytes(&b, NULL);
		expect_record(pd, PD_RECORD_AUXTRACE);
		expect_end(pd);
		CHECK(pd->truncated);
		pd_close(pd);
		bytes_free(&b);
	}
}

/* A descriptor of a file of these bytes, that is gone when it is closed. */
static int file_of(const struct bytes *b)
{
	FILE *f = tmpfile();
	int fd;

	CHECK(f);
	CHECK_EQ(fwrite(b->p, 1, b->n, f), b->n);
	CHECK_EQ(fflush(f), 0);
	fd = dup(fileno(f));
	fclose(f);
	return fd;
}

/* COMM records of up to 64 KB, each with its number and with bytes that follow from it. */
static void put_numbered(struct bytes *b, u32 nr, const struct pd_attr *a)
{
	for (u32 i = 0; i < nr; i++) {
		record_begin(b, PD_RECORD_COMM, 0);
		put_u32(b, i);
		put_fill(b, (u8)i, i * 7919 % 65000);
		put_trailer(b, a, NULL);
		record_end(b);
	}
}

static void check_numbered(const struct pd_record *r, u32 i)
{
	CHECK_EQ(get_u32(r->data + 8, false), i);
	for (u32 k = 0; k < i * 7919 % 65000; k++)
		CHECK_EQ(r->data[12 + k], (u8)i);
}

/*
 * Of a file whose records are read in blocks, these are whole and where a mapped one has them, also
 * while all are held, for which blocks would take too much; AUX data is stepped over.
 */
TEST(file_in_blocks)
{
	const u32 nr = 2500; /* 80 MB */
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct pd_record r, expected, *kept = xcalloc(nr, sizeof(*kept));
	struct pd_attr a = attr_plain();
	struct perfdata *pd, *mapped;
	bool was_mapped = false;
	struct perr e;
	u32 i = 0;
	int fd;

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	record_begin(&b, PD_RECORD_AUXTRACE, 0);
	put_u64(&b, 300000);
	put_fill(&b, 0, 32);
	record_end(&b);
	put_fill(&b, 0xff, 300000);
	put_numbered(&b, nr, &a);
	file_end(&f);
	fd = file_of(&b);
	CHECK_EQ(pd_open_fd(fd, "file", NULL, &pd, &e), 0);
	close(fd);
	mapped = open_bytes(&b, NULL);
	while (pd_next(mapped, &expected, &e) == 1) {
		CHECK_EQ(pd_next(pd, &r, &e), 1);
		CHECK_EQ(r.type, expected.type);
		CHECK_EQ(r.off, expected.off);
		CHECK_EQ(r.size, expected.size);
		CHECK(r.block || was_mapped || i > 1000);
		was_mapped |= !r.block;
		if (r.type != PD_RECORD_COMM)
			continue;
		pd_block_get(r.block);
		kept[i++] = r;
	}
	expect_end(pd);
	CHECK_EQ(i, nr);
	CHECK(was_mapped);
	while (i--) {
		check_numbered(&kept[i], i);
		pd_block_put(kept[i].block);
	}
	pd_close(pd);
	pd_close(mapped);
	free(kept);
	bytes_free(&b);
}

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
	put_numbered(&b, 40, &a);
	file_end(&f);
	fd = file_of(&b);
	CHECK_EQ(pd_open_fd(fd, "file", NULL, &pd, &e), 0);
	CHECK_EQ(ftruncate(fd, (off_t)b.n / 2), 0);
	for (i = 0; pd_next(pd, &r, &e) == 1; i++)
		check_numbered(&r, i);
	CHECK(i > 10 && i < 40);
	CHECK(pd->truncated);
	pd_close(pd);
	close(fd);
	bytes_free(&b);
}

/* --- compression ------------------------------------------------------------------------------ */

/* `plain` as one endless zstd frame in records of `step` bytes, as perf record -z writes. */
static void put_stream(struct bytes *b, const struct bytes *plain, size_t chunk, size_t step,
		       u32 type)
{
	ZSTD_CStream *z = ZSTD_createCStream();
	size_t cap = ZSTD_compressBound(plain->n) + 4096, at, n;
	u8 *out = xmalloc(cap);

	ZSTD_initCStream(z, 1);
	for (at = 0; at < plain->n; at += n) {
		ZSTD_inBuffer in;
		ZSTD_outBuffer ob = { out, cap, 0 };
		size_t k, len;

		n = plain->n - at < chunk ? plain->n - at : chunk;
		in = (ZSTD_inBuffer){ plain->p + at, n, 0 };
		while (in.pos < in.size)
			ZSTD_compressStream(z, &ob, &in);
		ZSTD_flushStream(z, &ob);
		for (k = 0; k < ob.pos; k += len) {
			len = ob.pos - k < step ? ob.pos - k : step;
			put_compressed(b, type, out + k, len);
		}
		put_round(b);
	}
	ZSTD_freeCStream(z);
	free(out);
}

static void check_compressed(bool big, u32 type, size_t chunk, size_t step)
{
	struct bytes plain = bytes_new(big), b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct sample_parts s = { .id = 101, .pid = 1, .tid = 1 };
	struct perfdata *pd;
	struct decoded d;
	struct perr e = { 0 };
	u64 i, nr = 0;
	struct pd_record r;

	for (i = 0; i < 500; i++) {
		s.time = 1000 + i;
		s.ip = i * 0x12345;
		put_sample(&plain, &a, &s);
	}
	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	put_stream(&b, &plain, chunk, step, type);
	file_end(&f);

	pd = open_bytes(&b, NULL);
	while (pd_next(pd, &r, &e) == 1) {
		if (r.type != PD_RECORD_SAMPLE)
			continue;
		CHECK(r.compressed);
		CHECK_EQ(pd_record_time(pd, &r), 1000 + nr);
		nr++;
	}
	CHECK_EQ(nr, 500);
	CHECK(!pd->truncated);
	pd_close(pd);

	pd = open_bytes(&b, NULL);
	CHECK_EQ(decode_all(pd, true, &d, &e), 0);
	CHECK_EQ(d.nr_samples, 500);
	CHECK_EQ(d.nr_bad, 0);
	pd_close(pd);
	bytes_free(&plain);
	bytes_free(&b);
}

BOTH(compressed_records)
{
	static const u32 types[] = { PD_RECORD_COMPRESSED, PD_RECORD_COMPRESSED2 };
	size_t t;

	for (t = 0; t < ARRAY_SIZE(types); t++) {
		check_compressed(big, types[t], 1 << 20, 60000);
		check_compressed(big, types[t], 4096, 60000);
		check_compressed(big, types[t], 1000, 100); /* records straddle the pieces */
		check_compressed(big, types[t], 333, 9);
	}
}

BOTH(compressed_stream_that_is_damaged)
{
	struct bytes b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct perfdata *pd;
	struct pd_record r;
	struct perr e = { 0 };

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	put_comm(&b, 1, 1, "x", &a, NULL);
	put_compressed(&b, PD_RECORD_COMPRESSED, "this is no zstd frame at all", 28);
	file_end(&f);
	pd = open_bytes(&b, NULL);
	expect_record(pd, PD_RECORD_COMM);
	expect_record(pd, PD_RECORD_COMPRESSED);
	CHECK_EQ(pd_next(pd, &r, &e), PERR_FORMAT);
	CHECK_EQ(e.off, b.rec);
	pd_close(pd);
	bytes_free(&b);
}

/* Its u64 data_size must lie in the record: sizes from 8 to 16 and lies. */
BOTH(compressed2_data_size)
{
	size_t body;

	for (body = 0; body < 24; body++) {
		struct bytes b = bytes_new(big);
		struct file_builder f = { .b = &b };
		struct pd_attr a = attr_plain();
		struct perfdata *pd;
		struct pd_record r;
		struct perr e = { 0 };
		int got;

		file_begin(&f, BUILD_REGULAR);
		file_add_event(&f, &a, ids_a, 1);
		file_begin_data(&f);
		record_begin(&b, PD_RECORD_COMPRESSED2, 0);
		put_fill(&b, 0xff, body);
		record_end(&b);
		file_end(&f);
		pd = open_bytes(&b, NULL);
		do {
			got = pd_next(pd, &r, &e);
		} while (got == 1);
		CHECK_EQ(got, PERR_FORMAT);
		CHECK_EQ(e.off, b.rec);
		pd_close(pd);
		bytes_free(&b);
	}
}

/* --- directories ------------------------------------------------------------------------------ */

static void write_file(const char *dir, const char *name, const struct bytes *b)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "we");

	CHECK(f);
	CHECK_EQ(fwrite(b->p, 1, b->n, f), b->n);
	CHECK_EQ(fclose(f), 0);
	free(path);
}

static void remove_dir(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *de;

	while (d && (de = readdir(d)))
		if (de->d_name[0] != '.')
			unlinkat(dirfd(d), de->d_name, 0);
	if (d)
		closedir(d);
	rmdir(dir);
}

BOTH(directory)
{
	char dir[] = "/tmp/t_perfdata.XXXXXX";
	struct bytes head = bytes_new(big), part = bytes_new(big);
	struct file_builder f = { .b = &head };
	struct pd_attr a = attr_plain();
	struct sample_parts s = { .id = 101 };
	struct perfdata *pd;
	struct pd_order *o;
	struct pd_record r;
	u64 time, want = 0;
	size_t i, k;
	struct perr e;

	CHECK(mkdtemp(dir));
	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	put_comm(&head, 1, 1, "x", &a, NULL);
	put_u64(file_feature(&f, 24), 1);
	file_end(&f);
	write_file(dir, "data", &head);
	/* raw record streams whose times interleave */
	for (k = 0; k < 12; k++) {
		char name[16];

		part.n = 0;
		for (i = 0; i < 10; i++) {
			s.time = 100 + i * 12 + k;
			put_sample(&part, &a, &s);
		}
		snprintf(name, sizeof(name), "data.%zu", k);
		write_file(dir, name, &part);
	}
	CHECK_EQ(pd_open(dir, NULL, &pd, &e), 0);
	CHECK_EQ(pd->kind, PD_DIRECTORY);
	o = pd_order_new(pd);
	CHECK_EQ(pd_order_next(o, &r, &time, &e), 1);
	CHECK_EQ(r.type, PD_RECORD_COMM);
	for (; pd_order_next(o, &r, &time, &e) == 1; want++) {
		CHECK_EQ(time, 100 + want);
		CHECK_EQ(r.file_idx, 1 + want % 12);
	}
	CHECK_EQ(want, 120);
	pd_order_free(o);
	pd_close(pd);
	remove_dir(dir);
	bytes_free(&head);
	bytes_free(&part);
}

/* --- public recordings ------------------------------------------------------------------------ */

#define PUBLIC "../shared/data"

static void decode_file(const char *path)
{
	int in_time_order;
	u64 nr[2], samples[2];

	for (in_time_order = 0; in_time_order < 2; in_time_order++) {
		struct perfdata *pd;
		struct decoded d;
		struct perr e;

		if (pd_open(path, NULL, &pd, &e))
			unit_fail(__FILE__, __LINE__, "%s: %s", path, e.text);
		if (decode_all(pd, in_time_order, &d, &e))
			unit_fail(__FILE__, __LINE__, "%s: %s", path, e.text);
		if (d.nr_bad)
			unit_fail(__FILE__, __LINE__, "%s: %s", path, d.first_bad.text);
		nr[in_time_order] = d.nr_records;
		samples[in_time_order] = d.nr_samples;
		CHECK(d.nr_records > 0);
		CHECK(pd->nr_events > 0);
		pd_close(pd);
	}
	CHECK_EQ(nr[0], nr[1]);
	CHECK_EQ(samples[0], samples[1]);
}

TEST(every_record_of_every_public_recording_decodes)
{
	DIR *dir = opendir(PUBLIC "/perfdata");
	struct dirent *de;
	size_t nr = 0;

	if (!dir)
		SKIP("public recordings are not here");
	while ((de = readdir(dir))) {
		char *path;

		if (de->d_name[0] == '.')
			continue;
		path = xasprintf(PUBLIC "/perfdata/%s", de->d_name);
		decode_file(path);
		free(path);
		nr++;
	}
	closedir(dir);
	CHECK(nr > 0);
}

/* The byte-swapped copy of a recording decodes to the same values, sample by sample. */
TEST(other_byte_order_of_a_public_recording)
{
	struct perfdata *le, *be;
	struct pd_record rl, rb;
	struct perr e;
	int got;

	if (access(PUBLIC "/derived/be__quipper.callgraph-3.8.data", R_OK))
		SKIP("public recordings are not here");
	CHECK_EQ(pd_open(PUBLIC "/perfdata/quipper__perf.data.callgraph-3.8", NULL, &le, &e), 0);
	CHECK_EQ(pd_open(PUBLIC "/derived/be__quipper.callgraph-3.8.data", NULL, &be, &e), 0);
	CHECK(le->swap != be->swap);
	CHECK_EQ(le->nr_events, be->nr_events);
	CHECK_EQ(le->events[0]->attr.flags, be->events[0]->attr.flags);
	CHECK_EQ(le->events[0]->attr.sample_type, be->events[0]->attr.sample_type);
	CHECK_STR(le->events[0]->name, be->events[0]->name);
	while ((got = pd_next(le, &rl, &e)) == 1) {
		struct pd_sample sl, sb;
		size_t i;

		CHECK_EQ(pd_next(be, &rb, &e), 1);
		CHECK_EQ(rl.type, rb.type);
		CHECK_EQ(rl.size, rb.size);
		CHECK_EQ(pd_record_time(le, &rl), pd_record_time(be, &rb));
		if (rl.type != PD_RECORD_SAMPLE)
			continue;
		CHECK_EQ(pd_read_sample(le->events[0], &rl, le->swap, &sl, &e), 0);
		CHECK_EQ(pd_read_sample(be->events[0], &rb, be->swap, &sb, &e), 0);
		CHECK_EQ(sl.ip, sb.ip);
		CHECK_EQ(sl.pid, sb.pid);
		CHECK_EQ(sl.tid, sb.tid);
		CHECK_EQ(sl.cpu, sb.cpu);
		CHECK_EQ(sl.period, sb.period);
		CHECK_EQ(sl.callchain.n, sb.callchain.n);
		for (i = 0; i < sl.callchain.n / 8; i++)
			CHECK_EQ(span_u64(sl.callchain, i, le->swap),
				 span_u64(sb.callchain, i, be->swap));
	}
	CHECK_EQ(got, 0);
	CHECK_EQ(pd_next(be, &rb, &e), 0);
	pd_close(le);
	pd_close(be);
}
