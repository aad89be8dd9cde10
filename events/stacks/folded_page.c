/* SPDX-License-Identifier: MIT */
#include "events/stacks/folded_page.h"

#include <stdio.h>
#include <string.h>

#include "picture/folded_text.h"
#include "picture/page_flame.h"

/* Reads the lines into a tree. */
static int read_lines(const struct folded_page *p, struct fold_tree *tree, struct perr *e)
{
	struct folded_text text = { .tree = tree };
	struct out lines;
	FILE *f = NULL;
	int err = 0;

	out_init_mem(&lines);
	p->put(p->ctx, &lines);
	if (lines.len) {
		f = fmemopen(lines.buf, lines.len, "r");
		err = f ? folded_text_read(&text, f, e) : perr_io(e, "--html");
	}
	if (f)
		fclose(f);
	(void)out_fini(&lines);
	return err;
}

static void put_page(const struct folded_page *p, const struct fold_tree *tree, struct out *o)
{
	struct page *page = page_new();
	struct flame flame;

	page_set_title(page, strcmp(p->title, "-") ? p->title : "plat");
	flame_of_folded(tree, 1, FLAME_BY_NAME, &flame);
	page_add_flame(page, &flame, p->event, strcmp(p->unit, "ns") ? PAGE_PERIOD : PAGE_NS);
	flame_fini(&flame);
	page_write(page, o);
	page_free(page);
}

int folded_page_write(const struct folded_page *p, const char *path, struct perr *e)
{
	struct fold_tree tree;
	FILE *f = NULL;
	struct out o;
	int err;

	fold_tree_init(&tree);
	err = read_lines(p, &tree, e);
	if (!err) {
		f = fopen(path, "we");
		err = f ? 0 : perr_io(e, "--html %s", path);
	}
	if (f) {
		out_init(&o, f);
		put_page(p, &tree, &o);
		if (out_fini(&o))
			err = perr_io(e, "--html %s", path);
		if (fclose(f) && !err)
			err = perr_io(e, "--html %s", path);
	}
	fold_tree_fini(&tree);
	return err;
}
