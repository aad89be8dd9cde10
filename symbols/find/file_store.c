/* SPDX-License-Identifier: MIT */
#include "symbols/find/file_store.h"

#include "base/mem.h"
#include "symbols/elf/readfile.h"

char *file_query_on_machine(const struct file_query *q, const char *path)
{
	if (symbols_has_symfs(q->cfg))
		return xasprintf("%s%s%s", q->cfg->symfs, *path == '/' ? "" : "/", path);
	return q->cfg->hermetic ? NULL : xstrdup(path);
}

struct object *file_query_self(struct file_query *q)
{
	const struct file_rules rules = symbols_file_rules(q->cfg);

	if (!q->self_tried && q->self && object_open_by(q->self, &rules, &q->self_object, NULL))
		q->self_object = NULL;
	q->self_tried = true;
	return q->self_object;
}

struct object *file_query_take_self(struct file_query *q)
{
	struct object *o = file_query_self(q);

	q->self_object = NULL;
	return o;
}

void file_query_fini(struct file_query *q)
{
	object_close(q->self_object);
	free(q->self);
	*q = (struct file_query){ 0 };
}
