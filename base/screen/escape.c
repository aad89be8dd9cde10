/* SPDX-License-Identifier: MIT */
#include "base/screen/escape.h"

#include <stdio.h>
#include <string.h>

struct range {
	u32 first, last;
};

/* Characters that are not shown themselves but change what others look like. */
static const struct range hidden[] = {
	{ 0x80, 0x9f },     { 0xad, 0xad },     { 0x61c, 0x61c },     { 0x115f, 0x1160 },
	{ 0x17b4, 0x17b5 }, { 0x180e, 0x180e }, { 0x200b, 0x200f },   { 0x2028, 0x202e },
	{ 0x2060, 0x206f }, { 0x3164, 0x3164 }, { 0xfeff, 0xfeff },   { 0xffa0, 0xffa0 },
	{ 0xfff9, 0xfffb }, { 0xfffe, 0xffff }, { 0xe0000, 0xe0fff },
};

/* Characters that are drawn over the one before. */
static const struct range combining[] = {
	{ 0x300, 0x36f },   { 0x483, 0x489 },   { 0x591, 0x5bd },   { 0x610, 0x61a },
	{ 0x64b, 0x65f },   { 0x6d6, 0x6dc },   { 0x900, 0x902 },   { 0x93c, 0x93c },
	{ 0x941, 0x948 },   { 0x94d, 0x94d },   { 0xe31, 0xe31 },   { 0xe34, 0xe3a },
	{ 0xe47, 0xe4e },   { 0x1ab0, 0x1aff }, { 0x1dc0, 0x1dff }, { 0x20d0, 0x20f0 },
	{ 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f },
};

/* Characters two columns wide. */
static const struct range wide[] = {
	{ 0x1100, 0x115e },   { 0x231a, 0x231b },   { 0x2e80, 0x303e },   { 0x3041, 0x33ff },
	{ 0x3400, 0x4dbf },   { 0x4e00, 0xa4cf },   { 0xa960, 0xa97c },   { 0xac00, 0xd7a3 },
	{ 0xf900, 0xfaff },   { 0xfe30, 0xfe6f },   { 0xff01, 0xff60 },   { 0xffe0, 0xffe6 },
	{ 0x1f300, 0x1f64f }, { 0x1f680, 0x1f6ff }, { 0x1f900, 0x1f9ff }, { 0x20000, 0x3fffd },
};

static bool is_in(const struct range *ranges, size_t nr, u32 c)
{
	for (size_t i = 0; i < nr && c >= ranges[i].first; i++)
		if (c <= ranges[i].last)
			return true;
	return false;
}

/* Length of the UTF-8 character at s, and the character; 0 if the bytes are none. */
static size_t decode(const u8 *s, size_t n, u32 *ret)
{
	static const u32 least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	u32 c = len == 1 ? s[0] : s[0] & (0x7fu >> len);

	if (!len || len > n || s[0] > 0xf4)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		return 0;
	*ret = c;
	return len;
}

static bool is_plain_ascii(u8 c)
{
	return c >= ' ' && c < 0x7f;
}

size_t escape_free(const char *s, size_t n, bool ascii)
{
	const u8 *p = (const u8 *)s;
	size_t i = 0, len;
	u32 c;

	while (i < n) {
		if (is_plain_ascii(p[i])) {
			i++;
			continue;
		}
		if (p[i] < 0x80 || ascii)
			break;
		len = decode(p + i, n - i, &c);
		if (!len || is_in(hidden, ARRAY_SIZE(hidden), c))
			break;
		i += len;
	}
	return i;
}

size_t escape_char(const char *s, size_t n, bool ascii, char to[ESCAPE_MAX], size_t *ret_len)
{
	static const char letters[] = { ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't' };
	char text[ESCAPE_MAX + 1];
	u8 first = (u8)*s;
	size_t used = 1;
	int len;
	u32 c;

	if (first < sizeof(letters) && letters[first])
		len = snprintf(text, sizeof(text), "\\%c", letters[first]);
	else if (first < 0x80 || ascii || !(used = decode((const u8 *)s, n, &c)))
		len = snprintf(text, sizeof(text), "\\x%02x", first);
	else
		len = snprintf(text, sizeof(text), c > 0xffff ? "\\U%08x" : "\\u%04x", c);
	memcpy(to, text, (size_t)len);
	*ret_len = (size_t)len;
	return used ? used : 1;
}

/* Columns of the character at s; its bytes in *ret_len. */
static size_t columns_at(const char *s, size_t n, size_t *ret_len)
{
	u32 c;
	size_t len = decode((const u8 *)s, n, &c);

	*ret_len = len ? len : 1;
	if (!len || c < 0x300)
		return 1;
	if (is_in(combining, ARRAY_SIZE(combining), c))
		return 0;
	return is_in(wide, ARRAY_SIZE(wide), c) ? 2 : 1;
}

size_t escape_columns(const char *s, size_t n)
{
	size_t columns = 0, len;

	for (size_t i = 0; i < n; i += len)
		columns += columns_at(s + i, n - i, &len);
	return columns;
}

size_t escape_fits(const char *s, size_t n, size_t columns)
{
	size_t used = 0, i, len;

	for (i = 0; i < n; i += len) {
		used += columns_at(s + i, n - i, &len);
		if (used > columns)
			break;
	}
	return i;
}

size_t escape_fits_at_end(const char *s, size_t n, size_t columns)
{
	size_t left = escape_columns(s, n), i, len;

	for (i = 0; i < n && left > columns; i += len)
		left -= columns_at(s + i, n - i, &len);
	/* what was drawn over a character that is left out is left out as well */
	while (i < n && !columns_at(s + i, n - i, &len))
		i += len;
	return n - i;
}
