/* SPDX-License-Identifier: MIT */
#include "tests/symbols/kernel/use_kernel.h"

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/kernel/kernel.h"
#include "symbols/kernel/kernel_names.h"

void kernel_tree_new(struct tree *t)
{
	snprintf(t->root, sizeof(t->root), "/tmp/t_kernel.XXXXXX");
	CHECK(mkdtemp(t->root));
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void kernel_tree_drop(struct tree *t)
{
	nftw(t->root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

char *kernel_tree_put(struct tree *t, const char *path, const void *bytes, size_t n)
{
	char *full = xasprintf("%s%s", t->root, path);
	FILE *f;

	for (char *p = strchr(full + strlen(t->root) + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = 0;
		mkdir(full, 0700);
		*p = '/';
	}
	f = fopen(full, "w");
	CHECK(f);
	CHECK_EQ(fwrite(bytes, 1, n, f), n);
	CHECK(!fclose(f));
	return full;
}

void kernel_load(struct loaded *l, const struct symbols_config *cfg, const struct dso_desc *d)
{
	struct perr e = { 0 };

	symtab_init(&l->tab);
	l->err = kernel_load_symbols(cfg, d, &l->tab, &l->o, &e);
	CHECK(!l->err == (l->o.status == DSO_LOADED));
	CHECK(!l->err == !!l->o.path);
	CHECK(l->o.addr_is_ip);
}

void kernel_unload(struct loaded *l)
{
	free(l->o.path);
	free(l->o.parts);
	kernel_names_free(l->o.names);
	symtab_fini(&l->tab);
}

void kernel_check_name(struct loaded *l, u64 addr, const char *name)
{
	const struct sym *s = symtab_find(&l->tab, addr);
	struct sym_hit hit = { .name = s ? s->name : NULL };

	if (!s && l->o.names)
		(void)kernel_names_find(l->o.names, addr, &hit);
	CHECK_STR(hit.name, name);
}

struct dso_desc kernel_desc(const u8 *id, u64 text)
{
	struct dso_desc d = { .kind = DSO_KERNEL,
			      .name = "[kernel.kallsyms]",
			      .ref_sym = "_text",
			      .ref_addr = text,
			      .map_start = text,
			      .map_end = text + 0x2000 };

	if (id) {
		memcpy(d.build_id, id, 20);
		d.build_id_size = 20;
	}
	return d;
}
