/* SPDX-License-Identifier: MIT */
/*
 * Encoding facts: Intel SDM volume 2, chapter 2 (formats) and appendix A (opcode maps).
 *
 *	[legacy prefixes] [REX | REX2(2)] opcode(1..3) [ModRM [SIB] [displacement]] [immediate]
 *	[legacy prefixes] VEX(2,3) | EVEX(4) | XOP(3) opcode ModRM [SIB] [displacement] [immediate]
 */
#include "symbols/elf/insn_len.h"

#include <string.h>

/* What follows an opcode. The maps below have one of these letters for each opcode. */
enum {
	NONE = '.',
	MODRM = 'm',
	IMM8 = 'b', /* also 8-bit displacements of jumps */
	IMM16 = 'w',
	IMMZ = 'z', /* 2 or 4 bytes by operand size */
	REL = 'j',  /* near jump: as IMMZ, but always 4 in 64-bit code */
	IMMV = 'v', /* 2, 4 or 8 bytes by operand size: mov r, imm */
	MODRM_IMM8 = 'B',
	MODRM_IMMZ = 'Z',
	OFFSET = 'o', /* an address of 4 or 8 bytes (moffs) */
	FAR = 'f',    /* 16-bit selector and an IMMZ offset; not in 64-bit code */
	ENTER = 'e',  /* imm16, imm8 */
	TEST8 = 't',  /* group 3: immediate with /0 and /1 only */
	TESTZ = 'T',
	PREFIX = 'p',
	ESCAPE = 'x',
};

static const char one_byte[] = "mmmmbz..mmmmbz.x" /* 00 */
			       "mmmmbz..mmmmbz.." /* 10 */
			       "mmmmbzp.mmmmbzp." /* 20 */
			       "mmmmbzp.mmmmbzp." /* 30 */
			       "................" /* 40: REX in 64-bit code */
			       "................" /* 50 */
			       "..mmppppzZbB...." /* 60: 62 bound or EVEX */
			       "bbbbbbbbbbbbbbbb" /* 70 */
			       "BZBBmmmmmmmmmmmm" /* 80 */
			       "..........f....." /* 90 */
			       "oooo....bz......" /* a0 */
			       "bbbbbbbbvvvvvvvv" /* b0 */
			       "BBw.mmBZe.w..b.." /* c0: c4, c5 les, lds or VEX */
			       "mmmmbb..mmmmmmmm" /* d0 */
			       "bbbbbbbbjjfb...." /* e0 */
			       "p.pp..tT......mm";

static const char two_byte[] = "mmmm.........m.B" /* 0f 00: 0f is 3DNow!, with a suffix byte */
			       "mmmmmmmmmmmmmmmm" /* 10 */
			       "mmmm....mmmmmmmm" /* 20 */
			       "........x.x....." /* 30 */
			       "mmmmmmmmmmmmmmmm" /* 40 */
			       "mmmmmmmmmmmmmmmm" /* 50 */
			       "mmmmmmmmmmmmmmmm" /* 60 */
			       "BBBBmmm.mm..mmmm" /* 70 */
			       "jjjjjjjjjjjjjjjj" /* 80 */
			       "mmmmmmmmmmmmmmmm" /* 90 */
			       "...mBm.....mBmmm" /* a0 */
			       "mmmmmmmmmmBmmmmm" /* b0 */
			       "mmBmBBBm........" /* c0 */
			       "mmmmmmmmmmmmmmmm" /* d0 */
			       "mmmmmmmmmmmmmmmm" /* e0 */
			       "mmmmmmmmmmmmmmmm";

struct insn {
	const u8 *p;
	size_t n, pos;
	bool is_64, bad;
	bool opsize, addrsize, rex_w; /* 66, 67, REX.W */
	u8 map; /* 1: one byte, 2: 0f, 3: 0f 38, 4: 0f 3a; 5 to 7 EVEX, 8 to 10 XOP */
	u8 opcode;
	u8 modrm; /* valid if the opcode has one */
};

static u8 next(struct insn *i)
{
	if (i->pos >= i->n) {
		i->bad = true;
		return 0;
	}
	return i->p[i->pos++];
}

static void skip(struct insn *i, size_t n)
{
	if (n > i->n - i->pos)
		i->bad = true;
	else
		i->pos += n;
}

static void read_prefixes(struct insn *i)
{
	u8 b;

	for (; i->pos < i->n; i->pos++) {
		b = i->p[i->pos];
		if (one_byte[b] != PREFIX)
			break;
		if (b == 0x66)
			i->opsize = true;
		if (b == 0x67)
			i->addrsize = true;
	}
	if (i->is_64 && i->pos < i->n && (i->p[i->pos] & 0xf0) == 0x40) {
		i->rex_w = i->p[i->pos] & 8;
		i->pos++;
	}
}

/* Skips ModRM with its SIB and displacement. */
static void read_modrm(struct insn *i)
{
	u8 mod, rm;

	i->modrm = next(i);
	mod = i->modrm >> 6;
	rm = i->modrm & 7;
	if (mod == 3)
		return;
	if (!i->is_64 && i->addrsize) { /* 16-bit addressing has no SIB */
		skip(i, mod == 2 || (mod == 0 && rm == 6) ? 2 : mod);
		return;
	}
	if (rm == 4) {
		rm = next(i) & 7;
		if (mod == 0 && rm == 5) {
			skip(i, 4);
			return;
		}
	} else if (mod == 0 && rm == 5) {
		skip(i, 4);
		return;
	}
	skip(i, mod == 2 ? 4 : mod);
}

static size_t immz(const struct insn *i)
{
	return i->opsize && !i->rex_w ? 2 : 4;
}

static void read_rest(struct insn *i, char form)
{
	switch (form) {
	case PREFIX: /* a legacy prefix after REX */
	case NONE:   /* also for opcodes that no instruction has: only the opcode counts then, as in
		      * perf */
		break;
	case MODRM: read_modrm(i); break;
	case IMM8: skip(i, 1); break;
	case IMM16: skip(i, 2); break;
	case IMMZ: skip(i, immz(i)); break;
	case REL: skip(i, i->is_64 ? 4 : immz(i)); break;
	case IMMV: skip(i, i->rex_w ? 8 : immz(i)); break;
	case MODRM_IMM8:
		read_modrm(i);
		skip(i, 1);
		break;
	case MODRM_IMMZ:
		read_modrm(i);
		skip(i, immz(i));
		break;
	case OFFSET:
		if (i->is_64)
			skip(i, i->addrsize ? 4 : 8);
		else
			skip(i, i->addrsize ? 2 : 4);
		break;
	case FAR: skip(i, i->is_64 ? 0 : 2 + immz(i)); break;
	case ENTER: skip(i, 3); break;
	case TEST8:
		read_modrm(i);
		skip(i, (i->modrm & 0x38) <= 8);
		break;
	case TESTZ:
		read_modrm(i);
		skip(i, (i->modrm & 0x38) <= 8 ? immz(i) : 0);
		break;
	default: i->bad = true;
	}
}

/*
 * Reads an instruction after its VEX or EVEX prefix. All of them have a ModRM, except vzeroupper.
 */
static void read_vector(struct insn *i, bool evex)
{
	i->opcode = next(i);
	if (!evex && i->map == 2 && i->opcode == 0x77)
		return;
	read_modrm(i);
	/* all instructions of map 0f 3a have an immediate; in map 0f, the same as without VEX */
	if (i->map == 4 || (i->map == 2 && two_byte[i->opcode] == MODRM_IMM8))
		skip(i, 1);
}

/*
 * Reads an instruction after AMD's XOP prefix, with maps 8 to 10. The map number distinguishes the
 * prefix from pop (8f /0).
 */
static void read_xop(struct insn *i, u8 map)
{
	i->map = map;
	skip(i, 3);
	i->opcode = next(i);
	read_modrm(i);
	if (map != 9)
		skip(i, map == 8 ? 1 : 4);
	i->bad |= map > 10;
}

/*
 * Reads a VEX, EVEX or XOP instruction. Returns false if none begins here. In 32-bit code, VEX and
 * EVEX differ from les, lds and bound by a ModRM that names a register.
 */
static bool read_vex(struct insn *i)
{
	u8 b = i->pos < i->n ? i->p[i->pos] : 0, b1;

	b1 = i->pos + 1 < i->n ? i->p[i->pos + 1] : 0;
	if (b == 0x8f && (b1 & 0x1f) >= 8) {
		read_xop(i, b1 & 0x1f);
		return true;
	}
	if (b != 0xc4 && b != 0xc5 && b != 0x62)
		return false;
	if (!i->is_64 && b1 < 0xc0)
		return false;
	if (b == 0xc5) {
		i->map = 2;
		skip(i, 2);
	} else if (b == 0xc4) {
		i->map = (b1 & 0x1f) + 1;
		skip(i, 3);
	} else {
		i->map = (b1 & 7) + 1;
		skip(i, 4);
	}
	if (i->map < 2 || i->map > 7 || i->map == 5 || (b != 0x62 && i->map > 4))
		i->bad = true;
	read_vector(i, b == 0x62);
	return true;
}

/*
 * Reads an instruction after the REX2 prefix of APX, whose second byte has the bits of REX and, in
 * bit 7, the map.
 */
static void read_rex2(struct insn *i)
{
	u8 payload = next(i);

	i->rex_w = payload & 8;
	i->map = payload & 0x80 ? 2 : 1;
	i->opcode = next(i);
	read_rest(i, i->map == 2 ? two_byte[i->opcode] : one_byte[i->opcode]);
}

static void read_opcode(struct insn *i)
{
	u8 b = next(i);

	if (i->is_64 && b == 0xd5) {
		read_rex2(i);
		return;
	}
	i->map = 1;
	i->opcode = b;
	if (i->is_64 && b == 0x82)
		return;
	if (b != 0x0f) {
		if (b == 0xc4 || b == 0xc5 || b == 0x62) { /* les, lds, bound */
			read_modrm(i);
			return;
		}
		read_rest(i, one_byte[b]);
		return;
	}
	i->map = 2;
	i->opcode = b = next(i);
	if (b == 0x38 || b == 0x3a) {
		i->map = b == 0x38 ? 3 : 4;
		i->opcode = next(i);
		read_rest(i, i->map == 3 ? MODRM : MODRM_IMM8);
		return;
	}
	read_rest(i, two_byte[b]);
}

static void decode(struct insn *i, const u8 *p, size_t n, bool is_64)
{
	*i = (struct insn){ .p = p, .n = n < X86_INSN_MAX ? n : X86_INSN_MAX, .is_64 = is_64 };
	read_prefixes(i);
	if (!read_vex(i))
		read_opcode(i);
}

/*
 * Returns the length of ModRM, SIB and displacement in 64-bit code without an address size prefix.
 */
static unsigned int modrm_len(const u8 *p)
{
	unsigned int mod = p[0] >> 6, rm = p[0] & 7, len = mod == 1 ? 2 : mod == 2 ? 5 : 1;

	if (mod == 3)
		return 1;
	if (rm == 4) {
		rm = p[1] & 7;
		len++;
	}
	return mod == 0 && rm == 5 ? len + 4 : len;
}

/*
 * Returns the length of a common instruction of 64-bit code, which has no prefix except REX; 0:
 * decode() must find the length. p: X86_INSN_MAX bytes.
 */
static unsigned int usual_len(const u8 *p)
{
	unsigned int at = (p[0] & 0xf0) == 0x40;
	char form;

	switch (p[at]) {
	case 0x0f: form = two_byte[p[++at]]; break;
	case 0x62:
	case 0x82:
	case 0x8f:
	case 0xc4:
	case 0xc5:
	case 0xd5: return 0;
	default: form = one_byte[p[at]];
	}
	at++;
	switch (form) {
	case NONE: return at;
	case IMM8: return at + 1;
	case REL: return at + 4;
	case MODRM: return at + modrm_len(p + at);
	case MODRM_IMM8: return at + modrm_len(p + at) + 1;
	case MODRM_IMMZ: return at + modrm_len(p + at) + 4;
	default: return 0;
	}
}

unsigned int x86_insn_len(const u8 *p, size_t n, bool is_64)
{
	unsigned int len = is_64 && n >= X86_INSN_MAX ? usual_len(p) : 0;
	struct insn i;

	if (len)
		return len;
	decode(&i, p, n, is_64);
	return i.bad ? 0 : (unsigned int)i.pos;
}

bool x86_insn_is_uncond_branch(const u8 *p, size_t n, bool is_64)
{
	struct insn i;

	decode(&i, p, n, is_64);
	if (i.bad)
		return false;
	if (i.map == 2)
		return i.opcode == 0x05 || i.opcode == 0x07 || i.opcode == 0x34 || i.opcode == 0x35;
	if (i.map != 1)
		return false;
	switch (i.opcode) {
	case 0x9a:
	case 0xc2:
	case 0xc3:
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcd:
	case 0xce:
	case 0xcf:
	case 0xe8:
	case 0xe9:
	case 0xea:
	case 0xeb: return true;
	case 0xff: /* call and jmp, near and far */
		return (i.modrm & 0x38) >= 0x10 && (i.modrm & 0x38) <= 0x28;
	default: return false;
	}
}
