/* SPDX-License-Identifier: GPL-2.0-only */
/* What a fuzz target defines; libFuzzer or replay.c calls it. */
#ifndef WK_TESTS_FUZZ_FUZZ_H
#define WK_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0. Crashes, leaks and 5 seconds are what fails. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
