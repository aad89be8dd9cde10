/* SPDX-License-Identifier: MIT */
#include "tests/record/use_prec_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/prec_options.h"

/* Descriptor fd goes to f from now on; returns what it was. */
static int divert(int fd, FILE *f)
{
	int old = dup(fd);

	CHECK(old >= 0 && dup2(fileno(f), fd) == fd);
	return old;
}

void line_parse(struct line *p, const char *const *args)
{
	FILE *f = tmpfile();
	int out, err;
	size_t n;

	CHECK(f != NULL);
	memset(p, 0, sizeof(*p));
	rec_opts_init(&p->o);
	evlist_init(&p->l);
	diag_init(&p->diag);
	p->o.diag = &p->diag;
	p->o.host.tracefs = "testdata/record_attrs/host/tracing";
	for (; args[p->argc]; p->argc++) {
		CHECK(p->argc < (int)ARRAY_SIZE(p->argv) - 1);
		p->argv[p->argc] = xstrdup(args[p->argc]);
	}
	fflush(stdout);
	out = divert(STDOUT_FILENO, f);
	err = divert(STDERR_FILENO, f);
	p->rc = prec_options_parse(p->argc, p->argv, &p->o, &p->l);
	fflush(stdout);
	fflush(stderr);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	close(out);
	close(err);
	rewind(f);
	n = fread(p->said, 1, sizeof(p->said) - 1, f);
	p->said[n] = 0;
	fclose(f);
}

void line_fini(struct line *p)
{
	evlist_fini(&p->l);
	rec_opts_fini(&p->o);
	diag_fini(&p->diag);
	for (int i = 0; i < p->argc; i++)
		free(p->argv[i]);
}

void line_good(struct line *p, const char *const *args)
{
	line_parse(p, args);
	if (p->rc)
		unit_fail(__FILE__, __LINE__, "%s ...: %d: %s", args[1], p->rc, p->said);
}

void line_bad(const char *const *args, const char *part)
{
	struct line p;
	size_t nr = 0;

	line_parse(&p, args);
	if (p.rc != -1 || !strstr(p.said, part))
		unit_fail(__FILE__, __LINE__, "%s %s: %d, '%s' has no '%s'", args[1],
			  args[2] ? args[2] : "", p.rc, p.said, part);
	for (const char *s = p.said; *s; s++)
		nr += *s == '\n';
	CHECK(nr <= 8);
	line_fini(&p);
}
