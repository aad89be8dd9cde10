/* SPDX-License-Identifier: MIT */
#include "profile/line_text.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/mem.h"
#include "machine/module_name.h"
#include "symbols/elf/readfile.h"

#define FILE_MAX ((size_t)64 << 20)   /* bytes; larger source files are not read */
#define FILES_MAX ((size_t)256 << 20) /* bytes of all source files together */

struct source_file {
	char *text;
	size_t len;
	u32 *starts; /* of each line */
	size_t nr, cap;
};

/* The line that was shown last for a thread; file is a copy of the name. */
struct shown {
	char *file;
	u32 line;
};

struct line_source {
	struct idmap by_name; /* (hash of the name, its length) -> index in files */
	struct source_file *files;
	size_t nr, cap;
	size_t len; /* of all texts */
	struct idmap by_tid;
	struct shown *shown;
	size_t nr_shown, cap_shown;
};

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool find_line(const struct frame *fr, struct line_hit *ret)
{
	return dso_find_line(fr->map->dso, fr->ip, fr->map->start, fr->map->pgoff, ret);
}

void line_text_place(struct out *o, const char *file, u32 line, bool full_path)
{
	if (!file)
		out_str(o, "??");
	else
		out_str(o, full_path ? file : last_part(file));
	out_char(o, ':');
	out_dec(o, line, 0);
}

void line_text(struct out *o, const struct frame *fr, bool full_path)
{
	struct line_hit hit;

	if (!fr->map)
		return;
	if (find_line(fr, &hit)) {
		line_text_place(o, hit.file, hit.line, full_path);
		return;
	}
	map_put_short_name(o, fr->map);
	out_char(o, '[');
	out_hex(o,
		dso_get_desc(fr->map->dso)->kind == DSO_USER ? hit.vaddr
							     : map_ip_to_addr(fr->map, fr->ip),
		0);
	out_char(o, ']');
}

struct line_source *line_source_new(void)
{
	return xcalloc(1, sizeof(struct line_source));
}

void line_source_free(struct line_source *s)
{
	size_t i;

	if (!s)
		return;
	for (i = 0; i < s->nr; i++) {
		free(s->files[i].text);
		free(s->files[i].starts);
	}
	for (i = 0; i < s->nr_shown; i++)
		free(s->shown[i].file);
	free(s->files);
	free(s->shown);
	idmap_fini(&s->by_name);
	idmap_fini(&s->by_tid);
	free(s);
}

static void split_lines(struct source_file *f)
{
	const char *p = f->text, *end = p + f->len, *nl;

	/* text after the last newline is not a line, as in perf */
	for (; p < end && (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1)
		vec_push(f->starts, f->nr, f->cap, (u32)(p - f->text));
}

/* The file of that name, empty when it cannot be read. */
static const struct source_file *get_file(struct line_source *s, const char *name)
{
	size_t n = strlen(name);
	u64 hash = hash_bytes(name, n);
	u32 i = idmap_get(&s->by_name, hash, n);
	struct source_file f = { 0 };
	void *text;
	struct perr e;

	if (i != IDMAP_NONE)
		return &s->files[i];
	if (s->len < FILES_MAX && !read_file(name, FILE_MAX, &text, &f.len, &e)) {
		f.text = text;
		s->len += f.len;
		split_lines(&f);
	}
	idmap_put(&s->by_name, hash, n, (u32)s->nr);
	vec_push(s->files, s->nr, s->cap, f);
	return &s->files[s->nr - 1];
}

static struct shown *get_shown(struct line_source *s, u32 tid)
{
	u32 i = idmap_get(&s->by_tid, tid, 0);

	if (i == IDMAP_NONE) {
		i = (u32)s->nr_shown;
		idmap_put(&s->by_tid, tid, 0, i);
		vec_push(s->shown, s->nr_shown, s->cap_shown, ((struct shown){ 0 }));
	}
	return &s->shown[i];
}

const char *line_source_get(struct line_source *s, const char *file, u32 line, size_t *ret_len)
{
	const struct source_file *f = get_file(s, file);
	const char *text;

	if (!line || line > f->nr)
		return NULL;
	text = f->text + f->starts[line - 1];
	*ret_len = (size_t)((const char *)memchr(text, '\n', (size_t)(f->text + f->len - text)) -
			    text);
	return text;
}

/* Appends a source line, whose tabs stay. */
static void put_source(struct out *o, const char *s, size_t n)
{
	const char *tab;

	while ((tab = memchr(s, '\t', n))) {
		out_mem(o, s, (size_t)(tab - s));
		out_char(o, '\t');
		n -= (size_t)(tab + 1 - s);
		s = tab + 1;
	}
	out_mem(o, s, n);
}

void line_source_text(struct line_source *s, struct out *o, const struct frame *fr, u32 tid)
{
	struct line_hit hit;
	struct shown *last;
	const char *text;
	size_t len;

	if (!fr->map || !find_line(fr, &hit))
		return;
	last = get_shown(s, tid);
	if (last->file && last->line == hit.line && !strcmp(last->file, hit.file))
		return;
	text = line_source_get(s, hit.file, hit.line, &len);
	if (!text)
		return;
	out_printf(o, "|%-8u ", hit.line);
	put_source(o, text, len);
	out_char(o, '\n');
	free(last->file);
	*last = (struct shown){ xstrdup(hit.file), hit.line };
}
