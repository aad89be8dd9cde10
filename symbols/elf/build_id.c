/* SPDX-License-Identifier: MIT */
#include "symbols/elf/build_id.h"

#include <string.h>

void build_id_hex(const u8 *build_id, size_t size, char ret[BUILD_ID_HEX])
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;

	for (size_t i = 0; i < size && i < BUILD_ID_MAX; i++) {
		ret[n++] = digits[build_id[i] >> 4];
		ret[n++] = digits[build_id[i] & 15];
	}
	ret[n] = 0;
}

bool build_id_equal(const u8 *a, size_t a_size, const u8 *b, size_t b_size)
{
	u8 x[BUILD_ID_MAX] = { 0 }, y[BUILD_ID_MAX] = { 0 };

	if (!a_size || !b_size || a_size > BUILD_ID_MAX || b_size > BUILD_ID_MAX)
		return false;
	memcpy(x, a, a_size);
	memcpy(y, b, b_size);
	return !memcmp(x, y, sizeof(x));
}
