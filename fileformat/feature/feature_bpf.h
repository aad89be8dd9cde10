/* SPDX-License-Identifier: MIT */
/*
 * Decoders for the sections BPF_PROG_INFO and BPF_BTF: the BPF programs of the recording machine,
 * the addresses of their machine code, and their type information, which names their functions.
 * Layouts: docs/FORMAT.md 1.4 and the kernel's uapi headers bpf.h and btf.h. feature.h describes
 * arguments and errors; both lists are opened with pd_list_open(). Unlike perf, these decoders also
 * read files of the other byte order.
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_BPF_H
#define FILEFORMAT_FEATURE_FEATURE_BPF_H

#include "fileformat/feature/feature.h"

struct pd_bpf_prog {
	u32 id, type;
	u8 tag[8];
	struct span name;      /* at most 15 bytes, may be empty */
	u32 btf_id;            /* 0 for none */
	u32 nr_ksyms;          /* number of functions: the program and its subprograms */
	struct span ksyms;     /* the functions' run-time addresses, u64s */
	struct span func_lens; /* bytes of code of the functions, u32s */
	struct span tags;      /* the functions' tags of 8 bytes; may have fewer entries */
	u32 func_info_size;    /* bytes of an entry of func_info: at least 8 unless it is empty */
	struct span func_info; /* the functions' {u32 insn_off, u32 BTF type id} */
};

int pd_bpf_prog_next(struct pd_list *l, struct pd_bpf_prog *ret, struct perr *e) MUST_CHECK;

struct pd_btf {
	u32 id;
	struct span data;
};
int pd_btf_next(struct pd_list *l, struct pd_btf *ret, struct perr *e) MUST_CHECK;

/* An index of the types in one BTF blob, to find their names by type id. */
struct pd_btf_index {
	struct span types, strings;
	bool swap;
	u32 *offs; /* byte offsets in `types` of type ids 1, 2, ... */
	size_t nr, cap;
};

/* Builds the index of a BTF blob, which is borrowed until pd_btf_index_fini(). Of a damaged blob it
 * has the types before the damage. */
void pd_btf_index_init(struct pd_btf_index *x, struct span btf, bool swap);
void pd_btf_index_fini(struct pd_btf_index *x);

/*
 * Writes the name of function i (below p->nr_ksyms) of a BPF program to buf, which has at least
 * PD_BPF_NAME_MAX bytes. The name is that of the kernel and perf, "bpf_prog_TAG_name". btf is the
 * index of the blob with id p->btf_id, NULL if the file does not have it.
 */
#define PD_BPF_NAME_MAX 512
void pd_bpf_prog_name(const struct pd_bpf_prog *p, u32 i, const struct pd_btf_index *btf, bool swap,
		      char *buf);

#endif
