/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/types.h"
#include "machine/chain_repeat.h"
#include "machine/chain_ips.h"
#include "tests/frame/unit.h"

#define MAX 600

static u64 ips[MAX];
static u32 state = 7;

static u32 rnd(u32 below)
{
	state = state * 1664525u + 1013904223u;
	return (state >> 8) % below;
}

/* Different addresses, then a circle of `turn` of them up to n. */
static void make_chain(size_t n, size_t turn, size_t begin)
{
	for (size_t i = 0; i < n; i++)
		ips[i] = i < begin + turn ? 1000 + i : ips[i - turn];
}

/* The addresses that the entry leaves out are those before them, in turn; whole turns of them. */
static void check_expands(size_t n, u32 entry)
{
	size_t kept = n - (entry ? chain_repeat_frames(entry) : 0), turn = chain_repeat_turn(entry);

	CHECK_EQ((n - kept) % turn, 0);
	CHECK(kept >= turn);
	for (size_t i = kept; i < n; i++)
		CHECK_EQ(ips[i], ips[i - turn]);
}

TEST(every_turn_is_found)
{
	for (u32 turn = 1; turn <= CHAIN_TURN_MAX; turn++)
		for (size_t n = 4 * turn + 20; n < 4 * turn + 20 + turn; n++) {
			u32 entry;

			make_chain(n, turn, 5);
			entry = chain_repeat_of(ips, n);
			CHECK(entry & CHAIN_REPEAT);
			CHECK_EQ(chain_repeat_turn(entry), turn);
			CHECK_EQ(chain_repeat_frames(entry), n - 5 - turn - (n - 5) % turn);
			check_expands(n, entry);
		}
}

TEST(what_is_no_circle)
{
	make_chain(300, CHAIN_TURN_MAX + 1, 0);
	CHECK_EQ(chain_repeat_of(ips, 300), 0);
	make_chain(300, 299, 0);
	CHECK_EQ(chain_repeat_of(ips, 300), 0);
	make_chain(5, 1, 0); /* too short to be worth it */
	CHECK_EQ(chain_repeat_of(ips, 5), 0);
	CHECK_EQ(chain_repeat_of(ips, 0), 0);
	make_chain(300, 3, 0);
	ips[299] = 1; /* it was left again */
	CHECK_EQ(chain_repeat_of(ips, 300), 0);
}

/* Addresses of the kernel are others than the same ones of a program. */
TEST(modes_tell_addresses_apart)
{
	u8 modes[100];
	struct chain_ips c = { .ips = ips, .modes = modes, .nr = 100 };

	make_chain(100, 2, 0);
	memset(modes, PD_CPUMODE_KERNEL, 50);
	memset(modes + 50, PD_CPUMODE_USER, 50);
	chain_find_circle(&c);
	CHECK_EQ(chain_repeat_turn(c.circle), 2);
	CHECK_EQ(chain_repeat_frames(c.circle), 48);
	CHECK_EQ(c.nr, 52);
	c = (struct chain_ips){ .circle = 1 };
	chain_find_circle(&c);
	CHECK_EQ(c.circle, 0);
}

TEST(random_chains)
{
	size_t nr_found = 0;

	for (int round = 0; round < 5000; round++) {
		size_t n = 1 + rnd(MAX - 1);
		u32 entry, kinds = 1 + rnd(3);

		for (size_t i = 0; i < n; i++)
			ips[i] = i < 20 || rnd(50) ? 1 + rnd(kinds) : ips[i - 7];
		for (size_t i = n / 2; i < n && i >= 9 && round % 2; i++)
			ips[i] = ips[i - 9];
		entry = chain_repeat_of(ips, n);
		nr_found += !!entry;
		check_expands(n, entry);
	}
	CHECK(nr_found > 1000);
	CHECK(nr_found < 5000);
}
