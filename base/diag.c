/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include <stdarg.h>

#include "base/mem.h"
#include "base/screen/screen_rows.h"

#define DIAG_MAX 64 /* the most distinct warnings that are kept */

void diag_init(struct diag *d)
{
	*d = (struct diag){ .lock = PTHREAD_MUTEX_INITIALIZER };
}

void diag_fini(struct diag *d)
{
	size_t i;

	for (i = 0; i < d->nr; i++)
		free(d->entries[i].text);
	free(d->entries);
	diag_init(d);
}

/* Adds a text to the list or counts it again. d->lock is held. */
static void diag_count_text(struct diag *d, const char *text)
{
	size_t i;

	for (i = 0; i < d->nr; i++) {
		if (!strcmp(d->entries[i].text, text)) {
			d->entries[i].count++;
			return;
		}
	}
	if (d->nr >= DIAG_MAX) {
		d->nr_dropped++;
		return;
	}
	vec_push(d->entries, d->nr, d->cap, ((struct diag_entry){ xstrdup(text), 1 }));
}

void diag_warn(struct diag *d, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (!d)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	pthread_mutex_lock(&d->lock);
	diag_count_text(d, text);
	pthread_mutex_unlock(&d->lock);
}

void diag_print(struct diag *d, const char *prog, FILE *f)
{
	size_t i;

	for (i = 0; f && i < d->nr; i++) {
		if (d->entries[i].count > 1)
			screen_message(f, "%s: warning: %s (%llu times)", prog, d->entries[i].text,
				       (unsigned long long)d->entries[i].count);
		else
			screen_message(f, "%s: warning: %s", prog, d->entries[i].text);
	}
	if (f && d->nr_dropped)
		screen_message(f, "%s: warning: %llu more warnings of other kinds", prog,
			       (unsigned long long)d->nr_dropped);
	diag_fini(d);
}
