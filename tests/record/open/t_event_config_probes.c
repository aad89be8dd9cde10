/* SPDX-License-Identifier: MIT */
/* Attrs of probes: where they are opened, what is inherited, and their groups. */
#include "record/open/event_config.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/frame/unit.h"
#include "tests/record/open/use_event_config.h"

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
		CHECK(pd_attr_has(config_attr(&c, 0), PD_ATTR_INHERIT));
		CHECK(!(config_attr(&c, 0)->flags & SIDE_BAND));

		CHECK(c.l.events[1]->whole_system);
		CHECK(!pd_attr_has(config_attr(&c, 1), PD_ATTR_INHERIT));
		CHECK(!pd_attr_has(config_attr(&c, 1), PD_ATTR_ENABLE_ON_EXEC));
		CHECK(pd_attr_has(config_attr(&c, 1), PD_ATTR_DISABLED));
		CHECK(!(config_attr(&c, 1)->flags & SIDE_BAND));
		CHECK(config_attr(&c, 1)->sample_type & PD_SAMPLE_TID);

		/* the side-band is the target's, with its children */
		CHECK(c.l.events[2]->is_dummy && c.l.events[2]->is_tracking);
		CHECK(!c.l.events[2]->whole_system);
		CHECK(pd_attr_has(config_attr(&c, 2), PD_ATTR_INHERIT));
		CHECK_EQ(config_attr(&c, 2)->flags & SIDE_BAND, SIDE_BAND);
		CHECK_EQ(pd_attr_has(config_attr(&c, 2), PD_ATTR_ENABLE_ON_EXEC), !i);
		config_fini(&c);
	}
	config_probes(&c, "--overwrite true", "u", REC_TARGET_WORKLOAD);
	CHECK(pd_attr_has(config_attr(&c, 0), PD_ATTR_WRITE_BACKWARD));
	CHECK(!pd_attr_has(config_attr(&c, 1), PD_ATTR_WRITE_BACKWARD));
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
		CHECK(!pd_attr_has(config_attr(&c, 0), PD_ATTR_INHERIT));
		CHECK(!pd_attr_has(config_attr(&c, 0), PD_ATTR_INHERIT_STAT));
		CHECK_EQ(pd_attr_has(config_attr(&c, 0), PD_ATTR_ENABLE_ON_EXEC),
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
		CHECK(pd_attr_has(config_attr(&c, i), PD_ATTR_DISABLED));
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
	CHECK(!pd_attr_has(config_attr(&c, 1), PD_ATTR_INHERIT));
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
