/* SPDX-License-Identifier: MIT */
/* Parses mem:ADDR[/LEN][:rwx][/terms/][:MODS] into an event. */
#include "record/events/event_parse_priv.h"

#include <ctype.h>
#include <linux/hw_breakpoint.h>

#include "base/mem.h"
#include "record/events/event_terms.h"

#define NAME_OF_RW "rwx"

/* Reads a number, decimal or with 0x, at s->pos. */
static int scan_number(struct event_scan *s, const char *what, u64 *ret)
{
	const char *start = s->text + s->pos;
	bool hex = start[0] == '0' && (start[1] | 32) == 'x';
	size_t i = hex ? 2 : 0, digits = 0;
	u64 v = 0;

	for (; hex ? isxdigit((unsigned char)start[i]) : isdigit((unsigned char)start[i]); i++) {
		int c = tolower((unsigned char)start[i]);

		if (__builtin_mul_overflow(v, hex ? 16u : 10u, &v) ||
		    __builtin_add_overflow(v, (u64)(isdigit(c) ? c - '0' : c - 'a' + 10), &v))
			return scan_fail(s, s->pos, PERR_USAGE, "the %s does not fit into 64 bits",
					 what);
		digits++;
	}
	if (!digits)
		return scan_fail(s, s->pos, PERR_USAGE,
				 "expected a number as %s of the breakpoint, decimal or 0x...",
				 what);
	s->pos += i;
	*ret = v;
	return 0;
}

/* Reads an access such as ":rw". Returns 0 with *ret == 0 if something else follows the ':'. */
static int scan_access(struct event_scan *s, u32 *ret)
{
	const char *t = s->text + s->pos;
	size_t n = t[0] == ':' ? scan_word(t + 1) : 0;
	u32 type = 0;

	*ret = 0;
	if (!n || strspn(t + 1, NAME_OF_RW) < n)
		return 0;
	for (size_t i = 1; i <= n; i++) {
		u32 bit = t[i] == 'r'   ? HW_BREAKPOINT_R
			  : t[i] == 'w' ? HW_BREAKPOINT_W
					: HW_BREAKPOINT_X;

		if (type & bit)
			return scan_fail(s, s->pos + i, PERR_USAGE, "access '%c' is given twice",
					 t[i]);
		type |= bit;
	}
	s->pos += n + 1;
	*ret = type;
	return 0;
}

int scan_breakpoint(struct event_scan *s)
{
	size_t start = s->pos, first = s->l->nr, name_end, mods_at;
	struct event_terms terms = { 0 };
	struct event_modifiers mods;
	struct rec_event *ev;
	u64 addr, len = 0;
	bool has_len = false;
	char *name;
	u32 type;
	int err;

	s->pos += strlen("mem:");
	err = scan_number(s, "address", &addr);
	if (err)
		return err;
	name_end = s->pos;
	if (s->text[s->pos] == '/' && isdigit((unsigned char)s->text[s->pos + 1])) {
		s->pos++;
		has_len = true;
		err = scan_number(s, "length", &len);
		if (!err && !len)
			err = scan_fail(s, name_end + 1, PERR_USAGE,
					"the length of a breakpoint must not be 0");
		if (err)
			return err;
	}
	err = scan_access(s, &type);
	if (!err && s->text[s->pos] == '/')
		err = event_terms_scan(s, &terms);
	mods_at = s->pos;
	if (!err)
		err = scan_modifiers(s, &mods);
	if (err)
		goto out;
	/* stock perf cuts the event's name at a '/' that only starts a length */
	name = xstrndup(s->text + start, (has_len && !terms.terms ? name_end : s->pos) - start);
	ev = scan_add(s, name, PD_TYPE_BREAKPOINT, 0);
	free(name);
	if (!type)
		type = HW_BREAKPOINT_R | HW_BREAKPOINT_W;
	if (!has_len)
		len = type == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	ev->attr.bp_type = type;
	ev->attr.config1 = addr;
	ev->attr.config2 = len;
	ev->attr.sample_period_or_freq = 1;
	err = event_terms_apply(s, &terms, ev);
	if (!err)
		err = scan_apply(s, first, &mods, false, mods_at);
out:
	event_terms_fini(&terms);
	return err;
}
