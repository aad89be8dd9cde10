/* SPDX-License-Identifier: MIT */
/* A struct flame from a tree of folded lines, whose nodes are in no order. */
#ifndef PICTURE_FLAME_TREE_H
#define PICTURE_FLAME_TREE_H

#include "picture/flame.h"
#include "picture/fold_tree.h"

/*
 * Adds all nodes of t to f, which has been initialised and has its names: a node of t has the id of
 * its name in f. Children are ordered. f is finished then.
 */
void flame_add_tree(struct flame *f, const struct fold_tree *t, enum flame_order order);

#endif
