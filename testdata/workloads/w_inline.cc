// SPDX-License-Identifier: MIT
// Functions inlined into others, several levels deep, in loops and in recursion. Built without
// libraries, with debug information.

#define ALWAYS inline __attribute__((always_inline))

volatile unsigned long sink;

struct wheel {
	unsigned long at, size;

	ALWAYS void step(unsigned long by) { at = (at * 31 + by) % size; }
	ALWAYS void turn(unsigned long n)
	{
		for (unsigned long i = 0; i < n; i++)
			step(i);
	}
	void spin(unsigned long n);
};

template <typename T> ALWAYS T twice(wheel &w, T n)
{
	w.turn((unsigned long)n);
	w.turn((unsigned long)n);
	return n;
}

__attribute__((noinline)) void wheel::spin(unsigned long n)
{
	twice<unsigned long>(*this, n);
	sink += at;
}

ALWAYS void spin_twice(wheel &w, unsigned long n)
{
	w.spin(n);
	w.spin(n / 2);
	sink++;
}

__attribute__((noinline)) unsigned long nested(wheel &w, unsigned long depth)
{
	if (!depth) {
		spin_twice(w, 20000);
		return 1;
	}
	spin_twice(w, 2000);
	return nested(w, depth - 1) + 1;
}

extern "C" __attribute__((noinline)) int run(void)
{
	wheel w = { 1, 10007 };

	for (unsigned long i = 0; i < 60; i++)
		sink += nested(w, i % 4);
	return 0;
}

// Stacks end here, in the program: no library is needed to walk them.
asm(".globl _start\n"
    ".type _start, @function\n"
    "_start:\n"
    "	.cfi_startproc\n"
    "	.cfi_undefined rip\n"
    "	and $-16, %rsp\n"
    "	call run\n"
    "	mov %eax, %edi\n"
    "	mov $60, %eax\n"
    "	syscall\n"
    "	hlt\n"
    "	.cfi_endproc\n"
    ".size _start, . - _start\n");
