/* SPDX-License-Identifier: MIT */
/*
 * Makes the feature CPU_DOMAIN_INFO from /proc/schedstat, if the kernel has that file:
 *
 *	version 17
 *	timestamp 4294892296
 *	cpu0 0 0 0 ...
 *	domain0 MC 00000003 ...		(before version 17: no name)
 */
#include "record/header/host_features_priv.h"

#include <ctype.h>

#include "base/mem.h"
#include "record/header/host_text.h"

#define SCHEDSTAT_MAX (16u << 20)
#define NAMED_VERSION 17
/* Limit of the characters of a mask; 8 hexadecimal digits and a comma stand for 32 CPUs. */
#define MASK_MAX 4096

struct line {
	const char *p;
	size_t n;
};

/* Returns the next word of the line, an empty one at its end. */
static struct line next_word(struct line *l)
{
	struct line w;

	while (l->n && isspace((unsigned char)*l->p)) {
		l->p++;
		l->n--;
	}
	w = (struct line){ l->p, 0 };
	while (w.n < l->n && !isspace((unsigned char)l->p[w.n]))
		w.n++;
	l->p += w.n;
	l->n -= w.n;
	return w;
}

static bool numbered_word(struct line w, const char *stem, u32 *ret)
{
	char *text = xstrndup(w.p, w.n);
	bool ok = host_numbered(text, stem, ret);

	free(text);
	return ok;
}

/* Appends the range [first, last] of CPU numbers. */
static void put_range(struct wbuf *list, u32 first, u32 last)
{
	char text[32];
	int n = first == last ? snprintf(text, sizeof(text), "%u", first)
			      : snprintf(text, sizeof(text), "%u-%u", first, last);

	if (list->n)
		wb_u8(list, ',');
	wb_mem(list, text, (size_t)n);
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/*
 * Converts a mask such as "00000000,00000013" to a list such as "0-1,4" with a NUL. Returns false
 * for other text.
 */
static bool put_list_of_mask(struct wbuf *list, struct line mask)
{
	u32 cpu = 0, first = UINT32_MAX;
	size_t i;
	int bit, v;

	for (i = mask.n; i-- > 0;) {
		if (mask.p[i] == ',')
			continue;
		v = hex_digit(mask.p[i]);
		if (v < 0)
			return false;
		for (bit = 0; bit < 4; bit++, cpu++) {
			if (v >> bit & 1) {
				if (first == UINT32_MAX)
					first = cpu;
			} else if (first != UINT32_MAX) {
				put_range(list, first, cpu - 1);
				first = UINT32_MAX;
			}
		}
	}
	if (first != UINT32_MAX)
		put_range(list, first, cpu - 1);
	wb_u8(list, '\0');
	return mask.n > 0;
}

static void put_word(struct wbuf *b, struct line w)
{
	char *text = xstrndup(w.p, w.n);

	pd_put_string(b, text);
	free(text);
}

static bool put_domain(struct wbuf *b, struct line l, u32 domain, u32 version)
{
	struct wbuf list = { 0 };
	struct line mask;
	bool ok;

	wb_u32(b, domain);
	if (version >= NAMED_VERSION)
		put_word(b, next_word(&l));
	mask = next_word(&l);
	ok = mask.n <= MASK_MAX && put_list_of_mask(&list, mask);
	if (ok) {
		put_word(b, mask);
		pd_put_string(b, (const char *)list.p);
	}
	wb_fini(&list);
	return ok;
}

struct domains {
	u32 version, max_domains, nr_cpus;
	size_t count_at; /* offset of the current CPU's number of domains */
	u32 nr_of_cpu;
};

static bool put_line(struct wbuf *b, struct line l, struct domains *d)
{
	struct line w = next_word(&l);
	u32 n;

	if (numbered_word(w, "cpu", &n)) {
		wb_u32(b, n);
		d->count_at = b->n;
		d->nr_of_cpu = 0;
		d->nr_cpus++;
		wb_u32(b, 0);
	} else if (numbered_word(w, "domain", &n)) {
		if (!d->nr_cpus || !put_domain(b, l, n, d->version))
			return false;
		wb_set_u32(b, d->count_at, ++d->nr_of_cpu);
		if (d->nr_of_cpu > d->max_domains)
			d->max_domains = d->nr_of_cpu;
	}
	return true;
}

bool host_cpu_domains(struct wbuf *b, const struct rec_host *h)
{
	char *text = host_whole(SCHEDSTAT_MAX, NULL, h->procfs, "schedstat");
	struct domains d = { 0 };
	struct cpu_list online;
	const char *p, *nl;
	size_t at = b->n;
	bool ok = false;

	if (!text)
		return false;
	if (sscanf(text, "version %u", &d.version) != 1)
		goto out;
	wb_u32(b, d.version);
	wb_u32(b, 0);
	for (p = text; *p; p = nl + 1) {
		nl = strchr(p, '\n');
		if (!nl || !put_line(b, (struct line){ p, (size_t)(nl - p) }, &d))
			goto out;
	}
	wb_set_u32(b, at + 4, d.max_domains);
	/* readers expect as many CPUs as NRCPUS says are online */
	ok = d.max_domains && host_cpu_list(&online, h->sysfs, "devices/system/cpu/online");
	if (ok) {
		ok = online.nr == d.nr_cpus;
		cpu_list_fini(&online);
	}
out:
	free(text);
	return ok;
}
