// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>

#include "live/decisions.h"

int wk_record_decisions(const struct wk_record_decisions *how, struct wk_recorded *ret,
			struct wk_err *ret_err)
{
	(void)how;
	*ret = (struct wk_recorded){0};
	snprintf(ret_err->text, sizeof(ret_err->text),
		 "this wakepath was built without live, expected libbpf 1.4 or later, clang and "
		 "bpftool at build time");
	return -EOPNOTSUPP;
}
