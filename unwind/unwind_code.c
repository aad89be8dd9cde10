/* SPDX-License-Identifier: MIT */
/* Encoding facts: Intel SDM volume 2. */
#include "unwind/unwind_code.h"

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/insn_len.h"

#define MAX_INSNS 4000 /* looked at from one pc */
#define MAX_WAYS 128   /* branches that are still to be followed */
#define MAX_CALLS 256  /* remembered of one way */

enum { RSP = 4, RBP = 5 };

/*
 * The two registers on one way through the code, counted from what one of them was at the pc: from
 * the stack pointer, or once it was set from there, from the frame pointer (by_fp).
 */
struct way {
	u64 at; /* vaddr */
	bool by_fp, sp_known;
	s64 sp;
	enum {
		FP_KEPT,
		FP_SAVED, /* was read from fp */
		FP_IS,    /* is fp */
		FP_LOST,
	} fp_is;
	s64 fp;
	bool fp_pushed; /* as it was at the pc, to pushed */
	s64 pushed;
	size_t nr_calls; /* of the calls on the way, up to where it left another one */
};

/* Where a call on the way returns to. */
struct call {
	u64 at;
	s64 sp;
};

struct unwind_code {
	struct idmap rules; /* (vaddr, module) of where calls return to -> rule */
	/* of the pc that is asked for: */
	const struct unwind_module *m;
	struct way todo[MAX_WAYS];
	size_t nr_todo, nr_seen, nr_calls;
	struct call calls[MAX_CALLS]; /* of the way that is followed */
	u16 used[MAX_INSNS];          /* places in seen */
	u32 seen[2 * MAX_INSNS];      /* by hash: vaddr + 1, all of one file; 0: free */
};

/* An instruction: what of it matters here. */
struct insn {
	const u8 *p; /* its opcode, behind the prefixes */
	unsigned int len;
	u64 next; /* vaddr of the one behind it */
	bool rex_w, rex_r, rex_x, rex_b;
	bool has_f3;
};

enum went { GOES_ON, CALLS, RETURNS, ENDS };

static bool see(struct unwind_code *s, u64 at)
{
	size_t i = (size_t)((at * 0x9e3779b97f4a7c15ull) >> 33) % ARRAY_SIZE(s->seen);

	if (s->nr_seen == MAX_INSNS)
		return false;
	for (; s->seen[i]; i = (i + 1) % ARRAY_SIZE(s->seen))
		if (s->seen[i] == (u32)at + 1)
			return false;
	s->seen[i] = (u32)at + 1;
	s->used[s->nr_seen++] = (u16)i;
	return true;
}

static bool is_prefix(u8 b)
{
	return b == 0x66 || b == 0x67 || b == 0xf0 || b == 0xf2 || b == 0xf3 || b == 0x2e ||
	       b == 0x36 || b == 0x3e || b == 0x26 || b == 0x64 || b == 0x65;
}

static bool read_insn(const struct unwind_module *m, u64 at, struct insn *ret)
{
	struct span code = unwind_module_bytes(m, at, X86_INSN_MAX);
	unsigned int len = code.n ? x86_insn_len(code.p, code.n, true) : 0, i = 0;

	*ret = (struct insn){ .next = at + len };
	for (; i < len && is_prefix(code.p[i]); i++)
		ret->has_f3 |= code.p[i] == 0xf3;
	if (i < len && (code.p[i] & 0xf0) == 0x40) {
		ret->rex_w = code.p[i] & 8;
		ret->rex_r = code.p[i] & 4;
		ret->rex_x = code.p[i] & 2;
		ret->rex_b = code.p[i] & 1;
		i++;
	}
	ret->p = code.p + i;
	ret->len = len - i;
	return i < len;
}

static s64 imm8(const u8 *p)
{
	return (s8)*p;
}

static s64 imm32(const u8 *p)
{
	return (s32)get_u32(p, false);
}

/* The fields of ModRM, of an instruction that has one. */
static u8 mod_of(const struct insn *i)
{
	return i->len > 1 ? i->p[1] >> 6 : 0;
}

static unsigned int reg_of(const struct insn *i)
{
	return (i->len > 1 ? i->p[1] >> 3 & 7 : 0) | (unsigned int)i->rex_r << 3;
}

static unsigned int rm_of(const struct insn *i)
{
	return (i->len > 1 ? i->p[1] & 7 : 0) | (unsigned int)i->rex_b << 3;
}

/* [rsp + *ret] or [rbp + *ret]: the register, -1 for any other operand in memory. */
static int stack_operand(const struct insn *i, s64 *ret)
{
	u8 mod = mod_of(i);
	unsigned int at = 2;

	if (mod == 3 || i->rex_b)
		return -1;
	if (rm_of(i) == RSP) {
		if (i->rex_x || i->len < 3 || i->p[2] != 0x24)
			return -1;
		at = 3;
	} else if (rm_of(i) != RBP || !mod) {
		return -1;
	}
	*ret = mod == 1 ? imm8(i->p + at) : mod == 2 ? imm32(i->p + at) : 0;
	return (int)rm_of(i);
}

static void set_sp_from_fp(struct way *w, s64 add)
{
	w->sp_known = w->fp_is == FP_KEPT || w->fp_is == FP_IS;
	w->sp = w->fp_is == FP_IS ? w->fp + add : add;
	if (w->fp_is != FP_KEPT)
		return;
	w->by_fp = true;
	w->fp_pushed = false;
}

static void push(struct way *w, bool fp)
{
	w->sp -= 8;
	if (fp && w->fp_is == FP_KEPT && w->sp_known) {
		w->fp_pushed = true;
		w->pushed = w->sp;
	}
}

static void load_fp(struct way *w, s64 from)
{
	if (!w->sp_known)
		w->fp_is = FP_LOST;
	else if (w->fp_pushed && w->pushed == from)
		w->fp_is = FP_KEPT;
	else
		w->fp_is = w->by_fp || from >= 0 ? FP_SAVED : FP_LOST;
	w->fp = from;
}

static void pop(struct way *w, unsigned int reg)
{
	if (reg == RBP)
		load_fp(w, w->sp);
	w->sp += 8;
	if (reg == RSP)
		w->sp_known = false;
}

/* 81 and 83: arithmetic with an immediate. */
static void add_to_sp(struct way *w, const struct insn *i)
{
	s64 imm = 0;

	if (mod_of(i) != 3 || rm_of(i) != RSP)
		return;
	if (i->p[0] == 0x83)
		imm = imm8(i->p + 2);
	else if (i->rex_w)
		imm = imm32(i->p + 2);
	switch (reg_of(i) & 7) {
	case 0: w->sp += imm; break;
	case 5: w->sp -= imm; break;
	case 7: return; /* cmp */
	default: w->sp_known = false;
	}
	if (!i->rex_w)
		w->sp_known = false;
}

/* lea, and mov in both directions. */
static void move(struct way *w, const struct insn *i)
{
	unsigned int to = i->p[0] == 0x89 ? rm_of(i) : reg_of(i);
	unsigned int from = i->p[0] == 0x89 ? reg_of(i) : rm_of(i);
	bool in_memory = mod_of(i) != 3;
	int base = -1;
	s64 off = 0;

	if ((i->p[0] == 0x89 && in_memory) || (to != RSP && to != RBP))
		return;
	if (in_memory)
		base = stack_operand(i, &off);
	if (i->p[0] == 0x8d || !in_memory) {
		/* to is an address of the stack, if anything */
		if (!in_memory)
			base = from == RSP || from == RBP ? (int)from : -1;
		if (!i->rex_w)
			base = -1;
		if (to == RSP && base == RSP)
			w->sp += off;
		else if (to == RSP && base == RBP)
			set_sp_from_fp(w, off);
		else if (to == RSP)
			w->sp_known = false;
		else if (base == RSP && w->sp_known) {
			w->fp_is = FP_IS;
			w->fp = w->sp + off;
		}
		return;
	}
	if (to == RSP)
		w->sp_known = false;
	else if (base == RSP && i->rex_w)
		load_fp(w, w->sp + off);
}

/* Whether it writes to the stack pointer in a way that is not followed. */
static bool loses_sp(const struct insn *i)
{
	switch (i->p[0]) {
	case 0x01:
	case 0x09:
	case 0x11:
	case 0x19:
	case 0x21:
	case 0x29:
	case 0x31:
	case 0xc1:
	case 0xc7:
	case 0xd1:
	case 0xd3: return mod_of(i) == 3 && rm_of(i) == RSP;
	case 0x03:
	case 0x0b:
	case 0x13:
	case 0x1b:
	case 0x23:
	case 0x2b:
	case 0x33:
	case 0x63:
	case 0x69:
	case 0x6b: return reg_of(i) == RSP;
	case 0x87: return reg_of(i) == RSP || (mod_of(i) == 3 && rm_of(i) == RSP);
	case 0x94: return !i->rex_b;
	case 0xbc: return !i->rex_b;
	default: return false;
	}
}

/* Another way goes on at a branch's target. */
static void branch(struct unwind_code *s, const struct way *w, const struct insn *i, s64 to)
{
	if (s->nr_todo == MAX_WAYS)
		return;
	s->todo[s->nr_todo] = *w;
	s->todo[s->nr_todo].nr_calls = s->nr_calls;
	s->todo[s->nr_todo++].at = i->next + (u64)to;
}

/* Whether a rule here is one of the pc, but for how far the stack pointer has come. */
static bool is_plain(const struct way *w)
{
	return w->sp_known && !w->by_fp && w->fp_is == FP_KEPT && !w->fp_pushed && w->sp % 8 == 0;
}

/* The same frame's rule, where the stack pointer is by so many bytes lower; 0: there is none. */
static u32 rule_from(u32 rule, s64 lower)
{
	s64 words = (s64)rule_words(rule) + lower / 8;

	if (rule_kind(rule) != RULE_SP)
		return rule;
	return words > 0 && words <= 0x7fff ? RULE_MAKE(RULE_SP, words, rule_slot(rule)) : 0;
}

static bool is_padding(const struct insn *i)
{
	return (i->p[0] == 0x90 && !i->has_f3) || i->p[0] == 0xcc ||
	       (i->p[0] == 0x0f && i->len > 1 && i->p[1] == 0x1f);
}

/* What begins here is not what came before: the call before it does not return. */
static bool is_behind_the_end(const struct unwind_module *m, u64 at)
{
	struct insn i;

	return !read_insn(m, at, &i) || is_padding(&i) ||
	       (i.has_f3 && i.len == 3 && i.p[0] == 0x0f && i.p[1] == 0x1e && i.p[2] == 0xfa);
}

/* A call: what is behind it, unless that is another function. */
static enum went call(struct unwind_code *s, const struct way *w, const struct insn *i)
{
	if (is_behind_the_end(s->m, i->next))
		return ENDS;
	if (is_plain(w) && s->nr_calls < MAX_CALLS)
		s->calls[s->nr_calls++] = (struct call){ i->next, w->sp };
	return CALLS;
}

static enum went two_byte(struct unwind_code *s, struct way *w, const struct insn *i)
{
	u8 op = i->len > 1 ? i->p[1] : 0x0b;

	if (op == 0x0b) /* ud2 */
		return ENDS;
	if ((op & 0xf0) == 0x80 && i->len == 6)
		branch(s, w, i, imm32(i->p + 2));
	return GOES_ON;
}

/* ff: inc, dec, call, jmp and push. */
static enum went group_5(struct unwind_code *s, struct way *w, const struct insn *i)
{
	switch (reg_of(i) & 7) {
	case 2: return call(s, w, i);
	case 4:
		/* from a slot of the GOT: to a function that returns to where this one would */
		if (mod_of(i) == 0 && rm_of(i) == RBP)
			return RETURNS;
		/* by a table, to one of several places, the first of which mostly follows */
		return is_behind_the_end(s->m, i->next) ? ENDS : GOES_ON;
	case 5: return ENDS;
	case 6: push(w, false); return GOES_ON;
	default:
		if (mod_of(i) == 3 && rm_of(i) == RSP)
			w->sp_known = false;
		return GOES_ON;
	}
}

static enum went step(struct unwind_code *s, struct way *w, const struct insn *i)
{
	u8 op = i->p[0];
	unsigned int low = (op & 7u) | (unsigned int)i->rex_b << 3;

	w->at = i->next;
	if ((op & 0xf8) == 0x50) {
		push(w, low == RBP);
		return GOES_ON;
	}
	if ((op & 0xf8) == 0x58) {
		pop(w, low);
		return GOES_ON;
	}
	if ((op & 0xf0) == 0x70 || (op & 0xfc) == 0xe0) {
		branch(s, w, i, imm8(i->p + 1));
		return GOES_ON;
	}
	switch (op) {
	case 0x0f: return two_byte(s, w, i);
	case 0x68:
	case 0x6a:
	case 0x9c: push(w, false); return GOES_ON;
	case 0x8f:
		if (reg_of(i) % 8 == 0) /* else XOP */
			pop(w, mod_of(i) == 3 ? rm_of(i) : 0);
		return GOES_ON;
	case 0x9d: w->sp += 8; return GOES_ON;
	case 0x81:
	case 0x83: add_to_sp(w, i); return GOES_ON;
	case 0x89:
	case 0x8b:
	case 0x8d: move(w, i); return GOES_ON;
	case 0xc2:
	case 0xc3: return RETURNS;
	case 0xc8:
	case 0xca:
	case 0xcb:
	case 0xcc:
	case 0xcf:
	case 0xf4: return ENDS;
	case 0xc9:
		set_sp_from_fp(w, 0);
		pop(w, RBP);
		return GOES_ON;
	case 0xe8: return call(s, w, i);
	case 0xe9: w->at += (u64)imm32(i->p + 1); return GOES_ON;
	case 0xeb: w->at += (u64)imm8(i->p + 1); return GOES_ON;
	case 0xff: return group_5(s, w, i);
	default:
		if (loses_sp(i))
			w->sp_known = false;
		return GOES_ON;
	}
}

/* The rule of a way that has come to its return; 0 when that cannot be said. */
static u32 rule_of(const struct way *w)
{
	s64 cfa = w->sp + 8, slot = w->fp_is == FP_SAVED ? (w->fp - cfa) / 8 : 0;

	if (!w->sp_known || (w->fp_is != FP_KEPT && w->fp_is != FP_SAVED))
		return 0;
	if (cfa <= 0 || cfa % 8 || cfa / 8 > 0x7fff)
		return 0;
	if (w->fp_is == FP_SAVED && ((w->fp - cfa) % 8 || slot >= 0 || slot < -0x1000))
		return 0;
	return RULE_MAKE(w->by_fp ? RULE_FP : RULE_SP, cfa / 8, slot);
}

/* Follows one way to its end, or to where the rest is known. */
static u32 follow(struct unwind_code *s, struct way *w)
{
	enum went went = GOES_ON;
	struct insn i;
	u32 known;

	s->nr_calls = w->nr_calls;
	while (went <= CALLS && see(s, w->at) && read_insn(s->m, w->at, &i)) {
		went = step(s, w, &i);
		if (went != CALLS || !is_plain(w))
			continue;
		known = idmap_get(&s->rules, w->at, (uintptr_t)s->m);
		if (known != IDMAP_NONE)
			return rule_kind(known) == RULE_GUESS ? 0 : rule_from(known, w->sp);
	}
	return went == RETURNS ? rule_of(w) : 0;
}

static void remember(struct unwind_code *s, u64 vaddr, u32 rule)
{
	if (rule && idmap_get(&s->rules, vaddr, (uintptr_t)s->m) == IDMAP_NONE)
		idmap_put(&s->rules, vaddr, (uintptr_t)s->m, rule);
}

u32 unwind_code_rule(struct unwind_code *s, const struct unwind_module *m, u64 vaddr, bool called)
{
	struct way w = { .at = vaddr, .sp_known = true };
	u32 rule = 0;

	s->m = m;
	if (!called || !is_behind_the_end(m, vaddr))
		s->todo[s->nr_todo++] = w;
	while (!rule && s->nr_todo) {
		w = s->todo[--s->nr_todo];
		rule = follow(s, &w);
	}
	for (size_t i = 0; rule && i < s->nr_calls; i++)
		remember(s, s->calls[i].at, rule_from(rule, -s->calls[i].sp));
	if (!rule)
		rule = RULE_MAKE(RULE_GUESS, 0, 0);
	if (called)
		remember(s, vaddr, rule);
	for (size_t i = 0; i < s->nr_seen; i++)
		s->seen[s->used[i]] = 0;
	s->nr_seen = s->nr_todo = s->nr_calls = 0;
	return rule;
}

struct unwind_code *unwind_code_new(void)
{
	return xcalloc(1, sizeof(struct unwind_code));
}

void unwind_code_free(struct unwind_code *s)
{
	if (!s)
		return;
	idmap_fini(&s->rules);
	free(s);
}
