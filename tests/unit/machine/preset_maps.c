// SPDX-License-Identifier: GPL-2.0-only
/* Presets against every published CPU map, with the corrections of its known misprints. */
#include "tests/unit/machine/topo_test.h"

struct row {
	char *machine, *config, *level, *name, *cpus, *corrected, *note;
};

static u32 rows_seen;

/* Splits a CSV line in place: quotes, no quotes inside quotes. */
static u32 split(char *line, char **field, u32 max)
{
	u32 nr = 0;

	while (nr < max) {
		bool quoted = *line == '"';

		field[nr++] = line + quoted;
		line = quoted ? strchr(line + 1, '"') : line + strcspn(line, ",\n");
		if (quoted)
			*line++ = 0;
		if (*line != ',') {
			*line = 0;
			break;
		}
		*line++ = 0;
	}
	return nr;
}

/* "63,191" or "0-63,128-191": the first CPU. */
static u32 first_cpu(const char *cpus)
{
	return (u32)strtoul(cpus, NULL, 10);
}

static char *cpus_of_node(const struct wk_topo *t, u32 cpu)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	wk_show_cpus(to, t, &t->node_mask[t->sil[t->cid_of[cpu]].node]);
	fclose(to);
	return text;
}

/* DIE is PKG here, LLC is the MC domain, and "cpu0 domain2" names a place in the chain. */
static char *found_span(const struct wk_topo *t, const struct row *row, u32 cpu)
{
	const struct wk_cid *c = &t->cid[t->cid_of[cpu]];
	const char *place = strstr(row->name, "domain");
	const char *level = !strcmp(row->level, "DIE")	 ? "PKG"
			    : !strcmp(row->level, "LLC") ? "MC"
							 : row->level;

	if (!strcmp(row->level, "NODE"))
		return cpus_of_node(t, cpu);
	for (u32 i = 0; i < c->nr_levels; i++) {
		const struct wk_domain *d = &t->domain[c->chain[i]];

		if (strcmp(wk_level_name(d->level), level) ||
		    (place && strtoul(place + 6, NULL, 10) != i))
			continue;
		return cpus_of(t, d->span, d->mask);
	}
	return strdup("none");
}

/* Two neighbours are printed "0,1" here and "0-1" there: compare what the lists mean. */
static void list_to_set(const char *list, struct wk_mask *set)
{
	memset(set, 0, sizeof(*set));
	while (*list) {
		char *end;
		unsigned long lo = strtoul(list, &end, 10), hi = lo;

		if (*end == '-')
			hi = strtoul(end + 1, &end, 10);
		for (unsigned long c = lo; c <= hi; c++)
			wk_mask_set(set, (u32)c);
		list = *end ? end + 1 : end;
	}
}

static void compare_span(const struct wk_topo *t, const struct row *row)
{
	const char *expected = *row->corrected ? row->corrected : row->cpus;
	char *found = found_span(t, row, first_cpu(expected));
	struct wk_mask a, b;

	list_to_set(found, &a);
	list_to_set(expected, &b);
	if (memcmp(&a, &b, sizeof(a)))
		fail_msg("%s:%s %s: found '%s', expected '%s'", row->machine, row->config,
			 row->name, found, expected);
	free(found);
}

/* "id 8" of CPU 137: the share id is the LLC's first CPU. */
static void compare_share_id(const struct wk_topo *t, const struct row *row)
{
	u32 cid = (u32)t->cid_of[first_cpu(row->cpus)];

	assert_int_equal(t->cpu_of[t->cid[cid].share_id], strtoul(row->name + 3, NULL, 10));
}

/* "SD_NUMA SD_OVERLAP ..." of a level; SHARE_PKG is short for SHARE_PKG_RESOURCES. */
static void compare_flags(const struct wk_topo *t, const struct row *row)
{
	enum wk_level level = !strcmp(row->name, "SMT")	  ? WK_LEVEL_SMT
			      : !strcmp(row->name, "MC")  ? WK_LEVEL_MC
			      : !strcmp(row->name, "DIE") ? WK_LEVEL_PKG
							  : WK_LEVEL_NUMA;
	const struct wk_domain *d = domain_at(t, 0, level);
	u32 expected = 0;
	const char *note = row->note;

	assert_non_null(d);
#define WK_SDFLAG(NAME, meta, sentence)                                                \
	if (strstr(note, "SD_" #NAME " ") || strstr(note, "SD_" #NAME "_RESOURCES") || \
	    !strcmp(note + strlen(note) - strlen(#NAME), #NAME))                       \
		expected |= WK_SD_##NAME;
#include "core/sdflag.def"
	if (d->flags != expected)
		fail_msg("%s: found %#x, expected %#x (%s)", row->name, d->flags, expected, note);
}

static void compare(const struct row *row)
{
	char src[200];
	struct wk_topo *t;
	bool named = *row->config && strcmp(row->config, "any");

	snprintf(src, sizeof(src), "%s%s%s", row->machine, named ? ":" : "",
		 named ? row->config : "");
	t = build_preset(src, tip());
	if (!strcmp(row->level, "sd_share_id"))
		compare_share_id(t, row);
	else if (!strcmp(row->level, "domain-flags"))
		compare_flags(t, row);
	else
		compare_span(t, row);
	wk_topo_destroy(t);
	rows_seen++;
}

static void test_published_maps(void **state)
{
	char path[4096], *line = NULL;
	size_t size = 0;
	FILE *file;

	(void)state;
	if (!wk_test_shared())
		skip();
	snprintf(path, sizeof(path), "%s/evidence/machine_maps.csv", wk_test_shared());
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(getline(&line, &size, file) > 0);
	while (getline(&line, &size, file) > 0) {
		struct row row;
		char *field[7];

		if (split(line, field, 7) != 7)
			fail_msg("%s: a row of fewer than 7 columns", path);
		memcpy(&row, field, sizeof(row));
		compare(&row);
	}
	free(line);
	fclose(file);
	assert_true(rows_seen >= 80);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_published_maps)};

	return cmocka_run_group_tests_name("machine/preset_maps", tests, NULL, NULL);
}
