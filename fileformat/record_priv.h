/* SPDX-License-Identifier: MIT */
/* What the record decoders share; nobody else includes this. */
#ifndef FILEFORMAT_RECORD_PRIV_H
#define FILEFORMAT_RECORD_PRIV_H

#include "fileformat/record.h"

static inline struct cursor record_cursor(const struct pd_record *r, bool swap)
{
	return cursor_of(pd_record_body(r), swap);
}

static inline struct span cur_rest(const struct cursor *c)
{
	return span_of(c->p, cur_left(c));
}

/* Text is padded with NULs and a trailer may follow, so only its NUL ends it. */
static inline struct span span_text(struct span s)
{
	s.n = span_strlen(s);
	return s;
}

int record_too_small(const struct pd_record *r, struct perr *e);
int record_count_too_big(const struct pd_record *r, const char *what, u64 nr, struct perr *e);

#endif
