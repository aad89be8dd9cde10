/* SPDX-License-Identifier: MIT */
#include "count/tables/count_seen.h"

bool count_map_is_file(const struct map *m)
{
	return !m->identity && !m->timed && dso_get_desc(m->dso)->kind == DSO_USER;
}

bool count_map_has_function(const struct map *m, u64 ip)
{
	struct sym_hit hit;

	return count_map_is_file(m) && map_is_code(m) &&
	       dso_find(m->dso, ip, m->start, m->pgoff, &hit);
}

bool count_seen_key(const struct map *m, u64 ip, struct count_seen *ret)
{
	enum dso_kind kind = dso_get_desc(m->dso)->kind;

	if (count_map_is_file(m))
		*ret = (struct count_seen){ map_ip_to_addr(m, ip), m->dso, m->dso_name };
	else if (m->kernel && (kind == DSO_KERNEL || kind == DSO_MODULE))
		*ret = (struct count_seen){ ip, m };
	else
		return false;
	return true;
}
