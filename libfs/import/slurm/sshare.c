/* The shares that sshare printed: kept as `recorded`, and associations and usage where nothing else tells them. */
#include "import/import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sshare {
	struct fsi_pipe table;
	struct fsi_intern pairs; /* (account, user) of each association; with make_rows (block, user) of those made */
	uint32_t *row_of;        /* by pair: the row of its next line, FSI_NO_INDEX after the last */
	uint32_t *behind;        /* by row: the next of the same pair, by partition name; FSI_NO_INDEX */
	bool make_rows;
	uint32_t block;               /* the row that the lines of users of the present account began with */
	FSI_VEC(uint32_t) told;       /* by pair, with make_rows: how many lines of the user there were in the block */
	uint32_t open[64]; /* accounts above the line, by indentation */
	double *usage;     /* RawUsage by association row, NAN where none */
	size_t cap;
	size_t strangers; /* rows of associations that no other file has */
};

static const struct fsi_import_map sshare_columns[] = {
	{ "NormShares", FSI_RECORDED_norm_shares },
	{ "RawUsage", FSI_RECORDED_raw_usage },
	{ "NormUsage", FSI_RECORDED_norm_usage },
	{ "EffectvUsage", FSI_RECORDED_effective_usage },
	{ "FairShare", FSI_RECORDED_factor },
};

/* A user who appears again in the same account has an association for each partition; sshare without -m does
 * not say which: they are told apart as "?2", "?3" (each is printed next to its siblings). */
static int name_partition(struct sshare *sh, fs_snapshot *m, uint32_t row)
{
	struct fsi_association *a = &m->association.v[row];
	char name[16];

	if (!row || !a[-1].user || a[-1].account != a->account)
		sh->block = row;
	const uint32_t pair[2] = { sh->block, a->user }, k = fsi_intern(&sh->pairs, pair, sizeof(pair));

	if (k == FSI_INTERN_FAILED)
		return -1;
	for (; sh->told.n <= k; sh->told.n++) {
		if (FSI_VEC_ROOM(&sh->told))
			return -1;
		sh->told.v[sh->told.n] = 0;
	}
	if (!sh->told.v[k]++)
		return 0;
	snprintf(name, sizeof(name), "?%u", sh->told.v[k]);
	a->partition = fsi_name(m, name);
	if (a->partition == FSI_INTERN_FAILED)
		return -1;
	FSI_SET(a, ASSOCIATION, partition);
	return 0;
}

/* A user with associations for several partitions has a line for each. */
static uint32_t next_of_pair(struct sshare *sh, uint32_t pair)
{
	const uint32_t row = sh->row_of[pair];

	if (row != FSI_NO_INDEX)
		sh->row_of[pair] = sh->behind[row];
	return row;
}

/* Puts a row into the chain of its pair. */
static void enqueue(struct sshare *sh, const fs_snapshot *m, uint32_t pair, uint32_t row)
{
	const struct fsi_association *a = m->association.v;
	uint32_t *at = &sh->row_of[pair];

	while (*at != FSI_NO_INDEX && fsi_tree_cmp_partitions(m, &a[*at], &a[row]) <= 0)
		at = &sh->behind[*at];
	sh->behind[row] = *at;
	*at = row;
}

/* The association of a line: made from it when nothing else tells, otherwise the only one that fits. */
static uint32_t association_of(struct fsi_import *imp, struct sshare *sh, uint32_t account,
			       uint32_t user, size_t indent)
{
	fs_snapshot *m = imp->m;
	struct fsi_association *a;
	uint32_t found = FSI_NO_INDEX;

	if (!sh->make_rows) {
		const uint32_t pair[2] = { account, user };
		const uint32_t k = fsi_intern_find(&sh->pairs, pair, sizeof(pair));

		return k ? next_of_pair(sh, k) : FSI_NO_INDEX;
	}
	a = account ? FSI_VEC_ADD(&m->association) : NULL;
	if (!a)
		return found;
	found = (uint32_t)m->association.n - 1;
	FSI_PUT(a, ASSOCIATION, id, found + 1);
	FSI_PUT(a, ASSOCIATION, account, account);
	a->user = user;
	if (user) {
		FSI_SET(a, ASSOCIATION, user);
		return name_partition(sh, m, found) ? FSI_NO_INDEX : found;
	}
	if (indent < sizeof(sh->open) / sizeof(*sh->open))
		sh->open[indent] = account;
	if (indent && indent <= sizeof(sh->open) / sizeof(*sh->open))
		FSI_PUT(a, ASSOCIATION, parent, sh->open[indent - 1]);
	return found;
}

/* -1 without memory. */
static int map_pairs(struct sshare *sh, const fs_snapshot *m)
{
	sh->row_of = malloc((m->association.n + 1) * sizeof(*sh->row_of));
	sh->behind = malloc((m->association.n + 1) * sizeof(*sh->behind));
	if (!sh->row_of || !sh->behind)
		return -1;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const uint32_t pair[2] = { m->association.v[i].account, m->association.v[i].user };
		const uint32_t before = sh->pairs.count;
		const uint32_t k = fsi_intern(&sh->pairs, pair, sizeof(pair));

		if (k == FSI_INTERN_FAILED)
			return -1;
		if (k >= before)
			sh->row_of[k] = FSI_NO_INDEX;
		enqueue(sh, m, k, i);
	}
	return 0;
}

/* An account has fewer lines than associations: whose they are cannot be told. */
static int forget_undecided(struct sshare *sh, fs_snapshot *m)
{
	struct fsi_id_index index = { 0 };
	size_t kept = 0;

	if (sh->make_rows)
		return 0;
	if (fsi_index_associations(&index, m))
		return -1;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const uint32_t pair[2] = { m->association.v[i].account, m->association.v[i].user };
		const uint32_t k = fsi_intern_find(&sh->pairs, pair, sizeof(pair));

		sh->behind[i] = sh->row_of[k]; /* the chain has done its work: an end now says "all told" */
		if (sh->row_of[k] != FSI_NO_INDEX && i < sh->cap)
			sh->usage[i] = NAN;
	}
	for (size_t i = 0; i < m->recorded.n; i++) {
		const uint32_t row = fsi_index_find(&index, m->recorded.v[i].association);

		if (row == FSI_NO_INDEX || sh->behind[row] == FSI_NO_INDEX)
			m->recorded.v[kept++] = m->recorded.v[i];
	}
	m->recorded.n = kept;
	free(index.v);
	return 0;
}

static int usage_room(struct sshare *sh, size_t row)
{
	while (row >= sh->cap) {
		const size_t cap = sh->cap ? sh->cap * 2 : 64;
		double *p = realloc(sh->usage, cap * sizeof(*p));

		if (!p)
			return -1;
		sh->usage = p;
		while (sh->cap < cap)
			sh->usage[sh->cap++] = NAN;
	}
	return 0;
}

static int sshare_line(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct sshare *sh = ctx;
	struct fsi_span name, user, level;
	struct fsi_recorded *r;
	size_t indent = 0;
	uint32_t row;
	int rc;

	if (!fsi_pipe_row(&sh->table, line) || !line.len)
		return 0;
	name = fsi_pipe_get(&sh->table, "Account");
	user = fsi_pipe_get(&sh->table, "User");
	while (indent < name.len && name.s[indent] == ' ')
		indent++;
	const uint32_t account = fsi_import_name(imp, fsi_span_trim(name));

	row = association_of(imp, sh, account, fsi_import_name(imp, user), indent);
	if (row == FSI_NO_INDEX && sh->make_rows && account)
		return fsi_nomem(imp->err); /* such a line makes a row of its own */
	if (row == FSI_NO_INDEX) {
		sh->strangers++;
		return 0;
	}
	r = usage_room(sh, row) ? NULL : FSI_VEC_ADD(&imp->m->recorded);
	if (!r)
		return fsi_nomem(imp->err);
	FSI_PUT(r, RECORDED, association, imp->m->association.v[row].id);
	rc = fsi_pipe_set_all(imp, &sh->table, sshare_columns,
			      sizeof(sshare_columns) / sizeof(*sshare_columns), FSI_RECORD_RECORDED,
			      &r->rec);
	level = fsi_pipe_get(&sh->table, "LevelFS");
	if (!rc && !fsi_span_is(level, "inf"))
		rc = FSI_IMPORT_SET(imp, RECORDED, r, level_fs, level);
	if (!rc && sh->make_rows)
		rc = FSI_IMPORT_SET(imp, ASSOCIATION, &imp->m->association.v[row], shares,
				    fsi_pipe_get(&sh->table, "RawShares"));
	if (FSI_HAS(r, RECORDED, raw_usage))
		sh->usage[row] = (double)r->raw_usage;
	return rc;
}

int fsi_slurm_sshare(struct fsi_import *imp)
{
	struct sshare *sh = calloc(1, sizeof(*sh));
	int rc;

	if (!sh)
		return fsi_nomem(imp->err);
	sh->make_rows = !imp->m->association.n;
	fsi_model_scheduler(imp->m);
	rc = map_pairs(sh, imp->m) ? fsi_nomem(imp->err)
				   : fsi_import_lines(imp, "sshare.txt", sshare_line, sh);
	if (!rc && forget_undecided(sh, imp->m))
		rc = fsi_nomem(imp->err);
	if (!rc && sh->strangers)
		rc = fsi_import_incomplete(imp, "association", "%s/sshare.txt: %zu rows of associations that no other file has",
					   imp->source->name, sh->strangers);
	if (!rc && !FSI_HAS(&imp->m->head, SNAPSHOT, usage_source) && imp->m->association.n) {
		rc = usage_room(sh, imp->m->association.n) ? fsi_nomem(imp->err)
			     : fsi_slurm_leaf_usage(imp, sh->usage, 1, "sshare");
	}
	if (rc >= 0 && sh->make_rows && imp->m->association.n && fsi_import_hide(imp, FSI_HIDDEN_ASSOCIATION_IDS))
		rc = FS_ENOMEM;
	fsi_intern_release(&sh->pairs);
	FSI_VEC_FREE(&sh->told);
	free(sh->row_of);
	free(sh->behind);
	free(sh->usage);
	free(sh);
	return rc > 0 ? 0 : rc;
}
