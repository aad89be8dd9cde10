/* SPDX-License-Identifier: MIT */
/* Recordings built for tests of prep, and what prep prints of them. */
#ifndef TESTS_REPORT_PREP_RECORDING_H
#define TESTS_REPORT_PREP_RECORDING_H

#include <unistd.h>

#include "base/mem.h"
#include "fileformat/feature/feature.h"
#include "report/prep/prep_report.h"
#include "tests/frame/build_file.h"
#include "tests/frame/unit.h"

#define MAX_EVENTS 2

/* What the kernel is asked for: any branches, or with chains those of the call stack. */
static inline u64 branch_type(u64 sample_type)
{
	if (!(sample_type & PD_SAMPLE_BRANCH_STACK))
		return 0;
	return sample_type & PD_SAMPLE_CALLCHAIN ? PD_BRANCH_CALL_STACK : 1;
}

struct recording {
	struct bytes b;
	struct file_builder f;
	struct pd_attr attrs[MAX_EVENTS];
	u64 ids[MAX_EVENTS];
	size_t nr;
};

/* feature: PD_FEAT_* of an empty section, 0: none. */
static inline void begin_with(struct recording *r, u64 sample_type, size_t nr_events,
			      unsigned int feature)
{
	static const char *const names[] = { "cpu-clock", "page-faults" };

	*r = (struct recording){ .b = bytes_new(false) };
	r->f.b = &r->b;
	file_begin(&r->f, BUILD_REGULAR);
	for (size_t i = 0; i < nr_events; i++) {
		r->attrs[i] = attr_plain();
		r->attrs[i].config = i ? 2 : 0;
		r->attrs[i].sample_type = sample_type | PD_SAMPLE_IDENTIFIER;
		r->attrs[i].branch_sample_type = branch_type(sample_type);
		r->ids[i] = 10 + i;
		file_add_event(&r->f, &r->attrs[i], &r->ids[i], 1);
	}
	file_event_desc(&r->f, names);
	if (feature)
		file_feature(&r->f, feature);
	file_begin_data(&r->f);
	put_comm(&r->b, 1, 1, "one", &r->attrs[0], NULL);
	put_comm(&r->b, 2, 2, "two", &r->attrs[0], NULL);
}

static inline void begin(struct recording *r, u64 sample_type, size_t nr_events)
{
	begin_with(r, sample_type, nr_events,
		   sample_type & PD_SAMPLE_BRANCH_STACK ? PD_FEAT_BRANCH_STACK : 0);
}

static inline void put(struct recording *r, size_t event, struct sample_parts s)
{
	s.id = r->ids[event];
	put_sample(&r->b, &r->attrs[event], &s);
}

/* What prep prints of it; the recording is over. */
static inline void check_text(struct recording *r, const char *const *args, int err,
			      const char *want)
{
	char path[] = "/tmp/t_prep_modes.XXXXXX";
	int fd = mkstemp(path), argc = 0;
	struct prep_options opt = { 0 };
	struct perfdata *pd = NULL;
	struct verdict *verdict;
	struct diag diag;
	struct reader_command rc = { .prog = "prep",
				     .output = stdout,
				     .messages = stderr,
				     .pager = &opt.pager,
				     .diag = &diag };
	struct perr e = { 0 };
	struct out o;

	file_end(&r->f);
	CHECK(fd >= 0 && write(fd, r->b.p, r->b.n) == (ssize_t)r->b.n);
	close(fd);
	diag_init(&diag);
	CHECK(!pd_open(path, &diag, &pd, &e));
	while (args[argc])
		argc++;
	CHECK_EQ(prep_options_parse(&opt, &diag, argc, (char **)args), -1);
	rc.quality = opt.quality;
	opt.symbols.hermetic = true;
	out_init_mem(&o);
	CHECK_EQ(prep_report(&rc, &opt, pd, &o, &verdict, &e), err);
	verdict_free(verdict);
	out_char(&o, '\0');
	CHECK_STR(o.buf, want);
	out_fini(&o);
	prep_options_fini(&opt);
	pd_close(pd);
	diag_fini(&diag);
	bytes_free(&r->b);
	unlink(path);
}

#define NO_Q(...) ((const char *const[]){ "prep", __VA_ARGS__ NULL })
#define ARGS(...) NO_Q("-q", __VA_ARGS__)

#endif
