/* SPDX-License-Identifier: MIT */
#include "report/tui/tui_start.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/pager.h"
#include "report/tui/key_names.h"
#include "report/tui/screen_curses.h"
#include "report/tui/screen_mem.h"
#include "symbols/find/perf_config.h"

#define SIDE_MAX 2000 /* columns and rows of a screen in memory */

/* As perf reads its switches: anything but these words is yes. */
static bool config_says_no(const char *command)
{
	static const char *const words[] = { "no", "false", "off", "0" };
	char *value = perf_config_value("tui", command);
	bool no = false;

	for (size_t i = 0; value && i < ARRAY_SIZE(words); i++)
		no |= !strcasecmp(value, words[i]);
	free(value);
	return no;
}

static bool is_usual_here(const char *command)
{
	const char *term = getenv("TERM"), *ui = getenv("PREP_UI");

	return isatty(STDOUT_FILENO) && term && strcmp(term, "dumb") &&
	       !(ui && !strcmp(ui, "stdio")) && !config_says_no(command) &&
	       screen_curses_can_open();
}

int tui_start_settle(struct tui_start *ui, const char *command, bool text, struct perr *e)
{
	bool asked = (ui->tui || ui->keys) && !ui->stdio;

	if (asked && text)
		return perr_set(
			e, PERR_USAGE,
			"--tui is interactive, and other options ask for text: leave one out");
	ui->shown = asked || (!text && !ui->stdio && is_usual_here(command));
	return 0;
}

static int parse_size(const char *text, int *rows, int *cols, struct perr *e)
{
	char *end;
	long x = strtol(text, &end, 10), y = *end == 'x' ? strtol(end + 1, &end, 10) : 0;

	if (*end || x < 1 || y < 1 || x > SIDE_MAX || y > SIDE_MAX)
		return perr_set(e, PERR_USAGE, "--screen: expected COLUMNSxROWS, got '%s'", text);
	*cols = (int)x;
	*rows = (int)y;
	return 0;
}

int tui_start_open(const struct tui_start *ui, bool color, struct screen **ret, int **ret_keys,
		   struct perr *e)
{
	int rows = 24, cols = 80, err;
	size_t nr;

	*ret_keys = NULL;
	if (!ui->keys)
		return screen_curses_open(color, ret, e);
	err = key_names_parse(ui->keys, ret_keys, &nr, e);
	if (!err && ui->screen)
		err = parse_size(ui->screen, &rows, &cols, e);
	if (!err)
		*ret = screen_mem_new(rows, cols, pager_shows_utf8(), *ret_keys, nr);
	return err;
}

void tui_start_close(const struct tui_start *ui, struct screen *s, struct out *o)
{
	if (ui->keys)
		screen_mem_dump(s, o);
	s->ops->close(s);
}
