/* SPDX-License-Identifier: MIT */
/* Search in the lines of code, and the lines as a file. */
#include <errno.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/code/code_view_priv.h"

#define NAME_MAX_LEN 200 /* bytes of a function's name in a file's name */
#define MOST_FILES 1000

void code_search(struct code_view *v, struct tui *t, const char *text, int direction)
{
	size_t nr = v->lines.nr, found = 0, first = nr, place;
	struct out scratch;

	if (text && *text) {
		free(v->pattern);
		v->pattern = xstrdup(text);
	}
	if (!v->pattern) {
		tui_say(t, "no search yet: /");
		return;
	}
	out_init_mem(&scratch);
	for (size_t i = 1; i <= nr; i++) {
		size_t at = (v->at + (direction > 0 ? i : nr - i)) % nr;

		scratch.len = 0;
		code_put_line(v, &v->lines.lines[at], true, &scratch);
		if (!code_find_text(v, scratch.buf, scratch.len, &place))
			continue;
		found++;
		if (first == nr)
			first = at;
	}
	out_fini(&scratch);
	if (!found) {
		tui_warn(t, "%s is in no line%s", v->pattern,
			 v->in->look.source ? "" : " that is shown; s shows source lines");
		return;
	}
	tui_say(t, "%s: in %zu line%s%s", v->pattern, found, found > 1 ? "s" : "",
		direction > 0 ? (first <= v->at ? ", from the start again" : "")
			      : (first >= v->at ? ", from the end again" : ""));
	v->at = first;
}

static void put_lines(struct code_view *v, struct out *o)
{
	annot_put_event(o, &v->page);
	out_printf(o, "\n%s  %s [Percent: %s]\n", v->func.name, v->code.object,
		   annot_percent_text(v->in->look.style.percent));
	for (size_t i = 0; i < v->lines.nr; i++) {
		const struct code_line *l = &v->lines.lines[i];
		const struct annot_insn *in = &v->code.insns[l->insn];

		bool any = annot_put_columns(o, &v->page, in->vaddr, l->number ? 0 : in->len, !i);

		out_str(o, "│");
		code_put_cycles(v, l, !i && !any, o);
		code_put_line(v, l, true, o);
		out_char(o, '\n');
	}
}

static void write_to(struct code_view *v, struct tui *t, FILE *f, const char *path)
{
	struct out lines, o;

	out_init_mem(&lines); /* code_put_line() takes blanks away again */
	put_lines(v, &lines);
	out_init(&o, f);
	out_raw(&o, lines.buf, lines.len);
	out_fini(&lines);
	if (out_fini(&o) | fclose(f))
		tui_warn(t, "%s could not be written whole: %m", path);
	else
		tui_say(t, "%zu lines were written to %s", v->lines.nr, path);
}

void code_write(struct code_view *v, struct tui *t)
{
	char *path = xasprintf("%.*s.annotation", NAME_MAX_LEN, v->func.name);
	FILE *f = NULL;

	/* a name from a recording stays in this folder, and is no hidden file */
	for (char *s = path; *s; s++)
		if (*s == '/' || (u8)*s < ' ' || (s == path && *s == '.'))
			*s = '_';
	for (int i = 0; i < MOST_FILES && !f; i++) {
		char *name = i ? xasprintf("%s.%d", path, i) : xstrdup(path);

		f = fopen(name, "wxe");
		if (f)
			write_to(v, t, f, name);
		else if (errno != EEXIST)
			tui_warn(t, "%s was not written: %m", name);
		i = !f && errno != EEXIST ? MOST_FILES : i;
		free(name);
	}
	free(path);
}
