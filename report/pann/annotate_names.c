/* SPDX-License-Identifier: MIT */
/* Names of functions that a user may have meant. */
#include "base/mem.h"
#include "base/nearest_name.h"
#include "report/pann/annotate_priv.h"

/*
 * Offers a function's name as a user would type it: without parameters, and without classes unless
 * the user typed one. Only if pann would find the function by that word.
 */
static void offer_function(struct nearest_name *near, const char *name, bool with_classes)
{
	const char *begin = name, *at;
	char *word;

	for (at = name; *at && *at != '(' && *at != '<'; at++)
		if (!with_classes && at[0] == ':' && at[1] == ':')
			begin = at + 2;
	word = *at == '(' ? xstrndup(begin, (size_t)(at - begin)) : xstrdup(begin);
	if (annot_name_matches(name, word, true))
		nearest_offer(near, word);
	free(word);
}

int annotate_no_function(const struct annotate_run *r, const char *name, struct perr *e)
{
	struct annot_samples all;
	struct nearest_name near;
	char hint[320];

	nearest_init(&near, name, strlen(name));
	annot_samples_init(&all, r->counts, NULL, NULL);
	for (size_t i = 0; i < all.nr; i++)
		offer_function(&near, all.funcs[i].name, strstr(name, "::") != NULL);
	annot_samples_fini(&all);
	nearest_hint(&near, hint, sizeof(hint));
	return perr_set(e, PERR_NOTFOUND, "no samples in a function '%s'%s", name, hint);
}
