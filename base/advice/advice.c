/* SPDX-License-Identifier: MIT */
#include "base/advice/advice.h"

#include <ctype.h>

#include "base/advice/advice_table.h"
#include "base/mem.h"

const char *advice_use_name(enum advice_use use)
{
	static const char *const names[ADVICE_USES] = {
		[ADVICE_RUN] = "run",     [ADVICE_LOOK] = "look",   [ADVICE_RECORD] = "record",
		[ADVICE_READ] = "read",   [ADVICE_START] = "start", [ADVICE_BUILD] = "build",
		[ADVICE_WORDS] = "words",
	};

	return names[use];
}

const struct advice *advice_get(enum advice_id id)
{
	return &advice_table[id];
}

static const char *usual_words(enum advice_use use)
{
	switch (use) {
	case ADVICE_RECORD: return "record with prec {}";
	case ADVICE_READ: return "read with {}";
	case ADVICE_START: return "start it as {}";
	case ADVICE_BUILD: return "build it with {}";
	case ADVICE_RUN:
	case ADVICE_LOOK:
	case ADVICE_WORDS:
	case ADVICE_USES: break;
	}
	return "{}";
}

void advice_put_word(struct out *o, const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+:@%,=";

	if (*text && strspn(text, plain) == strlen(text)) {
		out_str(o, text);
		return;
	}
	out_char(o, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			out_str(o, "'\\''");
		else
			out_char(o, *text);
	}
	out_char(o, '\'');
}

static const char *find_fact(const struct advice_fact *facts, const char *name, size_t n)
{
	for (; facts && facts->name; facts++)
		if (strlen(facts->name) == n && !memcmp(facts->name, name, n))
			return facts->value;
	return NULL;
}

static void put_fact(struct out *o, const struct advice_fact *facts, const char *name, size_t n,
		     bool quote)
{
	const char *value = find_fact(facts, name, n);

	if (!value)
		for (size_t i = 0; i < n; i++)
			out_char(o, (char)toupper((unsigned char)name[i]));
	else if (quote)
		advice_put_word(o, value);
	else
		out_str(o, value);
}

/* Appends a template. command: what "{}" stands for, NULL in a command itself. */
static void put_template(struct out *o, const char *t, const char *command,
			 const struct advice_fact *facts)
{
	for (const char *end; *t; t = end + 1) {
		size_t n = strcspn(t, "{");

		out_mem(o, t, n);
		t += n;
		end = strchr(t, '}');
		if (!end) {
			out_str(o, t);
			return;
		}
		if (end == t + 1)
			out_str(o, command ? command : "");
		else
			put_fact(o, facts, t + 1, (size_t)(end - t - 1), !command);
	}
}

char *advice_command(enum advice_id id, const struct advice_fact *facts)
{
	struct out o;

	if (!advice_table[id].command)
		return NULL;
	out_init_mem(&o);
	put_template(&o, advice_table[id].command, NULL, facts);
	out_char(&o, 0);
	return o.buf;
}

void advice_put(struct out *o, enum advice_id id, const struct advice_fact *facts)
{
	const struct advice *a = &advice_table[id];
	char *command = advice_command(id, facts);

	put_template(o, a->words ? a->words : usual_words(a->use), command ? command : "", facts);
	free(command);
}

char *advice_text(enum advice_id id, const struct advice_fact *facts)
{
	struct out o;

	out_init_mem(&o);
	advice_put(&o, id, facts);
	out_char(&o, 0);
	return o.buf;
}
