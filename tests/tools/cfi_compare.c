/* SPDX-License-Identifier: MIT */
/*
 * Compares the rows of unwind/cfi/cfi.h with those of others, for tests/checks/cfi.sh.
 *
 *	cfi_compare dump FILE [DEBUGFILE]	prints the rows
 *	cfi_compare libdw FILE [DEBUGFILE]	with libdw's
 *	cfi_compare readelf FILE [DEBUGFILE]	with `readelf --debug-dump=frames-interp` on stdin
 *	cfi_compare time FILE			nanoseconds for opening and for all rows
 *
 * Left out of the comparison with libdw 0.188: registers that it fills in by its idea of the ABI
 * (see unwind/cfi/rows_libdw.h), what follows when a CFA comes back to a register after an
 *expression, and how numbers in expressions are padded. With readelf: which expression it is, and
 *functions that linkers dropped.
 *
 * Status 0: equal, 1: different (the first ones are printed), 2: misuse, 77: nothing to compare.
 */
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/mem.h"
#include "unwind/cfi/cfi.h"
#include "unwind/cfi/rows_libdw.h"

#define MAX_SHOWN 10
#define MAX_COLUMNS 160

/* Operations with LEB128 operands (DWARF 7.7.1). */
enum {
	DW_OP_constu = 0x10,
	DW_OP_consts = 0x11,
	DW_OP_plus_uconst = 0x23,
	DW_OP_breg0 = 0x70,
	DW_OP_breg31 = 0x8f,
	DW_OP_regx = 0x90,
	DW_OP_bregx = 0x92,
};

/* A row with storage of its own. */
struct kept_row {
	struct cfi_row row;
	size_t first; /* of its rules */
};

struct row_list {
	struct kept_row *rows;
	size_t nr, cap;
	struct cfi_reg_rule *rules;
	size_t nr_rules, cap_rules;
};

struct comparison {
	const struct object *code;
	struct cfi *cfi;
	unsigned int different, fdes, rows, failed, left_out;
};

static bool keep_row(void *ctx, const struct cfi_row *row)
{
	struct row_list *l = ctx;

	vec_push(l->rows, l->nr, l->cap, ((struct kept_row){ *row, l->nr_rules }));
	for (size_t i = 0; i < row->nr_regs; i++)
		vec_push(l->rules, l->nr_rules, l->cap_rules, row->regs[i]);
	return true;
}

static void finish_rows(struct row_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		l->rows[i].row.regs = l->rules + l->rows[i].first;
}

static void clear_rows(struct row_list *l)
{
	l->nr = l->nr_rules = 0;
}

static void free_rows(struct row_list *l)
{
	free(l->rows);
	free(l->rules);
}

static const char *register_name(u16 machine, u16 reg, char *buf, size_t n)
{
	static const char *const x86_64[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi",
					      "rbp", "rsp", "r8",  "r9",  "r10", "r11",
					      "r12", "r13", "r14", "r15", "rip" };
	static const char *const i386[] = { "eax", "ecx", "edx", "ebx", "esp",
					    "ebp", "esi", "edi", "eip" };

	if (machine == EM_X86_64 && reg < ARRAY_SIZE(x86_64))
		return x86_64[reg];
	if (machine == EM_386 && reg < ARRAY_SIZE(i386))
		return i386[reg];
	if (machine == EM_X86_64 && reg >= 17 && reg < 33) {
		snprintf(buf, n, "xmm%u", reg - 17u);
		return buf;
	}
	if (machine == EM_AARCH64 && reg == 31)
		return "sp";
	if (machine == EM_AARCH64 && reg >= 64 && reg < 96)
		snprintf(buf, n, "v%u", reg - 64u);
	else
		snprintf(buf, n, "%c%u", machine == EM_AARCH64 && reg < 31 ? 'x' : 'r', reg);
	return buf;
}

/* As readelf writes it in a row. */
static void rule_text(u16 machine, const struct cfi_rule *r, bool is_cfa, char *out, size_t n)
{
	const char *name;
	char buf[16];

	switch (r->how) {
	case CFI_UNSPECIFIED:
	case CFI_UNDEFINED: snprintf(out, n, "u"); break;
	case CFI_SAME: snprintf(out, n, "s"); break;
	case CFI_OFFSET: snprintf(out, n, "c%+d", (int)r->offset); break;
	case CFI_VAL_OFFSET: snprintf(out, n, "v%+d", (int)r->offset); break;
	case CFI_EXPR: snprintf(out, n, "exp"); break;
	case CFI_VAL_EXPR: snprintf(out, n, "vexp"); break;
	case CFI_REGISTER:
		name = register_name(machine, r->reg, buf, sizeof(buf));
		if (is_cfa)
			snprintf(out, n, "%s%+d", name, (int)r->offset);
		else if (machine != EM_X86_64 && machine != EM_386 && machine != EM_AARCH64)
			snprintf(out, n, "r%u", r->reg);
		else
			snprintf(out, n, "r%u (%s)", r->reg, name);
		break;
	}
}

static const struct cfi_rule *rule_of(const struct cfi_row *row, u16 reg)
{
	static const struct cfi_rule none = { .how = CFI_UNSPECIFIED };

	for (size_t i = 0; i < row->nr_regs; i++)
		if (row->regs[i].reg == reg)
			return &row->regs[i].rule;
	return &none;
}

static void print_row(const char *head, u16 machine, const struct cfi_row *row)
{
	char text[64], buf[16];

	rule_text(machine, &row->cfa, true, text, sizeof(text));
	printf("%s%" PRIx64 "..%" PRIx64 " cfa=%s", head, row->start, row->end, text);
	for (size_t i = 0; i < row->nr_regs; i++) {
		const struct cfi_reg_rule *r = &row->regs[i];

		rule_text(machine, &r->rule, false, text, sizeof(text));
		printf(" %s=%s",
		       r->reg == row->ra_reg ? "ra"
					     : register_name(machine, r->reg, buf, sizeof(buf)),
		       text);
		if (r->rule.expr.n) {
			putchar('[');
			for (size_t k = 0; k < r->rule.expr.n; k++)
				printf("%02x", r->rule.expr.p[k]);
			putchar(']');
		}
	}
	printf("%s%s\n", row->signal_frame ? " signal" : "", row->ra_signed ? " ra_signed" : "");
}

static bool show(struct comparison *c, const struct cfi_fde *fde, const char *what)
{
	if (++c->different > MAX_SHOWN)
		return false;
	printf("FDE at %s+0x%" PRIx64 ", %" PRIx64 "..%" PRIx64 ": %s\n",
	       fde->debug_frame ? ".debug_frame" : ".eh_frame", fde->offset, fde->start, fde->end,
	       what);
	return true;
}

static bool our_rows(struct comparison *c, const struct cfi_fde *fde, struct row_list *l)
{
	struct perr e = { 0 };
	int err;

	clear_rows(l);
	err = cfi_rows(c->cfi, fde, keep_row, l, &e);
	finish_rows(l);
	c->fdes++;
	c->rows += (unsigned int)l->nr;
	if (err) {
		c->failed++;
		show(c, fde, e.text);
	}
	return !err;
}

static u16 stack_pointer(u16 machine)
{
	switch (machine) {
	case EM_X86_64: return 7;
	case EM_386: return 4;
	case EM_AARCH64: return 31;
	default: return 13;
	}
}

/* Whether libdw's rows can tell such a rule from none. */
static bool libdw_tells(const struct comparison *c, const struct cfi_row *row,
			const struct cfi_reg_rule *r)
{
	switch (r->rule.how) {
	case CFI_UNSPECIFIED:
	case CFI_SAME: return false;
	case CFI_UNDEFINED: return r->reg == row->ra_reg;
	case CFI_VAL_OFFSET: return r->rule.offset || r->reg != stack_pointer(c->code->machine);
	default: return true;
	}
}

/* A LEB128 number without what assemblers pad it with. */
static struct span take_leb(struct cursor *c)
{
	const u8 *from = c->p;

	while (cur_u8(c) & 0x80)
		;
	return span_of(from, (size_t)(c->p - from));
}

static s64 leb_value(struct span s, bool is_signed)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < s.n && i < 9; i++)
		v |= (u64)(s.p[i] & 0x7f) << 7 * i;
	if (is_signed && i && s.p[i - 1] & 0x40)
		v |= ~(u64)0 << 7 * i;
	return (s64)v;
}

/* How many LEB128 operands an operation has. */
static unsigned int leb_operands(u8 op)
{
	if (op == DW_OP_bregx)
		return 2;
	return (op >= DW_OP_breg0 && op <= DW_OP_breg31) || op == DW_OP_constu ||
	       op == DW_OP_consts || op == DW_OP_plus_uconst || op == DW_OP_regx;
}

static bool same_expression(struct span a, struct span b)
{
	struct cursor x = cursor_of(a, false), y = cursor_of(b, false);

	while (cur_left(&x) && cur_left(&y)) {
		u8 op = cur_u8(&x);

		if (op != cur_u8(&y))
			return false;
		for (unsigned int i = leb_operands(op); i; i--) {
			bool is_signed = op == DW_OP_consts || op == DW_OP_bregx ||
					 (op >= DW_OP_breg0 && op <= DW_OP_breg31);

			if (leb_value(take_leb(&x), is_signed) !=
			    leb_value(take_leb(&y), is_signed))
				return false;
		}
	}
	return !cur_left(&x) && !cur_left(&y);
}

static bool same_rule(const struct cfi_rule *a, const struct cfi_rule *b)
{
	return a->how == b->how && a->reg == b->reg && a->offset == b->offset &&
	       same_expression(a->expr, b->expr);
}

/*
 * libdw 0.188 refuses what follows when the CFA comes back to a register after an expression,
 * without a new offset; libgcc and readelf keep the old one.
 */
static bool libdw_refuses(const struct row_list *l, u64 from)
{
	for (size_t i = 1; i < l->nr; i++)
		if (l->rows[i].row.start >= from)
			return l->rows[i].row.cfa.how == CFI_REGISTER &&
			       l->rows[i - 1].row.cfa.how == CFI_EXPR;
	return false;
}

static bool same_as_libdw(const struct comparison *c, const struct cfi_row *a,
			  const struct cfi_row *b)
{
	size_t i = 0, k = 0;

	if (!same_rule(&a->cfa, &b->cfa) || a->ra_reg != b->ra_reg ||
	    a->signal_frame != b->signal_frame)
		return false;
	for (;;) {
		while (i < a->nr_regs && !libdw_tells(c, a, &a->regs[i]))
			i++;
		while (k < b->nr_regs && !libdw_tells(c, b, &b->regs[k]))
			k++;
		if (i == a->nr_regs || k == b->nr_regs)
			return i == a->nr_regs && k == b->nr_regs;
		if (a->regs[i].reg != b->regs[k].reg ||
		    !same_rule(&a->regs[i].rule, &b->regs[k].rule))
			return false;
		i++, k++;
	}
}

struct libdw_check {
	struct comparison *c;
	const struct cfi_fde *fde;
	const struct row_list *ours;
	size_t next;
	u64 end; /* of libdw's last row */
};

/* A row of libdw: each of ours that overlaps it says the same. */
static bool check_libdw_row(void *ctx, const struct cfi_row *row)
{
	struct libdw_check *k = ctx;
	u16 machine = k->c->code->machine;

	k->end = row->end;
	while (k->next < k->ours->nr && k->ours->rows[k->next].row.end <= row->start)
		k->next++;
	for (size_t i = k->next; i < k->ours->nr && k->ours->rows[i].row.start < row->end; i++) {
		const struct cfi_row *ours = &k->ours->rows[i].row;

		if (same_as_libdw(k->c, ours, row))
			continue;
		if (show(k->c, k->fde, "differs from libdw")) {
			print_row("  ours  ", machine, ours);
			print_row("  libdw ", machine, row);
		}
		return false;
	}
	return true;
}

static int compare_libdw(struct comparison *c, const struct object *debug)
{
	struct row_list ours = { 0 };
	struct rows_libdw *r = NULL;
	struct perr e = { 0 };
	struct cfi_fde fde;

	/* Of other machines, it knows an ABI that rows_libdw.c does not take out again. */
	switch (c->code->machine) {
	case EM_X86_64:
	case EM_386:
	case EM_AARCH64:
	case EM_ARM: break;
	default: printf("not a machine that is unwound\n"); return 77;
	}
	if (rows_libdw_open(c->code, debug, &r, &e)) {
		printf("%s\n", e.text);
		return 77;
	}
	for (u32 i = 0; i < cfi_nr_fdes(c->cfi); i++) {
		struct libdw_check k = { .c = c, .fde = &fde, .ours = &ours };

		if (!cfi_get_fde(c->cfi, i, &fde) || !our_rows(c, &fde, &ours))
			continue;
		if (rows_libdw_rows(r, &fde, check_libdw_row, &k, &e) &&
		    !libdw_refuses(&ours, k.end))
			show(c, &fde, e.text);
	}
	rows_libdw_close(r);
	free_rows(&ours);
	return c->different != 0;
}

/* The rows of one FDE in readelf's text. */
struct readelf_row {
	u64 loc;
	size_t text; /* offset of its line in `texts` */
};

struct readelf_fde {
	bool debug_frame, known;
	u64 offset, start, end;
	char *columns[MAX_COLUMNS];
	size_t nr_columns;
	struct readelf_row *rows;
	size_t nr, cap;
	char *texts;
	size_t texts_len, texts_cap;
};

static bool find_register(u16 machine, const struct cfi_row *row, const char *name, u16 *ret)
{
	char buf[16];

	if (!strcmp(name, "ra")) {
		*ret = row->ra_reg;
		return true;
	}
	for (u16 r = 0; r < 256; r++)
		if (!strcmp(register_name(machine, r, buf, sizeof(buf)), name)) {
			*ret = r;
			return true;
		}
	return false;
}

/* What readelf would write for our row in those columns. */
static void row_as_readelf(const struct comparison *c, const struct readelf_fde *f,
			   const struct cfi_row *row, char *out, size_t n)
{
	u16 machine = c->code->machine, reg;
	size_t at = 0;

	rule_text(machine, &row->cfa, true, out, n);
	for (size_t i = 0; i < f->nr_columns; i++) {
		char text[64] = "?";

		if (find_register(machine, row, f->columns[i], &reg))
			rule_text(machine, rule_of(row, reg), false, text, sizeof(text));
		at = strlen(out);
		snprintf(out + at, n - at, " %s", text);
	}
}

static bool find_by_offset(const struct comparison *c, const struct readelf_fde *f,
			   struct cfi_fde *ret)
{
	u32 nr = cfi_nr_fdes(c->cfi), low = 0, high = nr;

	while (low < high) {
		u32 mid = low + (high - low) / 2;
		struct cfi_fde x;

		if (cfi_get_fde(c->cfi, mid, &x) && x.start < f->start)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < nr && cfi_get_fde(c->cfi, low, ret) && ret->start == f->start; low++)
		if (ret->offset == f->offset && ret->debug_frame == f->debug_frame)
			return true;
	return false;
}

static void compare_readelf_fde(struct comparison *c, struct readelf_fde *f, struct row_list *ours)
{
	struct cfi_fde fde;
	char text[2048], what[4200];

	if (!f->known || f->start == f->end)
		return;
	if (!find_by_offset(c, f, &fde)) {
		fde = (struct cfi_fde){ f->start, f->end, f->offset, f->debug_frame, 0 };
		/* .debug_frame only fills in, and functions that linkers dropped are left out. */
		c->left_out++;
		if (!cfi_find(c->cfi, f->start, &fde) && f->start > 1)
			show(c, &fde, "is not in the index");
		return;
	}
	if (fde.end != f->end)
		show(c, &fde, "ends elsewhere");
	if (!our_rows(c, &fde, ours))
		return;
	for (size_t i = 0; i < f->nr; i++) {
		u64 from = f->rows[i].loc, to = i + 1 < f->nr ? f->rows[i + 1].loc : fde.end;

		for (size_t k = 0; k < ours->nr; k++) {
			const struct cfi_row *row = &ours->rows[k].row;

			if (row->end <= from || row->start >= to)
				continue;
			row_as_readelf(c, f, row, text, sizeof(text));
			if (!strcmp(text, f->texts + f->rows[i].text))
				continue;
			snprintf(what, sizeof(what), "at %" PRIx64 "\n  ours    %s\n  readelf %s",
				 from, text, f->texts + f->rows[i].text);
			show(c, &fde, what);
			return;
		}
	}
}

static void reset_fde(struct readelf_fde *f)
{
	for (size_t i = 0; i < f->nr_columns; i++)
		free(f->columns[i]);
	f->nr_columns = f->nr = f->texts_len = 0;
	f->known = false;
}

static void read_columns(struct readelf_fde *f, char *line)
{
	char *save = NULL, *word = strtok_r(line, " \n", &save); /* LOC */

	strtok_r(NULL, " \n", &save); /* CFA */
	while (word && (word = strtok_r(NULL, " \n", &save)) && f->nr_columns < MAX_COLUMNS)
		f->columns[f->nr_columns++] = xstrdup(word);
}

static void read_readelf_row(struct readelf_fde *f, char *line)
{
	char *rest, *save = NULL, *word;
	u64 loc = strtoull(line, &rest, 16);
	size_t from = f->texts_len, n;

	vec_push(f->rows, f->nr, f->cap, ((struct readelf_row){ loc, from }));
	for (word = strtok_r(rest, " \n", &save); word; word = strtok_r(NULL, " \n", &save)) {
		n = strlen(word);
		vec_reserve(f->texts, f->texts_cap, f->texts_len + n + 2);
		memcpy(f->texts + f->texts_len, word, n);
		f->texts[f->texts_len + n] = ' ';
		f->texts_len += n + 1;
	}
	if (f->texts_len > from)
		f->texts[f->texts_len - 1] = 0;
}

static int compare_readelf(struct comparison *c)
{
	struct readelf_fde f = { 0 };
	struct row_list ours = { 0 };
	char *line = NULL;
	size_t cap = 0;
	bool debug_frame = false;

	while (getline(&line, &cap, stdin) > 0) {
		u64 off, len, id, cie, start, end;

		if (strstr(line, "Contents of the ") || strstr(line, "section '")) {
			debug_frame = strstr(line, "debug_frame") != NULL;
		} else if (!strncmp(line, "   LOC", 6)) {
			read_columns(&f, line);
		} else if (strstr(line, " FDE ") || strstr(line, " CIE ")) {
			compare_readelf_fde(c, &f, &ours);
			reset_fde(&f);
			if (sscanf(line,
				   "%" SCNx64 " %" SCNx64 " %" SCNx64 " FDE cie=%" SCNx64
				   " pc=%" SCNx64 "..%" SCNx64,
				   &off, &len, &id, &cie, &start, &end) == 6) {
				f.known = true;
				f.debug_frame = debug_frame;
				f.offset = off;
				f.start = start;
				f.end = end;
			}
		} else if (f.known && f.nr_columns && strspn(line, "0123456789abcdef") >= 8 &&
			   !strstr(line, "ZERO terminator")) {
			read_readelf_row(&f, line);
		}
	}
	compare_readelf_fde(c, &f, &ours);
	reset_fde(&f);
	free(f.rows);
	free(f.texts);
	free(line);
	free_rows(&ours);
	if (!c->fdes) {
		printf("readelf told of no function\n");
		return 1;
	}
	return c->different != 0;
}

static int dump(struct comparison *c)
{
	struct row_list l = { 0 };
	struct cfi_fde fde;

	for (u32 i = 0; i < cfi_nr_fdes(c->cfi); i++) {
		if (!cfi_get_fde(c->cfi, i, &fde))
			continue;
		printf("%s+0x%" PRIx64 " %" PRIx64 "..%" PRIx64 "\n",
		       fde.debug_frame ? ".debug_frame" : ".eh_frame", fde.offset, fde.start,
		       fde.end);
		our_rows(c, &fde, &l);
		for (size_t k = 0; k < l.nr; k++)
			print_row("  ", c->code->machine, &l.rows[k].row);
	}
	free_rows(&l);
	return c->failed != 0;
}

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static bool count_row(void *ctx, const struct cfi_row *row)
{
	*(u64 *)ctx += row->end > row->start;
	return true;
}

static int time_rows(const struct object *code)
{
	u64 begin = now_ns(), opened, found, done, rows = 0, hits = 0;
	struct cfi *c = NULL;
	struct perr e = { 0 };
	struct cfi_fde fde;
	u32 nr;

	if (cfi_open(code, NULL, &c, &e)) {
		printf("%s\n", e.text);
		return 77;
	}
	opened = now_ns();
	nr = cfi_nr_fdes(c);
	for (u32 i = 0; i < nr; i++)
		if (cfi_get_fde(c, i, &fde) && cfi_rows(c, &fde, count_row, &rows, NULL))
			printf("damaged: 0x%" PRIx64 "\n", fde.offset);
	done = now_ns();
	for (u32 i = 0; i < nr; i++)
		hits += cfi_get_fde(c, (u32)(i * 2654435761u % nr), &fde) &&
			cfi_find(c, fde.start, &fde);
	found = now_ns();
	printf("%u FDEs, %" PRIu64 " rows: open %.3f ms, rows %.3f ms, %.1f ns/row, find %.1f ns "
	       "(%" PRIu64 " hits)\n",
	       nr, rows, (double)(opened - begin) / 1e6, (double)(done - opened) / 1e6,
	       (double)(done - opened) / (double)rows, (double)(found - done) / nr, hits);
	cfi_close(c);
	return 0;
}

/* For files where we find none. libdw is content with a section that tells of no function. */
static bool others_find_rows(const char *how)
{
	char line[4096];

	while (!strcmp(how, "readelf") && fgets(line, sizeof(line), stdin))
		if (strstr(line, " FDE "))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct object *code = NULL, *debug = NULL;
	struct comparison c = { 0 };
	struct perr e = { 0 };
	int rc = 77, err;

	if (argc < 3 || argc > 4)
		return 2;
	if (object_open(argv[2], &code, &e) || (argc == 4 && object_open(argv[3], &debug, &e))) {
		printf("%s\n", e.text);
		goto out;
	}
	if (!strcmp(argv[1], "time")) {
		rc = time_rows(code);
		goto out;
	}
	c.code = code;
	err = cfi_open(code, debug, &c.cfi, &e);
	if (err) {
		rc = err != PERR_UNSUPPORTED && others_find_rows(argv[1]) ? 1 : 77;
		printf("%s\n", e.text);
		goto out;
	}
	if (!strcmp(argv[1], "dump"))
		rc = dump(&c);
	else if (!strcmp(argv[1], "libdw"))
		rc = compare_libdw(&c, debug);
	else if (!strcmp(argv[1], "readelf"))
		rc = compare_readelf(&c);
	else
		rc = 2;
	if (rc < 2 && strcmp(argv[1], "dump") != 0)
		printf("%u FDEs, %u rows, %u different, %u left out\n", c.fdes, c.rows, c.different,
		       c.left_out);
out:
	cfi_close(c.cfi);
	object_close(debug);
	object_close(code);
	return rc;
}
