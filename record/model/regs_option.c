/* SPDX-License-Identifier: MIT */
#include "record/model/regs_option.h"

#include <linux/perf_event.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <unistd.h>

struct reg {
	const char *name;
	u64 mask;
};

#define REG(name, bit)              \
	{                           \
		name, 1ull << (bit) \
	}

#if defined(__x86_64__)
/* Bit numbers are those of asm/perf_regs.h; a vector register has two bits. */
#define XMM(n)                                   \
	{                                        \
		"XMM" #n, 3ull << (32 + 2 * (n)) \
	}
static const struct reg regs[] = {
	REG("AX", 0),   REG("BX", 1),   REG("CX", 2),   REG("DX", 3),   REG("SI", 4),
	REG("DI", 5),   REG("BP", 6),   REG("SP", 7),   REG("IP", 8),   REG("FLAGS", 9),
	REG("CS", 10),  REG("SS", 11),  REG("R8", 16),  REG("R9", 17),  REG("R10", 18),
	REG("R11", 19), REG("R12", 20), REG("R13", 21), REG("R14", 22), REG("R15", 23),
};
static const struct reg wide_regs[] = {
	XMM(0), XMM(1), XMM(2),  XMM(3),  XMM(4),  XMM(5),  XMM(6),  XMM(7),
	XMM(8), XMM(9), XMM(10), XMM(11), XMM(12), XMM(13), XMM(14), XMM(15),
};
#define NR_WIDE ARRAY_SIZE(wide_regs)
#define MINIMAL (1ull << 7 | 1ull << 8)
#define FRAME (1ull << 6)
#elif defined(__aarch64__)
static const struct reg regs[] = {
	REG("x0", 0),   REG("x1", 1),   REG("x2", 2),   REG("x3", 3),   REG("x4", 4),
	REG("x5", 5),   REG("x6", 6),   REG("x7", 7),   REG("x8", 8),   REG("x9", 9),
	REG("x10", 10), REG("x11", 11), REG("x12", 12), REG("x13", 13), REG("x14", 14),
	REG("x15", 15), REG("x16", 16), REG("x17", 17), REG("x18", 18), REG("x19", 19),
	REG("x20", 20), REG("x21", 21), REG("x22", 22), REG("x23", 23), REG("x24", 24),
	REG("x25", 25), REG("x26", 26), REG("x27", 27), REG("x28", 28), REG("x29", 29),
	REG("lr", 30),  REG("sp", 31),  REG("pc", 32),
};
static const struct reg *const wide_regs = regs;
#define NR_WIDE ((size_t)0)
#define MINIMAL (1ull << 31 | 1ull << 32)
#define FRAME (1ull << 29 | 1ull << 30)
#else
#error "the registers of this processor are not known: see asm/perf_regs.h"
#endif

u64 regs_option_all(bool wide)
{
	u64 mask = 0;

	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		mask |= regs[i].mask;
	for (size_t i = 0; wide && i < NR_WIDE; i++)
		mask |= wide_regs[i].mask;
	return mask;
}

u64 regs_option_minimal(void)
{
	return MINIMAL;
}

u64 regs_option_frame(void)
{
	return MINIMAL | FRAME;
}

/* Returns the mask of one register, 0 if the table does not have it. */
static u64 reg_find_mask(const struct reg *table, size_t nr, const char *name, size_t len)
{
	for (size_t i = 0; i < nr; i++)
		if (strlen(table[i].name) == len && !strncasecmp(table[i].name, name, len))
			return table[i].mask;
	return 0;
}

int regs_option_parse(const char *text, bool wide, const char *option, u64 *ret, struct perr *e)
{
	const char *s = text;
	u64 mask = 0;

	for (;;) {
		size_t len = strcspn(s, ",");
		u64 one = reg_find_mask(regs, ARRAY_SIZE(regs), s, len);

		if (!one && wide)
			one = reg_find_mask(wide_regs, NR_WIDE, s, len);
		if (!one)
			return perr_set(e, PERR_USAGE,
					"unknown register '%.*s'; list the registers with "
					"prec %s=?",
					(int)(len < 40 ? len : 40), s, option);
		mask |= one;
		if (!s[len])
			break;
		s += len + 1;
	}
	*ret = mask;
	return 0;
}

void regs_option_list(bool wide, FILE *f)
{
	fputs("available registers:", f);
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		fprintf(f, " %s", regs[i].name);
	for (size_t i = 0; wide && i < NR_WIDE; i++)
		fprintf(f, " %s", wide_regs[i].name);
	fputc('\n', f);
}

bool regs_option_can_wide(void)
{
	struct perf_event_attr a = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(a),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.sample_period = 1 << 20,
		.sample_type = PERF_SAMPLE_REGS_INTR,
		.disabled = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.precise_ip = 1,
	};
	long fd;

	if (!NR_WIDE)
		return false;
	a.sample_regs_intr = wide_regs[0].mask;
	fd = syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return false;
	close((int)fd);
	return true;
}
