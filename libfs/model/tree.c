/* The association tree. Associations are sorted into the order in which sshare prints them: each account is followed by
 * all associations below it (preorder).
 *
 * From 23.11 on, siblings are sorted by strcmp of the lineage ("/account/0-user/partition/", src/common/assoc_mgr.c and
 * as_mysql_assoc.c: _set_lineage). In earlier versions, users come first, then accounts, each sorted by name
 * (src/common/slurmdb_defs.c: slurmdb_get_hierarchical_sorted_assoc_list). */

#include "model/model.h"
#include <stdlib.h>
#include <string.h>

/* State of one call of fsi_tree_build. */
struct tree_build {
	fs_snapshot *m;
	const struct fsi_association *a;
	uint32_t n;
	/* row of the account's association, indexed by the account's name id; FSI_NO_INDEX: none */
	uint32_t *account_row;
	uint32_t *parent;      /* row of the parent of each association, indexed by row; FSI_NO_INDEX: none */
	uint32_t *sorted;      /* rows of all associations: sorted by parent, siblings in the order of sshare */
	/* indexed by row: index in `sorted` of the association's first child; equal to the member `n` if the
	 * association has no child */
	uint32_t *first;
	bool by_lineage; /* siblings are sorted by lineage (from 23.11 on) */
	uint32_t roots; /* number of associations without a parent */
};

static int index_account_rows(struct tree_build *b, struct fs_error *err)
{
	for (uint32_t i = 0; i < b->n; i++) {
		const struct fsi_association *a = &b->a[i];

		if (a->user)
			continue;
		if (b->account_row[a->account] != FSI_NO_INDEX)
			return fsi_fail_at(err, fsi_record_position(b->m, &a->rec), "account",
					   "account \"%s\" appears twice", fsi_name_text(b->m, a->account));
		b->account_row[a->account] = i;
	}
	return 0;
}

static int find_parent_rows(struct tree_build *b, struct fs_error *err)
{
	const bool partial = fsi_is_type_hidden(b->m, "association");

	for (uint32_t i = 0; i < b->n; i++) {
		const struct fsi_association *a = &b->a[i];
		const uint32_t name = a->user ? a->account : a->parent;

		b->parent[i] = name ? b->account_row[name] : FSI_NO_INDEX;
		if (!name && b->roots++ && !partial)
			return fsi_fail_at(err, fsi_record_position(b->m, &a->rec), "parent",
					   "account \"%s\" is a second root: only one account may have no parent", fsi_name_text(b->m, a->account));
		if (name && b->parent[i] == FSI_NO_INDEX && !partial)
			return fsi_fail_at(err, fsi_record_position(b->m, &a->rec), a->user ? "account" : "parent",
					   "association %u: unknown account \"%s\"", a->id, fsi_name_text(b->m, name));
	}
	return 0;
}

static int compare_u32_values(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

/* Compares the strings "x/" and "y/" as strcmp does. The slash ends a component of the lineage. */
static int compare_path_components(const char *x, const char *y)
{
	while (*x && *x == *y) {
		x++;
		y++;
	}
	const int cx = *x ? (unsigned char)*x : '/', cy = *y ? (unsigned char)*y : '/';
	return cx == cy ? (*x != 0) - (*y != 0) : (cx > cy) - (cx < cy);
}

/* From 23.11 on, the partition is the last part of the lineage; an association without a partition comes before
 * associations with a partition. In earlier versions, associations with equal names stay in the order of the accounting
 * database (src/common/slurmdb_defs.c: _sort_slurmdb_hierarchical_rec_list compares names only). */
int fsi_tree_compare_partitions(const fs_snapshot *m, const struct fsi_association *x, const struct fsi_association *y)
{
	const char *px = fsi_name_text(m, x->partition), *py = fsi_name_text(m, y->partition);
	int c;

	if (!fs_slurm_has(m->info.version, FS_SLURM_LINEAGE)) {
		c = compare_u32_values(x->lft, y->lft);
		return c ? c : strcmp(px, py);
	}
	if (!x->partition || !y->partition)
		return (x->partition != 0) - (y->partition != 0);
	return compare_path_components(px, py);
}

static int compare_by_lineage(const struct tree_build *b, const struct fsi_association *x,
			      const struct fsi_association *y)
{
	char xkey[300], ykey[300];
	int c;

	if (!x->user && !y->user)
		return compare_path_components(fsi_name_text(b->m, x->account), fsi_name_text(b->m, y->account));
	if (x->user && y->user) {
		c = compare_path_components(fsi_name_text(b->m, x->user), fsi_name_text(b->m, y->user));
		return c ? c : fsi_tree_compare_partitions(b->m, x, y);
	}
	const char *prefix = "0-";
	strcpy(xkey, x->user ? prefix : "");
	strncat(xkey, fsi_name_text(b->m, x->user ? x->user : x->account), 256);
	strcpy(ykey, y->user ? prefix : "");
	strncat(ykey, fsi_name_text(b->m, y->user ? y->user : y->account), 256);
	c = compare_path_components(xkey, ykey);
	return c ? c : x->user ? -1 : 1;
}

static int compare_by_hierarchy(const struct tree_build *b, const struct fsi_association *x,
				const struct fsi_association *y)
{
	int c;

	if (!x->user != !y->user)
		return x->user ? -1 : 1;
	if (!x->user)
		return strcmp(fsi_name_text(b->m, x->account), fsi_name_text(b->m, y->account));
	c = strcmp(fsi_name_text(b->m, x->user), fsi_name_text(b->m, y->user));
	return c ? c : fsi_tree_compare_partitions(b->m, x, y);
}

static int compare_tree_rows(const void *p, const void *q, const void *ctx)
{
	const struct tree_build *b = ctx;
	const uint32_t i = *(const uint32_t *)p, j = *(const uint32_t *)q;
	const struct fsi_association *x = &b->a[i], *y = &b->a[j];
	int c = compare_u32_values(b->parent[i], b->parent[j]);

	if (!c)
		c = b->by_lineage ? compare_by_lineage(b, x, y) : compare_by_hierarchy(b, x, y);
	return c ? c : compare_u32_values(x->id, y->id);
}

/* Writes the rows to order[] in preorder, and the new index of each row to new_index[]. Returns the number of rows that
 * are reachable from a root. */
static uint32_t list_rows_preorder(const struct tree_build *b, uint32_t *order, uint32_t *new_index)
{
	/* next[i]: index in `sorted` of the next child of row i to visit. `next` is stored in the memory of
	 * new_index; new_index gets its own values after the last use of `next` */
	uint32_t count = 0, *next = new_index;
	uint32_t at = FSI_NO_INDEX, root = 0;

	while (root < b->n && b->parent[b->sorted[root]] != FSI_NO_INDEX)
		root++;
	memcpy(next, b->first, b->n * sizeof(*next));
	for (;;) {
		const uint32_t pos = at == FSI_NO_INDEX ? root : next[at];

		if (pos < b->n && b->parent[b->sorted[pos]] == at) {
			if (at == FSI_NO_INDEX)
				root++;
			else
				next[at]++;
			at = b->sorted[pos];
			order[count++] = at;
		} else if (at == FSI_NO_INDEX) {
			break;
		} else {
			at = b->parent[at];
		}
	}
	for (uint32_t i = 0; i < count; i++)
		new_index[order[i]] = i;
	return count;
}

static int report_tree_cycle(const struct tree_build *b, const uint32_t *order, uint32_t count, struct fs_error *err)
{
	bool *seen = calloc(b->n, sizeof(*seen));
	uint32_t i = 0, k;

	if (!seen)
		return fsi_fail_no_memory(err);
	for (k = 0; k < count; k++)
		seen[order[k]] = true;
	while (seen[i])
		i++;
	/* the path from row i to its ancestors leads into a cycle; after b->n steps, i is a row of the cycle */
	for (k = 0; k < b->n; k++)
		i = b->parent[i];
	free(seen);
	return fsi_fail_at(err, fsi_record_position(b->m, &b->a[i].rec), "parent", "account \"%s\" is its own ancestor",
			   fsi_name_text(b->m, b->a[i].account));
}

/* Sorts the table of associations as given by order[], and builds m->tree. */
static int reorder_associations(struct tree_build *b, const uint32_t *order, const uint32_t *new_index,
				struct fs_error *err)
{
	fs_snapshot *m = b->m;
	struct fsi_association *copy = malloc((b->n + 1) * sizeof(*copy));

	m->tree = fsi_arena_array(&m->arena, b->n + 1, sizeof(*m->tree));
	if (!copy || !m->tree) {
		free(copy);
		return fsi_fail_no_memory(err);
	}
	for (uint32_t i = 0; i < b->n; i++) {
		const uint32_t p = b->parent[order[i]];
		struct fsi_tree_node *t = &m->tree[i];

		copy[i] = b->a[order[i]];
		t->parent = p == FSI_NO_INDEX ? p : new_index[p];
		t->depth = p == FSI_NO_INDEX ? 0 : m->tree[t->parent].depth + 1;
		t->end = i + 1;
		t->uncounted = t->parent != FSI_NO_INDEX &&
			       (m->tree[t->parent].uncounted || copy[i].left_out ||
				(FSI_HAS(&copy[i], ASSOCIATION, active) && !copy[i].active));
	}
	memcpy(m->association.v, copy, b->n * sizeof(*copy));
	free(copy);
	for (uint32_t i = b->n; i-- > 0;) {
		const uint32_t p = m->tree[i].parent;

		if (p != FSI_NO_INDEX && m->tree[p].end < m->tree[i].end)
			m->tree[p].end = m->tree[i].end;
	}
	return 0;
}

/* Fills b->sorted (rows sorted by parent and sibling order), and sets the first child of each row. */
static int sort_tree_children(struct tree_build *b, struct fs_error *err)
{
	for (uint32_t i = 0; i < b->n; i++) {
		b->sorted[i] = i;
		b->first[i] = b->n;
	}
	if (fs_sort(b->sorted, b->n, sizeof(*b->sorted), compare_tree_rows, b))
		return fsi_fail_no_memory(err);
	for (uint32_t i = b->n; i-- > 0;)
		if (b->parent[b->sorted[i]] != FSI_NO_INDEX)
			b->first[b->parent[b->sorted[i]]] = i;
	return 0;
}

int fsi_tree_build(fs_snapshot *m, struct fs_error *err)
{
	struct tree_build b = { .m = m, .a = m->association.v, .n = (uint32_t)m->association.n };
	const size_t names = (size_t)m->names.count + 1, n = (size_t)b.n + 1;
	uint32_t *work, *new_index, *order, count;
	int rc;

	if (!b.n)
		return 0;
	work = calloc(names + 5 * n, sizeof(*work));
	if (!work)
		return fsi_fail_no_memory(err);
	b.by_lineage = fs_slurm_has(m->info.version, FS_SLURM_LINEAGE);
	b.account_row = work;
	b.parent = work + names;
	b.sorted = b.parent + n;
	b.first = b.sorted + n;
	new_index = b.first + n;
	order = new_index + n;
	for (size_t i = 0; i < names; i++)
		b.account_row[i] = FSI_NO_INDEX;
	rc = index_account_rows(&b, err);
	if (!rc)
		rc = find_parent_rows(&b, err);
	if (!rc)
		rc = sort_tree_children(&b, err);
	if (!rc) {
		count = list_rows_preorder(&b, order, new_index);
		rc = count < b.n ? report_tree_cycle(&b, order, count, err)
				 : reorder_associations(&b, order, new_index, err);
	}
	free(work);
	return rc;
}
