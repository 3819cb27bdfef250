/* Shares and normalised usage, alike in Slurm's three algorithms.
 *
 *   fs parent     first ancestor whose shares are a number (src/common/assoc_mgr.c:_find_assoc_parent)
 *   level shares  sum of the numbers among the children of the fs parent, uint32 arithmetic
 *                 (assoc_mgr.c:_get_children_level_shares); users of a `parent` account thus compete
 *                 with the account's siblings
 *   usage_norm    usage / usage of root, at most 1, 0 if root has none
 *                 (priority_multifactor.c:set_assoc_usage_norm); the root itself never gets one */
#include "fairshare/fairshare.h"

#include <math.h>
#include <string.h>

static uint32_t find_fs_parent(const struct fsi_fairshare *f, uint32_t i)
{
	uint32_t p = f->m->tree[i].parent;

	while (p != FSI_NO_INDEX && f->m->tree[p].parent != FSI_NO_INDEX &&
	       fsi_uses_parent_shares(&f->m->association.v[p]))
		p = f->share[p].fs_parent;
	return p;
}

static void sum_level_shares(struct fsi_fairshare *f)
{
	for (uint32_t p = 0; p < f->n; p++) {
		uint32_t sum = 0;
		bool known = true;

		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			const struct fsi_association *a = &f->m->association.v[f->child[k]];

			known = known && FSI_HAS(a, ASSOCIATION, shares);
			if (!fsi_uses_parent_shares(a))
				sum += a->shares;
		}
		for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++) {
			f->share[f->child[k]].level_shares = sum;
			f->share[f->child[k]].level_known = known;
		}
	}
}

int fsi_shares_link(struct fsi_fairshare *f)
{
	const uint32_t n = f->n;
	uint32_t *next;

	f->first = fsi_arena_array(f->arena, (size_t)n + 2, sizeof(*f->first));
	f->child = fsi_arena_array(f->arena, (size_t)n + 1, sizeof(*f->child));
	if (!f->first || !f->child)
		return -1;
	/* Counts become positions by filling and then starts: one array, shifted by one. */
	next = f->first + 1;
	for (uint32_t i = 0; i < n; i++) {
		struct fsi_share *s = &f->share[i];

		s->fs_parent = find_fs_parent(f, i);
		s->level_known = true;
		if (f->m->tree[i].uncounted)
			continue;
		f->users += f->m->association.v[i].user != 0;
		if (s->fs_parent != FSI_NO_INDEX)
			next[s->fs_parent + 1]++;
	}
	for (uint32_t i = 1; i <= n; i++)
		next[i] += next[i - 1];
	for (uint32_t i = 0; i < n; i++)
		if (f->share[i].fs_parent != FSI_NO_INDEX && !f->m->tree[i].uncounted)
			f->child[next[f->share[i].fs_parent]++] = i;
	sum_level_shares(f);
	return 0;
}

void fsi_usage_norm(struct fsi_fairshare *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct fsi_share *s = &f->share[i];
		const long double root = f->share[0].usage_raw;

		if (f->m->tree[i].parent == FSI_NO_INDEX) {
			s->usage_norm = NAN;
			s->usage_efctv = 1;
		} else {
			s->usage_norm = root > 0 ? s->usage_raw / root : 0;
			if (isnan(root))
				s->usage_norm = NAN;
			if (s->usage_norm > 1)
				s->usage_norm = 1;
		}
	}
}

/* DEPTH_OBLIVIOUS also switches Fair Tree off (src/common/read_config.c). */
const struct fsi_algorithm *fsi_slurm_algorithm(const fs_snapshot *m)
{
	const char *type = fs_snapshot_config_text(m, "PriorityType");
	const uint32_t set = fsi_config_list(m, "PriorityFlags");

	if (type && !strcmp(type, "priority/basic"))
		return &fsi_no_fairshare;
	if (fsi_list_has(m, set, "DEPTH_OBLIVIOUS"))
		return &fsi_depth_oblivious;
	return fsi_list_has(m, set, "NO_FAIR_TREE") ? &fsi_classic : &fsi_fair_tree;
}
