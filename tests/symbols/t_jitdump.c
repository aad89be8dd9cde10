/* SPDX-License-Identifier: MIT */
/* symbols/jit/jitdump and symbols/jit/jit_code */
#include "symbols/jit/jitdump.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/jit/jit_code.h"
#include "symbols/jit/jitdump_tail.h"
#include "tests/frame/build_jitdump.h"
#include "tests/frame/unit.h"

static void both_orders(void (*body)(bool big))
{
	body(false);
	body(true);
}

static void check_line(const struct jitdump *d, const struct jitdump_func *f, u64 ip,
		       const char *file, u32 line)
{
	const char *got_file = NULL;
	u32 got_line = 0;

	CHECK_EQ(jitdump_find_line(d, f, ip, &got_file, &got_line), file != NULL);
	CHECK_STR(got_file, file);
	CHECK_EQ(got_line, line);
}

static void everything(bool big)
{
	const struct jit_line lines[] = { { 0x1000, 10, "a.js" },
					  { 0x1008, 11, "\xff" },
					  { 0x100c, 7, "b.js" } };
	struct bytes b = bytes_new(big);
	struct jitdump d;
	struct perr e;

	jit_header(&b, 5, 0);
	jit_lines(&b, 0x1000, lines, 3);
	jit_unwinding(&b, span_of("FRAMES", 6), span_of("HDR", 3));
	jit_load(&b, 100, 0x1000, 16, 1, "one", 0x40);
	jit_load(&b, 200, 0x2000, 8, 2, "two", 0x80);
	jit_move(&b, 300, 0x1000, 0x3000, 16, 1);
	jit_move(&b, 300, 0x1000, 0x3000, 16, 99); /* of nothing */
	jit_close(&b, 400);
	put_fill(&b, 0xee, 100);
	CHECK_EQ(jitdump_parse(bytes_span(&b), &d, &e), 0);
	CHECK_EQ(d.swap, bytes_swapped(&b));
	CHECK_EQ(d.pid, 5);
	CHECK_EQ(d.machine, 62);
	CHECK_EQ(d.time, 77);
	CHECK(!d.arch_times);
	CHECK_EQ(d.damaged_at, 0);
	CHECK_EQ(d.nr, 3);
	CHECK_STR(d.funcs[0].name, "one");
	CHECK_EQ(d.funcs[0].start, 0x1000);
	CHECK_EQ(d.funcs[0].size, 16);
	CHECK_EQ(d.funcs[0].time, 100);
	CHECK_EQ(d.funcs[0].code.n, 16);
	CHECK_EQ(d.funcs[0].code.p[1], 0x41);
	CHECK_EQ(d.funcs[0].eh_frame.n, 6);
	CHECK_MEM(d.funcs[0].eh_frame.p, "FRAMES", 6);
	CHECK_EQ(d.funcs[0].eh_frame_hdr.n, 3);
	CHECK_MEM(d.funcs[0].eh_frame_hdr.p, "HDR", 3);
	check_line(&d, &d.funcs[0], 0x1007, "a.js", 10);
	check_line(&d, &d.funcs[0], 0x1008, "a.js", 11);
	check_line(&d, &d.funcs[0], 0x100f, "b.js", 7);
	CHECK_STR(d.funcs[1].name, "two");
	CHECK_EQ(d.funcs[1].nr_lines, 0);
	CHECK_EQ(d.funcs[1].eh_frame.n, 0);
	check_line(&d, &d.funcs[1], 0x2000, NULL, 0);
	/* what was told of the code holds where it moved to */
	CHECK_STR(d.funcs[2].name, "one");
	CHECK_EQ(d.funcs[2].start, 0x3000);
	CHECK_EQ(d.funcs[2].time, 300);
	CHECK_EQ(d.funcs[2].code.p[0], 0x40);
	check_line(&d, &d.funcs[2], 0x300c, "b.js", 7);
	jitdump_fini(&d);
	bytes_free(&b);
}

TEST(everything_in_both_byte_orders)
{
	both_orders(everything);
}

/* V8 counts the addresses of lines from an ELF header before the code. */
TEST(lines_of_v8_are_moved_back)
{
	const struct jit_line first[] = { { 0x1040, 1, "a.js" }, { 0x1048, 2, "a.js" } };
	const struct jit_line second[] = { { 0x2050, 5, "a.js" } };
	struct bytes b = bytes_new(false);
	struct jitdump d;
	struct perr e;

	jit_header(&b, 5, 0);
	jit_lines(&b, 0x1000, first, 2);
	jit_load(&b, 1, 0x1000, 64, 1, "f", 0);
	jit_lines(&b, 0x2000, second, 1);
	jit_load(&b, 2, 0x2000, 64, 2, "g", 0);
	CHECK_EQ(jitdump_parse(bytes_span(&b), &d, &e), 0);
	check_line(&d, &d.funcs[0], 0x1000, "a.js", 1);
	check_line(&d, &d.funcs[0], 0x1008, "a.js", 2);
	check_line(&d, &d.funcs[1], 0x200f, NULL, 0);
	check_line(&d, &d.funcs[1], 0x2010, "a.js", 5);
	jitdump_fini(&d);
	bytes_free(&b);
}

static int parse_only(const struct bytes *b, size_t n)
{
	struct jitdump d;
	struct perr e;
	int err = jitdump_parse(span_of(b->p, n), &d, &e);

	jitdump_fini(&d);
	return err;
}

TEST(no_dump)
{
	struct bytes b = bytes_new(false);

	CHECK_EQ(parse_only(&b, 0), PERR_FORMAT);
	jit_header(&b, 5, 0);
	CHECK_EQ(parse_only(&b, 40), 0);
	CHECK_EQ(parse_only(&b, 39), PERR_FORMAT);
	set_u32(&b, 8, 41);
	CHECK_EQ(parse_only(&b, 40), PERR_FORMAT);
	set_u32(&b, 8, 39);
	CHECK_EQ(parse_only(&b, 40), PERR_FORMAT);
	set_u32(&b, 8, 40);
	set_u32(&b, 4, 2);
	CHECK_EQ(parse_only(&b, 40), PERR_UNSUPPORTED);
	set_u32(&b, 0, 1);
	CHECK_EQ(parse_only(&b, 40), PERR_FORMAT);
	bytes_free(&b);
}

/* Cut anywhere, the whole records before the cut are there. */
TEST(cut_dumps)
{
	struct bytes b = bytes_new(false);
	size_t ends[3], n;

	jit_header(&b, 5, 0);
	ends[0] = b.n;
	jit_load(&b, 1, 0x1000, 16, 1, "one", 0);
	ends[1] = b.n;
	jit_load(&b, 2, 0x2000, 16, 2, "two", 0);
	ends[2] = b.n;
	for (n = ends[0]; n <= ends[2]; n++) {
		struct jitdump d;
		struct perr e;
		size_t whole = n == ends[2] ? 2 : n >= ends[1];

		CHECK_EQ(jitdump_parse(span_of(b.p, n), &d, &e), 0);
		CHECK_EQ(d.nr, whole);
		CHECK_EQ(d.damaged_at, n == ends[whole] ? 0 : ends[whole]);
		jitdump_fini(&d);
	}
	bytes_free(&b);
}

static void check_span(struct span a, struct span b)
{
	CHECK_EQ(a.n, b.n);
	CHECK(!a.n || !memcmp(a.p, b.p, a.n));
}

static void check_same(const struct jitdump *a, const struct jitdump *b)
{
	CHECK_EQ(a->nr, b->nr);
	for (size_t i = 0; i < a->nr && i < b->nr; i++) {
		const struct jitdump_func *f = &a->funcs[i], *g = &b->funcs[i];

		CHECK_EQ(f->start, g->start);
		CHECK_EQ(f->home, g->home);
		CHECK_EQ(f->time, g->time);
		check_span(f->code, g->code);
		check_span(f->eh_frame, g->eh_frame);
		check_span(f->eh_frame_hdr, g->eh_frame_hdr);
	}
}

/* A dump that is read while it is written, so many bytes at a time. */
static void growing(bool big, size_t step, size_t room, size_t nr)
{
	struct bytes b = bytes_new(big);
	int fd = memfd_create("dump", 0);
	struct jitdump_tail *t;
	struct jitdump whole, *d;
	struct perr e;
	size_t funcs = 0;

	jit_header(&b, 5, 0);
	jit_unwinding(&b, span_of("FRAMES", 6), span_of("HDR", 3));
	jit_load(&b, 1, 0x1000, 300, 1, "one", 0);
	jit_load(&b, 2, 0x2000, 16, 2, "two", 7);
	jit_move(&b, 3, 0x1000, 0x3000, 300, 1);
	jit_unwinding(&b, span_of("MORE", 4), span_of(NULL, 0));
	jit_load(&b, 4, 0x2000, 400, 3, "three", 9);
	jit_close(&b, 5);
	jit_load(&b, 6, 0x5000, 16, 4, "behind the end", 1);
	t = jitdump_tail_new(fd, 5);
	for (size_t at = 0; at < b.n; at += step) {
		size_t n = b.n - at < step ? b.n - at : step;

		CHECK_EQ(write(fd, b.p + at, n), n);
		if (!jitdump_tail_read(t, room))
			continue;
		d = jitdump_tail_copy(t);
		CHECK(d->nr > funcs);
		funcs = d->nr;
		jitdump_copy_free(d);
	}
	CHECK_EQ(funcs, nr);
	CHECK_EQ(jitdump_parse(bytes_span(&b), &whole, &e), 0);
	d = jitdump_tail_copy(t);
	if (nr == whole.nr)
		check_same(d, &whole);
	jitdump_copy_free(d);
	jitdump_fini(&whole);
	jitdump_tail_free(t);
	bytes_free(&b);
}

TEST(dumps_that_grow)
{
	for (size_t step = 1; step < 60; step += 7) {
		growing(false, step, 1 << 20, 4);
		growing(true, step, 1 << 20, 4);
	}
	growing(false, 1 << 20, 1 << 20, 4);
	/* there is no room for all of it */
	growing(false, 1 << 20, 400, 1);
}

/* Its code is that of another process. */
TEST(dump_of_another_process_that_grows)
{
	struct bytes b = bytes_new(false);
	int fd = memfd_create("dump", 0);
	struct jitdump_tail *t = jitdump_tail_new(fd, 6);

	jit_header(&b, 5, 0);
	jit_load(&b, 1, 0x1000, 16, 1, "one", 0);
	CHECK_EQ(write(fd, b.p, b.n), b.n);
	CHECK(!jitdump_tail_read(t, 1 << 20));
	jitdump_tail_free(t);
	bytes_free(&b);
}

TEST(records_that_contradict_themselves)
{
	struct bytes b = bytes_new(false);
	struct jitdump d;
	struct perr e;
	size_t at;

	jit_header(&b, 5, 0);
	jit_load(&b, 1, UINT64_MAX - 4, 16, 1, "wraps", 0);
	jit_load(&b, 1, 0x1000, 0, 1, "empty", 0);
	at = b.n;
	jit_load(&b, 1, 0x1000, 16, 1, "short", 0);
	set_u64(&b, at + 40, (u64)1 << 40); /* less code than that */
	at = b.n;
	jit_unwinding(&b, span_of("FRAMES", 6), span_of("HDR", 3));
	set_u64(&b, at + 24, 10); /* .eh_frame_hdr larger than all */
	at = b.n;
	jit_lines(&b, 0x2000, &(struct jit_line){ 0x2000, 3, "x" }, 1);
	set_u64(&b, at + 24, UINT64_MAX); /* entries */
	jit_load(&b, 2, 0x2000, 16, 2, "lines", 0);
	jit_move(&b, 3, 0x2000, UINT64_MAX, 16, 2);
	at = b.n;
	jit_load(&b, 4, 0x3000, 4, 3, "x", 1);
	b.p[at + 57] = 'y'; /* the name's end: the code has zeros, too, or has not */
	CHECK_EQ(jitdump_parse(bytes_span(&b), &d, &e), 0);
	CHECK_EQ(d.nr, 2);
	CHECK_STR(d.funcs[0].name, "short");
	CHECK_EQ(d.funcs[0].code.n, 16);
	CHECK_EQ(d.funcs[1].eh_frame.n, 0);
	CHECK_EQ(d.funcs[1].nr_lines, 1);
	check_line(&d, &d.funcs[1], 0x2008, "x", 3);
	CHECK_EQ(d.damaged_at, at);
	jitdump_fini(&d);
	/* a record of no size must not hold us up */
	set_u32(&b, 40 + 4, 0);
	CHECK_EQ(jitdump_parse(bytes_span(&b), &d, &e), 0);
	CHECK_EQ(d.nr, 0);
	CHECK_EQ(d.damaged_at, 40);
	jitdump_fini(&d);
	bytes_free(&b);
}

/* --- which function is where, and when -------------------------------------------------------- */

static void check_at(const struct jit_code *c, u64 ip, u64 moment, const char *name)
{
	const struct jitdump *d;
	const struct jitdump_func *f = jit_code_find(c, ip, moment, &d);

	CHECK_STR(f ? f->name : NULL, name);
}

TEST(code_over_code)
{
	struct bytes b = bytes_new(false);
	struct jitdump d, *dumps[] = { &d };
	const struct jit_reuse *r;
	struct jit_code *c;
	struct perr e;

	jit_header(&b, 5, 0);
	jit_load(&b, 10, 0x1000, 0x100, 1, "first", 0);
	jit_load(&b, 20, 0x5000, 0x10, 2, "alone", 0);
	jit_load(&b, 40, 0x1000, 0x80, 4, "third", 0); /* out of order */
	jit_load(&b, 30, 0x1080, 0x100, 3, "second", 0);
	CHECK_EQ(jitdump_parse(bytes_span(&b), &d, &e), 0);
	c = jit_code_new(dumps, 1, true);
	CHECK(!jit_code_is_ambiguous(c));
	CHECK_EQ(jit_code_reuses(c, &r), 2);
	CHECK_EQ(r[0].time, 30);
	CHECK_EQ(r[0].start, 0x1080);
	CHECK_EQ(r[0].end, 0x1180);
	CHECK_EQ(r[1].time, 40);
	check_at(c, 0x1000, 0, "first");
	check_at(c, 0x10ff, 0, "first");
	check_at(c, 0x1100, 0, NULL);
	check_at(c, 0x107f, 1, "first");
	check_at(c, 0x1080, 1, "second");
	check_at(c, 0x117f, 1, "second");
	check_at(c, 0x107f, 2, "third");
	check_at(c, 0x1080, 2, "second");
	check_at(c, 0x1080, UINT64_MAX, "second");
	/* what has its memory for itself is there at any moment */
	check_at(c, 0x5008, 0, "alone");
	check_at(c, 0x5010, 0, NULL);
	jit_code_free(c);
	/* without times the order of the file counts */
	c = jit_code_new(dumps, 1, false);
	CHECK(jit_code_is_ambiguous(c));
	CHECK_EQ(jit_code_reuses(c, &r), 0);
	check_at(c, 0x1000, 0, "third");
	check_at(c, 0x1080, 0, "second");
	check_at(c, 0x5008, 7, "alone");
	jit_code_free(c);
	jitdump_fini(&d);
	bytes_free(&b);
}

static u64 next_random(u64 *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Against the plain rule: of the functions put there so far the last, else the first to come. */
TEST(any_code_at_any_moment)
{
	u64 state = 88172645463325252ull;

	for (int round = 0; round < 60; round++) {
		size_t nr = 1 + next_random(&state) % 700;
		u64 room = 100 + next_random(&state) % 5000;
		struct jitdump d = { .nr = nr, .funcs = calloc(nr, sizeof(*d.funcs)) };
		struct jitdump *dumps[] = { &d };
		const struct jit_reuse *r;
		const struct jitdump *of;
		struct jit_code *c;
		size_t nr_reuses;

		for (size_t i = 0; i < nr; i++)
			d.funcs[i] = (struct jitdump_func){ .start = next_random(&state) % room,
							    .size = 1 + next_random(&state) % 40,
							    .time = i,
							    .name = "x" };
		c = jit_code_new(dumps, 1, true);
		nr_reuses = jit_code_reuses(c, &r);
		for (int k = 0; k < 300; k++) {
			u64 ip = next_random(&state) % (room + 40);
			u64 moment = next_random(&state) % (nr_reuses + 1);
			u64 now = moment ? r[moment - 1].time : 0;
			const struct jitdump_func *want = NULL, *f;

			for (size_t i = 0; i < nr && i <= now; i++)
				if (ip - d.funcs[i].start < d.funcs[i].size)
					want = &d.funcs[i];
			f = jit_code_find(c, ip, moment, &of);
			if (want && f != want)
				CHECK_EQ(f ? f->time : UINT64_MAX, want->time);
			/* else one that is still to come, if nothing was there before */
			if (!want && f)
				CHECK(f->time > now && ip - f->start < f->size);
		}
		jit_code_free(c);
		jitdump_fini(&d);
	}
}
