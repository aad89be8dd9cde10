/* SPDX-License-Identifier: MIT */
/* Reading of whole recordings: files, streams in pieces, folders, unknown records. */
#include "tests/fileformat/both_orders.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/fileformat/use_perfdata.h"
#include "tests/frame/build_file.h"
#include "tests/frame/decode_all.h"
#include "tests/frame/unit.h"

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

	r = perfdata_expect_record(pd, PD_RECORD_COMM);
	CHECK(pd_event_of_record(pd, &r) == pd->events[0]);
	CHECK_EQ(pd_record_time(pd, &r), 0);
	r = perfdata_expect_record(pd, PD_RECORD_SAMPLE);
	CHECK(pd_event_of_record(pd, &r) == pd->events[0]);
	r = perfdata_expect_record(pd, PD_RECORD_SAMPLE);
	ev = pd_event_of_record(pd, &r);
	CHECK(ev == pd->events[1]);
	CHECK_EQ(pd_record_time(pd, &r), 1001);
	CHECK_EQ(pd_read_sample(ev, &r, pd->swap, &s, &e), 0);
	CHECK_EQ(s.addr, 0xadd4);
	CHECK_EQ(s.tid, 8);
	CHECK_EQ(s.period, 11);
	r = perfdata_expect_record(pd, PD_RECORD_SAMPLE);
	CHECK(pd_event_of_record(pd, &r) == pd->events[0]);
	r = perfdata_expect_record(pd, PD_RECORD_EXIT);
	CHECK(pd_event_of_record(pd, &r) == pd->events[0]);
	CHECK_EQ(pd_record_time(pd, &r), 1003);
	perfdata_expect_end(pd);
}

BOTH(regular_file)
{
	struct bytes b = bytes_new(big);
	struct pd_attr attrs[2];
	struct perfdata *pd;

	build_two_events(&b, BUILD_REGULAR, attrs);
	pd = perfdata_of_bytes(&b, NULL);
	CHECK_EQ(pd->kind, PD_REGULAR);
	CHECK_EQ(pd->swap, bytes_swapped(&b));
	CHECK_EQ(pd->version, 1);
	CHECK_EQ(pd->header_size, 104);
	CHECK_EQ(pd->attr_size, 144);
	CHECK(!pd->truncated);
	CHECK(!pd->unfinished);
	CHECK_EQ(pd_data_bytes(pd), pd->data_size);
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
	pd = perfdata_of_bytes(&b, NULL);
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
	pd = perfdata_of_bytes(&b, NULL);
	perfdata_expect_record(pd, 40);
	perfdata_expect_record(pd, 0xfffffff0);
	perfdata_expect_record(pd, PD_RECORD_COMM);
	perfdata_expect_end(pd);
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
	pd = perfdata_of_bytes(&b, NULL);
	perfdata_expect_record(pd, 70);
	r = perfdata_expect_record(pd, PD_RECORD_SAMPLE);
	CHECK_EQ(pd_record_time(pd, &r), 5);
	perfdata_expect_end(pd);
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
		pd = perfdata_of_bytes(&b, NULL);
		r = perfdata_expect_record(pd, PD_RECORD_AUXTRACE);
		CHECK_EQ(r.size, 48);
		CHECK_EQ(r.payload_len, 256);
		perfdata_expect_record(pd, PD_RECORD_COMM);
		perfdata_expect_end(pd);
		pd_close(pd);
		/* a length beyond the end is a cut file, whatever it adds up to */
		set_u64(&b, aux + 8, UINT64_MAX - 16);
		pd = perfdata_of_bytes(&b, NULL);
		perfdata_expect_record(pd, PD_RECORD_AUXTRACE);
		perfdata_expect_end(pd);
		CHECK(pd->truncated);
		pd_close(pd);
		bytes_free(&b);
	}
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
	perfdata_put_numbered(&b, nr, &a);
	file_end(&f);
	fd = perfdata_file_of(&b);
	CHECK_EQ(pd_open_fd(fd, "file", NULL, &pd, &e), 0);
	close(fd);
	mapped = perfdata_of_bytes(&b, NULL);
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
	perfdata_expect_end(pd);
	CHECK_EQ(i, nr);
	CHECK(was_mapped);
	while (i--) {
		perfdata_check_numbered(&kept[i], i);
		pd_block_put(kept[i].block);
	}
	pd_close(pd);
	pd_close(mapped);
	free(kept);
	bytes_free(&b);
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
