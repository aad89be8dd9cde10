/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/data_types.h"

#include <dwarf.h>

#include "base/mem.h"
#include "symbols/dwarf/debuginfo.h"
#include "symbols/dwarf/die_scan.h"

#define MOST_NAMES 32     /* typedefs and qualifiers before a type */
#define MOST_LEVELS 16    /* structures in each other */
#define MOST_MEMBERS 4096 /* of a structure that are looked at */
#define MOST_DIES 1000000 /* of a unit, in one search for a function */

struct data_types {
	struct debuginfo *d;
	/* the function of the last lookup; unit: NULL, none */
	struct die_scan *unit;
	u64 low, high;
	struct scanned_die function;
	/* where its frame begins, as the last lookup found it: cfa = register + offset */
	u64 cfa_vaddr;
	int cfa_reg; /* -1: not known */
	s64 cfa_offset;
};

struct data_types *data_types_new(struct debuginfo *d)
{
	struct data_types *t = xcalloc(1, sizeof(*t));

	t->d = d;
	t->cfa_vaddr = UINT64_MAX;
	return t;
}

void data_types_free(struct data_types *t)
{
	if (!t)
		return;
	die_scan_free(t->unit);
	free(t);
}

/* --- the function ------------------------------------------------------------------------------
 */

static bool covers(struct debuginfo *d, Dwarf_Die *die, u64 vaddr)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t off = 0, before;

	while (debuginfo_spend_ranges(d, 1)) {
		before = off;
		off = debuginfo_next_range(d, die, off, &base, &start, &end);
		if (off <= 0 || off == before)
			return false;
		if (vaddr >= start && vaddr < end)
			return true;
	}
	return false;
}

static bool find_function_in(struct data_types *t, struct die_scan *s, u64 vaddr)
{
	struct die_cursor c = die_scan_begin(s);
	struct scanned_die die;

	for (int i = 0; i < MOST_DIES && die_scan_next(s, &c, &die); i++) {
		Dwarf_Die handle;

		if (die.tag != DW_TAG_subprogram || !die.has_code)
			continue;
		handle = die_scan_open(s, die.addr);
		if (die.has_ranges ? !covers(t->d, &handle, vaddr)
				   : vaddr < die.low || vaddr >= die.high)
			continue;
		t->function = die;
		t->low = die.has_ranges ? vaddr : die.low;
		t->high = die.has_ranges ? vaddr + 1 : die.high;
		return true;
	}
	return false;
}

static bool find_function(struct data_types *t, u64 vaddr)
{
	struct unit_search search;
	size_t unit;

	if (t->unit && vaddr >= t->low && vaddr < t->high)
		return true;
	die_scan_free(t->unit);
	t->unit = NULL;
	unit_search_init(&search, t->d, vaddr);
	while (unit_search_next(&search, t->d, &unit)) {
		Dwarf_Die die;
		struct die_scan *s;

		if (!debuginfo_full_unit(t->d, unit, &die))
			continue;
		s = die_scan_new(&die, debuginfo_is_swapped(t->d));
		if (s && find_function_in(t, s, vaddr)) {
			t->unit = s;
			return true;
		}
		die_scan_free(s);
	}
	return false;
}

/* --- types -------------------------------------------------------------------------------------
 */

static bool type_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

/* Goes on from typedefs and qualifiers to what they are of. */
static bool strip(Dwarf_Die *type)
{
	for (int i = 0; i < MOST_NAMES; i++)
		switch (dwarf_tag(type)) {
		case DW_TAG_typedef:
		case DW_TAG_const_type:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			if (!type_of(type, type))
				return false;
			break;
		default: return true;
		}
	return false;
}

static bool is_pointer(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
	       tag == DW_TAG_rvalue_reference_type;
}

static bool is_structure(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Appends a type's name as perf writes it; false: it has none. */
static bool put_type_name(Dwarf_Die *type, struct out *o)
{
	char marks[MOST_NAMES * 2] = "";
	size_t used = sizeof(marks) - 1; /* marks[used..]: "*", "[]" of what the type is made of */
	Dwarf_Die of = *type;
	const char *name, *kind;

	while (!(name = dwarf_diename(&of))) {
		bool is_array = dwarf_tag(&of) == DW_TAG_array_type;

		if ((!is_array && !is_pointer(&of)) || used < 2 || !type_of(&of, &of) ||
		    !strip(&of))
			return false;
		if (is_array)
			marks[--used] = ']';
		marks[--used] = is_array ? '[' : '*';
	}
	switch (dwarf_tag(&of)) {
	case DW_TAG_structure_type: kind = "struct "; break;
	case DW_TAG_union_type: kind = "union "; break;
	case DW_TAG_enumeration_type: kind = "enum "; break;
	default: kind = ""; break;
	}
	out_str(o, kind);
	out_mem(o, name, strlen(name));
	out_str(o, marks + used);
	return true;
}

/* The member at an offset, which becomes that in the member. */
static bool member_at(Dwarf_Die *type, u64 *offset, Dwarf_Die *ret)
{
	Dwarf_Die child;

	if (dwarf_child(type, &child))
		return false;
	for (int i = 0; i < MOST_MEMBERS; i++) {
		Dwarf_Attribute attr;
		Dwarf_Word start = 0, size = 0;
		Dwarf_Die of;

		if ((dwarf_tag(&child) == DW_TAG_member ||
		     dwarf_tag(&child) == DW_TAG_inheritance) &&
		    type_of(&child, &of) && !dwarf_aggregate_size(&of, &size)) {
			if (dwarf_attr(&child, DW_AT_data_member_location, &attr) &&
			    dwarf_formudata(&attr, &start))
				start = 0;
			if (*offset >= start && *offset - start < size) {
				*offset -= start;
				*ret = child;
				return true;
			}
		}
		if (dwarf_siblingof(&child, &child))
			return false;
	}
	return false;
}

/* Appends " (a.b.c)", the member at an offset. */
static void put_members(Dwarf_Die type, u64 offset, struct out *o)
{
	Dwarf_Die member;
	bool any = false;

	for (int i = 0; i < MOST_LEVELS && is_structure(&type); i++) {
		const char *name;

		if (!member_at(&type, &offset, &member) || !type_of(&member, &type) ||
		    !strip(&type))
			break;
		name = dwarf_diename(&member);
		if (!name || dwarf_tag(&member) == DW_TAG_inheritance)
			continue;
		out_str(o, (const char *)(any ? "." : " ("));
		out_mem(o, name, strlen(name));
		any = true;
	}
	if (any)
		out_char(o, ')');
}

static bool put_type(Dwarf_Die type, s64 offset, struct out *o)
{
	Dwarf_Word size;

	if (!strip(&type) || dwarf_aggregate_size(&type, &size) || offset < 0 ||
	    (u64)offset >= size || !put_type_name(&type, o))
		return false;
	out_printf(o, " +%#llx", (unsigned long long)offset);
	put_members(type, (u64)offset, o);
	return true;
}

/* --- variables ---------------------------------------------------------------------------------
 */

/* Finds how the start of the frame is computed at vaddr. */
static void find_cfa(struct data_types *t, Dwarf_Die *die, u64 vaddr)
{
	Dwarf *dwarf = dwarf_cu_getdwarf(die->cu);
	Dwarf_Frame *frame = NULL;
	Dwarf_CFI *cfi;
	Dwarf_Op *ops;
	size_t nr;

	if (t->cfa_vaddr == vaddr)
		return;
	t->cfa_vaddr = vaddr;
	t->cfa_reg = -1;
	cfi = dwarf ? dwarf_getcfi_elf(dwarf_getelf(dwarf)) : NULL;
	if (!cfi)
		return;
	if (!dwarf_cfi_addrframe(cfi, vaddr, &frame) && !dwarf_frame_cfa(frame, &ops, &nr) &&
	    nr == 1) {
		if (ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) {
			t->cfa_reg = ops->atom - DW_OP_breg0;
			t->cfa_offset = (s64)ops->number;
		} else if (ops->atom == DW_OP_bregx) {
			t->cfa_reg = (int)ops->number;
			t->cfa_offset = (s64)ops->number2;
		}
	}
	free(frame);
	dwarf_cfi_end(cfi);
}

/* True if variables of the function lie where DW_OP_fbreg counts from the frame's start. */
static bool is_from_cfa(struct data_types *t)
{
	Dwarf_Die function = die_scan_open(t->unit, t->function.addr);
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t nr;

	return dwarf_attr_integrate(&function, DW_AT_frame_base, &attr) &&
	       !dwarf_getlocation(&attr, &ops, &nr) && nr == 1 && ops->atom == DW_OP_call_frame_cfa;
}

/* The address of a variable that is always at one. */
static bool address_of(Dwarf_Attribute *attr, const Dwarf_Op *op, Dwarf_Addr *ret)
{
	Dwarf_Attribute address;

	*ret = op->number;
	return op->atom == DW_OP_addr ||
	       (op->atom == DW_OP_addrx && !dwarf_getlocation_attr(attr, op, &address) &&
		!dwarf_formaddr(&address, ret));
}

/* Appends the type of the data, if this variable tells it. */
static bool put_variable(struct data_types *t, Dwarf_Die *var, u64 vaddr,
			 const struct data_place *place, struct out *o)
{
	Dwarf_Attribute attr;
	Dwarf_Addr start;
	Dwarf_Die type;
	Dwarf_Op *op;
	size_t nr;

	if (!dwarf_attr_integrate(var, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, vaddr, &op, &nr, 1) != 1 || nr != 1 ||
	    !type_of(var, &type))
		return false;
	if (place->reg < 0)
		return address_of(&attr, op, &start) &&
		       put_type(type, (s64)(vaddr + (u64)place->offset - start), o);
	if ((op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 &&
	     op->atom - DW_OP_reg0 == place->reg) ||
	    (op->atom == DW_OP_regx && op->number == (u64)place->reg))
		return strip(&type) && is_pointer(&type) && type_of(&type, &type) &&
		       put_type(type, place->offset, o);
	if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
		return op->atom - DW_OP_breg0 == place->reg &&
		       put_type(type, (s64)((u64)place->offset - op->number), o);
	if (op->atom != DW_OP_fbreg || !is_from_cfa(t))
		return false;
	find_cfa(t, var, vaddr);
	return t->cfa_reg == place->reg &&
	       put_type(type, (s64)((u64)place->offset - (u64)t->cfa_offset - op->number), o);
}

/* Looks at the variables of the scopes that vaddr is in; those of inner ones come later. */
static bool find_variable(struct data_types *t, u64 vaddr, const struct data_place *place,
			  struct out *o)
{
	struct die_cursor c =
		place->reg < 0 ? die_scan_begin(t->unit)
			       : die_scan_inside(t->unit, t->function.addr, t->function.depth);
	u32 skip = UINT32_MAX; /* DIEs deeper than this are in a scope that vaddr is not in */
	size_t start = o->len, end = start;
	struct scanned_die die;

	for (int i = 0; i < MOST_DIES && die_scan_next(t->unit, &c, &die); i++) {
		Dwarf_Die handle;

		if (place->reg >= 0 && die.depth <= t->function.depth)
			break;
		if (die.depth > skip)
			continue;
		skip = UINT32_MAX;
		switch (die.tag) {
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
			handle = die_scan_open(t->unit, die.addr);
			if (!covers(t->d, &handle, vaddr))
				skip = die.depth;
			break;
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
			handle = die_scan_open(t->unit, die.addr);
			if (put_variable(t, &handle, vaddr, place, o)) {
				/* in place of what an outer scope has */
				memmove(o->buf + start, o->buf + end, o->len - end);
				o->len -= end - start;
				end = o->len;
			} else {
				o->len = end;
			}
			break;
		default: break;
		}
	}
	return end > start;
}

bool data_types_find(struct data_types *t, u64 vaddr, const struct data_place *place, struct out *o)
{
	return find_function(t, vaddr) && find_variable(t, vaddr, place, o);
}
