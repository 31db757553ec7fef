// SPDX-License-Identifier: GPL-2.0-only
/* hwloc XML. What libhwloc does to itself stays in its child process; we must survive it. */
#include "tests/fuzz/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wk_err err = {""};
	char *xml = malloc(size + 1);

	if (!xml)
		return 0;
	memcpy(xml, data, size);
	xml[size] = '\0';
	fuzz_machine(wk_read_xml_text("box.xml", xml, size, &err), &err);
	free(xml);
	return 0;
}
