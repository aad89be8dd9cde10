/* SPDX-License-Identifier: MIT */
/*
 * Finds out what the user can do about what a verdict reports: which row of base/advice applies,
 * and its facts. That may run the system's package manager, so it is done only for advice that is
 * printed, once for each file, and within
 * 1.5 seconds for all of a verdict.
 */
#ifndef PROFILE_VERDICT_VERDICT_ADVICE_H
#define PROFILE_VERDICT_VERDICT_ADVICE_H

#include "base/advice/advice.h"
#include "profile/verdict/verdict.h"
#include "profile/verdict/verdict_packages.h"

/* What was found out for the advice of one verdict. */
struct verdict_advisor {
	const struct verdict *v;
	struct verdict_packages packages;
	char *servers;    /* debuginfod servers; NULL: not looked for yet, or none */
	bool has_servers; /* they were looked for */
	char *folder;     /* of the recording, "." for the current one */
};

void verdict_advisor_init(struct verdict_advisor *a, const struct verdict *v);
void verdict_advisor_fini(struct verdict_advisor *a);

/* One piece of advice or two. Free it with verdict_remedy_fini(). */
struct verdict_remedy {
	enum advice_id id;
	enum advice_id or_id; /* ADVICE_IDS: there is no second one */
	bool needs_both;      /* the second is needed too */
	struct advice_fact facts[8];
	char *values[8]; /* of the facts */
	size_t nr;
};

/* Sets *ret to what gives the module's frames their names. */
void verdict_remedy_of_module(struct verdict_advisor *a, const struct verdict_module *m,
			      struct verdict_remedy *ret);
/* The same for lost samples, for throttling, and for chains cut at the limit. */
void verdict_remedy_of_losses(const struct verdict_advisor *a, struct verdict_remedy *ret);
void verdict_remedy_of_throttling(const struct verdict_advisor *a, struct verdict_remedy *ret);
void verdict_remedy_of_depth(struct verdict_remedy *ret);
/* The same for frame-pointer chains that end too early or go wrong, by the code's language. */
void verdict_remedy_of_callers(struct verdict_advisor *a, struct verdict_remedy *ret);
/* The same for frame-pointer chains that were found to lack callers; leaf: the leaf's only. */
void verdict_remedy_of_lacking(struct verdict_advisor *a, struct verdict_remedy *ret, bool leaf);
/* The same for stack copies that were too short. ret->id is ADVICE_IDS if nothing helps. */
void verdict_remedy_of_copies(struct verdict_advisor *a, struct verdict_remedy *ret);
/* The same for stacks that end in code of a JIT. */
void verdict_remedy_of_jit(struct verdict_advisor *a, struct verdict_remedy *ret);
/* The same for --debuginfod without an answer. False: nothing is known that helps. */
bool verdict_remedy_of_debuginfod(struct verdict_advisor *a, struct verdict_remedy *ret);
void verdict_remedy_fini(struct verdict_remedy *r);

/* The remedy as text: "TEXT", "TEXT, or TEXT" or "TEXT, and TEXT". Malloc'd. */
char *verdict_remedy_text(const struct verdict_remedy *r);

/* The reason in words, such as "stripped". */
const char *verdict_reason_text(enum verdict_reason r);

#endif
