/* SPDX-License-Identifier: MIT */
/* What a person can do about each reason that frames have no name. */
#include "base/mem.h"
#include "profile/verdict/verdict_text.h"
#include "symbols/find/debugfile.h"

#define DELETED " (deleted)"

const char *verdict_reason_text(enum verdict_reason r)
{
	static const char *const texts[VERDICT_REASONS] = {
		[VERDICT_FILE_MISSING] = "file missing",
		[VERDICT_OTHER_BUILD] = "the file is another build",
		[VERDICT_STRIPPED] = "stripped",
		[VERDICT_BROKEN] = "not a readable ELF file",
		[VERDICT_NO_SYMBOL] = "no symbol there",
		[VERDICT_KERNEL_HIDDEN] = "kernel names hidden",
		[VERDICT_KERNEL_FOREIGN] = "recorded on another kernel",
		[VERDICT_KERNEL_UNMAPPED] = "kernel addresses not recorded",
		[VERDICT_JIT_MAP_MISSING] = "JIT code without a map file",
		[VERDICT_JIT_MAP_GAP] = "JIT code that its map file leaves out",
		[VERDICT_NOT_CODE] = "not code",
		[VERDICT_NO_MAP] = "no file is mapped there",
	};

	return (unsigned int)r < VERDICT_REASONS ? texts[r] : "unknown";
}

/* For a shell; names that it would take apart are quoted. Malloc'd. */
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

/* Distributions have servers for what is of theirs. */
static const char *or_ask(const struct verdict *v, const struct verdict_module *m)
{
	return v->could_ask && m->build_id_size && is_of_the_system(m->name) ? ", or --debuginfod"
									     : "";
}

/* Files of the kernel, by what the recording says of it. */
static char *mend_kernel_file(const struct verdict *v, const struct verdict_module *m)
{
	if (m->kernel && m->name[0] == '/')
		return xasprintf("--symfs DIR, with the recorded machine's %s in it", m->name);
	return xasprintf("-k VMLINUX of %s, or --kallsyms with a copy of its /proc/kallsyms "
			 "(read as root)",
			 v->os_release ? v->os_release : "that kernel");
}

static char *mend_missing(const struct verdict *v, const struct verdict_module *m, const char *path)
{
	if (m->kernel)
		return mend_kernel_file(v, m);
	if (!strncmp(m->name, "/memfd:", 7))
		return xstrdup("code that a JIT made: let it write a jitdump (dotnet: "
			       "DOTNET_PerfEnabled=1, erl +JPperf true), prec -k mono");
	if (is_deleted(m->name))
		return xstrdup("it was replaced while it ran: start the program anew and record "
			       "again");
	if (m->name[0] != '/')
		return xstrdup("record again: the recording does not have its code");
	return xasprintf("--symfs DIR, with a copy of the recorded machine's file as DIR%s%s", path,
			 or_ask(v, m));
}

static char *mend_other_build(const struct verdict *v, const struct verdict_module *m,
			      const char *path)
{
	char hex[BUILD_ID_HEX];

	if (m->kernel)
		return mend_kernel_file(v, m);
	if (!m->build_id_size)
		return xstrdup("record again");
	build_id_hex(m->build_id, m->build_id_size, hex);
	return xasprintf(
		"perf buildid-cache -a FILE, with the %s of build-id %.12s...%s, or record "
		"again",
		path, hex, or_ask(v, m));
}

static char *mend_stripped(const struct verdict *v, const struct verdict_module *m,
			   const char *path)
{
	if (m->kernel)
		return xstrdup("install the kernel's -dbg package (Debian: linux-image-$(uname "
			       "-r)-dbg)");
	if (is_of_the_system(m->name))
		return xasprintf("sudo apt install $(find-dbgsym-packages %s) (Fedora: dnf "
				 "debuginfo-install)%s",
				 path, or_ask(v, m));
	return xasprintf("build %s without -s and do not strip it", path);
}

/* No map at a place that a call chain leads to. */
static char *mend_astray(const struct verdict *v, const struct verdict_module *m)
{
	bool fp = false;

	for (size_t i = 0; i < v->nr_events; i++)
		fp |= v->events[i].chain == VERDICT_CHAIN_FRAME_POINTERS ||
		      v->events[i].chain == VERDICT_CHAIN_DEFERRED;
	/* the leaf is where the program was; what lies above it is what frame pointers said */
	if (fp && verdict_measure(v, &m->leaf) * 2 <= verdict_measure(v, &m->any))
		return xstrdup("code without frame pointers: build with -fno-omit-frame-pointer, "
			       "or prec --call-graph dwarf");
	return xstrdup("code whose mapping was not recorded: start recording before the program, "
		       "or prec -a as root");
}

char *verdict_mend(const struct verdict *v, const struct verdict_module *m)
{
	char *path = shell_word(m->name), *ret = NULL;

	switch (m->reason) {
	case VERDICT_FILE_MISSING: ret = mend_missing(v, m, path); break;
	case VERDICT_OTHER_BUILD: ret = mend_other_build(v, m, path); break;
	case VERDICT_STRIPPED: ret = mend_stripped(v, m, path); break;
	case VERDICT_BROKEN: ret = xasprintf("file %s says what it is", path); break;
	case VERDICT_NO_SYMBOL:
		ret = xstrdup("code without a symbol, such as hand-written assembler: nothing "
			      "mends it");
		break;
	case VERDICT_KERNEL_HIDDEN: ret = xstrdup("sudo sysctl kernel.kptr_restrict=0"); break;
	case VERDICT_KERNEL_FOREIGN: ret = mend_kernel_file(v, m); break;
	case VERDICT_KERNEL_UNMAPPED:
		ret = xstrdup("sudo sysctl kernel.kptr_restrict=0, or be root, and record again");
		break;
	case VERDICT_JIT_MAP_MISSING:
		ret = xasprintf("let the JIT write %s (java -XX:+DumpPerfMapAtExit, node "
				"--perf-basic-prof, python3 -X perf) and keep it",
				path);
		break;
	case VERDICT_JIT_MAP_GAP:
		ret = xasprintf("keep the %s of that very run; the code may have gone before it "
				"was written",
				path);
		break;
	case VERDICT_NOT_CODE:
	case VERDICT_NO_MAP:
	case VERDICT_REASONS: ret = mend_astray(v, m); break;
	}
	free(path);
	return ret;
}
