/* SPDX-License-Identifier: MIT */
#include "fileformat/trace_field.h"

static bool is_name_char(u8 c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static bool holds(struct span s, const char *what)
{
	return s.n && memmem(s.p, s.n, what, strlen(what));
}

/* The number at the start of s; 0 without one. */
static u32 number_at(struct span s)
{
	u64 v = 0;

	for (size_t i = 0; i < s.n && s.p[i] >= '0' && s.p[i] <= '9' && v <= UINT32_MAX / 10; i++)
		v = v * 10 + (s.p[i] - '0');
	return v <= UINT32_MAX ? (u32)v : 0;
}

static u32 number_behind(struct span line, const char *label)
{
	const u8 *at = line.n ? memmem(line.p, line.n, label, strlen(label)) : NULL;

	if (!at)
		return 0;
	at += strlen(label);
	return number_at(span_of(at, (size_t)(line.p + line.n - at)));
}

/* A declaration taken apart, such as "unsigned long args[6]" or "__data_loc char[] name". */
struct declaration {
	struct span type, name;
	bool is_array;
	u32 nr; /* elements that the declaration gives as a number; 0: none */
};

static struct declaration take_apart(struct span d)
{
	struct declaration ret = { .is_array = holds(d, "[") };
	size_t end = d.n, start;

	if (end && d.p[end - 1] == ']') {
		while (end && d.p[end - 1] != '[')
			end--;
		ret.nr = number_at(span_of(d.p + end, d.n - end));
	}
	while (end && !is_name_char(d.p[end - 1]))
		end--;
	start = end;
	while (start && is_name_char(d.p[start - 1]))
		start--;
	ret.name = span_of(d.p + start, end - start);
	ret.type = span_of(d.p, start);
	return ret;
}

/* Bytes of the integer types whose names say them; 0 for others, also for long. */
static u32 size_of_type(struct span type)
{
	static const struct {
		const char *word;
		u32 size;
	} types[] = {
		{ "u8", 1 },  { "s8", 1 },  { "short", 2 }, { "u16", 2 },
		{ "s16", 2 }, { "u32", 4 }, { "s32", 4 },   { "long long", 8 },
		{ "u64", 8 }, { "s64", 8 }, { "long", 0 },  { "int", 4 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (holds(type, types[i].word))
			return types[i].size;
	return 0;
}

static bool is_int_size(u32 n)
{
	return n == 1 || n == 2 || n == 4 || n == 8;
}

static void set_kind(struct pd_trace_field *f, const struct declaration *d)
{
	u32 n;

	f->kind = PD_FIELD_BYTES;
	if (f->place == PD_FIELD_FIXED && !d->is_array) {
		f->kind = is_int_size(f->size) ? PD_FIELD_INT : PD_FIELD_BYTES;
		return;
	}
	if (holds(d->type, "char")) {
		f->kind = PD_FIELD_TEXT;
		return;
	}
	n = f->place == PD_FIELD_FIXED && d->nr && f->size % d->nr == 0 ? f->size / d->nr
									: size_of_type(d->type);
	if (d->is_array && is_int_size(n)) {
		f->kind = PD_FIELD_ARRAY;
		f->elem_size = n;
	}
}

bool pd_trace_field_next(struct span format, size_t *pos, struct pd_trace_field *ret)
{
	static const char key[] = "\tfield:";
	struct pd_trace_field f = { 0 };
	struct declaration d;
	const u8 *p, *end, *nl;
	struct span line;
	size_t i = *pos;

	if (!i) {
		/*
		 * a blank line separates the common fields from the event's own fields, and another
		 * one ends them
		 */
		p = format.n ? memmem(format.p, format.n, "\n\n", 2) : NULL;
		if (!p)
			return false;
		i = (size_t)(p - format.p) + 2;
	}
	if (format.n - i < strlen(key) || memcmp(format.p + i, key, strlen(key)))
		return false;
	p = format.p + i + strlen(key);
	nl = memchr(p, '\n', format.n - (size_t)(p - format.p));
	line = span_of(p, nl ? (size_t)(nl - p) : format.n - (size_t)(p - format.p));
	end = line.n ? memchr(p, ';', line.n) : NULL;
	if (!end)
		return false;
	d = take_apart(span_of(p, (size_t)(end - p)));
	f.name = d.name;
	f.offset = number_behind(line, "offset:");
	f.size = number_behind(line, "size:");
	f.is_signed = number_behind(line, "signed:");
	f.place = holds(d.type, "__data_loc")  ? PD_FIELD_DATA_LOC
		  : holds(d.type, "__rel_loc") ? PD_FIELD_REL_LOC
					       : PD_FIELD_FIXED;
	set_kind(&f, &d);
	*ret = f;
	*pos = nl ? (size_t)(nl - format.p) + 1 : format.n;
	return true;
}

struct span pd_trace_field_bytes(const struct pd_trace_field *f, struct span raw, bool swap)
{
	size_t off = f->offset, n = f->size;

	if (f->place != PD_FIELD_FIXED && raw.n >= 4 && off <= raw.n - 4) {
		u32 place = get_u32(raw.p + off, swap);

		off = (place & 0xffff) + (f->place == PD_FIELD_REL_LOC ? off + 4 : 0);
		n = place >> 16;
	}
	if (off > raw.n)
		return span_of(NULL, 0);
	return span_of(raw.p + off, n < raw.n - off ? n : raw.n - off);
}

static u64 read_int(const u8 *p, u32 size, bool is_signed, bool swap)
{
	u64 v;

	switch (size) {
	case 1: return is_signed ? (u64)(s8)*p : *p;
	case 2: v = get_u16(p, swap); return is_signed ? (u64)(int16_t)v : v;
	case 4: v = get_u32(p, swap); return is_signed ? (u64)(s32)v : v;
	default: return get_u64(p, swap);
	}
}

u64 pd_trace_field_small_int(const struct pd_trace_field *f, struct span raw, bool swap)
{
	if ((u64)f->offset + f->size > raw.n)
		return 0;
	return read_int(raw.p + f->offset, f->size, f->is_signed, swap);
}

u64 pd_trace_field_elem(const struct pd_trace_field *f, struct span raw, bool swap, u64 i)
{
	struct span s = pd_trace_field_bytes(f, raw, swap);

	if (!f->elem_size || i >= s.n / f->elem_size)
		return 0;
	return read_int(s.p + i * f->elem_size, f->elem_size, f->is_signed, swap);
}

struct span pd_trace_field_text(const struct pd_trace_field *f, struct span raw, bool swap)
{
	struct span s = pd_trace_field_bytes(f, raw, swap);

	s.n = span_strlen(s);
	return s;
}
