/* SPDX-License-Identifier: MIT */
/* Looks up users in the sources that nsswitch.conf names. */
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
