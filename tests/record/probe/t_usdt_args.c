/* SPDX-License-Identifier: MIT */
/* Arguments of static probes, as gcc and clang write them, for the kernel. */
#include "tests/frame/unit.h"

#include <elf.h>

#include "base/mem.h"
#include "record/probe/usdt_args.h"

static void check(const char *args, u16 machine, unsigned int left_out, const char *want)
{
	unsigned int nr;
	char *text = usdt_args_text(args, machine, &nr);

	CHECK_STR(text, want);
	CHECK_EQ(nr, left_out);
	free(text);
}

TEST(x86)
{
	check("", EM_X86_64, 0, "");
	check("-4@%edi 8@%rsi 1@%dil 2@%r9w -8@%r15 -1@%al", EM_X86_64, 0,
	      " arg1=%di:s32 arg2=%si:u64 arg3=%di:u8 arg4=%r9:u16 arg5=%r15:s64 arg6=%ax:s8");
	check("-4@-20(%rbp) 8@(%rax) 4@16(%rsp) 4@0x10(%r8)", EM_X86_64, 0,
	      " arg1=-20(%bp):s32 arg2=+0(%ax):u64 arg3=+16(%sp):u32 arg4=+16(%r8):u32");
	check("-4@$7 8@$-1", EM_X86_64, 0, " arg1=\\7:s32 arg2=\\-1:u64");
	check("-4@8(%ebp) 4@%eax", EM_386, 0, " arg1=+8(%bp):s32 arg2=%ax:u32");
	/* numbers of the others stay */
	check("8@8(%rax,%rbx,4) -4@%edi 8@counter(%rip) 8f@%xmm0 1@%ah", EM_X86_64, 4,
	      " arg2=%di:s32");
}

TEST(aarch64)
{
	check("-4@w1 8@x30 8@[sp, 16] 4@[x2] -8@[x29, -8] 4@12", EM_AARCH64, 0,
	      " arg1=%x1:s32 arg2=%x30:u64 arg3=+16(%sp):u64 arg4=+0(%x2):u32 arg5=-8(%x29):s64 "
	      "arg6=\\12:u32");
	check("8@x31 8@[x1, x2] 8@d0 8@[x1", EM_AARCH64, 4, "");
}

TEST(damage)
{
	check("@ 8@ 8@% 8@$ 8@( 8@(% 8@() 8@(%) 3@%edi x@%edi -4 %edi 16@%rax", EM_X86_64, 13, "");
	check("8@$99999999999999999999 8@-(%rax) 8@%rdi%rsi 8@1(%rdi)2", EM_X86_64, 4, "");
	check("8@(%rdi);arg2=%si:u64 8@%rdi\n-:a/b 8@$5:string", EM_X86_64, 3, "");
	check("8@%rdi 8@%rdi 8@%rdi 8@%rdi 8@%rdi 8@%rdi 8@%rdi 8@%rdi 8@%rdi 8@%rdi 8@%rdi 8@%rdi "
	      "8@%rdi",
	      EM_X86_64, 1,
	      " arg1=%di:u64 arg2=%di:u64 arg3=%di:u64 arg4=%di:u64 arg5=%di:u64 arg6=%di:u64 "
	      "arg7=%di:u64 arg8=%di:u64 arg9=%di:u64 arg10=%di:u64 arg11=%di:u64 arg12=%di:u64");
}
