/* SPDX-License-Identifier: MIT */
/*
 * Call frame information of an ELF file. Input: u8 options, then the file. Bit 0: the second half
 * of the file is the debug file of the first, bit 1: the file is its own debug file. Runs every
 * entry and holds its rows against what cfi.h promises.
 */
#include "tests/frame/use_cfi.h"

#define INPUT_MAX (256u << 10)

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct object *code = NULL, *debug = NULL;
	struct cfi *c = NULL;
	size_t half;

	if (size < 1 || size > INPUT_MAX)
		return 0;
	half = data[0] & 1 ? (size - 1) / 2 : 0;
	if (object_open_mem("fuzz", data + 1, half ? half : size - 1, &code, NULL))
		return 0;
	if (half && object_open_mem("fuzz", data + 1 + half, size - 1 - half, &debug, NULL))
		goto out;
	if (!cfi_open(code, data[0] & 2 ? code : debug, &c, NULL))
		use_cfi_all(c, size);
out:
	cfi_close(c);
	object_close(debug);
	object_close(code);
	return 0;
}
