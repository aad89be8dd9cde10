/* SPDX-License-Identifier: MIT */
#include "record/open/offcpu_config.h"

#include "record/model/regs_option.h"

void offcpu_config(struct rec_evlist *l)
{
	struct rec_event *source = NULL, *made = NULL;

	for (size_t i = 0; i < l->nr; i++) {
		source = l->events[i]->is_switch ? l->events[i] : source;
		made = l->events[i]->is_made ? l->events[i] : made;
	}
	if (!made)
		return;
	if (source) {
		source->attr.sample_type |= PD_SAMPLE_CPU | PD_SAMPLE_PERIOD | PD_SAMPLE_TIME;
		source->attr.sample_type &= ~(u64)PD_SAMPLE_READ;
		made->attr.sample_type = source->attr.sample_type & ~(u64)PD_SAMPLE_RAW;
		made->attr.sample_regs_user = source->attr.sample_regs_user;
		made->attr.sample_stack_user = source->attr.sample_stack_user;
		made->attr.branch_sample_type = source->attr.branch_sample_type;
		made->attr.sample_regs_intr = source->attr.sample_regs_intr;
	} else {
		made->attr.sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
					 PD_SAMPLE_CPU | PD_SAMPLE_PERIOD | PD_SAMPLE_CALLCHAIN |
					 PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;
		made->attr.sample_regs_user = regs_option_frame();
		made->attr.sample_stack_user = OFFCPU_STACK_MAX;
	}
	made->attr.flags &= 1ull << PD_ATTR_USE_CLOCKID | 1ull << PD_ATTR_SAMPLE_ID_ALL |
			    1ull << PD_ATTR_INHERIT;
	made->attr.read_format = l->events[0]->attr.read_format;
	made->attr.sample_period_or_freq = 1;
}
