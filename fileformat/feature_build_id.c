/* SPDX-License-Identifier: MIT */
#include "fileformat/feature_build_id.h"

#define HEADER_SIZE 8
#define NAME_OFF 36     /* after header, pid, id and size of the id */
#define OLD_NAME_OFF 32 /* after header and id[24] */

/*
 * Returns the bytes of the next entry, with its header. Sets c->bad if the entry does not fit or is
 * too small.
 */
static struct span cur_entry(struct cursor *c, size_t name_off)
{
	size_t size;

	if (cur_left(c) < HEADER_SIZE) {
		c->bad = true;
		return span_of(NULL, 0);
	}
	size = get_u16(c->p + 6, c->swap);
	if (size < name_off) {
		c->bad = true;
		return span_of(NULL, 0);
	}
	return cur_bytes(c, size);
}

struct pd_build_ids pd_build_ids_open(struct span payload, bool swap)
{
	static const char cut_name[] = "nel.kallsyms]";
	struct pd_build_ids b = { .c = cursor_of(payload, swap) };
	struct cursor c = b.c;

	while (!c.bad && cur_left(&c)) {
		struct span s = cur_entry(&c, NAME_OFF);

		if (s.n >= NAME_OFF + strlen(cut_name) &&
		    !memcmp(s.p + NAME_OFF, cut_name, strlen(cut_name))) {
			b.old_abi = true;
			break;
		}
	}
	return b;
}

int pd_build_ids_next(struct pd_build_ids *b, struct pd_build_id_entry *ret, struct perr *e)
{
	size_t name_off = b->old_abi ? OLD_NAME_OFF : NAME_OFF;
	struct pd_build_id_entry v = { 0 };
	bool swap = b->c.swap;
	struct span s;

	if (!cur_left(&b->c))
		return 0;
	s = cur_entry(&b->c, name_off);
	if (b->c.bad) {
		b->c.p = b->c.end;
		return perr_set(e, PERR_FORMAT, "an entry does not fit into its section");
	}
	v.misc = get_u16(s.p + 4, swap);
	v.cpumode = v.misc & PD_MISC_CPUMODE_MASK;
	if (b->old_abi) {
		/* guest kernels have pid 0 in both forms; all other entries belong to the host */
		v.pid = v.cpumode == PD_CPUMODE_GUEST_KERNEL ? 0 : -1;
		pd_build_id_set(&v.build_id, s.p + 8, 0);
	} else {
		v.pid = (s32)get_u32(s.p + 8, swap);
		/* before perf 5.10 the size byte was padding; it is valid only with this bit */
		pd_build_id_set(&v.build_id, s.p + 12,
				v.misc & PD_MISC_BUILD_ID_SIZE ? s.p[32] : 0);
	}
	v.filename = span_of(s.p + name_off, s.n - name_off);
	v.filename.n = span_strlen(v.filename);
	*ret = v;
	return 1;
}
