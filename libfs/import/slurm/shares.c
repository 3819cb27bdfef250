#include "import/outputs.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the shares that sshare printed, and stores them in the table `recorded`. Associations or usage that no other
 * file has are also read from sshare.
 *
 * ---- sshare -P */

/* State of the reader of sshare.txt. */
struct sshare_reader {
	/* the pairs (account, user) of all associations. If makes_associations is set, contains the pairs (block_row,
	 * user) of the associations that were made from rows of users. */
	struct fsi_intern pairs;
	/* indexed by pair: the first association of the pair that has no row of sshare yet; FSI_NO_INDEX: none */
	uint32_t *pair_row;
	/* indexed by association row: row of the next association of the same account and user, in the order of
	 * partition names; FSI_NO_INDEX: none */
	uint32_t *next_row;
	/* no other file lists associations, so the associations are made from the rows of sshare */
	bool makes_associations;
	/* association row of the first user of the current account; used if makes_associations is set */
	uint32_t block_row;
	/* indexed by pair of account and user: number of the pair's rows that were read from sshare; used if
	 * makes_associations is set */
	FSI_VEC(uint32_t) rows_in_block;
	/* indexed by indentation: the last account with this indentation so far */
	uint32_t open_accounts[64];
	double *usage;     /* indexed by association row: RawUsage, TRES seconds; NAN: none */
	size_t usage_count; /* number of elements of `usage` */
	size_t unknown_rows; /* number of rows of sshare whose association is in no other file */
};

/* Sets the partition name of an association that was made from a row of sshare. A user with associations for several
 * partitions has several rows in the same account, but sshare without -m does not print the partitions. The association
 * of the user's first row gets no partition name, the second gets "?2", the third "?3", and so on. Returns -1 if out of
 * memory. */
static int set_placeholder_partition(struct sshare_reader *sh, fs_snapshot *m, uint32_t row)
{
	struct fsi_association *a = &m->association.v[row];
	char name[16];

	if (!row || !a[-1].user || a[-1].account != a->account)
		sh->block_row = row;
	const uint32_t pair[2] = { sh->block_row, a->user }, k = fsi_intern_add(&sh->pairs, pair, sizeof(pair));

	if (k == FSI_INTERN_FAILED)
		return -1;
	for (; sh->rows_in_block.n <= k; sh->rows_in_block.n++) {
		if (FSI_VEC_RESERVE(&sh->rows_in_block))
			return -1;
		sh->rows_in_block.v[sh->rows_in_block.n] = 0;
	}
	if (!sh->rows_in_block.v[k]++)
		return 0;
	snprintf(name, sizeof(name), "?%u", sh->rows_in_block.v[k]);
	a->partition = fsi_name_intern(m, name);
	if (a->partition == FSI_INTERN_FAILED)
		return -1;
	FSI_SET(a, ASSOCIATION, partition);
	return 0;
}

/* Each pair (account, user) has a linked list. The list contains the associations of the pair for which no row of
 * sshare was read yet. Removes the first association from the list. Returns the index of this association; FSI_NO_INDEX
 * if the list is empty. A user with associations for several partitions has a row of sshare for each. */
static uint32_t pop_pair_row(struct sshare_reader *sh, uint32_t pair)
{
	const uint32_t row = sh->pair_row[pair];

	if (row != FSI_NO_INDEX)
		sh->pair_row[pair] = sh->next_row[row];
	return row;
}

/* Inserts an association row into the linked list of the associations with the same account and user. */
static void insert_pair_row(struct sshare_reader *sh, const fs_snapshot *m, uint32_t pair, uint32_t row)
{
	const struct fsi_association *a = m->association.v;
	uint32_t *at = &sh->pair_row[pair];

	while (*at != FSI_NO_INDEX && fsi_tree_compare_partitions(m, &a[*at], &a[row]) <= 0)
		at = &sh->next_row[*at];
	sh->next_row[row] = *at;
	*at = row;
}

/* Returns the index of the association to which a row of sshare belongs. If makes_associations is set, adds a new
 * association for the row. Returns FSI_NO_INDEX if no association belongs to the row, or if out of memory. */
static uint32_t find_row_association(struct fsi_import *imp, struct sshare_reader *sh, uint32_t account, uint32_t user,
				     size_t indent)
{
	fs_snapshot *m = imp->m;
	struct fsi_association *a;
	uint32_t row = FSI_NO_INDEX;

	if (!sh->makes_associations) {
		const uint32_t pair[2] = { account, user };
		const uint32_t k = fsi_intern_find_id(&sh->pairs, pair, sizeof(pair));

		return k ? pop_pair_row(sh, k) : FSI_NO_INDEX;
	}
	a = account ? FSI_VEC_ADD(&m->association) : NULL;
	if (!a)
		return row;
	row = (uint32_t)m->association.n - 1;
	FSI_PUT(a, ASSOCIATION, id, row + 1);
	FSI_PUT(a, ASSOCIATION, account, account);
	a->user = user;
	if (user) {
		FSI_SET(a, ASSOCIATION, user);
		return set_placeholder_partition(sh, m, row) ? FSI_NO_INDEX : row;
	}
	if (indent < sizeof(sh->open_accounts) / sizeof(*sh->open_accounts))
		sh->open_accounts[indent] = account;
	if (indent && indent <= sizeof(sh->open_accounts) / sizeof(*sh->open_accounts))
		FSI_PUT(a, ASSOCIATION, parent, sh->open_accounts[indent - 1]);
	return row;
}

/* Fills sh->pairs, and makes a linked list of the associations of each pair (account, user). Returns -1 if out of
 * memory. */
static int build_pair_chains(struct sshare_reader *sh, const fs_snapshot *m)
{
	sh->pair_row = malloc((m->association.n + 1) * sizeof(*sh->pair_row));
	sh->next_row = malloc((m->association.n + 1) * sizeof(*sh->next_row));
	if (!sh->pair_row || !sh->next_row)
		return -1;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const uint32_t pair[2] = { m->association.v[i].account, m->association.v[i].user };
		const uint32_t before = sh->pairs.count;
		const uint32_t k = fsi_intern_add(&sh->pairs, pair, sizeof(pair));

		if (k == FSI_INTERN_FAILED)
			return -1;
		if (k >= before)
			sh->pair_row[k] = FSI_NO_INDEX;
		insert_pair_row(sh, m, k, i);
	}
	return 0;
}

/* Removes the recorded shares and usage of each pair (account, user) that has more associations than rows of sshare.
 * For such a pair, sshare does not show to which association a row belongs. Returns -1 if out of memory. */
static int drop_ambiguous_shares(struct sshare_reader *sh, fs_snapshot *m)
{
	struct fsi_id_index index = { 0 };
	size_t remaining = 0;

	if (sh->makes_associations)
		return 0;
	if (fsi_id_index_init_associations(&index, m))
		return -1;
	for (uint32_t i = 0; i < m->association.n; i++) {
		const uint32_t pair[2] = { m->association.v[i].account, m->association.v[i].user };
		const uint32_t k = fsi_intern_find_id(&sh->pairs, pair, sizeof(pair));

		/* From here on, next_row[i] shows whether sshare rows are missing for the account and user of
		 * association i. next_row[i] is FSI_NO_INDEX if sshare printed a row for each association of that
		 * account and user. */
		sh->next_row[i] = sh->pair_row[k];
		if (sh->pair_row[k] != FSI_NO_INDEX && i < sh->usage_count)
			sh->usage[i] = NAN;
	}
	for (size_t i = 0; i < m->recorded.n; i++) {
		const uint32_t row = fsi_id_index_find_row(&index, m->recorded.v[i].association);

		if (row == FSI_NO_INDEX || sh->next_row[row] == FSI_NO_INDEX)
			m->recorded.v[remaining++] = m->recorded.v[i];
	}
	m->recorded.n = remaining;
	free(index.v);
	return 0;
}

/* Makes sh->usage long enough for the association row. Returns -1 if out of memory. */
static int grow_usage_array(struct sshare_reader *sh, size_t row)
{
	while (row >= sh->usage_count) {
		const size_t cap = sh->usage_count ? sh->usage_count * 2 : 64;
		double *p = realloc(sh->usage, cap * sizeof(*p));

		if (!p)
			return -1;
		sh->usage = p;
		while (sh->usage_count < cap)
			sh->usage[sh->usage_count++] = NAN;
	}
	return 0;
}

static int read_sshare_row(struct fsi_output_reader *in, void *ctx)
{
	struct sshare_reader *sh = ctx;
	struct fsi_import *imp = in->imp;
	const struct fsi_span name = fsi_output_get_value(in, "Account"), user = fsi_output_get_value(in, "User"),
			      level = fsi_output_get_value(in, "LevelFS");
	struct fsi_recorded *r;
	size_t indent = 0;
	uint32_t row;
	int rc;

	while (indent < name.len && name.s[indent] == ' ')
		indent++;
	const uint32_t account = fsi_import_intern_name(imp, fsi_span_trim_blanks(name));

	row = find_row_association(imp, sh, account, fsi_import_intern_name(imp, user), indent);
	if (row == FSI_NO_INDEX && sh->makes_associations && account)
		return fsi_fail_no_memory(
			imp->err); /* the row names an account, so out of memory is the only possible error */
	if (row == FSI_NO_INDEX) {
		sh->unknown_rows++;
		return 0;
	}
	r = grow_usage_array(sh, row) ? NULL : FSI_VEC_ADD(&imp->m->recorded);
	if (!r)
		return fsi_fail_no_memory(imp->err);
	FSI_PUT(r, RECORDED, association, imp->m->association.v[row].id);
	rc = fsi_output_set_record(in, &r->rec);
	if (!rc && !fsi_span_is_word(level, "inf"))
		rc = FSI_IMPORT_SET_FIELD(imp, RECORDED, r, level_fs, level);
	if (!rc && sh->makes_associations)
		rc = FSI_IMPORT_SET_FIELD(imp, ASSOCIATION, &imp->m->association.v[row], shares,
					  fsi_output_get_value(in, "RawShares"));
	if (FSI_HAS(r, RECORDED, raw_usage))
		sh->usage[row] = (double)r->raw_usage;
	return rc;
}

int fsi_slurm_read_sshare(struct fsi_import *imp)
{
	struct sshare_reader *sh = calloc(1, sizeof(*sh));
	int rc;

	if (!sh)
		return fsi_fail_no_memory(imp->err);
	sh->makes_associations = !imp->m->association.n;
	fsi_model_find_scheduler(imp->m);
	rc = build_pair_chains(sh, imp->m) ? fsi_fail_no_memory(imp->err)
					   : fsi_output_read(imp, fsi_output_find(imp->outputs, "sshare.txt", NULL), read_sshare_row, sh);
	if (!rc && drop_ambiguous_shares(sh, imp->m))
		rc = fsi_fail_no_memory(imp->err);
	if (!rc && sh->unknown_rows)
		rc = fsi_import_warn_incomplete(imp, "association",
						"%s/sshare.txt: %zu row%s an association that no other file has",
						imp->source->name, sh->unknown_rows,
						sh->unknown_rows == 1 ? " has" : "s have");
	if (!rc && !FSI_HAS(&imp->m->head, SNAPSHOT, usage_source) && imp->m->association.n) {
		rc = grow_usage_array(sh, imp->m->association.n) ? fsi_fail_no_memory(imp->err)
			     : fsi_slurm_set_own_usage(imp, sh->usage, 1, "sshare");
	}
	if (rc >= 0 && sh->makes_associations && imp->m->association.n &&
	    fsi_import_hide_type(imp, FSI_HIDDEN_ASSOCIATION_IDS))
		rc = FS_ENOMEM;
	fsi_intern_release(&sh->pairs);
	FSI_VEC_FREE(&sh->rows_in_block);
	free(sh->pair_row);
	free(sh->next_row);
	free(sh->usage);
	free(sh);
	return rc > 0 ? 0 : rc;
}

/* ---- sshare -a --json (since 23.11; src/plugins/data_parser, SHARES_RESP_MSG)
 *
 * The file has the numbers of sshare.txt with all their digits, while sshare.txt has six decimals. The file also has
 * usage by TRES, with six decimals. The file identifies associations by id. Numbers are objects
 * {"set":...,"infinite":...,"number":...}; before 24.11, some numbers are plain JSON numbers. */

/* Nesting depth of an element of the list "shares". The document has depth 0, the object around the list depth 1. */
enum { SHARE_OBJECT_DEPTH = 2 };

/* State of the reader of sshare_a.json. */
struct sshare_json_reader {
	struct fsi_import *imp;
	struct fsi_id_index index; /* finds the row of an association by its id */
	/* indexed by association row: index of its record in the table `recorded`; FSI_NO_INDEX: none */
	uint32_t *recorded;
	double *tres;              /* indexed by association row and TRES: usage of the subtree, TRES-seconds */
	bool *has_tres;            /* indexed by association row; true: the file has the association's usage by TRES */
	size_t rows;            /* number of elements of the list "shares" whose association is known */
	size_t shares; /* number of elements of the list "shares" */
	size_t incomplete_rows; /* number of elements of the list "shares" that lack a required member */
};

/* Returns true if the object has the boolean member `key`, and its value is `expected`. */
static bool has_json_bool(const struct fsi_json *v, const char *key, bool expected)
{
	const struct fsi_json *flag = fsi_json_find_member(v, key);

	return flag && fsi_json_get_type(flag) == FSI_JBOOL && fsi_json_get_bool(flag) == expected;
}

/* Reads a number. Returns NAN if the number is absent, not set or infinite. */
static double get_json_double(const struct fsi_json *v)
{
	if (v && fsi_json_get_type(v) == FSI_JOBJECT) {
		if (has_json_bool(v, "set", false) || has_json_bool(v, "infinite", true))
			return NAN;
		v = fsi_json_find_member(v, "number");
	}
	return v && fsi_json_get_type(v) == FSI_JNUMBER ? fsi_json_get_double(v) : (double)NAN;
}

/* Sets a field to a number from the JSON file, unless the number is NAN. The number replaces the number from
 * sshare.txt, which sshare has rounded. */
static void set_recorded_number(struct fsi_recorded *r, unsigned bit, double *member, double v)
{
	if (isnan(v))
		return;
	*member = v;
	fsi_mark_known(&r->rec, bit);
}

/* Returns the recorded share of an association. If sshare.txt had no row for the association, appends a record to the
 * table `recorded`. Returns NULL if out of memory. */
static struct fsi_recorded *get_recorded_share(struct sshare_json_reader *s, uint32_t row)
{
	fs_snapshot *m = s->imp->m;
	struct fsi_recorded *r;

	if (s->recorded[row] != FSI_NO_INDEX)
		return &m->recorded.v[s->recorded[row]];
	r = FSI_VEC_ADD(&m->recorded);
	if (!r)
		return NULL;
	s->recorded[row] = (uint32_t)m->recorded.n - 1;
	FSI_PUT(r, RECORDED, association, m->association.v[row].id);
	return r;
}

/* Returns the row of a TRES by name; m->tres.n if there is none. */
static size_t find_tres_row(const fs_snapshot *m, const char *name)
{
	size_t k = 0;

	while (k < m->tres.n && strcmp(fsi_name_text(m, m->tres.v[k].name), name) != 0)
		k++;
	return k;
}

static void read_share_tres(struct sshare_json_reader *s, uint32_t row, const struct fsi_json *list)
{
	const fs_snapshot *m = s->imp->m;

	if (!list || fsi_json_get_type(list) != FSI_JARRAY)
		return;
	s->has_tres[row] = true;
	for (const struct fsi_json *v = fsi_json_first_child(list); v; v = fsi_json_next_sibling(v)) {
		const struct fsi_json *name = fsi_json_find_member(v, "name");
		const double seconds = get_json_double(fsi_json_find_member(v, "value"));
		size_t k;

		if (!name || fsi_json_get_type(name) != FSI_JSTRING || isnan(seconds) || seconds < 0)
			continue;
		k = find_tres_row(m, fsi_json_get_string(name));
		if (k < m->tres.n)
			s->tres[row * m->tres.n + k] = seconds;
	}
}

/* Returns true if the value is absent or incomplete. An object is incomplete if it has no number, its `set` is not
 * false, and its `infinite` is not true. */
static bool lacks_json_number(const struct fsi_json *v)
{
	return !v || (fsi_json_get_type(v) == FSI_JOBJECT && isnan(get_json_double(v)) &&
		      !has_json_bool(v, "set", false) && !has_json_bool(v, "infinite", true));
}

/* Returns true if the row lacks a member that every row must have, or if one of its TRES lacks its name or value. */
static bool lacks_required_members(const struct fsi_json *v)
{
	static const char *const keys[] = { "id", "usage", "fairshare", "tres" };
	const struct fsi_json *tres = fsi_json_find_member(fsi_json_find_member(v, "tres"), "usage");
	const struct fsi_json *fairshare = fsi_json_find_member(v, "fairshare");

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!fsi_json_find_member(v, keys[i]))
			return true;
	if (lacks_json_number(fsi_json_find_member(v, "usage_normalized")) ||
	    lacks_json_number(fsi_json_find_member(v, "effective_usage")) ||
	    lacks_json_number(fsi_json_find_member(fairshare, "factor")) ||
	    lacks_json_number(fsi_json_find_member(fairshare, "level")))
		return true;
	if (!tres || fsi_json_get_type(tres) != FSI_JARRAY)
		return true;
	for (const struct fsi_json *t = fsi_json_first_child(tres); t; t = fsi_json_next_sibling(t))
		if (!fsi_json_find_member(t, "name") || isnan(get_json_double(fsi_json_find_member(t, "value"))))
			return true;
	return false;
}

/* Reads one element of the list "shares". */
static int read_share_object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct sshare_json_reader *s = ctx;
	const struct fsi_json *level = fsi_json_find_member(fsi_json_find_member(v, "fairshare"), "level");
	struct fsi_recorded *r;
	uint64_t id, usage;
	uint32_t row;

	(void)where;
	if (depth != SHARE_OBJECT_DEPTH)
		return 0;
	s->shares++;
	s->incomplete_rows += lacks_required_members(v);
	if (!fsi_json_find_member(v, "id") || fsi_json_get_u64(fsi_json_find_member(v, "id"), &id))
		return 0;
	row = fsi_id_index_find_row(&s->index, id);
	if (row == FSI_NO_INDEX)
		return 0;
	r = get_recorded_share(s, row);
	if (!r)
		return fsi_fail_no_memory(s->imp->err);
	s->rows++;
	read_share_tres(s, row, fsi_json_find_member(fsi_json_find_member(v, "tres"), "usage"));
	if (fsi_json_find_member(v, "usage") && !fsi_json_get_u64(fsi_json_find_member(v, "usage"), &usage))
		FSI_PUT(r, RECORDED, raw_usage, usage);
	if (!s->imp->m->association.v[row].parent && !s->imp->m->association.v[row].user)
		return 0; /* for the root account, only the raw usage and the usage by TRES have a meaning */
	set_recorded_number(r, FSI_RECORDED_norm_usage, &r->norm_usage,
			    get_json_double(fsi_json_find_member(v, "usage_normalized")));
	set_recorded_number(r, FSI_RECORDED_effective_usage, &r->effective_usage,
			    get_json_double(fsi_json_find_member(v, "effective_usage")));
	if (FSI_HAS(r, RECORDED, level_fs))
		set_recorded_number(r, FSI_RECORDED_level_fs, &r->level_fs, get_json_double(level));
	return 0;
}

/* For each account and TRES, subtracts the usage of the account's children from the usage of the account, because the
 * file has the usage of whole subtrees. A remainder within the rounding error is set to 0. */
static int subtract_children_tres(struct sshare_json_reader *s)
{
	fs_snapshot *m = s->imp->m;
	const size_t n = m->association.n, tres = m->tres.n;
	double *children_tres = calloc(n * tres + 1, sizeof(*children_tres));
	uint32_t *children = calloc(n + 1, sizeof(*children));
	uint32_t *row_of = calloc((size_t)m->names.count + 1, sizeof(*row_of));
	const bool allocated = children_tres && children && row_of;

	for (uint32_t i = 0; allocated && i < n; i++)
		if (!m->association.v[i].user)
			row_of[m->association.v[i].account] = i + 1;
	for (uint32_t i = 0; allocated && i < n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t name = a->user ? a->account : a->parent, p = name ? row_of[name] : 0;

		children[p ? p - 1 : n] += p != 0;
		for (size_t k = 0; p && k < tres; k++)
			children_tres[(p - 1) * tres + k] += s->tres[i * tres + k];
	}
	for (uint32_t i = 0; allocated && i < n; i++)
		for (size_t k = 0; !m->association.v[i].user && k < tres; k++) {
			double *own = &s->tres[i * tres + k];
			const double rounding = 1e-6 * (children[i] + 1);

			*own = *own - children_tres[i * tres + k] > rounding ? *own - children_tres[i * tres + k] : 0;
		}
	free(children_tres);
	free(children);
	free(row_of);
	return allocated ? 0 : fsi_fail_no_memory(s->imp->err);
}

/* Sets usage_by_tres_s of all associations. Does nothing if the file lacks the usage by TRES of any association. */
static int set_association_tres(struct sshare_json_reader *s)
{
	enum { SHARE_TRES_MAX = 128 };
	fs_snapshot *m = s->imp->m;
	struct fsi_real_amount amounts[SHARE_TRES_MAX];

	for (uint32_t i = 0; i < m->association.n; i++)
		if (!s->has_tres[i])
			return 0;
	const int rc = subtract_children_tres(s);
	for (uint32_t i = 0; i < m->association.n && !rc; i++) {
		struct fsi_association *a = &m->association.v[i];
		size_t n = 0;

		for (size_t k = 0; k < m->tres.n && n < SHARE_TRES_MAX; k++)
			if (s->tres[i * m->tres.n + k] > 0)
				amounts[n++] =
					(struct fsi_real_amount){ m->tres.v[k].name, 0, s->tres[i * m->tres.n + k] };
		a->usage_by_tres_s = fsi_intern_add(&m->sets, amounts, n * sizeof(*amounts));
		if (a->usage_by_tres_s == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(s->imp->err);
		FSI_SET(a, ASSOCIATION, usage_by_tres_s);
	}
	return rc;
}

/* Allocates the arrays of s, and finds the recorded shares that were read from sshare.txt. */
static int init_json_reader(struct sshare_json_reader *s)
{
	const fs_snapshot *m = s->imp->m;
	const size_t n = m->association.n;

	s->recorded = malloc((n + 1) * sizeof(*s->recorded));
	s->has_tres = calloc(n + 1, sizeof(*s->has_tres));
	s->tres = calloc(n * m->tres.n + 1, sizeof(*s->tres));
	if (!s->recorded || !s->tres || !s->has_tres || fsi_id_index_init_associations(&s->index, m))
		return fsi_fail_no_memory(s->imp->err);
	for (size_t i = 0; i < n; i++)
		s->recorded[i] = FSI_NO_INDEX;
	for (uint32_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const uint32_t row = FSI_HAS(r, RECORDED, association)
					     ? fsi_id_index_find_row(&s->index, r->association)
					     : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX)
			s->recorded[row] = i;
	}
	return 0;
}

int fsi_slurm_read_sshare_json(struct fsi_import *imp)
{
	static const char *const keys[] = { "shares", NULL };
	struct sshare_json_reader s = { .imp = imp };
	const struct fsi_json_split split = { keys, NULL, read_share_object, &s };
	const unsigned files = imp->opened_files;
	int rc = init_json_reader(&s);

	if (!rc)
		rc = fsi_import_read_json(imp, "sshare_a.json", &split);
	if (rc == 1 && imp->opened_files > files && imp->m->info.version >= fs_slurm_release("23.11"))
		rc = fsi_import_warn_incomplete(imp, NULL, "%s/sshare_a.json: the file is empty: the command failed",
						imp->source->name);
	if (!rc && imp->m->association.n && s.incomplete_rows)
		rc = fsi_import_warn_incomplete(imp, NULL, "%s/sshare_a.json: %zu of %zu shares lack required fields",
						imp->source->name, s.incomplete_rows, s.shares);
	else if (!rc && imp->m->association.n && !s.rows)
		rc = fsi_import_warn_incomplete(imp, NULL,
						"%s/sshare_a.json: no share belongs to a known association (shares: %zu)",
						imp->source->name, s.shares);
	if (!rc && s.rows) {
		rc = set_association_tres(&s);
		imp->m->head.whole_shares = true;
		FSI_SET(&imp->m->head, SNAPSHOT, whole_shares);
	}
	free(s.index.v);
	free(s.recorded);
	free(s.has_tres);
	free(s.tres);
	return rc > 0 ? 0 : rc;
}
