/* sshare, sprio, sinfo and sacctmgr: their tables in the form that the importer reads. */
#include "import/text_merge.h"

#include "base/num.h"

#include <stdio.h>
#include <string.h>

static const struct fsi_span none = { NULL, 0 };

struct line {
	char text[8192];
	size_t n;
	bool full;
};

static void put(struct line *l, struct fsi_span v, const char *sep)
{
	const size_t m = strlen(sep);

	if (l->n + v.len + m >= sizeof(l->text)) {
		l->full = true;
		return;
	}
	if (v.len)
		memcpy(l->text + l->n, v.s, v.len);
	memcpy(l->text + l->n + v.len, sep, m);
	l->n += v.len + m;
}

static struct fsi_span text_of(const struct line *l)
{
	return (struct fsi_span){ l->text, l->n };
}

static int put_heading(struct fsi_text *t, const char *file, const char *heading)
{
	return fsi_text_has(t, file) ? 0 : fsi_text_put(t, file, (struct fsi_span){ heading, strlen(heading) }, 0);
}

/* ---- sshare */

static const char *const sshare_columns[] = { "Account",   "User",	     "RawShares", "NormShares", "RawUsage",
					      "NormUsage", "EffectvUsage", "FairShare", "LevelFS" };
enum { SSHARE = sizeof(sshare_columns) / sizeof(*sshare_columns) };

struct sshare {
	struct fsi_text *t;
	struct fsi_text_merge m;
	size_t nameless; /* rows of names that were cut */
};

static struct fsi_span indent_of(struct fsi_span account)
{
	struct fsi_span v = { account.s, 0 };

	while (v.len < account.len && v.s[v.len] == ' ')
		v.len++;
	return v;
}

/* The account with its indentation, whole; empty where it cannot be told. */
static struct fsi_span whole_account(struct fsi_text *t, struct fsi_span v, bool cut)
{
	const struct fsi_span indent = indent_of(v);
	const struct fsi_span name = fsi_text_whole(t, TEXT_ACCOUNTS, (struct fsi_span){ v.s + indent.len, v.len - indent.len }, cut);
	char *s = fsi_arena_alloc(&t->arena, indent.len + name.len + 1);

	if (!s || !name.len)
		return none;
	memset(s, ' ', indent.len);
	memcpy(s + indent.len, name.s, name.len);
	return (struct fsi_span){ s, indent.len + name.len };
}

/* UINT32_MAX - 1: the tree is that of the first table, in another the accounts above may be others. */
static uint32_t share_row(struct sshare *s, const struct fsi_text_table *table, size_t r, struct fsi_span account, struct fsi_span user,
			  bool first)
{
	const struct fsi_span name = fsi_span_trim(account), partition = fsi_text_cell(table, r, "Partition");
	struct line key = { .n = 0 };
	char *copy;

	put(&key, name, "|");
	put(&key, user, "|");
	put(&key, partition, "");
	if (!first && !user.len && fsi_text_merge_find(&s->m, text_of(&key)) == UINT32_MAX)
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
			s->nameless++;
			continue;
		}
		row = share_row(s, table, r, account, user, first);
		if (row == UINT32_MAX)
			return fsi_nomem(s->t->err);
		if (row == UINT32_MAX - 1)
			continue;
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
	struct line l = { .n = 0 };
	int rc = 0;

	for (size_t row = 0; row < s->m.n; row++)
		for (size_t k = 0; k < SSHARE; k++)
			have[k] = have[k] || s->m.v[row * SSHARE + k].len;
	have[1] = true;
	for (size_t k = 0; k < SSHARE; k++)
		if (have[k])
			put(&l, (struct fsi_span){ sshare_columns[k], strlen(sshare_columns[k]) }, "|");
	l.n--;
	rc = fsi_text_put(s->t, file, text_of(&l), 0);
	for (size_t row = 0; row < s->m.n && !rc; row++) {
		l.n = 0;
		for (size_t k = 0; k < SSHARE; k++)
			if (have[k])
				put(&l, s->m.v[row * SSHARE + k], "|");
		l.n--;
		rc = fsi_text_put(s->t, file, text_of(&l), s->m.no[row]);
	}
	return rc;
}

static int read_shares(struct fsi_text *t)
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
	if (!rc && s.nameless)
		rc = fsi_text_tell(t, "sshare: %zu row%s of names cut short left out; sshare -P cuts none", s.nameless,
				   s.nameless == 1 ? "" : "s");
	return fsi_text_merge_end(&s.m, rc);
}

/* ---- sprio: `%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%n|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t` */

enum { P_PARTITION = 1, P_PRIORITY = 4, P_POINTS_OF_PARTITION = 10, P_NORM_PRIORITY = 15, SPRIO = 23 };

static const struct {
	const char *name;
	int points, norm; /* -1: there is none */
} sprio_columns[] = { { "USER", 2, 2 },	   { "ACCOUNT", 3, 3 },	  { "PRIORITY", 4, 15 }, { "SITE", 5, -1 },   { "ADMIN", 5, -1 },
		      { "AGE", 6, 16 },	   { "ASSOC", 7, 17 },	  { "FAIRSHARE", 8, 18 }, { "JOBSIZE", 9, 19 }, { "QOSNAME", 11, 11 },
		      { "QOS", 12, 21 },   { "NICE", 13, -1 },	  { "TRES", 14, 22 } };

struct sprio {
	struct fsi_text *t;
	struct fsi_text_merge m;
	size_t nameless;
};

static bool has_point(struct fsi_span v)
{
	return v.len && memchr(v.s, '.', v.len);
}

/* sprio -n has the same headings, and factors from 0 to 1 under them. */
static bool is_normalised(const struct fsi_text_table *table)
{
	static const char *const factors[] = { "AGE", "FAIRSHARE", "JOBSIZE", "ASSOC", "QOS" };

	for (size_t r = 0; r < table->rows; r++)
		for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++)
			if (has_point(fsi_text_cell(table, r, factors[i])))
				return true;
	return false;
}

static bool is_points(struct fsi_span v)
{
	return v.len && fsi_text_number(v, true);
}

static int priority_row(struct sprio *s, const struct fsi_text_table *table, size_t r, bool norm, uint32_t *row)
{
	const struct fsi_span id = fsi_text_cell(table, r, "JOBID");
	struct fsi_span name = none, points = none;
	struct line key = { .n = 0 };
	bool cut = false;
	char *copy;

	for (size_t c = 0; c < table->columns; c++)
		if (!strcmp(table->name[c], "PARTITION")) {
			const struct fsi_span v = table->cell[r * table->columns + c];

			if (is_points(v))
				points = v;
			else {
				name = v;
				cut = table->cut[r * table->columns + c];
			}
		}
	*row = UINT32_MAX - 1;
	name = fsi_text_whole(s->t, TEXT_PARTITIONS, name, cut);
	if (!id.len || !fsi_text_number(id, false) || !name.len) {
		s->nameless++;
		return 0;
	}
	put(&key, id, "|");
	put(&key, name, "");
	copy = fsi_arena_strndup(&s->t->arena, key.text, key.n);
	*row = copy ? fsi_text_merge_row(&s->m, (struct fsi_span){ copy, key.n }, table->no[r]) : UINT32_MAX;
	if (*row == UINT32_MAX)
		return fsi_nomem(s->t->err);
	fsi_text_merge_set(&s->m, *row, 0, "JOBID", s->m.v[*row * SPRIO].len ? none : id, table->no[r]);
	fsi_text_merge_set(&s->m, *row, P_PARTITION, "PARTITION", s->m.v[*row * SPRIO + P_PARTITION].len ? none : name, table->no[r]);
	fsi_text_merge_set(&s->m, *row, norm ? 20 : P_POINTS_OF_PARTITION, "PARTITION", points, table->no[r]);
	return 0;
}

/* A number as wide as its column may lack its end; TRES and names are told by the table. */
static struct fsi_span factor_cell(struct sprio *s, const char *name, struct fsi_span v, bool cut)
{
	if (!strcmp(name, "USER"))
		return fsi_text_whole(s->t, TEXT_USERS, v, cut);
	if (!strcmp(name, "ACCOUNT"))
		return fsi_text_whole(s->t, TEXT_ACCOUNTS, v, cut);
	if (!strcmp(name, "QOSNAME"))
		return fsi_text_whole(s->t, TEXT_QOSES, v, cut);
	if (!strcmp(name, "TRES")) /* twenty characters wide */
		return cut || v.len >= 20 || memchr(v.s ? v.s : "", ' ', v.len) ? none : v;
	return fsi_text_number(v, true) ? v : none;
}

static int take_priorities(struct sprio *s, struct fsi_text_piece *p)
{
	const struct fsi_text_table *table = p->table;
	const bool norm = is_normalised(table);

	for (size_t r = 0; r < table->rows; r++) {
		uint32_t row;
		const int rc = priority_row(s, table, r, norm, &row);

		if (rc)
			return rc;
		if (row == UINT32_MAX - 1)
			continue;
		p->taken++;
		for (size_t k = 0; k < sizeof(sprio_columns) / sizeof(*sprio_columns); k++) {
			const char *name = sprio_columns[k].name;
			const size_t c = fsi_text_column(table, name);
			const struct fsi_span v = c < table->columns ? table->cell[r * table->columns + c] : none;
			const int to = (k == 2 ? has_point(v) : norm) ? sprio_columns[k].norm : sprio_columns[k].points;

			if (v.len && to >= 0)
				fsi_text_merge_set(&s->m, row, (size_t)to, name,
						   factor_cell(s, name, v, table->cut[r * table->columns + c]), table->no[r]);
		}
	}
	return 0;
}

static int put_priorities(struct sprio *s)
{
	int rc = 0;

	for (size_t row = 0; row < s->m.n && !rc; row++) {
		struct line l = { .n = 0 };

		for (size_t k = 0; k < SPRIO; k++)
			put(&l, s->m.v[row * SPRIO + k], k + 1 < SPRIO ? "|" : "");
		if (!l.full)
			rc = fsi_text_put(s->t, "sprio.txt", text_of(&l), s->m.no[row]);
	}
	return rc;
}

/* Jobs that wait and have no row: nothing else tells that an administrator gave a priority. */
static int tell_missing(struct sprio *s)
{
	static const char key[] = "JobId=", pending[] = " JobState=PENDING";
	const struct fsi_text_file *f = fsi_text_has(s->t, "scontrol_job_o.txt");
	struct fsi_intern ids = { .count = 0 };
	size_t missing = 0;
	int rc = 0;

	for (size_t i = 0; i < s->m.n && !rc; i++)
		if (fsi_intern(&ids, s->m.v[i * SPRIO].s, s->m.v[i * SPRIO].len) == FSI_INTERN_FAILED)
			rc = fsi_nomem(s->t->err);
	for (size_t i = 0; f && i < f->lines.n && !rc; i++) {
		const char *line = f->lines.v[i].s, *id = line + sizeof(key) - 1;

		if (!strncmp(line, key, sizeof(key) - 1) && strstr(line, pending))
			missing += !fsi_intern_find(&ids, id, strcspn(id, " "));
	}
	fsi_intern_release(&ids);
	if (rc || !missing)
		return rc;
	return fsi_text_tell(s->t, "%zu job%s without a row of sprio: whether an administrator set %s priority is not known", missing,
			     missing == 1 ? "" : "s", missing == 1 ? "its" : "their");
}

static int read_priorities(struct fsi_text *t)
{
	struct sprio s = { .t = t, .m = { .t = t, .what = "priority of", .fields = SPRIO } };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SPRIO)
			rc = take_priorities(&s, &t->pieces.v[i]);
	rc = rc ? rc : put_priorities(&s);
	rc = rc ? rc : tell_missing(&s);
	if (!rc && s.nameless)
		rc = fsi_text_tell(t, "sprio: %zu row%s without a whole partition name left out; sprio -o \"%%i %%r %%Y ...\" cuts none",
				   s.nameless, s.nameless == 1 ? "" : "s");
	return fsi_text_merge_end(&s.m, rc);
}

/* ---- sinfo: partitions that scontrol has not shown */

static bool is_shown(const struct fsi_text *t, struct fsi_span name)
{
	static const char key[] = "PartitionName=";
	const struct fsi_text_file *f = fsi_text_has(t, "scontrol_partition_o.txt");

	for (size_t i = 0; f && i < f->lines.n; i++) {
		const struct fsi_text_line *l = &f->lines.v[i];
		const size_t n = sizeof(key) - 1 + name.len;

		if (l->len >= n && !memcmp(l->s + sizeof(key) - 1, name.s, name.len) && (l->len == n || l->s[n] == ' '))
			return true;
	}
	return false;
}

static struct fsi_span partition_state(struct fsi_span v)
{
	static const char *const words[][2] = { { "up", "UP" }, { "down", "DOWN" }, { "drain", "DRAIN" }, { "inact", "INACTIVE" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (fsi_span_is(v, words[i][0]))
			return (struct fsi_span){ words[i][1], strlen(words[i][1]) };
	return none;
}

static int put_partition(struct fsi_text *t, const struct fsi_text_table *table, size_t r)
{
	struct fsi_span name = fsi_text_cell(table, r, "PARTITION"), limit = fsi_text_cell(table, r, "TIMELIMIT");
	const bool is_default = name.len && name.s[name.len - 1] == '*';
	const struct fsi_span state = partition_state(fsi_text_cell(table, r, "AVAIL"));
	struct line l = { .n = 0 };

	name.len -= is_default;
	name = fsi_text_whole(t, TEXT_PARTITIONS, name, table->cut[r * table->columns + fsi_text_column(table, "PARTITION")]);
	if (!name.len || is_shown(t, name))
		return 0;
	put(&l, (struct fsi_span){ "PartitionName=", 14 }, "");
	put(&l, name, is_default ? " Default=YES State=" : " State=");
	put(&l, state, "");
	if (fsi_span_is(limit, "infinite"))
		put(&l, none, " MaxTime=UNLIMITED");
	else if (limit.len && !memchr(limit.s, ' ', limit.len)) {
		put(&l, none, memchr(limit.s, '-', limit.len) || limit.len > 5 ? " MaxTime=" : " MaxTime=0:");
		put(&l, limit, "");
	}
	return fsi_text_put(t, "scontrol_partition_o.txt", text_of(&l), table->no[r]);
}

static int read_partitions(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		for (size_t r = 0; t->pieces.v[i].kind == TEXT_SINFO && r < t->pieces.v[i].table->rows && !rc; r++) {
			rc = put_partition(t, t->pieces.v[i].table, r);
			t->pieces.v[i].taken++;
		}
	return rc;
}

/* ---- sacctmgr: as it is, but for what is cut */

static const struct {
	enum fsi_text_kind kind;
	const char *file, *needs;
} accounts[] = { { TEXT_QOS, "sacctmgr_qos_all.txt", "Name" },
		 { TEXT_ASSOC, "sacctmgr_assoc.txt", "ID" },
		 { TEXT_USER, "sacctmgr_user.txt", "User" },
		 { TEXT_TRES, "sacctmgr_tres.txt", "ID" } };

static int put_table(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	const struct fsi_text_table *table = p->table;
	struct line l = { .n = 0 };
	int rc;

	for (size_t c = 0; c < table->columns; c++)
		put(&l, (struct fsi_span){ table->name[c], strlen(table->name[c]) }, c + 1 < table->columns ? "|" : "");
	rc = put_heading(t, file, fsi_arena_strndup(&t->arena, l.text, l.n));
	for (size_t r = 0; r < table->rows && !rc; r++) {
		bool lost = false;

		l = (struct line){ .n = 0 };
		for (size_t c = 0; c < table->columns; c++) {
			struct fsi_span v = table->cell[r * table->columns + c];
			const char *name = table->name[c];
			const bool cut = table->cut[r * table->columns + c];

			if (cut)
				v = !strcmp(name, "User") ? fsi_text_whole(t, TEXT_USERS, v, true)
				    : !strcmp(name, "Account") || !strcmp(name, "ParentName") ? fsi_text_whole(t, TEXT_ACCOUNTS, v, true)
											    : none;
			lost = lost || (cut && !v.len && (!strcmp(name, "User") || !strcmp(name, "Account") || !strcmp(name, "Name") ||
							  !strcmp(name, "ParentName")));
			put(&l, v, c + 1 < table->columns ? "|" : "");
		}
		p->odd += lost || l.full;
		if (lost || l.full)
			continue;
		rc = fsi_text_put(t, file, text_of(&l), table->no[r]);
		p->taken++;
	}
	return rc;
}

static int read_accounts(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n; i++)
		for (size_t k = 0; k < sizeof(accounts) / sizeof(*accounts) && !rc; k++) {
			struct fsi_text_piece *p = &t->pieces.v[i];

			if (p->kind != accounts[k].kind)
				continue;
			if (fsi_text_has(t, accounts[k].file))
				rc = fsi_text_tell(t, "line %u: a second table of %s is left out", t->lines.v[p->begin].no,
						   fsi_text_kind_name(p->kind));
			else if (fsi_text_column(p->table, accounts[k].needs) == p->table->columns)
				rc = fsi_text_tell(t, "line %u: %s without the column %s is left out", t->lines.v[p->begin].no,
						   fsi_text_kind_name(p->kind), accounts[k].needs);
			else
				rc = put_table(t, p, accounts[k].file);
		}
	return rc;
}

/* ---- TRES, where sacctmgr has not shown them: their names stand in the configuration */

static int put_tres(struct fsi_text *t, struct fsi_span list, uint32_t no)
{
	static const char *const fixed[] = { "cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages" };
	unsigned next = 1001;
	struct fsi_span full, type;
	int rc = put_heading(t, "sacctmgr_tres.txt", "Type|Name|ID");

	while (!rc && fsi_span_cut(&list, ',', &full)) {
		struct fsi_span name = fsi_span_trim(full);
		char text[300];
		unsigned id = 0;

		for (unsigned i = 0; i < sizeof(fixed) / sizeof(*fixed); i++)
			if (fsi_span_is(name, fixed[i]))
				id = i + 1;
		if (!fsi_span_cut(&name, '/', &type) || !type.len || type.len + name.len > 200)
			continue;
		snprintf(text, sizeof(text), "%.*s|%.*s|%u", (int)type.len, type.s, (int)name.len, name.s ? name.s : "", id ? id : next++);
		rc = fsi_text_put(t, "sacctmgr_tres.txt", (struct fsi_span){ text, strlen(text) }, no);
	}
	return rc;
}

static int read_tres(struct fsi_text *t)
{
	const struct fsi_text_file *f = fsi_text_has(t, "scontrol_config.txt");

	for (size_t i = 0; f && !fsi_text_has(t, "sacctmgr_tres.txt") && i < f->lines.n; i++) {
		struct fsi_span line = { f->lines.v[i].s, f->lines.v[i].len }, key;

		if (fsi_span_cut(&line, '=', &key) && line.s && fsi_span_is(fsi_span_trim(key), "AccountingStorageTRES"))
			return put_tres(t, fsi_span_trim(line), f->lines.v[i].no);
	}
	return 0;
}

int fsi_text_tables(struct fsi_text *t)
{
	int rc = read_shares(t);

	if (!rc)
		rc = read_priorities(t);
	if (!rc)
		rc = read_partitions(t);
	if (!rc)
		rc = read_accounts(t);
	return rc ? rc : read_tres(t);
}
