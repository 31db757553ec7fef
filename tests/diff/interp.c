// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/diff/interp.h"

#define FRAMES	   8
#define STACK_SIZE 512
#define MAX_STEPS  100000000ULL

enum kfunc { NEW, NEXT, DESTROY, NR_KFUNCS };

static const char *const kfunc_name[NR_KFUNCS] = {"bpf_iter_num_new", "bpf_iter_num_next",
						  "bpf_iter_num_destroy"};

struct wk_interp {
	const struct wk_diff_object *o;
	struct bpf_insn *insn;
	u32 nr_insns;
	s32 kfunc[NR_KFUNCS]; /* the immediate of a call of it */
	u64 reg[MAX_BPF_REG];
	u32 depth;
	u32 back[FRAMES];    /* where a frame returns to */
	u64 kept[FRAMES][5]; /* r6 to r10 of the caller */
	u64 stack[FRAMES][STACK_SIZE / 8];
};

/* ---- what the kernel made of it ---- */

static bool fetch_instructions(struct wk_interp *i)
{
	struct bpf_prog_info info = {0};
	u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(i->o->prog_fd, &info, &len) || !info.xlated_prog_len)
		return false;
	i->nr_insns = info.xlated_prog_len / sizeof(*i->insn);
	i->insn = calloc(i->nr_insns, sizeof(*i->insn));
	info = (struct bpf_prog_info){
		.xlated_prog_len = i->nr_insns * (u32)sizeof(*i->insn),
		.xlated_prog_insns = (u64)(uintptr_t)i->insn,
	};
	return i->insn && !bpf_obj_get_info_by_fd(i->o->prog_fd, &info, &len) &&
	       info.xlated_prog_insns;
}

/* A call of a kernel function names its distance from __bpf_call_base. */
static bool find_kfuncs(struct wk_interp *i)
{
	unsigned long long address, at[NR_KFUNCS] = {0}, base = 0;
	FILE *symbols = fopen("/proc/kallsyms", "r");
	char line[512], name[256];

	while (symbols && fgets(line, sizeof(line), symbols)) {
		if (sscanf(line, "%llx %*c %255s", &address, name) != 2)
			continue;
		if (!strcmp(name, "__bpf_call_base"))
			base = address;
		for (u32 k = 0; k < NR_KFUNCS; k++)
			if (!strcmp(name, kfunc_name[k]))
				at[k] = address;
	}
	if (symbols)
		fclose(symbols);
	for (u32 k = 0; k < NR_KFUNCS; k++)
		i->kfunc[k] = (s32)(at[k] - base);
	return base && at[NEW] && at[NEXT] && at[DESTROY];
}

/* Addresses of globals: the dump has the map's id and an offset. */
static bool place_globals(struct wk_interp *i)
{
	for (u32 n = 0; n + 1 < i->nr_insns; n++) {
		struct bpf_insn *in = &i->insn[n];
		u64 address;
		char *at;

		if (in->code != (BPF_LD | BPF_IMM | BPF_DW) || in->src_reg != BPF_PSEUDO_MAP_VALUE)
			continue;
		at = wk_diff_global(i->o, (u32)in->imm);
		if (!at)
			return false;
		address = (u64)(uintptr_t)at + (u32)in[1].imm;
		in->imm = (s32)address;
		in[1].imm = (s32)(address >> 32);
	}
	return true;
}

struct wk_interp *wk_interp_create(const struct wk_diff_object *o)
{
	struct wk_interp *i = calloc(1, sizeof(*i));

	if (!i)
		return NULL;
	i->o = o;
	if (fetch_instructions(i) && find_kfuncs(i) && place_globals(i))
		return i;
	wk_interp_destroy(i);
	return NULL;
}

void wk_interp_destroy(struct wk_interp *i)
{
	free(i->insn);
	free(i);
}

/* ---- one instruction ---- */

static bool alu(u8 op, bool wide, u64 b, u64 *a)
{
	u32 bits = wide ? 63 : 31;

	switch (op) {
	case BPF_ADD:
		*a += b;
		break;
	case BPF_SUB:
		*a -= b;
		break;
	case BPF_MUL:
		*a *= b;
		break;
	case BPF_DIV:
		*a = b ? *a / b : 0;
		break;
	case BPF_MOD:
		*a = b ? *a % b : *a;
		break;
	case BPF_OR:
		*a |= b;
		break;
	case BPF_AND:
		*a &= b;
		break;
	case BPF_XOR:
		*a ^= b;
		break;
	case BPF_LSH:
		*a <<= b & bits;
		break;
	case BPF_RSH:
		*a >>= b & bits;
		break;
	case BPF_ARSH:
		*a = wide ? (u64)((s64)*a >> (b & 63)) : (u64)((s32)*a >> (b & 31));
		break;
	case BPF_NEG:
		*a = 0 - *a;
		break;
	case BPF_MOV:
		*a = b;
		break;
	default:
		return false;
	}
	return true;
}

static bool holds(u8 op, u64 a, u64 b, s64 sa, s64 sb)
{
	switch (op) {
	case BPF_JA:
		return true;
	case BPF_JEQ:
		return a == b;
	case BPF_JNE:
		return a != b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	case BPF_JLT:
		return a < b;
	case BPF_JLE:
		return a <= b;
	case BPF_JSET:
		return a & b;
	case BPF_JSGT:
		return sa > sb;
	case BPF_JSGE:
		return sa >= sb;
	case BPF_JSLT:
		return sa < sb;
	case BPF_JSLE:
		return sa <= sb;
	}
	return false;
}

static u32 width(u8 code)
{
	return BPF_SIZE(code) == BPF_B	 ? 1
	       : BPF_SIZE(code) == BPF_H ? 2
	       : BPF_SIZE(code) == BPF_W ? 4
					 : 8;
}

static bool do_alu(struct wk_interp *i, const struct bpf_insn *in)
{
	bool wide = BPF_CLASS(in->code) == BPF_ALU64;
	u64 b = BPF_SRC(in->code) == BPF_X ? i->reg[in->src_reg] : (u64)(s64)in->imm;
	u64 *a = &i->reg[in->dst_reg];

	if (!wide) {
		*a = (u32)*a;
		b = (u32)b;
	}
	if (in->off || !alu(BPF_OP(in->code), wide, b, a))
		return false;
	if (!wide)
		*a = (u32)*a;
	return true;
}

/* Little-endian: the low bytes of the register. */
static bool do_memory(struct wk_interp *i, const struct bpf_insn *in)
{
	bool load = BPF_CLASS(in->code) == BPF_LDX;
	u64 base = i->reg[load ? in->src_reg : in->dst_reg];
	void *at = (void *)(uintptr_t)(base + (u64)(s64)in->off);
	u64 value = BPF_CLASS(in->code) == BPF_ST ? (u64)(s64)in->imm : i->reg[in->src_reg];

	if (BPF_MODE(in->code) == BPF_ATOMIC) {
		if (in->imm != (BPF_AND | BPF_FETCH) || width(in->code) != 8)
			return false;
		memcpy(&i->reg[in->src_reg], at, 8);
		value &= i->reg[in->src_reg];
		memcpy(at, &value, 8);
		return true;
	}
	if (BPF_MODE(in->code) != BPF_MEM)
		return false;
	if (load) {
		i->reg[in->dst_reg] = 0;
		memcpy(&i->reg[in->dst_reg], at, width(in->code));
	} else {
		memcpy(at, &value, width(in->code));
	}
	return true;
}

/* The iterator's own layout does not matter: now and end, in the program's 8 bytes. */
static bool do_kfunc(struct wk_interp *i, s32 imm)
{
	s32 *it = (s32 *)(uintptr_t)i->reg[BPF_REG_1];
	static s32 now[FRAMES * 4]; /* what next() returns a pointer to, a slot a nesting */

	if (imm == i->kfunc[NEW]) {
		it[0] = (s32)i->reg[BPF_REG_2] - 1;
		it[1] = (s32)i->reg[BPF_REG_3];
		if ((s32)i->reg[BPF_REG_2] > it[1])
			it[1] = it[0];
	} else if (imm == i->kfunc[NEXT]) {
		s32 *out = &now[(uintptr_t)it / 8 % (FRAMES * 4)];
		bool more = (s64)it[0] + 1 < it[1];

		if (more)
			*out = ++it[0];
		i->reg[BPF_REG_0] = more ? (u64)(uintptr_t)out : 0;
	}
	return imm == i->kfunc[NEW] || imm == i->kfunc[NEXT] || imm == i->kfunc[DESTROY];
}

static bool do_call(struct wk_interp *i, const struct bpf_insn *in, u32 *pc)
{
	if (in->src_reg != BPF_PSEUDO_CALL)
		return do_kfunc(i, in->imm);
	if (i->depth + 1 >= FRAMES)
		return false;
	memcpy(i->kept[i->depth], &i->reg[BPF_REG_6], sizeof(i->kept[0]));
	i->back[i->depth++] = *pc;
	i->reg[BPF_REG_10] = (u64)(uintptr_t)(i->stack[i->depth] + STACK_SIZE / 8);
	*pc = (u32)((s64)*pc + in->off);
	return true;
}

/* Back in the caller, or false at the end of all. */
static bool do_exit(struct wk_interp *i, u32 *pc)
{
	if (!i->depth)
		return false;
	*pc = i->back[--i->depth];
	memcpy(&i->reg[BPF_REG_6], i->kept[i->depth], sizeof(i->kept[0]));
	return true;
}

static bool do_jump(struct wk_interp *i, const struct bpf_insn *in, u32 *pc)
{
	bool narrow = BPF_CLASS(in->code) == BPF_JMP32;
	u64 a = i->reg[in->dst_reg];
	u64 b = BPF_SRC(in->code) == BPF_X ? i->reg[in->src_reg] : (u64)(s64)in->imm;

	if (BPF_OP(in->code) == BPF_CALL)
		return do_call(i, in, pc);
	if (narrow ? holds(BPF_OP(in->code), (u32)a, (u32)b, (s32)a, (s32)b)
		   : holds(BPF_OP(in->code), a, b, (s64)a, (s64)b))
		*pc = (u32)((s64)*pc + in->off);
	return true;
}

/* False for an instruction that is not known. *pc is past this one already. */
static bool step(struct wk_interp *i, const struct bpf_insn *in, u32 *pc)
{
	switch (BPF_CLASS(in->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		return do_alu(i, in);
	case BPF_LD:
		i->reg[in->dst_reg] = (u32)in->imm | (u64)(u32)in[1].imm << 32;
		(*pc)++;
		return in->code == (BPF_LD | BPF_IMM | BPF_DW);
	case BPF_LDX:
	case BPF_ST:
	case BPF_STX:
		return do_memory(i, in);
	}
	return do_jump(i, in, pc);
}

u64 wk_interp_run(struct wk_interp *i)
{
	u64 steps = 0;
	u32 pc = 0;

	i->depth = 0;
	i->reg[BPF_REG_1] = 0;
	i->reg[BPF_REG_10] = (u64)(uintptr_t)(i->stack[0] + STACK_SIZE / 8);
	while (pc < i->nr_insns && steps++ < MAX_STEPS) {
		const struct bpf_insn *in = &i->insn[pc++];

		if (in->code == (BPF_JMP | BPF_EXIT)) {
			if (!do_exit(i, &pc))
				return steps;
		} else if (!step(i, in, &pc)) {
			return 0;
		}
	}
	return 0;
}
