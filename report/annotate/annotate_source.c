/* SPDX-License-Identifier: MIT */
#include "report/annotate/annotate_source.h"

#define CONTEXT 5 /* lines that objdump shows above a line that does not follow a shown one */

struct annot_source {
	const struct annot_code *code;
	struct line_source *lines;
	bool has_lines;
	struct annot_source_file *files;
	size_t nr, cap, last;
};

struct annot_source *annot_source_new(const struct annot_code *c, struct line_source *lines)
{
	struct annot_source *s = xcalloc(1, sizeof(*s));

	s->code = c;
	s->lines = lines;
	s->has_lines = c->func->map->timed || dso_has_debuginfo(c->func->map->dso);
	return s;
}

void annot_source_free(struct annot_source *s)
{
	if (!s)
		return;
	free(s->files);
	free(s);
}

struct frame annot_code_frame(const struct annot_code *c, u64 vaddr)
{
	return (struct frame){ .ip = c->ip + (vaddr - c->vaddr), .map = c->func->map };
}

bool annot_source_next(struct annot_source_file *f, u32 line, u32 *ret_first, u32 *ret_last)
{
	u32 first;

	if (!line || line == f->last_line)
		return false;
	first = line > CONTEXT ? line - CONTEXT : 1;
	if (f->max_printed >= first)
		first = f->max_printed < line ? f->max_printed + 1 : line;
	if (f->max_printed < line)
		f->max_printed = line;
	f->last_line = line;
	*ret_first = first;
	*ret_last = line;
	return true;
}

static struct annot_source_file *get_file(struct annot_source *s, const char *name)
{
	if (s->last < s->nr && !strcmp(s->files[s->last].name, name))
		return &s->files[s->last];
	for (s->last = 0; s->last < s->nr; s->last++)
		if (!strcmp(s->files[s->last].name, name))
			return &s->files[s->last];
	vec_push(s->files, s->nr, s->cap, ((struct annot_source_file){ .name = name }));
	return &s->files[s->last];
}

bool annot_source_before(struct annot_source *s, u64 vaddr, const char **ret_file, u32 *ret_first,
			 u32 *ret_last)
{
	struct frame fr = annot_code_frame(s->code, vaddr);
	struct line_hit hit;
	size_t len;

	if (!s->has_lines ||
	    !dso_find_line(fr.map->dso, fr.ip, fr.map->start, fr.map->pgoff, &hit) || !hit.file ||
	    !hit.line)
		return false;
	*ret_file = hit.file;
	/* a source file that cannot be read shows nothing */
	if (!line_source_get(s->lines, hit.file, 1, &len))
		return false;
	return annot_source_next(get_file(s, hit.file), hit.line, ret_first, ret_last);
}
