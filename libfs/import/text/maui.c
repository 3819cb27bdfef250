#include "import/text/maui.h"

#include "base/num.h"
#include "import/maui/maui.h"
#include "import/text/tables.h"

#include <stdio.h>
#include <string.h>

/* What Maui's pages say of the same job, against each other: of two values the one counts that the importer reads
 * first, by the order of its pages (maui.c, maui/pages.c), and of pages of one command the first. diagnose -p rounds a
 * priority where the others drop its fraction. The formats: see maui/pages.c. */

enum said { STATE, USER, PROCESSORS, PRIORITY, SAID };

struct says {
	struct fsi_text *t;
	struct fsi_text_merge m;
	uint32_t job; /* the row at hand; UINT32_MAX: none */
	bool idle;
	int64_t tasks;
};

typedef int (*line_fn)(struct says *s, struct fsi_span line, uint32_t no);

static bool rounded(struct fsi_span a, struct fsi_span b)
{
	int64_t x, y;

	return !fsi_parse_i64(a.s, a.len, &x) && !fsi_parse_i64(b.s, b.len, &y) && x - y <= 1 && y - x <= 1;
}

static void set(struct says *s, enum said field, struct fsi_span v, uint32_t no)
{
	static const char *const names[] = { [STATE] = "the state", [USER] = "the user",
					     [PROCESSORS] = "the number of processors", [PRIORITY] = "the priority" };
	const struct fsi_span old = s->m.v[s->job * SAID + field];

	if (field == PRIORITY && old.len && rounded(old, v))
		return;
	fsi_text_merge_set(&s->m, s->job, field, names[field], v, no);
}

static int find_job(struct says *s, struct fsi_span name, uint32_t no)
{
	s->job = fsi_text_merge_row(&s->m, name, no);
	return s->job == UINT32_MAX ? fsi_nomem(s->t->err) : 0;
}

static struct fsi_span unmarked(struct fsi_span name)
{
	name.len -= name.len > 1 && fsi_queue_is_mark(name.s[name.len - 1]);
	return name;
}

/* Takes the two states that every page calls the same. */
static int of_queue(struct says *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span w[10];
	int rc;

	if (fsi_span_words(line, w, 10) != 9 || !fsi_text_number(w[3], false) || !memchr(w[8].s, ':', w[8].len))
		return 0;
	rc = find_job(s, unmarked(w[0]), no);
	if (rc)
		return rc;
	if (fsi_span_is(w[2], "Idle") || fsi_span_is(w[2], "Running"))
		set(s, STATE, w[2], no);
	set(s, USER, w[1], no);
	set(s, PROCESSORS, w[3], no);
	return 0;
}

static int of_running(struct says *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span w[18];
	const size_t n = fsi_span_words(line, w, 18);
	int rc;

	if (n < 15 || n > 17 || !fsi_text_number(w[n - 6], false))
		return 0;
	rc = find_job(s, unmarked(w[0]), no);
	if (rc)
		return rc;
	set(s, USER, w[n - 9], no);
	set(s, PROCESSORS, w[n - 6], no);
	return 0;
}

static int of_idle(struct says *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span w[16];
	const size_t n = fsi_span_words(line, w, 16), at = n > 1 && fsi_span_is(w[1], "*") ? 2 : 1;
	int rc;

	if (n < 12 || n > 15 || !fsi_text_number(w[at], false) || !fsi_text_number(w[n - 7], false))
		return 0;
	rc = find_job(s, unmarked(w[0]), no);
	if (rc)
		return rc;
	set(s, PRIORITY, w[at], no);
	set(s, USER, w[n - 9], no);
	set(s, PROCESSORS, w[n - 7], no);
	return 0;
}

/* diagnose -j cuts its users at eight characters. */
static int of_jobs(struct says *s, struct fsi_span line, uint32_t no)
{
	enum { PROC = 3, RESERVED = 6, USERS = 8, QUEUED = 11, CUT_AT = 8 };
	struct fsi_span w[24];
	int64_t waited;
	int rc;

	if (fsi_span_words(line, w, 24) <= QUEUED || fsi_maui_duration(w[QUEUED], &waited) ||
	    !fsi_text_number(w[PROC], false) || w[RESERVED].len != 1)
		return 0;
	rc = find_job(s, w[0], no);
	if (rc)
		return rc;
	set(s, PROCESSORS, w[PROC], no);
	if (w[USERS].len < CUT_AT)
		set(s, USER, w[USERS], no);
	return 0;
}

static int of_priorities(struct says *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span w[2];
	int64_t priority;
	int rc;

	if (fsi_span_words(line, w, 2) < 2 || !memchr(line.s, '(', line.len))
		return 0;
	w[1].len -= w[1].s[w[1].len - 1] == '*';
	if (!fsi_maui_is_priority(line, w[0], w[1]) || fsi_parse_i64(w[1].s, w[1].len, &priority) || priority <= 0)
		return 0;
	rc = find_job(s, w[0], no);
	if (!rc)
		set(s, PRIORITY, w[1], no);
	return rc;
}

/* ---- checkjob: lines of `name: value` */

/* Total Tasks: 4 / Dedicated Resources Per Task: PROCS: 2 */
static int set_processors(struct says *s, struct fsi_span per_task, uint32_t no)
{
	int64_t each;
	char text[24], *kept;

	if (!per_task.len || s->tasks <= 0 || fsi_parse_i64(per_task.s, per_task.len, &each) || each <= 0 ||
	    each > UINT32_MAX || s->tasks > UINT32_MAX / each)
		return 0;
	snprintf(text, sizeof(text), "%lld", (long long)(s->tasks * each));
	kept = fsi_arena_strndup(&s->t->arena, text, strlen(text));
	if (!kept)
		return fsi_nomem(s->t->err);
	set(s, PROCESSORS, fsi_span_of(kept), no);
	return 0;
}

static int of_checkjob(struct says *s, struct fsi_span line, uint32_t no)
{
	struct fsi_span v = fsi_maui_after(line, "checking job ");

	if (v.len) {
		s->idle = false;
		s->tasks = 0;
		return find_job(s, v, no);
	}
	if (s->job == UINT32_MAX)
		return 0;
	if (fsi_span_begins(line, "State:"))
		s->idle = fsi_span_is(fsi_maui_after(line, "State:"), "Idle");
	if (fsi_span_begins(line, "Creds:"))
		set(s, USER, fsi_maui_after(line, "user:"), no);
	v = fsi_maui_after(line, "Total Tasks:");
	if (v.len && fsi_parse_i64(v.s, v.len, &s->tasks))
		s->tasks = 0;
	v = fsi_maui_after(line, "StartPriority:");
	if (s->idle && fsi_text_number(v, false))
		set(s, PRIORITY, v, no);
	if (!fsi_span_begins(line, "Dedicated Resources Per Task:"))
		return 0;
	return set_processors(s, fsi_maui_after(line, "PROCS:"), no);
}

/* ---- all pages, in the order in which they are read */

static int read_pieces(struct says *s, enum fsi_text_kind kind, line_fn fn)
{
	int rc = 0;

	for (size_t k = 0; k < s->t->pieces.n && !rc; k++) {
		const struct fsi_text_piece *p = &s->t->pieces.v[k];

		s->job = UINT32_MAX;
		for (size_t i = p->begin; p->kind == kind && i < p->end && !rc; i++) {
			const struct fsi_text_line *l = &s->t->lines.v[i];

			if (!l->cut)
				rc = fn(s, fsi_text_span(l), l->no);
		}
	}
	return rc;
}

/* Warns if two pasted outputs differ about a job. */
static int text_maui_said(struct fsi_text *t)
{
	static const struct {
		enum fsi_text_kind kind;
		line_fn fn;
	} pages[] = {
		{ TEXT_SHOWQ, of_queue },        { TEXT_SHOWQ_RUNNING, of_running },
		{ TEXT_CHECKJOB, of_checkjob },  { TEXT_SHOWQ_IDLE, of_idle },
		{ TEXT_DIAGNOSE_JOBS, of_jobs }, { TEXT_DIAGNOSE_PRIORITIES, of_priorities },
	};
	struct says s = { .t = t, .m = { .t = t, .what = "job", .fields = SAID } };
	int rc = 0;

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages) && !rc; i++)
		rc = read_pieces(&s, pages[i].kind, pages[i].fn);
	return fsi_text_merge_end(&s.m, rc);
}

/* Maui's pieces become the files of a capture, each as it is but for what a terminal folded. They also tell when
 * they were printed: its clients write no year, and most of them no time of their own. */

/* ---- the clock */

/* A date without its year, in the year that brings it nearest to what else is known of the time. */
static bool date(const struct fsi_text *t, const struct fsi_span *words, int64_t *out)
{
	const struct fsi_maui_import near = { .now = t->o->time		       ? t->o->time
						     : t->clock != FS_UNKNOWN ? t->clock
									      : t->o->otherwise };

	return !fsi_maui_ctime(&near, words, out);
}

static void note_newest(struct fsi_text *t, int64_t time)
{
	if (t->newest == FS_UNKNOWN || time > t->newest)
		t->newest = time;
}

/* The exact moment of printing, from a reservation or an estimate: its start less how far that is off. */
static bool printed_at(struct fsi_text *t, const struct fsi_text_piece *p, size_t i, int64_t *out)
{
	static const char on[] = "reservations on ";
	struct fsi_span line = fsi_text_line(t, i), w[12];
	int64_t in_s, start;
	size_t n;

	if (p->kind == TEXT_SHOWRES_NODES && i && fsi_span_begins(line, on)) {
		line = fsi_span_from(line, sizeof(on) - 1);
		return fsi_span_words(line, w, 12) == 4 && date(t, w, out);
	}
	n = fsi_span_words(line, w, 12);
	if (!(p->kind == TEXT_SHOWRES && n == 11) &&
	    !(p->kind == TEXT_SHOWSTART && n == 9 && fsi_span_is(w[1], "start")))
		return false;
	if (fsi_maui_duration(w[3], &in_s) || !date(t, w + n - 4, &start)) /* the fourth word in both */
		return false;
	*out = start - in_s;
	return true;
}

/* SubmitTime: Sun Sep 13 12:26:40 / (Time Queued  Total: 00:45:00  Eligible: 00:02:00) of a job that waits. */
static bool queued_at(struct fsi_text *t, const struct fsi_text_piece *p, int64_t *out)
{
	int64_t submitted = FS_UNKNOWN, waited;
	bool idle = false;

	for (size_t i = p->begin; i < p->end; i++) {
		struct fsi_span w[12];
		const size_t n = fsi_span_words(fsi_text_line(t, i), w, 12);

		if (n > 1 && fsi_span_is(w[0], "State:"))
			idle = fsi_span_is(w[1], "Idle");
		if (n > 4 && fsi_span_is(w[0], "SubmitTime:") && !date(t, w + 1, &submitted))
			return false;
		if (idle && submitted != FS_UNKNOWN && n > 3 && fsi_span_is(w[0], "(Time") && fsi_span_is(w[2], "Total:") &&
		    !fsi_maui_duration(w[3], &waited)) {
			*out = submitted + waited;
			return true;
		}
	}
	return false;
}

static void find_newest(struct fsi_text *t, const struct fsi_text_piece *p)
{
	for (size_t i = p->begin; i < p->end; i++) {
		struct fsi_span w[20];
		const size_t n = fsi_span_words(fsi_text_line(t, i), w, 20);
		int64_t time;

		if (n > 4 && n <= 20 && date(t, w + n - 4, &time))
			note_newest(t, time);
	}
}

enum { ABOVE = 3 }; /* lines of showres -n before its heading */

static void find_clock(struct fsi_text *t)
{
	int64_t found = FS_UNKNOWN, at;

	for (size_t k = 0; k < t->pieces.n; k++) {
		const struct fsi_text_piece *p = &t->pieces.v[k];

		if (p->kind == TEXT_CHECKJOB && queued_at(t, p, &at))
			found = at;
		for (size_t i = p->begin < ABOVE ? 0 : p->begin - ABOVE; i < p->end; i++)
			if (printed_at(t, p, i, &at))
				found = at;
		if (p->kind == TEXT_SHOWQ || p->kind == TEXT_SHOWQ_IDLE || p->kind == TEXT_SHOWQ_RUNNING)
			find_newest(t, p);
	}
	if (t->clock == FS_UNKNOWN)
		t->clock = found;
}

/* ---- rows that a terminal folded: are they whole? */

static bool ends_in_time(const struct fsi_span *w, size_t n)
{
	return n > 4 && w[n - 1].len == 8 && w[n - 1].s[2] == ':' && w[n - 1].s[5] == ':';
}

/* The priority of a whole row is a number, where a row of showq -r has a state. */
static bool whole_idle(struct fsi_span row)
{
	struct fsi_span w[20];
	const size_t n = fsi_span_words(row, w, 20), at = n > 1 && fsi_span_is(w[1], "*") ? 2 : 1;

	return !n || fsi_span_is(w[0], "Jobs:") || fsi_span_is(w[0], "JobName") ||
	       (n >= 12 && n <= 15 && ends_in_time(w, n) && fsi_text_number(w[at], false));
}

static bool whole_running(struct fsi_span row)
{
	struct fsi_span w[20];
	const size_t n = fsi_span_words(row, w, 20);

	return !n || (n > 1 && fsi_span_is(w[1], "Jobs")) || fsi_span_is(w[0], "JobName") ||
	       (n >= 15 && n <= 17 && ends_in_time(w, n) && (fsi_span_is(w[1], "R") || fsi_span_is(w[2], "R")));
}

static bool whole_reservation(struct fsi_span row)
{
	struct fsi_span w[20];
	const size_t n = fsi_span_words(row, w, 20);

	return !n || n < 5 || (n == 11 && ends_in_time(w, n));
}

static bool whole_job(struct fsi_span row)
{
	struct fsi_span w[24];
	const size_t n = fsi_span_words(row, w, 24);

	return !n || fsi_span_is(w[0], "Total") || fsi_span_is(w[0], "Name") || (n >= 18 && w[1].len > 3);
}

static bool any(struct fsi_span row)
{
	(void)row;
	return true;
}

/* ---- files */

static const struct {
	enum fsi_text_kind kind;
	const char *file;
	fsi_text_whole_fn whole; /* is a row of the table whole? NULL: lines stand as they are */
} files[] = {
	{ TEXT_SHOWQ, "showq.txt", NULL },
	{ TEXT_SHOWQ_IDLE, "showq_-i.txt", whole_idle },
	{ TEXT_SHOWQ_BLOCKED, "showq_-b.txt", any },
	{ TEXT_DIAGNOSE_JOBS, "diagnose_-j.txt", whole_job },
	{ TEXT_DIAGNOSE_FAIRSHARE, "diagnose_-f.txt", NULL },
	{ TEXT_SHOWRES, "showres.txt", whole_reservation },
	{ TEXT_SHOWRES_NODES, "showres_-n.txt", whole_reservation },
};

/* A line in which the paste ends says nothing for certain. */
static int put_line(struct fsi_text *t, struct fsi_text_piece *p, const char *file, const struct fsi_text_line *l)
{
	if (l->cut) {
		p->odd++;
		return 0;
	}
	p->taken += l->len > 0;
	return fsi_text_put(t, file, fsi_text_span(l), l->no);
}

static int put_plain(struct fsi_text *t, struct fsi_text_piece *p, const char *file)
{
	int rc = 0;

	for (size_t i = p->begin; i < p->end && !rc; i++)
		rc = put_line(t, p, file, &t->lines.v[i]);
	return rc;
}

static int put_unfolded(struct fsi_text *t, struct fsi_text_piece *p, const char *file, fsi_text_whole_fn whole)
{
	const struct fsi_span heading = fsi_text_line(t, p->begin);
	struct fsi_text_lines rows = { 0 };
	int rc = fsi_text_unfold(t, p, whole, &rows);

	if (!rc && fsi_span_begins(fsi_span_trim(heading), "JobName"))
		rc = fsi_text_put(t, file, heading, t->lines.v[p->begin].no);
	for (size_t i = 0; i < rows.n && !rc; i++) {
		if (whole(fsi_text_span(&rows.v[i])))
			rc = put_line(t, p, file, &rows.v[i]);
		else /* of another page, whose heading is lost */
			p->odd++;
	}
	FSI_VEC_FREE(&rows);
	return rc;
}

/* The file of showq -r, or of showq -r -v, which has the priorities. */
static const char *running_file(const struct fsi_text *t, const struct fsi_text_piece *p)
{
	struct fsi_span w[20];
	const size_t n = fsi_span_words(fsi_text_line(t, p->begin), w, 20);

	for (size_t i = 0; i < n && i < 20; i++)
		if (fsi_span_is(w[i], "prio"))
			return "showq_-r_-v.txt";
	return "showq_-r.txt";
}

/* ---- showq: a line may be lost that begins one of its three sections */

struct sections {
	enum { NO_SECTION, ACTIVE, IDLE, BLOCKED } at; /* NO_SECTION: not known */
	bool headed; /* its heading was seen */
};

static bool is_state(struct fsi_span word, bool running)
{
	const bool is = fsi_span_is(word, "Running") || fsi_span_is(word, "Starting") || fsi_span_is(word, "Suspended");

	return is == running;
}

/* Does the row belong into the section? The heading tells active jobs from others, and each section has one; so do
 * the states of rows. */
static bool belongs(struct sections *s, struct fsi_span line)
{
	static const char *const begins[] = { [ACTIVE] = "ACTIVE JOBS-", [IDLE] = "IDLE JOBS-", [BLOCKED] = "BLOCKED JOBS-" };
	struct fsi_span w[9];
	const size_t n = fsi_span_words(line, w, 9);

	for (int k = ACTIVE; k <= BLOCKED; k++)
		if (fsi_span_begins(line, begins[k])) {
			*s = (struct sections){ k == ACTIVE ? ACTIVE : k == IDLE ? IDLE : BLOCKED, false };
			return true;
		}
	if (n == 6 && fsi_span_is(w[0], "JOBNAME")) {
		if (fsi_span_is(w[4], "REMAINING") != (s->at == ACTIVE) || s->headed)
			s->at = NO_SECTION;
		s->headed = true;
		return s->at != NO_SECTION;
	}
	return n != 9 || (s->at != NO_SECTION && (!ends_in_time(w, n) || is_state(w[2], s->at == ACTIVE)));
}

/* A piece without its first line begins in the section that its heading tells. */
static int put_queue(struct fsi_text *t, struct fsi_text_piece *p)
{
	static const struct fsi_span active = { "ACTIVE JOBS--------------------", 31 };
	struct sections s = { NO_SECTION, false };
	struct fsi_span w[8];
	const size_t n = fsi_span_words(fsi_text_line(t, p->begin), w, 8);
	int rc = 0;

	if (n == 6 && fsi_span_is(w[0], "JOBNAME") && fsi_span_is(w[4], "REMAINING")) {
		rc = fsi_text_put(t, "showq.txt", active, t->lines.v[p->begin].no);
		s.at = ACTIVE;
	}
	for (size_t i = p->begin; i < p->end && !rc; i++) {
		if (belongs(&s, fsi_text_line(t, i)))
			rc = put_line(t, p, "showq.txt", &t->lines.v[i]);
		else
			p->odd++;
	}
	return rc;
}

/* Each row of diagnose -p has as many groups in brackets as its heading. */
static int put_priorities(struct fsi_text *t, struct fsi_text_piece *p)
{
	struct fsi_text_row row = { .n = 0 };
	size_t groups = 0, closed = 0, wide = 0;
	int rc = 0;

	for (size_t i = p->begin; i < p->end; i++)
		wide = t->lines.v[i].len > wide ? t->lines.v[i].len : wide;
	for (size_t i = p->begin; i < p->end && !rc; i++) {
		const struct fsi_span line = fsi_text_line(t, i), v = fsi_span_trim(line);
		const bool weights = fsi_span_begins(v, "Weights");

		if (!v.len || t->lines.v[i].cut || fsi_span_begins(v, "diagnosing") || (!row.n && !memchr(v.s, '(', v.len) && !fsi_span_begins(v, "Job ")))
			continue;
		if (weights && !groups) {
			groups = closed;
			rc = fsi_text_put(t, "diagnose_-p.txt", fsi_text_row_span(&row), t->lines.v[i].no);
			row.n = closed = 0;
		}
		for (size_t k = row.n; row.n && k % wide; k++)
			fsi_text_row_add(&row, fsi_span_of(" "), "");
		fsi_text_row_add(&row, line, "");
		for (size_t k = 0; k < line.len; k++)
			closed += line.s[k] == ')';
		if (groups && closed >= groups) {
			rc = rc ? rc : fsi_text_put(t, "diagnose_-p.txt", fsi_text_row_span(&row), t->lines.v[i].no);
			p->taken += !weights;
			row.n = closed = 0;
		}
	}
	return rc;
}

/* Puts checkjob and showstart into a file for each job. */
static int put_page(struct fsi_text *t, struct fsi_text_piece *p)
{
	struct fsi_span w[4];
	const size_t n = fsi_span_words(fsi_text_line(t, p->begin), w, 4);
	const struct fsi_span name = p->kind == TEXT_CHECKJOB ? w[2] : w[1];
	char text[100], *file;

	if (n < 3 || name.len > 60)
		return 0;
	snprintf(text, sizeof(text), "%s_%.*s.txt", p->kind == TEXT_CHECKJOB ? "checkjob" : "showstart", (int)name.len,
		 name.s);
	file = fsi_arena_strndup(&t->arena, text, strlen(text));
	if (!file)
		return fsi_nomem(t->err);
	return fsi_text_has(t, file) ? 0 : put_plain(t, p, file);
}

static int second(struct fsi_text *t, const struct fsi_text_piece *p)
{
	return fsi_text_warn(t, "line %u: a second output of %s is left out", t->lines.v[p->begin].no, fsi_text_kind_name(p->kind));
}

static int take_piece(struct fsi_text *t, struct fsi_text_piece *p)
{
	const char *file = p->kind == TEXT_SHOWQ_RUNNING         ? running_file(t, p)
			   : p->kind == TEXT_DIAGNOSE_PRIORITIES ? "diagnose_-p.txt"
								 : NULL;

	if (p->kind == TEXT_CHECKJOB || p->kind == TEXT_SHOWSTART)
		return put_page(t, p);
	for (size_t k = 0; k < sizeof(files) / sizeof(*files); k++) {
		if (files[k].kind != p->kind)
			continue;
		if (fsi_text_has(t, files[k].file))
			return second(t, p);
		return p->kind == TEXT_SHOWQ ? put_queue(t, p)
		       : files[k].whole		  ? put_unfolded(t, p, files[k].file, files[k].whole)
						  : put_plain(t, p, files[k].file);
	}
	if (fsi_text_has(t, file))
		return second(t, p);
	return p->kind == TEXT_SHOWQ_RUNNING ? put_unfolded(t, p, file, whole_running) : put_priorities(t, p);
}

int fsi_text_maui(struct fsi_text *t)
{
	int rc = 0;

	find_clock(t);
	for (size_t i = 0; i < t->pieces.n && !rc; i++)
		rc = take_piece(t, &t->pieces.v[i]);
	return rc ? rc : text_maui_said(t);
}

/* Drops what Maui told as so long from now on, where now is not known. */
static void forget_ends(fs_snapshot *s)
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
		forget_ends(*out);
	return rc;
}
