/* SPDX-License-Identifier: MIT */
/*
 * Writes a recording whose objects lie at given paths, for tests of hostile paths:
 *
 *	place_recording OUT PID PATH...
 *
 * Process PID maps each PATH as code, 1 MiB at 16 MiB * (1 + the path's number), and anonymous
 * memory with code at 16 MiB * 100. Each of them has two samples. No build-ids are recorded.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/option.h"
#include "fileformat/record.h"
#include "tests/frame/built_recording.h"

#define SPACE ((u64)16 << 20)
#define LENGTH ((u64)1 << 20)
#define ANONYMOUS 100

static void put_object(struct built *x, u32 pid, u64 number, const char *path)
{
	const struct sample_parts at = { .pid = pid, .tid = pid, .time = number + 1 };

	put_mmap2(&x->b, pid, SPACE * number, LENGTH, 0, path, &x->a, &at);
	for (u64 i = 0; i < 2; i++) {
		const u64 ip = SPACE * number + 0x1010 + i;
		const struct sample_parts s = { .misc = PD_CPUMODE_USER,
						.ip = ip,
						.pid = pid,
						.tid = pid,
						.time = number + 2 + i,
						.period = 1 };

		put_sample(&x->b, &x->a, &s);
	}
}

int main(int argc, char **argv)
{
	const struct sample_parts t = { .time = 1 };
	struct pd_attr a = attr_plain();
	struct built x;
	struct span file;
	FILE *f;
	u64 pid;

	if (argc < 4 || parse_u64(argv[2], 10, 1, UINT32_MAX, &pid)) {
		fputs("usage: place_recording OUT PID PATH...\n", stderr);
		return 2;
	}
	a.sample_type &= ~(u64)PD_SAMPLE_CALLCHAIN;
	built_begin(&x, &a);
	put_comm(&x.b, (u32)pid, (u32)pid, "victim", &a, &t);
	for (int i = 3; i < argc; i++)
		put_object(&x, (u32)pid, (u64)i - 2, argv[i]);
	put_object(&x, (u32)pid, ANONYMOUS, "//anon");
	file = built_end(&x);
	f = fopen(argv[1], "wxe");
	if (!f || fwrite(file.p, 1, file.n, f) != file.n || fclose(f)) {
		perror(argv[1]);
		return 1;
	}
	bytes_free(&x.b);
	return 0;
}
