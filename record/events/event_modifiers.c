/* SPDX-License-Identifier: MIT */
#include "record/events/event_modifiers.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"

int event_modifiers_parse(const char *s, size_t len, struct event_modifiers *ret, size_t *ret_pos,
			  struct perr *e)
{
	struct event_modifiers m = { .given = len > 0 };

	for (size_t i = 0; i < len; i++) {
		bool twice = s[i] != 'p' && memchr(s, s[i], i);

		switch (s[i]) {
		case 'u': m.user = true; break;
		case 'k': m.kernel = true; break;
		case 'h': m.hypervisor = true; break;
		case 'G': m.guest = true; break;
		case 'H': m.host = true; break;
		case 'I': m.idle_excluded = true; break;
		case 'p': twice = ++m.precise > 3; break;
		case 'P': m.precise_max = true; break;
		case 'S': m.sample_read = true; break;
		case 'D': m.pinned = true; break;
		case 'W': m.weak = true; break;
		case 'e': m.exclusive = true; break;
		/* accepted as by perf record; counting by BPF concerns perf stat only */
		case 'b': break;
		default:
			*ret_pos = i;
			return perr_set(e, PERR_USAGE, "unknown event modifier '%c'", s[i]);
		}
		if (twice) {
			*ret_pos = i;
			return perr_set(e, PERR_USAGE, "modifier '%c' is given %s", s[i],
					s[i] == 'p' ? "more than three times" : "twice");
		}
	}
	*ret = m;
	return 0;
}

static void put_flag(struct pd_attr *a, enum pd_attr_flag flag, bool on)
{
	a->flags = (a->flags & ~(1ull << flag)) | (u64)on << flag;
}

static void apply_levels(const struct event_modifiers *m, struct pd_attr *a)
{
	bool user = pd_attr_has(a, PD_ATTR_EXCLUDE_USER);
	bool kernel = pd_attr_has(a, PD_ATTR_EXCLUDE_KERNEL);
	bool hv = pd_attr_has(a, PD_ATTR_EXCLUDE_HV);

	/* the first level that is named excludes the others; further levels are included again */
	if (!user && !kernel && !hv && (m->user || m->kernel || m->hypervisor))
		user = kernel = hv = true;
	put_flag(a, PD_ATTR_EXCLUDE_USER, user && !m->user);
	put_flag(a, PD_ATTR_EXCLUDE_KERNEL, kernel && !m->kernel);
	put_flag(a, PD_ATTR_EXCLUDE_HV, hv && !m->hypervisor);
}

static void apply_guest(const struct event_modifiers *m, struct pd_attr *a, bool *guest_given)
{
	bool host = pd_attr_has(a, PD_ATTR_EXCLUDE_HOST);
	bool guest = pd_attr_has(a, PD_ATTR_EXCLUDE_GUEST);

	if (!*guest_given && (m->user || m->precise))
		guest = true;
	if (!*guest_given && (m->guest || m->host))
		host = guest = *guest_given = true;
	put_flag(a, PD_ATTR_EXCLUDE_HOST, host && !m->host);
	put_flag(a, PD_ATTR_EXCLUDE_GUEST, guest && !m->guest);
}

int event_modifiers_apply(const struct event_modifiers *m, struct rec_event *ev, bool is_group,
			  bool *guest_given, struct perr *e)
{
	struct pd_attr *a = &ev->attr;
	unsigned int precise = pd_attr_precise(a) + m->precise;

	if (!m->given)
		return 0;
	if (precise > 3)
		return perr_set(
			e, PERR_USAGE,
			"modifier 'p' is given more than three times for event '%s' and its "
			"group in total",
			ev->name);
	if (!is_group) {
		*guest_given = false;
		put_flag(a, PD_ATTR_EXCLUDE_GUEST, false);
	}
	apply_levels(m, a);
	apply_guest(m, a, guest_given);
	a->flags &= ~(3ull << PD_ATTR_PRECISE_IP);
	a->flags |= (u64)precise << PD_ATTR_PRECISE_IP;
	if (m->idle_excluded)
		put_flag(a, PD_ATTR_EXCLUDE_IDLE, true);
	/* the kernel accepts these two modifiers for leaders only */
	if (!is_group || ev->idx == ev->leader_idx) {
		if (m->pinned)
			put_flag(a, PD_ATTR_PINNED, true);
		if (m->exclusive)
			put_flag(a, PD_ATTR_EXCLUSIVE, true);
	}
	ev->precise_max |= m->precise_max;
	ev->sample_read |= m->sample_read;
	ev->weak_group |= m->weak;
	ev->levels_given |= m->user || m->kernel || m->hypervisor;
	return 0;
}

char *event_name_most_precise(const char *name)
{
	size_t start = strlen(name), n;
	char *ret = xasprintf("%s:P", name);

	while (start && isalpha((unsigned char)name[start - 1]))
		start--;
	if (!start || !strchr(":/", name[start - 1]))
		return ret;
	n = start;
	for (const char *c = name + start; *c; c++)
		if (*c != 'p')
			ret[n++] = *c;
	ret[n++] = 'P';
	ret[n] = 0;
	return ret;
}
