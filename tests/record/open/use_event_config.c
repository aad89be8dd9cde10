/* SPDX-License-Identifier: MIT */
#include "tests/record/open/use_event_config.h"

#include <stdlib.h>
#include <string.h>

#include "record/events/event_parse.h"
#include "record/open/event_config.h"
#include "record/prec_options.h"

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

int config_args(struct config_case *c, const char *args, struct perr *e)
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

void config_ok(struct config_case *c, const char *args)
{
	struct perr e = { 0 };

	if (config_args(c, args, &e))
		unit_fail(__FILE__, __LINE__, "%s: %s", args, e.text);
}

void config_fini(struct config_case *c)
{
	evlist_fini(&c->l);
	rec_opts_fini(&c->o);
	diag_fini(&c->diag);
	free(c->text);
}

const struct pd_attr *config_attr(const struct config_case *c, size_t i)
{
	CHECK(i < c->l.nr);
	return &c->l.events[i]->attr;
}
