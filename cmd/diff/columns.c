#include "diff/columns.h"

#include "render/json.h"

static void write_f58(struct fs_json *j, const void *of, const void *row)
{
	json_f58_value(j, ((const struct diff_run *)of)->side[FS_AFTER].snapshot,
		       ((const struct fs_compared_job *)row)->job);
}

static void set_text(struct value *out, const char *text)
{
	out->type = VALUE_TEXT;
	out->text = text;
}

static void get_fate(const void *of, const void *row, struct value *out)
{
	(void)of;
	set_text(out, fs_fate_name(((const struct fs_compared_job *)row)->fate));
}

static void get_where(const void *of, const void *row, struct value *out)
{
	const struct fs_compared_job *j = row;

	(void)of;
	set_text(out, j->partition[*j->partition[FS_AFTER] ? FS_AFTER : FS_BEFORE]);
}

static void get_change(const void *of, const void *row, struct value *out)
{
	const struct fs_compared_job *j = row;

	(void)of;
	out->type = VALUE_NUMBER;
	out->number = j->priority[FS_AFTER] - j->priority[FS_BEFORE];
}

static void write_terms(struct fs_json *j, const void *of, const void *row)
{
	static const struct column columns[] = {
		{ NULL, "factor", COLUMN_MEMBER(struct fs_term_change, name), .help = "name of the factor" },
		{ NULL, "change", COLUMN_MEMBER(struct fs_term_change, change), .help = "of its points" },
	};
	const struct fs_compared_job *job = row;

	fs_json_array(j);
	for (size_t i = 0; i < job->nterms; i++) {
		columns_object(j, COLUMNS(columns), of, &job->terms[i]);
	}
	fs_json_end_array(j);
}

#define ONE(m) COLUMN_MEMBER(struct fs_compared_job, m)
#define EACH(m) COLUMN_MEMBER(struct fs_compared_job, m[0]), .part = DIFF_EACH

const struct column diff_job_columns[DIFF_JOB_COLUMNS] = {
	[DIFF_JOBID] = { "JOBID", "jobid", ONE(job), .help = "the job" },
	[DIFF_F58] = { NULL, "f58", .json = write_f58, .help = "the job's id as Flux writes it" },
	[DIFF_FATE] = { "WHAT", "fate", .get = get_fate, .help = "what became of it" },
	[DIFF_WHERE] = { NULL, "partition", .get = get_where, .help = "the partition, afterwards if it is there" },
	[DIFF_PARTITIONS] = { "PARTITION", "partitions", EACH(partition), .help = "the partition" },
	[DIFF_QOS] = { NULL, "qos", EACH(qos), .help = "quality of service" },
	[DIFF_USER] = { "USER", "user", ONE(user), .help = "who submitted it" },
	[DIFF_ACCOUNT] = { "ACCOUNT", "account", ONE(account), .help = "the account that is charged" },
	[DIFF_PRIORITY] = { "PRIORITY", "priority", 1, EACH(priority), .help = "its priority" },
	[DIFF_POSITION] = { NULL, "position", EACH(position), .none_at_0 = true, .help = "place among all eligible jobs" },
	[DIFF_PARTITION_POSITION] = { "PLACE", "partition_position", EACH(partition_position), .none_at_0 = true,
				      .help = "place among those of the partition" },
	[DIFF_START] = { "START", "start", EACH(start_time), .unit = UNIT_TIME, .help = "planned start" },
	[DIFF_SUM_CHANGE] = { NULL, "sum_change", ONE(sum_change), .help = "what the terms add up to" },
	[DIFF_REST_CHANGE] = { NULL, "rest_change", ONE(rest_change), .help = "what was dropped or rounded" },
	[DIFF_TERMS] = { "TERMS", "terms", .json = write_terms, .help = "by which terms the priority changed" },
	[DIFF_CHANGE] = { "CHANGE", NULL, 1, .get = get_change, .help = "of the priority" },
};

void diff_job_value(const struct column *c, const struct fs_compared_job *j, int side, struct value *out)
{
	column_element(c, c->part == DIFF_EACH ? (size_t)side : 0, NULL, j, out);
}

const struct diff_share_column diff_share_columns[DIFF_SHARE_COLUMNS] = {
	{ "SHARES", SHARE_RAW_SHARES, true, false },
	{ "NORMSHARES", SHARE_NORM_SHARES, false, true },
	{ "RAWUSAGE", SHARE_RAW_USAGE, true, false },
	{ "EFFECTVUSAGE", SHARE_EFFECTIVE_USAGE, false, false },
	{ "FAIRSHARE", SHARE_FAIRSHARE, false, false },
	{ NULL, SHARE_LEVEL_FS, false, false },
	{ "RANK", SHARE_RANK, true, false },
};

void diff_share_value(const struct diff_share_column *c, const struct fs_compared_share *s, int side, struct value *out)
{
	out->type = VALUE_NONE;
	if (s->row[side])
		column_value(&share_columns[c->column], NULL, s->row[side], out);
}
