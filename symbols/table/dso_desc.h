/* SPDX-License-Identifier: MIT */
/* What describes an object, and what a lookup in it gives: the types that all of symbols/ share. */
#ifndef SYMBOLS_TABLE_DSO_DESC_H
#define SYMBOLS_TABLE_DSO_DESC_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/text_format.h"
#include "base/types.h"

struct dso;
struct jit_code;

enum dso_kind {
	DSO_USER,         /* a mapped file */
	DSO_KERNEL,       /* [kernel.kallsyms] */
	DSO_MODULE,       /* a kernel module: path of .ko, or [name] */
	DSO_VDSO,         /* [vdso], [vdso32], [vdsox32] */
	DSO_JIT,          /* /tmp/perf-PID.map */
	DSO_BPF,          /* a KSYMBOL program: symbols are added by the session */
	DSO_GUEST_KERNEL, /* never resolved with this host's symbols */
	DSO_NONE,         /* [heap], [stack], //anon, ...: no file can hold its symbols */
};

struct symbols_config {
	const char *symfs;       /* --symfs DIR, NULL or "" for none */
	const char *buildid_dir; /* NULL: $HOME/.debug */
	const char *vmlinux;     /* -k FILE */
	const char *kallsyms;    /* --kallsyms FILE */
	enum text_format format; /* whose choice of aliases, PLT names and C++ text */
	bool no_demangle;
	bool demangle_kernel;
	bool hermetic; /* tests: use nothing of this host but symfs and buildid_dir */
	/* --debuginfod: NULL: off; "": servers of $DEBUGINFOD_URLS; else servers, by , or blank */
	const char *debuginfod;
	u32 debuginfod_ms; /* limit of all queries together; 0: the default of debuginfod.c */
	const char *prog;  /* with talk: the command's name, for the line that a server is being
			      waited for */
	FILE *talk;        /* NULL: no such line */
	struct diag *diag;
	/* set by symbols_new: */
	struct kernel_cache *kernel_cache;    /* of symbols/kernel/kernel.h */
	struct debuginfod *debuginfod_client; /* of symbols/find/debuginfod.h, NULL: off */
};

/* With --symfs, files are looked for below that folder. */
static inline bool symbols_has_symfs(const struct symbols_config *cfg)
{
	return cfg->symfs && *cfg->symfs;
}

/* What a recording knows of a process. */
struct recorded_process {
	u32 pid;      /* 0: none */
	s64 before;   /* it was there at this time, seconds since the epoch; 0: not known */
	u64 pid_ns;   /* inode of its pid namespace, 0: not known */
	u64 mount_ns; /* likewise */
};

/* What the recording says of an object. */
struct dso_desc {
	enum dso_kind kind;
	const char *name; /* as recorded: path, [name], /tmp/perf-PID.map */
	u8 build_id[20];
	u8 build_id_size; /* 0 = not recorded; zero padding to 20 is not counted */
	/* DSO_KERNEL and DSO_MODULE */
	const char *os_release;  /* of the file, NULL when unknown */
	const char *ref_sym;     /* reference symbol's name ("_text"), NULL when unknown */
	u64 ref_addr;            /* its address in the recorded kernel */
	const char *module_name; /* DSO_MODULE: "[name]" */
	u64 map_start, map_end;  /* DSO_KERNEL, DSO_MODULE: recorded range, 0,0 when unknown */
	/* DSO_JIT: process id in its own pid namespace, the number in the map file's name */
	u32 ns_pid;
	struct recorded_process recorded; /* DSO_JIT: the process that made the code */
	const char *beside; /* DSO_JIT: where else its map file may lie, NULL: nowhere */
	/* DSO_JIT: what its jitdumps tell, NULL: it has a map file. Borrowed until symbols_free.
	 * Its maps have a moment (symbols/jit/jit_code.h) in the place of pgoff. */
	const struct jit_code *jit;
	struct dso *jit_map; /* with jit: has names of what they leave out, NULL: none */
};

/* Why a dso has no symbols, for the commands' verdict. */
enum dso_status {
	DSO_NOT_LOADED,
	DSO_LOADED,
	DSO_FILE_MISSING,
	DSO_BUILD_ID_DIFFERS,
	DSO_STRIPPED,       /* no .symtab: exported names only, or none */
	DSO_KERNEL_HIDDEN,  /* kallsyms shows zeros (kptr_restrict) */
	DSO_KERNEL_FOREIGN, /* recorded on another kernel, no file of it was found */
	DSO_NO_FILE,        /* DSO_NONE and the like */
	DSO_BROKEN,         /* the file is no ELF, or damaged */
};

/* What was found: all names live until symbols_free. */
struct sym_hit {
	const char *name; /* demangled as the config asks */
	u64 start, end;   /* dso addresses */
	u64 addr;         /* the looked-up dso address */
	bool is_object;   /* data, not code */
	bool is_plt;      /* a PLT slot: no unit of debug information has it */
};

/* A place in the source; file is as the compiler wrote it and lives until symbols_free. */
struct line_hit {
	const char *file; /* NULL when it is not known */
	u32 line;
	u64 vaddr; /* ELF address of the looked-up ip; a file offset where no symbols were found */
};

/* A stretch of the kernel's addresses and the object name that perf shows for it. */
struct dso_part {
	u64 start, end;   /* ips */
	const char *name; /* [kernel.kallsyms], [kernel.kallsyms].init.text, ... */
};

#endif
