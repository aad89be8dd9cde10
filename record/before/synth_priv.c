/* SPDX-License-Identifier: MIT */
#include "record/before/synth_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/mem.h"

/*
 * Holds several lines of a maps file even if paths are 4 KiB long and each byte is escaped as \ooo.
 */
#define BUF_SIZE ((size_t)128 << 10)

/* Limit of a file read from procfs: enough for the mount table of a host with many containers. */
#define PROC_FILE_MAX ((size_t)16 << 20)

static bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

/* Returns the next word of *line and moves *line behind it. */
static struct span next_word(struct span *line)
{
	const u8 *p = line->p, *end = p + line->n, *start;

	while (p < end && *p == ' ')
		p++;
	start = p;
	while (p < end && *p != ' ')
		p++;
	*line = span_of(p, (size_t)(end - p));
	return span_of(start, (size_t)(p - start));
}

static char *find_huge_mount(struct synth *s)
{
	ssize_t n = synth_read_proc(s, "mounts");
	struct span text, line;

	if (n < 0)
		return NULL;
	text = span_of(s->buf, (size_t)n);
	while (synth_next_line(&text, &line)) {
		struct span where;

		next_word(&line);
		where = next_word(&line);
		if (where.n > 1 && span_is(next_word(&line), "hugetlbfs"))
			return xstrndup((const char *)where.p, where.n);
	}
	return NULL;
}

void synth_init(struct synth *s, struct wbuf *out, const struct rec_opts *o, u32 trailer)
{
	*s = (struct synth){ .out = out, .o = o, .trailer = trailer, .ask_kernel = true };
	s->cap = BUF_SIZE;
	s->buf = xmalloc(s->cap);
	s->proc_fd = open(o->host.procfs, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	s->huge_mount = find_huge_mount(s);
}

void synth_fini(struct synth *s)
{
	if (s->proc_fd >= 0)
		close(s->proc_fd);
	free(s->buf);
	free(s->huge_mount);
	idmap_fini(&s->id_of_file);
	free(s->ids);
	*s = (struct synth){ .proc_fd = -1 };
}

ssize_t synth_read_proc(struct synth *s, const char *rest)
{
	size_t n = 0;
	int fd;

	if (s->proc_fd < 0)
		return -1;
	fd = openat(s->proc_fd, rest, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return -1;
	for (;;) {
		ssize_t got = read(fd, s->buf + n, s->cap - n - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			close(fd);
			return -1;
		}
		n += (size_t)got;
		if (!got || n >= PROC_FILE_MAX)
			break;
		if (n + 1 >= s->cap)
			s->buf = vec_grow_bytes(s->buf, &s->cap, s->cap * 2, 1);
	}
	close(fd);
	s->buf[n] = 0;
	return (ssize_t)n;
}

bool synth_next_line(struct span *text, struct span *ret)
{
	const u8 *nl;
	size_t n;

	if (!text->n)
		return false;
	nl = memchr(text->p, '\n', text->n);
	n = nl ? (size_t)(nl - text->p) : text->n;
	*ret = span_of(text->p, n);
	n += nl != NULL;
	*text = span_of(text->p + n, text->n - n);
	return true;
}
