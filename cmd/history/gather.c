/* An evaluated snapshot as lines. */
#include "history/lines.h"

#include "columns/share.h"
#include "threads.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 8192 };

struct builder {
	char text[LINE];
	size_t len;
	bool failed;
};

static void add(struct builder *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct builder *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(b->text + b->len, LINE - b->len, fmt, ap);
	va_end(ap);
	if (n < 0 || (size_t)n >= LINE - b->len)
		b->failed = true;
	else
		b->len += (size_t)n;
}

static void add_field(struct builder *b, const char *text)
{
	if (b->failed || line_field(b->text + b->len, LINE - b->len - 1, text)) {
		b->failed = true;
		return;
	}
	b->len += strlen(b->text + b->len);
	add(b, "\t");
}

static void add_value(struct builder *b, const char *name, double value)
{
	if (isnan(value))
		add(b, "%s=\t", name);
	else
		add(b, "%s=%.16e\t", name, value);
}

/* A line that is longer than any name of a scheduler allows is left out: the snapshot itself still has it. */
static int pass_line(const struct builder *b, line_fn fn, void *ctx)
{
	return b->failed ? 0 : fn(ctx, b->text);
}

static int gather_shares(const fs_snapshot *s, const struct fs_view *view, line_fn fn, void *ctx,
			 struct fs_error *err)
{
	struct share_source of = { .snapshot = s };
	struct builder b;
	fs_shares *shares;
	struct value v;
	int rc = fs_shares_compute(&shares, s, view, err);

	if (rc)
		return rc == FS_ENODATA ? 0 : rc;
	of.shares = shares;
	for (size_t i = 0; i < fs_shares_count(shares) && !rc; i++) {
		const struct fs_share_row *row = fs_shares_row(shares, i);

		if (!row->visible)
			continue;
		b = (struct builder){ .len = 0 };
		add(&b, "s\t");
		add_field(&b, row->user);
		add_field(&b, row->account);
		add_field(&b, row->partition);
		for (size_t k = 0; k < share_measures_count; k++) {
			const struct column *c = &share_columns[share_measures[k]];

			column_value(c, &of, row, &v);
			add_value(&b, c->key, value_number(&v));
		}
		rc = pass_line(&b, fn, ctx);
	}
	fs_shares_free(shares);
	return rc;
}

/* ---- jobs */

struct jobs {
	struct fs_eval eval;
	uint32_t *position; /* of each job, 0 none */
	size_t *first;	    /* row of its priority, FS_NO_ROW none */
};

static void find_first(struct jobs *j, size_t n)
{
	for (size_t i = 0; i < n; i++)
		j->first[i] = FS_NO_ROW;
	for (size_t i = j->eval.prios ? fs_prios_count(j->eval.prios) : 0; i-- > 0;)
		j->first[fs_prios_job_row(j->eval.prios, i)] = i;
}

static void find_positions(struct jobs *j)
{
	struct fs_queue_place p;

	for (size_t i = 0; j->eval.queue && i < fs_queue_count(j->eval.queue); i++) {
		fs_queue_place(j->eval.queue, i, &p);
		if (p.position)
			j->position[p.job_row] = p.position;
	}
}

static void begin_job(struct builder *b, const struct fs_job *job, const char *partition, const char *qos)
{
	*b = (struct builder){ .len = 0 };
	add(b, "j\t%020llu\t", (unsigned long long)job->id);
	add_field(b, partition);
	add_field(b, qos);
	add_field(b, job->user);
	add_field(b, job->account);
	add_field(b, job->state);
}

/* A line for each row of its priority; one without numbers where it has none. */
static int gather_job(const struct jobs *j, uint32_t row, line_fn fn, void *ctx)
{
	const fs_snapshot *s = j->eval.snapshot;
	const fs_prios *p = j->eval.prios;
	struct fs_prio_row prio;
	struct fs_job job;
	struct builder b;
	int rc = 0;

	fs_snapshot_job(s, row, &job);
	const size_t first = j->first[row];

	if (first == FS_NO_ROW) {
		const char *partition = fs_job_partition(s, row, 0), *qos = fs_job_qos(s, row, 0);

		begin_job(&b, &job, partition ? partition : "", qos ? qos : "");
		return pass_line(&b, fn, ctx);
	}
	for (size_t i = first; i < fs_prios_count(p) && fs_prios_job_row(p, i) == row && !rc; i++) {
		fs_prios_row(p, i, &prio);
		begin_job(&b, &job, prio.partition, prio.qos);
		add_value(&b, "priority", prio.priority);
		add_value(&b, "position", j->position[row] ? j->position[row] : (double)NAN);
		for (size_t t = 0; t < fs_prios_terms(p) && !prio.direct; t++)
			add_value(&b, prio.terms[t].name, prio.terms[t].points);
		rc = pass_line(&b, fn, ctx);
	}
	return rc;
}

static int gather_jobs(const fs_snapshot *s, const struct fs_view *view, line_fn fn, void *ctx,
		       struct fs_error *err)
{
	const size_t n = fs_snapshot_info(s)->jobs;
	struct jobs j = { .position = calloc(n + 1, sizeof(*j.position)), .first = malloc((n + 1) * sizeof(*j.first)) };
	bool *seen = calloc(n + 1, sizeof(*seen));
	int rc = FS_ENOMEM;

	if (!j.position || !j.first || !seen)
		*err = (struct fs_error){ .code = FS_ENOMEM, .message = "out of memory" };
	else
		rc = fs_eval_compute(s, view, threads_run, NULL, &j.eval, err);
	if (!rc) {
		find_positions(&j);
		find_first(&j, n);
		fs_snapshot_visible_jobs(s, view->viewer, seen);
		for (uint32_t i = 0; i < n && !rc; i++)
			rc = seen[i] ? gather_job(&j, i, fn, ctx) : 0;
		fs_eval_release(&j.eval);
	}
	free(j.position);
	free(j.first);
	free(seen);
	return rc;
}

int lines_gather(const fs_snapshot *s, const struct fs_view *view, unsigned which, line_fn fn, void *ctx,
		 struct fs_error *err)
{
	const int rc = which & LINES_OF_SHARES ? gather_shares(s, view, fn, ctx, err) : 0;

	return !rc && which & LINES_OF_JOBS ? gather_jobs(s, view, fn, ctx, err) : rc;
}
