/* SPDX-License-Identifier: MIT */
/*
 * Looks up users in /etc/passwd only. The other sources of nsswitch.conf need the shared C library
 * of the machine, which may not match the one that a static program was built with.
 */
#include "record/host/user_id.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

bool user_id_of_name(const char *name, u32 *ret)
{
	FILE *f = fopen("/etc/passwd", "re");
	struct passwd pw, *found = NULL;
	char buf[4096];
	bool ok = false;

	while (f && !ok && !fgetpwent_r(f, &pw, buf, sizeof(buf), &found)) {
		ok = !strcmp(found->pw_name, name);
		if (ok)
			*ret = found->pw_uid;
	}
	if (f)
		fclose(f);
	return ok;
}
