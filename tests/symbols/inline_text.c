/* SPDX-License-Identifier: MIT */
#include "tests/symbols/inline_text.h"

#include <stdio.h>
#include <string.h>

static const struct symbols_config hermetic = { .hermetic = true, .buildid_dir = "" };

bool open_object(struct opened *f)
{
	struct perr e;

	if (debuginfo_open(&hermetic, f->o, NULL, &f->d, &e)) {
		object_close(f->o);
		return false;
	}
	f->l = lines_new(f->d);
	f->in = inlines_new(f->d, &(struct name_style){ .demangle = true });
	return true;
}

void opened_close(struct opened *f)
{
	inlines_free(f->in);
	lines_free(f->l);
	debuginfo_close(f->d);
	object_close(f->o);
}

const char *last_part(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path ? path : "??";
}

const char *frames_text(struct opened *f, u64 vaddr, const char *symbol)
{
	static char text[4096];
	const struct inline_frame *frames = NULL;
	size_t nr = inlines_find(f->in, vaddr, symbol, INLINES_LINES, &frames), i, n = 0;
	const char *file;
	u32 line;

	text[0] = 0;
	for (i = 0; i < nr && n < sizeof(text); i++) {
		file = frames[i].file;
		line = frames[i].line;
		if (!i && !lines_find(f->l, vaddr, &file, &line))
			file = NULL;
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %s:%u%s", i ? ", " : "",
				      frames[i].name, last_part(file), line,
				      frames[i].is_inlined ? "*" : "");
	}
	return text;
}
