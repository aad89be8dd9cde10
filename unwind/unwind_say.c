/* SPDX-License-Identifier: MIT */
#include "unwind/unwind_say.h"

#include <stdarg.h>
#include <stdio.h>

void walk_say(const struct walk *w, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	w->tell->tell(w->tell->ctx, line);
}

static void say_rule_text(const struct walk *w, const struct cfi_rule *r, bool cfa, char *buf,
			  size_t n)
{
	char name[8];

	switch (r->how) {
	case CFI_UNSPECIFIED: snprintf(buf, n, "unspecified"); break;
	case CFI_UNDEFINED: snprintf(buf, n, "undefined"); break;
	case CFI_SAME: snprintf(buf, n, "same"); break;
	case CFI_OFFSET: snprintf(buf, n, "at CFA%+lld", (long long)r->offset); break;
	case CFI_VAL_OFFSET: snprintf(buf, n, "CFA%+lld", (long long)r->offset); break;
	case CFI_REGISTER:
		snprintf(buf, n, "%s%+lld", unwind_reg_name(w->job->arch, r->reg, name),
			 (long long)r->offset);
		break;
	case CFI_EXPR:
		snprintf(buf, n, cfa ? "expression of %zu bytes" : "at expression of %zu bytes",
			 r->expr.n);
		break;
	default: snprintf(buf, n, "expression of %zu bytes", r->expr.n);
	}
}

void walk_say_row(const struct walk *w, const struct pc_info *info)
{
	char text[96], name[8];

	if (!info->row) {
		walk_say(w, info->module ? "    no call frame information" : "    no file");
		return;
	}
	say_rule_text(w, &info->row->cfa, true, text, sizeof(text));
	walk_say(w, "    vaddr 0x%llx: CFA = %s%s%s", (unsigned long long)(info->pc - info->bias),
		 text, info->row->signal_frame ? ", signal frame" : "",
		 info->row->ra_signed ? ", signed return address" : "");
	for (size_t i = 0; i < info->row->nr_regs; i++) {
		const struct cfi_reg_rule *r = &info->row->regs[i];

		say_rule_text(w, &r->rule, false, text, sizeof(text));
		walk_say(w, "    %s%s: %s", unwind_reg_name(w->job->arch, r->reg, name),
			 r->reg == info->row->ra_reg ? " (return address)" : "", text);
	}
}
