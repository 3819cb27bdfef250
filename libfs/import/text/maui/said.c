/* What Maui's pages say of the same job, against each other: of two values the one counts that the importer reads
 * first, by the order of its pages (maui.c, maui/pages.c), and of pages of one command the first. diagnose -p rounds a
 * priority where the others drop its fraction. The formats: see maui/pages.c. */
#include "import/maui/maui.h"
#include "import/maui/queue.h"
#include "import/text/merge.h"

#include "base/num.h"

#include <stdio.h>
#include <string.h>

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

int fsi_text_maui_said(struct fsi_text *t)
{
	static const struct {
		enum fsi_text_kind kind;
		line_fn fn;
	} pages[] = {
		{ TEXT_MAUI_QUEUE, of_queue }, { TEXT_MAUI_RUNNING, of_running },
		{ TEXT_MAUI_CHECKJOB, of_checkjob }, { TEXT_MAUI_IDLE, of_idle },
		{ TEXT_MAUI_JOBS, of_jobs }, { TEXT_MAUI_PRIORITIES, of_priorities },
	};
	struct says s = { .t = t, .m = { .t = t, .what = "job", .fields = SAID } };
	int rc = 0;

	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages) && !rc; i++)
		rc = read_pieces(&s, pages[i].kind, pages[i].fn);
	return fsi_text_merge_end(&s.m, rc);
}
