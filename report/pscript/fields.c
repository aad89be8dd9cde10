/* SPDX-License-Identifier: MIT */
#include "report/pscript/fields.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest_name.h"
#include "fileformat/feature/feature.h"
#include "report/disasm/disasm.h"

static const char *const names[NR_FIELDS] = {
	[FIELD_COMM] = "comm",
	[FIELD_TID] = "tid",
	[FIELD_PID] = "pid",
	[FIELD_TIME] = "time",
	[FIELD_CPU] = "cpu",
	[FIELD_EVENT] = "event",
	[FIELD_TRACE] = "trace",
	[FIELD_IP] = "ip",
	[FIELD_SYM] = "sym",
	[FIELD_DSO] = "dso",
	[FIELD_DSOFF] = "dsoff",
	[FIELD_ADDR] = "addr",
	[FIELD_SYMOFF] = "symoff",
	[FIELD_SRCLINE] = "srcline",
	[FIELD_PERIOD] = "period",
	[FIELD_IREGS] = "iregs",
	[FIELD_UREGS] = "uregs",
	[FIELD_BRSTACK] = "brstack",
	[FIELD_BRSTACKSYM] = "brstacksym",
	[FIELD_DATA_SRC] = "data_src",
	[FIELD_WEIGHT] = "weight",
	[FIELD_BPF_OUTPUT] = "bpf-output",
	[FIELD_CALLINDENT] = "callindent",
	[FIELD_INSN] = "insn",
	[FIELD_DISASM] = "disasm",
	[FIELD_INSNLEN] = "insnlen",
	[FIELD_BRSTACKINSN] = "brstackinsn",
	[FIELD_BRSTACKOFF] = "brstackoff",
	[FIELD_SYNTH] = "synth",
	[FIELD_PHYS_ADDR] = "phys_addr",
	[FIELD_METRIC] = "metric",
	[FIELD_MISC] = "misc",
	[FIELD_SRCCODE] = "srccode",
	[FIELD_IPC] = "ipc",
	[FIELD_TOD] = "tod",
	[FIELD_DATA_PAGE_SIZE] = "data_page_size",
	[FIELD_CODE_PAGE_SIZE] = "code_page_size",
	[FIELD_INS_LAT] = "ins_lat",
	[FIELD_BRSTACKINSNLEN] = "brstackinsnlen",
	[FIELD_MACHINE_PID] = "machine_pid",
	[FIELD_VCPU] = "vcpu",
	[FIELD_CGROUP] = "cgroup",
	[FIELD_RETIRE_LAT] = "retire_lat",
	[FIELD_BRSTACKDISASM] = "brstackdisasm",
	[FIELD_BRCNTR] = "brcntr",
	[FIELD_FLAGS] = "flags",
};

/* Names of types in messages, and the prefixes that -F accepts before a colon. */
static const struct {
	const char *name, *prefix;
} types[NR_FIELD_TYPES] = {
	[PD_TYPE_HARDWARE] = { "hardware", "hw" },
	[PD_TYPE_SOFTWARE] = { "software", "sw" },
	[PD_TYPE_TRACEPOINT] = { "tracepoint", "trace" },
	[PD_TYPE_HW_CACHE] = { "hardware-cache", NULL },
	[PD_TYPE_RAW] = { "raw", "raw" },
	[PD_TYPE_BREAKPOINT] = { "breakpoint", "break" },
	[FIELD_TYPE_SYNTH] = { "synth", "synth" },
	[FIELD_TYPE_OTHER] = { "other", NULL },
};

#define BASE_FIELDS \
	(FIELD_BIT(COMM) | FIELD_BIT(TID) | FIELD_BIT(CPU) | FIELD_BIT(TIME) | FIELD_BIT(EVENT))
#define PLACE_FIELDS (FIELD_BIT(IP) | FIELD_BIT(SYM) | FIELD_BIT(SYMOFF) | FIELD_BIT(DSO))

void fields_init(struct fields *f)
{
	const u64 usual = BASE_FIELDS | PLACE_FIELDS | FIELD_BIT(PERIOD);
	int i;

	*f = (struct fields){ 0 };
	for (i = 0; i < NR_FIELD_TYPES; i++)
		f->type[i].fields = usual;
	f->type[PD_TYPE_SOFTWARE].fields |= FIELD_BIT(BPF_OUTPUT);
	f->type[PD_TYPE_TRACEPOINT].fields = BASE_FIELDS | FIELD_BIT(TRACE);
	f->type[PD_TYPE_RAW].fields |= FIELD_BIT(ADDR) | FIELD_BIT(DATA_SRC) | FIELD_BIT(WEIGHT) |
				       FIELD_BIT(PHYS_ADDR) | FIELD_BIT(DATA_PAGE_SIZE) |
				       FIELD_BIT(CODE_PAGE_SIZE) | FIELD_BIT(INS_LAT) |
				       FIELD_BIT(RETIRE_LAT);
	f->type[FIELD_TYPE_SYNTH].fields =
		BASE_FIELDS | FIELD_BIT(IP) | FIELD_BIT(SYM) | FIELD_BIT(DSO) | FIELD_BIT(SYNTH);
}

enum field_type fields_type_of(u32 attr_type)
{
	const u32 synth = 0x80000000u - 1; /* perf's internal type of synthesized events */

	if (attr_type <= PD_TYPE_BREAKPOINT)
		return (enum field_type)attr_type;
	return attr_type == synth ? FIELD_TYPE_SYNTH : FIELD_TYPE_OTHER;
}

static u64 invalid_fields(int type)
{
	switch (type) {
	case PD_TYPE_TRACEPOINT: return 0;
	case PD_TYPE_SOFTWARE: return FIELD_BIT(TRACE);
	default: return FIELD_BIT(TRACE) | FIELD_BIT(BPF_OUTPUT);
	}
}

enum change { CHANGE_NONE, CHANGE_SET, CHANGE_ADD, CHANGE_REMOVE };

static void change_field(struct field_set *t, u64 bit, enum change how, bool wildcard)
{
	t->given = true;
	t->wildcard = wildcard;
	if (how == CHANGE_REMOVE) {
		t->fields &= ~bit;
		t->user_set &= ~bit;
		t->user_unset |= bit;
		return;
	}
	t->fields |= bit;
	t->user_set |= bit;
	t->user_unset &= ~bit;
}

/* "flags" is for all types at once, and does not count as a choice of fields. */
static void change_flags(struct fields *f, enum change how)
{
	int i;

	for (i = 0; i < NR_FIELD_TYPES; i++) {
		if (how == CHANGE_REMOVE)
			f->type[i].fields &= ~FIELD_BIT(FLAGS);
		else
			f->type[i].fields |= FIELD_BIT(FLAGS);
	}
}

static int unknown_field(const char *name, struct perr *e)
{
	struct nearest_name near;
	char hint[220];

	nearest_init(&near, name, strlen(name));
	for (int i = 0; i < NR_FIELDS; i++)
		nearest_offer(&near, names[i]);
	nearest_hint(&near, hint, sizeof(hint));
	return perr_set(e, PERR_USAGE, "Invalid field requested: '%s'.%s", name, hint);
}

static int apply_word(struct fields *f, const char *word, int type, enum change *how,
		      struct diag *diag, struct perr *e)
{
	const char *name = word;
	enum change now = CHANGE_SET;
	int i, j;

	if (*word == '+' || *word == '-') {
		now = *word == '+' ? CHANGE_ADD : CHANGE_REMOVE;
		name++;
	}
	if (*how != CHANGE_NONE && (now == CHANGE_SET) != (*how == CHANGE_SET))
		return perr_set(e, PERR_USAGE, "Cannot mix +-field with overridden fields");
	*how = now;
	for (i = 0; i < NR_FIELDS; i++)
		if (!strcmp(names[i], name))
			break;
	if (i == NR_FIELDS)
		return unknown_field(name, e);
	if ((i == FIELD_DISASM || i == FIELD_BRSTACKDISASM) && !disasm_is_available())
		return perr_set(e, PERR_USAGE,
				"Field \"%s\" requires pscript to be built with libcapstone "
				"support.",
				name);
	if (i == FIELD_FLAGS) {
		change_flags(f, now);
		return 0;
	}
	if (type >= 0) {
		if (invalid_fields(type) >> i & 1)
			return perr_set(e, PERR_USAGE, "'%s' not valid for %s events.", name,
					types[type].name);
		change_field(&f->type[type], 1ull << i, now, false);
		return 0;
	}
	for (j = 0; j < NR_FIELD_TYPES; j++) {
		if (invalid_fields(j) >> i & 1)
			diag_warn(diag, "'%s' not valid for %s events. Ignoring.", name,
				  types[j].name);
		else
			change_field(&f->type[j], 1ull << i, now, true);
	}
	return 0;
}

int fields_parse(struct fields *f, const char *arg, struct diag *diag, struct perr *e)
{
	const char *colon = strchr(arg, ':'), *end;
	enum change how = CHANGE_NONE;
	int type = -1, i, err;
	char word[64];
	bool relative;

	if (colon) {
		for (i = 0; i < NR_FIELD_TYPES; i++)
			if (types[i].prefix && strlen(types[i].prefix) == (size_t)(colon - arg) &&
			    !strncmp(types[i].prefix, arg, (size_t)(colon - arg)))
				type = i;
		if (type < 0)
			return perr_set(e, PERR_USAGE, "Invalid event type in field string.");
		arg = colon + 1;
	} else if (!*arg) {
		return perr_set(e, PERR_USAGE, "Cannot set fields to 'none' for all event types.");
	}
	/* as in stock perf, the "-" of bpf-output counts: it adds to what is printed anyway */
	relative = strpbrk(arg, "+-");
	for (i = 0; i < NR_FIELD_TYPES && !relative; i++) {
		if (type >= 0 && i != type)
			continue;
		f->type[i].fields = 0;
		f->type[i].given = true;
		f->type[i].wildcard = type < 0;
	}
	for (; *arg; arg = *end ? end + 1 : end) {
		end = strchrnul(arg, ',');
		if (end == arg)
			continue;
		snprintf(word, sizeof(word), "%.*s", (int)(end - arg), arg);
		err = apply_word(f, word, type, &how, diag, e);
		if (err)
			return err;
	}
	return 0;
}

/* The bits of sample_type that fields need, with their names for the message. */
static const struct {
	u64 fields;
	u64 sample_types; /* one of these bits is enough */
	const char *attr_name, *field_name;
} needs[] = {
	{ FIELD_BIT(IP), PD_SAMPLE_IP, "IP", "ip" },
	{ FIELD_BIT(ADDR), PD_SAMPLE_ADDR, "ADDR", "addr" },
	{ FIELD_BIT(DATA_SRC), PD_SAMPLE_DATA_SRC, "DATA_SRC", "data_src" },
	{ FIELD_BIT(WEIGHT), PD_SAMPLE_WEIGHT | PD_SAMPLE_WEIGHT_STRUCT, "WEIGHT", "weight" },
	{ FIELD_BIT(PID) | FIELD_BIT(TID), PD_SAMPLE_TID, "TID", "tid" },
	{ FIELD_BIT(TIME), PD_SAMPLE_TIME, "TIME", "time" },
	{ FIELD_BIT(CPU), PD_SAMPLE_CPU, "CPU", "cpu" },
	{ FIELD_BIT(IREGS), PD_SAMPLE_REGS_INTR, "IREGS", "iregs" },
	{ FIELD_BIT(UREGS), PD_SAMPLE_REGS_USER, "UREGS", "uregs" },
	{ FIELD_BIT(PHYS_ADDR), PD_SAMPLE_PHYS_ADDR, "PHYS_ADDR", "phys_addr" },
	{ FIELD_BIT(DATA_PAGE_SIZE), PD_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE", "data_page_size" },
	{ FIELD_BIT(CODE_PAGE_SIZE), PD_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE", "code_page_size" },
	{ FIELD_BIT(INS_LAT), PD_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", "ins_lat" },
	{ FIELD_BIT(CGROUP), PD_SAMPLE_CGROUP, "CGROUP", "cgroup" },
	{ FIELD_BIT(RETIRE_LAT), PD_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", "retire_lat" },
};

/* branches: the bits of branch_sample_type of all events. */
static int fit_event(struct field_set *t, const struct pd_event *ev, u64 branches, bool lenient,
		     struct perr *e)
{
	u64 st = ev->attr.sample_type;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(needs); i++) {
		if (!(t->fields & needs[i].fields) || st & needs[i].sample_types)
			continue;
		if (!(t->user_set & needs[i].fields)) {
			t->fields &= ~needs[i].fields;
			continue;
		}
		if (lenient)
			continue;
		return perr_set(e, PERR_USAGE,
				"Samples for '%s' event do not have %s attribute set. Cannot print "
				"'%s' field.",
				ev->name, needs[i].attr_name, needs[i].field_name);
	}
	if (t->fields & FIELD_BIT(SYM) && !(st & (PD_SAMPLE_IP | PD_SAMPLE_ADDR)))
		return perr_set(e, PERR_USAGE,
				"Display of symbols requested but neither sample IP nor sample "
				"address\navailable. Hence, no addresses to convert to symbols.");
	if (t->fields & FIELD_BIT(SYMOFF) && !(t->fields & FIELD_BIT(SYM)))
		return perr_set(e, PERR_USAGE,
				"Display of offsets requested but symbol is not\nselected.");
	if (t->fields & FIELD_BIT(DSO) && !(st & (PD_SAMPLE_IP | PD_SAMPLE_ADDR)))
		return perr_set(e, PERR_USAGE,
				"Display of DSO requested but no address to convert.");
	if (t->fields & (FIELD_BIT(SRCLINE) | FIELD_BIT(SRCCODE)) && !(t->fields & FIELD_BIT(IP)))
		return perr_set(e, PERR_USAGE,
				"Display of source line number requested but sample IP is "
				"not\nselected. Hence, no address to lookup the source line "
				"number.");
	if (t->fields & BRANCH_INSN_FIELDS && !lenient && !(branches & PD_BRANCH_ANY))
		return perr_set(e, PERR_USAGE,
				"Display of branch stack assembler requested, but non all-branch "
				"filter set\nHint: run 'perf record -b ...'");
	if (t->fields & FIELD_BIT(BRCNTR) && !(branches & PD_BRANCH_COUNTERS))
		return perr_set(e, PERR_USAGE,
				"Display of branch counter requested but it's not enabled\nHint: "
				"run 'perf record -j any,counter ...'");
	if (t->fields & FIELD_BIT(DSOFF))
		t->fields |= FIELD_BIT(DSO);
	return 0;
}

/* Tracepoints recorded with call chains show them, unless the user chose the fields. */
static void add_tracepoint_chain(struct fields *f, const struct perfdata *pd)
{
	struct field_set *t = &f->type[PD_TYPE_TRACEPOINT];
	size_t i;

	if (t->given)
		return;
	for (i = 0; i < pd->nr_events; i++) {
		const struct pd_attr *a = &pd->events[i]->attr;

		if (a->type == PD_TYPE_TRACEPOINT && a->sample_type & PD_SAMPLE_CALLCHAIN)
			t->fields |= PLACE_FIELDS & ~t->user_unset;
	}
}

/* perf 6.1 shows the chains that a pipe's events announce, whatever fields the user chose. */
static void add_pipe_chain_6_1(struct fields *f, const struct perfdata *pd)
{
	size_t i;

	for (i = 0; i < pd->nr_events; i++) {
		const struct pd_attr *a = &pd->events[i]->attr;
		struct field_set *t = &f->type[fields_type_of(a->type)];

		if (a->sample_type & (PD_SAMPLE_CALLCHAIN | PD_SAMPLE_BRANCH_STACK))
			t->fields |= (FIELD_BIT(IP) | FIELD_BIT(SYM)) & ~t->user_unset;
	}
}

/* Fields that perf 6.1 does not have are printed for it only if the user chose them. */
static void drop_newer_than_6_1(struct fields *f)
{
	for (int i = 0; i < NR_FIELD_TYPES; i++)
		f->type[i].fields &= ~(FIELD_BIT(RETIRE_LAT) & ~f->type[i].user_set);
}

/* The recorder's own event for side-band records; it has no samples. */
static bool is_dummy(const struct pd_attr *a)
{
	return a->type == PD_TYPE_SOFTWARE && a->config == 9;
}

/* Events of perf stat record take no samples. A file of them has a feature bit, a pipe has none. */
static bool has_no_samples(const struct perfdata *pd, const struct pd_event *ev)
{
	return pd_feature_get(pd, PD_FEAT_STAT) || (pd->kind == PD_PIPE && !ev->attr.sample_type);
}

int fields_fit(struct fields *f, const struct perfdata *pd, bool use_callchain, struct perr *e)
{
	bool lenient = pd_feature_get(pd, PD_FEAT_AUXTRACE);
	u64 branches = 0;
	size_t i;
	int j, err;

	if (pd->format == TEXT_PERF_6_1)
		drop_newer_than_6_1(f);
	for (i = 0; i < pd->nr_events; i++)
		branches |= pd->events[i]->attr.branch_sample_type;
	for (j = 0; j < NR_FIELD_TYPES; j++) {
		struct field_set *t = &f->type[j];

		for (i = 0; i < pd->nr_events; i++)
			if ((int)fields_type_of(pd->events[i]->attr.type) == j &&
			    !is_dummy(&pd->events[i]->attr))
				break;
		if (i == pd->nr_events)
			continue;
		if (!t->fields || has_no_samples(pd, pd->events[i]))
			continue;
		err = fit_event(t, pd->events[i], branches, lenient, e);
		if (err)
			return err;
	}
	if (use_callchain)
		add_tracepoint_chain(f, pd);
	if (use_callchain && pd->format == TEXT_PERF_6_1 && pd->kind == PD_PIPE)
		add_pipe_chain_6_1(f, pd);
	return 0;
}
