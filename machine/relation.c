// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/relation.h"

s32 wk_mask_next(const struct wk_mask *m, u32 from)
{
	if (from >= WK_MAX_CPUS)
		return WK_NONE;
	return wk_mask_first_and(m, NULL, (struct wk_range){from, WK_MAX_CPUS - from});
}

const char *wk_mask_print(char *buf, size_t size, const struct wk_mask *m)
{
	size_t len = 0;

	buf[0] = '\0';
	wk_for_each_cpu(c, m) {
		s32 last = c;

		if (c > 0 && wk_mask_test(m, (u32)c - 1))
			continue;
		while (wk_mask_test(m, (u32)last + 1))
			last++;
		if (len + 16 > size) {
			snprintf(buf + len, size - len, "...");
			break;
		}
		len += (size_t)snprintf(buf + len, size - len, last > c ? "%s%d-%d" : "%s%d",
					len ? "," : "", c, last);
	}
	return buf;
}

struct wk_rel *wk_rel_create(const struct wk_mask *cpus)
{
	struct wk_rel *rel = calloc(1, sizeof(*rel));
	u32 end = 0;

	if (!rel)
		return NULL;
	wk_for_each_cpu(c, cpus)
		end = (u32)c + 1;
	rel->mask = calloc(end + 1, sizeof(*rel->mask));
	if (!rel->mask) {
		free(rel);
		return NULL;
	}
	rel->cpus = *cpus;
	for (u32 i = 0; i < WK_MAX_CPUS; i++) {
		rel->key[i] = WK_KEY_NONE;
		rel->set[i] = WK_NONE;
	}
	return rel;
}

void wk_rel_destroy(struct wk_rel *rel)
{
	if (!rel)
		return;
	free(rel->mask);
	free(rel);
}

void wk_rel_say(struct wk_rel *rel, u32 cpu, const struct wk_mask *mask)
{
	for (u32 w = 0; w < WK_MASK_WORDS; w++) {
		rel->mask[cpu].word[w] = mask->word[w] & rel->cpus.word[w];
		rel->phantom.word[w] |= mask->word[w] & ~rel->cpus.word[w];
	}
	wk_mask_set(&rel->mask[cpu], cpu);
	wk_mask_set(&rel->has, cpu);
}

static bool disagree(struct wk_rel *rel, u32 a, u32 b)
{
	if (!rel->contradictory) {
		rel->odd_a = a;
		rel->odd_b = b;
	}
	rel->contradictory = true;
	return false;
}

/* Gives the set @s, lowest CPU @low, to its members; false if a member says otherwise. */
static bool claim_set(struct wk_rel *rel, const struct wk_mask *s, s32 low)
{
	wk_for_each_cpu(b, s) {
		if (wk_mask_test(&rel->has, (u32)b) && wk_mask_next(&rel->mask[b], 0) != low)
			return disagree(rel, (u32)low, (u32)b);
		if (rel->set[b] != WK_NONE && rel->set[b] != low)
			return disagree(rel, (u32)low, (u32)b);
		rel->set[b] = low;
	}
	return true;
}

/* True if the masks partition the CPUs; then set[] holds the partition. */
static bool partition(struct wk_rel *rel)
{
	wk_for_each_cpu(a, &rel->has) {
		s32 low = wk_mask_next(&rel->mask[a], 0);

		if (low == a) {
			if (!claim_set(rel, &rel->mask[a], low))
				return false;
		} else if (!wk_mask_test(&rel->has, (u32)low)) {
			/* the lowest member is silent: the next one speaks for the set */
			if (rel->set[a] == WK_NONE && !claim_set(rel, &rel->mask[a], low))
				return false;
			if (rel->set[a] != low)
				return disagree(rel, (u32)a, (u32)low);
		} else if (memcmp(&rel->mask[a], &rel->mask[low], sizeof(rel->mask[a]))) {
			return disagree(rel, (u32)a, (u32)low);
		}
	}
	return true;
}

static bool all_have_keys(const struct wk_rel *rel)
{
	wk_for_each_cpu(c, &rel->has)
		if (rel->key[c] == WK_KEY_NONE)
			return false;
	return true;
}

static u32 find(u32 *parent, u32 a)
{
	while (parent[a] != a) {
		parent[a] = parent[parent[a]];
		a = parent[a];
	}
	return a;
}

/* Only what both sides say: components of "a lists b and b lists a", or b says nothing. */
static void symmetric(struct wk_rel *rel)
{
	u32 parent[WK_MAX_CPUS];

	for (u32 i = 0; i < WK_MAX_CPUS; i++)
		parent[i] = i;
	wk_for_each_cpu(a, &rel->has) {
		wk_for_each_cpu(b, &rel->mask[a]) {
			u32 x, y;

			if (wk_mask_test(&rel->has, (u32)b) && !wk_mask_test(&rel->mask[b], (u32)a))
				continue;
			x = find(parent, (u32)a);
			y = find(parent, (u32)b);
			parent[x > y ? x : y] = x > y ? y : x;
		}
	}
	wk_for_each_cpu(c, &rel->cpus) {
		u32 top = find(parent, (u32)c);
		bool alone = top == (u32)c && !wk_mask_test(&rel->has, (u32)c);

		rel->set[c] = alone ? WK_NONE : (s32)top;
	}
}

struct keyed {
	long long key;
	s32 cpu;
};

static int keyed_cmp(const void *va, const void *vb)
{
	const struct keyed *a = va, *b = vb;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

/* CPUs still without a set join the first set with their key, or make one. */
static void join_by_key(struct wk_rel *rel)
{
	struct keyed k[WK_MAX_CPUS];
	u32 n = 0, end;

	wk_for_each_cpu(c, &rel->cpus)
		if (rel->key[c] != WK_KEY_NONE)
			k[n++] = (struct keyed){rel->key[c], c};
	qsort(k, n, sizeof(*k), keyed_cmp);
	for (u32 i = 0; i < n; i = end) {
		s32 set = WK_NONE;

		for (end = i; end < n && k[end].key == k[i].key; end++)
			if (set == WK_NONE)
				set = rel->set[k[end].cpu];
		if (set == WK_NONE)
			set = k[i].cpu;
		for (u32 j = i; j < end; j++)
			if (rel->set[k[j].cpu] == WK_NONE)
				rel->set[k[j].cpu] = set;
	}
}

/* Sets are named by their lowest CPU, also after CPUs joined. */
static void rename_lowest(struct wk_rel *rel)
{
	s32 low[WK_MAX_CPUS];

	memset(low, 0xff, sizeof(low));
	wk_for_each_cpu(c, &rel->cpus) {
		s32 s = rel->set[c];

		if (s == WK_NONE)
			continue;
		if (low[s] == WK_NONE)
			low[s] = c;
		rel->set[c] = low[s];
	}
}

void wk_rel_solve(struct wk_rel *rel)
{
	if (!partition(rel)) {
		memset(rel->set, 0xff, sizeof(rel->set));
		rel->by_key = all_have_keys(rel);
		if (!rel->by_key)
			symmetric(rel);
	}
	join_by_key(rel);
	rename_lowest(rel);
}
