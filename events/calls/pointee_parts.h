/* SPDX-License-Identifier: MIT */
/* Writers of what arguments point to. Each returns false, and writes what does not count, where it
 * is not known. */
#ifndef EVENTS_CALLS_POINTEE_PARTS_H
#define EVENTS_CALLS_POINTEE_PARTS_H

#include "events/calls/pointees.h"

#define POINTEE_ELEMS 32 /* of an array that are written */

/* A struct at addr, of which the process gives `size` bytes; SIZE_MAX: all. */
bool pointee_struct_at(const struct pointee_job *j, const struct struct_row *row, u64 addr,
		       u64 size);
/* nr structs in a row, where the argument points to. */
bool pointee_structs_at(const struct pointee_job *j, const struct struct_row *row, u64 nr);
/* Bytes as a text in quotes, the first QUOTED_MAX of n. */
bool pointee_bytes_at(const struct pointee_job *j, u64 addr, u64 n);
bool pointee_int_at(const struct pointee_job *j, u64 addr, s32 *ret);
bool pointee_u64_at(const struct pointee_job *j, u64 addr, u64 *ret);
/* An array of struct iovec: nr of them, which hold `bytes` together. */
bool pointee_iovecs_at(const struct pointee_job *j, u64 addr, u64 nr, u64 bytes);

/* --- of poll(), epoll_wait(), select(): what is ready stands behind the result --- */
bool pointee_pollfds(const struct pointee_job *j);
bool pointee_epolls(const struct pointee_job *j);
bool pointee_fdset(const struct pointee_job *j);
bool pointee_time_left(const struct pointee_job *j);

/* --- of sockets --- */
bool pointee_sockaddr(const struct pointee_job *j);
bool pointee_msghdr(const struct pointee_job *j);
bool pointee_sockopt(const struct pointee_job *j);

/* --- of signals and processes --- */
bool pointee_sigset(const struct pointee_job *j);
bool pointee_sigaction(const struct pointee_job *j);
bool pointee_siginfo(const struct pointee_job *j);
bool pointee_wait_status(const struct pointee_job *j);
/* The arguments of a program that has begun, from its new stack. */
bool pointee_exec(const struct pointee_job *j);

#endif
