/* SPDX-License-Identifier: MIT */
#include "session/object_weights.h"

#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/find/debuginfod.h"
#include "tests/frame/built_recording.h"
#include "tests/frame/unit.h"

#define PROG 0x10000
#define LIB 0x20000
#define LIGHT 0x30000
#define NEVER 0x40000

/* 1000 samples in prog, 20 of them called from lib; 8 in light; never is mapped only. */
static void build(struct built *x)
{
	const struct pd_attr a = { .size = 128,
				   .type = PD_TYPE_SOFTWARE,
				   .sample_type = PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
						  PD_SAMPLE_PERIOD | PD_SAMPLE_CALLCHAIN };

	built_begin(x, &a);
	put_mmap2(&x->b, 7, PROG, 0x1000, 0, "/none/prog", &a, NULL);
	put_mmap2(&x->b, 7, LIB, 0x1000, 0, "/none/lib.so", &a, NULL);
	put_mmap2(&x->b, 7, LIGHT, 0x1000, 0, "/none/light.so", &a, NULL);
	put_mmap2(&x->b, 7, NEVER, 0x1000, 0, "/none/never.so", &a, NULL);
	for (u64 i = 0; i < 1008; i++) {
		u64 ip = i < 1000 ? PROG + 0x100 : LIGHT;
		const u64 ips[] = { PD_CONTEXT_USER, ip, i < 20 ? LIB : PROG, PROG, PROG + 1 };
		const struct sample_parts s = { .misc = PD_CPUMODE_USER,
						.ip = ip,
						.pid = 7,
						.tid = 7,
						.time = i + 1,
						.period = 10,
						.ips = ips,
						.nr_ips = i < 1000 ? ARRAY_SIZE(ips) : 2 };

		put_sample(&x->b, &a, &s);
	}
}

static struct object_weight weight_of(const struct object_weights *w, const char *name)
{
	struct dso *const *dsos;
	size_t nr = symbols_get_dsos(w->s->machine->symbols, &dsos);

	for (size_t i = 0; i < nr; i++)
		if (!strcmp(dso_get_desc(dsos[i])->name, name))
			return object_weights_get(w, dsos[i]);
	return (struct object_weight){ .samples = UINT64_MAX };
}

TEST(samples_entries_and_periods)
{
	const struct session_config cfg = { .symbols = { .hermetic = true } };
	struct object_weights w;
	struct perfdata *pd;
	struct session *s;
	struct built x;

	build(&x);
	CHECK_EQ(pd_open_mem(built_end(&x), "built", NULL, &pd, NULL), 0);
	s = session_new(pd, &cfg, NULL);
	object_weights_init(&w, s);
	CHECK_EQ(object_weights_run(&w, "weighing", 0, NULL), 0);
	CHECK_EQ(w.samples, 1008);
	CHECK_EQ(w.period, 10080);
	CHECK_EQ(weight_of(&w, "/none/prog").samples, 1000);
	CHECK_EQ(weight_of(&w, "/none/prog").entries, 3 * 20 + 4 * 980);
	/* once for each sample, however often it is in its chain */
	CHECK_EQ(weight_of(&w, "/none/prog").period, 10000);
	CHECK_EQ(weight_of(&w, "/none/lib.so").samples, 0);
	CHECK_EQ(weight_of(&w, "/none/lib.so").entries, 20);
	CHECK_EQ(weight_of(&w, "/none/lib.so").period, 200);
	CHECK_EQ(weight_of(&w, "/none/light.so").samples, 8);
	CHECK_EQ(weight_of(&w, "/none/never.so").period, 0);
	object_weights_fini(&w);
	session_free(s);
	pd_close(pd);
	bytes_free(&x.b);
}

TEST(debuginfod_is_asked_for_heavy_objects)
{
	char path[] = "/tmp/t_object_weights.XXXXXX";
	struct session_config cfg = { .symbols = { .hermetic = true, .debuginfod = "" } };
	const struct debuginfod *c;
	struct perfdata *pd;
	struct session *s;
	struct span bytes;
	struct built x;
	int fd = mkstemp(path);

	if (fd < 0)
		SKIP("no file can be made in /tmp");
	build(&x);
	bytes = built_end(&x);
	CHECK_EQ(write(fd, bytes.p, bytes.n), bytes.n);
	close(fd);
	CHECK_EQ(pd_open(path, NULL, &pd, NULL), 0);
	s = session_new(pd, &cfg, NULL);
	object_weights_tell_debuginfod(s);
	c = symbols_get_config(s->machine->symbols)->debuginfod_client;
	CHECK(debuginfod_wants(c, "/none/prog"));
	CHECK(debuginfod_wants(c, "/none/lib.so"));
	CHECK(!debuginfod_wants(c, "/none/light.so"));
	CHECK(!debuginfod_wants(c, "/none/never.so"));
	session_free(s);
	pd_close(pd);
	/* of what cannot be read twice, all objects are */
	CHECK_EQ(pd_open_mem(bytes, "-", NULL, &pd, NULL), 0);
	s = session_new(pd, &cfg, NULL);
	object_weights_tell_debuginfod(s);
	c = symbols_get_config(s->machine->symbols)->debuginfod_client;
	CHECK(debuginfod_wants(c, "/none/light.so"));
	session_free(s);
	pd_close(pd);
	unlink(path);
	bytes_free(&x.b);
}
