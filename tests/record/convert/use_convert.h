/* SPDX-License-Identifier: MIT */
/*
 * Converts a recording in memory as prec --input does, reads the new one, and compares: the same
 * samples in the same order, with the same call chains and ends of stacks. Whatever is wrong with
 * the recording, what is read of both must be the same.
 */
#ifndef TESTS_RECORD_CONVERT_USE_CONVERT_H
#define TESTS_RECORD_CONVERT_USE_CONVERT_H

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "machine/chain_ips.h"
#include "record/convert/convert.h"
#include "record/live/chained_record.h"
#include "session/replay.h"

struct use_convert {
	const char *symfs; /* NULL: none */
	int compress;
	u64 nr_samples, nr_unwound, nr_converted; /* sums over calls */
};

/* What is compared of a recording. */
struct convert_sum {
	u64 nr_samples, nr_unwound, hash;
};

static inline u64 convert_sum_sample(const struct replay_event *ev, const struct chain_ips *c)
{
	u64 h = hash_pair(ev->sample.time, (u64)ev->sample.pid << 32 | ev->sample.tid);

	h = hash_pair(h, hash_pair(ev->ev->idx, ev->sample.period));
	h = hash_pair(h, hash_bytes(c->ips, c->nr * sizeof(*c->ips)));
	h = hash_pair(h, hash_bytes(c->modes, c->nr));
	h = hash_pair(h, hash_bytes(ev->sample.raw.p, ev->sample.raw.n));
	h = hash_pair(h, hash_bytes(ev->sample.branches.p, ev->sample.branches.n));
	h = hash_pair(h, hash_pair(ev->sample.weight, ev->sample.data_src));
	return hash_pair(h, c->end);
}

static inline struct convert_sum convert_sum_of(const struct use_convert *u, struct perfdata *pd)
{
	const struct session_config cfg = { .symbols = { .symfs = u->symfs, .hermetic = true } };
	struct session *s = session_new(pd, &cfg, NULL);
	struct replay *r = replay_new(s, false);
	struct chain_ips c = { .user = machine_stacks_new(s->machine, 1024) };
	struct convert_sum sum = { 0 };
	struct replay_event ev;

	while (replay_next(r, &ev, NULL) == 1) {
		if (!ev.is_sample)
			continue;
		c.user_maps = machine_task(s->machine,
					   machine_thread(s->machine, ev.sample.pid, ev.sample.tid))
				      .user_maps;
		chain_list(&c, ev.ev, &ev.sample, UINT32_MAX);
		sum.nr_samples++;
		sum.nr_unwound += c.unwound && chained_attr_wanted(&ev.ev->attr);
		sum.hash = hash_pair(sum.hash, convert_sum_sample(&ev, &c));
	}
	machine_stacks_free(c.user);
	chain_ips_fini(&c);
	replay_free(r);
	session_free(s);
	return sum;
}

/* The bytes of a file, mapped. */
static inline struct span convert_map(int fd)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) || !st.st_size)
		return span_of(NULL, 0);
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	return p == MAP_FAILED ? span_of(NULL, 0) : span_of(p, (size_t)st.st_size);
}

/* Returns NULL, or what is wrong: a literal. */
static inline const char *use_convert_compare(struct use_convert *u, struct span old, int fd)
{
	struct span converted = convert_map(fd);
	struct perfdata *a, *b;
	struct convert_sum of_a, of_b;
	const char *fault = NULL;

	if (!converted.p)
		return "nothing was written";
	if (pd_open_mem(converted, "converted", NULL, &b, NULL)) {
		munmap((void *)converted.p, converted.n);
		return "what was written cannot be opened";
	}
	if (!pd_open_mem(old, "old", NULL, &a, NULL)) {
		of_a = convert_sum_of(u, a);
		of_b = convert_sum_of(u, b);
		pd_close(a);
		u->nr_samples += of_a.nr_samples;
		u->nr_unwound += of_a.nr_unwound;
		u->nr_converted++;
		if (of_a.nr_samples != of_b.nr_samples)
			fault = "another number of samples";
		else if (of_a.hash != of_b.hash)
			fault = "other samples";
		else if (of_b.nr_unwound)
			fault = "stack copies are left";
	}
	pd_close(b);
	munmap((void *)converted.p, converted.n);
	return fault;
}

/* Returns NULL, also for a recording that is not converted, or what is wrong. */
static inline const char *use_convert(struct use_convert *u, struct span old)
{
	struct convert_config cfg = { .output = "converted",
				      .compress = u->compress,
				      .no_join = true,
				      .symbols = { .symfs = u->symfs, .hermetic = true } };
	const char *fault = NULL;
	struct perfdata *pd;
	struct perr e;
	int err;

	if (pd_open_mem(old, "old", NULL, &pd, &e))
		return NULL;
	cfg.output_fd = memfd_create("converted", MFD_CLOEXEC);
	err = convert_perfdata(&cfg, pd, &e);
	pd_close(pd);
	if (err != PERR_UNSUPPORTED && cfg.output_fd >= 0)
		fault = use_convert_compare(u, old, cfg.output_fd);
	close(cfg.output_fd);
	return fault;
}

#endif
