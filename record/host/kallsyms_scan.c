/* SPDX-License-Identifier: MIT */
#include "record/host/kallsyms_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"

/* read at a time; longer than any line: a symbol's name has at most 512 bytes */
#define PIECE ((size_t)64 << 10)

static int hex_value(u8 c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static bool parse_line(const u8 *p, const u8 *end, struct kallsyms_line *ret)
{
	const u8 *start = p, *tab;
	u64 addr = 0;
	int d;

	for (; p < end && p - start < 16 && (d = hex_value(*p)) >= 0; p++)
		addr = addr << 4 | (u64)d;
	if (p == start || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	ret->addr = addr;
	ret->type = (char)p[1];
	p += 3;
	tab = memchr(p, '\t', (size_t)(end - p));
	ret->name = span_of(p, (size_t)((tab ? tab : end) - p));
	ret->module = span_of(end, 0);
	if (tab && end - tab > 3 && tab[1] == '[' && end[-1] == ']')
		ret->module = span_of(tab + 2, (size_t)(end - tab - 3));
	return ret->name.n > 0;
}

bool kallsyms_scan(const char *path, kallsyms_fn fn, void *arg)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	size_t have = 0;
	bool more = true;
	u8 *buf;

	if (fd < 0)
		return false;
	buf = xmalloc(PIECE);
	while (more) {
		ssize_t got = read(fd, buf + have, PIECE - have);
		const u8 *p = buf, *nl;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		have += (size_t)got;
		while (more && (nl = memchr(p, '\n', have - (size_t)(p - buf)))) {
			struct kallsyms_line line;

			if (parse_line(p, nl, &line))
				more = fn(&line, arg);
			p = nl + 1;
		}
		have -= (size_t)(p - buf);
		memmove(buf, p, have);
		if (have == PIECE) /* a line longer than the buffer: not a list of symbols */
			have = 0;
	}
	free(buf);
	close(fd);
	return true;
}
