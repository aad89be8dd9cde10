/* SPDX-License-Identifier: MIT */
/*
 * The must-fail files testdata/bad-*: built here, so that they can be made again, and each checked
 * to be refused where it is wrong. UPDATE=1 writes the files and testdata/bad-files.tsv, which
 * tests/checks/mustfail.sh reads.
 */
#include "tests/frame/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/mem.h"
#include "tests/frame/build_file.h"
#include "tests/frame/decode_all.h"

static const u64 ids[] = { 101 };

/* A small sound file; what is wrong is set into it afterwards. Places that cases need: */
struct sound {
	struct bytes b;
	size_t attrs; /* of the attrs entry */
	size_t data;
	size_t second; /* the second record, a sample */
};

static struct sound sound_file(enum build_kind kind, bool big)
{
	struct sound s = { .b = bytes_new(big) };
	struct file_builder f = { .b = &s.b };
	struct pd_attr a = attr_plain();
	struct sample_parts p = { .id = 101, .time = 1000, .pid = 1, .tid = 1, .ip = 0x401000 };

	file_begin(&f, kind);
	file_add_event(&f, &a, ids, 1);
	file_begin_data(&f);
	s.attrs = kind == BUILD_REGULAR ? REGULAR_HEADER_SIZE + 8 : PIPE_HEADER_SIZE + 8;
	s.data = f.data_off;
	put_comm(&s.b, 1, 1, "prog", &a, NULL);
	put_sample(&s.b, &a, &p);
	s.second = s.b.rec;
	put_sample(&s.b, &a, &p);
	if (kind == BUILD_REGULAR) {
		put_string(file_feature(&f, 3), "host");
		file_event_desc(&f, (const char *const[]){ "cpu-clock" });
	}
	file_end(&f);
	return s;
}

/* A pipe stream with one event, to which records can be added. */
static struct bytes pipe_start(struct pd_attr *ret_attr)
{
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };

	*ret_attr = attr_plain();
	file_begin(&f, BUILD_PIPE);
	file_add_event(&f, ret_attr, ids, 1);
	file_begin_data(&f);
	put_comm(&b, 1, 1, "prog", ret_attr, NULL);
	return b;
}

static struct bytes empty(s64 *ret_off)
{
	*ret_off = 0;
	return bytes_new(false);
}

static struct bytes text(s64 *ret_off)
{
	struct bytes b = bytes_new(false);

	*ret_off = 0;
	put_text(&b, "# perf script output, not a recording\nprog 1 1.000000: 1 cycles:\n", 1);
	return b;
}

static struct bytes magic(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	*ret_off = 0;
	s.b.p[7] = '3';
	return s.b;
}

static struct bytes short_magic(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_PIPE, false);

	*ret_off = s.b.n = 12;
	return s.b;
}

static struct bytes short_header(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	*ret_off = s.b.n = 64;
	return s.b;
}

static struct bytes header_size(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u64(&s.b, *ret_off = 8, 105);
	return s.b;
}

static struct bytes old_no_order(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	memcpy(s.b.p, "PERFFILE", 8);
	set_u64(&s.b, *ret_off = 16, 77);
	return s.b;
}

static struct bytes attrs_outside(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u64(&s.b, *ret_off = 24, s.b.n - 8);
	return s.b;
}

static struct bytes attrs_wrap(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u64(&s.b, *ret_off = 24, UINT64_MAX - 15); /* with the section's size: 128 */
	return s.b;
}

static struct bytes attr_entry_size_0(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u64(&s.b, *ret_off = 16, 0);
	return s.b;
}

static struct bytes attr_size_63(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u32(&s.b, s.attrs + 4, 63);
	*ret_off = (s64)s.attrs;
	return s.b;
}

static struct bytes attr_size_huge(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u32(&s.b, s.attrs + 4, 0xfffffff8);
	*ret_off = (s64)s.attrs;
	return s.b;
}

/* The attr itself fits, the {offset, size} of its ids behind it does not. */
static struct bytes attr_without_ids(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u32(&s.b, s.attrs + 4, 136);
	*ret_off = (s64)s.attrs;
	return s.b;
}

static struct bytes ids_outside(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u64(&s.b, s.attrs + 128 + 8, 1ull << 40);
	*ret_off = (s64)s.attrs;
	return s.b;
}

static struct bytes data_outside(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_REGULAR, false);

	set_u64(&s.b, *ret_off = 40, 1ull << 62);
	return s.b;
}

static struct bytes record_size(enum build_kind kind, bool big, u16 size, s64 *ret_off)
{
	struct sound s = sound_file(kind, big);

	set_u16(&s.b, s.second + 6, size);
	*ret_off = (s64)s.second;
	return s.b;
}

static struct bytes record_size_0(s64 *ret_off)
{
	return record_size(BUILD_REGULAR, false, 0, ret_off);
}

static struct bytes record_size_7_big_endian(s64 *ret_off)
{
	return record_size(BUILD_REGULAR, true, 7, ret_off);
}

static struct bytes pipe_record_size_4(s64 *ret_off)
{
	return record_size(BUILD_PIPE, false, 4, ret_off);
}

static struct bytes pipe_attr_size(s64 *ret_off)
{
	struct sound s = sound_file(BUILD_PIPE, false);

	set_u32(&s.b, s.attrs + 4, 32);
	*ret_off = (s64)s.attrs - 8;
	return s.b;
}

static struct bytes zstd_garbage(s64 *ret_off)
{
	struct pd_attr a;
	struct bytes b = pipe_start(&a);

	put_compressed(&b, PD_RECORD_COMPRESSED, "these bytes are no zstd frame...", 32);
	*ret_off = (s64)b.rec;
	return b;
}

/* A sound frame whose contents are damaged: record size 2 in what it expands to. */
static struct bytes zstd_record_size(s64 *ret_off)
{
	struct pd_attr a;
	struct bytes b = pipe_start(&a);
	u8 inside[64] = { PD_RECORD_COMM, 0, 0, 0, 0, 0, 2, 0 }, out[256];
	size_t n = ZSTD_compress(out, sizeof(out), inside, sizeof(inside), 1);

	CHECK(!ZSTD_isError(n));
	put_compressed(&b, PD_RECORD_COMPRESSED2, out, n);
	*ret_off = (s64)b.rec;
	return b;
}

/* One record that expands to 72 MiB of records of a type without a name. */
static struct bytes zstd_bomb(s64 *ret_off)
{
	struct pd_attr a;
	struct bytes b = pipe_start(&a), rec = bytes_new(false);
	ZSTD_CStream *z = ZSTD_createCStream();
	size_t cap = 60000, i;
	u8 *out = xmalloc(cap);
	ZSTD_outBuffer ob = { out, cap, 0 };

	record_begin(&rec, 50, 0);
	put_fill(&rec, 0, 32768 - 8);
	record_end(&rec);
	ZSTD_initCStream(z, 1);
	for (i = 0; i < (72u << 20) / rec.n; i++) {
		ZSTD_inBuffer in = { rec.p, rec.n, 0 };

		while (in.pos < in.size && ob.pos < cap - 1000)
			ZSTD_compressStream(z, &ob, &in);
	}
	ZSTD_endStream(z, &ob);
	put_compressed(&b, PD_RECORD_COMPRESSED, out, ob.pos);
	*ret_off = (s64)b.rec;
	ZSTD_freeCStream(z);
	free(out);
	bytes_free(&rec);
	return b;
}

static struct bytes compressed2_size(s64 *ret_off)
{
	struct pd_attr a;
	struct bytes b = pipe_start(&a);

	record_begin(&b, PD_RECORD_COMPRESSED2, 0);
	put_u64(&b, 1ull << 63);
	put_fill(&b, 0, 16);
	record_end(&b);
	*ret_off = (s64)b.rec;
	return b;
}

/* 7 bytes where its u64 data_size should be. */
static struct bytes compressed2_short(s64 *ret_off)
{
	struct pd_attr a;
	struct bytes b = pipe_start(&a);

	record_begin(&b, PD_RECORD_COMPRESSED2, 0);
	put_fill(&b, 0xff, 7);
	record_end(&b);
	*ret_off = (s64)b.rec;
	return b;
}

struct bad_file {
	const char *name;
	struct bytes (*build)(s64 *ret_off);
	int code;
	const char *says; /* part of the message */
	const char *what; /* for the table */
};

static const struct bad_file bad_files[] = {
	{ "empty", empty, PERR_TRUNCATED, "too few", "no bytes at all" },
	{ "text", text, PERR_FORMAT, "not a perf.data", "text" },
	{ "magic", magic, PERR_FORMAT, "not a perf.data", "magic is PERFILE3" },
	{ "short-magic", short_magic, PERR_TRUNCATED, "too few",
	  "ends inside the 16 bytes that every file starts with" },
	{ "short-header", short_header, PERR_TRUNCATED, "ends inside its header",
	  "ends inside the header of 104 bytes" },
	{ "header-size", header_size, PERR_FORMAT, "header size", "header size is 105" },
	{ "old-no-order", old_no_order, PERR_FORMAT, "byte order",
	  "PERFFILE whose attr size fits neither byte order" },
	{ "attrs-outside", attrs_outside, PERR_FORMAT, "attrs section",
	  "attrs section ends behind the end of the file" },
	{ "attrs-wrap", attrs_wrap, PERR_FORMAT, "attrs section",
	  "attrs section's offset + size exceed 64 bits" },
	{ "attr-entry-size-0", attr_entry_size_0, PERR_FORMAT, "attr size",
	  "the header says that an attrs entry has 0 bytes" },
	{ "attr-size-63", attr_size_63, PERR_FORMAT, "63",
	  "attr.size is 63, one less than the first ABI's" },
	{ "attr-size-huge", attr_size_huge, PERR_FORMAT, "attr.size", "attr.size is 0xfffffff8" },
	{ "attr-without-ids", attr_without_ids, PERR_TRUNCATED, "attr",
	  "attr.size leaves no room for the {offset, size} of the ids" },
	{ "ids-outside", ids_outside, PERR_FORMAT, "ids", "an event's ids take 1 TiB" },
	{ "data-outside", data_outside, PERR_FORMAT, "data section",
	  "the data section begins behind the end of the file" },
	{ "record-size-0", record_size_0, PERR_FORMAT, "record size 0",
	  "the second record's size is 0" },
	{ "record-size-7-big-endian", record_size_7_big_endian, PERR_FORMAT, "record size 7",
	  "big-endian file, the second record's size is 7" },
	{ "pipe-record-size-4", pipe_record_size_4, PERR_FORMAT, "record size 4",
	  "pipe stream, a sample's size is 4" },
	{ "pipe-attr-size-32", pipe_attr_size, PERR_FORMAT, "attr.size is 32",
	  "pipe stream, attr.size in its HEADER_ATTR is 32" },
	{ "zstd-garbage", zstd_garbage, PERR_FORMAT, "zstd",
	  "COMPRESSED record without a zstd frame" },
	{ "zstd-record-size-2", zstd_record_size, PERR_FORMAT, "2 bytes inside a compressed record",
	  "COMPRESSED2 record that expands to a record of size 2" },
	{ "zstd-bomb", zstd_bomb, PERR_LIMIT, "expands to more",
	  "COMPRESSED record of 21 kB that expands to 72 MiB" },
	{ "compressed2-size", compressed2_size, PERR_FORMAT, "COMPRESSED2",
	  "COMPRESSED2 record whose data_size is 2^63" },
	{ "compressed2-short", compressed2_short, PERR_FORMAT, "COMPRESSED2",
	  "COMPRESSED2 record too small for its data_size" },
};

static char *path_of(const struct bad_file *f)
{
	return xasprintf("testdata/bad-%s.data", f->name);
}

/* The error that reading all of it ends with. */
static int read_error(const struct bytes *b, struct perr *e)
{
	struct perfdata *pd;
	struct decoded d;
	int err;

	err = pd_open_mem(b->n ? bytes_span(b) : span_of("", 0), "bad", NULL, &pd, e);
	if (err)
		return err;
	err = decode_all(pd, true, &d, e);
	pd_close(pd);
	return err;
}

TEST(refused_where_it_is_wrong)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad_files); i++) {
		const struct bad_file *f = &bad_files[i];
		struct perr e = { 0 };
		s64 off;
		struct bytes b = f->build(&off);
		int err = read_error(&b, &e);

		if (err != f->code || e.off != off || !strstr(e.text, f->says))
			unit_fail(__FILE__, __LINE__, "%s: %d at %#llx: %s; want %d at %#llx: %s",
				  f->name, err, (long long)e.off, e.text, f->code, (long long)off,
				  f->says);
		bytes_free(&b);
	}
}

static void write_files(void)
{
	FILE *tsv = fopen("testdata/bad-files.tsv", "we");
	size_t i;

	CHECK(tsv);
	fprintf(tsv, "# file\toffset of the error\tpart of the message\twhat is wrong\n");
	for (i = 0; i < ARRAY_SIZE(bad_files); i++) {
		char *path = path_of(&bad_files[i]);
		FILE *f = fopen(path, "we");
		s64 off;
		struct bytes b = bad_files[i].build(&off);

		CHECK(f);
		if (b.n)
			CHECK_EQ(fwrite(b.p, 1, b.n, f), b.n);
		CHECK_EQ(fclose(f), 0);
		fprintf(tsv, "bad-%s.data\t0x%llx\t%s\t%s\n", bad_files[i].name, (long long)off,
			bad_files[i].says, bad_files[i].what);
		bytes_free(&b);
		free(path);
	}
	CHECK_EQ(fclose(tsv), 0);
}

/* Compressed files may differ with the zstd library: of these only the start is compared. */
static void check_file(const struct bad_file *f)
{
	char *path = path_of(f);
	FILE *in = fopen(path, "re");
	s64 off;
	struct bytes b = f->build(&off);
	u8 *have = xmalloc(b.n + 1);
	size_t n;

	if (!in)
		unit_fail(__FILE__, __LINE__, "%s is missing: run this program with UPDATE=1",
			  path);
	n = fread(have, 1, b.n + 1, in);
	fclose(in);
	if (strncmp(f->name, "zstd-", 5)) {
		CHECK_EQ(n, b.n);
	} else {
		CHECK(n > (size_t)off);
		b.n = (size_t)off;
	}
	if (b.n)
		CHECK_MEM(have, b.p, b.n);
	free(have);
	bytes_free(&b);
	free(path);
}

TEST(files_are_as_built_here)
{
	size_t i;

	if (getenv("UPDATE"))
		write_files();
	for (i = 0; i < ARRAY_SIZE(bad_files); i++)
		check_file(&bad_files[i]);
}
