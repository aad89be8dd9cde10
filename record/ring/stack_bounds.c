/* SPDX-License-Identifier: MIT */
#include "record/ring/stack_bounds.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"

/* Threads in the cache; a new one replaces another in the same slot. */
#define NR_SLOTS 1024u
/* A query takes a few microseconds, a maps file of thousands of lines a millisecond. */
#define QUERIES_PER_ROUND 256u
#define READS_PER_ROUND 4u
#define MAX_MAPS_LINES 100000u

/* PROCMAP_QUERY of Linux 6.11 (include/uapi/linux/fs.h), which older headers lack. */
struct procmap_ask {
	u64 size, query_flags, query_addr;
	u64 vma_start, vma_end, vma_flags, vma_page_size, vma_offset, inode;
	u32 dev_major, dev_minor, vma_name_size, build_id_size;
	u64 vma_name_addr, build_id_addr;
};
_Static_assert(sizeof(struct procmap_ask) == 104, "layout of struct procmap_query");
#define PROCMAP_ASK _IOWR('f', 17, struct procmap_ask)

struct slot {
	u32 tid, pid; /* 0: empty slot */
	u32 state;    /* state_of process and thread when it was looked up */
	u64 start, end;
};

struct stack_bounds {
	const char *procfs;
	u32 queries_left, reads_left;
	bool no_query; /* the kernel does not have PROCMAP_QUERY */
	struct stack_changes *changes, own_changes;
	struct slot slots[NR_SLOTS];
};

struct stack_bounds *stack_bounds_new(const char *procfs)
{
	struct stack_bounds *b = xcalloc(1, sizeof(*b));

	b->procfs = procfs;
	b->changes = &b->own_changes;
	stack_bounds_new_round(b);
	return b;
}

void stack_bounds_free(struct stack_bounds *b)
{
	free(b);
}

void stack_bounds_share(struct stack_bounds *b, struct stack_changes *changes)
{
	b->changes = changes;
}

void stack_bounds_new_round(struct stack_bounds *b)
{
	b->queries_left = QUERIES_PER_ROUND;
	b->reads_left = READS_PER_ROUND;
}

static struct slot *slot_of(struct stack_bounds *b, u32 tid)
{
	return &b->slots[hash_u64(tid) % NR_SLOTS];
}

static u32 *changes_of(const struct stack_bounds *b, u32 id)
{
	return &b->changes->of[hash_u64(id) % STACK_CHANGES];
}

/* Returns a number that differs from those before a change of the process or the thread. */
static u32 state_of(const struct stack_bounds *b, u32 pid, u32 tid)
{
	u32 n = __atomic_load_n(changes_of(b, pid), __ATOMIC_RELAXED);

	return tid == pid ? n : n + __atomic_load_n(changes_of(b, tid), __ATOMIC_RELAXED);
}

void stack_bounds_forget_thread(struct stack_bounds *b, u32 tid)
{
	__atomic_add_fetch(changes_of(b, tid), 1, __ATOMIC_RELAXED);
}

void stack_bounds_forget_process(struct stack_bounds *b, u32 pid)
{
	__atomic_add_fetch(changes_of(b, pid), 1, __ATOMIC_RELAXED);
}

static bool read_maps(int fd, u64 sp, struct slot *s)
{
	FILE *f = fdopen(dup(fd), "r");
	u32 left = MAX_MAPS_LINES;
	char line[512];
	bool found = false, at_start = true;

	if (!f)
		return false;
	while (left-- && fgets(line, sizeof(line), f)) {
		bool is_rest = !at_start; /* the rest of a line with a long file name */
		u64 start, end;

		at_start = strchr(line, '\n') != NULL;
		if (is_rest || sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &start, &end) != 2)
			continue;
		if (sp >= start && sp < end) {
			s->start = start;
			s->end = end;
			found = true;
			break;
		}
		if (start > sp)
			break;
	}
	fclose(f);
	return found;
}

static bool find_mapping(struct stack_bounds *b, u32 pid, u64 sp, struct slot *s)
{
	struct procmap_ask q = { .size = sizeof(q), .query_addr = sp };
	char path[128];
	bool found = false;
	int fd;

	snprintf(path, sizeof(path), "%s/%u/maps", b->procfs, pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (!b->no_query && !ioctl(fd, PROCMAP_ASK, &q)) {
		s->start = q.vma_start;
		s->end = q.vma_end;
		found = true;
	} else if (b->reads_left) {
		b->reads_left--;
		found = read_maps(fd, sp, s);
		/* the file has a mapping that the query did not find: the kernel has no query */
		b->no_query |= found;
	}
	close(fd);
	return found;
}

u64 stack_bounds_end(struct stack_bounds *b, u32 pid, u32 tid, u64 sp)
{
	struct slot *s = slot_of(b, tid);
	u32 state = state_of(b, pid, tid);

	if (s->tid == tid && s->pid == pid && s->state == state && sp >= s->start && sp < s->end)
		return s->end;
	if (!b->queries_left || (b->no_query && !b->reads_left))
		return UINT64_MAX;
	b->queries_left--;
	*s = (struct slot){ .tid = tid, .pid = pid, .state = state };
	if (!find_mapping(b, pid, sp, s) || sp < s->start || sp >= s->end) {
		/* do not look up this thread again until its mappings change */
		s->start = 0;
		s->end = UINT64_MAX;
	}
	return s->end;
}
