/* SPDX-License-Identifier: MIT */
/* Instructions in objdump's words. Texts are those of binutils 2.40. */
#include "report/disasm/disasm.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "tests/frame/unit.h"

struct sample {
	const char *bytes; /* hexadecimal */
	const char *text;
};

static size_t parse(const char *hex, u8 *ret)
{
	size_t n = 0;
	char pair[3] = "";

	for (; hex[0] && hex[1]; hex += 2) {
		memcpy(pair, hex, 2);
		ret[n++] = (u8)strtoul(pair, NULL, 16);
	}
	return n;
}

/* The text of one instruction at 0x1000; NUL-terminated in o. */
static struct disasm_insn one(struct disasm_code *d, const char *hex, struct out *o)
{
	struct disasm_insn in;
	u8 code[32] = { 0 };
	size_t n = parse(hex, code);

	o->len = 0;
	disasm_code_next(d, o, code, n, 0x1000, &in);
	CHECK(in.len >= 1 && in.len <= n);
	out_char(o, '\0');
	return in;
}

static void check_all(enum disasm_arch arch, bool intel, const struct sample *s, size_t nr)
{
	struct disasm_code *d = disasm_code_new(arch, intel);
	struct out o;

	if (!d)
		SKIP("no disassembler in this build");
	out_init_mem(&o);
	for (size_t i = 0; i < nr; i++) {
		struct disasm_insn in = one(d, s[i].bytes, &o);

		CHECK_STR(o.buf, s[i].text);
		CHECK_EQ(in.len, strlen(s[i].bytes) / 2);
	}
	out_fini(&o);
	disasm_code_free(d);
}

TEST(att)
{
	static const struct sample s[] = {
		{ "4889c2", "mov    %rax,%rdx" },
		{ "c6452001", "movb   $0x1,0x20(%rbp)" },
		{ "48837df000", "cmpq   $0x0,-0x10(%rbp)" },
		{ "83c080", "add    $0xffffff80,%eax" },
		{ "6aff", "push   $0xffffffffffffffff" },
		{ "49b8abaaaaaaaaaaaaaa", "movabs $0xaaaaaaaaaaaaaaab,%r8" },
		{ "0fb608", "movzbl (%rax),%ecx" },
		{ "480fbf4608", "movswq 0x8(%rsi),%rax" },
		{ "4898", "cltq" },
		{ "4863d0", "movslq %eax,%rdx" },
		{ "d1fb", "sar    %ebx" },
		{ "64488b042528000000", "mov    %fs:0x28,%rax" },
		{ "488d14c500000000", "lea    0x0(,%rax,8),%rdx" },
		{ "498d542d30", "lea    0x30(%r13,%rbp,1),%rdx" },
		{ "488d0c2d30000000", "lea    0x30(,%rbp,1),%rcx" },
		{ "f348ab", "rep stos %rax,%es:(%rdi)" },
		{ "f3a4", "rep movsb %ds:(%rsi),%es:(%rdi)" },
		{ "f2ae", "repnz scas %es:(%rdi),%al" },
		{ "f3a6", "repz cmpsb %es:(%rdi),%ds:(%rsi)" },
		{ "f00fb117", "lock cmpxchg %edx,(%rdi)" },
		{ "66662e0f1f840000000000", "data16 cs nopw 0x0(%rax,%rax,1)" },
		{ "6690", "xchg   %ax,%ax" },
		{ "f3c3", "repz ret" },
		{ "f3c3", "repz ret" },
		{ "f30f1efa", "endbr64" },
		{ "3effe0", "notrack jmp *%rax" },
		{ "ff24d7", "jmp    *(%rdi,%rdx,8)" },
		{ "f2480f2ac7", "cvtsi2sd %rdi,%xmm0" },
		{ "f20f2a442408", "cvtsi2sdl 0x8(%rsp),%xmm0" },
		{ "660f6cc3", "punpcklqdq %xmm3,%xmm0" },
		{ "660f70c0ff", "pshufd $0xff,%xmm0,%xmm0" },
		{ "db6c2418", "fldt   0x18(%rsp)" },
		{ "dec9", "fmulp  %st,%st(1)" },
		{ "dee9", "fsubrp %st,%st(1)" },
		{ "dfe9", "fucomip %st(1),%st" },
		{ "d9c0", "fld    %st(0)" },
		{ "91", "xchg   %eax,%ecx" },
		{ "4990", "xchg   %rax,%r8" },
		{ "4892", "xchg   %rax,%rdx" },
		{ "4887c2", "xchg   %rax,%rdx" },
		{ "ec", "in     (%dx),%al" },
	};

	check_all(DISASM_X86_64, false, s, ARRAY_SIZE(s));
}

TEST(intel)
{
	static const struct sample s[] = {
		{ "4889c2", "mov    rdx,rax" },
		{ "c6452001", "mov    BYTE PTR [rbp+0x20],0x1" },
		{ "64488b042528000000", "mov    rax,QWORD PTR fs:0x28" },
		{ "488d14c500000000", "lea    rdx,[rax*8+0x0]" },
		{ "488d0592feffff", "lea    rax,[rip+0xfffffffffffffe92]" },
		{ "f348ab", "rep stos QWORD PTR es:[rdi],rax" },
		{ "db6c2418", "fld    TBYTE PTR [rsp+0x18]" },
		{ "d1fb", "sar    ebx,1" },
		{ "4990", "xchg   r8,rax" },
		{ "4892", "xchg   rdx,rax" },
		{ "4898", "cdqe" },
		{ "660f2e4108", "ucomisd xmm0,QWORD PTR [rcx+0x8]" },
	};

	check_all(DISASM_X86_64, true, s, ARRAY_SIZE(s));
}

TEST(i386)
{
	static const struct sample s[] = {
		{ "8b4508", "mov    0x8(%ebp),%eax" },
		{ "8d742600", "lea    0x0(%esi,%eiz,1),%esi" },
		{ "65a114000000", "mov    %gs:0x14,%eax" },
		{ "e8fbffffff", "call   1000" },
	};
	static const struct sample intel[] = {
		{ "65a114000000", "mov    eax,gs:0x14" },
		{ "658b0d14000000", "mov    ecx,DWORD PTR gs:0x14" },
	};

	check_all(DISASM_I386, false, s, ARRAY_SIZE(s));
	check_all(DISASM_I386, true, intel, ARRAY_SIZE(intel));
}

TEST(arm64)
{
	static const struct sample s[] = {
		{ "fd7bbea9", "stp\tx29, x30, [sp, #-32]!" },
		{ "21040091", "add\tx1, x1, #0x1" },
		{ "e0008012", "mov\tw0, #0xfffffff8" },
		{ "2100a052", "mov\tw1, #0x10000" },
		{ "e07f40b2", "mov\tx0, #0xffffffff" },
		{ "35f07df2", "ands\tx21, x1, #0xfffffffffffffff8" },
		{ "1e0080d2", "mov\tx30, #0x0" },
		{ "80875ef8", "ldr\tx0, [x28], #-24" },
		{ "01106e1e", "fmov\td1, #1.000000000000000000e+00" },
		{ "0820601e", "fcmp\td0, #0.0" },
		{ "0040006e", "ext\tv0.16b, v0.16b, v0.16b, #8" },
		{ "5f2403d5", "bti\tc" },
		{ "00a4200f", "sxtl\tv0.2d, v0.2s" },

		{ "08fc55d3", "lsr\tx8, x0, #21" },
		{ "63070054", "b.cc\t10ec" },
		{ "a000f836", "tbz\tw0, #31, 1014" },
		{ "c0035fd6", "ret" },
	};

	check_all(DISASM_ARM64, false, s, ARRAY_SIZE(s));
}

TEST(arm)
{
	static const struct sample s[] = {
		{ "f08fbde8", "pop\t{r4, r5, r6, r7, r8, r9, sl, fp, pc}" },
		{ "38909de5", "ldr\tr9, [sp, #56]" },
		{ "0100002a", "bcs\t100c" },
		{ "1eff2fe1", "bx\tlr" },
		{ "04e02de5", "push\t{lr}" },
		{ "f060cde1", "strd\tr6, [sp]" },
		{ "000000ef", "svc\t0x00000000" },
		{ "0201a0e3", "mov\tr0, #-2147483648" },
	};

	check_all(DISASM_ARM, false, s, ARRAY_SIZE(s));
}

static bool is_capstone_4(void)
{
	unsigned int (*version)(int *major, int *minor);
	void *fn = dlsym(RTLD_DEFAULT, "cs_version");
	int major = 4, minor;

	memcpy(&version, &fn, sizeof(fn));
	if (version)
		version(&major, &minor);
	return major <= 4;
}

/* What capstone does not know has its length all the same, so that what follows is right. */
TEST(unknown_instructions)
{
	static const struct sample s[] = {
		/* vaddph %zmm3,%zmm2,%zmm1 */
		{ "62f56c4858cb", ".byte  0x62,0xf5,0x6c,0x48,0x58,0xcb" },
		/* vaddph 0x40(%rax),%zmm2,%zmm1 */
		{ "62f56c48584801", ".byte  0x62,0xf5,0x6c,0x48,0x58,0x48,0x01" },
	};
	static const struct sample arm[] = { { "ffffffff", ".inst\t0xffffffff ; undefined" } };

	check_all(DISASM_X86_64, false, s, ARRAY_SIZE(s));
	check_all(DISASM_ARM64, false, arm, ARRAY_SIZE(arm));
}

TEST(unknown_to_capstone_4)
{
	static const char *const newer[] = { "vpternlogd $0xfe,%ymm2,%ymm3,%ymm4",
					     "vptestmb %xmm0,%xmm0,%k2" };
	struct sample s[] = {
		/* vpternlogd $0xfe,%ymm2,%ymm3,%ymm4 */
		{ "62f3652825e2fe", ".byte  0x62,0xf3,0x65,0x28,0x25,0xe2,0xfe" },
		/* vptestmb %xmm0,%xmm0,%k2 */
		{ "62f27d0826d0", ".byte  0x62,0xf2,0x7d,0x08,0x26,0xd0" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(s) && !is_capstone_4(); i++)
		s[i].text = newer[i];
	check_all(DISASM_X86_64, false, s, ARRAY_SIZE(s));
}

/* ... but for those that have a sister. */
TEST(masks)
{
	static const struct sample s[] = {
		{ "c5fb93c0", "kmovd  %k0,%eax" },
		{ "c57b93c0", "kmovd  %k0,%r8d" },
		{ "c4e1fb92cb", "kmovq  %rbx,%k1" },
		{ "c4e1f998e2", "kortestd %k2,%k4" },
		{ "c4e1f44bc0", "kunpckdq %k0,%k1,%k0" },
		{ "62b25d2026cc", "vptestmb %ymm20,%ymm20,%k1" },
		{ "62f2764926e1", "vptestnmb %zmm1,%zmm1,%k4{%k1}" },
		{ "62f375223f0e00", "vpcmpeqb (%rsi),%ymm17,%k1{%k2}" },
		{ "629325203eee01", "vpcmpltub %ymm30,%ymm27,%k5" },
		{ "62f375201f4c97fe04", "vpcmpneqd -0x40(%rdi,%rdx,4),%ymm17,%k1" },
	};
	struct disasm_code *d = disasm_code_new(DISASM_X86_64, false);
	struct disasm_insn in;
	struct out o;

	check_all(DISASM_X86_64, false, s, ARRAY_SIZE(s));
	out_init_mem(&o);
	in = one(d, "62f27d28260d00100000", &o); /* vptestmb 0x1000(%rip),%ymm0,%k1 */
	CHECK_EQ(in.kind, DISASM_TARGET_COMMENT);
	CHECK_EQ(in.target, 0x1000 + 10 + 0x1000);
	out_fini(&o);
	disasm_code_free(d);
}

TEST(targets)
{
	struct disasm_code *d = disasm_code_new(DISASM_X86_64, false);
	struct disasm_insn in;
	struct out o;

	if (!d)
		SKIP("no disassembler in this build");
	out_init_mem(&o);
	in = one(d, "7502", &o);
	CHECK_EQ(in.flow, DISASM_JUMP);
	CHECK_EQ(in.kind, DISASM_TARGET_AT_END);
	CHECK_EQ(in.target, 0x1004);
	in = one(d, "e800010000", &o);
	CHECK_EQ(in.flow, DISASM_CALL);
	CHECK_EQ(in.target, 0x1105);
	in = one(d, "ff1500100000", &o);
	CHECK_EQ(in.flow, DISASM_CALL);
	CHECK_EQ(in.kind, DISASM_TARGET_COMMENT);
	CHECK_EQ(in.target, 0x2006);
	in = one(d, "ffe0", &o);
	CHECK_EQ(in.flow, DISASM_JUMP);
	CHECK_EQ(in.kind, DISASM_NO_TARGET);
	in = one(d, "c3", &o);
	CHECK_EQ(in.flow, DISASM_RETURN);
	in = one(d, "4889c2", &o);
	CHECK_EQ(in.flow, DISASM_PLAIN);
	out_fini(&o);
	disasm_code_free(d);
}

/* Every start of every byte: a length within what is there, whatever it says. */
TEST(any_bytes)
{
	static const enum disasm_arch archs[] = { DISASM_X86_64, DISASM_I386, DISASM_ARM64,
						  DISASM_ARM, DISASM_THUMB };
	u32 seed = 12345;
	struct out o;

	out_init_mem(&o);
	for (size_t a = 0; a < ARRAY_SIZE(archs); a++) {
		struct disasm_code *d = disasm_code_new(archs[a], a & 1);

		for (int i = 0; d && i < 20000; i++) {
			struct disasm_insn in;
			u8 code[16];
			size_t n;

			for (size_t b = 0; b < sizeof(code); b++) {
				seed = seed * 1103515245 + 12345;
				code[b] = (u8)(seed >> 16);
			}
			if (i % 3 == 0)
				code[0] = i & 1 ? 0x62 : 0x0f;
			n = 1 + seed % sizeof(code);
			o.len = 0;
			disasm_code_next(d, &o, code, n, i, &in);
			CHECK(in.len >= 1 && in.len <= n);
			CHECK(o.len > 0 && o.len < 400);
		}
		disasm_code_free(d);
	}
	out_fini(&o);
}
