/* SPDX-License-Identifier: MIT */
#include "symbols/find/package.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/advice/run_program.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/out.h"
#include "symbols/elf/readfile.h"

#define MAX_ANSWER ((size_t)256 << 10) /* bytes read of what a program prints */
#define MAX_FILE ((size_t)64 << 10)

/* Package names as dpkg and rpm allow them. Nothing in them needs quoting or is an option. */
static bool is_package_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789+-._";

	return *name && strspn(name, allowed) == strlen(name) && !strchr("+-._", *name);
}

static char *checked_name(const char *text, size_t n)
{
	char *name = xstrndup(text, n);

	if (is_package_name(name))
		return name;
	free(name);
	return NULL;
}

static u64 time_left(u64 deadline_ms)
{
	u64 now = now_ms();

	return now < deadline_ms ? deadline_ms - now : 0;
}

/*
 * The other name of a file on systems where /lib is a link to /usr/lib: dpkg knows the name that
 * the package has. Malloc'd; NULL: none.
 */
static char *other_name(const char *path)
{
	if (!strncmp(path, "/usr/lib", 8) || !strncmp(path, "/usr/bin/", 9) ||
	    !strncmp(path, "/usr/sbin/", 10))
		return xstrdup(path + 4);
	if (!strncmp(path, "/lib", 4) || !strncmp(path, "/bin/", 5) || !strncmp(path, "/sbin/", 6))
		return xasprintf("/usr%s", path);
	return NULL;
}

/* Parses a line "zlib1g:amd64, other: /lib/libz.so.1" of dpkg -S: the first package, malloc'd. */
static char *owner_in_line(const char *line, size_t n, const char *path, const char *other)
{
	const char *at = memmem(line, n, ": /", 3);
	size_t rest;

	if (!at || !strncmp(line, "diversion by ", 13))
		return NULL;
	rest = n - (size_t)(at + 2 - line);
	if ((rest != strlen(path) || memcmp(at + 2, path, rest)) &&
	    (!other || rest != strlen(other) || memcmp(at + 2, other, rest)))
		return NULL;
	return checked_name(line, strcspn(line, ":,"));
}

/* Sets the owners that one line of dpkg -S gives. */
static void take_owner(const char *line, size_t n, const char *const *paths,
		       const char *const *others, size_t nr, struct file_package *ret)
{
	for (size_t i = 0; i < nr; i++)
		if (!ret[i].owner)
			ret[i].owner = owner_in_line(line, n, paths[i], others[i]);
}

/* Sets the owners by dpkg. False: it does not answer. */
static bool find_dpkg_owners(const char *const *paths, size_t nr, u64 limit_ms,
			     struct file_package *ret)
{
	const char **argv = xcalloc(2 * nr + 3, sizeof(*argv));
	char **others = xcalloc(nr, sizeof(*others)), *answer;
	bool has_answer;
	size_t k = 0;

	argv[k++] = "dpkg";
	argv[k++] = "-S";
	for (size_t i = 0; i < nr; i++) {
		argv[k++] = paths[i];
		others[i] = other_name(paths[i]);
		if (others[i])
			argv[k++] = others[i];
	}
	answer = run_program(argv, limit_ms, MAX_ANSWER);
	has_answer = answer;
	for (const char *line = answer; line && *line;) {
		size_t n = strcspn(line, "\n");

		take_owner(line, n, paths, (const char *const *)others, nr, ret);
		line += n + (line[n] == '\n');
	}
	for (size_t i = 0; i < nr; i++)
		free(others[i]);
	free(answer);
	free(others);
	free(argv);
	return has_answer;
}

static bool has_line(const char *text, const char *line)
{
	size_t n = strlen(line);

	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (!strncmp(at, line, n) && (at[n] == '\n' || !at[n]))
			return true;
	}
	return false;
}

/* Sets the packages with debug symbols: the first of the two usual names that apt knows. */
static void find_debug_packages(struct file_package *files, size_t nr, u64 limit_ms)
{
	static const char *const ends[] = { "-dbgsym", "-dbg" };
	const char **argv = xcalloc(ARRAY_SIZE(ends) * nr + 4, sizeof(*argv));
	size_t k = 0, first = 3;
	char *answer;

	argv[k++] = "apt-cache";
	argv[k++] = "show";
	argv[k++] = "--no-all-versions";
	for (size_t i = 0; i < nr; i++)
		for (size_t e = 0; files[i].owner && e < ARRAY_SIZE(ends); e++)
			argv[k++] = xasprintf("%s%s", files[i].owner, ends[e]);
	answer = k > first ? run_program(argv, limit_ms, MAX_ANSWER) : NULL;
	for (size_t i = 0, at = first; i < nr; i++) {
		for (size_t e = 0; files[i].owner && e < ARRAY_SIZE(ends); e++, at++) {
			char *line = xasprintf("Package: %s", argv[at]);

			if (answer && !files[i].debug && has_line(answer, line))
				files[i].debug = xstrdup(argv[at]);
			free(line);
		}
	}
	while (k > first)
		free((char *)argv[--k]);
	free(answer);
	free(argv);
}

/* Sets the owner by rpm. False: it does not answer. */
static bool find_rpm_owner(const char *path, u64 limit_ms, struct file_package *ret)
{
	const char *argv[] = { "rpm", "-qf", "--queryformat", "%{NAME}\n", path, NULL };
	char *answer = run_program(argv, limit_ms, MAX_ANSWER);
	bool has_answer = answer;

	/* for a file of no package it prints a sentence */
	ret->owner = answer ? checked_name(answer, strcspn(answer, "\n")) : NULL;
	ret->is_rpm = ret->owner;
	free(answer);
	return has_answer;
}

bool file_packages_find(const char *const *paths, size_t nr, u64 limit_ms, struct file_package *ret)
{
	u64 deadline_ms = now_ms() + limit_ms;
	bool has_owner = false, has_answer;

	memset(ret, 0, nr * sizeof(*ret));
	if (!nr)
		return false;
	has_answer = find_dpkg_owners(paths, nr, limit_ms, ret);
	for (size_t i = 0; i < nr; i++)
		has_owner |= ret[i].owner != NULL;
	if (has_owner) {
		find_debug_packages(ret, nr, time_left(deadline_ms));
		return true;
	}
	for (size_t i = 0; i < nr && time_left(deadline_ms); i++)
		has_answer |= find_rpm_owner(paths[i], time_left(deadline_ms), &ret[i]);
	return has_answer;
}

void file_package_fini(struct file_package *p)
{
	free(p->owner);
	free(p->debug);
	*p = (struct file_package){ 0 };
}

/* A URL that can stand in a list of them and in a command. */
static bool is_url(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)text[i] <= 32 || (unsigned char)text[i] >= 127)
			return false;
	return n > 8 && (!strncmp(text, "http://", 7) || !strncmp(text, "https://", 8));
}

static void add_urls(struct out *o, const char *path)
{
	static const char blanks[] = " \t\r\n";
	void *text;
	size_t size, n;

	if (read_file(path, MAX_FILE, &text, &size, NULL))
		return;
	for (char *s = xstrndup(text, size), *at = s;; at += n) {
		at += strspn(at, blanks);
		n = strcspn(at, blanks);
		if (!n) {
			free(s);
			break;
		}
		if (!is_url(at, n))
			continue;
		if (o->len)
			out_char(o, ' ');
		out_mem(o, at, n);
	}
	free(text);
}

/* The value of KEY=value or KEY="value" in the text of os-release, malloc'd; NULL: no such line. */
static char *os_release_value(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = text; at; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, n) || at[n] != '=')
			continue;
		at += n + 1;
		at += *at == '"';
		return xstrndup(at, strcspn(at, "\"\n"));
	}
	return NULL;
}

static const char *public_server(const char *ids)
{
	static const struct {
		const char *id, *url;
	} servers[] = {
		{ "debian", "https://debuginfod.debian.net" },
		{ "ubuntu", "https://debuginfod.ubuntu.com" },
		{ "fedora", "https://debuginfod.fedoraproject.org" },
		{ "centos", "https://debuginfod.centos.org" },
		{ "arch", "https://debuginfod.archlinux.org" },
		{ "opensuse", "https://debuginfod.opensuse.org" },
		{ "opensuse-tumbleweed", "https://debuginfod.opensuse.org" },
	};

	while (*ids) {
		size_t n = strcspn(ids, " ");

		for (size_t i = 0; i < ARRAY_SIZE(servers); i++)
			if (strlen(servers[i].id) == n && !memcmp(servers[i].id, ids, n))
				return servers[i].url;
		ids += n + (ids[n] == ' ');
	}
	return NULL;
}

/* The public server of the distribution: of its own, else of the one that it is made from. */
static const char *server_of_distribution(const char *root)
{
	static const char *const keys[] = { "ID", "ID_LIKE" };
	char *path = xasprintf("%s/etc/os-release", root), *text;
	const char *url = NULL;
	void *bytes;
	size_t size;

	if (!read_file(path, MAX_FILE, &bytes, &size, NULL)) {
		text = xstrndup(bytes, size);
		for (size_t i = 0; i < ARRAY_SIZE(keys) && !url; i++) {
			char *ids = os_release_value(text, keys[i]);

			url = ids ? public_server(ids) : NULL;
			free(ids);
		}
		free(text);
		free(bytes);
	}
	free(path);
	return url;
}

char *debuginfod_servers_of(const char *root)
{
	char *pattern = xasprintf("%s/etc/debuginfod/*.urls", root);
	const char *url;
	struct out o;
	glob_t g;

	out_init_mem(&o);
	if (!glob(pattern, 0, NULL, &g)) {
		for (size_t i = 0; i < g.gl_pathc; i++)
			add_urls(&o, g.gl_pathv[i]);
		globfree(&g);
	}
	free(pattern);
	if (o.len) {
		out_char(&o, 0);
		return o.buf;
	}
	out_fini(&o);
	url = server_of_distribution(root);
	return url ? xstrdup(url) : NULL;
}

char *debuginfod_servers(void)
{
	return debuginfod_servers_of("");
}
