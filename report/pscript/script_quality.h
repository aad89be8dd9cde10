/* SPDX-License-Identifier: MIT */
/* What pscript says at its end of how far the recording can be trusted: --quality. */
#ifndef REPORT_PSCRIPT_SCRIPT_QUALITY_H
#define REPORT_PSCRIPT_SCRIPT_QUALITY_H

#include "report/pscript/script.h"

/*
 * Tells it on standard error, with the warnings of diag where a form was asked for. Names and
 * stacks are judged by counting the recording once more, so printing is as fast as without; of a
 * stream, which cannot be read again, losses are all that is told. `complete`: printing did not
 * fail.
 */
void script_quality_tell(const struct script *p, bool complete, struct diag *diag);

#endif
