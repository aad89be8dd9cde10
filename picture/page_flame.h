/* SPDX-License-Identifier: MIT */
/* A call tree as the data of an HTML page: of folded text, which has neither times nor threads. */
#ifndef PICTURE_PAGE_FLAME_H
#define PICTURE_PAGE_FLAME_H

#include "picture/flame.h"
#include "picture/page.h"

/*
 * Adds the nodes of a finished tree, with an event of this name and a column for each side. Equal
 * children of a node become one. The tree is copied.
 */
void page_add_flame(struct page *p, const struct flame *f, const char *event, enum page_unit unit);

#endif
