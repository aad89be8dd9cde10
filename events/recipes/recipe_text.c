/* SPDX-License-Identifier: MIT */
#include "events/recipes/recipe_text.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/mem.h"
#include "events/text_list.h"

#define MAX_RECIPES 10000
#define MAX_STEPS 16

struct parser {
	struct recipes *all;
	const char *file; /* NULL: plat's own */
	u32 line;
	bool open; /* the last recipe goes on */
	bool has_then, has_end, is_count;
	const u8 *start; /* of the recipe's text */
};

/* A word in the text, of at most 60 bytes, for a message. */
#define SHORT(s) (int)((s).n < 60 ? (s).n : 60), (const char *)(s).p

static int fail(const struct parser *p, struct perr *e, const char *format, ...) PRINTF_LIKE(3, 4);

static int fail(const struct parser *p, struct perr *e, const char *format, ...)
{
	char buf[240];
	va_list ap;

	va_start(ap, format);
	vsnprintf(buf, sizeof(buf), format, ap);
	va_end(ap);
	return perr_set(e, PERR_FORMAT, "%.200s:%u: %s", p->file ? p->file : "plat", p->line, buf);
}

static struct span trim(struct span s)
{
	while (s.n && (s.p[0] == ' ' || s.p[0] == '\t'))
		s = span_of(s.p + 1, s.n - 1);
	while (s.n && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t' || s.p[s.n - 1] == '\r'))
		s.n--;
	return s;
}

static bool is_word(struct span s, const char *word)
{
	return s.n == strlen(word) && !memcmp(s.p, word, s.n);
}

/* Takes the first word of a line. */
static struct span take_word(struct span *line)
{
	struct span word = *line;

	for (word.n = 0; word.n < line->n && line->p[word.n] != ' ' && line->p[word.n] != '\t';)
		word.n++;
	*line = trim(span_of(line->p + word.n, line->n - word.n));
	return word;
}

static char *copy(struct span s)
{
	return xstrndup((const char *)s.p, s.n);
}

/* ---- events ---- */

/* The place of " if " outside of quotes; SIZE_MAX: there is none. */
static size_t find_if(struct span s)
{
	u8 quote = 0;

	for (size_t i = 0; i < s.n; i++) {
		u8 c = s.p[i];

		if (quote)
			quote = c == quote ? 0 : quote;
		else if (c == '\'' || c == '"')
			quote = c;
		else if (i + 4 <= s.n && !memcmp(s.p + i, " if ", 4))
			return i;
	}
	return SIZE_MAX;
}

static int check_event(const struct parser *p, struct span name, struct span key, struct span cond,
		       struct perr *e)
{
	if (!name.n || (name.n == 1 && name.p[0] == '?'))
		return fail(p, e, "an event is expected");
	for (size_t i = 0; i < name.n; i++)
		if (name.p[i] == '/' || name.p[i] == ',' || name.p[i] == '\'' || name.p[i] == '"')
			return fail(p, e, "one event: '%.*s'", SHORT(name));
	/* what separates events in a list of -b and -e */
	if (key.n && memchr(key.p, '/', key.n))
		return fail(p, e, "key: an expression without /");
	if (cond.n && (memmem(cond.p, cond.n, "/,", 2) || memmem(cond.p, cond.n, "/key=", 5)))
		return fail(p, e, "if: '/,' and '/key=' cannot be in a condition");
	return 0;
}

/* "EVENT [key K] [if C]" as "EVENT/C/key=K/"; for free(). */
static int parse_event(const struct parser *p, struct span rest, char **ret, struct perr *e)
{
	struct span name = take_word(&rest), key = { 0 }, cond = { 0 };
	struct span line = rest, word = take_word(&rest);
	int err;

	if (is_word(word, "key")) {
		size_t at = find_if(rest);

		key = trim(span_of(rest.p, at == SIZE_MAX ? rest.n : at));
		cond = at == SIZE_MAX ? (struct span){ 0 }
				      : trim(span_of(rest.p + at + 4, rest.n - at - 4));
		if (!key.n || (at != SIZE_MAX && !cond.n))
			return fail(p, e, "an expression is expected");
	} else if (is_word(word, "if")) {
		cond = rest;
		if (!cond.n)
			return fail(p, e, "if: a condition is expected");
	} else if (line.n) {
		return fail(p, e, "key or if is expected behind the event, not '%.*s'",
			    SHORT(word));
	}
	err = check_event(p, name, key, cond, e);
	if (err)
		return err;
	*ret = xasprintf("%.*s%s%.*s%s%.*s%s", (int)name.n, (const char *)name.p,
			 key.n || cond.n ? "/" : "", (int)cond.n, (const char *)cond.p,
			 key.n && cond.n ? "/key="
			 : key.n         ? "key="
					 : "",
			 (int)key.n, (const char *)key.p, key.n || cond.n ? "/" : "");
	return 0;
}

/* Adds to a list of alternatives. */
static void append(char **list, char *item)
{
	char *before = *list;

	*list = before ? xasprintf("%s,%s", before, item) : xstrdup(item);
	free(before);
	free(item);
}

static void add_step(struct recipe *r, char *text)
{
	r->ends = xrealloc(r->ends, (r->nr_ends + 1) * sizeof(*r->ends));
	r->ends[r->nr_ends++] = text;
}

static int take_event(struct parser *p, struct recipe *r, struct span word, struct span rest,
		      struct perr *e)
{
	bool begins = is_word(word, "begin"), then = is_word(word, "then");
	bool counts = is_word(word, "count");
	char *item = NULL;
	int err;

	if (counts ? r->begin || p->has_end : p->is_count)
		return fail(p, e, "begin and end, or count");
	if (begins && r->nr_ends)
		return fail(p, e, "begin stands in front of then and end");
	if (!begins && !counts && !r->begin)
		return fail(p, e, "begin stands in front of then and end");
	if (then && p->has_end)
		return fail(p, e, "then stands in front of end");
	if (then && r->nr_ends == MAX_STEPS - 1)
		return fail(p, e, "at most %d events follow each other", MAX_STEPS);
	err = parse_event(p, rest, &item, e);
	if (err)
		return err;
	if (begins)
		append(&r->begin, item);
	else if (then || counts || !p->has_end)
		add_step(r, item);
	else
		append(&r->ends[r->nr_ends - 1], item);
	p->is_count |= counts;
	p->has_end |= !begins && !then && !counts;
	return 0;
}

/* ---- other lines ---- */

/* Options of prec that say what is recorded; others write files and run commands. */
static int check_record(const struct parser *p, struct span words, struct perr *e)
{
	static const struct {
		const char *name;
		bool has_arg;
	} known[] = { { "-a", false },         { "-g", false },
		      { "-e", true },          { "--call-graph", true },
		      { "--user-regs", true }, { "-c", true },
		      { "-F", true },          { "--filter", true },
		      { "--off-cpu", false },  { "--switch-events", false } };
	bool is_value = false;
	struct span word;

	while (text_list_next(&words, ' ', false, &word)) {
		const u8 *equals = word.n ? memchr(word.p, '=', word.n) : NULL;
		struct span name = span_of(word.p, equals ? (size_t)(equals - word.p) : word.n);
		size_t i = 0;

		if (is_value || !word.n) {
			is_value = is_value && !word.n;
			continue;
		}
		while (i < ARRAY_SIZE(known) && !is_word(name, known[i].name))
			i++;
		if (i == ARRAY_SIZE(known) || (equals && (name.n == 2 || !known[i].has_arg)))
			return fail(p, e,
				    "record: '%.*s' is not among -a -g -e -c -F --filter "
				    "--call-graph --user-regs --off-cpu --switch-events",
				    SHORT(word));
		is_value = known[i].has_arg && !equals;
	}
	return is_value ? fail(p, e, "record: the last option lacks its value") : 0;
}

static int set_once(const struct parser *p, char **to, struct span word, struct span rest,
		    struct perr *e)
{
	if (*to)
		return fail(p, e, "a second line '%.*s'", SHORT(word));
	if (!rest.n)
		return fail(p, e, "'%.*s' lacks its value", SHORT(word));
	*to = copy(rest);
	return 0;
}

static int set_flag(const struct parser *p, bool *to, struct span word, struct span rest,
		    struct perr *e)
{
	if (rest.n)
		return fail(p, e, "nothing follows '%.*s'", SHORT(word));
	*to = true;
	return 0;
}

static int take_record_line(const struct parser *p, struct recipe *r, struct span rest,
			    struct perr *e)
{
	int err = r->record ? fail(p, e, "a second line 'record'") : check_record(p, rest, e);

	if (!err)
		r->record = xasprintf("prec %.*s", (int)rest.n, (const char *)rest.p);
	return err;
}

static int take_line(struct parser *p, struct span word, struct span rest, struct perr *e)
{
	struct recipe *r = &p->all->v[p->all->nr - 1];

	if (is_word(word, "begin") || is_word(word, "then") || is_word(word, "end") ||
	    is_word(word, "count"))
		return take_event(p, r, word, rest, e);
	if (is_word(word, "by"))
		return set_once(p, &r->by, word, rest, e);
	if (is_word(word, "value"))
		return set_once(p, &r->value, word, rest, e);
	if (is_word(word, "nest"))
		return set_flag(p, &r->nest, word, rest, e);
	if (is_word(word, "cycle"))
		return set_flag(p, &r->cycle, word, rest, e);
	if (is_word(word, "whole-system"))
		return set_flag(p, &r->whole_system, word, rest, e);
	if (is_word(word, "record"))
		return take_record_line(p, r, rest, e);
	if (is_word(word, "analysis") && !p->file)
		return set_flag(p, &p->has_end, word, rest, e);
	return fail(p, e, "no line of a recipe begins with '%.*s'", SHORT(word));
}

/* ---- recipes ---- */

static int end_recipe(struct parser *p, const u8 *end, struct perr *e)
{
	struct recipe *r;

	if (!p->open)
		return 0;
	p->open = false;
	r = &p->all->v[p->all->nr - 1];
	r->text = copy(trim(span_of(p->start, (size_t)(end - p->start))));
	if (!p->has_end && !p->is_count)
		return fail(p, e, "recipe '%.40s' ends without %s", r->name,
			    r->begin ? "end" : "begin or count");
	if ((p->is_count && (r->nest || r->cycle)) || (!p->is_count && r->value))
		return fail(p, e, "recipe '%.40s': nest and cycle go with begin, value with count",
			    r->name);
	return 0;
}

/* Names are words of a command line. */
static bool is_name(struct span s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!(s.p[i] >= 'a' && s.p[i] <= 'z') && !(s.p[i] >= '0' && s.p[i] <= '9') &&
		    (s.p[i] != '-' || !i))
			return false;
	return s.n && s.n <= 40;
}

static int begin_recipe(struct parser *p, struct span rest, struct perr *e)
{
	struct span name = take_word(&rest);
	struct recipe r = { 0 };
	const struct recipe *old;

	if (!is_name(name))
		return fail(p, e, "a name of a-z, 0-9 and - is expected, not '%.*s'", SHORT(name));
	if (rest.n < 2 || rest.p[0] != '"' || rest.p[rest.n - 1] != '"')
		return fail(p, e, "recipe %.*s \"what it shows\" is expected", SHORT(name));
	if (p->all->nr >= MAX_RECIPES)
		return fail(p, e, "at most %d recipes", MAX_RECIPES);
	r.name = copy(name);
	old = recipes_find(p->all, r.name);
	if (p->file && old && !old->nr_ends) {
		free(r.name);
		return fail(p, e, "'%.*s' is an analysis of plat's own", SHORT(name));
	}
	r.about = copy(span_of(rest.p + 1, rest.n - 2));
	r.file = p->file ? xstrdup(p->file) : NULL;
	vec_push(p->all->v, p->all->nr, p->all->cap, r);
	p->open = true;
	p->has_end = p->is_count = false;
	return 0;
}

/* A recipe with a mistake is not kept. */
static void drop_last(struct recipes *all)
{
	struct recipes last = { 0 };

	vec_push(last.v, last.nr, last.cap, all->v[--all->nr]);
	recipes_fini(&last);
}

static int parse_line(struct parser *p, struct span line, const u8 *start, struct perr *e)
{
	struct span word;
	int err;

	line = trim(line);
	if (memchr(line.n ? (const void *)line.p : "", 0, line.n))
		return fail(p, e, "a line holds a NUL");
	if (!line.n || line.p[0] == '#')
		return 0;
	word = take_word(&line);
	if (!is_word(word, "recipe"))
		return p->open ? take_line(p, word, line, e)
			       : fail(p, e, "recipe NAME \"...\" is expected");
	err = end_recipe(p, start, e);
	if (err) {
		drop_last(p->all);
		return err;
	}
	p->start = start;
	return begin_recipe(p, line, e);
}

int recipe_text_parse(struct recipes *r, const char *file, struct span text, struct perr *e)
{
	struct parser p = { .all = r, .file = file };
	int err = 0;

	while (text.n && !err) {
		const u8 *end = memchr(text.p, '\n', text.n);
		size_t n = end ? (size_t)(end - text.p) : text.n;

		p.line++;
		err = parse_line(&p, span_of(text.p, n), text.p, e);
		n += end != NULL;
		text = span_of(text.p + n, text.n - n);
	}
	if (err && p.open)
		drop_last(r);
	if (err)
		return err;
	err = end_recipe(&p, text.p, e);
	if (err)
		drop_last(r);
	return err;
}
