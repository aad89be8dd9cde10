/* SPDX-License-Identifier: MIT */
#include "tests/record/probe/use_uprobe_event.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/frame/build_elf.h"

void bench_put_file(const char *root, const char *rest, const void *bytes, size_t n)
{
	char *path = xasprintf("%s/%s", root, rest);
	FILE *f;

	for (char *s = path + strlen(root) + 1; (s = strchr(s, '/')); s++) {
		*s = 0;
		CHECK(!mkdir(path, 0755) || errno == EEXIST);
		*s = '/';
	}
	f = fopen(path, "wb");
	CHECK(f);
	CHECK_EQ(fwrite(bytes, 1, n, f), n);
	CHECK_EQ(fclose(f), 0);
	free(path);
}

void bench_init(struct bench *b, bool with_pmu)
{
	*b = (struct bench){ .root = "/tmp/t_uprobe_event.XXXXXX" };
	if (!mkdtemp(b->root))
		SKIP("no folder can be made in /tmp");
	if (with_pmu) {
		bench_put_file(b->root, PMU "/type", "9\n", 2);
		bench_put_file(b->root, PMU "/format/retprobe", "config:3\n", 9);
	}
	b->file = xasprintf("%s/app", b->root);
	rec_opts_init(&b->o);
	diag_init(&b->diag);
	b->o.diag = &b->diag;
	b->o.host.sysfs = b->root;
	evlist_init(&b->l);
}

void bench_fini(struct bench *b)
{
	char *cmd = xasprintf("rm -rf %s", b->root);

	CHECK_EQ(system(cmd), 0);
	free(cmd);
	free(b->file);
	evlist_fini(&b->l);
	rec_opts_fini(&b->o);
	diag_fini(&b->diag);
}

int bench_add(struct bench *b, const char *func, enum uprobe_kind kind)
{
	return uprobe_event_add(&b->l, &b->o, b->file, func, kind, b->help, sizeof(b->help), &b->e);
}

u8 *code_elf(u16 machine, const u8 *code, size_t size, const struct code_symbol *v, size_t nr,
	     size_t *ret_n)
{
	struct mkelf *elf = mkelf_new(true, false, ET_DYN, machine);
	u16 section;

	mkelf_load(elf, TEXT_ADDR, TEXT_OFF, size);
	section = mkelf_section(elf, &(struct mkelf_part){ .name = ".text",
							   .type = SHT_PROGBITS,
							   .flags = SHF_ALLOC | SHF_EXECINSTR,
							   .addr = TEXT_ADDR,
							   .off = TEXT_OFF,
							   .bytes = code,
							   .size = size });
	for (size_t i = 0; i < nr; i++)
		mkelf_symbol(elf, v[i].name, TEXT_ADDR + v[i].at, v[i].size, STT_FUNC,
			     v[i].local ? STB_LOCAL : STB_GLOBAL, section);
	mkelf_end_symbols(elf, ".symtab", SHT_SYMTAB);
	return mkelf_end(elf, ret_n);
}

size_t put_code(u8 *at, const char *hex)
{
	size_t n = 0;

	for (; *hex; hex += 2) {
		unsigned int byte;

		while (*hex == ' ')
			hex++;
		CHECK_EQ(sscanf(hex, "%2x", &byte), 1);
		at[n++] = (u8)byte;
	}
	return n;
}
