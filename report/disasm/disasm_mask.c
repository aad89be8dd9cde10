/* SPDX-License-Identifier: MIT */
/*
 * Instructions with AVX-512 masks that capstone 4 does not know. Each has a sister with the same
 * operands that it knows: the code of that one is disassembled, under the right name.
 *
 *	kmovd, kortestq, ...	kmovw, kortestw, ...
 *	vpcmpb, vpcmpuw, ...	vpcmpd, vpcmpud
 *	vptestmb, vptestnmq ...	vpcmpd, with a predicate that is not shown
 */
#include "report/disasm/disasm_priv.h"

#include <stdio.h>
#include <string.h>

#define MAP_0F 1
#define MAP_0F38 2
#define MAP_0F3A 3

static const char *mask_name(u8 op)
{
	static const struct {
		u8 op;
		const char *name;
	} names[] = { { 0x41, "kand" },    { 0x42, "kandn" }, { 0x44, "knot" }, { 0x45, "kor" },
		      { 0x46, "kxnor" },   { 0x47, "kxor" },  { 0x4a, "kadd" }, { 0x4b, "kunpck" },
		      { 0x90, "kmov" },    { 0x91, "kmov" },  { 0x92, "kmov" }, { 0x93, "kmov" },
		      { 0x98, "kortest" }, { 0x99, "ktest" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i].op == op)
			return names[i].name;
	return NULL;
}

/* VEX: "kmovd %k1,%eax" */
static bool rewrite_mask(struct disasm_sister *s)
{
	size_t at = s->code[0] == 0xc5 ? 1 : 2; /* the byte with W (of three-byte VEX) and pp */
	u8 pp = s->code[at] & 3, op = s->code[at + 1];
	bool wide = at == 2 && s->code[at] & 0x80;
	const char *name = mask_name(op), *size;

	if (!name || (at == 2 && (s->code[1] & 31) != MAP_0F))
		return false;
	if (op == 0x4b)
		size = pp ? "bw" : wide ? "dq" : "wd";
	else if ((op == 0x92 || op == 0x93) && pp == 3)
		size = wide ? "q" : "d";
	else
		size = pp ? (wide ? "d" : "b") : wide ? "q" : "w";
	snprintf(s->name, sizeof(s->name), "%s%s", name, size);
	s->wide_registers = pp == 3 && wide;
	s->code[at] &= at == 2 ? 0x7c : 0xfc;
	if (op == 0x4b)
		s->code[at] |= 1;
	if (op == 0x99)
		s->code[at + 1] = 0x98;
	if (op == 0x4a)
		s->code[at + 1] = 0x45;
	return true;
}

/* EVEX: comparisons into a mask */
static bool rewrite_compare(struct disasm_sister *s)
{
	u8 map = s->code[1] & 7, pp = s->code[2] & 3, op = s->code[4];
	bool wide = s->code[2] & 0x80;

	if (map == MAP_0F3A && pp == 1 && (op == 0x3e || op == 0x3f)) {
		s->last = wide ? 'w' : 'b'; /* the name has its predicate: "vpcmpltud" */
		s->code[4] = op == 0x3f ? 0x1f : 0x1e;
	} else if (map == MAP_0F38 && (pp == 1 || pp == 2) && (op == 0x26 || op == 0x27)) {
		snprintf(s->name, sizeof(s->name), "vptest%s%s", pp == 2 ? "nm" : "m",
			 op == 0x26 ? (wide ? "w" : "b")
			 : wide     ? "q"
				    : "d");
		s->code[1] = (u8)((s->code[1] & ~7) | MAP_0F3A);
		s->code[2] = (u8)((s->code[2] & ~3) | 1);
		s->code[4] = 0x1f;
		s->code[s->len++] = 0; /* the predicate */
	} else {
		return false;
	}
	s->code[2] &= 0x7f;
	return true;
}

bool disasm_sister(const u8 *p, size_t len, struct disasm_sister *ret)
{
	if (len < 4 || len > SISTER_MAX - 1)
		return false;
	*ret = (struct disasm_sister){ .len = len };
	memcpy(ret->code, p, len);
	if (p[0] == 0xc5 || (p[0] == 0xc4 && len >= 5))
		return rewrite_mask(ret);
	return p[0] == 0x62 && len >= 6 && rewrite_compare(ret);
}
