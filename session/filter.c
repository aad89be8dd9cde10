/* SPDX-License-Identifier: MIT */
#include "session/filter.h"

#include <ctype.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/option.h"
#include "machine/module_name.h"

#define MAX_CPUS (1u << 20)

static void names_fini(struct name_list *l)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		free(l->names[i]);
	free(l->names);
	*l = (struct name_list){ 0 };
}

void filter_fini(struct filter *f)
{
	names_fini(&f->comms);
	names_fini(&f->dsos);
	names_fini(&f->symbols);
	names_fini(&f->stop_bt);
	free(f->pids.v);
	free(f->tids.v);
	free(f->addrs.v);
	free(f->cpus.bits);
	free(f->parallelism.bits);
	free(f->times);
	*f = (struct filter){ 0 };
}

static int add_names_of_file(struct name_list *l, const char *path, struct perr *e)
{
	FILE *fp = fopen(path, "re");
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (!fp)
		return perr_io(e, "cannot open the list %s", path);
	while ((n = getline(&line, &cap, fp)) > 0) {
		while (n && isspace((unsigned char)line[n - 1]))
			n--;
		if (n)
			vec_push(l->names, l->nr, l->cap, xstrndup(line, (size_t)n));
	}
	free(line);
	fclose(fp);
	return 0;
}

int filter_add_names(struct name_list *l, const char *arg, struct perr *e)
{
	const char *end;
	int err;

	for (;; arg = end + 1) {
		end = strchrnul(arg, ',');
		if (!strncmp(arg, "file://", 7)) {
			char *path = xstrndup(arg + 7, (size_t)(end - arg) - 7);

			err = add_names_of_file(l, path, e);
			free(path);
			if (err)
				return err;
		} else if (end > arg) {
			vec_push(l->names, l->nr, l->cap, xstrndup(arg, (size_t)(end - arg)));
		}
		if (!*end)
			return 0;
	}
}

int filter_add_numbers(struct number_list *l, const char *arg, struct perr *e)
{
	const char *end;
	char word[32];
	u64 v;

	for (;; arg = end + 1) {
		end = strchrnul(arg, ',');
		snprintf(word, sizeof(word), "%.*s", (int)(end - arg), arg);
		if (parse_u64(word, 0, 0, UINT64_MAX, &v))
			return perr_set(e, PERR_USAGE,
					"expected a comma-separated list of numbers, got '%s'",
					arg);
		vec_push(l->v, l->nr, l->cap, v);
		if (!*end)
			return 0;
	}
}

static void add_range(struct number_set *s, u64 from, u64 to)
{
	size_t bytes = to / 8 + 1;

	if (bytes > s->nr / 8) {
		s->bits = xrealloc(s->bits, bytes);
		memset(s->bits + s->nr / 8, 0, bytes - s->nr / 8);
		s->nr = bytes * 8;
	}
	for (; from <= to; from++)
		s->bits[from / 8] |= (u8)(1u << (from % 8));
}

int filter_add_set(struct number_set *s, const char *arg, const char *what, struct perr *e)
{
	const char *end, *dash;
	char a[16], b[16];
	u64 from, to;

	for (;; arg = end + 1) {
		end = strchrnul(arg, ',');
		dash = memchr(arg, '-', (size_t)(end - arg));
		snprintf(a, sizeof(a), "%.*s", (int)((dash ? dash : end) - arg), arg);
		if (dash)
			snprintf(b, sizeof(b), "%.*s", (int)(end - dash - 1), dash + 1);
		else
			snprintf(b, sizeof(b), "%s", a);
		if (parse_u64(a, 10, 0, MAX_CPUS, &from) || parse_u64(b, 10, from, MAX_CPUS, &to))
			return perr_set(e, PERR_USAGE,
					"expected a list of %s such as 0-3,8, got '%s'", what, arg);
		add_range(s, from, to);
		if (!*end)
			return 0;
	}
}

bool number_set_has(const struct number_set *s, u64 n)
{
	return !s->bits || (n < s->nr && s->bits[n / 8] >> (n % 8) & 1);
}

/* "12.5" seconds -> ns; digits beyond the ninth are dropped. */
static int parse_seconds(const char *s, size_t n, u64 *ret)
{
	const char *dot = memchr(s, '.', n);
	size_t whole = dot ? (size_t)(dot - s) : n, i;
	u64 sec = 0, ns = 0, unit = 100000000;

	if (!n)
		return -1;
	for (i = 0; i < whole; i++) {
		if (!isdigit((unsigned char)s[i]) || sec > UINT64_MAX / 10000000000ull)
			return -1;
		sec = sec * 10 + (u64)(s[i] - '0');
	}
	for (i = whole + 1; i < n; i++, unit /= 10) {
		if (!isdigit((unsigned char)s[i]))
			return -1;
		ns += unit * (u64)(s[i] - '0');
	}
	if (sec > UINT64_MAX / 1000000000 - 1)
		return -1;
	*ret = sec * 1000000000 + ns;
	return 0;
}

/* A time in seconds, or with "s" behind it, in seconds since `first`. */
static int parse_time(const char *s, size_t n, u64 first, u64 *ret)
{
	bool since_start = n && s[n - 1] == 's';

	if (parse_seconds(s, n - since_start, ret))
		return -1;
	return since_start && __builtin_add_overflow(*ret, first, ret) ? -1 : 0;
}

static int parse_range(const char *s, size_t n, u64 first, struct time_range *r)
{
	const char *comma = memchr(s, ',', n);
	size_t a = comma ? (size_t)(comma - s) : n, b = comma ? n - a - 1 : 0;

	*r = (struct time_range){ 0, UINT64_MAX };
	if (a && parse_time(s, a, first, &r->start))
		return -1;
	if (b && parse_time(comma + 1, b, first, &r->end))
		return -1;
	return r->end < r->start ? -1 : 0;
}

bool filter_time_needs_range(const char *arg)
{
	return strpbrk(arg, "%s") != NULL;
}

/* One of "10%/2", "10%", "0%-10%". */
static int parse_percent(const char *s, size_t n, u64 first, u64 last, struct time_range *r)
{
	double from, to, len = (double)(last - first);
	char word[64];
	int end = 0;
	unsigned int nth;

	snprintf(word, sizeof(word), "%.*s", (int)n, s);
	if (sscanf(word, " %lf%%/%u %n", &to, &nth, &end) == 2 && end && !word[end] && nth) {
		from = to * (nth - 1);
		to = to * nth;
	} else if ((end = 0, sscanf(word, " %lf%%-%lf%% %n", &from, &to, &end) == 2) && end &&
		   !word[end]) {
	} else if ((end = 0, sscanf(word, " %lf%% %n", &to, &end) == 1) && end && !word[end]) {
		from = 0;
	} else {
		return -1;
	}
	if (!(from >= 0 && to <= 100 && from < to))
		return -1;
	r->start = first + (u64)(from / 100 * len);
	r->end = first + (u64)(to / 100 * len);
	/* neighbouring slices share no sample: a slice that is not the last ends before the next */
	if (to < 100 && r->end)
		r->end--;
	return 0;
}

int filter_set_time(struct filter *f, const char *arg, u64 first, u64 last, struct perr *e)
{
	bool percent = strchr(arg, '%');
	const char *end, *s = arg;
	struct time_range r;
	int bad;

	for (; *s; s = *end ? end + 1 : end) {
		end = strchrnul(s, percent ? ',' : ' ');
		if (end == s)
			continue;
		bad = percent ? parse_percent(s, (size_t)(end - s), first, last, &r)
			      : parse_range(s, (size_t)(end - s), first, &r);
		if (bad)
			return perr_set(
				e, PERR_USAGE,
				"--time: expected START,STOP in seconds as pscript prints them "
				"(12.5,13), since the first sample (60s,70s), or in percent "
				"(10%%/2, 0%%-10%%,30%%-40%%), got '%s'",
				arg);
		vec_push(f->times, f->nr_times, f->cap_times, r);
	}
	return 0;
}

/* True if the pattern matches all of text: * stands for any text, ? for one character. */
static bool matches(const char *pattern, const char *text)
{
	const char *star = NULL, *retry = NULL;

	while (*text) {
		if (*pattern == '*') {
			star = ++pattern;
			retry = text;
		} else if (*pattern == '?' || *pattern == *text) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star;
			text = ++retry;
		} else {
			return false;
		}
	}
	return !pattern[strspn(pattern, "*")];
}

static bool is_pattern(const char *name)
{
	return strpbrk(name, "*?");
}

bool name_list_is_single(const struct name_list *l)
{
	return l->nr == 1 && !is_pattern(l->names[0]);
}

bool name_list_has(const struct name_list *l, const char *name)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (!strcmp(l->names[i], name) ||
		    (is_pattern(l->names[i]) && matches(l->names[i], name)))
			return true;
	return false;
}

static bool number_list_has(const struct number_list *l, u64 v)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (l->v[i] == v)
			return true;
	return false;
}

bool filter_wants_record(const struct filter *f, const struct pd_sample *s)
{
	size_t i;

	if (f->nr_times) {
		for (i = 0; i < f->nr_times; i++)
			if (s->time >= f->times[i].start && s->time <= f->times[i].end)
				break;
		if (i == f->nr_times && s->time)
			return false;
	}
	return number_set_has(&f->cpus, s->cpu);
}

bool filter_wants_thread(const struct filter *f, const struct session *s, const struct thread *th)
{
	if (f->comms.nr && !name_list_has(&f->comms, machine_comm(s->machine, th)))
		return false;
	if (f->pids.nr && !number_list_has(&f->pids, th->pid))
		return false;
	if (f->tids.nr && !number_list_has(&f->tids, th->tid))
		return false;
	return number_set_has(&f->parallelism, machine_parallelism(s->machine));
}

bool filter_needs_frame(const struct filter *f)
{
	return f->dsos.nr || f->symbols.nr;
}

bool filter_wants_dso(const struct filter *f, const struct frame *fr)
{
	const struct dso_desc *d;
	const char *base;
	char jit[40];

	if (!fr->map)
		return false;
	if (name_list_has(&f->dsos, fr->map->dso_name))
		return true;
	d = dso_get_desc(fr->map->dso);
	if (d->kind == DSO_MODULE)
		return name_list_has(&f->dsos, d->module_name) || name_list_has(&f->dsos, d->name);
	if (d->kind == DSO_KERNEL)
		return name_list_has(&f->dsos, module_name_kernel(fr->map->dso_name));
	if (d->kind == DSO_JIT) {
		snprintf(jit, sizeof(jit), "[JIT] tid %d", (int)d->ns_pid);
		return name_list_has(&f->dsos, jit);
	}
	base = strrchr(fr->map->dso_name, '/');
	return base && name_list_has(&f->dsos, base + 1);
}

/* True when 0xADDR of `name` is the symbol's run-time start, the ip, or (--addr-range) reaches it.
 */
static bool wants_address(const struct filter *f, const struct frame *fr, const char *name)
{
	u64 v;

	if (strncmp(name, "0x", 2) || parse_u64(name, 16, 0, UINT64_MAX, &v))
		return false;
	if (fr->has_sym && v == fr->ip - (fr->sym->addr - fr->sym->start))
		return true;
	return fr->ip == v || (fr->ip > v && fr->ip - v < f->addr_range);
}

bool filter_wants_symbol(const struct filter *f, const struct frame *fr)
{
	size_t i;

	if (fr->has_sym && name_list_has(&f->symbols, fr->sym->name))
		return true;
	for (i = 0; i < f->symbols.nr; i++)
		if (wants_address(f, fr, f->symbols.names[i]))
			return true;
	return false;
}

bool filter_wants_frame(const struct filter *f, const struct frame *fr)
{
	if (f->dsos.nr && !filter_wants_dso(f, fr))
		return false;
	return !f->symbols.nr || filter_wants_symbol(f, fr);
}

bool filter_has_conditions(const struct filter *f)
{
	return f->nr_times || f->cpus.bits || f->parallelism.bits || f->comms.nr || f->pids.nr ||
	       f->tids.nr || filter_needs_frame(f);
}
