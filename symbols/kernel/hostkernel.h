/* SPDX-License-Identifier: MIT */
/* Compares the kernel that runs on this host with the recorded one. */
#ifndef SYMBOLS_KERNEL_HOSTKERNEL_H
#define SYMBOLS_KERNEL_HOSTKERNEL_H

#include "base/bytes.h"
#include "symbols/table/dso_desc.h"

/* Finds the GNU build-id in a sequence of ELF notes in this machine's byte order. Returns its size
 * in bytes, 0 if the notes have none. */
size_t notes_build_id(struct span notes, u8 ret[20]);

/* The result of comparing this host's kernel or module with the recorded one. */
enum host_match {
	HOST_DIFFERS,
	HOST_SAME_RELEASE, /* the release is the same; no build-id was recorded */
	HOST_SAME_BUILD,   /* the build-id is the same */
};

/* Compares the running kernel with the recorded one, by build-id or else by release. */
enum host_match hostkernel_match(const struct dso_desc *kernel);

/* Compares a loaded kernel module, by its notes in /sys/module, with the recorded one. */
enum host_match hostkernel_match_module(const struct dso_desc *module);

#endif
