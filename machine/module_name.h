/* SPDX-License-Identifier: MIT */
#ifndef MACHINE_MODULE_NAME_H
#define MACHINE_MODULE_NAME_H

#include "base/intern.h"

/*
 * Name of the module in a recorded path: "/lib/.../snd-pcm.ko.xz" -> "[snd_pcm]"; a name in
 * brackets stays, and so does a path without ".ko". Interned in strings.
 */
const char *module_name_of_path(struct intern *strings, const char *path);

#endif
