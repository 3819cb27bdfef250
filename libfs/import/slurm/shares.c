#include "import/import.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the shares that sshare printed, into `recorded` records. Associations and usage are also taken from them if no
 * other file has them.
 *
 * ---- sshare -P */

/* State of reading sshare.txt. */
struct sshare {
	struct fsi_pipe table;
	struct fsi_intern pairs; /* pairs (account, user) of the associations; with make_rows pairs (block, user) */
	/* by pair: association row that the next row of sshare belongs to; FSI_NO_INDEX after the last */
	uint32_t *row_of;
	/* by association row: next one of the same pair, sorted by partition name; FSI_NO_INDEX: none */
	uint32_t *behind;
	/* no other file lists associations: they are made from the rows of sshare */
	bool make_rows;
	/* row of the first user in the current account, which identifies the account's block of users */
	uint32_t block;
	FSI_VEC(uint32_t) told;       /* with make_rows, by pair: number of rows that the user has had in the block */
	uint32_t open[64]; /* accounts above the current row, by indentation */
	double *usage;     /* RawUsage by association row; NAN: none */
	/* number of elements of usage */
	size_t cap;
	size_t strangers; /* number of rows whose association no other file has */
};

static const struct fsi_import_map sshare_columns[] = {
	{ "NormShares", FSI_RECORDED_norm_shares },
	{ "RawUsage", FSI_RECORDED_raw_usage },
	{ "NormUsage", FSI_RECORDED_norm_usage },
	{ "EffectvUsage", FSI_RECORDED_effective_usage },
	{ "FairShare", FSI_RECORDED_factor },
};

/* Names the partition of an association that was made from a row. A user has several rows in an account if he has an
 * association for each partition, but sshare without -m does not print the partition. The second and later ones get
 * the names "?2", "?3". Returns -1 if out of memory. */
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

/* Returns the association of the next row of a pair; FSI_NO_INDEX if all have had one. A user with associations for
 * several partitions has a row for each. */
static uint32_t next_of_pair(struct sshare *sh, uint32_t pair)
{
	const uint32_t row = sh->row_of[pair];

	if (row != FSI_NO_INDEX)
		sh->row_of[pair] = sh->behind[row];
	return row;
}

/* Inserts an association row into the chain of its pair. */
static void enqueue(struct sshare *sh, const fs_snapshot *m, uint32_t pair, uint32_t row)
{
	const struct fsi_association *a = m->association.v;
	uint32_t *at = &sh->row_of[pair];

	while (*at != FSI_NO_INDEX && fsi_tree_cmp_partitions(m, &a[*at], &a[row]) <= 0)
		at = &sh->behind[*at];
	sh->behind[row] = *at;
	*at = row;
}

/* Returns the association row of a row of sshare: with make_rows a new one, otherwise the next one of the pair
 * (account, user). Returns FSI_NO_INDEX if there is none, or if out of memory. */
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

/* Fills sh->pairs and the chains of association rows. Returns -1 if out of memory. */
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

/* Removes the recorded shares and usage of pairs with fewer rows in sshare than associations: which association such a
 * row belongs to is not known. Returns -1 if out of memory. */
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

		/* The chains are not needed any more. From here on behind[i] is FSI_NO_INDEX if all associations of
		 * the pair had a row. */
		sh->behind[i] = sh->row_of[k];
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

/* Makes sh->usage long enough for the row. Returns -1 if out of memory. */
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
		return fsi_nomem(imp->err); /* a row with an account always makes an association, so memory ran out */
	if (row == FSI_NO_INDEX) {
		sh->strangers++;
		return 0;
	}
	r = usage_room(sh, row) ? NULL : FSI_VEC_ADD(&imp->m->recorded);
	if (!r)
		return fsi_nomem(imp->err);
	FSI_PUT(r, RECORDED, association, imp->m->association.v[row].id);
	rc = fsi_pipe_set_all(imp, &sh->table, sshare_columns, sizeof(sshare_columns) / sizeof(*sshare_columns),
			      FSI_RECORD_RECORDED, &r->rec);
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
	rc = map_pairs(sh, imp->m) ? fsi_nomem(imp->err) : fsi_import_lines(imp, "sshare.txt", sshare_line, sh);
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

/* ---- sshare -a --json (since 23.11; src/plugins/data_parser, SHARES_RESP_MSG)
 *
 * Has with all digits what sshare.txt has with six decimals, and usage by TRES with six decimals. Associations are
 * known by id. Before 24.11 some numbers are plain numbers, not objects {"set":...,"infinite":...,"number":...}. */

enum { ROW_DEPTH = 2 }; /* nesting depth: 0 is the document, 1 its member "shares", 2 an element of the list in that */

/* State of reading sshare_a.json. */
struct shares {
	struct fsi_import *imp;
	struct fsi_id_index index; /* associations by id */
	uint32_t *recorded;        /* by association row: index of its record in `recorded`; FSI_NO_INDEX: none */
	double *tres;              /* by association row and TRES: usage of the subtree in seconds */
	bool *has_tres;            /* by association row: the row of sshare has usage by TRES */
	/* number of rows with a known association */
	size_t rows;
	size_t odd; /* number of rows that lack a required member */
};

/* Returns true if the object has the boolean member `key` with that value. */
static bool says(const struct fsi_json *v, const char *key, bool what)
{
	const struct fsi_json *flag = fsi_json_member(v, key);

	return flag && fsi_json_type(flag) == FSI_JBOOL && fsi_json_bool(flag) == what;
}

/* Reads a number. Returns NAN if it is absent, not set or infinite. */
static double number(const struct fsi_json *v)
{
	if (v && fsi_json_type(v) == FSI_JOBJECT) {
		if (says(v, "set", false) || says(v, "infinite", true))
			return NAN;
		v = fsi_json_member(v, "number");
	}
	return v && fsi_json_type(v) == FSI_JNUMBER ? fsi_json_double(v) : (double)NAN;
}

/* Sets a field unless v is NAN. sshare does not round the numbers in JSON, so they replace those of the text. */
static void take_number(struct fsi_recorded *r, unsigned bit, double *member, double v)
{
	if (isnan(v))
		return;
	*member = v;
	fsi_mark_known(&r->rec, bit);
}

/* Returns the recorded share of an association, which is appended if sshare.txt had none. Returns NULL if out of
 * memory. */
static struct fsi_recorded *record_of(struct shares *s, uint32_t row)
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
static size_t tres_row(const fs_snapshot *m, const char *name)
{
	size_t k = 0;

	while (k < m->tres.n && strcmp(fsi_str(m, m->tres.v[k].name), name) != 0)
		k++;
	return k;
}

static void take_tres(struct shares *s, uint32_t row, const struct fsi_json *list)
{
	const fs_snapshot *m = s->imp->m;

	if (!list || fsi_json_type(list) != FSI_JARRAY)
		return;
	s->has_tres[row] = true;
	for (const struct fsi_json *v = fsi_json_first(list); v; v = fsi_json_next(v)) {
		const struct fsi_json *name = fsi_json_member(v, "name");
		const double seconds = number(fsi_json_member(v, "value"));
		size_t k;

		if (!name || fsi_json_type(name) != FSI_JSTRING || isnan(seconds) || seconds < 0)
			continue;
		k = tres_row(m, fsi_json_string(name));
		if (k < m->tres.n)
			s->tres[row * m->tres.n + k] = seconds;
	}
}

/* Returns true if the value is absent, or is an object that should have a number but has none. */
static bool lacks_number(const struct fsi_json *v)
{
	return !v || (fsi_json_type(v) == FSI_JOBJECT && isnan(number(v)) && !says(v, "set", false) &&
		      !says(v, "infinite", true));
}

/* Returns true if the row lacks a member that every row has, or the name or value of a TRES. */
static bool lacks(const struct fsi_json *v)
{
	static const char *const keys[] = { "id", "usage", "fairshare", "tres" };
	const struct fsi_json *tres = fsi_json_member(fsi_json_member(v, "tres"), "usage");
	const struct fsi_json *fairshare = fsi_json_member(v, "fairshare");

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!fsi_json_member(v, keys[i]))
			return true;
	if (lacks_number(fsi_json_member(v, "usage_normalized")) || lacks_number(fsi_json_member(v, "effective_usage")) ||
	    lacks_number(fsi_json_member(fairshare, "factor")) || lacks_number(fsi_json_member(fairshare, "level")))
		return true;
	if (!tres || fsi_json_type(tres) != FSI_JARRAY)
		return true;
	for (const struct fsi_json *t = fsi_json_first(tres); t; t = fsi_json_next(t))
		if (!fsi_json_member(t, "name") || isnan(number(fsi_json_member(t, "value"))))
			return true;
	return false;
}

/* Reads one element of the list "shares". */
static int take_row(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct shares *s = ctx;
	const struct fsi_json *level = fsi_json_member(fsi_json_member(v, "fairshare"), "level");
	struct fsi_recorded *r;
	uint64_t id, usage;
	uint32_t row;

	(void)where;
	if (depth != ROW_DEPTH)
		return 0;
	s->odd += lacks(v);
	if (!fsi_json_member(v, "id") || fsi_json_u64(fsi_json_member(v, "id"), &id))
		return 0;
	row = fsi_index_find(&s->index, id);
	if (row == FSI_NO_INDEX)
		return 0;
	r = record_of(s, row);
	if (!r)
		return fsi_nomem(s->imp->err);
	s->rows++;
	take_tres(s, row, fsi_json_member(fsi_json_member(v, "tres"), "usage"));
	if (fsi_json_member(v, "usage") && !fsi_json_u64(fsi_json_member(v, "usage"), &usage))
		FSI_PUT(r, RECORDED, raw_usage, usage);
	if (!s->imp->m->association.v[row].parent && !s->imp->m->association.v[row].user)
		return 0; /* the other numbers of root are meaningless */
	take_number(r, FSI_RECORDED_norm_usage, &r->norm_usage, number(fsi_json_member(v, "usage_normalized")));
	take_number(r, FSI_RECORDED_effective_usage, &r->effective_usage,
	     number(fsi_json_member(v, "effective_usage")));
	if (FSI_HAS(r, RECORDED, level_fs))
		take_number(r, FSI_RECORDED_level_fs, &r->level_fs, number(level));
	return 0;
}

/* Reduces the usage by TRES of accounts from that of the subtree to their own. A remainder within the rounding error
 * counts as 0. */
static int own_tres(struct shares *s)
{
	fs_snapshot *m = s->imp->m;
	const size_t n = m->association.n, tres = m->tres.n;
	double *below = calloc(n * tres + 1, sizeof(*below));
	uint32_t *children = calloc(n + 1, sizeof(*children));
	uint32_t *row_of = calloc((size_t)m->names.count + 1, sizeof(*row_of));
	const bool room = below && children && row_of;

	for (uint32_t i = 0; room && i < n; i++)
		if (!m->association.v[i].user)
			row_of[m->association.v[i].account] = i + 1;
	for (uint32_t i = 0; room && i < n; i++) {
		const struct fsi_association *a = &m->association.v[i];
		const uint32_t name = a->user ? a->account : a->parent, p = name ? row_of[name] : 0;

		children[p ? p - 1 : n] += p != 0;
		for (size_t k = 0; p && k < tres; k++)
			below[(p - 1) * tres + k] += s->tres[i * tres + k];
	}
	for (uint32_t i = 0; room && i < n; i++)
		for (size_t k = 0; !m->association.v[i].user && k < tres; k++) {
			double *own = &s->tres[i * tres + k];
			const double rounding = 1e-6 * (children[i] + 1);

			*own = *own - below[i * tres + k] > rounding ? *own - below[i * tres + k] : 0;
		}
	free(below);
	free(children);
	free(row_of);
	return room ? 0 : fsi_nomem(s->imp->err);
}

/* Sets usage_by_tres_s of all associations, if every association has usage by TRES in the file. */
static int set_tres(struct shares *s)
{
	enum { MAX = 128 };
	fs_snapshot *m = s->imp->m;
	struct fsi_amountf amounts[MAX];

	for (uint32_t i = 0; i < m->association.n; i++)
		if (!s->has_tres[i])
			return 0;
	const int rc = own_tres(s);
	for (uint32_t i = 0; i < m->association.n && !rc; i++) {
		struct fsi_association *a = &m->association.v[i];
		size_t n = 0;

		for (size_t k = 0; k < m->tres.n && n < MAX; k++)
			if (s->tres[i * m->tres.n + k] > 0)
				amounts[n++] = (struct fsi_amountf){ m->tres.v[k].name, 0,
								     s->tres[i * m->tres.n + k] };
		a->usage_by_tres_s = fsi_intern(&m->sets, amounts, n * sizeof(*amounts));
		if (a->usage_by_tres_s == FSI_INTERN_FAILED)
			return fsi_nomem(s->imp->err);
		FSI_SET(a, ASSOCIATION, usage_by_tres_s);
	}
	return rc;
}

/* Allocates the arrays of s, and finds the recorded shares that were read from sshare.txt. */
static int prepare(struct shares *s)
{
	const fs_snapshot *m = s->imp->m;
	const size_t n = m->association.n;

	s->recorded = malloc((n + 1) * sizeof(*s->recorded));
	s->has_tres = calloc(n + 1, sizeof(*s->has_tres));
	s->tres = calloc(n * m->tres.n + 1, sizeof(*s->tres));
	if (!s->recorded || !s->tres || !s->has_tres || fsi_index_associations(&s->index, m))
		return fsi_nomem(s->imp->err);
	for (size_t i = 0; i < n; i++)
		s->recorded[i] = FSI_NO_INDEX;
	for (uint32_t i = 0; i < m->recorded.n; i++) {
		const struct fsi_recorded *r = &m->recorded.v[i];
		const uint32_t row = FSI_HAS(r, RECORDED, association)
					     ? fsi_index_find(&s->index, r->association)
					     : FSI_NO_INDEX;

		if (row != FSI_NO_INDEX)
			s->recorded[row] = i;
	}
	return 0;
}

int fsi_slurm_sshare_json(struct fsi_import *imp)
{
	static const char *const keys[] = { "shares", NULL };
	struct shares s = { .imp = imp };
	const struct fsi_json_split split = { keys, NULL, take_row, &s };
	const unsigned files = imp->files;
	int rc = prepare(&s);

	if (!rc)
		rc = fsi_import_json(imp, "sshare_a.json", &split);
	if (rc == 1 && imp->files > files && imp->m->info.version >= fs_slurm_release("23.11"))
		rc = fsi_import_incomplete(imp, NULL, "%s/sshare_a.json: it is empty: the command failed", imp->source->name);
	if (!rc && imp->m->association.n && (s.odd || !s.rows))
		rc = fsi_import_incomplete(imp, NULL, "%s/sshare_a.json: %zu of its %zu shares lack what all have",
					   imp->source->name, s.odd, s.rows + s.odd);
	if (!rc && s.rows) {
		rc = set_tres(&s);
		imp->m->head.whole_shares = true;
		FSI_SET(&imp->m->head, SNAPSHOT, whole_shares);
	}
	free(s.index.v);
	free(s.recorded);
	free(s.has_tres);
	free(s.tres);
	return rc > 0 ? 0 : rc;
}
