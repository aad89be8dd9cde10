/* SPDX-License-Identifier: MIT */
#include "session/sample_range.h"

#include "fileformat/feature/feature.h"
#include "fileformat/sample.h"

static int scan(struct perfdata *pd, u64 *first, u64 *last, struct perr *e)
{
	struct pd_record r;
	int got;
	u64 t;

	while ((got = pd_next(pd, &r, e)) == 1) {
		if (r.type != PD_RECORD_SAMPLE)
			continue;
		t = pd_record_time(pd, &r);
		if (!t || t == UINT64_MAX)
			continue;
		if (t < *first)
			*first = t;
		if (t > *last)
			*last = t;
		pd_forget_before(pd, r.file_idx, r.off);
	}
	/* damage at the end does not void the times before it */
	return *last ? 0 : perr_set(e, PERR_NOTFOUND, "no sample with a time was found");
}

int sample_range(struct perfdata *pd, u64 *ret_first, u64 *ret_last, struct perr *e)
{
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_SAMPLE_TIME);
	u64 first = UINT64_MAX, last = 0;
	struct diag *diag = pd->diag;
	struct pd_sample_time st;
	int err;

	if (f && !pd_feature_sample_time(f->data, pd->swap, &st, e) && st.last) {
		*ret_first = st.first;
		*ret_last = st.last;
		return 0;
	}
	if (!pd_can_rewind(pd))
		return perr_set(
			e, PERR_UNSUPPORTED,
			"percent slices and times since the start need the times of the first "
			"and last sample, which a stream gives too late");
	/* the pass that uses the samples reports what is wrong with the file */
	pd->diag = NULL;
	err = scan(pd, &first, &last, e);
	pd->diag = diag;
	if (!err)
		err = pd_rewind(pd, e);
	if (err)
		return err;
	*ret_first = first;
	*ret_last = last;
	return 0;
}
