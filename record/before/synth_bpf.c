/* SPDX-License-Identifier: MIT */
#include "record/before/synth_bpf.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/host/kallsyms_scan.h"

#define MAX_PROGRAMS 100000
#define MAX_FUNCTIONS 65536
#define MAX_BTF ((u32)16 << 20)

static long sys_bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int info_by_fd(int fd, void *info, u32 size)
{
	union bpf_attr attr = {
		.info = { .bpf_fd = (u32)fd, .info_len = size, .info = (u64)(uintptr_t)info }
	};

	return (int)sys_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}

/* --- BTF --- */

/*
 * Returns how many bytes follow the three words of a BTF type of this kind, -1 for an unknown kind.
 */
static s64 type_tail(u32 kind, u32 vlen)
{
	switch (kind) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG: return 0;
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG: return 4;
	case BTF_KIND_ARRAY: return 12;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO: return (s64)vlen * 8;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64: return (s64)vlen * 12;
	default: return -1;
	}
}

const char *btf_type_name(struct span btf, u32 type_id)
{
	struct cursor c = cursor_of(btf, false), t;
	u32 hdr_len, type_off, type_len, str_off, str_len, name = 0;

	if (cur_u16(&c) != BTF_MAGIC)
		return NULL;
	cur_skip(&c, 2); /* version, flags */
	hdr_len = cur_u32(&c);
	type_off = cur_u32(&c);
	type_len = cur_u32(&c);
	str_off = cur_u32(&c);
	str_len = cur_u32(&c);
	if (c.bad || hdr_len > btf.n || !type_id)
		return NULL;
	btf = span_of(btf.p + hdr_len, btf.n - hdr_len);
	if (type_off > btf.n || type_len > btf.n - type_off || str_off > btf.n ||
	    str_len > btf.n - str_off)
		return NULL;
	t = cursor_of(span_of(btf.p + type_off, type_len), false);
	for (u32 i = 1; i <= type_id; i++) {
		u32 info;
		s64 tail;

		name = cur_u32(&t);
		info = cur_u32(&t);
		cur_skip(&t, 4);
		tail = type_tail(info >> 24 & 0x1f, info & 0xffff);
		if (tail < 0)
			return NULL;
		cur_skip(&t, (size_t)tail);
		if (t.bad)
			return NULL;
	}
	if (!name || name >= str_len || !memchr(btf.p + str_off + name, 0, str_len - name))
		return NULL;
	return (const char *)btf.p + str_off + name;
}

/*
 * Reads the raw BTF with this id. *ret_owned is malloc'd and the caller's; the span is empty on
 * failure.
 */
static struct span read_btf(u32 id, void **ret_owned)
{
	union bpf_attr attr = { .btf_id = id };
	struct bpf_btf_info info = { 0 };
	struct span ret = { 0 };
	u8 *buf = NULL;
	int fd;

	*ret_owned = NULL;
	if (!id)
		return ret;
	fd = (int)sys_bpf(BPF_BTF_GET_FD_BY_ID, &attr);
	if (fd < 0)
		return ret;
	if (!info_by_fd(fd, &info, sizeof(info)) && info.btf_size && info.btf_size <= MAX_BTF) {
		u32 size = info.btf_size;

		buf = xmalloc(size);
		info = (struct bpf_btf_info){ .btf = (u64)(uintptr_t)buf, .btf_size = size };
		if (!info_by_fd(fd, &info, sizeof(info)) && info.btf_size == size) {
			ret = span_of(buf, size);
			*ret_owned = buf;
			buf = NULL;
		}
	}
	free(buf);
	close(fd);
	return ret;
}

/* --- programs --- */

/*
 * What the kernel tells about a program. The arrays are fetched by a second call, when the first
 * has returned their lengths.
 */
struct program {
	struct bpf_prog_info info;
	u64 *addrs;
	u32 *lens;
	u8 (*tags)[8];
	u8 *funcs; /* entries of struct bpf_func_info, func_info_rec_size bytes apart */
	struct span btf;
	void *btf_owned;
};

static bool read_program(int fd, struct program *ret)
{
	struct program p = { 0 };
	struct bpf_prog_info sizes = { 0 };
	u32 nr;

	if (info_by_fd(fd, &sizes, sizeof(sizes)))
		return false;
	nr = sizes.nr_jited_ksyms;
	/*
	 * No functions: this process may not see their addresses, or the program is not compiled.
	 */
	if (!nr || nr > MAX_FUNCTIONS || sizes.nr_jited_func_lens != nr ||
	    sizes.func_info_rec_size > 4096 || sizes.nr_func_info > MAX_FUNCTIONS)
		return false;
	if (sizes.nr_prog_tags != nr)
		sizes.nr_prog_tags = 0;
	if (sizes.nr_func_info != nr || sizes.func_info_rec_size < 8 || !sizes.btf_id)
		sizes.nr_func_info = 0;
	p.addrs = xcalloc(nr, sizeof(*p.addrs));
	p.lens = xcalloc(nr, sizeof(*p.lens));
	p.tags = xcalloc(nr, sizeof(*p.tags));
	p.info.nr_jited_ksyms = nr;
	p.info.jited_ksyms = (u64)(uintptr_t)p.addrs;
	p.info.nr_jited_func_lens = nr;
	p.info.jited_func_lens = (u64)(uintptr_t)p.lens;
	if (sizes.nr_prog_tags) {
		p.info.nr_prog_tags = nr;
		p.info.prog_tags = (u64)(uintptr_t)p.tags;
	}
	if (sizes.nr_func_info) {
		p.funcs = xcalloc(nr, sizes.func_info_rec_size);
		p.info.nr_func_info = nr;
		p.info.func_info_rec_size = sizes.func_info_rec_size;
		p.info.func_info = (u64)(uintptr_t)p.funcs;
	}
	if (info_by_fd(fd, &p.info, sizeof(p.info)) || p.info.nr_jited_ksyms != nr ||
	    p.info.nr_jited_func_lens != nr) {
		free(p.addrs);
		free(p.lens);
		free(p.tags);
		free(p.funcs);
		return false;
	}
	if (!sizes.nr_prog_tags)
		memcpy(p.tags[0], p.info.tag, 8);
	if (p.funcs)
		p.btf = read_btf(p.info.btf_id, &p.btf_owned);
	*ret = p;
	return true;
}

static void free_program(struct program *p)
{
	free(p->addrs);
	free(p->lens);
	free(p->tags);
	free(p->funcs);
	free(p->btf_owned);
}

/* Builds the name that the kernel gives the function in kallsyms: bpf_prog_TAG_NAME. */
static void function_name(const struct program *p, u32 i, char *buf, size_t size)
{
	const char *name = NULL;
	int n = snprintf(buf, size, "bpf_prog_");

	for (size_t k = 0; k < 8; k++)
		n += snprintf(buf + n, size - (size_t)n, "%02x", p->tags[i][k]);
	if (p->btf.n) {
		u32 type_id = get_u32(p->funcs + (size_t)i * p->info.func_info_rec_size + 4, false);

		name = btf_type_name(p->btf, type_id);
	} else if (p->info.nr_jited_ksyms == 1) {
		name = p->info.name[0] ? p->info.name : NULL;
	} else {
		name = "F"; /* the kernel names a function "F" if its own name is unknown */
	}
	if (name)
		snprintf(buf + n, size - (size_t)n, "_%.*s", (int)(size - (size_t)n - 2), name);
}

/* Returns true for program types that the kernel may call through a generated trampoline. */
static bool has_trampoline(u32 type)
{
	return type == BPF_PROG_TYPE_TRACING || type == BPF_PROG_TYPE_STRUCT_OPS ||
	       type == BPF_PROG_TYPE_EXT || type == BPF_PROG_TYPE_LSM || type == BPF_PROG_TYPE_XDP;
}

/* Appends the records of one program. Returns true if kallsyms may list a trampoline for it. */
static bool put_program(struct synth *s, int fd)
{
	struct pd_bpf_event ev = { .type = PERF_BPF_EVENT_PROG_LOAD };
	struct program p;
	char name[512];

	if (!read_program(fd, &p))
		return false;
	for (u32 i = 0; i < p.info.nr_jited_ksyms; i++) {
		function_name(&p, i, name, sizeof(name));
		if (p.addrs[i])
			pd_put_ksymbol(s->out, p.addrs[i], p.lens[i], PERF_RECORD_KSYMBOL_TYPE_BPF,
				       0, name, s->trailer);
	}
	ev.id = p.info.id;
	memcpy(ev.tag, p.info.tag, sizeof(ev.tag));
	pd_put_bpf_event(s->out, &ev, s->trailer);
	free_program(&p);
	return has_trampoline(p.info.type);
}

static bool program_name_starts(struct span name, const char *prefix)
{
	size_t n = strlen(prefix);

	return name.n >= n && !memcmp(name.p, prefix, n);
}

/*
 * Appends a KSYMBOL for a trampoline or dispatcher. The bpf system call does not list this code;
 * kallsyms is the only source for it.
 */
static bool put_image(const struct kallsyms_line *line, void *arg)
{
	struct synth *s = arg;
	char name[256];

	if (line->module.n != 3 || memcmp(line->module.p, "bpf", 3) || !line->addr)
		return true;
	if (!program_name_starts(line->name, "bpf_trampoline_") &&
	    !program_name_starts(line->name, "bpf_dispatcher_"))
		return true;
	snprintf(name, sizeof(name), "%.*s", (int)line->name.n, line->name.p);
	pd_put_ksymbol(s->out, line->addr, (u32)sysconf(_SC_PAGESIZE), PERF_RECORD_KSYMBOL_TYPE_BPF,
		       0, name, s->trailer);
	return true;
}

void synth_bpf(struct synth *s)
{
	bool images = false;
	u32 id = 0;
	char *kallsyms;

	for (u32 nr = 0; nr < MAX_PROGRAMS; nr++) {
		union bpf_attr attr = { .start_id = id };
		int fd;

		if (sys_bpf(BPF_PROG_GET_NEXT_ID, &attr))
			/*
			 * fails with ENOENT after the last program, with EPERM at once without the
			 * right
			 */
			break;
		id = attr.next_id;
		attr = (union bpf_attr){ .prog_id = id };
		fd = (int)sys_bpf(BPF_PROG_GET_FD_BY_ID, &attr);
		if (fd < 0)
			continue; /* the program was unloaded meanwhile */
		images |= put_program(s, fd);
		close(fd);
	}
	if (!images)
		return;
	kallsyms = rec_host_path(s->o->host.procfs, "kallsyms");
	kallsyms_scan(kallsyms, put_image, s);
	free(kallsyms);
}
