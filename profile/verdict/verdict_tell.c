/* SPDX-License-Identifier: MIT */
/* --quality: which form of the verdict is printed where. */
#include "base/screen/message.h"
#include "base/screen/screen_rows.h"
#include "profile/verdict/verdict_brief.h"
#include "profile/verdict/verdict_text.h"

int verdict_form_parse(const char *text)
{
	static const char *const names[] = { "text", "json", "none" };

	for (int i = 0; i < (int)ARRAY_SIZE(names); i++)
		if (!strcmp(text, names[i]))
			return i;
	return -1;
}

/* Prints verdicts that nobody asked for: on a terminal a few rows, otherwise alarms only. */
static void tell_in_brief(struct out *o, const char *prog, const struct verdict *const *verdicts,
			  size_t nr)
{
	unsigned int columns = screen_columns(o->f), rows = VERDICT_BRIEF_ROWS;

	if (nr)
		rows = nr < rows ? rows / (unsigned int)nr : 1;

	for (size_t i = 0; i < nr; i++) {
		if (columns)
			verdict_print_brief(o, prog, verdicts[i], nr > 1, columns, rows);
		else
			verdict_print_alarm(o, prog, verdicts[i], nr > 1);
	}
}

void verdict_tell(FILE *f, const char *prog, enum verdict_form form,
		  const struct verdict *const *verdicts, size_t nr, struct diag *diag)
{
	struct out o;

	if (form != VERDICT_JSON)
		diag_print(diag, prog, f);
	message_out(&o, f);
	for (size_t i = 0; form == VERDICT_TEXT && i < nr; i++)
		verdict_print_text(&o, prog, verdicts[i], nr > 1);
	if (form == VERDICT_BRIEF)
		tell_in_brief(&o, prog, verdicts, nr);
	if (form == VERDICT_JSON) {
		o.escape = false; /* it escapes as JSON does */
		verdict_print_json(&o, prog, verdicts, nr, diag);
		out_char(&o, '\n');
		diag_fini(diag);
	}
	(void)out_fini(&o); /* an error cannot be reported: it is standard error that failed */
}

int verdict_form_option(void *form, const char *arg, struct perr *e)
{
	int got = arg ? verdict_form_parse(arg) : VERDICT_NONE;

	if (got < 0)
		return perr_set(e, PERR_USAGE, "expected text, json or none, got '%s'", arg);
	*(enum verdict_form *)form = (enum verdict_form)got;
	return 0;
}
