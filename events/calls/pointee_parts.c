/* SPDX-License-Identifier: MIT */
#include "events/calls/pointee_parts.h"

#include "events/calls/quoted_text.h"

#define MAX_STRUCT 512 /* bytes of the largest struct of the table */

bool pointee_struct_at(const struct pointee_job *j, const struct struct_row *row, u64 addr,
		       u64 size)
{
	u8 buf[MAX_STRUCT] = { 0 };
	size_t whole = struct_text_size(j->types, row), n = whole;

	if (!addr || !whole || whole > sizeof(buf))
		return false;
	if (n > size) /* an older program's struct: the kernel takes what is behind it as 0 */
		n = (size_t)size;
	return call_memory_read(j->memory, addr, buf, n) == n &&
	       struct_text_put(j->types, row, span_of(buf, whole), j->o);
}

bool pointee_structs_at(const struct pointee_job *j, const struct struct_row *row, u64 nr)
{
	size_t size = struct_text_size(j->types, row);
	u64 addr = j->v->args[j->i];

	if (!size || !addr)
		return false;
	out_char(j->o, '[');
	for (u64 i = 0; i < nr; i++) {
		out_str(j->o, i ? ", " : "");
		if (i == POINTEE_ELEMS) {
			out_str(j->o, "...");
			break;
		}
		if (!pointee_struct_at(j, row, addr + i * size, SIZE_MAX)) {
			if (!i)
				return false;
			struct_text_put_pointer(addr + i * size, j->o);
			break;
		}
	}
	out_char(j->o, ']');
	return true;
}

bool pointee_bytes_at(const struct pointee_job *j, u64 addr, u64 n)
{
	u8 buf[QUOTED_MAX];
	size_t shown = n < sizeof(buf) ? (size_t)n : sizeof(buf);

	if (!addr || call_memory_read(j->memory, addr, buf, shown) != shown)
		return false;
	if (!strcmp(j->v->shape->name, "getrandom"))
		quoted_text_put_hex(span_of(buf, shown), j->o);
	else
		quoted_text_put(span_of(buf, shown), j->o);
	if (n > shown)
		out_str(j->o, "...");
	return true;
}

bool pointee_int_at(const struct pointee_job *j, u64 addr, s32 *ret)
{
	return addr && call_memory_read(j->memory, addr, ret, sizeof(*ret)) == sizeof(*ret);
}

bool pointee_u64_at(const struct pointee_job *j, u64 addr, u64 *ret)
{
	return addr && call_memory_read(j->memory, addr, ret, sizeof(*ret)) == sizeof(*ret);
}

bool pointee_iovecs_at(const struct pointee_job *j, u64 addr, u64 nr, u64 bytes)
{
	u64 pair[2];

	if (!addr)
		return false;
	out_char(j->o, '[');
	for (u64 i = 0; i < nr; i++) {
		u64 n;

		out_str(j->o, i ? ", " : "");
		if (i == POINTEE_ELEMS) {
			out_str(j->o, "...");
			break;
		}
		if (call_memory_read(j->memory, addr + i * sizeof(pair), pair, sizeof(pair)) !=
		    sizeof(pair)) {
			if (!i)
				return false;
			struct_text_put_pointer(addr + i * sizeof(pair), j->o);
			break;
		}
		n = pair[1] < bytes ? pair[1] : bytes;
		bytes -= n;
		out_str(j->o, "{iov_base=");
		if (!pointee_bytes_at(j, pair[0], n))
			struct_text_put_pointer(pair[0], j->o);
		out_printf(j->o, ", iov_len=%llu}", (unsigned long long)pair[1]);
	}
	out_char(j->o, ']');
	return true;
}
