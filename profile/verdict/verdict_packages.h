/* SPDX-License-Identifier: MIT */
/* The packages of the system that a verdict's stripped files belong to. */
#ifndef PROFILE_VERDICT_VERDICT_PACKAGES_H
#define PROFILE_VERDICT_VERDICT_PACKAGES_H

#include "profile/verdict/verdict.h"
#include "symbols/find/package.h"

/* The packages of the heaviest stripped modules. Zero to begin with. */
struct verdict_packages {
	const struct verdict_module **modules;
	struct file_package *items; /* of the modules with the same number */
	size_t nr;
	bool has_asked;
	bool has_answer;
};

/*
 * The package of a module's file; NULL: none, or it is not known. The first call asks the package
 * manager for the ten heaviest modules of v at once, because its start takes longest, and gives it
 * 1.5 seconds. Borrowed until verdict_packages_fini().
 */
const struct file_package *verdict_packages_find(struct verdict_packages *p,
						 const struct verdict *v,
						 const struct verdict_module *m);
/* True if a package manager answered that no package owns the module's file. */
bool verdict_packages_deny(struct verdict_packages *p, const struct verdict *v,
			   const struct verdict_module *m);
void verdict_packages_fini(struct verdict_packages *p);

/* True if the path is in a folder whose files a distribution makes. */
bool verdict_is_system_file(const char *path);
/* True if the file at the recorded path on this machine is the recorded one. */
bool verdict_is_own_file(const struct verdict_module *m);

#endif
