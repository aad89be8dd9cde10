/* SPDX-License-Identifier: MIT */
/*
 * Makes recordings of any width, for tests/checks/wide.sh.
 *
 * wide_recording DIR NAME=VALUE... takes the members of struct wide_params. It writes into DIR
 *
 * - perf.data, kallsyms, and symfs/wide/o0, the object with names;
 * - table.children and table.own, as of wide_count_table();
 * - folded.EVENT, as of wide_count_folded(), and samples, as of wide_count_samples(); not with
 *   --tables as the last argument.
 *
 * wide_recording --random SEED MAX prints parameters by chance, MAX samples at most.
 */
#include <elf.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/build_file.h"
#include "tests/tools/wide/wide_count.h"

#define KERNEL_TEXT (WIDE_KERNEL - WIDE_FUNCTION_SIZE) /* _text, in front of the functions */

static const char *const event_names[] = { "e0", "e1", "e2", "e3", "e4", "e5", "e6", "e7" };

static FILE *open_in(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	if (!f)
		perror(path);
	free(path);
	return f;
}

static bool close_all(FILE *f)
{
	return f && !(ferror(f) | fclose(f));
}

/* --- the recording ---------------------------------------------------------------------------- */

static struct pd_attr attr_of(const struct wide_params *p, u32 event)
{
	struct pd_attr a = attr_plain();

	a.config = event;
	a.sample_type |= PD_SAMPLE_CPU;
	if (p->mem)
		a.sample_type |= PD_SAMPLE_ADDR | PD_SAMPLE_WEIGHT | PD_SAMPLE_DATA_SRC |
				 PD_SAMPLE_PHYS_ADDR;
	if (p->branches) {
		a.sample_type |= PD_SAMPLE_BRANCH_STACK;
		a.branch_sample_type = 1 << 3; /* any */
	}
	return a;
}

static void put_kernel_map(struct bytes *b, const struct wide_params *p, const struct pd_attr *a)
{
	static const struct sample_parts from_kernel = { .pid = UINT32_MAX };

	record_begin(b, PD_RECORD_MMAP, PD_CPUMODE_KERNEL);
	put_u32(b, UINT32_MAX);
	put_u32(b, 0);
	put_u64(b, KERNEL_TEXT);
	put_u64(b, (p->functions + 2) * WIDE_FUNCTION_SIZE);
	put_u64(b, KERNEL_TEXT);
	put_text(b, "[kernel.kallsyms]_text", 8);
	put_trailer(b, a, &from_kernel);
	record_end(b);
}

static void put_threads(struct bytes *b, const struct wide_params *p, const struct pd_attr *a)
{
	for (u32 t = 0; t < p->threads; t++) {
		const struct sample_parts from = { .pid = wide_pid(t), .tid = wide_tid(t) };
		char *comm = xasprintf("c%llu", (unsigned long long)(t % p->comms));

		put_comm(b, from.pid, from.tid, comm, a, &from);
		free(comm);
		if (from.pid != from.tid)
			continue;
		for (u32 k = 0; k < p->objects; k++) {
			char *name = xasprintf("/wide/o%u", k);

			put_mmap2(b, from.pid, wide_object_start(k), wide_object_len(p),
				  WIDE_OBJECT_PGOFF, name, a, &from);
			free(name);
		}
	}
}

/* The recorded chain, the kernel's part and the user's each behind its mark. */
static size_t chain_of(const struct wide_world *w, const struct wide_stack *st, u64 *ips)
{
	size_t n = 0;

	for (u32 i = 0; i < st->nr; i++) {
		if (!i && st->nr_kernel)
			ips[n++] = PD_CONTEXT_KERNEL;
		if (i == st->nr_kernel)
			ips[n++] = PD_CONTEXT_USER;
		ips[n++] = wide_ip(&w->p, st->places[i]);
	}
	return n;
}

static size_t random_branches(const struct wide_world *w, const struct wide_stack *st, u64 *random,
			      u64 *words)
{
	size_t nr = wide_random(random) % (w->p.branches + 1);

	for (size_t i = 0; i < nr; i++) {
		words[3 * i] = wide_ip(&w->p, st->places[wide_random(random) % st->nr]);
		words[3 * i + 1] = wide_ip(&w->p, st->places[wide_random(random) % st->nr]);
		/* mispredicted, predicted, in a transaction, aborted, 16 bits of cycles */
		words[3 * i + 2] = wide_random(random) & 0xfffff;
	}
	return nr;
}

static void put_one(struct bytes *b, const struct wide_world *w, const struct pd_attr *a,
		    const struct wide_sample *s, u64 id)
{
	const struct wide_stack *st = &w->stacks[s->stack];
	u64 ips[130], branches[3 * 32], random = s->random;
	struct sample_parts parts = {
		.misc = st->nr_kernel ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER,
		.ip = wide_ip(&w->p, st->places[0]),
		.pid = wide_pid(s->thread),
		.tid = wide_tid(s->thread),
		.time = s->time,
		.id = id,
		.cpu = s->cpu,
		.period = s->period,
		.ips = ips,
		.nr_ips = chain_of(w, st, ips),
		.branches = branches,
	};

	if (w->p.mem) {
		parts.addr = 0x600000000000 + wide_random(&random) % 100000 * 8;
		parts.phys_addr = wide_random(&random) % 100000 * 64;
		parts.weight = wide_random(&random) % 500;
		parts.data_src = wide_random(&random);
	}
	if (w->p.branches)
		parts.nr_branches = random_branches(w, st, &random, branches);
	put_sample(b, a, &parts);
}

static void put_group_desc(struct file_builder *f, const struct wide_params *p)
{
	struct bytes *d = file_feature(f, 17);

	put_u32(d, 1);
	put_string(d, "{anon_group}");
	put_u32(d, 0);
	put_u32(d, (u32)p->events);
}

static bool write_recording(const struct wide_world *w, FILE *to)
{
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	u64 ids[8];

	if (!to)
		return false;
	file_begin(&f, BUILD_REGULAR);
	for (u32 e = 0; e < w->p.events; e++) {
		struct pd_attr a = attr_of(&w->p, e);

		ids[e] = 100 + e;
		file_add_event(&f, &a, &ids[e], 1);
	}
	file_begin_data(&f);
	put_kernel_map(&b, &w->p, &f.attrs[0]);
	put_threads(&b, &w->p, &f.attrs[0]);
	for (u64 i = 0; i < w->p.samples; i++) {
		const struct wide_sample *s = &w->samples[i];

		put_one(&b, w, &f.attrs[s->event], s, ids[s->event]);
	}
	file_event_desc(&f, event_names);
	if (w->p.group && w->p.events > 1)
		put_group_desc(&f, &w->p);
	file_end(&f);
	fwrite(b.p, 1, b.n, to);
	bytes_free(&b);
	return close_all(to);
}

static bool write_kallsyms(const struct wide_params *p, FILE *to)
{
	if (!to)
		return false;
	fprintf(to, "%016llx T _text\n", (unsigned long long)KERNEL_TEXT);
	for (u64 i = 0; i <= p->functions / (p->objects + 2); i++)
		fprintf(to, "%016llx T f%llu\n",
			(unsigned long long)(WIDE_KERNEL + i * WIDE_FUNCTION_SIZE),
			(unsigned long long)i);
	fprintf(to, "%016llx T _etext\n",
		(unsigned long long)(WIDE_KERNEL + (p->functions + 2) * WIDE_FUNCTION_SIZE));
	return close_all(to);
}

/* Functions of one-byte instructions. */
static bool write_object(const struct wide_params *p, FILE *to)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	u64 len = wide_object_len(p);
	u8 *code = xmalloc(len), *elf;
	size_t n;
	u16 text;

	memset(code, 0x90, len);
	mkelf_load(b, WIDE_OBJECT_PGOFF, WIDE_OBJECT_PGOFF, len);
	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .addr = WIDE_OBJECT_PGOFF,
						      .off = WIDE_OBJECT_PGOFF,
						      .bytes = code,
						      .size = len });
	for (u64 i = 0; i < len / WIDE_FUNCTION_SIZE; i++) {
		char *name = xasprintf("g%llu", (unsigned long long)i);

		mkelf_symbol(b, name, WIDE_OBJECT_PGOFF + i * WIDE_FUNCTION_SIZE,
			     WIDE_FUNCTION_SIZE, STT_FUNC, STB_GLOBAL, text);
		free(name);
	}
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	elf = mkelf_end(b, &n);
	if (to)
		fwrite(elf, 1, n, to);
	free(elf);
	free(code);
	return close_all(to);
}

static void make_folder(const char *dir, const char *name)
{
	char *path = xasprintf("%s/%s", dir, name);

	(void)mkdir(path, 0777);
	free(path);
}

/* --- what the commands must print ------------------------------------------------------------- */

static bool write_tables(const struct wide_world *w, const char *dir)
{
	for (int callers = 0; callers < 2; callers++) {
		FILE *to = open_in(dir, callers ? "table.children" : "table.own");

		if (to)
			wide_count_table(w, callers, to);
		if (!close_all(to))
			return false;
	}
	return true;
}

static bool write_stacks(const struct wide_world *w, const char *dir)
{
	FILE *to = open_in(dir, "samples");

	if (to)
		wide_count_samples(w, to);
	if (!close_all(to))
		return false;
	for (u32 e = 0; e < w->p.events; e++) {
		char *name = xasprintf("folded.%s", event_names[e]);

		to = open_in(dir, name);
		free(name);
		if (to)
			wide_count_folded(w, e, to);
		if (!close_all(to))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct wide_params p = { 0 };
	struct wide_world w;
	bool done, tables_only = !strcmp(argv[argc - 1], "--tables");

	if (argc == 4 && !strcmp(argv[1], "--random")) {
		p = wide_params_random(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
		wide_params_print(&p);
		return 0;
	}
	if (argc < 3) {
		fprintf(stderr, "usage: wide_recording DIR NAME=VALUE... | --random SEED MAX\n");
		return 2;
	}
	for (int i = 2; i < argc - tables_only; i++)
		if (!wide_params_set(&p, argv[i])) {
			fprintf(stderr, "wide_recording: cannot take %s\n", argv[i]);
			return 2;
		}
	wide_world_init(&w, &p);
	make_folder(argv[1], "symfs");
	make_folder(argv[1], "symfs/wide");
	done = write_recording(&w, open_in(argv[1], "perf.data")) &&
	       write_kallsyms(&w.p, open_in(argv[1], "kallsyms")) &&
	       write_object(&w.p, open_in(argv[1], "symfs/wide/o0")) && write_tables(&w, argv[1]) &&
	       (tables_only || write_stacks(&w, argv[1]));
	wide_world_fini(&w);
	return !done;
}
