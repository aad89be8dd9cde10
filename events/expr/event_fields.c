/* SPDX-License-Identifier: MIT */
#include "events/expr/event_fields.h"

#include <stdio.h>

#include "base/mem.h"
#include "fileformat/perfdata.h"
#include "fileformat/tracing_data.h"

/* A payload is smaller than 64 KiB, so that a format has no use for more fields. */
#define MAX_FIELDS 4096

void event_fields_init(struct event_fields *ef, struct span format)
{
	struct pd_trace_field f;
	size_t pos = 0;

	*ef = (struct event_fields){ 0 };
	while (ef->nr < MAX_FIELDS && pd_trace_field_next(format, &pos, &f))
		vec_push(ef->fields, ef->nr, ef->cap, f);
}

void event_fields_of(struct event_fields *ef, const struct perfdata *pd, const struct pd_event *ev)
{
	struct pd_tracepoint tp;
	struct pd_tracing t;
	struct perr e;

	*ef = (struct event_fields){ 0 };
	if (ev->attr.type == PD_TYPE_TRACEPOINT && pd->tracing_data.n &&
	    !pd_tracing_open(pd->tracing_data, &t, &e)) {
		while (pd_tracing_next(&t, &tp, &e) > 0) {
			if (tp.id != ev->attr.config)
				continue;
			event_fields_init(ef, tp.format);
			break;
		}
	}
	ef->event = ev->name ? xstrdup(ev->name) : NULL;
}

void event_fields_fini(struct event_fields *ef)
{
	free(ef->fields);
	free(ef->event);
	*ef = (struct event_fields){ 0 };
}

static bool span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

const struct pd_trace_field *event_fields_find(const struct event_fields *ef, struct span name)
{
	for (size_t i = 0; name.n && i < ef->nr; i++) {
		const struct pd_trace_field *f = &ef->fields[i];

		if (f->name.n == name.n && !memcmp(f->name.p, name.p, name.n))
			return f;
	}
	return NULL;
}

enum sample_own sample_own_find(struct span name)
{
	static const char *const names[] = {
		[OWN_CPU] = "cpu",   [OWN_PID] = "pid",       [OWN_TID] = "tid",
		[OWN_COMM] = "comm", [OWN_TIME] = "time",     [OWN_IP] = "ip",
		[OWN_ADDR] = "addr", [OWN_PERIOD] = "period",
	};

	for (size_t i = OWN_CPU; i < ARRAY_SIZE(names); i++)
		if (span_is(name, names[i]))
			return (enum sample_own)i;
	return OWN_NONE;
}

void event_fields_list(const struct event_fields *ef, char *buf, size_t n)
{
	size_t at = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < ef->nr && at < n; i++)
		at += (size_t)snprintf(buf + at, n - at, "%s%.*s", i ? ", " : "",
				       (int)(ef->fields[i].name.n < 64 ? ef->fields[i].name.n : 64),
				       (const char *)ef->fields[i].name.p);
}
