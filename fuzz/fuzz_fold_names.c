/* SPDX-License-Identifier: MIT */
/* A name in every form of pfold's; escaped it is one field of a line, and comes back. */
#include "base/err.h"
#include "base/mem.h"
#include "picture/fold_escape.h"
#include "fold/fold_names.h"

int LLVMFuzzerTestOneInput(const u8 *p, size_t n);

static void check_escape(const char *name, size_t n)
{
	struct out text, back;

	out_init_mem(&text);
	out_init_mem(&back);
	fold_escape(&text, name, n);
	if (n && (memchr(text.buf, ';', text.len) || memchr(text.buf, '\n', text.len) ||
		  text.buf[text.len - 1] == ' '))
		BUG();
	fold_unescape(&back, text.buf, text.len);
	if (back.len != n || (n && memcmp(back.buf, name, n)))
		BUG();
	out_fini(&text);
	out_fini(&back);
}

int LLVMFuzzerTestOneInput(const u8 *p, size_t n)
{
	/* a copy of its own, so that reading beyond its end is seen */
	char *name = xmalloc(n + !n);
	struct out o;
	int how;

	memcpy(name, p, n);
	for (how = FUNCTION_NAMES_NOARGS; how <= FUNCTION_NAMES_RAW; how++) {
		out_init_mem(&o);
		function_name_put(&o, name, n, (enum function_names)how);
		if (n && !o.len)
			BUG();
		check_escape(o.buf, o.len);
		out_fini(&o);
	}
	check_escape(name, n);
	free(name);
	return 0;
}
