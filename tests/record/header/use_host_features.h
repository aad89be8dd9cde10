/* SPDX-License-Identifier: MIT */
/* A fake tree of sysfs, procfs and tracefs, and the feature sections that are made from it. */
#ifndef TESTS_RECORD_HEADER_USE_HOST_FEATURES_H
#define TESTS_RECORD_HEADER_USE_HOST_FEATURES_H

#include <limits.h>

#include "base/mem.h"
#include "record/header/host_features.h"
#include "tests/frame/unit.h"

extern char host_tree[PATH_MAX];

/* The file host_tree/path with this text, its folders too. */
void host_tree_put(const char *path, const char *text);
/* The folder tree/path, with the folders on the way. */
void host_tree_put_folder(const char *path);

/* The folders of a fake host, the events of a recording, and the sections made from them. */
struct fixture {
	char sysfs[PATH_MAX + 8], procfs[PATH_MAX + 8], tracefs[PATH_MAX + 8];
	struct rec_opts o;
	struct rec_evlist l;
	struct pd_out_event out[8];
	u64 ids[8];
	struct host_features f;
};

/* An empty fake tree and no events; the tree is removed when the case exits. */
void fixture_init(struct fixture *x);
/* Reads the sections of the fake host. */
void fixture_run(struct fixture *x);
/* Frees what fixture_init() and fixture_run() made. */
void fixture_fini(struct fixture *x);
/* The bytes of a section, which has to be there. */
struct span fixture_payload(const struct fixture *x, u32 bit);
/* The bytes have to be exactly this text. */
void fixture_check_span(struct span got, const char *want);
/* The section has to be one string, `want`. */
void fixture_check_text(const struct fixture *x, u32 bit, const char *want);
/* The list has to hold these nr strings. */
void fixture_check_strings(struct pd_strings s, const char *const *want, u32 nr);

#endif
