/* SPDX-License-Identifier: MIT */
#include "tests/frame/build_cfi.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/unit.h"

struct mkcfi mkcfi_new(bool is_64, bool big, bool debug_frame)
{
	return (struct mkcfi){
		.is_64 = is_64, .big = big, .debug_frame = debug_frame, .word = is_64 ? 8 : 4
	};
}

static void put_at(struct mkcfi *m, size_t at, u64 v, size_t size)
{
	for (size_t i = 0; i < size; i++)
		m->p[at + (m->big ? size - 1 - i : i)] = (u8)(v >> 8 * i);
}

void mkcfi_int(struct mkcfi *m, u64 v, size_t size)
{
	put_at(m, m->n, v, size);
	m->n += size;
}

void mkcfi_bytes(struct mkcfi *m, const void *p, size_t n)
{
	if (n)
		memcpy(m->p + m->n, p, n);
	m->n += n;
}

void mkcfi_uleb(struct mkcfi *m, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		mkcfi_int(m, (v & 0x7f) | 0x80, 1);
	mkcfi_int(m, v, 1);
}

void mkcfi_sleb(struct mkcfi *m, s64 v)
{
	for (; v < -64 || v > 63; v >>= 7)
		mkcfi_int(m, ((u64)v & 0x7f) | 0x80, 1);
	mkcfi_int(m, (u64)v & 0x7f, 1);
}

size_t mkcfi_begin(struct mkcfi *m)
{
	size_t at = m->n;

	if (m->wide)
		mkcfi_int(m, UINT32_MAX, 4);
	mkcfi_int(m, 0, m->wide ? 8 : 4);
	return at;
}

void mkcfi_end(struct mkcfi *m, size_t at)
{
	while (m->n % (m->is_64 ? 8 : 4))
		mkcfi_int(m, 0, 1);
	if (m->wide)
		put_at(m, at + 4, m->n - at - 12, 8);
	else
		put_at(m, at, m->n - at - 4, 4);
}

static size_t id_size(const struct mkcfi *m)
{
	return m->wide && !m->narrow_id ? 8 : 4;
}

u64 mkcfi_cie(struct mkcfi *m, const struct mkcfi_cie *cie)
{
	size_t at = mkcfi_begin(m);

	mkcfi_int(m, m->debug_frame ? ~(u64)0 : 0, id_size(m));
	mkcfi_int(m, cie->version, 1);
	mkcfi_bytes(m, cie->augmentation, strlen(cie->augmentation) + 1);
	m->word = m->is_64 ? 8 : 4;
	m->segment = 0;
	if (cie->version == 4) {
		m->word = cie->word;
		m->segment = cie->segment;
		mkcfi_int(m, cie->word, 1);
		mkcfi_int(m, cie->segment, 1);
	}
	if (!strcmp(cie->augmentation, "eh"))
		mkcfi_int(m, 0x1234, m->word);
	mkcfi_uleb(m, cie->code_align);
	mkcfi_sleb(m, cie->data_align);
	mkcfi_int(m, cie->ra, 1);
	m->has_data = cie->augmentation[0] == 'z';
	m->enc = cie->enc;
	if (m->has_data && cie->data) {
		mkcfi_uleb(m, cie->data_len);
		mkcfi_bytes(m, cie->data, cie->data_len);
	} else if (m->has_data) {
		mkcfi_uleb(m, 1);
		mkcfi_int(m, cie->enc, 1);
	}
	mkcfi_bytes(m, cie->code, cie->code_len);
	mkcfi_end(m, at);
	return at;
}

void mkcfi_address(struct mkcfi *m, u64 vaddr, u64 v)
{
	switch (m->enc & 0x70) {
	case 0x10: v -= vaddr + m->n; break;
	case 0x20: v -= CFI_TEXT; break;
	case 0x30: v -= CFI_GOT_ADDR; break;
	case 0x50:
		while ((vaddr + m->n) % m->word)
			mkcfi_int(m, 0, 1);
		break;
	}
	switch (m->enc & 0x0f) {
	case 0x1: mkcfi_uleb(m, v); break;
	case 0x9: mkcfi_sleb(m, (s64)v); break;
	case 0x2:
	case 0xa: mkcfi_int(m, v, 2); break;
	case 0x3:
	case 0xb: mkcfi_int(m, v, 4); break;
	case 0x4:
	case 0xc: mkcfi_int(m, v, 8); break;
	default: mkcfi_int(m, v, m->word); break;
	}
}

u64 mkcfi_fde(struct mkcfi *m, u64 cie, u64 start, u64 size, const u8 *code, size_t n)
{
	u8 enc = m->enc;
	size_t at = mkcfi_begin(m);

	mkcfi_int(m, m->debug_frame ? cie : m->n - cie, id_size(m));
	mkcfi_int(m, 0, m->segment);
	mkcfi_address(m, CFI_EH_ADDR, start);
	m->enc &= 0x0f;
	mkcfi_address(m, 0, size);
	m->enc = enc;
	if (m->has_data)
		mkcfi_uleb(m, 0);
	mkcfi_bytes(m, code, n);
	mkcfi_end(m, at);
	return at;
}

void mkcfi_hdr(struct mkcfi *hdr, const u64 (*pairs)[2], size_t n)
{
	mkcfi_int(hdr, 1, 1);
	mkcfi_int(hdr, 0x1b, 1);
	mkcfi_int(hdr, 0x03, 1);
	mkcfi_int(hdr, 0x3b, 1);
	mkcfi_int(hdr, CFI_EH_ADDR - (CFI_HDR_ADDR + hdr->n), 4);
	mkcfi_int(hdr, n, 4);
	for (size_t i = 0; i < n; i++) {
		mkcfi_int(hdr, pairs[i][0] - CFI_HDR_ADDR, 4);
		mkcfi_int(hdr, CFI_EH_ADDR + pairs[i][1] - CFI_HDR_ADDR, 4);
	}
}

static void add(struct mkelf *b, const char *name, u64 addr, const struct mkcfi *m)
{
	if (m)
		mkelf_section(b, &(struct mkelf_part){ .name = name,
						       .type = SHT_PROGBITS,
						       .flags = addr ? SHF_ALLOC : 0,
						       .addr = addr,
						       .off = addr,
						       .bytes = m->p,
						       .size = m->n });
}

u8 *mkcfi_elf(u16 machine, const struct mkcfi *eh, const struct mkcfi *hdr, const struct mkcfi *df,
	      size_t *ret_n)
{
	const struct mkcfi *any = eh ? eh : df;
	struct mkelf *b = mkelf_new(any->is_64, any->big, ET_DYN, machine);
	struct mkcfi got = mkcfi_new(any->is_64, any->big, false);

	/* Two words for indirect pointers. */
	mkcfi_int(&got, CFI_TEXT, got.word);
	mkcfi_int(&got, CFI_TEXT + 0x100, got.word);
	mkelf_load(b, CFI_TEXT, CFI_TEXT, CFI_TEXT_SIZE);
	mkelf_load(b, CFI_HDR_ADDR, CFI_HDR_ADDR, 0x1000);
	mkelf_section(b, &(struct mkelf_part){ .name = ".text",
					       .type = SHT_PROGBITS,
					       .addr = CFI_TEXT,
					       .off = CFI_TEXT,
					       .size = CFI_TEXT_SIZE });
	add(b, ".eh_frame", CFI_EH_ADDR, eh);
	add(b, ".eh_frame_hdr", CFI_HDR_ADDR, hdr);
	add(b, ".got", CFI_GOT_ADDR, &got);
	add(b, ".debug_frame", 0, df);
	return mkelf_end(b, ret_n);
}

static void rule_text(FILE *f, const struct cfi_rule *r)
{
	switch (r->how) {
	case CFI_UNSPECIFIED: fputs("?", f); break;
	case CFI_UNDEFINED: fputs("u", f); break;
	case CFI_SAME: fputs("s", f); break;
	case CFI_OFFSET: fprintf(f, "c%+" PRId64, r->offset); break;
	case CFI_VAL_OFFSET: fprintf(f, "v%+" PRId64, r->offset); break;
	case CFI_REGISTER: fprintf(f, "r%u%+" PRId64, r->reg, r->offset); break;
	case CFI_EXPR:
	case CFI_VAL_EXPR:
		fputs(r->how == CFI_EXPR ? "exp:" : "vexp:", f);
		for (size_t i = 0; i < r->expr.n; i++)
			fprintf(f, "%02x", r->expr.p[i]);
		break;
	}
}

static bool row_text(void *ctx, const struct cfi_row *row)
{
	FILE *f = ctx;

	fprintf(f, "%s%" PRIx64 " ", ftell(f) ? " | " : "", row->start);
	rule_text(f, &row->cfa);
	for (size_t i = 0; i < row->nr_regs; i++) {
		fprintf(f, " r%u=", row->regs[i].reg);
		rule_text(f, &row->regs[i].rule);
	}
	if (row->ra_signed)
		fputs(" signed", f);
	if (row->signal_frame)
		fputs(" signal", f);
	return true;
}

char *cfi_rows_text(const struct cfi *c, const struct cfi_fde *fde)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	int err = cfi_rows(c, fde, row_text, f, NULL);

	if (err)
		fprintf(f, " ! %d", err);
	fclose(f);
	return text;
}

struct cfi_opened cfi_open_bytes(u8 *bytes, size_t n)
{
	struct cfi_opened t = { .bytes = bytes };

	CHECK_EQ(object_open_mem("test", t.bytes, n, &t.o, &t.e), 0);
	t.err = cfi_open(t.o, NULL, &t.c, &t.e);
	return t;
}

struct cfi_opened cfi_open_sections(u16 machine, const struct mkcfi *eh, const struct mkcfi *hdr,
				    const struct mkcfi *df)
{
	size_t n;
	u8 *bytes = mkcfi_elf(machine, eh, hdr, df, &n);

	return cfi_open_bytes(bytes, n);
}

void cfi_opened_close(struct cfi_opened *t)
{
	cfi_close(t->c);
	object_close(t->o);
	free(t->bytes);
}

u64 cfi_start_at(const struct cfi_opened *t, u64 vaddr)
{
	struct cfi_fde fde;

	return t->c && cfi_find(t->c, vaddr, &fde) ? fde.start : 0;
}

struct mkcfi_cie mkcfi_plain_cie(const char *augmentation, u8 enc)
{
	static const u8 code[] = { 0x0c, 7, 8, 0x90, 1 };

	return (struct mkcfi_cie){ .version = 1,
				   .augmentation = augmentation,
				   .enc = enc,
				   .code_align = 1,
				   .data_align = -8,
				   .ra = 16,
				   .code = code,
				   .code_len = sizeof(code) };
}

struct mkcfi mkcfi_ten_functions(bool is_64, bool big, u64 pairs[10][2])
{
	struct mkcfi m = mkcfi_new(is_64, big, false);
	struct mkcfi_cie plain = mkcfi_plain_cie("zR", 0x1b);
	u64 cie = mkcfi_cie(&m, &plain);

	for (unsigned int i = 0; i < 10; i++) {
		/* In the section they lie the other way round. */
		pairs[9 - i][0] = CFI_TEXT + 0x20 * (9 - i);
		pairs[9 - i][1] = mkcfi_fde(&m, cie, pairs[9 - i][0], 0x10, NULL, 0);
	}
	return m;
}

void cfi_check_ten(const char *file, int line, struct cfi_opened *t)
{
	struct cfi_fde fde;

	if (t->err)
		unit_fail(file, line, "%s", t->e.text);
	unit_check_eq(file, line, "functions", cfi_nr_fdes(t->c), 10);
	for (u32 i = 0; i < 10; i++) {
		unit_check_eq(file, line, "gap", cfi_start_at(t, CFI_TEXT + 0x20 * i + 0x10), 0);
		CHECK(cfi_find(t->c, CFI_TEXT + 0x20 * i + 0xf, &fde));
		unit_check_eq(file, line, "index", fde.index, i);
		CHECK(cfi_get_fde(t->c, i, &fde));
		unit_check_eq(file, line, "start", fde.start, CFI_TEXT + 0x20 * i);
	}
	CHECK(!cfi_get_fde(t->c, 10, &fde));
	cfi_opened_close(t);
}
