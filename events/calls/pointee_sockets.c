/* SPDX-License-Identifier: MIT */
#include "events/calls/pointee_parts.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#include "events/calls/call_words.h"
#include "events/calls/quoted_text.h"

#define ADDRESS_MAX 128 /* bytes of struct sockaddr_storage */
#define SOL_SOCKET_NR 1
#define SO_ERROR_NR 4
#define SO_LINGER_NR 13

/* Members of struct user_msghdr. */
struct message {
	u64 name, name_len, iov, iov_len, control, control_len, flags;
};

static void put_words(const char *name, u64 value, struct out *o)
{
	size_t before = o->len;

	call_words_put(call_words_find(span_of(name, strlen(name))), value, true, o);
	if (o->len == before)
		out_char(o, '0');
}

static void put_unix(struct span a, struct out *o)
{
	struct span path = span_of(a.p + 2, a.n - 2);

	if (!path.n)
		return;
	out_str(o, ", sun_path=");
	if (path.p[0]) {
		quoted_text_put(span_of(path.p, span_strlen(path)), o);
	} else {
		out_char(o, '@');
		quoted_text_put(span_of(path.p + 1, path.n - 1), o);
	}
}

/* The bytes of a struct sockaddr, with its family at least. */
static void put_address(struct span a, struct out *o)
{
	u16 family = get_u16(a.p, false);
	char text[INET6_ADDRSTRLEN];

	out_str(o, "{sa_family=");
	if (family == AF_UNIX)
		out_str(o, "AF_UNIX");
	else
		put_words("AF", family, o);
	if (family == AF_UNIX) {
		put_unix(a, o);
	} else if (family == AF_INET && a.n >= 8) {
		inet_ntop(AF_INET, a.p + 4, text, sizeof(text));
		out_printf(o, ", sin_port=htons(%u), sin_addr=inet_addr(\"%s\")",
			   ntohs(get_u16(a.p + 2, false)), text);
	} else if (family == AF_INET6 && a.n >= 24) {
		inet_ntop(AF_INET6, a.p + 8, text, sizeof(text));
		out_printf(o,
			   ", sin6_port=htons(%u), sin6_flowinfo=htonl(%" PRIu32
			   "), inet_pton(AF_INET6, \"%s\", &sin6_addr), sin6_scope_id=%" PRIu32,
			   ntohs(get_u16(a.p + 2, false)), ntohl(get_u32(a.p + 4, false)), text,
			   a.n >= 28 ? get_u32(a.p + 24, false) : 0);
	} else if (family == AF_NETLINK && a.n >= 12) {
		out_printf(o, ", nl_pid=%" PRIu32 ", nl_groups=%#010" PRIx32,
			   get_u32(a.p + 4, false), get_u32(a.p + 8, false));
	} else if (a.n > 2) {
		out_str(o, ", sa_data=");
		quoted_text_put(span_of(a.p + 2, a.n - 2), o);
	}
	out_char(o, '}');
}

static bool put_address_at(const struct pointee_job *j, u64 addr, u64 n)
{
	u8 buf[ADDRESS_MAX];

	if (n > sizeof(buf))
		n = sizeof(buf);
	if (!addr || n < 2 || call_memory_read(j->memory, addr, buf, (size_t)n) != n)
		return false;
	put_address(span_of(buf, (size_t)n), j->o);
	return true;
}

bool pointee_sockaddr(const struct pointee_job *j)
{
	u64 addr = j->v->args[j->i], n;
	s32 len;

	if (j->i + 1 >= j->v->nr_args)
		return false;
	n = j->v->args[j->i + 1];
	if (!j->is_end)
		return put_address_at(j, addr, (u32)n);
	return pointee_int_at(j, n, &len) && len > 0 && put_address_at(j, addr, (u32)len);
}

static bool read_message(const struct pointee_job *j, struct message *m)
{
	u64 words[7];

	if (call_memory_read(j->memory, j->v->args[j->i], words, sizeof(words)) != sizeof(words))
		return false;
	*m = (struct message){ words[0], (u32)words[1], words[2],     words[3],
			       words[4], words[5],      (u32)words[6] };
	return true;
}

bool pointee_msghdr(const struct pointee_job *j)
{
	struct message m;
	u64 bytes = j->is_end ? (u64)j->result : UINT64_MAX;

	if (!j->v->args[j->i] || !read_message(j, &m))
		return false;
	out_str(j->o, "{msg_name=");
	if (!put_address_at(j, m.name, m.name_len))
		struct_text_put_pointer(m.name, j->o);
	out_printf(j->o, ", msg_namelen=%" PRIu64 ", msg_iov=", m.name_len);
	if (!pointee_iovecs_at(j, m.iov, m.iov_len, bytes))
		struct_text_put_pointer(m.iov, j->o);
	out_printf(j->o, ", msg_iovlen=%" PRIu64, m.iov_len);
	if (m.control_len) {
		out_str(j->o, ", msg_control=");
		struct_text_put_pointer(m.control, j->o);
	}
	out_printf(j->o, ", msg_controllen=%" PRIu64 ", msg_flags=", m.control_len);
	put_words("MSG", m.flags, j->o);
	out_char(j->o, '}');
	return true;
}

bool pointee_sockopt(const struct pointee_job *j)
{
	const u64 *args = j->v->args;
	u64 addr = args[3];
	bool is_socket = args[1] == SOL_SOCKET_NR;
	s32 n, value, more;

	if (j->is_end) {
		if (!pointee_int_at(j, args[4], &n))
			return false;
	} else {
		n = (s32)args[4];
	}
	if (n == 8 && is_socket && args[2] == SO_LINGER_NR && pointee_int_at(j, addr, &value) &&
	    pointee_int_at(j, addr + 4, &more)) {
		out_printf(j->o, "{l_onoff=%d, l_linger=%d}", value, more);
		return true;
	}
	if (n != 4)
		return n > 0 && pointee_bytes_at(j, addr, (u64)n);
	if (!pointee_int_at(j, addr, &value))
		return false;
	if (is_socket && args[2] == SO_ERROR_NR && value && strerrorname_np(value))
		out_printf(j->o, "[%s]", strerrorname_np(value));
	else
		out_printf(j->o, "[%d]", value);
	return true;
}
