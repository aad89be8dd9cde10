/* SPDX-License-Identifier: MIT */
/* The kernel that runs now, and whether it is the recorded one. */
#ifndef SYMBOLS_KERNEL_HOSTKERNEL_H
#define SYMBOLS_KERNEL_HOSTKERNEL_H

#include "base/bytes.h"
#include "symbols/table/dso_desc.h"

/* The build-id among ELF notes in this machine's byte order; its size, 0 when there is none. */
size_t notes_build_id(struct span notes, u8 ret[20]);

/* How sure it is that this host's kernel or module is the recorded one. */
enum host_match {
	HOST_DIFFERS,
	HOST_SAME_RELEASE, /* no build-id was recorded, the release is the same */
	HOST_SAME_BUILD,
};

enum host_match hostkernel_match(const struct dso_desc *kernel);

/* As hostkernel_match for a loaded module, by its own notes in /sys/module. */
enum host_match hostkernel_match_module(const struct dso_desc *module);

#endif
