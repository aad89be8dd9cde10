/* SPDX-License-Identifier: MIT */
#include "record/probe/usdt_event.h"

#include <ctype.h>
#include <elf.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/nearest_name.h"
#include "record/host/name_glob.h"
#include "record/host/tracefs.h"
#include "record/probe/library_path.h"
#include "record/probe/tracefs_probes.h"
#include "record/probe/usdt_args.h"
#include "symbols/elf/stap_notes.h"

#define MAX_PLACES 256
#define MAX_NAME 48 /* the kernel permits 63 bytes, with a number */

#define PMU_DIR "bus/event_source/devices/uprobe"

struct usdt_search {
	struct rec_evlist *l;
	const struct rec_opts *o;
	const char *path;
	struct object *file;
	char *tracefs; /* NULL until it is needed */
};

/* Letters, digits and _ alone, malloc'd. */
static char *event_word(const char *prefix, const char *s)
{
	char *word = xasprintf("%s%.*s", prefix, MAX_NAME, s);

	for (char *c = word; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			*c = '_';
	return word;
}

static void free_probes(void *probes)
{
	tracefs_probes_free(probes);
}

/* The probes of the list, of which there are none yet. */
static int get_probes(struct usdt_search *s, struct tracefs_probes **ret, struct perr *e)
{
	if (!s->tracefs) {
		int err = tracefs_find(&s->o->host, &s->tracefs, e);

		if (err)
			return err;
	}
	if (!s->l->at_end) {
		s->l->at_end = free_probes;
		s->l->at_end_ctx = tracefs_probes_new(s->tracefs);
	}
	*ret = s->l->at_end_ctx;
	return 0;
}

/* The kernel splits definitions at blanks and the file at a colon. */
static bool can_be_defined(const char *path)
{
	return !strpbrk(path, " \t\n\\;:#");
}

static int add_tracepoint(struct usdt_search *s, const struct stap_note *n, const char *args,
			  struct perr *e)
{
	char *group = event_word("sdt_", n->provider), *name = event_word("", n->name);
	char *semaphore = n->semaphore_off
				  ? xasprintf("(0x%llx)", (unsigned long long)n->semaphore_off)
				  : xstrdup("");
	char *what =
		xasprintf("%s:0x%llx%s%s", s->path, (unsigned long long)n->off, semaphore, args);
	char *made = NULL;
	struct tracefs_probes *probes;
	bool is_new = false;
	u64 id = 0;
	int err = get_probes(s, &probes, e);

	if (!err)
		err = tracefs_probes_add(probes, group, name, what, &made, &is_new, e);
	if (!err && is_new)
		err = tracefs_event_id(s->tracefs, group, made, &id, e);
	if (!err && is_new) {
		char *full = xasprintf("%s:%s", group, made);
		struct rec_event *ev = evlist_add(s->l, full, PD_TYPE_TRACEPOINT, id);

		ev->attr.sample_period_or_freq = 1;
		ev->tp_system = xstrdup(group);
		ev->tp_name = xstrdup(made);
		free(full);
	}
	free(group);
	free(name);
	free(semaphore);
	free(what);
	free(made);
	return err;
}

/* The lowest bit of config that takes the place of the semaphore; 0: the kernel is older. */
static unsigned int semaphore_bit(const struct rec_host *host)
{
	char *path = rec_host_path(host->sysfs, PMU_DIR "/format/ref_ctr_offset");
	FILE *f = fopen(path, "re");
	unsigned int bit = 0;

	free(path);
	if (f && fscanf(f, "config:%u", &bit) != 1)
		bit = 0;
	if (f)
		fclose(f);
	return bit < 64 ? bit : 0;
}

/* Returns false if the PMU cannot probe it. */
static bool add_pmu_event(struct usdt_search *s, const struct stap_note *n)
{
	unsigned int bit = semaphore_bit(&s->o->host);
	char *group = event_word("sdt_", n->provider), *name = event_word("", n->name), *full;
	struct rec_event *ev;
	s64 type;

	full = xasprintf("%s:%s", group, name);
	free(group);
	free(name);
	if (rec_host_number(s->o->host.sysfs, PMU_DIR "/type", &type) || type < 0 ||
	    type > UINT32_MAX || (n->semaphore_off && (!bit || n->semaphore_off >> (64 - bit)))) {
		free(full);
		return false;
	}
	ev = evlist_add(s->l, full, (u32)type, n->semaphore_off << bit);
	ev->uprobe_path = xstrdup(s->path);
	ev->attr.config2 = n->off;
	ev->attr.sample_period_or_freq = 1;
	free(full);
	return true;
}

/* Whether the probe is at one place alone. */
static bool is_single(const struct usdt_search *s, const struct stap_note *n)
{
	struct stap_notes notes;
	struct stap_note other;
	size_t nr = 0;

	stap_notes_begin(&notes, s->file);
	while (nr < 2 && stap_notes_next(&notes, &other))
		nr += !strcmp(other.provider, n->provider) && !strcmp(other.name, n->name);
	return nr == 1;
}

static int add_place(struct usdt_search *s, const struct stap_note *n, struct perr *e)
{
	unsigned int left_out;
	char *args = usdt_args_text(n->args, s->file->machine, &left_out);
	int err = 0;

	if (left_out)
		diag_warn(s->o->diag,
			  "%s:%s: %u of its arguments are not recorded, because they are neither "
			  "in registers nor at registers nor constants: %s",
			  n->provider, n->name, left_out, n->args);
	if (!*args && is_single(s, n) && add_pmu_event(s, n))
		err = 0;
	else if (!can_be_defined(s->path))
		err = perr_set(e, PERR_UNSUPPORTED,
			       "%s: the kernel takes no file of this name: use one without blanks "
			       "and colons, such as a link",
			       s->path);
	else
		err = add_tracepoint(s, n, args, e);
	free(args);
	return err;
}

static int not_found(const struct usdt_search *s, const char *provider, const char *name,
		     char *help, size_t help_size, struct perr *e)
{
	char *wanted = xasprintf("%s:%s", provider, name);
	struct nearest_name near;
	struct stap_notes notes;
	struct stap_note n;
	bool any = false;

	nearest_init(&near, wanted, strlen(wanted));
	stap_notes_begin(&notes, s->file);
	while (stap_notes_next(&notes, &n)) {
		char *full = xasprintf("%s:%s", n.provider, n.name);

		nearest_offer(&near, full);
		free(full);
		any = true;
	}
	if (help_size)
		nearest_text(&near, help, help_size);
	perr_set(e, PERR_NOTFOUND,
		 any ? "no static probe '%s' in %s" : "no static probe '%s': there are none in %s",
		 wanted, s->path);
	free(wanted);
	return PERR_NOTFOUND;
}

static bool fits_machine(const struct object *o)
{
#if defined(__x86_64__)
	return o->machine == EM_X86_64 || o->machine == EM_386;
#elif defined(__aarch64__)
	return o->machine == EM_AARCH64;
#else
	(void)o;
	return false;
#endif
}

static int add_all(struct usdt_search *s, const char *provider, const char *name, struct perr *e)
{
	size_t before = s->l->nr;
	struct stap_notes notes;
	struct stap_note n;
	int err = 0;

	stap_notes_begin(&notes, s->file);
	while (!err && stap_notes_next(&notes, &n)) {
		if (!name_glob_match(provider, n.provider, false) ||
		    !name_glob_match(name, n.name, false))
			continue;
		if (s->l->nr - before == MAX_PLACES)
			err = perr_set(e, PERR_LIMIT, "more than %d places of '%s:%s' in %s",
				       MAX_PLACES, provider, name, s->path);
		else
			err = add_place(s, &n, e);
	}
	while (err && s->l->nr > before)
		evlist_remove(s->l, s->l->nr - 1);
	return err;
}

int usdt_event_add(struct rec_evlist *l, const struct rec_opts *o, const char *path,
		   const char *provider, const char *name, char *help, size_t help_size,
		   struct perr *e)
{
	struct usdt_search s = { .l = l, .o = o };
	size_t before = l->nr;
	char *found = NULL;
	int err = library_path_find(path, &found, e);

	if (help_size)
		*help = 0;
	s.path = found;
	if (!err)
		err = object_open(found, &s.file, e);
	if (!err && !fits_machine(s.file))
		err = perr_set(e, PERR_UNSUPPORTED, "%s is not for this machine", found);
	if (!err)
		err = add_all(&s, provider, name, e);
	if (!err && l->nr == before)
		err = not_found(&s, provider, name, help, help_size, e);
	object_close(s.file);
	free(s.tracefs);
	free(found);
	return err;
}
