/* SPDX-License-Identifier: MIT */
/*
 * For static builds with an elfutils (0.192 of Debian 13) whose libdw.a calls functions of a
 * library of elfutils' own, libeu.a, that is not packaged: search trees, by their names there. All
 * are weak, so that a libdw.a that has them is left alone.
 *
 * libdw keeps such a tree as {int lock; void *root} and touches it through these only. As in the
 * packaged shared library nothing is locked.
 */
#ifndef SYMBOLS_DWARF_LIBDW_SEARCH_TREE_H
#define SYMBOLS_DWARF_LIBDW_SEARCH_TREE_H

struct libdw_search_tree {
	int lock;
	void *root; /* of tsearch(3) */
};

typedef int (*libdw_compare_fn)(const void *a, const void *b);

void *eu_tsearch(const void *key, struct libdw_search_tree *t, libdw_compare_fn compare);
void *eu_tfind(const void *key, struct libdw_search_tree *t, libdw_compare_fn compare);
void *eu_tdelete(const void *key, struct libdw_search_tree *t, libdw_compare_fn compare);
void eu_tdestroy(struct libdw_search_tree *t, void (*free_node)(void *));
void eu_search_tree_init(struct libdw_search_tree *t);
void eu_search_tree_fini(struct libdw_search_tree *t, void (*free_node)(void *));

#endif
