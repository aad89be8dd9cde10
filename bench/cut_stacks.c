/* SPDX-License-Identifier: MIT */
/*
 * Makes of a recording with large stack copies what would have been recorded with small ones:
 *
 *	cut_stacks IN OUT BYTES
 *
 * Every user stack copy in OUT has at most BYTES bytes; all else stays, feature sections move. IN
 * is a regular file of this machine's byte order, uncompressed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/option.h"
#include "fileformat/sample.h"

#define HEADER_DATA_SIZE 48 /* offset of the data section's size in the file's header */
#define ATTR_STACK_USER 88  /* of sample_stack_user in an attr */

struct cutter {
	struct perfdata *pd;
	FILE *out;
	u64 limit, data_size;
	bool failed;
};

static void put(struct cutter *c, const void *p, size_t n)
{
	if (n && fwrite(p, 1, n, c->out) != n)
		c->failed = true;
}

static void put_record(struct cutter *c, const struct pd_record *r)
{
	const struct pd_event *ev = r->type == 9 ? pd_event_of_record(c->pd, r) : NULL;
	const u8 *stack, *end = r->data + r->size;
	u64 head[1], size, valid;
	struct pd_sample s;
	size_t before;
	struct perr e;
	u16 new_size;

	if (!ev || pd_read_sample(ev, r, false, &s, &e) || s.user_stack_size <= c->limit) {
		put(c, r->data, r->size + r->payload_len);
		c->data_size += r->size + r->payload_len;
		return;
	}
	stack = s.user_stack.p;
	before = (size_t)(stack - r->data) - 8; /* up to the size of the copy */
	valid = s.user_stack.n < c->limit ? s.user_stack.n : c->limit;
	size = c->limit;
	new_size = (u16)(r->size - (s.user_stack_size - c->limit));
	memcpy(head, r->data, sizeof(head));
	memcpy((u8 *)head + 6, &new_size, sizeof(new_size));
	put(c, head, sizeof(head));
	put(c, r->data + 8, before - 8);
	put(c, &size, 8);
	put(c, stack, c->limit);
	put(c, &valid, 8);
	stack += s.user_stack_size + 8;
	put(c, stack, (size_t)(end - stack));
	c->data_size += new_size;
}

static u8 *read_whole(const char *path, size_t *ret)
{
	FILE *f = fopen(path, "re");
	u8 *p = NULL;
	long n;

	if (f && !fseek(f, 0, SEEK_END) && (n = ftell(f)) > 0) {
		rewind(f);
		p = xmalloc((size_t)n);
		*ret = (size_t)n;
		if (fread(p, 1, (size_t)n, f) != (size_t)n)
			*ret = 0;
	}
	if (f)
		fclose(f);
	return p;
}

static int cut(struct cutter *c, u8 *bytes, size_t size, struct perr *e)
{
	const struct perfdata *pd = c->pd;
	u64 moved, limit = c->limit, off;
	struct pd_record r;
	u32 stack_user;
	size_t nr = 0;
	int got;

	if (pd->kind != PD_REGULAR || pd->swap || pd->data_off + pd->data_size > size)
		return perr_set(e, PERR_FORMAT, "cannot be cut");
	/* the header and the attrs, with the new size of the copies */
	for (off = pd->attrs_off; off + pd->attr_size <= pd->attrs_off + pd->attrs_size;
	     off += pd->attr_size) {
		memcpy(&stack_user, bytes + off + ATTR_STACK_USER, sizeof(stack_user));
		if (stack_user > limit)
			memcpy(bytes + off + ATTR_STACK_USER, &limit, sizeof(stack_user));
	}
	put(c, bytes, pd->data_off);
	while ((got = pd_next(c->pd, &r, e)) == 1)
		put_record(c, &r);
	if (got)
		return got;
	/* the table of feature sections and what it points to */
	moved = pd->data_size - c->data_size;
	for (int i = 0; i < PD_NR_FEATURES; i++)
		nr += pd->features[i / 64] >> i % 64 & 1;
	for (size_t i = 0; i < nr; i++) {
		u8 *entry = bytes + pd->feat_off + 16 * i;

		memcpy(&off, entry, sizeof(off));
		off -= moved;
		memcpy(entry, &off, sizeof(off));
	}
	put(c, bytes + pd->feat_off, size - pd->feat_off);
	if (fseek(c->out, HEADER_DATA_SIZE, SEEK_SET))
		c->failed = true;
	put(c, &c->data_size, sizeof(c->data_size));
	return 0;
}

int main(int argc, char **argv)
{
	struct cutter c = { 0 };
	struct perr e = { 0 };
	size_t size = 0;
	u8 *bytes;
	int err;

	if (argc != 4) {
		fputs("usage: cut_stacks IN OUT BYTES\n", stderr);
		return 2;
	}
	c.limit = strtoull(argv[3], NULL, 0) & ~7ull;
	bytes = read_whole(argv[1], &size);
	if (!bytes || !size || !c.limit || pd_open(argv[1], NULL, &c.pd, &e)) {
		fprintf(stderr, "cut_stacks: %s: %s\n", argv[1], e.text);
		return 1;
	}
	c.out = fopen(argv[2], "we");
	err = c.out ? cut(&c, bytes, size, &e) : perr_io(&e, "cannot create");
	if (c.out && fclose(c.out))
		c.failed = true;
	if (err || c.failed)
		fprintf(stderr, "cut_stacks: %s: %s\n", argv[2], err ? e.text : "cannot write");
	pd_close(c.pd);
	free(bytes);
	return err || c.failed;
}
