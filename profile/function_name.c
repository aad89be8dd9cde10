/* SPDX-License-Identifier: MIT */
#include "profile/function_name.h"

#include <ctype.h>

#include "base/bytes.h"
#include "base/option.h"
#include "base/screen/escape.h"
#include "base/screen/fit.h"

static bool starts_with(const char *s, size_t n, const char *with)
{
	size_t len = strlen(with);

	return n >= len && !memcmp(s, with, len);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (u8)c >= 0x80;
}

/* Length of the operator at s, which follows "operator"; 0 for one of letters, such as "new". */
static size_t operator_signs(const char *s, size_t n)
{
	/* a longer operator comes before the ones that it begins with */
	static const char *const signs[] = {
		"()", "[]", "->*", "->", "<=>", "<<=", "<<", "<=", "<",  ">>=", ">>", ">=", ">",
		"+=", "++", "+",   "-=", "--",  "-",   "*=", "*",  "/=", "/",   "%=", "%",  "^=",
		"^",  "&=", "&&",  "&",  "|=",  "||",  "|",  "~",  "!=", "!",   "==", "=",  ",",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(signs); i++)
		if (starts_with(s, n, signs[i]))
			return strlen(signs[i]);
	return 0;
}

static size_t operator_here(const char *s, size_t n, size_t i)
{
	size_t len;

	if (!starts_with(s + i, n - i, "operator") || (i && is_word(s[i - 1])))
		return 0;
	len = operator_signs(s + i + 8, n - i - 8);
	return len ? len + 8 : 0;
}

/* Length of "operator<" and the like at s[i], whose signs are not brackets; 0: it is no operator.
 */
static inline size_t operator_at(const char *s, size_t n, size_t i)
{
	return s[i] == 'o' && i + 1 < n && s[i + 1] == 'p' ? operator_here(s, n, i) : 0;
}

static bool is_rust_hash(const char *s, size_t n)
{
	size_t i;

	if (n != 19 || memcmp(s, "::h", 3))
		return false;
	for (i = 3; i < n; i++)
		if (!isxdigit((unsigned char)s[i]))
			return false;
	return true;
}

/* Length of the name without the hash that ends Rust's names. */
static size_t without_hash(const char *s, size_t n)
{
	return n > 19 && is_rust_hash(s + n - 19, 19) ? n - 19 : n;
}

/* Whether the parenthesis at s[i] belongs to the name: C++ anonymous namespaces, Go's ".(*T)". */
static bool is_part_of_name(const char *s, size_t n, size_t i)
{
	return starts_with(s + i, n - i, "(anonymous namespace)") || (i && s[i - 1] == '.');
}

/* The bytes that without_params looks at; all others are part of a name. */
static const bool is_sign[256] = {
	['o'] = true, ['<'] = true, ['>'] = true, ['{'] = true,
	['}'] = true, ['['] = true, [']'] = true, ['('] = true,
};

/* Length of the name up to its parameter list. */
static size_t without_params(const char *s, size_t n)
{
	size_t i, len;
	int depth = 0;

	for (i = 0; i < n; i++) {
		if (!is_sign[(u8)s[i]])
			continue;
		len = operator_at(s, n, i);
		if (len) {
			/* "operator()" is cut like any other name, as the scripts do */
			i += s[i + 8] == '(' ? 7 : len - 1;
			continue;
		}
		switch (s[i]) {
		case '<':
		case '{':
		case '[': depth++; break;
		case '>': depth -= !i || s[i - 1] != '-'; break;
		case '}':
		case ']': depth--; break;
		case '(':
			if (!depth && i && !is_part_of_name(s, n, i))
				return i;
		}
	}
	return n;
}

/* Whether put_java has to look at the name. */
static bool may_be_java(const char *s, size_t n)
{
	return n && s[0] == 'L' && memchr(s, ';', n);
}

/* Appends Java's "Lcom/x/C;::f" as "com/x/C:::f". False: the name is not of that form. */
static bool put_java(struct out *o, const char *s, size_t n)
{
	const char *semi = n ? memchr(s, ';', n) : NULL;
	size_t len = semi ? (size_t)(semi - s) : 0;

	if (!semi || s[0] != 'L' || !memchr(s, '/', len))
		return false;
	out_mem(o, s + 1, len - 1);
	out_char(o, ':');
	out_mem(o, semi + 1, n - len - 1);
	return true;
}

/* --- short ------------------------------------------------------------------------------------ */

/* Index after the bracket that closes the one at s[i]; n when it is never closed. */
static size_t behind_bracket(const char *s, size_t n, size_t i)
{
	size_t depth = 0, len;

	for (; i < n; i++) {
		len = operator_at(s, n, i);
		if (len) {
			i += len - 1;
			continue;
		}
		switch (s[i]) {
		case '<':
		case '(':
		case '[':
		case '{': depth++; break;
		case '>':
			if (i && s[i - 1] == '-')
				break;
			/* fall through */
		case ')':
		case ']':
		case '}':
			if (depth && !--depth)
				return i + 1;
		}
	}
	return n;
}

/* Whether the '<' at s[i] opens template arguments; false for Rust's "<T as Trait>", "<impl T>". */
static bool opens_arguments(const char *s, size_t i)
{
	if (!i)
		return false;
	if (i >= 2 && s[i - 1] == ':' && s[i - 2] == ':')
		return true;
	return is_word(s[i - 1]) || strchr(">)]}", s[i - 1]);
}

/* Compilers name the copies that they make of a function with these suffixes, and .NUMBER after
 * them. */
static const char *const clone_words[] = { "cold",    "part",     "isra",       "constprop",
					   "llvm",    "lto_priv", "localalias", "warm",
					   "hot",     "__uniq",   "unlikely",   "resume",
					   "destroy", "cleanup",  "actor" };

static bool is_clone_word(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n && isdigit((unsigned char)s[i]); i++)
		;
	if (i == n)
		return n > 0;
	for (i = 0; i < ARRAY_SIZE(clone_words); i++)
		if (n == strlen(clone_words[i]) && !memcmp(s, clone_words[i], n))
			return true;
	return false;
}

/*
 * Length of the name without ".word", ".word.NUMBER" and " [clone ...]" at its end. A number alone
 * stays, because it may tell functions apart: gcc calls a second static f "f.1".
 */
static size_t without_clones(const char *s, size_t n)
{
	size_t i, end = n, kept = n;

	for (;;) {
		if (end && s[end - 1] == ']') {
			for (i = end; i && s[i - 1] != '['; i--)
				;
			if (i < 2 || s[i - 2] != ' ' || !starts_with(s + i, end - i, "clone "))
				return kept;
			end = kept = i - 2;
			continue;
		}
		for (i = end; i && s[i - 1] != '.'; i--)
			;
		if (i < 2 || !is_clone_word(s + i, end - i))
			return kept;
		if (!isdigit((unsigned char)s[i]))
			kept = i - 1;
		end = i - 1;
	}
}

/* Length of the name without the qualifiers after a C++ function's parameters. */
static size_t without_qualifiers(const char *s, size_t n)
{
	static const char *const words[] = { " const", " volatile", " &&", " &", " noexcept" };
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		len = strlen(words[i]);
		if (n > len && !memcmp(s + n - len, words[i], len)) {
			n -= len;
			i = (size_t)-1;
		}
	}
	return n;
}

/*
 * Length of the result type before a C++ function's name: up to the last blank that is in no
 * brackets. 0 for names that hold blanks: "operator new", "vtable for x", "virtual thunk to f".
 */
static size_t result_type(const char *s, size_t n)
{
	size_t i, len = 0;

	for (i = 0; i < n; i++) {
		if (starts_with(s + i, n - i, "operator") && (!i || !is_word(s[i - 1])) &&
		    i + 8 < n && !is_word(s[i + 8]))
			return len;
		if (s[i] == '<' || s[i] == '(' || s[i] == '{' || s[i] == '[')
			i = behind_bracket(s, n, i) - 1;
		else if (s[i] == ' ')
			len = i + 1;
		if (starts_with(s + i, n - i, " to ") || starts_with(s + i, n - i, " for "))
			return 0;
	}
	return len;
}

static void put_short(struct out *o, const char *s, size_t n)
{
	size_t start = o->len, i = 0, len;
	bool had_params = false, after_operator = false;

	n = without_hash(s, without_clones(s, n));
	while (i < n) {
		len = operator_at(s, n, i);
		if (len) {
			out_mem(o, s + i, len);
			i += len;
			/* "operator< <char>" */
			if (i + 1 < n && s[i] == ' ' && s[i + 1] == '<')
				out_char(o, s[i++]);
			after_operator = true;
			continue;
		}
		if (s[i] == '<' && (after_operator || opens_arguments(s, i))) {
			out_str(o, "<...>");
			i = behind_bracket(s, n, i);
		} else if (starts_with(s + i, n - i, "[abi:")) {
			i = behind_bracket(s, n, i);
		} else if (s[i] == '(' && is_part_of_name(s, n, i)) {
			len = behind_bracket(s, n, i);
			out_mem(o, s + i, len - i);
			i = len;
		} else if (s[i] == '(' && i) {
			had_params = true;
			i = behind_bracket(s, n, i);
			/* "f() const::{lambda()#1}" */
			while (starts_with(s + i, n - i, " const"))
				i += 6;
		} else {
			out_char(o, s[i++]);
		}
		after_operator = false;
	}
	if (!had_params || o->len == start)
		return;
	o->len = start + without_qualifiers(o->buf + start, o->len - start);
	len = result_type(o->buf + start, o->len - start);
	memmove(o->buf + start, o->buf + start + len, o->len - start - len);
	o->len -= len;
}

/* --- fitted ----------------------------------------------------------------------------------- */

#define FIT_MAX 4096      /* bytes; longer names are cut in the middle at once */
#define FIT_GROUPS_MAX 64 /* brackets that are emptied one by one */
#define FIT_NAME_MIN 8    /* columns; a cell with less room for the name is cut in the middle */

/* Finds the longest text in brackets that may be left out: its start and length with the brackets.
 */
static size_t longest_group(const char *s, size_t n, char open, size_t *ret_start)
{
	size_t longest = 0, i = 0, end, len;

	while (i < n) {
		len = operator_at(s, n, i);
		if (len) {
			i += len;
			continue;
		}
		if (s[i] != open || (open == '<' && !opens_arguments(s, i)) ||
		    (open == '(' && (!i || is_part_of_name(s, n, i)))) {
			i++;
			continue;
		}
		end = behind_bracket(s, n, i);
		if (end - i > longest && s[end - 1] == (open == '<' ? '>' : ')')) {
			longest = end - i;
			*ret_start = i;
		}
		i = end;
	}
	return longest;
}

/* Empties brackets of a kind, the longest first, until the text fits. Returns its new length. */
static size_t empty_brackets(char *s, size_t n, char open, struct span mark, size_t columns)
{
	size_t start = 0, len;

	for (int i = 0; i < FIT_GROUPS_MAX && escape_columns(s, n) > columns; i++) {
		len = longest_group(s, n, open, &start);
		if (len <= mark.n + 2)
			break;
		memcpy(s + start + 1, mark.p, mark.n);
		memmove(s + start + 1 + mark.n, s + start + len - 1, n - (start + len - 1));
		n -= len - 2 - mark.n;
	}
	return n;
}

/* Removes the result type of a C++ function. Returns the new length. */
static size_t drop_result_type(char *s, size_t n)
{
	size_t params = without_params(s, n), len;

	if (params == n)
		return n;
	len = result_type(s, params);
	memmove(s, s + len, n - len);
	return n - len;
}

/* Removes emptied brackets of a kind. Returns the new length. */
static size_t drop_emptied(char *s, size_t n, char open, struct span mark, size_t columns)
{
	size_t i = 0, len = mark.n + 2, used = escape_columns(s, n);
	size_t width = escape_columns((const char *)mark.p, mark.n) + 2;

	while (i + len <= n && used > columns) {
		if (s[i] != open || memcmp(s + i + 1, mark.p, mark.n)) {
			i++;
			continue;
		}
		memmove(s + i, s + i + len, n - i - len);
		n -= len;
		used -= width;
	}
	return n;
}

/* Fits a name without what stands before and after it in a cell. */
static void fit_name(struct out *o, const char *s, size_t n, size_t columns)
{
	struct span mark = span_of(fit_mark(o), strlen(fit_mark(o)));
	char text[FIT_MAX];

	memcpy(text, s, n);
	n = empty_brackets(text, n, '<', mark, columns);
	n = empty_brackets(text, n, '(', mark, columns);
	if (escape_columns(text, n) > columns)
		n = drop_result_type(text, n);
	n = drop_emptied(text, n, '(', mark, columns);
	n = drop_emptied(text, n, '<', mark, columns);
	fit_middle(o, text, n, columns);
}

/* Length of "[k] " and the like before a name in a cell. */
static size_t level_length(const char *s, size_t n)
{
	return n > 4 && s[0] == '[' && s[2] == ']' && s[3] == ' ' ? 4 : 0;
}

void function_name_fit(struct out *o, const char *s, size_t n, size_t columns)
{
	static const char inlined[] = " (inlined)";
	size_t before = level_length(s, n), after = sizeof(inlined) - 1;

	if (n < before + after || memcmp(s + n - after, inlined, after))
		after = 0;
	if (n > FIT_MAX || escape_columns(s, n) <= columns ||
	    columns < before + after + FIT_NAME_MIN) {
		fit_middle(o, s, n, columns);
		return;
	}
	out_raw(o, s, before);
	fit_name(o, s + before, n - before - after, columns - before - after);
	out_raw(o, s + n - after, after);
}

void function_name_put(struct out *o, const char *name, size_t n, enum function_names names)
{
	size_t start = o->len;

	switch (names) {
	case FUNCTION_NAMES_FULL:
	case FUNCTION_NAMES_RAW: break;
	case FUNCTION_NAMES_NOARGS:
		n = without_hash(name, n);
		if (!put_java(o, name, without_params(name, n)))
			out_mem(o, name, without_params(name, n));
		return;
	case FUNCTION_NAMES_SHORT:
		if (!put_java(o, name, without_params(name, n)))
			put_short(o, name, n);
		break;
	}
	if (o->len == start)
		out_mem(o, name, n);
}

bool function_name_prefix(const char *name, size_t n, enum function_names names, size_t *ret)
{
	if (names == FUNCTION_NAMES_SHORT ||
	    (names == FUNCTION_NAMES_NOARGS && may_be_java(name, n)))
		return false;
	*ret = names == FUNCTION_NAMES_NOARGS ? without_params(name, without_hash(name, n)) : n;
	return true;
}

static void put_noargs(struct out *o, const char *name, size_t n)
{
	function_name_put(o, name, n, FUNCTION_NAMES_NOARGS);
}

static void put_shortest(struct out *o, const char *name, size_t n)
{
	function_name_put(o, name, n, FUNCTION_NAMES_SHORT);
}

name_form_fn *function_name_form(enum function_names names)
{
	switch (names) {
	case FUNCTION_NAMES_NOARGS: return put_noargs;
	case FUNCTION_NAMES_SHORT: return put_shortest;
	case FUNCTION_NAMES_FULL:
	case FUNCTION_NAMES_RAW: break;
	}
	return NULL;
}

int function_names_parse(void *names, const char *arg, struct perr *e)
{
	static const char *const words[] = {
		[FUNCTION_NAMES_NOARGS] = "noargs",
		[FUNCTION_NAMES_FULL] = "full",
		[FUNCTION_NAMES_SHORT] = "short",
		[FUNCTION_NAMES_RAW] = "raw",
	};
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(enum function_names *)names = (enum function_names)choice;
	return err;
}

int function_names_parse_full(void *names, const char *arg, struct perr *e)
{
	*(enum function_names *)names = FUNCTION_NAMES_FULL;
	return arg ? function_names_parse(names, arg, e) : 0;
}
