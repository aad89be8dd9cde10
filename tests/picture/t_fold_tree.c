/* SPDX-License-Identifier: MIT */
#include "picture/fold_lines.h"
#include "picture/fold_tree.h"

#include "base/mem.h"
#include "tests/frame/unit.h"

struct lines {
	char **text;
	size_t nr, cap;
};

static void keep_line(void *ctx, const char *text, size_t n, const u64 counts[FOLD_SIDES])
{
	struct lines *l = ctx;

	CHECK(counts[0] || counts[1]);
	vec_push(l->text, l->nr, l->cap, xstrndup(text, n));
}

static void free_lines(struct lines *l)
{
	while (l->nr)
		free(l->text[--l->nr]);
	free(l->text);
}

static void add_line(struct fold_tree *t, const char *line)
{
	const char *end;
	u32 node = 0;

	for (;; line = end + 1) {
		end = strchrnul(line, ';');
		node = fold_tree_child(t, node, intern_n(&t->names, line, (size_t)(end - line)));
		if (!*end)
			break;
	}
	fold_tree_count(t, node, 0, 1);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

TEST(lines_that_begin_alike)
{
	static const char *const want[] = { "a",     "a b",    "a b;c", "a!",     "a!;b", "a;b",
					    "a;b;c", "a;b<c>", "a<b>",  "a<b>;c", "ab" };
	struct lines l = { 0 };
	struct fold_tree t;
	size_t i;

	fold_tree_init(&t);
	for (i = ARRAY_SIZE(want); i--;)
		add_line(&t, want[i]);
	fold_tree_each(&t, keep_line, &l);
	CHECK_EQ(l.nr, ARRAY_SIZE(want));
	for (i = 0; i < l.nr; i++)
		CHECK_STR(l.text[i], want[i]);
	free_lines(&l);
	fold_tree_fini(&t);
}

/* Lines and sums of two trees, some of which both have. */
TEST(trees_are_merged)
{
	static const char *const first[] = { "a;b", "a;b;c", "d", "d;e" };
	static const char *const second[] = { "a;b;c", "a;b;c;x", "d", "f;g" };
	static const char *const want[] = { "a;b", "a;b;c", "a;b;c;x", "d", "d;e", "f;g" };
	struct lines l = { 0 };
	struct fold_tree t, other;
	u64 sum = 0;
	size_t i;

	fold_tree_init(&t);
	fold_tree_init(&other);
	for (i = 0; i < ARRAY_SIZE(first); i++)
		add_line(&t, first[i]);
	for (i = 0; i < ARRAY_SIZE(second); i++) {
		const char *line = second[i], *end;
		u32 node = 0;

		/* its nodes have their names in t */
		for (;; line = end + 1) {
			end = strchrnul(line, ';');
			node = fold_tree_child(&other, node,
					       intern_n(&t.names, line, (size_t)(end - line)));
			if (!*end)
				break;
		}
		fold_tree_count(&other, node, 1, 10);
	}
	fold_tree_merge(&t, &other);
	fold_tree_each(&t, keep_line, &l);
	CHECK_EQ(l.nr, ARRAY_SIZE(want));
	for (i = 0; i < l.nr && i < ARRAY_SIZE(want); i++)
		CHECK_STR(l.text[i], want[i]);
	for (i = 0; i < t.nr_lines; i++)
		sum += t.lines[i].counts[0] + 100 * t.lines[i].counts[1];
	CHECK_EQ(sum, 4 + 100 * 40);
	free_lines(&l);
	fold_tree_fini(&other);
	fold_tree_fini(&t);
}

/* Any tree's lines come in the order of their bytes, each once. */
TEST(order_is_that_of_bytes)
{
	static const char letters[] = " !0:<a\x80";
	struct lines l, all;
	struct fold_tree t;
	char line[32];
	u32 seed = 1;
	int round, i, n, len;

	for (round = 0; round < 200; round++) {
		l = all = (struct lines){ 0 };
		fold_tree_init(&t);
		for (i = 0; i < 60; i++) {
			len = 0;
			for (n = 0; n < 8; n++) {
				seed = seed * 1103515245 + 12345;
				if (len && line[len - 1] != ';' && (seed >> 20) % 4 == 0)
					line[len++] = ';';
				else
					line[len++] = letters[(seed >> 16) % (1 + (u32)round % 7)];
				if ((seed >> 25) % 5 == 0)
					break;
			}
			if (line[len - 1] == ';')
				len--;
			line[len] = 0;
			add_line(&t, line);
			vec_push(all.text, all.nr, all.cap, xstrdup(line));
		}
		fold_tree_each(&t, keep_line, &l);
		qsort(all.text, all.nr, sizeof(*all.text), by_text);
		for (i = 0, n = 0; i < (int)all.nr; i++) {
			if (i && !strcmp(all.text[i], all.text[i - 1]))
				continue;
			CHECK(n < (int)l.nr);
			CHECK_STR(l.text[n], all.text[i]);
			n++;
		}
		CHECK_EQ(n, l.nr);
		free_lines(&l);
		free_lines(&all);
		fold_tree_fini(&t);
	}
}

static void add_to_text(void *ctx, const char *text, size_t n, const u64 counts[FOLD_SIDES])
{
	struct out *o = ctx;

	out_mem(o, text, n);
	out_printf(o, " %llu\n", (unsigned long long)counts[0]);
}

/* Many lines, of which some begin alike and one name is above most, cut where threads take them. */
TEST(threads_print_the_same)
{
	static const char letters[] = " !:<a\x1b";
	u64 sums[FOLD_SIDES];
	struct out want, got;
	struct fold_tree t;
	char line[256];
	u32 seed = 1;

	fold_tree_init(&t);
	for (int i = 0; i < 120000; i++) {
		/* more text than one thread writes at a time */
		int len = i % 10 ? snprintf(line, sizeof(line), "%0100d;y;z;", 0) : 0;

		for (int n = 0; n < 12; n++) {
			seed = seed * 1103515245 + 12345;
			line[len++] = n % 2 ? ';' : letters[(seed >> 16) % 6];
			if (n % 2 && (seed >> 25) % 3 == 0)
				break;
		}
		line[len - 1] = 0;
		add_line(&t, line);
	}
	CHECK(t.nr_lines > 20000);
	out_init_mem(&want);
	want.escape = true; /* as on a terminal */
	fold_tree_each(&t, add_to_text, &want);
	for (unsigned int threads = 1; threads <= 16; threads += 5) {
		out_init_mem(&got);
		got.escape = true;
		fold_tree_print(&t, threads, &got, sums);
		CHECK_EQ(got.len, want.len);
		CHECK_MEM(got.buf, want.buf, want.len);
		CHECK_EQ(sums[0], 120000);
		CHECK_EQ(sums[1], 0);
		out_fini(&got);
	}
	out_fini(&want);
	fold_tree_fini(&t);
}
