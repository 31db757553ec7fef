// SPDX-License-Identifier: GPL-2.0-only
/* What the running kernel is and has. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "live/priv.h"

#define SYS_SCX "/sys/kernel/sched_ext"

void wk_live_read_sys(const char *path, char *ret_text, size_t size)
{
	FILE *file = fopen(path, "re");

	ret_text[0] = '\0';
	if (!file)
		return;
	if (!fgets(ret_text, (int)size, file))
		ret_text[0] = '\0';
	ret_text[strcspn(ret_text, " \n")] = '\0';
	fclose(file);
}

int wk_live_fail(struct wk_err *ret_err, int code, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(ret_err->text, sizeof(ret_err->text), format, ap);
	va_end(ap);
	return code;
}

int wk_live_quiet(enum libbpf_print_level level, const char *format, va_list ap)
{
	(void)level;
	(void)format;
	(void)ap;
	return 0;
}

const char *wk_live_lacks(struct wk_err *ret_err)
{
	char state[32], ops[64];

	if (geteuid() != 0) {
		wk_live_fail(ret_err, -EINVAL, "not root: loading a scheduler needs root");
		return ret_err->text;
	}
	if (access("/sys/kernel/btf/vmlinux", R_OK)) {
		wk_live_fail(ret_err, -EINVAL,
			     "this kernel has no BTF: no /sys/kernel/btf/vmlinux, expected "
			     "CONFIG_DEBUG_INFO_BTF");
		return ret_err->text;
	}
	if (access(SYS_SCX "/state", R_OK)) {
		wk_live_fail(ret_err, -EINVAL,
			     "this kernel has no sched_ext: no " SYS_SCX
			     ", expected 6.12 or later with CONFIG_SCHED_CLASS_EXT");
		return ret_err->text;
	}
	wk_live_read_sys(SYS_SCX "/state", state, sizeof(state));
	if (strcmp(state, "disabled") != 0) {
		wk_live_read_sys(SYS_SCX "/root/ops", ops, sizeof(ops));
		wk_live_fail(ret_err, -EINVAL,
			     "another scheduler is attached: '%s' is %s, expected none", ops,
			     state);
		return ret_err->text;
	}
	return NULL;
}

u64 wk_live_kernel_flag(const struct btf *btf, const char *name)
{
	const struct btf_type *t;
	u64 value = 0;
	s32 id;

	if (!btf)
		return 0;
	id = btf__find_by_name(btf, "scx_ops_flags");
	t = id > 0 ? btf__type_by_id(btf, (u32)id) : NULL;
	for (u32 i = 0; t && i < btf_vlen(t); i++) {
		u32 at = btf_is_enum(t) ? btf_enum(t)[i].name_off : btf_enum64(t)[i].name_off;

		if (!strcmp(btf__name_by_offset(btf, at), name))
			value = btf_is_enum(t) ? (u32)btf_enum(t)[i].val
					       : btf_enum64_value(&btf_enum64(t)[i]);
	}
	return value;
}

bool wk_live_kernel_has(const struct btf *btf, const char *kfunc)
{
	return btf && btf__find_by_name_kind(btf, kfunc, BTF_KIND_FUNC) > 0;
}
