/* SPDX-License-Identifier: MIT */
/* The BPF programs that are loaded, as KSYMBOL and BPF_EVENT records. */
#ifndef RECORD_BEFORE_SYNTH_BPF_H
#define RECORD_BEFORE_SYNTH_BPF_H

#include "record/before/synth_priv.h"

/*
 * A KSYMBOL for each function the kernel has compiled, then the program's BPF_EVENT; the
 * trampolines and dispatchers of kallsyms at the end. Nothing without the right to ask.
 */
void synth_bpf(struct synth *s);

/*
 * Name of BTF type `type_id`, from raw BTF in this machine's byte order. NULL when it has none or
 * the BTF is damaged; borrowed from it. Source: the kernel's Documentation/bpf/btf.rst.
 */
const char *btf_type_name(struct span btf, u32 type_id);

#endif
