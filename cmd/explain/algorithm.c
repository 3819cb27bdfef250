/* A row of the tree explained by the algorithm in use: the one list of them in the pages. */
#include "explain/algorithm.h"

#include "explain/parts.h"

#include <math.h>
#include <string.h>

static void none_text(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	(void)v;
	(void)path;
	page_say(p, "priority/basic: usage is kept, but no fair-share factor is computed from it.");
	page_end(p);
}

static void say_nothing(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	(void)p;
	(void)v;
	(void)path;
}

static const char fair_tree_rule[] = "Fair Tree: two users are compared at the highest level of the tree where their "
				     "accounts differ; below that level nothing counts.";
static const char flux_rule[] = "Users are ranked through the tree of banks: two users are compared at the highest level "
				"where their banks differ; below that level nothing counts.";

const struct explain_algorithm *explain_algorithm_of(const char *name)
{
	static const struct explain_algorithm all[] = {
		{ .name = "fair_tree", .level = "LevelFS", .rule = fair_tree_rule, .path = explain_fair_tree_path },
		{ .name = "classic", .level = "FairShare", .path = explain_classic_path },
		{ .name = "depth_oblivious", .level = "FairShare", .ratios = true, .path = explain_classic_path },
		{ .name = "none", .level = "FairShare", .path = none_text },
		{ .name = "flux", .level = "weight", .other = "flux_exact", .finite = true, .rule = flux_rule,
		  .path = explain_flux_path },
		{ .name = "flux_exact", .level = "weight", .other = "flux", .exact = true, .finite = true,
		  .rule = flux_rule, .path = explain_flux_path },
		{ .name = "flux_range", .level = "weight", .other = "flux", .finite = true,
		  .path = explain_flux_range_path },
	};
	static const struct explain_algorithm unknown = { .name = "", .level = "FairShare", .path = say_nothing };

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, name))
			return &all[i];
	return &unknown;
}

/* Where the inputs cannot be seen the factor is explained backwards, from its value. */
static void say_hidden(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	if (!isnan(path->factor) && path->given)
		page_say(p, "FAIRSHARE %.6f is taken as the scheduler printed it.", path->factor);
	else if (!isnan(path->factor))
		page_say(p, "FAIRSHARE %.6f.", path->factor);
	else
		page_say(p, "The fair-share factor is not known.");
	page_say(p, "What it was made of could not be seen: %s%s.",
		 path->given ? "associations of others, or their usage, were hidden from the capture"
			     : "shares and usage of others may not be shown to you",
		 nouns(v)->hidden);
	page_say(p,
		 "Ask an operator, or a coordinator of the %s, to run this on their own capture.",
		 nouns(v)->account);
	page_end(p);
}

static void say_recorded(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	const double printed = 5e-7; /* half of the sixth decimal that is printed */

	if (isnan(path->recorded) || isnan(path->factor) || fabs(path->recorded - path->factor) <= printed)
		return;
	if (v->dialect->explain->stored_factor) {
		v->dialect->explain->stored_factor(p, path);
		page_end(p);
		return;
	}
	page_say(
		p,
		"The scheduler printed the factor %.6f when it was captured, not %.6f: its number is that of its last "
		"calculation.",
		path->recorded, path->factor);
	if (path->recorded == 0 && path->factor > 0)
		page_say(p, "A new association has 0 until the next calculation.");
	page_end(p);
}

void explain_path_text(struct page *p, const struct explain_view *v, const struct fs_explain_path *path)
{
	page_gap(p);
	if (path->given || path->hidden) {
		say_hidden(p, v, path);
		return;
	}
	v->algorithm->path(p, v, path);
	if (!v->usage)
		say_recorded(p, v, path);
}
