/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/vdso.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "symbols/find/build_id_cache.h"
#include "symbols/elf/elf_symtab.h"
#include "symbols/elf/object.h"

/* Loads the symbols of o into tab, which borrows the names and takes ownership of o. */
static int load_object(struct object *o, struct symtab *tab, struct sym_origin *ret, struct perr *e)
{
	int err;

	symtab_keep_object(tab, o);
	ret->code = o;
	err = elf_load_symbols(o, o, 0, tab, e);
	if (err) {
		ret->status = err == PERR_NOTFOUND ? DSO_STRIPPED : DSO_BROKEN;
		return err;
	}
	ret->path = xstrdup(o->path);
	ret->status = DSO_LOADED;
	return 0;
}

/* Returns the length of this process's mapping that starts at addr, 0 if there is none. */
static size_t own_map_len(u64 addr)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];
	u64 start, end;
	size_t len = 0;

	while (f && !len && fgets(line, sizeof(line), f))
		if (sscanf(line, "%" SCNx64 "-%" SCNx64, &start, &end) == 2 && start == addr)
			len = (size_t)(end - start);
	if (f)
		fclose(f);
	return len;
}

/*
 * True if the recorded vDSO may be this host's: the build-ids must be equal or, without a recorded
 * one, the recorded release, if any, must be this host's.
 */
static bool may_be_own(const struct dso_desc *desc, const struct object *own)
{
	struct utsname uts;

	if (desc->build_id_size)
		return build_id_equal(desc->build_id, desc->build_id_size, own->build_id,
				      own->build_id_size);
	return !desc->os_release || (!uname(&uts) && !strcmp(uts.release, desc->os_release));
}

static int load_own(const struct dso_desc *desc, struct symtab *tab, struct sym_origin *ret,
		    struct perr *e)
{
	u64 addr = getauxval(AT_SYSINFO_EHDR);
	size_t len = addr ? own_map_len(addr) : 0;
	struct object *own = NULL;
	int err;

	if (!len)
		return perr_set(e, PERR_NOTFOUND, "%s: the kernel maps no vDSO into this process",
				desc->name);
	err = object_open_mem(desc->name, (const void *)(uintptr_t)addr, len, &own, e);
	if (err)
		return err;
	if (!may_be_own(desc, own)) {
		object_close(own);
		ret->status = DSO_BUILD_ID_DIFFERS;
		return perr_set(e, PERR_NOTFOUND,
				"%s: the recording is of another kernel than the running one",
				desc->name);
	}
	ret->letter = 'd';
	return load_object(own, tab, ret, e);
}

int vdso_load(const struct symbols_config *cfg, const struct dso_desc *desc, struct symtab *tab,
	      struct sym_origin *ret, struct perr *e)
{
	char *path = build_id_cache_path(cfg, desc->build_id, desc->build_id_size, "vdso");
	const struct file_rules rules = symbols_file_rules(cfg);
	struct object *o = NULL;
	int err;

	*ret = (struct sym_origin){ .letter = '!', .status = DSO_FILE_MISSING };
	if (path) {
		err = object_open_by(path, &rules, &o, e);
		free(path);
		if (!err) {
			ret->letter = 'B';
			return load_object(o, tab, ret, e);
		}
	}
	/*
	 * The vDSOs of 32-bit programs are not mapped into a 64-bit process. If a build-id was
	 * recorded, perf 6.1 (at least Debian's) makes its own copy of the vDSO and finds no
	 * symbols in it.
	 */
	if (symbols_has_symfs(cfg) || (cfg->format == TEXT_PERF_6_1 && desc->build_id_size) ||
	    cfg->hermetic || strcmp(desc->name, "[vdso]"))
		return perr_set(e, PERR_NOTFOUND, "%s: it is not in the build-id cache",
				desc->name);
	return load_own(desc, tab, ret, e);
}
