/* SPDX-License-Identifier: MIT */
#include "events/calls/pointee_parts.h"

#include <inttypes.h>
#include <string.h>

#define SET_BYTES 128   /* of an fd_set */
#define MAX_POLLED 1024 /* descriptors of poll() that are looked at when it ends */

static const struct struct_row *row_named(const char *name)
{
	return struct_row_find(name, strlen(name));
}

static u64 value_of(const struct pointee_job *j)
{
	return j->v->args[j->i];
}

bool pointee_pollfds(const struct pointee_job *j)
{
	u64 nr = (u32)j->v->args[j->i + 1];
	const struct struct_row *row = row_named("pollfd"), *ended = row_named("pollrev");
	size_t size = struct_text_size(j->types, row);
	u64 addr = value_of(j);
	u32 shown = 0;

	if (!j->is_end)
		return pointee_structs_at(j, row, nr);
	for (u64 i = 0; size && j->result > 0 && i < nr && i < MAX_POLLED; i++) {
		u8 buf[64];
		u64 events;

		if (size > sizeof(buf) ||
		    call_memory_read(j->memory, addr + i * size, buf, size) != size ||
		    !struct_text_number(j->types, row, span_of(buf, size), "revents", &events))
			break;
		if (!events)
			continue;
		if (shown++ == POINTEE_ELEMS)
			break;
		out_str(j->note, shown > 1 ? ", " : "[");
		struct_text_put(j->types, ended, span_of(buf, size), j->note);
	}
	if (shown)
		out_char(j->note, ']');
	return false;
}

bool pointee_epolls(const struct pointee_job *j)
{
	if (j->result == 0) {
		out_str(j->o, "[]");
		return true;
	}
	return pointee_structs_at(j, row_named("epoll"), (u64)j->result);
}

static bool put_fdset_to(const struct pointee_job *j, struct out *o, bool *ret_any)
{
	u64 nr = (u32)j->v->args[0], n = (nr + 63) / 64 * 8;
	u8 buf[SET_BYTES];
	bool any = false;

	if (n > sizeof(buf) || !value_of(j) ||
	    call_memory_read(j->memory, value_of(j), buf, (size_t)n) != n)
		return false;
	out_char(o, '[');
	for (u64 fd = 0; fd < nr; fd++) {
		if (!(buf[fd / 8] >> fd % 8 & 1))
			continue;
		out_printf(o, "%s%" PRIu64, any ? " " : "", fd);
		any = true;
	}
	out_char(o, ']');
	*ret_any = any;
	return true;
}

/* The sets of select(); those that are ready stand behind the result. */
bool pointee_fdset(const struct pointee_job *j)
{
	static const char *const names[] = { "in", "out", "except" };
	size_t before = j->note->len;
	bool any = false;

	if (!j->is_end)
		return put_fdset_to(j, j->o, &any);
	if (j->i < 1 || j->i > 3 || j->result <= 0)
		return false;
	out_printf(j->note, "%s%s ", before ? ", " : "", names[j->i - 1]);
	if (!put_fdset_to(j, j->note, &any) || !any)
		j->note->len = before;
	return false;
}

/* What is left of the time of select(); in front of it stand the sets that are ready. */
bool pointee_time_left(const struct pointee_job *j)
{
	const struct struct_row *row =
		row_named(!strcmp(j->v->shape->name, "select") ? "timeval" : "tspec");
	struct pointee_job note = *j;
	size_t before = j->note->len;

	if (!j->is_end)
		return pointee_struct_at(j, row, value_of(j), SIZE_MAX);
	if (j->result <= 0)
		return false;
	note.o = j->note;
	out_str(j->note, before ? ", left " : "left ");
	if (!pointee_struct_at(&note, row, value_of(j), SIZE_MAX))
		j->note->len = before;
	return false;
}
