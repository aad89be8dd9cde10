/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "unwind/join/join_priv.h"

u64 join_key(u64 task, const struct join_frame *f)
{
	return hash_pair(hash_pair(task, f->function), f->cfa);
}

void join_table_free(struct join_table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nr_answers; i++)
		free(t->answers[i]);
	free(t->answers);
	free(t->calls);
	free(t->asked);
	idmap_fini(&t->by_time);
	free(t);
}

void join_path_fini(struct join_path *p)
{
	free(p->ips);
	*p = (struct join_path){ 0 };
}

u32 join_answer(const struct join_table *t, u32 batch, u32 question, u64 rank)
{
	u32 call = t->answers[batch][question];

	return call != JOIN_NO_CALL && live_call_holds(&t->calls[call], rank) ? call : JOIN_NO_CALL;
}

void join_prefetch(const struct join_table *t, u32 batch, u32 question)
{
	__builtin_prefetch(&t->answers[batch][question]);
}

u32 join_likely_answer(const struct join_table *t, u32 batch, u32 question)
{
	u32 call = t->answers[batch][question];

	if (call != JOIN_NO_CALL)
		__builtin_prefetch(&t->calls[call]);
	return call;
}

bool join_step(const struct join_table *t, u32 *call, u64 *ret_ip)
{
	const struct live_call *r = &t->calls[*call];

	if (r->caller == JOIN_NO_CALL)
		return false;
	*ret_ip = r->caller_ip;
	*call = r->caller;
	return true;
}

bool join_is_root(const struct join_table *t, u32 call)
{
	return t->calls[call].at_root;
}

size_t join_nr_calls(const struct join_table *t)
{
	return t->nr_calls;
}

void join_path_of(const struct join_table *t, u32 call, size_t max, struct join_path *ret)
{
	u64 ip;

	ret->nr = 0;
	ret->at_root = false;
	if (call == JOIN_NO_CALL)
		return;
	while (join_step(t, &call, &ip)) {
		if (ret->nr == max)
			return;
		vec_push(ret->ips, ret->nr, ret->cap, ip);
	}
	ret->at_root = join_is_root(t, call);
}

void join_find(const struct join_table *t, u64 task, u64 time, const struct join_frame *f,
	       size_t max, struct join_path *ret)
{
	u32 i = idmap_get(&t->by_time, join_key(task, f), time), call = JOIN_NO_CALL;

	if (i != IDMAP_NONE && live_call_holds(&t->calls[t->asked[i].call], t->asked[i].rank))
		call = t->asked[i].call;
	join_path_of(t, call, max, ret);
}
