/* SPDX-License-Identifier: MIT */
#include "symbols/table/demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#undef ARRAY_SIZE /* libiberty defines it, too, with the same meaning */
#include "base/mem.h"

/*
 * Limits of mangled and readable names. With back references, a mangled name of a hundred bytes can
 * expand to gigabytes. The longest names in LLVM and Boost have some thousand bytes, those of Rust
 * programs a little over 10000.
 */
#define MAX_MANGLED ((size_t)64 << 10)
#define MAX_READABLE ((size_t)256 << 10)

/*
 * Limits for D: libiberty's demangler recurses, and may double the text at each back reference
 * ('Q').
 */
#define MAX_MANGLED_D 2048
#define MAX_BACK_REFS_D 16

struct text {
	char *p; /* points to room, or is malloc'd */
	size_t n, cap;
	jmp_buf too_long;
	char room[1000]; /* a buffer for most names: threads that demangle would otherwise wait for
			  * each other in malloc() */
};

static void text_init(struct text *t)
{
	t->p = t->room;
	t->n = 0;
	t->cap = sizeof(t->room);
	t->room[0] = 0;
}

static void text_put(struct text *t, const char *s, size_t n)
{
	size_t cap = 2 * (t->n + n + 1);
	char *p;

	if (t->n + n >= t->cap) {
		p = xmalloc(cap);
		memcpy(p, t->p, t->n);
		if (t->p != t->room)
			free(t->p);
		t->p = p;
		t->cap = cap;
	}
	memcpy(t->p + t->n, s, n);
	t->n += n;
	t->p[t->n] = 0;
}

/* Ends the use of t. Returns its text, malloc'd; NULL if it is empty or not wanted. */
static char *text_take(struct text *t, bool wanted)
{
	char *ret = wanted && t->n ? xstrndup(t->p, t->n) : NULL;

	if (t->p != t->room)
		free(t->p);
	return ret;
}

static void put_str(struct text *t, const char *s)
{
	text_put(t, s, strlen(s));
}

static void take_piece(const char *s, size_t n, void *ctx)
{
	struct text *t = ctx;

	if (n > MAX_READABLE - t->n)
		longjmp(t->too_long, 1);
	text_put(t, s, n);
}

enum language { RUST, CXX, CXX_NO_PARAMS /* and without the return type */ };

/*
 * Appends the demangled name to t. Returns false if the name is of another language or the text is
 * too long.
 */
static bool demangle_into(struct text *t, enum language language, const char *mangled)
{
	if (setjmp(t->too_long))
		return false;
	switch (language) {
	case RUST: return rust_demangle_callback(mangled, DMGL_NO_OPTS, take_piece, t);
	case CXX:
		return cplus_demangle_v3_callback(mangled, DMGL_PARAMS | DMGL_ANSI, take_piece, t);
	case CXX_NO_PARAMS: return cplus_demangle_v3_callback(mangled, DMGL_NO_OPTS, take_piece, t);
	}
	return false;
}

/*
 * Returns the text of a mangled name, malloc'd; NULL if it is not of that language or too long.
 * perf 7.2 calls libstdc++'s __cxa_demangle. libiberty has the same code, but passes the text on in
 * pieces without allocating, so that too long a text can be abandoned.
 */
static char *run_demangler(enum language language, const char *mangled)
{
	struct text t;

	text_init(&t);
	return text_take(&t, demangle_into(&t, language, mangled));
}

static bool starts_with(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/*
 * Returns the length of name without the suffix ".llvm.1A2B" or "@...", which only distinguishes
 * copies of a function.
 */
static size_t without_llvm_suffix(const char *name)
{
	const char *suffix = strstr(name, ".llvm.");

	if (suffix && suffix[6 + strspn(suffix + 6, "0123456789ABCDEF@")] == 0)
		return (size_t)(suffix - name);
	return strlen(name);
}

/*
 * Returns the length of a name of the form _ZN...17h<16 hex digits>E at the start of name; 0 if it
 * has another form.
 */
static size_t legacy_rust_len(const char *name)
{
	const char *p = name;

	if (starts_with(p, "__ZN"))
		p += 4;
	else if (starts_with(p, "_ZN"))
		p += 3;
	else if (starts_with(p, "ZN"))
		p += 2;
	else
		return 0;
	while (isdigit((unsigned char)*p)) {
		size_t n = 0, left;
		const char *part;

		while (isdigit((unsigned char)*p) && n < MAX_MANGLED)
			n = n * 10 + (size_t)(*p++ - '0');
		left = strnlen(p, n + 1);
		if (n >= left)
			return 0;
		part = p;
		p += n;
		if (*p == 'E')
			return n == 17 && *part == 'h' && strspn(part + 1, "0123456789abcdef") >= 16
				       ? (size_t)(p + 1 - name)
				       : 0;
	}
	return 0;
}

/*
 * Returns the length of the Rust name at the start of name, without suffixes; 0 if there is none.
 */
static size_t rust_len(const char *name)
{
	const char *v0 = name + strspn(name, "_");

	/*
	 * Rust's v0 names begin with "_R", on some systems with "__R". A plain "R" is not accepted,
	 * since names in other languages may begin so.
	 */
	if (v0 != name && v0 - name <= 2 && v0[0] == 'R' && (isupper((unsigned char)v0[1])))
		return strcspn(name, ".");
	return legacy_rust_len(name);
}

static char *demangle_rust(const char *name)
{
	size_t len = rust_len(name), end;
	char *mangled, *text, *ret;
	const char *start = name;

	if (!len || (name[len] && name[len] != '.'))
		return NULL;
	end = without_llvm_suffix(name);
	if (end < len)
		return NULL;
	/* libiberty only knows the prefixes "_R" and "_ZN". */
	if (starts_with(name, "__")) {
		start++;
		len--;
	}
	mangled = *start == 'Z' ? xasprintf("_%.*s", (int)len, start) : xstrndup(start, len);
	text = run_demangler(RUST, mangled);
	free(mangled);
	if (!text)
		return NULL;
	len += (size_t)(start - name);
	ret = xasprintf("%s%.*s", text, (int)(end - len), name + len);
	free(text);
	return ret;
}

/*
 * Demangles a C++ name as perf 7.2 does, but only if it begins with "_Z". perf passes any name to
 * __cxa_demangle, which takes a function called "f" for the type float.
 */
static char *demangle_cxx(const char *name)
{
	char *ret, *base, *text;
	size_t len, base_len;

	if (!starts_with(name, "_Z"))
		return NULL;
	ret = run_demangler(CXX, name);
	base_len = strcspn(name, ".");
	if (ret || !starts_with(name, "_ZN") || !name[base_len])
		return ret;
	/*
	 * A suffix of a variable, which libiberty refuses: it accepts suffixes of functions only.
	 */
	base = xstrndup(name, base_len);
	text = run_demangler(CXX, base);
	free(base);
	if (!text)
		return NULL;
	len = without_llvm_suffix(name);
	ret = xasprintf("%s%.*s", text, (int)(len - base_len), name + base_len);
	free(text);
	return ret;
}

/*
 * Demangles a name as perf 6.1 does, without parameters: libiberty stops reading where they begin,
 * and so drops the suffixes of copies, too.
 */
static char *demangle_rust_or_cxx_6_1(const char *name)
{
	char *ret = NULL;

	if (starts_with(name, "_R") || starts_with(name, "_ZN"))
		ret = run_demangler(RUST, name);
	if (!ret && (starts_with(name, "_Z") || starts_with(name, "_GLOBAL_")))
		ret = run_demangler(CXX_NO_PARAMS, name);
	return ret;
}

static char *demangle_d(const char *name)
{
	size_t nr_back_refs = 0;

	if (!starts_with(name, "_D") || strnlen(name, MAX_MANGLED_D) == MAX_MANGLED_D)
		return NULL;
	for (const char *p = name; *p; p++)
		nr_back_refs += *p == 'Q';
	return nr_back_refs <= MAX_BACK_REFS_D ? dlang_demangle(name, DMGL_NO_OPTS) : NULL;
}

static unsigned int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? (unsigned int)(c - '0')
					 : (unsigned int)(tolower((unsigned char)c) - 'a' + 10);
}

/*
 * Demangles an OCaml name, which begins with "caml" and a module's name: "__" means a dot, "$xx"
 * the character with this hex code. The compiler's suffix ("_123") is kept, as in perf 7.2.
 */
static char *demangle_ocaml(const char *name)
{
	size_t n = 0;
	char *ret;

	if (!starts_with(name, "caml") || !isupper((unsigned char)name[4]))
		return NULL;
	name += 4;
	ret = xmalloc(strlen(name) + 1);
	while (*name) {
		if (name[0] == '_' && name[1] == '_') {
			ret[n++] = '.';
			name += 2;
		} else if (name[0] == '$' && isxdigit((unsigned char)name[1]) &&
			   isxdigit((unsigned char)name[2])) {
			ret[n++] = (char)(hex_digit(name[1]) << 4 | hex_digit(name[2]));
			name += 3;
		} else {
			ret[n++] = *name++;
		}
	}
	ret[n] = 0;
	return ret;
}

static const char *java_basic_type(char c)
{
	switch (c) {
	case 'B': return "byte";
	case 'C': return "char";
	case 'D': return "double";
	case 'F': return "float";
	case 'I': return "int";
	case 'J': return "long";
	case 'S': return "short";
	case 'V': return "void";
	case 'Z': return "boolean";
	}
	return NULL;
}

/*
 * Appends the class "Ljava/lang/String;" at *p as "java.lang.String". Returns false if there is no
 * ';'.
 */
static bool put_java_class(struct text *t, const char **p)
{
	const char *end = strchr(*p, ';');

	if (!end)
		return false;
	for (const char *c = *p + 1; c < end; c++)
		text_put(t, *c == '/' ? "." : c, 1);
	*p = end + 1;
	return true;
}

/*
 * Appends the types of parameters up to ')', separated by ", ". Returns false if p has another
 * form.
 */
static bool put_java_params(struct text *t, const char *p)
{
	bool first = true;

	while (*p && *p != ')') {
		size_t nr_arrays = strspn(p, "[");

		p += nr_arrays;
		if (!first)
			put_str(t, ", ");
		first = false;
		if (*p == 'L') {
			if (!put_java_class(t, &p))
				return false;
		} else if (java_basic_type(*p)) {
			put_str(t, java_basic_type(*p++));
		} else {
			return false;
		}
		while (nr_arrays--)
			put_str(t, "[]");
	}
	return *p == ')';
}

/*
 * Demangles a Java name such as "Ljava/lang/Foo;equals([B[B)Z", which perf inject --jit writes. The
 * result type is left out.
 */
static char *demangle_java(const char *name)
{
	const char *p = name, *open;
	bool is_java = false;
	struct text t;

	text_init(&t);
	if (*p != 'L' || !strchr(p, ';') || !put_java_class(&t, &p))
		goto out;
	open = strchr(p, '(');
	if (!open || open == p)
		goto out;
	/* A name such as "<init>" follows the class without a dot, as in perf. */
	if (isalpha((unsigned char)*p))
		put_str(&t, ".");
	text_put(&t, p, (size_t)(open + 1 - p));
	if (!put_java_params(&t, open + 1))
		goto out;
	put_str(&t, ")");
	is_java = true;
out:
	return text_take(&t, is_java);
}

char *demangle(const char *name, enum text_format format)
{
	char *ret;

	if (strnlen(name, MAX_MANGLED) == MAX_MANGLED)
		return NULL;
	if (format == TEXT_PERF_6_1) {
		ret = demangle_rust_or_cxx_6_1(name);
	} else {
		ret = demangle_rust(name);
		if (!ret)
			ret = demangle_cxx(name);
		if (!ret)
			ret = demangle_d(name);
	}
	if (!ret)
		ret = demangle_ocaml(name);
	if (!ret)
		ret = demangle_java(name);
	return ret;
}

char *name_style_apply(const struct name_style *style, const char *name)
{
	char *demangled = style->demangle ? demangle(name, style->format) : NULL, *shown;
	struct out o;

	if (!style->form)
		return demangled;
	if (demangled)
		name = demangled;
	out_init_mem(&o);
	style->form(&o, name, strlen(name));
	shown = xstrndup(o.buf, o.len);
	out_fini(&o);
	free(demangled);
	return shown;
}
