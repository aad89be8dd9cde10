/* SPDX-License-Identifier: MIT */
/*
 * libtraceevent trusts formats and payloads. So the text of a format is checked before the library
 * parses it (traceformat.h), and what the parsed format would read is checked before it prints
 * (trace_guard.h), from a zeroed buffer that is larger than any accepted format can reach.
 */
#include "report/text/tracetext.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <traceevent/event-parse.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/tracing_data.h"
#include "report/text/trace_guard.h"
#include "report/text/traceformat.h"

#define MAX_FORMAT (512u << 10)
#define MAX_PRINTK_STRINGS 65536
#define MAX_PRINTK_LEN 4096

enum format_state {
	FORMAT_NEW,
	FORMAT_READY,
	FORMAT_GUARDED, /* arguments are checked against each payload first */
	FORMAT_RAW,     /* fields only */
	FORMAT_BAD,     /* nothing to print */
};

struct trace_format {
	char *name;      /* sys:name */
	struct span sys; /* borrowed from the blob, not terminated */
	struct span text;
	size_t print_fmt_off;
	u64 id;
	enum format_state state;
	bool failed; /* FORMAT_RAW because the print fmt is not understood */
	struct tep_event *event;
	size_t min_len; /* payload bytes that the fields take without dynamic parts */
};

struct tracetext {
	struct tep_handle *tep;
	struct trace_seq seq;
	struct trace_format *formats;
	size_t nr, cap;
	struct idmap by_id;
	struct span printk;
	bool printk_read;
	bool probe_timed_out;
	bool bigendian;
	unsigned int long_size;
	u8 *buf;
	size_t dirty; /* bytes of buf that the last payload took */
	tracetext_resolve_fn resolve;
	void *resolve_ctx;
};

/* ---- the blob ---- */

static void add_format(struct tracetext *t, const struct pd_tracepoint *tp)
{
	struct trace_format f = { .sys = tp->system, .text = tp->format };
	struct traceformat tf;

	if (f.text.n > MAX_FORMAT || !traceformat_scan(f.text, &tf))
		return;
	if (idmap_get(&t->by_id, tf.id, 0) != IDMAP_NONE)
		return;
	f.id = tf.id;
	f.print_fmt_off = tf.print_fmt_off;
	f.name = xasprintf("%.*s:%.*s", (int)f.sys.n, (const char *)f.sys.p, (int)tf.name.n,
			   (const char *)tf.name.p);
	idmap_put(&t->by_id, f.id, 0, (u32)t->nr);
	vec_push(t->formats, t->nr, t->cap, f);
}

/* Behind the formats: {u32 size, kallsyms}, {u32 size, printk formats}. */
static struct span printk_formats(const struct pd_tracing *in)
{
	struct cursor c = in->c;

	(void)cur_array(&c, cur_u32(&c), 1);
	return cur_array(&c, cur_u32(&c), 1);
}

static void read_blob(struct tracetext *t, struct span blob, struct diag *diag)
{
	struct perr e = { 0 };
	struct pd_tracepoint tp;
	struct pd_tracing in;
	int got;

	if (pd_tracing_open(blob, &in, &e)) {
		diag_warn(diag, "%s; tracepoints print no text", e.text);
		return;
	}
	t->bigendian = in.big_endian;
	t->long_size = in.long_size == 4 ? 4 : 8;
	while ((got = pd_tracing_next(&in, &tp, &e)) > 0)
		add_format(t, &tp);
	if (got < 0)
		diag_warn(diag, "%s; %zu tracepoint formats could be read", e.text, t->nr);
	else
		t->printk = printk_formats(&in);
}

/* Lines `0xADDR : "text"`. */
static void read_printk_formats(struct tracetext *t)
{
	const u8 *p = t->printk.p, *end = p ? p + t->printk.n : NULL;

	t->printk_read = true;
	for (size_t nr = 0; p < end && nr < MAX_PRINTK_STRINGS; nr++) {
		const u8 *nl = memchr(p, '\n', (size_t)(end - p));
		const u8 *line_end = nl ? nl : end, *quote = memchr(p, '"', (size_t)(line_end - p));
		size_t n = quote ? (size_t)(line_end - quote) : 0;
		char addr[32];

		/* The library strips quotes and a \n without looking how short the text is. */
		if (n >= 4 && n < MAX_PRINTK_LEN) {
			char *text = xstrndup((const char *)quote, n);

			snprintf(addr, sizeof(addr), "%.*s", (int)(quote - p < 31 ? quote - p : 31),
				 (const char *)p);
			if (strlen(text) >= 4)
				(void)tep_register_print_string(t->tep, text,
								strtoull(addr, NULL, 16));
			free(text);
		}
		p = line_end + 1;
	}
}

/* ---- formats ---- */

static struct tep_handle *new_handle(const struct tracetext *t)
{
	struct tep_handle *tep = tep_alloc();

	if (!tep)
		mem_exhausted(sizeof(*t));
	tep_set_file_bigendian(tep, t->bigendian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, (int)t->long_size);
	return tep;
}

/* NULL also where only part of the text is understood: the library leaks what it had by then. */
static struct tep_event *parse_into(struct tep_handle *tep, const struct trace_format *f,
				    const char *text, size_t n, const char *sys)
{
	int err = tep_parse_event(tep, text, n, sys);
	struct tep_event *event = tep_find_event(tep, (int)f->id);

	return !err && event && !(event->flags & TEP_EVENT_FL_FAILED) ? event : NULL;
}

/* Parses the format apart first, so that nothing out of bounds gets into the handle in use. */
static bool format_is_bounded(struct tracetext *t, const struct trace_format *f, const char *text,
			      size_t n, const char *sys)
{
	struct tep_handle *tep = new_handle(t);
	struct tep_event *event = parse_into(tep, f, text, n, sys);
	bool ok = event && tep_get_events_count(tep) == 1 &&
		  tep_find_common_field(event, "common_type") &&
		  trace_fields_are_bounded(event->format.common_fields) &&
		  trace_fields_are_bounded(event->format.fields);

	tep_free(tep);
	return ok;
}

/* In the probing child: all that the library would do with this format, on two payloads. */
static void probe(struct tracetext *t, const struct trace_format *f, const char *text, size_t n,
		  const char *sys)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU };
	const struct rlimit one_second = { 1, 1 };
	struct tep_record rec = { .data = t->buf, .size = TRACE_MAX_REACH };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	struct tep_event *event;

	/* a crash here is expected and nobody's business, nor that of handlers which report it */
	if (null >= 0)
		dup2(null, STDERR_FILENO);
	for (size_t i = 0; i < ARRAY_SIZE(crashes); i++)
		signal(crashes[i], SIG_DFL);
	prctl(PR_SET_DUMPABLE, 0);
	setrlimit(RLIMIT_CPU, &one_second);
	if (!format_is_bounded(t, f, text, n, sys))
		_exit(1);
	event = parse_into(t->tep, f, text, n, sys);
	if (!event)
		_exit(1);
	for (int fill = 0; fill < 2; fill++) {
		memset(t->buf, fill, TRACE_MAX_REACH);
		if (!trace_event_needs_guard(event) || trace_payload_is_safe(t->tep, event, t->buf))
			tep_print_event(t->tep, &t->seq, &rec, "%s", TEP_PRINT_INFO);
	}
	_exit(0);
}

/* How a child that tried the format ended, as waitpid tells; -1 when there was none. */
static int try_format(struct tracetext *t, const struct trace_format *f, const char *text, size_t n,
		      const char *sys)
{
	int status = 0;
	pid_t pid = fork();

	if (pid < 0)
		return -1;
	if (!pid)
		probe(t, f, text, n, sys);
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

static bool is_timeout(int status)
{
	return status != -1 && WIFSIGNALED(status) &&
	       (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL);
}

/*
 * libtraceevent's parser (1.7) reads through null pointers and divides by zero on some texts that a
 * damaged or hostile file may hold. Each format is tried in a child of its own first; twice where
 * that took too long, since a virtual machine that stood still may count that as CPU time.
 */
static bool format_survives(struct tracetext *t, const struct trace_format *f, const char *text,
			    size_t n, const char *sys)
{
	int status;

	/* a file with one format that takes for ever may have many */
	if (t->probe_timed_out)
		return false;
	status = try_format(t, f, text, n, sys);
	if (is_timeout(status))
		status = try_format(t, f, text, n, sys);
	t->probe_timed_out = is_timeout(status);
	return status != -1 && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Parses text as f's format: true when f can be printed by it. */
static bool take_format(struct tracetext *t, struct trace_format *f, const char *text, size_t n)
{
	char *sys = xstrndup((const char *)f->sys.p, f->sys.n);

	if (f->id <= INT32_MAX && format_survives(t, f, text, n, sys))
		f->event = parse_into(t->tep, f, text, n, sys);
	free(sys);
	if (!f->event)
		return false;
	f->min_len = trace_fields_end(f->event->format.fields);
	return true;
}

static bool take_whole_format(struct tracetext *t, struct trace_format *f)
{
	size_t n;
	char *text = traceformat_plain(f->text, f->print_fmt_off, t->long_size, &n);
	bool ok = take_format(t, f, text, n);

	free(text);
	if (ok)
		f->state = trace_event_needs_guard(f->event) ? FORMAT_GUARDED : FORMAT_READY;
	return ok;
}

/* The fields alone: all can be printed, as " name=value". */
static bool take_fields(struct tracetext *t, struct trace_format *f)
{
	char *text =
		xasprintf("%.*sprint fmt: \"\"\n", (int)f->print_fmt_off, (const char *)f->text.p);
	bool ok = take_format(t, f, text, strlen(text));

	free(text);
	if (ok)
		f->state = FORMAT_RAW;
	return ok;
}

static void parse_format(struct tracetext *t, struct trace_format *f)
{
	bool tame = traceformat_is_tame(
		span_of(f->text.p + f->print_fmt_off, f->text.n - f->print_fmt_off));

	f->state = FORMAT_BAD;
	/* Binary formats of ftrace:bprint take their arguments from the payload's own text. */
	if (!strcmp(f->name, "ftrace:bprint")) {
		(void)take_fields(t, f);
		return;
	}
	if (tame && take_whole_format(t, f))
		return;
	f->failed = take_fields(t, f) && tame;
}

static struct trace_format *find_format(const struct tracetext *t, u64 id)
{
	u32 i = idmap_get(&t->by_id, id, 0);

	return i == IDMAP_NONE ? NULL : &t->formats[i];
}

/* ---- public ---- */

static char *resolve_function(void *priv, unsigned long long *addrp, char **modp)
{
	struct tracetext *t = priv;
	const char *module = NULL, *name;
	u64 start = *addrp;

	name = t->resolve ? t->resolve(t->resolve_ctx, *addrp, &start, &module) : NULL;
	if (name) {
		*addrp = start;
		*modp = (char *)module;
	}
	/* The library's type lacks a const. */
	return (char *)name;
}

struct tracetext *tracetext_new(const struct perfdata *pd)
{
	struct tracetext *t = xcalloc(1, sizeof(*t));

	t->long_size = 8;
	if (pd->tracing_data.n)
		read_blob(t, pd->tracing_data, pd->diag);
	tep_set_loglevel(TEP_LOG_NONE);
	t->tep = new_handle(t);
	trace_seq_init(&t->seq);
	t->buf = xcalloc(1, TRACE_BUF_LEN);
	return t;
}

void tracetext_free(struct tracetext *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nr; i++)
		free(t->formats[i].name);
	free(t->formats);
	idmap_fini(&t->by_id);
	trace_seq_destroy(&t->seq);
	tep_free(t->tep);
	free(t->buf);
	free(t);
}

void tracetext_set_resolver(struct tracetext *t, tracetext_resolve_fn fn, void *ctx)
{
	t->resolve = fn;
	t->resolve_ctx = ctx;
	tep_reset_function_resolver(t->tep);
	if (fn)
		(void)tep_set_function_resolver(t->tep, resolve_function, t);
}

static void load_payload(struct tracetext *t, struct span raw)
{
	size_t n = raw.n < TRACE_MAX_REACH ? raw.n : TRACE_MAX_REACH;

	if (n)
		memcpy(t->buf, raw.p, n);
	if (t->dirty > n)
		memset(t->buf + n, 0, t->dirty - n);
	t->dirty = n;
}

static bool print_as(struct tracetext *t, struct out *o, u64 id, u32 cpu, u64 time, struct span raw,
		     bool fields)
{
	struct trace_format *f = find_format(t, id);
	struct tep_record rec = { .ts = time, .cpu = (int)cpu, .data = t->buf };

	if (!f)
		return false;
	if (!t->printk_read)
		read_printk_formats(t);
	if (f->state == FORMAT_NEW)
		parse_format(t, f);
	if (f->state == FORMAT_BAD)
		return false;
	load_payload(t, raw);
	rec.size = (int)(t->dirty > f->min_len ? t->dirty : f->min_len);
	if (f->state == FORMAT_RAW ||
	    (f->state == FORMAT_GUARDED && !trace_payload_is_safe(t->tep, f->event, t->buf)))
		fields = true;
	trace_seq_reset(&t->seq);
	/* what the library says of a print fmt that it does not understand */
	if (f->failed)
		out_str(o, "[FAILED TO PARSE]");
	tep_print_event(t->tep, &t->seq, &rec, "%s", fields ? TEP_PRINT_INFO_RAW : TEP_PRINT_INFO);
	out_mem(o, t->seq.buffer, t->seq.len);
	return true;
}

bool tracetext_print(struct tracetext *t, struct out *o, u64 event_id, u32 cpu, u64 time,
		     struct span raw)
{
	return print_as(t, o, event_id, cpu, time, raw, false);
}

bool tracetext_print_fields(struct tracetext *t, struct out *o, u64 event_id, u32 cpu, u64 time,
			    struct span raw)
{
	return print_as(t, o, event_id, cpu, time, raw, true);
}
