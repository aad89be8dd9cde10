/* SPDX-License-Identifier: MIT */
#include "base/option_help.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/build_info.h"
#include "base/nearest_name.h"
#include "base/pager.h"
#include "base/screen/message.h"

#define HELP_COLUMN 29
#define HELP_WIDTH 80 /* without a terminal; much longer lines are hard to read */
#define HELP_WIDTH_MIN 50
#define HELP_WIDTH_MAX 100

bool opt_takes_arg(const struct opt *o)
{
	return o->type == OPT_STRING || o->type == OPT_U64 || o->type == OPT_PARSE ||
	       o->type == OPT_CALL;
}

/*
 * Returns the width for help texts. The last column stays free, because some terminals begin a new
 * line after writing to it.
 */
static size_t help_width(void)
{
	size_t width = HELP_WIDTH;
	struct winsize w;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_col)
		width = w.ws_col;
	if (width > HELP_WIDTH_MAX)
		width = HELP_WIDTH_MAX;
	return (width < HELP_WIDTH_MIN ? HELP_WIDTH_MIN : width) - 1;
}

/* Prints a text with line breaks between words. The first line begins in HELP_COLUMN. */
static void print_words(const char *text, size_t width, FILE *f)
{
	size_t used = HELP_COLUMN;

	while (*text) {
		size_t len = strcspn(text, " ");

		if (used > HELP_COLUMN && used + 1 + len > width) {
			fprintf(f, "\n%*s", HELP_COLUMN, "");
			used = HELP_COLUMN;
		} else if (used > HELP_COLUMN) {
			fputc(' ', f);
			used++;
		}
		fprintf(f, "%.*s", (int)len, text);
		used += len;
		text += len;
		text += strspn(text, " ");
	}
	fputc('\n', f);
}

static void print_option(const struct opt *o, size_t width, FILE *f)
{
	char left[120];
	int n = 0;

	if (o->short_name)
		n = snprintf(left, sizeof(left), "    -%c", o->short_name);
	else
		n = snprintf(left, sizeof(left), "    ");
	if (o->long_name)
		n += snprintf(left + n, sizeof(left) - (size_t)n, "%s--%s",
			      o->short_name ? ", " : "", o->long_name);
	if (opt_takes_arg(o) && o->arg_name)
		snprintf(left + n, sizeof(left) - (size_t)n, " <%s>", o->arg_name);
	else if (o->type == OPT_CALL_OPT && o->arg_name)
		snprintf(left + n, sizeof(left) - (size_t)n, "[=<%s>]", o->arg_name);
	if (strlen(left) >= HELP_COLUMN)
		fprintf(f, "%s\n%*s", left, HELP_COLUMN, "");
	else
		fprintf(f, "%-*s", HELP_COLUMN, left);
	print_words(o->help ? o->help : "", width, f);
}

void opt_help(const struct opt_parser *p, bool no_pager)
{
	struct pager pager = { .off = no_pager };
	/* before the pager starts: then standard output is a pipe and has no width */
	size_t width = help_width();
	const struct opt *o;

	pager_start(&pager);
	printf("\n Usage: %s\n", p->usage);
	if (p->table->type != OPT_GROUP)
		printf("\n");
	for (o = p->table; o->type != OPT_END; o++) {
		if (o->hidden)
			continue;
		if (o->type == OPT_GROUP)
			printf("\n%s\n", o->help);
		else
			print_option(o, width, stdout);
	}
	printf("\nOf the command itself\n");
	print_option(&(struct opt){ OPT_FLAG, 'h', "help", NULL, NULL, "this text" }, width,
		     stdout);
	print_option(&(struct opt){ OPT_FLAG, 0, "version", NULL, NULL,
				    "the version; with --build-options also what it was built "
				    "with" },
		     width, stdout);
	printf("\n");
	pager_end(&pager);
}

void opt_usage(const struct opt_parser *p)
{
	fprintf(stderr, "\n Usage: %s\n\n `%s -h' lists the options.\n\n", p->usage, p->prog);
}

void opt_list(const struct opt_parser *p)
{
	const struct opt *o;

	for (o = p->table; o->type != OPT_END; o++)
		if (o->type != OPT_GROUP && o->long_name)
			printf("--%s\n", o->long_name);
}

void opt_list_all(const struct opt_parser *p)
{
	const struct opt *o;

	for (o = p->table; o->type != OPT_END; o++) {
		const char *kind = o->type == OPT_CALL_OPT ? "may"
				   : opt_takes_arg(o)      ? "value"
				   : o->type == OPT_FLAG   ? "flag"
							   : "none";

		if (o->type == OPT_GROUP || o->hidden)
			continue;
		printf("%s%c\t%s%s\t%s\t%s\n", o->short_name ? "-" : "",
		       o->short_name ? o->short_name : '-', o->long_name ? "--" : "-",
		       o->long_name ? o->long_name : "", kind, o->arg_name ? o->arg_name : "-");
	}
	printf("-h\t--help\tnone\t-\n-\t--version\tnone\t-\n-\t--build-options\tnone\t-\n");
}

void opt_version(const struct opt_parser *p, bool features)
{
	const struct build_feature *f;
	size_t nr;

	printf("%s version %s (commit %s)\n", p->prog, build_version(), build_commit());
	f = build_features(&nr);
	for (size_t i = 0; features && i < nr; i++) {
		printf("%22s: [ %-3s ]  # %s", f[i].name, f[i].on ? "on" : "OFF", f[i].macro);
		if (f[i].tip)
			printf(" ( tip: %s )", f[i].tip);
		printf("\n");
	}
}

int opt_misuse(const struct opt_parser *p, const char *what, const char *name)
{
	message(stderr, "  Error: %s `%s'\n", what, name);
	opt_usage(p);
	return -1;
}

/* Prints names as "--a, --b or --c". */
static void print_names(char names[][NEAREST_NAME_LEN + 8], size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		fprintf(stderr, "%s%s", !i ? "" : i + 1 < nr ? ", " : " or ", names[i]);
}

static size_t begin_so(const struct opt_parser *p, const char *name, size_t len,
		       char ret[][NEAREST_NAME_LEN + 8])
{
	const struct opt *o;
	size_t nr = 0;

	for (o = p->table; o->type != OPT_END; o++) {
		if (o->type == OPT_GROUP || o->hidden || !o->long_name ||
		    strncmp(o->long_name, name, len) != 0)
			continue;
		if (nr < NEAREST_MAX)
			snprintf(ret[nr], NEAREST_NAME_LEN + 8, "--%s", o->long_name);
		else
			snprintf(ret[NEAREST_MAX - 1], NEAREST_NAME_LEN + 8, "others");
		nr++;
	}
	return nr < NEAREST_MAX ? nr : NEAREST_MAX;
}

/*
 * Collects the long options that look like `name`. If it begins with "no-", so do all the names in
 * ret.
 */
static size_t look_like(const struct opt_parser *p, const char *name, size_t len,
			char ret[][NEAREST_NAME_LEN + 8])
{
	static const char *const own[] = { "help", "version", "build-options" };
	bool no = len > 3 && !strncmp(name, "no-", 3);
	struct nearest_name near;
	const struct opt *o;
	size_t nr = 0;

	if (no) {
		name += 3;
		len -= 3;
	}
	nearest_init(&near, name, len);
	for (o = p->table; o->type != OPT_END; o++) {
		const char *known = o->long_name;

		if (o->type == OPT_GROUP || o->hidden || !known)
			continue;
		if (no && !strncmp(known, "no-", 3))
			known += 3;
		nearest_offer(&near, known);
	}
	for (size_t i = 0; i < ARRAY_SIZE(own) && !no; i++)
		nearest_offer(&near, own[i]);
	/* only the nearest names: names that merely have a part in common would be too many */
	for (size_t i = 0; i < near.nr && (!i || near.best[i].distance == near.best[0].distance);
	     i++)
		snprintf(ret[nr++], NEAREST_NAME_LEN + 8, "--%s%s", no ? "no-" : "",
			 near.best[i].name);
	return nr;
}

int opt_unknown(const struct opt_parser *p, const char *name, size_t len, bool ambiguous)
{
	char names[NEAREST_MAX][NEAREST_NAME_LEN + 8];
	size_t nr = ambiguous ? begin_so(p, name, len, names) : look_like(p, name, len, names);

	message(stderr, "  Error: %s option `%.*s'", ambiguous ? "ambiguous" : "unknown", (int)len,
		name);
	if (nr) {
		fprintf(stderr, ambiguous ? ": could be " : ": did you mean ");
		print_names(names, nr);
		fprintf(stderr, "%s", ambiguous ? "" : "?");
	}
	fprintf(stderr, "\n");
	opt_usage(p);
	return -1;
}
