/* SPDX-License-Identifier: MIT */
#include "record/model/amount_option.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "base/mem.h"
#include "base/option.h"

/* Largest size accepted for -m; the kernel's own limits are far lower. */
#define PAGES_BYTES_MAX (1ull << 40)
/* Longest time accepted, 10^5 days: it does not overflow in ns. */
#define DURATION_MAX_MS (100000ull * 86400000)

struct unit {
	char letter;
	u64 factor;
};

/*
 * Parses decimal digits and a letter of units, which may be missing if no_unit is true. Returns -1
 * for other text.
 */
static int amount_parse(const char *text, const struct unit *units, size_t nr, bool no_unit,
			u64 *ret)
{
	size_t digits = strspn(text, "0123456789");
	char *end;
	u64 v;

	if (!digits)
		return -1;
	errno = 0;
	v = strtoull(text, &end, 10);
	if (errno)
		return -1;
	if (!*end) {
		*ret = v;
		return no_unit ? 0 : -1;
	}
	for (size_t i = 0; i < nr; i++)
		if (tolower((unsigned char)*end) == units[i].letter && !end[1])
			return __builtin_mul_overflow(v, units[i].factor, ret) ? -1 : 0;
	return -1;
}

static const struct unit size_units[] = {
	{ 'b', 1 }, { 'k', 1 << 10 }, { 'm', 1 << 20 }, { 'g', 1 << 30 }
};

int size_option_parse(const char *text, u64 *ret, struct perr *e)
{
	if (amount_parse(text, size_units, ARRAY_SIZE(size_units), true, ret))
		return perr_set(e, PERR_USAGE,
				"expected a size such as 4096, 512K, 2M or 1G, got '%.40s'", text);
	return 0;
}

static const struct unit time_units[] = {
	{ 's', 1000 }, { 'm', 60 * 1000 }, { 'h', 3600 * 1000 }, { 'd', 86400 * 1000 }
};

/*
 * Parses decimal digits with at most 9 behind a point, and a unit: "1.5h". Without a unit it is in
 * seconds. Returns -1 for other text and for more than 10^5 days.
 */
static int duration_parse(const char *text, u64 *ret_ms)
{
	static const char digit[] = "0123456789";
	size_t whole = strspn(text, digit), part = 0;
	const char *unit = text + whole;
	u64 factor = 1000, v = 0, tenth = 1, fraction = 0;

	if (*unit == '.') {
		part = strspn(unit + 1, digit);
		for (size_t i = 0; i < part && i < 9; i++, tenth *= 10)
			fraction = fraction * 10 + (u64)(unit[1 + i] - '0');
		unit += 1 + part;
	}
	if (!(whole || part) || part > 9)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(time_units) && *unit; i++)
		if (tolower((unsigned char)*unit) == time_units[i].letter && !unit[1]) {
			factor = time_units[i].factor;
			unit++;
		}
	if (!strcasecmp(unit, "ms")) {
		factor = 1;
		unit += 2;
	}
	errno = 0;
	if (whole)
		v = strtoull(text, NULL, 10);
	if (*unit || errno || v > DURATION_MAX_MS / factor)
		return -1;
	/* rounded up, so that only a time of 0 becomes 0 */
	*ret_ms = v * factor + (fraction * factor + tenth - 1) / tenth;
	return 0;
}

int duration_option_parse(const char *text, u64 *ret_ms, struct perr *e)
{
	u64 v;

	if (duration_parse(text, &v) || !v)
		return perr_set(e, PERR_USAGE,
				"expected a time such as 10 (seconds), 0.5s, 30s or 5m (ms, s, m, "
				"h, d), got '%.40s'",
				text);
	*ret_ms = v;
	return 0;
}

int pages_option_parse(const char *text, size_t page_size, u64 *ret, bool *rounded, struct perr *e)
{
	u64 bytes = 0, power = page_size;
	bool is_pages = text[0] && isdigit((unsigned char)text[strlen(text) - 1]);

	if (amount_parse(text, size_units, ARRAY_SIZE(size_units), true, &bytes) ||
	    (is_pages && __builtin_mul_overflow(bytes, page_size, &bytes)) ||
	    bytes > PAGES_BYTES_MAX)
		return perr_set(e, PERR_USAGE,
				"expected a number of pages or a size such as 512K or 4M, up to "
				"1024G, got '%.40s'",
				text);
	while (power < bytes)
		power <<= 1;
	*rounded = power != bytes;
	*ret = power;
	return 0;
}

int switch_option_parse(const char *text, struct rec_opts *o, struct perr *e)
{
	u64 v;

	if (!text || !strcmp(text, "signal")) {
		o->switch_output = REC_SWITCH_SIGNAL;
	} else if (!amount_parse(text, size_units, ARRAY_SIZE(size_units), false, &v) &&
		   !strpbrk(text, "m")) {
		/* "5M" is a size, but "5m" is 5 minutes */
		o->switch_output = REC_SWITCH_SIZE;
		o->switch_bytes = v;
	} else if (!amount_parse(text, time_units, ARRAY_SIZE(time_units), false, &v)) {
		o->switch_output = REC_SWITCH_TIME;
		o->switch_ms = v;
	} else {
		goto bad;
	}
	if (o->switch_output != REC_SWITCH_SIGNAL && !v)
		goto bad;
	return 0;
bad:
	return perr_set(e, PERR_USAGE,
			"expected signal, a size such as 100M (B, K, M, G) or a time such as 30s "
			"(s, m, h, d), got '%.40s'",
			text);
}

/* Parses "10-20" at *s and moves *s behind it. Returns -1 for other text. */
static int range_parse(const char **s, struct rec_range *ret)
{
	char *end;

	if (!isdigit((unsigned char)**s))
		return -1;
	errno = 0;
	ret->start_ms = strtoull(*s, &end, 10);
	if (*end != '-' || !isdigit((unsigned char)end[1]))
		return -1;
	ret->end_ms = strtoull(end + 1, &end, 10);
	*s = end;
	return errno || ret->end_ms <= ret->start_ms ? -1 : 0;
}

int delay_option_parse(const char *text, struct rec_opts *o, struct perr *e)
{
	struct rec_range *ranges = NULL, r;
	size_t nr = 0, cap = 0;
	const char *s = text;
	u64 ms;

	if (!strcmp(text, "-1")) {
		o->has_delay = true;
		o->delay_ms = -1;
	} else if (!parse_u64(text, 10, 0, INT32_MAX, &ms)) {
		o->has_delay = ms != 0;
		o->delay_ms = (s64)ms;
	} else {
		for (;;) {
			if (range_parse(&s, &r) || (nr && r.start_ms <= ranges[nr - 1].end_ms) ||
			    r.end_ms > INT32_MAX)
				goto bad;
			vec_push(ranges, nr, cap, r);
			if (*s != ',')
				break;
			s++;
		}
		if (*s)
			goto bad;
		o->has_delay = true;
		o->delay_ms = (s64)ranges[0].start_ms;
	}
	free(o->ranges);
	o->ranges = ranges;
	o->nr_ranges = nr;
	return 0;
bad:
	free(ranges);
	return perr_set(e, PERR_USAGE,
			"expected milliseconds, -1 or ascending ranges such as 10-20,30-40, got "
			"'%.40s'",
			text);
}

int clock_option_parse(const char *text, s32 *ret, struct perr *e)
{
	static const struct {
		const char *name;
		s32 id;
	} clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "mono", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
		{ "raw", CLOCK_MONOTONIC_RAW },
		{ "realtime", CLOCK_REALTIME },
		{ "real", CLOCK_REALTIME },
		{ "boottime", CLOCK_BOOTTIME },
		{ "boot", CLOCK_BOOTTIME },
		{ "tai", CLOCK_TAI },
	};
	const char *name = !strncasecmp(text, "CLOCK_", 6) ? text + 6 : text;
	u64 v;

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (!strcasecmp(name, clocks[i].name)) {
			*ret = clocks[i].id;
			return 0;
		}
	}
	if (parse_u64(text, 10, 0, INT32_MAX, &v))
		return perr_set(e, PERR_USAGE,
				"expected monotonic, monotonic_raw, realtime, boottime, tai "
				"or a clock number of clock_gettime, got '%.40s'",
				text);
	*ret = (s32)v;
	return 0;
}
