/* SPDX-License-Identifier: MIT */
/* Folded text of other tools: what is read, and what is refused. */
#include "picture/fold_lines.h"
#include "picture/folded_text.h"

#include "tests/frame/unit.h"

static int read_text(struct folded_text *t, const char *text, size_t n, struct perr *e)
{
	FILE *file = fmemopen((void *)(uintptr_t)text, n, "r");
	int err;

	CHECK(file);
	err = folded_text_read(t, file, e);
	fclose(file);
	return err;
}

static u64 counts[8][FOLD_SIDES];
static char lines[8][32];
static size_t nr_lines;

static void keep_line(void *ctx, const char *text, size_t n, const u64 c[FOLD_SIDES])
{
	(void)ctx;
	CHECK(nr_lines < ARRAY_SIZE(lines) && n < sizeof(lines[0]));
	memcpy(lines[nr_lines], text, n);
	lines[nr_lines][n] = '\0';
	memcpy(counts[nr_lines++], c, sizeof(counts[0]));
}

static void read_lines(struct folded_text *t, const char *text)
{
	struct fold_tree tree;
	struct perr e;

	fold_tree_init(&tree);
	t->tree = &tree;
	CHECK_EQ(read_text(t, text, strlen(text), &e), 0);
	nr_lines = 0;
	fold_tree_each(&tree, keep_line, NULL);
	fold_tree_fini(&tree);
}

TEST(lines_in_any_order_are_added)
{
	struct folded_text t = { .side = 1 };

	read_lines(&t, "a;b;c 12\na;b 1\n\na;bc;d\t3\r\na;b;c 2.5\nb 4");
	CHECK_EQ(nr_lines, 4);
	CHECK_STR(lines[0], "a;b");
	CHECK_STR(lines[1], "a;b;c");
	CHECK_EQ(counts[1][1], 15);
	CHECK_STR(lines[2], "a;bc;d");
	CHECK_STR(lines[3], "b");
	CHECK_EQ(t.totals[1], 23);
	CHECK_EQ(t.totals[0], 0);
	CHECK_EQ(t.nr_fractions, 1);
	CHECK(!t.two_counts);
}

TEST(two_counts_compare)
{
	struct folded_text t = { .side = 0 };

	read_lines(&t, "a;b 1 2\na 3 4\n");
	CHECK(t.two_counts);
	CHECK_STR(lines[0], "a");
	CHECK_EQ(counts[0][0], 3);
	CHECK_EQ(counts[0][1], 4);
	CHECK_EQ(t.totals[1], 6);
}

/* Later lines that end in two numbers are names with a number, if the first line has one count. */
TEST(a_number_in_a_name)
{
	struct folded_text t = { .side = 0 };

	read_lines(&t, "a 1\nstate 12 5\n");
	CHECK_STR(lines[1], "state 12");
	CHECK_EQ(counts[1][0], 5);
}

TEST(faults_name_their_line)
{
	static const struct {
		const char *text;
		size_t n;
		const char *want;
	} cases[] = {
		{ "a 1\nmain;b\n", 11, "line 2: expected folded text" },
		{ "12\n", 3, "line 1: expected folded text" },
		{ "a 1 2\nb 3\n", 10, "line 2: expected two counts" },
		{ "a 1\nb\0c 2\n", 10, "line 2: it holds a NUL byte" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct folded_text t = { .side = 0 };
		struct fold_tree tree;
		struct perr e;

		fold_tree_init(&tree);
		t.tree = &tree;
		CHECK_EQ(read_text(&t, cases[i].text, cases[i].n, &e), PERR_FORMAT);
		CHECK(!strncmp(e.text, cases[i].want, strlen(cases[i].want)));
		fold_tree_fini(&tree);
	}
}

TEST(a_line_without_an_end_is_refused)
{
	size_t n = FOLDED_TEXT_LINE + 70000;
	struct folded_text t = { .side = 0 };
	struct fold_tree tree;
	char *text = xmalloc(n);
	struct perr e;

	memset(text, ';', n);
	fold_tree_init(&tree);
	t.tree = &tree;
	CHECK_EQ(read_text(&t, text, n, &e), PERR_LIMIT);
	fold_tree_fini(&tree);
	free(text);
}
