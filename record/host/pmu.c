/* SPDX-License-Identifier: MIT */
#include "record/host/pmu.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <strings.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/option.h"
#include "record/host/host_file.h"
#include "record/host/name_glob.h"

#define DEVICES "bus/event_source/devices"
#define PMU_TEXT_MAX ((size_t)64 << 10)

void pmu_free(struct pmu *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->nr_formats; i++)
		free(p->formats[i].name);
	for (size_t i = 0; i < p->nr_aliases; i++) {
		free(p->aliases[i].name);
		free(p->aliases[i].terms);
		free(p->aliases[i].unit);
	}
	if (p->cpus)
		cpu_list_fini(p->cpus);
	free(p->cpus);
	free(p->formats);
	free(p->aliases);
	free(p->name);
	free(p);
}

/* Parses "config1:0-7,32-35". Returns false for any other text. */
static bool parse_format(const char *s, struct pmu_format *ret)
{
	ret->word = 0;
	ret->bits = 0;
	if (strncmp(s, "config", 6))
		return false;
	s += 6;
	if (isdigit((unsigned char)*s))
		ret->word = (unsigned int)(*s++ - '0');
	if (ret->word >= PMU_CONFIG_WORDS || *s++ != ':')
		return false;
	for (;;) {
		unsigned long first, last;
		char *end;

		if (!isdigit((unsigned char)*s))
			return false;
		first = last = strtoul(s, &end, 10);
		if (*end == '-') {
			s = end + 1;
			if (!isdigit((unsigned char)*s))
				return false;
			last = strtoul(s, &end, 10);
		}
		if (last < first || last > 63)
			return false;
		for (unsigned long bit = first; bit <= last; bit++)
			ret->bits |= 1ull << bit;
		if (*end != ',')
			return !*end;
		s = end + 1;
	}
}

static void read_formats(struct pmu *p, const char *dir)
{
	char *path = xasprintf("%s/format", dir);
	struct name_list names = { 0 };

	if (!folder_names(path, false, &names, NULL)) {
		for (size_t i = 0; i < names.nr; i++) {
			char *file = xasprintf("%s/%s", path, names.names[i]), *text = NULL;
			struct pmu_format f;

			/* A field in an unknown syntax cannot be used, so leave it out. */
			if (!text_file_read(file, PMU_TEXT_MAX, &text, NULL) &&
			    parse_format(text, &f)) {
				f.name = xstrdup(names.names[i]);
				vec_push(p->formats, p->nr_formats, p->cap_formats, f);
			}
			free(text);
			free(file);
		}
	}
	name_list_fini(&names);
	free(path);
}

/* Returns true for files of events/ that describe an event but are none: NAME.unit and the like. */
static bool is_beside_event(const char *name)
{
	static const char *const endings[] = { ".unit", ".scale", ".per-pkg", ".snapshot" };
	size_t n = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		size_t k = strlen(endings[i]);

		if (n > k && !strcmp(name + n - k, endings[i]))
			return true;
	}
	return false;
}

/*
 * Parses a scale such as "2.3283064365386962890625e-10", which the kernel writes in the C locale.
 */
static double parse_scale(const char *text)
{
	locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
	char *end;
	double v = c ? strtod_l(text, &end, c) : strtod(text, &end);

	if (c)
		freelocale(c);
	return end == text || !(v > 0) ? 1 : v;
}

static void read_aliases(struct pmu *p, const char *dir)
{
	char *path = xasprintf("%s/events", dir);
	struct name_list names = { 0 };

	if (!folder_names(path, false, &names, NULL)) {
		for (size_t i = 0; i < names.nr; i++) {
			struct pmu_alias a = { .scale = 1 };
			char *file = xasprintf("%s/%s", path, names.names[i]), *text = NULL;

			if (is_beside_event(names.names[i]) ||
			    text_file_read(file, PMU_TEXT_MAX, &a.terms, NULL)) {
				free(file);
				continue;
			}
			a.name = xstrdup(names.names[i]);
			free(file);
			file = xasprintf("%s/%s.unit", path, a.name);
			if (!text_file_read(file, PMU_TEXT_MAX, &text, NULL))
				a.unit = text;
			free(file);
			file = xasprintf("%s/%s.scale", path, a.name);
			text = NULL;
			if (!text_file_read(file, PMU_TEXT_MAX, &text, NULL))
				a.scale = parse_scale(text);
			free(text);
			free(file);
			vec_push(p->aliases, p->nr_aliases, p->cap_aliases, a);
		}
	}
	name_list_fini(&names);
	free(path);
}

static void read_cpus(struct pmu *p, const char *dir)
{
	static const char *const files[] = { "cpumask", "cpus" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char *path = xasprintf("%s/%s", dir, files[i]), *text = NULL;
		struct cpu_list list;

		if (!text_file_read(path, PMU_TEXT_MAX, &text, NULL)) {
			if (!strcmp(files[i], "cpus"))
				p->is_core = true;
			if (!p->cpus && !cpu_list_parse(text, &list, NULL)) {
				p->cpus = xmalloc(sizeof(*p->cpus));
				*p->cpus = list;
			}
		}
		free(text);
		free(path);
	}
}

int pmu_read(const struct rec_host *host, const char *name, struct pmu **ret, struct perr *e)
{
	char *dir = rec_host_path(host->sysfs, DEVICES "/%s", name);
	char *path = xasprintf("%s/type", dir), *text = NULL;
	struct pmu *p = NULL;
	u64 type;
	int err;

	if (!*name || strchr(name, '/') || name[0] == '.')
		err = perr_set(e, PERR_NOTFOUND, "'%s' cannot be the name of a PMU", name);
	else if (access(path, F_OK) && errno != EACCES)
		err = perr_set(e, PERR_NOTFOUND, "this machine has no PMU '%s'", name);
	else
		err = text_file_read(path, PMU_TEXT_MAX, &text, e);
	if (!err && parse_u64(text, 10, 0, UINT32_MAX, &type))
		err = perr_set(e, PERR_FORMAT, "%s: expected the number of a PMU, found '%.40s'",
			       path, text);
	if (!err) {
		p = xcalloc(1, sizeof(*p));
		p->name = xstrdup(name);
		p->type = (u32)type;
		p->is_core = !strcmp(name, "cpu");
		read_formats(p, dir);
		read_aliases(p, dir);
		read_cpus(p, dir);
		*ret = p;
	}
	free(text);
	free(path);
	free(dir);
	return err;
}

void pmu_list_fini(struct pmu_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		pmu_free(l->pmus[i]);
	free(l->pmus);
	*l = (struct pmu_list){ 0 };
}

void pmu_list_read(const struct rec_host *host, struct pmu_list *ret)
{
	char *dir = rec_host_path(host->sysfs, DEVICES);
	struct name_list names = { 0 };
	struct pmu *p;

	*ret = (struct pmu_list){ 0 };
	if (!folder_names(dir, false, &names, NULL))
		for (size_t i = 0; i < names.nr; i++)
			if (!pmu_read(host, names.names[i], &p, NULL))
				vec_push(ret->pmus, ret->nr, ret->cap, p);
	name_list_fini(&names);
	free(dir);
}

const struct pmu *pmu_list_find(const struct pmu_list *l, const char *name, size_t len)
{
	for (size_t i = 0; i < l->nr; i++)
		if (strlen(l->pmus[i]->name) == len && !memcmp(l->pmus[i]->name, name, len))
			return l->pmus[i];
	return NULL;
}

bool pmu_list_is_hybrid(const struct pmu_list *l)
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		nr += l->pmus[i]->is_core;
	return nr > 1;
}

/*
 * Returns true for the end of a device name that only tells devices of a kind apart: "", "_0", "12"
 * or an address such as "_fed40000".
 */
static bool is_number_of_device(const char *s)
{
	size_t n;

	if (!*s)
		return true;
	if (*s == '_')
		s++;
	n = strlen(s);
	return n && (strspn(s, "0123456789") == n || (n > 2 && strspn(s, "0123456789abcdef") == n));
}

bool pmu_is_meant(const struct pmu *p, const char *wanted, size_t len)
{
	const char *names[] = { p->name, !strncmp(p->name, "uncore_", 7) ? p->name + 7 : NULL };
	/* imc_1 means one device, and not imc_10 as well */
	bool numbered = len && isdigit((unsigned char)wanted[len - 1]);
	char *text = xstrndup(wanted, len);
	bool ret = false;

	for (size_t i = 0; !ret && i < ARRAY_SIZE(names) && names[i]; i++) {
		if (name_glob_has(text))
			ret = name_glob_match(text, names[i], false);
		else if (!strncmp(names[i], text, len))
			ret = numbered ? !names[i][len] : is_number_of_device(names[i] + len);
	}
	free(text);
	return ret && len;
}

const struct pmu_format *pmu_format_find(const struct pmu *p, const char *name, size_t len)
{
	for (size_t i = 0; i < p->nr_formats; i++)
		if (strlen(p->formats[i].name) == len && !memcmp(p->formats[i].name, name, len))
			return &p->formats[i];
	return NULL;
}

const struct pmu_alias *pmu_alias_find(const struct pmu *p, const char *name, size_t len)
{
	for (size_t i = 0; i < p->nr_aliases; i++)
		if (strlen(p->aliases[i].name) == len &&
		    !strncasecmp(p->aliases[i].name, name, len))
			return &p->aliases[i];
	return NULL;
}

u64 pmu_format_max(const struct pmu_format *f)
{
	unsigned int n = (unsigned int)__builtin_popcountll(f->bits);

	return n >= 64 ? UINT64_MAX : (1ull << n) - 1;
}

u64 pmu_format_spread(const struct pmu_format *f, u64 value)
{
	u64 ret = 0;
	unsigned int from = 0;

	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(f->bits >> bit & 1))
			continue;
		if (value >> from & 1)
			ret |= 1ull << bit;
		from++;
	}
	return ret;
}
