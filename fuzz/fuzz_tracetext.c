/* SPDX-License-Identifier: MIT */
/*
 * Tracepoint formats and payloads. Input: u8 options (bit 0: other byte order, bit 1: 32-bit
 * longs), u8 payload length, the payload, then the text of one format file.
 */
#include <stdlib.h>

#include "report/text/traceformat.h"
#include "report/text/tracetext.h"
#include "base/mem.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static const char *resolve(void *ctx, u64 addr, u64 *ret_start, const char **ret_module)
{
	(void)ctx;
	*ret_start = addr & ~0xffull;
	*ret_module = NULL;
	return addr & 1 ? "function" : NULL;
}

/* What stands around the format in a file's tracing data, with one kernel string. */
static void put_blob(struct out *o, const u8 *format, u64 n)
{
	static const char head[] =
		"\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page\0\0\0\0\0\0\0\0\0"
		"header_event\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0s\0\1\0\0";
	static const char tail[] = "\0\0\0\0\x0f\0\0\0000x7 : \"string\"\n";

	out_mem(o, head, sizeof(head));
	out_mem(o, &n, sizeof(n));
	out_mem(o, format, (size_t)n);
	out_mem(o, tail, sizeof(tail) - 1);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct perfdata pd = { 0 };
	struct traceformat head;
	struct tracetext *t;
	struct out blob, text;
	size_t len;
	u8 *raw;

	if (size < 2 || size - 2 < data[1])
		return 0;
	len = data[1];
	/* a block of exactly the payload's size, so that a read past its end is seen */
	raw = malloc(len ? len : 1);
	if (!raw)
		return 0;
	memcpy(raw, data + 2, len);
	out_init_mem(&blob);
	out_init_mem(&text);
	put_blob(&blob, data + 2 + len, size - 2 - len);
	if (data[0] & 2)
		blob.buf[15] = 4;
	pd.tracing_data = span_of(blob.buf, blob.len);
	t = tracetext_new(&pd);
	tracetext_set_resolver(t, resolve, NULL);
	if (traceformat_scan(span_of(data + 2 + len, size - 2 - len), &head)) {
		(void)tracetext_print(t, &text, head.id, 0, 0, span_of(raw, len));
		(void)tracetext_print_fields(t, &text, head.id, 0, 0, span_of(raw, len));
	}
	tracetext_free(t);
	(void)out_fini(&text);
	(void)out_fini(&blob);
	free(raw);
	return 0;
}
