/* SPDX-License-Identifier: MIT */
/* --quality: pscript's verdict on how far the recording can be trusted. */
#ifndef REPORT_PSCRIPT_SCRIPT_QUALITY_H
#define REPORT_PSCRIPT_SCRIPT_QUALITY_H

#include "report/pscript/script.h"

/*
 * Prints the collected warnings and the verdict on standard error. It names losses only, unless
 * --quality=text or json was given: then names and stacks are judged by counting the recording once
 * more, so that printing is as fast as without a verdict. A stream cannot be read again: its
 * verdict names losses only. complete: all samples were printed without an error.
 */
void script_quality_tell(const struct script *p, bool complete);

#endif
