// SPDX-License-Identifier: GPL-2.0-only
/* Print the frequency of this machine's time stamp counter in kHz. An emulated guest reads the
 * same counter, but measures it against a timer that is late on a busy machine: its clock then
 * runs up to several times too fast. So it is told, by tsc_early_khz=. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

static int64_t raw_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* The counter and the clock at one moment: the pair read closest together of some. */
static void sample(int64_t *ret_ns, uint64_t *ret_tsc)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 100; i++) {
		uint64_t before = __rdtsc();
		int64_t ns = raw_ns();
		uint64_t after = __rdtsc();

		if (after - before < best) {
			best = after - before;
			*ret_ns = ns;
			*ret_tsc = before + best / 2;
		}
	}
}

int main(void)
{
	const struct timespec pause = {.tv_nsec = 50000000};
	int64_t first_ns, last_ns;
	uint64_t first_tsc, last_tsc;

	sample(&first_ns, &first_tsc);
	nanosleep(&pause, NULL);
	sample(&last_ns, &last_tsc);
	printf("%.0f\n", (double)(last_tsc - first_tsc) * 1e6 / (double)(last_ns - first_ns));
	return 0;
}
