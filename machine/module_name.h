/* SPDX-License-Identifier: MIT */
/* Names of objects as perf makes them from recorded ones. */
#ifndef MACHINE_MODULE_NAME_H
#define MACHINE_MODULE_NAME_H

#include "base/intern.h"
#include "base/out.h"

struct map;

/*
 * Name of the module in a recorded path: "/lib/.../snd-pcm.ko.xz" -> "[snd_pcm]"; a name in
 * brackets stays, and so does a path without ".ko". Interned in strings.
 */
const char *module_name_of_path(struct intern *strings, const char *path);

/* True for a name that can be the kernel's own: of a file that is no module, or KERNEL_NAME. */
bool module_name_is_kernel(const char *name);

/* The kernel's short name: "[kernel.vmlinux]" for a vmlinux anywhere, else the last part. */
const char *module_name_kernel(const char *name);

/* Appends the name in perf report's column of objects: of a file the last part of its path. */
void map_put_short_name(struct out *o, const struct map *m);

/*
 * The name that perf has for the object elsewhere (-v, -D, --show-kernel-path): the path of a
 * module's file, and of the file that names in the kernel are from. Borrowed from the machine.
 */
const char *map_long_name(const struct map *m);

#endif
