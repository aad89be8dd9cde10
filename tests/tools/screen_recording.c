/* SPDX-License-Identifier: MIT */
/*
 * screen_recording DIR SAMPLES: writes DIR/perf.data, a recording of so many samples in functions
 * whose names a terminal shows in ways of its own: wide and combining characters, tabs, escapes,
 * changes of the direction of writing, bytes that are no UTF-8, 64 KiB; and their names, in
 * DIR/tmp/perf-7.map for --symfs. Sample number i is in function number i modulo their number. For
 * tests/checks/screens.sh.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/out.h"
#include "tests/frame/build_file.h"

#define PID 7
#define JIT 0x7f0000000000ull
#define SIZE 0x100
#define LONG_NAME 65536

static const char *const names[] = {
	"plain_name",
	"tab\tin\tit",
	"escape\033[2J\033[31mred\033]0;title\007",
	"wide_\xe6\xbc\xa2\xe5\xad\x97\xe4\xbb\xae\xe5\x90\x8d_"
	"\xed\x95\x9c\xea\xb8\x80_\xf0\x9f\x94\xa5_end",
	"combining_e\xcc\x81\xcc\x81\xcc\x81o\xcc\x88_end",
	"invalid_\xff\xfe\x80\xc3_\xed\xa0\x80_\xf5\x80\x80\x80_end",
	"right_to_left_\xe2\x80\xae\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d\xe2\x81\xa6_end",
	"c1_\xc2\x9b"
	"31m\xc2\x85_end",
	NULL, /* LONG_NAME characters */
};

static bool write_file(const char *dir, const char *name, const void *p, size_t n)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "we");
	bool ok = f && fwrite(p, 1, n, f) == n;

	if (f && fclose(f))
		ok = false;
	free(path);
	return ok;
}

static bool write_map(const char *dir)
{
	struct out o;
	bool ok;

	out_init_mem(&o);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		out_printf(&o, "%llx %x ", JIT + i * SIZE, SIZE);
		if (names[i])
			out_str(&o, names[i]);
		else
			out_fill(&o, 'L', LONG_NAME);
		out_char(&o, '\n');
	}
	ok = write_file(dir, "tmp/perf-7.map", o.buf, o.len);
	out_fini(&o);
	return ok;
}

static void put_samples(struct bytes *b, const struct pd_attr *a, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		u64 ip = JIT + i % ARRAY_SIZE(names) * SIZE + 0x10;
		const u64 chain[] = { PD_CONTEXT_USER, ip, JIT + 3 * SIZE + 0x20, JIT + 0x20 };
		const struct sample_parts s = {
			.misc = PD_CPUMODE_USER,
			.ip = ip,
			.pid = PID,
			.tid = PID,
			.time = 1000 + i,
			.id = 1,
			.period = 10 + ARRAY_SIZE(names) - i % ARRAY_SIZE(names),
			.ips = chain,
			.nr_ips = ARRAY_SIZE(chain),
		};

		put_sample(b, a, &s);
	}
}

int main(int argc, char **argv)
{
	static const u64 id = 1;
	const struct sample_parts t = { .pid = PID, .tid = PID, .time = 1 };
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	char *tmp;
	bool ok;

	if (argc != 3) {
		fprintf(stderr, "usage: screen_recording DIR SAMPLES\n");
		return 2;
	}
	tmp = xasprintf("%s/tmp", argv[1]);
	(void)mkdir(tmp, 0777);
	file_begin(&f, BUILD_REGULAR);
	a.type = PD_TYPE_SOFTWARE;
	a.sample_type |= PD_SAMPLE_ID;
	file_add_event(&f, &a, &id, 1);
	file_begin_data(&f);
	put_comm(&b, PID, PID, "wide \xe6\xbc\xa2", &f.attrs[0], &t);
	put_mmap2(&b, PID, JIT, 0x10000, 0, "//anon", &f.attrs[0], &t);
	put_samples(&b, &f.attrs[0], (u32)strtoul(argv[2], NULL, 10));
	file_end(&f);
	ok = write_file(argv[1], "perf.data", b.p, b.n) && write_map(argv[1]);
	bytes_free(&b);
	free(tmp);
	return ok ? 0 : 1;
}
