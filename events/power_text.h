/* SPDX-License-Identifier: MIT */
/* A distribution as lines of powers of two, as bpftrace writes them. */
#ifndef EVENTS_POWER_TEXT_H
#define EVENTS_POWER_TEXT_H

#include "base/out.h"
#include "events/distribution.h"

void power_text_put(struct out *o, const struct distribution *d);

#endif
