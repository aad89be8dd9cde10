/* SPDX-License-Identifier: MIT */
#include "symbols/jit/jitdump_priv.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define MAGIC 0x4A695444u
#define VERSION 1u
#define ENTRY_SIZE 16 /* bytes of an entry of DEBUG_INFO before its file name */
#define ARCH_TIMES 1u /* a flag of the header: times are values of the CPU's timestamp counter */

/*
 * V8 adds this, the size of an ELF header, to the addresses of lines. A dump is taken for V8's if
 * the least distance from a function's start to its first line is this value and not 0.
 */
#define V8_LINES_BIAS 0x40

enum record_id { CODE_LOAD, CODE_MOVE, DEBUG_INFO, CLOSE, UNWINDING_INFO };

static bool takes_space(u64 start, u64 size)
{
	return size && start + size > start;
}

/* Reads a string with its terminating 0. Returns NULL if the 0 is missing. */
static const char *take_text(struct cursor *c)
{
	size_t n = span_strlen(span_of(c->p, cur_left(c)));
	const u8 *p = cur_take(c, n + 1);

	return (const char *)p;
}

static void read_load(struct jitdump_reader *r, struct cursor *c, u64 time)
{
	struct jitdump_func f = { .time = time };

	cur_skip(c, 16); /* pid, tid, vma */
	f.start = cur_u64(c);
	f.size = cur_u64(c);
	f.index = cur_u64(c);
	f.name = take_text(c);
	if (f.name && takes_space(f.start, f.size)) {
		size_t n = cur_left(c);

		/*
		 * the code is at the end of the record; other bytes may lie between the name and it
		 */
		if (n > f.size)
			cur_skip(c, n - (size_t)f.size);
		f.code = span_of(c->p, cur_left(c));
		f.lines = r->lines;
		f.nr_lines = r->nr_lines;
		f.home = f.start;
		if (f.nr_lines) {
			u64 distance = get_u64(f.lines.p, r->d->swap) - f.start;

			if (distance < r->least_distance)
				r->least_distance = distance;
		}
		f.eh_frame = r->eh_frame;
		f.eh_frame_hdr = r->eh_frame_hdr;
		idmap_put(&r->by_index, f.index, 0, (u32)r->d->nr);
		vec_push(r->d->funcs, r->d->nr, r->d->cap, f);
	}
	r->lines = r->eh_frame = r->eh_frame_hdr = span_of(NULL, 0);
	r->nr_lines = 0;
}

static void read_move(struct jitdump_reader *r, struct cursor *c, u64 time)
{
	u64 start, size, index;
	struct jitdump_func f;
	u32 i;

	cur_skip(c, 24); /* pid, tid, vma, old address */
	start = cur_u64(c);
	size = cur_u64(c);
	index = cur_u64(c);
	i = idmap_get(&r->by_index, index, 0);
	if (c->bad || i == IDMAP_NONE || !takes_space(start, size))
		return;
	f = r->d->funcs[i];
	f.start = start;
	f.size = size;
	f.time = time;
	vec_push(r->d->funcs, r->d->nr, r->d->cap, f);
}

/* Reads the entries of DEBUG_INFO that are complete. */
static void read_lines(struct jitdump_reader *r, struct cursor *c)
{
	const u8 *first;
	u64 nr;
	size_t i;

	cur_skip(c, 8); /* address */
	nr = cur_u64(c);
	first = c->p;
	r->lines = span_of(first, 0);
	for (i = 0; i < nr && cur_left(c) > ENTRY_SIZE; i++) {
		cur_skip(c, ENTRY_SIZE);
		if (!take_text(c))
			break;
		r->lines.n = (size_t)(c->p - first);
	}
	r->nr_lines = i;
	c->bad = false;
}

static void read_unwinding(struct jitdump_reader *r, struct cursor *c)
{
	u64 size = cur_u64(c), hdr_size = cur_u64(c);
	struct span all;

	cur_skip(c, 8); /* mapped size */
	if (c->bad || size > cur_left(c) || hdr_size > size)
		return;
	all = cur_bytes(c, (size_t)size);
	r->eh_frame = span_of(all.p, (size_t)(size - hdr_size));
	r->eh_frame_hdr = span_of(all.p + (size - hdr_size), (size_t)hdr_size);
}

bool jitdump_read_record(struct jitdump_reader *r, struct cursor *file, bool *closed)
{
	struct cursor c;
	u32 id = cur_u32(file), size = cur_u32(file);
	u64 time = cur_u64(file);
	struct span body;

	if (file->bad || size < JITDUMP_RECORD_SIZE)
		return false;
	body = cur_bytes(file, size - JITDUMP_RECORD_SIZE);
	if (file->bad || r->d->nr >= UINT32_MAX - 1)
		return false;
	c = cursor_of(body, r->d->swap);
	switch (id) {
	case CODE_LOAD: read_load(r, &c, time); break;
	case CODE_MOVE: read_move(r, &c, time); break;
	case DEBUG_INFO: read_lines(r, &c); break;
	case CLOSE: *closed = true; break;
	case UNWINDING_INFO: read_unwinding(r, &c); break;
	}
	return !c.bad;
}

int jitdump_read_header(struct jitdump *d, struct cursor *c, struct perr *e)
{
	u32 magic = cur_u32(c), version, size;

	if (c->bad || (magic != MAGIC && magic != bswap_32(MAGIC)))
		return perr_at(e, PERR_FORMAT, 0, "it is not a jitdump file");
	d->swap = c->swap = magic != MAGIC;
	version = cur_u32(c);
	size = cur_u32(c);
	d->machine = cur_u32(c);
	cur_skip(c, 4);
	d->pid = cur_u32(c);
	d->time = cur_u64(c);
	d->arch_times = cur_u64(c) & ARCH_TIMES;
	if (c->bad || size < JITDUMP_HEADER_SIZE || size > d->file.n)
		return perr_at(e, PERR_FORMAT, 8,
			       "its jitdump header has the wrong size of %u bytes", size);
	if (version != VERSION)
		return perr_at(e, PERR_UNSUPPORTED, 4, "its jitdump version %u is not supported",
			       version);
	cur_skip(c, size - JITDUMP_HEADER_SIZE);
	return 0;
}

int jitdump_parse(struct span file, struct jitdump *ret, struct perr *e)
{
	struct cursor c = cursor_of(file, false);
	struct jitdump_reader r = { .d = ret, .least_distance = UINT64_MAX };
	bool closed = false;
	int err;

	*ret = (struct jitdump){ .file = file };
	err = jitdump_read_header(ret, &c, e);
	if (err)
		return err;
	while (!closed && cur_left(&c)) {
		size_t at = (size_t)(c.p - file.p);

		if (!jitdump_read_record(&r, &c, &closed)) {
			ret->damaged_at = at;
			break;
		}
	}
	if (r.least_distance == V8_LINES_BIAS)
		ret->lines_bias = V8_LINES_BIAS;
	idmap_fini(&r.by_index);
	return 0;
}

static int map_file(const char *path, const struct file_rules *rules, struct jitdump *d,
		    struct span *ret, struct perr *e)
{
	struct stat st;
	int fd, err = 0;
	enum file_fault fault = regular_file_open(path, rules, &fd);

	if (fault != FILE_FINE)
		return file_fault_set(fault, path, e);
	if (fstat(fd, &st)) {
		err = perr_io(e, "%s", path);
		goto out;
	}
	if (st.st_size < JITDUMP_HEADER_SIZE) {
		err = perr_set(e, PERR_FORMAT, "%s: it is not a jitdump file", path);
		goto out;
	}
	d->mapping = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (d->mapping == MAP_FAILED) {
		d->mapping = NULL;
		err = perr_io(e, "%s", path);
		goto out;
	}
	*ret = span_of(d->mapping, (size_t)st.st_size);
out:
	close(fd);
	return err;
}

int jitdump_open(const char *path, const struct file_rules *rules, struct jitdump **ret,
		 struct perr *e)
{
	struct jitdump *d = xcalloc(1, sizeof(*d));
	struct span file;
	void *mapping;
	struct perr why;
	int err;

	err = map_file(path, rules, d, &file, e);
	if (err)
		goto out;
	mapping = d->mapping;
	err = jitdump_parse(file, d, &why);
	d->mapping = mapping;
	d->file = file;
	if (err) {
		err = perr_set(e, err, "%s: %s", path, why.text);
		goto out;
	}
	d->path = xstrdup(path);
	*ret = d;
	return 0;
out:
	jitdump_close(d);
	return err;
}

void jitdump_fini(struct jitdump *d)
{
	free(d->funcs);
	free(d->path);
	if (d->mapping)
		munmap(d->mapping, d->file.n);
	*d = (struct jitdump){ 0 };
}

void jitdump_close(struct jitdump *d)
{
	if (!d)
		return;
	jitdump_fini(d);
	free(d);
}

bool jitdump_is_64(const struct jitdump *d)
{
	switch (d->machine) {
	case EM_386:
	case EM_ARM:
	case EM_PPC:
	case EM_S390:
	case EM_MIPS: return false;
	default: return true;
	}
}

bool jitdump_find_line(const struct jitdump *d, const struct jitdump_func *f, u64 ip,
		       const char **ret_file, u32 *ret_line)
{
	struct cursor c = cursor_of(f->lines, d->swap);
	u64 vma = ip - f->start + f->home + d->lines_bias, best = 0;
	const char *last = NULL;
	bool found = false;

	for (size_t i = 0; i < f->nr_lines; i++) {
		u64 addr = cur_u64(&c);
		u32 line = cur_u32(&c);
		const char *name;

		cur_skip(&c, 4);
		name = take_text(&c);
		if (!name)
			break;
		if (strcmp(name, "\xff") != 0)
			last = name;
		/* of entries with equal addresses the last one counts */
		if (last && addr <= vma && addr >= best) {
			best = addr;
			*ret_file = last;
			*ret_line = line;
			found = true;
		}
	}
	return found;
}
