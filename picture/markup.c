/* SPDX-License-Identifier: MIT */
#include "picture/markup.h"

#include "base/screen/escape.h"

/* U+FFFE and U+FFFF are valid UTF-8, but no characters of XML: ef bf be, ef bf bf. */
static bool is_no_character(const char *s, size_t n)
{
	return n >= 3 && (u8)s[0] == 0xef && (u8)s[1] == 0xbf && (u8)s[2] >= 0xbe;
}

/* How many of the first bytes are clean. */
static size_t clean_part(const char *s, size_t n)
{
	size_t len = escape_free(s, n, false);
	const char *p = s;

	while ((p = memchr(p, 0xef, len - (size_t)(p - s))) != NULL) {
		if (is_no_character(p, len - (size_t)(p - s)))
			return (size_t)(p - s);
		p++;
	}
	return len;
}

const char *markup_clean(const char *s, struct out *room)
{
	size_t n = strlen(s), len = clean_part(s, n);
	char code[ESCAPE_MAX];
	size_t code_len;

	if (len == n)
		return s;
	room->len = 0;
	for (;;) {
		out_raw(room, s, len);
		s += len;
		n -= len;
		if (!n)
			break;
		if (is_no_character(s, n)) {
			out_str(room, "\\ufff");
			out_char(room, (u8)s[2] == 0xbe ? 'e' : 'f');
			len = 3;
		} else {
			len = escape_char(s, n, false, code, &code_len);
			out_raw(room, code, code_len);
		}
		s += len;
		n -= len;
		len = clean_part(s, n);
	}
	out_char(room, '\0');
	return room->buf;
}

static const char *entity_of(char c)
{
	switch (c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

static const bool is_markup[256] = {
	['&'] = true, ['<'] = true, ['>'] = true, ['"'] = true, ['\''] = true,
};

void markup_put(struct out *o, const char *clean, size_t n)
{
	size_t i, end;

	for (i = 0; i < n; i = end + 1) {
		for (end = i; end < n && !is_markup[(u8)clean[end]]; end++)
			;
		out_raw(o, clean + i, end - i);
		if (end == n)
			return;
		out_raw(o, entity_of(clean[end]), strlen(entity_of(clean[end])));
	}
}

void markup_put_name(struct out *o, const char *s)
{
	struct out room;
	const char *clean;

	out_init_mem(&room);
	clean = markup_clean(s, &room);
	markup_put(o, clean, strlen(clean));
	out_fini(&room);
}
