/* SPDX-License-Identifier: MIT */
#include "tests/record/header/use_host_features.h"

#include <ftw.h>
#include <sys/stat.h>

char host_tree[PATH_MAX];

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return remove(path);
}

static void tree_end(void)
{
	nftw(host_tree, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void tree_begin(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(host_tree, sizeof(host_tree), "%s/t_host_features.XXXXXX", tmp ? tmp : "/tmp");
	CHECK(mkdtemp(host_tree));
	atexit(tree_end);
}

static void make_folders(char *path)
{
	char *p;

	for (p = path + strlen(host_tree) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
}

void host_tree_put(const char *path, const char *text)
{
	char full[PATH_MAX + 256];
	FILE *f;

	snprintf(full, sizeof(full), "%s/%s", host_tree, path);
	make_folders(full);
	f = fopen(full, "w");
	CHECK(f);
	fputs(text, f);
	CHECK(!fclose(f));
}

void host_tree_put_folder(const char *path)
{
	char full[PATH_MAX + 256];

	snprintf(full, sizeof(full), "%s/%s/", host_tree, path);
	make_folders(full);
}

void fixture_init(struct fixture *x)
{
	memset(x, 0, sizeof(*x));
	tree_begin();
	host_tree_put_folder("sys");
	host_tree_put_folder("proc");
	snprintf(x->sysfs, sizeof(x->sysfs), "%s/sys", host_tree);
	snprintf(x->procfs, sizeof(x->procfs), "%s/proc", host_tree);
	snprintf(x->tracefs, sizeof(x->tracefs), "%s/tracing", host_tree);
	rec_opts_init(&x->o);
	x->o.host = (struct rec_host){ x->sysfs, x->procfs, x->tracefs };
	evlist_init(&x->l);
	x->l.attr_size = 64;
}

void fixture_run(struct fixture *x)
{
	host_features_read(&x->f, &x->o, &x->l, x->out, 1 << 20);
}

void fixture_fini(struct fixture *x)
{
	host_features_fini(&x->f);
	evlist_fini(&x->l);
	rec_opts_fini(&x->o);
}

struct span fixture_payload(const struct fixture *x, u32 bit)
{
	size_t i;

	CHECK(x->f.present[bit]);
	for (i = 0; i < x->f.nr_out; i++)
		if (x->f.out[i].bit == bit)
			return x->f.out[i].data;
	CHECK(!"the section is among those given out");
	return span_of(NULL, 0);
}

void fixture_check_span(struct span got, const char *want)
{
	char *text = xstrndup(got.n ? (const char *)got.p : "", got.n);

	CHECK_STR(text, want);
	free(text);
}

void fixture_check_text(const struct fixture *x, u32 bit, const char *want)
{
	struct span text;
	struct perr e;

	CHECK(!pd_feature_text(fixture_payload(x, bit), false, &text, &e));
	fixture_check_span(text, want);
}

void fixture_check_strings(struct pd_strings s, const char *const *want, u32 nr)
{
	struct span got;
	u32 i;

	CHECK_EQ(s.nr, nr);
	for (i = 0; i < nr; i++) {
		CHECK(pd_strings_next(&s, &got));
		fixture_check_span(got, want[i]);
	}
}
