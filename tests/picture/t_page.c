/* SPDX-License-Identifier: MIT */
/* Pages, decoded again: their streams give the tree, weights and samples that were put in. */
#include "picture/page_priv.h"

#include "picture/page_flame.h"

#include "tests/frame/unit.h"

#define NR_STEPS 2000

struct reader {
	const struct page *p;
	const u8 *at;
	size_t left;
	unsigned int planes; /* see struct page_stream */
	size_t nr;           /* numbers that are left, if they are in planes */
};

static bool has_stream(const struct page *p, const char *name)
{
	for (size_t i = 0; i < p->nr_streams; i++)
		if (!strcmp(p->streams[i].name, name))
			return true;
	return false;
}

static struct reader stream_of(const struct page *p, const char *name)
{
	size_t from = 0;

	for (size_t i = 0; i < p->nr_streams; i++) {
		if (!strcmp(p->streams[i].name, name))
			return (struct reader){ .p = p,
						.at = p->block.p + from,
						.left = p->streams[i].length,
						.planes = p->streams[i].planes };
		from += p->streams[i].length;
	}
	CHECK(!"the stream is there");
	return (struct reader){ .p = p };
}

static u64 read_planes(struct reader *r)
{
	u64 v = 0;

	if (!r->nr)
		r->nr = r->left / r->planes;
	for (unsigned int k = 0; k < r->planes; k++)
		v |= (u64)r->at[k * r->nr] << 8 * k;
	r->at++;
	r->left -= r->planes;
	return v;
}

static u64 read_int(struct reader *r)
{
	u64 v = 0;

	if (r->planes)
		return read_planes(r);

	for (unsigned int shift = 0;; shift += 7) {
		u8 byte;

		CHECK(r->left && shift < 64);
		if (!r->left)
			return 0;
		byte = *r->at++;
		r->left--;
		v |= (u64)(byte & 127) << shift;
		if (byte < 128)
			return v;
	}
}

static u32 random_below(u32 *state, u32 n)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 16) % n;
}

/* The text of a name by the number that the page gives it. */
static const char *name_text(const struct page *p, u64 number)
{
	struct reader r = stream_of(p, "names");
	const char *s = (const char *)r.at;

	while (number--)
		s += strlen(s) + 1;
	return s;
}

static void decode_tree(const struct page *p, const u32 *order)
{
	struct reader depth = stream_of(p, "depth"), name = stream_of(p, "name");
	struct reader self = { 0 };
	struct reader sizes = stream_of(p, "callees"), callee = stream_of(p, "callee");
	u32 *numbers = xcalloc(p->nr_nodes + 1, sizeof(*numbers)), *lists, *names;
	u32 *path = xcalloc(p->nr_nodes + 1, sizeof(*path)), d = 0;

	CHECK_EQ(p->columns[0].summed, !has_stream(p, "self0"));
	if (!p->columns[0].summed) {
		self = stream_of(p, "self0");
		CHECK_EQ(read_int(&self) * p->columns[0].gcd, p->columns[0].self[0]);
	}
	lists = xcalloc(p->nr_names + 2, sizeof(*lists));
	names = xcalloc(callee.left + 1, sizeof(*names));
	for (size_t i = 0; i <= p->nr_names; i++)
		lists[i + 1] = lists[i] + (u32)read_int(&sizes);
	for (u32 i = 0; i < lists[p->nr_names + 1]; i++)
		names[i] = (u32)read_int(&callee);
	for (size_t i = 1; i < p->nr_nodes; i++) {
		const struct page_node *n = &p->nodes[order[i]];
		const char *text = intern_text(&p->texts, p->names[n->name].text);
		u32 caller;
		u64 place;

		d = d + 1 - (u32)read_int(&depth);
		CHECK_EQ(n->parent, path[d - 1]);
		path[d] = order[i];
		caller = d > 1 ? numbers[path[d - 1]] + 1 : 0;
		place = read_int(&name);
		CHECK(place < lists[caller + 1] - lists[caller]);
		numbers[order[i]] = names[lists[caller] + place];
		if (i < 50)
			CHECK(!strncmp(name_text(p, numbers[order[i]]), text, strlen(text)));
		if (!p->columns[0].summed)
			CHECK_EQ(read_int(&self) * p->columns[0].gcd, p->columns[0].self[order[i]]);
	}
	CHECK(!depth.left && !self.left && !name.left && !sizes.left && !callee.left);
	free(numbers);
	free(lists);
	free(names);
	free(path);
}

/* By place in the pre-order: the place of the node below the top that a node belongs to. */
static u32 *commands_of(const struct page *p, const u32 *order)
{
	u32 *commands = xcalloc(p->nr_nodes, sizeof(*commands));

	for (u32 i = 1; i < p->nr_nodes; i++)
		commands[i] = p->nodes[order[i]].parent ? commands[i - 1] : i;
	return commands;
}

/* The places of leaves by the column of samples, when the page has no stream of them. */
static void find_leaves(const struct page *p, const u32 *order, const u32 *commands, u32 *leaves)
{
	const u64 *uses = p->columns[1].self;
	u32 nr = 0;

	for (u32 command = 0; command < p->nr_nodes; command++) {
		if (commands[command] != command)
			continue;
		for (u64 most = NR_STEPS; most; most--)
			for (u32 i = 0; i < p->nr_nodes; i++)
				if (commands[i] == command && order[i] < p->columns[1].cap &&
				    uses[order[i]] == most)
					leaves[nr++] = i;
	}
	CHECK_EQ(nr, p->nr_leaves);
}

/* The first leaf of the list with this number. */
static u32 list_start(const struct page *p, const u32 *commands, const u32 *leaves, u64 number)
{
	u32 at = 0;

	while (number--)
		for (u32 command = commands[leaves[at]];
		     at < p->nr_leaves && commands[leaves[at]] == command;)
			at++;
	CHECK(at < p->nr_leaves);
	return at;
}

static void decode_samples(const struct page *p, const u32 *order, u64 want)
{
	struct reader leaf = { 0 }, time = stream_of(p, "time");
	struct reader stack = stream_of(p, "stack"), count = { 0 };
	struct reader turns = stream_of(p, "turns"), turn = stream_of(p, "turn");
	struct reader weight = stream_of(p, "weight");
	u64 *self = xcalloc(p->nr_nodes, sizeof(*self));
	u32 *leaves = xcalloc(p->nr_leaves, sizeof(*leaves)), *commands = commands_of(p, order);
	u64 samples = 0, last = 0;

	CHECK_EQ(p->leaves_known, !has_stream(p, "leaf"));
	CHECK_EQ(p->counted, has_stream(p, "count"));
	if (p->counted)
		count = stream_of(p, "count");
	if (p->leaves_known)
		find_leaves(p, order, commands, leaves);
	else
		leaf = stream_of(p, "leaf");
	for (u32 i = 0; i < p->nr_leaves && !p->leaves_known; i++)
		leaves[i] = (u32)read_int(&leaf);
	for (size_t i = 0; i < p->nr_lanes; i++) {
		u64 t = 0, nr = 0;

		for (u64 k = read_int(&turns); k; k--) {
			u32 list = list_start(p, commands, leaves, read_int(&turn));
			u64 length = read_int(&turn);

			for (nr += length; length; length--) {
				u64 place = list + read_int(&stack);

				t += read_int(&time);
				CHECK(place < p->nr_leaves);
				samples += p->counted ? read_int(&count) : 1;
				self[order[leaves[place]]] += read_int(&weight) * p->columns[0].gcd;
			}
		}
		CHECK_EQ(nr, p->lanes[i].nr);
		last = t > last ? t : last;
	}
	CHECK_EQ(last, p->last);
	CHECK_EQ(samples, want);
	for (size_t i = 0; i < p->nr_nodes; i++)
		CHECK_EQ(self[i], p->columns[0].self[i]);
	CHECK(!leaf.left && !time.left && !stack.left && !count.left && !weight.left);
	CHECK(!turns.left && !turn.left);
	free(self);
	free(leaves);
	free(commands);
}

/* Makes a page of samples by chance, which stand for most_count at most, and decodes it. */
static void round_trip(u32 most_count)
{
	static const char *const texts[] = { "main", "a", "b<", "a b", "c" };
	struct page *p = page_new();
	u32 names[5], period, samples, lanes[3], seed = 7, *order;
	u64 all = 0;

	for (u32 i = 0; i < 5; i++)
		names[i] = page_name(p, texts[i], i ? "/bin/x" : NULL, i % 3);
	period = page_column(p, page_event(p, "cycles"), 0, PAGE_PERIOD);
	samples = page_column(p, 0, 0, PAGE_SAMPLES);
	page_set_time(p, 10, 1000);
	for (u32 i = 0; i < 3; i++)
		lanes[i] = page_lane(p, page_thread(p, 1, i + 1, "t"), 0);
	for (size_t i = 0; i < NR_STEPS; i++) {
		struct page_sample s = { .time = 1000 + (i + random_below(&seed, 3)) * 10,
					 .lane = lanes[random_below(&seed, 3)],
					 .count = 1 + random_below(&seed, most_count) };

		for (u32 k = random_below(&seed, 7); k; k--)
			s.node = page_child(p, s.node, names[random_below(&seed, 5)]);
		s.weight = 6 * (1 + random_below(&seed, 1000));
		page_count(p, period, s.node, s.weight);
		page_count(p, samples, s.node, s.count);
		page_sample(p, &s);
		all += s.count;
	}
	page_encode(p);
	order = page_order(p);
	CHECK(p->columns[period].gcd % 6 == 0);
	CHECK(p->columns[period].summed);
	CHECK_EQ(p->leaves_known, most_count == 1);
	CHECK_EQ(p->columns[samples].gcd, 1);
	decode_tree(p, order);
	decode_samples(p, order, all);
	table_free(order, page_nodes_size(p));
	page_free(p);
}

TEST(page_streams_give_back_tree_and_samples)
{
	round_trip(1);
	round_trip(2);
}

/* The bytes of a stream of 1000 numbers. */
static unsigned int planes_of(u64 (*number)(u32 *seed))
{
	struct page *p = page_new();
	u64 numbers[1000];
	struct reader r;
	u32 seed = 3;
	unsigned int planes;

	for (size_t i = 0; i < 1000; i++)
		numbers[i] = number(&seed);
	page_put_stream(p, "x", numbers, 1000);
	r = stream_of(p, "x");
	for (size_t i = 0; i < 1000; i++)
		CHECK_EQ(read_int(&r), numbers[i]);
	CHECK(!r.left);
	planes = r.planes;
	page_free(p);
	return planes;
}

static u64 large_number(u32 *seed)
{
	return (u64)random_below(seed, 65536) << 32 | random_below(seed, 65536);
}

static u64 small_number(u32 *seed)
{
	return random_below(seed, 50) ? random_below(seed, 100) : 70000;
}

TEST(page_numbers_are_in_the_form_that_packs_better)
{
	CHECK_EQ(planes_of(large_number), 6);
	CHECK_EQ(planes_of(small_number), 0);
}

TEST(page_equal_periods_are_not_written)
{
	struct page *p = page_new();
	u32 node = page_child(p, PAGE_TOP, page_name(p, "f", NULL, PAGE_USER));
	u32 column = page_column(p, page_event(p, "cpu-clock"), 0, PAGE_NS);
	u32 samples = page_column(p, 0, 0, PAGE_SAMPLES);
	struct page_sample s = { .node = node, .count = 2, .weight = 500 };

	page_set_time(p, 1000, 0);
	s.lane = page_lane(p, page_thread(p, 1, 1, "t"), 0);
	page_sample(p, &s);
	page_count(p, column, node, 500);
	page_count(p, samples, node, 2);
	page_encode(p);
	CHECK(!p->weighted && p->counted);
	CHECK_EQ(p->columns[column].gcd, 250);
	CHECK_EQ(p->columns[samples].like, column);
	page_free(p);
}

static char *written(struct page *p, size_t *ret_n)
{
	struct out o;
	char *copy;

	out_init_mem(&o);
	page_write(p, &o);
	copy = xstrndup(o.buf, o.len);
	*ret_n = o.len;
	out_fini(&o);
	return copy;
}

/* How often a text is in another one. */
static size_t times_in(const char *s, const char *what)
{
	size_t n = 0;

	while ((s = strstr(s, what))) {
		s += strlen(what);
		n++;
	}
	return n;
}

TEST(page_hostile_texts_close_no_element)
{
	static const char bad[] =
		"</script><script>x()</script></title>\"'\\\n\x1b\xff\xe2\x80\xa8&";
	struct page *p = page_new();
	char *text, *head, *end;
	size_t n;

	page_set_title(p, bad);
	page_set_side(p, 1, bad);
	page_about(p, bad, bad, sizeof(bad) - 1);
	page_child(p, PAGE_TOP, page_name(p, bad, bad, PAGE_USER));
	page_column(p, page_event(p, bad), 0, PAGE_SAMPLES);
	page_set_time(p, 1, 0);
	page_thread(p, 1, 1, bad);
	text = written(p, &n);
	CHECK_EQ(strlen(text), n);

	CHECK_EQ(times_in(text, "<script"), 3);
	CHECK_EQ(times_in(text, "</script"), 3);
	CHECK_EQ(times_in(text, "</title"), 1);
	head = strstr(text, "id=\"head\"");
	end = head ? strstr(head, "</script>") : NULL;
	CHECK(end != NULL);
	if (end)
		*end = 0;
	for (const char *s = head; s && *s; s++)
		CHECK((unsigned char)*s >= 0x20 || *s == '\n');
	CHECK(head && !strchr(strchr(head, '{'), '<') && !strstr(head, "\xe2\x80\xa8"));
	free(text);
	page_free(p);
}

TEST(page_of_nothing)
{
	struct page *p = page_new();
	char *text;
	size_t n;

	page_set_title(p, "");
	text = written(p, &n);
	CHECK(n && strstr(text, "\"nodes\":1,\"deepest\":0,\"names\":0"));
	free(text);
	page_free(p);
}

TEST(page_of_a_call_tree)
{
	struct page *p = page_new();
	struct flame f;
	u32 names[3], *order;

	flame_init(&f, 2);
	names[0] = flame_add_name(&f, "b", NULL, FLAME_USER);
	names[1] = flame_add_name(&f, "a", "/bin/x", FLAME_KERNEL);
	flame_add_stack(&f, names, 2);
	flame_count(&f, 0, 4);
	flame_add_stack(&f, names, 1);
	flame_count(&f, 1, 6);
	names[2] = names[0];
	flame_add_stack(&f, names + 1, 2);
	flame_count(&f, 1, 2);
	flame_finish(&f);
	page_add_flame(p, &f, "samples", PAGE_SAMPLES);
	page_encode(p);
	CHECK_EQ(p->nr_nodes, 5);
	CHECK_EQ(p->nr_columns, 2);
	CHECK_EQ(p->columns[0].total, 4);
	CHECK_EQ(p->columns[1].total, 8);
	order = page_order(p);
	/* a, then b below it; then b, with a */
	CHECK_EQ(p->names[p->nodes[order[1]].name].kind, PAGE_KERNEL);
	CHECK_EQ(p->columns[1].self[order[2]], 2);
	CHECK_EQ(p->columns[1].self[order[3]], 6);
	CHECK_EQ(p->columns[0].self[order[4]], 4);
	table_free(order, page_nodes_size(p));
	flame_fini(&f);
	page_free(p);
}

static struct page *large_page(unsigned int nr_workers)
{
	struct page *p = page_new();
	u32 column = page_column(p, page_event(p, "cycles"), 0, PAGE_SAMPLES), chance = 1;

	page_set_workers(p, nr_workers);
	for (u32 i = 0; i < 300; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		page_name(p, name, "x", PAGE_USER);
	}
	for (u32 i = 0; i < 10000; i++) {
		u32 node = PAGE_TOP;

		for (u32 depth = 0; depth < 20; depth++) {
			chance = chance * 1103515245 + 12345;
			node = page_child(p, node, (chance >> 16) % 300);
		}
		page_count(p, column, node, i % 7);
	}
	return p;
}

TEST(page_is_the_same_for_any_number_of_workers)
{
	struct page *one = large_page(1), *three = large_page(3);
	size_t n, m;
	char *a = written(one, &n), *b = written(three, &m), *end, *data;

	CHECK_EQ(n, m);
	CHECK(!memcmp(a, b, n));
	/* the block is large enough for several parts */
	data = strstr(a, "id=\"data\">");
	CHECK(data != NULL);
	end = strstr(data, "</script>");
	CHECK(end && memchr(data, '\n', (size_t)(end - data)));
	free(a);
	free(b);
	page_free(one);
	page_free(three);
}
