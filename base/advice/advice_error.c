/* SPDX-License-Identifier: MIT */
#include "base/advice/advice_error.h"

#include "base/mem.h"

void perr_add_advice(struct perr *e, enum advice_id id, const struct advice_fact *facts)
{
	char *text;
	size_t n;

	if (!e)
		return;
	n = strlen(e->text);
	text = advice_text(id, facts);
	snprintf(e->text + n, sizeof(e->text) - n, "\n  %s", text);
	free(text);
}

void perr_add_advice_of(struct perr *e, enum advice_id id, const char *name, const char *value)
{
	const struct advice_fact facts[] = { { name, value }, { NULL, NULL } };

	perr_add_advice(e, id, facts);
}

void perr_add_advice_number(struct perr *e, enum advice_id id, const char *name, s64 value)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)value);
	perr_add_advice_of(e, id, name, text);
}

char *advice_text_number(enum advice_id id, const char *name, s64 value)
{
	char text[24];
	const struct advice_fact facts[] = { { name, text }, { NULL, NULL } };

	snprintf(text, sizeof(text), "%lld", (long long)value);
	return advice_text(id, facts);
}
