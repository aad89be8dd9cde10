/* SPDX-License-Identifier: MIT */
#include "fold/fold_names.h"

#include <ctype.h>

#include "fold/fold_escape.h"

static bool starts_with(const char *s, size_t n, const char *with)
{
	size_t len = strlen(with);

	return n >= len && !memcmp(s, with, len);
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (u8)c >= 0x80;
}

/* Length of the operator at s, right behind "operator"; 0 where it is one of words. */
static size_t operator_signs(const char *s, size_t n)
{
	/* longer ones before those that they begin with */
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

/* Length of "operator" and its signs at s[i], which are no brackets; 0 where there is none. */
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

/* n without Rust's hash at the end. */
static size_t without_hash(const char *s, size_t n)
{
	return n > 19 && is_rust_hash(s + n - 19, 19) ? n - 19 : n;
}

/* Parentheses that stay: part of a C++ or a Go name. */
static bool is_part_of_name(const char *s, size_t n, size_t i)
{
	return starts_with(s + i, n - i, "(anonymous namespace)") || (i && s[i - 1] == '.');
}

/* What without_params looks at; all others are part of a name. */
static const bool is_sign[256] = {
	['o'] = true, ['<'] = true, ['>'] = true, ['{'] = true,
	['}'] = true, ['['] = true, [']'] = true, ['('] = true,
};

/* Length of the name without its parameter list and what follows it. */
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

/* True where put_java may have something to do. */
static bool may_be_java(const char *s, size_t n)
{
	return n && s[0] == 'L' && memchr(s, ';', n);
}

/* Java's "Lcom/x/C;::f" without the descriptor's L, its ';' as ':'. */
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

/* Index behind the bracket that closes the one at s[i]; n when none does. */
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

/* True where '<' opens template arguments, not Rust's "<T as Trait>" or "<impl T>". */
static bool opens_arguments(const char *s, size_t i)
{
	if (!i)
		return false;
	if (i >= 2 && s[i - 1] == ':' && s[i - 2] == ':')
		return true;
	return is_word(s[i - 1]) || strchr(">)]}", s[i - 1]);
}

/* Suffixes of copies that compilers make of a function; they may be followed by .NUMBER. */
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
 * n without ".word", ".word.NUMBER" and " [clone ...]" at the end. Numbers alone stay: they may
 * tell functions from each other ("f.1" is a static function of gcc's).
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

/* n without what may follow a C++ function's parameters. */
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
 * Length of the result type in front of a C++ function's name: up to the last blank outside of all
 * brackets. "operator new", "vtable for x" and "virtual thunk to f" are names.
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

void fold_name_put(struct out *o, const char *name, size_t n, enum fold_names names)
{
	size_t start = o->len;

	switch (names) {
	case FOLD_NAMES_FULL:
	case FOLD_NAMES_RAW: break;
	case FOLD_NAMES_NOARGS:
		n = without_hash(name, n);
		if (!put_java(o, name, without_params(name, n)))
			out_mem(o, name, without_params(name, n));
		return;
	case FOLD_NAMES_SHORT:
		if (!put_java(o, name, without_params(name, n)))
			put_short(o, name, n);
		break;
	}
	if (o->len == start)
		out_mem(o, name, n);
}

/* --- frames ----------------------------------------------------------------------------------- */

static bool is_jit(const struct map *m)
{
	return m && dso_get_desc(m->dso)->kind == DSO_JIT;
}

/* The kernel's, and [vdso], which the scripts cannot tell from it. */
static bool is_kernel(const struct map *m)
{
	return m && (m->kernel || m->dso_name[0] == '[');
}

static void put_object(struct out *o, const struct map *m)
{
	const char *name = m ? m->dso_name : "", *base = strrchr(name, '/');

	base = base ? base + 1 : name;
	if (!*name || !strcmp(name, "[unknown]")) {
		out_str(o, "[unknown]");
		return;
	}
	out_char(o, '[');
	fold_escape(o, base, strlen(base));
	out_char(o, ']');
}

/* One function's name, tidied and then escaped. */
static void put_function(struct out *o, const char *s, size_t n, enum fold_names names)
{
	struct out tidy;

	/* a part of what is there already */
	if (names == FOLD_NAMES_NOARGS && !may_be_java(s, n)) {
		fold_escape(o, s, without_params(s, without_hash(s, n)));
		return;
	}
	out_init_mem(&tidy);
	fold_name_put(&tidy, s, n, names);
	fold_escape(o, tidy.buf, tidy.len);
	out_fini(&tidy);
}

/* "outer->inner->innermost" of a JIT map */
static void put_inlined(struct out *o, const char *s, const struct fold_name_config *cfg)
{
	size_t start = o->len, n;
	bool inner = false;
	const char *end;

	for (;; s = end + 2, inner = true) {
		end = strstr(s, "->");
		n = end ? (size_t)(end - s) : strlen(s);
		if (n) {
			if (o->len > start)
				out_char(o, ';');
			put_function(o, s, n, cfg->names);
			if (inner)
				out_str(o, "_[i]");
			else if (cfg->mark_jit)
				out_str(o, "_[j]");
		}
		if (!end)
			return;
	}
}

void fold_name_frame(struct out *o, const struct frame *fr, const struct fold_name_config *cfg)
{
	size_t start = o->len;

	if (fr->has_sym && is_jit(fr->map) && cfg->names != FOLD_NAMES_RAW &&
	    strstr(fr->sym.name, "->")) {
		put_inlined(o, fr->sym.name, cfg);
		if (o->len > start)
			return;
	}
	if (fr->has_sym)
		put_function(o, fr->sym.name, strlen(fr->sym.name), cfg->names);
	else
		put_object(o, fr->map);
	if (cfg->mark_kernel && is_kernel(fr->map))
		out_str(o, "_[k]");
	else if (cfg->mark_jit && is_jit(fr->map))
		out_str(o, "_[j]");
}

bool fold_name_inlined(struct out *o, const struct frame *fr, const struct fold_name_config *cfg)
{
	const struct inline_frame *frames;
	size_t n = cfg->inlines ? frame_inlines(fr, &frames) : 0;

	if (n < 2)
		return false;
	/* the last one is the frame's own function */
	for (size_t i = n - 1; i--;) {
		out_char(o, ';');
		put_function(o, frames[i].name, strlen(frames[i].name), cfg->names);
	}
	return true;
}
