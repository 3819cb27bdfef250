/* fs-explain/1: credentials of Maui. */
#include "explain/json_parts.h"

#include "columns/prio.h"

#include <math.h>
#include <string.h>

static void write_windows(struct fs_json *j, const struct fs_windows_info *info,
			  const struct fs_window_row *r)
{
	fs_json_key(j, "windows");
	fs_json_array(j);
	for (uint32_t i = 0; i < info->depth; i++) {
		fs_json_object(j);
		json_integer(j, "start", info->start - (int64_t)i * info->interval_s);
		json_number(j, "weight", info->weight[i]);
		json_number(j, "usage_s", r->window_usage_s[i]);
		json_number(j, "total_usage_s", info->total_usage_s[i]);
		fs_json_end_object(j);
	}
	fs_json_end_array(j);
}

static void write_credential(struct fs_json *j, const struct explain_view *v, uint32_t window_row)
{
	const struct fs_windows_info *info = fs_windows_info(v->from->windows);
	const struct fs_window_row *r = fs_windows_row(v->from->windows, window_row);
	struct fs_explain_count n;

	fs_explain_count_credential(v->x, window_row, &n);
	fs_json_object(j);
	json_text(j, "kind", fs_cred_kind_name(r->kind));
	json_text(j, "name", r->name);
	json_number(j, "target", r->target != 0 ? r->target : NAN);
	json_text(j, "mode", r->target != 0 ? fs_target_mode_name(r->mode) : "");
	json_flag(j, "inherited", r->inherited);
	json_number(j, "percent", r->percent);
	json_number(j, "usage_s", r->usage_s);
	json_number(j, "total_usage_s", info->usage_s);
	json_flag(j, "ratio", info->ratio);
	json_number(j, "factor", r->factor);
	json_whole(j, "running", true, n.running);
	json_whole(j, "pending", true, n.pending);
	json_whole(j, "blocked", true, n.blocked);
	write_windows(j, info, r);
	fs_json_end_object(j);
}

static void write_cap(struct fs_json *j, const struct fs_explain_job *job)
{
	fs_json_key(j, "blocked_by_cap");
	if (!job->capped) {
		fs_json_null(j);
		return;
	}
	fs_json_object(j);
	json_text(j, "kind", fs_cred_kind_name(job->cap.kind));
	json_text(j, "credential", job->cap.name);
	json_text(j, "mode", fs_target_mode_name(job->cap.mode));
	json_number(j, "cap", job->cap.cap);
	json_number(j, "usage", job->cap.usage);
	json_number(j, "need", job->cap.need);
	fs_json_end_object(j);
}

void explain_json_credentials(struct fs_json *j, const struct explain_view *v,
			      const struct fs_explain_job *job)
{
	fs_json_key(j, "credentials");
	fs_json_array(j);
	for (int k = 0; v->from->windows && k < FS_CRED_KINDS; k++)
		if (job->credential[k] != FS_NO_ROW)
			write_credential(j, v, job->credential[k]);
	fs_json_end_array(j);
	write_cap(j, job);
}

int explain_credential_json(const struct explain_view *v, uint32_t window_row)
{
	struct fs_json j;

	json_begin(&j, "fs-explain/1", v->from->snapshot, v->json);
	json_text(&j, "kind", "credential");
	fs_json_key(&j, "credential");
	write_credential(&j, v, window_row);
	return json_end(&j);
}

static void write_difference(struct fs_json *j, const struct fs_explain_credentials *d)
{
	json_number(j, "usage_s", d->usage_s);
	json_number(j, "percent", d->percent);
	json_number(j, "factor", d->factor);
	json_number(j, "points", d->points);
}

int explain_credentials_versus_json(const struct explain_view *v, uint32_t a, uint32_t b)
{
	struct fs_explain_credentials d;
	struct fs_json j;

	fs_explain_compare_credentials(v->x, a, b, &d);
	json_begin(&j, "fs-explain/1", v->from->snapshot, v->json);
	json_text(&j, "kind", "versus");
	fs_json_key(&j, "credentials");
	fs_json_array(&j);
	write_credential(&j, v, a);
	write_credential(&j, v, b);
	fs_json_end_array(&j);
	fs_json_key(&j, "terms");
	fs_json_array(&j);
	for (int k = 0; d.weighted && k < 2; k++)
		prio_json_term(&j, k ? &d.b : &d.a);
	fs_json_end_array(&j);
	fs_json_key(&j, "difference");
	fs_json_object(&j);
	write_difference(&j, &d);
	fs_json_end_object(&j);
	return json_end(&j);
}
