/* What the forms of a course share. */
#ifndef HISTORY_POINTS_H
#define HISTORY_POINTS_H

#include "history/course.h"
#include "history/lines.h"

enum { POINT_TIME = 20, POINT_NUMBER = 400 };

const char *point_time(char out[POINT_TIME], const struct course_point *p); /* local, "?" beyond all calendars */
const char *point_number(char buf[POINT_NUMBER], double v);		    /* "" of NAN */

/* series.c: thing by thing, in the order of their first points: a picture; the greatest change between neighbours, and the command
 * that tells its causes. 0, or the exit status. */
int course_pictures(const struct course *c, const struct course_points *p);
int course_steps(const struct course *c, const struct course_points *p);

#endif
