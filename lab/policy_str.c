// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lab/policy_str.h"
#include "machine/text.h"
#include "workload/suggest.h"

const struct wk_feat_info wk_feat_info[WK_FEAT_NR] = {
#define WK_FEAT(NAME, name, KIND, TYPE, def, min, max, sentence) \
	{#name, WK_KIND_##KIND, WK_TYPE_##TYPE, def, min, max, sentence},
#include "core/feat.def"
};

const char *const wk_feat_kind_name[WK_KIND_NR] = {"decision", "topology", "cost", "fair"};

const struct wk_policy_info wk_policy_info[] = {
#define WK_POLICY(name, parts, thread, sentence) {name, parts, thread, sentence},
#include "core/policy.def"
};

const u32 wk_nr_policies = sizeof(wk_policy_info) / sizeof(wk_policy_info[0]);

#define PART_MAX  64  /* bytes of the longest part, with its end */
#define PARTS_MAX 128 /* of a text */

/* What the text wants. A value is -1 where no part names the feature. */
struct wish {
	s64 base[WK_FEAT_NR]; /* of the rule set */
	s64 part[WK_FEAT_NR]; /* of the parts */
	u32 by[WK_FEAT_NR];   /* which part of the text */
};

struct reader {
	const char *text;
	char part[PARTS_MAX][PART_MAX];
	u32 nr_parts;
	s32 base_row; /* the rule set: a row of wk_policy_info, or WK_NONE */
	u32 base_by;
	bool base_explicit; /* the text names the rule set itself */
	struct wish wish;
	struct wk_err *err;
};

static int refuse(struct reader *r, const char *what)
{
	wk_read_error(r->err, "policy '%.80s': %s", r->text, what);
	return -EINVAL;
}

#define REFUSE(r, ...)                                       \
	({                                                   \
		char what_[160];                             \
		snprintf(what_, sizeof(what_), __VA_ARGS__); \
		refuse(r, what_);                            \
	})

/* ---- names ---- */

static s32 find_feat(const char *name)
{
	for (s32 f = 0; f < WK_FEAT_NR; f++)
		if (!strcmp(wk_feat_info[f].name, name))
			return f;
	return WK_NONE;
}

/* A policy that stands above row @below. */
static s32 find_policy(const char *name, u32 below)
{
	for (u32 row = 0; row < below; row++)
		if (!strcmp(wk_policy_info[row].name, name))
			return (s32)row;
	return WK_NONE;
}

/* The rule set that a policy is or only stands for (baseline), else WK_NONE. */
static s32 rule_set(u32 row)
{
	const char *parts = wk_policy_info[row].parts;

	if (!strncmp(parts, "rules=", 6))
		return (s32)row;
	if (strchr(parts, '+'))
		return WK_NONE;
	s32 above = find_policy(parts, row);

	return above == WK_NONE ? WK_NONE : rule_set((u32)above);
}

static int unknown(struct reader *r, const char *word)
{
	char hint[80], name[PART_MAX], negated[PART_MAX + 3];
	struct wk_suggest near = {.word = name};

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	for (u32 row = 0; row < wk_nr_policies; row++)
		wk_suggest_offer(&near, wk_policy_info[row].name);
	for (u32 f = 0; f < WK_FEAT_NR; f++)
		wk_suggest_offer(&near, wk_feat_info[f].name);
	if (!near.best && !strncmp(name, "no_", 3)) {
		near.word = name + 3;
		for (u32 f = 0; f < WK_FEAT_NR; f++)
			wk_suggest_offer(&near, wk_feat_info[f].name);
		if (near.best) {
			snprintf(negated, sizeof(negated), "no_%s", near.best);
			near.best = negated;
		}
	}
	return REFUSE(r, "unknown feature or policy '%s'%s", word, wk_suggest_text(&near, hint));
}

/* ---- one part ---- */

/* Row @row of the rule sets is wanted by part @by of the text, or by a policy that it names. */
static int want_rules(struct reader *r, u32 row, u32 by, bool explicit)
{
	/* A policy brings its rule set along for texts that name none. */
	if (r->base_row == WK_NONE || explicit > r->base_explicit) {
		r->base_row = (s32)row;
		r->base_by = by;
		r->base_explicit = explicit;
		return 0;
	}
	if (explicit < r->base_explicit || (!explicit && r->base_row == (s32)row))
		return 0;
	return REFUSE(r, "two rule sets, '%s' by '%s' and '%s' by '%s'",
		      wk_policy_info[r->base_row].name, r->part[r->base_by],
		      wk_policy_info[row].name, r->part[by]);
}

static int want(struct reader *r, s64 *values, u32 feat, u32 value, u32 by)
{
	const char *name = wk_feat_info[feat].name;

	if (values == r->wish.part && values[feat] >= 0 && values[feat] != value)
		return REFUSE(r, "'%s' is %u by '%s' and %u by '%s'", name, (u32)values[feat],
			      r->part[r->wish.by[feat]], value, r->part[by]);
	values[feat] = value;
	if (values == r->wish.part)
		r->wish.by[feat] = by;
	return 0;
}

/* Values inside the range that mean nothing. */
static const char *hole(u32 feat, u32 value)
{
	if (feat == WK_FEAT_QUEUED_L2 && value == 2)
		return "0, 1 (the RFC) or 3 (series v3)";
	if ((feat == WK_FEAT_NEAR || feat == WK_FEAT_LLC_SPLIT) && value == 1)
		return "0 or 2 to 64";
	return NULL;
}

static int parse_value(struct reader *r, u32 feat, const char *text, u32 *ret)
{
	const struct wk_feat_info *info = &wk_feat_info[feat];
	char range[40];
	const char *expected = range;

	snprintf(range, sizeof(range), "%u to %u", info->min, info->max);
	if (wk_parse_u32(text, ret) && *ret >= info->min && *ret <= info->max) {
		expected = hole(feat, *ret);
		if (!expected)
			return 0;
	}
	return REFUSE(r, "'%s=%s': expected %s", info->name, text, expected);
}

/* `name`, `no_name` or `name=value`: 1 if @part was no feature. */
static int parse_feat(struct reader *r, const char *part, s64 *values, u32 by)
{
	char name[PART_MAX];
	const char *equals = strchr(part, '=');
	size_t len = equals ? (size_t)(equals - part) : strlen(part);
	bool no = !equals && !strncmp(part, "no_", 3);
	u32 value = !no;
	s32 feat;
	int err;

	snprintf(name, sizeof(name), "%.*s", (int)len, part);
	feat = find_feat(no ? name + 3 : name);
	if (feat == WK_NONE)
		return 1;
	if (equals) {
		err = parse_value(r, (u32)feat, equals + 1, &value);
		if (err)
			return err;
	} else if (wk_feat_info[feat].type == WK_TYPE_NUMBER) {
		return REFUSE(r, "'%s': expected '%s=N' with N from %u to %u", part,
			      wk_feat_info[feat].name, wk_feat_info[feat].min,
			      wk_feat_info[feat].max);
	}
	return want(r, values, (u32)feat, value, by);
}

static int next_part(const char **rest, char ret_part[PART_MAX])
{
	size_t len = strcspn(*rest, "+");

	if (len >= PART_MAX)
		return -E2BIG;
	memcpy(ret_part, *rest, len);
	ret_part[len] = 0;
	*rest += len + ((*rest)[len] == '+');
	return 0;
}

/*
 * The parts of a row of core/policy.def. It can name rows above it only, which
 * ends the recursion. Where a part is a policy and a feature, the policy is meant.
 */
static int parse_row(struct reader *r, u32 row, s64 *values, u32 by)
{
	const char *rest = wk_policy_info[row].parts;
	char part[PART_MAX];
	int err = 0;

	while (!err && *rest) {
		s32 above;

		next_part(&rest, part);
		above = find_policy(part, row);
		if (above == WK_NONE)
			err = parse_feat(r, part, values, by);
		else if (rule_set((u32)above) != WK_NONE)
			err = want_rules(r, (u32)rule_set((u32)above), by, false);
		else
			err = parse_row(r, (u32)above, values, by);
	}
	return err;
}

static int parse_part(struct reader *r, u32 by)
{
	const char *part = r->part[by];
	s32 row = find_policy(part, wk_nr_policies);
	int err;

	if (row == WK_NONE) {
		err = parse_feat(r, part, r->wish.part, by);
		return err == 1 ? unknown(r, part) : err;
	}
	if (rule_set((u32)row) != WK_NONE)
		return want_rules(r, (u32)rule_set((u32)row), by, true);
	return parse_row(r, (u32)row, r->wish.part, by);
}

/* ---- the whole ---- */

static int split(struct reader *r)
{
	const char *rest = r->text;

	if (strlen(rest) > WK_POLICY_TEXT_MAX) {
		wk_read_error(r->err,
			      "policy '%.40s...': expected at most %d characters, found %zu", rest,
			      WK_POLICY_TEXT_MAX, strlen(rest));
		return -E2BIG;
	}
	do {
		bool more = strchr(rest, '+');

		if (r->nr_parts == PARTS_MAX)
			return REFUSE(r, "expected at most %d parts", PARTS_MAX);
		if (next_part(&rest, r->part[r->nr_parts]))
			return REFUSE(r, "unknown feature or policy '%.40s...'", rest);
		if (!r->part[r->nr_parts][0])
			return REFUSE(r, "found an empty part, expected NAME[+PART...]");
		for (u32 i = 0; i < r->nr_parts; i++)
			if (!strcmp(r->part[i], r->part[r->nr_parts]))
				return REFUSE(r, "'%s' twice", r->part[i]);
		r->nr_parts++;
		if (!more)
			return 0;
	} while (true);
}

/* Features that do nothing without another one, or beside it. */
static const struct {
	u32 feat, other;
	bool needs; /* else it excludes it */
} relation[] = {
	{WK_FEAT_PTR, WK_FEAT_SIS_NODE, true},
	{WK_FEAT_SKIPLOCAL, WK_FEAT_SIS_NODE, true},
	{WK_FEAT_NULLCHECK, WK_FEAT_SIS_NODE, true},
	{WK_FEAT_LIMIT, WK_FEAT_SIS_NODE, true},
	{WK_FEAT_NEED_FLAG, WK_FEAT_SIS_NODE, true},
	{WK_FEAT_PAIR, WK_FEAT_SIS_NODE, true},
	{WK_FEAT_PTR, WK_FEAT_SKIPLOCAL, false},
	{WK_FEAT_IDLE_SIBLING, WK_FEAT_NEED_FLAG, true},
	{WK_FEAT_IDLE_SIBLING_MASKED, WK_FEAT_IDLE_SIBLING, true},
	{WK_FEAT_NEAR, WK_FEAT_NEAR_SHIFT, false},
	{WK_FEAT_CLUSTER_SCAN, WK_FEAT_CLUSTER_LEVEL, true},
	{WK_FEAT_CLUSTER_OVERRUN, WK_FEAT_CLUSTER_SCAN, true},
	{WK_FEAT_QUEUED_L2, WK_FEAT_WAKELIST_NODE, false},
	{WK_FEAT_WA_IDLE, WK_FEAT_WAKE_AFFINE, true},
	{WK_FEAT_WA_WEIGHT, WK_FEAT_WAKE_AFFINE, true},
	{WK_FEAT_WA_BIAS, WK_FEAT_WA_WEIGHT, true},
	{WK_FEAT_WAKE_WIDE, WK_FEAT_WAKE_AFFINE, true},
};

/* A part that changes nothing is a mistake of the user, and is said to be one. */
static int check_effects(struct reader *r, const struct wk_policy *pol)
{
	for (u32 i = 0; i < sizeof(relation) / sizeof(relation[0]); i++) {
		u32 feat = relation[i].feat, other = relation[i].other;
		u32 value = wk_num(pol, feat);
		const char *name = wk_feat_info[feat].name;
		char no[PART_MAX];

		if (value == wk_feat_info[feat].def || wk_has(pol, other) == relation[i].needs)
			continue;
		snprintf(no, sizeof(no), "%s%s", value ? "" : "no_", name);
		return REFUSE(r, "'%s' has no effect %s '%s'", no,
			      relation[i].needs ? "without" : "beside", wk_feat_info[other].name);
	}
	if (wk_has(pol, WK_FEAT_CLUSTER_SCAN) && wk_num(pol, WK_FEAT_RULES) < 6)
		return REFUSE(r, "'cluster_scan' has no effect by the rules of tip-5");
	return 0;
}

static void reader_init(struct reader *r, const char *text, struct wk_err *err)
{
	memset(r, 0, sizeof(*r));
	r->text = text;
	r->err = err;
	r->base_row = WK_NONE;
	for (u32 f = 0; f < WK_FEAT_NR; f++)
		r->wish.base[f] = r->wish.part[f] = -1;
}

int wk_policy_parse(const char *text, struct wk_policy *ret, struct wk_err *ret_err)
{
	struct wk_policy pol;
	struct reader r;
	int err;

	reader_init(&r, text, ret_err);
	err = split(&r);
	for (u32 i = 0; !err && i < r.nr_parts; i++)
		err = parse_part(&r, i);
	if (!err && r.base_row != WK_NONE)
		err = parse_row(&r, (u32)r.base_row, r.wish.base, 0);
	if (err)
		return err;
	wk_policy_init(&pol);
	for (u32 f = 0; f < WK_FEAT_NR; f++) {
		s64 value = r.wish.part[f] >= 0 ? r.wish.part[f] : r.wish.base[f];

		if (value >= 0)
			wk_policy_set(&pol, f, (u32)value);
	}
	err = check_effects(&r, &pol);
	if (!err)
		*ret = pol;
	return err;
}

/* ---- printing ---- */

/* Row of the rule set with this number, tip for one that there is not. */
static u32 row_of_rules(u32 rules)
{
	char parts[16];
	size_t len = (size_t)snprintf(parts, sizeof(parts), "rules=%u", rules);

	for (u32 row = 0; row < wk_nr_policies; row++)
		if (!strncmp(wk_policy_info[row].parts, parts, len))
			return row;
	return 0;
}

const char *wk_policy_rules(const struct wk_policy *pol)
{
	return wk_policy_info[row_of_rules(wk_num(pol, WK_FEAT_RULES))].name;
}

void wk_policy_print(const struct wk_policy *pol, char ret_text[WK_POLICY_TEXT_MAX])
{
	const char *rules = wk_policy_rules(pol);
	struct wk_policy base;
	struct wk_err err;
	int at;

	wk_policy_init(&base);
	wk_policy_parse(rules, &base, &err);
	at = snprintf(ret_text, WK_POLICY_TEXT_MAX, "%s", rules);
	for (u32 f = 0; f < WK_FEAT_NR; f++) {
		const struct wk_feat_info *info = &wk_feat_info[f];
		u32 value = wk_num(pol, f);
		size_t room = (size_t)(WK_POLICY_TEXT_MAX - at);

		if (value == wk_num(&base, f))
			continue;
		if (info->type == WK_TYPE_FLAG)
			at += snprintf(ret_text + at, room, "+%s%s", value ? "" : "no_",
				       info->name);
		else
			at += snprintf(ret_text + at, room, "+%s=%u", info->name, value);
	}
}
