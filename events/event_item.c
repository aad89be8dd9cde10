/* SPDX-License-Identifier: MIT */
#include "events/event_item.h"

int event_item_split(struct span text, struct event_item *ret, struct perr *e)
{
	static const char mark[] = "key=";
	const u8 *slash, *end = text.p + text.n, *key;

	*ret = (struct event_item){ .optional = text.n && text.p[0] == '?' };
	text = span_of(text.p + ret->optional, text.n - ret->optional);
	slash = text.n ? memchr(text.p, '/', text.n) : NULL;
	ret->name = span_of(text.p, slash ? (size_t)(slash - text.p) : text.n);
	if (!slash)
		return 0;
	if (end == slash + 1 || end[-1] != '/')
		return perr_set(e, PERR_USAGE, "event '%.*s': its condition ends with /",
				(int)(text.n < 80 ? text.n : 80), (const char *)text.p);
	ret->condition = span_of(slash + 1, (size_t)(end - slash) - 2);
	/* the last part that begins with key= is no condition */
	for (key = slash; key; key = memmem(key + 1, (size_t)(end - key) - 1, "/", 1)) {
		if ((size_t)(end - key) <= sizeof(mark) || memcmp(key + 1, mark, sizeof(mark) - 1))
			continue;
		ret->condition.n = key > slash ? (size_t)(key - slash) - 1 : 0;
		ret->key = span_of(key + sizeof(mark), (size_t)(end - key) - sizeof(mark) - 1);
		return 0;
	}
	return 0;
}
