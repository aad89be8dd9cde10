/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/libdw_search_tree.h"

#include <search.h>
#include <stddef.h>

#define WEAK __attribute__((weak))

WEAK void *eu_tsearch(const void *key, struct libdw_search_tree *t, libdw_compare_fn compare)
{
	return tsearch(key, &t->root, compare);
}

WEAK void *eu_tfind(const void *key, struct libdw_search_tree *t, libdw_compare_fn compare)
{
	return tfind(key, &t->root, compare);
}

WEAK void *eu_tdelete(const void *key, struct libdw_search_tree *t, libdw_compare_fn compare)
{
	return tdelete(key, &t->root, compare);
}

WEAK void eu_tdestroy(struct libdw_search_tree *t, void (*free_node)(void *))
{
	tdestroy(t->root, free_node);
	t->root = NULL;
}

WEAK void eu_search_tree_init(struct libdw_search_tree *t)
{
	t->root = NULL;
}

WEAK void eu_search_tree_fini(struct libdw_search_tree *t, void (*free_node)(void *))
{
	eu_tdestroy(t, free_node);
}
