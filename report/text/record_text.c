/* SPDX-License-Identifier: MIT */
#include "report/text/record_text.h"

#include <inttypes.h>

#include "fileformat/record_minor.h"
#include "fileformat/record_user.h"

#define PROT_READ_BIT 1
#define PROT_WRITE_BIT 2
#define PROT_EXEC_BIT 4
#define MAP_SHARED_BIT 1
#define MAX_BUILD_ID 20
#define POKE_BYTES_PER_LINE 16

static void out_span(struct out *o, struct span s)
{
	out_mem(o, s.p, span_strlen(s));
}

/* As printf's %#lx: zero has no prefix. */
static void out_alt_hex(struct out *o, u64 v)
{
	out_str(o, v ? "0x" : "");
	out_hex(o, v, 0);
}

static bool body_mmap(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_mmap m;

	if (pd_read_mmap(r, swap, &m, NULL))
		return false;
	out_printf(o, " %d/%d: [", (s32)m.pid, (s32)m.tid);
	out_alt_hex(o, m.start);
	out_char(o, '(');
	out_alt_hex(o, m.len);
	out_str(o, ") @ ");
	out_alt_hex(o, m.pgoff);
	if (!m.is_mmap2) {
		out_printf(o, "]: %c ", r->misc & PD_MISC_MMAP_DATA ? 'r' : 'x');
	} else {
		if (m.has_build_id) {
			/* As many bytes as the record says, also where they are padding. */
			unsigned int n = r->data[40] < MAX_BUILD_ID ? r->data[40] : MAX_BUILD_ID;

			out_str(o, " <");
			for (unsigned int i = 0; i < n; i++)
				out_printf(o, "%02x", r->data[44 + i]);
			out_char(o, '>');
		} else {
			out_printf(o, " %02x:%02x %" PRIu64 " %" PRIu64, m.maj, m.min, m.ino,
				   m.ino_generation);
		}
		out_printf(o, "]: %c%c%c%c ", m.prot & PROT_READ_BIT ? 'r' : '-',
			   m.prot & PROT_WRITE_BIT ? 'w' : '-', m.prot & PROT_EXEC_BIT ? 'x' : '-',
			   m.flags & MAP_SHARED_BIT ? 's' : 'p');
	}
	out_span(o, m.filename);
	out_char(o, '\n');
	return true;
}

static bool body_comm(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_comm c;

	if (pd_read_comm(r, swap, &c, NULL))
		return false;
	out_str(o, r->misc & PD_MISC_COMM_EXEC ? " exec: " : ": ");
	out_span(o, c.comm);
	out_printf(o, ":%d/%d\n", (s32)c.pid, (s32)c.tid);
	return true;
}

static bool body_task(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_task t;

	if (pd_read_task(r, swap, &t, NULL))
		return false;
	out_printf(o, "(%d:%d):(%d:%d)\n", (s32)t.pid, (s32)t.tid, (s32)t.ppid, (s32)t.ptid);
	return true;
}

static bool body_lost(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_lost l;

	if (pd_read_lost(r, swap, &l, NULL))
		return false;
	out_printf(o, " lost %" PRIu64 "\n", l.lost);
	return true;
}

static bool body_lost_samples(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_lost_samples l;

	if (pd_read_lost_samples(r, swap, &l, NULL))
		return false;
	out_printf(o, " lost %" PRIu64 "\n", l.lost);
	return true;
}

static bool body_aux(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_aux a;

	if (pd_read_aux(r, swap, &a, NULL))
		return false;
	out_str(o, " offset: ");
	out_alt_hex(o, a.offset);
	out_str(o, " size: ");
	out_alt_hex(o, a.size);
	out_str(o, " flags: ");
	out_alt_hex(o, a.flags);
	out_printf(o, " [%s%s%s%s]\n", a.flags & PD_AUX_TRUNCATED ? "T" : "",
		   a.flags & PD_AUX_OVERWRITE ? "O" : "", a.flags & PD_AUX_PARTIAL ? "P" : "",
		   a.flags & PD_AUX_COLLISION ? "C" : "");
	return true;
}

static bool body_itrace_start(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_itrace_start s;

	if (pd_read_itrace_start(r, swap, &s, NULL))
		return false;
	out_printf(o, " pid: %u tid: %u\n", s.pid, s.tid);
	return true;
}

static bool body_switch(struct out *o, const struct pd_record *r, bool swap)
{
	bool is_out = r->misc & PD_MISC_SWITCH_OUT;
	struct pd_switch_cpu_wide other;
	const char *way = !is_out                                ? "IN         "
			  : r->misc & PD_MISC_SWITCH_OUT_PREEMPT ? "OUT preempt"
								 : "OUT        ";

	if (r->type == PD_RECORD_SWITCH) {
		out_printf(o, " %s\n", way);
		return true;
	}
	if (pd_read_switch_cpu_wide(r, swap, &other, NULL))
		return false;
	out_printf(o, " %s  %s pid/tid: %5d/%-5d\n", way, is_out ? "next" : "prev", (s32)other.pid,
		   (s32)other.tid);
	return true;
}

static bool body_namespaces(struct out *o, const struct pd_record *r, bool swap)
{
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct pd_namespaces n;

	if (pd_read_namespaces(r, swap, &n, NULL))
		return false;
	out_printf(o, " %d/%d - nr_namespaces: %" PRIu64 "\n\t\t[", (s32)n.pid, (s32)n.tid, n.nr);
	for (u64 i = 0; i < n.nr; i++) {
		out_printf(o, "%" PRIu64 "/%s: %" PRIu64 "/", i,
			   i < ARRAY_SIZE(names) ? names[i] : "UNKNOWN",
			   span_u64(n.links, i * 2, swap));
		out_alt_hex(o, span_u64(n.links, i * 2 + 1, swap));
		/* four to a line */
		if (i + 1 == n.nr)
			out_str(o, "]\n");
		else if (i % 4 == 3)
			out_str(o, ", \n\t\t ");
		else
			out_str(o, ", ");
	}
	return true;
}

static bool body_ksymbol(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_ksymbol k;

	if (pd_read_ksymbol(r, swap, &k, NULL))
		return false;
	out_printf(o, " addr %" PRIx64 " len %u type %u flags 0x%x name ", k.addr, k.len,
		   k.ksym_type, k.flags);
	out_span(o, k.name);
	out_char(o, '\n');
	return true;
}

static bool body_bpf_event(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_bpf_event b;

	if (pd_read_bpf_event(r, swap, &b, NULL))
		return false;
	out_printf(o, " type %u, flags %u, id %u\n", b.type, b.flags, b.id);
	return true;
}

static bool body_cgroup(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_cgroup c;

	if (pd_read_cgroup(r, swap, &c, NULL))
		return false;
	out_printf(o, " cgroup: %" PRIu64 " ", c.id);
	out_span(o, c.path);
	out_char(o, '\n');
	return true;
}

static void poke_bytes(struct out *o, const char *title, struct span bytes)
{
	for (size_t i = 0; i < bytes.n; i++) {
		if (i % POKE_BYTES_PER_LINE == 0)
			out_printf(o, "            %s bytes:", title);
		out_printf(o, " %02x", bytes.p[i]);
		if (i % POKE_BYTES_PER_LINE == POKE_BYTES_PER_LINE - 1 || i + 1 == bytes.n)
			out_char(o, '\n');
	}
}

static bool body_text_poke(struct out *o, const struct pd_record *r, bool swap, const char *symbol)
{
	struct pd_text_poke t;

	if (pd_read_text_poke(r, swap, &t, NULL))
		return false;
	out_printf(o, " %" PRIx64 " %s old len %zu new len %zu\n", t.addr, symbol ? symbol : "",
		   t.old_bytes.n, t.new_bytes.n);
	poke_bytes(o, "Old", t.old_bytes);
	poke_bytes(o, "New", t.new_bytes);
	return true;
}

static bool body_hw_id(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_aux_output_hw_id h;

	if (pd_read_aux_output_hw_id(r, swap, &h, NULL))
		return false;
	out_str(o, " hw_id: ");
	out_alt_hex(o, h.hw_id);
	out_char(o, '\n');
	return true;
}

static bool body_auxtrace_error(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_auxtrace_error x;

	if (pd_read_auxtrace_error(r, swap, &x, NULL))
		return false;
	out_printf(o, " %s error type %u time ", x.type == 1 ? "instruction trace" : "unknown AUX",
		   x.type);
	if (x.time)
		out_printf(o, "%" PRIu64 ".%09" PRIu64, x.time / 1000000000, x.time % 1000000000);
	else
		out_char(o, '0');
	if (x.machine_pid)
		out_printf(o, " machine_pid %d vcpu %d", (s32)x.machine_pid, (s32)x.vcpu);
	out_printf(o, " cpu %d pid %d tid %d ip %#" PRIx64 " code %u: ", (s32)x.cpu, (s32)x.pid,
		   (s32)x.tid, x.ip, x.code);
	out_span(o, x.msg);
	out_char(o, '\n');
	return true;
}

static bool body_bpf_metadata(struct out *o, const struct pd_record *r, bool swap)
{
	struct pd_bpf_metadata m;

	if (pd_read_bpf_metadata(r, swap, &m, NULL))
		return false;
	out_str(o, " prog ");
	out_span(o, m.prog_name);
	out_char(o, '\n');
	for (u64 i = 0; i < m.nr; i++) {
		struct pd_bpf_metadata_entry e = pd_bpf_metadata_get(&m, i);

		out_printf(o, "  entry %" PRIu64 ": %20.*s = ", i, (int)span_strlen(e.key),
			   (const char *)e.key.p);
		out_span(o, e.value);
		out_char(o, '\n');
	}
	return true;
}

bool record_text_body(struct out *o, const struct perfdata *pd, const struct pd_record *r,
		      const char *symbol)
{
	switch (r->type) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2: return body_mmap(o, r, pd->swap);
	case PD_RECORD_COMM: return body_comm(o, r, pd->swap);
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: return body_task(o, r, pd->swap);
	case PD_RECORD_LOST: return body_lost(o, r, pd->swap);
	case PD_RECORD_LOST_SAMPLES: return body_lost_samples(o, r, pd->swap);
	case PD_RECORD_AUX: return body_aux(o, r, pd->swap);
	case PD_RECORD_ITRACE_START: return body_itrace_start(o, r, pd->swap);
	case PD_RECORD_SWITCH:
	case PD_RECORD_SWITCH_CPU_WIDE: return body_switch(o, r, pd->swap);
	case PD_RECORD_NAMESPACES: return body_namespaces(o, r, pd->swap);
	case PD_RECORD_KSYMBOL: return body_ksymbol(o, r, pd->swap);
	case PD_RECORD_BPF_EVENT: return body_bpf_event(o, r, pd->swap);
	case PD_RECORD_CGROUP: return body_cgroup(o, r, pd->swap);
	case PD_RECORD_TEXT_POKE: return body_text_poke(o, r, pd->swap, symbol);
	case PD_RECORD_AUX_OUTPUT_HW_ID: return body_hw_id(o, r, pd->swap);
	case PD_RECORD_AUXTRACE_ERROR: return body_auxtrace_error(o, r, pd->swap);
	case PD_RECORD_BPF_METADATA: return body_bpf_metadata(o, r, pd->swap);
	default: return false;
	}
}

void record_text(struct out *o, const struct perfdata *pd, const struct pd_record *r,
		 const char *symbol)
{
	const char *name = pd_record_name(r->type);

	out_printf(o, "PERF_RECORD_%s", name ? name : "UNKNOWN");
	if (!record_text_body(o, pd, r, symbol))
		out_char(o, '\n');
}
