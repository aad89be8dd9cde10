/* SPDX-License-Identifier: MIT */
#include "record/probe/usdt_args.h"

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define MAX_ARGS 12 /* of sys/sdt.h */
#define MAX_NAME 8

/* Names of parts of x86 registers, behind the name that the kernel has for the register. */
static const char *const x86_names[][5] = {
	{ "ax", "rax", "eax", "ax", "al" },       { "bx", "rbx", "ebx", "bx", "bl" },
	{ "cx", "rcx", "ecx", "cx", "cl" },       { "dx", "rdx", "edx", "dx", "dl" },
	{ "si", "rsi", "esi", "si", "sil" },      { "di", "rdi", "edi", "di", "dil" },
	{ "bp", "rbp", "ebp", "bp", "bpl" },      { "sp", "rsp", "esp", "sp", "spl" },
	{ "r8", "r8", "r8d", "r8w", "r8b" },      { "r9", "r9", "r9d", "r9w", "r9b" },
	{ "r10", "r10", "r10d", "r10w", "r10b" }, { "r11", "r11", "r11d", "r11w", "r11b" },
	{ "r12", "r12", "r12d", "r12w", "r12b" }, { "r13", "r13", "r13d", "r13w", "r13b" },
	{ "r14", "r14", "r14d", "r14w", "r14b" }, { "r15", "r15", "r15d", "r15w", "r15b" },
};

/* Sets ret to the kernel's name of the register of n bytes at s. */
static bool x86_register(const char *s, size_t n, char ret[MAX_NAME])
{
	for (size_t i = 0; i < ARRAY_SIZE(x86_names); i++) {
		for (size_t k = 1; k < ARRAY_SIZE(x86_names[i]); k++) {
			if (strlen(x86_names[i][k]) != n || memcmp(x86_names[i][k], s, n) != 0)
				continue;
			snprintf(ret, MAX_NAME, "%s", x86_names[i][0]);
			return true;
		}
	}
	return false;
}

/* x0 to x30, w0 to w30, sp */
static bool arm_register(const char *s, size_t n, char ret[MAX_NAME])
{
	char digits[3] = "";
	int nr;

	if (n == 2 && !memcmp(s, "sp", 2)) {
		snprintf(ret, MAX_NAME, "sp");
		return true;
	}
	if (n < 2 || n > 3 || (s[0] != 'x' && s[0] != 'w') || !isdigit((unsigned char)s[1]) ||
	    !isdigit((unsigned char)s[n - 1]))
		return false;
	memcpy(digits, s + 1, n - 1);
	nr = (int)strtol(digits, NULL, 10);
	snprintf(ret, MAX_NAME, "x%d", nr);
	return nr <= 30;
}

struct operand {
	enum { IN_REGISTER, IN_MEMORY, CONSTANT } kind;
	char reg[MAX_NAME];
	s64 value; /* a constant, or the displacement */
};

/* Reads a number of at most the n bytes at s; 0 for none. Returns the bytes of it. */
static size_t take_number(const char *s, size_t n, s64 *ret)
{
	char text[24], *end;

	*ret = 0;
	if (!n || (!isdigit((unsigned char)s[0]) && s[0] != '-'))
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)(n < 23 ? n : 23), s);
	errno = 0;
	*ret = strtoll(text, &end, 0);
	return errno ? 0 : (size_t)(end - text);
}

/* "%rdi", "$5", "-8(%rbp)" */
static bool x86_operand(const char *s, size_t n, struct operand *ret)
{
	size_t number;

	if (n && s[0] == '%') {
		ret->kind = IN_REGISTER;
		return x86_register(s + 1, n - 1, ret->reg);
	}
	if (n && s[0] == '$') {
		ret->kind = CONSTANT;
		return n > 1 && take_number(s + 1, n - 1, &ret->value) == n - 1;
	}
	number = take_number(s, n, &ret->value);
	ret->kind = IN_MEMORY;
	return n > number + 3 && !memcmp(s + number, "(%", 2) && s[n - 1] == ')' &&
	       x86_register(s + number + 2, n - number - 3, ret->reg);
}

/* "x0", "5", "[sp]", "[x1, 16]" */
static bool arm_operand(const char *s, size_t n, struct operand *ret)
{
	const char *comma;
	size_t reg;

	if (n && (isdigit((unsigned char)s[0]) || s[0] == '-')) {
		ret->kind = CONSTANT;
		return take_number(s, n, &ret->value) == n;
	}
	if (n < 4 || s[0] != '[' || s[n - 1] != ']') {
		ret->kind = IN_REGISTER;
		return arm_register(s, n, ret->reg);
	}
	s++;
	n -= 2;
	ret->kind = IN_MEMORY;
	ret->value = 0;
	comma = memchr(s, ',', n);
	reg = comma ? (size_t)(comma - s) : n;
	if (!arm_register(s, reg, ret->reg))
		return false;
	for (reg += comma != NULL; reg < n && s[reg] == ' ';)
		reg++;
	return !comma || (reg < n && take_number(s + reg, n - reg, &ret->value) == n - reg);
}

/* The next argument; blanks in brackets are part of it. NULL: none. */
static const char *next_arg(const char **rest, size_t *ret_n)
{
	const char *s = *rest + strspn(*rest, " "), *end = s;
	bool in_brackets = false;

	while (*end && (*end != ' ' || in_brackets)) {
		in_brackets = *end == '[' || (in_brackets && *end != ']');
		end++;
	}
	*rest = end;
	*ret_n = (size_t)(end - s);
	return *ret_n ? s : NULL;
}

/* Appends " argN=..." for "SIZE@OPERAND". Returns false if it cannot be recorded. */
static bool put_arg(char **text, unsigned int nr, const char *s, size_t n, u16 machine)
{
	const char *at = memchr(s, '@', n);
	struct operand op = { 0 };
	s64 size;
	size_t used;
	char *old = *text, place[64];

	if (!at || take_number(s, (size_t)(at - s), &size) != (size_t)(at - s))
		return false;
	if (size != 1 && size != 2 && size != 4 && size != 8 && size != -1 && size != -2 &&
	    size != -4 && size != -8)
		return false;
	used = (size_t)(at + 1 - s);
	if (machine == EM_AARCH64 ? !arm_operand(s + used, n - used, &op)
				  : !x86_operand(s + used, n - used, &op))
		return false;
	if (op.kind == IN_REGISTER)
		snprintf(place, sizeof(place), "%%%s", op.reg);
	else if (op.kind == CONSTANT)
		snprintf(place, sizeof(place), "\\%lld", (long long)op.value);
	else
		snprintf(place, sizeof(place), "%+lld(%%%s)", (long long)op.value, op.reg);
	*text = xasprintf("%s arg%u=%s:%c%d", old, nr, place, size < 0 ? 's' : 'u',
			  (int)(size < 0 ? -size : size) * 8);
	free(old);
	return true;
}

char *usdt_args_text(const char *args, u16 machine, unsigned int *ret_left_out)
{
	char *text = xstrdup("");
	const char *s;
	size_t n;

	*ret_left_out = 0;
	for (unsigned int nr = 1; (s = next_arg(&args, &n)); nr++)
		if (nr > MAX_ARGS || !put_arg(&text, nr, s, n, machine))
			++*ret_left_out;
	return text;
}
