/* SPDX-License-Identifier: MIT */
/* The page around its data: markup, the head as JSON, the block as base64. */
#include <libdeflate.h>

#include "base/parallel.h"
#include "picture/page_priv.h"

#define DEFLATE_LEVEL 6 /* higher ones take longer and save less than 1 % */
/* The block is deflated, and inflated by the browser, in so many parts of at least so many bytes.
 */
#define MOST_PARTS 8
#define LEAST_PART (256 << 10)

/* The text of a JSON string; nothing in it ends the element that holds the JSON. */
static void put_json_text(struct out *o, const char *s, size_t n)
{
	out_char(o, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\') {
			out_char(o, '\\');
			out_char(o, (char)c);
		} else if (c < 0x20 || c == '<' || c == '>' || c == '&') {
			out_printf(o, "\\u%04x", c);
		} else if (i + 2 < n && c == 0xe2 && (unsigned char)s[i + 1] == 0x80 &&
			   ((unsigned char)s[i + 2] | 1) == 0xa9) {
			out_printf(o, "\\u%04x", 0x2028 + (s[i + 2] & 1));
			i += 2;
		} else {
			out_char(o, (char)c);
		}
	}
	out_char(o, '"');
}

static void put_json(struct out *o, const char *s)
{
	put_json_text(o, s, strlen(s));
}

static void put_markup(struct out *o, const char *s)
{
	for (; *s; s++) {
		if (*s == '<')
			out_str(o, "&lt;");
		else if (*s == '>')
			out_str(o, "&gt;");
		else if (*s == '&')
			out_str(o, "&amp;");
		else
			out_char(o, *s);
	}
}

static void put_comma(struct out *o, size_t i)
{
	if (i)
		out_char(o, ',');
}

static void put_columns(struct page *p, struct out *o)
{
	static const char *const units[] = { "samples", "period", "ns" };

	out_str(o, ",\n\"columns\":[");
	for (size_t i = 0; i < p->nr_columns; i++) {
		const struct page_column *c = &p->columns[i];

		put_comma(o, i);
		out_printf(o,
			   "{\"event\":%u,\"side\":%u,\"unit\":\"%s\",\"gcd\":%llu,\"total\":%llu",
			   c->event, c->side, units[c->unit], (unsigned long long)c->gcd,
			   (unsigned long long)c->total);
		if (c->like != UINT32_MAX)
			out_printf(o, ",\"like\":%u", c->like);
		if (c->summed)
			out_str(o, ",\"summed\":true");
		out_char(o, '}');
	}
	out_char(o, ']');
}

static void put_texts(struct page *p, struct out *o)
{
	out_str(o, ",\n\"sides\":[");
	for (size_t i = 0; i < PAGE_SIDES && p->sides[1]; i++) {
		put_comma(o, i);
		put_json(o, intern_text(&p->texts, p->sides[i]));
	}
	out_str(o, "],\n\"events\":[");
	for (size_t i = 0; i < p->nr_events; i++) {
		put_comma(o, i);
		put_json(o, intern_text(&p->texts, p->events[i]));
	}
	out_str(o, "],\n\"objects\":[");
	for (size_t i = 0; i < p->objects.nr; i++) {
		put_comma(o, i);
		put_json(o, intern_text(&p->objects, (u32)i));
	}
	out_str(o, "],\n\"about\":[");
	for (size_t i = 0; i < p->nr_parts; i++) {
		put_comma(o, i);
		out_char(o, '[');
		put_json(o, p->parts[i].title);
		out_char(o, ',');
		put_json(o, p->parts[i].text);
		out_char(o, ']');
	}
	out_char(o, ']');
}

static void put_times(struct page *p, struct out *o)
{
	if (!p->quantum) {
		out_str(o, ",\n\"time\":null");
		return;
	}
	out_printf(o,
		   ",\n\"time\":{\"quantum\":%llu,\"first\":%llu,\"last\":%llu},\n\"leaves\":%u,"
		   "\"leavesKnown\":%s,\"counted\":%s,\"weighted\":%s,\n\"threads\":[",
		   (unsigned long long)p->quantum, (unsigned long long)p->first,
		   (unsigned long long)p->last, p->nr_leaves, p->leaves_known ? "true" : "false",
		   p->counted ? "true" : "false", p->weighted ? "true" : "false");
	for (size_t i = 0; i < p->nr_threads; i++) {
		const struct page_thread *t = &p->threads[i];

		put_comma(o, i);
		out_printf(o, "[%d,%d,", (int)t->pid, (int)t->tid);
		put_json(o, intern_text(&p->texts, t->comm));
		out_char(o, ']');
	}
	out_str(o, "],\n\"lanes\":[");
	for (size_t i = 0; i < p->nr_lanes; i++) {
		const struct page_lane *l = &p->lanes[i];

		put_comma(o, i);
		out_printf(o, "[%u,%u,%llu]", l->thread, l->event, (unsigned long long)l->nr);
	}
	out_char(o, ']');
}

static void put_head(struct page *p, struct out *o)
{
	out_str(o, "<script type=\"application/json\" id=\"head\">\n{\"v\":5,\"title\":");
	put_json(o, intern_text(&p->texts, p->title));
	out_str(o, ",\"view\":");
	put_json(o, p->view);
	out_printf(o, ",\"nodes\":%zu,\"deepest\":%u,\"names\":%zu", p->nr_nodes, p->deepest,
		   p->nr_names);
	put_columns(p, o);
	put_texts(p, o);
	put_times(p, o);
	out_str(o, ",\n\"streams\":[");
	for (size_t i = 0; i < p->nr_streams; i++) {
		put_comma(o, i);
		out_printf(o, "[\"%s\",%zu,%u]", p->streams[i].name, p->streams[i].length,
			   p->streams[i].planes);
	}
	out_str(o, "]}\n</script>\n");
}

static void put_base64(struct out *o, const u8 *s, size_t n)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < n; i += 3) {
		size_t left = n - i;
		u32 v = (u32)s[i] << 16 | (left > 1 ? (u32)s[i + 1] << 8 : 0) |
			(left > 2 ? s[i + 2] : 0);

		out_char(o, digits[v >> 18]);
		out_char(o, digits[v >> 12 & 63]);
		out_char(o, left > 1 ? digits[v >> 6 & 63] : '=');
		out_char(o, left > 2 ? digits[v & 63] : '=');
	}
}

/* A part of the block, which is deflated by itself. */
struct part {
	const u8 *from;
	size_t n;
	u8 *packed;
	size_t nr_packed;
};

static void pack_part(void *ctx, size_t i)
{
	struct part *part = (struct part *)ctx + i;
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(DEFLATE_LEVEL);
	size_t room;

	if (!c)
		mem_exhausted(sizeof(*part));
	room = libdeflate_deflate_compress_bound(c, part->n);
	part->packed = xmalloc(room);
	part->nr_packed = libdeflate_deflate_compress(c, part->from, part->n, part->packed, room);
	libdeflate_free_compressor(c);
}

/* Parts of equal size, whose number depends on the block alone: so do the bytes of the page. */
static void put_block(struct page *p, struct out *o)
{
	size_t nr = p->block.n / LEAST_PART < MOST_PARTS ? p->block.n / LEAST_PART + 1 : MOST_PARTS;
	struct part parts[MOST_PARTS];

	for (size_t i = 0; i < nr; i++) {
		size_t first = p->block.n / nr * i, end = p->block.n / nr * (i + 1);

		parts[i].from = p->block.p + first;
		parts[i].n = (i + 1 < nr ? end : p->block.n) - first;
	}
	parallel_run(p->nr_workers, nr, pack_part, parts);
	out_str(o, "<script type=\"application/octet-stream\" id=\"data\">");
	for (size_t i = 0; i < nr; i++) {
		if (i)
			out_char(o, '\n');
		put_base64(o, parts[i].packed, parts[i].nr_packed);
		free(parts[i].packed);
	}
	out_str(o, "</script>\n");
}

static void put_part(struct out *o, struct page_text text)
{
	out_long(o, text.p, text.n);
}

void page_write(struct page *p, struct out *o)
{
	const struct page_texts t = page_texts();

	page_encode(p);
	out_str(o, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		   "script-src 'sha256-");
	put_part(o, t.script_hash);
	out_str(o, "'; style-src 'sha256-");
	put_part(o, t.style_hash);
	out_str(o, "'; img-src data: blob:; base-uri 'none'; form-action 'none'\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		   "<title>");
	put_markup(o, intern_text(&p->texts, p->title));
	out_str(o, "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>");
	put_part(o, t.style);
	out_str(o, "</style>\n</head>\n<body>\n");
	put_part(o, t.body);
	put_head(p, o);
	put_block(p, o);
	out_str(o, "<script>");
	put_part(o, t.script);
	out_str(o, "</script>\n</body>\n</html>\n");
}
