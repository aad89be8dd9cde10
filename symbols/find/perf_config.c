/* SPDX-License-Identifier: MIT */
#include "symbols/find/perf_config.h"

#include <stdlib.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/readfile.h"

#define MAX_FILE ((size_t)1 << 20)

static struct span trimmed(const u8 *p, size_t n)
{
	while (n && (*p == ' ' || *p == '\t' || *p == '\r')) {
		p++;
		n--;
	}
	while (n && (p[n - 1] == ' ' || p[n - 1] == '\t' || p[n - 1] == '\r'))
		n--;
	return span_of(p, n);
}

static bool is_word(struct span s, const char *word)
{
	return s.n == strlen(word) && !strncasecmp((const char *)s.p, word, s.n);
}

/* Returns a value without its comment and quotes, malloc'd. */
static char *value_of(struct span v)
{
	const u8 *end;

	if (v.n && *v.p == '"') {
		v = span_of(v.p + 1, v.n - 1);
		end = memchr(v.p, '"', v.n);
		return xstrndup((const char *)v.p, end ? (size_t)(end - v.p) : v.n);
	}
	for (size_t i = 0; i < v.n; i++)
		if (v.p[i] == '#' || v.p[i] == ';')
			v = trimmed(v.p, i);
	return xstrndup((const char *)v.p, v.n);
}

char *perf_config_find(struct span text, const char *section, const char *key)
{
	bool inside = false;
	char *ret = NULL;

	for (size_t at = 0; at < text.n;) {
		const u8 *p = text.p + at, *nl = memchr(p, '\n', text.n - at), *eq;
		size_t n = nl ? (size_t)(nl - p) : text.n - at;
		struct span line = trimmed(p, n);

		at += n + 1;
		if (line.n > 2 && *line.p == '[') {
			const u8 *end = memchr(line.p, ']', line.n);

			inside = end &&
				 is_word(trimmed(line.p + 1, (size_t)(end - line.p) - 1), section);
			continue;
		}
		eq = line.n ? memchr(line.p, '=', line.n) : NULL;
		if (!inside || !eq || !is_word(trimmed(line.p, (size_t)(eq - line.p)), key))
			continue;
		free(ret);
		ret = value_of(trimmed(eq + 1, line.n - (size_t)(eq + 1 - line.p)));
	}
	return ret;
}

static char *find_in_file(const char *path, const char *section, const char *key)
{
	struct stat st;
	char *ret;
	void *buf;
	size_t n;

	if (stat(path, &st) || (st.st_uid && st.st_uid != geteuid()) ||
	    read_file(path, MAX_FILE, &buf, &n, NULL))
		return NULL;
	ret = perf_config_find(span_of(buf, n), section, key);
	free(buf);
	return ret;
}

char *perf_config_value(const char *section, const char *key)
{
	const char *file = getenv("PERF_CONFIG"), *home = getenv("HOME");
	char *path, *ret = NULL;

	if (file && *file)
		return find_in_file(file, section, key);
	if (home && *home) {
		path = xasprintf("%s/.perfconfig", home);
		ret = find_in_file(path, section, key);
		free(path);
	}
	return ret ? ret : find_in_file("/etc/perfconfig", section, key);
}
