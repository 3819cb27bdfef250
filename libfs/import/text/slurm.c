#include "import/text/tables.h"

#include <stdio.h>
#include <string.h>

/* squeue, in any format: each job a line of `Key=Value` as scontrol prints it, with the keys that are known. */

/* What may stand in the cells of a column: whole names of a kind, or others; of those behind WORD what is cut is
 * unknown. The blanks of a WHOLE_TEXT become _. */
enum cells {
	USER = TEXT_USERS, ACCOUNT = TEXT_ACCOUNTS, PARTITION = TEXT_PARTITIONS, QOS = TEXT_QOSES,
	STATE = TEXT_NAME_KINDS, LIMIT, DIGITS, WORD, WHOLE, WHOLE_WORD, WHOLE_DIGITS, WHOLE_TRES, WHOLE_TEXT
};

/* The first of the columns; UserId ends a name, also where it is not known. */
enum field { F_NAME, F_USER, F_STATE, F_REASON, F_PRIORITY, F_TRES, F_ASSOC, F_PARTITION, F_NODELIST };

/* Columns, and the keys of scontrol that stand for them. */
static const struct {
	const char *column, *key;
	enum cells cells;
} columns[] = {
	{ "NAME", "JobName", WHOLE },		    { "USER", "UserId", USER },
	{ "STATE", "JobState", STATE },		    { "REASON", "Reason", WHOLE_TEXT },
	{ "PRIORITY", "Priority", WHOLE_DIGITS },   { "TRES_ALLOC", "TRES", WHOLE_TRES },
	{ "ASSOC_ID", NULL, DIGITS },		    { "PARTITION", "Partition", PARTITION },
	{ "NODELIST", "NodeList", WHOLE_WORD },	    { "NICE", "Nice", WORD },
	{ "ACCOUNT", "Account", ACCOUNT },	    { "QOS", "QOS", QOS },
	{ "TIME_LIMIT", "TimeLimit", LIMIT },	    { "SUBMIT_TIME", "SubmitTime", WORD },
	{ "ELIGIBLE_TIME", "EligibleTime", WORD },  { "ACCRUE_TIME", "AccrueTime", WORD },
	{ "START_TIME", "StartTime", WORD },	    { "END_TIME", "EndTime", WORD },
	{ "NODES", "NumNodes", WORD },		    { "CPUS", "NumCPUs", WORD },
	{ "TASKS", "NumTasks", WORD },		    { "OVER_SUBSCRIBE", "OverSubscribe", WORD },
	{ "DEPENDENCY", "Dependency", WHOLE_WORD }, { "RESERVATION", "Reservation", WHOLE_WORD },
	{ "FEATURES", "Features", WHOLE_WORD },	    { "LICENSES", "Licenses", WHOLE_WORD },
	{ "REQ_NODES", "ReqNodeList", WHOLE_WORD }, { "EXC_NODES", "ExcNodeList", WHOLE_WORD },
	{ "SCHEDNODES", "SchedNodeList", WHOLE_WORD },
};
enum { COLUMNS = sizeof(columns) / sizeof(*columns), F_ARRAY_JOB = COLUMNS, F_ARRAY_TASKS, FIELDS };

/* A name that a column may have cut, and that is whole nowhere else in the paste. */
struct cut_name {
	uint32_t row, no; /* of the queue; line of the paste */
	size_t field;
};

struct queue {
	struct fsi_text *t;
	struct fsi_text_merge m;
	struct fsi_text_lost tasks; /* rows that name a task, and no job id of its own */
	FSI_VEC(struct cut_name) cut;
};

static bool digits(struct fsi_span v)
{
	for (size_t i = 0; i < v.len; i++)
		if (v.s[i] < '0' || v.s[i] > '9')
			return false;
	return v.len > 0;
}

static struct fsi_span spaces_to_lines(struct fsi_text *t, struct fsi_span v)
{
	char *s = fsi_arena_strndup(&t->arena, v.s, v.len);

	for (size_t i = 0; s && i < v.len; i++)
		if (s[i] == ' ')
			s[i] = '_';
	return (struct fsi_span){ s, s ? v.len : 0 };
}

/* `7`, `7_[1-4%2]`: the record that stands for all tasks that wait has the array's own number. `7_1` and `7+1` have one
 * that these do not tell. */
static uint32_t job_row(struct queue *q, const struct fsi_text_table *table, size_t r, struct fsi_span *array)
{
	struct fsi_span id = { NULL, 0 };

	*array = id;
	for (size_t c = 0; c < table->columns; c++) {
		struct fsi_span v = table->cell[r * table->columns + c], base;

		if (strcmp(table->name[c], "JOBID") != 0)
			continue;
		if (digits(v)) {
			id = v;
			continue;
		}
		*array = v;
		fsi_span_cut(&v, '_', &base);
		if (!id.len && digits(base) && v.len && *v.s == '[')
			id = base;
	}
	if (!id.len) {
		fsi_text_lose(&q->tasks, table->no[r]);
		return UINT32_MAX - 1;
	}
	return fsi_text_merge_row(&q->m, id, table->no[r]);
}

static void set_array(struct queue *q, uint32_t row, struct fsi_span array, uint32_t no)
{
	struct fsi_span base;

	if (!fsi_span_cut(&array, '_', &base) || !array.s || !digits(base))
		return;
	fsi_text_merge_set(&q->m, row, F_ARRAY_JOB, "JOBID", base, no);
	if (array.len > 2 && *array.s == '[' && array.s[array.len - 1] == ']' && !memchr(array.s, '.', array.len))
		array = (struct fsi_span){ array.s + 1, array.len - 2 };
	else if (!digits(array))
		return;
	fsi_text_merge_set(&q->m, row, F_ARRAY_TASKS, "JOBID", array, no);
}

/* "(Priority)", or the nodes. */
static void set_nodelist(struct queue *q, uint32_t row, struct fsi_span v, uint32_t no)
{
	if (v.len > 2 && *v.s == '(' && v.s[v.len - 1] == ')')
		fsi_text_merge_set(&q->m, row, F_REASON, "REASON",
				   spaces_to_lines(q->t, (struct fsi_span){ v.s + 1, v.len - 2 }), no);
	else if (v.len && *v.s != '(' && v.s[v.len - 1] != '.')
		fsi_text_merge_set(&q->m, row, F_NODELIST, "NODELIST", v, no);
}

static bool holds(struct fsi_span v, char c)
{
	return v.len && memchr(v.s, c, v.len);
}

/* The value of the cell; empty where it is not known, or cannot be one. */
static struct fsi_span value_in(struct queue *q, enum cells cells, struct fsi_span v, bool cut)
{
	static const struct fsi_span none = { NULL, 0 };

	if (cells < STATE)
		v = fsi_text_whole(q->t, (enum fsi_text_name)cells, v, cut);
	else if (cells == STATE)
		return fsi_text_state(v);
	else if (cells == LIMIT)
		v = fsi_text_limit(q->t, v);
	else if (cells >= WHOLE && cut)
		return none;
	switch (cells) {
	case USER:
	case WHOLE:
		return v;
	case WHOLE_TEXT:
		return spaces_to_lines(q->t, v);
	case DIGITS:
	case WHOLE_DIGITS:
		return digits(v) ? v : none;
	case WHOLE_TRES:
		return holds(v, ' ') ? none : v;
	default:
		return holds(v, ' ') || holds(v, '=') ? none : v;
	}
}

static int set_cell(struct queue *q, uint32_t row, const char *name, struct fsi_span v, bool cut, uint32_t no)
{
	const char *column = strcmp(name, "ST") ? name : "STATE";

	if (!strcmp(name, "NODELIST(REASON)"))
		set_nodelist(q, row, v, no);
	for (size_t k = 0; k < COLUMNS; k++) {
		struct fsi_span value;

		if (strcmp(column, columns[k].column) != 0)
			continue;
		value = value_in(q, columns[k].cells, v, cut);
		fsi_text_merge_set(&q->m, row, k, name, value, no);
		if (!cut || !v.len || value.len || columns[k].cells >= STATE)
			continue;
		if (FSI_VEC_ROOM(&q->cut))
			return fsi_nomem(q->t->err);
		q->cut.v[q->cut.n++] = (struct cut_name){ row, no, k };
	}
	return 0;
}

/* Warns of names that are known from no other output. shown: by row, scontrol has shown the job. */
static int note_cut_names(struct queue *q, const bool *shown)
{
	int rc = 0;

	for (size_t k = 0; k < COLUMNS && !rc; k++) {
		struct fsi_text_lost lost = { .n = 0 };

		for (size_t i = 0; i < q->cut.n; i++) {
			const struct cut_name *c = &q->cut.v[i];

			if (c->field == k && !shown[c->row] && !q->m.v[c->row * FIELDS + k].len)
				fsi_text_lose(&lost, c->no);
		}
		rc = fsi_text_warn_lost(q->t, &lost, columns[k].column,
					"not read: the column may have cut the name; a wider one (squeue -O) cuts none");
	}
	return rc;
}

static int take_table(struct queue *q, struct fsi_text_piece *p)
{
	const struct fsi_text_table *table = p->table;

	for (size_t r = 0; r < table->rows; r++) {
		struct fsi_span array;
		const uint32_t row = job_row(q, table, r, &array);

		if (row == UINT32_MAX)
			return fsi_nomem(q->t->err);
		if (row == UINT32_MAX - 1) {
			fsi_text_odd(p, table->no[r]);
			continue;
		}
		p->taken++;
		set_array(q, row, array, table->no[r]);
		for (size_t c = 0; c < table->columns; c++)
			if (set_cell(q, row, table->name[c], table->cell[r * table->columns + c],
				     table->cut[r * table->columns + c], table->no[r]))
				return FS_ENOMEM;
	}
	return 0;
}

/* ---- jobs that scontrol has shown say more: they stay, and are compared */

static struct fsi_span value_of(struct fsi_span line, const char *key)
{
	const size_t n = strlen(key);
	struct fsi_span word;

	while (fsi_span_cut(&line, ' ', &word))
		if (word.len >= n && !memcmp(word.s, key, n))
			return fsi_span_from(word, n);
	return (struct fsi_span){ NULL, 0 };
}

static void compare(struct queue *q, uint32_t row, size_t field, const char *name, struct fsi_span shown, uint32_t no)
{
	if (q->m.v[row * FIELDS + field].len && shown.len)
		fsi_text_merge_set(&q->m, row, field, name, shown, no);
}

/* Marks the rows of jobs that scontrol has shown. */
static void find_shown(struct queue *q, bool *shown)
{
	const struct fsi_text_file *f = fsi_text_has(q->t, "scontrol_job_o.txt");

	for (size_t i = 0; f && i < f->lines.n; i++) {
		const struct fsi_span line = { f->lines.v[i].s, f->lines.v[i].len }, id = value_of(line, "JobId=");
		const uint32_t row = fsi_text_merge_find(&q->m, id);

		if (row == UINT32_MAX)
			continue;
		shown[row] = true;
		compare(q, row, F_STATE, "state", value_of(line, "JobState="), f->lines.v[i].no);
		compare(q, row, F_PRIORITY, "priority", value_of(line, "Priority="), f->lines.v[i].no);
	}
}

struct out {
	char text[4096];
	size_t n;
};

static void put_key(struct out *o, const char *key, struct fsi_span v)
{
	const int n = snprintf(o->text + o->n, sizeof(o->text) - o->n, "%s%s=%.*s", o->n ? " " : "", key, (int)v.len, v.s ? v.s : "");

	if (n > 0 && (size_t)n < sizeof(o->text) - o->n)
		o->n += (size_t)n;
	else
		o->text[o->n] = '\0'; /* a value too long to be one of its kind is unknown */
}

static void put_known(struct out *o, const char *key, struct fsi_span v)
{
	if (v.len && !fsi_span_is(v, "N/A") && !fsi_span_is(v, "INVALID") && !fsi_span_is(v, "NOT_SET"))
		put_key(o, key, v);
}

static int put_job(struct queue *q, uint32_t row)
{
	const struct fsi_span *v = q->m.v + row * FIELDS;
	struct out o = { .n = 0 };

	put_key(&o, "JobId", q->m.key[row]);
	put_known(&o, "ArrayJobId", v[F_ARRAY_JOB]);
	put_known(&o, "ArrayTaskId", v[F_ARRAY_TASKS]);
	for (size_t k = 0; k <= F_USER; k++)
		put_key(&o, columns[k].key, v[k]);
	for (size_t k = F_STATE; k < COLUMNS; k++)
		if (columns[k].key)
			put_known(&o, columns[k].key, v[k]);
	return fsi_text_put(q->t, "scontrol_job_o.txt", (struct fsi_span){ o.text, o.n }, q->m.no[row]);
}

/* The list must have all jobs: one that is not in it is taken for none (fsi_slurm_cross_jobs). */
static int put_associations(struct queue *q)
{
	static const char heading[] = "JOBID               ASSOC_ID ";
	const struct fsi_text_file *f = fsi_text_has(q->t, "scontrol_job_o.txt");
	int rc = fsi_text_put(q->t, "squeue_O.txt", (struct fsi_span){ heading, sizeof(heading) - 1 }, 0);

	f = fsi_text_has(q->t, "scontrol_job_o.txt");
	for (size_t i = 0; f && i < f->lines.n && !rc; i++) {
		const struct fsi_span line = { f->lines.v[i].s, f->lines.v[i].len }, id = value_of(line, "JobId=");
		const uint32_t row = fsi_text_merge_find(&q->m, id);
		struct fsi_span assoc = { "", 0 };
		char text[80];

		if (row != UINT32_MAX && q->m.v[row * FIELDS + F_ASSOC].len)
			assoc = q->m.v[row * FIELDS + F_ASSOC];
		snprintf(text, sizeof(text), "%-20.*s%.*s ", (int)id.len, id.s, (int)assoc.len, assoc.s);
		if (id.len)
			rc = fsi_text_put(q->t, "squeue_O.txt", fsi_span_of(text), f->lines.v[i].no);
		f = fsi_text_has(q->t, "scontrol_job_o.txt");
	}
	return rc;
}

/* Do rows have ids of associations? sshare prints none: those of its associations are made up. */
static bool knows_ids(const struct fsi_text *t)
{
	for (size_t i = 0; i < t->pieces.n; i++)
		if (t->pieces.v[i].kind == TEXT_ASSOC || t->pieces.v[i].kind == TEXT_ASSOC_MGR)
			return true;
	return false;
}

static int put_all(struct queue *q)
{
	bool *shown = calloc(q->m.n + 1, sizeof(*shown)), any = false;
	int rc = shown ? 0 : fsi_nomem(q->t->err);

	if (!rc)
		find_shown(q, shown);
	for (uint32_t row = 0; row < q->m.n && !rc; row++) {
		any = any || q->m.v[row * FIELDS + F_ASSOC].len;
		if (!shown[row] && q->m.v[row * FIELDS + F_STATE].len)
			rc = put_job(q, row);
	}
	rc = rc ? rc : note_cut_names(q, shown);
	free(shown);
	return rc || !any || !knows_ids(q->t) ? rc : put_associations(q);
}

/* ---- jobs that wait are known by sprio, too: their partitions are those of its rows */

static bool calculates_running(const struct fsi_text *t)
{
	const struct fsi_text_file *f = fsi_text_has(t, "scontrol_config.txt");

	for (size_t i = 0; f && i < f->lines.n; i++)
		if (!strncmp(f->lines.v[i].s, "PriorityFlags", 13) && strstr(f->lines.v[i].s, "CALCULATE_RUNNING"))
			return true;
	return false;
}

static struct fsi_span partition_of(const struct fsi_text *t, const struct fsi_text_table *table, size_t r)
{
	for (size_t c = 0; c < table->columns; c++)
		if (!strcmp(table->name[c], "PARTITION") && !fsi_text_number(table->cell[r * table->columns + c], true))
			return fsi_text_whole(t, TEXT_PARTITIONS, table->cell[r * table->columns + c],
					      table->cut[r * table->columns + c]);
	return (struct fsi_span){ "", 0 };
}

static int queue_take_priorities(struct queue *q, const struct fsi_text_table *table, bool all_wait,
				 struct fsi_span *partitions, size_t n)
{
	static const struct fsi_span pending = { "PENDING", 7 };

	for (size_t r = 0; r < table->rows; r++) {
		const struct fsi_span id = fsi_text_cell(table, r, "JOBID");
		const uint32_t no = table->no[r];
		uint32_t row;

		if (!digits(id))
			continue;
		row = fsi_text_merge_row(&q->m, id, no);
		if (row == UINT32_MAX)
			return fsi_nomem(q->t->err);
		if (all_wait && !q->m.v[row * FIELDS + F_STATE].len)
			fsi_text_merge_set(&q->m, row, F_STATE, "state", pending, no);
		for (size_t c = 0; c < table->columns; c++) {
			const char *name = !strcmp(table->name[c], "QOSNAME") ? "QOS" : table->name[c];
			const bool cut = table->cut[r * table->columns + c];

			if ((!strcmp(name, "USER") || !strcmp(name, "ACCOUNT") ||
			     (!strcmp(name, "QOS") && name != table->name[c])) &&
			    set_cell(q, row, name, table->cell[r * table->columns + c], cut, no))
				return FS_ENOMEM;
		}
		if (row < n)
			partitions[row] = fsi_text_with_name(q->t, partitions[row], partition_of(q->t, table, r));
	}
	return 0;
}

static int add_priorities(struct queue *q)
{
	const bool all_wait = !calculates_running(q->t);
	size_t n = q->m.n;
	struct fsi_span *partitions;
	int rc = 0;

	for (size_t i = 0; i < q->t->pieces.n; i++)
		n += q->t->pieces.v[i].kind == TEXT_SPRIO ? q->t->pieces.v[i].table->rows : 0;
	partitions = calloc(n + 1, sizeof(*partitions));
	if (!partitions)
		return fsi_nomem(q->t->err);
	for (size_t i = 0; i < q->t->pieces.n && !rc; i++)
		if (q->t->pieces.v[i].kind == TEXT_SPRIO)
			rc = queue_take_priorities(q, q->t->pieces.v[i].table, all_wait, partitions, n);
	for (uint32_t row = 0; row < q->m.n && !rc; row++)
		if (!q->m.v[row * FIELDS + F_PARTITION].len)
			fsi_text_merge_set(&q->m, row, F_PARTITION, "PARTITION", partitions[row], q->m.no[row]);
	free(partitions);
	return rc;
}

int fsi_text_queue(struct fsi_text *t)
{
	struct queue q = { .t = t, .m = { .t = t, .what = "job", .fields = FIELDS } };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SQUEUE)
			rc = take_table(&q, &t->pieces.v[i]);
	if (!rc)
		rc = add_priorities(&q);
	if (!rc && q.m.n)
		rc = put_all(&q);
	rc = rc ? rc : fsi_text_warn_lost(t, &q.tasks, "squeue",
					  "left out: array tasks or components without the job id; squeue -O JobID prints it");
	FSI_VEC_FREE(&q.cut);
	return fsi_text_merge_end(&q.m, rc);
}

/* sprio: its tables become what `%i|%r|%u|%o|%Y|%S|%A|%B|%F|%J|%P|%n|%Q|%N|%T|%y|%a|%b|%f|%j|%p|%q|%t` prints. */

static const struct fsi_span sprio_none = { NULL, 0 };

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
	struct fsi_span name = sprio_none, points = sprio_none;
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
	fsi_text_merge_set(&s->m, *row, 0, "JOBID", s->m.v[*row * SPRIO].len ? sprio_none : id, table->no[r]);
	fsi_text_merge_set(&s->m, *row, P_PARTITION, "PARTITION", s->m.v[*row * SPRIO + P_PARTITION].len ? sprio_none : name, table->no[r]);
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
		return cut || v.len >= 20 || memchr(v.s ? v.s : "", ' ', v.len) ? sprio_none : v;
	return fsi_text_number(v, true) ? v : sprio_none;
}

static int sprio_take_priorities(struct sprio *s, struct fsi_text_piece *p)
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
			const struct fsi_span v = c < table->columns ? table->cell[r * table->columns + c] : sprio_none;
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

/* Reads all pieces of sprio. */
static int text_sprio(struct fsi_text *t)
{
	struct sprio s = { .t = t, .m = { .t = t, .what = "priority of", .fields = SPRIO } };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SPRIO)
			rc = sprio_take_priorities(&s, &t->pieces.v[i]);
	rc = rc ? rc : put_priorities(&s);
	rc = rc ? rc : note_missing(&s);
	rc = rc ? rc : fsi_text_warn_lost(t, &s.nameless, "sprio",
					  "left out: without a whole partition name; sprio -o \"%i %r %Y ...\" cuts none");
	return fsi_text_merge_end(&s.m, rc);
}

/* sshare: its tables are put into the form that the importer reads. */

static const struct fsi_span sshare_none = { NULL, 0 };

static const char *const sshare_columns[] = { "Account",   "User",	     "RawShares", "NormShares", "RawUsage",
					      "NormUsage", "EffectvUsage", "FairShare", "LevelFS" };
enum { SSHARE = sizeof(sshare_columns) / sizeof(*sshare_columns) };

struct sshare {
	struct fsi_text *t;
	struct fsi_text_merge m;
	struct fsi_text_lost nameless; /* rows of names that were cut */
};

static struct fsi_span indent_of(struct fsi_span account)
{
	struct fsi_span v = { account.s, 0 };

	while (v.len < account.len && v.s[v.len] == ' ')
		v.len++;
	return v;
}

/* The account with its indentation, if it is whole; empty where that cannot be told. */
static struct fsi_span whole_account(struct fsi_text *t, struct fsi_span v, bool cut)
{
	const struct fsi_span indent = indent_of(v);
	const struct fsi_span name = fsi_text_whole(t, TEXT_ACCOUNTS, fsi_span_from(v, indent.len), cut);
	char *s = fsi_arena_alloc(&t->arena, indent.len + name.len + 1);

	if (!s || !name.len)
		return sshare_none;
	memset(s, ' ', indent.len);
	memcpy(s + indent.len, name.s, name.len);
	return (struct fsi_span){ s, indent.len + name.len };
}

/* UINT32_MAX - 1: the row is left out, since the tree is that of the first table, and in another the accounts above
 * may be others. */
static uint32_t share_row(struct sshare *s, const struct fsi_text_table *table, size_t r, struct fsi_span account,
			  struct fsi_span user, bool first)
{
	const struct fsi_span name = fsi_span_trim(account), partition = fsi_text_cell(table, r, "Partition");
	struct fsi_text_row key = { .n = 0 };
	char *copy;

	fsi_text_row_add(&key, name, "|");
	fsi_text_row_add(&key, user, "|");
	fsi_text_row_add(&key, partition, "");
	if (!first && !user.len && fsi_text_merge_find(&s->m, fsi_text_row_span(&key)) == UINT32_MAX)
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
		struct fsi_span account, user = sshare_none;
		uint32_t row;

		if (account_column == table->columns)
			return 0;
		account = whole_account(s->t, cell[account_column], cut[account_column]);
		if (user_column < table->columns)
			user = fsi_text_whole(s->t, TEXT_USERS, cell[user_column], cut[user_column]);
		if (!account.len || (user_column < table->columns && cell[user_column].len && !user.len)) {
			fsi_text_lose(&s->nameless, table->no[r]);
			fsi_text_odd(p, table->no[r]);
			continue;
		}
		row = share_row(s, table, r, account, user, first);
		if (row == UINT32_MAX)
			return fsi_nomem(s->t->err);
		if (row == UINT32_MAX - 1) {
			fsi_text_odd(p, table->no[r]);
			continue;
		}
		p->taken++;
		fsi_text_merge_set(&s->m, row, 0, "Account", s->m.v[row * SSHARE].len ? sshare_none : account, table->no[r]);
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
	struct fsi_text_row l = { .n = 0 };
	int rc = 0;

	for (size_t row = 0; row < s->m.n; row++)
		for (size_t k = 0; k < SSHARE; k++)
			have[k] = have[k] || s->m.v[row * SSHARE + k].len;
	have[1] = true;
	for (size_t k = 0; k < SSHARE; k++)
		if (have[k])
			fsi_text_row_add(&l, fsi_span_of(sshare_columns[k]), "|");
	l.n--;
	rc = fsi_text_put(s->t, file, fsi_text_row_span(&l), 0);
	for (size_t row = 0; row < s->m.n && !rc; row++) {
		l.n = 0;
		for (size_t k = 0; k < SSHARE; k++)
			if (have[k])
				fsi_text_row_add(&l, s->m.v[row * SSHARE + k], "|");
		l.n--;
		rc = fsi_text_put(s->t, file, fsi_text_row_span(&l), s->m.no[row]);
	}
	return rc;
}

/* Reads all pieces of sshare. */
static int text_sshare(struct fsi_text *t)
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
	rc = rc ? rc : fsi_text_warn_lost(t, &s.nameless, "sshare", "left out: names cut short; sshare -P cuts none");
	return fsi_text_merge_end(&s.m, rc);
}

/* sinfo and sacctmgr: their tables are put into the form that the importer reads. */

static const struct fsi_span tables_none = { NULL, 0 };

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
			return fsi_span_of(words[i][1]);
	return tables_none;
}

/* lost: the name may be cut, and the row is left out. */
static int put_partition(struct fsi_text *t, const struct fsi_text_table *table, size_t r, bool *lost)
{
	struct fsi_span name = fsi_text_cell(table, r, "PARTITION"), limit = fsi_text_cell(table, r, "TIMELIMIT");
	const bool is_default = name.len && name.s[name.len - 1] == '*';
	const struct fsi_span state = partition_state(fsi_text_cell(table, r, "AVAIL"));
	struct fsi_text_row l = { .n = 0 };

	name.len -= is_default;
	name = fsi_text_whole(t, TEXT_PARTITIONS, name, table->cut[r * table->columns + fsi_text_column(table, "PARTITION")]);
	*lost = !name.len;
	if (*lost || is_shown(t, name))
		return 0;
	fsi_text_row_add(&l, fsi_span_of("PartitionName="), "");
	fsi_text_row_add(&l, name, is_default ? " Default=YES State=" : " State=");
	fsi_text_row_add(&l, state, "");
	if (fsi_span_is(limit, "infinite"))
		fsi_text_row_add(&l, tables_none, " MaxTime=UNLIMITED");
	else if (limit.len && !memchr(limit.s, ' ', limit.len)) {
		fsi_text_row_add(&l, tables_none, memchr(limit.s, '-', limit.len) || limit.len > 5 ? " MaxTime=" : " MaxTime=0:");
		fsi_text_row_add(&l, limit, "");
	}
	return fsi_text_put(t, "scontrol_partition_o.txt", fsi_text_row_span(&l), table->no[r]);
}

static int take_partitions(struct fsi_text *t, struct fsi_text_piece *p, struct fsi_text_lost *l)
{
	int rc = 0;

	for (size_t r = 0; r < p->table->rows && !rc; r++) {
		bool lost;

		rc = put_partition(t, p->table, r, &lost);
		if (lost) {
			fsi_text_lose(l, p->table->no[r]);
			fsi_text_odd(p, p->table->no[r]);
		}
		p->taken += !lost;
	}
	return rc;
}

static int read_partitions(struct fsi_text *t)
{
	struct fsi_text_lost lost = { .n = 0 };
	int rc = 0;

	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		if (t->pieces.v[i].kind == TEXT_SINFO)
			rc = take_partitions(t, &t->pieces.v[i], &lost);
	return rc ? rc : fsi_text_warn_lost(t, &lost, "sinfo", "left out: the partition's name is missing or may be cut; "
					    "sinfo -o \"%R %a %l\" cuts none");
}

/* ---- sacctmgr: tables go as they are, but for what is cut */

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
	struct fsi_text_row l = { .n = 0 };
	int rc;

	for (size_t c = 0; c < table->columns; c++)
		fsi_text_row_add(&l, fsi_span_of(table->name[c]), c + 1 < table->columns ? "|" : "");
	rc = fsi_text_heading(t, file, fsi_arena_strndup(&t->arena, l.text, l.n));
	for (size_t r = 0; r < table->rows && !rc; r++) {
		bool lost = false;

		l = (struct fsi_text_row){ .n = 0 };
		for (size_t c = 0; c < table->columns; c++) {
			struct fsi_span v = table->cell[r * table->columns + c];
			const char *name = table->name[c];
			const bool cut = table->cut[r * table->columns + c];

			if (cut)
				v = !strcmp(name, "User") ? fsi_text_whole(t, TEXT_USERS, v, true)
				    : !strcmp(name, "Account") || !strcmp(name, "ParentName") ? fsi_text_whole(t, TEXT_ACCOUNTS, v, true)
											    : tables_none;
			lost = lost || (cut && !v.len && (!strcmp(name, "User") || !strcmp(name, "Account") || !strcmp(name, "Name") ||
							  !strcmp(name, "ParentName")));
			fsi_text_row_add(&l, v, c + 1 < table->columns ? "|" : "");
		}
		if (lost || l.full) {
			fsi_text_odd(p, table->no[r]);
			continue;
		}
		rc = fsi_text_put(t, file, fsi_text_row_span(&l), table->no[r]);
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
				rc = fsi_text_warn(t, "line %u: a second table of %s is left out", t->lines.v[p->begin].no,
						   fsi_text_kind_name(p->kind));
			else if (fsi_text_column(p->table, accounts[k].needs) == p->table->columns)
				rc = fsi_text_warn(t, "line %u: %s without the column %s is left out", t->lines.v[p->begin].no,
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
	int rc = fsi_text_heading(t, "sacctmgr_tres.txt", "Type|Name|ID");

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
		rc = fsi_text_put(t, "sacctmgr_tres.txt", fsi_span_of(text), no);
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
	int rc = 0;

	FSI_IN_TURN(rc, struct fsi_text *, t, text_sshare, text_sprio, read_partitions, read_accounts, read_tres);
	return rc;
}
