/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_runtime.h"

#include "base/mem.h"
#include "machine/process.h"

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The runtime that a mapped file belongs to. */
static enum verdict_runtime runtime_of_file(const char *path)
{
	static const struct {
		const char *start; /* of the file's name */
		enum verdict_runtime runtime;
	} files[] = {
		{ "libjvm.so", VERDICT_RUNTIME_JAVA },
		{ "libj9jit", VERDICT_RUNTIME_JAVA },
		{ "libnode.so", VERDICT_RUNTIME_NODE },
		{ "libpython3", VERDICT_RUNTIME_PYTHON },
		{ "python3", VERDICT_RUNTIME_PYTHON },
		{ "libcoreclr.so", VERDICT_RUNTIME_DOTNET },
		{ "libclrjit.so", VERDICT_RUNTIME_DOTNET },
		{ "beam.smp", VERDICT_RUNTIME_ERLANG },
	};
	const char *name = base_name(path);

	if (!strcmp(name, "node") || !strcmp(name, "nodejs"))
		return VERDICT_RUNTIME_NODE;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (!strncmp(name, files[i].start, strlen(files[i].start)))
			return files[i].runtime;
	return VERDICT_RUNTIME_UNKNOWN;
}

static enum verdict_runtime runtime_of_process(const struct process *p)
{
	enum verdict_runtime r = VERDICT_RUNTIME_UNKNOWN;

	for (size_t i = 0; i < p->maps->nr && !r; i++)
		r = runtime_of_file(p->maps->maps[i]->dso_name);
	return r;
}

/* The runtime of all objects of the recording; unknown if there are several. */
static enum verdict_runtime runtime_of_all(const struct machine *mc)
{
	enum verdict_runtime found = VERDICT_RUNTIME_UNKNOWN;
	struct dso *const *dsos;
	size_t nr = symbols_get_dsos(mc->symbols, &dsos);

	for (size_t i = 0; i < nr; i++) {
		enum verdict_runtime r = runtime_of_file(dso_get_desc(dsos[i])->name);

		if (r && found && r != found)
			return VERDICT_RUNTIME_UNKNOWN;
		found = r ? r : found;
	}
	return found;
}

/* The process, if the machine still has it at the end of the recording; NULL. */
static const struct process *process_of(const struct machine *mc, const struct dso *d)
{
	u32 pid = dso_get_desc(d)->recorded.pid;
	struct threads *threads = (struct threads *)&mc->threads;
	const struct thread *th = pid ? threads_find(threads, pid, pid) : NULL;

	return th ? th->process : NULL;
}

enum verdict_runtime verdict_runtime_of(const struct machine *mc, const struct dso *d)
{
	const struct process *p = process_of(mc, d);
	enum verdict_runtime r = p && p->maps ? runtime_of_process(p) : VERDICT_RUNTIME_UNKNOWN;

	return r ? r : runtime_of_all(mc);
}

const char *verdict_jitdump_of(const struct machine *mc, const struct dso *d)
{
	const struct dso_desc *desc = dso_get_desc(d);
	struct dso *const *dsos;
	size_t nr = symbols_get_dsos(mc->symbols, &dsos);
	char name[40];

	snprintf(name, sizeof(name), "jit-%u.dump",
		 desc->ns_pid ? desc->ns_pid : desc->recorded.pid);
	for (size_t i = 0; i < nr; i++) {
		const char *path = dso_get_desc(dsos[i])->name;

		if (!strcmp(base_name(path), name))
			return path;
	}
	return NULL;
}
