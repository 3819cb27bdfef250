/* A forecast as part of a page and of a document. */
#ifndef PICTURE_FORECAST_H
#define PICTURE_FORECAST_H

#include "fs.h"
#include "page/page.h"
#include "picture/svg.h"

/* Points of a curve in the page. */
enum { FORECAST_POINTS = 61, FORECAST_EVENT = 1024 };

/* The end of a forecast from the option's value ("+14d", a time); NULL: as fs_forecast_default_until. Error codes
 * of either. */
int forecast_until(const fs_snapshot *s, const char *word, int64_t *out, struct fs_error *err);

/* Numbers now and at the end under each assumption, the curve, and what happens when. account: what the scheduler calls
 * an account. */
void forecast_text(struct page *p, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
		   const char *account);

/* What its curves show: the priority, else the factor, else the part of all use. cmd/picture/forecast_curve.c */
struct forecast_curve {
	const fs_forecast *f;
	bool priority; /* the job has one at any of the points */
	bool factor;
};
struct forecast_curve forecast_curve_of(const fs_forecast *f);
const char *forecast_curve_name(const struct forecast_curve *c); /* "Priority", "FairShare" */
int forecast_curve_digits(const struct forecast_curve *c); /* behind the point */
double forecast_curve_at(const struct forecast_curve *c, int assumption, size_t point); /* NAN: there is none then */
bool forecast_curve_same(const struct forecast_curve *c, int a, int b); /* under two assumptions */

/* What an event is, as the table has it. */
void forecast_event_words(char buf[FORECAST_EVENT], const fs_snapshot *s, const struct fs_eval *e,
			  const struct fs_forecast_event *x);

/* The same into a file; exit status, what went wrong being reported. */
int forecast_picture(const struct invocation *inv, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f,
		     const char *title, const char *file);

/* The value: {"until", "rate", "assumptions": [...], "events": [...]}. */
void forecast_json(struct fs_json *j, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f);

#endif
