/* SPDX-License-Identifier: MIT */
/* The look of code at first, by perf's section [annotate] of ~/.perfconfig. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/code/code_view.h"
#include "symbols/find/perf_config.h"

/* As perf reads its switches: anything but these words is yes. */
static bool config_bool(const char *key, bool otherwise)
{
	char *value = perf_config_value("annotate", key);
	bool yes = otherwise;

	if (value)
		yes = strcasecmp(value, "no") && strcasecmp(value, "false") &&
		      strcasecmp(value, "off") && strcmp(value, "0");
	free(value);
	return yes;
}

void code_look_init(struct code_look *look, const struct annot_style *style)
{
	char *level = perf_config_value("annotate", "offset_level");

	*look = (struct code_look){ .style = *style,
				    .source = !config_bool("hide_src_code", true),
				    .numbers = config_bool("show_linenr", false),
				    .raw = !config_bool("use_offset", true),
				    .no_arrows = !config_bool("jump_arrows", true),
				    .count_jumps = config_bool("show_nr_jumps", false),
				    .offsets = 1 };
	if (level && *level >= '1' && *level <= '3' && !level[1])
		look->offsets = *level - '0';
	free(level);
	if (style->value != ANNOT_PERCENT)
		return;
	if (config_bool("show_total_period", false))
		look->style.value = ANNOT_PERIOD;
	else if (config_bool("show_nr_samples", false))
		look->style.value = ANNOT_SAMPLES;
}
