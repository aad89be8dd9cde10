/* SPDX-License-Identifier: MIT */
#include "base/nearest_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int m = a < b ? a : b;

	return m < c ? m : c;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

unsigned int edit_distance(const char *a, const char *b, unsigned int limit)
{
	/* the last three rows of the table of distances: two are needed for swapped neighbours */
	unsigned int rows[3][NEAREST_NAME_LEN];
	size_t na = strnlen(a, NEAREST_NAME_LEN - 1), nb = strnlen(b, NEAREST_NAME_LEN - 1);

	if ((na > nb ? na - nb : nb - na) > limit)
		return limit + 1;
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = (unsigned int)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned int *row = rows[i % 3], *up = rows[(i - 1) % 3], *up2 = rows[(i + 1) % 3];
		unsigned int least = row[0] = (unsigned int)i;

		for (size_t j = 1; j <= nb; j++) {
			bool same = same_letter(a[i - 1], b[j - 1]);

			row[j] = min3(up[j] + 1, row[j - 1] + 1, up[j - 1] + !same);
			if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
			    same_letter(a[i - 2], b[j - 1]) && up2[j - 2] + 1 < row[j])
				row[j] = up2[j - 2] + 1;
			if (row[j] < least)
				least = row[j];
		}
		if (least > limit)
			return limit + 1;
	}
	return rows[na % 3][nb] > limit ? limit + 1 : rows[na % 3][nb];
}

void nearest_init(struct nearest_name *n, const char *wanted, size_t len)
{
	n->nr = 0;
	if (len >= sizeof(n->wanted))
		len = sizeof(n->wanted) - 1;
	memcpy(n->wanted, wanted, len);
	n->wanted[len] = '\0';
}

void nearest_offer(struct nearest_name *n, const char *name)
{
	size_t len = strnlen(name, NEAREST_NAME_LEN - 1), wanted_len = strlen(n->wanted), at;
	unsigned int limit = (unsigned int)(len > wanted_len ? len : wanted_len) / 3;
	unsigned int d;

	if (!len || !wanted_len)
		return;
	d = edit_distance(n->wanted, name, limit ? limit : 1);
	if (d > (limit ? limit : 1)) {
		/*
		 * a name that contains the wanted one, or is part of it, is a guess, too, but ranks
		 * below names that differ by a few letters
		 */
		if (wanted_len < 3 || len < 3 ||
		    (!strcasestr(name, n->wanted) && !strcasestr(n->wanted, name)))
			return;
		d = NEAREST_NAME_LEN +
		    (unsigned int)(len > wanted_len ? len - wanted_len : wanted_len - len);
	}
	for (at = 0; at < n->nr; at++)
		if (!strncmp(n->best[at].name, name, NEAREST_NAME_LEN - 1))
			return;
	at = n->nr;
	while (at && n->best[at - 1].distance > d)
		at--;
	if (at == NEAREST_MAX)
		return;
	if (n->nr < NEAREST_MAX)
		n->nr++;
	memmove(&n->best[at + 1], &n->best[at], (n->nr - 1 - at) * sizeof(n->best[0]));
	snprintf(n->best[at].name, sizeof(n->best[at].name), "%s", name);
	n->best[at].distance = d;
}

size_t nearest_text(const struct nearest_name *n, char *ret, size_t size)
{
	size_t used = 0, i;

	if (size)
		ret[0] = '\0';
	for (i = 0; i < n->nr; i++) {
		size_t need = strlen(n->best[i].name) + (i ? 2 : 0);

		if (used + need >= size)
			break;
		used += (size_t)snprintf(ret + used, size - used, "%s%s", i ? ", " : "",
					 n->best[i].name);
	}
	return i;
}

void nearest_hint(const struct nearest_name *n, char *ret, size_t size)
{
	static const char before[] = " (nearest: ";
	size_t at = sizeof(before) - 1;

	if (size <= at + 1 || !nearest_text(n, ret + at, size - at - 1)) {
		if (size)
			ret[0] = '\0';
		return;
	}
	memcpy(ret, before, at);
	at += strlen(ret + at);
	ret[at] = ')';
	ret[at + 1] = '\0';
}
