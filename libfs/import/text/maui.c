
#include "base/num.h"
#include "import/maui/maui.h"
#include "import/text/tables.h"

#include <stdio.h>
#include <string.h>

/* Compares the values that different outputs of Maui print for the same job, and warns if they differ. Maui's importer
 * uses the first value in the order in which it reads the outputs (libfs/import/maui/main.c,
 * libfs/import/maui/pages.c). If several outputs of a command were pasted, the importer uses the first
 * one. diagnose -p rounds a priority; the other commands truncate the priority. The formats are described in
 * libfs/import/maui/pages.c. */

enum compared_field { COMPARED_STATE, COMPARED_USER, COMPARED_PROCESSORS, COMPARED_PRIORITY, COMPARED_FIELDS };

struct job_comparison {
	struct fsi_text *t;
	struct fsi_text_merge m;
	uint32_t job; /* row of the current job; UINT32_MAX: none */
	/* idle: checkjob shows the current job as Idle. tasks: number of tasks that checkjob shows for the current
	 * job. */
	bool idle;
	int64_t tasks;
};

typedef int (*compare_line_fn)(struct job_comparison *s, struct fsi_span line, uint32_t no);

static bool differ_by_rounding(struct fsi_span a, struct fsi_span b)
{
	int64_t x, y;

	return !fsi_parse_i64(a.s, a.len, &x) && !fsi_parse_i64(b.s, b.len, &y) && x - y <= 1 && y - x <= 1;
}

static void set_compared_field(struct job_comparison *s, enum compared_field field, struct fsi_span v, uint32_t no)
{
	static const char *const names[] = { [COMPARED_STATE] = "the state",
					     [COMPARED_USER] = "the user",
					     [COMPARED_PROCESSORS] = "the number of processors",
					     [COMPARED_PRIORITY] = "the priority" };
	const struct fsi_span old = s->m.v[s->job * COMPARED_FIELDS + field];

	if (field == COMPARED_PRIORITY && old.len && differ_by_rounding(old, v))
		return;
	fsi_text_merge_set_field(&s->m, s->job, field, names[field], v, no);
}

static int add_compared_job(struct job_comparison *s, struct fsi_span name, uint32_t no)
{
	s->job = fsi_text_merge_add_row(&s->m, name, no);
	return s->job == UINT32_MAX ? fsi_fail_no_memory(s->t->err) : 0;
}

/* Returns the job name without the mark that showq may append. */
static struct fsi_span strip_job_mark(struct fsi_span name)
{
	name.len -= name.len > 1 && fsi_showq_is_mark(name.s[name.len - 1]);
	return name;
}

/* Reads a line of showq. Uses only the states Idle and Running, because only these states have the same name in all
 * outputs. */
static int compare_showq_line(struct job_comparison *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span w[10];
	int rc;

	if (fsi_span_split_words(line, w, 10) != 9 || !fsi_text_is_number(w[3], false) ||
	    !memchr(w[8].s, ':', w[8].len))
		return 0;
	rc = add_compared_job(s, strip_job_mark(w[0]), no);
	if (rc)
		return rc;
	if (fsi_span_is_word(w[2], "Idle") || fsi_span_is_word(w[2], "Running"))
		set_compared_field(s, COMPARED_STATE, w[2], no);
	set_compared_field(s, COMPARED_USER, w[1], no);
	set_compared_field(s, COMPARED_PROCESSORS, w[3], no);
	return 0;
}

static int compare_running_line(struct job_comparison *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span w[18];
	const size_t n = fsi_span_split_words(line, w, 18);
	int rc;

	if (n < 15 || n > 17 || !fsi_text_is_number(w[n - 6], false))
		return 0;
	rc = add_compared_job(s, strip_job_mark(w[0]), no);
	if (rc)
		return rc;
	set_compared_field(s, COMPARED_USER, w[n - 9], no);
	set_compared_field(s, COMPARED_PROCESSORS, w[n - 6], no);
	return 0;
}

static int compare_idle_line(struct job_comparison *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span w[16];
	const size_t n = fsi_span_split_words(line, w, 16), at = n > 1 && fsi_span_is_word(w[1], "*") ? 2 : 1;
	int rc;

	if (n < 12 || n > 15 || !fsi_text_is_number(w[at], false) || !fsi_text_is_number(w[n - 7], false))
		return 0;
	rc = add_compared_job(s, strip_job_mark(w[0]), no);
	if (rc)
		return rc;
	set_compared_field(s, COMPARED_PRIORITY, w[at], no);
	set_compared_field(s, COMPARED_USER, w[n - 9], no);
	set_compared_field(s, COMPARED_PROCESSORS, w[n - 7], no);
	return 0;
}

/* Reads a line of diagnose -j, which cuts user names at eight characters. */
static int compare_diagnosed_job(struct job_comparison *s, struct fsi_span line, uint32_t no)
{
	enum { PROC = 3, RESERVED = 6, USERS = 8, QUEUED = 11, CUT_AT = 8 };
	struct fsi_span w[24];
	int64_t waited;
	int rc;

	if (fsi_span_split_words(line, w, 24) <= QUEUED || fsi_maui_parse_duration(w[QUEUED], &waited) ||
	    !fsi_text_is_number(w[PROC], false) || w[RESERVED].len != 1)
		return 0;
	rc = add_compared_job(s, w[0], no);
	if (rc)
		return rc;
	set_compared_field(s, COMPARED_PROCESSORS, w[PROC], no);
	if (w[USERS].len < CUT_AT)
		set_compared_field(s, COMPARED_USER, w[USERS], no);
	return 0;
}

static int compare_priority_line(struct job_comparison *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span w[2];
	int64_t priority;
	int rc;

	if (fsi_span_split_words(line, w, 2) < 2 || !memchr(line.s, '(', line.len))
		return 0;
	w[1].len -= w[1].s[w[1].len - 1] == '*';
	if (!fsi_maui_is_priority_row(line, w[0], w[1]) || fsi_parse_i64(w[1].s, w[1].len, &priority) || priority <= 0)
		return 0;
	rc = add_compared_job(s, w[0], no);
	if (!rc)
		set_compared_field(s, COMPARED_PRIORITY, w[1], no);
	return rc;
}

/* ---- checkjob: lines of `name: value` */

/* Sets the number of processors from two lines of checkjob: Total Tasks: 4 / Dedicated Resources Per Task: PROCS: 2 */
static int set_task_processors(struct job_comparison *s, struct fsi_span per_task, uint32_t no)
{
	int64_t per_task_count;
	char text[24], *copy;

	if (!per_task.len || s->tasks <= 0 || fsi_parse_i64(per_task.s, per_task.len, &per_task_count) ||
	    per_task_count <= 0 || per_task_count > UINT32_MAX || s->tasks > UINT32_MAX / per_task_count)
		return 0;
	snprintf(text, sizeof(text), "%lld", (long long)(s->tasks * per_task_count));
	copy = fsi_arena_strndup(&s->t->arena, text, strlen(text));
	if (!copy)
		return fsi_fail_no_memory(s->t->err);
	set_compared_field(s, COMPARED_PROCESSORS, fsi_string_to_span(copy), no);
	return 0;
}

static int compare_checkjob_line(struct job_comparison *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span v = fsi_maui_word_after(line, "checking job ");

	if (v.len) {
		s->idle = false;
		s->tasks = 0;
		return add_compared_job(s, v, no);
	}
	if (s->job == UINT32_MAX)
		return 0;
	if (fsi_span_starts_with(line, "State:"))
		s->idle = fsi_span_is_word(fsi_maui_word_after(line, "State:"), "Idle");
	if (fsi_span_starts_with(line, "Creds:"))
		set_compared_field(s, COMPARED_USER, fsi_maui_word_after(line, "user:"), no);
	v = fsi_maui_word_after(line, "Total Tasks:");
	if (v.len && fsi_parse_i64(v.s, v.len, &s->tasks))
		s->tasks = 0;
	v = fsi_maui_word_after(line, "StartPriority:");
	if (s->idle && fsi_text_is_number(v, false))
		set_compared_field(s, COMPARED_PRIORITY, v, no);
	if (!fsi_span_starts_with(line, "Dedicated Resources Per Task:"))
		return 0;
	return set_task_processors(s, fsi_maui_word_after(line, "PROCS:"), no);
}

/* ---- all outputs, in the order in which the importer reads them */

static int compare_pieces_of_kind(struct job_comparison *s, enum fsi_text_kind kind, compare_line_fn fn)
{
	int rc = 0;

	for (size_t k = 0; k < s->t->pieces.n && !rc; k++) {
		const struct fsi_text_piece *p = &s->t->pieces.v[k];

		s->job = UINT32_MAX;
		for (size_t i = p->begin; p->kind == kind && i < p->end && !rc; i++) {
			const struct fsi_text_line *l = &s->t->lines.v[i];

			if (!l->cut)
				rc = fn(s, fsi_text_line_span(l), l->no);
		}
	}
	return rc;
}

/* Warns if two outputs of the paste show different values for the same job. */
static int compare_job_pages(struct fsi_text *t)
{
	static const struct {
		enum fsi_text_kind kind;
		compare_line_fn fn;
	} pages[] = {
		{ TEXT_SHOWQ, compare_showq_line },        { TEXT_SHOWQ_RUNNING, compare_running_line },
		{ TEXT_CHECKJOB, compare_checkjob_line },  { TEXT_SHOWQ_IDLE, compare_idle_line },
		{ TEXT_DIAGNOSE_JOBS, compare_diagnosed_job }, { TEXT_DIAGNOSE_PRIORITIES, compare_priority_line },
	};
	struct job_comparison s = { .t = t, .m = { .t = t, .what = "job", .fields = COMPARED_FIELDS } };
	int rc = 0;

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages) && !rc; i++)
		rc = compare_pieces_of_kind(&s, pages[i].kind, pages[i].fn);
	return fsi_text_merge_finish(&s.m, rc);
}

/* Writes the outputs of Maui's commands to the files of a capture, and finds the time of the capture. The outputs are
 * not changed, except that folded lines are joined. Maui's commands print no year. Most commands do not print the
 * current time. */

/* ---- finding the time of the capture */

/* Parses a date without a year. Sets *out to the time in the year that is nearest to the known or assumed time of the
 * capture. */
static bool parse_yearless_date(const struct fsi_text *t, const struct fsi_span *words, int64_t *out)
{
	const struct fsi_maui_import near = { .now = t->o->time		       ? t->o->time
						     : t->clock != FS_UNKNOWN ? t->clock
									      : t->o->otherwise };

	return !fsi_maui_parse_ctime(&near, words, out);
}

static void update_newest_time(struct fsi_text *t, int64_t time)
{
	if (t->newest_time == FS_UNKNOWN || time > t->newest_time)
		t->newest_time = time;
}

/* Sets *out to the exact time at which the output was printed. showres -n prints this time. showres and showstart print
 * a start and the time left until that start; their difference is the time of the output. */
static bool get_print_time(struct fsi_text *t, const struct fsi_text_piece *p, size_t i, int64_t *out)
{
	static const char on[] = "reservations on ";
	struct fsi_span line = fsi_text_get_line(t, i), w[12];
	int64_t in_s, start;
	size_t n;

	if (p->kind == TEXT_SHOWRES_NODES && i && fsi_span_starts_with(line, on)) {
		line = fsi_span_skip_bytes(line, sizeof(on) - 1);
		return fsi_span_split_words(line, w, 12) == 4 && parse_yearless_date(t, w, out);
	}
	n = fsi_span_split_words(line, w, 12);
	if (!(p->kind == TEXT_SHOWRES && n == 11) &&
	    !(p->kind == TEXT_SHOWSTART && n == 9 && fsi_span_is_word(w[1], "start")))
		return false;
	/* in showres and showstart, the fourth word is the time left until the start */
	if (fsi_maui_parse_duration(w[3], &in_s) || !parse_yearless_date(t, w + n - 4, &start))
		return false;
	*out = start - in_s;
	return true;
}

/* Sets *out to the time at which checkjob printed the page of an idle job: the job's submit time plus its total queue
 * time.
 *   SubmitTime: Sun Sep 13 12:26:40
 *   (Time Queued Total: 00:45:00 Eligible: 00:02:00) */
static bool get_checkjob_time(struct fsi_text *t, const struct fsi_text_piece *p, int64_t *out)
{
	int64_t submitted = FS_UNKNOWN, waited;
	bool idle = false;

	for (size_t i = p->begin; i < p->end; i++) {
		struct fsi_span w[12];
		const size_t n = fsi_span_split_words(fsi_text_get_line(t, i), w, 12);

		if (n > 1 && fsi_span_is_word(w[0], "State:"))
			idle = fsi_span_is_word(w[1], "Idle");
		if (n > 4 && fsi_span_is_word(w[0], "SubmitTime:") && !parse_yearless_date(t, w + 1, &submitted))
			return false;
		if (idle && submitted != FS_UNKNOWN && n > 3 && fsi_span_is_word(w[0], "(Time") &&
		    fsi_span_is_word(w[2], "Total:") && !fsi_maui_parse_duration(w[3], &waited)) {
			*out = submitted + waited;
			return true;
		}
	}
	return false;
}

static void find_newest_page_time(struct fsi_text *t, const struct fsi_text_piece *p)
{
	for (size_t i = p->begin; i < p->end; i++) {
		struct fsi_span w[20];
		const size_t n = fsi_span_split_words(fsi_text_get_line(t, i), w, 20);
		int64_t time;

		if (n > 4 && n <= 20 && parse_yearless_date(t, w + n - 4, &time))
			update_newest_time(t, time);
	}
}

enum { LINES_ABOVE_HEADING = 3 }; /* number of lines of showres -n above its heading */

static void find_capture_clock(struct fsi_text *t)
{
	int64_t clock = FS_UNKNOWN, time;

	for (size_t k = 0; k < t->pieces.n; k++) {
		const struct fsi_text_piece *p = &t->pieces.v[k];

		if (p->kind == TEXT_CHECKJOB && get_checkjob_time(t, p, &time))
			clock = time;
		for (size_t i = p->begin < LINES_ABOVE_HEADING ? 0 : p->begin - LINES_ABOVE_HEADING; i < p->end; i++)
			if (get_print_time(t, p, i, &time))
				clock = time;
		if (p->kind == TEXT_SHOWQ || p->kind == TEXT_SHOWQ_IDLE || p->kind == TEXT_SHOWQ_RUNNING)
			find_newest_page_time(t, p);
	}
	if (t->clock == FS_UNKNOWN)
		t->clock = clock;
}

/* ---- functions that return true if a row is complete; a row is incomplete if the terminal folded it */

static bool ends_with_time(const struct fsi_span *w, size_t n)
{
	return n > 4 && w[n - 1].len == 8 && w[n - 1].s[2] == ':' && w[n - 1].s[5] == ':';
}

/* Returns true if the line is a complete row of showq -i. Such a row has the priority, a number, in the column in which
 * showq -r prints the state. */
static bool is_complete_idle_row(struct fsi_span row)
{
	struct fsi_span w[20];
	const size_t n = fsi_span_split_words(row, w, 20), at = n > 1 && fsi_span_is_word(w[1], "*") ? 2 : 1;

	return !n || fsi_span_is_word(w[0], "Jobs:") || fsi_span_is_word(w[0], "JobName") ||
	       (n >= 12 && n <= 15 && ends_with_time(w, n) && fsi_text_is_number(w[at], false));
}

static bool is_complete_running_row(struct fsi_span row)
{
	struct fsi_span w[20];
	const size_t n = fsi_span_split_words(row, w, 20);

	return !n || (n > 1 && fsi_span_is_word(w[1], "Jobs")) || fsi_span_is_word(w[0], "JobName") ||
	       (n >= 15 && n <= 17 && ends_with_time(w, n) &&
		(fsi_span_is_word(w[1], "R") || fsi_span_is_word(w[2], "R")));
}

static bool is_complete_reservation(struct fsi_span row)
{
	struct fsi_span w[20];
	const size_t n = fsi_span_split_words(row, w, 20);

	return !n || n < 5 || (n == 11 && ends_with_time(w, n));
}

static bool is_complete_job_row(struct fsi_span row)
{
	struct fsi_span w[24];
	const size_t n = fsi_span_split_words(row, w, 24);

	return !n || fsi_span_is_word(w[0], "Total") || fsi_span_is_word(w[0], "Name") || (n >= 18 && w[1].len > 3);
}

static bool is_any_row(struct fsi_span row)
{
	(void)row;
	return true;
}

/* ---- the files of a capture */

static const struct {
	enum fsi_text_kind kind;
	const char *file;
	/* returns true if the row needs no further line; NULL: folded rows of this output are not joined */
	fsi_text_is_complete_fn is_complete;
} capture_files[] = {
	{ TEXT_SHOWQ, "showq.txt", NULL },
	{ TEXT_SHOWQ_IDLE, "showq_-i.txt", is_complete_idle_row },
	{ TEXT_SHOWQ_BLOCKED, "showq_-b.txt", is_any_row },
	{ TEXT_DIAGNOSE_JOBS, "diagnose_-j.txt", is_complete_job_row },
	{ TEXT_DIAGNOSE_FAIRSHARE, "diagnose_-f.txt", NULL },
	{ TEXT_SHOWRES, "showres.txt", is_complete_reservation },
	{ TEXT_SHOWRES_NODES, "showres_-n.txt", is_complete_reservation },
};

/* Writes a line to the file, unless the line is the last line of the paste and may be incomplete. */
static int write_page_line(struct fsi_text *t, struct fsi_text_piece *p, const char *file,
			   const struct fsi_text_line *l)
{
	if (l->cut) {
		p->unparsed++;
		return 0;
	}
	p->imported += l->len > 0;
	return fsi_text_add_line(t, file, fsi_text_line_span(l), l->no);
}

static int write_page_lines(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	int rc = 0;

	for (size_t i = p->begin; i < p->end && !rc; i++)
		rc = write_page_line(t, p, file, &t->lines.v[i]);
	return rc;
}

static int write_unfolded_rows(struct fsi_text *t, struct fsi_text_piece *p, const char *file,
			       fsi_text_is_complete_fn is_complete)
{
	const struct fsi_span heading = fsi_text_get_line(t, p->begin);
	struct fsi_text_lines rows = { 0 };
	int rc = fsi_text_unfold_rows(t, p, is_complete, &rows);

	if (!rc && fsi_span_starts_with(fsi_span_trim_blanks(heading), "JobName"))
		rc = fsi_text_add_line(t, file, heading, t->lines.v[p->begin].no);
	for (size_t i = 0; i < rows.n && !rc; i++) {
		if (is_complete(fsi_text_line_span(&rows.v[i])))
			rc = write_page_line(t, p, file, &rows.v[i]);
		else /* a row of some other output whose heading is missing */
			p->unparsed++;
	}
	FSI_VEC_FREE(&rows);
	return rc;
}

/* Returns the file name of an output of showq -r or showq -r -v. Only the heading of showq -r -v has the word prio. */
static const char *get_running_file(const struct fsi_text *t, const struct fsi_text_piece *p)
{
	struct fsi_span w[20];
	const size_t n = fsi_span_split_words(fsi_text_get_line(t, p->begin), w, 20);

	for (size_t i = 0; i < n && i < 20; i++)
		if (fsi_span_is_word(w[i], "prio"))
			return "showq_-r_-v.txt";
	return "showq_-r.txt";
}

/* ---- showq: the line that begins one of its three sections may be missing */

struct showq_section {
	/* section of showq that contains the line */
	enum { UNKNOWN_SECTION, ACTIVE_SECTION, IDLE_SECTION, BLOCKED_SECTION } current;
	bool has_heading; /* the heading of the section was read */
};

/* If `running` is true, returns true if the word is a state of active jobs. If `running` is false, returns true if the
 * word is any other word. */
static bool is_active_state(struct fsi_span word, bool running)
{
	const bool is = fsi_span_is_word(word, "Running") || fsi_span_is_word(word, "Starting") ||
			fsi_span_is_word(word, "Suspended");

	return is == running;
}

/* Returns true if the line of showq belongs to the section s->current. Rules:
 *   - A line such as `ACTIVE JOBS-----` begins a section and belongs to it.
 *   - After a second heading, or the heading of another section, the current section is unknown. Only the heading of
 *     active jobs has the word REMAINING.
 *   - If the current section is unknown, a heading does not belong to it, and neither does a line of nine words.
 *   - The row of a job must have a state that occurs in the section.
 *   - Any other line belongs to the section. */
static bool belongs_to_section(struct showq_section *s, struct fsi_span line)
{
	static const char *const begins[] = {
		[ACTIVE_SECTION] = "ACTIVE JOBS-", [IDLE_SECTION] = "IDLE JOBS-", [BLOCKED_SECTION] = "BLOCKED JOBS-"
	};
	struct fsi_span w[9];
	const size_t n = fsi_span_split_words(line, w, 9);

	for (int k = ACTIVE_SECTION; k <= BLOCKED_SECTION; k++)
		if (fsi_span_starts_with(line, begins[k])) {
			*s = (struct showq_section){ k == ACTIVE_SECTION ? ACTIVE_SECTION
						     : k == IDLE_SECTION ? IDLE_SECTION
									 : BLOCKED_SECTION,
						     false };
			return true;
		}
	if (n == 6 && fsi_span_is_word(w[0], "JOBNAME")) {
		if (fsi_span_is_word(w[4], "REMAINING") != (s->current == ACTIVE_SECTION) || s->has_heading)
			s->current = UNKNOWN_SECTION;
		s->has_heading = true;
		return s->current != UNKNOWN_SECTION;
	}
	return n != 9 || (s->current != UNKNOWN_SECTION &&
			  (!ends_with_time(w, n) || is_active_state(w[2], s->current == ACTIVE_SECTION)));
}

/* Writes an output of showq without the rows whose section is unknown. If the first line of the output is missing, the
 * heading shows whether the rows below it are active jobs. */
static int write_showq_piece(struct fsi_text *t, struct fsi_text_piece *p)
{
	static const struct fsi_span active = { "ACTIVE JOBS--------------------", 31 };
	struct showq_section s = { UNKNOWN_SECTION, false };
	struct fsi_span w[8];
	const size_t n = fsi_span_split_words(fsi_text_get_line(t, p->begin), w, 8);
	int rc = 0;

	if (n == 6 && fsi_span_is_word(w[0], "JOBNAME") && fsi_span_is_word(w[4], "REMAINING")) {
		rc = fsi_text_add_line(t, "showq.txt", active, t->lines.v[p->begin].no);
		s.current = ACTIVE_SECTION;
	}
	for (size_t i = p->begin; i < p->end && !rc; i++) {
		if (belongs_to_section(&s, fsi_text_get_line(t, i)))
			rc = write_page_line(t, p, "showq.txt", &t->lines.v[i]);
		else
			p->unparsed++;
	}
	return rc;
}

/* Writes an output of diagnose -p with its folded rows joined: each row has as many groups in parentheses as the
 * heading. */
static int write_priority_piece(struct fsi_text *t, struct fsi_text_piece *p)
{
	struct fsi_text_row row = { .n = 0 };
	size_t groups = 0, closed = 0, width = 0;
	int rc = 0;

	for (size_t i = p->begin; i < p->end; i++)
		width = t->lines.v[i].len > width ? t->lines.v[i].len : width;
	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_span line = fsi_text_get_line(t, i), v = fsi_span_trim_blanks(line);
		const bool weights = fsi_span_starts_with(v, "Weights");

		if (!v.len || t->lines.v[i].cut || fsi_span_starts_with(v, "diagnosing") ||
		    (!row.n && !memchr(v.s, '(', v.len) && !fsi_span_starts_with(v, "Job ")))
			continue;
		if (weights && !groups) {
			groups = closed;
			rc = fsi_text_add_line(t, "diagnose_-p.txt", fsi_text_row_span(&row), t->lines.v[i].no);
			row.n = closed = 0;
		}
		for (size_t k = row.n; row.n && k % width; k++)
			fsi_text_row_append(&row, fsi_string_to_span(" "), "");
		fsi_text_row_append(&row, line, "");
		for (size_t k = 0; k < line.len; k++)
			closed += line.s[k] == ')';
		if (groups && closed >= groups) {
			rc = rc ? rc
				: fsi_text_add_line(t, "diagnose_-p.txt", fsi_text_row_span(&row), t->lines.v[i].no);
			p->imported += !weights;
			row.n = closed = 0;
		}
	}
	return rc;
}

/* Writes an output of checkjob or showstart to the file of its job, unless that file exists already. */
static int write_job_page(struct fsi_text *t, struct fsi_text_piece *p)
{
	struct fsi_span w[4];
	const size_t n = fsi_span_split_words(fsi_text_get_line(t, p->begin), w, 4);
	const struct fsi_span name = p->kind == TEXT_CHECKJOB ? w[2] : w[1];
	char text[100], *file;

	if (n < 3 || name.len > 60)
		return 0;
	snprintf(text, sizeof(text), "%s_%.*s.txt", p->kind == TEXT_CHECKJOB ? "checkjob" : "showstart", (int)name.len,
		 name.s);
	file = fsi_arena_strndup(&t->arena, text, strlen(text));
	if (!file)
		return fsi_fail_no_memory(t->err);
	return fsi_text_find_file(t, file) ? 0 : write_page_lines(t, p, file);
}

static int warn_second_output(struct fsi_text *t, const struct fsi_text_piece *p)
{
	return fsi_text_add_warning(t, "line %u: a second output of %s is left out", t->lines.v[p->begin].no,
				    fsi_text_kind_name(p->kind));
}

static int write_maui_piece(struct fsi_text *t, struct fsi_text_piece *p)
{
	const char *file = p->kind == TEXT_SHOWQ_RUNNING         ? get_running_file(t, p)
			   : p->kind == TEXT_DIAGNOSE_PRIORITIES ? "diagnose_-p.txt"
								 : NULL;

	if (p->kind == TEXT_CHECKJOB || p->kind == TEXT_SHOWSTART)
		return write_job_page(t, p);
	for (size_t k = 0; k < sizeof(capture_files) / sizeof(*capture_files); k++) {
		if (capture_files[k].kind != p->kind)
			continue;
		if (fsi_text_find_file(t, capture_files[k].file))
			return warn_second_output(t, p);
		return p->kind == TEXT_SHOWQ ? write_showq_piece(t, p)
		       : capture_files[k].is_complete
			       ? write_unfolded_rows(t, p, capture_files[k].file, capture_files[k].is_complete)
			       : write_page_lines(t, p, capture_files[k].file);
	}
	if (fsi_text_find_file(t, file))
		return warn_second_output(t, p);
	return p->kind == TEXT_SHOWQ_RUNNING ? write_unfolded_rows(t, p, file, is_complete_running_row)
					     : write_priority_piece(t, p);
}

int fsi_text_write_maui(struct fsi_text *t)
{
	int rc = 0;

	find_capture_clock(t);
	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		rc = write_maui_piece(t, &t->pieces.v[i]);
	return rc ? rc : compare_job_pages(t);
}

/* Unsets the end times of running jobs. The end times are unknown: Maui prints only the time left until the end, and
 * the current time was guessed. */
static void unset_end_times(fs_snapshot *s)
{
	for (size_t i = 0; i < s->job.n; i++)
		if (s->job.v[i].state == FSI_STATE_RUNNING) {
			FSI_UNSET(&s->job.v[i], JOB, end_time);
			s->job.v[i].end_time = 0;
		}
}

int fsi_text_import_maui(struct fsi_text *t, fs_snapshot **out, const struct fs_source *source)
{
	const struct fs_maui_import_options o = { .time = t->clock };
	const int rc = fsi_import_maui(out, source, &o, true, t->err);

	if (!rc && t->clock_guessed)
		unset_end_times(*out);
	return rc;
}
