/* SPDX-License-Identifier: MIT */
#include "fold/fold_shares.h"

#include "base/mem.h"
#include "tests/frame/unit.h"

#define ROWS 1000
#define SHARES 4

static void free_shares(struct fold_share *s)
{
	for (int i = 0; i < SHARES; i++)
		free(s[i].rows);
	free(s);
}

/* Each row is in one share, and in each share rows ascend. */
static void check_rows(const struct fold_share *s, u32 *share_of)
{
	size_t nr = 0;

	memset(share_of, 0xff, ROWS * sizeof(*share_of));
	for (u32 i = 0; i < SHARES; i++) {
		for (size_t k = 0; k < s[i].nr; k++) {
			u32 row = s[i].rows[k];

			CHECK(row < ROWS && share_of[row] == UINT32_MAX);
			CHECK(!k || row > s[i].rows[k - 1]);
			share_of[row] = i;
		}
		nr += s[i].nr;
	}
	CHECK_EQ(nr, ROWS);
}

TEST(rows_without_roots_are_neighbours)
{
	struct fold_share *s = fold_shares_make(NULL, 0, ROWS, SHARES);
	u32 share_of[ROWS];

	check_rows(s, share_of);
	for (u32 i = 0; i < SHARES; i++) {
		CHECK_EQ(s[i].nr, ROWS / SHARES);
		CHECK_EQ(s[i].rows[0], i * ROWS / SHARES);
	}
	free_shares(s);
}

/* Roots of 1, 2, ... rows, scattered, and one that has half of all rows. */
TEST(small_roots_stay_together_and_a_large_one_is_divided)
{
	u32 roots[ROWS], share_of[ROWS], first[64];
	struct fold_share *s;
	bool divided = false;

	for (u32 i = 0; i < ROWS; i++)
		roots[i] = i % 2 ? 0 : 1 + i / 2 * 7 % 29 * 2;
	memset(first, 0xff, sizeof(first));
	s = fold_shares_make(roots, ARRAY_SIZE(first), ROWS, SHARES);
	check_rows(s, share_of);
	for (u32 i = 0; i < ROWS; i++) {
		u32 root = roots[i];

		if (first[root] == UINT32_MAX)
			first[root] = share_of[i];
		if (root)
			CHECK_EQ(share_of[i], first[root]);
		else
			divided |= share_of[i] != first[0];
	}
	CHECK(divided);
	for (int i = 0; i < SHARES; i++)
		CHECK(s[i].nr > ROWS / SHARES * 4 / 5 && s[i].nr < ROWS / SHARES * 6 / 5);
	free_shares(s);
}
