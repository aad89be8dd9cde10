/* SPDX-License-Identifier: MIT */
#ifndef EVENTS_RECIPES_OWN_RECIPES_H
#define EVENTS_RECIPES_OWN_RECIPES_H

#include "events/recipes/recipes.h"

/* Sets *r to the recipes that plat itself has, without those of files. recipes_fini() frees it. */
void recipes_init(struct recipes *r);

#endif
