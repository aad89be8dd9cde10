/* SPDX-License-Identifier: MIT */
#include "tests/frame/mutate.h"

#include <string.h>

#include "base/hash.h"
#include "fileformat/sample.h"

struct dice dice_of(const char *name, u64 k)
{
	return (struct dice){ .state = hash_pair(hash_bytes(name, strlen(name)), k) };
}

u64 roll(struct dice *d, u64 below)
{
	d->state += 0x9e3779b97f4a7c15ull;
	return below ? hash_u64(d->state) % below : 0;
}

static void put_number(u8 *p, size_t n, size_t at, struct dice *d)
{
	static const u64 numbers[] = { 0,
				       1,
				       7,
				       8,
				       9,
				       16,
				       63,
				       64,
				       0x7f,
				       0x80,
				       0xff,
				       0x7fff,
				       0x8000,
				       0xffff,
				       1u << 20,
				       0x7fffffff,
				       0x80000000,
				       0xffffffff,
				       1ull << 60,
				       1ull << 61,
				       INT64_MAX,
				       1ull << 63,
				       UINT64_MAX,
				       UINT64_MAX - 7,
				       PD_CONTEXT_USER,
				       PD_CONTEXT_KERNEL };
	u64 v = numbers[roll(d, ARRAY_SIZE(numbers))];
	size_t width = (size_t)1 << roll(d, 4), i, place;
	bool big = roll(d, 4) == 0;

	at &= ~(width - 1);
	for (i = 0; i < width; i++) {
		place = at + (big ? width - 1 - i : i);
		if (place < n)
			p[place] = (u8)(v >> (8 * i));
	}
}

size_t mutate_once(u8 *p, size_t n, size_t at, struct dice *d)
{
	size_t len;

	switch (roll(d, 8)) {
	case 0:
	case 1: p[at] ^= (u8)(1u << roll(d, 8)); break;
	case 2: p[at] = (u8)roll(d, 256); break;
	case 3:
	case 4:
	case 5: put_number(p, n, at, d); break;
	case 6:
		len = 1 + roll(d, 64);
		if (len >= n - at)
			break;
		memmove(p + at, p + at + len, n - at - len);
		return n - len;
	default:
		if (roll(d, 3) == 0)
			return at ? at : 1;
		p[at] = 0;
	}
	return n;
}
