/* SPDX-License-Identifier: MIT */
#include "tests/fileformat/use_perfdata.h"

#include <stdio.h>
#include <unistd.h>

#include "tests/frame/decode_all.h"

void build_two_events(struct bytes *b, enum build_kind kind, struct pd_attr *ret_attrs)
{
	struct file_builder f = { .b = b };
	struct sample_parts s = { .pid = 7, .tid = 8, .ip = 0x1000, .period = 11 };
	struct pd_attr a = attr_plain(), c = attr_plain();

	c.config = 1;
	c.sample_type |= PD_SAMPLE_ADDR;
	ret_attrs[0] = a;
	ret_attrs[1] = c;
	file_begin(&f, kind);
	file_add_event(&f, &a, ids_a, 2);
	file_add_event(&f, &c, ids_b, 1);
	if (kind == BUILD_PIPE)
		file_event_desc(&f, (const char *const[]){ "first", "second" });
	file_begin_data(&f);
	put_comm(b, 7, 8, "prog", &a, NULL);
	s.id = 101;
	s.time = 1000;
	put_sample(b, &a, &s);
	s.id = 201;
	s.time = 1001;
	s.addr = 0xadd4;
	put_sample(b, &c, &s);
	s.id = 102;
	s.time = 1002;
	put_sample(b, &a, &s);
	s.time = 1003;
	put_task(b, PD_RECORD_EXIT, 7, 1, 8, 1, 1003, &a, &s);
	if (kind == BUILD_REGULAR) {
		/* without it a bitmap of the other byte order is not believed */
		put_string(file_feature(&f, 3), "host");
		file_event_desc(&f, (const char *const[]){ "first", "second" });
	}
	file_end(&f);
}

struct perfdata *perfdata_of_bytes(const struct bytes *b, struct diag *diag)
{
	struct perfdata *pd = NULL;
	struct perr e = { 0 };

	if (diag)
		diag_init(diag);
	if (pd_open_mem(bytes_span(b), "test", diag, &pd, &e))
		unit_fail(__FILE__, __LINE__, "open: %s", e.text);
	return pd;
}

struct pd_record perfdata_expect_record(struct perfdata *pd, u32 type)
{
	struct pd_record r = { 0 };
	struct perr e = { 0 };
	int got;

	do {
		got = pd_next(pd, &r, &e);
		if (got != 1)
			unit_fail(__FILE__, __LINE__, "no record of type %u: %d %s", type, got,
				  e.text);
	} while (r.type == PD_RECORD_HEADER_ATTR || r.type == PD_RECORD_HEADER_FEATURE);
	CHECK_EQ(r.type, type);
	return r;
}

void perfdata_expect_end(struct perfdata *pd)
{
	struct pd_record r;
	struct perr e;
	int got;

	while ((got = pd_next(pd, &r, &e)) == 1)
		CHECK_EQ(r.type, PD_RECORD_HEADER_FEATURE);
	CHECK_EQ(got, 0);
	CHECK_EQ(pd_next(pd, &r, &e), 0);
}

/* --- payloads outside the record ------------------------------------------------------------- */

int perfdata_file_of(const struct bytes *b)
{
	FILE *f = tmpfile();
	int fd;

	CHECK(f);
	CHECK_EQ(fwrite(b->p, 1, b->n, f), b->n);
	CHECK_EQ(fflush(f), 0);
	fd = dup(fileno(f));
	fclose(f);
	return fd;
}

void perfdata_put_numbered(struct bytes *b, u32 nr, const struct pd_attr *a)
{
	for (u32 i = 0; i < nr; i++) {
		record_begin(b, PD_RECORD_COMM, 0);
		put_u32(b, i);
		put_fill(b, (u8)i, i * 7919 % 65000);
		put_trailer(b, a, NULL);
		record_end(b);
	}
}

void perfdata_check_numbered(const struct pd_record *r, u32 i)
{
	CHECK_EQ(get_u32(r->data + 8, false), i);
	for (u32 k = 0; k < i * 7919 % 65000; k++)
		CHECK_EQ(r->data[12 + k], (u8)i);
}
