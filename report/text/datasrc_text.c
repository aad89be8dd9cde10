/* SPDX-License-Identifier: MIT */
#include "report/text/datasrc_text.h"

#define FIELD_MAX 99
#define ADDR_WIDTH 16

/* Fields of data_src from the low end: uapi union perf_mem_data_src. */
static unsigned int bits(u64 v, unsigned int shift, unsigned int width)
{
	return (unsigned int)(v >> shift & ((1u << width) - 1));
}

#define LVL_HIT 2
#define LVL_MISS 4
#define LVL_NAMES_SHIFT 3
#define LVL_NUM_NA 15
#define TLB_HIT 2
#define TLB_MISS 4

struct joiner {
	struct out *o;
	bool any;
};

static void join(struct joiner *j, const char *name)
{
	if (j->any)
		out_str(j->o, " or ");
	out_str(j->o, name);
	j->any = true;
}

static void join_bits(struct joiner *j, unsigned int mask, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (mask >> i & 1 && names[i])
			join(j, names[i]);
	}
}

static void op_text(struct out *o, u64 v)
{
	static const char *const names[] = { "N/A", "LOAD", "STORE", "PFETCH", "EXEC" };
	unsigned int op = bits(v, 0, 5);

	out_str(o, op ? names[__builtin_ctz(op)] : "No");
}

static void lvl_num_text(struct out *o, u64 v)
{
	static const char *const names[16] = {
		[1] = "L1",         [2] = "L2",       [3] = "L3",
		[4] = "L4",         [5] = "L2 MHB",   [6] = "Memory-side Cache",
		[8] = "Uncached",   [9] = "CXL",      [10] = "I/O",
		[11] = "Any cache", [12] = "LFB/MAB", [13] = "RAM",
		[14] = "PMEM",
	};
	static const char *const hops[] = { "core, same node", "node, same socket",
					    "socket, same board", "board" };
	unsigned int num = bits(v, 33, 4), hop = bits(v, 43, 3);

	if (bits(v, 37, 1))
		out_str(o, "Remote ");
	if (hop)
		out_printf(o, "%s ", hop <= ARRAY_SIZE(hops) ? hops[hop - 1] : "(null)");
	if (names[num])
		out_printf(o, "%s ", names[num]);
	else
		out_printf(o, "Unknown level %u ", num);
}

static void lvl_text(struct out *o, u64 v)
{
	static const char *const names[] = {
		"L1",
		"LFB/MAB",
		"L2",
		"L3",
		"Local RAM",
		"Remote RAM (1 hop)",
		"Remote RAM (2 hops)",
		"Remote Cache (1 hop)",
		"Remote Cache (2 hops)",
		"I/O",
		"Uncached",
	};
	unsigned int num = bits(v, 33, 4), lvl = bits(v, 5, 14);
	struct joiner j = { o, false };

	if (num && num != LVL_NUM_NA) {
		lvl_num_text(o, v);
	} else {
		join_bits(&j, lvl >> LVL_NAMES_SHIFT, names, ARRAY_SIZE(names));
		if (!j.any) {
			out_str(o, "N/A");
			return;
		}
		out_char(o, ' ');
	}
	if (lvl & LVL_HIT)
		out_str(o, "hit");
	else if (lvl & LVL_MISS)
		out_str(o, "miss");
}

static void snoop_text(struct out *o, u64 v)
{
	static const char *const names[] = { "N/A", "None", "Hit", "Miss", "HitM" };
	static const char *const xnames[] = { "Fwd", "Peer" };
	struct joiner j = { o, false };

	join_bits(&j, bits(v, 19, 5), names, ARRAY_SIZE(names));
	join_bits(&j, bits(v, 38, 2), xnames, ARRAY_SIZE(xnames));
	if (!j.any)
		out_str(o, "N/A");
}

static void tlb_text(struct out *o, u64 v)
{
	static const char *const names[] = { "N/A", NULL, NULL, "L1", "L2", "Walker", "Fault" };
	unsigned int tlb = bits(v, 26, 7);
	struct joiner j = { o, false };

	join_bits(&j, tlb, names, ARRAY_SIZE(names));
	if (!j.any)
		out_str(o, "N/A");
	if (tlb & TLB_HIT)
		out_str(o, " hit");
	if (tlb & TLB_MISS)
		out_str(o, " miss");
}

static void blk_text(struct out *o, u64 v)
{
	unsigned int blk = bits(v, 40, 3);

	if (!blk || blk & 1) {
		out_str(o, " N/A");
		return;
	}
	if (blk & 2)
		out_str(o, " Data");
	if (blk & 4)
		out_str(o, " Addr");
}

void datasrc_text(struct out *o, u64 v)
{
	unsigned int lock = bits(v, 24, 2);

	out_str(o, "|OP ");
	op_text(o, v);
	out_str(o, "|LVL ");
	lvl_text(o, v);
	out_str(o, "|SNP ");
	snoop_text(o, v);
	out_str(o, "|TLB ");
	tlb_text(o, v);
	out_printf(o, "|LCK %s|BLK ", lock & 1 ? "N/A" : lock & 2 ? "Yes" : "No");
	blk_text(o, v);
}

void datasrc_field(struct out *o, u64 v, size_t *width)
{
	struct out text;

	out_init_mem(&text);
	out_hex(&text, v, ADDR_WIDTH);
	out_char(&text, ' ');
	datasrc_text(&text, v);
	if (text.len > FIELD_MAX)
		text.len = FIELD_MAX;
	if (text.len > *width)
		*width = text.len;
	out_raw(o, text.buf, text.len);
	out_fill(o, ' ', *width - text.len);
	(void)out_fini(&text);
}

struct branch_flags branch_flags_decode(u64 w, bool swap)
{
	bool big = swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	u64 v = pd_branch_flags(w, swap);

	return (struct branch_flags){
		.mispred = v & 1,
		.predicted = v >> 1 & 1,
		.in_tx = v >> 2 & 1,
		.abort = v >> 3 & 1,
		.cycles = (u16)(v >> 4),
		.type = bits(v, 20, 4),
		.spec = bits(v, 24, 2),
		.new_type = bits(v, 26, 4),
		.priv = bits(v, 30, 3),
		.reserved = big ? w & 0x7fffffff : w >> 33,
	};
}

#define TYPE_EXTENDED 15

const char *branch_type_name(const struct branch_flags *f)
{
	static const char *const names[TYPE_EXTENDED] = {
		"",       "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",   "SYSCALL",
		"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX",
	};
	static const char *const new_names[] = {
		"FAULT_ALGN", "FAULT_DATA", "FAULT_INST", "ARCH_1",
		"ARCH_2",     "ARCH_3",     "ARCH_4",     "ARCH_5",
	};

	if (f->type < TYPE_EXTENDED)
		return names[f->type];
	return f->new_type < ARRAY_SIZE(new_names) ? new_names[f->new_type] : "(null)";
}

const char *branch_spec_name(const struct branch_flags *f)
{
	static const char *const names[] = { "", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					     "SPEC_CORRECT_PATH" };

	return names[f->spec & 3];
}

void branch_flags_text(struct out *o, const struct branch_flags *f, bool with_spec)
{
	const char *spec = branch_spec_name(f);

	out_printf(o, "/%c/%c/%c/%u/%s",
		   f->predicted ? 'P'
		   : f->mispred ? 'M'
				: '-',
		   f->in_tx ? 'X' : '-', f->abort ? 'A' : '-', f->cycles, branch_type_name(f));
	if (with_spec)
		out_printf(o, "/%s", spec[0] ? spec : "-");
	out_char(o, ' ');
}
