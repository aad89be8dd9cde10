/* SPDX-License-Identifier: MIT */
#include "events/leak/leak_presets.h"

#include <string.h>

/* What prec is to record of calls: the registers of arguments and results. */
#ifdef __aarch64__
#define REGS "x0,x1,x2"
#define LIBC "/lib/aarch64-linux-gnu/libc.so.6"
#else
#define REGS "ax,di,si,dx"
#define LIBC "/lib/x86_64-linux-gnu/libc.so.6"
#endif
#define CALLS(f) " -e uprobe:" LIBC ":" f " -e uretprobe:" LIBC ":" f

/*
 * kfree() also frees objects of caches (kmem_cache_alloc). Linux before 6.1 has events of their own
 * for allocations on a node. A page is freed by mm_page_free alone: mm_page_free_batched comes
 * before it for the same page. percpu events have bytes_alloc, of all CPUs, from Linux 5.19 on.
 */
const struct leak_preset leak_presets[] = {
	{ .name = "kmalloc",
	  .alloc = "kmem:kmalloc,?kmem:kmalloc_node",
	  .free = "kmem:kfree",
	  .ptr = "ptr",
	  .size = "bytes_alloc",
	  .record = "prec -a -g -e kmem:kmalloc,kmem:kfree" },
	{ .name = "slab",
	  .alloc = "kmem:kmem_cache_alloc,?kmem:kmem_cache_alloc_node",
	  .free = "kmem:kmem_cache_free,?kmem:kfree",
	  .ptr = "ptr",
	  .size = "bytes_alloc",
	  .record = "prec -a -g -e kmem:kmem_cache_alloc,kmem:kmem_cache_free,kmem:kfree" },
	{ .name = "pages",
	  .alloc = "kmem:mm_page_alloc/pfn + 1 != 0/",
	  .free = "kmem:mm_page_free",
	  .ptr = "pfn",
	  .size = "4096 << order",
	  .record = "prec -a -g -e kmem:mm_page_alloc,kmem:mm_page_free" },
	{ .name = "percpu",
	  .alloc = "percpu:percpu_alloc_percpu",
	  .free = "percpu:percpu_free_percpu",
	  .ptr = "ptr",
	  .size = "bytes_alloc",
	  .old_size = "size",
	  .record = "prec -a -g -e percpu:percpu_alloc_percpu,percpu:percpu_free_percpu" },
	{ .name = "malloc",
	  .record = "prec -g --user-regs=" REGS CALLS("malloc") CALLS("calloc") CALLS("realloc")
		  CALLS("aligned_alloc") " -e uprobe:" LIBC ":free" },
};

const size_t nr_leak_presets = ARRAY_SIZE(leak_presets);

const struct leak_preset *leak_preset_find(const char *name)
{
	for (size_t i = 0; i < nr_leak_presets; i++)
		if (!strcmp(leak_presets[i].name, name))
			return &leak_presets[i];
	return NULL;
}
