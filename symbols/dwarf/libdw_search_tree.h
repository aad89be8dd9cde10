/* SPDX-License-Identifier: MIT */
/*
 * Search tree functions for static builds. The libdw.a of some versions of elfutils (0.192 in
 * Debian 13) calls functions of elfutils' internal library libeu.a, which is not packaged; these
 * functions replace them under the same names. They are weak symbols, so that a libdw.a that has
 * its own is not affected.
 *
 * libdw declares such a tree as {int lock; void *root} and uses it only through these functions. As
 * in the packaged shared library they take no lock.
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
