/* The points of a course as table, CSV, JSON and picture. */
#include "history/points.h"

#include "render/emit.h"
#include "render/text.h"

#include <math.h>
#include <string.h>

enum { NAMES = LINE_VALUES };

/* The values that the points have, each name once. */
struct measures {
	const char *name[NAMES];
	bool shown[NAMES]; /* it is not 0 everywhere */
	size_t n;
};

static void add_measure(struct measures *m, const struct line_value *v)
{
	size_t i = 0;

	while (i < m->n && strcmp(m->name[i], v->name) != 0)
		i++;
	if (i == NAMES)
		return;
	if (i == m->n)
		m->name[m->n++] = v->name;
	m->shown[i] = m->shown[i] || (!isnan(v->value) && v->value != 0);
}

static struct measures find_measures(const struct course_points *p)
{
	struct measures m = { .n = 0 };

	for (size_t i = 0; i < p->n; i++)
		for (size_t k = 0; k < p->v[i].line->n; k++)
			add_measure(&m, &p->v[i].line->value[k]);
	return m;
}

/* ---- the texts of a row */

enum text_column { TEXT_JOB, TEXT_USER, TEXT_ACCOUNT, TEXT_PARTITION, TEXT_QOS, TEXT_STATE, TEXT_COLUMNS };
static const char *const text_key[TEXT_COLUMNS] = { "jobid", "user", "account", "partition", "qos", "state" };
static const char *const text_heading[TEXT_COLUMNS] = { "JOBID", "USER", "ACCOUNT", "PARTITION", "QOS", "STATE" };

static const char *text_of(const struct line *l, enum text_column c, char job[24])
{
	const char *const texts[TEXT_COLUMNS] = { job, l->user, l->account, l->partition, l->qos, l->state };

	if (c != TEXT_JOB)
		return texts[c];
	snprintf(job, 24, "%llu", (unsigned long long)l->job);
	return l->of_job ? job : "";
}

static int text_column_width(const struct course_points *p, enum text_column c)
{
	char job[24];
	int max = 0;

	for (size_t i = 0; i < p->n; i++) {
		const int w = text_width(text_of(p->v[i].line, c, job));

		max = w > max ? w : max;
	}
	return max && max < (int)strlen(text_heading[c]) ? (int)strlen(text_heading[c]) : max;
}

/* ---- table */

enum { LEAST = 8 };

static int measure_width(const struct course_points *p, const char *name)
{
	int max = (int)strlen(name) > LEAST ? (int)strlen(name) : LEAST;
	char buf[POINT_NUMBER];

	for (size_t i = 0; i < p->n; i++) {
		const int n = (int)strlen(point_number(buf, line_value(p->v[i].line, name)));

		max = n > max ? n : max;
	}
	return max;
}

static void print_table(const struct course *c, const struct course_points *p, const struct measures *m)
{
	int text[TEXT_COLUMNS], number[NAMES];
	char when[POINT_TIME], job[24], buf[POINT_NUMBER];

	for (int k = 0; k < TEXT_COLUMNS; k++)
		text[k] = text_column_width(p, (enum text_column)k);
	for (size_t k = 0; k < m->n; k++)
		number[k] = measure_width(p, m->name[k]);
	if (!c->no_header) {
		emit("%-*s", POINT_TIME - 1, "TIME");
		for (int k = 0; k < TEXT_COLUMNS; k++)
			if (text[k])
				emit(" %-*s", text[k], text_heading[k]);
		for (size_t k = 0; k < m->n; k++)
			if (m->shown[k])
				emit(" %*s", number[k], m->name[k]);
		emit("\n");
	}
	for (size_t i = 0; i < p->n; i++) {
		point_time(when, &p->v[i]);
		emit_text(when);
		for (int k = 0; k < TEXT_COLUMNS; k++)
			if (text[k])
				emit(" %-*s", text[k], text_of(p->v[i].line, (enum text_column)k, job));
		for (size_t k = 0; k < m->n; k++)
			if (m->shown[k])
				emit(" %*s", number[k], point_number(buf, line_value(p->v[i].line, m->name[k])));
		emit("\n");
	}
}

/* ---- CSV (RFC 4180) */

static void csv_text(const char *s)
{
	const bool quoted = strpbrk(s, ",\"\r\n") != NULL;

	if (quoted)
		emit("\"");
	for (const char *q; (q = strchr(s, '"')); s = q + 1) {
		emit("%.*s", (int)(q - s), s);
		emit("\"\"");
	}
	emit_text(s);
	if (quoted)
		emit("\"");
}

static void print_csv(const struct course *c, const struct course_points *p, const struct measures *m)
{
	char when[POINT_TIME], job[24];

	if (!c->no_header) {
		emit("time,seconds");
		for (int k = 0; k < TEXT_COLUMNS; k++)
			emit(",%s", text_key[k]);
		for (size_t k = 0; k < m->n; k++)
			emit(",%s", m->name[k]);
		emit("\n");
	}
	for (size_t i = 0; i < p->n; i++) {
		point_time(when, &p->v[i]);
		emit("%s,%lld", when, (long long)p->v[i].time);
		for (int k = 0; k < TEXT_COLUMNS; k++) {
			emit(",");
			csv_text(text_of(p->v[i].line, (enum text_column)k, job));
		}
		for (size_t k = 0; k < m->n; k++) {
			char number[TEXT_PYTHON];

			emit(",%s", text_python(number, line_value(p->v[i].line, m->name[k])));
		}
		emit("\n");
	}
}

/* ---- JSON */

static void write_row(struct fs_json *j, const struct course_point *p, const struct measures *m)
{
	char job[24];

	fs_json_object(j);
	json_integer(j, "time", p->time);
	json_whole(j, text_key[TEXT_JOB], p->line->of_job, p->line->job);
	for (int k = TEXT_USER; k < TEXT_COLUMNS; k++)
		json_text(j, text_key[k], text_of(p->line, (enum text_column)k, job));
	fs_json_key(j, "values");
	fs_json_object(j);
	for (size_t k = 0; k < m->n; k++)
		json_number(j, m->name[k], line_value(p->line, m->name[k]));
	fs_json_end_object(j);
	fs_json_end_object(j);
	json_row_done(j);
}

static int print_json(const struct course *c, const struct course_points *p, const struct measures *m)
{
	struct fs_json j;

	json_begin_plain(&j, "fs-history/1", c->json);
	json_text(&j, "cluster", p->cluster);
	json_text(&j, "scheduler", p->scheduler);
	json_text(&j, "of", c->jobs ? "jobs" : "shares");
	json_rows(&j);
	for (size_t i = 0; i < p->n; i++)
		write_row(&j, &p->v[i], m);
	json_end_rows(&j);
	return json_end(&j);
}

int course_print(const struct course *c, const struct course_points *p)
{
	const struct measures m = find_measures(p);
	int status = EXIT_DONE;

	if (!p->n && c->form != COURSE_JSON)
		status = EXIT_NOTHING;
	else if (c->form == COURSE_JSON)
		status = print_json(c, p, &m);
	else if (c->form == COURSE_CSV)
		print_csv(c, p, &m);
	else if (c->form == COURSE_PLOT)
		status = course_pictures(c, p);
	else if (c->form == COURSE_SVG)
		status = course_picture(c, p);
	else
		print_table(c, p, &m);
	if (!status && p->n && c->form == COURSE_TABLE)
		status = course_steps(c, p);
	return status ? status : p->n ? EXIT_DONE : EXIT_NOTHING;
}
