#include "columns/prio.h"

#include "render/json.h"

#include <math.h>

/* ---- terms of the priority sum */

#define TERM(m) COLUMN_MEMBER(struct fs_prio_term, m)

static const struct column prio_term_columns[] = {
	{ NULL, "factor", TERM(name), .help = "name of the factor" },
	{ NULL, "value", TERM(value), .help = "value of the factor before it is multiplied by its weight" },
	{ NULL, "weight", TERM(weight), .help = "weight of the factor" },
	{ NULL, "points", TERM(points), .help = "points that the factor adds to the priority" },
	{ NULL, "recorded", TERM(recorded),
	  .help = "true: the scheduler printed the value; false: the value is computed" },
};

void prio_write_term(struct fs_json *j, const struct fs_prio_term *t)
{
	columns_write_object(j, COLUMNS(prio_term_columns), NULL, t);
}

void prio_write_unexplained(struct fs_json *j, double points)
{
	if (points != 0)
		prio_write_term(j, &(struct fs_prio_term){ .name = "unexplained", .value = (double)NAN,
							   .weight = (double)NAN, .points = points });
}

static void write_prio_terms(struct fs_json *j, const void *of, const void *row)
{
	const struct fs_prio_row *r = row;

	fs_json_array(j);
	for (size_t t = 0; t < fs_prios_terms(((const struct prio_source *)of)->prios); t++)
		prio_write_term(j, &r->terms[t]);
	prio_write_unexplained(j, r->unexplained);
	fs_json_end_array(j);
}

/* Columns of a term whose factor was reduced by a cap. */
static const struct column capped_term_columns[] = {
	{ NULL, "factor", TERM(name), .help = "name of the factor" },
	{ NULL, "cut", TERM(cut), .help = "amount by which a cap reduced the factor" },
};

void prio_write_capped_terms(struct fs_json *j, const struct fs_prio_term *terms, size_t n)
{
	fs_json_array(j);
	for (size_t t = 0; t < n; t++)
		if (terms[t].cut != 0)
			columns_write_object(j, COLUMNS(capped_term_columns), NULL, &terms[t]);
	fs_json_end_array(j);
}

COLUMN_WRITE_JSON(write_capped_terms, struct prio_source, struct fs_prio_row,
		  prio_write_capped_terms(j, row->terms, fs_prios_terms(of->prios)))

/* ---- fair-share caps that hold a job back (Maui) */

#define CAP(m) COLUMN_MEMBER(struct fs_cap_row, m)

const struct column prio_cap_columns[PRIO_CAP_COLUMNS] = {
	{ NULL, "jobid", CAP(job), .help = "job id" },
	{ NULL, "name", CAP(job_name), .help = "the same as jobname" },
	{ NULL, "jobname", CAP(job_name), .help = "job name" },
	{ NULL, "user", CAP(user), .help = "user who submitted the job" },
	[PRIO_CAP_KIND] = { NULL, "kind", CAP(kind), .enum_name = fs_cred_kind_name,
			    .help = "kind of the credential that has the cap" },
	{ NULL, "credential", CAP(name), .help = "name of the credential" },
	{ NULL, "mode", CAP(mode), .enum_name = fs_target_mode_name,
	  .help = "unit of the cap, usage and need; cap_rel: percent, cap_abs: seconds" },
	{ NULL, "cap", CAP(cap), .help = "value of the cap" },
	{ NULL, "usage", CAP(usage), .help = "usage of the credential" },
	{ NULL, "need", CAP(need), .help = "usage that the job would add" },
};

/* ---- accrual of a job's age */

static const char *get_accrue_state_name(uint32_t state)
{
	static const char *const states[] = { "not_eligible", "ageing", "room", "waiting" };

	return states[state];
}

COLUMN_HAS_VALUE(has_accrue_limit, void, struct fs_accrue_row, row->limit)
COLUMN_HAS_VALUE(has_known_usage, void, struct fs_accrue_row, row->limit && !row->at_least)
COLUMN_HAS_VALUE(has_jobs_ahead, void, struct fs_accrue_row,
		 row->limit && row->state != FS_ACCRUE_ACCRUING && !row->at_least)

#define ACCRUE(m) COLUMN_MEMBER(struct fs_accrue_row, m)

static const struct column accrue_columns[] = {
	{ NULL, "state", ACCRUE(state), .enum_name = get_accrue_state_name,
	  .help = "state of the job's age; ageing: it grows" },
	{ NULL, "limit", ACCRUE(limit), .help = "limit on the number of jobs whose age grows" },
	{ NULL, "scope", ACCRUE(scope), .help = "QOS or account that sets the limit" },
	{ NULL, "value", ACCRUE(value), .has_value = has_accrue_limit,
	  .help = "maximum number of jobs whose age may grow" },
	{ NULL, "used", ACCRUE(used), .has_value = has_known_usage, .help = "number of jobs whose age grows" },
	{ NULL, "ahead", ACCRUE(ahead), .has_value = has_jobs_ahead,
	  .help = "number of jobs with a lower id that wait under the same limit" },
};

static void write_accrue_object(struct fs_json *j, const struct fs_accrue_row *a)
{
	if (!a) {
		fs_json_null(j);
		return;
	}
	columns_write_object(j, COLUMNS(accrue_columns), NULL, a);
}

void prio_write_accrue(struct fs_json *j, const struct fs_accrue_row *a)
{
	fs_json_key(j, "accrue");
	write_accrue_object(j, a);
}

static void write_accrue_cell(struct fs_json *j, const void *of, const void *row)
{
	const struct prio_source *s = of;
	struct fs_accrue_row a;

	if (s->accrue)
		fs_accrue_job(s->accrue, ((const struct fs_prio_row *)row)->job_row, &a);
	write_accrue_object(j, s->accrue ? &a : NULL);
}

/* ---- holds of Flux jobs */

COLUMN_GET_VALUE(get_hold_value, void, struct fs_hold_row, isinf(row->value) ? (double)NAN : row->value)

#define HOLD(m) COLUMN_MEMBER(struct fs_hold_row, m)

static const struct column hold_columns[] = {
	{ NULL, "reason", HOLD(reason), .help = "name of the dependency or of the state that holds the job" },
	{ NULL, "limit", HOLD(limit), .help = "limit that causes the hold" },
	{ NULL, "scope", HOLD(scope), .help = "bank or queue in which the user's jobs are counted" },
	{ NULL, "value", .get_value = get_hold_value, .help = "value of the limit" },
	{ NULL, "used", HOLD(used), .help = "number of jobs, or amount, in use under the limit" },
};

static void write_job_holds(struct fs_json *j, const void *of, const void *row)
{
	const struct prio_source *s = of;
	const uint32_t job_row = ((const struct fs_prio_row *)row)->job_row;

	if (!s->holds) {
		fs_json_null(j);
		return;
	}
	fs_json_array(j);
	for (size_t i = 0; i < fs_holds_count(s->holds, job_row); i++)
		columns_write_object(j, COLUMNS(hold_columns), of, fs_holds_row(s->holds, job_row, i));
	fs_json_end_array(j);
}

/* ---- columns of a priority row; each row shows a job in one partition */

/* Writes the job id in Flux's own notation; null for schedulers whose job ids are decimal numbers. */
COLUMN_WRITE_JSON(write_prio_f58, struct prio_source, struct fs_prio_row, json_write_f58_id(j, of->snapshot, row->job))
COLUMN_GET_VALUE(get_prio_cluster, struct prio_source, void, fs_snapshot_info(of->snapshot)->cluster)

static void get_tres_points(const void *of, const void *row, struct value *out)
{
	const struct prio_source *s = of;
	const struct fs_prio_row *r = row;

	out->type = VALUE_DOUBLE;
	out->number = 0;
	for (size_t t = fs_prios_find_term(s->prios, FS_FACTOR_TRES); t < fs_prios_terms(s->prios); t++)
		out->number += r->terms[t].points;
}

double prio_compute_term_factor(const struct fs_prio_term *t)
{
	return t->weight == 0 ? 0 : t->recorded && !isnan(t->value) ? t->value : t->points / t->weight;
}

COLUMN_GET_VALUE(get_term_factor, void, struct fs_prio_term, prio_compute_term_factor(row))

#define PRIO_ROW(m) COLUMN_MEMBER(struct fs_prio_row, m)
#define LETTER(l, where) .letter = l, .layouts = where
#define BOTH (PRIO_SPRIO | PRIO_FLUX)

/* Initializers of three kinds of columns that belong to a term. POINTS: the points. VALUE: the value of the term before
 * it is multiplied by the weight. FACTOR: the points divided by the weight, which sprio prints as the factor. */
#define POINTS(name, which, text) \
	{ name, NULL, TERM(points), .help = text }, .of_term = true, .factor = FS_FACTOR_##which
#define VALUE(name, which, text) { name, NULL, TERM(value), .help = text }, .of_term = true, .factor = FS_FACTOR_##which
#define FACTOR(name, which, text) \
	{ name, NULL, .get_value = get_term_factor, .unit = UNIT_FRACTION, .help = text }, \
		.of_term = true, .factor = FS_FACTOR_##which, .form = FORM_FACTOR

const struct prio_column prio_columns[] = {
	{ { "JOBID", "jobid", PRIO_ROW(job), .help = "job id" }, LETTER('i', PRIO_SPRIO), .form = FORM_JOBID },
	{ .column = { NULL, "name", PRIO_ROW(name), .help = "the same as jobname" } },
	{ .column = { NULL, "jobname", PRIO_ROW(name), .help = "job name" } },
	{ { "PARTITION", "partition", PRIO_ROW(partition),
	    .help = "partition; a job has one row for each partition that it requests" },
	  LETTER('r', PRIO_SPRIO) },
	{ { "USER", "user", PRIO_ROW(user), .help = "user who submitted the job" }, LETTER('u', BOTH) },
	{ { "ACCOUNT", "account", PRIO_ROW(account), .help = "account that is charged for the job" },
	  LETTER('o', PRIO_SPRIO),
	  .since = FS_SLURM_SPRIO_NAMES },
	{ { "QOSNAME", "qos", PRIO_ROW(qos), .help = "quality of service" },
	  LETTER('n', PRIO_SPRIO),
	  .form = FORM_NULLABLE,
	  .since = FS_SLURM_SPRIO_NAMES },
	{ { "PRIORITY", "priority", PRIO_ROW(priority), .help = "priority as the scheduler prints it" },
	  LETTER('Y', BOTH),
	  .sort = SORT_SUM },
	{ { "PRIORITY", "sum", PRIO_ROW(sum), .help = "unrounded sum of the points" },
	  LETTER('y', PRIO_SPRIO),
	  .form = FORM_OF_MAX,
	  .sort = SORT_SUM },
	{ .column = { NULL, "direct", PRIO_ROW(set_directly),
		      .help = "true: the priority was set directly, so the terms have no effect" } },
	{ .column = { NULL, "terms", .write_json = write_prio_terms, .help = "terms of the priority sum" } },
	{ .column = { NULL, "caps", .write_json = write_capped_terms, .help = "terms whose factor a cap reduced" } },
	{ .column = { NULL, "accrue", .write_json = write_accrue_cell,
		      .help = "whether the job's age grows, and the limit that can stop it" } },
	{ { "JOBID", "f58", PRIO_ROW(job), .write_json = write_prio_f58, .help = "job id in Flux's notation (f58)" },
	  LETTER('i', PRIO_FLUX),
	  .form = FORM_F58 },
	{ .column = { NULL, "state", PRIO_ROW(state), .help = "job state as the scheduler prints it" } },
	{ { "URGENCY", "urgency", PRIO_ROW(urgency),
	    .help = "urgency of the job (Flux), 0 to 31" }, LETTER('g', PRIO_FLUX) },
	{ { "REASON", "reasons", .write_json = write_job_holds, .help = "dependencies and limits that hold the job" },
	  LETTER('x', PRIO_FLUX),
	  .form = FORM_REASONS,
	  .sort = SORT_NEVER },

	{ FACTOR("AGE", AGE, "age factor"), LETTER('a', PRIO_SPRIO), .sort = SORT_POINTS },
	{ POINTS("AGE", AGE, "points of the job's age"), LETTER('A', PRIO_SPRIO) },
	{ FACTOR("ASSOC", ASSOC, "association factor"), LETTER('b', PRIO_SPRIO), .sort = SORT_NEVER },
	{ POINTS("ASSOC", ASSOC, "points of the association"), LETTER('B', PRIO_SPRIO), .sort = SORT_NEVER },
	{ FACTOR("FAIRSHARE", FAIRSHARE, "fair-share factor"), LETTER('f', PRIO_SPRIO), .sort = SORT_POINTS },
	{ POINTS("FAIRSHARE", FAIRSHARE, "points of fair share"), LETTER('F', BOTH) },
	{ FACTOR("JOBSIZE", JOBSIZE, "job size factor"), LETTER('j', PRIO_SPRIO), .sort = SORT_POINTS },
	{ POINTS("JOBSIZE", JOBSIZE, "points of the job's size"), LETTER('J', PRIO_SPRIO) },
	{ FACTOR("PARTITION", PARTITION, "partition factor"), LETTER('p', PRIO_SPRIO),
	  .sort = SORT_POINTS },
	{ POINTS("PARTITION", PARTITION, "points of the partition"), LETTER('P', PRIO_SPRIO) },
	{ FACTOR("QOS", QOS, "QOS factor"), LETTER('q', PRIO_SPRIO), .sort = SORT_POINTS },
	{ POINTS("QOS", QOS, "points of the QOS"), LETTER('Q', PRIO_SPRIO) },
	{ VALUE("NICE", NICE, "nice value, subtracted from the priority"), LETTER('N', PRIO_SPRIO) },
	{ VALUE("SITE", SITE, "site factor"), LETTER('S', PRIO_SPRIO), .sort = SORT_NEVER },
	{ { "TRES", NULL, .get_value = get_tres_points, .help = "factor of each TRES" },
	  LETTER('t', PRIO_SPRIO),
	  .form = FORM_TRES_SHARE },
	{ { "TRES", NULL, .get_value = get_tres_points, .help = "points of each TRES" },
	  LETTER('T', PRIO_SPRIO),
	  .form = FORM_TRES },
	{ { "CLUSTER", NULL, .get_value = get_prio_cluster, .help = "name of the cluster, in a federation" },
	  LETTER('c', PRIO_SPRIO),
	  .form = FORM_NULL,
	  .sort = SORT_EQUAL },
	{ { "SLUID", NULL, PRIO_ROW(sluid), .help = "Slurm's unique job id" },
	  LETTER('s', PRIO_SPRIO),
	  .since = FS_SLURM_SLUID,
	  .sort = SORT_NEVER },

	{ { "ID", NULL, PRIO_ROW(job), .help = "job id in decimal" },
	  LETTER('I', PRIO_FLUX),
	  .form = FORM_JOBID },
	{ { "BANKNAME", NULL, PRIO_ROW(account), .help = "bank that is charged for the job" }, LETTER('a', PRIO_FLUX) },
	{ { "QUEUENAME", NULL, PRIO_ROW(partition), .help = "queue of the job" }, LETTER('r', PRIO_FLUX) },
	{ VALUE("FAIRSHARE", FAIRSHARE, "fair-share factor"), LETTER('f', PRIO_FLUX), .form = FORM_DECIMAL },
	{ VALUE("BANK", BANK, "priority of the bank"), LETTER('b', PRIO_FLUX), .form = FORM_DECIMAL },
	{ POINTS("BANK", BANK, "points of the bank"), LETTER('B', PRIO_FLUX) },
	{ VALUE("QUEUE", QUEUE, "priority of the queue"), LETTER('q', PRIO_FLUX), .form = FORM_DECIMAL },
	{ POINTS("QUEUE", QUEUE, "points of the queue"), LETTER('Q', PRIO_FLUX) },
	{ POINTS("URGENCY", URGENCY, "points of the urgency"), LETTER('U', PRIO_FLUX) },

	{ .letter = '\0' },
};

void prio_get_value(const struct prio_column *c, const struct prio_source *of, const struct fs_prio_row *row,
		    struct value *out)
{
	column_get_value(&c->column, of,
			 c->of_term ? (const void *)&row->terms[fs_prios_find_term(of->prios, c->factor)] : row, out);
}

void prio_write_json_row(struct fs_json *j, const struct prio_source *of, const struct fs_prio_row *row)
{
	fs_json_object(j);
	for (const struct prio_column *c = prio_columns; c->column.help; c++)
		columns_write_members(j, &c->column, 1, of, row);
	fs_json_end_object(j);
}
