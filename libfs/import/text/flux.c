#include "base/num.h"
#include "import/flux/flux.h"
#include "import/text/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Conversion of the pasted outputs of Flux's commands: rows of flux-accounting's tables, and jobs. Rows and jobs are
 * merged by key, whichever command printed them. */

/* The lists of flux-accounting. A row belongs to the first list in this order whose key columns the row has. */
enum flux_list { FLUX_USERS, FLUX_BANKS, FLUX_QUEUES, FLUX_FACTORS, FLUX_CONFIGS, FLUX_LISTS };

/* Fields of a job, as printed by `flux jobs --json`. */
enum flux_job_field {
	J_NAME,
	J_USER,
	J_UID,
	J_BANK,
	J_QUEUE,
	J_TASKS,
	J_CORES,
	J_NODES,
	J_URGENCY,
	J_PRIORITY,
	J_STATE,
	J_RESULT,
	J_NODELIST,
	J_SUBMIT,
	J_SCHED,
	J_RUN,
	J_EXPIRATION,
	J_INACTIVE,
	J_DURATION,
	J_DEPENDENCIES, /* comma-separated */
	J_FAIRSHARE,
	J_ESTIMATE,
	J_FIELDS
};

struct flux_pieces {
	struct fsi_text *t;
	struct fsi_text_merge list[FLUX_LISTS], jobs;
};

/* Rows of flux-accounting's lists, merged by key, even if different commands printed them. The merged rows are written
 * in the form of list-users, list-banks and so on. */

enum { LIST_COLUMNS_MAX = 16 };

static const struct {
	const char *what, *file, *keys[2];
	const char *columns[LIST_COLUMNS_MAX];
} flux_lists[FLUX_LISTS] = {
	[FLUX_USERS] = { "user", "list-users.txt", { "username", "bank" },
			 { "username", "bank", "default_bank", "userid", "active", "shares", "job_usage", "fairshare", "max_running_jobs",
			   "max_active_jobs", "max_nodes", "max_cores", "queues", "projects", "max_sched_jobs" } },
	[FLUX_BANKS] = { "bank", "list-banks.txt", { "bank" },
			 { "bank", "parent_bank", "active", "shares", "job_usage", "priority" } },
	[FLUX_QUEUES] = { "queue", "list-queues.txt", { "queue" },
			  { "queue", "priority", "min_nodes_per_job", "max_nodes_per_job", "max_time_per_job", "max_running_jobs",
			    "max_nodes_per_assoc", "max_sched_jobs", "max_sched_nodes_per_assoc", "max_sched_cores_per_assoc" } },
	[FLUX_FACTORS] = { "factor", "list-factors.txt", { "factor" }, { "factor", "weight" } },
	[FLUX_CONFIGS] = { "setting", "list-configs.txt", { "key" }, { "key", "value" } },
};

static size_t count_list_columns(enum flux_list list)
{
	size_t n = 0;

	while (n < LIST_COLUMNS_MAX && flux_lists[list].columns[n])
		n++;
	return n;
}

/* ---- rows */

/* Returns true if one of the two numbers may be the other number, rounded. view-bank rounds the usage of the root bank
 * to two decimals. */
static bool differ_by_rounding(struct fsi_span a, struct fsi_span b)
{
	double x, y;

	return !fsi_parse_double(a.s, a.len, &x) && !fsi_parse_double(b.s, b.len, &y) && fabs(x - y) <= 0.005000001;
}

static bool are_same_boolean(struct fsi_span a, struct fsi_span b)
{
	return (fsi_span_is_word(a, "1") && fsi_span_is_word(b, "true")) ||
	       (fsi_span_is_word(a, "true") && fsi_span_is_word(b, "1")) ||
	       (fsi_span_is_word(a, "0") && fsi_span_is_word(b, "false")) ||
	       (fsi_span_is_word(a, "false") && fsi_span_is_word(b, "0"));
}

static void set_list_field(struct fsi_text_merge *m, uint32_t row, size_t field, const char *name, struct fsi_span v,
			   uint32_t no)
{
	struct fsi_span *old = &m->v[row * m->fields + field];

	if (old->len && v.len && (differ_by_rounding(*old, v) || are_same_boolean(*old, v))) {
		*old = v.len > old->len ? v : *old;
		return;
	}
	fsi_text_merge_set_field(m, row, field, name, v, no);
}

/* Sets *key to the values of the row in the key columns, each followed by a bar. Returns 1 if the row lacks a key
 * column. */
static int get_row_key(struct fsi_text *t, enum flux_list list, const struct fsi_kv *row, struct fsi_span *key)
{
	struct fsi_text_row l = { .n = 0 };

	for (size_t k = 0; k < 2 && flux_lists[list].keys[k]; k++) {
		const struct fsi_span v = fsi_kv_get_value(row, flux_lists[list].keys[k]);

		if (!v.len || memchr(v.s, '|', v.len))
			return 1;
		fsi_text_row_append(&l, v, "|");
	}
	key->s = fsi_arena_strndup(&t->arena, l.text, l.n);
	key->len = l.n;
	return key->s ? 0 : fsi_fail_no_memory(t->err);
}

/* Adds the row to the first list whose key columns the row has. Returns 1 if there is no such list. */
static int add_list_row(struct flux_pieces *x, const struct fsi_kv *row, uint32_t no)
{
	for (enum flux_list list = FLUX_USERS; list < FLUX_LISTS; list++) {
		struct fsi_text_merge *m = &x->list[list];
		struct fsi_span key;
		const int rc = get_row_key(x->t, list, row, &key);
		uint32_t at;

		if (rc > 0)
			continue;
		at = rc ? UINT32_MAX : fsi_text_merge_add_row(m, key, no);
		if (at == UINT32_MAX)
			return fsi_fail_no_memory(x->t->err);
		for (size_t c = 0; c < m->fields; c++) {
			const struct fsi_span v = fsi_kv_get_value(row, flux_lists[list].columns[c]);

			if (v.len && !memchr(v.s, '|', v.len))
				set_list_field(m, at, c, flux_lists[list].columns[c], v, no);
		}
		return 0;
	}
	return 1;
}

/* Adds the users' banks to the list of banks. A bank that no pasted list contains has only a name. */
static int add_user_banks(struct flux_pieces *x)
{
	const struct fsi_text_merge *users = &x->list[FLUX_USERS];
	int rc = 0;

	for (size_t i = 0; i < users->n && !rc; i++) {
		struct fsi_kv row = { .n = 1, .key = { { "bank", 4 } }, .value = { users->v[i * users->fields + 1] } };

		rc = add_list_row(x, &row, users->no[i]);
	}
	return rc;
}

/* Writes a list of flux-accounting to its file, unless the list is empty. */
static int write_list_file(struct flux_pieces *x, enum flux_list list)
{
	const struct fsi_text_merge *m = &x->list[list];
	struct fsi_text_row l = { .n = 0 };
	int rc;

	if (!m->n)
		return 0;
	for (size_t c = 0; c < m->fields; c++)
		fsi_text_row_append(&l, fsi_string_to_span(flux_lists[list].columns[c]), c + 1 < m->fields ? "|" : "");
	rc = fsi_text_add_line(x->t, flux_lists[list].file, fsi_text_row_span(&l), 0);
	for (size_t i = 0; i < m->n && !rc; i++) {
		l = (struct fsi_text_row){ .n = 0 };
		for (size_t c = 0; c < m->fields; c++)
			fsi_text_row_append(&l, m->v[i * m->fields + c], c + 1 < m->fields ? "|" : "");
		if (!l.full)
			rc = fsi_text_add_line(x->t, flux_lists[list].file, fsi_text_row_span(&l), m->no[i]);
	}
	return rc;
}

/* Returns the complete name of a queue. The name v may have been cut by a column of eight characters. In this case,
 * returns the only known queue that begins with v; an empty span if no queue or several queues begin with v. */
static struct fsi_span complete_queue_name(const struct flux_pieces *x, struct fsi_span v)
{
	enum { QUEUE_COLUMN_WIDTH = 8 };
	const struct fsi_text_merge *m = &x->list[FLUX_QUEUES];
	struct fsi_span match = { NULL, 0 };

	v.len -= v.len && v.s[v.len - 1] == '+';
	if (v.len != QUEUE_COLUMN_WIDTH)
		return v;
	for (size_t i = 0; i < m->n; i++) {
		const struct fsi_span name = m->v[i * m->fields];

		if (name.len < v.len || memcmp(name.s, v.s, v.len) != 0)
			continue;
		if (match.len)
			return (struct fsi_span){ NULL, 0 };
		match = name;
	}
	return match;
}

static void init_flux_pieces(struct flux_pieces *x, struct fsi_text *t)
{
	*x = (struct flux_pieces){ .t = t, .jobs = { .t = t, .what = "job", .fields = J_FIELDS } };
	for (enum flux_list i = FLUX_USERS; i < FLUX_LISTS; i++)
		x->list[i] =
			(struct fsi_text_merge){ .t = t, .what = flux_lists[i].what, .fields = count_list_columns(i) };
}

/* Jobs from `flux jobs` in any format and from `flux account jobs`. All jobs are written in the form of `flux jobs
 * --json`.
 *
 * The tables round durations (src/bindings/python/flux/util.py: fsd). For a time limit below an hour, the rounding
 * error is less than half a second. A longer limit is printed with four significant digits. If such a limit is a whole
 * number of minutes and less than a day, its exact value can be recovered. */

static const struct fsi_span no_text = { NULL, 0 };
static const char flux_jobs_file[] = "flux-jobs_-A_-a_--json.json";

/* ---- job IDs */

/* Sets *row to the row of the job with this ID ("ƒ2qbAQANK", "f2qbAQANK", "4057703907328"); adds a row if the job is
 * new. Returns 1 if the text is not a job ID. */
static int add_flux_job(struct flux_pieces *x, struct fsi_span id, uint32_t no, uint32_t *row)
{
	char text[40];
	uint64_t n;

	if (fsi_import_parse_flux_id(id, &n))
		return 1;
	id.len = (size_t)fsi_format_u64(text, n);
	id.s = fsi_arena_strndup(&x->t->arena, text, id.len);
	*row = id.s ? fsi_text_merge_add_row(&x->jobs, id, no) : UINT32_MAX;
	return *row == UINT32_MAX ? fsi_fail_no_memory(x->t->err) : 0;
}

enum value_form { TEXT_VALUE, INTEGER_VALUE, REAL_VALUE };

static const struct {
	const char *key;
	enum value_form value_form;
} job_fields[J_FIELDS] = {
	[J_NAME] = { "name", TEXT_VALUE },
	[J_USER] = { "username", TEXT_VALUE },
	[J_UID] = { "userid", INTEGER_VALUE },
	[J_BANK] = { "bank", TEXT_VALUE },
	[J_QUEUE] = { "queue", TEXT_VALUE },
	[J_TASKS] = { "ntasks", INTEGER_VALUE },
	[J_CORES] = { "ncores", INTEGER_VALUE },
	[J_NODES] = { "nnodes", INTEGER_VALUE },
	[J_URGENCY] = { "urgency", INTEGER_VALUE },
	[J_PRIORITY] = { "priority", INTEGER_VALUE },
	[J_STATE] = { "state", TEXT_VALUE },
	[J_RESULT] = { "result", TEXT_VALUE },
	[J_NODELIST] = { "nodelist", TEXT_VALUE },
	[J_SUBMIT] = { "t_submit", REAL_VALUE },
	[J_SCHED] = { "t_sched", REAL_VALUE },
	[J_RUN] = { "t_run", REAL_VALUE },
	[J_EXPIRATION] = { "expiration", REAL_VALUE },
	[J_INACTIVE] = { "t_inactive", REAL_VALUE },
	[J_DURATION] = { "duration", REAL_VALUE },
	[J_DEPENDENCIES] = { "dependencies", TEXT_VALUE },
	[J_FAIRSHARE] = { "fairshare", REAL_VALUE },
	[J_ESTIMATE] = { "t_estimate", REAL_VALUE },
};

/* Returns true if the text is a valid value of the field. */
static bool is_valid_field(enum flux_job_field field, struct fsi_span v)
{
	uint64_t n;
	double d;

	if (job_fields[field].value_form == TEXT_VALUE)
		return true;
	if (job_fields[field].value_form == REAL_VALUE)
		return !fsi_parse_double(v.s, v.len, &d) && d >= 0 && d <= (double)FSI_SECONDS_MAX;
	return !fsi_parse_u64(v.s, v.len, &n) && n <= (field == J_URGENCY ? 31 : UINT32_MAX);
}

/* Sets a field of the row if v is a valid value of the field. Keeps the old value if v is the same number in another
 * form; this difference causes no warning. */
static void set_job_field(struct flux_pieces *x, uint32_t row, enum flux_job_field field, struct fsi_span v,
			  uint32_t no)
{
	const struct fsi_span old = x->jobs.v[row * J_FIELDS + field];
	double a, b;

	if (!v.len || !is_valid_field(field, v))
		return;
	if (job_fields[field].value_form != TEXT_VALUE && old.len && !fsi_parse_double(old.s, old.len, &a) &&
	    !fsi_parse_double(v.s, v.len, &b) && a == b)
		return;
	fsi_text_merge_set_field(&x->jobs, row, field, job_fields[field].key, v, no);
}

/* ---- values in the columns of tables */

/* Job states. Sources: src/common/libjob/state.c, result.c; src/bindings/python/flux/job/info.py: status_abbrev. */
static const struct {
	const char *abbreviation, *word, *state, *result;
} flux_states[] = {
	{ "D", "DEPEND", "DEPEND", NULL },	     { "P", "PRIORITY", "PRIORITY", NULL },
	{ "S", "SCHED", "SCHED", NULL },	     { "R", "RUN", "RUN", NULL },
	{ "C", "CLEANUP", "CLEANUP", NULL },	     { "CD", "COMPLETED", "INACTIVE", "COMPLETED" },
	{ "F", "FAILED", "INACTIVE", "FAILED" },    { "CA", "CANCELED", "INACTIVE", "CANCELED" },
	{ "TO", "TIMEOUT", "INACTIVE", "TIMEOUT" },
};

static bool is_pending_status(struct fsi_span v)
{
	for (size_t i = 0; i < 3; i++)
		if (fsi_span_is_word(v, flux_states[i].abbreviation) || fsi_span_is_word(v, flux_states[i].word))
			return true;
	return false;
}

static void set_state_and_result(struct flux_pieces *x, uint32_t row, struct fsi_span v, uint32_t no)
{
	for (size_t i = 0; i < sizeof(flux_states) / sizeof(*flux_states); i++) {
		if (!(v.len == strlen(flux_states[i].abbreviation) &&
		      !memcmp(v.s, flux_states[i].abbreviation, v.len)) &&
		    !(v.len == strlen(flux_states[i].word) && !memcmp(v.s, flux_states[i].word, v.len)))
			continue;
		set_job_field(x, row, J_STATE, fsi_string_to_span(flux_states[i].state), no);
		if (flux_states[i].result)
			set_job_field(x, row, J_RESULT, fsi_string_to_span(flux_states[i].result), no);
		return;
	}
}

/* Returns the seconds of "5m" or "1.5h", and 0 for "-" (no limit). Returns an empty span if the text is not a duration.
 * A duration in hours or days may have been rounded. Such a duration is taken to be a whole number of minutes; the
 * function returns an empty span if no whole number of minutes is within the rounding error. */
static struct fsi_span duration_to_seconds(struct fsi_text *t, struct fsi_span v)
{
	static const struct {
		char unit;
		double s;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	char text[FSI_DOUBLE_TEXT];
	double n;

	if (fsi_span_is_word(v, "-"))
		return fsi_string_to_span("0");
	for (size_t i = 0; v.len > 1 && i < sizeof(units) / sizeof(*units); i++)
		if (v.s[v.len - 1] == units[i].unit && !fsi_parse_double(v.s, v.len - 1, &n) && n >= 0) {
			const double exact = n * units[i].s, minutes = round(exact / 60) * 60;
			/* largest rounding error of the printed duration, which has four significant digits: half a
			 * unit of the last digit, in seconds */
			const double off = units[i].s * pow(10, floor(log10(n > 1 ? n : 1)) - 3) / 2;
			const double s = i > 1 && fabs(minutes - exact) <= off ? minutes : round(exact);
			const size_t len = (size_t)fsi_format_double(text, s);
			const char *own = i < 2 || s == minutes ? fsi_arena_strndup(&t->arena, text, len) : NULL;

			return (struct fsi_span){ own, own ? len : 0 };
		}
	return no_text;
}

static bool is_pending_job(const struct flux_pieces *x, uint32_t row)
{
	const struct fsi_span v = x->jobs.v[row * J_FIELDS + J_STATE];

	return fsi_span_is_word(v, "DEPEND") || fsi_span_is_word(v, "PRIORITY") || fsi_span_is_word(v, "SCHED");
}

/* Returns true if the list of dependencies has a time of day without a date, such as "begin@03:51:20". */
static bool has_short_time(struct fsi_span list)
{
	return list.len && memchr(list.s, '@', list.len);
}

static void set_info_fields(struct flux_pieces *x, uint32_t row, struct fsi_span v, uint32_t no)
{
	static const char depends[] = "depends:";
	static const struct fsi_span zero = { "0", 1 };
	const size_t n = sizeof(depends) - 1;
	const struct fsi_span list = { v.s + n, v.len - n };

	if (fsi_span_starts_with(v, depends)) {
		if (!has_short_time(list))
			set_job_field(x, row, J_DEPENDENCIES, list, no);
	} else if (fsi_span_is_word(v, "held")) {
		set_job_field(x, row, J_URGENCY, zero, no);
	} else if (fsi_span_is_word(v, "priority-hold")) {
		set_job_field(x, row, J_PRIORITY, zero, no);
	} else if (!is_pending_job(x, row) && !memchr(v.s, ' ', v.len)) {
		set_job_field(x, row, J_NODELIST, v, no);
	}
}

/* Returns the value, or an empty span if the value was cut: the default format of flux jobs ends a cut value with a
 * +. */
static struct fsi_span drop_cut_value(struct fsi_span v)
{
	return v.len && v.s[v.len - 1] == '+' ? no_text : v;
}

/* Returns true if the value is seconds since the epoch rather than a formatted date. */
static bool is_epoch_time(struct fsi_span v)
{
	double t;

	return v.len && !fsi_parse_double(v.s, v.len, &t) && t > 1e8;
}

static const struct {
	const char *column;
	enum flux_job_field field;
	enum { COPY_VALUE, DROP_IF_CUT, COMPLETE_QUEUE, EPOCH_TIME } handling;
} job_columns[] = {
	{ "USER", J_USER, DROP_IF_CUT },          { "UID", J_UID, COPY_VALUE },
	{ "NAME", J_NAME, DROP_IF_CUT },          { "BANK", J_BANK, DROP_IF_CUT },
	{ "QUEUE", J_QUEUE, COMPLETE_QUEUE },     { "NTASKS", J_TASKS, COPY_VALUE },
	{ "NCORES", J_CORES, COPY_VALUE },        { "NNODES", J_NODES, COPY_VALUE },
	{ "URG", J_URGENCY, COPY_VALUE },         { "PRI", J_PRIORITY, COPY_VALUE },
	{ "URGENCY", J_URGENCY, COPY_VALUE },     { "PRIORITY", J_PRIORITY, COPY_VALUE },
	{ "FAIRSHARE", J_FAIRSHARE, COPY_VALUE }, { "T_SUBMIT", J_SUBMIT, EPOCH_TIME },
	{ "T_SCHED", J_SCHED, EPOCH_TIME },       { "T_RUN", J_RUN, EPOCH_TIME },
	{ "T_INACTIVE", J_INACTIVE, EPOCH_TIME }, { "EXPIRATION", J_EXPIRATION, EPOCH_TIME },
	{ "T_ESTIMATE", J_ESTIMATE, EPOCH_TIME },
};

static bool is_state_column(const char *name)
{
	return !strcmp(name, "ST") || !strcmp(name, "STATUS") || !strcmp(name, "STATE") || !strcmp(name, "S");
}

static void set_job_cell(struct flux_pieces *x, uint32_t row, const char *name, struct fsi_span v, uint32_t no)
{
	for (size_t k = 0; k < sizeof(job_columns) / sizeof(*job_columns); k++) {
		if (strcmp(job_columns[k].column, name) != 0 ||
		    (job_columns[k].handling == EPOCH_TIME && !is_epoch_time(v)))
			continue;
		v = job_columns[k].handling == DROP_IF_CUT      ? drop_cut_value(v)
		    : job_columns[k].handling == COMPLETE_QUEUE ? complete_queue_name(x, v)
								: v;
		set_job_field(x, row, job_columns[k].field, v, no);
		return;
	}
	if (is_state_column(name))
		set_state_and_result(x, row, v, no);
}

/* Returns true if the column TIME shows the requested durations of pending jobs. Older versions of Flux do not have
 * contextual_time (src/bindings/python/flux/job/info.py). These versions print run times in this column, and "-" for a
 * pending job. So the column shows requested durations if any pending job in the table has another text than "-". */
static bool shows_durations(const struct fsi_text_table *table)
{
	for (size_t r = 0; r < table->rows; r++) {
		const struct fsi_span v = fsi_text_find_cell(table, r, "TIME");
		struct fsi_span state = no_text;

		for (size_t c = 0; c < table->columns; c++)
			if (is_state_column(table->name[c]))
				state = table->cell[r * table->columns + c];
		if (v.len && !fsi_span_is_word(v, "-") && is_pending_status(state))
			return true;
	}
	return false;
}

/* Sets the fields whose meaning depends on the job's state or on other rows of the table. Skips the cell of the last
 * column if the cell may be cut. */
static void set_dependent_cells(struct flux_pieces *x, uint32_t row, const struct fsi_text_table *table, size_t r,
				bool durations)
{
	for (size_t c = 0; c < table->columns; c++) {
		const struct fsi_span v = table->cell[r * table->columns + c];
		const bool last = c + 1 == table->columns && table->cut[r * table->columns + c];

		if (!v.len || last)
			continue;
		if (!strcmp(table->name[c], "TIME") && is_pending_job(x, row) && durations)
			set_job_field(x, row, J_DURATION, duration_to_seconds(x->t, v), table->no[r]);
		else if (!strcmp(table->name[c], "INFO"))
			set_info_fields(x, row, v, table->no[r]);
		else if (!strcmp(table->name[c], "DEPENDENCIES") && !has_short_time(v))
			set_job_field(x, row, J_DEPENDENCIES, v, table->no[r]);
		else if (!strcmp(table->name[c], "NODELIST"))
			set_job_field(x, row, J_NODELIST, v, table->no[r]);
	}
}

/* Reads the rows of a table of jobs. Calls add_more for each row with a job ID, unless add_more is NULL. */
static int read_job_rows(struct flux_pieces *x, struct fsi_text_piece *p,
			 int (*add_more)(struct flux_pieces *x, const struct fsi_text_table *table, size_t r))
{
	const struct fsi_text_table *table = p->table;
	const bool durations = shows_durations(table);
	int rc = 0;

	for (size_t r = 0; r < table->rows && !rc; r++) {
		uint32_t row;

		rc = add_flux_job(x, fsi_text_find_cell(table, r, "JOBID"), table->no[r], &row);
		if (rc) {
			if (rc > 0)
				fsi_text_count_unparsed(p, table->no[r]);
			rc = rc > 0 ? 0 : rc;
			continue;
		}
		for (size_t c = 0; c < table->columns; c++)
			if (!(c + 1 == table->columns && table->cut[r * table->columns + c]))
				set_job_cell(x, row, table->name[c], table->cell[r * table->columns + c], table->no[r]);
		set_dependent_cells(x, row, table, r, durations);
		p->imported++;
		rc = add_more ? add_more(x, table, r) : 0;
	}
	return rc;
}

/* Reads pasted output of `flux jobs`. */
static int read_flux_jobs(struct flux_pieces *x, struct fsi_text_piece *p)
{
	return read_job_rows(x, p, NULL);
}

/* ---- flux account jobs: each row also has the site's factor weights, and the priorities of the job's queue and
 * bank */

static int add_row_pair(struct flux_pieces *x, const char *key, struct fsi_span name, const char *column,
			struct fsi_span v, uint32_t no)
{
	const struct fsi_kv row = { .n = 2,
				    .key = { { key, strlen(key) }, { column, strlen(column) } },
				    .value = { name, v } };
	const int rc = name.len && v.len && (!strcmp(column, "bank") || fsi_text_is_number(v, true))
			       ? add_list_row(x, &row, no)
			       : 0;

	return rc < 0 ? rc : 0;
}

static int add_row_weights(struct flux_pieces *x, const struct fsi_text_table *table, size_t r)
{
	static const char *const weights[][2] = {
		{ "bank", "BANKFACT" }, { "queue", "QFACT" }, { "fairshare", "FSFACTOR" }, { "urgency", "URGFACT" }
	};
	const struct fsi_span queue = fsi_text_find_cell(table, r, "QUEUE"),
			      bank = fsi_text_find_cell(table, r, "BANK");
	const uint32_t no = table->no[r];
	int rc = add_row_pair(x, "queue", queue, "priority", fsi_text_find_cell(table, r, "QPRIO"), no);

	rc = rc ? rc : add_row_pair(x, "bank", bank, "priority", fsi_text_find_cell(table, r, "BANKPRIO"), no);
	rc = rc ? rc : add_row_pair(x, "username", fsi_text_find_cell(table, r, "USER"), "bank", bank, no);
	for (size_t i = 0; i < sizeof(weights) / sizeof(*weights) && !rc; i++)
		rc = add_row_pair(x, "factor", fsi_string_to_span(weights[i][0]), "weight",
				  fsi_text_find_cell(table, r, weights[i][1]), no);
	return rc;
}

/* Reads a pasted output of `flux account jobs`. */
static int read_account_jobs(struct flux_pieces *x, struct fsi_text_piece *p)
{
	return read_job_rows(x, p, add_row_weights);
}

/* Returns true if the job's row of flux account jobs is known: only this command prints the urgency, but not the
 * state. */
static bool is_account_job(const struct flux_pieces *x, size_t i)
{
	const struct fsi_span *v = x->jobs.v + i * J_FIELDS;

	return !v[J_STATE].len && v[J_URGENCY].len;
}

static int warn_unknown_states(struct flux_pieces *x)
{
	struct fsi_text_skipped jobs = { .n = 0 };

	for (size_t i = 0; i < x->jobs.n && x->t->o->assume_pending; i++)
		if (is_account_job(x, i))
			fsi_text_count_skipped(&jobs, x->jobs.no[i]);
	return fsi_text_warn_skipped(x->t, &jobs, "flux account jobs",
				     "the states of jobs are not printed: the import assumes that the jobs are pending");
}

/* ---- the file of jobs */

static bool is_valid_utf8(struct fsi_span v)
{
	for (size_t i = 0; i < v.len;) {
		const size_t n = fsi_utf8_sequence_length(v.s + i, v.len - i);

		if (!n)
			return false;
		i += n;
	}
	return true;
}

static void append_json_string(struct fsi_text_row *l, struct fsi_span v)
{
	fsi_text_row_append(l, no_text, "\"");
	for (size_t i = 0; i < v.len; i++) {
		if (v.s[i] == '"' || v.s[i] == '\\')
			fsi_text_row_append(l, no_text, "\\");
		fsi_text_row_append(l, (struct fsi_span){ v.s + i, 1 }, "");
	}
	fsi_text_row_append(l, no_text, "\"");
}

static void append_json_key(struct fsi_text_row *l, const char *key)
{
	fsi_text_row_append(l, no_text, l->text[l->n - 1] == '{' ? "\"" : ",\"");
	fsi_text_row_append(l, no_text, key);
	fsi_text_row_append(l, no_text, "\":");
}

static void append_json_dependencies(struct fsi_text_row *l, struct fsi_span list)
{
	struct fsi_span one;

	append_json_key(l, job_fields[J_DEPENDENCIES].key);
	for (const char *sep = "["; fsi_span_cut_part(&list, ',', &one); sep = ",") {
		fsi_text_row_append(l, no_text, sep);
		append_json_string(l, one);
	}
	fsi_text_row_append(l, no_text, "]");
}

static void append_json_annotation(struct fsi_text_row *l, const char *of, enum flux_job_field field, struct fsi_span v)
{
	if (!v.len)
		return;
	append_json_key(l, of);
	fsi_text_row_append(l, no_text, "{");
	append_json_key(l, job_fields[field].key);
	fsi_text_row_append(l, v, "}");
}

/* Returns the state of a job whose state is not in the paste. flux account jobs prints jobs without their states, also
 * jobs that have ended. */
static struct fsi_span get_assumed_state(const struct flux_pieces *x, size_t i)
{
	return fsi_string_to_span(x->t->o->assume_pending && is_account_job(x, i) ? "NEW" : "UNKNOWN");
}

static int write_job_json(struct flux_pieces *x, size_t i, bool last)
{
	const struct fsi_span *v = x->jobs.v + i * J_FIELDS;
	struct fsi_text_row l = { .n = 0 };

	fsi_text_row_append(&l, no_text, "{\"id\":");
	fsi_text_row_append(&l, x->jobs.key[i], "");
	for (enum flux_job_field f = J_NAME; f < J_DEPENDENCIES; f++) {
		const struct fsi_span s = f == J_STATE && !v[f].len ? get_assumed_state(x, i) : v[f];

		if (!s.len || (job_fields[f].value_form == TEXT_VALUE && !is_valid_utf8(s)))
			continue;
		append_json_key(&l, job_fields[f].key);
		if (job_fields[f].value_form == TEXT_VALUE)
			append_json_string(&l, s);
		else
			fsi_text_row_append(&l, s, "");
	}
	if (v[J_DEPENDENCIES].len && is_valid_utf8(v[J_DEPENDENCIES]))
		append_json_dependencies(&l, v[J_DEPENDENCIES]);
	append_json_key(&l, "annotations");
	fsi_text_row_append(&l, no_text, "{");
	append_json_annotation(&l, "user", J_FAIRSHARE, v[J_FAIRSHARE]);
	append_json_annotation(&l, "sched", J_ESTIMATE, v[J_ESTIMATE]);
	fsi_text_row_append(&l, no_text, last ? "}}" : "}},");
	if (l.full) { /* the list of nodes does not fit into the line: writes only the job ID */
		l = (struct fsi_text_row){ .n = 0 };
		fsi_text_row_append(&l, no_text, "{\"id\":");
		fsi_text_row_append(&l, x->jobs.key[i], last ? ",\"state\":\"UNKNOWN\"}" : ",\"state\":\"UNKNOWN\"},");
	}
	return fsi_text_add_line(x->t, flux_jobs_file, fsi_text_row_span(&l), x->jobs.no[i]);
}

static void update_newest_time(struct flux_pieces *x, size_t i)
{
	static const enum flux_job_field times[] = { J_SUBMIT, J_SCHED, J_RUN, J_INACTIVE };
	double t;

	for (size_t k = 0; k < sizeof(times) / sizeof(*times); k++) {
		const struct fsi_span v = x->jobs.v[i * J_FIELDS + times[k]];

		if (v.len && !fsi_parse_double(v.s, v.len, &t) && t > 0 && t < 1e11 &&
		    (x->t->newest_time == FS_UNKNOWN || t > (double)x->t->newest_time))
			x->t->newest_time = (int64_t)t;
	}
}

/* Writes all jobs to a file in the form of `flux jobs --json`. */
static int write_jobs_file(struct flux_pieces *x)
{
	int rc = warn_unknown_states(x);

	if (x->jobs.n && !rc)
		rc = fsi_text_add_line(x->t, flux_jobs_file, fsi_string_to_span("{\"jobs\":["), 0);
	for (size_t i = 0; i < x->jobs.n && !rc; i++) {
		update_newest_time(x, i);
		rc = write_job_json(x, i, i + 1 == x->jobs.n);
	}
	return rc || !x->jobs.n ? rc : fsi_text_add_line(x->t, flux_jobs_file, fsi_string_to_span("]}"), 0);
}

/* JSON in a paste: jobs of `flux jobs --json`, and rows of flux-accounting's commands. If the JSON is cut or damaged,
 * the complete objects before the damage are used. */

struct json_piece {
	struct flux_pieces *x;
	struct fsi_text_piece *p;
};

/* ---- jobs in JSON */

static const struct {
	const char *key;
	enum flux_job_field field;
} json_job_keys[] = {
	{ "name", J_NAME },	      { "username", J_USER },	  { "userid", J_UID },	      { "bank", J_BANK },
	{ "queue", J_QUEUE },	      { "ntasks", J_TASKS },	  { "ncores", J_CORES },      { "nnodes", J_NODES },
	{ "urgency", J_URGENCY },     { "priority", J_PRIORITY }, { "state", J_STATE },	      { "result", J_RESULT },
	{ "nodelist", J_NODELIST },   { "t_submit", J_SUBMIT },	  { "t_sched", J_SCHED },     { "t_run", J_RUN },
	{ "expiration", J_EXPIRATION }, { "t_inactive", J_INACTIVE }, { "duration", J_DURATION },
};

static struct fsi_span copy_span(struct fsi_text *t, const char *s, size_t n)
{
	const char *own = fsi_arena_strndup(&t->arena, s, n);

	return (struct fsi_span){ own, own ? n : 0 };
}

static void set_json_number(struct json_piece *j, uint32_t row, enum flux_job_field field, const struct fsi_json *v,
			    uint32_t no)
{
	char text[FSI_DOUBLE_TEXT];

	if (v && fsi_json_get_type(v) == FSI_JNUMBER && isfinite(fsi_json_get_double(v)))
		set_job_field(j->x, row, field,
			      copy_span(j->x->t, text, (size_t)fsi_format_double(text, fsi_json_get_double(v))), no);
}

static void set_json_dependencies(struct json_piece *j, uint32_t row, const struct fsi_json *list, uint32_t no)
{
	struct fsi_text_row l = { .n = 0 };

	for (const struct fsi_json *d = list ? fsi_json_first_child(list) : NULL; d; d = fsi_json_next_sibling(d)) {
		const char *s = fsi_json_get_string(d);

		if (!s)
			return;
		fsi_text_row_append(&l, fsi_string_to_span(s), fsi_json_next_sibling(d) ? "," : "");
	}
	if (l.n && !l.full)
		set_job_field(j->x, row, J_DEPENDENCIES, copy_span(j->x->t, l.text, l.n), no);
}

static int read_json_job(struct json_piece *j, const struct fsi_json *v, const struct fsi_kv *kv, uint32_t no)
{
	const struct fsi_json *annotations = fsi_json_find_member(v, "annotations");
	uint32_t row;
	int rc = add_flux_job(j->x, fsi_kv_get_value(kv, "id"), no, &row);

	if (rc)
		return rc < 0 ? rc : 0;
	for (size_t k = 0; k < sizeof(json_job_keys) / sizeof(*json_job_keys); k++) {
		const struct fsi_span s = fsi_kv_get_value(kv, json_job_keys[k].key);

		if (s.len)
			set_job_field(j->x, row, json_job_keys[k].field, copy_span(j->x->t, s.s, s.len), no);
	}
	set_json_dependencies(j, row, fsi_json_find_member(v, "dependencies"), no);
	set_json_number(j, row, J_FAIRSHARE,
			fsi_json_find_member(fsi_json_find_member(annotations, "user"), "fairshare"), no);
	set_json_number(j, row, J_ESTIMATE,
			fsi_json_find_member(fsi_json_find_member(annotations, "sched"), "t_estimate"), no);
	j->p->imported++;
	return 0;
}

/* ---- rows of flux-accounting in JSON */

/* Returns true if the object describes a user, but the line with the user's name is missing. The object must then not
 * be read as the description of a bank. */
static bool lacks_user_name(const struct fsi_kv *kv)
{
	return !fsi_kv_get_value(kv, "username").s && fsi_kv_get_value(kv, "bank").s &&
	       (!fsi_kv_get_value(kv, "parent_bank").s || fsi_kv_get_value(kv, "userid").s);
}

static int read_json_row(struct json_piece *j, const struct fsi_kv *kv, uint32_t no)
{
	struct fsi_kv *own = malloc(sizeof(*own));
	int rc;

	if (!own)
		return fsi_fail_no_memory(j->x->t->err);
	if (lacks_user_name(kv)) {
		free(own);
		j->p->unparsed++;
		return 0;
	}
	*own = *kv;
	for (size_t i = 0; i < own->n; i++) {
		own->key[i] = copy_span(j->x->t, kv->key[i].s, kv->key[i].len);
		own->value[i] = copy_span(j->x->t, kv->value[i].s, kv->value[i].len);
	}
	rc = add_list_row(j->x, own, no);
	free(own);
	j->p->imported += !rc;
	return rc > 0 ? 0 : rc;
}

static int read_json_object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_input_position where)
{
	struct json_piece *j = ctx;
	struct fsi_flux_import f = { .imp = { .err = j->x->t->err, .where = where } };
	const uint32_t no = j->x->t->lines.v[j->p->begin].no;
	char numbers[FSI_FLUX_NUMBERS_SIZE];
	struct fsi_kv *kv;
	int rc;

	if (!depth && fsi_json_find_member(v, "jobs"))
		return 0;
	kv = malloc(sizeof(*kv));
	rc = kv ? fsi_flux_flatten_object(&f, v, kv, numbers) : fsi_fail_no_memory(j->x->t->err);
	if (!rc)
		rc = fsi_kv_get_value(kv, "id").len &&
				     (fsi_json_find_member(v, "t_submit") || fsi_json_find_member(v, "urgency"))
			     ? read_json_job(j, v, kv, no)
			     : read_json_row(j, kv, no);
	free(kv);
	return rc;
}

/* Reads a pasted JSON output. */
static int read_json_piece(struct flux_pieces *x, struct fsi_text_piece *p)
{
	struct json_piece j = { .x = x, .p = p };

	return fsi_text_read_json(x->t, p, read_json_object, &j);
}

/* Columns of flux-accounting's output: tables with | between columns, and the tree of view-bank -t, with or without
 * -P. */

enum { HEADING_LINES_MAX = 6 };

static bool is_rule_line(struct fsi_span line)
{
	size_t dashes = 0;

	for (size_t i = 0; i < line.len; i++) {
		if (line.s[i] != '-' && line.s[i] != '+')
			return false;
		dashes += line.s[i] == '-';
	}
	return dashes > 0;
}

/* ---- tables: a heading such as `bank | shares`, a line of dashes, and rows whose bars are at the same positions */

struct bar_table {
	struct fsi_text *t;
	size_t width, row_lines, n;
	size_t bar[FSI_TEXT_COLUMNS_MAX];
	struct fsi_kv row;
};

static size_t find_bar_positions(struct fsi_span line, size_t *at)
{
	size_t n = 0;

	for (size_t i = 0; i < line.len && n < FSI_TEXT_COLUMNS_MAX - 1; i++)
		if (line.s[i] == '|')
			at[n++] = i;
	return n;
}

/* Splits a line at its bars into at most max cells. */
static size_t split_bar_cells(struct fsi_span line, struct fsi_span *cell, size_t max)
{
	struct fsi_span part;
	size_t n = 0;

	while (n < max && fsi_span_cut_part(&line, '|', &part))
		cell[n++] = fsi_span_trim_blanks(part);
	return n;
}

/* Returns true if the line has as many characters `|` as the heading. If rows are folded, the characters must also be
 * at the same positions as in the heading. */
static bool has_heading_bars(const struct bar_table *x, struct fsi_span line)
{
	size_t at[FSI_TEXT_COLUMNS_MAX];

	if (find_bar_positions(line, at) != x->n - 1)
		return false;
	return x->row_lines == 1 || !memcmp(at, x->bar, (x->n - 1) * sizeof(*at));
}

static int read_bar_heading(struct bar_table *x, const struct fsi_text_piece *p, size_t *first)
{
	struct fsi_span heading, last;
	size_t rule = p->begin + 1;

	while (rule < p->end && rule - p->begin <= HEADING_LINES_MAX && !is_rule_line(fsi_text_get_line(x->t, rule)))
		rule++;
	x->row_lines = rule < p->end && is_rule_line(fsi_text_get_line(x->t, rule)) ? rule - p->begin : 1;
	*first = rule < p->end && is_rule_line(fsi_text_get_line(x->t, rule)) ? rule + x->row_lines : p->begin + 1;
	heading = fsi_text_join_lines(x->t, x->width, p->begin, x->row_lines);
	if (!heading.s)
		return fsi_fail_no_memory(x->t->err);
	x->n = find_bar_positions(heading, x->bar) + 1;
	x->row.n = split_bar_cells(heading, x->row.key, FSI_KV_MAX);
	last = x->row.n ? x->row.key[x->row.n - 1] : heading;
	/* the heading is cut within the name of its last column */
	if (x->row.n && !fsi_text_is_column(TEXT_FLUX_ROWS, last))
		x->row.n--;
	return 0;
}

/* Reads a table of banks, users, queues, factors or settings. */
static int read_bar_table(struct flux_pieces *f, struct fsi_text_piece *p)
{
	struct bar_table x = { .t = f->t, .width = fsi_text_max_width(f->t, p) };
	size_t i;
	int rc = read_bar_heading(&x, p, &i);

	while (i < p->end && !rc) {
		const size_t n = x.row_lines <= p->end - i ? x.row_lines : 1;
		const struct fsi_span line = fsi_text_join_lines(f->t, x.width, i, n);
		struct fsi_span cell[FSI_TEXT_COLUMNS_MAX];
		const uint32_t no = f->t->lines.v[i].no;
		bool cut;

		if (!line.s)
			return fsi_fail_no_memory(f->t->err);
		if (!has_heading_bars(&x, line)) {
			p->unparsed += fsi_text_get_line(f->t, i).len > 0 && !is_rule_line(fsi_text_get_line(f->t, i));
			i++;
			continue;
		}
		cut = f->t->lines.v[i + n - 1].cut ||
		      (fsi_text_is_terminal_width(x.width) && f->t->lines.v[i + n - 1].len == x.width);
		i += n;
		split_bar_cells(line, cell, FSI_TEXT_COLUMNS_MAX);
		memcpy(x.row.value, cell, x.row.n * sizeof(*cell));
		if (cut && x.row.n == x.n)
			x.row.value[x.n - 1].len = 0;
		rc = add_list_row(f, &x.row, no);
		p->imported += !rc;
		p->unparsed += rc > 0;
		rc = rc > 0 ? 0 : rc;
	}
	return rc;
}

/* ---- view-bank -t: each level is indented by one blank; a bank has no user name and no fair share */

enum { TREE_DEPTH_MAX = 128, TREE_COLUMNS = 6 };
static const char *const tree_keys[TREE_COLUMNS] = { "bank", "username", "active", "shares", "job_usage", "fairshare" };
static const char *const tree_headings[TREE_COLUMNS] = { "Bank", "Username", "Active", "RawShares", "RawUsage", "Fairshare" };

struct bank_tree {
	struct flux_pieces *f;
	/* column[i]: index in tree_headings of the heading of column i. columns: number of columns whose headings are
	 * complete. */
	size_t column[TREE_COLUMNS], columns;
	/* indent: indentation of the heading; depth: number of entries in `bank` */
	size_t width, indent, depth;
	/* indexed by level: the banks on the path from the root to the bank that was read last */
	struct fsi_span bank[TREE_DEPTH_MAX];
	/* the output has bars between its columns (option -P) */
	bool bars;
};

static size_t split_tree_cells(const struct bank_tree *x, struct fsi_span line, struct fsi_span *cell, size_t max)
{
	struct fsi_span part;
	size_t n = 0;

	if (x->bars)
		return split_bar_cells(line, cell, max);
	while (n < max && fsi_span_cut_part(&line, ' ', &part))
		if (part.len)
			cell[n++] = part;
	return n;
}

static void read_tree_heading(struct bank_tree *x, struct fsi_span line)
{
	struct fsi_span cell[TREE_COLUMNS];
	const size_t n = split_tree_cells(x, line, cell, TREE_COLUMNS);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < TREE_COLUMNS; k++)
			if (x->columns == i && (fsi_span_equals(cell[i], fsi_string_to_span(tree_headings[k])) ||
						(!k && fsi_span_is_word(cell[i], "Account")))) /* flux-accounting 0.1 */
				x->column[x->columns++] = k;
}

/* Stores the n cells of a row in value[], indexed as tree_headings. Returns false if the cells do not fit the columns.
 * In a tree printed without -P, the row of a bank has no user name. The row of a bank therefore has one word less than
 * the row of a user. If there is a column Active, a row whose second word is true or false belongs to a bank. Without
 * this column, a row with too few words belongs to a bank. */
static bool assign_tree_cells(const struct bank_tree *x, const struct fsi_span *cell, size_t n, struct fsi_span *value)
{
	const bool active = x->columns > 2 && x->column[2] == 2;
	bool bank = false;

	if (!x->bars && active)
		bank = n > 1 && (fsi_span_is_word(cell[1], "true") || fsi_span_is_word(cell[1], "false"));
	else if (!x->bars)
		bank = n > 1 && n < x->columns;
	for (size_t i = 0, at = 0; i < x->columns; i++) {
		const size_t k = x->column[i];

		if (bank && k == 1)
			continue;
		if (at < n)
			value[k] = cell[at++];
	}
	if (active && !fsi_span_is_word(value[2], "true") && !fsi_span_is_word(value[2], "false"))
		return false;
	for (size_t k = 3; k < TREE_COLUMNS; k++)
		if (value[k].len && !fsi_text_is_number(value[k], k > 3))
			return false;
	return value[0].len > 0;
}

/* Adds a row of the tree. The parent of a bank is the nearest bank above the row whose indentation is one blank
 * less. */
static int add_tree_row(struct bank_tree *x, struct fsi_span *value, size_t depth, uint32_t no)
{
	struct fsi_kv row = { .n = 0 };

	for (size_t k = 0; k < TREE_COLUMNS; k++)
		if (value[k].len) {
			row.key[row.n] = fsi_string_to_span(tree_keys[k]);
			row.value[row.n++] = value[k];
		}
	if (!value[1].len && depth < TREE_DEPTH_MAX) {
		if (depth && depth <= x->depth) {
			row.key[row.n] = fsi_string_to_span("parent_bank");
			row.value[row.n++] = x->bank[depth - 1];
		}
		x->bank[depth] = value[0];
		x->depth = depth + 1;
	}
	return add_list_row(x->f, &row, no);
}

/* Removes the last value of the line if the value may be cut. Does not remove the name of the bank. */
static void drop_cut_value_of_line(const struct bank_tree *x, const struct fsi_text_line *l, struct fsi_span *value)
{
	if (!l->cut && !(fsi_text_is_terminal_width(x->width) && l->len == x->width && x->bars))
		return;
	for (size_t k = TREE_COLUMNS; k-- > 1;)
		if (value[k].len) {
			value[k].len = 0;
			return;
		}
}

/* Reads a tree of banks. */
static int read_bank_tree(struct flux_pieces *f, struct fsi_text_piece *p)
{
	const struct fsi_span heading = fsi_text_get_line(f->t, p->begin), trimmed = fsi_span_trim_blanks(heading);
	struct bank_tree x = { .f = f,
			       .width = fsi_text_max_width(f->t, p),
			       .indent = (size_t)(trimmed.s - heading.s),
			       .bars = memchr(heading.s, '|', heading.len) };
	int rc = 0;

	read_tree_heading(&x, heading);
	for (size_t i = p->begin + 1; i < p->end && !rc; i++) {
		const struct fsi_span line = fsi_text_get_line(f->t, i), v = fsi_span_trim_blanks(line);
		struct fsi_span cell[TREE_COLUMNS] = { { NULL, 0 } }, value[TREE_COLUMNS] = { { NULL, 0 } };
		const size_t n = split_tree_cells(&x, line, cell, TREE_COLUMNS), indent = (size_t)(v.s - line.s);

		if (!v.len || indent < x.indent || !assign_tree_cells(&x, cell, n, value)) {
			p->unparsed += v.len > 0;
			x.depth = v.len ? 0 : x.depth;
			continue;
		}
		drop_cut_value_of_line(&x, &f->t->lines.v[i], value);
		rc = add_tree_row(&x, value, indent - x.indent, f->t->lines.v[i].no);
		rc = rc > 0 ? 0 : rc;
		p->imported++;
	}
	return rc;
}

/* Conversion of the outputs of Flux's commands to the files of a capture. */

/* ---- flux queue status and list */

static int add_queue_name(struct flux_pieces *x, struct fsi_span name, uint32_t no)
{
	const struct fsi_kv row = { .n = 1, .key = { { "queue", 5 } }, .value = { name } };
	const int rc = add_list_row(x, &row, no);

	return rc < 0 ? rc : 0;
}

static int read_queue_status(struct flux_pieces *x, struct fsi_text_piece *p)
{
	int rc = 0;

	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &x->t->lines.v[i];
		struct fsi_span line = fsi_span_trim_blanks(fsi_text_line_span(l)), rest = line, name;

		if (fsi_text_kind_of_record(line) != TEXT_FLUX_STATUS || l->cut) {
			p->unparsed += line.len > 0;
			continue;
		}
		if (fsi_span_cut_part(&rest, ':', &name) && rest.s && !memchr(name.s, ' ', name.len))
			rc = add_queue_name(x, name, l->no);
		rc = rc ? rc : fsi_text_add_line(x->t, "flux_queue_status.txt", line, l->no);
		p->imported++;
	}
	return rc;
}

static int write_queue_status(struct fsi_text *t, struct fsi_span queue, const char *what, struct fsi_span mark,
			      const char *on, const char *off, uint32_t no)
{
	const bool yes = fsi_span_is_word(mark, "\xe2\x9c\x94") || fsi_span_is_word(mark, "y");
	struct fsi_text_row l = { .n = 0 };

	if (!yes && !fsi_span_is_word(mark, "\xe2\x9c\x97") && !fsi_span_is_word(mark, "n"))
		return 0;
	fsi_text_row_append(&l, queue, ": ");
	fsi_text_row_append(&l, fsi_string_to_span(what), yes ? on : off);
	return fsi_text_add_line(t, "flux_queue_status.txt", fsi_text_row_span(&l), no);
}

/* Reads flux queue list: QUEUE [PARENT] EN ST TDEFAULT TLIMIT ... A row with a parent has one word more than other
 * rows. has_status: flux queue status was also pasted; the states are then read from that output instead. */
static int read_queue_list(struct flux_pieces *x, struct fsi_text_piece *p, bool has_status)
{
	struct fsi_span w[12];
	int rc = 0;

	for (size_t i = p->begin + 1; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &x->t->lines.v[i];
		struct fsi_span rest = { l->s, l->len }, word;
		size_t n = 0, at;

		while (n < 12 && fsi_span_cut_part(&rest, ' ', &word))
			if (word.len)
				w[n++] = word;
		if (n < 3 || l->cut) {
			p->unparsed += n > 0;
			continue;
		}
		w[0].len -= w[0].s[w[0].len - 1] == '*'; /* a * after the name marks the default queue */
		w[0] = complete_queue_name(x, w[0]);
		at = w[1].len == 1 || w[1].len == 3 ? 1 : 2;
		if (!w[0].len || at + 1 >= n)
			continue;
		rc = add_queue_name(x, w[0], l->no);
		if (!rc && !has_status)
			rc = write_queue_status(x->t, w[0], "Job submission is ", w[at], "enabled", "disabled", l->no);
		if (!rc && !has_status)
			rc = write_queue_status(x->t, w[0], "Scheduling is ", w[at + 1], "started", "stopped", l->no);
		p->imported++;
	}
	return rc;
}

/* ---- flux resource list and flux resource status: the first output of each command is written unchanged */

static int write_resource_piece(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	int rc = 0;

	if (fsi_text_find_file(t, file))
		return fsi_text_add_warning(t, "line %u: a second output of %s is left out", t->lines.v[p->begin].no,
					    fsi_text_kind_name(p->kind));
	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &t->lines.v[i];

		if (l->cut) {
			p->unparsed++;
			continue;
		}
		rc = fsi_text_add_line(t, file, fsi_text_line_span(l), l->no);
		p->imported += i > p->begin && l->len > 0;
	}
	return rc;
}

/* ---- conversion of all pasted outputs of Flux */

static int read_flux_piece(struct flux_pieces *x, struct fsi_text_piece *p)
{
	switch (p->kind) {
	case TEXT_FLUX_ROWS:
		return read_bar_table(x, p);
	case TEXT_FLUX_TREE:
		return read_bank_tree(x, p);
	case TEXT_FLUX_JSON:
		return read_json_piece(x, p);
	case TEXT_FLUX_STATUS:
		return read_queue_status(x, p);
	case TEXT_FLUX_NODES:
		return write_resource_piece(x->t, p, "flux_resource_list.txt");
	case TEXT_FLUX_DRAINED:
		return write_resource_piece(x->t, p, "flux_resource_status.txt");
	default:
		return 0;
	}
}

/* Reads an output in which queue names may be cut. Such an output is read after all other outputs, because the complete
 * names are known by then. */
static int read_narrow_piece(struct flux_pieces *x, struct fsi_text_piece *p)
{
	switch (p->kind) {
	case TEXT_FLUX_QUEUES:
		return read_queue_list(x, p, fsi_text_find_file(x->t, "flux_queue_status.txt") != NULL);
	case TEXT_FLUX_PRIORITIES:
		return read_account_jobs(x, p);
	case TEXT_FLUX_JOBS:
		return read_flux_jobs(x, p);
	default:
		return 0;
	}
}

static int read_flux_pieces(struct flux_pieces *x, int (*fn)(struct flux_pieces *x, struct fsi_text_piece *p))
{
	int rc = 0;

	for (size_t i = 0; i < x->t->pieces.n && !rc; i++)
		if (fsi_text_kind_scheduler(x->t->pieces.v[i].kind) == TEXT_FLUX)
			rc = fn(x, &x->t->pieces.v[i]);
	return rc;
}

int fsi_text_write_flux(struct fsi_text *t)
{
	struct flux_pieces x;
	int rc;

	init_flux_pieces(&x, t);
	rc = read_flux_pieces(&x, read_flux_piece);
	rc = rc ? rc : read_flux_pieces(&x, read_narrow_piece);
	rc = rc ? rc : add_user_banks(&x);
	for (enum flux_list i = FLUX_USERS; i < FLUX_LISTS && !rc; i++)
		rc = write_list_file(&x, i);
	rc = rc ? rc : write_jobs_file(&x);
	for (enum flux_list i = FLUX_USERS; i < FLUX_LISTS; i++)
		rc = fsi_text_merge_finish(&x.list[i], rc);
	return fsi_text_merge_finish(&x.jobs, rc);
}
