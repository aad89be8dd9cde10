/* SPDX-License-Identifier: MIT */
#include "record/header/host_text.h"

#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/option.h"
#include "symbols/elf/readfile.h"

static char *path_of(const char *root, const char *fmt, va_list ap)
{
	char rest[PATH_MAX];

	/* a path too long for `rest` is too long for the kernel as well */
	vsnprintf(rest, sizeof(rest), fmt, ap);
	return xasprintf("%s/%s", root, rest);
}

/* Reads a file as host_whole does. Frees path. */
static char *read_path(char *path, size_t max, size_t *ret_len)
{
	void *bytes;
	char *text;
	size_t n;
	int err = read_kernel_file(path, max, &bytes, &n, NULL);

	free(path);
	if (err)
		return NULL;
	text = xmalloc(n + 1);
	memcpy(text, bytes, n);
	text[n] = '\0';
	free(bytes);
	if (ret_len)
		*ret_len = n;
	return text;
}

char *host_whole(size_t max, size_t *ret_len, const char *root, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_of(root, fmt, ap);
	va_end(ap);
	return read_path(path, max, ret_len);
}

static char *trimmed_copy(const char *s, size_t n)
{
	while (n && isspace((unsigned char)s[0])) {
		s++;
		n--;
	}
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n ? xstrndup(s, n) : NULL;
}

static char *line_of(char *path)
{
	char *text = read_path(path, HOST_TEXT_MAX, NULL), *line;

	if (!text)
		return NULL;
	line = trimmed_copy(text, strcspn(text, "\n"));
	free(text);
	return line;
}

char *host_line(const char *root, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_of(root, fmt, ap);
	va_end(ap);
	return line_of(path);
}

bool host_u32(u32 *ret, const char *root, const char *fmt, ...)
{
	va_list ap;
	char *line;
	u64 v;
	bool ok;

	va_start(ap, fmt);
	line = line_of(path_of(root, fmt, ap));
	va_end(ap);
	ok = line && !parse_u64(line, 10, 0, UINT32_MAX, &v);
	if (ok)
		*ret = (u32)v;
	free(line);
	return ok;
}

bool host_cpu_list(struct cpu_list *ret, const char *root, const char *fmt, ...)
{
	va_list ap;
	char *line;
	bool ok;

	*ret = (struct cpu_list){ 0 };
	va_start(ap, fmt);
	line = line_of(path_of(root, fmt, ap));
	va_end(ap);
	ok = line && !cpu_list_parse(line, ret, NULL);
	free(line);
	return ok;
}

/* Reduces runs of blanks to one blank, in place: CPU names of x86 are padded. */
static void squash_blanks(char *s)
{
	char *to = s;

	for (; *s; s++)
		if (!isspace((unsigned char)s[0]) || !isspace((unsigned char)s[1]))
			*to++ = *s;
	*to = '\0';
}

char *host_value(const char *text, const char *key)
{
	size_t klen = strlen(key);
	const char *line, *p;
	char *value;

	for (line = text; line; line = (p = strchr(line, '\n')) ? p + 1 : NULL) {
		if (strncmp(line, key, klen))
			continue;
		p = line + klen + strspn(line + klen, " \t");
		if (*p != ':')
			continue;
		value = trimmed_copy(p + 1, strcspn(p + 1, "\n"));
		if (value)
			squash_blanks(value);
		return value;
	}
	return NULL;
}

void host_names(struct name_list *ret, const char *root, const char *fmt, ...)
{
	va_list ap;
	char *path;

	va_start(ap, fmt);
	path = path_of(root, fmt, ap);
	va_end(ap);
	if (folder_names(path, false, ret, NULL))
		*ret = (struct name_list){ 0 };
	free(path);
}

bool host_numbered(const char *name, const char *stem, u32 *ret)
{
	size_t n = strlen(stem);
	u64 v;

	if (strncmp(name, stem, n) || !isdigit((unsigned char)name[n]) ||
	    parse_u64(name + n, 10, 0, UINT32_MAX, &v))
		return false;
	*ret = (u32)v;
	return true;
}
