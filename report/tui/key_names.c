/* SPDX-License-Identifier: MIT */
#include "report/tui/key_names.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "report/tui/screen.h"

static const struct {
	const char *name;
	int key;
} names[] = {
	{ "Up", TKEY_ARROW_UP },     { "Down", TKEY_ARROW_DOWN },
	{ "Left", TKEY_ARROW_LEFT }, { "Right", TKEY_ARROW_RIGHT },
	{ "PgUp", TKEY_PAGE_UP },    { "PgDn", TKEY_PAGE_DOWN },
	{ "Home", TKEY_TO_START },   { "End", TKEY_TO_END },
	{ "Tab", TKEY_TABULATOR },   { "Shift-Tab", TKEY_BACK_TAB },
	{ "Enter", TKEY_RETURN },    { "Esc", TKEY_ESCAPE },
	{ "Backspace", TKEY_ERASE }, { "Space", ' ' },
	{ "F1", TKEY_FUNCTION_1 },   { "Resize", TKEY_RESIZED },
	{ "Click", TKEY_CLICK },     { "Drag", TKEY_DRAG },
};

void key_name_put(int key, struct out *o)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].key == key) {
			out_str(o, names[i].name);
			return;
		}
	if (key >= TKEY_FUNCTION_1 && key <= TKEY_FUNCTION_LAST)
		out_printf(o, "F%d", key - TKEY_FUNCTION_1 + 1);
	else if (key > 0 && key < 32)
		out_printf(o, "^%c", key + 64);
	else if (key < 127)
		out_char(o, (char)key);
}

static int find_name(const char *word, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i].name) == n && !memcmp(names[i].name, word, n))
			return names[i].key;
	return TKEY_NONE;
}

int key_names_parse(const char *text, int **ret, size_t *ret_nr, struct perr *e)
{
	int *keys = NULL, key;
	size_t nr = 0, cap = 0;

	for (const char *s = text; *s;) {
		size_t n = strcspn(s, " ");

		key = find_name(s, n);
		if (key != TKEY_NONE) {
			vec_push(keys, nr, cap, key);
		} else if (n == 2 && *s == '^' && isalpha((u8)s[1])) {
			key = TKEY_CTRL(s[1]);
			vec_push(keys, nr, cap, key);
		} else if (n <= 2 && *s == '^') {
			free(keys);
			return perr_set(e, PERR_USAGE, "expected a letter after ^ in '%s'", text);
		} else {
			for (size_t i = 0; i < n; i++) {
				key = (u8)s[i];
				vec_push(keys, nr, cap, key);
			}
		}
		s += n + strspn(s + n, " ");
	}
	*ret = keys;
	*ret_nr = nr;
	return 0;
}
