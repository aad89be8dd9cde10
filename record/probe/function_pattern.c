/* SPDX-License-Identifier: MIT */
#include "record/probe/function_pattern.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "record/host/name_glob.h"
#include "symbols/table/demangle.h"

/* bytes; keeps lines readable and fits into EVENT_UPDATE records, which end at 64 KiB */
#define NAME_MAX_SHOWN 256

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

/* Converts s to spaceless form in place; returns s. */
static char *make_spaceless(char *s)
{
	size_t n = 0;

	for (const char *p = s; *p; p++) {
		if (*p != ' ') {
			s[n++] = *p;
			continue;
		}
		while (p[1] == ' ')
			p++;
		if (n && is_word_char(s[n - 1]) && is_word_char(p[1]))
			s[n++] = '_';
	}
	s[n] = 0;
	return s;
}

/* Returns the longest word of text, in a glob outside its sets. */
static char *longest_word(const char *text, bool is_glob)
{
	const char *best = text;
	size_t best_len = 0;

	for (const char *p = text; *p;) {
		size_t n = 0;

		if (is_glob && *p == '[') {
			const char *member = p + 1 + (p[1] == '!' || p[1] == '^');
			const char *end = *member ? strchr(member + 1, ']') : NULL;

			p = end ? end : p + 1;
			continue;
		}
		while (is_word_char(p[n]))
			n++;
		if (n > best_len) {
			best = p;
			best_len = n;
		}
		p += n ? n : 1;
	}
	return xstrndup(best, best_len);
}

/*
 * Returns "a::T::f" for "<a::T>::f", malloc'd: Rust's v0 names have the second form, its older
 * names and users the first. Returns NULL for "<a::T as Trait>::f" and other names.
 */
static char *without_angles(const char *name)
{
	size_t depth = 0;

	if (*name != '<')
		return NULL;
	for (const char *p = name; *p; p++) {
		if (depth == 1 && !strncmp(p, "_as_", 4))
			return NULL;
		depth += *p == '<';
		if (*p != '>' || p[-1] == '-' || --depth)
			continue;
		return strncmp(p, ">::", 3)
			       ? NULL
			       : xasprintf("%.*s%s", (int)(p - name - 1), name + 1, p + 1);
	}
	return NULL;
}

void function_pattern_init(struct function_pattern *p, const char *text, bool is_glob)
{
	p->text = xstrdup(text);
	p->spaceless = make_spaceless(xstrdup(text));
	p->inner = is_glob ? NULL : without_angles(p->spaceless);
	p->word = longest_word(p->spaceless, is_glob);
	p->is_glob = is_glob;
}

void function_pattern_fini(struct function_pattern *p)
{
	free(p->text);
	free(p->spaceless);
	free(p->inner);
	free(p->word);
	*p = (struct function_pattern){ 0 };
}

/* Returns the length without "@VERSION" or "@@VERSION", which some names in .symtab end with. */
static size_t unversioned_len(const char *name)
{
	const char *at = strchr(name, '@');

	return at && at != name ? (size_t)(at - name) : strlen(name);
}

bool function_pattern_is(const struct function_pattern *p, const char *linker_name)
{
	size_t n = strlen(p->text);

	return !strncmp(p->text, linker_name, n) &&
	       (!linker_name[n] || (n && unversioned_len(linker_name) == n));
}

/* Finds a suffix such as ".part", ".part.0" or ".cold.1"; NULL: none. */
static const char *find_suffix(const char *name, const char *suffix)
{
	size_t n = strlen(suffix);

	for (const char *p = name; (p = strstr(p, suffix)); p += n)
		if (p != name && (!p[n] || p[n] == '.'))
			return p;
	return NULL;
}

bool function_is_cold_part(const char *linker_name)
{
	return find_suffix(linker_name, ".cold");
}

/*
 * Suffixes that gcc and clang add to the names of copies. is_copy: the code differs from the
 * function with the plain name; without it the function was only renamed.
 */
struct clone_suffix {
	const char *text;
	bool is_copy;
};
static const struct clone_suffix clone_suffixes[] = {
	{ ".part", true },      { ".isra", true },  { ".constprop", true },
	{ ".cold", true },      { ".clone", true }, { ".specialized", true },
	{ ".lto_priv", false }, { ".llvm", false }, { ".localalias", false },
};

/* Returns the length of the name without such a suffix; *ret_is_copy as in struct clone_suffix. */
static size_t plain_len(const char *name, bool *ret_is_copy)
{
	size_t len = strlen(name);

	*ret_is_copy = false;
	for (size_t i = 0; i < ARRAY_SIZE(clone_suffixes); i++) {
		const char *p = find_suffix(name, clone_suffixes[i].text);

		if (!p)
			continue;
		*ret_is_copy |= clone_suffixes[i].is_copy;
		if ((size_t)(p - name) < len)
			len = (size_t)(p - name);
	}
	return len;
}

/* The readable forms of a mangled name, spaceless. bare is NULL if it equals full. */
struct forms {
	char *full;        /* with return type and parameters */
	const char *typed; /* points into full, behind the return type */
	char *bare;        /* without return type and parameters */
};

static bool get_forms(struct forms *f, const char *linker_name, const char *word)
{
	const char *at;

	*f = (struct forms){ .full = demangle(linker_name, TEXT_PERF_7_2) };
	if (!f->full)
		return false;
	make_spaceless(f->full);
	f->typed = f->full;
	if (!strstr(f->full, word))
		return true;
	/* the form that perf 6.1 shows */
	f->bare = demangle(linker_name, TEXT_PERF_6_1);
	if (!f->bare)
		return true;
	make_spaceless(f->bare);
	/* A return type precedes the name, as in "int max<int>(int, int)" and "T* f<T>()". */
	at = strstr(f->full, f->bare);
	if (at && at != f->full && at[strlen(f->bare)] == '(' &&
	    (at[-1] == '_' || at[-1] == '*' || at[-1] == '&' || at[-1] == '>'))
		f->typed = at;
	return true;
}

static void forms_fini(struct forms *f)
{
	free(f->full);
	free(f->bare);
}

/*
 * Returns a copy of a bare name, malloc'd, without its <..> except those that begin a part of the
 * name.
 */
static char *without_templates(const char *bare)
{
	char *ret = xmalloc(strlen(bare) + 1);
	size_t n = 0, depth = 0;

	for (const char *p = bare; *p; p++) {
		bool is_rust = p - bare >= 2 && p[-1] == ':'; /* f::<i32> */
		bool opens = *p == '<' && p != bare && (is_rust || is_word_char(p[-1]));

		if (!depth && (p == bare || !is_word_char(p[-1])) && !strncmp(p, "operator", 8) &&
		    !is_word_char(p[8])) {
			/* the < behind "operator" does not start a template */
			memcpy(ret + n, p, strlen(p));
			n += strlen(p);
			break;
		}
		if (opens && !depth) {
			if (is_rust && n >= 2)
				n -= 2;
			depth = 1;
		} else if (depth) {
			if (*p == '<')
				depth++;
			else if (*p == '>' && p[-1] != '-' && p[-1] != '=')
				depth--;
		} else {
			ret[n++] = *p;
		}
	}
	ret[n] = 0;
	return ret;
}

static bool text_fits(const struct function_pattern *p, const char *name)
{
	if (p->is_glob)
		return name_glob_match(p->spaceless, name, false);
	return !strcmp(p->spaceless, name) || (p->inner && !strcmp(p->inner, name));
}

static bool forms_fit(const struct function_pattern *p, const struct forms *f)
{
	char *plain, *inner;
	bool fits;

	if (!strstr(f->full, p->word))
		return false;
	if (text_fits(p, f->full) || (f->typed != f->full && text_fits(p, f->typed)))
		return true;
	if (!f->bare)
		return false;
	if (text_fits(p, f->bare))
		return true;
	inner = without_angles(f->bare);
	fits = inner && text_fits(p, inner);
	if (!fits && !strchr(p->spaceless, '<') && strchr(f->bare, '<')) {
		plain = without_templates(inner ? inner : f->bare);
		fits = text_fits(p, plain);
		free(plain);
	}
	free(inner);
	return fits;
}

enum function_fit function_pattern_fit(const struct function_pattern *p, const char *linker_name)
{
	bool is_copy, fits;
	size_t len;
	char *plain;
	struct forms f;

	if (function_pattern_is(p, linker_name))
		return FIT_EXACT;
	if (p->is_glob && name_glob_match(p->text, linker_name, false))
		return FIT_NAME;
	len = plain_len(linker_name, &is_copy);
	if (get_forms(&f, linker_name, p->word)) {
		fits = forms_fit(p, &f);
		forms_fini(&f);
	} else if (linker_name[len] || unversioned_len(linker_name) < len) {
		plain = xstrndup(linker_name, len);
		plain[unversioned_len(plain)] = 0;
		fits = p->is_glob ? name_glob_match(p->text, plain, false)
				  : !strcmp(p->text, plain);
		free(plain);
	} else {
		/* Go names, such as those of generic functions, may contain blanks. */
		plain = strchr(linker_name, ' ') ? make_spaceless(xstrdup(linker_name)) : NULL;
		fits = plain && text_fits(p, plain);
		free(plain);
	}
	if (!fits)
		return FIT_NONE;
	return is_copy ? FIT_CLONE : FIT_NAME;
}

/*
 * Returns s in spaceless form, cut to its maximum length, with '?' for bytes that are not printable
 * or have a meaning in a list of events.
 */
static char *presentable_name(char *s)
{
	make_spaceless(s);
	if (strlen(s) > NAME_MAX_SHOWN)
		memcpy(s + NAME_MAX_SHOWN - 3, "...", 4);
	for (char *p = s; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = '?';
	return s;
}

static char *unversioned_name(const char *linker_name)
{
	return xstrndup(linker_name, unversioned_len(linker_name));
}

char *function_readable(const char *linker_name)
{
	struct forms f;
	char *ret;

	if (!get_forms(&f, linker_name, ""))
		return presentable_name(unversioned_name(linker_name));
	ret = presentable_name(xstrdup(f.typed));
	forms_fini(&f);
	return ret;
}

char *function_short(const char *linker_name)
{
	struct forms f;
	char *ret;

	if (!get_forms(&f, linker_name, ""))
		return presentable_name(unversioned_name(linker_name));
	ret = presentable_name(xstrdup(f.bare ? f.bare : f.full));
	forms_fini(&f);
	return ret;
}
