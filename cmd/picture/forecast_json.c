/* A forecast as the value of a key in JSON. */
#include "columns/share.h"
#include "dialect/dialect.h"
#include "picture/forecast.h"
#include "render/json.h"

#include <math.h>

#define POINT(m) COLUMN_MEMBER(struct fs_forecast_point, m)

static const struct column point_columns[] = {
	{ NULL, "time", POINT(time), .unit = UNIT_TIME, .help = "of a calculation of priorities" },
	{ NULL, "fairshare", POINT(fairshare), .help = "the factor of the row" },
	{ NULL, "rank", POINT(rank), .none_at_0 = true, .help = "its rank" },
	{ NULL, "priority", POINT(priority), .help = "of the job" },
	{ NULL, "usage", POINT(usage), .help = "the row's part of all usage" },
};

static void write_assumption(struct fs_json *j, const fs_forecast *f, enum fs_assumption a)
{
	fs_json_object(j);
	json_text(j, "name", fs_assumption_name(a));
	json_text(j, "text", fs_assumption_text(a));
	json_flag(j, "still", fs_forecast_still(f, a));
	json_list(j, "points");
	for (size_t i = 0; i < fs_forecast_points(f); i++)
		columns_object(j, COLUMNS(point_columns), NULL, fs_forecast_point(f, a, i));
	fs_json_end_array(j);
	fs_json_end_object(j);
}

static void write_row(struct fs_json *j, const char *key, const struct fs_eval *e, uint32_t row)
{
	share_json_name(j, key, row == FS_NO_ROW ? NULL : fs_shares_row(e->shares, row));
}

static void write_job(struct fs_json *j, const char *key, const fs_snapshot *s, uint32_t row)
{
	struct fs_job job;

	if (row != FS_NO_ROW)
		fs_snapshot_job(s, row, &job);
	json_whole(j, key, row != FS_NO_ROW, row != FS_NO_ROW ? job.id : 0);
}

/* Is it told how the subject stands before and after it? */
static bool has_points(enum fs_forecast_kind kind)
{
	switch (kind) {
	case FS_FORECAST_AGE_FULL:
	case FS_FORECAST_QUEUETIME_FULL:
	case FS_FORECAST_XFACTOR_FULL:
	case FS_FORECAST_SERVICE_FULL:
	case FS_FORECAST_XFACTOR_TARGET:
	case FS_FORECAST_WINDOW_LEAVES:
	case FS_FORECAST_CAPPED:
	case FS_FORECAST_UNCAPPED:
		return false;
	default:
		return true;
	}
}

static void write_event(struct fs_json *j, const fs_snapshot *s, const struct fs_eval *e,
			const struct fs_forecast_event *x)
{
	const bool seen = x->time != FS_UNKNOWN && has_points(x->kind), window = x->kind == FS_FORECAST_WINDOW_LEAVES;

	fs_json_object(j);
	json_text(j, "kind", fs_forecast_kind_name(x->kind));
	json_integer(j, "time", x->time);
	json_flag(j, "never", x->never);
	json_list(j, "assumptions");
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		if (x->assumptions >> a & 1)
			fs_json_string(j, fs_assumption_name((enum fs_assumption)a));
	fs_json_end_array(j);
	write_row(j, "own", e, x->own);
	write_row(j, "other", e, x->other);
	write_job(j, "jobid", s, x->job);
	write_job(j, "other_jobid", s, x->other_job);
	columns_json_object(j, "before", COLUMNS(point_columns), NULL, seen ? &x->before : NULL);
	columns_json_object(j, "after", COLUMNS(point_columns), NULL, seen ? &x->after : NULL);
	json_integer(j, "window", window ? x->window : FS_UNKNOWN);
	json_number(j, "window_usage_s", window ? x->usage_s : (double)NAN);
	json_number(j, "window_total_s", window ? x->total_s : (double)NAN);
	fs_json_end_object(j);
}

void forecast_json(struct fs_json *j, const fs_snapshot *s, const struct fs_eval *e, const fs_forecast *f)
{
	fs_json_object(j);
	json_integer(j, "until", fs_forecast_point(f, FS_ASSUME_IDLE, fs_forecast_points(f) - 1)->time);
	json_integer(j, "usage_reset", fs_forecast_reset(f));
	json_number(j, "rate", fs_forecast_rate(f));
	json_text(j, "left_out", dialect_of(s)->forgets ? dialect_of(s)->forgets : "");
	json_list(j, "assumptions");
	for (int a = 0; a < FS_ASSUMPTION_COUNT; a++)
		write_assumption(j, f, (enum fs_assumption)a);
	fs_json_end_array(j);
	json_list(j, "events");
	for (size_t i = 0; i < fs_forecast_events(f); i++)
		write_event(j, s, e, fs_forecast_event(f, i));
	fs_json_end_array(j);
	fs_json_end_object(j);
}
