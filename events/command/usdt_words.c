/* SPDX-License-Identifier: MIT */
#include "events/command/usdt_words.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

/* The last two colons of FILE:PROVIDER:NAME. Returns false if it is none. */
static bool split(const char *arg, const char **ret_provider, const char **ret_name)
{
	const char *name = strrchr(arg, ':'), *provider = name;

	while (provider && provider > arg && provider[-1] != ':')
		provider--;
	if (!name || !name[1] || provider == name || provider < arg + 2)
		return false;
	*ret_provider = provider;
	*ret_name = name + 1;
	return true;
}

static void add(struct usdt_words *u, const char *arg, const char *provider, const char *name)
{
	char *event = xasprintf("sdt_%.*s:%s", (int)(name - 1 - provider), provider, name);

	/* what tracepoints cannot have is _; globs stay */
	for (char *c = event; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("_:*?[]", *c))
			*c = '_';
	vec_push(u->names, u->nr, u->cap, event);
	vec_push(u->words, u->nr_words, u->cap_words, xstrdup("-e"));
	vec_push(u->words, u->nr_words, u->cap_words, xasprintf("usdt:%s", arg));
}

bool usdt_words_take(struct usdt_words *u, int *nr, char **argv)
{
	const char *provider, *name;
	int taken = 0;

	if (!*nr || strcmp(argv[1], "usdt") != 0)
		return false;
	u->asked = true;
	while (taken + 1 < *nr && split(argv[taken + 2], &provider, &name)) {
		add(u, argv[taken + 2], provider, name);
		taken++;
	}
	for (int i = 1; i + taken + 1 <= *nr; i++)
		argv[i] = argv[i + taken + 1];
	*nr -= taken + 1;
	return true;
}

void usdt_words_fini(struct usdt_words *u)
{
	for (size_t i = 0; i < u->nr; i++)
		free(u->names[i]);
	for (size_t i = 0; i < u->nr_words; i++)
		free(u->words[i]);
	free(u->names);
	free(u->words);
	*u = (struct usdt_words){ 0 };
}
