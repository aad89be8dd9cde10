/* SPDX-License-Identifier: MIT */
/* plat: how long it takes from one event to another, from a perf.data. */
#include <signal.h>
#include <unistd.h>

#include "base/pages.h"
#include "base/sigbus.h"
#include "events/plat_run.h"

int main(int argc, char **argv)
{
	struct plat_options opt = { 0 };
	struct diag diag;
	int ret;

	pages_keep_heap();
	signal(SIGPIPE, SIG_DFL);
	sigbus_explain("plat", _exit);
	diag_init(&diag);
	ret = plat_options_parse(&opt, &diag, argc, argv);
	if (ret < 0) {
		const struct reader_command rc = { .prog = "plat",
						   .output = stdout,
						   .messages = stderr,
						   .pager = &opt.pager,
						   .diag = &diag,
						   .force = opt.symbols.force };

		ret = plat_run(&rc, &opt);
	}
	pager_end(&opt.pager);
	diag_fini(&diag);
	plat_options_fini(&opt);
	return ret;
}
