/* SPDX-License-Identifier: MIT */
/* Expected texts are those of perf script 7.2, of records in either byte order. */
#include "tests/frame/unit.h"

#include "base/mem.h"
#include "report/text/rawdump.h"
#include "report/text/record_text.h"
#include "tests/frame/build_file.h"

#define BOTH(name)                  \
	static void name(bool big); \
	TEST(name)                  \
	{                           \
		name(false);        \
		name(true);         \
	}                           \
	static void name(bool big)

static char *take_text(struct out *o)
{
	char *s = xstrndup(o->buf ? o->buf : "", o->len);

	(void)out_fini(o);
	return s;
}

/* Text of the last record, and that no shorter form of it is read past its end. */
static void check_last(struct bytes *b, const char *symbol, const char *want)
{
	struct perfdata pd = { .swap = bytes_swapped(b) };
	struct pd_record r = last_record(b);
	struct out o;
	char *got;

	out_init_mem(&o);
	record_text(&o, &pd, &r, symbol);
	got = take_text(&o);
	CHECK_STR(got, want);
	free(got);
	for (u32 size = 8; size < r.size; size++) {
		struct pd_record cut = r;
		u8 *buf = xmalloc(size);

		memcpy(buf, r.data, size);
		cut.data = buf;
		cut.size = size;
		out_init_mem(&o);
		record_text(&o, &pd, &cut, symbol);
		(void)out_fini(&o);
		free(buf);
	}
}

static void put_pids(struct bytes *b, u32 pid, u32 tid)
{
	put_u32(b, pid);
	put_u32(b, tid);
}

static void put_map_head(struct bytes *b, u32 type, u16 misc, u64 start, u64 pgoff)
{
	record_begin(b, type, misc);
	put_pids(b, 100, 101);
	put_u64(b, start);
	put_u64(b, 0x1000);
	put_u64(b, pgoff);
}

BOTH(maps)
{
	struct bytes b = bytes_new(big);

	put_map_head(&b, PD_RECORD_MMAP, PD_CPUMODE_USER, 0x400000, 0x2000);
	put_text(&b, "/bin/x y", 8);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_MMAP 100/101: [0x400000(0x1000) @ 0x2000]: x /bin/x y\n");

	put_map_head(&b, PD_RECORD_MMAP, PD_MISC_MMAP_DATA, 0, 0);
	put_text(&b, "d", 8);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_MMAP 100/101: [0(0x1000) @ 0]: r d\n");

	put_map_head(&b, PD_RECORD_MMAP2, 0, 0x610000, 0x3000);
	put_pids(&b, 0x123, 0x1f);
	put_u64(&b, UINT64_MAX);
	put_u64(&b, 5);
	put_pids(&b, 5, 2);
	put_text(&b, "/lib/so", 8);
	record_end(&b);
	check_last(&b, NULL,
		   "PERF_RECORD_MMAP2 100/101: [0x610000(0x1000) @ 0x3000 123:1f "
		   "18446744073709551615 5]: r-xp /lib/so\n");
	bytes_free(&b);
}

BOTH(build_ids)
{
	/* size said, what is shown */
	static const struct {
		u8 size;
		const char *want;
	} cases[] = {
		{ 20, "0102030405060708090a0b0c0d0e0f1000000000" },
		{ 8, "0102030405060708" },
		{ 0, "" },
		{ 30, "0102030405060708090a0b0c0d0e0f1000000000" },
	};
	struct bytes b = bytes_new(big);

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char want[160];

		put_map_head(&b, PD_RECORD_MMAP2, PD_MISC_MMAP_BUILD_ID, 0x700000, 0);
		put_u8(&b, cases[i].size);
		put_fill(&b, 0, 3);
		for (u8 v = 1; v <= 16; v++)
			put_u8(&b, v);
		put_fill(&b, 0, 4);
		put_pids(&b, 7, 1);
		put_text(&b, "/a", 8);
		record_end(&b);
		snprintf(want, sizeof(want),
			 "PERF_RECORD_MMAP2 100/101: [0x700000(0x1000) @ 0 <%s>]: rwxs /a\n",
			 cases[i].want);
		check_last(&b, NULL, want);
	}
	bytes_free(&b);
}

BOTH(tasks)
{
	struct bytes b = bytes_new(big);

	record_begin(&b, PD_RECORD_COMM, PD_MISC_COMM_EXEC);
	put_pids(&b, 100, 101);
	put_text(&b, "a comm", 8);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_COMM exec: a comm:100/101\n");
	set_u16(&b, b.rec + 4, 0);
	check_last(&b, NULL, "PERF_RECORD_COMM: a comm:100/101\n");

	put_task(&b, PD_RECORD_FORK, 110, 100, 111, 101, 5, &(struct pd_attr){ 0 }, NULL);
	check_last(&b, NULL, "PERF_RECORD_FORK(110:111):(100:101)\n");
	put_task(&b, PD_RECORD_EXIT, 110, (u32)-1, 111, (u32)-1, 5, &(struct pd_attr){ 0 }, NULL);
	check_last(&b, NULL, "PERF_RECORD_EXIT(110:111):(-1:-1)\n");
	bytes_free(&b);
}

BOTH(switches)
{
	struct bytes b = bytes_new(big);

	record_begin(&b, PD_RECORD_SWITCH, 0);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_SWITCH IN         \n");
	set_u16(&b, b.rec + 4, PD_MISC_SWITCH_OUT | PD_MISC_SWITCH_OUT_PREEMPT);
	check_last(&b, NULL, "PERF_RECORD_SWITCH OUT preempt\n");
	set_u16(&b, b.rec + 4, PD_MISC_SWITCH_OUT_PREEMPT);
	check_last(&b, NULL, "PERF_RECORD_SWITCH IN         \n");
	record_begin(&b, PD_RECORD_SWITCH_CPU_WIDE, PD_MISC_SWITCH_OUT);
	put_pids(&b, 55, 56);
	record_end(&b);
	check_last(&b, NULL,
		   "PERF_RECORD_SWITCH_CPU_WIDE OUT          next pid/tid:    55/56   \n");
	set_u16(&b, b.rec + 4, 0);
	check_last(&b, NULL,
		   "PERF_RECORD_SWITCH_CPU_WIDE IN           prev pid/tid:    55/56   \n");
	bytes_free(&b);
}

BOTH(namespaces)
{
	struct bytes b = bytes_new(big);

	record_begin(&b, PD_RECORD_NAMESPACES, 0);
	put_pids(&b, 100, 101);
	put_u64(&b, 8);
	for (u64 i = 0; i < 8; i++) {
		put_u64(&b, i);
		put_u64(&b, i ? 0xf0 + i : 0);
	}
	record_end(&b);
	check_last(&b, NULL,
		   "PERF_RECORD_NAMESPACES 100/101 - nr_namespaces: 8\n"
		   "\t\t[0/net: 0/0, 1/uts: 1/0xf1, 2/ipc: 2/0xf2, 3/pid: 3/0xf3, \n"
		   "\t\t 4/user: 4/0xf4, 5/mnt: 5/0xf5, 6/cgroup: 6/0xf6, 7/UNKNOWN: 7/0xf7]\n");
	bytes_free(&b);
}

BOTH(code_changes)
{
	struct bytes b = bytes_new(big);

	record_begin(&b, PD_RECORD_KSYMBOL, 0);
	put_u64(&b, 0xffffffffc0001000);
	put_u32(&b, 256);
	put_u16(&b, 1);
	put_u16(&b, 1);
	put_text(&b, "bpf_prog_x", 8);
	record_end(&b);
	check_last(&b, NULL,
		   "PERF_RECORD_KSYMBOL addr ffffffffc0001000 len 256 type 1 flags 0x1 "
		   "name bpf_prog_x\n");

	record_begin(&b, PD_RECORD_BPF_EVENT, 0);
	put_u16(&b, 2);
	put_u16(&b, 5);
	put_u32(&b, 42);
	put_fill(&b, 0xaa, 8);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_BPF_EVENT type 2, flags 5, id 42\n");

	record_begin(&b, PD_RECORD_TEXT_POKE, 0);
	put_u64(&b, 0xffffffff81000010);
	put_u16(&b, 2);
	put_u16(&b, 17);
	for (u8 i = 0; i < 19; i++)
		put_u8(&b, i);
	record_end_padded(&b);
	check_last(&b, NULL,
		   "PERF_RECORD_TEXT_POKE ffffffff81000010  old len 2 new len 17\n"
		   "            Old bytes: 00 01\n"
		   "            New bytes: 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f 10 11\n"
		   "            New bytes: 12\n");
	set_u16(&b, b.rec + 16, 0);
	set_u16(&b, b.rec + 18, 0);
	check_last(&b, "f+0x10",
		   "PERF_RECORD_TEXT_POKE ffffffff81000010 f+0x10 old len 0 new len 0\n");

	record_begin(&b, PD_RECORD_CGROUP, 0);
	put_u64(&b, 0x1234);
	put_text(&b, "/user.slice", 8);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_CGROUP cgroup: 4660 /user.slice\n");
	bytes_free(&b);
}

BOTH(aux_and_lost)
{
	struct bytes b = bytes_new(big);

	record_begin(&b, PD_RECORD_LOST, 0);
	put_u64(&b, 7);
	put_u64(&b, 33);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_LOST lost 33\n");

	record_begin(&b, PD_RECORD_AUX, 0);
	put_u64(&b, 0);
	put_u64(&b, 0x200);
	put_u64(&b, 0xff0f);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_AUX offset: 0 size: 0x200 flags: 0xff0f [TOPC]\n");

	record_begin(&b, PD_RECORD_ITRACE_START, 0);
	put_pids(&b, 1, 2);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_ITRACE_START pid: 1 tid: 2\n");

	record_begin(&b, PD_RECORD_AUX_OUTPUT_HW_ID, 0);
	put_u64(&b, 0x99);
	record_end(&b);
	check_last(&b, NULL, "PERF_RECORD_AUX_OUTPUT_HW_ID hw_id: 0x99\n");

	record_begin(&b, PD_RECORD_AUXTRACE_ERROR, 0);
	put_pids(&b, 1, 3);
	put_pids(&b, 2, 100);
	put_pids(&b, 101, 2);
	put_u64(&b, 0x1234);
	put_u64(&b, 5000000123);
	put_text(&b, "some error", 64);
	put_pids(&b, 77, 2);
	record_end(&b);
	check_last(&b, NULL,
		   "PERF_RECORD_AUXTRACE_ERROR instruction trace error type 1 time 5.000000123 "
		   "machine_pid 77 vcpu 2 cpu 2 pid 100 tid 101 ip 0x1234 code 3: some error\n");
	put_round(&b);
	check_last(&b, NULL, "PERF_RECORD_FINISHED_ROUND\n");
	bytes_free(&b);
}

/* ---- raw dump ---- */

static char *dump_last(struct bytes *b, const struct pd_attr *attr)
{
	struct pd_event ev = { .attr = *attr, .name = (char *)"cpu-clock" }, *events[] = { &ev };
	struct perfdata pd = {
		.path = (char *)"p.data", .swap = bytes_swapped(b), .events = events, .nr_events = 1
	};
	struct pd_record r = last_record(b);
	struct rawdump d;
	struct out o;

	pd_event_prepare(&ev);
	r.off = 0x158;
	out_init_mem(&o);
	rawdump_init(&d, &pd, RAWDUMP_SCRIPT);
	CHECK(rawdump_record(&d, &o, &r));
	CHECK(!rawdump_record(&d, &o, &r)); /* the same again shows nothing */
	rawdump_fini(&d);
	return take_text(&o);
}

/* The text behind the block of bytes. */
static const char *after_bytes(const char *s)
{
	const char *blank = strstr(s, "\n\n");

	return blank ? blank + 2 : "";
}

TEST(dump_shows_the_bytes)
{
	static const char want[] =
		"\n0x158@p.data [0x11]: event: 3\n.\n. ... raw event: size 17 bytes\n"
		".  0000:  03 00 00 00 00 00 11 00 64 00 00 00 65 00 00 00  ........d...e...\n"
		".  0010:  41                                               A               \n"
		"\n-1 -1 0x158 [0x11]: PERF_RECORD_COMM: A:100/101\n";
	struct bytes b = bytes_new(false);
	char *got;

	record_begin(&b, PD_RECORD_COMM, 0);
	put_pids(&b, 100, 101);
	put_u8(&b, 'A');
	record_end(&b);
	got = dump_last(&b, &(struct pd_attr){ 0 });
	CHECK_STR(got, want);
	free(got);
	bytes_free(&b);
}

TEST(dump_of_the_other_byte_order)
{
	static const char want[] =
		".  0000:  00 00 00 03 00 00 00 11 00 00 00 64 00 00 00 65  ...........d...e\n";
	struct bytes b = bytes_new(true);
	char *got;

	record_begin(&b, PD_RECORD_COMM, 0);
	put_pids(&b, 100, 101);
	put_u8(&b, 'A');
	record_end(&b);
	got = dump_last(&b, &(struct pd_attr){ 0 });
	CHECK(strstr(got, want));
	CHECK(strstr(got, "PERF_RECORD_COMM: A:100/101"));
	free(got);
	bytes_free(&b);
}

BOTH(dump_of_a_sample)
{
	static const u64 ips[] = { PD_CONTEXT_KERNEL, 0xffffffff81000000, PD_CONTEXT_USER,
				   0x400010 };
	static const u64 regs[] = { 0x1000, 0x1001 }, read[] = { 2, 10, 7, 20, 8 };
	struct pd_attr a = { .size = 136,
			     .sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
					    PD_SAMPLE_ADDR | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD |
					    PD_SAMPLE_READ | PD_SAMPLE_CALLCHAIN |
					    PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER |
					    PD_SAMPLE_WEIGHT | PD_SAMPLE_DATA_SRC |
					    PD_SAMPLE_DATA_PAGE_SIZE | PD_SAMPLE_TRANSACTION,
			     .read_format = PD_FORMAT_GROUP | PD_FORMAT_ID,
			     .sample_regs_user = 0x101,
			     .sample_stack_user = 16,
			     .flags = 1ull << PD_ATTR_SAMPLE_ID_ALL };
	struct sample_parts s = { .misc = PD_CPUMODE_USER,
				  .ip = 0x400010,
				  .pid = 100,
				  .tid = 101,
				  .time = 100,
				  .addr = 0,
				  .cpu = 1,
				  .period = 55,
				  .read = read,
				  .nr_read = 5,
				  .ips = ips,
				  .nr_ips = 4,
				  .user_abi = 2,
				  .user_regs = regs,
				  .stack = "0123456789abcdef",
				  .stack_size = 16,
				  .stack_dyn_size = 8,
				  .weight = 9,
				  .data_src = 0x68100142,
				  .data_page_size = 4096,
				  .transaction = 0xff };
	struct bytes b = bytes_new(big);
	char *got;

	put_sample(&b, &a, &s);
	got = dump_last(&b, &a);
	CHECK(strstr(after_bytes(got), "1 100 0x158 [0x"));
	/* REGS are named for the machine the file says; this one has no features: the host's */
	CHECK(strstr(got, "PERF_RECORD_SAMPLE(IP, 0x2): 100/101: 0x400010 period: 55 addr: 0\n"
			  "... FP chain: nr:4\n"
			  ".....  0: ffffffffffffff80 (PERF_CONTEXT_KERNEL)\n"
			  ".....  1: ffffffff81000000\n"
			  ".....  2: fffffffffffffe00 (PERF_CONTEXT_USER)\n"
			  ".....  3: 0000000000400010\n"
			  "... user regs: mask 0x101 ABI 64-bit\n"));
	/* 8 + 6 words + 5 words of READ + 5 of the chain + 3 of registers */
	CHECK(strstr(got, " 0x0000000000001001\n"
			  "... ustack: size 8, offset 0xa0\n"
			  "... weight: 9\n"
			  " . data_src: 0x68100142\n"
			  " .. data page size: 4K\n"
			  "... transaction: ff\n"
			  "... sample_read:\n"
			  ".... group nr 2\n"
			  "..... id 0000000000000007, value 000000000000000a\n"
			  "..... id 0000000000000008, value 0000000000000014\n"));
	free(got);
	bytes_free(&b);
}

BOTH(dump_of_user_records)
{
	struct pd_attr a = attr_plain();
	struct bytes b = bytes_new(big);
	char *got;

	record_begin(&b, PD_RECORD_THREAD_MAP, 0);
	put_u64(&b, 2);
	for (u64 pid = 100; pid < 102; pid++) {
		put_u64(&b, pid);
		put_fill(&b, 0, 16);
	}
	record_end(&b);
	got = dump_last(&b, &a);
	CHECK(strstr(after_bytes(got), "PERF_RECORD_THREAD_MAP nr: 2 threads: 100, 101\n"));
	free(got);

	record_begin(&b, PD_RECORD_CPU_MAP, 0);
	put_u16(&b, 0);
	put_u16(&b, 5);
	put_u16(&b, 0xffff);
	put_u16(&b, 3);
	put_u16(&b, 1);
	put_u16(&b, 0);
	put_u16(&b, 1);
	record_end_padded(&b);
	got = dump_last(&b, &a);
	CHECK(strstr(after_bytes(got), "PERF_RECORD_CPU_MAP: -1,3,1,0-1\n"));
	free(got);

	record_begin(&b, PD_RECORD_EVENT_UPDATE, 0);
	put_u64(&b, 2);
	put_u64(&b, 7);
	put_text(&b, "newname", 8);
	record_end(&b);
	got = dump_last(&b, &a);
	CHECK(strstr(after_bytes(got),
		     "PERF_RECORD_EVENT_UPDATE\n... id:    7\n... name:  newname\n"));
	free(got);
	bytes_free(&b);
}
