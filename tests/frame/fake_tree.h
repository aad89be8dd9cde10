/* SPDX-License-Identifier: MIT */
/*
 * A folder of a test's own with files as /proc and /sys have them.
 *
 *	struct fake_tree t = fake_tree_new();
 *
 *	fake_file(&t, "12/status", "Name:\ta\n");
 *	... t.root ...
 *	fake_tree_free(&t);
 */
#ifndef TESTS_FRAME_FAKE_TREE_H
#define TESTS_FRAME_FAKE_TREE_H

#include "base/types.h"

struct fake_tree {
	char root[64]; /* without a slash at its end */
};

struct fake_tree fake_tree_new(void);
/* Takes everything below the root away. */
void fake_tree_free(struct fake_tree *t);

/* Makes the file and the folders above it; fails the test when it cannot. */
void fake_bytes(const struct fake_tree *t, const char *rest, const void *p, size_t n);
void fake_file(const struct fake_tree *t, const char *rest, const char *fmt, ...) PRINTF_LIKE(3, 4);
void fake_folder(const struct fake_tree *t, const char *rest);

#endif
