/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/die_scan.h"

#include <dwarf.h>
#include <gelf.h>

#include "base/hash.h"
#include "base/mem.h"

/* Compilers number abbreviations from 1. Codes below this are indexes into a table. */
#define DENSE_CODES 1024

/* No compiler writes more attributes. libdw's time grows with the square of their number. */
#define MAX_ATTRIBUTES 512

/* What the length of an attribute in .debug_info depends on. */
enum step_kind {
	STEP_BYTES,
	STEP_LEB,
	STEP_STRING,
	STEP_BLOCK1,
	STEP_BLOCK2,
	STEP_BLOCK4,
	STEP_BLOCK_LEB,
	STEP_INDIRECT
};

/* What an attribute is needed for. */
enum step_role { ROLE_NONE, ROLE_LOW, ROLE_HIGH, ROLE_RANGES, ROLE_SIBLING, ROLE_DECLARATION };

struct step {
	u8 kind, role;
	u16 form;
	u32 size; /* of a STEP_BYTES */
};

struct abbrev {
	u16 tag;
	bool has_children;
	bool may_skip; /* the DIEs below contain no code, so they can be skipped */
	u32 first, nr; /* its attributes in steps */
};

struct die_scan {
	Dwarf_Die unit;
	const u8 *begin, *end;
	bool swap;
	u8 address_size, offset_size;
	u16 version;
	u64 unit_off;          /* of the unit's first byte in its section */
	u64 die_off;           /* of the unit's DIE, at `begin` */
	Dwarf_Off abbrevs_off; /* where the abbreviation table was read up to */
	bool abbrevs_end;
	u32 dense[DENSE_CODES]; /* code -> index in abbrevs, plus 1 */
	struct idmap by_code;   /* other codes: (code, 0) -> index in abbrevs */
	struct abbrev *abbrevs;
	size_t nr_abbrevs, cap_abbrevs;
	struct step *steps;
	size_t nr_steps, cap_steps;
};

/*
 * Returns the end of the section that contains p, NULL if none does. The length of a damaged unit
 * may reach further, which libdw only notices when it reads there.
 */
static const u8 *section_end(Elf *elf, const u8 *p)
{
	Elf_Scn *scn = NULL;
	Elf_Data *data;
	GElf_Shdr sh;
	const u8 *start;

	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &sh) || sh.sh_type == SHT_NOBITS)
			continue;
		data = elf_getdata(scn, NULL);
		start = data ? data->d_buf : NULL;
		if (start && p >= start && p < start + data->d_size)
			return start + data->d_size;
	}
	return NULL;
}

struct die_scan *die_scan_new(const Dwarf_Die *unit, bool swap)
{
	struct die_scan *s;
	Dwarf_Off die_off = dwarf_dieoffset((Dwarf_Die *)unit), next;
	Dwarf_Off unit_off = die_off - dwarf_cuoffset((Dwarf_Die *)unit);
	u8 address_size, offset_size;
	Dwarf_Half version;
	const u8 *end = section_end(dwarf_getelf(dwarf_cu_getdwarf(unit->cu)), unit->addr);
	size_t header_size;

	if (!end ||
	    dwarf_next_unit(dwarf_cu_getdwarf(unit->cu), unit_off, &next, &header_size, &version,
			    NULL, &address_size, &offset_size, NULL, NULL) ||
	    next <= die_off)
		return NULL;
	s = xcalloc(1, sizeof(*s));
	s->unit = *unit;
	s->begin = unit->addr;
	s->end = next - die_off < (size_t)(end - s->begin) ? s->begin + (next - die_off) : end;
	s->swap = swap;
	s->address_size = address_size;
	s->offset_size = offset_size;
	s->version = version;
	s->unit_off = unit_off;
	s->die_off = die_off;
	return s;
}

void die_scan_free(struct die_scan *s)
{
	if (!s)
		return;
	idmap_fini(&s->by_code);
	free(s->abbrevs);
	free(s->steps);
	free(s);
}

/* --- abbreviations ---------------------------------------------------------------------------- */

static struct step form_step(const struct die_scan *s, unsigned int form)
{
	struct step bytes = { .kind = STEP_BYTES, .form = (u16)form };

	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const: return bytes;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1: bytes.size = 1; return bytes;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2: bytes.size = 2; return bytes;
	case DW_FORM_strx3:
	case DW_FORM_addrx3: bytes.size = 3; return bytes;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4: bytes.size = 4; return bytes;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sup8:
	case DW_FORM_ref_sig8: bytes.size = 8; return bytes;
	case DW_FORM_data16: bytes.size = 16; return bytes;
	case DW_FORM_addr: bytes.size = s->address_size; return bytes;
	case DW_FORM_ref_addr:
		bytes.size = s->version == 2 ? s->address_size : s->offset_size;
		return bytes;
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_strp_sup:
	case DW_FORM_sec_offset:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt: bytes.size = s->offset_size; return bytes;
	case DW_FORM_string: bytes.kind = STEP_STRING; return bytes;
	case DW_FORM_block1: bytes.kind = STEP_BLOCK1; return bytes;
	case DW_FORM_block2: bytes.kind = STEP_BLOCK2; return bytes;
	case DW_FORM_block4: bytes.kind = STEP_BLOCK4; return bytes;
	case DW_FORM_block:
	case DW_FORM_exprloc: bytes.kind = STEP_BLOCK_LEB; return bytes;
	case DW_FORM_indirect: bytes.kind = STEP_INDIRECT; return bytes;
	default:
		/*
		 * only LEB128 numbers, signed or unsigned, are left: libdw refuses unknown forms
		 * before
		 */
		bytes.kind = STEP_LEB;
		return bytes;
	}
}

static bool is_function(unsigned int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

static enum step_role role_of(unsigned int tag, bool has_children, unsigned int name)
{
	if (name == DW_AT_sibling)
		return has_children ? ROLE_SIBLING : ROLE_NONE;
	if (!is_function(tag))
		return ROLE_NONE;
	switch (name) {
	case DW_AT_low_pc: return ROLE_LOW;
	case DW_AT_high_pc: return ROLE_HIGH;
	case DW_AT_ranges: return ROLE_RANGES;
	case DW_AT_declaration: return ROLE_DECLARATION;
	default: return ROLE_NONE;
	}
}

static bool holds_no_code(unsigned int tag)
{
	return tag == DW_TAG_enumeration_type || tag == DW_TAG_array_type ||
	       tag == DW_TAG_subroutine_type || tag == DW_TAG_union_type;
}

static bool add_steps(struct die_scan *s, Dwarf_Abbrev *abbrev, struct abbrev *a)
{
	unsigned int name, form;
	struct step step, *last;
	Dwarf_Sword data;
	size_t i;

	a->first = (u32)s->nr_steps;
	/*
	 * counted here, because dwarf_getattrcnt() of libdw 0.188 miscounts if an abbreviation
	 * contains a constant
	 */
	for (i = 0; !dwarf_getabbrevattr_data(abbrev, i, &name, &form, &data, NULL); i++) {
		if (i == MAX_ATTRIBUTES)
			return false;
		step = form_step(s, form);
		step.role = role_of(a->tag, a->has_children, name);
		if (step.role == ROLE_SIBLING && !a->may_skip && !is_function(a->tag))
			step.role = ROLE_NONE;
		last = s->nr_steps > a->first ? &s->steps[s->nr_steps - 1] : NULL;
		if (!step.role && step.kind == STEP_BYTES && last && !last->role &&
		    last->kind == STEP_BYTES)
			last->size += step.size;
		else if (step.role || step.kind != STEP_BYTES || step.size)
			vec_push(s->steps, s->nr_steps, s->cap_steps, step);
	}
	a->nr = (u32)(s->nr_steps - a->first);
	return true;
}

/* Reads the next abbreviation of the table. Returns false at its end. */
static bool read_abbrev(struct die_scan *s, u64 *ret_code)
{
	Dwarf_Abbrev *abbrev;
	struct abbrev a;
	size_t len;
	u64 code;

	abbrev = dwarf_getabbrev(&s->unit, s->abbrevs_off, &len);
	if (!abbrev || abbrev == DWARF_END_ABBREV || !len)
		return false;
	s->abbrevs_off += len;
	a = (struct abbrev){ .tag = (u16)dwarf_getabbrevtag(abbrev),
			     .has_children = dwarf_abbrevhaschildren(abbrev) };
	a.may_skip = holds_no_code(a.tag);
	if (!add_steps(s, abbrev, &a))
		return false;
	code = dwarf_getabbrevcode(abbrev);
	if (code < DENSE_CODES) {
		if (!s->dense[code])
			s->dense[code] = (u32)s->nr_abbrevs + 1;
	} else if (idmap_get(&s->by_code, code, 0) == IDMAP_NONE) {
		idmap_put(&s->by_code, code, 0, (u32)s->nr_abbrevs);
	}
	vec_push(s->abbrevs, s->nr_abbrevs, s->cap_abbrevs, a);
	*ret_code = code;
	return true;
}

/* Returns the abbreviation with this code, NULL if the table has none. */
static const struct abbrev *find_abbrev(struct die_scan *s, u64 code)
{
	u64 read;
	u32 i;

	if (code < DENSE_CODES && s->dense[code])
		return &s->abbrevs[s->dense[code] - 1];
	i = code < DENSE_CODES ? IDMAP_NONE : idmap_get(&s->by_code, code, 0);
	if (i != IDMAP_NONE)
		return &s->abbrevs[i];
	while (!s->abbrevs_end) {
		if (!read_abbrev(s, &read))
			s->abbrevs_end = true;
		else if (read == code)
			return &s->abbrevs[s->nr_abbrevs - 1];
	}
	return NULL;
}

/* --- bytes ------------------------------------------------------------------------------------ */

static bool get_leb(const u8 **p, const u8 *end, u64 *ret)
{
	unsigned int shift = 0;
	u64 v = 0;
	u8 b;

	do {
		if (*p >= end)
			return false;
		b = *(*p)++;
		if (shift < 64)
			v |= (u64)(b & 0x7f) << shift;
		shift += 7;
	} while (b & 0x80);
	*ret = v;
	return true;
}

static u64 get_fixed(const struct die_scan *s, const u8 *p, u32 size)
{
	u64 v = 0;
	u32 i;

	for (i = 0; i < size; i++)
		v |= (u64)p[i] << 8 * (s->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
					       ? size - 1 - i
					       : i);
	return v;
}

/* Moves *p past an attribute whose length is in its value. */
static bool skip_variable(const struct die_scan *s, enum step_kind kind, const u8 **p)
{
	const u8 *nul;
	u64 n = 0;
	u32 size = 0;

	switch (kind) {
	case STEP_LEB: return get_leb(p, s->end, &n);
	case STEP_STRING:
		nul = memchr(*p, 0, (size_t)(s->end - *p));
		*p = nul ? nul + 1 : s->end;
		return nul;
	case STEP_BLOCK_LEB:
		if (!get_leb(p, s->end, &n))
			return false;
		break;
	case STEP_BLOCK1: size = 1; break;
	case STEP_BLOCK2: size = 2; break;
	case STEP_BLOCK4: size = 4; break;
	case STEP_BYTES:
	case STEP_INDIRECT: return false;
	}
	if (size) {
		if ((size_t)(s->end - *p) < size)
			return false;
		n = get_fixed(s, *p, size);
		*p += size;
	}
	if (n > (size_t)(s->end - *p))
		return false;
	*p += n;
	return true;
}

/* --- DIEs ------------------------------------------------------------------------------------- */

struct facts {
	u64 low, high;
	u16 low_form, high_form;
	bool has_ranges, is_declaration;
	u64 sibling; /* offset in the section; 0: not given */
};

static void note(const struct die_scan *s, const struct step *st, const u8 *p, u32 size,
		 struct facts *f)
{
	u64 v = size && size <= 8 ? get_fixed(s, p, size) : 0;

	switch (st->role) {
	case ROLE_LOW:
		f->low = v;
		f->low_form = st->form;
		break;
	case ROLE_HIGH:
		f->high = v;
		f->high_form = st->form;
		break;
	case ROLE_RANGES: f->has_ranges = true; break;
	case ROLE_DECLARATION: f->is_declaration = true; break;
	case ROLE_SIBLING:
		if (st->form == DW_FORM_ref4 || st->form == DW_FORM_ref2 ||
		    st->form == DW_FORM_ref1 || st->form == DW_FORM_ref8)
			f->sibling = s->unit_off + v;
		break;
	default: break;
	}
}

static bool read_attributes(struct die_scan *s, const struct abbrev *a, const u8 **p,
			    struct facts *f)
{
	const struct step *st;
	struct step direct;
	const u8 *start;
	u64 form;
	u32 i;

	for (i = 0; i < a->nr; i++) {
		st = &s->steps[a->first + i];
		direct = *st;
		if (direct.kind == STEP_INDIRECT) {
			if (!get_leb(p, s->end, &form) || form > DW_FORM_GNU_strp_alt)
				return false;
			direct = form_step(s, (unsigned int)form);
			direct.role = st->role;
		}
		start = *p;
		if (direct.kind == STEP_BYTES) {
			if (direct.size > (size_t)(s->end - *p))
				return false;
			*p += direct.size;
		} else if (!skip_variable(s, direct.kind, p)) {
			return false;
		}
		if (direct.role)
			note(s, &direct, start, direct.kind == STEP_BYTES ? direct.size : 0, f);
	}
	return true;
}

/*
 * Sets what ret says about code: whether the DIE has any and, in the usual case that the addresses
 * are in the DIE itself and not in a table, its range.
 */
static void tell_code(const struct facts *f, struct scanned_die *ret)
{
	bool high_is_addr = f->high_form == DW_FORM_addr;

	ret->has_code = f->has_ranges || (f->low_form && f->high_form);
	ret->has_ranges = ret->has_code;
	if (f->has_ranges || f->low_form != DW_FORM_addr ||
	    (!high_is_addr && f->high_form != DW_FORM_data8 && f->high_form != DW_FORM_data4 &&
	     f->high_form != DW_FORM_data2 && f->high_form != DW_FORM_data1))
		return;
	ret->has_ranges = false;
	ret->low = f->low;
	ret->high = high_is_addr ? f->high : f->low + f->high;
}

static void skip_nulls(const struct die_scan *s, struct die_cursor *c)
{
	while (c->depth && c->p < s->end && !*c->p) {
		c->p++;
		c->depth--;
	}
}

bool die_scan_next(struct die_scan *s, struct die_cursor *c, struct scanned_die *ret)
{
	struct facts f = { 0 };
	const struct abbrev *a;
	const u8 *p = c->p, *to;
	u64 code;

	*ret = (struct scanned_die){ .addr = p, .depth = c->depth };
	if (p >= s->end || !get_leb(&p, s->end, &code) || !code)
		return false;
	a = find_abbrev(s, code);
	if (!a || !read_attributes(s, a, &p, &f))
		return false;
	ret->tag = a->tag;
	ret->has_children = a->has_children;
	if (is_function(a->tag))
		tell_code(&f, ret);
	c->p = p;
	if (!a->has_children) {
		skip_nulls(s, c);
		return true;
	}
	/* only forward, so that no byte is read twice */
	if (f.sibling > s->die_off && f.sibling - s->die_off < (u64)(s->end - s->begin) &&
	    (a->may_skip || f.is_declaration)) {
		to = s->begin + (f.sibling - s->die_off);
		if (to > p) {
			c->p = to;
			skip_nulls(s, c);
			return true;
		}
	}
	c->depth++;
	skip_nulls(s, c);
	return true;
}

struct die_cursor die_scan_begin(const struct die_scan *s)
{
	return (struct die_cursor){ .p = s->begin };
}

struct die_cursor die_scan_inside(struct die_scan *s, const u8 *addr, u32 depth)
{
	struct die_cursor c = { .p = addr, .depth = depth };
	struct scanned_die self;

	if (!die_scan_next(s, &c, &self))
		c.p = s->end;
	return c;
}

Dwarf_Die die_scan_open(const struct die_scan *s, const u8 *addr)
{
	return (Dwarf_Die){ .addr = (void *)addr, .cu = s->unit.cu };
}
