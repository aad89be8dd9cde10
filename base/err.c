/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/screen/message.h"

static void perr_fill(struct perr *e, int code, s64 off, const char *fmt, va_list ap)
{
	if (!e)
		return;
	e->code = code;
	e->sys_errno = 0;
	e->off = off;
	message_text(e->text, sizeof(e->text), fmt, ap);
}

int perr_set(struct perr *e, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	perr_fill(e, code, -1, fmt, ap);
	va_end(ap);
	return code;
}

int perr_at(struct perr *e, int code, u64 off, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	perr_fill(e, code, (s64)off, fmt, ap);
	va_end(ap);
	return code;
}

int perr_io(struct perr *e, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	perr_fill(e, PERR_IO, -1, fmt, ap);
	va_end(ap);
	if (e) {
		e->sys_errno = saved;
		len = strlen(e->text);
		snprintf(e->text + len, sizeof(e->text) - len, ": %s", strerror(saved));
	}
	return PERR_IO;
}

void perr_prefix(struct perr *e, const char *prefix)
{
	char old[sizeof(e->text)];

	if (!e)
		return;
	memcpy(old, e->text, sizeof(old));
	old[sizeof(old) - 1] = 0;
	snprintf(e->text, sizeof(e->text), "%.120s: %.350s", prefix, old);
}

void perr_print(const struct perr *e, const char *prog, const char *what, FILE *f)
{
	struct out o;

	message_begin(&o, f);
	out_printf(&o, "%s: %s: ", prog, what);
	message_put_lines(&o, e->text);
	if (e->off >= 0)
		out_printf(&o, " (offset %#llx)", (unsigned long long)e->off);
	out_char(&o, '\n');
	message_end(&o, f);
}
