/* SPDX-License-Identifier: MIT */
#include "record/header/host_features_priv.h"

#include "base/mem.h"
#include "base/option.h"
#include "record/header/host_text.h"

#define MEM_VERSION 1
/* larger numbers are considered damaged; 2 PiB in blocks of 128 MiB */
#define MAX_BLOCKS (1u << 24)

bool host_total_mem(struct wbuf *b, const struct rec_host *h)
{
	char *text = host_whole(HOST_TEXT_MAX, NULL, h->procfs, "meminfo");
	char *value = text ? host_value(text, "MemTotal") : NULL;
	u64 kb = value ? strtoull(value, NULL, 10) : 0;

	free(text);
	free(value);
	wb_u64(b, kb);
	return kb > 0;
}

static void set_bit(u64 **words, size_t *nr, size_t *cap, u32 bit)
{
	while (*nr <= bit / 64)
		vec_push(*words, *nr, *cap, 0);
	(*words)[bit / 64] |= 1ull << (bit % 64);
}

/* Appends the memory blocks of a node, which are links memoryN in its folder. */
static void put_node(struct wbuf *b, const struct rec_host *h, u32 node)
{
	struct name_list names;
	size_t i, nr = 0, cap = 0;
	u64 *words = NULL, nr_bits = 0;
	u32 block;

	host_names(&names, h->sysfs, "devices/system/node/node%u", node);
	for (i = 0; i < names.nr; i++) {
		if (!host_numbered(names.names[i], "memory", &block) || block >= MAX_BLOCKS)
			continue;
		set_bit(&words, &nr, &cap, block);
		if (block >= nr_bits)
			nr_bits = (u64)block + 1;
	}
	name_list_fini(&names);
	if (!nr) {
		/*
		 * A node without memory gets an empty word, because stock perf fails on a bitmap of
		 * size 0.
		 */
		vec_push(words, nr, cap, 0);
		nr_bits = 1;
	}
	wb_u64(b, node);
	wb_u64(b, nr_bits);
	wb_u64(b, nr_bits);
	wb_mem(b, words, 8 * nr);
	free(words);
}

bool host_mem_topology(struct wbuf *b, const struct rec_host *h)
{
	char *line = host_line(h->sysfs, "devices/system/memory/block_size_bytes");
	size_t i, nr = 0, cap = 0;
	struct name_list names;
	u32 *nodes = NULL, node;
	u64 block_size = 0;
	bool ok;

	/* hexadecimal without 0x */
	if (!line || parse_u64(line, 16, 1, UINT64_MAX, &block_size)) {
		free(line);
		return false;
	}
	free(line);
	host_names(&names, h->sysfs, "devices/system/node");
	for (i = 0; i < names.nr; i++)
		if (host_numbered(names.names[i], "node", &node))
			vec_push(nodes, nr, cap, node);
	name_list_fini(&names);
	ok = nr > 0;
	wb_u64(b, MEM_VERSION);
	wb_u64(b, block_size);
	wb_u64(b, nr);
	for (i = 0; i < nr; i++)
		put_node(b, h, nodes[i]);
	free(nodes);
	return ok;
}
