/* SPDX-License-Identifier: MIT */
#include "record/events/event_terms.h"

#include <ctype.h>

#include "base/mem.h"
#include "base/option.h"
#include "record/model/branch_option.h"
#include "record/model/callgraph_option.h"

enum term_kind {
	TERM_CONFIG,
	TERM_CONFIG1,
	TERM_CONFIG2,
	TERM_CONFIG3,
	TERM_NAME,
	TERM_PERIOD,
	TERM_FREQ,
	TERM_BRANCH_TYPE,
	TERM_TIME,
	TERM_CALL_GRAPH,
	TERM_STACK_SIZE,
	TERM_NO_INHERIT,
	TERM_INHERIT,
	TERM_MAX_STACK,
	TERM_NR,
	TERM_NO_OVERWRITE,
	TERM_OVERWRITE,
	TERM_DRIVER_CONFIG,
	TERM_PERCORE,
	TERM_AUX_OUTPUT,
	TERM_AUX_SAMPLE_SIZE,
	TERM_METRIC_ID,
};

static const struct {
	const char *name;
	enum term_kind kind;
	bool needs_value;
	bool of_tracepoints;
} term_table[] = {
	{ "config", TERM_CONFIG, true, false },
	{ "config1", TERM_CONFIG1, true, false },
	{ "config2", TERM_CONFIG2, true, false },
	{ "config3", TERM_CONFIG3, true, false },
	{ "name", TERM_NAME, true, true },
	{ "period", TERM_PERIOD, true, false },
	{ "freq", TERM_FREQ, true, false },
	{ "branch_type", TERM_BRANCH_TYPE, true, false },
	{ "time", TERM_TIME, true, false },
	{ "call-graph", TERM_CALL_GRAPH, true, true },
	{ "stack-size", TERM_STACK_SIZE, true, true },
	{ "no-inherit", TERM_NO_INHERIT, false, true },
	{ "inherit", TERM_INHERIT, false, true },
	{ "max-stack", TERM_MAX_STACK, true, true },
	{ "nr", TERM_NR, true, true },
	{ "no-overwrite", TERM_NO_OVERWRITE, false, true },
	{ "overwrite", TERM_OVERWRITE, false, true },
	{ "driver-config", TERM_DRIVER_CONFIG, true, false },
	{ "percore", TERM_PERCORE, false, false },
	{ "aux-output", TERM_AUX_OUTPUT, false, true },
	{ "aux-sample-size", TERM_AUX_SAMPLE_SIZE, true, true },
	{ "metric-id", TERM_METRIC_ID, true, false },
};

void event_terms_fini(struct event_terms *t)
{
	free(t->terms);
	*t = (struct event_terms){ 0 };
}

/*
 * A text of terms: that of -e, or that of a PMU's named event, whose errors all have one position.
 */
struct term_text {
	const char *text;
	size_t at;
	size_t fixed; /* position for messages; SIZE_MAX: the position in `text` */
};

static size_t term_text_place(const struct term_text *x)
{
	return x->fixed == SIZE_MAX ? x->at : x->fixed;
}

static void skip_blanks(struct term_text *x)
{
	while (isspace((unsigned char)x->text[x->at]))
		x->at++;
}

/*
 * Moves x->at to the next byte of `stops` or the end. Returns the bytes passed, without blanks at
 * the end.
 */
static size_t take_until(struct term_text *x, const char *stops)
{
	const char *start = x->text + x->at;
	size_t n = strcspn(start, stops);

	x->at += n;
	while (n && isspace((unsigned char)start[n - 1]))
		n--;
	return n;
}

/* Reads the value behind '='. */
static int read_value(struct event_scan *s, struct term_text *x, struct event_term *t)
{
	char quote;

	skip_blanks(x);
	quote = x->text[x->at];
	t->value_pos = term_text_place(x);
	if (quote == '\'' || quote == '"') {
		const char *end = strchr(x->text + x->at + 1, quote);

		if (!end)
			return scan_fail(s, t->value_pos, PERR_USAGE, "missing closing quote");
		t->value = x->text + x->at + 1;
		t->value_len = (size_t)(end - t->value);
		x->at = (size_t)(end + 1 - x->text);
	} else {
		t->value = x->text + x->at;
		t->value_len = take_until(x, ",/");
	}
	if (!t->value_len)
		return scan_fail(s, t->value_pos, PERR_USAGE, "term '%.*s' has no value",
				 (int)t->name_len, t->name);
	return 0;
}

static int read_term(struct event_scan *s, struct term_text *x, struct event_term *t)
{
	*t = (struct event_term){ .name = x->text + x->at, .pos = term_text_place(x) };
	t->name_len = take_until(x, "=,/'\"");
	if (!t->name_len)
		return scan_fail(s, t->pos, PERR_USAGE,
				 x->text[x->at] ? "expected a term here"
						: "expected '/' at the end of the event's terms");
	if (x->text[x->at] != '=')
		return 0;
	x->at++;
	return read_value(s, x, t);
}

/* Reads terms up to `stop`, which is '/' or the end of the text. */
static int read_terms(struct event_scan *s, struct term_text *x, char stop, struct event_terms *ret)
{
	struct event_terms l = { 0 };
	struct event_term t;
	int err = 0;

	skip_blanks(x);
	while (x->text[x->at] != stop || l.nr) {
		err = read_term(s, x, &t);
		if (err)
			break;
		vec_push(l.terms, l.nr, l.cap, t);
		skip_blanks(x);
		if (x->text[x->at] == stop)
			break;
		if (x->text[x->at] != ',') {
			err = scan_fail(s, term_text_place(x), PERR_USAGE,
					x->text[x->at]
						? "expected ',' or '/' here"
						: "expected '/' at the end of the event's terms");
			break;
		}
		x->at++;
		skip_blanks(x);
	}
	if (err)
		event_terms_fini(&l);
	*ret = l;
	return err;
}

int event_terms_scan(struct event_scan *s, struct event_terms *ret)
{
	struct term_text x = { .text = s->text, .at = s->pos + 1, .fixed = SIZE_MAX };
	int err = read_terms(s, &x, '/', ret);

	if (!err)
		s->pos = x.at + 1;
	return err;
}

int event_terms_of_alias(struct event_scan *s, const char *text, size_t pos,
			 struct event_terms *ret)
{
	struct term_text x = { .text = text, .fixed = pos };

	return read_terms(s, &x, '\0', ret);
}

int event_term_number(struct event_scan *s, const struct event_term *t, u64 max, u64 *ret)
{
	char text[32];
	bool hex;

	/* a term without value means 1 */
	if (!t->value) {
		*ret = 1;
		return 0;
	}
	hex = t->value_len > 2 && t->value[0] == '0' && (t->value[1] | 32) == 'x';
	if (t->value_len < sizeof(text)) {
		memcpy(text, t->value, t->value_len);
		text[t->value_len] = '\0';
		/* a number with leading zeros is decimal, as in perf */
		if (isdigit((unsigned char)text[0]) && !parse_u64(text, hex ? 16 : 10, 0, max, ret))
			return 0;
		if (isdigit((unsigned char)text[0]) &&
		    !parse_u64(text, hex ? 16 : 10, 0, UINT64_MAX, ret))
			return scan_fail(s, t->value_pos, PERR_USAGE,
					 "%s is too large for term '%.*s' (0 to %llu)", text,
					 (int)t->name_len, t->name, (unsigned long long)max);
	}
	return scan_fail(s, t->value_pos, PERR_USAGE, "expected a number for term '%.*s'",
			 (int)t->name_len, t->name);
}

static int term_frequency(struct event_scan *s, const struct event_term *t, u64 *ret)
{
	s64 max;

	if (t->value_len != 3 || memcmp(t->value, "max", 3))
		return event_term_number(s, t, UINT64_MAX, ret);
	if (rec_host_number(s->o->host.procfs, "sys/kernel/perf_event_max_sample_rate", &max) ||
	    max <= 0)
		return scan_fail(s, t->value_pos, PERR_IO,
				 "freq=max: cannot read "
				 "kernel.perf_event_max_sample_rate");
	*ret = (u64)max;
	return 0;
}

/*
 * Applies call-graph=MODE. callgraph_option_parse does not know the position of errors, so add it.
 */
static int term_callgraph(struct event_scan *s, const struct event_term *t, struct rec_terms *r)
{
	struct callgraph_option cg;
	char *text = xstrndup(t->value, t->value_len);
	int err = 0;

	if (!strcmp(text, "no")) {
		r->callgraph = REC_CG_NONE;
		goto out;
	}
	err = callgraph_option_parse(text, &cg, s->e);
	if (err) {
		s->where->pos = t->value_pos;
		snprintf(s->where->help, sizeof(s->where->help),
			 "valid: fp, dwarf, unwind, lbr, no");
		goto out;
	}
	r->callgraph = (s8)cg.mode;
	if (cg.stack_size)
		r->stack_size = cg.stack_size;
	if (cg.max_stack) {
		r->has_max_stack = true;
		r->max_stack = cg.max_stack;
	}
out:
	free(text);
	return err;
}

static int term_branch_type(struct event_scan *s, const struct event_term *t, struct rec_terms *r)
{
	char *text = xstrndup(t->value, t->value_len);
	int err = 0;

	r->has_branch = true;
	r->branch_sample_type = 0;
	if (strcmp(text, "no") != 0) {
		err = branch_option_parse(text, &r->branch_sample_type, s->e);
		if (err)
			s->where->pos = t->value_pos;
	}
	free(text);
	return err;
}

static int term_stack_size(struct event_scan *s, const struct event_term *t, struct rec_terms *r)
{
	char *text = xstrndup(t->value, t->value_len);
	int err = stack_size_parse(text, &r->stack_size, s->e);

	if (err)
		s->where->pos = t->value_pos;
	free(text);
	return err;
}

static int general_number(struct event_scan *s, const struct event_term *t, enum term_kind kind,
			  struct rec_event *ev)
{
	static const u64 largest[] = {
		[TERM_CONFIG] = UINT64_MAX,
		[TERM_CONFIG1] = UINT64_MAX,
		[TERM_CONFIG2] = UINT64_MAX,
		[TERM_CONFIG3] = UINT64_MAX,
		[TERM_PERIOD] = UINT64_MAX,
		[TERM_TIME] = 1,
		[TERM_NO_INHERIT] = 1,
		[TERM_INHERIT] = 1,
		[TERM_MAX_STACK] = UINT16_MAX,
		[TERM_NR] = UINT32_MAX,
		[TERM_NO_OVERWRITE] = 1,
		[TERM_OVERWRITE] = 1,
		[TERM_PERCORE] = 1,
		[TERM_AUX_OUTPUT] = 1,
		[TERM_AUX_SAMPLE_SIZE] = UINT32_MAX,
	};
	struct rec_terms *r = &ev->terms;
	u64 v;
	int err = kind == TERM_FREQ ? term_frequency(s, t, &v)
				    : event_term_number(s, t, largest[kind], &v);

	if (err)
		return err;
	switch (kind) {
	case TERM_CONFIG: ev->attr.config = v; break;
	case TERM_CONFIG1: ev->attr.config1 = v; break;
	case TERM_CONFIG2: ev->attr.config2 = v; break;
	case TERM_CONFIG3: ev->attr.config3 = v; break;
	case TERM_PERIOD:
		/* the last of period and freq is used */
		r->has_period = true;
		r->has_freq = false;
		r->period = v;
		break;
	case TERM_FREQ:
		r->has_freq = true;
		r->has_period = false;
		r->freq = v;
		break;
	case TERM_TIME: r->time = (s8)v; break;
	case TERM_INHERIT: r->inherit = (s8)v; break;
	case TERM_NO_INHERIT: r->inherit = (s8)!v; break;
	case TERM_OVERWRITE: r->overwrite = (s8)v; break;
	case TERM_NO_OVERWRITE: r->overwrite = (s8)!v; break;
	case TERM_MAX_STACK:
		r->has_max_stack = true;
		r->max_stack = (u16)v;
		break;
	case TERM_PERCORE: r->percore = v; break;
	case TERM_AUX_OUTPUT: r->aux_output = v; break;
	case TERM_AUX_SAMPLE_SIZE: r->aux_sample_size = (u32)v; break;
	default: break; /* nr concerns perf trace only */
	}
	return 0;
}

static int find_term(const struct event_term *t)
{
	for (size_t i = 0; i < ARRAY_SIZE(term_table); i++)
		if (strlen(term_table[i].name) == t->name_len &&
		    !memcmp(term_table[i].name, t->name, t->name_len))
			return (int)i;
	return -1;
}

int event_term_general(struct event_scan *s, const struct event_term *t, struct rec_event *ev)
{
	int at = find_term(t);

	if (t->name[0] == '@')
		return scan_fail(s, t->pos, PERR_UNSUPPORTED,
				 "terms for drivers ('%.*s') are not supported", (int)t->name_len,
				 t->name);
	if (at < 0 || (ev->tp_name && !term_table[at].of_tracepoints))
		return 1;
	if (term_table[at].needs_value && !t->value)
		return scan_fail(s, t->pos, PERR_USAGE, "term '%s' needs a value: %s=...",
				 term_table[at].name, term_table[at].name);
	switch (term_table[at].kind) {
	case TERM_NAME: {
		char *name = xstrndup(t->value, t->value_len);

		rec_event_set_name(ev, name);
		free(name);
		return 0;
	}
	case TERM_CALL_GRAPH: return term_callgraph(s, t, &ev->terms);
	case TERM_BRANCH_TYPE: return term_branch_type(s, t, &ev->terms);
	case TERM_STACK_SIZE: return term_stack_size(s, t, &ev->terms);
	case TERM_DRIVER_CONFIG:
		return scan_fail(s, t->pos, PERR_UNSUPPORTED,
				 "terms for drivers are not supported");
	case TERM_METRIC_ID: return 0;
	default: return general_number(s, t, term_table[at].kind, ev);
	}
}

void event_terms_help(const struct rec_event *ev, const struct pmu *pmu, char *ret, size_t size)
{
	size_t used = (size_t)snprintf(ret, size, "valid terms: ");
	const char *comma = "";

	for (size_t i = 0; pmu && i < pmu->nr_formats && used < size; i++) {
		used += (size_t)snprintf(ret + used, size - used, "%s%s", comma,
					 pmu->formats[i].name);
		comma = ",";
	}
	for (size_t i = 0; i < ARRAY_SIZE(term_table) && used < size; i++) {
		if (ev->tp_name && !term_table[i].of_tracepoints)
			continue;
		used += (size_t)snprintf(ret + used, size - used, "%s%s", comma,
					 term_table[i].name);
		comma = ",";
	}
}

int event_terms_apply(struct event_scan *s, const struct event_terms *t, struct rec_event *ev)
{
	/* apply names backwards, so that the first of several is used, as in perf */
	for (size_t i = t->nr; i-- > 0;) {
		int rc;

		if (find_term(&t->terms[i]) != TERM_NAME)
			continue;
		rc = event_term_general(s, &t->terms[i], ev);
		if (rc < 0)
			return rc;
	}
	/* apply other terms forwards, so that the last one is used */
	for (size_t i = 0; i < t->nr; i++) {
		const struct event_term *term = &t->terms[i];
		int rc = find_term(term) == TERM_NAME ? 0 : event_term_general(s, term, ev);

		if (rc == 1) {
			rc = scan_fail(s, term->pos, PERR_USAGE, "unknown term '%.*s' for %s",
				       (int)term->name_len, term->name,
				       ev->tp_name ? "tracepoints" : "this event");
			event_terms_help(ev, NULL, s->where->help, sizeof(s->where->help));
		}
		if (rc)
			return rc;
	}
	return 0;
}

bool event_term_is_general(const struct event_term *t)
{
	return t->name[0] == '@' || find_term(t) >= 0;
}
