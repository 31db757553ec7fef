// SPDX-License-Identifier: GPL-2.0-only
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/diff/object.h"

const char *wk_diff_why_not(void)
{
	int fd;

	if (geteuid())
		return "not root";
	fd = bpf_map_create(BPF_MAP_TYPE_ARRAY, "wk_probe", 4, 8, 1, NULL);
	if (fd < 0)
		return "no bpf() here";
	close(fd);
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		return "this kernel has no BTF";
	return NULL;
}

static int only_warnings(enum libbpf_print_level level, const char *fmt, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, fmt, args) : 0;
}

/* Where global @name stands in @section, or -ENOENT. */
static s64 offset_of(const struct bpf_object *obj, const char *section, const char *name)
{
	const struct btf *btf = bpf_object__btf(obj);
	s32 id = btf ? btf__find_by_name_kind(btf, section, BTF_KIND_DATASEC) : -ENOENT;
	const struct btf_type *type = id >= 0 ? btf__type_by_id(btf, (u32)id) : NULL;

	for (u32 i = 0; type && i < btf_vlen(type); i++) {
		const struct btf_var_secinfo *var = btf_var_secinfos(type) + i;
		const struct btf_type *of = btf__type_by_id(btf, var->type);

		if (!strcmp(btf__name_by_offset(btf, of->name_off), name))
			return var->offset;
	}
	fprintf(stderr, "diff: no global %s in %s of the object\n", name, section);
	return -ENOENT;
}

static int set_policy(struct wk_diff_object *o, const struct wk_policy *pol)
{
	struct bpf_map *map = bpf_object__find_map_by_name(o->obj, ".rodata");
	s64 at = offset_of(o->obj, ".rodata", "wk_policy");
	size_t size;
	char *data = map ? (char *)bpf_map__initial_value(map, &size) : NULL;

	if (at < 0 || !data)
		return -ENOENT;
	memcpy(data + at, pol, sizeof(*pol));
	return 0;
}

/* The memory of a section of globals, or NULL. */
static char *map_section(const struct wk_diff_object *o, const char *section, int prot,
			 size_t *ret_size, u32 *ret_id)
{
	struct bpf_map *map = bpf_object__find_map_by_name(o->obj, section);
	struct bpf_map_info info = {0};
	u32 len = sizeof(info);
	void *at;

	if (!map || bpf_obj_get_info_by_fd(bpf_map__fd(map), &info, &len))
		return NULL;
	*ret_size = bpf_map__value_size(map);
	*ret_id = info.id;
	at = mmap(NULL, *ret_size, prot, MAP_SHARED, bpf_map__fd(map), 0);
	return at == MAP_FAILED ? NULL : at;
}

static int map_memory(struct wk_diff_object *o)
{
	s64 topo = offset_of(o->obj, ".bss", "wk_topo_live");
	s64 state = offset_of(o->obj, ".bss", "wk_state_live");
	s64 request = offset_of(o->obj, ".bss", "wk_case");
	s64 world = offset_of(o->obj, ".bss", "wk_world");
	char *bss = map_section(o, ".bss", PROT_READ | PROT_WRITE, &o->bss_size, &o->bss_id);

	o->bss = bss;
	o->rodata = map_section(o, ".rodata", PROT_READ, &o->rodata_size, &o->rodata_id);
	if (!bss || !o->rodata || topo < 0 || state < 0 || request < 0 || world < 0)
		return -ENOENT;
	o->topo = (struct wk_topo *)(void *)(bss + topo);
	o->state = (struct wk_state *)(void *)(bss + state);
	o->request = (struct wk_diff_case *)(void *)(bss + request);
	o->world = (struct wk_diff_world *)(void *)(bss + world);
	return 0;
}

char *wk_diff_global(const struct wk_diff_object *o, u32 map_id)
{
	return map_id == o->bss_id ? o->bss : map_id == o->rodata_id ? o->rodata : NULL;
}

int wk_diff_open(const char *file, const struct wk_policy *pol, struct wk_diff_object *ret)
{
	int err;

	memset(ret, 0, sizeof(*ret));
	libbpf_set_print(only_warnings);
	ret->obj = bpf_object__open_file(file, NULL);
	if (!ret->obj)
		return -EINVAL; /* libbpf has said why */
	err = set_policy(ret, pol);
	if (!err)
		err = bpf_object__load(ret->obj);
	if (!err)
		err = map_memory(ret);
	if (err) {
		fprintf(stderr, "diff: %s: not loaded: %s\n", file, strerror(-err));
		return err;
	}
	ret->prog_fd = bpf_program__fd(bpf_object__find_program_by_name(ret->obj, "wk_core"));
	return ret->prog_fd < 0 ? -ENOENT : 0;
}

void wk_diff_close(struct wk_diff_object *o)
{
	if (o->bss)
		munmap(o->bss, o->bss_size);
	if (o->rodata)
		munmap(o->rodata, o->rodata_size);
	bpf_object__close(o->obj);
}

int wk_diff_run(const struct wk_diff_object *o)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts);

	return bpf_prog_test_run_opts(o->prog_fd, &opts);
}

int wk_diff_cost(const struct wk_diff_object *o, struct wk_diff_cost *ret)
{
	struct bpf_prog_info info = {0};
	u32 len = sizeof(info);

	if (bpf_obj_get_info_by_fd(o->prog_fd, &info, &len))
		return -errno;
	ret->verified = info.verified_insns;
	ret->xlated = info.xlated_prog_len / 8;
	return 0;
}
