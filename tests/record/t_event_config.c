/* SPDX-License-Identifier: MIT */
/*
 * Options to attrs: the table of testdata/record_attrs, what stock perf 6.1 opened for each set of
 * options (its README.md tells the differences that are wanted), and cases the table cannot hold.
 */
#include "record/open/event_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/write/writer.h"
#include "record/events/event_parse.h"
#include "record/prec_options.h"
#include "tests/frame/unit.h"

#define DIR "testdata/record_attrs"
#define NR_FIELDS 64

/* One event's attr as text lines "name value", without blanks at their ends. */
struct block {
	char lines[NR_FIELDS][160];
	size_t nr;
	bool member, refused;
};

struct config_case {
	struct rec_opts o;
	struct rec_evlist l;
	struct rec_target t;
	struct diag diag;
	char *text;
	char *argv[40];
	int argc;
};

/* Splits at blanks: no argument of the table holds one. */
static void split(struct config_case *c, const char *args)
{
	char *save = NULL;

	c->text = xstrdup(args);
	c->argc = 0;
	c->argv[c->argc++] = c->text + strlen(c->text); /* "" */
	for (char *w = strtok_r(c->text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
		CHECK(c->argc < (int)ARRAY_SIZE(c->argv) - 1);
		c->argv[c->argc++] = strcmp(w, "%SLEEP") ? w : (char *)(uintptr_t) "1";
	}
	c->argv[c->argc] = NULL;
}

static int config_args(struct config_case *c, const char *args, struct perr *e)
{
	memset(c, 0, sizeof(*c));
	rec_opts_init(&c->o);
	evlist_init(&c->l);
	diag_init(&c->diag);
	c->o.diag = &c->diag;
	c->o.host = (struct rec_host){ DIR "/host/sys", DIR "/host/proc", DIR "/host/tracing" };
	split(c, args);
	CHECK_EQ(prec_options_parse(c->argc, c->argv, &c->o, &c->l), 0);
	if (!c->l.nr)
		event_parse_default(&c->l);
	if (c->o.tids)
		c->t.kind = REC_TARGET_TIDS;
	else if (c->o.pids || c->o.user)
		c->t.kind = REC_TARGET_PIDS;
	else if (c->o.system_wide || c->o.cpus || !c->o.command)
		c->t.kind = REC_TARGET_SYSTEM;
	else
		c->t.kind = REC_TARGET_WORKLOAD;
	c->t.any_cpu = c->o.per_thread && c->t.kind != REC_TARGET_SYSTEM;
	return event_config(&c->l, &c->o, &c->t, e);
}

static void config_ok(struct config_case *c, const char *args)
{
	struct perr e = { 0 };

	if (config_args(c, args, &e))
		unit_fail(__FILE__, __LINE__, "%s: %s", args, e.text);
}

static void config_fini(struct config_case *c)
{
	evlist_fini(&c->l);
	rec_opts_fini(&c->o);
	diag_fini(&c->diag);
	free(c->text);
}

static const struct pd_attr *attr_of(const struct config_case *c, size_t i)
{
	CHECK(i < c->l.nr);
	return &c->l.events[i]->attr;
}

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

/* --- beyond the table ------------------------------------------------------------------------- */

TEST(smallest_attr_size)
{
	struct config_case c;

	config_ok(&c, "-e cpu-clock true");
	CHECK_EQ(c.l.attr_size, 64);
	CHECK_EQ(attr_of(&c, 0)->size, 64);
	config_fini(&c);
	config_ok(&c, "-e cpu-clock -b true");
	CHECK_EQ(c.l.attr_size, 80);
	config_fini(&c);
	config_ok(&c, "--call-graph dwarf -e cpu-clock/call-graph=no/ -e page-faults true");
	CHECK_EQ(c.l.attr_size, 96);
	CHECK_EQ(attr_of(&c, 0)->size, 96);
	config_fini(&c);
	config_ok(&c, "-I -e cpu-clock true");
	CHECK_EQ(c.l.attr_size, 104);
	config_fini(&c);
	config_ok(&c, "--call-graph fp,9 -e cpu-clock true");
	CHECK_EQ(c.l.attr_size, 112);
	config_fini(&c);
}

TEST(transaction_bit)
{
	struct config_case c;

	config_ok(&c, "--transaction -e cpu-clock true");
	CHECK(attr_of(&c, 0)->sample_type & PD_SAMPLE_TRANSACTION);
	config_fini(&c);
	config_ok(&c, "-e cpu-clock true");
	CHECK(!(attr_of(&c, 0)->sample_type & PD_SAMPLE_TRANSACTION));
	config_fini(&c);
}

TEST(rate_above_the_limit)
{
	struct config_case c;
	struct perr e = { 0 };

	config_ok(&c, "-F 200000 -e cpu-clock -e page-faults true");
	CHECK_EQ(attr_of(&c, 0)->sample_period_or_freq, 100000);
	CHECK_EQ(c.diag.nr, 1);
	CHECK(strstr(c.diag.entries[0].text, "100000") != NULL);
	CHECK(strstr(c.diag.entries[0].text, "perf_event_max_sample_rate=200000") != NULL);
	config_fini(&c);

	CHECK_EQ(config_args(&c, "-F 200000 --strict-freq -e cpu-clock true", &e), PERR_USAGE);
	CHECK(strstr(e.text, "perf_event_max_sample_rate=200000") != NULL);
	config_fini(&c);

	config_ok(&c, "-F 100000 --strict-freq -e cpu-clock true");
	CHECK_EQ(c.diag.nr, 0);
	config_fini(&c);
}

TEST(default_rate_above_the_limit)
{
	char dir[] = "/tmp/t_event_config.XXXXXX", path[200];
	struct rec_target t = { .kind = REC_TARGET_WORKLOAD };
	struct rec_evlist l;
	struct rec_opts o;
	struct diag diag;
	struct perr e = { 0 };
	FILE *f;

	CHECK(mkdtemp(dir) != NULL);
	snprintf(path, sizeof(path), "%s/sys", dir);
	CHECK_EQ(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys/kernel", dir);
	CHECK_EQ(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/sys/kernel/perf_event_max_sample_rate", dir);
	f = fopen(path, "we");
	CHECK(f != NULL);
	fputs("1500\n", f);
	fclose(f);

	rec_opts_init(&o);
	evlist_init(&l);
	diag_init(&diag);
	o.diag = &diag;
	o.host.procfs = dir;
	evlist_add(&l, "cpu-clock", PD_TYPE_SOFTWARE, 0);
	CHECK_EQ(event_config(&l, &o, &t, &e), 0);
	CHECK_EQ(l.events[0]->attr.sample_period_or_freq, 1500);
	CHECK_EQ(diag.nr, 1);
	/* a kernel that does not say its release has no build-ids in its records */
	CHECK(!pd_attr_has(&l.events[0]->attr, PD_ATTR_BUILD_ID));
	evlist_fini(&l);
	diag_fini(&diag);

	unlink(path);
	snprintf(path, sizeof(path), "%s/sys/kernel", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/sys", dir);
	rmdir(path);
	rmdir(dir);
}

TEST(build_ids_are_not_wanted)
{
	struct config_case c;

	config_ok(&c, "-B -e cpu-clock true");
	CHECK(!pd_attr_has(attr_of(&c, 0), PD_ATTR_BUILD_ID));
	config_fini(&c);
	config_ok(&c, "--no-buildid-mmap -e cpu-clock true");
	CHECK(!pd_attr_has(attr_of(&c, 0), PD_ATTR_BUILD_ID));
	config_fini(&c);
	config_ok(&c, "-e cpu-clock -e page-faults true");
	CHECK(pd_attr_has(attr_of(&c, 0), PD_ATTR_BUILD_ID));
	CHECK(!pd_attr_has(attr_of(&c, 1), PD_ATTR_BUILD_ID));
	config_fini(&c);
}

TEST(stack_size_is_kept)
{
	struct config_case c;

	config_ok(&c, "--call-graph dwarf,8192 -e cpu-clock true");
	CHECK_EQ(attr_of(&c, 0)->sample_stack_user, 8192);
	config_fini(&c);
	config_ok(&c, "--call-graph dwarf -e cpu-clock true");
	CHECK_EQ(attr_of(&c, 0)->sample_stack_user, REC_STACK_MAX);
	config_fini(&c);
}

TEST(data_records_by_themselves)
{
	struct config_case c;

	config_ok(&c, "--data-mmap -e cpu-clock true");
	CHECK(pd_attr_has(attr_of(&c, 0), PD_ATTR_MMAP_DATA));
	CHECK(!(attr_of(&c, 0)->sample_type & PD_SAMPLE_ADDR));
	config_fini(&c);
	config_ok(&c, "-d --no-data-mmap -e cpu-clock true");
	CHECK(!pd_attr_has(attr_of(&c, 0), PD_ATTR_MMAP_DATA));
	config_fini(&c);
	config_ok(&c, "--sample-mem-info -e cpu-clock true");
	CHECK(attr_of(&c, 0)->sample_type & PD_SAMPLE_DATA_SRC);
	CHECK(!(attr_of(&c, 0)->sample_type & PD_SAMPLE_ADDR));
	config_fini(&c);
}

TEST(dummy_is_marked)
{
	struct config_case c;

	config_ok(&c, "-a -e {cpu-clock,page-faults} true");
	CHECK_EQ(c.l.nr, 3);
	CHECK(c.l.events[2]->is_dummy && c.l.events[2]->is_tracking);
	CHECK(!c.l.events[0]->is_tracking);
	CHECK_EQ(c.l.events[2]->leader_idx, 2);
	CHECK_STR(c.l.events[2]->name, "dummy:HG");
	config_fini(&c);
}

/* Probes of the uprobe PMU and cpu-clock, as uprobe_event_add leaves them; "upu": two, between. */
static void config_probes(struct config_case *c, const char *args, const char *kinds,
			  enum rec_target_kind kind)
{
	static const char clock[] = "-e cpu-clock ";
	struct perr e = { 0 };
	char *all = xasprintf("%s%s", clock, args);

	/* the options only: another event stands in for those of the case */
	config_ok(c, all);
	free(all);
	evlist_fini(&c->l);
	for (size_t i = 0; kinds[i]; i++) {
		struct rec_event *ev;

		if (kinds[i] != 'u') {
			evlist_add(&c->l, "cpu-clock", PD_TYPE_SOFTWARE, 0);
			continue;
		}
		ev = evlist_add(&c->l, "uprobe:a:f", 8, 0);
		ev->uprobe_path = xstrdup("/bin/a");
		ev->attr.sample_period_or_freq = 1;
	}
	c->t.kind = kind;
	if (event_config(&c->l, &c->o, &c->t, &e))
		unit_fail(__FILE__, __LINE__, "%s: %s", args, e.text);
}

static void group_all(struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		l->events[i]->leader_idx = 0;
		l->events[i]->nr_members = i ? 0 : (u32)l->nr;
		l->events[i]->in_group = true;
	}
}

#define SIDE_BAND (1ull << PD_ATTR_TASK | 1ull << PD_ATTR_COMM | 1ull << PD_ATTR_MMAP)

TEST(probes_of_tasks_are_opened_on_cpus)
{
	static const enum rec_target_kind kinds[] = { REC_TARGET_WORKLOAD, REC_TARGET_PIDS };
	struct config_case c;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		config_probes(&c, "true", "cu", kinds[i]);
		CHECK_EQ(c.l.nr, 3);
		CHECK(!c.l.events[0]->whole_system);
		CHECK(pd_attr_has(attr_of(&c, 0), PD_ATTR_INHERIT));
		CHECK(!(attr_of(&c, 0)->flags & SIDE_BAND));

		CHECK(c.l.events[1]->whole_system);
		CHECK(!pd_attr_has(attr_of(&c, 1), PD_ATTR_INHERIT));
		CHECK(!pd_attr_has(attr_of(&c, 1), PD_ATTR_ENABLE_ON_EXEC));
		CHECK(pd_attr_has(attr_of(&c, 1), PD_ATTR_DISABLED));
		CHECK(!(attr_of(&c, 1)->flags & SIDE_BAND));
		CHECK(attr_of(&c, 1)->sample_type & PD_SAMPLE_TID);

		/* the side-band is the target's, with its children */
		CHECK(c.l.events[2]->is_dummy && c.l.events[2]->is_tracking);
		CHECK(!c.l.events[2]->whole_system);
		CHECK(pd_attr_has(attr_of(&c, 2), PD_ATTR_INHERIT));
		CHECK_EQ(attr_of(&c, 2)->flags & SIDE_BAND, SIDE_BAND);
		CHECK_EQ(pd_attr_has(attr_of(&c, 2), PD_ATTR_ENABLE_ON_EXEC), !i);
		config_fini(&c);
	}
	config_probes(&c, "--overwrite true", "u", REC_TARGET_WORKLOAD);
	CHECK(pd_attr_has(attr_of(&c, 0), PD_ATTR_WRITE_BACKWARD));
	CHECK(!pd_attr_has(attr_of(&c, 1), PD_ATTR_WRITE_BACKWARD));
	config_fini(&c);
}

TEST(probes_that_are_not_inherited)
{
	static const struct {
		const char *args;
		enum rec_target_kind kind;
		size_t nr;
	} sets[] = {
		{ "-i true", REC_TARGET_WORKLOAD, 1 },
		{ "-i -p 1", REC_TARGET_PIDS, 1 },
		{ "-t 1", REC_TARGET_TIDS, 1 },
		{ "--per-thread true", REC_TARGET_WORKLOAD, 1 },
		{ "-a true", REC_TARGET_SYSTEM, 2 },
		{ "-a -s true", REC_TARGET_SYSTEM, 2 },
	};
	struct config_case c;

	for (size_t i = 0; i < ARRAY_SIZE(sets); i++) {
		config_probes(&c, sets[i].args, "u", sets[i].kind);
		CHECK_EQ(c.l.nr, sets[i].nr);
		CHECK(!c.l.events[0]->whole_system);
		CHECK(!pd_attr_has(attr_of(&c, 0), PD_ATTR_INHERIT));
		CHECK(!pd_attr_has(attr_of(&c, 0), PD_ATTR_INHERIT_STAT));
		CHECK_EQ(pd_attr_has(attr_of(&c, 0), PD_ATTR_ENABLE_ON_EXEC),
			 sets[i].kind == REC_TARGET_WORKLOAD);
		config_fini(&c);
	}
}

static void config_again(struct config_case *c, bool read)
{
	struct perr e = { 0 };

	for (size_t i = 0; i < c->l.nr; i++) {
		c->l.events[i]->attr.flags = 0;
		c->l.events[i]->sample_read = read;
	}
	CHECK_EQ(event_config(&c->l, &c->o, &c->t, &e), 0);
}

/* Groups of probes alone stay; with events of threads they cannot. */
TEST(probes_in_groups)
{
	struct config_case c;

	config_probes(&c, "-i true", "uu", REC_TARGET_WORKLOAD);
	group_all(&c.l);
	c.o.inherit = REC_UNSET;
	config_again(&c, false);
	CHECK_EQ(c.l.nr, 3);
	CHECK(c.l.events[0]->whole_system && c.l.events[1]->whole_system);
	CHECK_EQ(c.l.events[1]->leader_idx, 0);
	CHECK_EQ(c.diag.nr, 0);
	config_fini(&c);

	config_probes(&c, "-i true", "cuu", REC_TARGET_WORKLOAD);
	group_all(&c.l);
	c.o.inherit = REC_UNSET;
	config_again(&c, false);
	CHECK_EQ(c.l.nr, 4);
	for (u32 i = 0; i < 3; i++) {
		CHECK_EQ(c.l.events[i]->leader_idx, i);
		CHECK_EQ(c.l.events[i]->nr_members, 1);
		CHECK_EQ(c.l.events[i]->whole_system, i > 0);
		CHECK(pd_attr_has(attr_of(&c, i), PD_ATTR_DISABLED));
	}
	CHECK_EQ(c.diag.nr, 1);
	CHECK(strstr(c.diag.entries[0].text, "group of cpu-clock broken up") != NULL);
	config_fini(&c);

	/* one that is read as a whole is not inherited anyway */
	config_probes(&c, "-i true", "cu", REC_TARGET_WORKLOAD);
	group_all(&c.l);
	c.o.inherit = REC_UNSET;
	config_again(&c, true);
	CHECK(!c.l.events[1]->whole_system);
	CHECK_EQ(c.l.events[1]->leader_idx, 0);
	CHECK(!pd_attr_has(attr_of(&c, 1), PD_ATTR_INHERIT));
	CHECK_EQ(c.diag.nr, 0);
	config_fini(&c);
}

TEST(no_event)
{
	struct rec_target t = { 0 };
	struct rec_evlist l;
	struct rec_opts o;
	struct perr e = { 0 };

	rec_opts_init(&o);
	evlist_init(&l);
	CHECK_EQ(event_config(&l, &o, &t, &e), PERR_USAGE);
}
