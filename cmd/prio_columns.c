#include "prio_columns.h"

#include "render/json.h"

#include <math.h>

static void set_text(struct value *out, const char *text)
{
	out->type = VALUE_TEXT;
	out->text = text;
}

/* ---- a term */

static void get_share(const void *of, const void *row, struct value *out)
{
	const struct fs_prio_term *t = row;

	(void)of;
	out->type = VALUE_NUMBER;
	out->number = t->weight == 0 ? 0 : t->points / t->weight;
}

#define TERM(m) COLUMN_MEMBER(struct fs_prio_term, m)

const struct column prio_term_columns[TERM_COLUMNS] = {
	[TERM_FACTOR] = { NULL, "factor", TERM(name), .help = "name of the factor" },
	[TERM_VALUE] = { NULL, "value", TERM(value), .help = "of the factor, before its weight" },
	[TERM_WEIGHT] = { NULL, "weight", TERM(weight), .help = "its weight" },
	[TERM_POINTS] = { NULL, "points", TERM(points), .help = "what it adds to the priority" },
	[TERM_RECORDED] = { NULL, "recorded", TERM(recorded), .help = "the scheduler printed it, it is not computed" },
	[TERM_SHARE] = { NULL, NULL, .get = get_share, .unit = UNIT_FRACTION, .help = "points over weight" },
};

void prio_json_term(struct fs_json *j, const struct fs_prio_term *t)
{
	fs_json_object(j);
	columns_json(j, prio_term_columns, TERM_COLUMNS, NULL, t);
	fs_json_end_object(j);
}

static void write_terms(struct fs_json *j, const void *of, const void *row)
{
	const struct prio_source *s = of;
	const struct fs_prio_row *r = row;

	fs_json_array(j);
	for (size_t t = 0; t < fs_prios_terms(s->prios); t++)
		prio_json_term(j, &r->terms[t]);
	fs_json_end_array(j);
}

/* Terms whose factor a cap has cut. */
static const struct column cut_columns[] = {
	{ NULL, "factor", TERM(name), .help = "name of the factor" },
	{ NULL, "cut", TERM(cut), .help = "what the cap takes away" },
};

static void write_cuts(struct fs_json *j, const void *of, const void *row)
{
	const struct prio_source *s = of;
	const struct fs_prio_row *r = row;

	fs_json_array(j);
	for (size_t t = 0; t < fs_prios_terms(s->prios); t++) {
		if (r->terms[t].cut == 0)
			continue;
		fs_json_object(j);
		columns_json(j, COLUMNS(cut_columns), of, &r->terms[t]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

/* ---- the ageing of a job */

static void get_state(const void *of, const void *row, struct value *out)
{
	static const char *const states[] = { "not_eligible", "ageing", "room", "waiting" };

	(void)of;
	set_text(out, states[((const struct fs_accrue_row *)row)->state]);
}

static void get_limit(const void *of, const void *row, struct value *out)
{
	const struct fs_accrue_row *a = row;

	(void)of;
	set_text(out, a->limit ? a->limit : "");
}

static void set_number(struct value *out, bool known, uint64_t n)
{
	out->type = known ? VALUE_WHOLE : VALUE_NONE;
	out->whole = n;
}

static void get_limit_value(const void *of, const void *row, struct value *out)
{
	const struct fs_accrue_row *a = row;

	(void)of;
	set_number(out, a->limit, a->value);
}

static void get_limit_used(const void *of, const void *row, struct value *out)
{
	const struct fs_accrue_row *a = row;

	(void)of;
	set_number(out, a->limit, a->used);
}

static void get_jobs_ahead(const void *of, const void *row, struct value *out)
{
	const struct fs_accrue_row *a = row;

	(void)of;
	set_number(out, a->limit && a->state != FS_ACCRUE_AGEING, a->ahead);
}

static const struct column accrue_columns[] = {
	{ NULL, "state", .get = get_state, .help = "does it age" },
	{ NULL, "limit", .get = get_limit, .help = "the limit that may keep it from ageing" },
	{ NULL, "scope", COLUMN_MEMBER(struct fs_accrue_row, scope), .help = "whose limit that is" },
	{ NULL, "value", .get = get_limit_value, .help = "how many jobs may age" },
	{ NULL, "used", .get = get_limit_used, .help = "how many do" },
	{ NULL, "ahead", .get = get_jobs_ahead, .help = "jobs that age before it" },
};

static void write_ageing(struct fs_json *j, const struct fs_accrue_row *a)
{
	if (!a) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	columns_json(j, COLUMNS(accrue_columns), NULL, a);
	fs_json_end_object(j);
}

void prio_json_accrue(struct fs_json *j, const struct fs_accrue_row *a)
{
	fs_json_key(j, "accrue");
	write_ageing(j, a);
}

static void write_accrue(struct fs_json *j, const void *of, const void *row)
{
	const struct prio_source *s = of;
	struct fs_accrue_row a;

	if (s->accrue)
		fs_accrue_job(s->accrue, ((const struct fs_prio_row *)row)->job_row, &a);
	write_ageing(j, s->accrue ? &a : NULL);
}

/* ---- what holds a job back */

static void get_hold_limit(const void *of, const void *row, struct value *out)
{
	const struct fs_hold_row *h = row;

	(void)of;
	set_text(out, h->limit ? h->limit : "");
}

static void get_hold_value(const void *of, const void *row, struct value *out)
{
	const double value = ((const struct fs_hold_row *)row)->value;

	(void)of;
	out->type = VALUE_NUMBER;
	out->number = isinf(value) ? (double)NAN : value;
}

#define HOLD(m) COLUMN_MEMBER(struct fs_hold_row, m)

static const struct column hold_columns[] = {
	{ NULL, "reason", HOLD(reason), .help = "the dependency, or the scheduler's word" },
	{ NULL, "limit", .get = get_hold_limit, .help = "the limit that it stands for" },
	{ NULL, "scope", HOLD(scope), .help = "where the user's jobs are counted" },
	{ NULL, "value", .get = get_hold_value, .help = "the limit's value" },
	{ NULL, "used", HOLD(used), .help = "what counts against it" },
};

static void write_holds(struct fs_json *j, const void *of, const void *row)
{
	const struct prio_source *s = of;
	const uint32_t job_row = ((const struct fs_prio_row *)row)->job_row;

	if (!s->holds) {
		fs_json_null(j);
		return;
	}
	fs_json_array(j);
	for (size_t i = 0; i < fs_holds_count(s->holds, job_row); i++) {
		fs_json_object(j);
		columns_json(j, COLUMNS(hold_columns), of, fs_holds_row(s->holds, job_row, i));
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

/* ---- a job in a partition */

/* The jobid as the scheduler writes it, where that is not the number. */
static void write_f58(struct fs_json *j, const void *of, const void *row)
{
	json_f58_value(j, ((const struct prio_source *)of)->snapshot, ((const struct fs_prio_row *)row)->job);
}

static void get_cluster(const void *of, const void *row, struct value *out)
{
	(void)row;
	set_text(out, fs_snapshot_info(((const struct prio_source *)of)->snapshot)->cluster);
}

static void get_tres(const void *of, const void *row, struct value *out)
{
	const struct prio_source *s = of;
	const struct fs_prio_row *r = row;

	out->type = VALUE_NUMBER;
	out->number = 0;
	for (size_t t = fs_prios_find_term(s->prios, FS_FACTOR_TRES); t < fs_prios_terms(s->prios); t++)
		out->number += r->terms[t].points;
}

#define ROW(m) COLUMN_MEMBER(struct fs_prio_row, m)

const struct column prio_columns[PRIO_COLUMNS] = {
	[PRIO_JOBID] = { "JOBID", "jobid", ROW(job), .help = "the job" },
	[PRIO_NAME] = { NULL, "name", ROW(name), .help = "the job's name" },
	[PRIO_PARTITION] = { "PARTITION", "partition", ROW(partition), .help = "a job has a row for each that it asks for" },
	[PRIO_USER] = { "USER", "user", ROW(user), .help = "who submitted it" },
	[PRIO_ACCOUNT] = { "ACCOUNT", "account", ROW(account), .help = "the account that is charged" },
	[PRIO_QOS] = { "QOSNAME", "qos", ROW(qos), .help = "quality of service" },
	[PRIO_PRIORITY] = { "PRIORITY", "priority", ROW(priority), .help = "as the scheduler prints it" },
	[PRIO_SUM] = { "PRIORITY", "sum", ROW(sum), .help = "of the points, before it is cut to a whole number" },
	[PRIO_DIRECT] = { NULL, "direct", ROW(direct), .help = "an administrator set it: the terms do not count" },
	[PRIO_TERMS] = { NULL, "terms", .json = write_terms, .help = "what the sum is made of" },
	[PRIO_CAPS] = { NULL, "caps", .json = write_cuts, .help = "terms whose factor a cap has cut" },
	[PRIO_ACCRUE] = { NULL, "accrue", .json = write_accrue, .help = "does the job age" },
	[PRIO_F58] = { "JOBID", "f58", ROW(job), .json = write_f58, .help = "the job's id as Flux writes it" },
	[PRIO_STATE] = { NULL, "state", ROW(state), .help = "the scheduler's word for it" },
	[PRIO_URGENCY] = { "URGENCY", "urgency", ROW(urgency), .help = "Flux: 0 to 31" },
	[PRIO_REASONS] = { "REASON", "reasons", .json = write_holds, .help = "what holds the job back" },
	[PRIO_SLUID] = { "SLUID", NULL, ROW(sluid), .help = "Slurm's unique job id" },
	[PRIO_CLUSTER] = { "CLUSTER", NULL, .get = get_cluster, .help = "cluster, in a federation" },
	[PRIO_TRES] = { "TRES", NULL, .get = get_tres, .help = "points of all TRES" },
};
