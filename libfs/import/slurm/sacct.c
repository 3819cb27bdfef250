#include "base/json.h"
#include "base/num.h"
#include "base/text.h"
#include "import/outputs.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads usage records from sacct.json or sacct.txt. A job has one usage record for each time it ran or is running. */

/* Appends a usage record of the job. Returns NULL if out of memory. */
static struct fsi_usage *append_usage_record(struct fsi_import *imp, uint64_t id)
{
	struct fsi_usage *u;

	u = FSI_VEC_ADD(&imp->m->usage);
	if (!u)
		return NULL;
	FSI_PUT(u, USAGE, job, id);
	return u;
}

/* ---- `sacct --json` (src/plugins/data_parser)
 *
 * An object with a list "jobs". Each job has a list "steps", which is skipped. A number may be an object
 * {"set":...,"infinite":...,"number":...}. */

/* Reads an integer. Returns -1 if the value is absent, is not set, or is not an integer of 0 or more. */
static int get_json_number(const struct fsi_json *v, uint64_t *out)
{
	const struct fsi_json *set = fsi_json_find_member(v, "set");

	if (v && fsi_json_get_type(v) == FSI_JOBJECT) {
		if (set && fsi_json_get_type(set) == FSI_JBOOL && !fsi_json_get_bool(set))
			return -1;
		v = fsi_json_find_member(v, "number");
	}
	return v && fsi_json_get_type(v) == FSI_JNUMBER ? fsi_json_get_u64(v, out) : -1;
}

/* Returns the text of a string, or of the first string in a list; "" for any other value. */
static struct fsi_span get_json_text(const struct fsi_json *v)
{
	if (v && fsi_json_get_type(v) == FSI_JARRAY) /* a list with one string: "current": ["COMPLETED"] */
		v = fsi_json_first_child(v);
	if (!v || fsi_json_get_type(v) != FSI_JSTRING)
		return (struct fsi_span){ "", 0 };
	return (struct fsi_span){ fsi_json_get_string(v), strlen(fsi_json_get_string(v)) };
}

/* Writes the name of a TRES to buf, as `type` or `type/name`. Returns -1 if the name does not fit into buf or the TRES
 * has no type. */
static int format_tres_name(const struct fsi_json *item, char *buf, size_t size)
{
	const struct fsi_span type = get_json_text(fsi_json_find_member(item, "type")),
			      name = get_json_text(fsi_json_find_member(item, "name"));

	if (type.len + name.len + 2 > size || !type.len)
		return -1;
	memcpy(buf, type.s, type.len);
	buf[type.len] = '\0';
	if (name.len) {
		buf[type.len] = '/';
		memcpy(buf + type.len + 1, name.s, name.len);
		buf[type.len + name.len + 1] = '\0';
	}
	return 0;
}

static int set_json_tres(struct fsi_import *imp, struct fsi_usage *u, const struct fsi_json *list)
{
	enum { USAGE_TRES_MAX = 128 };
	struct fsi_amount amounts[USAGE_TRES_MAX];
	size_t n = 0;

	if (!list || fsi_json_get_type(list) != FSI_JARRAY)
		return 0;
	for (const struct fsi_json *v = fsi_json_first_child(list); v && n < USAGE_TRES_MAX;
	     v = fsi_json_next_sibling(v)) {
		char name[256];
		uint64_t count;

		if (get_json_number(fsi_json_find_member(v, "count"), &count) || count > INT64_MAX ||
		    format_tres_name(v, name, sizeof(name)))
			continue;
		amounts[n] = (struct fsi_amount){ fsi_name_intern(imp->m, name), 0, (int64_t)count };
		if (amounts[n].tres == FSI_INTERN_FAILED)
			return fsi_fail_no_memory(imp->err);
		n++;
	}
	FSI_PUT(u, USAGE, tres, fsi_intern_add(&imp->m->sets, amounts, n * sizeof(*amounts)));
	return u->tres == FSI_INTERN_FAILED ? fsi_fail_no_memory(imp->err) : 0;
}

static int set_time_fields(struct fsi_import *imp, struct fsi_usage *u, const struct fsi_json *time)
{
	uint64_t start = 0, end = 0, submit = 0, eligible = 0;
	const struct {
		const char *name;
		const uint64_t *value;
	} times[] = { { "submit", &submit }, { "eligible", &eligible }, { "start", &start }, { "end", &end } };

	get_json_number(fsi_json_find_member(time, "submission"), &submit);
	get_json_number(fsi_json_find_member(time, "eligible"), &eligible);
	get_json_number(fsi_json_find_member(time, "start"), &start);
	get_json_number(fsi_json_find_member(time, "end"), &end);
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
		if (*times[i].value > (uint64_t)FSI_SECONDS_MAX)
			return fsi_fail_at(imp->err, imp->where, "time",
					   "the %s time of job %llu is %llu s, which is more than the maximum of %lld s",
					   times[i].name, (unsigned long long)u->job, (unsigned long long)*times[i].value,
					   (long long)FSI_SECONDS_MAX);
	FSI_PUT(u, USAGE, start_time, (int64_t)start);
	if (submit)
		FSI_PUT(u, USAGE, submit_time, (int64_t)submit);
	if (eligible)
		FSI_PUT(u, USAGE, eligible_time, (int64_t)eligible);
	if (end)
		FSI_PUT(u, USAGE, end_time, (int64_t)end);
	return fsi_usage_check_times(u, imp->where, imp->err);
}

static int set_name_fields(struct fsi_import *imp, struct fsi_usage *u, const struct fsi_json *job)
{
	const struct fsi_json *state = fsi_json_find_member(job, "state"),
			      *association = fsi_json_find_member(job, "association");
	struct fsi_span user = get_json_text(fsi_json_find_member(job, "user"));
	uint64_t id;
	int rc;

	if (!user.len) /* before 22.05, sacct names the user only in the job's association */
		user = get_json_text(fsi_json_find_member(association, "user"));
	rc = FSI_IMPORT_SET_FIELD(imp, USAGE, u, user, user);
	if (!rc)
		rc = FSI_IMPORT_SET_FIELD(imp, USAGE, u, account, get_json_text(fsi_json_find_member(job, "account")));
	if (!rc)
		rc = FSI_IMPORT_SET_FIELD(imp, USAGE, u, partition,
					  get_json_text(fsi_json_find_member(job, "partition")));
	if (!rc)
		rc = FSI_IMPORT_SET_FIELD(imp, USAGE, u, qos, get_json_text(fsi_json_find_member(job, "qos")));
	if (!rc)
		rc = FSI_IMPORT_SET_FIELD(imp, USAGE, u, state, get_json_text(fsi_json_find_member(state, "current")));
	if (!get_json_number(fsi_json_find_member(association, "id"), &id) && id && id <= UINT32_MAX)
		FSI_PUT(u, USAGE, association, (uint32_t)id);
	return rc;
}

/* Appends a usage record for one job. Skips jobs that never started. */
static int read_job_object(void *ctx, uint32_t depth, const struct fsi_json *job, struct fsi_input_position where)
{
	struct fsi_import *imp = ctx;
	const struct fsi_json *time = fsi_json_find_member(job, "time");
	uint64_t id, start;
	struct fsi_usage *u;
	int rc;

	imp->where = where;
	if (depth != 1)
		return 0;
	if (get_json_number(fsi_json_find_member(job, "job_id"), &id))
		return fsi_fail_at(imp->err, where, "job_id", "expected an integer");
	if (get_json_number(fsi_json_find_member(time, "start"), &start) || !start)
		return 0;
	u = append_usage_record(imp, id);
	if (!u)
		return fsi_fail_no_memory(imp->err);
	rc = set_name_fields(imp, u, job);
	if (!rc)
		rc = set_time_fields(imp, u, time);
	return rc ? rc : set_json_tres(imp, u, fsi_json_find_member(fsi_json_find_member(job, "tres"), "allocated"));
}

/* Reads sacct.json. Returns 1 if the file does not exist. */
static int read_sacct_json(struct fsi_import *imp)
{
	static const char *const keys[] = { "jobs", "steps", NULL };
	const struct fsi_json_split json = { keys, NULL, read_job_object, imp };

	return fsi_import_read_json(imp, "sacct.json", &json);
}

/* ---- `sacct -a -P`, used if there is no sacct.json
 *
 * The columns are arbitrary, but must include JobIDRaw (or JobID) and Start. Jobs that never started are skipped. For
 * steps, only the column MaxRSS is used. sacct_steps.txt has further steps.
 *
 * sacct does not escape free text: a `|` in a job's name or command line adds a cell to its row. Such a row is repaired
 * by joining the surplus cells to the cell of a free-text column: the first one in free_text_columns for which the job
 * id, times, numbers and TRES of the row become valid. If there is no such column, the row is skipped. */

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Columns of free text. */
static const char *const free_text_columns[] = { "SubmitLine", "JobName", "Comment", "AdminComment", "SystemComment",
						 "WorkDir",    "StdOut",  "StdErr",  "StdIn",        "Constraints" };

/* Memory of the largest task of a job step. */
struct step_memory {
	uint64_t job;
	uint32_t mb; /* MiB, rounded up */
};

struct sacct_reader {
	struct fsi_output_reader in;
	struct fsi_buf joined; /* the row with its surplus separators replaced by blanks */
	size_t skipped_rows; /* number of rows that could not be repaired */
	FSI_VEC(struct step_memory) memory;
};

static size_t count_row_separators(struct fsi_span line)
{
	size_t n = 0;

	for (size_t i = 0; i < line.len; i++)
		n += line.s[i] == '|';
	return n;
}

static struct fsi_span get_job_id_cell(struct fsi_pipe_table *p)
{
	const struct fsi_span raw = fsi_pipe_get_cell(p, "JobIDRaw");

	return raw.s ? raw : fsi_pipe_get_cell(p, "JobID");
}

static bool is_time_cell(struct fsi_span v)
{
	int64_t t;

	return fsi_span_is_none(v) || !fsi_parse_civil_time(v.s, v.len, &t);
}

static bool is_number_cell(struct fsi_span v)
{
	uint64_t n;

	return !v.len || !fsi_parse_u64(v.s, v.len, &n);
}

static bool is_tres_cell(struct fsi_span v)
{
	return !v.len || memchr(v.s, '=', v.len);
}

/* Returns true if the job id, the times, the numbers and the TRES in the row are valid. */
static bool has_valid_cells(struct fsi_pipe_table *p)
{
	const struct fsi_span id = get_job_id_cell(p);

	return id.len && *id.s >= '0' && *id.s <= '9' && is_time_cell(fsi_pipe_get_cell(p, "Start")) &&
	       is_time_cell(fsi_pipe_get_cell(p, "End")) && is_time_cell(fsi_pipe_get_cell(p, "Submit")) &&
	       is_number_cell(fsi_pipe_get_cell(p, "AssocID")) && is_number_cell(fsi_pipe_get_cell(p, "ElapsedRaw")) &&
	       is_number_cell(fsi_pipe_get_cell(p, "UID")) && is_tres_cell(fsi_pipe_get_cell(p, "AllocTRES"));
}

/* Returns a copy of the row. In the copy, the `extra` separators that follow the first k separators are blanks. */
static struct fsi_span join_surplus_cells(struct sacct_reader *s, struct fsi_span line, size_t k, size_t extra)
{
	size_t seen = 0;

	memcpy(s->joined.v, line.s, line.len);
	for (size_t i = 0; i < line.len; i++)
		if (line.s[i] == '|' && ++seen > k && seen <= k + extra)
			s->joined.v[i] = ' ';
	return (struct fsi_span){ s->joined.v, line.len };
}

/* Splits the row into cells. Returns 1 on success, 0 if the row cannot be split reliably, -1 if out of memory. */
static int split_sacct_row(struct sacct_reader *s, struct fsi_span line)
{
	const size_t have = count_row_separators(line) + 1, want = s->in.pipe.columns;

	if (have == want || have == want + 1) { /* sacct -p ends a row with a separator */
		fsi_pipe_read_row(&s->in.pipe, line);
		if (has_valid_cells(&s->in.pipe))
			return 1;
	}
	if (have <= want)
		return 0;
	s->joined.n = 0;
	if (fsi_buf_append_bytes(&s->joined, line.s, line.len))
		return -1;
	for (size_t i = 0; i < COUNT(free_text_columns); i++) {
		const size_t k = fsi_pipe_find_column(&s->in.pipe, free_text_columns[i]);

		if (k == want)
			continue;
		fsi_pipe_read_row(&s->in.pipe, join_surplus_cells(s, line, k, have - want));
		if (has_valid_cells(&s->in.pipe))
			return 1;
	}
	return 0;
}

/* Parses the number at the beginning of a job id such as `12`, `12_3` or `12+0`, or of the id of a step, `12.batch`. */
static bool parse_job_id(struct fsi_span v, uint64_t *id)
{
	size_t n = 0;

	while (n < v.len && v.s[n] >= '0' && v.s[n] <= '9')
		n++;
	return !fsi_parse_u64(v.s, n, id);
}

/* Parses an amount of memory such as "123K" as MiB, rounded up; without a unit, the amount is in bytes. Returns 0 for an
 * amount that is invalid, too large or 0. */
static uint32_t parse_step_memory(struct fsi_span v)
{
	static const char units[] = "KMGT";
	char text[32], *end;
	const char *unit;
	double mb;

	if (!v.len || v.len >= sizeof(text))
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)v.len, v.s);
	mb = strtod(text, &end) / 1024 / 1024;
	unit = *end ? strchr(units, *end) : NULL;
	for (const char *u = units; unit && u <= unit; u++)
		mb *= 1024;
	return mb > 0 && mb < UINT32_MAX ? (uint32_t)ceil(mb) : 0;
}

/* Stores the memory in the row's column MaxRSS, if the row has one. */
static int add_step_memory(struct fsi_import *imp, struct sacct_reader *s, uint64_t id)
{
	const uint32_t mb = parse_step_memory(fsi_pipe_get_cell(&s->in.pipe, "MaxRSS"));

	if (!mb)
		return 0;
	if (FSI_VEC_RESERVE(&s->memory))
		return fsi_fail_no_memory(imp->err);
	s->memory.v[s->memory.n++] = (struct step_memory){ id, mb };
	return 0;
}

static int compare_step_memory(const void *x, const void *y)
{
	const struct step_memory *a = x, *b = y;

	return a->job != b->job ? (a->job < b->job ? -1 : 1) : (a->mb < b->mb) - (a->mb > b->mb);
}

/* Sets the memory of each job to the memory of its largest step. */
static void set_job_memory(struct fsi_import *imp, struct sacct_reader *s)
{
	const struct step_memory *v = s->memory.v;

	if (s->memory.n)
		qsort(s->memory.v, s->memory.n, sizeof(*s->memory.v), compare_step_memory);
	for (size_t i = 0; i < imp->m->usage.n && s->memory.n; i++) {
		struct fsi_usage *u = &imp->m->usage.v[i];
		size_t lo = 0, hi = s->memory.n;

		while (lo < hi) {
			const size_t mid = lo + (hi - lo) / 2;

			if (v[mid].job < u->job)
				lo = mid + 1;
			else
				hi = mid;
		}
		if (lo < s->memory.n && v[lo].job == u->job)
			FSI_PUT(u, USAGE, max_rss_mb, v[lo].mb);
	}
}

static int append_text_run(struct fsi_import *imp, struct sacct_reader *s, uint64_t id)
{
	struct fsi_span state = fsi_pipe_get_cell(&s->in.pipe, "State"), word = { "", 0 };
	struct fsi_usage *u;
	int rc;

	u = append_usage_record(imp, id);
	if (!u)
		return fsi_fail_no_memory(imp->err);
	fsi_span_cut_part(&state, ' ', &word); /* a state may have several words: "CANCELLED by 0" */
	rc = FSI_IMPORT_SET_FIELD(imp, USAGE, u, state, word);
	if (!rc)
		rc = fsi_output_set_record(&s->in, &u->rec);
	if (!rc && !u->association)
		FSI_UNSET(u, USAGE, association);
	return rc ? rc : fsi_usage_check_times(u, imp->where, imp->err);
}

static bool is_step_row(struct sacct_reader *s)
{
	const struct fsi_span id = get_job_id_cell(&s->in.pipe);

	return memchr(id.s, '.', id.len) != NULL;
}

static int read_sacct_row(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct sacct_reader *s = ctx;
	struct fsi_span start;
	uint64_t id;
	int rc;

	if (!s->in.pipe.columns) {
		fsi_output_split_line(&s->in, line);
		if (fsi_pipe_find_column(&s->in.pipe, "Start") == s->in.pipe.columns ||
		    (fsi_pipe_find_column(&s->in.pipe, "JobIDRaw") == s->in.pipe.columns &&
		     fsi_pipe_find_column(&s->in.pipe, "JobID") == s->in.pipe.columns))
			return fsi_import_reject_value(imp, "heading", line,
						       "the columns JobIDRaw (or JobID) and Start");
		return 0;
	}
	rc = split_sacct_row(s, line);
	if (rc < 0)
		return fsi_fail_no_memory(imp->err);
	s->skipped_rows += !rc;
	start = fsi_pipe_get_cell(&s->in.pipe, "Start");
	if (!rc || !parse_job_id(get_job_id_cell(&s->in.pipe), &id))
		return 0;
	rc = add_step_memory(imp, s, id);
	if (rc || fsi_span_is_none(start) || is_step_row(s))
		return rc;
	return append_text_run(imp, s, id);
}

/* Reads a row of sacct_steps.txt, which has the columns JobIDRaw and MaxRSS. */
static int read_steps_row(struct fsi_import *imp, void *ctx, struct fsi_span line)
{
	struct sacct_reader *s = ctx;
	const bool first = !s->in.pipe.columns;
	uint64_t id;

	fsi_pipe_read_row(&s->in.pipe, line);
	return first || !parse_job_id(get_job_id_cell(&s->in.pipe), &id) ? 0 : add_step_memory(imp, s, id);
}

/* Reads the rows of sacct.txt and sacct_steps.txt. Returns 1 if there is no sacct.txt. */
static int read_sacct_text(struct fsi_import *imp, struct sacct_reader *s)
{
	int rc;

	fsi_output_init_reader(&s->in, imp, fsi_output_find(imp->outputs, "sacct.txt", NULL));
	rc = fsi_import_read_lines(imp, "sacct.txt", read_sacct_row, s);
	if (rc)
		return rc;
	s->in.pipe = (struct fsi_pipe_table){ 0 };
	rc = fsi_import_read_lines(imp, "sacct_steps.txt", read_steps_row, s);
	if (rc >= 0)
		set_job_memory(imp, s);
	return rc < 0 ? rc : 0;
}

int fsi_slurm_read_sacct(struct fsi_import *imp)
{
	struct sacct_reader *s;
	int rc = read_sacct_json(imp);

	if (rc <= 0)
		return rc;
	s = calloc(1, sizeof(*s));
	if (!s)
		return fsi_fail_no_memory(imp->err);
	rc = read_sacct_text(imp, s);
	if (!rc && s->skipped_rows)
		rc = fsi_import_warn_incomplete(
			imp, NULL,
			"%s/sacct.txt: %zu row%s left out, because a cell has a line break or |",
			imp->source->name, s->skipped_rows, s->skipped_rows == 1 ? " is" : "s are");
	free(s->joined.v);
	FSI_VEC_FREE(&s->memory);
	free(s);
	return rc > 0 ? 0 : rc;
}
