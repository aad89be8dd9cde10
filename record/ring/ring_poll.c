/* SPDX-License-Identifier: MIT */
#include "record/ring/ring_poll.h"

bool ring_polls_set(const struct rec_ring *rings, size_t nr, struct pollfd *polls)
{
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		const struct rec_ring *ring = &rings[i];

		polls[i] = (struct pollfd){ .fd = ring->nr_fds ? ring->fds[ring->nr_fds - 1] : -1,
					    .events = POLLIN };
		any |= ring->nr_fds > ring->nr_endless;
	}
	return any;
}

bool ring_polls_take(struct rec_ring *rings, size_t nr, const struct pollfd *polls)
{
	bool woken = false;

	for (size_t i = 0; i < nr; i++) {
		struct rec_ring *ring = &rings[i];

		woken |= (polls[i].revents & POLLIN) != 0;
		if (!(polls[i].revents & (POLLHUP | POLLERR | POLLNVAL)))
			continue;
		/* this event's thread has ended: watch the next event that is still open */
		while (ring->nr_fds) {
			struct pollfd p = { .fd = ring->fds[ring->nr_fds - 1], .events = POLLIN };

			if (poll(&p, 1, 0) >= 0 && !(p.revents & (POLLHUP | POLLERR | POLLNVAL)))
				break;
			ring->nr_fds--;
		}
	}
	return woken;
}
