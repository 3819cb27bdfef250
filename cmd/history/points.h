/* What the forms of a course share. */
#ifndef HISTORY_POINTS_H
#define HISTORY_POINTS_H

#include "history/course.h"
#include "history/lines.h"

enum { POINT_TIME = 20, POINT_NUMBER = 400, POINT_NAME = 600 };

const char *point_time(char out[POINT_TIME], const struct course_point *p); /* local, "?" beyond all calendars */
const char *point_number(char buf[POINT_NUMBER], double v);		    /* "" of NAN */

/* series.c: of each thing its points in the order of time, things in the order of their first points; 0, or the exit
 * status. */
typedef void (*series_fn)(void *ctx, const struct course *c, const struct course_point *const *v, size_t n);
int course_each(const struct course *c, const struct course_points *p, series_fn fn, void *ctx);
/* course_measure: which number of a line is drawn: of shares the factor, where there is one. The other words it:
 * "fairshare of dana at quantum". */
const char *course_measure(const struct course *c, const struct line *l);
const char *course_name(char buf[POINT_NAME], const struct line *l, const char *measure);

/* picture.c: all of them as an SVG picture in c->svg; 0, or the exit status. */
int course_picture(const struct course *c, const struct course_points *p);

/* series.c: thing by thing, in the order of their first points: a picture; the greatest change between neighbours, and
 * the command that tells its causes. 0, or the exit status. */
int course_pictures(const struct course *c, const struct course_points *p);
int course_steps(const struct course *c, const struct course_points *p);

#endif
