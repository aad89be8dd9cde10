/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>

#include "unwind/unwind_walk.h"

const char *unwind_end_text(enum unwind_end end)
{
	switch (end) {
	case UNWIND_ROOT: return "complete: the start of the thread";
	case UNWIND_TRUNCATED: return "truncated: the copy of the stack is too short";
	case UNWIND_NO_INFO: return "broken: no call frame information, and no frame pointer";
	case UNWIND_NO_OBJECT: return "broken: the file of the code was not found";
	case UNWIND_NO_MAP: return "broken: an address that is in no code";
	case UNWIND_BAD_INFO: return "broken: call frame information that cannot be followed";
	case UNWIND_BAD_STACK: return "broken: the stack pointer left the stack";
	case UNWIND_DEPTH: return "cut: more frames than are wanted";
	case UNWIND_NO_REGS: return "none: no user registers were sampled";
	case UNWIND_NR_ENDS: break;
	}
	return "?";
}

void walk_say(const struct walk *w, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	w->tell->tell(w->tell->ctx, line);
}

static void rule_text(const struct walk *w, const struct cfi_rule *r, bool cfa, char *buf, size_t n)
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
	rule_text(w, &info->row->cfa, true, text, sizeof(text));
	walk_say(w, "    vaddr 0x%llx: CFA = %s%s%s", (unsigned long long)(info->pc - info->bias),
		 text, info->row->signal_frame ? ", signal frame" : "",
		 info->row->ra_signed ? ", signed return address" : "");
	for (size_t i = 0; i < info->row->nr_regs; i++) {
		const struct cfi_reg_rule *r = &info->row->regs[i];

		rule_text(w, &r->rule, false, text, sizeof(text));
		walk_say(w, "    %s%s: %s", unwind_reg_name(w->job->arch, r->reg, name),
			 r->reg == info->row->ra_reg ? " (return address)" : "", text);
	}
}

void unwind_explain(struct unwinder *u, const struct unwind_job *job, struct unwind_frames *ret,
		    void (*tell)(void *ctx, const char *line), void *ctx)
{
	struct walk_tell listener = { tell, ctx };
	struct walk w;

	pc_cache_begin(&u->cache);
	walk_start(&w, u, job);
	w.tell = &listener;
	walk_all(&w, ret);
	walk_say(&w, "%s", unwind_end_text(ret->end));
}
