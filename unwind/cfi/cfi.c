/* SPDX-License-Identifier: MIT */
#include "unwind/cfi/cfi.h"

#include <elf.h>

#include "base/mem.h"
#include "symbols/elf/section_expand.h"
#include "unwind/cfi/cfi_priv.h"

static u64 section_vaddr(const struct object *o, const char *name)
{
	const struct obj_section *s = object_section(o, name);

	return s ? s->addr : 0;
}

static struct cfi_section section_of(const struct object *code)
{
	struct cfi_section s = {
		.code = code,
		.machine = code->machine,
		.word = code->is_64 ? 8 : 4,
		.swap = code->swap,
		.text = section_vaddr(code, ".text"),
		.data = section_vaddr(code, ".got.plt"),
	};

	if (!s.data)
		s.data = section_vaddr(code, ".got");
	return s;
}

/* File bytes from vaddr to the end of its segment, as far as the file holds them. */
static struct span segment_rest(const struct object *o, u64 vaddr)
{
	const struct obj_load *l = object_load_at(o, vaddr);
	u64 skip, n;

	if (!l)
		return span_of(NULL, 0);
	skip = vaddr - l->vaddr;
	if (skip >= l->filesz || l->off > o->file.n || skip >= o->file.n - l->off)
		return span_of(NULL, 0);
	n = l->filesz - skip;
	if (n > o->file.n - l->off - skip)
		n = o->file.n - l->off - skip;
	return span_of(o->file.p + l->off + skip, n);
}

/*
 * Finds .eh_frame and .eh_frame_hdr by their section headers. Without section headers (sstrip, an
 * image read from memory), the program headers lead to .eh_frame_hdr, which holds the address of
 * .eh_frame.
 */
static void find_eh_frame(struct cfi *c, const struct object *code, struct span *ret_hdr,
			  u64 *ret_vaddr)
{
	const struct obj_section *eh = object_section(code, ".eh_frame");
	const struct obj_section *hdr = object_section(code, ".eh_frame_hdr");
	struct cfi_section as = c->eh;
	struct cursor cur;
	u64 vaddr;
	u8 enc;

	if (eh) {
		c->eh.bytes = object_bytes(code, eh);
		c->eh.vaddr = eh->addr;
		cfi_apply_relocs(c, eh);
		if (hdr && c->eh.bytes.n) {
			*ret_hdr = object_bytes(code, hdr);
			*ret_vaddr = hdr->addr;
			return;
		}
	}
	if ((eh && !c->eh.bytes.n) || !code->eh_frame_hdr.size)
		return;
	as.bytes = segment_rest(code, code->eh_frame_hdr.vaddr);
	if (as.bytes.n > code->eh_frame_hdr.size)
		as.bytes.n = code->eh_frame_hdr.size;
	as.vaddr = as.data = code->eh_frame_hdr.vaddr;
	*ret_hdr = as.bytes;
	*ret_vaddr = as.vaddr;
	if (eh)
		return;
	cur = cursor_of(as.bytes, as.swap);
	cur_u8(&cur);
	enc = cur_u8(&cur);
	cur_skip(&cur, 2);
	if (!cur.bad && cfi_read_pointer(&as, &cur, enc, as.word, 0, &vaddr)) {
		c->eh.bytes = segment_rest(code, vaddr);
		c->eh.vaddr = vaddr;
		c->eh.no_size = true;
	}
}

static int find_debug_frame(struct cfi *c, const struct object *o, struct perr *e)
{
	const struct obj_section *s = object_section(o, ".debug_frame");
	size_t n;
	int err;

	if (!s)
		s = object_section(o, ".zdebug_frame");
	if (!s || !section_is_compressed(o, s)) {
		c->df.bytes = object_bytes(o, s);
		return 0;
	}
	err = section_expanded_size(o, s, &n, e);
	if (err || !n)
		return err;
	c->owned = xmalloc(n);
	err = section_expand(o, s, c->owned, n, e);
	if (err) {
		free(c->owned);
		c->owned = NULL;
		return err;
	}
	c->df.bytes = span_of(c->owned, n);
	return 0;
}

int cfi_open(const struct object *code, const struct object *debug, struct cfi **ret,
	     struct perr *e)
{
	struct span hdr = { 0 };
	struct cfi *c;
	struct perr why = { 0 };
	u64 hdr_vaddr = 0;
	int err = 0;

	/* Addresses in a file that is not linked yet mean nothing. */
	if (code->type == ET_REL)
		return perr_set(e, PERR_UNSUPPORTED,
				"%s: the file is not linked, so its addresses are not final",
				code->path);
	c = xcalloc(1, sizeof(*c));
	c->eh = c->df = section_of(code);
	c->df.debug_frame = true;
	find_eh_frame(c, code, &hdr, &hdr_vaddr);
	if (debug && debug->is_64 == code->is_64 && debug->swap == code->swap)
		err = find_debug_frame(c, debug, &why);
	if (!c->df.bytes.n && debug != code && !err)
		err = find_debug_frame(c, code, &why);
	if (!c->eh.bytes.n && !c->df.bytes.n) {
		cfi_close(c);
		if (!err)
			return perr_set(e, PERR_NOTFOUND, "%s: it has no call frame information",
					code->path);
		if (e)
			*e = why;
		return err;
	}
	cfi_index_build(c, hdr, hdr_vaddr);
	if (!c->nr) {
		err = c->damaged ? PERR_FORMAT : PERR_NOTFOUND;
		cfi_close(c);
		return perr_set(e, err, "%s: %s", code->path,
				err == PERR_FORMAT
					? "its call frame information is damaged"
					: "its call frame information describes no function");
	}
	*ret = c;
	return 0;
}

void cfi_close(struct cfi *c)
{
	if (!c)
		return;
	free(c->begins);
	free(c->marks);
	free(c->index);
	free(c->eh_owned);
	free(c->owned);
	free(c);
}
