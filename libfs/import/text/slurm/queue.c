/* squeue, in any format: each job a line of `Key=Value` as scontrol prints it, with the keys that are known. */
#include "import/text/merge.h"

#include <stdio.h>
#include <string.h>

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

static int take_priorities(struct queue *q, const struct fsi_text_table *table, bool all_wait,
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
			rc = take_priorities(q, q->t->pieces.v[i].table, all_wait, partitions, n);
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
