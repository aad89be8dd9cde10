/* SPDX-License-Identifier: MIT */
#include "events/series/pair_shorts.h"

#include "base/mem.h"
#include "events/pairs_priv.h"
#include "events/role_values.h"

/* A sample has a bit for each of its event's roles. */
#define MOST_ROLES 32

#define ALWAYS_INLINE inline __attribute__((always_inline))

/* What is known of an event before its samples come. */
struct short_event {
	const struct role *roles, *end;
	/* Payloads of at least so many bytes, in this machine's byte order, have all fields of the
	 * roles and of the switch at their places; UINT32_MAX: not all have such a place. */
	u32 need;
	bool is_switch;
	u32 prev_at, next_at; /* of a switch: bytes in the payload */
};

static u32 need_of_role(const struct role *role)
{
	u32 need = role->tests ? role->tests->need : 0;

	if (role->condition && !role->tests)
		return UINT32_MAX;
	for (u32 k = 0; k < role->nr_parts; k++) {
		const struct role_part *part = &role->parts[k];
		u32 end = part->kind == PART_OTHER ? UINT32_MAX : part->end;

		need = end > need ? end : need;
	}
	return need;
}

/* Takes note of the place of a number of 32 bits, up to which *need bytes are needed. */
static u32 place_of(const struct pd_trace_field *f, u32 *need)
{
	if (f->size != 4 || f->offset > UINT32_MAX - 4)
		*need = UINT32_MAX;
	else if (f->offset + 4 > *need)
		*need = f->offset + 4;
	return f->offset;
}

static struct short_event short_event_of(const struct pairs *p, u32 event)
{
	const u32 *first = &p->roles.first[event];
	struct short_event se = { .roles = p->roles.all + first[0],
				  .end = p->roles.all + first[1],
				  .is_switch = pairs_is_switch(p, event) };

	for (const struct role *role = se.roles; role < se.end; role++) {
		u32 need = need_of_role(role);

		se.need = need > se.need ? need : se.need;
	}
	if (se.is_switch) {
		se.prev_at = place_of(p->switches[event].prev, &se.need);
		se.next_at = place_of(p->switches[event].next, &se.need);
	}
	return se;
}

void pair_shorts_init(struct pair_shorts *ps, struct pairs *p)
{
	*ps = (struct pair_shorts){ .p = p };
	if (!p->can_shorten)
		return;
	ps->events = xcalloc(p->roles.nr_events + 1, sizeof(*ps->events));
	for (u32 i = 0; i < p->roles.nr_events; i++)
		if (pairs_has_role(p, i))
			ps->events[i] = short_event_of(p, i);
}

void pair_shorts_fini(struct pair_shorts *ps)
{
	free(ps->events);
	*ps = (struct pair_shorts){ 0 };
}

/*
 * The words of a short sample: {u32 cpu, u32 bits of the roles that it has}, with keep_place()
 * {u32 pid, tid} and what that has returned, of a switch its threads, and of each role that it has
 * the values of its parts.
 */
enum { PLACE_WORDS = 2 };

static u64 first_word(const struct pd_sample *s, u32 roles)
{
	return s->cpu | (u64)roles << 32;
}

/* Puts the words before those of a switch. Returns nr, or PD_SHORT_NOT: its stack has no number.
 * keeps_place: there is keep_place(); here and below a constant. */
static ALWAYS_INLINE int put_fixed_words(const struct pairs *p, const struct pd_event *ev,
					 const struct pd_sample *s, u32 roles, bool keeps_place,
					 u64 *words, int nr)
{
	words[0] = first_word(s, roles);
	if (!keeps_place)
		return nr;
	words[1] = s->pid | (u64)s->tid << 32;
	return p->cfg.keep_place(p->cfg.ctx, ev, s, &words[2]) ? nr : PD_SHORT_NOT;
}

/* As pair_shorts_words(), of any sample that has roles. */
static int words_of_any(struct pairs *p, const struct short_event *se, const struct pd_event *ev,
			const struct pd_sample *s, u64 *words)
{
	const struct expr_input in = { s->raw, s->swap, s, NULL };
	u32 roles = 0, bit = 1, n = p->cfg.keep_place ? 1 + PLACE_WORDS : 1;

	if (se->end - se->roles > MOST_ROLES)
		return PD_SHORT_NOT;
	if (se->is_switch)
		words[n++] = pairs_threads_of_switch(p, ev->idx, s);
	for (const struct role *role = se->roles; role < se->end; role++, bit <<= 1) {
		if (!role_counts(role, &in))
			continue;
		if (n + role->nr_parts > PD_SHORT_WORDS)
			return PD_SHORT_NOT;
		for (u32 k = 0; k < role->nr_parts; k++)
			words[n++] = role_part_value(&role->parts[k], &in, &p->rows);
		roles |= bit;
	}
	return put_fixed_words(p, ev, s, roles, p->cfg.keep_place, words, (int)n);
}

static ALWAYS_INLINE int words_of(struct pair_shorts *ps, const struct pd_event *ev,
				  const struct pd_sample *s, bool keeps_place, u64 *words)
{
	struct pairs *p = ps->p;
	const struct short_event *se = &ps->events[ev->idx];
	const u8 *raw = s->raw.p;
	u64 *w = words + (keeps_place ? 1 + PLACE_WORDS : 1);
	u32 roles = 0, bit = 1;

	if (ev->idx >= p->roles.nr_events || se->roles == se->end)
		return 0;
	if (s->raw.n < se->need || s->swap ||
	    se->end - se->roles > PD_SHORT_WORDS / (2 * MAX_PARTS) - 1)
		return words_of_any(p, se, ev, s, words);
	if (se->is_switch) {
		u32 prev = get_u32(raw + se->prev_at, false);

		if (!p->gaps.all_threads)
			pairs_note_threads(p, &p->switches[ev->idx], prev, s->raw, false);
		*w++ = prev | (u64)get_u32(raw + se->next_at, false) << 32;
	}
	for (const struct role *role = se->roles; role < se->end; role++, bit <<= 1) {
		if (role->tests && !expr_passes_tests(role->tests, raw))
			continue;
		for (u32 k = 0; k < role->nr_parts; k++)
			*w++ = role_part_field(&role->parts[k], raw, &p->rows);
		roles |= bit;
	}
	return put_fixed_words(p, ev, s, roles, keeps_place, words, (int)(w - words));
}

int pair_shorts_words(struct pair_shorts *ps, const struct pd_event *ev, const struct pd_sample *s,
		      u64 *words)
{
	return ps->p->cfg.keep_place ? words_of(ps, ev, s, true, words)
				     : words_of(ps, ev, s, false, words);
}

static inline void add_to_row(struct pairs *p, const u64 row[MAX_PARTS], u64 value)
{
	struct distribution *d = p->roles.nr_row <= 1 ? rows_recent_of_one(&p->rows, row[0]) : NULL;

	if (d)
		rows_add_to(&p->rows, d, value);
	else
		pairs_add_to_row(p, row, value);
}

/* place: NULL without keep_place(). */
static ALWAYS_INLINE void take_begin(struct pairs *p, const struct role *role, u64 time, u32 cpu,
				     const struct short_place *place, const u64 *w)
{
	struct open_begin *b = pairs_put_begin(p, w, cpu);

	w += p->roles.nr_key;
	b->at = (struct occurrence){ .time = time, .cpu = cpu };
	if (place)
		p->cfg.set_place(p->cfg.ctx, place, &b->at);
	for (size_t k = 0; k < p->roles.nr_row; k++)
		b->row[k] = role->row[k] ? *w++ : 0;
}

/* A pair that was counted is handed to each(). */
static void hand_over(const struct pairs *p, const struct open_begin *b, const u64 row[MAX_PARTS],
		      u64 ns, const struct short_place *place)
{
	struct pair pair = { .ns = ns, .begin = b->at };

	memcpy(pair.key, b->key, sizeof(pair.key));
	memcpy(pair.row, row, sizeof(pair.row));
	p->cfg.each(p->cfg.ctx, &pair, &(struct pair_end){ .place = place });
}

static ALWAYS_INLINE void take_end(struct pairs *p, const struct role *role, u64 time, u32 cpu,
				   const struct short_place *place, const u64 *w)
{
	struct open_begin *b = pairs_find_begin(p, w, time, cpu);
	u64 row[MAX_PARTS] = { 0 };

	if (!b)
		return;
	w += p->roles.nr_key;
	for (size_t k = 0; k < p->roles.nr_row; k++)
		row[k] = role->row[k] ? *w++ : b->row[k];
	p->nr_pairs++;
	time -= b->at.time;
	if (p->cfg.each)
		hand_over(p, b, row, time, place);
	pairs_remove_begin(p, b);
	add_to_row(p, row, time);
}

static inline void take_event(struct pairs *p, const struct role *role, const u64 *w)
{
	u64 row[MAX_PARTS] = { 0 }, value = role->value ? *w++ : 0;

	for (size_t k = 0; k < p->roles.nr_row; k++)
		if (role->row[k])
			row[k] = *w++;
	pairs_count_event(p, role, row, value);
}

static ALWAYS_INLINE void take_roles(struct pairs *p, const struct short_event *se,
				     const struct pd_short *s, const struct short_place *place,
				     const u64 *w)
{
	const struct role *role = se->roles;
	u32 cpu = (u32)*s->words, roles = (u32)(*s->words >> 32);

	if (se->is_switch)
		pairs_take_switch(p, cpu, *w++);
	for (; roles; role++, roles >>= 1) {
		if (!(roles & 1))
			continue;
		if (!p->roles.has_begins)
			take_event(p, role, w);
		else if (role->kind == ROLE_END)
			take_end(p, role, s->time, cpu, place, w);
		else
			take_begin(p, role, s->time, cpu, place, w);
		w += role->nr_parts;
	}
}

static void take_at_place(struct pairs *p, const struct short_event *se, const struct pd_short *s)
{
	const u64 *w = s->words + 1;
	const struct short_place place = { .ev = s->ev,
					   .time = s->time,
					   .pid = (u32)w[0],
					   .tid = (u32)(w[0] >> 32),
					   .stack = w[1] };

	take_roles(p, se, s, &place, w + PLACE_WORDS);
	p->cfg.drop_place(p->cfg.ctx, &place);
}

void pair_shorts_take(struct pair_shorts *ps, const struct pd_short *s, size_t nr)
{
	struct pairs *p = ps->p;
	bool keeps_place = p->cfg.keep_place;

	if (!nr)
		return;
	pairs_note_events(p, nr, s[0].time, s[nr - 1].time);
	for (const struct pd_short *end = s + nr; s < end; s++) {
		const struct short_event *se = &ps->events[s->ev->idx];

		if (keeps_place)
			take_at_place(p, se, s);
		else
			take_roles(p, se, s, NULL, s->words + 1);
	}
}
