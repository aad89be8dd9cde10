/* SPDX-License-Identifier: MIT */
/*
 * Makes a large perf.data of a small one: the recording is played over and over, later each time,
 * until the number of samples asked for is reached.
 *
 *	gen_perfdata IN OUT SAMPLES
 *
 * IN is a regular file of stock perf of this machine's byte order, uncompressed, without AUX data,
 * whose events agree on where a record's time lies. Records of before the recording (time 0, and
 * those of perf itself but FINISHED_ROUND) are written once; all others once per round of play with
 * their time moved on, so processes start, map, fork and exit again each time. OUT is the same for
 * the same IN and SAMPLES. A round of play ends with a FINISHED_ROUND, hence the order that readers
 * rely on holds. Layouts: the kernel's perf_event.h and perf's perf.data-file-format document.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "base/option.h"

#define HEADER_SIZE 104
#define HEADER_DATA 40
#define HEADER_ATTRS 24
#define HEADER_FEATURES 72
#define FEATURE_SAMPLE_TIME 21

#define SAMPLE_IP (1u << 0)
#define SAMPLE_TID (1u << 1)
#define SAMPLE_TIME (1u << 2)
#define SAMPLE_ID (1u << 6)
#define SAMPLE_CPU (1u << 7)
#define SAMPLE_STREAM_ID (1u << 9)
#define SAMPLE_IDENTIFIER (1u << 16)
/* What decides where the time lies. */
#define SAMPLE_PLACE                                                                        \
	(SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME | SAMPLE_ID | SAMPLE_CPU | SAMPLE_STREAM_ID | \
	 SAMPLE_IDENTIFIER)

#define RECORD_EXIT 4
#define RECORD_FORK 7
#define RECORD_SAMPLE 9
#define RECORD_USER 64
#define RECORD_FINISHED_ROUND 68
#define RECORD_AUXTRACE 71
#define RECORD_COMPRESSED 81
#define RECORD_COMPRESSED2 83

/* Between the last record of a round of play and the first of the next. */
#define PAUSE_NS 1000000

struct input {
	u8 *bytes;
	size_t size;
	u64 data_off, data_end;
	u64 sample_type;
	size_t sample_time_off;  /* from the start of a SAMPLE */
	size_t trailer_time_off; /* from the end of any other kernel record */
	u64 first, last;         /* times, ns */
	u64 nr_samples;
};

struct output {
	FILE *f;
	u64 data_size, nr_samples, last;
};

static _Noreturn void die(const char *fmt, ...) PRINTF_LIKE(1, 2);
static _Noreturn void die(const char *fmt, ...)
{
	va_list ap;

	fputs("gen_perfdata: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

static void put_u64(u8 *p, u64 v)
{
	memcpy(p, &v, sizeof(v));
}

static void read_input(struct input *in, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	size_t have = 0;

	if (fd < 0 || fstat(fd, &st) < 0)
		die("%s: %s", path, strerror(errno));
	in->size = (size_t)st.st_size;
	in->bytes = xmalloc(in->size + 1);
	while (have < in->size) {
		ssize_t n = read(fd, in->bytes + have, in->size - have);

		if (n <= 0)
			die("%s: ends at %zu of %zu bytes", path, have, in->size);
		have += (size_t)n;
	}
	close(fd);
}

static void read_header(struct input *in)
{
	u64 attrs_off, attrs_size, attr_size;

	if (in->size < HEADER_SIZE || memcmp(in->bytes, "PERFILE2", 8) ||
	    get_u64(in->bytes + 8, false) != HEADER_SIZE)
		die("not a regular perf.data file of this byte order");
	attr_size = get_u64(in->bytes + 16, false);
	attrs_off = get_u64(in->bytes + HEADER_ATTRS, false);
	attrs_size = get_u64(in->bytes + HEADER_ATTRS + 8, false);
	in->data_off = get_u64(in->bytes + HEADER_DATA, false);
	in->data_end = in->data_off + get_u64(in->bytes + HEADER_DATA + 8, false);
	if (in->data_off > in->size || in->data_end > in->size || in->data_end <= in->data_off)
		die("the data section does not lie in the file");
	if (attr_size < 64 + 16 || attrs_size < attr_size || attrs_off > in->data_off ||
	    attrs_size > in->data_off - attrs_off)
		die("the attrs section does not lie before the data");

	in->sample_type = get_u64(in->bytes + attrs_off + 24, false);
	for (u64 off = 0; off + attr_size <= attrs_size; off += attr_size) {
		u64 type = get_u64(in->bytes + attrs_off + off + 24, false);

		if ((type ^ in->sample_type) & SAMPLE_PLACE)
			die("the events differ in where a record's time lies");
	}
	if (!(in->sample_type & SAMPLE_TIME))
		die("the records have no time");

	in->sample_time_off = 8;
	if (in->sample_type & SAMPLE_IDENTIFIER)
		in->sample_time_off += 8;
	if (in->sample_type & SAMPLE_IP)
		in->sample_time_off += 8;
	if (in->sample_type & SAMPLE_TID)
		in->sample_time_off += 8;
	in->trailer_time_off = 8;
	for (size_t i = 0; i < 4; i++) {
		static const u64 after[] = { SAMPLE_ID, SAMPLE_STREAM_ID, SAMPLE_CPU,
					     SAMPLE_IDENTIFIER };

		if (in->sample_type & after[i])
			in->trailer_time_off += 8;
	}
}

/* The record at off, checked to lie in the data section; its size. */
static size_t record_size(const struct input *in, u64 off)
{
	size_t size;

	if (in->data_end - off < 8)
		die("offset %#llx: a record of less than 8 bytes", (unsigned long long)off);
	size = get_u16(in->bytes + off + 6, false);
	if (size < 8 || size > in->data_end - off)
		die("offset %#llx: a record of %zu bytes", (unsigned long long)off, size);
	return size;
}

/* Where the time of a record lies in it, 0 for a record without one. */
static size_t time_off(const struct input *in, const u8 *rec, size_t size)
{
	u32 type = get_u32(rec, false);

	if (type == RECORD_SAMPLE)
		return in->sample_time_off + 8 <= size ? in->sample_time_off : 0;
	if (type < RECORD_USER && size >= 8 + in->trailer_time_off)
		return size - in->trailer_time_off;
	return 0;
}

static void survey(struct input *in)
{
	in->first = UINT64_MAX;
	for (u64 off = in->data_off; off < in->data_end;) {
		const u8 *rec = in->bytes + off;
		size_t size = record_size(in, off), at = time_off(in, rec, size);
		u32 type = get_u32(rec, false);
		u64 time = at ? get_u64(rec + at, false) : 0;

		if (type == RECORD_AUXTRACE || type == RECORD_COMPRESSED ||
		    type == RECORD_COMPRESSED2)
			die("record type %u cannot be repeated", type);
		if (type == RECORD_SAMPLE)
			in->nr_samples++;
		if (time && time < in->first)
			in->first = time;
		if (time && time > in->last)
			in->last = time;
		off += size;
	}
	if (!in->nr_samples || in->first >= in->last)
		die("there are no samples to repeat");
}

static void put(struct output *out, const void *p, size_t n)
{
	if (n && fwrite(p, 1, n, out->f) != n)
		die("write: %s", strerror(errno));
}

static void put_record(struct output *out, const u8 *rec, size_t size)
{
	put(out, rec, size);
	out->data_size += size;
}

/* One round of play: round 0 also has what is written once. */
static void play(const struct input *in, struct output *out, u64 round, u64 wanted)
{
	static const u8 end_of_round[8] = { RECORD_FINISHED_ROUND, 0, 0, 0, 0, 0, 8, 0 };
	u64 shift = round * (in->last - in->first + PAUSE_NS);
	u8 copy[65536];

	for (u64 off = in->data_off; off < in->data_end;) {
		size_t size = record_size(in, off), at;
		u32 type;
		u64 time;

		memcpy(copy, in->bytes + off, size);
		off += size;
		type = get_u32(copy, false);
		at = time_off(in, copy, size);
		time = at ? get_u64(copy + at, false) : 0;
		if (type == RECORD_SAMPLE && out->nr_samples == wanted)
			continue;
		if (round && !time && type != RECORD_FINISHED_ROUND)
			continue;
		if (time) {
			put_u64(copy + at, time + shift);
			if ((type == RECORD_FORK || type == RECORD_EXIT) && size >= 32 + 8)
				put_u64(copy + 24, get_u64(copy + 24, false) + shift);
			if (time + shift > out->last)
				out->last = time + shift;
		}
		if (type == RECORD_SAMPLE)
			out->nr_samples++;
		put_record(out, copy, size);
	}
	put_record(out, end_of_round, sizeof(end_of_round));
}

/* What follows the data: the table of features, one {offset, size} per set bit, and its payloads.
 */
static void put_tail(const struct input *in, struct output *out, u64 delta)
{
	u8 *tail = in->bytes + in->data_end;
	size_t size = in->size - in->data_end, slot = 0;

	for (unsigned int bit = 0; bit < 256; bit++) {
		u64 off, len;

		if (!(in->bytes[HEADER_FEATURES + bit / 8] >> (bit % 8) & 1))
			continue;
		if ((slot + 1) * 16 > size)
			break;
		off = get_u64(tail + slot * 16, false);
		len = get_u64(tail + slot * 16 + 8, false);
		if (bit == FEATURE_SAMPLE_TIME && len == 16 && off >= in->data_end &&
		    off <= in->size - len && get_u64(in->bytes + off, false))
			put_u64(in->bytes + off + 8, out->last);
		if (off >= in->data_end)
			put_u64(tail + slot * 16, off + delta);
		slot++;
	}
	put(out, tail, size);
}

int main(int argc, char **argv)
{
	struct input in = { 0 };
	struct output out = { 0 };
	u8 data_size[8];
	u64 wanted, round = 0;

	if (argc != 4 || parse_u64(argv[3], 10, 1, UINT32_MAX, &wanted) < 0) {
		fputs("usage: gen_perfdata IN OUT SAMPLES\n", stderr);
		return OPT_STATUS_USAGE;
	}
	read_input(&in, argv[1]);
	read_header(&in);
	survey(&in);

	out.f = fopen(argv[2], "wbe");
	if (!out.f)
		die("%s: %s", argv[2], strerror(errno));
	put(&out, in.bytes, in.data_off);
	while (out.nr_samples < wanted)
		play(&in, &out, round++, wanted);
	put_tail(&in, &out, out.data_size - (in.data_end - in.data_off));

	put_u64(data_size, out.data_size);
	if (fseek(out.f, HEADER_DATA + 8, SEEK_SET) < 0)
		die("%s: %s", argv[2], strerror(errno));
	put(&out, data_size, sizeof(data_size));
	if (fclose(out.f))
		die("%s: %s", argv[2], strerror(errno));
	printf("%llu samples in %llu rounds of %llu\n", (unsigned long long)out.nr_samples,
	       (unsigned long long)round, (unsigned long long)in.nr_samples);
	free(in.bytes);
	return 0;
}
