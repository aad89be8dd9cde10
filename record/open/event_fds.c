/* SPDX-License-Identifier: MIT */
#include "record/open/event_fds.h"

#include <unistd.h>

#include "base/mem.h"

void event_fds_resize(struct rec_event *ev, size_t nr_cpus, size_t nr_threads,
		      size_t threads_before)
{
	size_t nr = nr_cpus * nr_threads;
	int *fds = xcalloc(nr + 1, sizeof(*fds));
	u64 *ids = xcalloc(nr + 1, sizeof(*ids));

	for (size_t k = 0; k < nr; k++) {
		size_t cpu = k / nr_threads, th = k % nr_threads;
		size_t was = cpu * threads_before + th;

		fds[k] = -1;
		if (th < threads_before && was < ev->nr_fds) {
			fds[k] = ev->fds[was];
			ids[k] = ev->ids[was];
		}
	}
	free(ev->fds);
	free(ev->ids);
	ev->fds = fds;
	ev->ids = ids;
	ev->nr_fds = nr;
}

void event_fds_close_at(struct rec_event *ev, size_t place)
{
	if (ev->fds[place] >= 0)
		close(ev->fds[place]);
	ev->fds[place] = -1;
	ev->ids[place] = 0;
}

void event_fds_close(struct rec_event *ev)
{
	for (size_t i = 0; i < ev->nr_fds; i++)
		event_fds_close_at(ev, i);
}

bool event_fds_any(const struct rec_event *ev)
{
	for (size_t i = 0; i < ev->nr_fds; i++)
		if (ev->fds[i] >= 0)
			return true;
	return false;
}
