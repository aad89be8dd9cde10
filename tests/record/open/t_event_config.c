/* SPDX-License-Identifier: MIT */
/*
 * Options to attrs: the table of testdata/record_attrs, what stock perf 6.1 opened for each set of
 * options (its README.md lists the differences that are wanted).
 */
#include "record/open/event_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/unit.h"
#include "tests/record/open/use_event_config.h"

/* One event's attr as text lines "name value", without blanks at their ends. */
struct block {
	char lines[NR_FIELDS][160];
	size_t nr;
	bool member, refused;
};

/* --- blocks of text --------------------------------------------------------------------------- */

/* "  name    value" to "name value"; lines that tell nothing here are left out. */
static void block_add(struct block *b, const char *line)
{
	const char *s = line + strspn(line, " ");
	size_t name = *s == '{' ? strcspn(s, "}") + 1 : strcspn(s, " \n");
	const char *value = s + name + strspn(s + name, " ");

	if (!strncmp(s, "size ", 5) || !strncmp(s, "perf_event_attr", 15) || !*s || *s == '\n')
		return;
	CHECK(b->nr < NR_FIELDS);
	snprintf(b->lines[b->nr++], sizeof(b->lines[0]), "%.*s %.*s", (int)name, s,
		 (int)strcspn(value, "\n"), value);
}

/* Index of the line of a field, or -1. */
static int block_find(const struct block *b, const char *field)
{
	size_t n = strlen(field);

	for (size_t i = 0; i < b->nr; i++)
		if (!strncmp(b->lines[i], field, n) && (!b->lines[i][n] || b->lines[i][n] == ' '))
			return (int)i;
	return -1;
}

static void block_drop(struct block *b, const char *field)
{
	int i = block_find(b, field);

	if (i < 0)
		return;
	b->nr--;
	memmove(b->lines[i], b->lines[i + 1], (b->nr - (size_t)i) * sizeof(b->lines[0]));
}

/* "-field": it is not there; "+field value": it has that value. */
static void block_change(struct block *b, const char *change)
{
	char field[80];

	snprintf(field, sizeof(field), "%.*s", (int)strcspn(change + 1, " "), change + 1);
	block_drop(b, field);
	if (change[0] == '+')
		block_add(b, change + 1);
}

static bool has_sample(const struct block *b, const char *bit)
{
	int i = block_find(b, "sample_type");

	return i >= 0 && strstr(b->lines[i], bit);
}

/* The differences that all sets have: see testdata/record_attrs/README.md. */
static void apply_rules(struct block *b)
{
	int stack = block_find(b, "sample_stack_user");

	block_drop(b, "build_id");
	if (block_find(b, "mmap2") >= 0)
		block_add(b, "build_id 1");
	if (stack >= 0 && !strcmp(b->lines[stack], "sample_stack_user 8192"))
		block_change(b, "+sample_stack_user 65528");
	if (!has_sample(b, "BRANCH_STACK"))
		block_drop(b, "branch_sample_type");
	if (!has_sample(b, "REGS_USER"))
		block_drop(b, "sample_regs_user");
	if (!has_sample(b, "STACK_USER"))
		block_drop(b, "sample_stack_user");
}

/* Changes of single sets: NAME, event from 1, change, reason, with tabs between. How many. */
static size_t apply_changes(const char *name, size_t event, struct block *b)
{
	FILE *f = fopen(DIR "/differences", "re");
	char line[400], set[80], change[200];
	unsigned int number;
	size_t nr = 0;

	CHECK(f != NULL);
	while (fgets(line, sizeof(line), f))
		if (line[0] != '#' &&
		    sscanf(line, "%79[^\t]\t%u\t%199[^\t]", set, &number, change) == 3 &&
		    !strcmp(set, name) && number == event) {
			block_change(b, change);
			nr++;
		}
	fclose(f);
	return nr;
}

static void block_of_event(const struct rec_event *ev, struct block *ret);
static bool blocks_equal(struct block *want, struct block *got);
static void print_differences(const struct block *want, const struct block *got);

/* Whether the next event of c, which perf does not open, is the one that the changes describe. */
static bool is_wanted_extra(const char *name, size_t nr, const struct rec_evlist *l)
{
	struct block want = { 0 }, got;

	if (nr >= l->nr || !apply_changes(name, nr + 1, &want))
		return false;
	block_of_event(l->events[nr], &got);
	apply_rules(&want);
	if (blocks_equal(&want, &got))
		return true;
	print_differences(&want, &got);
	return false;
}

static int compare_lines(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void print_differences(const struct block *want, const struct block *got)
{
	for (size_t i = 0; i < want->nr; i++) {
		bool found = false;

		for (size_t k = 0; k < got->nr; k++)
			found |= !strcmp(want->lines[i], got->lines[k]);
		if (!found)
			printf("#   - %s\n", want->lines[i]);
	}
	for (size_t k = 0; k < got->nr; k++) {
		bool found = false;

		for (size_t i = 0; i < want->nr; i++)
			found |= !strcmp(want->lines[i], got->lines[k]);
		if (!found)
			printf("#   + %s\n", got->lines[k]);
	}
}

static bool blocks_equal(struct block *want, struct block *got)
{
	qsort(want->lines, want->nr, sizeof(want->lines[0]), compare_lines);
	qsort(got->lines, got->nr, sizeof(got->lines[0]), compare_lines);
	if (want->nr != got->nr || want->member != got->member)
		return false;
	for (size_t i = 0; i < want->nr; i++)
		if (strcmp(want->lines[i], got->lines[i]))
			return false;
	return true;
}

/* perf 6.1 does not print the bit TRANSACTION. */
static void hide_transaction(struct block *b)
{
	int i = block_find(b, "sample_type");
	char *at = i < 0 ? NULL : strstr(b->lines[i], "|TRANSACTION");

	if (at)
		*at = 0;
}

static void block_of_event(const struct rec_event *ev, struct block *ret)
{
	char *text = NULL, *save = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	attr_print(&ev->attr, f);
	fclose(f);
	*ret = (struct block){ .member = ev->idx != ev->leader_idx };
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		block_add(ret, line);
	free(text);
	hide_transaction(ret);
}

/* --- the table -------------------------------------------------------------------------------- */

/* The next block of a set's file; false at its end. */
static bool next_block(FILE *f, struct block *ret)
{
	char line[400];

	*ret = (struct block){ 0 };
	while (fgets(line, sizeof(line), f)) {
		if (!strncmp(line, "open: ", 6)) {
			ret->member = strstr(line, "member") != NULL;
			ret->refused = strstr(line, "refused") != NULL;
			return true;
		}
		block_add(ret, line);
	}
	return false;
}

/* Returns whether the set is as it shall be; what is not is printed. */
static bool check_set(const char *name)
{
	char path[200], args[400];
	struct block want, got;
	struct config_case c;
	bool ok = true, refused = false;
	size_t nr = 0;
	FILE *f;

	snprintf(path, sizeof(path), DIR "/%s.txt", name);
	f = fopen(path, "re");
	if (!f || !fgets(args, sizeof(args), f) || strncmp(args, "args: ", 6)) {
		printf("# %s: no such set\n", path);
		return false;
	}
	args[strcspn(args, "\n")] = 0;
	config_ok(&c, args + 6);
	while (next_block(f, &want)) {
		if (nr == c.l.nr) {
			printf("# %s: only %zu events\n", name, nr);
			ok = false;
			break;
		}
		block_of_event(c.l.events[nr], &got);
		nr++;
		apply_rules(&want);
		apply_changes(name, nr, &want);
		refused |= want.refused;
		if (!blocks_equal(&want, &got)) {
			printf("# %s, event %zu (- perf 6.1, + prec):\n", name, nr);
			print_differences(&want, &got);
			ok = false;
		}
	}
	fclose(f);
	if (is_wanted_extra(name, nr, &c.l))
		nr++;
	/* perf stops at an event that the kernel refuses */
	if (!nr || (nr != c.l.nr && !refused)) {
		printf("# %s: %zu events, perf 6.1 has %zu\n", name, c.l.nr, nr);
		ok = false;
	}
	config_fini(&c);
	return ok;
}

TEST(table_of_option_sets)
{
	FILE *f = fopen(DIR "/sets", "re");
	char line[400];
	size_t nr = 0, nr_bad = 0;

	CHECK(f != NULL);
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\t\n")] = 0;
		if (!line[0] || line[0] == '#')
			continue;
		nr++;
		nr_bad += !check_set(line);
	}
	fclose(f);
	fflush(stdout);
	CHECK(nr >= 60);
	CHECK_EQ(nr_bad, 0);
}

/* What the comparison is worth: each kind of deviation is seen. */
TEST(table_comparison_sees_differences)
{
	struct block a = { 0 }, b = { 0 };

	block_add(&a, "  type                             1\n");
	block_add(&a, "  { wakeup_events, wakeup_watermark } 1\n");
	block_add(&b, "  { wakeup_events, wakeup_watermark } 1\n");
	CHECK(!blocks_equal(&a, &b));
	block_add(&b, "  type                             1\n");
	CHECK(blocks_equal(&a, &b));
	b.member = true;
	CHECK(!blocks_equal(&a, &b));
	b.member = false;
	block_change(&b, "+type 2");
	CHECK(!blocks_equal(&a, &b));
}
