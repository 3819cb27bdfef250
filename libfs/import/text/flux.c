#include "base/num.h"
#include "import/flux/flux.h"
#include "import/text/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Pieces of Flux's commands: rows of flux-accounting's tables and jobs, each merged by key whatever printed it. */

/* The lists in the order in which a row is looked at: the first of which it has the keys takes it. */
enum fsi_text_list { FLUX_USERS, FLUX_BANKS, FLUX_QUEUES, FLUX_FACTORS, FLUX_CONFIGS, FLUX_LISTS };

/* What is known of a job, as `flux jobs --json` writes it. */
enum fsi_text_flux_field {
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
	J_DEPENDENCIES, /* with commas */
	J_FAIRSHARE,
	J_ESTIMATE,
	J_FIELDS
};

struct fsi_text_flux {
	struct fsi_text *t;
	struct fsi_text_merge list[FLUX_LISTS], jobs;
};

/* Rows of flux-accounting's lists, merged by key whichever command printed them, and written as list-... prints
 * them. */

enum { COLUMNS_MAX = 16 };

static const struct {
	const char *what, *file, *keys[2];
	const char *columns[COLUMNS_MAX];
} lists[FLUX_LISTS] = {
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

static size_t columns_of(enum fsi_text_list list)
{
	size_t n = 0;

	while (n < COLUMNS_MAX && lists[list].columns[n])
		n++;
	return n;
}

/* ---- rows */

/* Is one of them the other with fewer digits? view-bank rounds the usage of the root. */
static bool rounded(struct fsi_span a, struct fsi_span b)
{
	double x, y;

	return !fsi_parse_double(a.s, a.len, &x) && !fsi_parse_double(b.s, b.len, &y) && fabs(x - y) <= 0.005000001;
}

static bool same_truth(struct fsi_span a, struct fsi_span b)
{
	return (fsi_span_is(a, "1") && fsi_span_is(b, "true")) || (fsi_span_is(a, "true") && fsi_span_is(b, "1")) ||
	       (fsi_span_is(a, "0") && fsi_span_is(b, "false")) || (fsi_span_is(a, "false") && fsi_span_is(b, "0"));
}

static void set(struct fsi_text_merge *m, uint32_t row, size_t field, const char *name, struct fsi_span v, uint32_t no)
{
	struct fsi_span *old = &m->v[row * m->fields + field];

	if (old->len && v.len && (rounded(*old, v) || same_truth(*old, v))) {
		*old = v.len > old->len ? v : *old;
		return;
	}
	fsi_text_merge_set(m, row, field, name, v, no);
}

static int key_of(struct fsi_text *t, enum fsi_text_list list, const struct fsi_kv *row, struct fsi_span *key)
{
	struct fsi_text_row l = { .n = 0 };

	for (size_t k = 0; k < 2 && lists[list].keys[k]; k++) {
		const struct fsi_span v = fsi_kv_get(row, lists[list].keys[k]);

		if (!v.len || memchr(v.s, '|', v.len))
			return 1;
		fsi_text_row_add(&l, v, "|");
	}
	key->s = fsi_arena_strndup(&t->arena, l.text, l.n);
	key->len = l.n;
	return key->s ? 0 : fsi_nomem(t->err);
}

/* A row of one of the lists, by the names of its columns; 1 when it is of none of them. */
static int text_flux_row(struct fsi_text_flux *x, const struct fsi_kv *row, uint32_t no)
{
	for (enum fsi_text_list list = FLUX_USERS; list < FLUX_LISTS; list++) {
		struct fsi_text_merge *m = &x->list[list];
		struct fsi_span key;
		const int rc = key_of(x->t, list, row, &key);
		uint32_t at;

		if (rc > 0)
			continue;
		at = rc ? UINT32_MAX : fsi_text_merge_row(m, key, no);
		if (at == UINT32_MAX)
			return fsi_nomem(x->t->err);
		for (size_t c = 0; c < m->fields; c++) {
			const struct fsi_span v = fsi_kv_get(row, lists[list].columns[c]);

			if (v.len && !memchr(v.s, '|', v.len))
				set(m, at, c, lists[list].columns[c], v, no);
		}
		return 0;
	}
	return 1;
}

/* A bank that users are of and that no list shows is added, with nothing but its name. */
static int text_flux_name_banks(struct fsi_text_flux *x)
{
	const struct fsi_text_merge *users = &x->list[FLUX_USERS];
	int rc = 0;

	for (size_t i = 0; i < users->n && !rc; i++) {
		struct fsi_kv row = { .n = 1, .key = { { "bank", 4 } }, .value = { users->v[i * users->fields + 1] } };

		rc = text_flux_row(x, &row, users->no[i]);
	}
	return rc;
}

/* Adds the banks that users are of: nothing but its name is known of a bank that no list shows. And puts a list into
 * its file. */
static int text_flux_put_list(struct fsi_text_flux *x, enum fsi_text_list list)
{
	const struct fsi_text_merge *m = &x->list[list];
	struct fsi_text_row l = { .n = 0 };
	int rc;

	if (!m->n)
		return 0;
	for (size_t c = 0; c < m->fields; c++)
		fsi_text_row_add(&l, fsi_span_of(lists[list].columns[c]), c + 1 < m->fields ? "|" : "");
	rc = fsi_text_put(x->t, lists[list].file, fsi_text_row_span(&l), 0);
	for (size_t i = 0; i < m->n && !rc; i++) {
		l = (struct fsi_text_row){ .n = 0 };
		for (size_t c = 0; c < m->fields; c++)
			fsi_text_row_add(&l, m->v[i * m->fields + c], c + 1 < m->fields ? "|" : "");
		if (!l.full)
			rc = fsi_text_put(x->t, lists[list].file, fsi_text_row_span(&l), m->no[i]);
	}
	return rc;
}

/* The whole name of a queue that a column of eight characters may have cut; nothing where it cannot be told. */
static struct fsi_span text_flux_queue(const struct fsi_text_flux *x, struct fsi_span v)
{
	enum { WIDTH = 8 };
	const struct fsi_text_merge *m = &x->list[FLUX_QUEUES];
	struct fsi_span found = { NULL, 0 };

	v.len -= v.len && v.s[v.len - 1] == '+';
	if (v.len != WIDTH)
		return v;
	for (size_t i = 0; i < m->n; i++) {
		const struct fsi_span name = m->v[i * m->fields];

		if (name.len < v.len || memcmp(name.s, v.s, v.len) != 0)
			continue;
		if (found.len)
			return (struct fsi_span){ NULL, 0 };
		found = name;
	}
	return found;
}

static void text_flux_begin(struct fsi_text_flux *x, struct fsi_text *t)
{
	*x = (struct fsi_text_flux){ .t = t, .jobs = { .t = t, .what = "job", .fields = J_FIELDS } };
	for (enum fsi_text_list i = FLUX_USERS; i < FLUX_LISTS; i++)
		x->list[i] = (struct fsi_text_merge){ .t = t, .what = lists[i].what, .fields = columns_of(i) };
}

/* `flux jobs` in any format, and `flux account jobs`: by their columns; and all jobs as `flux jobs --json` prints them.
 *
 * Times of its tables are rounded (src/bindings/python/flux/util.py: fsd): a limit below an hour to less than half a
 * second, a longer one to four digits, which whole minutes have up to a day; how long a job has run is not taken. */

static const struct fsi_span none = { NULL, 0 };
static const char jobs_file[] = "flux-jobs_-A_-a_--json.json";

/* ---- the ids of jobs */

/* Finds the row of the job with that id ("ƒ2qbAQANK", "f2qbAQANK", "4057703907328"); adds one if it is new. */
static int text_flux_job(struct fsi_text_flux *x, struct fsi_span id, uint32_t no, uint32_t *row)
{
	char text[40];
	uint64_t n;

	if (fsi_import_flux_id(id, &n))
		return 1;
	id.len = (size_t)fsi_format_u64(text, n);
	id.s = fsi_arena_strndup(&x->t->arena, text, id.len);
	*row = id.s ? fsi_text_merge_row(&x->jobs, id, no) : UINT32_MAX;
	return *row == UINT32_MAX ? fsi_nomem(x->t->err) : 0;
}

enum form { TEXT, WHOLE, REAL };

static const struct {
	const char *key;
	enum form form;
} fields[J_FIELDS] = {
	[J_NAME] = { "name", TEXT },	   [J_USER] = { "username", TEXT },	[J_UID] = { "userid", WHOLE },
	[J_BANK] = { "bank", TEXT },	   [J_QUEUE] = { "queue", TEXT },	[J_TASKS] = { "ntasks", WHOLE },
	[J_CORES] = { "ncores", WHOLE },   [J_NODES] = { "nnodes", WHOLE },	[J_URGENCY] = { "urgency", WHOLE },
	[J_PRIORITY] = { "priority", WHOLE }, [J_STATE] = { "state", TEXT },	[J_RESULT] = { "result", TEXT },
	[J_NODELIST] = { "nodelist", TEXT }, [J_SUBMIT] = { "t_submit", REAL }, [J_SCHED] = { "t_sched", REAL },
	[J_RUN] = { "t_run", REAL },	   [J_EXPIRATION] = { "expiration", REAL }, [J_INACTIVE] = { "t_inactive", REAL },
	[J_DURATION] = { "duration", REAL }, [J_DEPENDENCIES] = { "dependencies", TEXT },
	[J_FAIRSHARE] = { "fairshare", REAL }, [J_ESTIMATE] = { "t_estimate", REAL },
};

/* May the text stand in the field of the file? */
static bool fits(enum fsi_text_flux_field field, struct fsi_span v)
{
	uint64_t n;
	double d;

	if (fields[field].form == TEXT)
		return true;
	if (fields[field].form == REAL)
		return !fsi_parse_double(v.s, v.len, &d) && d >= 0 && d <= (double)FSI_SECONDS_MAX;
	return !fsi_parse_u64(v.s, v.len, &n) && n <= (field == J_URGENCY ? 31 : UINT32_MAX);
}

/* Sets a field of that row. */
static void text_flux_set(struct fsi_text_flux *x, uint32_t row, enum fsi_text_flux_field field, struct fsi_span v,
			  uint32_t no)
{
	const struct fsi_span old = x->jobs.v[row * J_FIELDS + field];
	double a, b;

	if (!v.len || !fits(field, v))
		return;
	if (fields[field].form != TEXT && old.len && !fsi_parse_double(old.s, old.len, &a) &&
	    !fsi_parse_double(v.s, v.len, &b) && a == b)
		return;
	fsi_text_merge_set(&x->jobs, row, field, fields[field].key, v, no);
}

/* ---- words of tables */

/* src/common/libjob/state.c, result.c; src/bindings/python/flux/job/info.py: status_abbrev. */
static const struct {
	const char *abbreviation, *word, *state, *result;
} states[] = {
	{ "D", "DEPEND", "DEPEND", NULL },	     { "P", "PRIORITY", "PRIORITY", NULL },
	{ "S", "SCHED", "SCHED", NULL },	     { "R", "RUN", "RUN", NULL },
	{ "C", "CLEANUP", "CLEANUP", NULL },	     { "CD", "COMPLETED", "INACTIVE", "COMPLETED" },
	{ "F", "FAILED", "INACTIVE", "FAILED" },    { "CA", "CANCELED", "INACTIVE", "CANCELED" },
	{ "TO", "TIMEOUT", "INACTIVE", "TIMEOUT" },
};

static bool waits(struct fsi_span v)
{
	for (size_t i = 0; i < 3; i++)
		if (fsi_span_is(v, states[i].abbreviation) || fsi_span_is(v, states[i].word))
			return true;
	return false;
}

static void set_state(struct fsi_text_flux *x, uint32_t row, struct fsi_span v, uint32_t no)
{
	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		if (!(v.len == strlen(states[i].abbreviation) && !memcmp(v.s, states[i].abbreviation, v.len)) &&
		    !(v.len == strlen(states[i].word) && !memcmp(v.s, states[i].word, v.len)))
			continue;
		text_flux_set(x, row, J_STATE, fsi_span_of(states[i].state), no);
		if (states[i].result)
			text_flux_set(x, row, J_RESULT, fsi_span_of(states[i].result), no);
		return;
	}
}

/* "5m", "1.5h", "-" for none, as seconds. */
static struct fsi_span seconds(struct fsi_text *t, struct fsi_span v)
{
	static const struct {
		char unit;
		double s;
	} units[] = { { 's', 1 }, { 'm', 60 }, { 'h', 3600 }, { 'd', 86400 } };
	char text[FSI_DOUBLE_TEXT];
	double n;

	if (fsi_span_is(v, "-"))
		return fsi_span_of("0");
	for (size_t i = 0; v.len > 1 && i < sizeof(units) / sizeof(*units); i++)
		if (v.s[v.len - 1] == units[i].unit && !fsi_parse_double(v.s, v.len - 1, &n) && n >= 0) {
			const double exact = n * units[i].s, minutes = round(exact / 60) * 60;
			/* half of the last of four digits */
			const double off = units[i].s * pow(10, floor(log10(n > 1 ? n : 1)) - 3) / 2;
			const double s = i > 1 && fabs(minutes - exact) <= off ? minutes : round(exact);
			const size_t len = (size_t)fsi_format_double(text, s);
			const char *own = i < 2 || s == minutes ? fsi_arena_strndup(&t->arena, text, len) : NULL;

			return (struct fsi_span){ own, own ? len : 0 };
		}
	return none;
}

static bool is_pending(const struct fsi_text_flux *x, uint32_t row)
{
	const struct fsi_span v = x->jobs.v[row * J_FIELDS + J_STATE];

	return fsi_span_is(v, "DEPEND") || fsi_span_is(v, "PRIORITY") || fsi_span_is(v, "SCHED");
}

/* The time that "begin@03:51:20" waits for is shown without its day. */
static bool shortened(struct fsi_span list)
{
	return list.len && memchr(list.s, '@', list.len);
}

static void set_info(struct fsi_text_flux *x, uint32_t row, struct fsi_span v, uint32_t no)
{
	static const char depends[] = "depends:";
	static const struct fsi_span zero = { "0", 1 };
	const size_t n = sizeof(depends) - 1;
	const struct fsi_span list = { v.s + n, v.len - n };

	if (fsi_span_begins(v, depends)) {
		if (!shortened(list))
			text_flux_set(x, row, J_DEPENDENCIES, list, no);
	} else if (fsi_span_is(v, "held")) {
		text_flux_set(x, row, J_URGENCY, zero, no);
	} else if (fsi_span_is(v, "priority-hold")) {
		text_flux_set(x, row, J_PRIORITY, zero, no);
	} else if (!is_pending(x, row) && !memchr(v.s, ' ', v.len)) {
		text_flux_set(x, row, J_NODELIST, v, no);
	}
}

/* The default format marks with a + where it cuts. */
static struct fsi_span unmarked(struct fsi_span v)
{
	return v.len && v.s[v.len - 1] == '+' ? none : v;
}

/* Is it seconds since 1970, and not a date in words? */
static bool is_time(struct fsi_span v)
{
	double t;

	return v.len && !fsi_parse_double(v.s, v.len, &t) && t > 1e8;
}

static const struct {
	const char *column;
	enum fsi_text_flux_field field;
	enum { PLAIN, MARKED, QUEUE, TIME } how;
} plain[] = {
	{ "USER", J_USER, MARKED },	    { "UID", J_UID, PLAIN },	  { "NAME", J_NAME, MARKED },	 { "BANK", J_BANK, MARKED },
	{ "QUEUE", J_QUEUE, QUEUE },	    { "NTASKS", J_TASKS, PLAIN }, { "NCORES", J_CORES, PLAIN },	 { "NNODES", J_NODES, PLAIN },
	{ "URG", J_URGENCY, PLAIN },	    { "PRI", J_PRIORITY, PLAIN }, { "URGENCY", J_URGENCY, PLAIN }, { "PRIORITY", J_PRIORITY, PLAIN },
	{ "FAIRSHARE", J_FAIRSHARE, PLAIN }, { "T_SUBMIT", J_SUBMIT, TIME }, { "T_SCHED", J_SCHED, TIME }, { "T_RUN", J_RUN, TIME },
	{ "T_INACTIVE", J_INACTIVE, TIME }, { "EXPIRATION", J_EXPIRATION, TIME }, { "T_ESTIMATE", J_ESTIMATE, TIME },
};

static bool is_state_column(const char *name)
{
	return !strcmp(name, "ST") || !strcmp(name, "STATUS") || !strcmp(name, "STATE") || !strcmp(name, "S");
}

static void set_cell(struct fsi_text_flux *x, uint32_t row, const char *name, struct fsi_span v, uint32_t no)
{
	for (size_t k = 0; k < sizeof(plain) / sizeof(*plain); k++) {
		if (strcmp(plain[k].column, name) != 0 || (plain[k].how == TIME && !is_time(v)))
			continue;
		v = plain[k].how == MARKED ? unmarked(v) : plain[k].how == QUEUE ? text_flux_queue(x, v) : v;
		text_flux_set(x, row, plain[k].field, v, no);
		return;
	}
	if (is_state_column(name))
		set_state(x, row, v, no);
}

/* Returns true if TIME has the duration that a waiting job of the table asks for. The formats of flux jobs before
 * contextual_time (src/bindings/python/flux/job/info.py) print the run time there, and - for each job that waits. So -
 * means no limit only if another waiting job has a time. */
static bool shows_durations(const struct fsi_text_table *table)
{
	for (size_t r = 0; r < table->rows; r++) {
		const struct fsi_span v = fsi_text_cell(table, r, "TIME");
		struct fsi_span state = none;

		for (size_t c = 0; c < table->columns; c++)
			if (is_state_column(table->name[c]))
				state = table->cell[r * table->columns + c];
		if (v.len && !fsi_span_is(v, "-") && waits(state))
			return true;
	}
	return false;
}

/* Sets the fields that depend on the state, or that may be cut at the line's end. */
static void set_rest(struct fsi_text_flux *x, uint32_t row, const struct fsi_text_table *table, size_t r,
		     bool durations)
{
	for (size_t c = 0; c < table->columns; c++) {
		const struct fsi_span v = table->cell[r * table->columns + c];
		const bool last = c + 1 == table->columns && table->cut[r * table->columns + c];

		if (!v.len || last)
			continue;
		if (!strcmp(table->name[c], "TIME") && is_pending(x, row) && durations)
			text_flux_set(x, row, J_DURATION, seconds(x->t, v), table->no[r]);
		else if (!strcmp(table->name[c], "INFO"))
			set_info(x, row, v, table->no[r]);
		else if (!strcmp(table->name[c], "DEPENDENCIES") && !shortened(v))
			text_flux_set(x, row, J_DEPENDENCIES, v, table->no[r]);
		else if (!strcmp(table->name[c], "NODELIST"))
			text_flux_set(x, row, J_NODELIST, v, table->no[r]);
	}
}

static int take_rows(struct fsi_text_flux *x, struct fsi_text_piece *p,
		     int (*also)(struct fsi_text_flux *x, const struct fsi_text_table *table, size_t r))
{
	const struct fsi_text_table *table = p->table;
	const bool durations = shows_durations(table);
	int rc = 0;

	for (size_t r = 0; r < table->rows && !rc; r++) {
		uint32_t row;

		rc = text_flux_job(x, fsi_text_cell(table, r, "JOBID"), table->no[r], &row);
		if (rc) {
			if (rc > 0)
				fsi_text_odd(p, table->no[r]);
			rc = rc > 0 ? 0 : rc;
			continue;
		}
		for (size_t c = 0; c < table->columns; c++)
			if (!(c + 1 == table->columns && table->cut[r * table->columns + c]))
				set_cell(x, row, table->name[c], table->cell[r * table->columns + c], table->no[r]);
		set_rest(x, row, table, r, durations);
		p->taken++;
		rc = also ? also(x, table, r) : 0;
	}
	return rc;
}

/* Reads a piece of `flux jobs`. */
static int text_flux_jobs(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	return take_rows(x, p, NULL);
}

/* ---- flux account jobs has the weights of the site, and the priorities of the queue and the bank, in each row */

static int put_pair(struct fsi_text_flux *x, const char *key, struct fsi_span name, const char *column,
		    struct fsi_span v, uint32_t no)
{
	const struct fsi_kv row = { .n = 2,
				    .key = { { key, strlen(key) }, { column, strlen(column) } },
				    .value = { name, v } };
	const int rc = name.len && v.len && (!strcmp(column, "bank") || fsi_text_number(v, true)) ? text_flux_row(x, &row, no) : 0;

	return rc < 0 ? rc : 0;
}

static int take_weights(struct fsi_text_flux *x, const struct fsi_text_table *table, size_t r)
{
	static const char *const weights[][2] = {
		{ "bank", "BANKFACT" }, { "queue", "QFACT" }, { "fairshare", "FSFACTOR" }, { "urgency", "URGFACT" }
	};
	const struct fsi_span queue = fsi_text_cell(table, r, "QUEUE"), bank = fsi_text_cell(table, r, "BANK");
	const uint32_t no = table->no[r];
	int rc = put_pair(x, "queue", queue, "priority", fsi_text_cell(table, r, "QPRIO"), no);

	rc = rc ? rc : put_pair(x, "bank", bank, "priority", fsi_text_cell(table, r, "BANKPRIO"), no);
	rc = rc ? rc : put_pair(x, "username", fsi_text_cell(table, r, "USER"), "bank", bank, no);
	for (size_t i = 0; i < sizeof(weights) / sizeof(*weights) && !rc; i++)
		rc = put_pair(x, "factor", fsi_span_of(weights[i][0]), "weight",
			      fsi_text_cell(table, r, weights[i][1]), no);
	return rc;
}

/* Reads a piece that lists priorities. */
static int text_flux_priorities(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	return take_rows(x, p, take_weights);
}

/* ---- the file */

static bool is_text(struct fsi_span v)
{
	for (size_t i = 0; i < v.len;) {
		const size_t n = fsi_utf8_len(v.s + i, v.len - i);

		if (!n)
			return false;
		i += n;
	}
	return true;
}

static void add_string(struct fsi_text_row *l, struct fsi_span v)
{
	fsi_text_row_add(l, none, "\"");
	for (size_t i = 0; i < v.len; i++) {
		if (v.s[i] == '"' || v.s[i] == '\\')
			fsi_text_row_add(l, none, "\\");
		fsi_text_row_add(l, (struct fsi_span){ v.s + i, 1 }, "");
	}
	fsi_text_row_add(l, none, "\"");
}

static void add_key(struct fsi_text_row *l, const char *key)
{
	fsi_text_row_add(l, none, l->text[l->n - 1] == '{' ? "\"" : ",\"");
	fsi_text_row_add(l, none, key);
	fsi_text_row_add(l, none, "\":");
}

static void add_dependencies(struct fsi_text_row *l, struct fsi_span list)
{
	struct fsi_span one;

	add_key(l, fields[J_DEPENDENCIES].key);
	for (const char *sep = "["; fsi_span_cut(&list, ',', &one); sep = ",") {
		fsi_text_row_add(l, none, sep);
		add_string(l, one);
	}
	fsi_text_row_add(l, none, "]");
}

static void add_note(struct fsi_text_row *l, const char *of, enum fsi_text_flux_field field, struct fsi_span v)
{
	if (!v.len)
		return;
	add_key(l, of);
	fsi_text_row_add(l, none, "{");
	add_key(l, fields[field].key);
	fsi_text_row_add(l, v, "}");
}

static int put_job(struct fsi_text_flux *x, size_t i, bool last)
{
	const struct fsi_span *v = x->jobs.v + i * J_FIELDS;
	struct fsi_text_row l = { .n = 0 };

	fsi_text_row_add(&l, none, "{\"id\":");
	fsi_text_row_add(&l, x->jobs.key[i], "");
	for (enum fsi_text_flux_field f = J_NAME; f < J_DEPENDENCIES; f++) {
		const struct fsi_span s = f == J_STATE && !v[f].len ? fsi_span_of("UNKNOWN") : v[f];

		if (!s.len || (fields[f].form == TEXT && !is_text(s)))
			continue;
		add_key(&l, fields[f].key);
		if (fields[f].form == TEXT)
			add_string(&l, s);
		else
			fsi_text_row_add(&l, s, "");
	}
	if (v[J_DEPENDENCIES].len && is_text(v[J_DEPENDENCIES]))
		add_dependencies(&l, v[J_DEPENDENCIES]);
	add_key(&l, "annotations");
	fsi_text_row_add(&l, none, "{");
	add_note(&l, "user", J_FAIRSHARE, v[J_FAIRSHARE]);
	add_note(&l, "sched", J_ESTIMATE, v[J_ESTIMATE]);
	fsi_text_row_add(&l, none, last ? "}}" : "}},");
	if (l.full) { /* nodes without number */
		l = (struct fsi_text_row){ .n = 0 };
		fsi_text_row_add(&l, none, "{\"id\":");
		fsi_text_row_add(&l, x->jobs.key[i], last ? ",\"state\":\"UNKNOWN\"}" : ",\"state\":\"UNKNOWN\"},");
	}
	return fsi_text_put(x->t, jobs_file, fsi_text_row_span(&l), x->jobs.no[i]);
}

static void note_newest(struct fsi_text_flux *x, size_t i)
{
	static const enum fsi_text_flux_field times[] = { J_SUBMIT, J_SCHED, J_RUN, J_INACTIVE };
	double t;

	for (size_t k = 0; k < sizeof(times) / sizeof(*times); k++) {
		const struct fsi_span v = x->jobs.v[i * J_FIELDS + times[k]];

		if (v.len && !fsi_parse_double(v.s, v.len, &t) && t > 0 && t < 1e11 &&
		    (x->t->newest == FS_UNKNOWN || t > (double)x->t->newest))
			x->t->newest = (int64_t)t;
	}
}

/* Puts all jobs into a file, as `flux jobs --json` prints them. */
static int text_flux_put_jobs(struct fsi_text_flux *x)
{
	int rc = 0;

	if (x->jobs.n)
		rc = fsi_text_put(x->t, jobs_file, fsi_span_of("{\"jobs\":["), 0);
	for (size_t i = 0; i < x->jobs.n && !rc; i++) {
		note_newest(x, i);
		rc = put_job(x, i, i + 1 == x->jobs.n);
	}
	return rc || !x->jobs.n ? rc : fsi_text_put(x->t, jobs_file, fsi_span_of("]}"), 0);
}

/* JSON in a paste: jobs of `flux jobs --json`, rows of flux-accounting's commands. Where it is cut, what stands
 * before that counts. */

struct piece {
	struct fsi_text_flux *x;
	struct fsi_text_piece *p;
	char *text;
	size_t len, at;
};

/* ---- the lines as one text: a terminal folds at its width, wherever that is, and a blank there is not copied */

static int join(struct piece *j)
{
	const struct fsi_text *t = j->x->t;
	size_t wide = 0, room = 1;

	for (size_t i = j->p->begin; i < j->p->end; i++) {
		wide = t->lines.v[i].len > wide ? t->lines.v[i].len : wide;
		room += t->lines.v[i].len + 1;
	}
	j->text = malloc(room);
	if (!j->text)
		return fsi_nomem(t->err);
	for (size_t i = j->p->begin; i < j->p->end; i++) {
		const struct fsi_text_line *l = &t->lines.v[i];

		memcpy(j->text + j->len, l->s, l->len);
		j->len += l->len;
		if (l->len < wide)
			j->text[j->len++] = ' ';
	}
	return 0;
}

static ptrdiff_t read_text(void *ctx, void *buf, size_t size)
{
	struct piece *j = ctx;
	const size_t left = j->len - j->at, n = left < size ? left : size;

	memcpy(buf, j->text + j->at, n);
	j->at += n;
	return (ptrdiff_t)n;
}

/* ---- jobs */

static const struct {
	const char *key;
	enum fsi_text_flux_field field;
} json_keys[] = {
	{ "name", J_NAME },	      { "username", J_USER },	  { "userid", J_UID },	      { "bank", J_BANK },
	{ "queue", J_QUEUE },	      { "ntasks", J_TASKS },	  { "ncores", J_CORES },      { "nnodes", J_NODES },
	{ "urgency", J_URGENCY },     { "priority", J_PRIORITY }, { "state", J_STATE },	      { "result", J_RESULT },
	{ "nodelist", J_NODELIST },   { "t_submit", J_SUBMIT },	  { "t_sched", J_SCHED },     { "t_run", J_RUN },
	{ "expiration", J_EXPIRATION }, { "t_inactive", J_INACTIVE }, { "duration", J_DURATION },
};

static struct fsi_span copy(struct fsi_text *t, const char *s, size_t n)
{
	const char *own = fsi_arena_strndup(&t->arena, s, n);

	return (struct fsi_span){ own, own ? n : 0 };
}

static void set_number(struct piece *j, uint32_t row, enum fsi_text_flux_field field, const struct fsi_json *v,
		       uint32_t no)
{
	char text[FSI_DOUBLE_TEXT];

	if (v && fsi_json_type(v) == FSI_JNUMBER && isfinite(fsi_json_double(v)))
		text_flux_set(j->x, row, field,
			      copy(j->x->t, text, (size_t)fsi_format_double(text, fsi_json_double(v))), no);
}

static void set_dependencies(struct piece *j, uint32_t row, const struct fsi_json *list, uint32_t no)
{
	struct fsi_text_row l = { .n = 0 };

	for (const struct fsi_json *d = list ? fsi_json_first(list) : NULL; d; d = fsi_json_next(d)) {
		const char *s = fsi_json_string(d);

		if (!s)
			return;
		fsi_text_row_add(&l, fsi_span_of(s), fsi_json_next(d) ? "," : "");
	}
	if (l.n && !l.full)
		text_flux_set(j->x, row, J_DEPENDENCIES, copy(j->x->t, l.text, l.n), no);
}

static int take_job(struct piece *j, const struct fsi_json *v, const struct fsi_kv *kv, uint32_t no)
{
	const struct fsi_json *notes = fsi_json_member(v, "annotations");
	uint32_t row;
	int rc = text_flux_job(j->x, fsi_kv_get(kv, "id"), no, &row);

	if (rc)
		return rc < 0 ? rc : 0;
	for (size_t k = 0; k < sizeof(json_keys) / sizeof(*json_keys); k++) {
		const struct fsi_span s = fsi_kv_get(kv, json_keys[k].key);

		if (s.len)
			text_flux_set(j->x, row, json_keys[k].field, copy(j->x->t, s.s, s.len), no);
	}
	set_dependencies(j, row, fsi_json_member(v, "dependencies"), no);
	set_number(j, row, J_FAIRSHARE, fsi_json_member(fsi_json_member(notes, "user"), "fairshare"), no);
	set_number(j, row, J_ESTIMATE, fsi_json_member(fsi_json_member(notes, "sched"), "t_estimate"), no);
	j->p->taken++;
	return 0;
}

/* ---- rows */

/* Is it a user's row that lost the line with the name? What it has is not the bank's. */
static bool lacks_name(const struct fsi_kv *kv)
{
	return !fsi_kv_get(kv, "username").s && fsi_kv_get(kv, "bank").s && (!fsi_kv_get(kv, "parent_bank").s || fsi_kv_get(kv, "userid").s);
}

static int json_take_row(struct piece *j, const struct fsi_kv *kv, uint32_t no)
{
	struct fsi_kv *own = malloc(sizeof(*own));
	int rc;

	if (!own)
		return fsi_nomem(j->x->t->err);
	if (lacks_name(kv)) {
		free(own);
		j->p->odd++;
		return 0;
	}
	*own = *kv;
	for (size_t i = 0; i < own->n; i++) {
		own->key[i] = copy(j->x->t, kv->key[i].s, kv->key[i].len);
		own->value[i] = copy(j->x->t, kv->value[i].s, kv->value[i].len);
	}
	rc = text_flux_row(j->x, own, no);
	free(own);
	j->p->taken += !rc;
	return rc > 0 ? 0 : rc;
}

static int object(void *ctx, uint32_t depth, const struct fsi_json *v, struct fsi_where where)
{
	struct piece *j = ctx;
	struct fsi_flux_import f = { .imp = { .err = j->x->t->err, .where = where } };
	const uint32_t no = j->x->t->lines.v[j->p->begin].no;
	char numbers[FSI_FLUX_NUMBERS];
	struct fsi_kv *kv;
	int rc;

	if (!depth && fsi_json_member(v, "jobs"))
		return 0;
	kv = malloc(sizeof(*kv));
	rc = kv ? fsi_flux_flatten(&f, v, kv, numbers) : fsi_nomem(j->x->t->err);
	if (!rc)
		rc = fsi_kv_get(kv, "id").len && (fsi_json_member(v, "t_submit") || fsi_json_member(v, "urgency"))
			     ? take_job(j, v, kv, no)
			     : json_take_row(j, kv, no);
	free(kv);
	return rc;
}

/* Reads a piece of JSON. */
static int text_flux_json(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	static const char *const nested[] = { "jobs", NULL };
	struct piece j = { .x = x, .p = p };
	const struct fsi_json_split split = { nested, NULL, object, &j };
	int rc = join(&j);

	if (!rc)
		rc = fsi_json_split(&split, read_text, &j, x->t->name, x->t->err);
	free(j.text);
	if (!rc || rc == FS_ENOMEM)
		return rc;
	p->odd++;
	return fsi_text_warn(x->t, "line %u: JSON that is not whole, or damaged: what stands before that is taken", x->t->lines.v[p->begin].no);
}

/* What flux-accounting prints in columns: tables between bars, and the tree of view-bank -t, plain or with -P. */

enum { FOLDS_MAX = 6 };

static bool is_rule(struct fsi_span line)
{
	size_t dashes = 0;

	for (size_t i = 0; i < line.len; i++) {
		if (line.s[i] != '-' && line.s[i] != '+')
			return false;
		dashes += line.s[i] == '-';
	}
	return dashes > 0;
}

/* ---- `bank | shares`, under them a rule, and each row with its bars in the same places */

struct table {
	struct fsi_text *t;
	size_t wide, folds, n;
	size_t bar[FSI_TEXT_COLUMNS_MAX];
	struct fsi_kv row;
};

static size_t bars_of(struct fsi_span line, size_t *at)
{
	size_t n = 0;

	for (size_t i = 0; i < line.len && n < FSI_TEXT_COLUMNS_MAX - 1; i++)
		if (line.s[i] == '|')
			at[n++] = i;
	return n;
}

/* Cuts a line into cells, of which there is one more than bars. */
static size_t cut_cells(struct fsi_span line, struct fsi_span *cell, size_t max)
{
	struct fsi_span part;
	size_t n = 0;

	while (n < max && fsi_span_cut(&line, '|', &part))
		cell[n++] = fsi_span_trim(part);
	return n;
}

static bool same_bars(const struct table *x, struct fsi_span line)
{
	size_t at[FSI_TEXT_COLUMNS_MAX];

	if (bars_of(line, at) != x->n - 1)
		return false;
	return x->folds == 1 || !memcmp(at, x->bar, (x->n - 1) * sizeof(*at));
}

static int read_heading(struct table *x, const struct fsi_text_piece *p, size_t *first)
{
	struct fsi_span heading, last;
	size_t rule = p->begin + 1;

	while (rule < p->end && rule - p->begin <= FOLDS_MAX && !is_rule(fsi_text_line(x->t, rule)))
		rule++;
	x->folds = rule < p->end && is_rule(fsi_text_line(x->t, rule)) ? rule - p->begin : 1;
	*first = rule < p->end && is_rule(fsi_text_line(x->t, rule)) ? rule + x->folds : p->begin + 1;
	heading = fsi_text_joined(x->t, x->wide, p->begin, x->folds);
	if (!heading.s)
		return fsi_nomem(x->t->err);
	x->n = bars_of(heading, x->bar) + 1;
	x->row.n = cut_cells(heading, x->row.key, FSI_KV_MAX);
	last = x->row.n ? x->row.key[x->row.n - 1] : heading;
	if (x->row.n && !fsi_text_is_column(TEXT_FLUX_ROWS, last)) /* the heading is cut in it */
		x->row.n--;
	return 0;
}

/* Reads a table of banks or users. */
static int text_flux_table(struct fsi_text_flux *f, struct fsi_text_piece *p)
{
	struct table x = { .t = f->t, .wide = fsi_text_widest(f->t, p) };
	size_t i;
	int rc = read_heading(&x, p, &i);

	while (i < p->end && !rc) {
		const size_t n = x.folds <= p->end - i ? x.folds : 1;
		const struct fsi_span line = fsi_text_joined(f->t, x.wide, i, n);
		struct fsi_span cell[FSI_TEXT_COLUMNS_MAX];
		const uint32_t no = f->t->lines.v[i].no;
		bool cut;

		if (!line.s)
			return fsi_nomem(f->t->err);
		if (!same_bars(&x, line)) {
			p->odd += fsi_text_line(f->t, i).len > 0 && !is_rule(fsi_text_line(f->t, i));
			i++;
			continue;
		}
		cut = f->t->lines.v[i + n - 1].cut ||
		      (fsi_text_terminal_wide(x.wide) && f->t->lines.v[i + n - 1].len == x.wide);
		i += n;
		cut_cells(line, cell, FSI_TEXT_COLUMNS_MAX);
		memcpy(x.row.value, cell, x.row.n * sizeof(*cell));
		if (cut && x.row.n == x.n)
			x.row.value[x.n - 1].len = 0;
		rc = text_flux_row(f, &x.row, no);
		p->taken += !rc;
		p->odd += rc > 0;
		rc = rc > 0 ? 0 : rc;
	}
	return rc;
}

/* ---- view-bank -t: each level is indented by one; a bank has no user and no fair share */

enum { DEPTH_MAX = 128, TREE_COLUMNS = 6 };
static const char *const tree_names[TREE_COLUMNS] = { "bank", "username", "active", "shares", "job_usage", "fairshare" };
static const char *const tree_headings[TREE_COLUMNS] = { "Bank", "Username", "Active", "RawShares", "RawUsage", "Fairshare" };

struct tree {
	struct fsi_text_flux *f;
	size_t column[TREE_COLUMNS], columns; /* columns of the heading, as far as they are whole */
	size_t wide, indent, depth;
	struct fsi_span bank[DEPTH_MAX];
	bool bars;
};

static size_t split(const struct tree *x, struct fsi_span line, struct fsi_span *cell, size_t max)
{
	struct fsi_span part;
	size_t n = 0;

	if (x->bars)
		return cut_cells(line, cell, max);
	while (n < max && fsi_span_cut(&line, ' ', &part))
		if (part.len)
			cell[n++] = part;
	return n;
}

static void read_tree_heading(struct tree *x, struct fsi_span line)
{
	struct fsi_span cell[TREE_COLUMNS];
	const size_t n = split(x, line, cell, TREE_COLUMNS);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < TREE_COLUMNS; k++)
			if (cell[i].len == strlen(tree_headings[k]) &&
			    !memcmp(cell[i].s, tree_headings[k], cell[i].len) && x->columns == i)
				x->column[x->columns++] = k;
}

/* Puts the cells into their columns. A bank of the plain tree has one word less, the user's; the third word tells:
 * true, false, or without that column a whole number. */
static bool place(const struct tree *x, const struct fsi_span *cell, size_t n, struct fsi_span *value)
{
	const bool active = x->columns > 2 && x->column[2] == 2;
	bool bank = false;

	if (!x->bars && active)
		bank = n > 1 && (fsi_span_is(cell[1], "true") || fsi_span_is(cell[1], "false"));
	else if (!x->bars)
		bank = n > 1 && n < x->columns;
	for (size_t i = 0, at = 0; i < x->columns; i++) {
		const size_t k = x->column[i];

		if (bank && k == 1)
			continue;
		if (at < n)
			value[k] = cell[at++];
	}
	if (active && !fsi_span_is(value[2], "true") && !fsi_span_is(value[2], "false"))
		return false;
	for (size_t k = 3; k < TREE_COLUMNS; k++)
		if (value[k].len && !fsi_text_number(value[k], k > 3))
			return false;
	return value[0].len > 0;
}

/* Takes a row in its place in the tree: its parent is the bank before it that stands one further left. */
static int rows_take_row(struct tree *x, struct fsi_span *value, size_t depth, uint32_t no)
{
	struct fsi_kv row = { .n = 0 };

	for (size_t k = 0; k < TREE_COLUMNS; k++)
		if (value[k].len) {
			row.key[row.n] = fsi_span_of(tree_names[k]);
			row.value[row.n++] = value[k];
		}
	if (!value[1].len && depth < DEPTH_MAX) {
		if (depth && depth <= x->depth) {
			row.key[row.n] = fsi_span_of("parent_bank");
			row.value[row.n++] = x->bank[depth - 1];
		}
		x->bank[depth] = value[0];
		x->depth = depth + 1;
	}
	return text_flux_row(x->f, &row, no);
}

/* What stood last in a line that was cut is not taken for a number. */
static void drop_cut(const struct tree *x, const struct fsi_text_line *l, struct fsi_span *value)
{
	if (!l->cut && !(fsi_text_terminal_wide(x->wide) && l->len == x->wide && x->bars))
		return;
	for (size_t k = TREE_COLUMNS; k-- > 1;)
		if (value[k].len) {
			value[k].len = 0;
			return;
		}
}

/* Reads a tree of banks. */
static int text_flux_tree(struct fsi_text_flux *f, struct fsi_text_piece *p)
{
	const struct fsi_span heading = fsi_text_line(f->t, p->begin), trimmed = fsi_span_trim(heading);
	struct tree x = { .f = f, .wide = fsi_text_widest(f->t, p), .indent = (size_t)(trimmed.s - heading.s),
			  .bars = memchr(heading.s, '|', heading.len) };
	int rc = 0;

	read_tree_heading(&x, heading);
	for (size_t i = p->begin + 1; i < p->end && !rc; i++) {
		const struct fsi_span line = fsi_text_line(f->t, i), v = fsi_span_trim(line);
		struct fsi_span cell[TREE_COLUMNS] = { { NULL, 0 } }, value[TREE_COLUMNS] = { { NULL, 0 } };
		const size_t n = split(&x, line, cell, TREE_COLUMNS), indent = (size_t)(v.s - line.s);

		if (!v.len || indent < x.indent || !place(&x, cell, n, value)) {
			p->odd += v.len > 0;
			x.depth = v.len ? 0 : x.depth;
			continue;
		}
		drop_cut(&x, &f->t->lines.v[i], value);
		rc = rows_take_row(&x, value, indent - x.indent, f->t->lines.v[i].no);
		rc = rc > 0 ? 0 : rc;
		p->taken++;
	}
	return rc;
}

/* Flux's pieces as the files of a capture. */

/* ---- flux queue status and list */

static int name_queue(struct fsi_text_flux *x, struct fsi_span name, uint32_t no)
{
	const struct fsi_kv row = { .n = 1, .key = { { "queue", 5 } }, .value = { name } };
	const int rc = text_flux_row(x, &row, no);

	return rc < 0 ? rc : 0;
}

static int take_status(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	int rc = 0;

	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &x->t->lines.v[i];
		struct fsi_span line = fsi_span_trim(fsi_text_span(l)), rest = line, name;

		if (fsi_text_record_of(line) != TEXT_FLUX_STATUS || l->cut) {
			p->odd += line.len > 0;
			continue;
		}
		if (fsi_span_cut(&rest, ':', &name) && rest.s && !memchr(name.s, ' ', name.len))
			rc = name_queue(x, name, l->no);
		rc = rc ? rc : fsi_text_put(x->t, "flux_queue_status.txt", line, l->no);
		p->taken++;
	}
	return rc;
}

static int put_status(struct fsi_text *t, struct fsi_span queue, const char *what, struct fsi_span mark, const char *on,
		      const char *off, uint32_t no)
{
	const bool yes = fsi_span_is(mark, "\xe2\x9c\x94") || fsi_span_is(mark, "y");
	struct fsi_text_row l = { .n = 0 };

	if (!yes && !fsi_span_is(mark, "\xe2\x9c\x97") && !fsi_span_is(mark, "n"))
		return 0;
	fsi_text_row_add(&l, queue, ": ");
	fsi_text_row_add(&l, fsi_span_of(what), yes ? on : off);
	return fsi_text_put(t, "flux_queue_status.txt", fsi_text_row_span(&l), no);
}

/* QUEUE [PARENT] EN ST TDEFAULT TLIMIT ...: a row with a parent has one word more. */
static int take_queues(struct fsi_text_flux *x, struct fsi_text_piece *p, bool told)
{
	struct fsi_span w[12];
	int rc = 0;

	for (size_t i = p->begin + 1; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &x->t->lines.v[i];
		struct fsi_span rest = { l->s, l->len }, word;
		size_t n = 0, at;

		while (n < 12 && fsi_span_cut(&rest, ' ', &word))
			if (word.len)
				w[n++] = word;
		if (n < 3 || l->cut) {
			p->odd += n > 0;
			continue;
		}
		w[0].len -= w[0].s[w[0].len - 1] == '*'; /* a * marks the default queue */
		w[0] = text_flux_queue(x, w[0]);
		at = w[1].len == 1 || w[1].len == 3 ? 1 : 2;
		if (!w[0].len || at + 1 >= n)
			continue;
		rc = name_queue(x, w[0], l->no);
		if (!rc && !told)
			rc = put_status(x->t, w[0], "Job submission is ", w[at], "enabled", "disabled", l->no);
		if (!rc && !told)
			rc = put_status(x->t, w[0], "Scheduling is ", w[at + 1], "started", "stopped", l->no);
		p->taken++;
	}
	return rc;
}

/* ---- flux resource list and status: as they are, the first of each */

static int take_as_it_is(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	int rc = 0;

	if (fsi_text_has(t, file))
		return fsi_text_warn(t, "line %u: a second output of %s is left out", t->lines.v[p->begin].no, fsi_text_kind_name(p->kind));
	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_text_line *l = &t->lines.v[i];

		if (l->cut) {
			p->odd++;
			continue;
		}
		rc = fsi_text_put(t, file, fsi_text_span(l), l->no);
		p->taken += i > p->begin && l->len > 0;
	}
	return rc;
}

/* ---- all pieces */

static int take_piece(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	switch (p->kind) {
	case TEXT_FLUX_ROWS:
		return text_flux_table(x, p);
	case TEXT_FLUX_TREE:
		return text_flux_tree(x, p);
	case TEXT_FLUX_JSON:
		return text_flux_json(x, p);
	case TEXT_FLUX_STATUS:
		return take_status(x, p);
	case TEXT_FLUX_NODES:
		return take_as_it_is(x->t, p, "flux_resource_list.txt");
	case TEXT_FLUX_DRAINED:
		return take_as_it_is(x->t, p, "flux_resource_status.txt");
	default:
		return 0;
	}
}

/* Columns of queues and jobs may be cut: they are read when the whole names are known. */
static int take_narrow(struct fsi_text_flux *x, struct fsi_text_piece *p)
{
	switch (p->kind) {
	case TEXT_FLUX_QUEUES:
		return take_queues(x, p, fsi_text_has(x->t, "flux_queue_status.txt") != NULL);
	case TEXT_FLUX_PRIORITIES:
		return text_flux_priorities(x, p);
	case TEXT_FLUX_JOBS:
		return text_flux_jobs(x, p);
	default:
		return 0;
	}
}

static int each_piece(struct fsi_text_flux *x, int (*fn)(struct fsi_text_flux *x, struct fsi_text_piece *p))
{
	int rc = 0;

	for (size_t i = 0; i < x->t->pieces.n && !rc; i++)
		if (fsi_text_scheduler(x->t->pieces.v[i].kind) == TEXT_FLUX)
			rc = fn(x, &x->t->pieces.v[i]);
	return rc;
}

int fsi_text_flux(struct fsi_text *t)
{
	struct fsi_text_flux x;
	int rc;

	text_flux_begin(&x, t);
	rc = each_piece(&x, take_piece);
	rc = rc ? rc : each_piece(&x, take_narrow);
	rc = rc ? rc : text_flux_name_banks(&x);
	for (enum fsi_text_list i = FLUX_USERS; i < FLUX_LISTS && !rc; i++)
		rc = text_flux_put_list(&x, i);
	rc = rc ? rc : text_flux_put_jobs(&x);
	for (enum fsi_text_list i = FLUX_USERS; i < FLUX_LISTS; i++)
		rc = fsi_text_merge_end(&x.list[i], rc);
	return fsi_text_merge_end(&x.jobs, rc);
}
