/* SPDX-License-Identifier: MIT */
#include "events/record_words.h"

#include "base/advice/advice.h"
#include "base/mem.h"
#include "base/option.h"
#include "base/screen/message.h"
#include "events/event_item.h"
#include "events/live.h"
#include "events/text_list.h"
#include "session/common_options.h"

int record_target_command(struct record_target *t, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--") != 0)
			continue;
		t->command = i + 1 < argc ? &argv[i + 1] : NULL;
		return i;
	}
	return argc;
}

const char *record_target_fault(const struct record_target *t, const char *record_file, bool reads,
				bool print_record)
{
	bool live = record_target_given(t);

	if (live && reads)
		return "-a, -p, -t and a command record now: no recording is read";
	if (!live && !print_record && (record_file || t->duration || t->rings || t->flush_ms))
		return "--record, --for, -m and --flush-ms are about recording now: give -a, -p, "
		       "-t or -- COMMAND";
	return NULL;
}

void record_target_interval(const struct record_target *t, const char **input, u64 *ms)
{
	u64 n;

	if (!record_target_given(t) || !*input || parse_u64(*input, 10, 1, 86400000, &n))
		return;
	*ms = n;
	*input = NULL;
}

int record_target_input(const struct record_target *t, const char *operand, const char **input,
			const struct symbols_config *symbols)
{
	struct perr e;

	if (record_target_given(t))
		*input = "-";
	else if (operand)
		*input = operand;
	else if (!*input)
		*input = common_input();
	if (!symbols || !common_check_symbols(symbols, &e))
		return -1;
	message(stderr, "plat: %s\n", e.text);
	return 1;
}

static void add(struct record_words *w, const char *word, size_t n)
{
	vec_push(w->v, w->nr, w->cap, xstrndup(word, n));
}

static void add_text(struct record_words *w, const char *word)
{
	add(w, word, strlen(word));
}

static void add_option(struct record_words *w, const char *name, const char *value)
{
	if (!value)
		return;
	add_text(w, name);
	add_text(w, value);
}

/* Call stacks name objects of processes, which are kept for it; else nothing does. */
static bool has_stacks(const struct record_words *w)
{
	for (size_t i = 0; i < w->nr; i++)
		if (!strcmp(w->v[i], "-g") || !strncmp(w->v[i], "--call-graph", 12))
			return true;
	return false;
}

static bool has(const struct record_words *w, struct span word)
{
	for (size_t i = 0; i < w->nr; i++)
		if (strlen(w->v[i]) == word.n && !memcmp(w->v[i], word.p, word.n))
			return true;
	return false;
}

/* The events of lists, each once. */
static int add_events(struct record_words *w, const char **lists, size_t nr, struct perr *e)
{
	for (size_t i = 0; i < nr; i++) {
		struct span rest = span_of(lists[i], strlen(lists[i])), text;

		while (text_list_next(&rest, ',', true, &text)) {
			struct event_item item;
			int err = event_item_split(text, &item, e);

			if (err)
				return err;
			if (!item.name.n || has(w, item.name))
				continue;
			add_text(w, "-e");
			add(w, (const char *)item.name.p, item.name.n);
		}
	}
	return 0;
}

static bool is_word(struct span word, const char *text)
{
	return word.n == strlen(text) && !memcmp(word.p, text, word.n);
}

/* The words of a recipe's command behind its name, without -a, and without -g if asked to. */
static void add_recipe(struct record_words *w, const struct record_needs *n)
{
	struct span rest = span_of(n->recipe, strlen(n->recipe)), word;

	for (size_t i = 0; text_list_next(&rest, ' ', false, &word); i++)
		if (i && word.n && !is_word(word, "-a") && !(n->no_stacks && is_word(word, "-g")))
			add(w, (const char *)word.p, word.n);
}

static void add_command(struct record_words *w, char **command)
{
	if (command)
		add_text(w, "--");
	for (; command && *command; command++)
		add_text(w, *command);
}

static void add_end(struct record_words *w, const struct record_target *t, bool to_pipe)
{
	if (to_pipe) {
		add_text(w, "-q");
		add_option(w, "-o", "-");
		if (t->command && !t->quiet_command)
			add_option(w, "--command-stdout", LIVE_STDOUT_TEXT);
		if (!has_stacks(w))
			add_text(w, "-N");
	}
	add_command(w, t->command);
	vec_push(w->v, w->nr, w->cap, NULL);
	w->nr--;
}

int record_words_make(struct record_words *w, const struct record_target *t,
		      const struct record_needs *n, bool to_pipe, struct perr *e)
{
	bool all = t->all_cpus || n->whole_system || (!record_target_given(t) && !n->no_target);
	int err = 0;

	*w = (struct record_words){ 0 };
	if (n->whole_system && (t->pids || t->tids))
		return perr_set(e, PERR_USAGE,
				"this analysis needs the events of all threads: use -a instead of "
				"-p and -t");
	add_text(w, "prec");
	if (all)
		add_text(w, "-a");
	add_option(w, "-p", t->pids);
	add_option(w, "-t", t->tids);
	if (n->recipe)
		add_recipe(w, n);
	if (n->stacks && !has(w, span_of("-g", 2)))
		add_text(w, "-g");
	for (size_t i = 0; i < ARRAY_SIZE(n->lists) && !n->recipe && !err; i++)
		err = add_events(w, n->lists[i], n->nr_lists[i], e);
	for (size_t i = 0; i < n->nr_words; i++)
		add_text(w, n->words[i]);
	add_option(w, "--for", t->duration);
	add_option(w, "-m", t->rings);
	add_option(w, "--flush-ms", t->flush_ms);
	if (!err)
		add_end(w, t, to_pipe);
	return err;
}

void record_words_fini(struct record_words *w)
{
	for (size_t i = 0; i < w->nr; i++)
		free(w->v[i]);
	free(w->v);
	*w = (struct record_words){ 0 };
}

void record_words_put(const struct record_words *w, struct out *o)
{
	for (size_t i = 0; i < w->nr; i++) {
		if (i)
			out_char(o, ' ');
		advice_put_word(o, w->v[i]);
	}
	out_char(o, '\n');
}

int record_words_print(record_words_maker *make, const void *options)
{
	struct record_words w = { 0 };
	struct perr e;
	struct out o;
	int status = OPT_STATUS_USAGE;

	if (make(options, false, &w, &e)) {
		message(stderr, "plat: %s\n", e.text);
	} else {
		out_init(&o, stdout);
		record_words_put(&w, &o);
		status = out_fini(&o) ? 1 : 0;
		if (status)
			message(stderr, "plat: cannot write\n");
	}
	record_words_fini(&w);
	return status;
}
