/* SPDX-License-Identifier: MIT */
#include "tests/record/events/use_event_parse.h"

void bed_init(struct bed *b)
{
	memset(b, 0, sizeof(*b));
	host_tree_init(&b->t);
	rec_opts_init(&b->o);
	diag_init(&b->d);
	b->o.host = b->t.host;
	b->o.diag = &b->d;
	evlist_init(&b->l);
	host_tree_tracepoint(&b->t, "sched", "sched_switch", 372);
	host_tree_tracepoint(&b->t, "sched", "sched_waking", 300);
	host_tree_tracepoint(&b->t, "sched", "sched_wakeup", 301);
	host_tree_tracepoint(&b->t, "block", "block_rq_issue", 40);
	host_tree_tracepoint(&b->t, "xen", "sched_switch", 77);
	fake_file(&b->t.tree, "tracing/events/sched/only_a_filter/filter", "none\n");
	fake_file(&b->t.tree, "tracing/events/enable", "0\n");
}

void bed_fini(struct bed *b)
{
	evlist_fini(&b->l);
	rec_opts_fini(&b->o);
	diag_fini(&b->d);
	host_tree_fini(&b->t);
}

void bed_add_intel(struct bed *b)
{
	static const char *const files[][2] = {
		{ "type", "4" },
		{ "format/event", "config:0-7" },
		{ "format/umask", "config:8-15" },
		{ "format/inv", "config:23" },
		{ "format/ldlat", "config1:0-15" },
		{ "format/gap", "config:0-7,32-35" },
		{ "format/three", "config3:4-7" },
		{ "events/cpu-cycles", "event=0x3c" },
		{ "events/mem-loads", "event=0xcd,umask=0x1,ldlat=3" },
		{ "events/asks", "event=1,umask=?" },
		{ "events/damaged", "event=1,nothing=2" },
	};
	static const char *const boxes[] = { "uncore_imc_0", "uncore_imc_1", "uncore_imc_10" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		host_tree_pmu(&b->t, "cpu", files[i][0], files[i][1]);
	for (size_t i = 0; i < ARRAY_SIZE(boxes); i++) {
		host_tree_pmu(&b->t, boxes[i], "type", (char[]){ '2', (char)('0' + i), '\0' });
		host_tree_pmu(&b->t, boxes[i], "cpumask", "0");
		host_tree_pmu(&b->t, boxes[i], "format/event", "config:0-7");
		host_tree_pmu(&b->t, boxes[i], "events/cas_count_read", "event=0x04");
		host_tree_pmu(&b->t, boxes[i], "events/cas_count_read.unit", "MiB");
		host_tree_pmu(&b->t, boxes[i], "events/cas_count_read.scale", "6.103515625e-5");
	}
	host_tree_pmu(&b->t, "software", "type", "1");
}

int bed_parse(struct bed *b, const char *text)
{
	evlist_fini(&b->l);
	evlist_init(&b->l);
	memset(&b->e, 0, sizeof(b->e));
	return event_parse(&b->l, &b->o, text, &b->where, &b->e);
}

/* Short text of all that a text became: "name type/config[ flags]" per event, '|' between. */
static char *events_text(const struct bed *b)
{
	static const struct {
		enum pd_attr_flag flag;
		const char *text;
	} flags[] = {
		{ PD_ATTR_EXCLUDE_USER, " eu" },  { PD_ATTR_EXCLUDE_KERNEL, " ek" },
		{ PD_ATTR_EXCLUDE_HV, " eh" },    { PD_ATTR_EXCLUDE_HOST, " eH" },
		{ PD_ATTR_EXCLUDE_GUEST, " eG" }, { PD_ATTR_EXCLUDE_IDLE, " eI" },
		{ PD_ATTR_PINNED, " pinned" },    { PD_ATTR_EXCLUSIVE, " exclusive" },
		{ PD_ATTR_PRECISE_IP, " p1" },    { PD_ATTR_PRECISE_IP + 1, " p2" },
	};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	for (size_t i = 0; i < b->l.nr; i++) {
		const struct rec_event *ev = b->l.events[i];
		const struct pd_attr *a = &ev->attr;

		fprintf(f, "%s%s %u/0x%llx", i ? "|" : "", ev->name, a->type,
			(unsigned long long)a->config);
		for (size_t k = 0; k < ARRAY_SIZE(flags); k++)
			if (pd_attr_has(a, flags[k].flag))
				fputs(flags[k].text, f);
		if (a->bp_type)
			fprintf(f, " bp%u", a->bp_type);
		if (a->config1)
			fprintf(f, " c1=0x%llx", (unsigned long long)a->config1);
		if (a->config2)
			fprintf(f, " c2=0x%llx", (unsigned long long)a->config2);
		if (a->config3)
			fprintf(f, " c3=0x%llx", (unsigned long long)a->config3);
		fprintf(f, "%s%s%s", ev->precise_max ? " P" : "", ev->sample_read ? " S" : "",
			ev->weak_group ? " W" : "");
		if (ev->in_group)
			fprintf(f, " %u<%u(%u)", ev->idx, ev->leader_idx, ev->nr_members);
		if (ev->group_name)
			fprintf(f, " of %s", ev->group_name);
	}
	fclose(f);
	return text;
}

void bed_check(struct bed *b, const char *text, const char *want)
{
	char *got;

	if (bed_parse(b, text))
		unit_fail(__FILE__, __LINE__, "%s: %s", text, b->e.text);
	got = events_text(b);
	unit_check_str(__FILE__, __LINE__, text, got, want);
	free(got);
}

void bed_check_error(struct bed *b, const char *text, int code, size_t pos, const char *said,
		     const char *help)
{
	int err = bed_parse(b, text);

	unit_check_eq(__FILE__, __LINE__, text, (u64)err, (u64)code);
	CHECK_EQ(b->l.nr, 0);
	unit_check_eq(__FILE__, __LINE__, text, b->where.pos, pos);
	if (said && !strstr(b->e.text, said))
		unit_fail(__FILE__, __LINE__, "%s: said '%s'", text, b->e.text);
	if (help && !strstr(b->where.help, help))
		unit_fail(__FILE__, __LINE__, "%s: helped '%s'", text, b->where.help);
}

void bed_check_rows(struct bed *b, const struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		bed_check(b, rows[i].text, rows[i].want);
}
