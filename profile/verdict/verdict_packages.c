/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_packages.h"

#include "base/mem.h"
#include "symbols/elf/object.h"

#define PACKAGES_MS 1500 /* that package managers may run for a verdict */
#define MAX_PACKAGES 10  /* files whose package is looked for: as many as are printed */

bool verdict_is_system_file(const char *path)
{
	return (!strncmp(path, "/usr/", 5) && strncmp(path, "/usr/local/", 11)) ||
	       !strncmp(path, "/lib", 4) || !strncmp(path, "/bin/", 5) ||
	       !strncmp(path, "/sbin/", 6);
}

bool verdict_is_own_file(const struct verdict_module *m)
{
	struct object *o;
	bool ret;

	if (!m->file || m->name[0] != '/')
		return false;
	/* found elsewhere: in the build-id cache, or below --symfs */
	if (!m->build_id_size || object_open(m->name, &o, NULL))
		return !strcmp(m->file, m->name);
	ret = build_id_equal(m->build_id, m->build_id_size, o->build_id, o->build_id_size);
	object_close(o);
	return ret;
}

static bool may_have_package(const struct verdict_module *m)
{
	return m->reason == VERDICT_STRIPPED && !m->kernel && verdict_is_system_file(m->name) &&
	       verdict_is_own_file(m);
}

static void ask_package_manager(struct verdict_packages *p, const struct verdict *v)
{
	const char *paths[MAX_PACKAGES];

	p->has_asked = true;
	p->modules = xcalloc(MAX_PACKAGES, sizeof(*p->modules));
	p->items = xcalloc(MAX_PACKAGES, sizeof(*p->items));
	for (size_t i = 0; i < v->nr_modules && p->nr < MAX_PACKAGES; i++) {
		if (!may_have_package(&v->modules[i]))
			continue;
		paths[p->nr] = v->modules[i].name;
		p->modules[p->nr++] = &v->modules[i];
	}
	p->has_answer = file_packages_find(paths, p->nr, PACKAGES_MS, p->items);
}

/* What the package manager says of a module's file; NULL: it was not asked, or did not answer. */
static const struct file_package *answer_of(struct verdict_packages *p, const struct verdict *v,
					    const struct verdict_module *m)
{
	if (!may_have_package(m))
		return NULL;
	if (!p->has_asked)
		ask_package_manager(p, v);
	for (size_t i = 0; p->has_answer && i < p->nr; i++)
		if (p->modules[i] == m)
			return &p->items[i];
	return NULL;
}

const struct file_package *verdict_packages_find(struct verdict_packages *p,
						 const struct verdict *v,
						 const struct verdict_module *m)
{
	const struct file_package *answer = answer_of(p, v, m);

	return answer && answer->owner ? answer : NULL;
}

bool verdict_packages_deny(struct verdict_packages *p, const struct verdict *v,
			   const struct verdict_module *m)
{
	const struct file_package *answer = answer_of(p, v, m);

	return answer && !answer->owner;
}

void verdict_packages_fini(struct verdict_packages *p)
{
	for (size_t i = 0; i < p->nr; i++)
		file_package_fini(&p->items[i]);
	free(p->items);
	free(p->modules);
}
