/* SPDX-License-Identifier: MIT */
#include "report/text/regs_text.h"

#include <elf.h>

#include "fileformat/feature/feature.h"

#ifndef EM_LOONGARCH
#define EM_LOONGARCH 258
#endif
#ifndef EM_CSKY
#define EM_CSKY 252
#endif

/* Bit numbers: uapi asm/perf_regs.h of each architecture (FORMAT.md 2.8). */
static const char *const x86_names[64] = {
	"AX",    "BX",    "CX",    "DX",    "SI",    "DI",    "BP",    "SP",    "IP",    "FLAGS",
	"CS",    "SS",    "DS",    "ES",    "FS",    "GS",    "R8",    "R9",    "R10",   "R11",
	"R12",   "R13",   "R14",   "R15",   NULL,    NULL,    NULL,    NULL,    NULL,    NULL,
	NULL,    NULL,    "XMM0",  "XMM0",  "XMM1",  "XMM1",  "XMM2",  "XMM2",  "XMM3",  "XMM3",
	"XMM4",  "XMM4",  "XMM5",  "XMM5",  "XMM6",  "XMM6",  "XMM7",  "XMM7",  "XMM8",  "XMM8",
	"XMM9",  "XMM9",  "XMM10", "XMM10", "XMM11", "XMM11", "XMM12", "XMM12", "XMM13", "XMM13",
	"XMM14", "XMM14", "XMM15", "XMM15",
};

static const char *const arm64_names[64] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",        "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",       "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "lr",  "sp",  "pc",  [46] = "vg",
};

static const char *const arm_names[64] = {
	"r0", "r1", "r2",  "r3", "r4", "r5", "r6", "r7",
	"r8", "r9", "r10", "fp", "ip", "sp", "lr", "pc",
};

static const char *const powerpc_names[64] = {
	"r0",    "r1",   "r2",    "r3",   "r4",      "r5",    "r6",    "r7",    "r8",    "r9",
	"r10",   "r11",  "r12",   "r13",  "r14",     "r15",   "r16",   "r17",   "r18",   "r19",
	"r20",   "r21",  "r22",   "r23",  "r24",     "r25",   "r26",   "r27",   "r28",   "r29",
	"r30",   "r31",  "nip",   "msr",  "orig_r3", "ctr",   "link",  "xer",   "ccr",   "softe",
	"trap",  "dar",  "dsisr", "sier", "mmcra",   "mmcr0", "mmcr1", "mmcr2", "mmcr3", "sier2",
	"sier3", "pmc1", "pmc2",  "pmc3", "pmc4",    "pmc5",  "pmc6",  "sdar",  "siar",
};

static const char *const riscv_names[64] = {
	"pc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
	"a1", "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
	"s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
};

static const char *const s390_names[64] = {
	"R0",  "R1",  "R2",   "R3",   "R4",   "R5",   "R6",   "R7",   "R8",   "R9",  "R10", "R11",
	"R12", "R13", "R14",  "R15",  "FP0",  "FP1",  "FP2",  "FP3",  "FP4",  "FP5", "FP6", "FP7",
	"FP8", "FP9", "FP10", "FP11", "FP12", "FP13", "FP14", "FP15", "MASK", "PC",
};

static const char *const mips_names[64] = {
	"PC",  "$1",  "$2",  "$3",  "$4",  "$5",  "$6",         "$7",  "$8",  "$9",
	"$10", "$11", "$12", "$13", "$14", "$15", "$16",        "$17", "$18", "$19",
	"$20", "$21", "$22", "$23", "$24", "$25", [28] = "$28", "$29", "$30", "$31",
};

static const char *const loongarch_names[64] = {
	"PC",   "%r1",  "%r2",  "%r3",  "%r4",  "%r5",  "%r6",  "%r7",  "%r8",  "%r9",  "%r10",
	"%r11", "%r12", "%r13", "%r14", "%r15", "%r16", "%r17", "%r18", "%r19", "%r20", "%r21",
	"%r22", "%r23", "%r24", "%r25", "%r26", "%r27", "%r28", "%r29", "%r30", "%r31",
};

static const char *const csky_names[64] = {
	"tls",      "lr",       "pc",       NULL,      "sp",      NULL,      "a0",       "a1",
	"a2",       "a3",       "regs0",    "regs1",   "regs2",   "regs3",   "regs4",    "regs5",
	"regs6",    "regs7",    "regs8",    "regs9",   "exregs0", "exregs1", "exregs2",  "exregs3",
	"exregs4",  "exregs5",  "exregs6",  "exregs7", "exregs8", "exregs9", "exregs10", "exregs11",
	"exregs12", "exregs13", "exregs14", "hi",      "lo",
};

static const char *const *const names_of[] = {
	[REGS_X86] = x86_names,     [REGS_ARM64] = arm64_names,
	[REGS_ARM] = arm_names,     [REGS_POWERPC] = powerpc_names,
	[REGS_RISCV] = riscv_names, [REGS_S390] = s390_names,
	[REGS_MIPS] = mips_names,   [REGS_LOONGARCH] = loongarch_names,
	[REGS_CSKY] = csky_names,
};

static enum regs_arch arch_by_machine(u32 e_machine)
{
	switch (e_machine) {
	case EM_386:
	case EM_X86_64: return REGS_X86;
	case EM_AARCH64: return REGS_ARM64;
	case EM_ARM: return REGS_ARM;
	case EM_PPC:
	case EM_PPC64: return REGS_POWERPC;
	case EM_RISCV: return REGS_RISCV;
	case EM_S390: return REGS_S390;
	case EM_MIPS: return REGS_MIPS;
	case EM_LOONGARCH: return REGS_LOONGARCH;
	case EM_CSKY: return REGS_CSKY;
	default: return REGS_UNKNOWN;
	}
}

enum regs_arch regs_arch_by_name(const char *name, size_t n)
{
	/* Longer names stand before those they begin with. */
	static const struct {
		const char *prefix;
		enum regs_arch arch;
	} table[] = {
		{ "x86", REGS_X86 },         { "i386", REGS_X86 },
		{ "i486", REGS_X86 },        { "i586", REGS_X86 },
		{ "i686", REGS_X86 },        { "amd64", REGS_X86 },
		{ "aarch64", REGS_ARM64 },   { "arm64", REGS_ARM64 },
		{ "arm", REGS_ARM },         { "ppc", REGS_POWERPC },
		{ "powerpc", REGS_POWERPC }, { "riscv", REGS_RISCV },
		{ "s390", REGS_S390 },       { "mips", REGS_MIPS },
		{ "csky", REGS_CSKY },       { "loongarch", REGS_LOONGARCH },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		size_t len = strlen(table[i].prefix);

		if (n >= len && !memcmp(name, table[i].prefix, len))
			return table[i].arch;
	}
	return REGS_UNKNOWN;
}

static enum regs_arch host_arch(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return REGS_X86;
#elif defined(__aarch64__)
	return REGS_ARM64;
#elif defined(__arm__)
	return REGS_ARM;
#elif defined(__powerpc__)
	return REGS_POWERPC;
#elif defined(__riscv)
	return REGS_RISCV;
#elif defined(__s390__)
	return REGS_S390;
#elif defined(__mips__)
	return REGS_MIPS;
#elif defined(__loongarch__)
	return REGS_LOONGARCH;
#elif defined(__csky__)
	return REGS_CSKY;
#else
	return REGS_UNKNOWN;
#endif
}

enum regs_arch regs_arch_of_file(const struct perfdata *pd)
{
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_E_MACHINE);
	enum regs_arch arch = REGS_UNKNOWN;
	struct pd_e_machine em;
	struct span text;

	if (f && !pd_feature_e_machine(f->data, pd->swap, &em, NULL))
		arch = arch_by_machine(em.machine);
	f = pd_feature_get(pd, PD_FEAT_ARCH);
	if (arch == REGS_UNKNOWN && f) {
		if (!pd_feature_text(f->data, pd->swap, &text, NULL))
			arch = regs_arch_by_name((const char *)text.p, text.n);
		return arch;
	}
	return arch == REGS_UNKNOWN ? host_arch() : arch;
}

const char *regs_name(enum regs_arch arch, unsigned int bit)
{
	const char *name = arch == REGS_UNKNOWN || bit >= 64 ? NULL : names_of[arch][bit];

	return name ? name : "unknown";
}

void regs_text(struct out *o, enum regs_arch arch, const struct pd_regs *regs, bool swap)
{
	size_t i = 0;

	if (!regs->abi)
		return;
	out_printf(o, " ABI:%llu ", (unsigned long long)regs->abi);
	for (unsigned int bit = 0; bit < 64 && i < regs->values.n / 8; bit++) {
		if (!(regs->mask >> bit & 1))
			continue;
		out_str_width(o, regs_name(arch, bit), 5);
		out_str(o, ":0x");
		out_hex(o, span_u64(regs->values, i++, swap), 0);
		out_char(o, ' ');
	}
}
