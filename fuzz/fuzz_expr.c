/* SPDX-License-Identifier: MIT */
/*
 * Fields of tracepoints, and expressions over them. Input: u8 options (bit 0: other byte order), u8
 * payload length, u8 length of the expression, the payload, the expression, then the text of one
 * format file.
 */
#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "events/expr/expr.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

/* A block of exactly the bytes, so that a read past their end is seen. */
static u8 *exact(const u8 *p, size_t n)
{
	u8 *ret = malloc(n ? n : 1);

	if (!ret)
		abort();
	memcpy(ret, p, n);
	return ret;
}

static void evaluate(const char *text, const struct event_fields *ef, const struct expr_input *in)
{
	struct expr_value v = { 0 };
	struct perr e = { 0 };
	struct expr *x;

	if (expr_compile(text, ef, &x, &e)) {
		if (!e.code || !e.text[0])
			abort();
		return;
	}
	expr_eval(x, in, &v);
	if (expr_is_true(x, in) != (expr_is_text(x) ? v.text.n > 0 : v.n != 0))
		abort();
	/* each byte of a text can be read */
	if (expr_is_text(x) && v.text.n && hash_bytes(v.text.p, v.text.n) == 1)
		v.n = 0;
	expr_free(x);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	const struct pd_sample sample = { .cpu = 1, .pid = 2, .tid = 3, .time = 4 };
	struct event_fields ef;
	u8 *raw, *format;
	char *text;

	if (size < 3 || size - 3 < (size_t)data[1] + data[2])
		return 0;
	raw = exact(data + 3, data[1]);
	text = xstrndup((const char *)data + 3 + data[1], data[2]);
	size -= 3 + (size_t)data[1] + data[2];
	format = exact(data + 3 + data[1] + data[2], size);
	event_fields_init(&ef, span_of(format, size));
	evaluate(text, &ef,
		 &(struct expr_input){ span_of(raw, data[1]), data[0] & 1, &sample, "comm" });
	for (size_t i = 0; i < ef.nr && i < 64; i++) {
		char *name = xstrndup((const char *)ef.fields[i].name.p, ef.fields[i].name.n);

		evaluate(name, &ef,
			 &(struct expr_input){ span_of(raw, data[1]), data[0] & 1, &sample, NULL });
		free(name);
	}
	event_fields_fini(&ef);
	free(format);
	free(text);
	free(raw);
	return 0;
}
