/* SPDX-License-Identifier: MIT */
#include "record/before/synth_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/before/synth_map_id.h"

#define MISC_PARSE_TIMEOUT (1u << 12) /* PROC_MAP_PARSE_TIMEOUT of perf_event.h */

/* room for a path, " (deleted)" and text that the kernel adds around it */
#define NAME_MAX_LEN 4200

static bool take_hex(const u8 **p, const u8 *end, u64 *ret)
{
	const u8 *q = *p;
	u64 v = 0;

	for (; q < end && q - *p < 16; q++) {
		u8 c = *q;

		if (c >= '0' && c <= '9')
			v = v << 4 | (u64)(c - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (u64)(c - 'a' + 10);
		else
			break;
	}
	*ret = v;
	if (q == *p)
		return false;
	*p = q;
	return true;
}

static bool take_char(const u8 **p, const u8 *end, char c)
{
	if (*p == end || **p != (u8)c)
		return false;
	(*p)++;
	return true;
}

static bool take_decimal(const u8 **p, const u8 *end, u64 *ret)
{
	const u8 *q = *p;
	u64 v = 0;

	for (; q < end && *q >= '0' && *q <= '9'; q++)
		if (__builtin_mul_overflow(v, 10u, &v) ||
		    __builtin_add_overflow(v, (u64)(*q - '0'), &v))
			return false;
	*ret = v;
	if (q == *p)
		return false;
	*p = q;
	return true;
}

bool maps_line_parse(struct span line, struct maps_line *ret)
{
	const u8 *p = line.p, *end = p + line.n;
	struct maps_line m = { 0 };
	u64 maj, min;

	if (!take_hex(&p, end, &m.start) || !take_char(&p, end, '-') ||
	    !take_hex(&p, end, &m.end) || !take_char(&p, end, ' ') || end - p < 5)
		return false;
	m.prot = (p[0] == 'r' ? PROT_READ : 0) | (p[1] == 'w' ? PROT_WRITE : 0) |
		 (p[2] == 'x' ? PROT_EXEC : 0);
	m.shared = p[3] == 's';
	p += 4;
	if (!take_char(&p, end, ' ') || !take_hex(&p, end, &m.pgoff) || !take_char(&p, end, ' ') ||
	    !take_hex(&p, end, &maj) || !take_char(&p, end, ':') || !take_hex(&p, end, &min) ||
	    !take_char(&p, end, ' ') || !take_decimal(&p, end, &m.ino))
		return false;
	if (p < end && *p != ' ')
		return false;
	if (m.end <= m.start || maj > UINT32_MAX || min > UINT32_MAX)
		return false;
	m.maj = (u32)maj;
	m.min = (u32)min;
	while (p < end && *p == ' ')
		p++;
	m.name = span_of(p, (size_t)(end - p));
	*ret = m;
	return true;
}

static bool name_starts(struct span name, const char *prefix)
{
	size_t n = strlen(prefix);

	return name.n >= n && !memcmp(name.p, prefix, n);
}

/* Replaces \012 by the newline that it stands for, as in the MMAP2 records of the kernel itself. */
static struct span unescape_name(struct span name, char *buf)
{
	size_t n = 0;

	if (!memchr(name.p, '\\', name.n))
		return name;
	for (size_t i = 0; i < name.n; i++) {
		if (name.n - i >= 4 && !memcmp(name.p + i, "\\012", 4)) {
			buf[n++] = '\n';
			i += 3;
		} else {
			buf[n++] = (char)name.p[i];
		}
	}
	return span_of(buf, n);
}

/*
 * Returns the name for a map, chosen as stock perf does. Maps without a name are //anon, and so are
 * files of a hugetlbfs, into which programs move their code for large pages. Executable maps named
 * by prctl(PR_SET_VMA) are also //anon: they hold generated code, and perf applies
 * /tmp/perf-PID.map only to maps of this name.
 */
static struct span shown_name(const struct synth *s, const struct maps_line *m, char *buf,
			      u32 *flags)
{
	static const char anon[] = "//anon";
	size_t n = s->huge_mount ? strlen(s->huge_mount) : 0;

	if (n && name_starts(m->name, s->huge_mount) && (m->name.n == n || m->name.p[n] == '/')) {
		*flags |= MAP_HUGETLB;
		return span_of(anon, sizeof(anon) - 1);
	}
	if (!m->name.n || ((m->prot & PROT_EXEC) && name_starts(m->name, "[anon:")))
		return span_of(anon, sizeof(anon) - 1);
	return unescape_name(m->name, buf);
}

static bool is_wanted(const struct synth *s, const struct maps_line *m)
{
	if (m->prot & PROT_EXEC)
		return true;
	return s->o->sample_address && (m->prot & PROT_READ);
}

static void put_map(struct synth *s, s32 pid, const struct maps_line *m, int maps_fd, u16 misc)
{
	char name[NAME_MAX_LEN];
	u32 flags = m->shared ? MAP_SHARED : MAP_PRIVATE;
	struct maps_line cut = *m;
	struct pd_mmap r = {
		.pid = (u32)pid,
		.tid = (u32)pid,
		.start = m->start,
		.len = m->end - m->start,
		.pgoff = m->pgoff,
		.is_mmap2 = true,
		.maj = m->maj,
		.min = m->min,
		.ino = m->ino,
		.prot = m->prot,
	};

	if (cut.name.n >= NAME_MAX_LEN)
		cut.name.n = NAME_MAX_LEN - 1;
	r.filename = shown_name(s, &cut, name, &flags);
	r.flags = flags;
	misc |= PD_CPUMODE_USER;
	if (!(m->prot & PROT_EXEC))
		misc |= PD_MISC_MMAP_DATA;
	if (s->o->buildid_mmap && m->ino && r.filename.n && r.filename.p[0] == '/' &&
	    !(flags & MAP_HUGETLB)) {
		const struct pd_build_id *id = synth_map_id(s, pid, maps_fd, m, r.filename);

		if (id->size) {
			r.has_build_id = true;
			r.build_id = *id;
			misc |= PD_MISC_MMAP_BUILD_ID;
		}
	}
	pd_put_mmap(s->out, &r, misc, s->trailer);
}

/* Appends a record for each complete line in s->buf[0, n). Returns the bytes used. */
static size_t put_lines(struct synth *s, s32 pid, size_t n, int maps_fd, u16 misc)
{
	size_t off = 0;

	while (off < n) {
		const char *p = s->buf + off;
		const char *nl = memchr(p, '\n', n - off);
		struct maps_line m;

		if (!nl)
			break;
		off = (size_t)(nl - s->buf) + 1;
		if (!maps_line_parse(span_of(p, (size_t)(nl - p)), &m) || !is_wanted(s, &m))
			continue;
		put_map(s, pid, &m, maps_fd, misc);
		/* time is up: this record, which carries the timeout bit, is the process's last */
		if (misc)
			break;
	}
	return off;
}

void synth_maps(struct synth *s, s32 pid, s32 tid)
{
	u64 until = s->o->proc_map_timeout_ms ? now_ms() + s->o->proc_map_timeout_ms : 0;
	bool drop_rest = false, late = false;
	size_t have = 0;
	char path[64];
	int fd;

	if (pid == tid)
		snprintf(path, sizeof(path), "%d/maps", pid);
	else
		snprintf(path, sizeof(path), "%d/task/%d/maps", pid, tid);
	fd = s->proc_fd < 0 ? -1 : openat(s->proc_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return;
	while (!late) {
		ssize_t got = read(fd, s->buf + have, s->cap - have);
		size_t used = 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		have += (size_t)got;
		if (drop_rest) {
			char *nl = memchr(s->buf, '\n', have);

			if (!nl) {
				have = 0;
				continue;
			}
			used = (size_t)(nl - s->buf) + 1;
			memmove(s->buf, s->buf + used, have - used);
			have -= used;
			drop_rest = false;
		}
		late = until && now_ms() > until;
		used = put_lines(s, pid, have, fd, late ? MISC_PARSE_TIMEOUT : 0);
		memmove(s->buf, s->buf + used, have - used);
		have -= used;
		if (have == s->cap) {
			drop_rest = true;
			have = 0;
		}
	}
	if (late)
		diag_warn(s->o->diag,
			  "reading the maps of process %d took longer than %u ms, so some are "
			  "missing: "
			  "raise the limit with --proc-map-timeout",
			  pid, s->o->proc_map_timeout_ms);
	close(fd);
}
