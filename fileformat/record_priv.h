/* SPDX-License-Identifier: MIT */
/* Helpers that the record decoders share. Only record*.c include this header. */
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

/* Cuts s at its first NUL. Text in a record is padded with NULs and a trailer may follow it. */
static inline struct span span_text(struct span s)
{
	s.n = span_strlen(s);
	return s;
}

/* Returns PERR_FORMAT with a message that the record is too small for its type. */
int record_too_small(const struct pd_record *r, struct perr *e);
/* Returns PERR_FORMAT with a message that the record is too small for nr elements of `what`. */
int record_count_too_big(const struct pd_record *r, const char *what, u64 nr, struct perr *e);

#endif
