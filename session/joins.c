/* SPDX-License-Identifier: MIT */
#include "session/joins.h"
#include "session/object_weights.h"

#include <string.h>

void joins_of_file(const char *path, const struct session_config *cfg, unsigned int threads,
		   u32 max_user_stack, struct join_table **ret)
{
	const struct counts_config counting = { .columns = 1u << COUNT_STACK,
						.threads = threads,
						.only_joins = true,
						.max_user_stack = max_user_stack };
	struct session_config quiet = *cfg;
	struct counts *c = NULL;
	struct perfdata *pd;
	struct session *s;
	struct perr e;

	*ret = NULL;
	/* what is wrong is told by who prints */
	quiet.symbols.diag = NULL;
	if (!strcmp(path, "-") || pd_open(path, NULL, &pd, &e))
		return;
	if (pd->kind != PD_PIPE && pd_has_stack_copies(pd)) {
		s = session_new(pd, &quiet, NULL);
		object_weights_tell_debuginfod(s, &quiet);
		if (!counts_run(s, &counting, &c, &e) || c)
			*ret = counts_take_joins(c);
		counts_free(c);
		session_free(s);
	}
	pd_close(pd);
}
