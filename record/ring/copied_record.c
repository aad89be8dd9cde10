/* SPDX-License-Identifier: MIT */
#include "record/ring/copied_record.h"

#include "base/bytes.h"
#include "fileformat/record.h"

#define MMAP2_FILE 40 /* offset of the device and inode numbers, or the build-id */

u16 copied_record_misc(const u8 *p, u32 size)
{
	u16 misc = get_u16(p + 4, false);

	if (get_u32(p, false) == PD_RECORD_MMAP2 && misc & PD_MISC_MMAP_BUILD_ID &&
	    size >= MMAP2_FILE + PD_MMAP2_FILE_BYTES &&
	    !pd_mmap2_has_build_id(p + MMAP2_FILE, misc, false))
		misc &= (u16)~PD_MISC_MMAP_BUILD_ID;
	return misc;
}

void copied_record_put(const struct ring_view *v, struct wbuf *out)
{
	size_t at = out->n;
	u8 *p = wb_add(out, v->size);

	ring_view_copy(v, 0, v->size, p);
	wb_set_u16(out, at + 4, copied_record_misc(p, v->size));
}
