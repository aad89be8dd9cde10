/* SPDX-License-Identifier: MIT */
/* Users by name. user_id_passwd.c stands in for user_id_nss.c in static builds. */
#ifndef RECORD_HOST_USER_ID_H
#define RECORD_HOST_USER_ID_H

#include "base/types.h"

/* The number of the user of that name; false: there is none, or nobody knows. */
bool user_id_of_name(const char *name, u32 *ret);

#endif
