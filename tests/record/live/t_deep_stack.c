/* SPDX-License-Identifier: MIT */
/* Copies of stacks that go on in memory, of a process whose memory a test makes. */
#include "record/live/deep_stack.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

#define STACK_BYTES (300u << 10)
#define SP 0x7ffc00000000ull

struct memory {
	u8 *bytes;
	size_t readable; /* from SP on */
};

static size_t read_memory(void *ctx, u32 pid, u64 addr, u8 *to, size_t n)
{
	const struct memory *m = ctx;

	CHECK_EQ(pid, 42);
	if (addr - SP >= m->readable)
		return 0;
	if (n > m->readable - (addr - SP))
		n = m->readable - (addr - SP);
	memcpy(to, m->bytes + (addr - SP), n);
	return n;
}

TEST(memory_behind_the_copy)
{
	struct memory m = { xmalloc(STACK_BYTES), STACK_BYTES };
	struct span copy, got;
	struct deep_stack d;

	for (u32 i = 0; i < STACK_BYTES; i++)
		m.bytes[i] = (u8)(i * 7 + (i >> 8));
	copy = span_of(xmalloc(32768), 32768);
	memcpy((u8 *)copy.p, m.bytes, copy.n);
	deep_stack_init(&d, read_memory, &m);

	got = deep_stack_extend(&d, 42, SP, copy, 0);
	CHECK_EQ(got.n, 32768 + 65536);
	CHECK(got.n <= STACK_BYTES && !memcmp(got.p, m.bytes, got.n));
	got = deep_stack_extend(&d, 42, SP, copy, 1);
	CHECK_EQ(got.n, STACK_BYTES);
	CHECK(got.n <= STACK_BYTES && !memcmp(got.p, m.bytes, got.n));
	CHECK_EQ(d.nr_changed, 0);

	/* what is below the last KiB may have changed: of those bytes the copy is right */
	m.bytes[100] ^= 1;
	got = deep_stack_extend(&d, 42, SP, copy, 0);
	CHECK_EQ(got.n, 32768 + 65536);
	CHECK_EQ(got.p[100], copy.p[100]);
	/* within it, the stack is another one */
	m.bytes[32768 - 1024] ^= 1;
	CHECK_EQ(deep_stack_extend(&d, 42, SP, copy, 0).n, 0);
	m.bytes[32768 - 1024] ^= 1;
	m.bytes[32767] ^= 1;
	CHECK_EQ(deep_stack_extend(&d, 42, SP, copy, 0).n, 0);
	m.bytes[32767] ^= 1;
	CHECK_EQ(d.nr_changed, 2);

	/* nothing behind it, or no memory at all */
	m.readable = 32768;
	CHECK_EQ(deep_stack_extend(&d, 42, SP, copy, 0).n, 0);
	m.readable = 0;
	CHECK_EQ(deep_stack_extend(&d, 42, SP, copy, 0).n, 0);
	/* copies that are too small, too large, or at the end of the address space */
	CHECK_EQ(deep_stack_extend(&d, 42, SP, span_of(copy.p, 1023), 0).n, 0);
	CHECK_EQ(deep_stack_extend(&d, 42, SP, span_of(copy.p, 65537), 0).n, 0);
	CHECK_EQ(deep_stack_extend(&d, 42, UINT64_MAX - 4096, copy, 0).n, 0);
	CHECK_EQ(deep_stack_extend(&d, 42, SP, copy, DEEP_STACK_TRIES).n, 0);
	deep_stack_fini(&d);
	free((u8 *)copy.p);
	free(m.bytes);
}

/* The memory of this process, up to its last page. */
TEST(memory_of_a_process)
{
	u8 *bytes = xmalloc(200u << 10);
	struct deep_stack d;
	struct span got;

	memset(bytes, 5, 200u << 10);
	deep_stack_init(&d, NULL, NULL);
	got = deep_stack_extend(&d, (u32)getpid(), (uintptr_t)bytes, span_of(bytes, 4096), 0);
	/* a sandbox may forbid it */
	if (got.n) {
		CHECK_EQ(got.n, 4096 + 65536);
		CHECK_EQ(got.p[got.n - 1], 5);
	}
	CHECK_EQ(d.nr_changed, 0);
	deep_stack_fini(&d);
	free(bytes);
}
