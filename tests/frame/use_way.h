/* SPDX-License-Identifier: MIT */
/*
 * What the ways through one recording have in common: how it is opened, which options are tried
 * this time, and how much was done. See use_all.h.
 */
#ifndef TESTS_FRAME_USE_WAY_H
#define TESTS_FRAME_USE_WAY_H

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/out.h"
#include "fileformat/perfdata.h"
#include "machine/machine_modules.h"
#include "symbols/symbols.h"

#define USE_ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* Opens the recording anew; called once for each way through it. */
typedef int (*use_all_open_fn)(void *ctx, struct diag *diag, struct perfdata **ret, struct perr *e);

struct use_all {
	use_all_open_fn open;
	void *ctx;
	const char *path; /* the recording as a file, for what opens it itself; NULL: none */
	/*
	 * Which options are tried: there are too many to have them all with each recording. The
	 * same number and the same bytes do the same.
	 */
	u64 turn;
	const char *symfs; /* where names are found when they are; NULL: testdata/symfs */
	bool always_names; /* else in some turns */
	const char *stage; /* what is being done, for messages */
	u64 nr_opened, nr_records, nr_samples, nr_rows, text_bytes;
};

#define USE_ALL_TEXT ((size_t)64 << 10)

/* Texts may be long: their memory is used again. */
static inline void use_all_take(struct use_all *u, struct out *o, size_t keep)
{
	if (o->len < keep)
		return;
	u->text_bytes += o->len;
	o->len = 0;
}

/* Nothing of this host is looked up; files are found where with_names is true. */
static inline struct symbols_config use_all_symbols(const struct use_all *u, bool with_names,
						    struct diag *diag)
{
	const char *symfs = u->symfs ? u->symfs : "testdata/symfs";

	return (struct symbols_config){
		.symfs = with_names || u->always_names ? symfs : "testdata/no-such-folder",
		.buildid_dir = "testdata/no-such-folder",
		.hermetic = true,
		.diag = diag,
	};
}

/* A command line. */
#define USE_WORDS 16

struct use_words {
	char *argv[USE_WORDS + 1];
	int nr;
	char *text;
};

static inline struct use_words use_words_of(const char *command, const char *line)
{
	struct use_words w = { .argv = { (char *)command }, .nr = 1, .text = xstrdup(line) };
	char *save, *word;

	for (word = strtok_r(w.text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		if (w.nr == USE_WORDS)
			BUG();
		w.argv[w.nr++] = word;
	}
	return w;
}

static inline void use_words_fini(struct use_words *w)
{
	free(w->text);
}

/* The unwinder of stack copies in this turn. */
static inline enum unwinder_kind use_all_unwinder(const struct use_all *u)
{
	static const enum unwinder_kind kinds[] = { UNWINDER_LIBDW, UNWINDER_LIBUNWIND };
	u64 turn = hash_u64(u->turn + 2) % 16;

	return turn < 2 ? kinds[turn] : UNWINDER_TABLE;
}

#endif
