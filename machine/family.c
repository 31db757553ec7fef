// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "machine/family.h"

static const struct {
	const char *vendor;
	u32 family, first, last; /* models */
	const char *table;
} x86[] = {
	{"AuthenticAMD", 0x17, 0x30, 0xff, "zen2"}, /* below 0x30 are Zen and Zen+ */
	{"AuthenticAMD", 0x19, 0x00, 0x0f, "zen3"},
	{"AuthenticAMD", 0x19, 0x10, 0x1f, "zen4"},
	{"AuthenticAMD", 0x19, 0x20, 0x5f, "zen3"},
	{"AuthenticAMD", 0x19, 0x60, 0xff, "zen4"},
	{"AuthenticAMD", 0x1a, 0x00, 0xff, "zen5"},
	{"GenuineIntel", 6, 0x86, 0x86, "jacobsville"},
	{"GenuineIntel", 6, 0x8f, 0x8f, "spr"},
	{"GenuineIntel", 6, 0xcf, 0xcf, "spr"}, /* Emerald Rapids: the same mesh */
	{"GenuineIntel", 6, 0xad, 0xae, "gnr"},
};

static const struct {
	u32 implementer, part;
	const char *table;
} arm[] = {
	{0x41, 0xd0c, "altra"},	    /* Neoverse N1 */
	{0x41, 0xd4f, "graviton4"}, /* Neoverse V2 */
	{0x48, 0xd01, "kunpeng920"},
};

const char *wk_family_of(const struct wk_cpu_says *says)
{
	for (size_t i = 0; i < sizeof(x86) / sizeof(*x86); i++)
		if (!strcmp(says->vendor, x86[i].vendor) && says->family == x86[i].family &&
		    says->model >= x86[i].first && says->model <= x86[i].last)
			return x86[i].table;
	for (size_t i = 0; i < sizeof(arm) / sizeof(*arm); i++)
		if (says->implementer == arm[i].implementer && says->part == arm[i].part)
			return arm[i].table;
	return !strncmp(says->cpu, "POWER9", 6) ? "power9" : "generic";
}
