#include "share/rows.h"

#include "dialect/dialect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct column *share_get_named_column(size_t i, bool with_extensions)
{
	/* the columns of sshare, in the order of its table of fields (src/sshare/sshare.c) */
	static const unsigned char sshare_columns[] = {
		SHARE_ACCOUNT, SHARE_CLUSTER, SHARE_EFFECTIVE_USAGE, SHARE_FAIRSHARE, SHARE_GRP_TRES_MINS,
		SHARE_GRP_TRES_RAW, SHARE_ID, SHARE_LEVEL_FS, SHARE_NORM_SHARES, SHARE_NORM_USAGE, SHARE_PARTITION,
		SHARE_RAW_SHARES, SHARE_RAW_USAGE, SHARE_TRES_RUN_MINS, SHARE_USER,
	};
	size_t at = sizeof(sshare_columns);

	if (i < at)
		return &share_columns[sshare_columns[i]];
	for (int k = 0; with_extensions && k < SHARE_COLUMNS; k++)
		if (share_columns[k].name && !memchr(sshare_columns, k, sizeof(sshare_columns)) && at++ == i)
			return &share_columns[k];
	return NULL;
}

/* Returns the first column whose name begins with the first len bytes of `word`, ignoring case; NULL if there is
 * none. */
static const struct column *find_abbreviated_column(const char *word, size_t len, bool with_extensions)
{
	const struct column *c;

	for (size_t i = 0; (c = share_get_named_column(i, with_extensions)); i++)
		if (!strncasecmp(c->name, word, len))
			return c;
	return NULL;
}

static int init_column_widths(struct share_format *f)
{
	f->width = calloc(SHARE_COLUMNS, sizeof(*f->width));
	for (size_t i = 0; f->width && i < SHARE_COLUMNS; i++)
		f->width[i] = share_columns[i].width;
	return f->width ? 0 : -1;
}

static int add_format_field(struct share_format *f, const struct column *column)
{
	struct share_field *v = array_grow_by_one(f->field, f->n, &f->cap, sizeof(*v));

	if (!v)
		return -1;
	f->field = v;
	f->field[f->n++] = (struct share_field){ column, 0 };
	return 0;
}

/* `word` points to an element of len bytes in a comma-separated list. Returns true if the same element occurs again
 * later in the list. Only the last occurrence of a column is used. */
static bool is_repeated_later(const char *word, size_t len)
{
	for (const char *p = word + len; *p; p += strcspn(p, ",")) {
		p++;
		if (strcspn(p, ",") == len && !strncmp(p, word, len))
			return true;
		if (!*p)
			break;
	}
	return false;
}

/* Parses the width after the % of a column as atoi does; 0 if the text is not a number. */
static int parse_column_width(const char *text)
{
	enum { MAX_WIDTH = 100000 };
	const long width = strtol(text, NULL, 10);

	return width > MAX_WIDTH ? MAX_WIDTH : width < -MAX_WIDTH ? -MAX_WIDTH : (int)width;
}

int share_format_add_columns(struct share_format *f, const char *list, bool with_extensions, char *bad, size_t bad_size)
{
	if (!f->width && init_column_widths(f))
		return -1;
	while (*list) {
		const size_t len = strcspn(list, ","), name = strcspn(list, "%,");
		const int width = name < len ? parse_column_width(list + name + 1) : 0;
		const struct column *c;

		if (!len) { /* an empty word, such as between two adjacent commas */
			list++;
			continue;
		}
		c = find_abbreviated_column(list, name, with_extensions);
		if (!c) {
			snprintf(bad, bad_size, "%.*s", (int)name, list);
			return 1;
		}
		if (width || (name < len && with_extensions && list[name + 1] == '0'))
			f->width[c - share_columns] = width;
		if (!is_repeated_later(list, len) && add_format_field(f, c))
			return -1;
		list += len + (list[len] == ',');
	}
	for (size_t i = 0; i < f->n; i++)
		f->field[i].width = f->width[f->field[i].column - share_columns];
	return 0;
}

const char *share_get_default_format(const fs_snapshot *s, const fs_shares *shares, bool wide, bool with_partition)
{
	static const char *const lists[2][2][2] = {
		{ { "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,EffectvUsage,FairShare" },
		  { "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "GrpTRESMins,TRESRunMins",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "GrpTRESMins,TRESRunMins" } },
		{ { "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,EffectvUsage,FairShare" },
		  { "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS,"
		    "GrpTRESMins,TRESRunMins",
		    "Account,User,Partition,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,"
		    "LevelFS,GrpTRESMins,TRESRunMins" } },
	};

	if (fs_shares_has_ranges(shares))
		return wide ? "Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare,LevelFS,"
			      "Low,High"
			    : "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare,Low,High";
	if (wide && find_scheduler_dialect(s)->wide_share_columns)
		return find_scheduler_dialect(s)->wide_share_columns;
	return lists[fs_shares_has_levels(shares)][wide][with_partition];
}

void share_format_free(struct share_format *f)
{
	free(f->field);
	free(f->width);
	*f = (struct share_format){ 0 };
}

/* Sets selected[share row] to true for all rows of the user and for the accounts above them. */
static void mark_rows_of_user(const fs_shares *shares, const char *me, bool *selected)
{
	for (size_t i = fs_shares_count(shares); i-- > 0;) {
		const struct fs_share_row *row = fs_shares_row(shares, i);

		selected[i] = selected[i] || !strcmp(row->user, me);
		if (selected[i] && row->parent_row != FS_NO_ROW)
			selected[row->parent_row] = true;
	}
}

/* Sets selected[share row] to true for the row of the account and all rows below it, and to false for all other rows.
 * Returns 1 if the account does not exist, otherwise 0. */
static int mark_rows_of_subtree(const fs_shares *shares, const char *account, bool *selected)
{
	const size_t n = fs_shares_count(shares);
	size_t root = 0;

	while (root < n && (*fs_shares_row(shares, root)->user ||
			    strcmp(fs_shares_row(shares, root)->account, account) != 0))
		root++;
	for (size_t i = 0; i < n; i++) {
		const uint32_t parent = fs_shares_row(shares, i)->parent_row;

		selected[i] = i == root || (parent != FS_NO_ROW && selected[parent]);
	}
	return root == n;
}

static bool is_share_row_requested(const struct share_filter *f, const struct fs_share_row *row)
{
	if (!row->visible || (f->users_only && !*row->user))
		return false;
	if (f->accounts->given && !names_contain_word(f->accounts, row->account))
		return false;
	return !*row->user || f->all || names_contain_word(f->users, row->user);
}

int share_rows_select(struct share_rows *r, const fs_shares *shares, const struct share_filter *f)
{
	const size_t n = fs_shares_count(shares);
	bool *own = calloc(n + 1, sizeof(*own)), *below = calloc(n + 1, sizeof(*below));
	bool *shown = calloc(n + 1, sizeof(*shown));
	int rc = -1;

	r->v = calloc(n + 1, sizeof(*r->v));
	r->indent = calloc(n + 1, sizeof(*r->indent));
	if (!own || !below || !shown || !r->v || !r->indent)
		goto out;
	if (f->me)
		mark_rows_of_user(shares, f->me, own);
	rc = f->subtree ? mark_rows_of_subtree(shares, f->subtree, below) : 0;
	for (size_t i = 0; i < n; i++) {
		const struct fs_share_row *row = fs_shares_row(shares, i);
		const uint32_t parent = row->parent_row;

		shown[i] = is_share_row_requested(f, row) && (!f->me || own[i]) && (!f->subtree || below[i]);
		if (parent != FS_NO_ROW && shown[parent])
			r->indent[i] = r->indent[parent] + 1;
		if (shown[i])
			r->v[r->n++] = row;
	}
out:
	free(own);
	free(below);
	free(shown);
	return rc;
}

/* Fills `order` with all share rows in depth-first order. `sorted`: all share rows, grouped by parent, with the root
 * last. `first`: buffer with one element per share row; the caller sets each element to the number of share rows. */
static void order_depth_first(const fs_shares *shares, const struct fs_share_row **sorted, size_t *first,
			      const struct fs_share_row **order)
{
	const size_t n = fs_shares_count(shares);
	size_t *at = first; /* indexed by share row: index in `sorted` of the next child to visit */
	size_t count = 0, root = n;
	uint32_t row = FS_NO_ROW;

	for (size_t i = n; i-- > 0;)
		if (sorted[i]->parent_row != FS_NO_ROW)
			at[sorted[i]->parent_row] = i;
		else
			root = i;
	while (count < n) {
		size_t *next = row == FS_NO_ROW ? &root : &at[row];

		if (*next < n && sorted[*next]->parent_row == row) {
			order[count++] = sorted[*next];
			row = sorted[(*next)++]->row;
		} else {
			row = fs_shares_row(shares, row)->parent_row;
		}
	}
}

int share_rows_sort_siblings(struct share_rows *r, const fs_shares *shares, fs_compare_fn siblings)
{
	const size_t n = fs_shares_count(shares);
	const struct fs_share_row **sorted = malloc((n + 1) * sizeof(*sorted));
	const struct fs_share_row **order = malloc((n + 1) * sizeof(*order));
	size_t *first = malloc((n + 1) * sizeof(*first));
	bool *shown = calloc(n + 1, sizeof(*shown));
	int rc = sorted && order && first && shown ? 0 : -1;

	for (size_t i = 0; i < n && !rc; i++) {
		sorted[i] = fs_shares_row(shares, i);
		first[i] = n;
	}
	if (!rc)
		rc = fs_sort(sorted, n, sizeof(*sorted), siblings, NULL);
	if (!rc)
		order_depth_first(shares, sorted, first, order);
	for (size_t i = 0; i < r->n && !rc; i++)
		shown[r->v[i]->row] = true;
	r->n = rc ? r->n : 0;
	for (size_t i = 0; i < n && !rc; i++)
		if (shown[order[i]->row])
			r->v[r->n++] = order[i];
	free(sorted);
	free(order);
	free(first);
	free(shown);
	return rc;
}

struct share_sort_key {
	const struct fs_share_row *row;
	const char *text;
	double number;
};

static struct share_sort_key make_share_sort_key(const struct fs_share_row *row, const struct column *c)
{
	struct value v;

	column_get_value(c, NULL, row, &v);
	if (c->member == MEMBER_TEXT)
		return (struct share_sort_key){ row, v.text, 0 };
	return (struct share_sort_key){ row, NULL, value_to_number(&v) };
}

/* Compares two rows by text or by number. Rows without a number are last in both directions. */
static int compare_share_sort_keys(const void *x, const void *y, const void *ctx)
{
	const struct share_sort_key *a = x, *b = y;
	const int sign = *(const int *)ctx;

	if (a->text)
		return sign * strcmp(a->text, b->text);
	if (isnan(a->number) || isnan(b->number))
		return !!isnan(a->number) - !!isnan(b->number);
	return sign * ((a->number > b->number) - (a->number < b->number));
}

static int sort_by_column(struct share_rows *r, const struct column *c, int sign)
{
	struct share_sort_key *v = malloc((r->n + 1) * sizeof(*v));
	int rc = -1;

	if (v) {
		for (size_t i = 0; i < r->n; i++)
			v[i] = make_share_sort_key(r->v[i], c);
		rc = fs_sort(v, r->n, sizeof(*v), compare_share_sort_keys, &sign);
		for (size_t i = 0; i < r->n; i++)
			r->v[i] = v[i].row;
	}
	free(v);
	return rc;
}

/* Sorts once for each key, beginning with the last key. The sort is stable, so the first key has the greatest
 * effect. */
int share_rows_sort(struct share_rows *r, const char *keys, char *bad, size_t bad_size)
{
	const char *comma = strchr(keys, ',');
	const size_t len = comma ? (size_t)(comma - keys) : strlen(keys);
	const bool falling = len && *keys == '-';
	const struct column *c = find_abbreviated_column(keys + falling, len - falling, true);
	int rc = 0;

	if (!c || len == (size_t)falling || c->write_json) {
		snprintf(bad, bad_size, "%.*s", (int)len, keys);
		return 1;
	}
	if (comma)
		rc = share_rows_sort(r, comma + 1, bad, bad_size);
	return rc || c == &share_columns[SHARE_CLUSTER] ? rc : sort_by_column(r, c, falling ? -1 : 1);
}

void share_rows_free(struct share_rows *r)
{
	free(r->v);
	free(r->indent);
	*r = (struct share_rows){ 0 };
}
