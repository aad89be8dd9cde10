/* SPDX-License-Identifier: MIT */
/* Types that all of symbols/ uses: the configuration, the description of an object and the results
 * of lookups. */
#ifndef SYMBOLS_TABLE_DSO_DESC_H
#define SYMBOLS_TABLE_DSO_DESC_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/err.h"
#include "base/files/regular_file.h"
#include "base/types.h"
#include "symbols/table/demangle.h"

struct dso;
struct jit_code;

/* The kernel, unless a recording names a file for it. */
#define KERNEL_NAME "[kernel.kallsyms]"

enum dso_kind {
	DSO_USER,         /* a mapped file */
	DSO_KERNEL,       /* [kernel.kallsyms], or the path of a vmlinux */
	DSO_MODULE,       /* a kernel module: path of .ko, or [name] */
	DSO_VDSO,         /* [vdso], [vdso32], [vdsox32] */
	DSO_JIT,          /* /tmp/perf-PID.map */
	DSO_BPF,          /* a BPF program; the caller adds its symbols with dso_add_symbol() */
	DSO_GUEST_KERNEL, /* a guest's kernel, for which this host's symbols are never used */
	DSO_NONE,         /* memory that no file belongs to: [heap], [stack], //anon, ... */
};

/*
 * Opens the mapped file of a DSO_USER in place of the search in all places: while a recording is
 * made, its processes still have their files.
 */
struct object;
struct code_opener {
	void *ctx;
	/*
	 * Returns the file, which is closed with the object, or NULL: then it is asked again at the
	 * next need, because another process may have the file, unless *ret_no_elf is set: the file
	 * was found and is no ELF file. Called with the object's lock held.
	 */
	struct object *(*open)(void *ctx, const struct dso *d, bool *ret_no_elf);
	/* The object is removed: forgets what is known by its number. NULL: nothing is. */
	void (*forget)(void *ctx, const struct dso *d);
};

struct symbols_config {
	const char *symfs;       /* --symfs DIR; NULL or "" for none */
	const char *buildid_dir; /* the build-id cache; NULL for $HOME/.debug */
	const char *vmlinux;     /* -k FILE */
	const char *kallsyms;    /* --kallsyms FILE */
	enum text_format format; /* the perf version whose aliases, PLT and C++ names are shown */
	name_form_fn *name_form; /* NULL: the whole names, as perf shows them */
	bool no_demangle;
	bool demangle_kernel;
	bool force;    /* -f: also files of JITs that belong to other users */
	bool hermetic; /* for tests: use no files of this host but symfs and buildid_dir */
	/* --debuginfod: NULL: off; "": the servers in $DEBUGINFOD_URLS; else a list of servers
	 * separated by commas or blanks */
	const char *debuginfod;
	u32 debuginfod_ms; /* time limit of all queries together; 0 for the default */
	const char *prog;  /* the command's name, for the progress line of debuginfod queries */
	FILE *talk;        /* where that progress line goes; NULL for none */
	struct diag *diag; /* for warnings; NULL drops them */
	/* NULL: files are searched for; else only mapped files are found, and by this alone */
	const struct code_opener *opener;
	/* Members that symbols_new() sets: */
	struct kernel_cache *kernel_cache;    /* of symbols/kernel/kernel.h */
	struct debuginfod *debuginfod_client; /* of symbols/find/debuginfod.h, NULL: off */
};

/* True if files are searched for below the folder of --symfs. */
static inline bool symbols_has_symfs(const struct symbols_config *cfg)
{
	return cfg->symfs && *cfg->symfs;
}

/* How files at recorded paths are opened: below --symfs no link leads out of it. */
static inline struct file_rules symbols_file_rules(const struct symbols_config *cfg)
{
	return (struct file_rules){ .root = cfg->symfs };
}

/* How files that JITs wrote are opened: any user may write /tmp/perf-PID.map of any process. */
static inline struct file_rules symbols_jit_rules(const struct symbols_config *cfg)
{
	return (struct file_rules){ .root = cfg->symfs, .only_trusted = !cfg->force };
}

/* Warns that the file at path was refused, if the fault is a refusal. */
static inline void symbols_warn_refused(const struct symbols_config *cfg, const char *path,
					enum file_fault fault)
{
	const char *advice = file_fault_advice(fault);

	if (advice)
		diag_warn(cfg->diag, "%s: not read: %s: %s", path, file_fault_text(fault), advice);
}

/* What a recording says about a process, to recognise it if it still runs. */
struct recorded_process {
	u32 pid;      /* 0: no process */
	s64 before;   /* a time at which it ran, seconds since the epoch; 0: unknown */
	u64 pid_ns;   /* inode of its pid namespace; 0: unknown */
	u64 mount_ns; /* inode of its mount namespace; 0: unknown */
};

/* What a recording says about an object. */
struct dso_desc {
	enum dso_kind kind;
	const char *name; /* as recorded: path, [name], /tmp/perf-PID.map */
	u8 build_id[20];
	u8 build_id_size; /* bytes, without zero padding; 0: not recorded */
	/* The build-id is not the object's own, but the name of its copy in the build-id cache
	 * (docs/FORMAT.md 7.1): only that copy is the object. */
	bool id_is_cache_key;
	/* Of a DSO_KERNEL or DSO_MODULE: */
	const char *os_release;  /* the recorded kernel's release; NULL: unknown */
	const char *ref_sym;     /* the reference symbol, such as "_text"; NULL: unknown */
	u64 ref_addr;            /* the reference symbol's address in the recorded kernel */
	u64 map_start, map_end;  /* the recorded address range; 0, 0: unknown */
	const char *module_name; /* of a DSO_MODULE: "[name]" */
	/* Of a DSO_JIT: the process's pid in its own pid namespace, which is the number in the map
	 * file's name */
	u32 ns_pid;
	/* Of a DSO_JIT: the process that made the code; of a DSO_USER: one that mapped it. */
	struct recorded_process recorded;
	u64 ino;              /* of a DSO_USER: the file's inode; 0: not recorded */
	u32 dev_maj, dev_min; /* with ino: of the file's device, as the kernel has it */
	const char *beside;   /* of a DSO_JIT: another path of its map file; NULL: none */
	/* Of a DSO_JIT with jitdumps: their contents, borrowed until symbols_free(); NULL: the
	 * object has a map file. Maps of such an object have a moment (symbols/jit/jit_code.h)
	 * instead of a pgoff. */
	const struct jit_code *jit;
	struct dso *jit_map; /* with jit: the map file's object, for names that the jitdumps lack;
			      * NULL: none */
};

/* Copies the texts of d, which may have no name, and makes d use the copies. Returns what is to be
 * freed when d is not used any more. */
char *dso_desc_own_texts(struct dso_desc *d);

/* Whether an object's symbols are loaded, and if not, why not. */
enum dso_status {
	DSO_NOT_LOADED,
	DSO_LOADED,
	DSO_FILE_MISSING,
	DSO_BUILD_ID_DIFFERS,
	DSO_STRIPPED,       /* the file has no .symtab: it has exported names only, or none */
	DSO_KERNEL_HIDDEN,  /* kallsyms hides addresses from this user (kptr_restrict) */
	DSO_KERNEL_FOREIGN, /* another kernel was recorded, and no file of it was found */
	DSO_NO_FILE,        /* objects of this kind have no file, such as DSO_NONE */
	DSO_BROKEN,         /* the file is no ELF file or is damaged */
};

/* The symbol that a lookup found. name is valid until symbols_free(). */
struct sym_hit {
	const char *name; /* demangled unless the configuration forbids it */
	u64 start, end;   /* of the symbol, dso addresses */
	u64 addr;         /* the looked-up address, a dso address */
	bool is_object;   /* the symbol is data, not code */
	bool is_plt;      /* the symbol is a PLT slot, which debug information does not cover */
};

/* A symbol in the list of all; addresses are dso addresses. */
struct sym_listed {
	u64 start, end;
	u32 id;     /* for dso_listed_name() */
	u8 binding; /* enum sym_binding */
};

/* A source line that a lookup found. file is valid until symbols_free(). */
struct line_hit {
	const char *file; /* as the compiler wrote it; NULL: unknown */
	u32 line;         /* 0: unknown */
	u64 vaddr;        /* ELF address of the looked-up ip; its file offset without symbols */
};

/* A range of kernel addresses, which perf shows as an object of its own. */
struct dso_part {
	u64 start, end;      /* ips */
	const char *section; /* of vmlinux, such as ".init.text"; "" for .text and kallsyms */
};

#endif
