/* SPDX-License-Identifier: MIT */
#include "events/calls/call_memory.h"

#include <sys/uio.h>

#include "events/sample_reg.h"
#include "symbols/elf/object.h"

#define PAGE 4096u
#define MAX_PIECES 16 /* of one read: a new one begins where another source does */
#define REG_SP_X86 7
#define REG_SP_ARM64 31
#define PF_WRITE 2u

void call_memory_of_sample(struct call_memory *m, const struct pd_sample *s, const char *machine)
{
	unsigned int sp = machine && !strcmp(machine, "aarch64") ? REG_SP_ARM64 : REG_SP_X86;

	m->stack = span_of(NULL, 0);
	if (s->user_stack.n && sample_reg(&s->user_regs, s->swap, sp, &m->sp))
		m->stack = s->user_stack;
}

static size_t copy(void *to, struct span from, u64 at, size_t n)
{
	if (at >= from.n)
		return 0;
	if (n > from.n - at)
		n = (size_t)(from.n - at);
	memcpy(to, from.p + at, n);
	return n;
}

/* --- files
 * ------------------------------------------------------------------------------------------ */

/* The file that is mapped, if it is the recorded one: by its build-id alone. */
static const struct object *file_of(const struct map *map)
{
	const struct object *code, *debug;

	if (map->identity || map->kernel || map->timed ||
	    dso_get_desc(map->dso)->kind != DSO_USER || !dso_get_desc(map->dso)->build_id_size)
		return NULL;
	dso_find_files(map->dso, &code, &debug);
	return code;
}

/* Whether bytes at an offset of a file are in a segment that a process cannot write. */
static bool is_read_only(const struct object *file, u64 off)
{
	bool any = false;

	for (size_t i = 0; i < file->nr_loads; i++) {
		const struct obj_load *l = &file->loads[i];

		if (off < l->off || off - l->off >= l->filesz)
			continue;
		if (l->flags & PF_WRITE)
			return false;
		any = true;
	}
	return any;
}

static size_t read_file_at(const struct object *file, u64 off, void *to, size_t n)
{
	return is_read_only(file, off) ? copy(to, file->file, off, n) : 0;
}

/* Bytes of a map of a file. */
static size_t read_map(const struct map *map, u64 addr, void *to, size_t n)
{
	const struct object *file = map->prot & PROT_WRITE ? NULL : file_of(map);

	if (n > map->end - addr)
		n = (size_t)(map->end - addr);
	return file ? read_file_at(file, addr - map->start + map->pgoff, to, n) : 0;
}

/*
 * Bytes near a map of code: recordings often have no other maps. The loader keeps the segments of a
 * file at the distances that the file says.
 */
static size_t read_near_code(const struct map *code, u64 addr, void *to, size_t n)
{
	const struct object *file = file_of(code);

	for (size_t i = 0; file && i < file->nr_loads; i++) {
		const struct obj_load *of_code = &file->loads[i];
		u64 vaddr;

		if (code->pgoff < (of_code->off & ~(u64)(PAGE - 1)) ||
		    code->pgoff - (of_code->off & ~(u64)(PAGE - 1)) >= of_code->filesz ||
		    !(of_code->flags & 1))
			continue;
		vaddr = addr - (code->start - code->pgoff) - of_code->off + of_code->vaddr;
		for (size_t j = 0; j < file->nr_loads; j++) {
			const struct obj_load *l = &file->loads[j];

			if (vaddr < l->vaddr || vaddr - l->vaddr >= l->filesz)
				continue;
			if (n > l->filesz - (vaddr - l->vaddr))
				n = (size_t)(l->filesz - (vaddr - l->vaddr));
			return read_file_at(file, obj_load_off(l, vaddr), to, n);
		}
	}
	return 0;
}

static size_t read_files(const struct mapset *maps, u64 addr, void *to, size_t n)
{
	const struct map *map = mapset_find(maps, addr), *next, *before = NULL;
	size_t lo = 0, hi = maps->nr, got;

	if (map)
		return read_map(map, addr, to, n);
	next = mapset_find_next(maps, addr);
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (maps->maps[mid]->start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo)
		before = maps->maps[lo - 1];
	got = before ? read_near_code(before, addr, to, n) : 0;
	return got || !next ? got : read_near_code(next, addr, to, n);
}

/* --- all sources
 * ------------------------------------------------------------------------------------ */

/* The memory of a thread now, up to the end of a page. */
static size_t read_now(u32 tid, u64 addr, void *to, size_t n)
{
	size_t page = PAGE - addr % PAGE;
	struct iovec local = { to, n < page ? n : page };
	struct iovec remote = { (void *)(uintptr_t)addr, local.iov_len };
	ssize_t got = process_vm_readv((pid_t)tid, &local, 1, &remote, 1, 0);

	return got > 0 ? (size_t)got : 0;
}

static size_t read_piece(struct call_memory *m, u64 addr, void *to, size_t n)
{
	size_t got = 0;

	if (addr >= m->sp)
		got = copy(to, m->stack, addr - m->sp, n);
	if (!got && m->maps)
		got = read_files(m->maps, addr, to, n);
	if (got || !m->tid)
		return got;
	got = read_now(m->tid, addr, to, n);
	m->is_late |= got > 0;
	return got;
}

size_t call_memory_read(struct call_memory *m, u64 addr, void *to, size_t n)
{
	size_t done = 0;

	for (int i = 0; i < MAX_PIECES && done < n; i++) {
		size_t got;

		if (addr + done < addr)
			break;
		got = read_piece(m, addr + done, (u8 *)to + done, n - done);
		if (!got)
			break;
		done += got;
	}
	return done;
}

bool call_memory_read_text(struct call_memory *m, u64 addr, char *to, size_t size, size_t *ret_n)
{
	size_t done = 0;

	/* a page at a time: a text is seldom longer than a name */
	while (done < size && addr + done >= addr) {
		size_t page = PAGE - (addr + done) % PAGE, n = size - done, got;
		const char *end;

		if (n > page)
			n = page;
		got = read_piece(m, addr + done, to + done, n);
		end = memchr(to + done, '\0', got);
		if (end) {
			*ret_n = (size_t)(end - to);
			return true;
		}
		if (!got)
			break;
		done += got;
	}
	*ret_n = done;
	return false;
}
