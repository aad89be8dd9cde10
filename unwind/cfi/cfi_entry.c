/* SPDX-License-Identifier: MIT */
/*
 * Entries of .eh_frame (LSB core, "Exception Frames") and .debug_frame (DWARF 6.4.1):
 *
 *	u32 length, or ~0 and u64 length	.eh_frame: 0 is a terminator
 *	u32 or u64 id		CIE: 0 (.eh_frame), ~0; FDE: where its CIE is
 *	CIE: u8 version, text augmentation, [u8 address size, u8 segment size], uleb code alignment,
 *	     sleb data alignment, u8 or uleb return address column, [uleb n, n bytes], instructions
 *	FDE: [segment], start, length of code, [uleb n, n bytes], instructions
 */
#include "unwind/cfi/cfi_priv.h"

#define MAX_LEB_BYTES 16
#define MAX_AUGMENTATION 32

u64 cfi_uleb_long(struct cursor *c)
{
	u64 v = 0;

	for (unsigned int i = 0; i < MAX_LEB_BYTES; i++) {
		u8 b = cur_u8(c);

		if (i < 10)
			v |= (u64)(b & 0x7f) << 7 * i;
		if (!(b & 0x80))
			return v;
	}
	c->bad = true;
	return 0;
}

s64 cfi_sleb(struct cursor *c)
{
	u64 v = 0;

	for (unsigned int i = 0; i < MAX_LEB_BYTES; i++) {
		u8 b = cur_u8(c);

		if (i < 10)
			v |= (u64)(b & 0x7f) << 7 * i;
		if (b & 0x80)
			continue;
		if (b & 0x40 && i < 9)
			v |= ~(u64)0 << 7 * (i + 1);
		return (s64)v;
	}
	c->bad = true;
	return 0;
}

static u64 read_word(struct cursor *c, u8 word)
{
	switch (word) {
	case 2: return cur_u16(c);
	case 4: return cur_u32(c);
	default: return cur_u64(c);
	}
}

/*
 * Reads a word of the program's memory from its file. Returns false if the file does not contain
 * it.
 */
static bool read_memory(const struct cfi_section *s, u64 vaddr, u8 word, u64 *ret)
{
	const struct obj_load *l = s->code ? object_load_at(s->code, vaddr) : NULL;
	struct cursor c;
	u64 skip;

	if (!l)
		return false;
	skip = vaddr - l->vaddr;
	if (skip >= l->filesz || l->off > s->code->file.n || skip > s->code->file.n - l->off)
		return false;
	c = cursor_of(span_of(s->code->file.p + l->off + skip, s->code->file.n - l->off - skip),
		      s->swap);
	*ret = read_word(&c, word);
	return !c.bad;
}

bool cfi_read_pointer(const struct cfi_section *s, struct cursor *c, u8 enc, u8 word, u64 func,
		      u64 *ret)
{
	u64 at = s->vaddr + (u64)(c->p - s->bytes.p), v;

	if (enc == CFI_PE_OMIT)
		return false;
	if ((enc & CFI_PE_BASE) == CFI_PE_ALIGNED) {
		cur_skip(c, (size_t)(-at & (word - 1u)));
		*ret = read_word(c, word);
		return !c->bad && (enc & CFI_PE_FORMAT) == CFI_PE_ABSPTR;
	}
	switch (enc & CFI_PE_FORMAT) {
	case 0x00: /* absptr */
	case 0x08: v = read_word(c, word); break;
	case 0x01: v = cfi_uleb(c); break;
	case 0x02: v = cur_u16(c); break;
	case 0x03: v = cur_u32(c); break;
	case 0x04:
	case 0x0c: v = cur_u64(c); break;
	case 0x09: v = (u64)cfi_sleb(c); break;
	case 0x0a: v = (u64)(int16_t)cur_u16(c); break;
	case 0x0b: v = (u64)(s32)cur_u32(c); break;
	default: return false;
	}
	switch (enc & CFI_PE_BASE) {
	case CFI_PE_ABSPTR: break;
	case CFI_PE_PCREL: v += at; break;
	case CFI_PE_TEXTREL: v += s->text; break;
	case CFI_PE_DATAREL: v += s->data; break;
	case CFI_PE_FUNCREL: v += func; break;
	default: return false;
	}
	v = cfi_wrap(v, word);
	if (c->bad || (enc & CFI_PE_INDIRECT && !read_memory(s, v, word, &v)))
		return false;
	*ret = v;
	return true;
}

/* Reads an entry's id of n bytes. Returns false if neither a CIE nor an FDE can have it. */
static bool read_id(const struct cfi_section *s, struct cursor c, size_t n, struct cfi_entry *r)
{
	u64 at = (u64)(c.p - s->bytes.p), id = n == 8 ? cur_u64(&c) : cur_u32(&c);

	if (c.bad)
		return false;
	r->body = span_of(c.p, cur_left(&c));
	if (id == (s->debug_frame ? n == 8 ? ~(u64)0 : ~(u32)0 : 0)) {
		r->kind = CFI_ENTRY_CIE;
		return true;
	}
	r->kind = CFI_ENTRY_FDE;
	if (!s->debug_frame) {
		if (id > at)
			return false;
		id = at - id;
	}
	r->cie = id;
	return id < s->bytes.n && id != r->off;
}

bool cfi_entry_at(const struct cfi_section *s, u64 off, struct cfi_entry *ret)
{
	struct cfi_entry r = { .off = off };
	struct cursor c;
	bool wide, ok;
	u64 length;

	if (off >= s->bytes.n)
		return false;
	c = cursor_of(span_of(s->bytes.p + off, s->bytes.n - off), s->swap);
	length = cur_u32(&c);
	wide = length == UINT32_MAX;
	if (wide)
		length = cur_u64(&c);
	if (c.bad || length > cur_left(&c))
		return false;
	r.next = (u64)(c.p - s->bytes.p) + length;
	c.end = c.p + length;
	if (!length) {
		r.kind = CFI_ENTRY_TERMINATOR;
		*ret = r;
		return true;
	}
	/*
	 * With a length of 64 bits, LSB and LLVM write an id of 32 bits to .eh_frame; binutils, gdb
	 * and elfutils expect 64 bits. Usually only one of the two readings leads to a valid entry.
	 */
	ok = read_id(s, c, wide ? 8 : 4, &r);
	if (!ok && wide && !s->debug_frame)
		ok = read_id(s, c, 4, &r);
	if (ok)
		*ret = r;
	return ok;
}

static int bad_cie(const struct cfi_section *s, u64 off, struct perr *e)
{
	return perr_at(e, PERR_FORMAT, off, "%s: the CIE is damaged",
		       s->debug_frame ? ".debug_frame" : ".eh_frame");
}

/*
 * Reads the augmentation data that the letters after 'z' describe. The data of an unknown letter
 * has an unknown length, so the letters after it are ignored. Returns false if the data is damaged.
 */
static bool read_augmentation(const struct cfi_section *s, const char *letters, struct span data,
			      struct cfi_cie *r)
{
	struct cursor c = cursor_of(data, s->swap);
	bool lost = false;
	u64 ignored;
	u8 enc;

	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			if (lost)
				return false;
			r->pointer_enc = cur_u8(&c);
			break;
		case 'L': cur_u8(&c); break;
		case 'P':
			enc = cur_u8(&c);
			/*
			 * Only the pointer's size is needed, so an indirect pointer is not
			 * followed.
			 */
			if (enc != CFI_PE_OMIT &&
			    !cfi_read_pointer(s, &c, enc & ~CFI_PE_INDIRECT & 0xff, r->word, 0,
					      &ignored))
				lost = true;
			break;
		case 'S': r->signal_frame = true; break;
		case 'B': /* aarch64: return addresses are signed with the B key */
		case 'G': /* aarch64: the frame's memory is tagged */ break;
		default: lost = true; break;
		}
	}
	return lost || !c.bad;
}

int cfi_read_cie(const struct cfi_section *s, u64 off, struct cfi_cie *ret, struct perr *e)
{
	struct cfi_cie r = { .word = s->word };
	struct cfi_entry en;
	struct cursor c;
	const char *augmentation;
	size_t n;
	u8 version;
	u64 ra;

	if (!cfi_entry_at(s, off, &en) || en.kind != CFI_ENTRY_CIE)
		return bad_cie(s, off, e);
	c = cursor_of(en.body, s->swap);
	version = cur_u8(&c);
	if (version != 1 && version != 3 && version != 4)
		return perr_at(e, PERR_UNSUPPORTED, off, "a CIE has the unknown version %u",
			       version);
	n = strnlen((const char *)c.p, cur_left(&c));
	if (n == cur_left(&c) || n > MAX_AUGMENTATION)
		return bad_cie(s, off, e);
	augmentation = (const char *)cur_take(&c, n + 1);
	if (version == 4) {
		r.word = cur_u8(&c);
		r.segment_size = cur_u8(&c);
		if ((r.word != 2 && r.word != 4 && r.word != 8) || r.segment_size > 8)
			return bad_cie(s, off, e);
	}
	/* gcc 2 wrote a pointer to its own exception table here. */
	if (!strcmp(augmentation, "eh"))
		cur_skip(&c, r.word);
	r.code_align = cfi_uleb(&c);
	r.data_align = cfi_sleb(&c);
	ra = version == 1 ? cur_u8(&c) : cfi_uleb(&c);
	if (c.bad || ra > UINT16_MAX)
		return bad_cie(s, off, e);
	r.ra_reg = (u16)ra;
	if (augmentation[0] == 'z') {
		struct span data;

		r.has_data = true;
		data = cur_bytes(&c, cfi_uleb(&c));
		if (c.bad)
			return bad_cie(s, off, e);
		if (!read_augmentation(s, augmentation + 1, data, &r))
			return perr_at(e, PERR_UNSUPPORTED, off,
				       "a CIE has the unknown augmentation %.32s", augmentation);
	} else if (augmentation[0] && strcmp(augmentation, "eh") != 0 &&
		   strcmp(augmentation, "armcc+") != 0) {
		return perr_at(e, PERR_UNSUPPORTED, off, "a CIE has the unknown augmentation %.32s",
			       augmentation);
	}
	r.code = span_of(c.p, cur_left(&c));
	if (r.code.n > CFI_MAX_CIE_BYTES)
		return perr_at(e, PERR_LIMIT, off,
			       "a CIE has %zu bytes of instructions, which is too many", r.code.n);
	*ret = r;
	return 0;
}

int cfi_read_fde(const struct cfi_section *s, const struct cfi_entry *f, struct cfi_function *ret,
		 struct perr *e)
{
	const struct cfi_cie *cie = &ret->cie;
	struct cursor c = cursor_of(f->body, s->swap);
	u64 start = 0, size = 0;

	cur_skip(&c, cie->segment_size);
	if (!cfi_read_pointer(s, &c, cie->pointer_enc, cie->word, 0, &start) ||
	    !cfi_read_pointer(s, &c, cie->pointer_enc & CFI_PE_FORMAT, cie->word, 0, &size))
		return perr_at(e, PERR_FORMAT, f->off, "the address in an FDE is damaged");
	if (cie->has_data)
		cur_skip(&c, cfi_uleb(&c));
	if (c.bad || cfi_wrap(start + size, cie->word) < start)
		return perr_at(e, PERR_FORMAT, f->off, "an FDE is damaged");
	ret->start = start;
	ret->end = start + size;
	ret->code = span_of(c.p, cur_left(&c));
	return 0;
}

static const struct cfi_cie *known_cie(const struct cfi_section *s, u64 off)
{
	for (u32 i = 0; i < s->nr_known; i++)
		if (s->known[i].off == off)
			return &s->known[i].cie;
	return NULL;
}

void cfi_know_cie(struct cfi_section *s, u64 off)
{
	struct cfi_known_cie *k = &s->known[s->nr_known];
	struct cfi_entry f;

	if (s->nr_known == CFI_KNOWN_CIES || !cfi_entry_at(s, off, &f) || f.kind != CFI_ENTRY_FDE ||
	    known_cie(s, f.cie) || cfi_read_cie(s, f.cie, &k->cie, NULL))
		return;
	k->off = f.cie;
	s->nr_known++;
}

int cfi_read_function(const struct cfi_section *s, u64 off, struct cfi_function *ret,
		      struct perr *e)
{
	const struct cfi_cie *known;
	struct cfi_entry f;
	int err;

	if (!cfi_entry_at(s, off, &f) || f.kind != CFI_ENTRY_FDE)
		return perr_at(e, PERR_FORMAT, off, "there is no FDE at this offset");
	known = known_cie(s, f.cie);
	if (known) {
		ret->cie = *known;
	} else {
		err = cfi_read_cie(s, f.cie, &ret->cie, e);
		if (err)
			return err;
	}
	return cfi_read_fde(s, &f, ret, e);
}
