/* SPDX-License-Identifier: MIT */
/*
 * What a recording holds, as lines of "name number", for the scripts that measure recorders.
 *
 *	count_records [--to-end] FILE
 *
 *	file_bytes, data_bytes	size of the file and of its data section
 *	records			all of them, expanded ones included
 *	samples			SAMPLE records; sample_bytes in all (as the kernel wrote them)
 *	stack_bytes		valid bytes of the copied stacks; stack_copied with what is not
 *valid stack_deep		samples with 63 KiB of stack or more: the kernel copies no more than
 *some 65,280 bytes, so their outermost frames are missing most likely
 *	lost			records that the kernel could not place (LOST)
 *	lost_samples		samples that it could not place (LOST_SAMPLES)
 *	forks, exits, comms	of the kernel, after the start; execs are comms by exec
 *	tasks			threads known by a FORK or a COMM, synthesized ones included
 *	tasks_sampled		threads with a sample
 *	mmaps, rounds, compressed
 *
 * With --to-end the data section is taken to reach to the end of the file, as in a recording whose
 * recorder was killed: what lies there was flushed, whatever the header says.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/sample.h"

#define HEADER_DATA_SIZE 48 /* offset of data.size in the header */
#define HEADER_FEATURES 72
#define STACK_DEEP (63 * 1024)
#define MAX_TID (1u << 22) /* the kernel's PID_MAX_LIMIT */

struct counts {
	u64 records, samples, sample_bytes, stack_bytes, stack_copied, stack_deep;
	u64 lost, lost_samples;
	u64 forks, exits, comms, execs, tasks, tasks_sampled, mmaps, rounds, compressed;
	u8 *known, *sampled; /* one flag for each thread id */
};

static void mark(u8 *flags, u32 tid, u64 *count)
{
	if (tid >= MAX_TID || flags[tid])
		return;
	flags[tid] = 1;
	++*count;
}

static int count_sample(struct counts *c, const struct perfdata *pd, const struct pd_record *r,
			struct perr *e)
{
	const struct pd_event *ev = pd_event_of_record(pd, r);
	struct pd_sample s;
	int rc;

	c->samples++;
	c->sample_bytes += r->size;
	if (!ev)
		return 0;
	rc = pd_read_sample(ev, r, pd->swap, &s, e);
	if (rc)
		return rc;
	c->stack_bytes += s.user_stack.n;
	c->stack_copied += s.user_stack_size;
	c->stack_deep += s.user_stack.n >= STACK_DEEP;
	mark(c->sampled, s.tid, &c->tasks_sampled);
	return 0;
}

static int count_task(struct counts *c, const struct perfdata *pd, const struct pd_record *r,
		      struct perr *e)
{
	struct pd_task t;
	int rc = pd_read_task(r, pd->swap, &t, e);

	if (rc)
		return rc;
	mark(c->known, t.tid, &c->tasks);
	/* Tasks that were there before have no time. */
	if (pd_record_time(pd, r) + 1 <= 1)
		return 0;
	if (r->type == PD_RECORD_FORK)
		c->forks++;
	else
		c->exits++;
	return 0;
}

static int count_comm(struct counts *c, const struct perfdata *pd, const struct pd_record *r,
		      struct perr *e)
{
	struct pd_comm comm;
	int rc = pd_read_comm(r, pd->swap, &comm, e);

	if (rc)
		return rc;
	mark(c->known, comm.tid, &c->tasks);
	c->comms++;
	if (r->misc & PD_MISC_COMM_EXEC)
		c->execs++;
	return 0;
}

static int count_record(struct counts *c, const struct perfdata *pd, const struct pd_record *r,
			struct perr *e)
{
	c->records++;
	switch (r->type) {
	case PD_RECORD_SAMPLE: return count_sample(c, pd, r, e);
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: return count_task(c, pd, r, e);
	case PD_RECORD_COMM: return count_comm(c, pd, r, e);
	case PD_RECORD_LOST: /* u64 id, u64 lost */
		if (r->size >= 24)
			c->lost += get_u64(r->data + 16, pd->swap);
		return 0;
	case PD_RECORD_LOST_SAMPLES:
		if (r->size >= 16)
			c->lost_samples += get_u64(r->data + 8, pd->swap);
		return 0;
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2: c->mmaps++; return 0;
	case PD_RECORD_FINISHED_ROUND: c->rounds++; return 0;
	case PD_RECORD_COMPRESSED:
	case PD_RECORD_COMPRESSED2: c->compressed++; return 0;
	default: return 0;
	}
}

/* The file's bytes, private and writable; never unmapped. */
static u8 *map_file(const char *path, size_t *ret_size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size == 0)
		return NULL;
	*ret_size = (size_t)st.st_size;
	p = mmap(NULL, *ret_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	close(fd);
	return p == MAP_FAILED ? NULL : p;
}

static void print_counts(const struct counts *c, const struct perfdata *pd, size_t file_bytes)
{
	const struct {
		const char *name;
		u64 value;
	} row[] = {
		{ "file_bytes", file_bytes },
		{ "data_bytes", pd->data_size },
		{ "records", c->records },
		{ "samples", c->samples },
		{ "sample_bytes", c->sample_bytes },
		{ "stack_bytes", c->stack_bytes },
		{ "stack_copied", c->stack_copied },
		{ "stack_deep", c->stack_deep },
		{ "lost", c->lost },
		{ "lost_samples", c->lost_samples },
		{ "forks", c->forks },
		{ "exits", c->exits },
		{ "comms", c->comms },
		{ "execs", c->execs },
		{ "tasks", c->tasks },
		{ "tasks_sampled", c->tasks_sampled },
		{ "mmaps", c->mmaps },
		{ "rounds", c->rounds },
		{ "compressed", c->compressed },
	};

	for (size_t i = 0; i < sizeof(row) / sizeof(row[0]); i++)
		printf("%s %llu\n", row[i].name, (unsigned long long)row[i].value);
}

int main(int argc, char **argv)
{
	bool to_end = argc == 3 && !strcmp(argv[1], "--to-end");
	const char *path = argv[argc - 1];
	struct counts c = { 0 };
	struct perr e = { 0 };
	struct perfdata *pd;
	struct pd_record r;
	size_t size = 0;
	u8 *bytes;
	int rc;

	if (argc != 2 && !to_end) {
		fputs("usage: count_records [--to-end] FILE\n", stderr);
		return 129;
	}
	bytes = map_file(path, &size);
	if (!bytes) {
		fprintf(stderr, "count_records: %s: %s\n", path, strerror(errno));
		return 1;
	}
	if (to_end && size >= 104) {
		memset(bytes + HEADER_DATA_SIZE, 0, 8);
		/* The feature table would lie behind the data. */
		memset(bytes + HEADER_FEATURES, 0, 32);
	}
	c.known = xcalloc(MAX_TID, 1);
	c.sampled = xcalloc(MAX_TID, 1);
	rc = pd_open_mem((struct span){ bytes, size }, path, NULL, &pd, &e);
	if (!rc) {
		while ((rc = pd_next(pd, &r, &e)) > 0) {
			rc = count_record(&c, pd, &r, &e);
			if (rc)
				break;
		}
		print_counts(&c, pd, size);
		pd_close(pd);
	}
	if (rc)
		fprintf(stderr, "count_records: %s: %s (offset %lld)\n", path, e.text,
			(long long)e.off);
	free(c.known);
	free(c.sampled);
	return rc ? 1 : 0;
}
