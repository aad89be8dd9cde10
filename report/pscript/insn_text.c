/* SPDX-License-Identifier: MIT */
#include "report/pscript/insn_text.h"

#include "base/mem.h"
#include "report/text/datasrc_text.h"
#include "report/disasm/disasm.h"
#include "symbols/elf/insn_len.h"

#define READ_LEN 15     /* bytes that perf reads at an address: the longest instruction */
#define BLOCK_MAX 16384 /* bytes of code between two branches that are shown */
#define MISSED_LEN 128  /* bytes shown after the last branch if the sample is before its target */
#define FLAGS_COLUMN 30

struct insn_text {
	struct line_source *sources;
	struct disasm *disasm;
	bool full_source_path;
	u64 max_blocks;    /* 0: no limit */
	struct out column; /* text of one column while its width is measured */
	u8 code[BLOCK_MAX + READ_LEN];
};

/* What is printed for one sample. */
struct walk {
	struct insn_text *t;
	struct out *o;
	const struct pd_sample *s;
	const struct task_view *task;
	u64 fields;
	bool is_64;
	bool has_sym; /* the symbol named last is valid; it has addresses of its object */
	u64 sym_start, sym_end;
	u64 total_cycles;
};

struct insn_text *insn_text_new(struct line_source *sources, bool full_source_path, u64 max_blocks)
{
	struct insn_text *t = xcalloc(1, sizeof(*t));

	t->sources = sources;
	t->full_source_path = full_source_path;
	t->max_blocks = max_blocks;
	t->disasm = disasm_new();
	out_init_mem(&t->column);
	return t;
}

void insn_text_free(struct insn_text *t)
{
	if (!t)
		return;
	disasm_free(t->disasm);
	out_fini(&t->column);
	free(t);
}

static bool is_kernel(u64 ip)
{
	return (s64)ip < 0;
}

static const struct map *find_map(const struct walk *w, u64 ip)
{
	const struct mapset *set =
		task_space(w->task, is_kernel(ip) ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER);

	return set ? mapset_find(set, ip) : NULL;
}

static bool find_symbol(const struct map *m, u64 ip, struct sym_hit *ret)
{
	return m && dso_find(m->dso, ip, m->start, m->pgoff, ret);
}

static size_t read_code(struct walk *w, u64 ip, size_t n)
{
	const struct map *m = find_map(w, ip);

	return m ? dso_read_code(m->dso, ip, m->start, m->pgoff, w->t->code, n, &w->is_64) : 0;
}

/* Appends the name of a branch's target: "main+0x12". */
static bool target_text(void *ctx, struct out *o, u64 ip)
{
	struct walk *w = ctx;
	struct sym_hit hit;

	if (!find_symbol(find_map(w, ip), ip, &hit))
		return false;
	out_str(o, hit.name);
	if (hit.addr != hit.start) {
		out_str(o, "+0x");
		out_hex(o, hit.addr - hit.start, 0);
	}
	return true;
}

static void bytes_text(struct out *o, const u8 *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		out_printf(o, i ? " %02x" : "%02x", p[i]);
}

/* --- the sample's own instruction ------------------------------------------------------------- */

static void own_insn(struct walk *w, bool is_x86)
{
	size_t n = is_x86 && w->s->ip ? read_code(w, w->s->ip, READ_LEN) : 0;
	unsigned int len = n ? x86_insn_len(w->t->code, n, w->is_64) : 0;

	if (w->fields & FIELD_BIT(INSNLEN))
		out_printf(w->o, " ilen: %u", len);
	if (w->fields & FIELD_BIT(INSN) && len) {
		out_str(w->o, " insn: ");
		bytes_text(w->o, w->t->code, len);
	}
	if (w->fields & FIELD_BIT(DISASM) && len) {
		out_str(w->o, "\t\t");
		if (!disasm_text(w->t->disasm, w->o, w->t->code, len, w->s->ip, w->is_64,
				 target_text, w))
			out_str(w->o, "illegal instruction");
	}
}

/* --- the code along a branch stack ------------------------------------------------------------ */

struct branch {
	u64 from, to;
	struct branch_flags flags;
};

static struct branch branch_at(const struct pd_sample *s, size_t i)
{
	return (struct branch){
		span_u64(s->branches, i * 3, s->swap), span_u64(s->branches, i * 3 + 1, s->swap),
		branch_flags_decode(span_u64(s->branches, i * 3 + 2, s->swap), s->swap)
	};
}

enum block { BLOCK_NONE, BLOCK_CROSSES, BLOCK_READ };

/* Reads the code from start to the instruction at end into t->code. */
static enum block read_block(struct walk *w, u64 start, u64 end, size_t *ret_n)
{
	*ret_n = 0;
	if (!end)
		return BLOCK_NONE;
	if (is_kernel(start) != is_kernel(end))
		return BLOCK_CROSSES;
	if (end - start > BLOCK_MAX - READ_LEN)
		return BLOCK_NONE;
	*ret_n = read_code(w, start, (size_t)(end - start) + READ_LEN);
	return *ret_n ? BLOCK_READ : BLOCK_NONE;
}

/* A line "symbol+off:" where another symbol begins. */
static void symbol_line(struct walk *w, u64 ip)
{
	const struct map *m = find_map(w, ip);
	u64 addr = m ? map_ip_to_addr(m, ip) : ip, off;
	struct sym_hit hit;

	if (w->has_sym && addr >= w->sym_start && addr < w->sym_end)
		return;
	if (!find_symbol(m, ip, &hit))
		return;
	off = hit.addr < hit.end ? hit.addr - hit.start : hit.addr - m->start - hit.start;
	out_char(w->o, '\t');
	out_str(w->o, hit.name);
	if (off)
		out_printf(w->o, "%+d", (int)off);
	out_char(w->o, ':');
	if (w->fields & FIELD_BIT(SRCLINE)) {
		out_char(w->o, '\t');
		line_text(w->o, &(struct frame){ .ip = ip, .map = m }, w->t->full_source_path);
	}
	out_char(w->o, '\n');
	w->has_sym = true;
	w->sym_start = hit.start;
	w->sym_end = hit.end;
}

static void source_line(struct walk *w, u64 ip)
{
	struct frame fr = { .ip = ip, .map = find_map(w, ip) };

	if (w->fields & FIELD_BIT(SRCCODE))
		line_source_text(w->t->sources, w->o, &fr, w->s->tid);
}

/* Appends an instruction's bytes or text; returns its length, 0 if it is not an instruction. */
static unsigned int insn_column(struct walk *w, struct out *o, u64 ip, const u8 *p, size_t n)
{
	unsigned int len = x86_insn_len(p, n, w->is_64), i;

	if (w->fields & FIELD_BIT(BRSTACKDISASM) && len &&
	    disasm_text(w->t->disasm, o, p, len, ip, w->is_64, target_text, w))
		return len;
	if (!len) {
		out_str(o, "<bad>");
		return 0;
	}
	out_str(o, "insn: ");
	for (i = 0; i < len; i++)
		out_printf(o, "%02x ", p[i]);
	return len;
}

static void address_column(struct walk *w, u64 ip)
{
	out_printf(w->o, "\t%016llx\t", (unsigned long long)ip);
}

/* Appends the line of an instruction that did not branch; returns its length. */
static unsigned int insn_line(struct walk *w, u64 ip, const u8 *p, size_t n)
{
	unsigned int len;

	address_column(w, ip);
	len = insn_column(w, w->o, ip, p, n);
	if (w->fields & FIELD_BIT(BRSTACKINSNLEN))
		out_printf(w->o, "\tilen: %u", len);
	out_char(w->o, '\n');
	return len;
}

/* Appends the line of a branch. nr_insns: instructions of its block, with it; 0: not known. */
static void branch_line(struct walk *w, const struct branch *b, const u8 *p, size_t n,
			unsigned int nr_insns)
{
	const struct branch_flags *f = &b->flags;
	struct frame fr = { .ip = b->from, .map = find_map(w, b->from) };
	struct out *column = &w->t->column;
	unsigned int len;

	address_column(w, b->from);
	column->len = 0;
	out_escape_like(column, w->o);
	len = insn_column(w, column, b->from, p, n);
	if (column->len < FLAGS_COLUMN)
		out_fill(column, ' ', FLAGS_COLUMN - column->len);
	out_raw(w->o, column->buf, column->len);
	out_char(w->o, '\t');
	if (w->fields & FIELD_BIT(BRSTACKINSNLEN))
		out_printf(w->o, "ilen: %u\t", len);
	if (w->fields & FIELD_BIT(SRCLINE) && fr.map) {
		out_str(w->o, " srcline: ");
		line_text(w->o, &fr, w->t->full_source_path);
		out_char(w->o, '\t');
	}
	out_printf(w->o, "#%s%s%s%s", f->predicted ? " PRED" : "", f->mispred ? " MISPRED" : "",
		   f->in_tx ? " INTX" : "", f->abort ? " ABORT" : "");
	if (f->cycles) {
		w->total_cycles += f->cycles;
		out_printf(w->o, " %d cycles [%d]", f->cycles, (int)w->total_cycles);
		if (nr_insns)
			out_printf(w->o, " %.2f IPC", (double)((float)nr_insns / f->cycles));
	}
	out_char(w->o, '\n');
}

/* Appends the code from one branch's target to the next branch. */
static void print_block(struct walk *w, u64 start, const struct branch *b, size_t n)
{
	unsigned int nr = 0, len;
	u64 off;

	for (off = 0; off < n; off += len) {
		symbol_line(w, start + off);
		if (start + off == b->from) {
			branch_line(w, b, w->t->code + off, n - off, ++nr);
			source_line(w, start + off);
			break;
		}
		len = insn_line(w, start + off, w->t->code + off, n - off);
		if (!len)
			break;
		source_line(w, start + off);
		nr++;
	}
	if (off != b->from - start)
		out_str(w->o, "\tmismatch of LBR data and executable\n");
}

/* Appends the code from the last branch's target to the sample, or to a missed branch. */
static void print_last_block(struct walk *w, u64 start, bool any_branch)
{
	u64 end = w->s->ip, off;
	unsigned int len;
	size_t n;

	if (end < start)
		end = start + MISSED_LEN;
	(void)read_block(w, start, end, &n);
	symbol_line(w, start);
	if (!n) {
		if (read_block(w, w->s->ip, w->s->ip, &n) != BLOCK_READ)
			return;
		(void)insn_line(w, w->s->ip, w->t->code, n);
		source_line(w, w->s->ip);
		return;
	}
	for (off = 0; off <= end - start && off < n; off += len) {
		len = insn_line(w, start + off, w->t->code + off, n - off);
		if (!len)
			break;
		if (any_branch && x86_insn_is_uncond_branch(w->t->code + off, n - off, w->is_64) &&
		    start + off != w->s->ip) {
			out_str(w->o, "\t... not reaching sample ...\n");
			break;
		}
		source_line(w, start + off);
	}
}

static void branch_insns(struct walk *w, const struct pd_attr *attr)
{
	size_t nr = w->s->branches.n / 24, i, n;
	bool any_branch = !attr->branch_sample_type || attr->branch_sample_type & PD_BRANCH_ANY;
	struct branch b;
	enum block got;
	u64 start;

	if (!nr)
		return;
	if (w->t->max_blocks && nr - 1 > w->t->max_blocks)
		nr = w->t->max_blocks + 1;
	out_char(w->o, '\n');
	/* the code before the oldest branch is not known: print the branch alone */
	b = branch_at(w->s, nr - 1);
	if (read_block(w, b.from, b.from, &n) == BLOCK_READ) {
		symbol_line(w, b.from);
		branch_line(w, &b, w->t->code, n, 0);
		source_line(w, b.from);
	}
	for (i = nr - 1; i-- > 0;) {
		start = branch_at(w->s, i + 1).to;
		b = branch_at(w->s, i);
		got = read_block(w, start, b.from, &n);
		/* branch filters leave out entries to the kernel: go on with the next block */
		if (got == BLOCK_CROSSES && i > 0) {
			b = branch_at(w->s, --i);
			got = read_block(w, start, b.from, &n);
		}
		if (got == BLOCK_READ)
			print_block(w, start, &b, n);
	}
	b = branch_at(w->s, 0);
	if (b.from != w->s->ip && !b.flags.abort)
		print_last_block(w, b.to, any_branch);
}

void insn_text_sample(struct insn_text *t, struct out *o, const struct replay_event *ev,
		      const struct task_view *task, enum regs_arch arch, u64 fields)
{
	struct walk w = {
		.t = t, .o = o, .s = &ev->sample, .task = task, .fields = fields, .is_64 = true
	};

	own_insn(&w, arch == REGS_X86);
	if (fields & BRANCH_INSN_FIELDS && arch == REGS_X86)
		branch_insns(&w, &ev->ev->attr);
}
