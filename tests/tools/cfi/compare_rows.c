/* SPDX-License-Identifier: MIT */
#include "tests/tools/cfi/compare_rows.h"

#include <elf.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/mem.h"

#define MAX_SHOWN 10

static bool keep_row(void *ctx, const struct cfi_row *row)
{
	struct row_list *l = ctx;

	vec_push(l->rows, l->nr, l->cap, ((struct kept_row){ *row, l->nr_rules }));
	for (size_t i = 0; i < row->nr_regs; i++)
		vec_push(l->rules, l->nr_rules, l->cap_rules, row->regs[i]);
	return true;
}

static void finish_rows(struct row_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		l->rows[i].row.regs = l->rules + l->rows[i].first;
}

static void clear_rows(struct row_list *l)
{
	l->nr = l->nr_rules = 0;
}

void row_list_free(struct row_list *l)
{
	free(l->rows);
	free(l->rules);
}

const char *row_register_name(u16 machine, u16 reg, char *buf, size_t n)
{
	static const char *const x86_64[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi",
					      "rbp", "rsp", "r8",  "r9",  "r10", "r11",
					      "r12", "r13", "r14", "r15", "rip" };
	static const char *const i386[] = { "eax", "ecx", "edx", "ebx", "esp",
					    "ebp", "esi", "edi", "eip" };

	if (machine == EM_X86_64 && reg < ARRAY_SIZE(x86_64))
		return x86_64[reg];
	if (machine == EM_386 && reg < ARRAY_SIZE(i386))
		return i386[reg];
	if (machine == EM_X86_64 && reg >= 17 && reg < 33) {
		snprintf(buf, n, "xmm%u", reg - 17u);
		return buf;
	}
	if (machine == EM_AARCH64 && reg == 31)
		return "sp";
	if (machine == EM_AARCH64 && reg >= 64 && reg < 96)
		snprintf(buf, n, "v%u", reg - 64u);
	else
		snprintf(buf, n, "%c%u", machine == EM_AARCH64 && reg < 31 ? 'x' : 'r', reg);
	return buf;
}

void row_rule_text(u16 machine, const struct cfi_rule *r, bool is_cfa, char *out, size_t n)
{
	const char *name;
	char buf[16];

	switch (r->how) {
	case CFI_UNSPECIFIED:
	case CFI_UNDEFINED: snprintf(out, n, "u"); break;
	case CFI_SAME: snprintf(out, n, "s"); break;
	case CFI_OFFSET: snprintf(out, n, "c%+d", (int)r->offset); break;
	case CFI_VAL_OFFSET: snprintf(out, n, "v%+d", (int)r->offset); break;
	case CFI_EXPR: snprintf(out, n, "exp"); break;
	case CFI_VAL_EXPR: snprintf(out, n, "vexp"); break;
	case CFI_REGISTER:
		name = row_register_name(machine, r->reg, buf, sizeof(buf));
		if (is_cfa)
			snprintf(out, n, "%s%+d", name, (int)r->offset);
		else if (machine != EM_X86_64 && machine != EM_386 && machine != EM_AARCH64)
			snprintf(out, n, "r%u", r->reg);
		else
			snprintf(out, n, "r%u (%s)", r->reg, name);
		break;
	}
}

const struct cfi_rule *row_rule_of(const struct cfi_row *row, u16 reg)
{
	static const struct cfi_rule none = { .how = CFI_UNSPECIFIED };

	for (size_t i = 0; i < row->nr_regs; i++)
		if (row->regs[i].reg == reg)
			return &row->regs[i].rule;
	return &none;
}

void row_print(const char *head, u16 machine, const struct cfi_row *row)
{
	char text[64], buf[16];

	row_rule_text(machine, &row->cfa, true, text, sizeof(text));
	printf("%s%" PRIx64 "..%" PRIx64 " cfa=%s", head, row->start, row->end, text);
	for (size_t i = 0; i < row->nr_regs; i++) {
		const struct cfi_reg_rule *r = &row->regs[i];

		row_rule_text(machine, &r->rule, false, text, sizeof(text));
		printf(" %s=%s",
		       r->reg == row->ra_reg ? "ra"
					     : row_register_name(machine, r->reg, buf, sizeof(buf)),
		       text);
		if (r->rule.expr.n) {
			putchar('[');
			for (size_t k = 0; k < r->rule.expr.n; k++)
				printf("%02x", r->rule.expr.p[k]);
			putchar(']');
		}
	}
	printf("%s%s\n", row->signal_frame ? " signal" : "", row->ra_signed ? " ra_signed" : "");
}

bool compare_show(struct comparison *c, const struct cfi_fde *fde, const char *what)
{
	if (++c->different > MAX_SHOWN)
		return false;
	printf("FDE at %s+0x%" PRIx64 ", %" PRIx64 "..%" PRIx64 ": %s\n",
	       fde->debug_frame ? ".debug_frame" : ".eh_frame", fde->offset, fde->start, fde->end,
	       what);
	return true;
}

bool compare_our_rows(struct comparison *c, const struct cfi_fde *fde, struct row_list *l)
{
	struct perr e = { 0 };
	int err;

	clear_rows(l);
	err = cfi_rows(c->cfi, fde, keep_row, l, &e);
	finish_rows(l);
	c->fdes++;
	c->rows += (unsigned int)l->nr;
	if (err) {
		c->failed++;
		compare_show(c, fde, e.text);
	}
	return !err;
}
