/* SPDX-License-Identifier: MIT */
/* Users as the machine knows them, from wherever its nsswitch.conf says. */
#include "record/host/user_id.h"

#include <pwd.h>

bool user_id_of_name(const char *name, u32 *ret)
{
	struct passwd pw, *found = NULL;
	char buf[4096];

	if (getpwnam_r(name, &pw, buf, sizeof(buf), &found) || !found)
		return false;
	*ret = found->pw_uid;
	return true;
}
