/* SPDX-License-Identifier: MIT */
/* Looks up users by name. Static builds use user_id_passwd.c instead of user_id_nss.c. */
#ifndef RECORD_HOST_USER_ID_H
#define RECORD_HOST_USER_ID_H

#include "base/types.h"

/* Sets *ret to the user id of the user `name`. Returns false if no such user is found. */
bool user_id_of_name(const char *name, u32 *ret);

#endif
