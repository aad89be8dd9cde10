/* SPDX-License-Identifier: MIT */
#include "report/table/sort_key.h"

#include <strings.h>

#include "report/table/key_text.h"
#include "report/table/sort_trace.h"

/* Finds the first key whose name begins with the text in any case, as perf does. */
static const struct sort_key *find_key(const struct sort_key *keys, size_t nr, const char *name,
				       size_t len)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncasecmp(keys[i].name, name, len))
			return &keys[i];
	return NULL;
}

const struct sort_key *sort_key_find(const char *name, size_t len, enum table_mode mode)
{
	const struct sort_key *keys, *k;
	size_t nr;

	keys = sort_keys_place(&nr);
	/* first, so that "sym" is `symbol` and not a key of another family that begins so */
	k = find_key(keys, nr, name, len);
	if (k)
		return k;
	keys = sort_keys_common(&nr);
	k = find_key(keys, nr, name, len);
	if (k)
		return k;
	if (mode == TABLE_BRANCH) {
		keys = sort_keys_branch(&nr);
		return find_key(keys, nr, name, len);
	}
	if (mode == TABLE_MEMORY) {
		keys = sort_keys_memory(&nr);
		return find_key(keys, nr, name, len);
	}
	return NULL;
}

static void offer_keys(struct nearest_name *near, const struct sort_key *keys, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		nearest_offer(near, keys[i].name);
}

void sort_keys_offer(struct nearest_name *near, enum table_mode mode)
{
	const struct sort_key *keys;
	size_t nr;

	keys = sort_keys_place(&nr);
	offer_keys(near, keys, nr);
	keys = sort_keys_common(&nr);
	offer_keys(near, keys, nr);
	if (mode == TABLE_BRANCH)
		keys = sort_keys_branch(&nr);
	else if (mode == TABLE_MEMORY)
		keys = sort_keys_memory(&nr);
	else
		return;
	offer_keys(near, keys, nr);
}

int sort_key_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	const struct sort_key *key = k->key;

	if (a == b)
		return 0;
	if (key->order)
		return key->order(d, k, a, b);
	if (key->flags & KEY_TEXT) {
		if (!a || !b) /* none comes last */
			return a ? -1 : 1;
		return strcmp(hist_text(d, a), hist_text(d, b));
	}
	if (key->flags & KEY_ADDR)
		return key_addr_order(a, b);
	return (a < b) == !(key->flags & KEY_DESC) ? -1 : 1;
}

int sort_key_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b)
{
	if (a == b)
		return 0;
	return k->key->sort ? k->key->sort(d, k, a, b) : sort_key_order(d, k, a, b);
}

void sort_key_print(struct hist_data *d, struct out *o, const struct key_cell *c)
{
	if (c->k->key->print)
		c->k->key->print(d, o, c);
	else
		key_print_text(o, hist_text(d, c->id), c->width);
}

int sort_key_width(struct hist_data *d, const struct key_cell *c)
{
	const struct sort_key *key = c->k->key;

	if (key->width)
		return key->width(d, c);
	if (key->flags & KEY_TEXT) {
		int len = (int)strlen(hist_text(d, c->id));

		return len > key->least_width ? len : key->least_width;
	}
	return key->least_width;
}

const char *sort_key_header(const struct key_inst *k)
{
	return k->field ? k->field->name : k->key->header;
}

bool sort_key_is_long(const struct sort_key *key)
{
	return key->flags & (KEY_SYMBOL | KEY_LINE | KEY_TRACE) || strstr(key->name, "symbol") ||
	       strstr(key->name, "srcline");
}
