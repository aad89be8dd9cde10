/* SPDX-License-Identifier: MIT */
/*
 * name_recordings DIR FIRST COUNT: for each number i from FIRST on, writes DIR/i/perf.data, a small
 * recording with names put together from what breaks XML, HTML, JSON, scripts and terminals; what
 * its names come from, DIR/i/obj (symbols) and DIR/i/tmp/perf-7.map; and DIR/i/x.folded, folded
 * text of the same kind. Number 0 has plain names; odd numbers have two events. For
 * tests/checks/names.sh.
 */
#include <elf.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/out.h"
#include "fileformat/feature/feature.h"
#include "tests/frame/build_elf.h"
#include "tests/frame/build_file.h"

#define PID 7
#define TEXT 0x400000ull
#define FOREIGN 0x500000ull
#define JIT 0x7f0000000000ull
#define NR_SYMBOLS 4
#define NR_EVENTS 2

#define LONG_NAME 65536
#define LONGEST_IN_RECORD 60000 /* a record has at most 64 KiB */

/* What names are made of. Bytes that end a line or a name are among them. */
static const char *const pieces[] = {
	/* markup */
	"</script>",
	"<script>document.title='pwned'</script>",
	"<img src=x onerror=\"document.title='pwned'\">",
	"</title><svg onload=\"document.title='pwned'\">",
	"]]>",
	"<![CDATA[",
	"<!--",
	"-->",
	"<!--<script>",
	"</style>",
	"</text></g></svg>",
	"&lt;",
	"&#60;b&#62;",
	"&amp;&nope;&",
	"&#0;&#x1b;",
	"\" onmouseover=\"document.title='pwned'",
	"' onclick='document.title=1",
	"<?xml version='1.1'?>",
	"<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]>",
	"javascript:document.title='pwned'",
	"\\u003cscript\\u003e",
	"\\",
	"\\\"",
	"{\"v\":1}",
	"`${document.title='pwned'}`",
	"%00%1b%n%s",
	/* characters */
	"\033[31m",
	"\033]0;pwned\007",
	"\033[2J\033[H",
	"\033P+q\033\\",
	"\001\002\b\016\017\177",
	"\t",
	"\r",
	"\n",
	"\nfoot 1",
	" ",
	";",
	"\xc2\x85",             /* next line */
	"\xc2\x9b\x33\x31m",    /* CSI of C1 */
	"\x9b\x33\x31m",        /* and as one byte */
	"\xe2\x80\xa8",         /* line separator */
	"\xe2\x80\xa9",         /* paragraph separator */
	"\xe2\x80\xae",         /* right to left */
	"\xe2\x81\xa6",         /* isolate */
	"\xe2\x80\x8f\xd8\x9c", /* marks of direction */
	"\xef\xbb\xbf",         /* byte order mark */
	"\xef\xbf\xbe",         /* no character */
	"\xef\xbf\xbf",
	"\xef\xb7\x90",
	"\xed\xa0\x80", /* half of a surrogate pair */
	"\xed\xb0\x80",
	"\xc0\xaf", /* longer than it must be */
	"\xe0\x80\xbc",
	"\xf4\x90\x80\x80", /* beyond the last character */
	"\xf0\x9f\x98",     /* the end is missing */
	"\xff",
	"\x80",
	"\xcc\x88\xcc\x88\xcc\x88", /* combining */
	"\xe4\xb8\xad\xe6\x96\x87", /* wide */
	"\xf0\x9f\x98\x80",
	"\xf3\xa0\x80\x81", /* tag */
	"a\xe2\x80\x8b\xe2\x80\x8d",
	/* what makes a function's name */
	"std::vector<int, std::allocator<int> >::push_back(int const&)",
	"_ZN3foo3barEv",
	"main",
	"[unknown]",
	"_[k]",
	"f.constprop.0",
	"x@y",
	"-",
};

static u64 seed;

static u64 next(u64 below)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed % below;
}

/* The next name; forbidden: bytes that cannot be in it. It has no NUL, and at least one byte. */
static char *name_new(u64 i, size_t longest, const char *forbidden)
{
	struct out o;
	u64 nr = 1 + next(5);

	out_init_mem(&o);
	if (!i) {
		out_printf(&o, "plain%u", (unsigned int)next(1000));
		nr = 0;
	}
	while (nr--) {
		const char *piece = pieces[next(ARRAY_SIZE(pieces))];
		u64 times = next(60) ? 1 : next(40) ? 1 + next(300) : LONG_NAME / strlen(piece) + 1;

		while (times--)
			out_str(&o, piece);
		if (!next(3))
			out_char(&o, (char)(1 + next(255)));
	}
	if (o.len > longest)
		o.len = longest;
	if (i && !next(4)) /* also in the middle of a character */
		o.buf[next(o.len)] = (char)(1 + next(255));
	for (size_t k = 0; k < o.len; k++)
		if (strchr(forbidden, o.buf[k]))
			o.buf[k] = '_';
	out_char(&o, '\0');
	return o.buf;
}

static bool write_bytes(const char *dir, const char *name, const void *p, size_t n)
{
	char *path = xasprintf("%s/%s", dir, name);
	FILE *f = fopen(path, "w");
	bool ok = f && fwrite(p, 1, n, f) == n;

	if (f && fclose(f))
		ok = false;
	if (!ok)
		perror(path);
	free(path);
	return ok;
}

static bool write_object(const char *dir, u64 i)
{
	struct mkelf *b = mkelf_new(true, false, ET_DYN, EM_X86_64);
	u8 code[0x100 * NR_SYMBOLS], *elf;
	size_t n;
	u16 text;
	bool ok;

	memset(code, 0x90, sizeof(code));
	mkelf_load(b, 0x1000, 0x1000, sizeof(code));
	text = mkelf_section(b, &(struct mkelf_part){ .name = ".text",
						      .type = SHT_PROGBITS,
						      .flags = SHF_ALLOC | SHF_EXECINSTR,
						      .addr = 0x1000,
						      .off = 0x1000,
						      .bytes = code,
						      .size = sizeof(code) });
	for (u64 k = 0; k < NR_SYMBOLS; k++) {
		char *name = name_new(i, LONG_NAME, "");

		mkelf_symbol(b, name, 0x1000 + 0x100 * k, 0x100, STT_FUNC, STB_GLOBAL, text);
		free(name);
	}
	mkelf_end_symbols(b, ".symtab", SHT_SYMTAB);
	elf = mkelf_end(b, &n);
	ok = write_bytes(dir, "obj", elf, n);
	free(elf);
	return ok;
}

static bool write_map(const char *dir, u64 i)
{
	struct out o;
	bool ok;

	out_init_mem(&o);
	for (u64 k = 0; k < NR_SYMBOLS; k++) {
		char *name = name_new(i, LONG_NAME, "\n");

		out_printf(&o, "%llx 100 ", (unsigned long long)(JIT + 0x100 * k));
		out_str(&o, name);
		out_char(&o, '\n');
		free(name);
	}
	ok = write_bytes(dir, "tmp/perf-7.map", o.buf, o.len);
	out_fini(&o);
	return ok;
}

static bool write_folded(const char *dir, u64 i)
{
	struct out o;
	bool ok;

	out_init_mem(&o);
	out_str(&o, "top;"); /* what begins with a control character is no folded text */
	for (u64 k = 0; k < 4; k++) {
		for (u64 depth = 1 + next(4); depth; depth--) {
			char *name = name_new(i, LONG_NAME, "\n");

			out_str(&o, name);
			/* "a 1 2" would have two counts */
			out_str(&o, depth > 1 ? ";" : "_");
			free(name);
		}
		out_printf(&o, " %u\n", 1 + (unsigned int)next(9));
	}
	ok = write_bytes(dir, "x.folded", o.buf, o.len);
	out_fini(&o);
	return ok;
}

static void put_samples(struct bytes *b, const struct file_builder *f)
{
	for (u32 event = 0; event < f->nr_events; event++)
		for (u64 k = 0; k < NR_SYMBOLS; k++) {
			const u64 ips[] = { TEXT + 0x100 * k + 16, JIT + 0x100 * k + 16,
					    FOREIGN + k };
			const u64 ip = ips[(k + event) % ARRAY_SIZE(ips)];
			const u64 chain[] = { PD_CONTEXT_USER, ip, TEXT + 0x20, JIT + 0x20,
					      TEXT + 0x120 };

			put_sample(b, &f->attrs[event],
				   &(struct sample_parts){ .misc = PD_CPUMODE_USER,
							   .ip = ip,
							   .pid = PID,
							   .tid = PID + (u32)(k & 1),
							   .time = 1000000 * (k + 1),
							   .id = 1 + event,
							   .period = 10,
							   .ips = chain,
							   .nr_ips = ARRAY_SIZE(chain) });
		}
}

static void put_records(struct bytes *b, const struct file_builder *f, u64 i)
{
	const struct pd_attr *a = &f->attrs[0];
	const struct sample_parts t = { .pid = PID, .tid = PID, .time = 1 };
	char *names[3];

	for (size_t k = 0; k < ARRAY_SIZE(names); k++)
		names[k] = name_new(i, LONGEST_IN_RECORD, "");
	put_comm(b, PID, PID, names[0], a, &t);
	put_comm(b, PID, PID + 1, names[1], a, &t);
	put_mmap2(b, PID, TEXT, 0x1000, 0x1000, "/obj", a, &t);
	put_mmap2(b, PID, FOREIGN, 0x1000, 0, names[2], a, &t);
	put_mmap2(b, PID, JIT, 0x1000, 0, "//anon", a, &t);
	put_samples(b, f);
	for (size_t k = 0; k < ARRAY_SIZE(names); k++)
		free(names[k]);
}

/* The event's names and what a page and the header tell about the recording. */
static void put_features(struct file_builder *f, u64 i)
{
	static const unsigned int texts[] = { PD_FEAT_HOSTNAME, PD_FEAT_OSRELEASE, PD_FEAT_VERSION,
					      PD_FEAT_CPUDESC };
	char *names[NR_EVENTS], *words[2], *text;
	struct bytes *p;

	for (size_t k = 0; k < ARRAY_SIZE(texts); k++) {
		text = name_new(i, LONG_NAME, "");
		put_string(file_feature(f, texts[k]), text);
		free(text);
	}
	p = file_feature(f, PD_FEAT_CMDLINE);
	put_u32(p, ARRAY_SIZE(words));
	for (size_t k = 0; k < ARRAY_SIZE(words); k++) {
		words[k] = name_new(i, LONG_NAME, "");
		put_string(p, words[k]);
		free(words[k]);
	}
	for (size_t k = 0; k < f->nr_events; k++)
		names[k] = name_new(i, LONG_NAME, "");
	file_event_desc(f, (const char *const *)names);
	for (size_t k = 0; k < f->nr_events; k++)
		free(names[k]);
}

static bool write_recording(const char *dir, u64 i)
{
	static const u64 ids[NR_EVENTS] = { 1, 2 };
	struct bytes b = bytes_new(false);
	struct file_builder f = { .b = &b };
	bool ok;

	file_begin(&f, BUILD_REGULAR);
	for (size_t k = 0; k < 1 + i % NR_EVENTS; k++) {
		struct pd_attr a = attr_plain();

		a.config = k;
		a.sample_type |= PD_SAMPLE_ID;
		file_add_event(&f, &a, &ids[k], 1);
	}
	file_begin_data(&f);
	put_records(&b, &f, i);
	put_features(&f, i);
	file_end(&f);
	ok = write_bytes(dir, "perf.data", b.p, b.n);
	bytes_free(&b);
	return ok;
}

int main(int argc, char **argv)
{
	unsigned long long first, count, i;
	bool ok = true;

	if (argc != 4 || sscanf(argv[2], "%llu", &first) != 1 ||
	    sscanf(argv[3], "%llu", &count) != 1) {
		fprintf(stderr, "usage: name_recordings DIR FIRST COUNT\n");
		return 2;
	}
	for (i = first; i < first + count && ok; i++) {
		char *dir = xasprintf("%s/%llu", argv[1], i);
		char *tmp = xasprintf("%s/tmp", dir);

		seed = (i + 1) * 0x9e3779b97f4a7c15ull;
		(void)mkdir(dir, 0777);
		(void)mkdir(tmp, 0777);
		ok = write_object(dir, i) && write_map(dir, i) && write_folded(dir, i) &&
		     write_recording(dir, i);
		free(tmp);
		free(dir);
	}
	return ok ? 0 : 1;
}
