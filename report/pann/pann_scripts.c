/* SPDX-License-Identifier: MIT */
/* What pscript prints of the samples in a function, for the view of its code. */
#include "base/advice/run_program.h"
#include "base/mem.h"
#include "report/pann/annotate_priv.h"
#include "report/tui/tui.h"

#define MOST_MS 20000
#define MOST_BYTES (4 << 20)

/* The choices of the menu; extra: an option of pscript. */
static const struct {
	const char *text, *extra;
} forms[] = {
	{ "Show individual samples", NULL },
	{ "Show individual samples with their instruction", "--fields=+disasm" },
	{ "Show individual samples with their source line", "--fields=+srcline" },
	{ "Show individual samples without callers", "--hide-call-graph" },
};

struct command {
	const char *words[24];
	size_t nr;
	char *made[12]; /* of the words, those to be freed */
	size_t nr_made;
};

static void add_word(struct command *c, const char *word)
{
	c->words[c->nr++] = word;
}

static void add_option(struct command *c, const char *option, const char *value)
{
	if (!value)
		return;
	c->made[c->nr_made] = xasprintf("--%s=%s", option, value);
	add_word(c, c->made[c->nr_made++]);
}

static void make_command(struct command *c, const struct pann_scripts *s, int form)
{
	const struct pann_options *o = s->r->opt;
	char *path = program_beside("pscript");

	c->made[c->nr_made++] = path;
	add_word(c, path);
	add_word(c, "--quality=none");
	if (forms[form].extra)
		add_word(c, forms[form].extra);
	add_option(c, "input", o->input);
	add_option(c, "symfs", o->symbols.symfs);
	add_option(c, "vmlinux", o->symbols.vmlinux);
	add_option(c, "kallsyms", o->symbols.kallsyms);
	add_option(c, "buildid-dir", o->symbols.buildid_dir);
	add_option(c, "time", o->time);
	if (o->symbols.force)
		add_word(c, "--force");
	/* pscript's option takes a list; a name with commas would be several */
	if (!strchr(s->function, ','))
		add_option(c, "symbols", s->function);
	add_word(c, NULL);
}

static void show_samples(void *ctx, struct tui *t, int form)
{
	struct pann_scripts *s = ctx;
	struct command c = { .nr = 0 };
	struct out o;
	char *text;

	make_command(&c, s, form);
	text = run_program(c.words, MOST_MS, MOST_BYTES);
	if (!text) {
		tui_warn(t, "pscript could not be run, or took more than %d s", MOST_MS / 1000);
	} else if (!*text) {
		tui_warn(t, "pscript prints nothing of %s", s->function);
	} else {
		out_init_mem(&o);
		out_raw(&o, text, strlen(text));
		if (o.len == MOST_BYTES)
			out_str(&o, "\n(the rest is left out)\n");
		tui_push(t, view_text_new("Samples", &o));
	}
	free(text);
	for (size_t i = 0; i < c.nr_made; i++)
		free(c.made[i]);
}

void pann_scripts_menu(struct pann_scripts *s, struct tui *t, const char *function)
{
	struct tui_item *items;

	if (!strcmp(s->r->opt->input, "-")) {
		tui_warn(t, "standard input cannot be read again");
		return;
	}
	items = xcalloc(ARRAY_SIZE(forms), sizeof(*items));
	s->function = function;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		items[i].id = (int)i;
		items[i].text = xstrdup(forms[i].text);
	}
	tui_push(t, view_menu_new("Samples of the function, by pscript", items, ARRAY_SIZE(forms),
				  false, show_samples, s));
}
