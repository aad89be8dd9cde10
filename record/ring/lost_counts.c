/* SPDX-License-Identifier: MIT */
#include "record/ring/lost_counts.h"

#include <unistd.h>

#include "fileformat/write/record_encode.h"

/*
 * Returns the lost count in the words that reading an event with this read_format has returned; 0:
 * the format has none. The words are {value, [enabled], [running], [id], [lost]}, or for a group
 * {nr, [enabled], [running], {value, ..}}.
 */
static u64 lost_count_of(u64 read_format, const u64 *words, size_t nr)
{
	size_t at = 1;

	if (!(read_format & PD_FORMAT_LOST))
		return 0;
	at += !!(read_format & PD_FORMAT_TOTAL_TIME_ENABLED);
	at += !!(read_format & PD_FORMAT_TOTAL_TIME_RUNNING);
	at += !!(read_format & PD_FORMAT_ID);
	at += !!(read_format & PD_FORMAT_GROUP);
	return at < nr ? words[at] : 0;
}

void lost_counts_read(struct rec_evlist *l, struct rec_copier *c, struct wbuf *out)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct rec_event *ev = l->events[i];
		u64 sum;
		/* reading a group's leader returns its members as well */
		u64 words[4 + 3 * 64];

		copier_event_counts(c, i, &ev->nr_samples, &sum);
		for (size_t k = 0; k < ev->nr_fds; k++) {
			ssize_t n;
			u64 lost;

			if (ev->fds[k] < 0)
				continue;
			n = read(ev->fds[k], words, sizeof(words));
			lost = n > 0 ? lost_count_of(ev->attr.read_format, words,
						     (size_t)n / sizeof(*words))
				     : 0;
			sum += lost;
			if (lost)
				pd_put_lost_samples(out, &ev->attr, lost, ev->ids[k]);
		}
		ev->nr_lost = sum + copier_dropped(c)->events[i].nr;
	}
}
