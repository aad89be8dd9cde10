/* SPDX-License-Identifier: MIT */
/*
 * BPF_PROG_INFO and BPF_BTF: the BPF programs of the recording machine, where their machine code
 * lay, and their type information, which has the names of their functions (FORMAT.md 1.4, kernel
 * uapi bpf.h and btf.h). Common rules: feature.h, lists are
 * opened by pd_list_open. perf does not decode files of the other byte
 * order here; we do, since the layouts are plain.
 */
#ifndef FILEFORMAT_FEATURE_FEATURE_BPF_H
#define FILEFORMAT_FEATURE_FEATURE_BPF_H

#include "fileformat/feature/feature.h"

struct pd_bpf_prog {
	u32 id, type;
	u8 tag[8];
	struct span name;      /* at most 15 bytes, may be empty */
	u32 btf_id;            /* 0 for none */
	u32 nr_ksyms;          /* functions: the program itself and its subprograms */
	struct span ksyms;     /* u64 run-time address of each */
	struct span func_lens; /* u32 bytes of code of each */
	struct span tags;      /* 8 bytes of each; may be shorter */
	u32 func_info_size;    /* bytes of one func_info entry, at least 8 where there are any */
	struct span func_info; /* {u32 insn_off, u32 BTF type id} each */
};

int pd_bpf_prog_next(struct pd_list *l, struct pd_bpf_prog *ret, struct perr *e) MUST_CHECK;

struct pd_btf {
	u32 id;
	struct span data;
};
int pd_btf_next(struct pd_list *l, struct pd_btf *ret, struct perr *e) MUST_CHECK;

/* Where the types of one BTF blob lie, so that names are found by number. */
struct pd_btf_index {
	struct span types, strings;
	bool swap;
	u32 *offs; /* of type 1, 2, ... in types; at most one per 12 bytes of it */
	size_t nr, cap;
};

/* Borrows btf. A damaged blob gives the types before the damage. */
void pd_btf_index_init(struct pd_btf_index *x, struct span btf, bool swap);
void pd_btf_index_fini(struct pd_btf_index *x);

/*
 * Function i (below nr_ksyms) of a program as the kernel and perf name it: "bpf_prog_TAG_name".
 * btf is that of the program's btf_id, NULL when the file has none. buf of at least
 * PD_BPF_NAME_MAX bytes.
 */
#define PD_BPF_NAME_MAX 512
void pd_bpf_prog_name(const struct pd_bpf_prog *p, u32 i, const struct pd_btf_index *btf, bool swap,
		      char *buf);

#endif
