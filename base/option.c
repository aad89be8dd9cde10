/* SPDX-License-Identifier: MIT */
#include "base/option.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/option_help.h"
#include "base/screen/message.h"

int parse_u64(const char *s, int base, u64 min, u64 max, u64 *ret)
{
	unsigned long long v;
	char *end;

	if (!s || (!isxdigit((unsigned char)*s)))
		return -1;
	errno = 0;
	v = strtoull(s, &end, base);
	if (errno || *end || end == s || v < min || v > max)
		return -1;
	*ret = v;
	return 0;
}

/* The option's name as typed in an error message: "--long", or "-x" without a long name. */
static void put_name(char *buf, size_t size, const struct opt *o)
{
	if (o->long_name)
		snprintf(buf, size, "--%s", o->long_name);
	else
		snprintf(buf, size, "-%c", o->short_name);
}

/* Prints what is wrong with the argument of an option. Returns -1. */
static int bad_argument(const struct opt_parser *p, const struct opt *o, const char *what)
{
	char name[80];

	put_name(name, sizeof(name), o);
	message(stderr, "%s: %s: %s\n", p->prog, name, what);
	return -1;
}

/* Prints why the command does not have an option of perf. Returns -1. */
static int refuse(const struct opt_parser *p, const struct opt *o)
{
	char name[80];

	put_name(name, sizeof(name), o);
	fprintf(stderr, "%s: %s is not supported: %s\n", p->prog, name, o->help);
	return -1;
}

static int apply(const struct opt_parser *p, const struct opt *o, const char *arg, bool unset)
{
	void *addr = p->values ? (char *)p->values + o->offset : o->addr;
	void *ctx = p->ctx ? p->ctx : addr;
	struct perr e;

	switch (o->type) {
	case OPT_FLAG: *(bool *)addr = !unset; return 0;
	case OPT_COUNT: *(int *)addr = unset ? 0 : *(int *)addr + 1; return 0;
	case OPT_STRING: *(const char **)addr = unset ? NULL : arg; return 0;
	case OPT_U64:
		if (unset) {
			*(u64 *)addr = 0;
			return 0;
		}
		if (!parse_u64(arg, 0, 0, UINT64_MAX, addr))
			return 0;
		(void)perr_set(&e, PERR_USAGE, "expected a number, got '%s'", arg);
		return bad_argument(p, o, e.text);
	case OPT_PARSE:
		if (!o->parse(addr, unset ? NULL : arg, &e))
			return 0;
		return bad_argument(p, o, e.text);
	case OPT_CALL:
	case OPT_CALL_FLAG:
	case OPT_CALL_OPT:
		if (o->call_row)
			return o->call_row(ctx, o, unset) ? -1 : 0;
		return o->call(ctx, arg, unset) ? -1 : 0;
	case OPT_REFUSED: return unset ? 0 : refuse(p, o);
	default: return -1;
	}
}

/*
 * Finds the long option `name` of `len` bytes: an exact match, or else the only option that begins
 * with it. Sets *unset if the name is the negation of the option's name, and *ambiguous if several
 * options begin with it.
 */
static const struct opt *find_long(const struct opt_parser *p, const char *name, size_t len,
				   bool *unset, bool *ambiguous)
{
	const struct opt *o, *found = NULL;
	bool found_unset = false;
	int neg;

	*ambiguous = false;
	for (o = p->table; o->type != OPT_END; o++) {
		if (o->type == OPT_GROUP || !o->long_name)
			continue;
		/* 0: the name; 1: its negation; 2: "no-" before a name that begins with "no-" */
		for (neg = 0; neg < 3; neg++) {
			char full[80];

			if (!neg)
				snprintf(full, sizeof(full), "%s", o->long_name);
			else if (neg == 1 && !strncmp(o->long_name, "no-", 3))
				snprintf(full, sizeof(full), "%s", o->long_name + 3);
			else
				snprintf(full, sizeof(full), "no-%s", o->long_name);
			if (strncmp(full, name, len))
				continue;
			if (!full[len]) {
				*unset = neg;
				*ambiguous = false;
				return o;
			}
			if (found && found != o)
				*ambiguous = true;
			if (!found) {
				found = o;
				found_unset = neg;
			}
		}
	}
	*unset = found_unset;
	return *ambiguous ? NULL : found;
}

static bool has_word(char **argv, int argc, const char *word)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (!strcmp(argv[i], word))
			return true;
	return false;
}

/*
 * Prints the text of an option that every command has without a row in its table, such as --help.
 * name: the argument after "--". Returns false for other options.
 */
static bool is_own(const struct opt_parser *p, char **argv, int argc, const char *name)
{
	if (!strcmp(name, "help"))
		opt_help(p, has_word(argv, argc, "--no-pager"));
	else if (!strcmp(name, "list-opts"))
		opt_list(p);
	else if (!strcmp(name, "list-opts=all"))
		opt_list_all(p);
	else if (!strcmp(name, "version"))
		opt_version(p, has_word(argv, argc, "--build-options"));
	else if (!strcmp(name, "build-options"))
		opt_version(p, true);
	else
		return false;
	return true;
}

/*
 * Returns the result of opt_parse() after a text was printed: 1, or -1 if it could not be written
 * to standard output.
 */
static int written(const struct opt_parser *p)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 1;
	message(stderr, "%s: cannot write to standard output: %s\n", p->prog, strerror(errno));
	return -1;
}

static int parse_long(const struct opt_parser *p, char **argv, int argc, int *i)
{
	const char *name = argv[*i] + 2, *eq = strchr(name, '='), *arg = eq ? eq + 1 : NULL;
	size_t len = eq ? (size_t)(eq - name) : strlen(name);
	bool unset, ambiguous;
	const struct opt *o;

	if (is_own(p, argv, argc, name))
		return written(p);
	o = find_long(p, name, len, &unset, &ambiguous);
	if (!o)
		return opt_unknown(p, name, len, ambiguous);
	if (opt_takes_arg(o) && !unset && !arg) {
		if (*i + 1 >= argc)
			return opt_misuse(p, "a value is required by option", name);
		arg = argv[++*i];
	}
	if (arg &&
	    (unset || o->type == OPT_FLAG || o->type == OPT_COUNT || o->type == OPT_CALL_FLAG))
		return opt_misuse(p, "no value is taken by option", name);
	return apply(p, o, arg, unset);
}

static int parse_short(const struct opt_parser *p, char **argv, int argc, int *i)
{
	const char *s = argv[*i] + 1;
	const struct opt *o;
	char name[2] = { 0, 0 };
	const char *arg;
	int ret;

	while (*s) {
		name[0] = *s++;
		for (o = p->table; o->type != OPT_END; o++)
			if (o->type != OPT_GROUP && o->short_name == name[0])
				break;
		if (o->type == OPT_END) {
			if (name[0] != 'h')
				return opt_misuse(p, "unknown switch", name);
			opt_help(p, has_word(argv, argc, "--no-pager"));
			return written(p);
		}
		arg = NULL;
		if (opt_takes_arg(o)) {
			if (*s)
				arg = s;
			else if (*i + 1 < argc)
				arg = argv[++*i];
			else
				return opt_misuse(p, "a value is required by switch", name);
			s = "";
		} else if ((o->type == OPT_CALL_OPT || o->type == OPT_REFUSED) && *s) {
			arg = s;
			s = "";
		}
		ret = apply(p, o, arg, false);
		if (ret)
			return ret;
	}
	return 0;
}

int opt_parse(const struct opt_parser *p, int argc, char **argv, int *ret_nr)
{
	int i, nr = 0, ret;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--")) {
			for (i++; i < argc; i++)
				argv[1 + nr++] = argv[i];
			break;
		}
		if (argv[i][0] != '-' || !argv[i][1]) {
			if (p->stop_at_operand) {
				for (; i < argc; i++)
					argv[1 + nr++] = argv[i];
				break;
			}
			argv[1 + nr++] = argv[i];
			continue;
		}
		ret = argv[i][1] == '-' ? parse_long(p, argv, argc, &i)
					: parse_short(p, argv, argc, &i);
		if (ret)
			return ret;
	}
	*ret_nr = nr;
	return 0;
}

int parse_choice(const char *const *words, size_t nr, const char *arg, int *ret, struct perr *e)
{
	char list[120];
	size_t len = 0;

	*ret = 0;
	for (size_t i = 0; arg && i < nr; i++) {
		if (!strcmp(words[i], arg)) {
			*ret = (int)i;
			return 0;
		}
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
					!i           ? ""
					: i + 1 < nr ? ", "
						     : " or ",
					words[i]);
	}
	return arg ? perr_set(e, PERR_USAGE, "expected %s, got '%s'", list, arg) : 0;
}
