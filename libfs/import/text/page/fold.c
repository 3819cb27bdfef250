/* The lines of a table as they were before a narrow terminal or a mail program folded them. */
#include "import/text/page/grid.h"

#include <string.h>

enum { WRAPS_MAX = 24 };

size_t fsi_text_widest(const struct fsi_text *t, const struct fsi_text_piece *p)
{
	size_t wide = 0;

	for (size_t i = p->begin; i < p->end; i++)
		wide = t->lines.v[i].len > wide ? t->lines.v[i].len : wide;
	return wide;
}

size_t fsi_text_words(struct fsi_span line, struct fsi_span *word, size_t max)
{
	const size_t n = fsi_span_words(line, word, max);

	return n < max ? n : max;
}

struct fsi_span fsi_text_joined(struct fsi_text *t, size_t wide, size_t from, size_t n)
{
	char *text = fsi_arena_alloc(&t->arena, wide * n + 1);
	size_t len = 0;

	if (!text)
		return (struct fsi_span){ NULL, 0 };
	memset(text, ' ', wide * n);
	for (size_t i = 0; i < n; i++) {
		const struct fsi_span line = fsi_text_line(t, from + i);

		memcpy(text + wide * i, line.s, line.len);
		if (line.len)
			len = wide * i + line.len;
	}
	return (struct fsi_span){ text, len };
}

/* A column, or two of squeue -O that stand side by side: "MIN_CPUSCPUS_PER_TASK". */
static bool is_known(enum fsi_text_kind kind, struct fsi_span word)
{
	if (fsi_text_is_column(kind, word))
		return true;
	for (size_t i = 2; kind == TEXT_SQUEUE && i + 2 < word.len; i++)
		if (fsi_text_is_column(kind, (struct fsi_span){ word.s, i }) &&
		    fsi_text_is_column(kind, fsi_span_from(word, i)))
			return true;
	return false;
}

static size_t known_words(const struct fsi_text_grid *g, struct fsi_span line, bool *all)
{
	struct fsi_span w[FSI_TEXT_COLUMNS_MAX];
	const size_t n = fsi_text_words(line, w, FSI_TEXT_COLUMNS_MAX);
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		known += is_known(g->p->kind, w[i]);
	*all = known == n;
	return known;
}

/* Does the line below consist of headings too, for the greater part? */
static bool goes_on(const struct fsi_text_grid *g)
{
	const size_t at = g->p->begin + g->folds;
	struct fsi_span w[FSI_TEXT_COLUMNS_MAX];
	bool all;
	size_t known;

	if (at >= g->p->end)
		return false;
	known = known_words(g, fsi_text_line(g->t, at), &all);
	return known >= 2 && 2 * known > fsi_text_words(fsi_text_line(g->t, at), w, FSI_TEXT_COLUMNS_MAX);
}

/* A narrow terminal folds the heading as it does the rows: the next line is then of headings too. */
int fsi_text_read_heading(struct fsi_text *t, struct fsi_text_grid *g)
{
	struct fsi_span line = fsi_text_line(g->t, g->p->begin), more;
	bool all;
	size_t known = known_words(g, line, &all);

	g->folds = 1;
	while (g->folds < WRAPS_MAX && g->p->begin + g->folds < g->p->end) {
		size_t now;

		more = fsi_text_joined(t, g->wide, g->p->begin, g->folds + 1);
		if (!more.s)
			return fsi_nomem(t->err);
		now = known_words(g, more, &all);
		if (!all || now <= known)
			break;
		known = now;
		line = more;
		g->folds++;
	}
	g->n = fsi_text_words(line, g->word, FSI_TEXT_COLUMNS_MAX);
	for (size_t i = 0; i < g->n; i++) {
		g->begin[i] = (size_t)(g->word[i].s - line.s);
		g->end[i] = g->begin[i] + g->word[i].len;
	}
	return goes_on(g);
}

/* Does the word stand where the first column has it: at its right, or over it where it is longer; or at the left
 * edge? */
static bool in_first_column(const struct fsi_text_grid *g, struct fsi_span line, struct fsi_span word)
{
	const size_t at = (size_t)(word.s - line.s), end = at + word.len;

	return g->begin[0] ? end == g->end[0] || (end > g->end[0] && at <= g->begin[0]) : !at;
}

static bool of_flux(const struct fsi_text_grid *g)
{
	return g->p->kind == TEXT_FLUX_JOBS || g->p->kind == TEXT_FLUX_PRIORITIES;
}

/* Is it an id, and not what is left of a number at the beginning of a folded line? Ids count a sixteen millionth of
 * a second. */
static bool begins_flux(struct fsi_span word)
{
	return fsi_text_flux_id(word) && (*word.s == 'f' || word.len > 9);
}

bool fsi_text_job_begins(const struct fsi_text_grid *g, struct fsi_span line)
{
	struct fsi_span w[2];

	return fsi_text_words(line, w, 2) == 2 && (of_flux(g) ? begins_flux(w[0]) : fsi_text_job_id(w[0])) &&
	       (g->folds > 1 || of_flux(g) ? in_first_column(g, line, w[0])
					   : (size_t)(w[0].s - line.s) < g->end[0] + 2);
}

/* Where squeue -O has ids at the left edge any line that begins with a number looks like a row. */
static bool unlike_rows(const struct fsi_text_grid *g)
{
	return g->begin[0] || of_flux(g);
}

static int add_row(struct fsi_text *t, struct fsi_text_grid *g, size_t from, size_t n)
{
	const struct fsi_span line = n == 1 ? fsi_text_line(g->t, from) : fsi_text_joined(t, g->wide, from, n);

	if (!line.s || FSI_VEC_ROOM(&g->rows))
		return fsi_nomem(t->err);
	g->rows.v[g->rows.n++] =
		(struct fsi_text_line){ line.s, (uint32_t)line.len, t->lines.v[from].no, t->lines.v[from + n - 1].cut };
	return 0;
}

/* Is the line what a terminal folded off a row of `flux jobs`, whose last column is as long as it likes? */
static bool is_rest(const struct fsi_text_grid *g, size_t at)
{
	const struct fsi_span line = fsi_text_line(g->t, at);

	return g->p->kind == TEXT_FLUX_JOBS && g->rows.n && g->folds == 1 &&
	       fsi_text_line(g->t, at - 1).len == g->wide && g->wide >= 40 && line.len &&
	       !fsi_text_job_begins(g, line);
}

static int add_rest(struct fsi_text *t, struct fsi_text_grid *g, size_t at)
{
	struct fsi_text_line *row = &g->rows.v[g->rows.n - 1];
	const struct fsi_span line = fsi_text_line(g->t, at);
	char *s = fsi_arena_alloc(&t->arena, row->len + line.len + 1);

	if (!s)
		return fsi_nomem(t->err);
	memcpy(s, row->s, row->len);
	memcpy(s + row->len, line.s, line.len);
	row->s = s;
	row->len += (uint32_t)line.len;
	row->cut = t->lines.v[at].cut;
	return 0;
}

int fsi_text_collect_rows(struct fsi_text *t, struct fsi_text_grid *g, size_t at)
{
	const bool of_jobs = fsi_text_of_jobs(g->p->kind) || of_flux(g);
	int rc = 0;

	while (at < g->p->end && !rc) {
		size_t n = 1;

		if (is_rest(g, at)) {
			rc = add_rest(t, g, at++);
			continue;
		}
		if (!fsi_text_line(g->t, at).len) {
			at++;
			continue;
		}
		if (of_jobs && g->folds > 1 && !fsi_text_job_begins(g, fsi_text_line(g->t, at))) {
			at++;
			continue;
		}
		while (n < g->folds && at + n < g->p->end &&
		       !(of_jobs && unlike_rows(g) && fsi_text_job_begins(g, fsi_text_line(g->t, at + n))))
			n++;
		rc = add_row(t, g, at, n);
		at += n;
	}
	return rc;
}

int fsi_text_unfold(struct fsi_text *t, const struct fsi_text_piece *p, fsi_text_whole_fn whole,
		    struct fsi_text_lines *rows)
{
	struct fsi_text_grid g = { .t = t, .p = p, .wide = fsi_text_widest(t, p) };
	int rc;

	rc = fsi_text_read_heading(t, &g);
	for (size_t at = p->begin + g.folds; at < p->end && !rc;) {
		size_t n = g.folds < p->end - at ? g.folds : 1;

		if (whole(fsi_text_line(t, at)))
			n = 1;
		rc = add_row(t, &g, at, n);
		at += n;
	}
	*rows = g.rows;
	return rc > 0 ? 0 : rc;
}
