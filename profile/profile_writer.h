/* SPDX-License-Identifier: MIT */
/*
 * A file format that profiles can be exported to. A command keeps a table of its writers; its
 * --format option, the help text and the completion are made from the table.
 */
#ifndef PROFILE_PROFILE_WRITER_H
#define PROFILE_PROFILE_WRITER_H

#include "base/out.h"
#include "profile/profile.h"

struct profile_writer {
	const char *name;   /* of the format, as the user writes it: "pprof" */
	const char *suffix; /* of its files, without a dot: "pb.gz" */
	/* What profile_read has to be asked for: */
	u32 columns;    /* bit n: enum count_column n; besides COUNT_STACK and COUNT_IP */
	bool lines;     /* the format holds source lines */
	bool by_symbol; /* it holds names of functions only, not addresses */
	/*
	 * Writes the whole profile. Returns 0, or PERR_UNSUPPORTED when the format cannot hold it;
	 * the caller checks o for write errors.
	 */
	int (*write)(const struct profile *p, struct out *o, struct perr *e);
};

#endif
