/* SPDX-License-Identifier: MIT */
/* A name for a file without a build-id: the SHA-1 of its bytes (RFC 3174), 20 bytes as most
 * build-ids. */
#ifndef RECORD_KEEP_CONTENT_ID_H
#define RECORD_KEEP_CONTENT_ID_H

#include "base/types.h"

#define CONTENT_ID_LEN 20

/*
 * Reads the first n bytes of the file open on fd and sets ret to their SHA-1. Returns false if
 * fewer bytes can be read. The offset of fd is neither used nor changed.
 */
bool content_id_of_fd(int fd, u64 n, u8 ret[CONTENT_ID_LEN]);

#endif
