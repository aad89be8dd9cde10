/* SPDX-License-Identifier: MIT */
/* Expected texts are those of perf script 7.2. */
#include "tests/frame/unit.h"

#include "base/mem.h"
#include "report/text/datasrc_text.h"
#include "report/text/regs_text.h"
#include "tests/frame/build_file.h"

static char *take_text(struct out *o)
{
	char *s = xstrndup(o->buf ? o->buf : "", o->len);

	(void)out_fini(o);
	return s;
}

static void check_datasrc(u64 v, const char *want)
{
	struct out o;
	char *got;

	out_init_mem(&o);
	datasrc_text(&o, v);
	got = take_text(&o);
	CHECK_STR(got, want);
	free(got);
}

TEST(data_src_of_loads)
{
	check_datasrc(0x68100142, "|OP LOAD|LVL L1 hit|SNP None|TLB L1 or L2 hit|LCK No|BLK  N/A");
	check_datasrc(0, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	check_datasrc(2, "|OP LOAD|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	check_datasrc(6, "|OP LOAD|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	check_datasrc(0x10, "|OP EXEC|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
}

TEST(data_src_level_numbers)
{
	check_datasrc(1ull << 33, "|OP No|LVL L1 |SNP N/A|TLB N/A|LCK No|BLK  N/A");
	check_datasrc(13ull << 33 | 1ull << 37 | 1ull << 43 | 2 << 5,
		      "|OP No|LVL Remote core, same node RAM hit|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	check_datasrc(7ull << 33 | 4 << 5,
		      "|OP No|LVL Unknown level 7 miss|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	check_datasrc(15ull << 33 | 0x8e << 5,
		      "|OP No|LVL L1 or Local RAM hit|SNP N/A|TLB N/A|LCK No|BLK  N/A");
	/* remote and hops say nothing without a level */
	check_datasrc(1ull << 37 | 1ull << 43, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
}

TEST(data_src_other_parts)
{
	check_datasrc(3ull << 38 | 16 << 19,
		      "|OP No|LVL N/A|SNP HitM or Fwd or Peer|TLB N/A|LCK No|BLK  N/A");
	check_datasrc(7ull << 26, "|OP No|LVL N/A|SNP N/A|TLB N/A hit miss|LCK No|BLK  N/A");
	check_datasrc(2ull << 24, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK Yes|BLK  N/A");
	check_datasrc(3ull << 24, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK N/A|BLK  N/A");
	check_datasrc(6ull << 40, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  Data Addr");
	check_datasrc(7ull << 40, "|OP No|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A");
}

TEST(data_src_field_keeps_its_width)
{
	size_t width = 0;
	struct out o;
	char *got;

	out_init_mem(&o);
	datasrc_field(&o, 4, &width);
	out_char(&o, '\n');
	datasrc_field(&o, 0x10, &width);
	out_char(&o, '\n');
	got = take_text(&o);
	CHECK_STR(got, "               4 |OP STORE|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A\n"
		       "              10 |OP EXEC|LVL N/A|SNP N/A|TLB N/A|LCK No|BLK  N/A \n");
	free(got);
	out_init_mem(&o);
	datasrc_field(&o, ~0ull, &width);
	CHECK_EQ(o.len, 99);
	CHECK_EQ(width, 99);
	(void)out_fini(&o);
}

static void check_branch(u64 word, bool swap, bool with_spec, const char *want)
{
	struct branch_flags f = branch_flags_decode(word, swap);
	struct out o;
	char *got;

	out_init_mem(&o);
	branch_flags_text(&o, &f, with_spec);
	got = take_text(&o);
	CHECK_STR(got, want);
	free(got);
}

TEST(branch_flags)
{
	bool swap = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__; /* of a little-endian file */

	check_branch(0, swap, true, "/-/-/-/0//- ");
	check_branch(1, swap, true, "/M/-/-/0//- ");
	check_branch(3, swap, true, "/P/-/-/0//- ");
	check_branch(0xc, swap, true, "/-/X/A/0//- ");
	check_branch(2 | 12 << 4 | 4 << 20, swap, true, "/P/-/-/12/CALL/- ");
	check_branch(2 | 1 << 20 | 1 << 24, swap, true, "/P/-/-/0/COND/SPEC_WRONG_PATH ");
	check_branch(2 | 1 << 20 | 1 << 24, swap, false, "/P/-/-/0/COND ");
	check_branch(15 << 20 | 1 << 26, swap, true, "/-/-/-/0/FAULT_DATA/- ");
	check_branch(15 << 20 | 8 << 26, swap, true, "/-/-/-/0/(null)/- ");
	/* the same fields as a big-endian machine lays them out: from the top down */
	check_branch(1ull << 62 | 12ull << 44 | 4ull << 40 | 3ull << 38, !swap, true,
		     "/P/-/-/12/CALL/SPEC_CORRECT_PATH ");
}

TEST(register_names)
{
	CHECK_STR(regs_name(REGS_X86, 9), "FLAGS");
	CHECK_STR(regs_name(REGS_X86, 24), "unknown");
	CHECK_STR(regs_name(REGS_X86, 63), "XMM15");
	CHECK_STR(regs_name(REGS_X86, 64), "unknown");
	CHECK_STR(regs_name(REGS_ARM64, 30), "lr");
	CHECK_STR(regs_name(REGS_ARM64, 46), "vg");
	CHECK_STR(regs_name(REGS_ARM, 15), "pc");
	CHECK_STR(regs_name(REGS_POWERPC, 44), "mmcra");
	CHECK_STR(regs_name(REGS_POWERPC, 58), "siar");
	CHECK_STR(regs_name(REGS_RISCV, 31), "t6");
	CHECK_STR(regs_name(REGS_S390, 33), "PC");
	CHECK_STR(regs_name(REGS_MIPS, 26), "unknown");
	CHECK_STR(regs_name(REGS_MIPS, 28), "$28");
	CHECK_STR(regs_name(REGS_LOONGARCH, 0), "PC");
	CHECK_STR(regs_name(REGS_CSKY, 36), "lo");
	CHECK_STR(regs_name(REGS_UNKNOWN, 0), "unknown");
	CHECK_EQ(regs_arch_by_name("armv7l", 6), REGS_ARM);
	CHECK_EQ(regs_arch_by_name("arm64", 5), REGS_ARM64);
	CHECK_EQ(regs_arch_by_name("ppc64le", 7), REGS_POWERPC);
	CHECK_EQ(regs_arch_by_name("parisc", 6), REGS_UNKNOWN);
	CHECK_EQ(regs_arch_by_name("x", 1), REGS_UNKNOWN);
}

static void check_regs(bool big)
{
	struct bytes b = bytes_new(big);
	struct pd_regs regs = { .abi = 2, .mask = 1 << 8 | 1 << 9 | 1 };
	struct out o;
	char *got;

	put_u64(&b, 0x10);
	put_u64(&b, 0xfff0);
	put_u64(&b, 0);
	regs.values = bytes_span(&b);
	out_init_mem(&o);
	regs_text(&o, REGS_X86, &regs, bytes_swapped(&b));
	got = take_text(&o);
	CHECK_STR(got, " ABI:2    AX:0x10    IP:0xfff0 FLAGS:0x0 ");
	free(got);
	/* fewer values than the mask says: what there is */
	regs.values.n = 8;
	out_init_mem(&o);
	regs_text(&o, REGS_X86, &regs, bytes_swapped(&b));
	got = take_text(&o);
	CHECK_STR(got, " ABI:2    AX:0x10 ");
	free(got);
	regs.abi = 0;
	out_init_mem(&o);
	regs_text(&o, REGS_X86, &regs, false);
	CHECK_EQ(o.len, 0);
	(void)out_fini(&o);
	bytes_free(&b);
}

TEST(register_values)
{
	check_regs(false);
	check_regs(true);
}
