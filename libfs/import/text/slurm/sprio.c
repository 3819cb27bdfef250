/* sprio: its tables become what `%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%n|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t` prints. */
#include "import/text/merge.h"

#include <string.h>

static const struct fsi_span none = { NULL, 0 };

enum { P_PARTITION = 1, P_PRIORITY = 4, P_POINTS_OF_PARTITION = 10, P_NORM_PRIORITY = 15, SPRIO = 23 };

static const struct {
	const char *name;
	int points, norm; /* columns of them; -1: there is none */
} sprio_columns[] = { { "USER", 2, 2 },	   { "ACCOUNT", 3, 3 },	  { "PRIORITY", 4, 15 }, { "SITE", 5, -1 },   { "ADMIN", 5, -1 },
		      { "AGE", 6, 16 },	   { "ASSOC", 7, 17 },	  { "FAIRSHARE", 8, 18 }, { "JOBSIZE", 9, 19 }, { "QOSNAME", 11, 11 },
		      { "QOS", 12, 21 },   { "NICE", 13, -1 },	  { "TRES", 14, 22 } };

struct sprio {
	struct fsi_text *t;
	struct fsi_text_merge m;
	struct fsi_text_lost nameless; /* rows without a whole partition name */
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
	struct fsi_text_row key = { .n = 0 };
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
		fsi_text_lose(&s->nameless, table->no[r]);
		return 0;
	}
	fsi_text_row_add(&key, id, "|");
	fsi_text_row_add(&key, name, "");
	copy = fsi_arena_strndup(&s->t->arena, key.text, key.n);
	*row = copy ? fsi_text_merge_row(&s->m, (struct fsi_span){ copy, key.n }, table->no[r]) : UINT32_MAX;
	if (*row == UINT32_MAX)
		return fsi_nomem(s->t->err);
	fsi_text_merge_set(&s->m, *row, 0, "JOBID", s->m.v[*row * SPRIO].len ? none : id, table->no[r]);
	fsi_text_merge_set(&s->m, *row, P_PARTITION, "PARTITION", s->m.v[*row * SPRIO + P_PARTITION].len ? none : name, table->no[r]);
	fsi_text_merge_set(&s->m, *row, norm ? 20 : P_POINTS_OF_PARTITION, "PARTITION", points, table->no[r]);
	return 0;
}

/* A number as wide as its column may lack its end; whether a TRES or a name does, the table tells. */
static struct fsi_span factor_cell(struct sprio *s, const char *name, struct fsi_span v, bool cut)
{
	if (!strcmp(name, "USER"))
		return fsi_text_whole(s->t, TEXT_USERS, v, cut);
	if (!strcmp(name, "ACCOUNT"))
		return fsi_text_whole(s->t, TEXT_ACCOUNTS, v, cut);
	if (!strcmp(name, "QOSNAME"))
		return fsi_text_whole(s->t, TEXT_QOSES, v, cut);
	if (!strcmp(name, "TRES")) /* TRES has a column of twenty characters */
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
		if (row == UINT32_MAX - 1) {
			fsi_text_odd(p, table->no[r]);
			continue;
		}
		p->taken++;
		for (size_t k = 0; k < sizeof(sprio_columns) / sizeof(*sprio_columns); k++) {
			const char *name = sprio_columns[k].name;
			const size_t c = fsi_text_column(table, name);
			const struct fsi_span v = c < table->columns ? table->cell[r * table->columns + c] : none;
			const int to = (k == 2 ? has_point(v) : norm) ? sprio_columns[k].norm : sprio_columns[k].points;

			if (v.len && to >= 0)
				fsi_text_merge_set(&s->m, row, (size_t)to, name,
						   factor_cell(s, name, v, table->cut[r * table->columns + c]),
						   table->no[r]);
		}
	}
	return 0;
}

static int put_priorities(struct sprio *s)
{
	int rc = 0;

	for (size_t row = 0; row < s->m.n && !rc; row++) {
		struct fsi_text_row l = { .n = 0 };

		for (size_t k = 0; k < SPRIO; k++)
			fsi_text_row_add(&l, s->m.v[row * SPRIO + k], k + 1 < SPRIO ? "|" : "");
		if (!l.full)
			rc = fsi_text_put(s->t, "sprio.txt", fsi_text_row_span(&l), s->m.no[row]);
	}
	return rc;
}

/* Warns of jobs that wait and have no row: nothing else tells whether an administrator set their priority. */
static int note_missing(struct sprio *s)
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
	return fsi_text_warn(s->t, "%zu job%s without a row of sprio: whether an administrator set %s priority is not known", missing,
			     missing == 1 ? "" : "s", missing == 1 ? "its" : "their");
}

int fsi_text_sprio(struct fsi_text *t)
{
	struct sprio s = { .t = t, .m = { .t = t, .what = "priority of", .fields = SPRIO } };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SPRIO)
			rc = take_priorities(&s, &t->pieces.v[i]);
	rc = rc ? rc : put_priorities(&s);
	rc = rc ? rc : note_missing(&s);
	rc = rc ? rc : fsi_text_warn_lost(t, &s.nameless, "sprio",
					  "left out: without a whole partition name; sprio -o \"%i %r %Y ...\" cuts none");
	return fsi_text_merge_end(&s.m, rc);
}
