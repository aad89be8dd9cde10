/* SPDX-License-Identifier: MIT */
/* A recording of one event, built in memory for tests of counting. */
#ifndef TESTS_FRAME_BUILT_RECORDING_H
#define TESTS_FRAME_BUILT_RECORDING_H

#include "tests/frame/build_file.h"

struct built {
	struct bytes b;
	struct file_builder f;
	struct pd_attr a;
};

static inline void built_begin(struct built *x, const struct pd_attr *a)
{
	*x = (struct built){ .b = bytes_new(false), .a = *a };
	x->f.b = &x->b;
	file_begin(&x->f, BUILD_REGULAR);
	file_add_event(&x->f, a, NULL, 0);
	file_begin_data(&x->f);
}

static inline struct span built_end(struct built *x)
{
	file_end(&x->f);
	return bytes_span(&x->b);
}

static inline void put_ksymbol(struct built *x, u64 addr, u32 len, const char *name, u64 time)
{
	const struct sample_parts t = { .time = time };

	record_begin(&x->b, PD_RECORD_KSYMBOL, 0);
	put_u64(&x->b, addr);
	put_u32(&x->b, len);
	put_u16(&x->b, 1);
	put_u16(&x->b, 0);
	put_text(&x->b, name, 8);
	put_trailer(&x->b, &x->a, &t);
	record_end(&x->b);
}

#define KSTART 0xffffffff81000000ull
#define BPF 0xffffffffc0100000ull

static inline void put_kernel_sample(struct built *x, u64 time, u64 ip, u64 caller)
{
	const u64 ips[] = { PD_CONTEXT_KERNEL, ip, caller, PD_CONTEXT_USER, 0x400100 };
	const struct sample_parts s = { .misc = PD_CPUMODE_KERNEL,
					.ip = ip,
					.pid = 7,
					.tid = 7,
					.time = time,
					.period = 10,
					.ips = ips,
					.nr_ips = ARRAY_SIZE(ips) };

	put_sample(&x->b, &x->a, &s);
}

#endif
