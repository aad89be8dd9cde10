/* SPDX-License-Identifier: MIT */
/* -l: the share of each source line in the cost of a function. */
#include "report/pann/annotate_print.h"

#define LINE "----------------------------------------------"

struct place {
	char *text;
	double *shares; /* by the view's events */
	size_t nr;
};

static int compare_texts(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	return strcmp(a->text, b->text);
}

/* Sorts lines by the first event's share, then by the other events' shares. */
static int compare_shares(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	for (size_t i = 0; i < a->nr; i++)
		if (a->shares[i] != b->shares[i])
			return a->shares[i] > b->shares[i] ? -1 : 1;
	return -strcmp(a->text, b->text);
}

static size_t list_places(const struct annot_view *v, struct place **ret)
{
	struct place *places = NULL;
	size_t nr = 0, cap = 0;
	struct out text;

	out_init_mem(&text);
	for (size_t i = 0; i < v->code->nr; i++) {
		const struct annot_insn *in = &v->code->insns[i];
		struct place p = { .nr = v->nr_events };

		if (annot_insn_share(v, in->vaddr, in->len) <= ANNOT_PATH_MIN)
			continue;
		text.len = 0;
		annot_place_text(v, in->vaddr, &text);
		p.text = xstrndup(text.buf ? text.buf : "", text.len);
		p.shares = xcalloc(v->nr_events + 1, sizeof(*p.shares));
		for (size_t e = 0; e < v->nr_events; e++) {
			struct annot_sum sum = annot_insn_sum(v, in->vaddr, in->len, v->events[e]);

			p.shares[e] = annot_share(v, v->events[e], &sum);
		}
		vec_push(places, nr, cap, p);
	}
	out_fini(&text);
	*ret = places;
	return nr;
}

/* Merges the elements of equal lines, which are adjacent because they are sorted by text. */
static size_t merge(struct place *p, size_t nr)
{
	size_t n = 0;

	for (size_t i = 0; i < nr; i++) {
		if (!n || strcmp(p[n - 1].text, p[i].text)) {
			p[n++] = p[i];
			continue;
		}
		for (size_t e = 0; e < p[i].nr; e++)
			p[n - 1].shares[e] += p[i].shares[e];
		free(p[i].text);
		free(p[i].shares);
	}
	return n;
}

static void print_place(struct out *o, const struct annot_view *v, const struct place *p)
{
	double max = 0;
	char text[32];
	const char *color;

	for (size_t e = 0; e < p->nr; e++) {
		if (p->shares[e] > max)
			max = p->shares[e];
		snprintf(text, sizeof(text), " %7.2f", p->shares[e]);
		annot_colored(o, annot_color(v->style, p->shares[e]), text);
	}
	color = annot_color(v->style, max);
	annot_start_color(o, color);
	out_char(o, ' ');
	out_str(o, p->text);
	out_char(o, '\n');
	if (color)
		out_str(o, ANNOT_PLAIN);
}

void annot_print_summary(struct out *o, const struct annot_view *v)
{
	struct place *places;
	size_t nr = list_places(v, &places), i;

	out_printf(o, "\nSorted summary for file %s\n%s\n\n", v->code->object, LINE);
	if (!nr)
		out_printf(o, " Nothing higher than %.1f%%\n", ANNOT_PATH_MIN);
	if (nr) {
		qsort(places, nr, sizeof(*places), compare_texts);
		nr = merge(places, nr);
		qsort(places, nr, sizeof(*places), compare_shares);
	}
	for (i = 0; i < nr; i++) {
		print_place(o, v, &places[i]);
		free(places[i].text);
		free(places[i].shares);
	}
	free(places);
}
