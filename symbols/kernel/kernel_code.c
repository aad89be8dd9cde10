/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/kernel_code.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "symbols/kernel/hostkernel.h"
#include "symbols/elf/near_symbol.h"

#define HOST_CORE "/proc/kcore"
#define HOST_LIST "/proc/kallsyms"
/* Lines of kallsyms to search: the reference symbol is one of the first. */
#define REF_LINES_MAX 1000
#define CORE_LOADS_MAX 4096 /* segments of a core file to search */

static struct span bytes_of(const struct object *o, u64 value, u16 section, struct kernel_code *ret)
{
	const struct obj_section *s;
	struct span b = { 0 };
	u64 off;

	if (section >= o->nr_sections)
		return b;
	s = &o->sections[section];
	b = object_bytes(o, s);
	off = o->type == ET_REL ? value : value - s->addr;
	if (off >= b.n)
		return (struct span){ 0 };
	*ret = (struct kernel_code){ .vaddr = value, .machine = o->machine };
	snprintf(ret->section, sizeof(ret->section), "%s", s->name);
	return span_of(b.p + off, b.n - (size_t)off);
}

int kernel_code_of_file(const char *path, const char *name, void *buf, size_t n,
			struct kernel_code *ret, struct perr *e)
{
	struct object *o;
	struct span code;
	u16 section;
	u64 value;
	int err;

	err = object_open(path, &o, e);
	if (err)
		return err;
	code = (struct span){ 0 };
	if (near_symbol_by_name(o, name, &value, &section))
		code = bytes_of(o, value, section, ret);
	if (!code.n) {
		err = perr_set(e, PERR_NOTFOUND, "%s does not contain the code of '%s'", path,
			       name);
	} else {
		ret->n = code.n < n ? code.n : n;
		memcpy(buf, code.p, ret->n);
	}
	object_close(o);
	return err;
}

static bool read_at(int fd, void *buf, size_t n, u64 off)
{
	size_t done = 0;

	while (done < n) {
		ssize_t got = pread(fd, (char *)buf + done, n - done, (off_t)(off + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

static int read_core(int fd, const char *path, u64 ip, void *buf, size_t n, struct kernel_code *ret,
		     struct perr *e)
{
	Elf64_Ehdr eh;
	Elf64_Phdr ph;

	if (!read_at(fd, &eh, sizeof(eh), 0))
		return perr_io(e, "cannot read %s", path);
	if (memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
	    eh.e_phentsize != sizeof(ph) || eh.e_phnum > CORE_LOADS_MAX)
		return perr_set(e, PERR_FORMAT, "%s is not a core file of this machine", path);
	for (unsigned int i = 0; i < eh.e_phnum; i++) {
		if (!read_at(fd, &ph, sizeof(ph), eh.e_phoff + (u64)i * sizeof(ph)))
			return perr_io(e, "cannot read %s", path);
		if (ph.p_type != PT_LOAD || ip < ph.p_vaddr || ip - ph.p_vaddr >= ph.p_filesz ||
		    n > ph.p_filesz - (ip - ph.p_vaddr))
			continue;
		if (!read_at(fd, buf, n, ph.p_offset + (ip - ph.p_vaddr)))
			return perr_io(e, "cannot read %s", path);
		*ret = (struct kernel_code){ .n = n, .vaddr = ip, .machine = eh.e_machine };
		return 0;
	}
	return perr_set(e, PERR_NOTFOUND, "%s does not contain memory at %#llx", path,
			(unsigned long long)ip);
}

int kernel_code_of_core(const char *path, u64 ip, void *buf, size_t n, struct kernel_code *ret,
			struct perr *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return perr_io(e, "cannot open %s", path);
	err = read_core(fd, path, ip, buf, n, ret, e);
	close(fd);
	return err;
}

bool kernel_code_host_shift(const char *path, const char *ref_sym, u64 ref_addr, u64 *ret)
{
	FILE *f = fopen(path, "re");
	char line[256], name[128];
	unsigned long long addr;
	bool found = false;

	for (int i = 0; f && i < REF_LINES_MAX && !found && fgets(line, sizeof(line), f); i++)
		found = sscanf(line, "%llx %*c %127s", &addr, name) == 2 &&
			!strcmp(name, ref_sym) && addr;
	if (found)
		*ret = addr - ref_addr;
	if (f)
		fclose(f);
	return found;
}

int kernel_code_of_host(const struct dso_desc *desc, u64 ip, void *buf, size_t n,
			struct kernel_code *ret, struct perr *e)
{
	u64 shift;
	int err;

	if (desc->kind != DSO_KERNEL || hostkernel_match(desc) != HOST_SAME_BUILD)
		return perr_set(e, PERR_NOTFOUND,
				"the recording is of another kernel than the running one");
	if (!desc->ref_sym ||
	    !kernel_code_host_shift(HOST_LIST, desc->ref_sym, desc->ref_addr, &shift))
		return perr_set(e, PERR_NOTFOUND,
				"the running kernel hides its load address: set "
				"kernel.kptr_restrict to 0 and "
				"kernel.perf_event_paranoid to 1, or run as root");
	err = kernel_code_of_core(HOST_CORE, ip + shift, buf, n, ret, e);
	if (!err)
		ret->vaddr = ip;
	return err;
}
