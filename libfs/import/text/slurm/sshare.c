/* sshare: its tables are put into the form that the importer reads. */
#include "import/text/merge.h"

#include <string.h>

static const struct fsi_span none = { NULL, 0 };

static const char *const sshare_columns[] = { "Account",   "User",	     "RawShares", "NormShares", "RawUsage",
					      "NormUsage", "EffectvUsage", "FairShare", "LevelFS" };
enum { SSHARE = sizeof(sshare_columns) / sizeof(*sshare_columns) };

struct sshare {
	struct fsi_text *t;
	struct fsi_text_merge m;
	struct fsi_text_lost nameless; /* rows of names that were cut */
};

static struct fsi_span indent_of(struct fsi_span account)
{
	struct fsi_span v = { account.s, 0 };

	while (v.len < account.len && v.s[v.len] == ' ')
		v.len++;
	return v;
}

/* The account with its indentation, if it is whole; empty where that cannot be told. */
static struct fsi_span whole_account(struct fsi_text *t, struct fsi_span v, bool cut)
{
	const struct fsi_span indent = indent_of(v);
	const struct fsi_span name =
		fsi_text_whole(t, TEXT_ACCOUNTS, fsi_span_from(v, indent.len), cut);
	char *s = fsi_arena_alloc(&t->arena, indent.len + name.len + 1);

	if (!s || !name.len)
		return none;
	memset(s, ' ', indent.len);
	memcpy(s + indent.len, name.s, name.len);
	return (struct fsi_span){ s, indent.len + name.len };
}

/* UINT32_MAX - 1: the row is left out, since the tree is that of the first table, and in another the accounts above
 * may be others. */
static uint32_t share_row(struct sshare *s, const struct fsi_text_table *table, size_t r, struct fsi_span account,
			  struct fsi_span user, bool first)
{
	const struct fsi_span name = fsi_span_trim(account), partition = fsi_text_cell(table, r, "Partition");
	struct fsi_text_row key = { .n = 0 };
	char *copy;

	fsi_text_row_add(&key, name, "|");
	fsi_text_row_add(&key, user, "|");
	fsi_text_row_add(&key, partition, "");
	if (!first && !user.len && fsi_text_merge_find(&s->m, fsi_text_row_span(&key)) == UINT32_MAX)
		return UINT32_MAX - 1;
	copy = fsi_arena_strndup(&s->t->arena, key.text, key.n);
	return copy ? fsi_text_merge_row(&s->m, (struct fsi_span){ copy, key.n }, table->no[r]) : UINT32_MAX;
}

static int take_shares(struct sshare *s, struct fsi_text_piece *p, bool first)
{
	const struct fsi_text_table *table = p->table;
	const size_t user_column = fsi_text_column(table, "User"), account_column = fsi_text_column(table, "Account");

	for (size_t r = 0; r < table->rows; r++) {
		const struct fsi_span *cell = table->cell + r * table->columns;
		const bool *cut = table->cut + r * table->columns;
		struct fsi_span account, user = none;
		uint32_t row;

		if (account_column == table->columns)
			return 0;
		account = whole_account(s->t, cell[account_column], cut[account_column]);
		if (user_column < table->columns)
			user = fsi_text_whole(s->t, TEXT_USERS, cell[user_column], cut[user_column]);
		if (!account.len || (user_column < table->columns && cell[user_column].len && !user.len)) {
			fsi_text_lose(&s->nameless, table->no[r]);
			fsi_text_odd(p, table->no[r]);
			continue;
		}
		row = share_row(s, table, r, account, user, first);
		if (row == UINT32_MAX)
			return fsi_nomem(s->t->err);
		if (row == UINT32_MAX - 1) {
			fsi_text_odd(p, table->no[r]);
			continue;
		}
		p->taken++;
		fsi_text_merge_set(&s->m, row, 0, "Account", s->m.v[row * SSHARE].len ? none : account, table->no[r]);
		fsi_text_merge_set(&s->m, row, 1, "User", user, table->no[r]);
		for (size_t k = 2; k < SSHARE; k++) {
			const size_t c = fsi_text_column(table, sshare_columns[k]);

			if (c < table->columns && cell[c].len && cell[c].s[cell[c].len - 1] != '+')
				fsi_text_merge_set(&s->m, row, k, sshare_columns[k], cell[c], table->no[r]);
		}
	}
	return 0;
}

static int put_shares(struct sshare *s)
{
	static const char file[] = "sshare.txt";
	bool have[SSHARE] = { false };
	struct fsi_text_row l = { .n = 0 };
	int rc = 0;

	for (size_t row = 0; row < s->m.n; row++)
		for (size_t k = 0; k < SSHARE; k++)
			have[k] = have[k] || s->m.v[row * SSHARE + k].len;
	have[1] = true;
	for (size_t k = 0; k < SSHARE; k++)
		if (have[k])
			fsi_text_row_add(&l, fsi_span_of(sshare_columns[k]), "|");
	l.n--;
	rc = fsi_text_put(s->t, file, fsi_text_row_span(&l), 0);
	for (size_t row = 0; row < s->m.n && !rc; row++) {
		l.n = 0;
		for (size_t k = 0; k < SSHARE; k++)
			if (have[k])
				fsi_text_row_add(&l, s->m.v[row * SSHARE + k], "|");
		l.n--;
		rc = fsi_text_put(s->t, file, fsi_text_row_span(&l), s->m.no[row]);
	}
	return rc;
}

int fsi_text_sshare(struct fsi_text *t)
{
	struct sshare s = { .t = t, .m = { .t = t, .what = "share of", .fields = SSHARE } };
	bool first = true;
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SSHARE) {
			rc = take_shares(&s, &t->pieces.v[i], first);
			first = false;
		}
	if (!rc && s.m.n)
		rc = put_shares(&s);
	rc = rc ? rc : fsi_text_warn_lost(t, &s.nameless, "sshare", "left out: names cut short; sshare -P cuts none");
	return fsi_text_merge_end(&s.m, rc);
}
