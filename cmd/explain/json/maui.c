/* fs-explain/1: credentials of Maui. */
#include "explain/json/json.h"

#include "columns/prio.h"

#include <math.h>

/* ---- a credential: its row of the windows, with the number of its jobs */

struct credential {
	const struct fs_windows_info *info;
	struct fs_window_row row;
	struct fs_explain_count jobs;
};

COLUMN_KNOWN(has_target, void, struct credential, row->row.target != 0)
COLUMN_GET(get_total, void, struct credential, row->info->usage_s)
COLUMN_KNOWN(has_total, void, struct credential, !isnan(row->info->usage_s))
COLUMN_GET(get_ratio, void, struct credential, row->info->ratio)

static void write_windows(struct fs_json *j, const void *of, const void *row)
{
	const struct credential *c = row;

	(void)of;
	fs_json_array(j);
	for (uint32_t i = 0; i < c->info->depth; i++) {
		fs_json_object(j);
		json_integer(j, "start", c->info->start - (int64_t)i * c->info->interval_s);
		json_number(j, "weight", c->info->weight[i]);
		json_number(j, "usage_s", c->row.window_usage_s[i]);
		json_number(j, "total_usage_s", c->info->total_usage_s[i]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

#define CREDENTIAL(m) COLUMN_MEMBER(struct credential, m)

static const struct column credential_columns[] = {
	{ NULL, "kind", CREDENTIAL(row.kind), .word = fs_cred_kind_name, .help = "what the name is of" },
	{ NULL, "name", CREDENTIAL(row.name), .help = "its name" },
	{ NULL, "target", CREDENTIAL(row.target), .known = has_target, .help = "its target, in percent" },
	{ NULL, "mode", CREDENTIAL(row.mode), .word = fs_target_mode_name, .known = has_target,
	  .help = "what the target is" },
	{ NULL, "inherited", CREDENTIAL(row.inherited), .help = "the target is that of DEFAULT" },
	{ NULL, "percent", CREDENTIAL(row.percent), .help = "its usage, of the total" },
	{ NULL, "usage_s", CREDENTIAL(row.usage_s), .help = "in all windows, weighted" },
	{ NULL, "total_usage_s", .get = get_total, .help = "the same of all" },
	{ NULL, "ratio", .get = get_ratio, .known = has_total, .help = "factors are ratios, not differences" },
	{ NULL, "factor", CREDENTIAL(row.factor), .help = "what its jobs' priority gets" },
	{ NULL, "running", CREDENTIAL(jobs.running), .help = "its jobs" },
	{ NULL, "pending", CREDENTIAL(jobs.pending), .help = "its jobs" },
	{ NULL, "blocked", CREDENTIAL(jobs.blocked), .help = "of those that are pending" },
	{ NULL, "windows", .json = write_windows, .help = "the newest first" },
};

static void write_credential(struct fs_json *j, const struct explain_view *v, uint32_t window_row)
{
	struct credential c = { fs_windows_info(v->from->windows), *fs_windows_row(v->from->windows, window_row),
				{ 0 } };

	fs_explain_count_credential(v->x, window_row, &c.jobs);
	columns_object(j, COLUMNS(credential_columns), NULL, &c);
}

void explain_json_credentials(struct fs_json *j, const struct explain_view *v,
			      const struct fs_explain_job *job)
{
	json_list(j, "credentials");
	for (int k = 0; v->from->windows && k < FS_CRED_KINDS; k++)
		if (job->credential[k] != FS_NO_ROW)
			write_credential(j, v, job->credential[k]);
	fs_json_end_array(j);
	columns_json_object(j, "blocked_by_cap", prio_cap_columns + PRIO_CAP_KIND, PRIO_CAP_COLUMNS - PRIO_CAP_KIND, NULL,
			    job->capped ? &job->cap : NULL);
}

int explain_credential_json(const struct explain_view *v, uint32_t window_row)
{
	struct fs_json j;
	int rc;

	explain_json_begin(&j, v, "credential");
	fs_json_key(&j, "credential");
	write_credential(&j, v, window_row);
	rc = explain_forecast_json(&j, v, explain_credential_row(v, window_row), FS_NO_ROW);
	return rc ? rc : json_end(&j);
}

#define DIFFERENCE(m) COLUMN_MEMBER(struct fs_explain_credentials, m)

static const struct column difference_columns[] = {
	{ NULL, "usage_s", DIFFERENCE(usage_s), .help = "of the first less that of the second" },
	{ NULL, "percent", DIFFERENCE(percent), .help = "likewise" },
	{ NULL, "factor", DIFFERENCE(factor), .help = "likewise" },
	{ NULL, "points", DIFFERENCE(points), .help = "likewise" },
};

int explain_credentials_versus_json(const struct explain_view *v, uint32_t a, uint32_t b)
{
	struct fs_explain_credentials d;
	struct fs_json j;

	fs_explain_compare_credentials(v->x, a, b, &d);
	explain_json_begin(&j, v, "versus");
	json_list(&j, "credentials");
	write_credential(&j, v, a);
	write_credential(&j, v, b);
	fs_json_end_array(&j);
	json_list(&j, "terms");
	for (int k = 0; d.weighted && k < 2; k++)
		prio_json_term(&j, k ? &d.b : &d.a);
	fs_json_end_array(&j);
	columns_json_object(&j, "difference", COLUMNS(difference_columns), NULL, &d);
	return json_end(&j);
}
