/* SPDX-License-Identifier: MIT */
/* Recipes in files: that of --recipe, and those of the user and of the system. */
#ifndef EVENTS_RECIPES_RECIPE_FILES_H
#define EVENTS_RECIPES_RECIPE_FILES_H

#include "base/diag.h"
#include "base/err.h"
#include "events/recipes/recipes.h"

/* Adds the recipes of a file. PERR_IO; PERR_LIMIT: it is larger than 1 MiB; PERR_FORMAT as of
 * recipe_text_parse(). */
int recipe_files_add(struct recipes *r, const char *path, struct perr *e) MUST_CHECK;

/*
 * Adds those of /etc/plat and then of the folder plat in $XDG_CONFIG_HOME (~/.config), all files
 * whose names end with .plat, in the order of their names. What is wrong with a file is warned
 * about.
 */
void recipe_files_search(struct recipes *r, struct diag *diag);

#endif
