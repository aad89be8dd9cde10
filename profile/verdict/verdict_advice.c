/* SPDX-License-Identifier: MIT */
/* Why frames have no name, in words, and what the user can do about each reason. */
#include "base/mem.h"
#include "profile/verdict/verdict_text.h"
#include "symbols/find/debugfile.h"

#define DELETED " (deleted)"

const char *verdict_reason_text(enum verdict_reason r)
{
	static const char *const texts[VERDICT_REASONS] = {
		[VERDICT_FILE_MISSING] = "file not found",
		[VERDICT_OTHER_BUILD] = "the file found is another build",
		[VERDICT_STRIPPED] = "stripped",
		[VERDICT_BROKEN] = "not a readable ELF file",
		[VERDICT_NO_SYMBOL] = "no symbol covers the address",
		[VERDICT_KERNEL_HIDDEN] = "kernel symbols hidden from this user",
		[VERDICT_KERNEL_FOREIGN] = "recorded on another kernel",
		[VERDICT_KERNEL_UNMAPPED] = "kernel addresses not recorded",
		[VERDICT_JIT_MAP_MISSING] = "JIT code without a map file",
		[VERDICT_JIT_MAP_GAP] = "JIT code missing from its map file",
		[VERDICT_NOT_CODE] = "an address of data, not of code",
		[VERDICT_NO_MAP] = "no file mapped at the address",
	};

	return (unsigned int)r < VERDICT_REASONS ? texts[r] : "unknown";
}

/* The text as one word of a shell command, quoted where needed. Malloc'd. */
static char *shell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789/._-+:@%,=";
	struct out o;

	if (*text && strspn(text, plain) == strlen(text))
		return xstrdup(text);
	out_init_mem(&o);
	out_char(&o, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			out_str(&o, "'\\''");
		else
			out_char(&o, *text);
	}
	out_char(&o, '\'');
	out_char(&o, 0);
	return o.buf;
}

static bool is_of_the_system(const char *path)
{
	return !strncmp(path, "/usr/", 5) || !strncmp(path, "/lib", 4) ||
	       !strncmp(path, "/bin/", 5) || !strncmp(path, "/sbin/", 6);
}

static bool is_deleted(const char *path)
{
	size_t n = strlen(path);

	return n >= strlen(DELETED) && !strcmp(path + n - strlen(DELETED), DELETED);
}

/* Debuginfod servers have the files of distributions only. */
static const char *or_ask(const struct verdict *v, const struct verdict_module *m)
{
	return v->could_ask && m->build_id_size && is_of_the_system(m->name)
		       ? ", or give --debuginfod"
		       : "";
}

/* For a file of the kernel, or for its list of symbols. */
static char *advice_kernel_file(const struct verdict *v, const struct verdict_module *m)
{
	if (m->kernel && m->name[0] == '/')
		return xasprintf("copy the recorded machine's file to DIR%s and give --symfs DIR",
				 m->name);
	return xasprintf("give -k with the vmlinux of %s, or --kallsyms with a copy of its "
			 "/proc/kallsyms (made as root)",
			 v->os_release ? v->os_release : "that kernel");
}

static char *advice_missing(const struct verdict *v, const struct verdict_module *m,
			    const char *path)
{
	if (m->kernel)
		return advice_kernel_file(v, m);
	if (!strncmp(m->name, "/memfd:", 7))
		return xstrdup("if a JIT made this code, let it write a jitdump (dotnet: "
			       "DOTNET_PerfEnabled=1, erl +JPperf true) and record with "
			       "prec -k mono");
	if (is_deleted(m->name))
		return xstrdup("it was replaced or removed while mapped: restart the program and "
			       "record again");
	if (m->name[0] != '/')
		return xstrdup("read the recording on the recorded machine, or record again");
	return xasprintf("copy the recorded machine's file to DIR%s and give --symfs DIR%s", path,
			 or_ask(v, m));
}

static char *advice_other_build(const struct verdict *v, const struct verdict_module *m,
				const char *path)
{
	char hex[BUILD_ID_HEX];

	if (m->kernel)
		return advice_kernel_file(v, m);
	if (!m->build_id_size)
		return xstrdup("record again");
	build_id_hex(m->build_id, m->build_id_size, hex);
	return xasprintf("add the recorded file to the cache (perf buildid-cache -a FILE; FILE: "
			 "the %s with build-id %.12s...)%s, or record again",
			 path, hex, or_ask(v, m));
}

static char *advice_stripped(const struct verdict *v, const struct verdict_module *m,
			     const char *path)
{
	if (m->kernel)
		return xstrdup("install the kernel's debug symbols (Debian: linux-image-$(uname "
			       "-r)-dbg)");
	if (is_of_the_system(m->name))
		return xasprintf("sudo apt install $(find-dbgsym-packages %s) (Fedora: dnf "
				 "debuginfo-install)%s",
				 path, or_ask(v, m));
	return xasprintf("build %s without -s and do not strip it", path);
}

/*
 * The object's symbols were read, and none covers the address. Why is not known, so this only says
 * where more symbols may come from.
 */
static char *advice_no_symbol(const struct verdict *v, const struct verdict_module *m,
			      const char *path)
{
	const char *slash = strrchr(path, '/');

	if (m->name[0] != '/')
		return xstrdup("the symbols that were read have a gap there; --why lists their "
			       "source");
	return xasprintf("debug symbols of the object may name it%s; --why %s lists the files that "
			 "were read",
			 or_ask(v, m), path[0] != '\'' && slash ? slash + 1 : path);
}

/* For an address outside all maps or in data: a wrong caller, or code with an unknown mapping. */
static char *advice_astray(const struct verdict *v, const struct verdict_module *m)
{
	bool fp = false;

	for (size_t i = 0; i < v->nr_events; i++)
		fp |= v->events[i].chain == VERDICT_CHAIN_FRAME_POINTERS ||
		      v->events[i].chain == VERDICT_CHAIN_DEFERRED;
	/* the leaf is where the program ran; its callers were read through frame pointers */
	if (fp && verdict_measure(v, &m->leaf) * 2 <= verdict_measure(v, &m->any))
		return xstrdup("probably a wrong caller from code without frame pointers: build "
			       "with -fno-omit-frame-pointer, or record with prec --call-graph "
			       "dwarf");
	return xstrdup("probably code mapped before recording began: start recording before the "
		       "program, or record with prec -a as root");
}

char *verdict_advice(const struct verdict *v, const struct verdict_module *m)
{
	char *path = shell_word(m->name), *ret = NULL;

	switch (m->reason) {
	case VERDICT_FILE_MISSING: ret = advice_missing(v, m, path); break;
	case VERDICT_OTHER_BUILD: ret = advice_other_build(v, m, path); break;
	case VERDICT_STRIPPED: ret = advice_stripped(v, m, path); break;
	case VERDICT_BROKEN: ret = xasprintf("to see its type: file %s", path); break;
	case VERDICT_NO_SYMBOL: ret = advice_no_symbol(v, m, path); break;
	case VERDICT_KERNEL_HIDDEN:
		ret = xstrdup("sudo sysctl kernel.kptr_restrict=0, or read the recording as root");
		break;
	case VERDICT_KERNEL_FOREIGN: ret = advice_kernel_file(v, m); break;
	case VERDICT_KERNEL_UNMAPPED:
		ret = xstrdup("record again as root, or after sudo sysctl kernel.kptr_restrict=0");
		break;
	case VERDICT_JIT_MAP_MISSING:
		ret = xasprintf("let the runtime write %s (java -XX:+DumpPerfMapAtExit, node "
				"--perf-basic-prof, python3 -X perf) and keep it",
				path);
		break;
	case VERDICT_JIT_MAP_GAP:
		ret = xasprintf("keep the %s of the recorded run, or let the runtime write a "
				"jitdump, which also has code that was freed",
				path);
		break;
	case VERDICT_NOT_CODE:
	case VERDICT_NO_MAP:
	case VERDICT_REASONS: ret = advice_astray(v, m); break;
	}
	free(path);
	return ret;
}
