/* SPDX-License-Identifier: MIT */
#include "record/keep/content_id.h"

#include <endian.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define BLOCK 64
#define READ_BYTES ((size_t)256 << 10) /* a multiple of BLOCK */

static u32 rotated(u32 x, int n)
{
	return x << n | x >> (32 - n);
}

static void add_block(u32 h[5], const u8 *p)
{
	static const u32 constants[4] = { 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6 };
	u32 w[80], a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];

	for (int i = 0; i < 16; i++) {
		memcpy(&w[i], p + 4 * i, 4);
		w[i] = be32toh(w[i]);
	}
	for (int i = 16; i < 80; i++)
		w[i] = rotated(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
	for (int i = 0; i < 80; i++) {
		u32 f = i < 20   ? (b & c) | (~b & d)
			: i < 40 ? b ^ c ^ d
			: i < 60 ? (b & c) | (b & d) | (c & d)
				 : b ^ c ^ d;
		u32 t = rotated(a, 5) + f + e + w[i] + constants[i / 20];

		e = d;
		d = c;
		c = rotated(b, 30);
		b = a;
		a = t;
	}
	h[0] += a;
	h[1] += b;
	h[2] += c;
	h[3] += d;
	h[4] += e;
}

/* Adds the last bytes, fewer than a block, and the length of the whole. */
static void add_end(u32 h[5], const u8 *rest, size_t n, u64 total)
{
	u8 last[2 * BLOCK] = { 0 };
	size_t blocks = n + 9 > BLOCK ? 2 : 1;
	u64 bits = htobe64(total * 8);

	memcpy(last, rest, n);
	last[n] = 0x80;
	memcpy(last + blocks * BLOCK - 8, &bits, 8);
	for (size_t i = 0; i < blocks; i++)
		add_block(h, last + i * BLOCK);
}

bool content_id_of_fd(int fd, u64 n, u8 ret[CONTENT_ID_LEN])
{
	u32 h[5] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0 };
	u8 *buf = xmalloc(READ_BYTES);
	u64 at = 0;
	size_t have = 0;

	while (at + have < n) {
		size_t room = READ_BYTES - have;
		u64 left = n - at - have;
		ssize_t got = pread(fd, buf + have, left < room ? (size_t)left : room,
				    (off_t)(at + have));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		have += (size_t)got;
		if (have < READ_BYTES)
			continue;
		for (size_t i = 0; i < READ_BYTES; i += BLOCK)
			add_block(h, buf + i);
		at += READ_BYTES;
		have = 0;
	}
	if (at + have == n) {
		size_t whole = have / BLOCK * BLOCK;

		for (size_t i = 0; i < whole; i += BLOCK)
			add_block(h, buf + i);
		add_end(h, buf + whole, have - whole, n);
	}
	free(buf);
	for (int i = 0; i < 5; i++) {
		u32 be = htobe32(h[i]);

		memcpy(ret + 4 * i, &be, 4);
	}
	return at + have == n;
}
