/* SPDX-License-Identifier: MIT */
/* Appends KSYMBOL and BPF_EVENT records of the BPF programs that are loaded already. */
#ifndef RECORD_BEFORE_SYNTH_BPF_H
#define RECORD_BEFORE_SYNTH_BPF_H

#include "record/before/synth_priv.h"

/*
 * Appends to s->out, for each loaded program, a KSYMBOL of each of its JIT-compiled functions and
 * then a BPF_EVENT; at the end KSYMBOLs of the BPF trampolines and dispatchers in /proc/kallsyms.
 * Appends nothing if the kernel does not permit this process to list programs.
 */
void synth_bpf(struct synth *s);

/*
 * Returns the name of BTF type `type_id`, or NULL if it has none or the BTF is damaged. btf is raw
 * BTF in this machine's byte order; the name points into it. Format: the kernel's
 * Documentation/bpf/btf.rst. Public so that tests can pass damaged BTF.
 */
const char *btf_type_name(struct span btf, u32 type_id);

#endif
