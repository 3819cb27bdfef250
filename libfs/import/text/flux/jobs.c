/* `flux jobs` in any format, and `flux account jobs`: by their columns; and all jobs as `flux jobs --json` prints them.
 *
 * Times of its tables are rounded (src/bindings/python/flux/util.py: fsd): a limit below an hour to less than half a
 * second, a longer one to four digits, which whole minutes have up to a day; how long a job has run is not taken. */
#include "import/text/flux/flux.h"

#include "base/num.h"

#include <math.h>
#include <string.h>

static const struct fsi_span none = { NULL, 0 };
static const char jobs_file[] = "flux-jobs_-A_-a_--json.json";

/* ---- the ids of jobs */

int fsi_text_flux_job(struct fsi_text_flux *x, struct fsi_span id, uint32_t no, uint32_t *row)
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

void fsi_text_flux_set(struct fsi_text_flux *x, uint32_t row, enum fsi_text_flux_field field, struct fsi_span v,
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
		fsi_text_flux_set(x, row, J_STATE, fsi_span_of(states[i].state), no);
		if (states[i].result)
			fsi_text_flux_set(x, row, J_RESULT,
					  fsi_span_of(states[i].result), no);
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
			fsi_text_flux_set(x, row, J_DEPENDENCIES, list, no);
	} else if (fsi_span_is(v, "held")) {
		fsi_text_flux_set(x, row, J_URGENCY, zero, no);
	} else if (fsi_span_is(v, "priority-hold")) {
		fsi_text_flux_set(x, row, J_PRIORITY, zero, no);
	} else if (!is_pending(x, row) && !memchr(v.s, ' ', v.len)) {
		fsi_text_flux_set(x, row, J_NODELIST, v, no);
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
		v = plain[k].how == MARKED ? unmarked(v) : plain[k].how == QUEUE ? fsi_text_flux_queue(x, v) : v;
		fsi_text_flux_set(x, row, plain[k].field, v, no);
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
			fsi_text_flux_set(x, row, J_DURATION, seconds(x->t, v), table->no[r]);
		else if (!strcmp(table->name[c], "INFO"))
			set_info(x, row, v, table->no[r]);
		else if (!strcmp(table->name[c], "DEPENDENCIES") && !shortened(v))
			fsi_text_flux_set(x, row, J_DEPENDENCIES, v, table->no[r]);
		else if (!strcmp(table->name[c], "NODELIST"))
			fsi_text_flux_set(x, row, J_NODELIST, v, table->no[r]);
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

		rc = fsi_text_flux_job(x, fsi_text_cell(table, r, "JOBID"), table->no[r], &row);
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

int fsi_text_flux_jobs(struct fsi_text_flux *x, struct fsi_text_piece *p)
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
	const int rc = name.len && v.len && (!strcmp(column, "bank") || fsi_text_number(v, true)) ? fsi_text_flux_row(x, &row, no) : 0;

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

int fsi_text_flux_priorities(struct fsi_text_flux *x, struct fsi_text_piece *p)
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

int fsi_text_flux_put_jobs(struct fsi_text_flux *x)
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
