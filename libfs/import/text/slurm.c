#include "base/hostlist.h"
#include "import/text/tables.h"

#include <stdio.h>
#include <string.h>

/* Reads squeue, in any format. Each job becomes a line of `Key=Value` in the form of scontrol, with only the keys that
 * are known. */

/* The ways in which the cells of a column are read. USER_CELL, ACCOUNT_CELL, PARTITION_CELL, QOS_CELL: as a name; a cut
 * name is completed if possible. COMPLETE_CELL, COMPLETE_TEXT: a cut text ends with +; COMPLETE_TEXT has _ for blanks.
 * Other COMPLETE_...: the value is unknown if the cell may be cut. */
enum cell_form {
	USER_CELL = TEXT_USERS,
	ACCOUNT_CELL = TEXT_ACCOUNTS,
	PARTITION_CELL = TEXT_PARTITIONS,
	QOS_CELL = TEXT_QOSES,
	STATE_CELL = TEXT_NAME_KINDS,
	LIMIT_CELL,
	DIGITS_CELL,
	WORD_CELL,
	COMPLETE_CELL,
	COMPLETE_WORD,
	COMPLETE_DIGITS,
	COMPLETE_TRES,
	COMPLETE_TEXT
};

/* Indices in squeue_columns. write_job_line writes JobName= and UserId= even if their values are unknown, because the
 * value of JobName= ends at UserId=. */
enum squeue_field { F_NAME, F_USER, F_STATE, F_REASON, F_PRIORITY, F_TRES, F_ASSOC, F_PARTITION, F_NODELIST };

/* Columns of squeue and the corresponding keys of scontrol. */
static const struct {
	const char *column, *key;
	enum cell_form form;
} squeue_columns[] = {
	{ "NAME", "JobName", COMPLETE_CELL },
	{ "USER", "UserId", USER_CELL },
	{ "STATE", "JobState", STATE_CELL },
	{ "REASON", "Reason", COMPLETE_TEXT },
	{ "PRIORITY", "Priority", COMPLETE_DIGITS },
	{ "TRES_ALLOC", "TRES", COMPLETE_TRES },
	{ "ASSOC_ID", NULL, DIGITS_CELL },
	{ "PARTITION", "Partition", PARTITION_CELL },
	{ "NODELIST", "NodeList", COMPLETE_WORD },
	{ "NICE", "Nice", WORD_CELL },
	{ "ACCOUNT", "Account", ACCOUNT_CELL },
	{ "QOS", "QOS", QOS_CELL },
	{ "TIME", "RunTime", LIMIT_CELL },
	{ "TIME_LIMIT", "TimeLimit", LIMIT_CELL },
	{ "SUBMIT_TIME", "SubmitTime", WORD_CELL },
	{ "ELIGIBLE_TIME", "EligibleTime", WORD_CELL },
	{ "ACCRUE_TIME", "AccrueTime", WORD_CELL },
	{ "START_TIME", "StartTime", WORD_CELL },
	{ "END_TIME", "EndTime", WORD_CELL },
	{ "NODES", "NumNodes", WORD_CELL },
	{ "CPUS", "NumCPUs", WORD_CELL },
	{ "TASKS", "NumTasks", WORD_CELL },
	{ "OVER_SUBSCRIBE", "OverSubscribe", WORD_CELL },
	{ "DEPENDENCY", "Dependency", COMPLETE_WORD },
	{ "RESERVATION", "Reservation", COMPLETE_WORD },
	{ "FEATURES", "Features", COMPLETE_WORD },
	{ "LICENSES", "Licenses", COMPLETE_WORD },
	{ "REQ_NODES", "ReqNodeList", COMPLETE_WORD },
	{ "EXC_NODES", "ExcNodeList", COMPLETE_WORD },
	{ "SCHEDNODES", "SchedNodeList", COMPLETE_WORD },
};
enum {
	SQUEUE_COLUMNS = sizeof(squeue_columns) / sizeof(*squeue_columns),
	F_ARRAY_JOB = SQUEUE_COLUMNS,
	F_ARRAY_TASKS,
	SQUEUE_FIELDS
};

/* A name that may have been cut and could not be completed. */
struct cut_name {
	uint32_t row, no; /* row: the job's row in squeue_jobs.m; no: line number in the paste */
	size_t field;
};

struct squeue_jobs {
	struct fsi_text *t;
	struct fsi_text_merge m;
	/* rows that name an array task or a het-job component, but have no job ID */
	struct fsi_text_skipped without_id;
	FSI_VEC(struct cut_name) cut;
};

static bool has_only_digits(struct fsi_span v)
{
	for (size_t i = 0; i < v.len; i++)
		if (v.s[i] < '0' || v.s[i] > '9')
			return false;
	return v.len > 0;
}

/* Returns the text with underscores instead of blanks. */
static struct fsi_span replace_blanks(struct fsi_text *t, struct fsi_span v)
{
	char *s = fsi_arena_strndup(&t->arena, v.s, v.len);

	for (size_t i = 0; s && i < v.len; i++)
		if (s[i] == ' ')
			s[i] = '_';
	return (struct fsi_span){ s, s ? v.len : 0 };
}

/* Returns the row of the job; UINT32_MAX: out of memory; UINT32_MAX - 1: the job ID is unknown. Contents of a cell
 * JOBID:
 *   7          a job ID
 *   7_[1-4%2]  all pending tasks of array 7; their record has the ID of the array, 7
 *   7_1, 7+1   an array task and a het-job component, whose own job IDs are unknown
 * If the job has a cell JOBID that is not only a number, sets *array to its text. */
static uint32_t get_squeue_row(struct squeue_jobs *q, const struct fsi_text_table *table, size_t r,
			       struct fsi_span *array)
{
	struct fsi_span id = { NULL, 0 };

	*array = id;
	for (size_t c = 0; c < table->columns; c++) {
		struct fsi_span v = table->cell[r * table->columns + c], base;

		if (strcmp(table->name[c], "JOBID") != 0)
			continue;
		if (has_only_digits(v)) {
			id = v;
			continue;
		}
		*array = v;
		fsi_span_cut_part(&v, '_', &base);
		if (!id.len && has_only_digits(base) && v.len && *v.s == '[')
			id = base;
	}
	if (!id.len) {
		fsi_text_count_skipped(&q->without_id, table->no[r]);
		return UINT32_MAX - 1;
	}
	return fsi_text_merge_add_row(&q->m, id, table->no[r]);
}

static void set_array_fields(struct squeue_jobs *q, uint32_t row, struct fsi_span array, uint32_t no)
{
	struct fsi_span base;

	if (!fsi_span_cut_part(&array, '_', &base) || !array.s || !has_only_digits(base))
		return;
	fsi_text_merge_set_field(&q->m, row, F_ARRAY_JOB, "JOBID", base, no);
	if (array.len > 2 && *array.s == '[' && array.s[array.len - 1] == ']' && !memchr(array.s, '.', array.len))
		array = (struct fsi_span){ array.s + 1, array.len - 2 };
	else if (!has_only_digits(array))
		return;
	fsi_text_merge_set_field(&q->m, row, F_ARRAY_TASKS, "JOBID", array, no);
}

/* Sets the reason or the node list of a job. The cell contains either a reason like "(Priority)" or a list of nodes. */
static void set_nodes_or_reason(struct squeue_jobs *q, uint32_t row, struct fsi_span v, uint32_t no)
{
	if (v.len > 2 && *v.s == '(' && v.s[v.len - 1] == ')')
		fsi_text_merge_set_field(&q->m, row, F_REASON, "REASON",
					 replace_blanks(q->t, (struct fsi_span){ v.s + 1, v.len - 2 }), no);
	else if (v.len && *v.s != '(' && v.s[v.len - 1] != '.')
		fsi_text_merge_set_field(&q->m, row, F_NODELIST, "NODELIST", v, no);
}

static bool has_char(struct fsi_span v, char c)
{
	return v.len && memchr(v.s, c, v.len);
}

/* Returns the value of the cell, or an empty span if the value is unknown or not valid for the column. */
static struct fsi_span get_cell_value(struct squeue_jobs *q, enum cell_form cells, struct fsi_span v, bool cut)
{
	static const struct fsi_span none = { NULL, 0 };

	if (cells < STATE_CELL)
		v = fsi_text_complete_name(q->t, (enum fsi_text_name)cells, v, cut);
	else if (cells == STATE_CELL)
		return fsi_text_expand_state(v);
	else if (cells == LIMIT_CELL)
		v = fsi_text_format_limit(q->t, v);
	else if (cells == COMPLETE_CELL || cells == COMPLETE_TEXT)
		v = fsi_text_mark_cut(q->t, v, cut || (v.len && v.s[v.len - 1] == ','));
	else if (cells > COMPLETE_CELL && cut)
		return none;
	switch (cells) {
	case USER_CELL:
	case COMPLETE_CELL:
		return v;
	case COMPLETE_TEXT:
		return replace_blanks(q->t, v);
	case DIGITS_CELL:
	case COMPLETE_DIGITS:
		return has_only_digits(v) ? v : none;
	case COMPLETE_TRES:
		return has_char(v, ' ') ? none : v;
	default:
		return has_char(v, ' ') || has_char(v, '=') ? none : v;
	}
}

static int set_squeue_cell(struct squeue_jobs *q, uint32_t row, const char *name, struct fsi_span v, bool cut,
			   uint32_t no)
{
	const char *column = strcmp(name, "ST") ? name : "STATE";

	if (!strcmp(name, "NODELIST(REASON)"))
		set_nodes_or_reason(q, row, v, no);
	for (size_t k = 0; k < SQUEUE_COLUMNS; k++) {
		struct fsi_span value;

		if (strcmp(column, squeue_columns[k].column) != 0)
			continue;
		value = get_cell_value(q, squeue_columns[k].form, v, cut);
		fsi_text_merge_set_field(&q->m, row, k, name, value, no);
		if (!cut || !value.len || value.s[value.len - 1] != '+' || squeue_columns[k].form >= STATE_CELL)
			continue;
		if (FSI_VEC_RESERVE(&q->cut))
			return fsi_fail_no_memory(q->t->err);
		q->cut.v[q->cut.n++] = (struct cut_name){ row, no, k };
	}
	return 0;
}

/* Warns of names whose complete form is unknown. in_scontrol[row]: scontrol also printed the job in that row. */
static int warn_cut_names(struct squeue_jobs *q, const bool *in_scontrol)
{
	int rc = 0;

	for (size_t k = 0; k < SQUEUE_COLUMNS && !rc; k++) {
		struct fsi_text_skipped skipped = { .n = 0 };

		for (size_t i = 0; i < q->cut.n; i++) {
			const struct cut_name *c = &q->cut.v[i];

			const struct fsi_span v = q->m.v[c->row * SQUEUE_FIELDS + k];

			if (c->field == k && !in_scontrol[c->row] && v.len && v.s[v.len - 1] == '+')
				fsi_text_count_skipped(&skipped, c->no);
		}
		rc = fsi_text_warn_skipped(
			q->t, &skipped, squeue_columns[k].column,
			"the name may be truncated; use a wider column (squeue -O)");
	}
	return rc;
}

/* Columns of sacct, and the columns of squeue with the same values. */
static const struct {
	const char *sacct, *squeue;
} sacct_columns[] = {
	{ "JobID", "JOBID" },	     { "JobName", "NAME" },	  { "Partition", "PARTITION" },
	{ "User", "USER" },	     { "Account", "ACCOUNT" },	  { "State", "STATE" },
	{ "AllocCPUS", "CPUS" },     { "ReqCPUS", "CPUS" },	  { "NCPUS", "CPUS" },
	{ "NNodes", "NODES" },	     { "Submit", "SUBMIT_TIME" }, { "Eligible", "ELIGIBLE_TIME" },
	{ "Start", "START_TIME" },   { "End", "END_TIME" },	  { "Elapsed", "TIME" },
	{ "Timelimit", "TIME_LIMIT" }, { "NodeList", "NODELIST" }, { "QOS", "QOS" },
	{ "Reason", "REASON" },	     { "Priority", "PRIORITY" },
};

/* Gives the columns of a table of sacct the names of squeue's columns. */
static void rename_sacct_columns(struct fsi_text_table *table)
{
	for (size_t c = 0; c < table->columns; c++)
		for (size_t i = 0; i < sizeof(sacct_columns) / sizeof(*sacct_columns); i++)
			if (!strcmp(table->name[c], sacct_columns[i].sacct)) {
				snprintf(table->name[c], sizeof(table->name[c]), "%s", sacct_columns[i].squeue);
				break;
			}
}

/* If the table shows another state of the job than an earlier table, removes the values that the job had in that
 * state. */
static void drop_values_of_old_state(struct squeue_jobs *q, uint32_t row, const struct fsi_text_table *table, size_t r)
{
	static const char *const columns[] = { "REASON", "NODELIST", "TIME", "START_TIME", "END_TIME" };
	struct fsi_span *v = q->m.v + row * SQUEUE_FIELDS, state = fsi_text_find_cell(table, r, "ST");

	if (!state.len)
		state = fsi_text_find_cell(table, r, "STATE");
	state = fsi_text_expand_state(state);
	if (!state.len || !v[F_STATE].len || fsi_span_equals(state, v[F_STATE]))
		return;
	for (size_t k = 0; k < SQUEUE_COLUMNS; k++)
		for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
			if (!strcmp(squeue_columns[k].column, columns[i]))
				v[k] = (struct fsi_span){ NULL, 0 };
}

static int read_squeue_table(struct squeue_jobs *q, struct fsi_text_piece *p)
{
	const struct fsi_text_table *table = p->table;

	for (size_t r = 0; r < table->rows; r++) {
		struct fsi_span array;
		uint32_t row;

		if (p->kind == TEXT_SACCT && has_char(fsi_text_find_cell(table, r, "JOBID"), '.'))
			continue; /* a step */
		row = get_squeue_row(q, table, r, &array);

		if (row == UINT32_MAX)
			return fsi_fail_no_memory(q->t->err);
		if (row == UINT32_MAX - 1) {
			fsi_text_count_unparsed(p, table->no[r]);
			continue;
		}
		p->imported++;
		drop_values_of_old_state(q, row, table, r);
		set_array_fields(q, row, array, table->no[r]);
		for (size_t c = 0; c < table->columns; c++)
			if (set_squeue_cell(q, row, table->name[c], table->cell[r * table->columns + c],
					    table->cut[r * table->columns + c], table->no[r]))
				return FS_ENOMEM;
	}
	return 0;
}

/* ---- squeue --json */

/* Members of a job, and the columns of squeue with the same values. */
static const struct {
	const char *member, *column;
} job_members[] = {
	{ "job_state", "STATE" }, { "state_reason", "REASON" }, { "user_name", "USER" }, { "account", "ACCOUNT" },
	{ "partition", "PARTITION" }, { "qos", "QOS" }, { "name", "NAME" }, { "priority", "PRIORITY" }, { "nice", "NICE" },
	{ "node_count", "NODES" }, { "cpus", "CPUS" }, { "tasks", "TASKS" }, { "nodes", "NODELIST" }, { "dependency", "DEPENDENCY" },
	{ "features", "FEATURES" }, { "licenses", "LICENSES" },
};

/* Copies the text or number of a member. A number may be in an object, {"set": true, "number": 12}; a text may be in a
 * list, ["PENDING"]. */
static struct fsi_span copy_json_value(struct fsi_text *t, const struct fsi_json *v)
{
	char digits[32];
	struct fsi_span s = { digits, 0 };
	int64_t n;

	if (v && fsi_json_get_type(v) == FSI_JARRAY)
		v = fsi_json_first_child(v);
	if (v && fsi_json_get_type(v) == FSI_JOBJECT) {
		const struct fsi_json *set = fsi_json_find_member(v, "set");

		v = set && !fsi_json_get_bool(set) ? NULL : fsi_json_find_member(v, "number");
	}
	if (v && fsi_json_get_string(v))
		s = (struct fsi_span){ fsi_json_get_string(v), fsi_json_get_string_len(v) };
	else if (v && !fsi_json_get_i64(v, &n))
		s.len = (size_t)snprintf(digits, sizeof(digits), "%lld", (long long)n);
	s.len = fsi_text_is_redacted(s) ? 0 : s.len;
	s.s = fsi_arena_strndup(&t->arena, s.s, s.len);
	return s.s ? s : (struct fsi_span){ NULL, 0 };
}

struct json_jobs {
	struct squeue_jobs *q;
	struct fsi_text_piece *p;
};

static int read_json_job(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct json_jobs *j = ctx;
	struct fsi_text *t = j->q->t;
	const size_t i = j->p->begin + (where.line ? (size_t)where.line - 1 : 0);
	const uint32_t no = t->lines.v[i < j->p->end ? i : j->p->begin].no;
	const struct fsi_span id = copy_json_value(t, fsi_json_find_member(v, "job_id"));
	uint32_t row;
	int rc = 0;

	(void)depth;
	if (!has_only_digits(id) || fsi_span_is_word(id, "0"))
		return 0;
	row = fsi_text_merge_add_row(&j->q->m, id, no);
	if (row == UINT32_MAX)
		return fsi_fail_no_memory(t->err);
	for (size_t k = 0; k < sizeof(job_members) / sizeof(*job_members) && !rc; k++)
		rc = set_squeue_cell(j->q, row, job_members[k].column,
				     copy_json_value(t, fsi_json_find_member(v, job_members[k].member)), false, no);
	j->p->imported++;
	return rc;
}

static int read_squeue_json(struct squeue_jobs *q, struct fsi_text_piece *p)
{
	struct json_jobs j = { q, p };

	return fsi_text_read_json(q->t, p, read_json_job, &j);
}

/* ---- jobs that scontrol also printed: scontrol's record is used, because it has more fields; the row of squeue is
 * compared with scontrol's record */

static struct fsi_span get_record_value(struct fsi_span line, const char *key)
{
	const size_t n = strlen(key);
	struct fsi_span word;

	while (fsi_span_cut_part(&line, ' ', &word))
		if (word.len >= n && !memcmp(word.s, key, n))
			return fsi_span_skip_bytes(word, n);
	return (struct fsi_span){ NULL, 0 };
}

static void compare_job_field(struct squeue_jobs *q, uint32_t row, size_t field, const char *name,
			      struct fsi_span value, uint32_t no)
{
	if (q->m.v[row * SQUEUE_FIELDS + field].len && value.len)
		fsi_text_merge_set_field(&q->m, row, field, name, value, no);
}

/* Marks the rows of jobs that scontrol also printed. Counts a conflict in q->m if the state or priority in a row
 * differs from the value that scontrol printed. */
static void mark_scontrol_jobs(struct squeue_jobs *q, bool *in_scontrol)
{
	const struct fsi_text_file *f = fsi_text_find_file(q->t, "scontrol_job_o.txt");

	for (size_t i = 0; f && i < f->lines.n; i++) {
		const struct fsi_span line = { f->lines.v[i].s, f->lines.v[i].len },
				      id = get_record_value(line, "JobId=");
		const uint32_t row = fsi_text_merge_find_row(&q->m, id);

		if (row == UINT32_MAX)
			continue;
		in_scontrol[row] = true;
		compare_job_field(q, row, F_STATE, "state", get_record_value(line, "JobState="), f->lines.v[i].no);
		compare_job_field(q, row, F_PRIORITY, "priority", get_record_value(line, "Priority="),
				  f->lines.v[i].no);
	}
}

struct job_line {
	char text[4096];
	size_t n;
};

static void append_key_value(struct job_line *o, const char *key, struct fsi_span v)
{
	const int n = snprintf(o->text + o->n, sizeof(o->text) - o->n, "%s%s=%.*s", o->n ? " " : "", key, (int)v.len, v.s ? v.s : "");

	if (n > 0 && (size_t)n < sizeof(o->text) - o->n)
		o->n += (size_t)n;
	else
		o->text[o->n] = '\0'; /* drops a value that is too long to be valid */
}

static void append_known_value(struct job_line *o, const char *key, struct fsi_span v)
{
	if (v.len && !fsi_span_is_word(v, "N/A") && !fsi_span_is_word(v, "INVALID") && !fsi_span_is_word(v, "NOT_SET"))
		append_key_value(o, key, v);
}

static int write_job_line(struct squeue_jobs *q, uint32_t row)
{
	const struct fsi_span *v = q->m.v + row * SQUEUE_FIELDS;
	struct job_line o = { .n = 0 };

	append_key_value(&o, "JobId", q->m.key[row]);
	append_known_value(&o, "ArrayJobId", v[F_ARRAY_JOB]);
	append_known_value(&o, "ArrayTaskId", v[F_ARRAY_TASKS]);
	for (size_t k = 0; k <= F_USER; k++)
		append_key_value(&o, squeue_columns[k].key, v[k]);
	for (size_t k = F_STATE; k < SQUEUE_COLUMNS; k++)
		if (squeue_columns[k].key)
			append_known_value(&o, squeue_columns[k].key, v[k]);
	return fsi_text_add_line(q->t, "scontrol_job_o.txt", (struct fsi_span){ o.text, o.n }, q->m.no[row]);
}

/* Writes squeue_O.txt with the association IDs of all jobs. Every job must be listed: the importer removes jobs that
 * are not in this file (fsi_slurm_drop_unlisted_jobs). */
static int write_association_ids(struct squeue_jobs *q)
{
	static const char heading[] = "JOBID               ASSOC_ID ";
	const struct fsi_text_file *f = fsi_text_find_file(q->t, "scontrol_job_o.txt");
	int rc = fsi_text_add_line(q->t, "squeue_O.txt", (struct fsi_span){ heading, sizeof(heading) - 1 }, 0);

	f = fsi_text_find_file(q->t, "scontrol_job_o.txt");
	for (size_t i = 0; f && i < f->lines.n && !rc; i++) {
		const struct fsi_span line = { f->lines.v[i].s, f->lines.v[i].len },
				      id = get_record_value(line, "JobId=");
		const uint32_t row = fsi_text_merge_find_row(&q->m, id);
		struct fsi_span assoc = { "", 0 };
		char text[80];

		if (row != UINT32_MAX && q->m.v[row * SQUEUE_FIELDS + F_ASSOC].len)
			assoc = q->m.v[row * SQUEUE_FIELDS + F_ASSOC];
		snprintf(text, sizeof(text), "%-20.*s%.*s ", (int)id.len, id.s, (int)assoc.len, assoc.s);
		if (id.len)
			rc = fsi_text_add_line(q->t, "squeue_O.txt", fsi_string_to_span(text), f->lines.v[i].no);
		f = fsi_text_find_file(q->t, "scontrol_job_o.txt");
	}
	return rc;
}

/* Returns true if an output in the paste has the real IDs of associations. sshare prints no IDs; associations that were
 * read from sshare have made-up IDs. */
static bool has_association_ids(const struct fsi_text *t)
{
	for (size_t i = 0; i < t->pieces.n; i++)
		if (t->pieces.v[i].kind == TEXT_ASSOC || t->pieces.v[i].kind == TEXT_ASSOC_MGR)
			return true;
	return false;
}

static int write_squeue_jobs(struct squeue_jobs *q)
{
	bool *in_scontrol = calloc(q->m.n + 1, sizeof(*in_scontrol)), any_id = false;
	int rc = in_scontrol ? 0 : fsi_fail_no_memory(q->t->err);

	if (!rc)
		mark_scontrol_jobs(q, in_scontrol);
	for (uint32_t row = 0; row < q->m.n && !rc; row++) {
		any_id = any_id || q->m.v[row * SQUEUE_FIELDS + F_ASSOC].len;
		if (!in_scontrol[row] && q->m.v[row * SQUEUE_FIELDS + F_STATE].len)
			rc = write_job_line(q, row);
	}
	rc = rc ? rc : warn_cut_names(q, in_scontrol);
	free(in_scontrol);
	return rc || !any_id || !has_association_ids(q->t) ? rc : write_association_ids(q);
}

/* ---- pending jobs that sprio lists: if no other output shows a job's partitions, the partitions are taken from the
 * job's rows in sprio */

/* Returns true if PriorityFlags has CALCULATE_RUNNING: then sprio also lists running jobs. */
static bool has_calculate_running(const struct fsi_text *t)
{
	const struct fsi_text_file *f = fsi_text_find_file(t, "scontrol_config.txt");

	for (size_t i = 0; f && i < f->lines.n; i++)
		if (!strncmp(f->lines.v[i].s, "PriorityFlags", 13) && strstr(f->lines.v[i].s, "CALCULATE_RUNNING"))
			return true;
	return false;
}

static struct fsi_span get_sprio_partition(struct fsi_text *t, const struct fsi_text_table *table, size_t r)
{
	for (size_t c = 0; c < table->columns; c++)
		if (!strcmp(table->name[c], "PARTITION") &&
		    !fsi_text_is_number(table->cell[r * table->columns + c], true))
			return fsi_text_complete_name(t, TEXT_PARTITIONS, table->cell[r * table->columns + c],
						      table->cut[r * table->columns + c]);
	return (struct fsi_span){ "", 0 };
}

static int add_sprio_table_jobs(struct squeue_jobs *q, const struct fsi_text_table *table, bool all_pending,
				struct fsi_span *partitions, size_t n)
{
	static const struct fsi_span pending = { "PENDING", 7 };

	for (size_t r = 0; r < table->rows; r++) {
		const struct fsi_span id = fsi_text_find_cell(table, r, "JOBID");
		const uint32_t no = table->no[r];
		uint32_t row;

		if (!has_only_digits(id))
			continue;
		row = fsi_text_merge_add_row(&q->m, id, no);
		if (row == UINT32_MAX)
			return fsi_fail_no_memory(q->t->err);
		if (all_pending && !q->m.v[row * SQUEUE_FIELDS + F_STATE].len)
			fsi_text_merge_set_field(&q->m, row, F_STATE, "state", pending, no);
		for (size_t c = 0; c < table->columns; c++) {
			const char *name = !strcmp(table->name[c], "QOSNAME") ? "QOS" : table->name[c];
			const bool cut = table->cut[r * table->columns + c];

			if ((!strcmp(name, "USER") || !strcmp(name, "ACCOUNT") ||
			     (!strcmp(name, "QOS") && name != table->name[c])) &&
			    set_squeue_cell(q, row, name, table->cell[r * table->columns + c], cut, no))
				return FS_ENOMEM;
		}
		if (row < n)
			partitions[row] =
				fsi_text_append_name(q->t, partitions[row], get_sprio_partition(q->t, table, r));
	}
	return 0;
}

static int add_sprio_jobs(struct squeue_jobs *q)
{
	const bool all_pending = !has_calculate_running(q->t);
	size_t n = q->m.n;
	struct fsi_span *partitions;
	int rc = 0;

	for (size_t i = 0; i < q->t->pieces.n; i++)
		n += q->t->pieces.v[i].kind == TEXT_SPRIO ? q->t->pieces.v[i].table->rows : 0;
	partitions = calloc(n + 1, sizeof(*partitions));
	if (!partitions)
		return fsi_fail_no_memory(q->t->err);
	for (size_t i = 0; i < q->t->pieces.n && !rc; i++)
		if (q->t->pieces.v[i].kind == TEXT_SPRIO)
			rc = add_sprio_table_jobs(q, q->t->pieces.v[i].table, all_pending, partitions, n);
	for (uint32_t row = 0; row < q->m.n && !rc; row++) {
		struct fsi_span *v = &q->m.v[row * SQUEUE_FIELDS + F_PARTITION];

		if (partitions[row].len && v->len && v->s[v->len - 1] == '+')
			v->len = 0; /* sprio may have the complete names */
		if (!v->len)
			fsi_text_merge_set_field(&q->m, row, F_PARTITION, "PARTITION", partitions[row], q->m.no[row]);
	}
	free(partitions);
	return rc;
}

int fsi_text_write_queue(struct fsi_text *t)
{
	struct squeue_jobs q = { .t = t,
				 .m = { .t = t, .what = "job", .fields = SQUEUE_FIELDS, .keeps_last = true } };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++) {
		if (t->pieces.v[i].kind == TEXT_SACCT)
			rename_sacct_columns(t->pieces.v[i].table);
		if (t->pieces.v[i].kind == TEXT_SQUEUE || t->pieces.v[i].kind == TEXT_SACCT)
			rc = read_squeue_table(&q, &t->pieces.v[i]);
		else if (t->pieces.v[i].kind == TEXT_SQUEUE_JSON)
			rc = read_squeue_json(&q, &t->pieces.v[i]);
	}
	if (!rc)
		rc = add_sprio_jobs(&q);
	if (!rc && q.m.n)
		rc = write_squeue_jobs(&q);
	rc = rc ? rc
		: fsi_text_warn_skipped(
			  t, &q.without_id, "squeue",
			  "array tasks or het job components without a job id are left out; use squeue -O JobID");
	FSI_VEC_FREE(&q.cut);
	return fsi_text_merge_finish(&q.m, rc);
}

/* sprio: its tables are converted to the output of
 * `%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%n|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t`. */

static const struct fsi_span no_priority = { NULL, 0 };

enum {
	SPRIO_PARTITION = 1,
	SPRIO_PRIORITY = 4,
	SPRIO_PARTITION_POINTS = 10,
	SPRIO_NORM_PRIORITY = 15,
	SPRIO_FIELDS = 23
};

static const struct {
	const char *name;
	/* Indices of the two fields in which the value of the column may be stored. points: for points or an integer
	 * priority; factor: for a normalized factor or priority, -1: there is no such field. */
	int points, factor;
} sprio_columns[] = { { "USER", 2, 2 },	   { "ACCOUNT", 3, 3 },	  { "PRIORITY", 4, 15 }, { "SITE", 5, -1 },   { "ADMIN", 5, -1 },
		      { "AGE", 6, 16 },	   { "ASSOC", 7, 17 },	  { "FAIRSHARE", 8, 18 }, { "JOBSIZE", 9, 19 }, { "QOSNAME", 11, 11 },
		      { "QOS", 12, 21 },   { "NICE", 13, -1 },	  { "TRES", 14, 22 } };

struct sprio_rows {
	struct fsi_text *t;
	struct fsi_text_merge m;
	struct fsi_text_skipped without_name; /* rows skipped because their partition name is missing or cut */
};

static bool has_decimal_point(struct fsi_span v)
{
	return v.len && memchr(v.s, '.', v.len);
}

/* Returns true if the table is from sprio -n, which prints factors from 0 to 1 under the same headings. */
static bool has_normalised_factors(const struct fsi_text_table *table)
{
	static const char *const factors[] = { "AGE", "FAIRSHARE", "JOBSIZE", "ASSOC", "QOS" };

	for (size_t r = 0; r < table->rows; r++)
		for (size_t i = 0; i < sizeof(factors) / sizeof(*factors); i++)
			if (has_decimal_point(fsi_text_find_cell(table, r, factors[i])))
				return true;
	return false;
}

static bool is_points_value(struct fsi_span v)
{
	return v.len && fsi_text_is_number(v, true);
}

/* ---- sprio -w: its row has the weights of the factors */

static bool is_weights_row(const struct fsi_text_table *table, size_t r)
{
	return fsi_span_is_word(fsi_text_find_cell(table, r, "JOBID"), "Weights");
}

/* Writes the weights as settings of the configuration, unless the paste has the configuration. */
static int write_sprio_weights(struct fsi_text *t, const struct fsi_text_table *table, size_t r)
{
	static const char file[] = "scontrol_config.txt";
	static const char *const weights[][2] = { { "AGE", "Age" },	      { "ASSOC", "Assoc" },	  { "FAIRSHARE", "FairShare" },
						  { "JOBSIZE", "JobSize" }, { "PARTITION", "Partition" }, { "QOS", "QOS" } };
	int rc = 0;

	for (size_t c = 0; c < table->columns && !rc; c++)
		for (size_t i = 0; i < sizeof(weights) / sizeof(*weights) && !rc; i++) {
			const struct fsi_span v = table->cell[r * table->columns + c];
			char line[80];

			if (strcmp(table->name[c], weights[i][0]) != 0 || !has_only_digits(v))
				continue;
			snprintf(line, sizeof(line), "PriorityWeight%s = %.*s", weights[i][1], (int)(v.len < 20 ? v.len : 20), v.s);
			rc = fsi_text_add_line(t, file, fsi_string_to_span(line), table->no[r]);
		}
	return rc;
}

/* Writes the weights of the first output of sprio that has them. */
static int convert_sprio_weights(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc && !fsi_text_find_file(t, "scontrol_config.txt"); i++) {
		struct fsi_text_piece *p = &t->pieces.v[i];

		for (size_t r = 0; p->kind == TEXT_SPRIO && r < p->table->rows && !rc; r++)
			if (is_weights_row(p->table, r)) {
				rc = write_sprio_weights(t, p->table, r);
				p->imported++;
			}
	}
	return rc;
}

/* Sets *row to the merged row for the job and partition in row r of the table; to UINT32_MAX - 1 if the job or the
 * partition is unknown. */
static int get_sprio_row(struct sprio_rows *s, const struct fsi_text_table *table, size_t r, bool norm, uint32_t *row)
{
	const struct fsi_span id = fsi_text_find_cell(table, r, "JOBID");
	struct fsi_span name = no_priority, points = no_priority;
	struct fsi_text_row key = { .n = 0 };
	bool cut = false;
	char *copy;

	for (size_t c = 0; c < table->columns; c++)
		if (!strcmp(table->name[c], "PARTITION")) {
			const struct fsi_span v = table->cell[r * table->columns + c];

			if (is_points_value(v))
				points = v;
			else {
				name = v;
				cut = table->cut[r * table->columns + c];
			}
		}
	*row = UINT32_MAX - 1;
	name = fsi_text_complete_name(s->t, TEXT_PARTITIONS, name, cut);
	if (!id.len || !fsi_text_is_number(id, false) || !name.len) {
		fsi_text_count_skipped(&s->without_name, table->no[r]);
		return 0;
	}
	fsi_text_row_append(&key, id, "|");
	fsi_text_row_append(&key, name, "");
	copy = fsi_arena_strndup(&s->t->arena, key.text, key.n);
	*row = copy ? fsi_text_merge_add_row(&s->m, (struct fsi_span){ copy, key.n }, table->no[r]) : UINT32_MAX;
	if (*row == UINT32_MAX)
		return fsi_fail_no_memory(s->t->err);
	fsi_text_merge_set_field(&s->m, *row, 0, "JOBID", s->m.v[*row * SPRIO_FIELDS].len ? no_priority : id,
				 table->no[r]);
	fsi_text_merge_set_field(&s->m, *row, SPRIO_PARTITION, "PARTITION",
				 s->m.v[*row * SPRIO_FIELDS + SPRIO_PARTITION].len ? no_priority : name, table->no[r]);
	fsi_text_merge_set_field(&s->m, *row, norm ? 20 : SPRIO_PARTITION_POINTS, "PARTITION", points, table->no[r]);
	return 0;
}

/* Returns the value of the cell, or an empty span if the value is unknown. Completes names that were cut. A text in the
 * column TRES is unknown if the text is cut, or if the text fills the column's 20 characters and may thus be cut. */
static struct fsi_span get_factor_value(struct sprio_rows *s, const char *name, struct fsi_span v, bool cut)
{
	if (!strcmp(name, "USER"))
		return fsi_text_complete_name(s->t, TEXT_USERS, v, cut);
	if (!strcmp(name, "ACCOUNT"))
		return fsi_text_complete_name(s->t, TEXT_ACCOUNTS, v, cut);
	if (!strcmp(name, "QOSNAME"))
		return fsi_text_complete_name(s->t, TEXT_QOSES, v, cut);
	if (!strcmp(name, "TRES")) /* the TRES column has 20 characters */
		return cut || v.len >= 20 || memchr(v.s ? v.s : "", ' ', v.len) ? no_priority : v;
	return fsi_text_is_number(v, true) ? v : no_priority;
}

static int read_sprio_table(struct sprio_rows *s, struct fsi_text_piece *p)
{
	const struct fsi_text_table *table = p->table;
	const bool norm = has_normalised_factors(table);

	for (size_t r = 0; r < table->rows; r++) {
		uint32_t row;
		int rc;

		if (is_weights_row(table, r))
			continue;
		rc = get_sprio_row(s, table, r, norm, &row);
		if (rc)
			return rc;
		if (row == UINT32_MAX - 1) {
			fsi_text_count_unparsed(p, table->no[r]);
			continue;
		}
		p->imported++;
		for (size_t k = 0; k < sizeof(sprio_columns) / sizeof(*sprio_columns); k++) {
			const char *name = sprio_columns[k].name;
			const size_t c = fsi_text_find_column(table, name);
			const struct fsi_span v =
				c < table->columns ? table->cell[r * table->columns + c] : no_priority;
			const int to = (k == 2 ? has_decimal_point(v) : norm) ? sprio_columns[k].factor
									      : sprio_columns[k].points;

			if (v.len && to >= 0)
				fsi_text_merge_set_field(
					&s->m, row, (size_t)to, name,
					get_factor_value(s, name, v, table->cut[r * table->columns + c]), table->no[r]);
		}
	}
	return 0;
}

static int write_sprio_file(struct sprio_rows *s)
{
	int rc = 0;

	for (size_t row = 0; row < s->m.n && !rc; row++) {
		struct fsi_text_row l = { .n = 0 };

		for (size_t k = 0; k < SPRIO_FIELDS; k++)
			fsi_text_row_append(&l, s->m.v[row * SPRIO_FIELDS + k], k + 1 < SPRIO_FIELDS ? "|" : "");
		if (!l.full)
			rc = fsi_text_add_line(s->t, "sprio.txt", fsi_text_row_span(&l), s->m.no[row]);
	}
	return rc;
}

/* Warns of pending jobs that have no row in sprio: no other output shows whether an administrator set their
 * priority. */
static int warn_missing_priorities(struct sprio_rows *s)
{
	static const char key[] = "JobId=", pending[] = " JobState=PENDING";
	const struct fsi_text_file *f = fsi_text_find_file(s->t, "scontrol_job_o.txt");
	struct fsi_intern ids = { .count = 0 };
	size_t missing = 0;
	int rc = 0;

	for (size_t i = 0; i < s->m.n && !rc; i++)
		if (fsi_intern_add(&ids, s->m.v[i * SPRIO_FIELDS].s, s->m.v[i * SPRIO_FIELDS].len) == FSI_INTERN_FAILED)
			rc = fsi_fail_no_memory(s->t->err);
	for (size_t i = 0; f && i < f->lines.n && !rc; i++) {
		const char *line = f->lines.v[i].s, *id = line + sizeof(key) - 1;

		if (!strncmp(line, key, sizeof(key) - 1) && strstr(line, pending))
			missing += !fsi_intern_find_id(&ids, id, strcspn(id, " "));
	}
	fsi_intern_release(&ids);
	if (rc || !missing)
		return rc;
	return fsi_text_add_warning(
		s->t,
		"the text has no row of sprio for %zu pending job%s, so it is unknown whether an administrator set %s "
		"priority",
		missing, missing == 1 ? "" : "s", missing == 1 ? "its" : "their");
}

/* Converts all pasted outputs of sprio. */
static int convert_sprio_pieces(struct fsi_text *t)
{
	struct sprio_rows s = { .t = t, .m = { .t = t, .what = "priority of", .fields = SPRIO_FIELDS } };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SPRIO)
			rc = read_sprio_table(&s, &t->pieces.v[i]);
	rc = rc ? rc : write_sprio_file(&s);
	rc = rc ? rc : warn_missing_priorities(&s);
	rc = rc ? rc
		: fsi_text_warn_skipped(
			  t, &s.without_name, "sprio",
			  "rows whose partition name is missing or truncated are left out; use sprio -o \"%i %r %Y ...\"");
	return fsi_text_merge_finish(&s.m, rc);
}

/* sshare: its tables are converted to the form that the importer reads. */

static const struct fsi_span no_share = { NULL, 0 };

static const char *const sshare_columns[] = { "Account",   "User",	     "RawShares", "NormShares", "RawUsage",
					      "NormUsage", "EffectvUsage", "FairShare", "LevelFS" };
enum { SSHARE_FIELDS = sizeof(sshare_columns) / sizeof(*sshare_columns) };

struct sshare_rows {
	struct fsi_text *t;
	struct fsi_text_merge m;
};

static struct fsi_span get_account_indent(struct fsi_span account)
{
	struct fsi_span v = { account.s, 0 };

	while (v.len < account.len && v.s[v.len] == ' ')
		v.len++;
	return v;
}

/* Completes the account name and keeps its indentation. Returns an empty span if the complete name is unknown. */
static struct fsi_span complete_account_name(struct fsi_text *t, struct fsi_span v, bool cut)
{
	const struct fsi_span indent = get_account_indent(v);
	const struct fsi_span name = fsi_text_complete_name(t, TEXT_ACCOUNTS, fsi_span_skip_bytes(v, indent.len), cut);
	char *s = fsi_arena_alloc(&t->arena, indent.len + name.len + 1);

	if (!s || !name.len)
		return no_share;
	memset(s, ' ', indent.len);
	memcpy(s + indent.len, name.s, name.len);
	return (struct fsi_span){ s, indent.len + name.len };
}

/* Returns the merged row for an account and user; UINT32_MAX if out of memory. Returns UINT32_MAX - 1 for an account
 * that only a later table has: the account tree is made from the first table, so the parents of this account are
 * unknown. */
static uint32_t get_sshare_row(struct sshare_rows *s, const struct fsi_text_table *table, size_t r,
			       struct fsi_span account, struct fsi_span user, bool first)
{
	const struct fsi_span name = fsi_span_trim_blanks(account),
			      partition = fsi_text_find_cell(table, r, "Partition");
	struct fsi_text_row key = { .n = 0 };
	char *copy;

	fsi_text_row_append(&key, name, "|");
	fsi_text_row_append(&key, user, "|");
	fsi_text_row_append(&key, partition, "");
	if (!first && !user.len && fsi_text_merge_find_row(&s->m, fsi_text_row_span(&key)) == UINT32_MAX)
		return UINT32_MAX - 1;
	copy = fsi_arena_strndup(&s->t->arena, key.text, key.n);
	return copy ? fsi_text_merge_add_row(&s->m, (struct fsi_span){ copy, key.n }, table->no[r]) : UINT32_MAX;
}

static int read_sshare_table(struct sshare_rows *s, struct fsi_text_piece *p, bool first)
{
	const struct fsi_text_table *table = p->table;
	const size_t user_column = fsi_text_find_column(table, "User"),
		     account_column = fsi_text_find_column(table, "Account");

	for (size_t r = 0; r < table->rows; r++) {
		const struct fsi_span *cell = table->cell + r * table->columns;
		const bool *cut = table->cut + r * table->columns;
		struct fsi_span account, user = no_share;
		uint32_t row;

		if (account_column == table->columns)
			return 0;
		account = complete_account_name(s->t, cell[account_column], cut[account_column]);
		if (user_column < table->columns)
			user = fsi_text_complete_name(s->t, TEXT_USERS, cell[user_column], cut[user_column]);
		if (user_column < table->columns && fsi_text_is_unknown_cell(cell[user_column]))
			account.len = 0; /* the row may be that of the account or of a user */
		row = account.len ? get_sshare_row(s, table, r, account, user, first) : UINT32_MAX - 1;
		if (row == UINT32_MAX)
			return fsi_fail_no_memory(s->t->err);
		if (row == UINT32_MAX - 1) {
			fsi_text_count_unparsed(p, table->no[r]);
			continue;
		}
		p->imported++;
		fsi_text_merge_set_field(&s->m, row, 0, "Account", s->m.v[row * SSHARE_FIELDS].len ? no_share : account,
					 table->no[r]);
		fsi_text_merge_set_field(&s->m, row, 1, "User", user, table->no[r]);
		for (size_t k = 2; k < SSHARE_FIELDS; k++) {
			const size_t c = fsi_text_find_column(table, sshare_columns[k]);

			if (c < table->columns && cell[c].len && cell[c].s[cell[c].len - 1] != '+')
				fsi_text_merge_set_field(&s->m, row, k, sshare_columns[k], cell[c], table->no[r]);
		}
	}
	return 0;
}

static int write_sshare_file(struct sshare_rows *s)
{
	static const char file[] = "sshare.txt";
	bool has_values[SSHARE_FIELDS] = { false };
	struct fsi_text_row l = { .n = 0 };
	int rc = 0;

	for (size_t row = 0; row < s->m.n; row++)
		for (size_t k = 0; k < SSHARE_FIELDS; k++)
			has_values[k] = has_values[k] || s->m.v[row * SSHARE_FIELDS + k].len;
	has_values[1] = true;
	for (size_t k = 0; k < SSHARE_FIELDS; k++)
		if (has_values[k])
			fsi_text_row_append(&l, fsi_string_to_span(sshare_columns[k]), "|");
	l.n--;
	rc = fsi_text_add_line(s->t, file, fsi_text_row_span(&l), 0);
	for (size_t row = 0; row < s->m.n && !rc; row++) {
		l.n = 0;
		for (size_t k = 0; k < SSHARE_FIELDS; k++)
			if (has_values[k])
				fsi_text_row_append(&l, s->m.v[row * SSHARE_FIELDS + k], "|");
		l.n--;
		rc = fsi_text_add_line(s->t, file, fsi_text_row_span(&l), s->m.no[row]);
	}
	return rc;
}

/* Converts all pasted outputs of sshare. */
static int convert_sshare_pieces(struct fsi_text *t)
{
	struct sshare_rows s = { .t = t, .m = { .t = t, .what = "share of", .fields = SSHARE_FIELDS } };
	bool first = true;
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SSHARE) {
			rc = read_sshare_table(&s, &t->pieces.v[i], first);
			first = false;
		}
	if (!rc && s.m.n)
		rc = write_sshare_file(&s);
	return fsi_text_merge_finish(&s.m, rc);
}

/* sinfo and sacctmgr: their tables are converted to the form that the importer reads. */

static const struct fsi_span no_value = { NULL, 0 };

/* ---- sinfo: partitions that scontrol did not print */

static bool has_scontrol_partition(const struct fsi_text *t, struct fsi_span name)
{
	static const char key[] = "PartitionName=";
	const struct fsi_text_file *f = fsi_text_find_file(t, "scontrol_partition_o.txt");

	for (size_t i = 0; f && i < f->lines.n; i++) {
		const struct fsi_text_line *l = &f->lines.v[i];
		const size_t n = sizeof(key) - 1 + name.len;

		if (l->len >= n && !memcmp(l->s + sizeof(key) - 1, name.s, name.len) && (l->len == n || l->s[n] == ' '))
			return true;
	}
	return false;
}

static struct fsi_span expand_partition_state(struct fsi_span v)
{
	static const char *const words[][2] = { { "up", "UP" }, { "down", "DOWN" }, { "drain", "DRAIN" }, { "inact", "INACTIVE" } };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (fsi_span_is_word(v, words[i][0]))
			return fsi_string_to_span(words[i][1]);
	return no_value;
}

/* Writes the partition of a row of sinfo. */
static int write_sinfo_partition(struct fsi_text *t, const struct fsi_text_table *table, size_t r)
{
	struct fsi_span name = fsi_text_find_cell(table, r, "PARTITION"),
			limit = fsi_text_find_cell(table, r, "TIMELIMIT");
	const bool is_default = name.len && name.s[name.len - 1] == '*';
	const struct fsi_span state = expand_partition_state(fsi_text_find_cell(table, r, "AVAIL"));
	struct fsi_text_row l = { .n = 0 };

	name.len -= is_default;
	name = fsi_text_complete_name(t, TEXT_PARTITIONS, name,
				      table->cut[r * table->columns + fsi_text_find_column(table, "PARTITION")]);
	if (!name.len || has_scontrol_partition(t, name))
		return 0;
	fsi_text_row_append(&l, fsi_string_to_span("PartitionName="), "");
	fsi_text_row_append(&l, name, is_default ? " Default=YES State=" : " State=");
	fsi_text_row_append(&l, state, "");
	if (fsi_span_is_word(limit, "infinite"))
		fsi_text_row_append(&l, no_value, " MaxTime=UNLIMITED");
	else if (limit.len && !memchr(limit.s, ' ', limit.len)) {
		fsi_text_row_append(&l, no_value,
				    memchr(limit.s, '-', limit.len) || limit.len > 5 ? " MaxTime=" : " MaxTime=0:");
		fsi_text_row_append(&l, limit, "");
	}
	return fsi_text_add_line(t, "scontrol_partition_o.txt", fsi_text_row_span(&l), table->no[r]);
}

static int read_sinfo_table(struct fsi_text *t, struct fsi_text_piece *p)
{
	int rc = 0;

	for (size_t r = 0; r < p->table->rows && !rc; r++) {
		rc = write_sinfo_partition(t, p->table, r);
		p->imported++;
	}
	return rc;
}

/* ---- sinfo: nodes that scontrol did not print */

enum { NODE_REASON, NODE_STATE, NODE_PARTITIONS, NODE_FIELDS = 6 };

/* Columns of sinfo -N, and the keys of scontrol with the same values. */
static const struct {
	const char *column, *key;
} node_columns[NODE_FIELDS] = { [NODE_REASON] = { "REASON", " Reason=" },
				[NODE_STATE] = { "STATE", " State=" },
				[NODE_PARTITIONS] = { "PARTITION", " Partitions=" },
				{ "CPUS", " CPUTot=" },
				{ "MEMORY", " RealMemory=" },
				{ "WEIGHT", " Weight=" } };

struct sinfo_nodes {
	struct fsi_text *t;
	struct fsi_text_merge m;
	/* the row that is being read: its values, empty if they are unknown, and its line number */
	struct fsi_span value[NODE_FIELDS];
	uint32_t no;
};

/* Converts a node state from the form of sinfo to the form of scontrol; an empty span if it is unknown. Letters such as
 * * after the word are flags (src/common/slurm_protocol_defs.c: node_state_string_compact). */
static struct fsi_span expand_node_state(struct fsi_text *t, struct fsi_span v)
{
	static const char *const words[][2] = {
		{ "idle", "IDLE" },		   { "alloc", "ALLOCATED" },	      { "allocated", "ALLOCATED" },
		{ "mix", "MIXED" },		   { "mixed", "MIXED" },	      { "down", "DOWN" },
		{ "drain", "IDLE+DRAIN" },	   { "drained", "IDLE+DRAIN" },	      { "drng", "MIXED+DRAIN" },
		{ "draining", "MIXED+DRAIN" },	   { "comp", "IDLE+COMPLETING" },     { "completing", "IDLE+COMPLETING" },
		{ "resv", "IDLE+RESERVED" },	   { "reserved", "IDLE+RESERVED" },   { "maint", "IDLE+MAINTENANCE" },
		{ "plnd", "IDLE+PLANNED" },	   { "planned", "IDLE+PLANNED" },     { "fail", "IDLE+FAIL" },
		{ "unk", "UNKNOWN" },		   { "unknown", "UNKNOWN" },
	};
	static const struct {
		char letter;
		const char *flag;
	} flags[] = { { '*', "+NOT_RESPONDING" },
		      { '~', "+POWERED_DOWN" },
		      { '#', "+POWERING_UP" },
		      { '%', "+POWERING_DOWN" } };
	struct fsi_span word = v;
	struct fsi_text_row l = { .n = 0 };
	char *text;

	while (word.len && (word.s[word.len - 1] < 'a' || word.s[word.len - 1] > 'z'))
		word.len--;
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (fsi_span_is_word(word, words[i][0]))
			fsi_text_row_append(&l, fsi_string_to_span(words[i][1]), "");
	for (size_t i = 0; l.n && i < sizeof(flags) / sizeof(*flags); i++)
		if (has_char(v, flags[i].letter))
			fsi_text_row_append(&l, fsi_string_to_span(flags[i].flag), "");
	text = fsi_arena_strndup(&t->arena, l.text, l.n);
	return (struct fsi_span){ text, text ? l.n : 0 };
}

/* result of add_sinfo_node if out of memory; it differs from the -1 that fsi_hostlist_expand_each returns */
enum { NODE_NO_MEMORY = 1 };

/* Adds the values of the current row to one node. */
static int add_sinfo_node(void *ctx, const char *name, size_t len)
{
	struct sinfo_nodes *x = ctx;
	char *key = fsi_arena_strndup(&x->t->arena, name, len);
	const uint32_t row = key ? fsi_text_merge_add_row(&x->m, (struct fsi_span){ key, len }, x->no) : UINT32_MAX;
	struct fsi_span *partitions;

	if (row == UINT32_MAX)
		return NODE_NO_MEMORY;
	for (size_t k = 0; k < NODE_FIELDS; k++)
		if (k != NODE_PARTITIONS)
			fsi_text_merge_set_field(&x->m, row, k, node_columns[k].column, x->value[k], x->no);
	partitions = &x->m.v[row * NODE_FIELDS + NODE_PARTITIONS];
	if (x->value[NODE_PARTITIONS].len)
		*partitions = fsi_text_append_name(x->t, *partitions, x->value[NODE_PARTITIONS]);
	return 0;
}

/* Returns true if scontrol printed nodes; then the nodes of sinfo are not needed. */
static bool has_scontrol_nodes(const struct fsi_text *t)
{
	return fsi_text_find_file(t, "scontrol_node_o.txt") != NULL;
}

/* Reads the values of row r. In a row of several nodes, only partition, state and reason are values of each node: other
 * columns may show a range, or the value of one node. */
static void read_node_values(struct sinfo_nodes *x, const struct fsi_text_table *table, size_t r)
{
	const struct fsi_span nodes = fsi_text_find_cell(table, r, "NODES");
	const size_t column = fsi_text_find_column(table, "PARTITION");
	struct fsi_span *v = x->value;

	x->no = table->no[r];
	for (size_t k = 0; k < NODE_FIELDS; k++) {
		v[k] = fsi_text_find_cell(table, r, node_columns[k].column);
		if (k > NODE_PARTITIONS && (!fsi_span_is_word(nodes, "1") || !has_only_digits(v[k])))
			v[k] = no_value;
	}
	v[NODE_STATE] = expand_node_state(x->t, v[NODE_STATE]);
	if (fsi_span_is_word(v[NODE_REASON], "none") || fsi_span_is_word(v[NODE_REASON], "(null)"))
		v[NODE_REASON] = no_value;
	v[NODE_PARTITIONS].len -= has_char(v[NODE_PARTITIONS], '*');
	if (v[NODE_PARTITIONS].len && table->cut[r * table->columns + column])
		v[NODE_PARTITIONS] = fsi_text_complete_name(x->t, TEXT_PARTITIONS, v[NODE_PARTITIONS], true);
}

static int read_sinfo_nodes(struct sinfo_nodes *x, const struct fsi_text_table *table)
{
	const size_t column = fsi_text_find_column(table, "NODELIST");
	int rc = 0;

	for (size_t r = 0; r < table->rows && column < table->columns && !rc; r++) {
		const struct fsi_span nodes = table->cell[r * table->columns + column];
		char *list = fsi_arena_strndup(&x->t->arena, nodes.s ? nodes.s : "", nodes.len);
		/* the last column is never cut */
		const bool is_cut = column + 1 < table->columns && table->cut[r * table->columns + column];

		if (!list)
			return fsi_fail_no_memory(x->t->err);
		read_node_values(x, table, r);
		if (nodes.len && !is_cut)
			rc = fsi_hostlist_expand_each(list, FSI_MAX_HOSTS, add_sinfo_node, x) == NODE_NO_MEMORY
				     ? fsi_fail_no_memory(x->t->err)
				     : 0;
	}
	return rc;
}

static int write_sinfo_nodes(struct sinfo_nodes *x)
{
	int rc = 0;

	for (uint32_t i = 0; i < x->m.n && !rc; i++) {
		const struct fsi_span *v = x->m.v + i * NODE_FIELDS;
		struct fsi_text_row l = { .n = 0 };

		fsi_text_row_append(&l, fsi_string_to_span("NodeName="), "");
		fsi_text_row_append(&l, x->m.key[i], "");
		for (size_t k = NODE_FIELDS; k-- > 0;)
			if (v[k].len) {
				fsi_text_row_append(&l, fsi_string_to_span(node_columns[k].key), "");
				fsi_text_row_append(&l, v[k], "");
			}
		if (v[NODE_STATE].len)
			rc = fsi_text_add_line(x->t, "scontrol_node_o.txt", fsi_text_row_span(&l), x->m.no[i]);
	}
	return rc;
}

/* Writes the nodes of sinfo and their reasons. */
static int convert_sinfo_nodes(struct fsi_text *t)
{
	struct sinfo_nodes x = { .t = t, .m = { .t = t, .what = "node", .fields = NODE_FIELDS, .keeps_last = true } };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc && !has_scontrol_nodes(t); i++)
		if (t->pieces.v[i].kind == TEXT_SINFO)
			rc = read_sinfo_nodes(&x, t->pieces.v[i].table);
	if (!rc && x.m.n)
		rc = write_sinfo_nodes(&x);
	return fsi_text_merge_finish(&x.m, rc);
}

static int convert_sinfo_pieces(struct fsi_text *t)
{
	int rc = convert_sinfo_nodes(t);

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SINFO &&
		    fsi_text_find_column(t->pieces.v[i].table, "PARTITION") < t->pieces.v[i].table->columns)
			rc = read_sinfo_table(t, &t->pieces.v[i]);
	return rc;
}

/* ---- sacctmgr: its tables are written as they are, except that a cut name is completed or ends with +, and other cut
 * cells are left empty */

static const struct {
	enum fsi_text_kind kind;
	const char *file, *required_column;
} sacctmgr_tables[] = { { TEXT_QOS, "sacctmgr_qos_all.txt", "Name" },
			{ TEXT_ASSOC, "sacctmgr_assoc.txt", "ID" },
			{ TEXT_USER, "sacctmgr_user.txt", "User" },
			{ TEXT_TRES, "sacctmgr_tres.txt", "ID" } };

static int write_sacctmgr_table(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	const struct fsi_text_table *table = p->table;
	struct fsi_text_row l = { .n = 0 };
	int rc;

	for (size_t c = 0; c < table->columns; c++)
		fsi_text_row_append(&l, fsi_string_to_span(table->name[c]), c + 1 < table->columns ? "|" : "");
	rc = fsi_text_add_heading(t, file, fsi_arena_strndup(&t->arena, l.text, l.n));
	for (size_t r = 0; r < table->rows && !rc; r++) {
		l = (struct fsi_text_row){ .n = 0 };
		for (size_t c = 0; c < table->columns; c++) {
			struct fsi_span v = table->cell[r * table->columns + c];
			const char *name = table->name[c];

			if (table->cut[r * table->columns + c])
				v = !strcmp(name, "User") ? fsi_text_complete_name(t, TEXT_USERS, v, true)
				    : !strcmp(name, "Account") || !strcmp(name, "ParentName")
					    ? fsi_text_complete_name(t, TEXT_ACCOUNTS, v, true)
				    : !strcmp(name, "Name") ? fsi_text_mark_cut(t, v, true)
							    : no_value;
			fsi_text_row_append(&l, v, c + 1 < table->columns ? "|" : "");
		}
		if (l.full) {
			fsi_text_count_unparsed(p, table->no[r]);
			continue;
		}
		rc = fsi_text_add_line(t, file, fsi_text_row_span(&l), table->no[r]);
		p->imported++;
	}
	return rc;
}

static int convert_sacctmgr_pieces(struct fsi_text *t)
{
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n; i++)
		for (size_t k = 0; k < sizeof(sacctmgr_tables) / sizeof(*sacctmgr_tables) && !rc; k++) {
			struct fsi_text_piece *p = &t->pieces.v[i];

			if (p->kind != sacctmgr_tables[k].kind)
				continue;
			if (fsi_text_find_file(t, sacctmgr_tables[k].file))
				rc = fsi_text_add_warning(t, "line %u: a second table of %s is left out",
							  t->lines.v[p->begin].no, fsi_text_kind_name(p->kind));
			else if (fsi_text_find_column(p->table, sacctmgr_tables[k].required_column) ==
				 p->table->columns)
				rc = fsi_text_add_warning(t, "line %u: the table of %s is left out, because the column %s is missing",
							  t->lines.v[p->begin].no, fsi_text_kind_name(p->kind),
							  sacctmgr_tables[k].required_column);
			else
				rc = write_sacctmgr_table(t, p, sacctmgr_tables[k].file);
		}
	return rc;
}

/* ---- TRES, if sacctmgr did not print them: their names are in the configuration */

/* Writes the TRES in the list. Built-in TRES get the IDs that Slurm defines; other TRES get made-up IDs from 1001. */
static int write_tres_names(struct fsi_text *t, struct fsi_span list, uint32_t no)
{
	static const char *const built_in[] = { "cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages" };
	unsigned next = 1001;
	struct fsi_span full, type;
	int rc = fsi_text_add_heading(t, "sacctmgr_tres.txt", "Type|Name|ID");

	while (!rc && fsi_span_cut_part(&list, ',', &full)) {
		struct fsi_span name = fsi_span_trim_blanks(full);
		char text[300];
		unsigned id = 0;

		for (unsigned i = 0; i < sizeof(built_in) / sizeof(*built_in); i++)
			if (fsi_span_is_word(name, built_in[i]))
				id = i + 1;
		if (!fsi_span_cut_part(&name, '/', &type) || !type.len || type.len + name.len > 200)
			continue;
		snprintf(text, sizeof(text), "%.*s|%.*s|%u", (int)type.len, type.s, (int)name.len, name.s ? name.s : "", id ? id : next++);
		rc = fsi_text_add_line(t, "sacctmgr_tres.txt", fsi_string_to_span(text), no);
	}
	return rc;
}

static int convert_config_tres(struct fsi_text *t)
{
	const struct fsi_text_file *f = fsi_text_find_file(t, "scontrol_config.txt");

	for (size_t i = 0; f && !fsi_text_find_file(t, "sacctmgr_tres.txt") && i < f->lines.n; i++) {
		struct fsi_span line = { f->lines.v[i].s, f->lines.v[i].len }, key;

		if (fsi_span_cut_part(&line, '=', &key) && line.s &&
		    fsi_span_is_word(fsi_span_trim_blanks(key), "AccountingStorageTRES"))
			return write_tres_names(t, fsi_span_trim_blanks(line), f->lines.v[i].no);
	}
	return 0;
}

int fsi_text_write_tables(struct fsi_text *t)
{
	int rc = 0;

	FSI_CALL_UNTIL_ERROR(rc, struct fsi_text *, t, convert_sshare_pieces, convert_sprio_weights,
			     convert_sprio_pieces,
			     convert_sinfo_pieces, convert_sacctmgr_pieces, convert_config_tres);
	return rc;
}
