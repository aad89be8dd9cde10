/* SPDX-License-Identifier: MIT */
#include "picture/folded_text.h"

#include "picture/flame_tree.h"
#include "picture/fold_escape.h"

/* In tree->names: the name of gaps. No line can hold it. */
#define GAP_TEXT "\n"

/* A line is compared with the one before it: sorted lines begin alike. */
struct reader {
	struct folded_text *t;
	char *line, *last;
	size_t cap, cap_last, last_len; /* last_len: of the stack in `last`, without the counts */
	/* By frame of the last stack: its name, its node, and where the frame ends in the text. */
	u32 *names, *nodes;
	size_t *ends;
	size_t nr, cap_names, cap_nodes, cap_ends;
	u32 gap;
	size_t at, nr_bytes; /* of bytes: used, read */
	char bytes[65536];
};

bool folded_text_begins(const void *bytes, size_t n)
{
	return n && (*(const u8 *)bytes >= ' ' || *(const char *)bytes == '\n') &&
	       !memchr(bytes, '\0', n);
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/*
 * Takes the number at the end of a line of *n bytes, "12" or "12.5", and the blanks before it.
 * False: there is none.
 */
static bool take_count(const char *s, size_t *n, u64 *ret, bool *fraction)
{
	size_t end = *n, i = end, point = end;
	u64 v = 0;

	while (i && (is_digit(s[i - 1]) || (s[i - 1] == '.' && point == end)))
		if (s[--i] == '.')
			point = i;
	if (i == end || i == point || !i || (s[i - 1] != ' ' && s[i - 1] != '\t'))
		return false;
	for (size_t k = i; k < point; k++)
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (u64)(s[k] - '0'), &v))
			v = UINT64_MAX;
	if (point + 1 < end) {
		*fraction = true;
		v += s[point + 1] >= '5' && v < UINT64_MAX;
	}
	while (i && (s[i - 1] == ' ' || s[i - 1] == '\t'))
		i--;
	*ret = v;
	*n = i;
	return true;
}

/* Drops the frames of the last stack that the text s[0..n) does not begin with. */
static size_t keep_common(struct reader *r, const char *s, size_t n)
{
	size_t common = 0, most = n < r->last_len ? n : r->last_len;

	while (common < most && s[common] == r->last[common])
		common++;
	/* a frame is the same if it ends in both texts where they are equal, or right behind that
	 */
	while (r->nr) {
		size_t end = r->ends[r->nr - 1];

		if (end <= common && (end == n || s[end] == ';'))
			break;
		r->nr--;
	}
	return r->nr ? r->ends[r->nr - 1] + 1 : 0;
}

/* Makes the names and nodes of the frames of s[0..n). Returns the last node. */
static u32 add_frames(struct reader *r, const char *s, size_t n)
{
	size_t from = keep_common(r, s, n);

	while (from <= n) {
		const char *semi = memchr(s + from, ';', n - from);
		size_t end = semi ? (size_t)(semi - s) : n;
		u32 name = intern_n(&r->t->tree->names, s + from, end - from);

		vec_reserve(r->names, r->cap_names, r->nr + 1);
		vec_reserve(r->nodes, r->cap_nodes, r->nr + 2);
		vec_reserve(r->ends, r->cap_ends, r->nr + 1);
		r->names[r->nr] = name;
		r->nodes[r->nr + 1] = fold_tree_child(r->t->tree, r->nodes[r->nr], name);
		r->ends[r->nr++] = end;
		from = end + 1;
	}
	return r->nodes[r->nr];
}

static void add_to_chart(struct reader *r, u64 count)
{
	vec_reserve(r->names, r->cap_names, r->nr + 1);
	r->names[r->nr] = r->gap;
	flame_add_stack(r->t->chart, r->names, r->nr + 1);
	flame_count(r->t->chart, 0, count);
}

static int add_line(struct reader *r, size_t len, struct perr *e)
{
	struct folded_text *t = r->t;
	u64 count, counts[FOLD_SIDES] = { 0 };
	bool fraction = false;
	u32 node;
	char *old;
	size_t old_cap;

	if (!take_count(r->line, &len, &count, &fraction))
		return perr_set(e, PERR_FORMAT,
				"line %llu: expected folded text, 'frame;frame;frame COUNT', got "
				"'%.*s%s'",
				(unsigned long long)t->nr_lines, (int)(len < 60 ? len : 60),
				r->line, len > 60 ? "..." : "");
	if (t->nr_lines == 1 || t->two_counts) {
		u64 first;

		if (take_count(r->line, &len, &first, &fraction)) {
			t->two_counts = true;
			counts[0] = first;
			counts[1] = count;
		} else if (t->two_counts) {
			return perr_set(e, PERR_FORMAT,
					"line %llu: expected two counts, as on the lines before it",
					(unsigned long long)t->nr_lines);
		}
	}
	if (!t->two_counts)
		counts[t->side] = count;
	t->nr_fractions += fraction;
	node = add_frames(r, r->line, len);
	for (unsigned int side = 0; side < FOLD_SIDES; side++) {
		if (t->two_counts || side == t->side)
			fold_tree_count(t->tree, node, side, counts[side]);
		t->totals[side] += counts[side];
	}
	if (t->chart)
		add_to_chart(r, counts[t->two_counts ? 1 : t->side]);
	r->last_len = len;
	old = r->last;
	old_cap = r->cap_last;
	r->last = r->line;
	r->cap_last = r->cap;
	r->line = old;
	r->cap = old_cap;
	return 0;
}

/* Length of the line without its end; blanks there are dropped. */
static size_t trimmed(const char *s, size_t n)
{
	while (n && (s[n - 1] == '\n' || s[n - 1] == '\r' || s[n - 1] == ' ' || s[n - 1] == '\t'))
		n--;
	return n;
}

/* Appends to the line of *len bytes what the file goes on with. True: the line is complete. */
static bool extend_line(struct reader *r, FILE *file, size_t *len)
{
	const char *end;
	size_t n;

	if (r->at == r->nr_bytes) {
		r->nr_bytes = fread_unlocked(r->bytes, 1, sizeof(r->bytes), file);
		r->at = 0;
		if (!r->nr_bytes)
			return true;
	}
	end = memchr(r->bytes + r->at, '\n', r->nr_bytes - r->at);
	n = end ? (size_t)(end - r->bytes) + 1 - r->at : r->nr_bytes - r->at;
	vec_reserve(r->line, r->cap, *len + n);
	memcpy(r->line + *len, r->bytes + r->at, n);
	r->at += n;
	*len += n;
	return end != NULL;
}

/* The next line of the file into r->line. Its length, 0 for an empty one; -1: the end, or *err. */
static ssize_t next_line(struct reader *r, FILE *file, struct perr *e, int *err)
{
	unsigned long long number = (unsigned long long)r->t->nr_lines + 1;
	size_t len = 0;

	while (!extend_line(r, file, &len) && len <= FOLDED_TEXT_LINE)
		;
	if (ferror(file))
		*err = perr_io(e, "cannot read");
	else if (len > FOLDED_TEXT_LINE)
		*err = perr_set(e, PERR_LIMIT, "line %llu is longer than %u MiB", number,
				FOLDED_TEXT_LINE >> 20);
	else if (len && memchr(r->line, '\0', len))
		*err = perr_set(e, PERR_FORMAT, "line %llu: it holds a NUL byte", number);
	return *err || !len ? -1 : (ssize_t)trimmed(r->line, len);
}

int folded_text_read(struct folded_text *t, FILE *file, struct perr *e)
{
	struct reader *r = xcalloc(1, sizeof(*r));
	ssize_t len;
	int err = 0;

	r->t = t;
	vec_reserve(r->nodes, r->cap_nodes, 1);
	r->nodes[0] = 0;
	if (t->chart)
		r->gap = intern_n(&t->tree->names, GAP_TEXT, 1);
	while (!err && (len = next_line(r, file, e, &err)) >= 0) {
		t->nr_lines++;
		if (len)
			err = add_line(r, (size_t)len, e);
	}
	if (t->chart && !err) {
		folded_names(t->chart, &t->tree->names);
		flame_finish(t->chart);
	}
	free(r->line);
	free(r->last);
	free(r->names);
	free(r->nodes);
	free(r->ends);
	free(r);
	return err;
}

/* --- names ------------------------------------------------------------------------------------ */

/* The kind that the suffix of a name says; *n becomes its length without the suffix. */
static enum flame_kind kind_of(const char *name, size_t *n)
{
	if (*n < 5 || memcmp(name + *n - 4, "_[", 2) != 0 || name[*n - 1] != ']')
		return FLAME_USER;
	switch (name[*n - 2]) {
	case 'k': *n -= 4; return FLAME_KERNEL;
	case 'i': *n -= 4; return FLAME_INLINED;
	case 'j': *n -= 4; return FLAME_JIT;
	case 'w': *n -= 4; return FLAME_WAKER;
	default: return FLAME_USER;
	}
}

void folded_names(struct flame *f, const struct intern *names)
{
	struct out text;

	out_init_mem(&text);
	for (size_t i = 1; i < names->nr; i++) {
		const char *name = intern_text(names, (u32)i);
		size_t n = strlen(name);
		enum flame_kind kind = kind_of(name, &n);

		if (!strcmp(name, GAP_TEXT))
			kind = FLAME_GAP;
		text.len = 0;
		fold_unescape(&text, name, n);
		out_char(&text, '\0');
		flame_add_name(f, text.buf, NULL, kind);
	}
	out_fini(&text);
}

void flame_of_folded(const struct fold_tree *t, unsigned int nr_sides, enum flame_order order,
		     struct flame *ret)
{
	flame_init(ret, nr_sides);
	folded_names(ret, &t->names);
	flame_add_tree(ret, t, order);
}

/* By node: the node above it. The caller frees it. */
static u32 *parents_of(const struct fold_tree *t)
{
	u32 *parents = xcalloc(t->nr_nodes, sizeof(*parents));

	for (u32 i = 0; i < t->nr_nodes; i++)
		for (u32 child = t->nodes[i].child; child; child = t->nodes[child].next)
			parents[child] = i;
	return parents;
}

void flame_of_stretches(struct fold_tree *t, const struct folded_stretch *stretches, size_t nr,
			struct flame *ret)
{
	u32 gap = intern_n(&t->names, GAP_TEXT, 1), *parents = parents_of(t), *path = NULL;
	size_t cap = 0;

	flame_init(ret, 1);
	for (size_t i = 0; i < nr; i++) {
		size_t depth = 0, at;

		for (u32 node = stretches[i].node; node; node = parents[node])
			depth++;
		vec_reserve(path, cap, depth + 1);
		path[at = depth] = gap; /* the weight of the stack's last frame has a place, too */
		for (u32 node = stretches[i].node; node; node = parents[node])
			path[--at] = t->nodes[node].name;
		flame_add_stack(ret, path, depth + 1);
		flame_count(ret, 0, stretches[i].weight);
	}
	folded_names(ret, &t->names);
	flame_finish(ret);
	free(parents);
	free(path);
}
